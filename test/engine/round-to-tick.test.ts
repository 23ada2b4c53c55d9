/** Prices of orders off the tick, from percent or points, and not known: on both order interfaces. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Engine } from '../support/engine';
import type { NodeRun } from '../support/engine-types';
import { orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';
import { inTurn } from '../support/turns';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

/** The version of a workflow that is made now, and of one that was saved before. */
const [NOW, BEFORE] = [1.1, 1];

const INTERFACES = ['v2', 'intent'] as const;

describe.each(INTERFACES)('on %s', (orderInterface) => {
  const test = inTurn(INTERFACES.length, INTERFACES.indexOf(orderInterface));
  let sandbox: TestSandbox;
  let engine: Engine;
  let last: number;
  beforeAll(async () => {
    sandbox = await testSandbox({ orderInterface });
    engine = await Engine.start(sandbox.credential);
    const quote = await engine.run({
      resource: 'quote',
      operation: 'getCurrentPrice',
      instrument: { __rl: true, mode: 'symbol', value: 'INFY' },
    });
    last = Number(quote.items[0]?.json.price);
  });
  afterAll(async () => await sandbox.close());

  const run = async (given: INodeParameters, typeVersion = NOW, item: IDataObject = {}): Promise<NodeRun> =>
    await engine.run(orderForm(given), { typeVersion, items: [{ json: item }] });
  const placed = async (given: INodeParameters, typeVersion = NOW, item: IDataObject = {}): Promise<IDataObject> => {
    const { items, error } = await run(given, typeVersion, item);
    expect(error?.message).toBeUndefined();
    return items[0]!.json;
  };

  test('a computed limit price is rounded on the safe side; a workflow of before refuses it', async () => {
    // The tick of INFY is 0.10.
    const bought = await placed({ price: '={{ 1000 * 0.90123195 }}' });
    expect(bought.order_price).toBe(901.2);
    const sold = await placed({ side: 'SELL', product: 'IDAY', price: '={{ 2000.00001 * 0.6 + 0.03195 }}' });
    expect(sold.order_price).toBe(1200.1);
    const nearest = await placed({ price: 901.18, options: { roundToTick: 'nearest' } });
    expect(nearest.order_price).toBe(901.2);
    const refused = await run({ price: 901.23 }, BEFORE);
    expect(refused.error?.message).toContain('not a multiple of the tick size');
    const chosen = await run({ price: 901.23195, options: { roundToTick: 'refuse' } });
    expect(chosen.error?.context?.parameter).toBe('price');
    expect((await placed({ price: 901.23195, options: { roundToTick: 'safe' } }, BEFORE)).order_price).toBe(901.2);
  });

  test('a stop-loss order with a computed trigger and limit keeps its rules', async () => {
    const stop = await placed({
      side: 'SELL',
      product: 'IDAY',
      orderType: 'STOPLOSS',
      triggerPrice: '={{ 295.23195 * 3 }}',
      price: '={{ 294.98765 * 3 }}',
    });
    // 885.69585 and 884.96295: a sale comes no later, and at no lower price.
    expect(stop).toMatchObject({ trigger_price: 885.7, order_price: 885 });
  });

  test('prices count from the last price, a reference price or the fill of an order', async () => {
    const below = await placed({ pricesAs: 'percent', measuredFrom: 'last', price: -2 });
    const requested = Math.floor(Math.round(last * 98) / 10) / 10;
    expect(Math.abs(Number(below.order_price) - requested)).toBeLessThan(last * 0.01);
    const given = await placed({ pricesAs: 'percent', measuredFrom: 'given', referencePrice: 1000, price: '-1.2345' });
    expect(given.order_price).toBe(987.6);
    const entry = await placed({ priceType: 'MARKET', product: 'IDAY' });
    expect(entry).toMatchObject({ order_status: 'FILLED', wait_reached: true });
    const stop = await placed(
      {
        side: 'SELL',
        product: 'IDAY',
        orderType: 'STOPLOSS',
        pricesAs: 'points',
        measuredFrom: 'fill',
        referenceOrderId: '={{ $json.order_id }}',
        triggerPrice: -20,
        price: -22.034,
      },
      NOW,
      entry,
    );
    const fill = Number(entry.avg_filled_price);
    expect(Number(stop.trigger_price)).toBeCloseTo(Math.ceil((fill - 20) * 10 - 1e-9) / 10, 5);
    expect(Number(stop.order_price)).toBeCloseTo(Math.ceil((fill - 22.034) * 10 - 1e-9) / 10, 5);
  });

  test('a price under a key is the one asked for, not the one after rounding: a second delivery places nothing', async () => {
    const form = { pricesAs: 'percent', measuredFrom: 'last', price: -3, options: { idempotencyKey: `k-${last}` } };
    const first = await placed(form);
    await sandbox.control('POST', 'clock', { advance: 'PT5M' });
    expect(await placed(form)).toMatchObject({ order_id: first.order_id, already_placed: true });
    const { error } = await run({ ...form, price: -4 });
    expect(error?.message).toContain('Idempotency Key was used today');
  });

  test('a market order waits for its fill; an unknown price is null, and the next step says so', async () => {
    const market = await placed({ priceType: 'MARKET' });
    expect(market).toMatchObject({ order_status: 'FILLED', order_price: null, trigger_price: null });
    expect(market.avg_filled_price).toBeGreaterThan(0);
    const saved = await placed({ priceType: 'MARKET' }, BEFORE);
    expect(saved).not.toHaveProperty('wait_reached');
    expect(saved.avg_filled_price).not.toBeNull();
    const quick = await placed({ priceType: 'MARKET', options: { waitSeconds: 0 } });
    expect(quick).not.toHaveProperty('wait_reached');
    const resting = await placed({ price: Math.floor(last * 0.97) });
    expect(resting).toMatchObject({ avg_filled_price: null, order_price: Math.floor(last * 0.97) });
    for (const price of ['={{ $json.avg_filled_price }}', '={{ $json.avg_filled_price * 0.98 }}']) {
      const next = await run({ price }, NOW, resting);
      expect(next.error?.description).toContain('had not filled when its step ended');
      expect(next.error?.context?.parameter).toBe('price');
    }
    const from = { pricesAs: 'percent', measuredFrom: 'fill', referenceOrderId: '={{ $json.order_id }}', price: -2 };
    const unfilled = await run(from, NOW, resting);
    expect(unfilled.error?.message).toContain('has not filled');
    expect(unfilled.error?.description).toContain('Wait For');
  });

  test('modifies to a computed price, on the tick', async () => {
    const resting = await placed({ price: Math.floor(last * 0.97) });
    await sandbox.control('POST', 'clock', { advance: 'PT3S' });
    const requested = Math.floor(last * 0.98);
    const modified = await engine.run(
      {
        resource: 'order',
        operation: 'modify',
        orderId: resting.order_id as string,
        updateFields: { price: requested + 0.23195 },
        simplify: true,
      },
      { typeVersion: NOW },
    );
    expect(modified.error?.message).toBeUndefined();
    expect(modified.items[0]?.json).toMatchObject({ result: 'done', order_price: requested + 0.2 });
  });

  it.each([
    ['an order that is not there', { measuredFrom: 'fill', referenceOrderId: '1' }, 'no order 1 today'],
    ['a reference price of 0', { measuredFrom: 'given', referencePrice: 0 }, 'Reference Price must be above 0'],
    ['a price that comes to nothing', { measuredFrom: 'given', referencePrice: 5, price: -100 }, 'less than one tick'],
    ['a percentage that is none', { measuredFrom: 'last', price: 'much' }, 'must be a percentage'],
  ])('refuses %s before anything is sent', async (_, given, text) => {
    const { error, items } = await run({ pricesAs: 'percent', price: -1, ...given });
    expect(items).toEqual([]);
    expect(`${error?.message}`).toMatch(new RegExp(text, 'i'));
  });

  it('tells of a limit order without a price that an order at the market needs another Price Type', async () => {
    const { error } = await run({ pricesAs: 'price', price: 0 });
    expect(error).toMatchObject({
      message: 'Limit Price must be above 0, but is 0. Nothing was sent.',
      description: expect.stringMatching(/^For an order at the market, set Price Type to Market\. Enter a price\./),
    });
  });
});

describe('exits and conditions, with intent orders', () => {
  let sandbox: TestSandbox;
  let engine: Engine;
  beforeAll(async () => {
    sandbox = await testSandbox({ orderInterface: 'intent' });
    engine = await Engine.start(sandbox.credential);
  });
  afterAll(async () => await sandbox.close());
  const run = async (given: INodeParameters): Promise<NodeRun> =>
    await engine.run(orderForm({ safety: { dryRun: true }, ...given }), { typeVersion: NOW });

  it('takes computed exits, as percent and as price; Refuse refuses a price', async () => {
    const percent = await run({ price: 1000, exits: { stopLoss: 1.23456, target: '={{ 2 / 3 }}' } });
    expect(percent.error?.message).toBeUndefined();
    const sent = JSON.stringify(percent.items[0]?.json.would_send);
    // 987.6544 up to 987.70; 1006.666… down to 1006.60.
    for (const price of ['98770', '100660']) expect(sent).toContain(price);
    const price = { price: 1000, exits: { exitsIn: 'price', stopLoss: 985.23195 } };
    expect(JSON.stringify((await run(price)).items[0]?.json.would_send)).toContain('98530');
    const refused = await run({ ...price, options: { roundToTick: 'refuse' } });
    expect(refused.error?.context?.parameter).toBe('stopLoss');
  });

  it('a condition price off the tick still holds exactly', async () => {
    const { items, error } = await run({ price: 1250, entry: { condition: 'AT_OR_ABOVE', conditionPrice: 1240.01 } });
    expect(error?.message).toBeUndefined();
    expect(JSON.stringify(items[0]?.json.would_send)).toContain('124010');
  });
});
