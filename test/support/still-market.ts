import type { Calendar, Instrument, Universe } from '../../sandbox/src/market/reference/types';
import type { MarketDepth, Market } from '../../sandbox/src/market/prices/types';

/** Monday, 23 November 2026, 10:00:00 in India. */
export const MONDAY_TEN = Date.UTC(2026, 10, 23, 4, 30, 0);

export const SHARE: Instrument = {
  refId: 7001,
  platId: 17001,
  token: 27001,
  exchange: 'NSE',
  symbol: 'INFY',
  stockName: 'INFY',
  series: 'EQ',
  platName: 'STOCK_INFY.NSECM',
  displayName: 'INFY',
  asset: 'INFY',
  assetType: 'STOCK',
  derivativeType: 'STOCK',
  optionType: 'N/A',
  strikePrice: 0,
  expiry: 0,
  isin: 'INE009A01021',
  lotSize: 1,
  lotMultiplier: 1,
  tickSize: 10,
  freezeQty: 100_000,
  bandPercent: 20,
  underlyingRefId: null,
  closingAuction: false,
};

export const FUTURE: Instrument = {
  ...SHARE,
  refId: 7002,
  symbol: 'NIFTY26NOVFUT',
  platName: 'FUT_NIFTY_20261124',
  asset: 'NIFTY',
  derivativeType: 'FUT',
  expiry: 20261124,
  lotSize: 65,
  lotMultiplier: 65,
  freezeQty: 1800,
  bandPercent: null,
  underlyingRefId: 7003,
};

export const INDEX: Instrument = {
  ...SHARE,
  refId: 7003,
  symbol: 'NIFTY',
  asset: 'NIFTY',
  derivativeType: 'INDEX',
  bandPercent: null,
};

const OPTION: Instrument = { ...FUTURE, derivativeType: 'OPT', strikePrice: 2_400_000, tickSize: 5 };
export const CALL: Instrument = {
  ...OPTION,
  refId: 7004,
  symbol: 'NIFTY26NOV24000CE',
  platName: 'OPT_NIFTY_20261124_CE_2400000',
  optionType: 'CE',
};
export const PUT: Instrument = {
  ...OPTION,
  refId: 7005,
  symbol: 'NIFTY26NOV24000PE',
  platName: 'OPT_NIFTY_20261124_PE_2400000',
  optionType: 'PE',
};

export interface StillMarket extends Market {
  /** Prices that others pay now and from now on, by ref_id, paise. */
  prices: Map<number, number>;
  /** Quantity others trade per second. */
  traded: number;
  /** Quantity shown on each level; level n (from 0) lies n + 1 ticks from the price. */
  shown: number;
}

/** A market whose price, depth and volume are what the test sets; open from 09:15 to 15:30 on weekdays. */
export function stillMarket(
  price = 150_000,
  instruments: Instrument[] = [SHARE, FUTURE, INDEX, CALL, PUT],
): StillMarket {
  const byRefId = new Map(instruments.map((instrument) => [instrument.refId, instrument]));
  const prices = new Map(instruments.map(({ refId }) => [refId, price]));
  const universe: Universe = {
    date: '2026-11-23',
    size: instruments.length,
    all: () => instruments,
    byRefId: (refId) => byRefId.get(refId),
    bySymbol: (exchange, symbol) =>
      instruments.find((instrument) => instrument.exchange === exchange && instrument.symbol === symbol),
    byPlatName: (exchange, name) =>
      instruments.find((instrument) => instrument.exchange === exchange && instrument.platName === name),
    expiries: () => [],
    options: () => ({ ce: [], pe: [] }),
    futures: () => [],
  };
  const market: StillMarket = {
    hours: 'exchange',
    prices,
    traded: 0,
    shown: 100,
    universe: () => universe,
    exposure: (refId) => ({ asset: `contract ${refId}`, beta: 0, members: [] }),
    price: ({ refId }) => prices.get(refId)!,
    close: ({ refId }) => prices.get(refId)!,
    previousClose: () => price,
    closeRange: () => ({ high: price, low: price }),
    depth: ({ tickSize }, _at, around, levels) => depth(tickSize, around, levels, market.shown),
    volume: (_instrument, from, to) => Math.round((market.traded * (to - from)) / 1000),
    openInterest: () => 0,
    liquidity: ({ lotSize }) => ({ volume: 1e9, lot: lotSize, volatility: 0, everywhere: null }),
    greeks: () => ({ iv: 0, delta: 0, gamma: 0, theta: 0, vega: 0 }),
    auctionPrice: () => null,
    indicativeClose: () => null,
    bars: () => [],
    calendar: weekdays,
  };
  return market;
}

function depth(tick: number, around: number, levels: number, shown: number): MarketDepth {
  const side = (direction: 1 | -1): MarketDepth['bids'] =>
    Array.from({ length: shown > 0 ? levels : 0 }, (_, n) => ({
      price: around + direction * (n + 1) * tick,
      quantity: shown,
      orders: 3,
    }));
  return { bids: side(-1), asks: side(1) };
}

function at(date: string, time: string): number {
  return Date.parse(`${date}T${time}+05:30`);
}

const weekdays: Calendar = {
  first: '2010-06-01',
  last: '2033-12-31',
  isTradingDay: (_exchange, date) => ![0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay()),
  nextTradingDay: (_exchange, date) => step(date, 1),
  previousTradingDay: (_exchange, date) => step(date, -1),
  sessions: (exchange, derivative, date) => {
    if (!weekdays.isTradingDay(exchange, date)) return [];
    const open = { phase: 'OPEN' as const, from: at(date, '09:15'), to: at(date, '15:30') };
    if (derivative) return [open];
    return [
      { phase: 'PRE_OPEN', from: at(date, '09:00'), to: at(date, '09:08') },
      open,
      { phase: 'POST_CLOSE', from: at(date, '15:40'), to: at(date, '16:00') },
    ];
  },
};

function step(date: string, days: number): string {
  let next = Date.parse(`${date}T00:00:00Z`);
  do next += days * 86_400_000;
  while ([0, 6].includes(new Date(next).getUTCDay()));
  return new Date(next).toISOString().slice(0, 10);
}
