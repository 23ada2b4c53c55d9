/** An order with exits is placed once in a real n8n, and closed once, though the reply is lost and n8n runs the node again. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { errorOf, outputOf } from '../scripts/n8n.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { orderWorkflow } from './support/workflows.mjs';
import { openWorld } from './support/world.mjs';

const QUANTITY = 10;

describe('An order with exits and Retry On Fail, in a real n8n', { timeout: TIMEOUT_MS }, () => {
  let world;
  let credential;
  let refId;

  before(
    async () => {
      world = await openWorld({ sandboxOptions: ['--order-interface', 'intent'] });
      credential = await world.n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
      [{ ref_id: refId }] = await world.sandbox.control('GET', 'page/instruments?q=INFY');
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await world?.close();
  });

  const journalOf = async (event) => (await world.sandbox.journal('intent')).filter((entry) => entry.event === event);
  const fault = async (match, action, more) =>
    await world.sandbox.control('POST', 'faults', { match, action, ...more });

  const workflow = () =>
    orderWorkflow(
      'Order with exits',
      { quantity: QUANTITY, exits: { exitsIn: 'percent', stopLoss: 3, target: 3 } },
      credential,
      { retryOnFail: true, maxTries: 3, waitBetweenTries: 1000 },
    );
  const run = async () => {
    const ran = await world.n8n.finished(
      await world.n8n.run(await world.n8n.createWorkflow(workflow()), 'Run by Hand'),
      180_000,
    );
    assert.equal(ran.status, 'success', errorOf(ran));
    return outputOf(ran, 'Place Order');
  };

  it('the reply lost: the order is found, with its exits', async () => {
    await fault({ method: 'POST', path: '/sentinel/orders/create' }, 'drop_after', { times: 1 });
    const [order] = await run();
    assert.equal(order.already_placed, false);
    assert.deepEqual(
      order.exits.map(({ kind, status }) => [kind, status]),
      [
        ['STOPLOSS', 'OPEN'],
        ['TARGET_PROFIT', 'OPEN'],
      ],
    );
    assert.equal((await journalOf('received')).length, 1);
  });

  it('the list unreadable as well, so that the node fails and n8n runs it again: one order, and each is closed once', async () => {
    const [lost] = await fault({ method: 'POST', path: '/sentinel/orders/create' }, 'drop_after', { times: 1 });
    // Five looks for the lost order, each with five attempts: all that the first try makes.
    const [unread] = await fault({ method: 'GET', path: '/sentinel/orders' }, 'status', {
      args: { status: 503 },
      times: 25,
      after: lost.id,
    });
    const [order] = await run();
    const rules = await world.sandbox.control('GET', 'faults');
    assert.equal(rules.find(({ id }) => id === unread.id).used, 25);
    assert.equal(order.already_placed, true);
    const received = await journalOf('received');
    assert.equal(received.length, 2);
    assert.equal(received[1].intent_order_id, order.order_id);

    const { last_price: price } = await world.sandbox.control('GET', `page/market?ref_id=${refId}&phone=9000000001`);
    await world.sandbox.control('POST', 'market', { ref_id: refId, price: Math.round((price * 1.04) / 10) * 10 });
    const closed = async () => (await journalOf('trade')).filter(({ fill_of: of }) => of !== 'entry');
    await world.n8n.child.until(async () => (await journalOf('exit_filled')).length === 2, 30_000);
    const sold = (await closed()).reduce((sum, { trade_quantity: quantity }) => sum + quantity, 0);
    assert.equal(sold, 2 * QUANTITY);
    assert.ok((await closed()).every(({ fill_of: of }) => of === 'target'));
  });
});
