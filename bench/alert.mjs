/** A price in the sandbox that crosses a level to the start of the run, in a real n8n, against n8n's own webhook trigger. */
import { openWorld } from '../e2e/support/world.mjs';
import { alertWorkflow, levelAbove } from '../e2e/support/price-alert.mjs';
import { pause, percentile, startsOf, webhook, WEBHOOK } from './support/runs.mjs';

/** The real n8n is the one that scripts/bench.mjs has found: BENCH_N8N. */
const PAUSE_MS = 250;

export default async ({ short }) => {
  const world = await openWorld();
  try {
    return { ...(await measured(world, short ? 3 : 100)), close: async () => await world.close() };
  } catch (error) {
    await world.close();
    throw error;
  }
};

/** The crossings and the requests, in turns. */
async function measured(world, count) {
  const { n8n, sandbox } = world;
  const credential = await n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
  const price = await levelAbove(sandbox);
  const watching = await n8n.createWorkflow(alertWorkflow(credential, price.level));
  await n8n.activate(watching);
  await n8n.child.until(async () => (await sandbox.stats()).streams_open === 1, 120_000);
  const hook = await webhook(n8n);

  // A crossing begins with the request that moves the price over the level.
  const moved = [];
  const sent = [];
  for (let number = 0; number < count; number++) {
    await price.fall();
    await pause(PAUSE_MS);
    moved.push(Date.now());
    await price.rise();
    await pause(PAUSE_MS);
    sent.push(Date.now());
    await hook.send();
    await pause(PAUSE_MS);
  }
  const spans = async (workflow, beginnings) =>
    (await startsOf(n8n, workflow, count)).map((startedAt, at) => startedAt - beginnings[at]);
  const crossings = await spans(watching, moved);
  const requests = await spans(hook.workflow, sent);
  return {
    title: 'From a price that crosses a level in the sandbox to the start of the run, in a real n8n',
    work: `${count} crossings and ${count} webhook requests in turns, the same workflow behind both`,
    sides: [],
    goals: [],
    figures: () => [
      { name: 'crossing to the start of the execution, median', value: percentile(crossings, 50), unit: 'ms' },
      {
        name: 'crossing to the start of the execution, 99th percentile',
        value: percentile(crossings, 99),
        unit: 'ms',
        atMost: 100,
      },
      {
        name: `${WEBHOOK}: request to the start of the execution, median`,
        value: percentile(requests, 50),
        unit: 'ms',
      },
      {
        name: `${WEBHOOK}: request to the start of the execution, 99th percentile`,
        value: percentile(requests, 99),
        unit: 'ms',
      },
      {
        name: 'median, ours against the webhook',
        value: percentile(crossings, 50) / percentile(requests, 50),
        unit: '×',
        atMost: 1.2,
      },
    ],
  };
}
