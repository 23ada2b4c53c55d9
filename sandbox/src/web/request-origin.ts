import type { FastifyRequest } from 'fastify';
import type { PlacedBy } from '../shared/orders';
import { quotedHeader } from './authentication';

/**
 * The node of a workflow that a request comes from, and its run, by the headers that n8n's nodes send to a sandbox (percent-encoded);
 * nothing where it names neither.
 */
export function placedBy(request: FastifyRequest): { placedBy?: PlacedBy } {
  const execution = quotedHeader(request, 'x-n8n-execution');
  const node = quotedHeader(request, 'x-n8n-node');
  if (execution === '' && node === '') return {};
  return {
    placedBy: {
      workflow: quotedHeader(request, 'x-n8n-workflow'),
      workflowName: quotedHeader(request, 'x-n8n-workflow-name'),
      execution,
      node,
    },
  };
}
