/** The examples that people asked for: square off, scan, covered call, roll. Run by hand on a day of expiry in a real n8n. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { outputOf } from '../scripts/n8n.mjs';
import { openExamples } from './support/examples.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { ACCOUNT } from './support/world.mjs';

describe('The examples that people asked for, in a real n8n', { timeout: TIMEOUT_MS }, () => {
  let world;

  before(
    async () => {
      // The Monday on which the contracts of November expire.
      world = await openExamples({ start: '2026-11-23T14:00:00+05:30', sandboxOptions: ['--hours', 'exchange'] });
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await world?.close();
  });

  const problems = (ran) => JSON.stringify(outputOf(ran, 'Needs a Person'));

  it('Square off: closes what is intraday, and nothing twice', async () => {
    await world.bought({ quantity: 10 });
    await world.bought({ quantity: 1, product: 'CNC' });
    const workflow = await world.imported('square-off.json');
    const messages = outputOf(await world.run(workflow, 'Try It'), 'Squared Off').map(({ message }) => message);
    assert.equal(messages.length, 1);
    assert.match(
      messages[0],
      /^Closed: INFY \(Intraday\), sold 10 at ₹[\d,]+\.\d\d, 0 left, result [+−]?₹[\d,]+\.\d\d before charges\.$/,
    );
    await world.run(workflow, 'Try It');
    assert.deepEqual(
      (await world.receivedAs('square-off')).map(({ side, quantity }) => [side, quantity]),
      [['SELL', 10]],
    );
  });

  it('RSI and EMA scan: one item for each share, by its last closed bar; a message for what crossed', async () => {
    const ran = await world.run(await world.imported('indicator-scan.json'), 'Try It');
    const scanned = outputOf(ran, 'Indicators');
    assert.equal(scanned.length, 6, problems(ran));
    assert.ok(scanned.every(({ closed, rsi_14: rsi }) => closed && rsi > 0 && rsi < 100));
    const crossed = scanned.filter(
      (bar) => bar.rsi_14_crossed_above_30 === true || bar.ema_20_crossed_above_ema_50 === true,
    );
    assert.equal(outputOf(ran, 'Message').length, crossed.length);
    assert.equal(outputOf(ran, 'Nothing Crossed').length, 6 - crossed.length);
  });

  describe('Covered call', () => {
    let workflow;
    before(async () => {
      workflow = await world.imported('covered-call.json');
    });

    it('sells nothing that is not covered', async () => {
      const ran = await world.run(workflow, 'Try It');
      assert.equal(outputOf(ran, 'Nothing to Sell').length, 1, problems(ran));
      assert.deepEqual(await world.receivedAs('covered-call'), []);
    });

    it('sells one call against shares that are held, and not a second one', async () => {
      await world.sandbox.control('POST', `accounts/${ACCOUNT.phone}`, { holdings: [{ symbol: 'INFY', qty: 400 }] });
      const ran = await world.run(workflow, 'Try It');
      assert.match(
        outputOf(ran, 'Call Placed')[0]?.message ?? problems(ran),
        /^Covered call: order to sell one lot of INFY26NOV\d+CE at ₹[\d,.]+\.$/,
      );
      await world.run(workflow, 'Try It');
      const orders = await world.receivedAs('covered-call');
      assert.deepEqual(
        orders.map(({ side, quantity }) => [side, quantity]),
        [['SELL', 400]],
      );
    });
  });

  it('Roll an expiring future: closes it and opens the next month, once', async () => {
    const instrument = { __rl: true, mode: 'symbol', value: 'NSE:NIFTY26NOVFUT' };
    await world.bought({ instrument, quantity: 1, quantityUnit: 'lots', product: 'CNC' });
    const workflow = await world.imported('roll-future.json');
    const ran = await world.run(workflow, 'Try It');
    assert.match(
      outputOf(ran, 'Rolled')[0]?.message ?? problems(ran),
      /^Rolled 65 of NIFTY26NOVFUT to NIFTY26DECFUT\. Filled: bought 65 NIFTY Dec future \(Carried over\) at ₹[\d,]+\.\d\d\.$/,
    );
    assert.deepEqual(
      (await world.receivedAs('roll')).map(({ side, quantity }) => [side, quantity]),
      [
        ['SELL', 65],
        ['BUY', 65],
      ],
    );
  });
});
