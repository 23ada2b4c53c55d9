/** Order: Set Target Position, in n8n's engine against the sandbox over real HTTP, on both interfaces. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Engine, allTextOf } from '../support/engine';
import { lastPrice } from '../support/last-price';
import { bySymbol, orderForm } from '../support/parameters';
import { share } from '../support/sample';
import { testSandbox, type TestSandbox } from '../support/sandbox';
import { inTurn } from '../support/turns';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

/** Refusals: the fault, the fields, the words, and the field that is named. */
const REFUSALS: [string, INodeParameters, string, string][] = [
  ['delivery below 0', { target: -5, product: 'CNC' }, 'cannot go below 0', 'target'],
  ['half a share', { target: 1.5 }, 'whole number', 'target'],
  ['no number', { target: '={{ null }}' }, 'whole number', 'target'],
  ['an index', bySymbol('NIFTY'), 'index', 'instrument'],
  ['off the lot', { ...bySymbol('NIFTY NOV FUT'), target: 7 }, 'not a multiple of the lot size', 'target'],
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
    await engine.run({ resource: 'portfolio', operation: 'exitAll', closeAt: 'market' });
    await engine.run({ resource: 'order', operation: 'cancelAll' });
  });
  afterAll(async () => await sandbox.close());

  const form = (target: number | string, more: INodeParameters = {}): INodeParameters => ({
    resource: 'order',
    operation: 'setTargetPosition',
    ...bySymbol('INFY'),
    target,
    quantityUnit: 'units',
    product: 'IDAY',
    openOrders: 'count',
    closeAt: 'market',
    ...more,
  });
  const set = async (target: number | string, more: INodeParameters = {}): Promise<IDataObject> => {
    const { items, error } = await engine.run(form(target, more), { typeVersion: 1.1 });
    if (error !== undefined) throw new Error(allTextOf(error));
    return items[0]!.json;
  };
  const held = async (): Promise<number> => {
    const { items } = await engine.run({
      resource: 'portfolio',
      operation: 'getPositions',
      returnAll: true,
      simplify: true,
    });
    const open = items.find(({ json }) => json.segment !== 'closed' && json.symbol === 'INFY')?.json;
    return open === undefined ? 0 : (open.order_side === 'SELL' ? -1 : 1) * Number(open.qty);
  };
  const resting = async (more: INodeParameters = {}): Promise<IDataObject> => {
    const { items, error } = await engine.run(
      orderForm({
        product: 'IDAY',
        quantity: 4,
        price: Math.floor(price * 0.96),
        options: { waitFor: 'accepted' },
        ...more,
      }),
    );
    if (error !== undefined) throw new Error(allTextOf(error));
    return items[0]!.json;
  };

  test('buys to be at +10, crosses to -5 in one order, goes to 0, and does nothing where nothing is missing', async () => {
    expect(await set(10)).toMatchObject({
      symbol: 'INFY',
      target_qty: 10,
      held_qty: 0,
      result: 'reached',
      missing_qty: 0,
      orders: [{ order_side: 'BUY', order_qty: 10, filled_qty: 10 }],
      environment: 'sandbox',
    });
    expect(await held()).toBe(10);
    const before = await sandbox.ordersReceived();
    expect(await set('10')).toMatchObject({ held_qty: 10, result: 'reached', orders: [] });
    expect(await sandbox.ordersReceived()).toBe(before);
    expect(await set(-5)).toMatchObject({ held_qty: 10, orders: [{ order_side: 'SELL', filled_qty: 15 }] });
    expect(await held()).toBe(-5);
    expect(await set(0)).toMatchObject({ held_qty: -5, orders: [{ order_side: 'BUY', filled_qty: 5 }] });
    expect(await held()).toBe(0);
  });

  test('counts open orders as if they were filled, or cancels them first', async () => {
    await resting();
    expect(await set(10)).toMatchObject({ open_qty: 4, result: 'reached', orders: [{ order_qty: 6 }] });
    expect(await held()).toBe(6);
    expect(await set(10, { openOrders: 'cancel' })).toMatchObject({
      held_qty: 6,
      cancelled_orders: [{ result: 'done' }],
      orders: [{ order_qty: 4 }],
    });
    expect(await held()).toBe(10);
  });

  test('says which holdings of a share do not count, and sends nothing unless they are to be left out', async () => {
    const { items } = await engine.run({ resource: 'portfolio', operation: 'getHoldings', returnAll: true });
    const own = Number(items.find(({ json }) => json.symbol === 'INFY')!.json.qty);
    const delivered = { product: 'CNC' };
    const before = await sandbox.ordersReceived();
    const newest = async (fields: INodeParameters) => await engine.run(fields, { typeVersion: 1.2 });
    const { error } = await newest(form(2, delivered));
    expect(error?.message).toContain(`Your holdings have ${own} INFY already`);
    expect(error?.description).toContain('Leave Out');
    const none = await newest(form(0, delivered));
    expect(none.items[0]!.json).toMatchObject({ result: 'reached', orders: [] });
    expect(await sandbox.ordersReceived()).toBe(before);
    const left = await newest(form(2, { ...delivered, holdings: 'leave' }));
    expect(left.items[0]!.json).toMatchObject({ result: 'reached', holdings_qty: own, orders: [{ order_qty: 2 }] });
    expect(left.items[0]!.json.summary).toContain(`${own} in your holdings do not count.`);
    // Bought today they are the position's, and no reason to refuse.
    const other = await newest(form(2, { ...delivered, ...bySymbol('WIPRO') }));
    const again = await newest(form(3, { ...delivered, ...bySymbol('WIPRO') }));
    expect([other, again].map(({ items: [item] }) => item!.json.holdings_qty)).toEqual([0, 0]);
    expect(again.items[0]!.json).toMatchObject({ held_qty: 2, orders: [{ order_qty: 1 }] });
  });

  test('two runs at once and a retried one never overshoot', async () => {
    await Promise.all([set(10), set(10), set(10, { options: { idempotencyKey: 'a' } })]);
    expect(await held()).toBe(10);
    await sandbox.control('POST', 'faults', {
      match: { path: '/*orders*', method: 'POST' },
      action: 'drop_after',
      times: 1,
    });
    const retried = await engine.run(form(-3), { retryOnFail: true });
    expect(retried.error?.message).toBeUndefined();
    expect(await held()).toBe(-3);
  });

  test('leaves a position alone on which an order waits for a price or a time, and says what to do', async () => {
    const stop = { orderType: 'STOPLOSS', side: 'SELL', triggerPrice: Math.floor(price * 0.97) };
    const timed = orderInterface === 'intent' ? [{ entry: { entryTime: '15:00' } }] : [];
    for (const waiting of [stop, ...timed]) {
      await set(4);
      await resting(waiting);
      const { error } = await engine.run(form(0));
      expect(error?.message).toContain('waits for a price or a time');
      expect(error?.description).toContain('Cancel First');
      expect(await held()).toBe(4);
      expect(await set(0, { openOrders: 'cancel' })).toMatchObject({ result: 'reached', missing_qty: 0 });
      expect(await held()).toBe(0);
    }
  });

  test('a key that comes again changes nothing more', async () => {
    const keyed = { options: { idempotencyKey: 'once' } };
    await set(5, keyed);
    await set(0);
    const before = await sandbox.ordersReceived();
    const again = await engine.run(form(5, keyed));
    expect(again.error?.message).toContain('An earlier try already placed order');
    expect(await sandbox.ordersReceived()).toBe(before);
  });

  test('shows in a dry run what it would send', async () => {
    await set(4);
    const before = await sandbox.ordersReceived();
    const dry = await set(-6, { safety: { dryRun: true } });
    expect(dry).toMatchObject({ dry_run: true, held_qty: 4, target_qty: -6 });
    expect(JSON.stringify(dry.would_send)).toContain('10');
    expect(await sandbox.ordersReceived()).toBe(before);
  });

  it.each(share(REFUSALS, INTERFACES.length, turn))(
    'refuses %s before anything is sent',
    async (_, given, text, parameter) => {
      const before = await sandbox.ordersReceived();
      const { error } = await engine.run(form(5, given));
      expect(error?.message).toContain(text);
      expect(error?.context?.parameter).toBe(parameter);
      expect(await sandbox.ordersReceived()).toBe(before);
    },
  );

  test('keeps the limits of the node and of the credential', async () => {
    const { error } = await engine.run(form(10, { safety: { maxQuantity: 9 } }));
    expect(`${error?.message} ${error?.description}`).toContain('guard');
    expect(await held()).toBe(0);
  });

  if (orderInterface === 'intent')
    it('counts an order that has waited for a time, once that has come', async () => {
      await resting({ price: Math.floor(price * 0.93), entry: { entryTime: '12:00' } });
      expect((await engine.run(form(6))).error?.message).toContain('waits for a price or a time');
      await sandbox.control('POST', 'clock', { set: '2026-11-20T12:01:00+05:30' });
      expect(await set(6)).toMatchObject({ open_qty: 4, result: 'reached', orders: [{ order_qty: 2 }] });
      expect(await held()).toBe(2);
    });
});
