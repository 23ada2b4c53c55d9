/** An order is placed once in a real n8n: a reply lost, Retry On Fail, and a hundred alerts twice, at once and after a restart. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { errorOf, outputOf } from '../scripts/n8n.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import {
  brokerageNode,
  byHand,
  chain,
  deliver as deliverTo,
  madeItems,
  marketOrder,
  webhookNode,
} from './support/workflows.mjs';
import { openWorld } from './support/world.mjs';

const ALERTS = 100;

describe('An order is placed once, in a real n8n', { timeout: TIMEOUT_MS }, () => {
  let world;
  let credential;

  before(
    async () => {
      world = await openWorld();
      credential = await world.n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await world?.close();
  });

  const received = async () => (await world.sandbox.stats()).orders_received;

  /** Ten items by hand into a Place with Retry On Fail. */
  const tenOrders = () => {
    const retried = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1000 };
    const nodes = [byHand(), madeItems(10), brokerageNode('Place Order', marketOrder, retried)];
    return chain('Ten orders', nodes, credential);
  };

  /** Loses the reply to the seventh order: the first rule that matches is applied, so six pass. */
  async function loseTheSeventhReply() {
    const match = { method: 'POST', path: '/orders/v2/single' };
    await world.sandbox.control('POST', 'faults', { match, action: 'delay', args: { ms: 1 }, times: 6 });
    await world.sandbox.control('POST', 'faults', { match, action: 'drop_after', times: 1 });
  }

  async function tenItems(id, before) {
    const execution = await world.n8n.finished(id, 180_000);
    assert.equal(execution.status, 'success', errorOf(execution));
    const items = outputOf(execution, 'Place Order');
    assert.equal(items.length, 10);
    assert.equal(new Set(items.map(({ order_id }) => order_id)).size, 10);
    assert.equal(await received(), before + 10);
    const ids = new Set(
      (await world.sandbox.journal('order'))
        .filter(({ event }) => event === 'received')
        .map(({ order_id }) => order_id),
    );
    for (const { order_id } of items) assert.ok(ids.has(order_id), `${order_id} is not in the journal`);
    return items;
  }

  it('the reply to the seventh of ten items lost: the order is found, ten orders, ten items', async () => {
    const before = await received();
    await loseTheSeventhReply();
    const items = await tenItems(
      await world.n8n.run(await world.n8n.createWorkflow(tenOrders()), 'Run by Hand'),
      before,
    );
    assert.deepEqual(
      items.map(({ already_placed }) => already_placed),
      Array(10).fill(false),
    );
    await world.sandbox.control('DELETE', 'faults');
  });

  it('the list of orders unreadable as well, so that the node fails and n8n runs it again: ten orders, ten items', async () => {
    const before = await received();
    await loseTheSeventhReply();
    const id = await world.n8n.run(await world.n8n.createWorkflow(tenOrders()), 'Run by Hand');
    // The first look for the lost order comes 0.7 s after the order: no longer pause between two polls.
    while ((await received()) < before + 7) await new Promise((resolve) => setTimeout(resolve, 10));
    // Five looks for the lost order, each with five attempts: all that the first try makes.
    const [{ id: rule }] = await world.sandbox.control('POST', 'faults', {
      match: { method: 'GET', path: '/orders' },
      action: 'status',
      args: { status: 503 },
      times: 25,
    });
    const items = await tenItems(id, before);
    const rules = await world.sandbox.control('GET', 'faults');
    assert.equal(rules.find((one) => one.id === rule).used, 25);
    assert.deepEqual(
      items.map(({ already_placed }) => already_placed),
      [...Array(7).fill(true), ...Array(3).fill(false)],
    );
    await world.sandbox.control('DELETE', 'faults');
  });

  it(`${ALERTS} alerts, each delivered twice at once, and again after a restart of n8n: ${ALERTS} orders`, async () => {
    const keyed = { ...marketOrder, options: { idempotencyKey: '={{ $json.body.alert }}' } };
    const workflow = chain('Alerts', [webhookNode('alert'), brokerageNode('Place Order', keyed)], credential);
    const id = await world.n8n.createWorkflow(workflow);
    await world.n8n.activate(id);
    const address = `${world.n8n.url}/webhook/alert`;
    const ready = async () =>
      await world.n8n.child.until(
        async () =>
          (await fetch(address, { method: 'GET' })).status !== 404 ||
          (await (await fetch(address)).text()).includes('POST'),
        60_000,
      );
    const deliver = async (alert) => {
      const { status, text, json } = await deliverTo(world.n8n, 'alert', { alert: `alert-${alert}` });
      assert.equal(status, 200, status === 200 ? text : await failure());
      return json.order_id;
    };
    const failure = async () => {
      const failed = (await world.n8n.executions(id)).find((execution) => execution.status === 'error');
      return failed === undefined ? 'no execution failed' : errorOf(await world.n8n.execution(failed.id));
    };
    const alerts = Array.from({ length: ALERTS }, (_, alert) => alert);
    const inBatches = async (work) => {
      const results = [];
      for (let from = 0; from < work.length; from += 20)
        results.push(...(await Promise.all(work.slice(from, from + 20).map(deliver))));
      return results;
    };
    await ready();
    const before = await received();
    const twice = await inBatches(alerts.flatMap((alert) => [alert, alert]));
    assert.equal(await received(), before + ALERTS);
    await world.n8n.stop();
    await world.n8n.start();
    await ready();
    const again = await inBatches(alerts);
    assert.equal(await received(), before + ALERTS);
    assert.deepEqual(
      again,
      alerts.map((alert) => twice[2 * alert]),
    );
  });
});
