/**
 * Whatever asks for a price of the market where there is none says so and sends nothing: each form of none, at each place that asks,
 * in n8n's engine on both order interfaces. A proxy between the node and the sandbox changes the one answer.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { parse } from 'csv-parse/sync';
import { Engine, allTextOf } from '../support/engine';
import type { NodeRun } from '../support/engine-types';
import { bySymbol, orderForm } from '../support/parameters';
import { startProxy, type Proxy } from '../support/proxy';
import { share } from '../support/sample';
import { testSandbox, type TestSandbox } from '../support/sandbox';
import { inTurn } from '../support/turns';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

/** Values in place of a missing price, with the words that refuse each. A number that is missing is undefined. */
const NONE: readonly (readonly [unknown, RegExp])[] = [
  [0, /gives 0/],
  [-5, /below 0/],
  [null, /gives none/],
  [undefined, /gives none/],
  [2 ** 31 - 1, /2147483647/],
  ['NaN', /no number/],
  [150.5, /no whole number/],
];

const JSON_TYPE = { 'content-type': 'application/json' };
const basket = (given: INodeParameters): INodeParameters => ({
  ...{ resource: 'basket', operation: 'place', name: 'Mine', underlying: 'NIFTY', exchange: 'NSE', expiry: 'nearest' },
  ...{ strategy: 'straddle', quantity: 1, quantityUnit: 'lots', side: 'SELL', product: 'IDAY', priceType: 'MARKET' },
  ...{ optionType: 'CE', madeOf: 'both', distance: 1, width: 1, simplify: true, options: {}, safety: {}, ...given },
});
const legs = {
  leg: ['NIFTY26NOV25850CE', 'NIFTY26NOV26000CE'].map((symbol, at) => ({
    ...bySymbol(symbol),
    ...{ quantity: 1, quantityUnit: 'lots', side: at === 0 ? 'BUY' : 'SELL' },
  })),
};
const order = (given: INodeParameters): INodeParameters =>
  orderForm({ product: 'IDAY', priceType: 'MARKET', ...given });
const stop = { stopLoss: 2, keptBy: 'trigger' };
const closing = { closeAt: 'limit', slackPercent: 1, openOrders: 'count', options: {}, safety: {} };

/** Places that ask for the last price of an instrument. */
const PLACES: Record<string, INodeParameters> = {
  'exits in percent of a market order': order({ exits: stop }),
  'exits in points of a market order': order({ exits: { ...stop, exitsIn: 'points' } }),
  'a limit in percent from the last price': order({ priceType: 'LIMIT', pricesAs: 'percent', price: -2 }),
  'a limit in points from the last price': order({ priceType: 'LIMIT', pricesAs: 'points', price: -2 }),
  'a trigger in percent from the last price': order({
    ...{ side: 'SELL', orderType: 'STOPLOSS', priceType: 'LIMIT', pricesAs: 'percent', triggerPrice: -2, price: -3 },
  }),
  'a size by amount': order({ sizeBy: 'amount', sizeAmount: 50_000 }),
  'a size by a share of the funds': order({ sizeBy: 'funds', sizePercent: 2 }),
  'a size by risk': order({ sizeBy: 'risk', sizeRisk: 500, stopPrice: 1000 }),
  'the guard Largest Order Value': order({ safety: { maxOrderValue: 1_000_000 } }),
  'the guard Largest Day Value': order({ safety: { maxDayValue: 1_000_000 } }),
  'the guard Largest Distance': order({ priceType: 'LIMIT', price: 1100, safety: { maxPriceDistance: 50 } }),
  'a preview with exits': order({ operation: 'preview', exits: stop }),
  'many orders': order({ operation: 'placeMany', pricesAs: 'percent', priceType: 'LIMIT', price: -2 }),
  'a ready-made strategy of a basket': basket({}),
  'exits in percent of a basket at the market': basket({
    ...{ strategy: 'legs', side: 'BUY', legs, options: { exitsIn: 'percent', stopLossPrice: 10 } },
  }),
  'an option by its offset': {
    ...{ resource: 'instrument', operation: 'getOptionByOffset', underlying: 'NIFTY', exchange: 'NSE' },
    ...{ expiry: 'nearest', optionType: 'CE', moneyness: 'ATM', simplify: true, options: {} },
  },
  'a strategy that is built': {
    ...{ ...basket({}), resource: 'quote', operation: 'buildOptionStrategy', strikesBy: 'offset' },
    options: { picture: false, margin: false },
  },
  'a strategy that is built by delta': {
    ...{ ...basket({}), resource: 'quote', operation: 'buildOptionStrategy', strategy: 'strangle', strikesBy: 'delta' },
    ...{ deltaNear: 0.3, options: { picture: false, margin: false } },
  },
  'a target position with a limit': {
    ...{ ...order({}), operation: 'setTargetPosition', target: 10, quantityUnit: 'units', ...closing },
  },
  'the current price': { resource: 'quote', operation: 'getCurrentPrice', ...bySymbol('INFY'), options: {} },
  'a live snapshot': { resource: 'quote', operation: 'getLiveSnapshot', ...bySymbol('INFY'), options: {} },
};

describe.each(['v2', 'intent'] as const)('on %s', (orderInterface) => {
  const itInTurn = inTurn(2, orderInterface === 'v2' ? 0 : 1);
  let sandbox: TestSandbox;
  let proxy: Proxy;
  let engine: Engine;
  let none: unknown;
  /** The last price of each holding; undefined for what it is. */
  let holding: number | undefined;
  /** A text in place of each quantity of the portfolio, whose mean prices are then 0; undefined for what they are. */
  let units: string | undefined;
  /** True where no entry of the portfolio names its instrument. */
  let isUnnamed = false;
  /** Parts of the candles' points that are made invalid. */
  let series: RegExp | undefined;
  /** Instruments whose prices are made invalid. */
  let symbols = /./;
  beforeAll(async () => {
    sandbox = await testSandbox({ orderInterface, rateLimit: 'off' });
    proxy = await startProxy(sandbox.url);
    proxy.change = ({ path }, reply) => {
      if (holding !== undefined && path.endsWith('/holdings'))
        return {
          ...{ ...reply, headers: JSON_TYPE },
          text: reply.text.replaceAll(/"(last_traded_price|lastTradedPrice|ltp)":\s*\d+/g, `"$1":${holding}`),
        };
      if (isUnnamed && /(holdings|positions)$/.test(path))
        return {
          ...{ ...reply, headers: JSON_TYPE },
          text: reply.text.replaceAll(/"(ref_id|refId|NSE|BSE)":\s*\d+/g, '"$1":null'),
        };
      if (units !== undefined && /(holdings|positions)$/.test(path))
        return {
          ...{ ...reply, headers: JSON_TYPE },
          text: reply.text
            .replaceAll(/"(avg_price|avgPrice)":\s*[\d.]+/g, '"$1":0')
            .replaceAll(/"(qty|quantity|netQuantity|net_qty)":\s*-?\d+/g, `"$1":"${units}"`),
        };
      const isAsked = path.endsWith('/price') && symbols.test(path);
      if (!isAsked && (series === undefined || !path.endsWith('/timeseries'))) return undefined;
      const text = isAsked
        ? JSON.stringify({ ...(JSON.parse(reply.text) as object), price: none })
        : reply.text.replace(series!, `"v":${String(none)}`);
      return { ...reply, headers: JSON_TYPE, text };
    };
    engine = await Engine.start({ ...sandbox.credential, sandboxBaseUrl: proxy.url });
  });
  afterAll(async () => {
    await proxy.close();
    await sandbox.close();
  });

  const run = async (parameters: INodeParameters): Promise<NodeRun> =>
    await engine.run(parameters, { typeVersion: 1.1 });
  const received = async (): Promise<number> =>
    (await sandbox.journal()).filter(({ kind }) => ['order', 'basket', 'intent'].includes(kind)).length;

  it.each(Object.entries(PLACES).map(([place, parameters], at) => ({ place, parameters, at })))(
    '$place says that there is no price, and sends nothing',
    async ({ parameters, at }) => {
      const before = await received();
      for (const [value, words] of share(NONE, 4, orderInterface === 'v2' ? at : at + 2)) {
        none = value;
        const { items, error } = await run(parameters);
        expect(items).toEqual([]);
        const text = allTextOf(error!);
        expect(text).toMatch(/no last price/);
        expect(text).toMatch(words);
      }
      expect(await received()).toBe(before);
    },
  );

  itInTurn('instruments without a price say why among several, and an option without one has no premium', async () => {
    none = 0;
    symbols = /TCS|CE/;
    const prices = await run({ ...PLACES['the current price'], options: { moreInstruments: 'TCS' } });
    expect(prices.items.map(({ json }): IDataObject => json)).toMatchObject([
      { symbol: 'INFY', price: expect.any(Number) as number },
      { symbol: 'TCS', price: null, no_price_reason: 'the service gives 0, which is no price' },
    ]);
    expect(prices.items[0]!.json).not.toHaveProperty('no_price_reason');
    const option = await run(PLACES['an option by its offset']!);
    expect(option.items[0]?.json).toMatchObject({
      premium: null,
      no_price_reason: 'the service gives 0, which is no price',
    });
    symbols = /./;
  });

  itInTurn('candles show null where there is no price, and indicators leave the bar out; both say why', async () => {
    none = 0;
    const bars = { ...bySymbol('INFY'), interval: '1d' };
    const indicators = {
      ...{ resource: 'candle', operation: 'addIndicators', ...bars, bars: 'several', count: 5 },
      ...{ indicators: { entries: [{ indicator: 'sma', period: 3 }] }, crossings: {}, options: {} },
    };
    // Through the proxy as well, which takes the date off: what is over is decided alike.
    series = /(?!)/;
    const whole = await run(indicators);
    // Of each series the eighth point from its end.
    series = /"v":\d+(?=\}(?:,\{[^{}]*\}){7}\])/g;
    const candles = await run({
      ...{ resource: 'candle', operation: 'get', ...bars, range: 'last30Days', output: 'items', options: {} },
      fields: ['open', 'close'],
    });
    const missing = candles.items.filter(({ json }) => json.close === null);
    expect(missing.map(({ json }) => json.no_price_reason)).toEqual(['The service gives no price for open, close.']);
    const file = await run({
      ...{ resource: 'candle', operation: 'get', ...bars, range: 'last30Days', output: 'csv', options: {} },
      fields: ['open', 'close'],
    });
    const cells = parse(Engine.bytes(file.items[0]), { columns: true }) as Record<string, string>[];
    expect(cells.filter(({ open, close }) => open === '' && close === '')).toHaveLength(1);
    expect(cells.filter(({ open, close }) => Number(open) === 0 || Number(close) === 0)).toHaveLength(1);
    expect(file.items[0]?.json).toMatchObject({
      rows_without_price: 1,
      no_price_reason: expect.stringContaining('their cells are empty') as string,
    });
    const left = await run(indicators);
    expect([whole, left].map(({ error }) => error?.message)).toEqual([undefined, undefined]);
    expect(whole.items.at(-1)!.json).not.toHaveProperty('bars_left_out');
    expect(left.items.at(-1)!.json).toMatchObject({
      ...{ time: whole.items.at(-1)!.json.time, bars_left_out: 1 },
      no_price_reason: '1 of the bars before it has no price.',
    });
    series = undefined;
  });

  itInTurn('holdings and positions of an unreadable number, or at no price, are not told as 0', async () => {
    await run(order({ options: { waitFor: 'filled' } }));
    units = 'many';
    for (const [operation, quantity] of [
      ['getHoldings', 'quantity not known, bought'],
      ['getPositions', 'quantity not known'],
    ] as const) {
      const { items } = await engine.run({ resource: 'portfolio', operation, returnAll: true }, { typeVersion: 1.2 });
      for (const { json } of items.filter(({ json }) => json.segment !== 'closed')) {
        expect(json).toMatchObject({ qty: 'many', avg_price: null });
        expect(json.summary).toContain(`: ${quantity} at a price that is not known`);
      }
      expect(items.length).toBeGreaterThan(0);
    }
    units = undefined;
  });

  itInTurn('a target and a protection of what the portfolio does not name are refused', async () => {
    await run(order({ options: { waitFor: 'filled' } }));
    const before = await received();
    isUnnamed = true;
    const target = { target: 5, quantityUnit: 'units', ...closing, closeAt: 'market' };
    const refused = [
      await run({ ...order({}), operation: 'setTargetPosition', ...target }),
      await run({
        ...{ resource: 'portfolio', operation: 'protectPosition' },
        ...bySymbol('INFY'),
        exits: { stopLoss: 40 },
      }),
    ];
    isUnnamed = false;
    for (const { error } of refused)
      expect(allTextOf(error!)).toMatch(
        /does not tell which instrument \(ref_id\)|list of positions does not show INFY/,
      );
    expect(await received()).toBe(before);
  });

  itInTurn('holdings without a last price say that their profit counts for nothing', async () => {
    holding = 0;
    const { items } = await run({ resource: 'portfolio', operation: 'getHoldings', returnAll: true, simplify: true });
    expect(items.length).toBeGreaterThan(0);
    for (const { json } of items)
      expect(json).toMatchObject({
        ltp: null,
        no_price_reason: expect.stringMatching(/^No last price: the service gives 0/) as string,
      });
    const [summary] = (await run({ resource: 'portfolio', operation: 'getSummary', options: {} })).items;
    expect(summary?.json.holdings).toMatchObject({
      count: items.length,
      current_value: null,
      total_pnl: null,
      invested_amount: expect.any(Number) as number,
      no_price_reason: expect.stringMatching(/^No last price of .*: the service gives 0/) as string,
    });
    expect(summary?.json.positions).not.toHaveProperty('no_price_reason');
    holding = undefined;
    const whole = (await run({ resource: 'portfolio', operation: 'getSummary', options: {} })).items[0];
    expect(whole?.json.holdings).toMatchObject({ current_value: expect.any(Number) as number });
    expect(whole?.json.holdings).not.toHaveProperty('no_price_reason');
  });
});
