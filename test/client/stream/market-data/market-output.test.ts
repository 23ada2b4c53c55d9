/** Text that the user reads of market data, and the part of it that is wanted. */
import { describe, expect, it, test } from '@jest/globals';
import type {
  ClosedCandle,
  MarketEvent,
  MarketInstrument,
  MarketOption,
  MarketTick,
} from '../../../../client/stream/market-data/market-data';
import {
  figuresOfCandle,
  figuresOfDepth,
  figuresOfOption,
  figuresOfTick,
  isWithin,
} from '../../../../client/stream/market-data/market-filter';
import {
  candleOutput,
  chainOutput,
  depthOutput,
  greeksOutput,
  priceTime,
  tickOutput,
} from '../../../../client/stream/market-data/market-output';
import { chainKey, depthKey, greeksKey, LatestValues } from '../../../../client/stream/market-data/latest-values';
import { knownPrice } from '../../../support/price';

const now = Date.parse('2026-11-23T10:00:00+05:30');
const OPTIONS = { unit: 'rupees', environment: 'uat', now } as const;
const TAIL = { event_time_ist: '2026-11-23T10:00:00.000+05:30', environment: 'uat' };
const instrument: MarketInstrument = { refId: 7, symbol: 'INFY', exchange: 'NSE', kind: 'STOCK' };
const tick: MarketTick = {
  instrument,
  lastPrice: knownPrice(151_500),
  at: now - 1_000,
  source: 'history',
  previousClose: knownPrice(150_000),
  dayHigh: knownPrice(152_000),
  dayLow: knownPrice(149_000),
  volume: 12,
  openInterest: 3,
};
const candle: ClosedCandle = {
  ...{ instrument, interval: '1m' as const, at: now - 60_000 },
  ...{
    open: knownPrice(150_000),
    high: knownPrice(152_000),
    low: knownPrice(149_000),
    close: knownPrice(151_500),
    volume: 12,
    recovered: true,
  },
};
const option: MarketOption = {
  ...{
    refId: 9,
    strike: 2_400_000,
    lotSize: 75,
    lastPrice: knownPrice(15_000),
    change: 1.5,
    iv: 0.2,
    delta: 0.5,
    gamma: 0.01,
  },
  ...{ theta: -2, vega: 3, openInterest: 100, previousOpenInterest: 160, volume: 50, at: now },
};
const book: Extract<MarketEvent, { kind: 'depth' }> = {
  kind: 'depth',
  instrument,
  depth: {
    ...{ refId: 7, time: `${now}000000`, lastPrice: knownPrice(151_500), lastQuantity: 2, volume: 12 },
    bids: [
      { price: 151_400, quantity: 30, orders: 2 },
      { price: 151_300, quantity: 30, orders: 1 },
    ],
    asks: [{ price: 151_600, quantity: 20, orders: 1 }],
  },
};

describe('an item', () => {
  test('tells of a price', () => {
    expect(tickOutput(tick, 2, OPTIONS)).toEqual({
      ...{ event: 'tick', symbol: 'INFY', exchange: 'NSE', price: 1515, prev_close: 1500, change_percent: 1 },
      ...{ day_high: 1520, day_low: 1490, volume: 12, open_interest: 3, price_source: 'history', ref_id: 7 },
      ...{ price_time_ist: '2026-11-23T09:59:59.000+05:30', skipped_updates: 2, ...TAIL },
    });
  });

  test('tells of a candle, and leaves out none', () => {
    expect(candleOutput(candle, { ...OPTIONS, unit: 'paise' })).toEqual({
      ...{ event: 'candle', symbol: 'INFY', exchange: 'NSE', interval: '1m', time: '2026-11-23T09:59:00.000+05:30' },
      ...{
        open: 150_000,
        high: 152_000,
        low: 149_000,
        close: 151_500,
        volume: 12,
        recovered: true,
        ref_id: 7,
        ...TAIL,
      },
    });
  });

  test('tells of a depth, also of an empty one', () => {
    expect(depthOutput(book, 0, OPTIONS)).toEqual({
      ...{ event: 'depth', symbol: 'INFY', exchange: 'NSE', last_price: 1515, last_quantity: 2, volume: 12 },
      ...{ best_bid: 1514, best_ask: 1516, spread: 2, mid: 1515, bid_quantity: 60, ask_quantity: 20, imbalance: 0.5 },
      bids: [
        { price: 1514, quantity: 30, orders: 2 },
        { price: 1513, quantity: 30, orders: 1 },
      ],
      asks: [{ price: 1516, quantity: 20, orders: 1 }],
      ...{ time_ist: TAIL.event_time_ist, ref_id: 7, skipped_updates: 0, ...TAIL },
    });
    const empty = { ...book, depth: { ...book.depth, bids: [], asks: [] } };
    expect(depthOutput(empty, 0, OPTIONS)).toMatchObject({ best_bid: null, best_ask: null, spread: null, bids: [] });
  });

  const optionItem = {
    ...{ strike_price: 24_000, lot_size: 75, last_price: 150, change: 1.5, iv: 0.2, delta: 0.5, gamma: 0.01 },
    ...{ theta: -2, vega: 3, open_interest: 100, open_interest_change: -60, volume: 50, ref_id: 9 },
    time: TAIL.event_time_ist,
  };

  test('tells of an option, and of a chain of them', () => {
    expect(greeksOutput({ kind: 'greeks', instrument, option }, 1, OPTIONS)).toEqual({
      ...{ event: 'greeks', symbol: 'INFY', exchange: 'NSE', ...optionItem, skipped_updates: 1, ...TAIL },
    });
    const chain = {
      exchange: 'NSE',
      asset: 'NIFTY',
      expiry: '2026-11-24',
      atTheMoney: 2_405_000,
      spot: knownPrice(2_403_000),
    };
    expect(chainOutput({ ...chain, calls: [option], puts: [] }, 3, OPTIONS)).toEqual({
      ...{ event: 'optionChain', asset: 'NIFTY', exchange: 'NSE', expiry: '2026-11-24', spot: 24_030 },
      ...{ at_the_money: 24_050, calls: [optionItem], puts: [], skipped_updates: 3, ...TAIL },
    });
  });
});

describe('limits', () => {
  const none = { iv: null, delta: null, openInterest: null };

  test('are of what an update tells', () => {
    expect(figuresOfTick(tick)).toEqual({ ...none, price: 151_500, change: 1, volume: 12, openInterest: 3 });
    expect(figuresOfCandle(candle)).toEqual({ ...none, price: 151_500, change: 1, volume: 12 });
    expect(figuresOfDepth(book)).toEqual({ ...none, price: 151_500, change: null, volume: 12 });
    expect(figuresOfOption(option)).toEqual({
      ...{ price: 15_000, change: 1.5, volume: 50, iv: 20, delta: 0.5, openInterest: 100 },
    });
    expect(figuresOfTick({ ...tick, previousClose: null }).change).toBeNull();
  });

  test.each([
    [1, 2, true],
    [1, 1, true],
    [1.01, 2, false],
    [0, 0.99, false],
  ])('include both bounds from %d to %d: %s', (min, max, isIn) => {
    const figures = figuresOfTick(tick);
    expect(isWithin([{ figure: 'change', min, max }], figures)).toBe(isIn);
    expect(
      isWithin(
        [
          { figure: 'price', min: 0, max: 1e9 },
          { figure: 'change', min, max },
        ],
        figures,
      ),
    ).toBe(isIn);
    // What it does not tell is not within.
    expect(isWithin([{ figure: 'change', min, max }], { ...figures, change: null })).toBe(false);
  });
});

describe('latest values', () => {
  const level = (price: number) => ({ price, quantity: 1, orders: 1 });
  const frame = (refId: number) => ({
    timestamp: '0',
    instruments: [
      {
        ...{ refId, timestamp: '5', ltp: 10, ltq: 2, volume: 3 },
        bids: [level(9), level(8)],
        asks: [level(11), level(12)],
      },
    ],
  });
  const greeks = (refId: number, strike: number) => ({
    ...{ refId, ts: '1795165546000000000', sp: strike, ls: 75, ltp: 10, ltpchg: 1, iv: 2, delta: 3, gamma: 4 },
    ...{ theta: 5, vega: 6, oi: 7, prevOi: 8, volume: 9 },
  });
  type Depth = Parameters<LatestValues['takeDepth']>[0];
  type Greeks = Parameters<LatestValues['takeGreeks']>[0];
  type Chain = Parameters<LatestValues['takeChain']>[0];
  const received = () => {
    const events: MarketEvent[] = [];
    return { events, listener: (event: MarketEvent) => void events.push(event) };
  };

  test('reach those who want depth, in as many levels as they want, and who comes later sees the last', () => {
    const pictures = new LatestValues(() => Number.MAX_SAFE_INTEGER);
    const [item, both, later] = [received(), received(), received()];
    const leave = pictures.join(depthKey(7), instrument, item.listener, 1);
    pictures.join(depthKey(7), instrument, both.listener, 2);
    expect(both.events).toEqual([]);
    pictures.takeDepth(frame(8) as unknown as Depth);
    expect([item.events, both.events]).toEqual([[], []]);
    pictures.takeDepth(frame(7) as unknown as Depth);
    const depth = { refId: 7, time: '5', lastPrice: 10, lastQuantity: 2, volume: 3 };
    expect(item.events).toEqual([
      { kind: 'depth', instrument, depth: { ...depth, bids: [level(9)], asks: [level(11)] } },
    ]);
    expect(both.events).toMatchObject([{ depth: { bids: [level(9), level(8)], asks: [level(11), level(12)] } }]);
    pictures.join(depthKey(7), instrument, later.listener, 1);
    expect(later.events).toEqual(item.events);
    leave();
    pictures.takeDepth(frame(7) as unknown as Depth);
    expect([item.events.length, both.events.length]).toEqual([1, 2]);
  });

  test('are forgotten when nobody wants them any more', () => {
    const pictures = new LatestValues(() => Number.MAX_SAFE_INTEGER);
    const [item, later] = [received(), received()];
    const leave = pictures.join(greeksKey(7), instrument, item.listener);
    pictures.takeGreeks({ instruments: [greeks(7, 100), greeks(8, 100)] } as unknown as Greeks);
    expect(item.events).toMatchObject([
      { kind: 'greeks', instrument, option: { refId: 7, strike: 100, at: 1_795_165_546_000 } },
    ]);
    leave();
    pictures.join(greeksKey(7), instrument, later.listener);
    expect(later.events).toEqual([]);
  });

  test('are sorted by strike for a chain, and known by exchange, underlying and expiry', () => {
    const pictures = new LatestValues(() => Number.MAX_SAFE_INTEGER);
    const { events, listener } = received();
    pictures.join(chainKey('NSE', 'nifty', '20261124'), undefined, listener);
    const chain = { exchange: 'NSE', asset: 'NIFTY', expiry: '20261124', atm: 100, currentprice: 101 };
    const legs = { ce: [greeks(2, 200), greeks(1, 100)], pe: [greeks(4, 200), greeks(3, 100)] };
    pictures.takeChain({ ...chain, ...legs, expiry: '20261201' } as unknown as Chain);
    pictures.takeChain({ ...chain, ...legs } as unknown as Chain);
    expect(events).toMatchObject([
      {
        kind: 'chain',
        chain: {
          ...{ exchange: 'NSE', asset: 'NIFTY', expiry: '2026-11-24', atTheMoney: 100, spot: 101 },
          calls: [{ refId: 1, strike: 100 }, { refId: 2 }],
          puts: [{ refId: 3, openInterest: 7, previousOpenInterest: 8 }, { refId: 4 }],
        },
      },
    ]);
    pictures.join(chainKey('NSE', 'NIFTY', 'x'), undefined, listener);
    pictures.takeChain({ ...chain, ...legs, expiry: 'x' } as unknown as Chain);
    expect(events).toHaveLength(1);
  });
});

it.each([
  [undefined, '2026-11-23T09:59:58.666+05:30'],
  [1_000, '2026-11-23T09:59:58+05:30'],
  [60_000, '2026-11-23T09:59+05:30'],
])('the time of a price from a candle of %s ms is that candle, and no moment in it', (withinMs, shown) => {
  const at = Date.parse('2026-11-23T09:59:58.666+05:30');
  const time = priceTime({ at, ...(withinMs === undefined ? {} : { withinMs }) });
  expect(time).toBe(shown);
  expect(Date.parse(time)).toBe(Math.floor(at / (withinMs ?? 1)) * (withinMs ?? 1));
});
