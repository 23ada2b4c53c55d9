/** An order is placed once in a real n8n: Retry On Fail with a reply lost, and a hundred alerts twice, at once and after a restart. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { errorOf, outputOf, withCredential } from '../scripts/n8n.mjs';
import { openWorld } from './support/world.mjs';

const TIMEOUT_MS = 400_000;
const ALERTS = 100;

/** A node that places one share of INFY for each item. */
const placeNode = (parameters, more = {}) => ({
  id: 'place',
  name: 'Place Order',
  type: 'n8n-nodes-brokerage.brokerage',
  typeVersion: 1,
  position: [440, 0],
  parameters: {
    resource: 'order',
    operation: 'place',
    instrument: { __rl: true, mode: 'symbol', value: 'NSE:INFY' },
    side: 'BUY',
    quantity: 1,
    product: 'IDAY',
    orderType: 'REGULAR',
    priceType: 'MARKET',
    ...parameters,
  },
  ...more,
});

describe('An order is placed once, in a real n8n', { timeout: TIMEOUT_MS }, () => {
  let world;
  let credential;

  before(async () => {
    world = await openWorld();
    credential = await world.n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
  }, { timeout: TIMEOUT_MS });

  after(async () => {
    await world?.close();
  });

  const received = async () => (await world.sandbox.stats()).orders_received;

  it('Retry On Fail on ten items, the reply to the seventh lost: ten orders, ten items', async () => {
    const workflow = withCredential(
      {
        name: 'Ten orders',
        nodes: [
          { id: '1', name: 'Run by Hand', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0], parameters: {} },
          {
            id: '2',
            name: 'Ten Items',
            type: 'n8n-nodes-base.code',
            typeVersion: 2,
            position: [220, 0],
            parameters: { jsCode: 'return Array.from({ length: 10 }, (_, item) => ({ json: { item } }));' },
          },
          placeNode({}, { retryOnFail: true, maxTries: 3, waitBetweenTries: 1000 }),
        ],
        connections: {
          'Run by Hand': { main: [[{ node: 'Ten Items', type: 'main', index: 0 }]] },
          'Ten Items': { main: [[{ node: 'Place Order', type: 'main', index: 0 }]] },
        },
      },
      credential,
    );
    const before = await received();
    const match = { method: 'POST', path: '/orders/v2/single' };
    // The first rule that matches is applied: six pass, the seventh loses its reply.
    await world.sandbox.control('POST', 'faults', { match, action: 'delay', args: { ms: 1 }, times: 6 });
    await world.sandbox.control('POST', 'faults', { match, action: 'drop_after', times: 1 });
    const execution = await world.n8n.finished(await world.n8n.run(await world.n8n.createWorkflow(workflow), 'Run by Hand'), 180_000);
    await world.sandbox.control('DELETE', 'faults');
    assert.equal(execution.status, 'success', errorOf(execution));
    const items = outputOf(execution, 'Place Order');
    assert.equal(items.length, 10);
    assert.equal(new Set(items.map(({ order_id }) => order_id)).size, 10);
    assert.equal(await received(), before + 10);
  });

  it(`${ALERTS} alerts, each delivered twice at once, and again after a restart of n8n: ${ALERTS} orders`, async () => {
    const workflow = withCredential(
      {
        name: 'Alerts',
        nodes: [
          { id: '1', name: 'Alert', type: 'n8n-nodes-base.webhook', typeVersion: 2, position: [0, 0], webhookId: 'alert', parameters: { path: 'alert', httpMethod: 'POST', responseMode: 'lastNode', options: {} } },
          placeNode({ options: { idempotencyKey: '={{ $json.body.alert }}' } }),
        ],
        connections: { Alert: { main: [[{ node: 'Place Order', type: 'main', index: 0 }]] } },
      },
      credential,
    );
    await world.n8n.activate(await world.n8n.createWorkflow(workflow));
    const address = `${world.n8n.url}/webhook/alert`;
    const ready = async () => await world.n8n.child.until(async () => (await fetch(address, { method: 'GET' })).status !== 404 || (await (await fetch(address)).text()).includes('POST'), 60_000);
    const deliver = async (alert) => {
      const reply = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ alert: `alert-${alert}` }) });
      const text = await reply.text();
      assert.equal(reply.status, 200, text);
      return JSON.parse(text).order_id;
    };
    const alerts = Array.from({ length: ALERTS }, (_, alert) => alert);
    const inBatches = async (work) => {
      const results = [];
      for (let from = 0; from < work.length; from += 20) results.push(...(await Promise.all(work.slice(from, from + 20).map(deliver))));
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
    assert.deepEqual(again, alerts.map((alert) => twice[2 * alert]));
  });
});
