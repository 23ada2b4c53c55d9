/** The trigger in a real n8n under bursts that n8n cannot run as fast as they come, and with a login that has become impossible. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { withCredential } from '../scripts/n8n.mjs';
import { Watch, buyMany, runsOf } from './support/burst.mjs';
import { logIn } from './support/trader.mjs';
import { ACCOUNT, openWorld } from './support/world.mjs';

const TIMEOUT_MS = 3_600_000;
const NAME = 'Brokerage Sandbox';
/** Each order makes three events. */
const EVENTS_PER_ORDER = 3;
/** 6,000 events as a rule; a busy machine can try the same with fewer. */
const BURST = { orders: Number(process.env.BURST_ORDERS ?? 2_000), overMs: 30_000 };
const KILLED = { orders: BURST.orders * 0.3, overMs: 15_000 };
const ALLOWED_MB = 300;
const ALLOWED_MS = 2_000;
const BACK_WITHIN_MS = 30_000;

const watchWorkflow = (credential) =>
  withCredential(
    {
      name: 'Every order',
      nodes: [
        {
          id: '1',
          name: 'Order Events',
          type: 'n8n-nodes-brokerage.brokerageTrigger',
          typeVersion: 1,
          position: [0, 0],
          parameters: { watch: 'orders', events: ['accepted', 'fill', 'executed'] },
        },
        { id: '2', name: 'Done', type: 'n8n-nodes-base.noOp', typeVersion: 1, position: [220, 0], parameters: {} },
      ],
      connections: { 'Order Events': { main: [[{ node: 'Done', type: 'main', index: 0 }]] } },
    },
    credential,
  );

describe('The trigger in a real n8n, more events than n8n can run', { timeout: TIMEOUT_MS }, () => {
  let world;
  let trade;
  let credential;
  let workflow;
  let refId;

  const saved = async ({ token, device }) =>
    await world.n8n.saveCredential(NAME, 'brokerageApi', {
      environment: 'sandbox',
      sandboxBaseUrl: world.sandbox.url,
      loginMethod: 'sessionToken',
      pastedToken: token,
      deviceId: device,
    });
  const orders = async () => new Set((await world.sandbox.journal('trade')).map(({ order_id: id }) => id)).size;
  const arrived = () => new Set(runsOf(world.n8n, workflow).map(({ event }) => event)).size;
  const allArrive = async (orderCount) =>
    await world.n8n.child.until(async () => arrived() >= orderCount * EVENTS_PER_ORDER, 1_500_000);

  before(
    async () => {
      world = await openWorld({ sandboxOptions: ['--rate-limit', 'off'] });
      const { n8n, sandbox } = world;
      await sandbox.control('POST', `accounts/${ACCOUNT.phone}`, { funds: 1e13 });
      ({ ref_id: refId } = (await sandbox.control('GET', 'page/instruments?q=INFY')).find(
        ({ symbol, label }) => symbol === 'INFY' && label.startsWith('NSE'),
      ));
      trade = await logIn(sandbox.url);
      credential = await saved(trade);
      workflow = await n8n.createWorkflow(watchWorkflow(credential));
      await n8n.activate(workflow);
      await n8n.child.until(async () => (await sandbox.stats()).streams_open === 1, 120_000);
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => await world?.close());

  it('6,000 events in 30 seconds all arrive, in the order of each order, while n8n stays well', async (t) => {
    const { n8n } = world;
    const watch = new Watch(n8n);
    const tookMs = await buyMany(trade, refId, BURST.orders, BURST.overMs);
    await allArrive(BURST.orders);
    await watch.stop();
    t.diagnostic(
      `placed in ${tookMs} ms; slowest /healthz ${watch.slowestMs} ms; memory ${watch.startMb.toFixed(0)} to ${watch.mostMb.toFixed(0)} MB`,
    );
    assert.equal(await orders(), BURST.orders);
    const runs = runsOf(n8n, workflow);
    assert.equal(runs.length, BURST.orders * EVENTS_PER_ORDER);
    const byOrder = Map.groupBy(runs, ({ event }) => event.split(':')[0]);
    for (const [id, events] of byOrder)
      assert.deepEqual(
        events.map(({ event }) => event.split(':')[1]),
        ['accepted', 'fill', 'end'],
        id,
      );
    assert.deepEqual(watch.failures, []);
    assert.ok(watch.slowestMs <= ALLOWED_MS, `/healthz took ${watch.slowestMs} ms`);
    assert.ok(watch.mostMb <= watch.startMb + ALLOWED_MB, `memory went from ${watch.startMb} to ${watch.mostMb} MB`);
  });

  it('n8n killed in the middle of a burst loses none', async () => {
    const { n8n } = world;
    const before = arrived();
    const buying = buyMany(trade, refId, KILLED.orders, KILLED.overMs);
    await n8n.child.until(async () => arrived() > before + KILLED.orders, 300_000);
    n8n.child.signal('SIGKILL');
    await n8n.child.ended;
    await buying;
    await n8n.start();
    await n8n.signIn();
    await allArrive(BURST.orders + KILLED.orders);
    assert.equal(await orders(), BURST.orders + KILLED.orders);
    assert.equal(arrived(), (BURST.orders + KILLED.orders) * EVENTS_PER_ORDER);
  });

  it('a login that has become impossible, and a corrected credential brings the trigger back', async () => {
    const { n8n, sandbox } = world;
    const total = BURST.orders + KILLED.orders;
    await sandbox.expireSessions();
    await n8n.child.until(async () => (await sandbox.stats()).streams_open === 0, 120_000);
    // n8n would have waited twice as long before each new attempt by now.
    await new Promise((resolve) => setTimeout(resolve, 40_000));
    trade = await logIn(sandbox.url);
    await buyMany(trade, refId, 1, 0);
    await saved(trade);
    const savedAt = Date.now();
    await n8n.child.until(async () => (await sandbox.stats()).streams_open === 1, BACK_WITHIN_MS);
    assert.ok(Date.now() - savedAt < BACK_WITHIN_MS);
    await allArrive(total + 1);
  });
});
