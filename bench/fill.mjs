/** A fill in the sandbox to the end of the execution that it starts, in a real n8n, against n8n's own webhook trigger with the same workflow. */
import { randomUUID } from 'node:crypto';
import { openWorld } from '../e2e/support/world.mjs';
import { placeLadder, watchWorkflow } from '../e2e/support/ladder.mjs';

const WEBHOOK = "n8n's webhook trigger";
/** The real n8n is the one that scripts/bench.mjs has found: BENCH_N8N. */
const ENDED = ['success', 'error', 'crashed', 'canceled'];
const PAUSE_MS = 250;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** The same workflow, started by a webhook. */
function webhookWorkflow(path) {
  return {
    name: 'By webhook',
    nodes: [
      { id: '1', name: 'Webhook', type: 'n8n-nodes-base.webhook', typeVersion: 2, position: [0, 0], webhookId: randomUUID(), parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} } },
      { id: '2', name: 'Done', type: 'n8n-nodes-base.noOp', typeVersion: 1, position: [220, 0], parameters: {} },
    ],
    connections: { Webhook: { main: [[{ node: 'Done', type: 'main', index: 0 }]] } },
  };
}

/** Waits until so many executions of a workflow have ended; gives out when, oldest first. */
async function endsOf(n8n, workflow, count) {
  const all = await n8n.child.until(async () => {
    const executions = (await n8n.executions(workflow.id)).filter(({ status }) => ENDED.includes(status));
    return executions.length >= count ? executions : undefined;
  }, 60_000);
  return all.map(({ startedAt, stoppedAt }) => ({ startedAt: Date.parse(startedAt), stoppedAt: Date.parse(stoppedAt) })).sort((a, b) => a.startedAt - b.startedAt);
}

export default async ({ short }) => {
  const count = short ? 3 : 40;
  const world = await openWorld();
  const { n8n, sandbox } = world;
  const credential = await n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
  const watch = watchWorkflow(credential);
  watch.nodes[0].parameters.events = ['executed'];
  const watching = await n8n.createWorkflow(watch);
  await n8n.activate(watching);
  await n8n.child.until(async () => (await sandbox.stats()).streams_open === 1, 120_000);
  const ladder = await placeLadder({ n8n, sandbox, credential, rungs: count });
  const path = `bench-${randomUUID()}`;
  const hook = await n8n.createWorkflow(webhookWorkflow(path));
  await n8n.activate(hook);

  /** Milliseconds from each fill, as the sandbox's journal has it, to the end of its execution. */
  const fills = [];
  /** Milliseconds from each request to the end of its execution. */
  const requests = [];
  const sent = [];
  for (let number = 1; number <= count; number++) {
    await ladder.fill(number);
    await pause(PAUSE_MS);
    sent.push(Date.now());
    await fetch(`${n8n.url}/webhook/${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"event":"executed"}' });
    await pause(PAUSE_MS);
  }
  const trades = (await sandbox.journal('trade')).filter(({ order_id: id }) => ladder.orderIds.includes(id)).sort((a, b) => a.seq - b.seq);
  for (const [at, { stoppedAt }] of (await endsOf(n8n, watching, count)).entries()) fills.push(stoppedAt - Date.parse(trades[at].at));
  for (const [at, { stoppedAt }] of (await endsOf(n8n, hook, count)).entries()) requests.push(stoppedAt - sent[at]);
  return {
    title: 'From a fill in the sandbox to the end of the execution that it starts, in a real n8n',
    work: `${count} fills and ${count} webhook requests in turns, the same workflow behind both`,
    sides: [],
    goals: [],
    figures: () => [
      { name: 'fill to the end of the execution, median', value: median(fills), unit: 'ms' },
      { name: `${WEBHOOK}: request to the end of the execution, median`, value: median(requests), unit: 'ms' },
      { name: 'ours against the webhook', value: median(fills) / median(requests), unit: '×', atMost: 1.2 },
    ],
    close: async () => await world.close(),
  };
};
