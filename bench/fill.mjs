/**
 * A fill in the sandbox to the end of the execution that it starts, in a real n8n, against n8n's own webhook trigger with the same
 * workflow.
 */
import { openWorld } from '../e2e/support/world.mjs';
import { placeLadder, watchWorkflow } from '../e2e/support/resting-limit-orders.mjs';
import { pause, percentile, webhook, WEBHOOK } from './support/runs.mjs';

/** The real n8n is the one that scripts/bench.mjs has found: BENCH_N8N. */
const ENDED = ['success', 'error', 'crashed', 'canceled'];
const PAUSE_MS = 250;

/** Waits until a number of executions of a workflow have ended; returns their end times, oldest first. */
async function endsOf(n8n, workflow, count) {
  const all = await n8n.child.until(async () => {
    const executions = (await n8n.executions(workflow.id)).filter(({ status }) => ENDED.includes(status));
    return executions.length >= count ? executions : undefined;
  }, 60_000);
  return all
    .map(({ startedAt, stoppedAt }) => ({ startedAt: Date.parse(startedAt), stoppedAt: Date.parse(stoppedAt) }))
    .sort((a, b) => a.startedAt - b.startedAt);
}

export default async ({ short }) => {
  const world = await openWorld();
  try {
    return { ...(await measured(world, short ? 3 : 20)), close: async () => await world.close() };
  } catch (error) {
    await world.close();
    throw error;
  }
};

/** The fills and the requests, in turns. */
async function measured(world, count) {
  const { n8n, sandbox } = world;
  const credential = await n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
  const watch = watchWorkflow(credential);
  watch.nodes[0].parameters.events = ['executed'];
  const watching = await n8n.createWorkflow(watch);
  await n8n.activate(watching);
  await n8n.child.until(async () => (await sandbox.stats()).streams_open === 1, 120_000);
  const ladder = await placeLadder({ n8n, sandbox, credential, rungs: count });
  const hook = await webhook(n8n);

  // The sandbox's own clock is not this one's: a fill begins with the request that moves the price to it.
  const moved = [];
  const sent = [];
  for (let number = 1; number <= count; number++) {
    moved.push(Date.now());
    await ladder.fill(number);
    await pause(PAUSE_MS);
    sent.push(Date.now());
    await hook.send();
    await pause(PAUSE_MS);
  }
  /** Milliseconds from each beginning to the start and to the end of its execution. */
  const spans = async (workflow, beginnings) => {
    const ends = await endsOf(n8n, workflow, count);
    const from = (name) =>
      percentile(
        ends.map((execution, at) => execution[name] - beginnings[at]),
        50,
      );
    return { start: from('startedAt'), end: from('stoppedAt') };
  };
  const fills = await spans(watching, moved);
  const requests = await spans(hook.workflow, sent);
  return {
    title: 'From a fill in the sandbox to the end of the execution that it starts, in a real n8n',
    work: `${count} fills and ${count} webhook requests in turns, the same workflow behind both`,
    sides: [],
    goals: [],
    figures: () => [
      { name: 'fill to the start of the execution, median', value: fills.start, unit: 'ms' },
      { name: 'fill to its end, median', value: fills.end, unit: 'ms' },
      { name: `${WEBHOOK}: request to the start of the execution, median`, value: requests.start, unit: 'ms' },
      { name: `${WEBHOOK}: request to its end, median`, value: requests.end, unit: 'ms' },
      { name: 'to the end, ours against the webhook', value: fills.end / requests.end, unit: '×', atMost: 1.2 },
    ],
  };
}
