import type { FastifyRequest } from 'fastify';
import type { PlacedBy } from '../shared/orders';
import { quoted } from './authentication';

/**
 * The workflow that a request comes from, by the headers that n8n's node sends to a sandbox (percent-encoded): a run of it, or its trigger,
 * which orders by itself and names no execution. Nothing where it names neither.
 */
export function placedBy(request: FastifyRequest): { placedBy?: PlacedBy } {
  const execution = quoted(request, 'x-n8n-execution');
  const workflow = quoted(request, 'x-n8n-workflow');
  if (execution === '' && workflow === '') return {};
  return {
    placedBy: {
      workflow,
      workflowName: quoted(request, 'x-n8n-workflow-name'),
      execution,
      node: quoted(request, 'x-n8n-node'),
    },
  };
}
