/**
 * Output of the nodes as input of others: positions, holdings, orders, trigger items and search results, dragged into
 * Instrument whatever its mode, feed the fields of an order unchanged in value.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { orderOutput } from '../../client/stream/delivery/order-output';
import { Engine } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { share } from '../support/sample';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const NOW = 1.1;
const SOURCES = ['position', 'holding', 'order', 'trigger', 'search'] as const;
type Source = (typeof SOURCES)[number];

const INTERFACES = ['v2', 'intent'] as const;

describe.each(INTERFACES)('on %s', (orderInterface) => {
  let sandbox: TestSandbox;
  let engine: Engine;
  const items = {} as Record<Source, IDataObject>;

  beforeAll(async () => {
    sandbox = await testSandbox({ orderInterface });
    engine = await Engine.start(sandbox.credential);
    const first = async (parameters: INodeParameters): Promise<IDataObject> => {
      const { items: made, error } = await engine.run(parameters, { typeVersion: NOW });
      expect(error?.message).toBeUndefined();
      return made[0]!.json;
    };
    // On BSE, which a bare symbol does not mean.
    items.order = await first(
      orderForm({ ...bySymbol('BSE:TCS'), side: 'SELL', product: 'IDAY', priceType: 'MARKET', quantity: 3 }),
    );
    await sandbox.control('POST', 'clock', { advance: 'PT10S' });
    items.position = await first({ resource: 'portfolio', operation: 'getPositions', simplify: true, limit: 1 });
    items.holding = await first({ resource: 'portfolio', operation: 'getHoldings', simplify: true, limit: 1 });
    const search = { resource: 'instrument', operation: 'search', query: 'NIFTY', simplify: true, limit: 1 };
    items.search = await first({ ...search, exchanges: ['NSE'], options: { kinds: ['OPT'] } });
    const { symbol, exchange, ref_id, order_side, order_qty, order_delivery_type } = items.order;
    // The trigger's own output function, of an event with these terms.
    const event = {
      type: 'orderCompleted',
      maybe: [],
      recovered: false,
      at: '0',
      happenedAt: '0',
      key: 'k',
      order: {
        kind: 'order',
        orderId: items.order.order_id,
        status: 'FILLED',
        side: order_side,
        quantity: order_qty,
        filled: order_qty,
        price: 0,
        averagePrice: 100,
        orderType: 'REGULAR',
        product: order_delivery_type,
        priceType: 'MARKET',
        validity: 'DAY',
        reason: '',
        tags: [],
        instrument: { symbol, exchange, refId: ref_id, displayName: '' },
        legs: [],
      },
    };
    items.trigger = {
      ...orderOutput(event as never, { environment: 'sandbox', unit: 'rupees', raw: false }),
    } as IDataObject;
  });
  afterAll(async () => await sandbox.close());

  const instrument = (mode: string, name: string): INodeParameters => ({
    instrument: { __rl: true, mode, value: `={{ $json.${name} }}` },
  });
  const dryRun = async (source: Source, given: INodeParameters): Promise<IDataObject> => {
    const form = orderForm({ priceType: 'MARKET', product: 'IDAY', safety: { dryRun: true }, ...given });
    const run = await engine.run(form, { typeVersion: NOW, items: [{ json: items[source] }] });
    expect(run.error?.message).toBeUndefined();
    return run.items[0]!.json;
  };

  const names = (source: Source): string[] =>
    source === 'search' ? ['symbol', 'label', 'ref_id', 'instrument'] : ['symbol', 'ref_id'];
  const ways = SOURCES.flatMap((source) =>
    names(source).flatMap((name) => ['list', 'symbol', 'id'].map((mode) => [source, name, mode] as const)),
  );
  it.each(share(ways, 2 * INTERFACES.length, 3 * INTERFACES.indexOf(orderInterface)))(
    '%s passes its %s on to Instrument (%s)',
    async (source, name, mode) => {
      const quantity = source === 'search' ? Number(items.search.lot_size) : 1;
      const made = await dryRun(source, { ...instrument(mode, name), quantity });
      expect(made).toMatchObject({ symbol: items[source].symbol, exchange: items[source].exchange });
    },
  );

  it.each([
    ['position', 'order_side', 'product', 'qty', null],
    ['order', 'order_side', 'order_delivery_type', 'order_qty', 'order_type'],
    ['trigger', 'order_side', 'order_delivery_type', 'order_qty', 'order_type'],
  ] as const)('%s passes on side, product, quantity and type', async (source, side, product, quantity, type) => {
    const expression = (name: string): string => `={{ $json.${name} }}`;
    const made = await dryRun(source, {
      ...instrument('id', 'ref_id'),
      side: expression(side),
      product: expression(product),
      quantity: expression(quantity),
      ...(type === null ? {} : { orderType: expression(type), options: { validity: expression('validity_type') } }),
    });
    expect(JSON.stringify(made.would_send)).toMatch(/SELL.*IDAY|IDAY.*SELL/);
    expect(JSON.stringify(made.would_send)).toContain('3');
  });

  it('a holding is sold by its quantity', async () => {
    const made = await dryRun('holding', {
      ...instrument('symbol', 'symbol'),
      side: 'sell',
      product: 'delivery',
      quantity: '={{ String($json.qty) }}',
    });
    expect(JSON.stringify(made.would_send)).toContain(String(items.holding.qty));
  });

  it.each([
    ['b', 'mkt', /BUY/, /MARKET/],
    ['S', 'LMT', /SELL/, /LIMIT/],
  ])('the words of a table, %s and %s, are understood', async (side, priceType, sideSent, priceSent) => {
    const made = await dryRun('order', {
      ...{ ...instrument('id', 'ref_id'), product: 'mis', price: 2300 },
      // n8n drops the price where the type is fixed and not Limit.
      ...{ side: `={{ '${side}' }}`, priceType: `={{ '${priceType}' }}` },
    });
    const sent = JSON.stringify(made.would_send);
    expect([sent.match(sideSent), sent.match(priceSent), sent.match(/IDAY/)]).not.toContain(null);
  });

  it('the symbol of an item counts on its exchange only from version 1.1 on', async () => {
    const form = orderForm({ ...instrument('symbol', 'symbol'), price: 2300, safety: { dryRun: true } });
    const saved = await engine.run(form, { typeVersion: 1, items: [{ json: items.position }] });
    expect(saved.items[0]?.json.exchange).toBe('NSE');
  });
});

it('Product defaults to what suits the instrument: delivery for shares, intraday for options', async () => {
  const sandbox = await testSandbox();
  try {
    const engine = await Engine.start(sandbox.credential);
    const body = async (given: INodeParameters): Promise<string> => {
      const form = orderForm({ product: 'AUTO', price: 100, safety: { dryRun: true }, ...given });
      const { items, error } = await engine.run(form, { typeVersion: NOW });
      expect(error?.message).toBeUndefined();
      return JSON.stringify(items[0]?.json.would_send);
    };
    expect(await body({ price: 1100 })).toContain('CNC');
    expect(await body({ ...bySymbol('NIFTY NOV FUT'), quantityUnit: 'lots', price: 25000 })).toContain('IDAY');
  } finally {
    await sandbox.close();
  }
});

it.each([
  ['B', { side: 'b', orderType: 'MKT', priceType: 'MARKET', product: 'CARRYFORWARD' }, 'BUY', 'CNC'],
  ['S', { side: 'S', orderType: 'LMT', price: 1500, product: 'MIS' }, 'SELL', 'IDAY'],
  ['sell', { side: 'sell', orderType: '={{ "STOP_LOSS" }}', price: 1090, triggerPrice: 1095 }, 'SELL', 'STOPLOSS'],
])("the words of brokers' interfaces are understood: %s", async (_, given, side, word) => {
  const sandbox = await testSandbox();
  try {
    const engine = await Engine.start(sandbox.credential);
    const form = orderForm({ ...given, safety: { dryRun: true } } as INodeParameters);
    const { items, error } = await engine.run(form, { typeVersion: NOW });
    expect(error?.message).toBeUndefined();
    expect(JSON.stringify(items[0]?.json.would_send)).toMatch(new RegExp(`${side}.*${word}|${word}.*${side}`));
  } finally {
    await sandbox.close();
  }
});

it.each([
  ['a code of BSE that was typed', { instrument: { __rl: true, mode: 'symbol', value: '500209' } }, 'digits only'],
  ['a side that is none', { side: 'HOLD' }, 'Side must be one of'],
  ['a word of an alert for a position', { side: 'long' }, 'is "long", which names a position'],
  ['a word of an alert for leaving a position', { side: 'Buy to Cover' }, 'which names a position'],
  ['a word for a stop order', { priceType: 'SL-M' }, 'is "SL-M", which names a stop order'],
  [
    'a market order as a limit order',
    { orderType: 'MARKET', price: 1500 },
    'Order Type "MARKET" is that of a market order',
  ],
  ['a limit order as a market order', { orderType: 'limit', priceType: 'MARKET' }, 'and Price Type is Market.'],
  [
    'a stop at the market as one with a limit',
    { orderType: 'SL-M', price: 1500, triggerPrice: 1501 },
    'is that of a market',
  ],
  ['a product that is none', { product: 'ORDER_DELIVERY_TYPE_X' }, 'Product must be one of'],
])('refuses %s', async (_, given, text) => {
  const sandbox = await testSandbox();
  try {
    const engine = await Engine.start(sandbox.credential);
    const { error } = await engine.run(orderForm(given as INodeParameters), { typeVersion: NOW });
    expect(error?.message).toContain(text);
  } finally {
    await sandbox.close();
  }
});
