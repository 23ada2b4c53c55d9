/** The recipes of docs/recipes.md with a limit on a day's orders, by the margin or by an average, and over two days, in a real n8n. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { outputOf } from '../scripts/n8n.mjs';
import { openExamples } from './support/examples.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { by, linked, order, other, step, trigger } from './support/steps.mjs';
import { byHand, chain, webhookNode } from './support/workflows.mjs';

describe('The recipes with limits', { timeout: TIMEOUT_MS }, () => {
  let world;

  before(
    async () => {
      const time = ['--hours', 'exchange', '--start', '2026-12-01T09:20:00+05:30'];
      world = await openExamples({ sandboxOptions: [...time, '--order-interface', 'both'] });
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => await world?.close());

  const goTo = async (instant) => {
    await world.sandbox.control('POST', 'clock', { set: `${instant}:00+05:30` });
    await world.n8n.child.until(async () => (await world.sandbox.control('GET', 'clock')).going_to === null, 60_000);
  };
  const build = async (name, nodes, connections) => {
    const workflow = chain(name, nodes, world.credential);
    return await world.n8n.createWorkflow(connections === undefined ? workflow : { ...workflow, connections });
  };
  const when = (type, name, leftValue, operation, rightValue) =>
    other(type, 2.2, name, {
      conditions: {
        options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
        conditions: [{ id: 'a', leftValue, rightValue, operator: { type: 'number', operation } }],
        combinator: 'and',
      },
      options: {},
    });
  const fields = (name, ...assignments) => {
    const all = assignments.map(([field, type, value]) => ({ id: field, name: field, type, value }));
    return other('set', 3.4, name, { assignments: { assignments: all }, options: {} });
  };

  it('sells as many lots as a share of the funds allows as margin, with a stop on each leg', async () => {
    const built = step('Built', {
      ...{ resource: 'quote', operation: 'buildOptionStrategy', strategy: 'strangle', side: 'SELL' },
      ...{ underlying: 'NIFTY', exchange: 'NSE', expiry: 'next', quantity: 1, options: { picture: false } },
    });
    const share = "={{ Math.floor($json.start_of_day_funds * 0.05 / $('Built').item.json.margin) }}";
    const lots = fields('Lots', ['legs', 'array', "={{ $('Built').item.json.legs }}"], ['lots', 'number', share]);
    const sell = order('Sell', {
      ...{ instrument: by('={{ $json.legs.instrument }}'), side: '={{ $json.legs.side }}' },
      ...{ quantity: '={{ $json.legs.quantity * $json.lots }}', product: 'IDAY' },
      exits: { stopLoss: 40, exitTime: '15:15' },
    });
    const workflow = await build('Strangle', [
      byHand(),
      ...[built, step('Funds', { resource: 'portfolio', operation: 'getFunds' }), lots],
      when('filter', 'At Least One', '={{ $json.lots }}', 'gte', 1),
      other('splitOut', 1, 'Legs', { fieldToSplitOut: 'legs', include: 'allOtherFields', options: {} }),
      sell,
    ]);
    const ran = await world.run(workflow, 'Run by Hand');
    const [{ margin }] = outputOf(ran, 'Built');
    const [{ start_of_day_funds: funds }] = outputOf(ran, 'Funds');
    const [{ lots: count }] = outputOf(ran, 'Lots');
    assert.ok(count >= 1 && count * margin <= funds * 0.05 && (count + 1) * margin > funds * 0.05);
    assert.deepEqual(
      outputOf(ran, 'Sell').map(({ order_qty: qty, side_label: side, stop_price: stop }) => [qty, side, stop > 0]),
      [
        [65 * count, 'Sell', true],
        [65 * count, 'Sell', true],
      ],
    );
  });

  it('answers each alert in a sentence, places so many a day, two of one moment once, and none after 15:00', async () => {
    const given = (name) => `={{ $('Webhook').first().json.body.${name} }}`;
    const say = (name, responseBody) =>
      other('respondToWebhook', 1.1, name, { respondWith: 'text', responseBody, options: {} });
    const all = step('All', { resource: 'order', operation: 'getMany', returnAll: true });
    const before = outputOf(await world.run(await build('All', [byHand(), all]), 'Run by Hand'), 'All').length;
    const enter = order(
      'Enter',
      {
        ...{ instrument: by(given('ticker')), side: given('action'), quantity: given('qty'), product: 'IDAY' },
        ...{ priceType: 'LIMIT', price: given('price'), exits: { stopLoss: 1, target: 2 } },
        options: { tag: 'tv', idempotencyKey: given('id'), waitFor: 'filled' },
        safety: { latestTime: '15:00', maxDayOrders: before + 2, maxOrderValue: 50_000 },
      },
      { onError: 'continueErrorOutput' },
    );
    const nodes = [
      webhookNode('limited', { httpMethod: 'POST', responseMode: 'responseNode' }),
      ...[enter, say('Done', '={{ $json.summary }}'), say('Refused', '={{ $json.error }}')],
    ];
    const links = { Webhook: [['Enter']], Enter: [['Done'], ['Refused']] };
    const workflow = await build('Limited', nodes, linked(links));
    await world.n8n.activate(workflow);
    const quote = step('Quote', { resource: 'quote', operation: 'getCurrentPrice', instrument: by('INFY') });
    const quotes = await build('Quote', [byHand(), quote]);
    const now = async () => outputOf(await world.run(quotes, 'Run by Hand'), 'Quote')[0].price;
    const price = await now();
    const ask = async (more) => {
      const alert = { id: 'INFY 1', ticker: 'INFY', action: 'buy', qty: '1', price: String(price + 3), ...more };
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(alert) };
      return await (await fetch(`${world.n8n.url}/webhook/limited`, init)).text();
    };
    const FILLED = /^Filled: bought 1 INFY \(Intraday\) at ₹[\d,.]+, stop loss at ₹[\d,.]+, target at ₹[\d,.]+\.$/;
    for (const said of await Promise.all([ask(), ask()])) assert.match(said, FILLED);
    assert.match(
      await ask({ id: 'INFY 2', qty: '500' }),
      /^Refused by the guard "Largest Order Value": the order is worth ₹/,
    );
    assert.match(await ask({ id: 'NOSUCH', ticker: 'NOSUCH' }), /^There is no instrument "NOSUCH"/);
    assert.match(await ask({ id: 'INFY 3' }), FILLED);
    assert.match(
      await ask({ id: 'INFY 4' }),
      /^Refused by the guard "Most Orders a Day": \d+ orders were placed today/,
    );
    assert.equal((await world.receivedAs('tv')).length, 2);
    await goTo('2026-12-01T15:01');
    assert.match(
      await ask({ id: 'INFY 5', price: String((await now()) + 3) }),
      /^Refused by the guard "Latest Time": it is 15:01 IST, and no order is sent from 15:00 on/,
    );
    await world.n8n.deactivate(workflow);
  });

  it('finds what fell today among the holdings, and the day after what is at its low', async () => {
    const ask = async (name, nodes) => await world.run(await build(name, [byHand(), ...nodes]), 'Run by Hand');
    const holdings = step('Holdings', { resource: 'portfolio', operation: 'getHoldings', returnAll: true });
    const held = outputOf(await ask('Held', [holdings]), 'Holdings');
    const share = held.find(({ symbol }) => symbol === 'ITC');
    await goTo('2026-12-02T10:00');
    await world.sandbox.control('POST', 'market', { ref_id: share.ref_id, price: Math.round(share.ltp * 90) });
    await goTo('2026-12-02T15:50');
    const low = { resource: 'candle', operation: 'get', instrument: by('={{ $json.symbol }}'), interval: '1d' };
    const evening = await ask('Evening', [
      holdings,
      when('filter', 'Fallen', '={{ $json.ltp_chg }}', 'lt', -3),
      step('Low', { ...low, range: 'today', options: { openBar: true } }),
      step('Actions', { resource: 'company', operation: 'getCorporateActions', instrument: by('={{ $json.symbol }}') }),
    ]);
    const fallen = outputOf(evening, 'Low');
    assert.ok(fallen.some(({ symbol }) => symbol === 'ITC'));
    const [{ low: level }] = fallen.filter(({ symbol }) => symbol === 'ITC');
    const condition = { condition: 'crossesBelow', levelFrom: 'previousLow', repeat: 'onceADay' };
    const atLow = await build('At Low', [
      trigger('Alert', { watch: 'price', instrument: by('ITC'), ...condition }),
      other('code', 2, 'Told', { jsCode: 'return $input.all();' }),
    ]);
    await world.n8n.activate(atLow);
    await goTo('2026-12-03T09:20');
    const price = Math.round(level * 100 * 0.98);
    await world.sandbox.control('POST', 'market', { ref_id: share.ref_id, price });
    const [alert] = outputOf(await world.next(atLow), 'Told');
    assert.match(alert.summary, /^ITC is at ₹[\d,.]+ \(Falls to Level ₹[\d,.]+, Previous Day's Low\)\.$/);
    assert.equal(alert.level, level);
    await world.n8n.deactivate(atLow);
  });
});
