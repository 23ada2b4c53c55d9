/** A stop loss or a target for what is held, as an order that rests with the broker, in n8n's engine against the sandbox. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { clock } from '../../nodes/host/clock';
import { allTextOf, Engine } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';
import { inTurn } from '../support/turns';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

describe.each(['v2', 'intent'] as const)('exits of what is held, with the interface %s', (orderInterface) => {
  const itInTurn = inTurn(2, orderInterface === 'v2' ? 0 : 1);
  let sandbox: TestSandbox;
  let engine: Engine;
  let holding: { symbol: string; qty: number; avg_price: number; ltp: number };

  beforeAll(async () => {
    sandbox = await testSandbox({ orderInterface, hours: 'always' });
    engine = await Engine.start(sandbox.credential);
    const { items } = await engine.run({
      resource: 'portfolio',
      operation: 'getHoldings',
      returnAll: true,
      simplify: false,
    });
    holding = items
      .map(({ json }) => json as never as typeof holding & { pledged_qty: number; t1_qty: number; exchange: string })
      .find(
        ({ symbol, pledged_qty: pledged, t1_qty: t1, exchange }) =>
          symbol !== 'INFY' && exchange === 'NSE' && pledged === 0 && t1 === 0,
      )!;
  });
  afterEach(async () => {
    await engine.run({ resource: 'order', operation: 'cancelAll' });
  });
  afterAll(async () => await sandbox.close());

  const protect = async (symbol: string, exits: INodeParameters, more: INodeParameters = {}) =>
    await engine.run(
      { resource: 'portfolio', operation: 'protectPosition', ...bySymbol(symbol), exits, simplify: true, ...more },
      { typeVersion: 1.1 },
    );
  const first = async (symbol: string, exits: INodeParameters, more: INodeParameters = {}): Promise<IDataObject> => {
    const { items, error } = await protect(symbol, exits, more);
    if (error !== undefined) throw new Error(allTextOf(error));
    expect(items).toHaveLength(1);
    return items[0]!.json;
  };
  const below = (): number => Math.floor(holding.ltp * 0.93);
  const above = (): number => Math.ceil(holding.ltp * 1.07);

  itInTurn('move to cost by their own trigger price, as they have no entry', async () => {
    const { order_id: orderId } = await first(holding.symbol, { exitsIn: 'price', stopLoss: below() });
    const modify = async (updateFields: INodeParameters) =>
      await engine.run(
        {
          resource: 'order',
          operation: 'modify',
          orderId: String(orderId),
          updateFields,
          options: { roundToTick: 'safe' },
        },
        { typeVersion: 1.2 },
      );
    const { error } = await modify({ stopLossAt: 'entry' });
    expect(error?.message).toBe(`Order ${String(orderId)} is a stop loss itself and has no entry. Nothing was sent.`);
    const cost = Math.floor(holding.ltp * 0.95) + 0.013;
    const { items } = await modify({ triggerPrice: cost, price: cost * 0.99 });
    expect(Math.abs(Number(items[0]!.json.trigger_price) - cost)).toBeLessThan(0.1);
  });

  it('place none while it is not known whether an earlier one was placed', async () => {
    const match = { method: 'POST', path: orderInterface === 'v2' ? '/orders/v2/single' : '/sentinel/orders/create' };
    await sandbox.control('POST', 'faults', { match, action: 'drop_before', args: {}, times: 1 });
    const exits = { exitsIn: 'price', stopLoss: below() };
    const lost = await protect(holding.symbol, exits);
    await sandbox.control('DELETE', 'faults');
    expect(lost.error?.message).toMatch(/^It is not known whether the order was placed/);
    const again = await protect(holding.symbol, exits);
    expect(again.error?.message).toMatch(/^It is not known yet whether an earlier order guards /);
    await clock.sleep(125_000);
    await protect(holding.symbol, exits);
    expect((await protect(holding.symbol, exits)).error?.message).toMatch(/already closes/);
  });

  it('place nothing for a position that Exit Position closes at the same moment', async () => {
    const { error } = await engine.run(
      orderForm({ priceType: 'MARKET', product: 'IDAY', quantity: 5, options: { waitFor: 'filled' } }),
    );
    expect(error).toBeUndefined();
    await sandbox.control('POST', 'clock', { advance: 'PT60S' });
    const filters = { products: ['IDAY'] };
    const closing = engine.run({
      ...{ resource: 'portfolio', operation: 'exitPosition', ...bySymbol('INFY'), closeAt: 'market', filters },
    });
    const guarding = protect('INFY', { exitsIn: 'percent', stopLoss: 3 }, { filters });
    const [closed, guarded] = await Promise.all([closing, guarding]);
    expect(closed.error).toBeUndefined();
    expect([closed.items[0]?.json.left_qty, guarded.items.length]).toEqual([0, 0]);
    const { items } = await engine.run({ resource: 'order', operation: 'getMany', returnAll: true });
    expect(items.filter(({ json }) => json.symbol === 'INFY' && json.is_open === true)).toEqual([]);
    expect(guarded.error?.message).toMatch(/^Somebody else has traded/);
  });

  itInTurn('place a stop loss for a holding of earlier days, once', async () => {
    const { symbol, qty } = holding;
    const exits = { exitsIn: 'price', stopLoss: below() };
    const placed = await first(symbol, exits);
    expect(placed).toMatchObject({
      symbol,
      order_side: 'SELL',
      order_qty: qty,
      held_qty: qty,
      order_delivery_type: 'CNC',
      trigger_price: below(),
      order_status: 'OPEN',
    });
    const again = await protect(symbol, exits);
    expect(again.error?.message).toMatch(/already closes/);
  });

  itInTurn('place a target, and guard what was sold short', async () => {
    const target = await first(holding.symbol, { exitsIn: 'price', target: above() });
    expect(target).toMatchObject({ order_side: 'SELL', order_price: above(), order_status: 'OPEN' });
    const sold = await engine.run(
      orderForm({ side: 'SELL', priceType: 'MARKET', product: 'IDAY', quantity: 5, options: { waitFor: 'filled' } }),
      { typeVersion: 1.1 },
    );
    expect(sold.error).toBeUndefined();
    const stop = await first('INFY', { stopLoss: 3 }, { filters: { products: ['IDAY'] } });
    expect(stop).toMatchObject({ order_side: 'BUY', order_qty: 5, held_qty: -5, order_delivery_type: 'IDAY' });
    expect(stop.trigger_price).toBeGreaterThan(stop.average_price as number);
  });

  itInTurn('refuse both at once, an exit that is reached already, and none', async () => {
    const { error: both } = await protect(holding.symbol, { exitsIn: 'price', stopLoss: below(), target: above() });
    expect(allTextOf(both!)).toMatch(/Order Exits/);
    const { error: reached } = await protect(holding.symbol, { exitsIn: 'price', stopLoss: above() });
    expect(reached?.message).toMatch(/is reached already/);
    expect((await protect(holding.symbol, {})).error?.message).toMatch(/No exit is given/);
  });

  itInTurn('tell where nothing is held', async () => {
    const { items, error } = await protect('SBIN', { stopLoss: 3 }, { filters: { products: ['IDAY'] } });
    expect([items, error]).toEqual([[], undefined]);
  });

  itInTurn('last over days with Good Till Date, where the service has it', async () => {
    const date = new Date(sandbox.running.sandbox.clock.now() + 10 * 86_400_000).toISOString().slice(0, 10);
    const run = await protect(
      holding.symbol,
      { exitsIn: 'price', stopLoss: below() },
      { options: { goodTillDate: date } },
    );
    if (orderInterface === 'v2') expect(run.error).toBeDefined();
    else expect(run.items[0]?.json).toMatchObject({ protected_until: date, validity_type: 'GTE' });
  });

  it('says how many shares may have no guard after a sale on the same day', async () => {
    const { symbol, qty } = holding;
    const sale = { side: 'SELL', priceType: 'MARKET', product: 'CNC', quantity: 3, options: { waitFor: 'filled' } };
    expect((await engine.run(orderForm({ ...bySymbol(symbol), ...sale }))).error).toBeUndefined();
    const { items } = await engine.run(
      {
        ...{ resource: 'portfolio', operation: 'protectPosition', ...bySymbol(symbol), simplify: true },
        exits: { exitsIn: 'price', stopLoss: below() },
      },
      { typeVersion: 1.2 },
    );
    const { order_qty: guarded, sold_today_qty: sold, summary } = items[0]!.json;
    expect(sold).toBe(3);
    expect(guarded).toBeLessThanOrEqual(qty - 3);
    expect(summary).toContain('up to 3 more that you hold may have no guard until tomorrow');
  });

  itInTurn('guard the holding and the intraday position in one share with an order each', async () => {
    const { symbol } = holding;
    const bought = await engine.run(
      orderForm({
        ...bySymbol(symbol),
        ...{ side: 'BUY', priceType: 'MARKET', product: 'IDAY', quantity: 5, options: { waitFor: 'filled' } },
      }),
      { typeVersion: 1.1 },
    );
    expect(bought.error).toBeUndefined();
    const { items, error } = await protect(symbol, { exitsIn: 'price', stopLoss: below() });
    expect(error).toBeUndefined();
    const guards = items.map(({ json }) => json);
    expect(guards.map((guard) => [guard.product, guard.order_delivery_type, guard.already_placed]).toSorted()).toEqual([
      ['CNC', 'CNC', false],
      ['IDAY', 'IDAY', false],
    ]);
    expect(new Set(guards.map(({ order_id: id }) => id)).size).toBe(2);
  });
});
