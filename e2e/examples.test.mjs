/** Each example, imported as it is into a real n8n with nothing but the credential set, is run and judged by its outcome. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { example, openWorld } from './support/world.mjs';

const TIMEOUT_MS = 300_000;

describe('The examples, in a real n8n', { timeout: TIMEOUT_MS }, () => {
  let world;
  let credential;

  before(async () => {
    world = await openWorld();
    credential = await world.n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
  }, { timeout: TIMEOUT_MS });

  after(async () => {
    await world?.close();
  });

  async function activate(file) {
    const workflow = await world.n8n.createWorkflow(example(file, credential));
    await world.n8n.activate(workflow);
    return workflow;
  }

  describe('Alert to order', () => {
    const send = async (alert) => {
      const response = await fetch(`${world.n8n.url}/webhook/alert-to-order`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(alert),
      });
      return await response.json();
    };
    const ordersOf = async (event = 'received') => (await world.sandbox.journal('order')).filter((entry) => entry.event === event);
    let alert;

    before(async () => {
      await activate('alert-to-order.json');
      const [infy] = await world.sandbox.control('GET', 'page/instruments?q=INFY');
      const { last_price: last } = await world.sandbox.control('GET', `page/market?ref_id=${infy.ref_id}&phone=9000000001`);
      const rupees = Math.ceil(last / 100);
      alert = { id: 'alert-1', symbol: 'INFY', action: 'buy', quantity: 10, price: rupees + 5, stop: rupees - 40 };
    });

    it('buys once, and places the stop loss after the fill', async () => {
      const { message, order_id: orderId, stop_order_id: stopId } = await send(alert);
      assert.match(message, /^Bought 10 INFY at ₹[\d.]+, stop loss at ₹\d+\.$/);
      const orders = await ordersOf();
      assert.deepEqual(orders.map(({ order_id: id, side }) => [id, side]), [[orderId, 'BUY'], [stopId, 'SELL']]);
    });

    it('the same alert again, twice at once, places nothing more', async () => {
      const replies = await Promise.all([send(alert), send(alert)]);
      for (const { message } of replies) assert.match(message, /^Bought 10 INFY/);
      assert.equal((await ordersOf()).length, 2);
    });

    it('more than the limit goes to a person, and nothing is sent', async () => {
      const { message } = await send({ ...alert, id: 'alert-2', quantity: 501 });
      assert.match(message, /alert-2 needs a person.*(501|quantity)/i);
      assert.equal((await ordersOf()).length, 2);
    });

    it('what is not an alert is told so, and nothing is sent', async () => {
      for (const wrong of [{}, { ...alert, id: '' }, { ...alert, action: 'hold' }, { ...alert, price: 0 }]) {
        assert.match((await send(wrong)).message, /^Nothing was done/);
      }
      assert.equal((await ordersOf()).length, 2);
    });
  });
});
