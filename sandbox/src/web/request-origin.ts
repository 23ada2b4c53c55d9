import type { FastifyRequest } from 'fastify';
import type { PlacedBy } from '../shared/orders';
import { quoted } from './authentication';

/**
 * The node of a workflow that a request comes from, and its run, by the headers that n8n's nodes send to a sandbox (percent-encoded);
 * nothing where it names neither.
 */
export function placedBy(request: FastifyRequest): { placedBy?: PlacedBy } {
  const execution = quoted(request, 'x-n8n-execution');
  const node = quoted(request, 'x-n8n-node');
  if (execution === '' && node === '') return {};
  return {
    placedBy: {
      workflow: quoted(request, 'x-n8n-workflow'),
      workflowName: quoted(request, 'x-n8n-workflow-name'),
      execution,
      node,
    },
  };
}
