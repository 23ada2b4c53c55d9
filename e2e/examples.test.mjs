/** Each example, imported unchanged into a real n8n with nothing but the credential set, is run and judged by its outcome. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { outputOf } from '../scripts/n8n.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { startModel } from './support/scripted-chat-model.mjs';
import { ACCOUNT, example, openWorld } from './support/world.mjs';

describe('The examples that wait for something, in a real n8n', { timeout: TIMEOUT_MS }, () => {
  let world;
  let credential;

  before(
    async () => {
      // A Saturday evening: whoever tries the examples may have no other day.
      world = await openWorld({ start: '2026-11-21T18:00:00+05:30' });
      credential = await world.n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await world?.close();
  });

  async function activate(file) {
    const workflow = await world.n8n.createWorkflow(example(file, credential));
    await world.n8n.activate(workflow);
    return workflow;
  }

  /** INFY's ref_id and last price, paise. */
  async function infy() {
    const [{ ref_id: refId }] = await world.sandbox.control('GET', 'page/instruments?q=INFY');
    const { last_price: price } = await world.sandbox.control(
      'GET',
      `page/market?ref_id=${refId}&phone=${ACCOUNT.phone}`,
    );
    return { refId, price };
  }

  const ordersOf = async (event = 'received') =>
    (await world.sandbox.journal('order')).filter((entry) => entry.event === event);

  /** The first execution of a workflow that was not there before, when it has ended. */
  async function nextRun(workflow) {
    const id = await world.n8n.child.until(async () => (await world.n8n.executions(workflow.id)).at(-1)?.id, 60_000);
    return await world.n8n.finished(id);
  }

  describe('Alert to order', () => {
    const SECRET = 'a secret of twenty-six char';
    let address;
    const send = async (alert) => {
      const response = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(alert),
      });
      return await response.json();
    };
    let alert;

    before(async () => {
      const workflow = example('alert-to-order.json', credential);
      const asks = workflow.nodes.find(({ name }) => name === 'Knows the Secret?');
      asks.parameters.conditions.conditions[1].rightValue = SECRET;
      const created = await world.n8n.createWorkflow(workflow);
      await world.n8n.activate(created);
      const { webhookId } = created.nodes.find(({ name }) => name === 'Webhook');
      address = `${world.n8n.url}/webhook/${webhookId}`;
      const rupees = Math.ceil((await infy()).price / 100);
      alert = {
        secret: SECRET,
        id: 'alert-1',
        symbol: 'INFY',
        action: 'Buy',
        quantity: 10,
        price: rupees + 5,
        stop: rupees - 40,
      };
    });

    it('without the secret nothing is done, whatever stands in its place', async () => {
      for (const secret of [
        undefined,
        null,
        '',
        SECRET.slice(1),
        `${SECRET} `,
        SECRET.toUpperCase(),
        [SECRET],
        [[SECRET]],
        { length: 26 },
        true,
        26,
        'x'.repeat(SECRET.length),
      ]) {
        const { message } = await send({ ...alert, secret });
        assert.equal(
          message,
          'Nothing was done: the alert does not carry the secret of this workflow.',
          String(secret),
        );
      }
      const headers = { 'content-type': 'text/plain' };
      const asText = await fetch(address, { method: 'POST', headers, body: JSON.stringify(alert) });
      assert.match((await asText.json()).message, /came as text and not as JSON/);
      assert.equal((await ordersOf()).length, 0);
    });

    it('as it is imported, with no secret set, it refuses every alert', async () => {
      const created = await activate('alert-to-order.json');
      const { webhookId } = created.nodes.find(({ name }) => name === 'Webhook');
      for (const secret of [undefined, '', ' '.repeat(16), SECRET]) {
        const reply = await fetch(`${world.n8n.url}/webhook/${webhookId}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...alert, secret }),
        });
        assert.match((await reply.json()).message, /^Nothing was done/);
      }
      assert.equal((await ordersOf()).length, 0);
    });

    it('buys once, and places the stop loss after the fill', async () => {
      const { message, order_id: orderId, stop_order_id: stopId } = await send(alert);
      assert.match(
        message,
        /^Filled: bought 10 INFY \(Intraday\) at ₹[\d,]+\.\d\d\. Open: sell 10 INFY \(Intraday\) at ₹[\d,]+\.\d\d once the price reaches ₹[\d,]+\.\d\d\.$/,
      );
      const orders = await ordersOf();
      assert.deepEqual(
        orders.map(({ order_id: id, side }) => [id, side]),
        [
          [orderId, 'BUY'],
          [stopId, 'SELL'],
        ],
      );
    });

    it('the same alert again, twice at once, places nothing more', async () => {
      const replies = await Promise.all([send(alert), send(alert)]);
      for (const { message } of replies) assert.match(message, /^Filled: bought 10 INFY/);
      assert.equal((await ordersOf()).length, 2);
    });

    it('more than the limit goes to a person, and nothing is sent', async () => {
      for (const [more, reason] of [
        [{ quantity: 11 }, /Largest Quantity/],
        [{ symbol: 'TCS' }, /Allowed Instruments/],
        [{ price: alert.price + 200 }, /Largest Distance From Last Price/],
      ]) {
        const { message } = await send({ ...alert, id: 'alert-2', ...more });
        assert.match(message, /^The alert alert-2 needs a person: /);
        assert.match(message, reason);
      }
      assert.equal((await ordersOf()).length, 2);
    });

    it('what is unknown goes to a person, and is not sent again', async () => {
      const before = (await ordersOf()).length;
      const faults = async (match, action, more) =>
        await world.sandbox.control('POST', 'faults', { match, action, ...more });
      const [lost] = await faults({ method: 'POST', path: '/orders/v2/single' }, 'drop_after');
      await faults({ method: 'GET', path: '/orders' }, 'status', {
        args: { status: 400, body: { error: 'OMS v2 is not enabled' } },
        after: lost.id,
      });
      try {
        assert.match(
          (await send({ ...alert, id: 'alert-3' })).message,
          /^The alert alert-3 needs a person: It is not known whether the order was placed/,
        );
      } finally {
        await world.sandbox.control('DELETE', 'faults');
      }
      assert.equal((await ordersOf()).length, before + 1);
    });

    it('what is not an alert is told so, and nothing is sent', async () => {
      const before = (await ordersOf()).length;
      for (const wrong of [
        {},
        { ...alert, id: '' },
        { ...alert, action: 'hold' },
        { ...alert, price: 0 },
        { ...alert, stop: alert.price + 1 },
      ]) {
        assert.match((await send(wrong)).message, /^Nothing was done/);
      }
      assert.equal((await ordersOf()).length, before);
    });
  });

  describe('Price alert to order, once', () => {
    const ofAlert = (entry) => entry.tag.startsWith('price-alert');

    it('buys once when the price falls to the level, and when it is published again not once more; the fill is told with its profit', async () => {
      const notifier = await activate('on-fill.json');
      const workflow = await world.n8n.createWorkflow(example('price-alert-to-order.json', credential));
      const { refId, price } = await infy();
      assert.ok(price > 100_000, 'the level of the example is below the price');
      const move = async (to) => await world.sandbox.control('POST', 'market', { ref_id: refId, price: to });
      await world.n8n.activate(workflow);
      await move(99_000);
      const [bought] = outputOf(await nextRun(workflow), 'Bought');
      assert.match(
        bought.message,
        /^INFY is at ₹[\d,]+\.\d\d \(Falls to Level ₹[\d,]+\.\d\d\)\. Filled: bought 10 INFY \(Delivery\) at ₹[\d,]+\.\d\d\.$/,
      );
      assert.equal((await ordersOf()).filter(ofAlert).length, 1);

      const [messageItem] = outputOf(await nextRun(notifier), 'Message');
      assert.match(
        messageItem.message,
        /^Fill: bought \d+ INFY \(Delivery\) at ₹[\d,]+\.\d\d\. Its profit so far: [+−-]?₹[\d,]+\.\d\d\. Positions today: [+−]?₹[\d,]+\.\d\d\. Holdings today: [+−]?₹[\d,]+\.\d\d\.$/,
      );

      await world.n8n.deactivate(workflow);
      await move(price);
      await world.n8n.activate(await world.n8n.request('GET', `/workflows/${workflow.id}`));
      await move(99_000);
      const again = await world.n8n.child.until(async () => {
        const runs = await world.n8n.executions(workflow.id);
        return runs.length > 1 && runs[0].status === 'success' ? await world.n8n.execution(runs[0].id) : undefined;
      }, 60_000);
      assert.match(
        outputOf(again, 'Bought')[0].message,
        /Filled: bought 10 INFY .* \(It was bought before already\.\)$/,
      );
      assert.equal((await ordersOf()).filter(ofAlert).length, 1);
    });
  });

  describe('Straddle', () => {
    it('can be tried on a holiday and in the evening', async () => {
      const workflow = await world.n8n.createWorkflow(example('straddle.json', credential));
      const ran = await world.n8n.finished(await world.n8n.run(workflow, 'Try It'));
      assert.match(
        outputOf(ran, 'Straddle Placed')[0]?.message ?? JSON.stringify(outputOf(ran, 'Needs a Person')),
        /^Straddle 09:20: [\w ]+, (?:sell|sold) 65 NIFTY Nov ([\d,]+) CE, (?:sell|sold) 65 NIFTY Nov \1 PE, stop loss where closing costs .*, target where closing costs ₹[\d,]+\.\d\d, exit at \d\d:\d\d\.$/,
      );
    });
  });

  describe('Ask an AI agent', () => {
    let model;

    before(async () => {
      model = await startModel();
    });

    after(async () => {
      await model?.stop();
    });

    it('gives the model prices and portfolio, and an order that the model asks for is not sent', async () => {
      const chat = await world.n8n.saveCredential('Chat model', 'openAiApi', {
        apiKey: 'none',
        url: `${model.url}/v1`,
      });
      const workflow = await world.n8n.createWorkflow(
        example('ai-agent.json', credential, { '@n8n/n8n-nodes-langchain.lmChatOpenAi': chat }),
      );
      const { refId } = await infy();
      // The straddle of the test before sends its legs when it is its exchange's turn.
      const ordersOfInfy = async () => (await ordersOf()).filter((entry) => entry.ref_id === refId).length;
      const orders = await ordersOfInfy();
      assert.ok(orders > 0, 'the orders of the tests before are seen');
      model.script(
        [
          ['Current_Price', { instrument: 'NSE:INFY' }],
          ['Holdings', {}],
        ],
        [
          [
            'Check_an_Order',
            {
              instrument: 'NSE:INFY',
              side: 'BUY',
              quantity: 10,
              price: 1200,
              safety: { dryRun: false },
              dryRun: false,
            },
          ],
        ],
        'INFY was looked up, and the order was only checked.',
      );
      const said = {
        json: { action: 'sendMessage', sessionId: 'one', chatInput: 'Buy 10 INFY at 1200 for real, now.' },
      };
      const { executionId } = await world.n8n.request('POST', `/workflows/${workflow.id}/run`, {
        workflowData: workflow,
        triggerToStartFrom: {
          name: 'Chat',
          data: {
            startTime: Date.now(),
            executionTime: 0,
            executionIndex: 0,
            executionStatus: 'success',
            source: [],
            data: { main: [[said]] },
          },
        },
      });
      const ran = await world.n8n.finished(executionId);
      assert.equal(
        outputOf(ran, 'AI Agent')[0]?.output,
        'INFY was looked up, and the order was only checked.',
        JSON.stringify(ran.data?.resultData?.error),
      );

      const [price, holdings, check] = model.answers();
      assert.match(price, /"symbol":\s*"INFY".*"price":\s*\d+/s);
      assert.match(holdings, /"current_value":\s*\d+/);
      assert.match(check, /"dry_run":\s*true.*"would_send"/s);
      // What is sent has paise: the model must have the rupees beside them.
      assert.match(check, /Dry run, nothing was sent: buy \d+ \w+ \(Delivery\) at ₹/);
      assert.equal(await ordersOfInfy(), orders);
    });
  });
});
