import type { FastifyRequest } from 'fastify';
import type { PlacedBy } from '../shared/orders';
import { quoted } from './authentication';

/**
 * The run of a workflow that a request comes from, by the headers that n8n's node sends to a sandbox (percent-encoded);
 * nothing where it names no execution.
 */
export function placedBy(request: FastifyRequest): { placedBy?: PlacedBy } {
  const execution = quoted(request, 'x-n8n-execution');
  if (execution === '') return {};
  return {
    placedBy: {
      workflow: quoted(request, 'x-n8n-workflow'),
      workflowName: quoted(request, 'x-n8n-workflow-name'),
      execution,
      node: quoted(request, 'x-n8n-node'),
    },
  };
}
