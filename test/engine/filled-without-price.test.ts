/**
 * The service tells that an order has filled some seconds before it tells at which price: filled means filled and priced. In n8n's
 * engine on both order interfaces, with a proxy that holds the price back.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { clock } from '../../nodes/host/clock';
import { Engine, allTextOf } from '../support/engine';
import type { NodeRun } from '../support/engine-types';
import { orderForm } from '../support/parameters';
import { startProxy, type Proxy } from '../support/proxy';
import { testSandbox, type TestSandbox } from '../support/sandbox';
import { inTurn } from '../support/turns';
import { share } from '../support/sample';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

/** The average of each order of a reply. */
const AVERAGE = /"(avg_filled_price|filledPrice)":\s*-?[\d.]+/;
const JSON_TYPE = { 'content-type': 'application/json' };

describe.each(['v2', 'intent'] as const)('on %s', (orderInterface) => {
  const itInTurn = inTurn(2, orderInterface === 'v2' ? 0 : 1);
  let sandbox: TestSandbox;
  let proxy: Proxy;
  let engine: Engine;
  let average: number | string | null = 0;
  let pricedAt = 0;
  beforeAll(async () => {
    sandbox = await testSandbox({ orderInterface, rateLimit: 'off' });
    proxy = await startProxy(sandbox.url);
    proxy.change = (_, { status, text }) =>
      clock.now() < pricedAt && AVERAGE.test(text)
        ? {
            status,
            headers: JSON_TYPE,
            text: text.replaceAll(new RegExp(AVERAGE, 'g'), `"$1":${JSON.stringify(average)}`),
          }
        : undefined;
    engine = await Engine.start({ ...sandbox.credential, sandboxBaseUrl: proxy.url });
  });
  afterAll(async () => {
    await proxy.close();
    await sandbox.close();
  });

  const run = async (parameters: INodeParameters, typeVersion = 1.1): Promise<NodeRun> =>
    await engine.run(parameters, { typeVersion });
  const market = (given: INodeParameters = {}): INodeParameters =>
    orderForm({ product: 'IDAY', priceType: 'MARKET', ...given });
  /** Places an order at the market, whose fill has no price for this number of milliseconds. */
  const placed = async (unpricedMs: number, typeVersion = 1.1): Promise<IDataObject> => {
    pricedAt = clock.now() + unpricedMs;
    const { items, error } = await run(market({ options: { waitFor: 'filled' } }), typeVersion);
    expect(error?.message).toBeUndefined();
    return items[0]!.json;
  };
  const received = async (): Promise<number> =>
    (await sandbox.journal()).filter(({ kind, event }) => kind === 'order' && event === 'received').length;

  it.each(share([0, null, -1, 2 ** 31 - 1], 2, orderInterface === 'v2' ? 0 : 1))(
    'Filled waits until %p is a price',
    async (shown) => {
      average = shown;
      const order = await placed(5_000);
      expect(order).toMatchObject({ order_status: 'FILLED', wait_reached: true });
      expect(order.avg_filled_price).toBeGreaterThan(0);
      expect(order.avg_filled_price).toBeLessThan(100_000);
      expect(order).not.toHaveProperty('no_price_reason');
    },
  );

  itInTurn(
    'the price is null after the deadline and the item says why; a later step sends nothing and gives no stale advice',
    async () => {
      average = 0;
      const order = await placed(60_000);
      expect(order).toMatchObject({
        ...{ order_status: 'FILLED', wait_reached: false, avg_filled_price: null },
        no_price_reason: 'It has filled, but the service had not told at which price yet.',
      });
      const before = await received();
      const waited = await run({
        ...{ resource: 'order', operation: 'waitForStatus', orderId: String(order.order_id), waitFor: 'filled' },
        ...{ deadlineSeconds: 1, simplify: true, options: { whenMissed: 'error' } },
      });
      expect(allTextOf(waited.error!)).toMatch(/has filled, but the service had not told at which price/);
      const stop = await run(
        orderForm({
          ...{ side: 'SELL', product: 'IDAY', orderType: 'STOPLOSS', priceType: 'LIMIT', pricesAs: 'percent' },
          ...{ measuredFrom: 'fill', referenceOrderId: String(order.order_id), triggerPrice: -2, price: -3 },
        }),
      );
      expect(stop.items).toEqual([]);
      expect(allTextOf(stop.error!)).toMatch(
        /has filled, but the service does not tell at which price yet. Nothing was sent/,
      );
      expect(allTextOf(stop.error!)).not.toMatch(/Wait For/);
      expect(await received()).toBe(before);
    },
  );

  itInTurn('a price that cannot be read is named by its text, and nothing is measured from it', async () => {
    average = '1,234.50';
    const order = await placed(60_000);
    const unreadable = 'its price cannot be read: the service gives "1,234.50", which is no number of paise.';
    expect(order).toMatchObject({ wait_reached: false, no_price_reason: `It has filled, but ${unreadable}` });
    const before = await received();
    const waited = await run({
      ...{ resource: 'order', operation: 'waitForStatus', orderId: String(order.order_id), waitFor: 'filled' },
      ...{ deadlineSeconds: 1, simplify: true, options: { whenMissed: 'error' } },
    });
    expect(waited.error?.message).toContain(unreadable);
    const stop = await run(
      orderForm({
        ...{ side: 'SELL', product: 'IDAY', orderType: 'STOPLOSS', priceType: 'LIMIT', pricesAs: 'percent' },
        ...{ measuredFrom: 'fill', referenceOrderId: String(order.order_id), triggerPrice: -2, price: -3 },
      }),
    );
    expect(stop.error?.message).toContain(unreadable);
    expect(await received()).toBe(before);
  });

  itInTurn('a stop measured from the fill waits for its price', async () => {
    average = 0;
    const order = await placed(0);
    pricedAt = clock.now() + 7_000;
    const stop = await run(
      orderForm({
        ...{ side: 'SELL', product: 'IDAY', orderType: 'STOPLOSS', priceType: 'LIMIT', pricesAs: 'points' },
        ...{ measuredFrom: 'fill', referenceOrderId: String(order.order_id), triggerPrice: -20, price: -22 },
      }),
    );
    expect(stop.error?.message).toBeUndefined();
    const fill = Number(order.avg_filled_price);
    expect(Number(stop.items[0]!.json.trigger_price)).toBeCloseTo(Math.ceil((fill - 20) * 10 - 1e-9) / 10, 5);
  });

  itInTurn('a node that was saved before keeps 0, and says why', async () => {
    average = 0;
    expect(await placed(60_000, 1)).toMatchObject({
      avg_filled_price: 0,
      no_price_reason: expect.stringContaining('has filled') as string,
    });
  });
});
