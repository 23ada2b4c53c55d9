/** Results of trading, read from the files of brokers: columns have many names, and nothing is guessed. */
import { ONE_SHARE } from '../../../client/values/contract-value';
import { fillPriceIn } from '../../../client/values/market-price';
import { knownPrice } from '../../support/price';
import { figuresOf, netOf } from '../../../client/performance/figures';
import { fillsOfOrders, joinFills, readTradebook, type Fill } from '../../../client/performance/fills';
import { grossOf, roundTrips } from '../../../client/performance/round-trips';
import type { JsonObject } from '../../../client/values/json';

const at = (text: string): number => Date.parse(`${text}+05:30`);
const fill = (symbol: string, quantity: number, price: number, more: Partial<Fill> = {}): Fill => ({
  at: at('2026-11-20T10:00:00'),
  symbol,
  product: 'CNC',
  contract: ONE_SHARE,
  quantity,
  price: fillPriceIn(price)!,
  charges: 0,
  orderId: `${symbol}${quantity}`,
  tag: '',
  ...more,
});
const noPrice = (): undefined => undefined;

describe('the tradebook', () => {
  const book = (rows: JsonObject[], more: JsonObject = {}): JsonObject => ({
    res: { ...more, sections: [{ title: 'Trades', rows }] },
  });

  test('is read in paise, as the sandbox writes it', () => {
    const row = {
      date: '2026-11-20',
      time: '10:15:30',
      symbol: 'INFY',
      product: 'IDAY',
      side: 'SELL',
      quantity: 10,
      price: 150_005,
      charges: 1_234,
      order_id: '1',
      trade_id: '2',
    };
    expect(readTradebook(book([row], { unit: 'paise' })).fills).toEqual([
      {
        at: at('2026-11-20T10:15:30'),
        contract: ONE_SHARE,
        symbol: 'INFY',
        product: 'IDAY',
        quantity: -10,
        price: 150_005,
        charges: 1_234,
        orderId: '1',
        tag: '',
      },
    ]);
  });

  test.each([
    [
      {
        'Trade Date': '20-11-2026',
        'Trade Time': '10:15',
        'Trading Symbol': 'INFY',
        'Buy/Sell': 'B',
        Qty: '1,000',
        Rate: '1,500.05',
      },
    ],
    [
      {
        trade_date: '20/11/2026',
        trade_time: '10:15:00',
        scrip_name: 'INFY',
        transaction_type: 'Buy',
        traded_quantity: 1000,
        trade_price: 1500.05,
      },
    ],
    [
      {
        date: '2026-11-20T10:15:00+05:30',
        symbol: 'INFY',
        order_side: 'ORDER_SIDE_BUY',
        filled_qty: 1000,
        average_price: 1500.05,
      },
    ],
  ])('is read under other names, in rupees, with other dates: %j', (row) => {
    expect(readTradebook({ rows: [row] }).fills).toMatchObject([
      { at: at('2026-11-20T10:15:00'), symbol: 'INFY', quantity: 1_000, price: 150_005, charges: null },
    ]);
  });

  test('tells taxes and charges that belong to no trade, by symbol', () => {
    const trade = {
      date: '2026-11-20',
      symbol: 'NIFTY26NOV26000CE',
      side: 'BUY',
      quantity: 75,
      price: 100.5,
      charges: 1,
    };
    const tax = { date: '2026-11-23', symbol: 'NIFTY26NOV26000CE', charges: 12.5 };
    const taxes = { title: 'Tax on exercised options', rows: [tax, tax] };
    const trades = { title: 'Trades', rows: [trade] };
    const read = readTradebook({ res: { unit: 'rupees', sections: [trades, taxes] } });
    expect([read.fills.length, [...read.taxes]]).toEqual([1, [['NIFTY26NOV26000CE', 2_500]]]);
    const none = readTradebook({ res: { unit: 'rupees', sections: [{ ...trades, rows: [] }, taxes] } });
    expect(none).toEqual({ fills: [], taxes: read.taxes });
    expect(() => readTradebook(book([{ ...tax, title: 'Rows' }]))).toThrow('no column for side, quantity, price');
  });

  test('is empty without rows, and is an error that says what it holds where it cannot be read', () => {
    expect(readTradebook(book([])).fills).toEqual([]);
    expect(() => readTradebook(book([{ date: '2026-11-20', what: 'INFY' }]))).toThrow(
      'no column for symbol, side, quantity, price; it has: title, date, what',
    );
    const row = { date: '2026-11-20', symbol: 'INFY', side: '?', quantity: 1, price: 1 };
    expect(() => readTradebook(book([row]))).toThrow('Row 1 of the tradebook does not tell');
    expect(() => readTradebook({ res: { sections: { 0: { title: 'Trades', rows: { 0: row } } } } })).toThrow(
      'The trades in the tradebook cannot be found',
    );
    expect(() => readTradebook({ a: [{ x: 1 }], b: [{ y: 1 }] })).toThrow(
      'The trades in the tradebook cannot be found',
    );
  });
});

describe('the orders of today', () => {
  const order = {
    order_id: '7',
    ref_data: { stock_name: 'INFY' },
    order_side: 'ORDER_SIDE_BUY',
    order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
    filled_qty: 10,
    avg_filled_price: 150_000.5,
    tag: 'breakout-abcdefghijkl',
  };

  test('count where the tradebook does not hold today yet, and give it the tags otherwise', () => {
    const now = at('2026-11-20T12:00:00');
    const { fills, unpriced } = fillsOfOrders([order], now);
    expect(fills).toMatchObject([
      { at: now, quantity: 10, price: 150_000.5, product: 'IDAY', tag: 'breakout', charges: null },
    ]);
    expect(unpriced).toEqual([]);
    const booked = [fill('INFY', 10, 150_000, { orderId: '7' })];
    expect(joinFills(booked, fills, '2026-11-20')).toEqual([{ ...booked[0], tag: 'breakout' }]);
    expect(joinFills([], fills, '2026-11-20')).toEqual(fills);
  });

  test('are named where they have no price', () => {
    const exited = { ...order, order_id: '8', exits: [{ status: 'FILLED', filled_qty: 10 }] };
    expect(fillsOfOrders([{ ...order, avg_filled_price: 0 }, exited], 0).unpriced).toEqual(['7', '8']);
  });

  test.each([{ filled_qty: 2.5 }, { filled_qty: '1e1' }, { ref_data: null }, { order_side: 'X' }])(
    'are named, and not counted, where the list does not tell them in full: %j',
    (cells) => {
      expect(fillsOfOrders([{ ...order, ...cells }], 0)).toEqual({ fills: [], unpriced: ['7'] });
      expect(fillsOfOrders([{ ...order, filled_qty: 0 }], 0)).toEqual({ fills: [], unpriced: [] });
    },
  );
});

describe('round trips', () => {
  test('match first in, first out, and their charges add up to the paisa', () => {
    const fills = [
      fill('INFY', 3, 100, { charges: 10, orderId: 'a' }),
      fill('INFY', 4, 200, { charges: 3, orderId: 'b' }),
      fill('INFY', -5, 300, { charges: 7, orderId: 'c', at: at('2026-11-20T11:00:00') }),
    ];
    const { trips, notCounted } = roundTrips(fills, () => knownPrice(250));
    expect(trips.map(({ quantity, entryOrderId, exitOrderId }) => [quantity, entryOrderId, exitOrderId])).toEqual([
      [3, 'a', 'c'],
      [2, 'b', 'c'],
      [2, 'b', ''],
    ]);
    expect(trips.map(grossOf)).toEqual([600, 200, 100]);
    expect(trips.reduce((sum, { costs }) => sum + costs, 0)).toBe(20);
    expect(trips.reduce((sum, trip) => sum + netOf(trip), 0)).toBe(880);
    expect(notCounted).toEqual([]);
  });

  test('do not count shares that were held before; an option that was sold first is short', () => {
    expect(roundTrips([fill('INFY', -5, 300)], noPrice)).toEqual({
      trips: [],
      notCounted: [{ symbol: 'INFY', quantity: 5, why: 'held before' }],
    });
    const short = [fill('NIFTY26NOV26000CE', -65, 300), fill('NIFTY26NOV26000CE', 65, 100)];
    expect(roundTrips(short, noPrice).trips).toMatchObject([
      { side: 'SHORT', quantity: 65, entryValue: 19_500, exitValue: 6_500 },
    ]);
  });

  test('do not count what closes a future or an option that was held before, and need a price for what is open', () => {
    const held = fill('NIFTY26NOVFUT', -65, 0, { held: true, orderId: '' });
    const { trips, notCounted } = roundTrips([held, fill('NIFTY26NOVFUT', 65, 300), fill('TCS', 1, 5)], noPrice);
    expect(trips).toEqual([]);
    expect(notCounted).toEqual([
      { symbol: 'NIFTY26NOVFUT', quantity: 65, why: 'held before' },
      { symbol: 'TCS', quantity: 1, why: 'no price' },
    ]);
  });
});

describe('figures', () => {
  const closed = (net: number, date: string) => ({
    symbol: 'INFY',
    product: 'IDAY',
    side: 'LONG' as const,
    quantity: 1,
    entryAt: at(`${date}T10:00:00`),
    entryValue: 100_000,
    exitAt: at(`${date}T10:01:00`),
    exitValue: 100_000 + net,
    costs: 0,
    tag: 'a',
    entryOrderId: '1',
    exitOrderId: '2',
  });

  test('hold win rate, profit factor, drawdown, days and the worst of them', () => {
    const trips = [closed(1_000, '2026-11-18'), closed(-500, '2026-11-18'), closed(-700, '2026-11-20')];
    const figures = figuresOf(trips, ['2026-11-18', '2026-11-19', '2026-11-20']);
    expect(figures).toMatchObject({
      result: -200,
      won: 1,
      lost: 2,
      winRate: 33.33,
      profitFactor: 0.833,
      drawdown: 1_200,
      average: -67,
      averageHoldingSeconds: 60,
      worstDay: { date: '2026-11-20', result: -700 },
      bestDay: { date: '2026-11-18', result: 500 },
    });
    expect(figures.days.map(({ result }) => result)).toEqual([500, 0, -700]);
    expect(figures.sharpe?.days).toBe(3);
    expect(figures.verdict).toContain('3 closed trades: fewer than 30 prove nothing');
  });

  test('judge nothing without a trade', () => {
    expect(figuresOf([], ['2026-11-20'])).toMatchObject({
      result: 0,
      winRate: null,
      profitFactor: null,
      sharpe: null,
      worstDay: { result: 0 },
    });
  });

  test('say what open trades have come to where none is closed', () => {
    const open = (net: number) => ({ ...closed(net, '2026-11-20'), exitAt: undefined });
    expect(figuresOf([open(1_050)], []).verdict).toBe(
      'No trade was closed. 1 is open, and it counts at the last price, after costs: +₹10.50 so far. Nothing is decided yet.',
    );
    expect(figuresOf([open(1_050), open(-2_000)], []).verdict).toContain(
      '2 are open, and they count at the last price, after costs: −₹9.50',
    );
  });

  test('say something of many trades only when these agree', () => {
    const many = (nets: (index: number) => number) =>
      figuresOf(
        Array.from({ length: 40 }, (_, index) => closed(nets(index), '2026-11-20')),
        [],
      ).verdict;
    expect(many((index) => 1_000 + index)).toContain('luck alone seldom');
    expect(many((index) => -1_20_000 - index)).toMatch(
      /^40 closed trades lost ₹1,200\.19 each on average, .* such a loss/,
    );
    expect(many((index) => (index % 2 === 0 ? 10_000 : -9_990))).toContain('can well be luck');
    expect(many(() => 12_345_650)).toContain('40 closed trades made ₹1,23,456.50 each on average, give or take ₹0.00');
    expect(many(() => -12_345_650)).toContain('40 closed trades lost ₹1,23,456.50 each on average');
  });
});

describe('trades of commodities', () => {
  const row = (more: JsonObject): JsonObject => ({
    date: '2026-11-20',
    time: '10:15:30',
    symbol: 'GOLD26DECFUT',
    exchange: 'MCX',
    side: 'BUY',
    quantity: 2,
    price: 15_925_000,
    ...more,
  });
  const result = (rows: JsonObject[]) =>
    roundTrips(readTradebook({ res: { unit: 'paise', rows } }).fills, () => undefined);

  it('are worth what the tradebook says that they were worth', () => {
    const worth = (price: number) => ({ price, value: 2 * 100 * price });
    const { trips } = result([row(worth(15_925_000)), row({ ...worth(15_926_000), side: 'SELL', time: '11:00:00' })]);
    expect(trips.map(grossOf)).toEqual([2 * 100 * 1_000]);
  });

  it('are not counted where nothing tells what they were worth, or a value is neither a multiple nor a part', () => {
    for (const value of [undefined, 2 * 15_925_000 * 100 + 7]) {
      const rows = [row({}), row({ side: 'SELL', time: '11:00:00' })].map((one) =>
        value === undefined ? one : { ...one, value },
      );
      expect(result(rows)).toEqual({
        trips: [],
        notCounted: [{ symbol: 'GOLD26DECFUT', quantity: 2, why: 'no unit' }],
      });
    }
  });
});

it('trades of one second are matched alike, whichever way the tradebook lists them', () => {
  const row = (order: number, side: string, price: number) => ({
    ...{ date: '2026-11-20', time: '10:15:00', symbol: 'INFY', side, quantity: 1, price, product: 'IDAY' },
    order_id: String(order),
  });
  const rows = [row(98, 'BUY', 100), row(99, 'BUY', 200), row(100, 'SELL', 300), row(101, 'SELL', 500)];
  const listed = (list: typeof rows) => readTradebook({ rows: list, unit: 'paise' }).fills;
  expect(listed([...rows].reverse())).toEqual(listed(rows));
  expect(listed(rows).map(({ orderId }) => orderId)).toEqual(['98', '99', '100', '101']);
});
