/** Closing positions and cancelling everything, in n8n's engine against the sandbox over real HTTP, on both interfaces. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Engine, allTextOf } from '../support/engine';
import { lastPrice } from '../support/last-price';
import { bySymbol, orderForm } from '../support/parameters';
import { share } from '../support/sample';
import { testSandbox, type TestSandbox } from '../support/sandbox';
import { inTurn } from '../support/turns';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

interface Out extends IDataObject {
  symbol: string;
  result: string;
  closed_qty: number;
  left_qty: number | null;
  orders: IDataObject[];
  cancelled_orders: IDataObject[];
}

const FILTERS: [string, INodeParameters][] = [
  ['a product', { products: ['CNC'] }],
  ['a symbol', { symbols: 'TCS, NIFTY' }],
  ['a segment', { segments: ['option'] }],
  ['a tag', { tag: 'other' }],
];

const INTERFACES = ['v2', 'intent'] as const;

describe.each(INTERFACES)('with the interface %s', (orderInterface) => {
  const turn = INTERFACES.indexOf(orderInterface);
  const test = inTurn(INTERFACES.length, turn);
  let sandbox: TestSandbox;
  let engine: Engine;
  let price: number;

  beforeAll(async () => {
    sandbox = await testSandbox({ orderInterface, rateLimit: 'off' });
    engine = await Engine.start(sandbox.credential);
    price = await lastPrice(engine);
  });
  afterEach(async () => {
    await sandbox.control('DELETE', 'faults');
    await exit({ operation: 'exitAll' });
    await engine.run({ resource: 'order', operation: 'cancelAll' });
  });
  afterAll(async () => await sandbox.close());

  const run = async (parameters: INodeParameters, options: Parameters<Engine['run']>[1] = {}) =>
    await engine.run({ resource: 'portfolio', closeAt: 'market', ...parameters }, options);
  /** Runs what must succeed. */
  const exit = async (parameters: INodeParameters): Promise<Out[]> => {
    const { items, error } = await run(parameters);
    if (error !== undefined) throw new Error(allTextOf(error));
    return items.map(({ json }) => json as Out);
  };
  const order = async (more: INodeParameters = {}): Promise<IDataObject> => {
    const { items, error } = await engine.run(
      orderForm({ priceType: 'MARKET', product: 'IDAY', quantity: 10, options: { waitFor: 'filled' }, ...more }),
    );
    if (error !== undefined) throw new Error(allTextOf(error));
    return items[0]!.json;
  };
  const resting = async (more: INodeParameters = {}): Promise<IDataObject> =>
    await order({ priceType: 'LIMIT', price: Math.floor(price * 0.95), options: { waitFor: 'accepted' }, ...more });
  /** Returns the open quantities in the service, by symbol. */
  const held = async (): Promise<Record<string, number>> => {
    const { items } = await engine.run({
      resource: 'portfolio',
      operation: 'getPositions',
      returnAll: true,
      simplify: true,
    });
    const open = items.filter(({ json }) => json.segment !== 'closed');
    return Object.fromEntries(
      open.map(({ json }) => [String(json.symbol), (json.order_side === 'SELL' ? -1 : 1) * Number(json.qty)]),
    );
  };
  const statusOf = async (orderId: unknown): Promise<unknown> => {
    const { items } = await engine.run({ resource: 'order', operation: 'get', orderId: String(orderId) });
    return items[0]?.json.order_status;
  };
  /** A basket of two calls with a stop loss far away, entered. */
  const spread = async (): Promise<{ basketId: string; symbols: string[] }> => {
    const symbols: string[] = [];
    for (const strikes of [1, 3]) {
      const { items } = await engine.run({
        resource: 'instrument',
        operation: 'getOptionByOffset',
        underlying: 'NIFTY',
        moneyness: 'OTM',
        strikes,
      });
      symbols.push(String(items[0]?.json.symbol));
    }
    const { items, error } = await engine.run({
      resource: 'basket',
      operation: 'place',
      name: 'Spread',
      underlying: 'NIFTY',
      priceType: 'MARKET',
      product: 'IDAY',
      legs: {
        leg: symbols.map((symbol, index) => ({
          ...bySymbol(symbol),
          quantity: 1,
          quantityUnit: 'lots',
          side: index === 0 ? 'BUY' : 'SELL',
        })),
      },
      options: { tag: 'spread', exitsIn: 'percent', stopLossPrice: 90, targetPrice: 300 },
    });
    if (error !== undefined) throw new Error(allTextOf(error));
    await sandbox.control('POST', 'clock', { advance: 'PT3S' });
    return { basketId: String(items[0]?.json.basket_id), symbols };
  };

  test('sells what is held after cancelling what is open on it, and leaves the rest', async () => {
    await order();
    await order({ ...bySymbol('TCS'), side: 'SELL' });
    const open = await resting();
    const [closed, ...more] = await exit({ operation: 'exitPosition', ...bySymbol('INFY') });
    expect(more).toEqual([]);
    expect(closed).toMatchObject({
      symbol: 'INFY',
      product: 'IDAY',
      net_qty: 10,
      result: 'closed',
      closed_qty: 10,
      left_qty: 0,
      orders: [{ order_status: 'FILLED', order_qty: 10, filled_qty: 10, already_placed: false }],
      cancelled_orders: [{ order_id: open.order_id, result: 'done' }],
      environment: 'sandbox',
    });
    expect(await statusOf(open.order_id)).toBe('CANCELLED');
    expect(await held()).toEqual({ TCS: -10 });
  });

  test('closes everything, bought and sold, and nothing the second time', async () => {
    await order();
    await order({ ...bySymbol('TCS'), side: 'SELL' });
    const { items } = await run({ operation: 'exitAll' }, { typeVersion: 1.2 });
    const closed = items.map(({ json }) => json as Out);
    expect(closed.map(({ symbol, result, left_qty }) => [symbol, result, left_qty]).sort()).toEqual([
      ['INFY', 'closed', 0],
      ['TCS', 'closed', 0],
    ]);
    expect(closed.map(({ symbol, orders }) => [symbol, orders]).sort()).toMatchObject([
      ['INFY', [{ order_side: 'SELL', side_label: 'Sell' }]],
      ['TCS', [{ order_side: 'BUY', side_label: 'Buy' }]],
    ]);
    expect(await held()).toEqual({});
    const before = await sandbox.ordersReceived();
    expect(await exit({ operation: 'exitAll' })).toEqual([]);
    expect(await sandbox.ordersReceived()).toBe(before);
  });

  test('closes by a limit within a number of percent of the last price', async () => {
    await order();
    const [closed] = await exit({ operation: 'exitAll', closeAt: 'limit', slackPercent: 1 });
    expect(closed).toMatchObject({ result: 'closed', left_qty: 0 });
    const { items } = await engine.run({
      resource: 'order',
      operation: 'get',
      orderId: String(closed!.orders[0]!.order_id),
    });
    expect(items[0]?.json).toMatchObject({ order_side: 'SELL', price_type: 'LIMIT', validity_type: 'IOC' });
    expect(Number(items[0]?.json.order_price)).toBeLessThan(price);
  });

  it.each(share(FILTERS, INTERFACES.length, turn))('leaves what a filter by %s leaves out', async (_, filters) => {
    await order();
    const out = await exit({ operation: 'exitAll', filters });
    expect(out.every(({ closed_qty }) => closed_qty === 0)).toBe(true);
    expect(await held()).toEqual({ INFY: 10 });
  });

  test('closes only what orders of a tag have bought, and cancels only those', async () => {
    await order({ quantity: 4, options: { waitFor: 'filled', tag: 'breakout' } });
    await order({ quantity: 3 });
    const [mine, other] = [
      await resting({ options: { waitFor: 'accepted', tag: 'breakout' } }),
      await resting({ quantity: 1 }),
    ];
    const [closed] = await exit({ operation: 'exitAll', filters: { tag: 'breakout' } });
    expect(closed).toMatchObject({ result: 'closed', net_qty: 7, closed_qty: 4, left_qty: 0 });
    expect([await statusOf(mine.order_id), await statusOf(other.order_id)]).toEqual(['CANCELLED', 'OPEN']);
    expect(await held()).toEqual({ INFY: 3 });
    const [again] = await exit({ operation: 'exitAll', filters: { tag: 'breakout' } });
    expect(again).toMatchObject({ closed_qty: 0, left_qty: 0, orders: [] });
    const newest = await run({ operation: 'exitAll', filters: { tag: 'breakout' } }, { typeVersion: 1.2 });
    expect(newest.items).toEqual([]);
    expect(await held()).toEqual({ INFY: 3 });
  });

  test('shows in a dry run what it would cancel and send, and does neither', async () => {
    await order();
    const open = await resting();
    await sandbox.control('POST', 'clock', { advance: 'PT3S' });
    const before = await sandbox.ordersReceived();
    const [shown] = await exit({ operation: 'exitAll', safety: { dryRun: true } });
    expect(shown).toMatchObject({ dry_run: true, symbol: 'INFY', net_qty: 10, would_cancel: [open.order_id] });
    expect(shown!.would_send).toMatchObject({ method: 'POST' });
    expect(await sandbox.ordersReceived()).toBe(before);
    expect(await statusOf(open.order_id)).toBe('OPEN');
  });

  test('n8n running the node again, and the same key again, close it once', async () => {
    await order();
    const path = orderInterface === 'v2' ? '/orders/v2/single' : '/sentinel/orders/create';
    await sandbox.control('POST', 'faults', { match: { method: 'POST', path }, action: 'drop_after', times: 1 });
    const parameters = { operation: 'exitAll', options: { idempotencyKey: 'square-off' } };
    const first = await run(parameters, { retryOnFail: true });
    expect(first.error).toBeUndefined();
    expect(first.items[0]?.json).toMatchObject({ closed_qty: 10, left_qty: 0 });
    expect(await held()).toEqual({});
    // Opened again: the same alert that comes once more does not mean this position.
    await order();
    const again = await run(parameters);
    expect(again.error?.message).toMatch(/An earlier try already placed order \d+ for this/);
    expect(await held()).toEqual({ INFY: 10 });
  });

  test('says what is left where a guard refuses, or gives the item', async () => {
    await order();
    const parameters = { operation: 'exitAll', safety: { maxQuantity: 5 } };
    const { error } = await run(parameters);
    expect(error?.message).toMatch(
      /^1 of 1 positions is not closed for certain\. INFY \(Intraday\): Refused by the guard/,
    );
    const { items } = await run({ ...parameters, options: { whenLeft: 'items' } });
    expect(items[0]?.json).toMatchObject({ result: 'not_closed', closed_qty: 0, left_qty: 10 });
    expect(String(items[0]?.json.error_message)).toContain('Largest Quantity');
    expect(await held()).toEqual({ INFY: 10 });
  });

  test('cancels all that is open, also what the list shows late, and leaves what the filters leave out', async () => {
    const buy = await resting();
    const sell = await resting({ side: 'SELL', price: Math.ceil(price * 1.05) });
    const cancelled = await engine.run({
      resource: 'order',
      operation: 'cancelAll',
      filters: { side: 'BUY', symbols: 'INFY', products: ['IDAY'] },
    });
    expect(cancelled.error).toBeUndefined();
    expect(cancelled.items.map(({ json }) => [json.order_id, json.result, json.order_status])).toEqual([
      [buy.order_id, 'done', 'CANCELLED'],
    ]);
    expect(await statusOf(sell.order_id)).toBe('OPEN');
    const none = await engine.run({ resource: 'order', operation: 'cancelAll', filters: { tag: 'nobody' } });
    expect(none.items).toEqual([]);
  });

  test('Cancel All says which orders may still be open, and shows them in a dry run', async () => {
    const open = await resting();
    await sandbox.control('POST', 'clock', { advance: 'PT3S' });
    await engine.setCredential({ ...sandbox.credential, dryRun: true });
    const dry = await engine.run({ resource: 'order', operation: 'cancelAll' });
    expect(dry.items.map(({ json }) => [json.order_id, json.would_cancel])).toEqual([[open.order_id, true]]);
    await engine.setCredential(sandbox.credential);
    const path = orderInterface === 'v2' ? '/orders/cancel' : '/sentinel/orders/cancel';
    await sandbox.control('POST', 'faults', { match: { method: 'POST', path }, action: 'drop_before' });
    const { error } = await engine.run({ resource: 'order', operation: 'cancelAll', options: { waitSeconds: 3 } });
    expect(error?.message).toMatch(/^1 of 1 orders may still be open\. It is not known whether order \d+ is cancelled/);
    expect(await statusOf(open.order_id)).toBe('OPEN');
  });

  test('ends a basket that holds a position, and closes all of it', async () => {
    const legs = await spread();
    const [shown] = await exit({ operation: 'exitAll', safety: { dryRun: true } });
    expect(shown!.would_exit_baskets).toEqual([legs.basketId]);
    const nodeRun = await run({ operation: 'exitPosition', ...bySymbol(legs.symbols[0]!) });
    expect(nodeRun.error?.message).toContain(`basket ${legs.basketId} still holds it`);
    expect(Object.keys(await held()).sort()).toEqual([...legs.symbols].sort());
    const closed = await exit({ operation: 'exitAll' });
    expect(closed.map(({ result, left_qty, exited_baskets: ended }) => [result, left_qty, ended])).toEqual(
      legs.symbols.map(() => ['closed', 0, [{ basket_id: legs.basketId, result: 'done' }]]),
    );
    expect(await held()).toEqual({});
  });

  if (orderInterface === 'intent') {
    it('takes every exit off before it closes, so that none sells later', async () => {
      const bought = await order({ exits: { stopLoss: 2, target: 4, exitTime: '15:05' } });
      const [closed] = await exit({ operation: 'exitPosition', ...bySymbol('INFY') });
      expect(closed).toMatchObject({
        result: 'closed',
        cancelled_orders: [{ order_id: bought.order_id, result: 'done' }],
      });
      const { items } = await engine.run({ resource: 'order', operation: 'get', orderId: String(bought.order_id) });
      const exits = items[0]!.json.exits as { status: string }[];
      expect(exits.map(({ status }) => status)).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED']);
      await sandbox.control('POST', 'clock', { advance: 'PT5H' });
      expect(await held()).toEqual({});
    });

    it('Cancel All leaves the exits of what is filled, unless they are wanted off', async () => {
      const bought = await order({ exits: { stopLoss: 2 } });
      expect((await engine.run({ resource: 'order', operation: 'cancelAll' })).items).toEqual([]);
      const { items } = await engine.run({ resource: 'order', operation: 'cancelAll', options: { exitsToo: true } });
      expect(items.map(({ json }) => [json.order_id, json.result])).toEqual([[bought.order_id, 'done']]);
    });
  }

  // The last one: the shares stay sold.
  test('says nothing, with a tag, of shares that were sold from the holdings', async () => {
    await order({ ...bySymbol('NSE:ITC'), side: 'SELL', product: 'CNC', quantity: 1 });
    const all = async (filters: INodeParameters) =>
      (await run({ operation: 'exitAll', filters }, { typeVersion: 1.2 })).items.map(({ json }) => json.result);
    expect(await all({})).toEqual(['skipped']);
    expect(await all({ tag: 'breakout' })).toEqual([]);
  });
});
