/** The examples that keep a journal, invest monthly, and turn an alert into an option, in a real n8n at their times. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { outputOf } from '../scripts/n8n.mjs';
import { openExamples, withAnswer } from './support/examples.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { byHand, chain, deliver } from './support/workflows.mjs';

const SECRET = 'a-secret-of-sixteen-or-more';

describe('Journal, SIP and alert to option', { timeout: TIMEOUT_MS }, () => {
  let world;

  before(
    async () => {
      // A Friday, the 4th: the 5th is a Saturday, so the SIP's day is Monday, the 7th.
      world = await openExamples({
        start: '2026-12-04T09:59:58+05:30',
        sandboxOptions: ['--hours', 'exchange', '--order-interface', 'intent'],
      });
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await world?.close();
  });

  /** All rows of a data table. */
  async function rowsOf(table) {
    const get = {
      id: 'get',
      name: 'Get',
      type: 'n8n-nodes-base.dataTable',
      typeVersion: 1,
      position: [200, 0],
      parameters: {
        resource: 'row',
        operation: 'get',
        dataTableId: { __rl: true, mode: 'name', value: table },
        returnAll: true,
      },
    };
    const workflow = await world.n8n.createWorkflow(chain('Rows', [byHand(), get], world.credential));
    return outputOf(await world.run(workflow, 'Run by Hand'), 'Get');
  }
  /** A workflow whose step *Wait for the Fill* waits for so many seconds. */
  function withDeadline(workflow, seconds) {
    const copy = structuredClone(workflow);
    copy.nodes.find(({ name }) => name === 'Wait for the Fill').parameters.deadlineSeconds = seconds;
    return copy;
  }
  const problems = (ran) => JSON.stringify(outputOf(ran, 'Needs a Person'));

  it('Alert to option: an alert buys one lot at the money with exits, and never twice', async () => {
    const workflow = await world.imported('alert-to-option.json', (one) =>
      withAnswer(one, 'Knows the Secret?', 's2', SECRET),
    );
    await world.n8n.activate(workflow);
    const { path } = workflow.nodes.find(({ name }) => name === 'Webhook').parameters;
    const alert = { secret: SECRET, id: 'NIFTY 1', action: 'sell' };
    const { json } = await deliver(world.n8n, path, alert);
    assert.match(
      json.message,
      /^Filled: bought 65 NIFTY(?: \d+)? \w+ [\d,]+ PE \(Intraday\) at ₹[\d,]+\.\d\d, stop loss at ₹[\d,]+\.\d\d, target at ₹[\d,]+\.\d\d, exit at \d\d:\d\d\.$/,
    );
    await deliver(world.n8n, path, alert);
    for (const wrong of [{ ...alert, secret: 'x' }, { ...alert, id: 'NIFTY 2', action: 'hold' }, {}])
      assert.match((await deliver(world.n8n, path, wrong)).json.message, /^Nothing was done/);
    const received = (await world.sandbox.journal('intent')).filter(({ event }) => event === 'received');
    assert.equal(received.length, 1);
    await world.n8n.deactivate(workflow);
  });

  it('Alert to option: an order that does not fill is not called bought', async () => {
    const workflow = await world.imported('alert-to-option.json', (one) => withDeadline(one, 2));
    await world.sandbox.control('POST', 'market', { halt: true });
    const ran = await world.run(workflow, 'Try It');
    await world.sandbox.control('POST', 'market', { halt: false });
    assert.deepEqual(outputOf(ran, 'Bought'), []);
    assert.match(problems(ran), /needs a person: Order \d+ is [\w ]+, not Filled/);
  });

  it('Trade journal: a fill becomes one row', async () => {
    const workflow = await world.imported('trade-journal.json');
    await world.n8n.activate(workflow);
    const order = await world.bought({ quantity: 3 });
    const ran = await world.next(workflow);
    assert.equal(problems(ran), '[]');
    const trades = await world.n8n.child.until(async () => {
      const rows = (await rowsOf('Trade Journal')).filter(({ trade }) => trade.startsWith(order.order_id));
      return rows.reduce((sum, { quantity }) => sum + quantity, 0) === 3 ? rows : undefined;
    }, 30_000);
    for (const trade of trades) {
      assert.equal(trade.symbol, 'INFY');
      assert.equal(trade.side, 'BUY');
      assert.ok(Math.abs(trade.price * trade.quantity - trade.value) < 0.01);
    }
    await world.n8n.deactivate(workflow);
  });

  it('Daily profit: a row of the day, changed and not doubled by a second run', async () => {
    const workflow = await world.imported('trade-journal.json');
    for (let at = 0; at < 2; at += 1) assert.equal(problems(await world.run(workflow, 'Try It')), '[]');
    const rows = await rowsOf('Daily Profit');
    assert.deepEqual(
      rows.map(({ date, result, complete }) => [date, typeof result, typeof complete]),
      [['2026-12-04', 'number', 'boolean']],
    );
  });

  it('Monthly SIP: on the first trading day from the 5th, once, by rupees', async () => {
    const workflow = await world.imported('monthly-sip.json');
    await world.n8n.activate(workflow);
    // The 5th is a Saturday.
    await world.setTime('2026-12-07T10:00:02+05:30');
    const ran = await world.next(workflow, 0);
    assert.equal(problems(ran), '[]');
    assert.equal(outputOf(ran, 'Bought').length, 2);
    await world.setTime('2026-12-08T10:00:02+05:30');
    const orders = (await world.sandbox.journal('intent')).filter(
      ({ event, tag }) => event === 'received' && tag?.startsWith('sip'),
    );
    assert.equal(orders.length, 2);
  });
});
