/** The unchanged examples that leave the exits to the service, in a real n8n: with intent orders, and on the older interface. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { errorOf, outputOf } from '../scripts/n8n.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { ACCOUNT, example, openWorld } from './support/world.mjs';

const SECRET = 'a secret of twenty-six char';

describe('The examples with exits on the order, in a real n8n', { timeout: TIMEOUT_MS }, () => {
  let world;
  let credential;
  let refId;

  before(
    async () => {
      world = await openWorld({
        start: '2026-11-23T11:00:00+05:30',
        sandboxOptions: ['--hours', 'exchange', '--order-interface', 'both'],
      });
      credential = await world.n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
      [{ ref_id: refId }] = await world.sandbox.control('GET', 'page/instruments?q=INFY');
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await world?.close();
  });

  /** Last price of INFY, paise. */
  const price = async () =>
    (await world.sandbox.control('GET', `page/market?ref_id=${refId}&phone=${ACCOUNT.phone}`)).last_price;
  const move = async (factor) =>
    await world.sandbox.control('POST', 'market', {
      ref_id: refId,
      price: Math.round(((await price()) * factor) / 10) * 10,
    });
  const journalOf = async (tag) => (await world.sandbox.journal('intent')).filter((entry) => entry.tag.startsWith(tag));
  const received = async (tag) => (await journalOf(tag)).filter(({ event }) => event === 'received');
  const ordersReceived = async () => (await world.sandbox.stats()).orders_received;

  /** Waits until an order with the tag has come to an event. @param what fields of the journal's entry */
  const happens = async (tag, what) =>
    await world.n8n.child.until(async () => {
      const entries = await journalOf(tag);
      return entries.find((entry) => Object.entries(what).every(([name, value]) => entry[name] === value));
    }, 30_000);

  async function run(file, trigger) {
    const workflow = await world.n8n.createWorkflow(example(file, credential));
    const ran = await world.n8n.finished(await world.n8n.run(workflow, trigger));
    assert.equal(ran.status, 'success', errorOf(ran));
    return ran;
  }
  const message = (ran, node) => outputOf(ran, node)[0]?.message ?? JSON.stringify(outputOf(ran, 'Needs a Person'));

  /** Publishes a workflow of alerts with the secret set; returns a function that sends an alert and returns the answer. */
  async function alerts(file) {
    const workflow = example(file, credential);
    const asks = workflow.nodes.find(({ name }) => name === 'Knows the Secret?');
    asks.parameters.conditions.conditions[1].rightValue = SECRET;
    const created = await world.n8n.createWorkflow(workflow);
    await world.n8n.activate(created);
    const { webhookId } = created.nodes.find(({ name }) => name === 'Webhook');
    return async (alert) => {
      const response = await fetch(`${world.n8n.url}/webhook/${webhookId}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ secret: SECRET, ...alert }),
      });
      return await response.json();
    };
  }
  const alertNow = async (id) => {
    const rupees = Math.ceil((await price()) / 100);
    return {
      id,
      symbol: 'INFY',
      action: 'buy',
      quantity: 10,
      price: rupees + 5,
      stop: Math.floor(rupees * 0.97),
      target: Math.ceil(rupees * 1.03),
    };
  };

  describe('with intent orders', () => {
    it('Alert to order with stop and target: one order, and the service closes it at the target', async () => {
      const send = await alerts('alert-with-exits.json');
      const alert = await alertNow('exits-1');
      const [first, again] = await Promise.all([send(alert), send(alert)]);
      const repeated = ' It was placed before: nothing was sent again.';
      const texts = [first, again].map(({ message: text }) => text.replace(repeated, ''));
      for (const text of texts)
        assert.match(
          text,
          /^Filled: bought 10 INFY \(Intraday\) at ₹[\d,]+\.\d\d, stop loss at ₹[\d,]+\.\d\d, target at ₹[\d,]+\.\d\d\.$/,
        );
      // Of the two, one says that it has sent nothing.
      assert.equal([first, again].filter(({ message: text }) => text.endsWith(repeated)).length, 1);
      assert.equal(first.order_id, again.order_id);
      assert.equal((await received('alert')).length, 1);
      for (const [wrong, said] of [
        [{ target: alert.price - 1 }, /^The alert exits-2 needs a person: .*[Tt]arget/],
        [{ target: undefined }, /^Nothing was done/],
        [{ stop: alert.price + 1 }, /^The alert exits-2 needs a person: .*[Ss]top/],
      ])
        assert.match((await send({ ...alert, ...wrong, id: 'exits-2' })).message, said);
      assert.equal((await received('alert')).length, 1);
      await move(1.035);
      await happens('alert', { event: 'trade', fill_of: 'target', trade_quantity: 10 });
    });

    it('Buy with a trailing stop: the stop loss follows the price up, and sells when it turns', async () => {
      const ran = await run('trailing-stop.json', 'Run by Hand');
      const text = message(ran, 'Bought');
      assert.match(
        text,
        /^Filled: bought 10 INFY \(Intraday\) at ₹[\d,]+\.\d\d, trailing stop at ₹[\d,]+\.\d\d\. The stop follows each rise of ₹[\d.]+\.$/,
      );
      const [bought, stop] = [...text.matchAll(/at ₹([\d,]+\.\d\d)/g)].map(([, price]) =>
        Number(price.replaceAll(',', '')),
      );
      assert.ok(stop < bought, text);
      await move(1.02);
      await happens('trail', { event: 'trail_updated' });
      await move(0.985);
      const sold = await happens('trail', { event: 'trade', fill_of: 'stop' });
      assert.ok(sold.price > stop * 100, `sold at ${sold.price}, first stop loss ${stop}`);
    });

    it('Buy a dip, good till a date: waits over nights', async () => {
      const ran = await run('good-till-date.json', 'Run by Hand');
      assert.match(
        message(ran, 'Waiting'),
        /^Waiting until 202\d-\d\d-\d\d\. [\w ]+: buy 10 INFY \(Delivery\) at ₹[\d,]+\.\d\d, stop loss at ₹[\d,]+\.\d\d, target at ₹[\d,]+\.\d\d, until \d+ \w{3} \d{4}\.$/,
      );
      assert.equal(outputOf(ran, 'Buy the Dip')[0].intent_status, 'GTE');
    });

    it('Straddle: one strategy', async () => {
      const ran = await run('straddle.json', 'Try It');
      assert.match(
        message(ran, 'Straddle Placed'),
        /^Straddle 09:20: [\w ]+, (sell|sold) 65 NIFTY Nov [\d,]+ CE, (sell|sold) 65 NIFTY Nov [\d,]+ PE, stop loss where closing costs ₹[\d,]+\.\d\d, target/,
      );
      assert.equal((await received('straddle')).length, 1);
      assert.equal(outputOf(ran, 'Sell the Straddle')[0].legs.length, 2);
    });

    it('Alert to order: the stop loss is an order of its own, here too', async () => {
      const send = await alerts('alert-to-order.json');
      const before = (await received('stop')).length;
      assert.match(
        (await send(await alertNow('order-1'))).message,
        /^Filled: bought 10 INFY \(Intraday\) at ₹[\d,]+\.\d\d\. Open: sell 10 INFY \(Intraday\) at ₹[\d,]+\.\d\d once the price reaches ₹[\d,]+\.\d\d\.$/,
      );
      assert.equal((await received('stop')).length, before + 1);
    });
  });

  describe('on the older interface alone', () => {
    let before;

    it('what needs intent orders is refused in words that say so, and nothing is sent', async () => {
      await world.sandbox.control('POST', `accounts/${ACCOUNT.phone}`, { order_interface: 'v2' });
      before = await ordersReceived();
      const send = await alerts('alert-with-exits.json');
      const refused =
        /needs a person: This account's order interface \(Orders v2\) does not have .* Nothing was sent\.$/;
      assert.match((await send(await alertNow('older-1'))).message, refused);
      for (const file of ['trailing-stop.json', 'good-till-date.json']) {
        const [{ message: text }] = outputOf(await run(file, 'Run by Hand'), 'Needs a Person');
        assert.match(text, refused);
      }
      assert.equal(await ordersReceived(), before);
    });

    it('the workflows that run on one interface run on the other, unchanged', async () => {
      const send = await alerts('alert-to-order.json');
      assert.match(
        (await send(await alertNow('order-2'))).message,
        /^Filled: bought 10 INFY \(Intraday\) at ₹[\d,]+\.\d\d\. Open: sell 10 INFY \(Intraday\) at ₹[\d,]+\.\d\d once the price reaches ₹[\d,]+\.\d\d\.$/,
      );
      assert.equal(await ordersReceived(), before + 2);
      // The straddle of the day was placed on the other interface: its key finds it, and nothing is placed again.
      const ran = await run('straddle.json', 'Try It');
      assert.match(message(ran, 'Straddle Placed'), /It was placed before: nothing was sent again\.$/);
      assert.equal(await ordersReceived(), before + 2);
    });
  });
});
