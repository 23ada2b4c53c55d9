/** Shared parts of the rows that measure how soon a run starts in a real n8n. */
import { randomUUID } from 'node:crypto';

export const WEBHOOK = "n8n's webhook trigger";

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns the value that `percent` percent of the values do not exceed. */
export function percentile(values, percent) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)];
}

/** A workflow that a webhook starts, active, and how to send it a request. */
export async function webhook(n8n) {
  const path = `bench-${randomUUID()}`;
  const workflow = await n8n.createWorkflow(webhookWorkflow(path));
  await n8n.activate(workflow);
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"event":"executed"}' };
  return { workflow, send: async () => await fetch(`${n8n.url}/webhook/${path}`, request) };
}

function webhookWorkflow(path) {
  return {
    name: 'By webhook',
    nodes: [
      {
        id: '1',
        name: 'Webhook',
        type: 'n8n-nodes-base.webhook',
        typeVersion: 2,
        position: [0, 0],
        webhookId: randomUUID(),
        parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
      },
      { id: '2', name: 'Done', type: 'n8n-nodes-base.noOp', typeVersion: 1, position: [220, 0], parameters: {} },
    ],
    connections: { Webhook: { main: [[{ node: 'Done', type: 'main', index: 0 }]] } },
  };
}

/** Waits until so many executions of a workflow have started. @returns when, milliseconds, oldest first */
export async function startsOf(n8n, workflow, count) {
  const all = await n8n.child.until(async () => {
    const executions = (await n8n.executions(workflow.id)).filter(({ startedAt }) => startedAt);
    return executions.length >= count ? executions : undefined;
  }, 60_000);
  return all.map(({ startedAt }) => Date.parse(startedAt)).sort((a, b) => a - b);
}
