/** The trigger in a real n8n beyond single fills: an order in many trades, and a long outage. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { errorOf, outputOf } from '../scripts/n8n.mjs';
import { placeLadder, placeAtOnce, sameAsJournal, watchWorkflow } from './support/resting-limit-orders.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { ACCOUNT, openWorld } from './support/world.mjs';

/** A Monday in market hours: an outage outside of them is no alarm. */
const START = '2026-11-23T10:00:00+05:30';
const LATER = '2026-11-23T10:20:00+05:30';
/** More than the best prices of the book offer. */
const QUANTITY = 60_000;

const ALARM = {
  name: 'Alarm',
  nodes: [
    {
      id: '1',
      name: 'Error Trigger',
      type: 'n8n-nodes-base.errorTrigger',
      typeVersion: 1,
      position: [0, 0],
      parameters: {},
    },
    { id: '2', name: 'Tell Me', type: 'n8n-nodes-base.noOp', typeVersion: 1, position: [220, 0], parameters: {} },
  ],
  connections: { 'Error Trigger': { main: [[{ node: 'Tell Me', type: 'main', index: 0 }]] } },
};

describe('The trigger in a real n8n, many trades and a long outage', { timeout: TIMEOUT_MS }, () => {
  let world;
  let credential;
  let alarm;
  let watch;

  before(
    async () => {
      world = await openWorld({ start: START });
      const { n8n, sandbox } = world;
      credential = await n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
      alarm = await n8n.createWorkflow(ALARM);
      await n8n.activate(alarm);
      watch = await n8n.createWorkflow({ ...watchWorkflow(credential), settings: { errorWorkflow: alarm.id } });
      await n8n.activate(watch);
      await n8n.child.until(async () => (await sandbox.stats()).streams_open === 1, 120_000);
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => await world?.close());

  it('each trade of a big order starts one execution', async () => {
    const { n8n, sandbox } = world;
    await sandbox.control('POST', `accounts/${ACCOUNT.phone}`, { funds: 1e12 });
    const order = await placeAtOnce({ n8n, sandbox, credential, quantity: QUANTITY });
    const trades = await order.trades(({ filled }) => filled === QUANTITY);
    assert.ok(trades.length > 1, `it took ${trades.length} trades`);
    await sameAsJournal({ n8n, sandbox, ladder: order, watch, filled: trades.length });
  });

  it('a long outage becomes one failed execution, and the error workflow tells of it', async () => {
    const { n8n, sandbox } = world;
    const ladder = await placeLadder({ n8n, sandbox, credential, rungs: 1 });
    assert.equal(ladder.execution.status, 'success', errorOf(ladder.execution));
    const before = (await n8n.executions(watch.id)).length;
    await sandbox.control('POST', 'faults', { match: { path: '/userinfo' }, action: 'status', args: { status: 503 } });
    await sandbox.control('POST', 'faults', { match: { stream: true }, action: 'disconnect' });
    await ladder.fill(1);
    await n8n.child.until(async () => (await sandbox.stats()).streams_open === 0, 60_000);
    // The trigger has noticed when it asks whether the service is there: an outage is as long as it has known of it.
    await n8n.child.until(
      async () =>
        (await sandbox.control('GET', 'faults')).some(({ match, used }) => match.path === '/userinfo' && used > 0),
      60_000,
    );
    await world.letPass(LATER);
    const failed = async () => (await n8n.executions(watch.id)).filter(({ status }) => status === 'error');
    await n8n.child.until(async () => (await failed()).length > 0, 120_000);
    const alarmRuns = await n8n.child.until(async () => {
      const runs = (await n8n.executions(alarm.id)).filter(({ status }) => status === 'success');
      return runs.length > 0 ? runs : undefined;
    }, 60_000);
    const [item] = outputOf(await n8n.execution(alarmRuns[0].id), 'Error Trigger');
    assert.match(JSON.stringify(item), /Nothing has come from the broker for \d+ minutes/);
    assert.equal(item.workflow.name, watch.name);

    await sandbox.control('DELETE', 'faults');
    const since = await n8n.child.until(async () => {
      const runs = (await n8n.executions(watch.id)).slice(0, -before);
      return runs.length >= 3 && runs.every(({ status }) => status === 'success' || status === 'error')
        ? runs
        : undefined;
    }, 120_000);
    assert.deepEqual(since.map(({ status }) => status).sort(), ['error', 'success', 'success']);
    assert.equal((await n8n.executions(alarm.id)).length, 1);
  });
});
