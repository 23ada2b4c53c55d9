/** Session: Stop Trading, in n8n's engine against the sandbox over real HTTP, on both interfaces. */
import { setTimeout } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { Engine, allTextOf } from '../support/engine';
import { lastPrice } from '../support/last-price';
import { orderForm } from '../support/parameters';
import { share } from '../support/sample';
import { testSandbox, type TestSandbox } from '../support/sandbox';
import { inTurn } from '../support/turns';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const REFUSED = 'Trading with this credential is stopped. Nothing was sent.';

const straddle = (more: INodeParameters): INodeParameters => ({
  resource: 'basket',
  operation: 'place',
  name: 'Straddle',
  strategy: 'straddle',
  underlying: 'NIFTY',
  expiry: 'nearest',
  quantity: 1,
  quantityUnit: 'lots',
  side: 'BUY',
  product: 'IDAY',
  ...more,
});

const INTERFACES = ['v2', 'intent'] as const;

describe.each(INTERFACES)('with the interface %s', (orderInterface) => {
  const test = inTurn(INTERFACES.length, INTERFACES.indexOf(orderInterface));
  let sandbox: TestSandbox;
  let engine: Engine;
  let price: number;
  beforeAll(async () => {
    sandbox = await testSandbox({ orderInterface, rateLimit: 'off' });
    engine = await Engine.start(sandbox.credential);
    price = await lastPrice(engine);
  });
  afterEach(async () => await allow());
  afterAll(async () => await sandbox.close());

  /** Allows trading, as the user does in the credential. */
  const allow = async () => await engine.setCredential({ ...(await engine.storedCredential()), tradingStopped: false });
  const stop = async (more: INodeParameters = {}, typeVersion = 1) =>
    await engine.run({ resource: 'session', operation: 'stopTrading', ...more }, { typeVersion });
  const place = async (more: INodeParameters = {}) => {
    const { items, error } = await engine.run(orderForm({ price: Math.floor(price * 0.95), product: 'IDAY', ...more }));
    if (error !== undefined) throw new Error(allTextOf(error));
    return items[0]!.json;
  };
  const open = async () =>
    (await engine.run({ resource: 'order', operation: 'getMany', returnAll: true, filters: { statuses: ['OPEN'] } }))
      .items;
  const net = async () => {
    const { items } = await engine.run({ resource: 'portfolio', operation: 'getPositions', returnAll: true });
    return items.filter(({ json }) => json.segment !== 'closed' && json.symbol === 'INFY');
  };
  /** Returns the number of events of orders, baskets and strategies. */
  const occurred = async () =>
    (await sandbox.journal()).filter(({ kind }) => ['order', 'basket', 'intent'].includes(kind)).length;

  test('cancels what is open, and refuses whatever places or modifies until somebody allows it', async () => {
    const filled = await place({ priceType: 'MARKET', quantity: 2, options: { waitFor: 'filled' } });
    const resting = await place({ options: { waitFor: 'accepted' } });
    const { items, error } = await stop();
    expect(error).toBeUndefined();
    expect(items[0]?.json).toMatchObject({
      trading_stopped: true,
      cancelled_orders: [{ order_id: resting.order_id, symbol: 'INFY', result: 'done' }],
      positions: [],
      to_trade_again: 'Switch "Trading Stopped" off in the credential.',
    });
    expect(items[0]?.json).not.toHaveProperty('summary');
    expect(await open()).toEqual([]);
    expect(await net()).toHaveLength(1);
    expect((await engine.storedCredential()).tradingStopped).toBe(true);

    const before = await occurred();
    const refused: INodeParameters[] = [
      orderForm({ price }),
      orderForm({ operation: 'placeMany', price }),
      straddle({ priceType: 'MARKET' }),
    ];
    for (const form of refused) {
      const { error: refusal } = await engine.run(form);
      expect(refusal?.message).toContain(REFUSED);
      expect(refusal?.description).toContain('switch "Trading Stopped" off and save it');
      expect(refusal?.context?.parameter).toBe('tradingStopped');
    }
    expect(await occurred()).toBe(before);

    // Exits still work.
    const exited = await engine.run({ resource: 'portfolio', operation: 'exitAll', closeAt: 'market' });
    expect(exited.error).toBeUndefined();
    expect(exited.items[0]?.json).toMatchObject({ symbol: 'INFY', result: 'closed', closed_qty: filled.filled_qty });

    await allow();
    expect(await place()).toMatchObject({ symbol: 'INFY' });
    await engine.run({ resource: 'order', operation: 'cancelAll' });
  });

  test('an order that rests may be cancelled, but not modified', async () => {
    const { order_id: orderId } = await place({ options: { waitFor: 'accepted' } });
    await engine.setCredential({ ...(await engine.storedCredential()), tradingStopped: true });
    const form = { resource: 'order', orderId: String(orderId) };
    const modified = await engine.run({ ...form, operation: 'modify', updateFields: { quantity: 2 } });
    expect(modified.error?.message).toContain(REFUSED);
    const cancelled = await engine.run({ ...form, operation: 'cancel' });
    expect(cancelled.error).toBeUndefined();
    expect(cancelled.items[0]?.json).toMatchObject({ result: 'done' });
  });

  test('closes the positions where that is wanted, once, also when it is run again', async () => {
    await place({ priceType: 'MARKET', quantity: 3, options: { waitFor: 'filled' } });
    const first = await stop({ exitPositions: true, closeAt: 'market' }, 1.2);
    expect(first.error).toBeUndefined();
    expect(first.items[0]?.json).toMatchObject({
      trading_stopped: true,
      positions: [{ symbol: 'INFY', result: 'closed', left_qty: 0 }],
      summary: expect.stringMatching(
        /^Trading is stopped\. Cancelled: 0 orders\. Closed: INFY \(Intraday\), sold 3 at ₹[\d,]+\.\d\d, 0 left, result [+−]?₹[\d,]+\.\d\d before charges\.$/,
      ),
    });
    const again = await stop({ exitPositions: true, closeAt: 'market' });
    expect(again.items[0]?.json).toMatchObject({ trading_stopped: true, cancelled_orders: [], positions: [] });
    expect(await net()).toEqual([]);
  });

  test('an order that was placed before with a key is still found: it is not called refused', async () => {
    const options = { idempotencyKey: `stop-${orderInterface}`, waitFor: 'accepted' };
    const { order_id: orderId } = await place({ options });
    await engine.setCredential({ ...(await engine.storedCredential()), tradingStopped: true });
    expect(await place({ options })).toMatchObject({ order_id: orderId, already_placed: true });
    await engine.run({ resource: 'order', operation: 'cancelAll' });
  });

  test('cancels a basket that has not entered', async () => {
    const placed = await engine.run(straddle({ priceType: 'LIMIT', price: 1 }));
    expect(placed.error).toBeUndefined();
    const { items, error } = await stop();
    expect(error).toBeUndefined();
    expect(items[0]?.json.cancelled_baskets).toEqual([{ basket_id: placed.items[0]?.json.basket_id, result: 'done' }]);
    expect(await open()).toEqual([]);
  });

  test('a basket that has entered may be closed, but not modified', async () => {
    const placed = await engine.run(straddle({ priceType: 'MARKET' }));
    if (placed.error !== undefined) throw new Error(allTextOf(placed.error));
    const form = { resource: 'basket', basketId: String(placed.items[0]?.json.basket_id), exchange: 'NSE' };
    const entered = await engine.run({ ...form, operation: 'waitForStatus', waitFor: 'entered', deadlineSeconds: 60 });
    expect(entered.items[0]?.json.reached).toBe(true);
    await engine.setCredential({ ...(await engine.storedCredential()), tradingStopped: true });
    if (orderInterface === 'intent') {
      const updateFields = { stopLossPrice: 1 };
      const modified = await engine.run({ ...form, operation: 'modify', updateFields });
      expect(modified.error?.message).toContain(REFUSED);
    }
    const closed = await engine.run({ ...form, operation: 'close' });
    expect(closed.error).toBeUndefined();
    expect(closed.items[0]?.json.result).toBe('done');
    const { items } = await engine.run({ resource: 'portfolio', operation: 'getPositions', returnAll: true });
    expect(items.filter(({ json }) => json.segment === 'option' && json.net_qty !== 0)).toEqual([]);
  });

  test('cancels an order that was on its way to the service when trading was stopped', async () => {
    const match = { method: 'POST', path: orderInterface === 'v2' ? '/orders/v2/single' : '/sentinel/orders/create' };
    await sandbox.control('POST', 'faults', { match, action: 'delay', args: { ms: 1_500 }, times: 1 });
    const placing = place();
    await setTimeout(500);
    const { items, error } = await stop();
    const { order_id } = await placing;
    expect(error).toBeUndefined();
    expect(items[0]?.json.cancelled_orders).toEqual([{ order_id, symbol: 'INFY', result: 'done' }]);
    expect(await open()).toEqual([]);
    await sandbox.control('DELETE', 'faults');
  });

  test('is not done in a dry run', async () => {
    const { items } = await stop({ safety: { dryRun: true }, exitPositions: true, closeAt: 'market' });
    expect(items[0]?.json).toMatchObject({ dry_run: true, trading_stopped: false });
    expect((await engine.storedCredential()).tradingStopped ?? false).toBe(false);
  });

  test('stays stopped where the service is down, and says what may be open', async () => {
    await place({ options: { waitFor: 'accepted' } });
    await sandbox.control('POST', 'faults', {
      match: { path: '/orders*' },
      action: 'status',
      args: { status: 403, body: { error: 'no' } },
    });
    await sandbox.control('POST', 'faults', {
      match: { path: '/sentinel*' },
      action: 'status',
      args: { status: 403, body: { error: 'no' } },
    });
    const { error } = await stop();
    await sandbox.control('DELETE', 'faults');
    expect(error?.message).toMatch(/^Trading is stopped, but not everything is done\. open orders: /);
    expect((await engine.storedCredential()).tradingStopped).toBe(true);
    expect((await stop()).items[0]?.json).toMatchObject({ trading_stopped: true });
    expect(await open()).toEqual([]);
  });
});

it.each(share(['yes', 1, '={{ false }}'], 3, 0))(
  'a credential counts as stopped where it is not clearly off: %j',
  async (value) => {
    const sandbox = await testSandbox({ rateLimit: 'off' });
    const engine = await Engine.start({ ...sandbox.credential, tradingStopped: value as string });
    const { error } = await engine.run(orderForm({ price: 1000 }));
    await sandbox.close();
    expect(error?.message).toContain(REFUSED);
  },
);
