import { createAccounts } from '../../../sandbox/src/accounts/accounts';
import type { NewOrder, Order, Trade } from '../../../sandbox/src/shared/orders';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import type { AccountsState } from '../../../sandbox/src/accounts/state';

const base: Instrument = {
  refId: 0,
  platId: 0,
  token: 0,
  exchange: 'NSE',
  symbol: '',
  stockName: '',
  series: 'EQ',
  platName: '',
  displayName: '',
  asset: '',
  assetType: 'STOCK',
  derivativeType: 'STOCK',
  optionType: 'N/A',
  strikePrice: 0,
  expiry: 0,
  isin: 'INE000000000',
  lotSize: 1,
  lotMultiplier: 1,
  tickSize: 5,
  freezeQty: 100_000,
  bandPercent: null,
  underlyingRefId: null,
  closingAuction: false,
};

function instrument(refId: number, symbol: string, more: Partial<Instrument> = {}): Instrument {
  return {
    ...base,
    refId,
    platId: refId,
    token: refId,
    symbol,
    stockName: symbol,
    displayName: symbol,
    asset: symbol,
    platName: `STOCK_${symbol}.NSECM`,
    lotMultiplier: more.lotSize ?? 1,
    ...more,
  };
}

const option = (refId: number, type: 'CE' | 'PE', strike: number): Instrument =>
  instrument(refId, `NIFTY26NOV${strike}${type}`, {
    asset: 'NIFTY',
    assetType: 'INDEX_FO',
    derivativeType: 'OPT',
    optionType: type,
    strikePrice: strike * 100,
    expiry: 20261124,
    lotSize: 65,
    underlyingRefId: 10,
  });

export const INFY = instrument(1, 'INFY');
/** The same share on the other exchange. */
export const INFY_BSE = instrument(3, 'INFY', { exchange: 'BSE' });
export const TCS = instrument(2, 'TCS', { bandPercent: 20 });
export const NIFTY = instrument(10, 'NIFTY', { derivativeType: 'INDEX', assetType: 'INDEX' });
export const FUTURE = instrument(11, 'NIFTY26NOVFUT', {
  asset: 'NIFTY',
  assetType: 'INDEX_FO',
  derivativeType: 'FUT',
  expiry: 20261124,
  lotSize: 65,
  underlyingRefId: 10,
});
export const CALL = option(12, 'CE', 26_000);
export const HIGHER_CALL = option(13, 'CE', 26_500);
export const PUT = option(14, 'PE', 25_500);
const shareDerivative = (refId: number, name: string, more: Partial<Instrument>): Instrument =>
  instrument(refId, name, {
    asset: 'INFY',
    assetType: 'STOCK_FO',
    expiry: 20261124,
    lotSize: 400,
    underlyingRefId: 1,
    ...more,
  });
/** Of a share, settled in shares on Tuesday 2026-11-24. */
export const INFY_FUTURE = shareDerivative(21, 'INFY26NOVFUT', { derivativeType: 'FUT' });
export const INFY_CALL = shareDerivative(22, 'INFY26NOV1450CE', {
  derivativeType: 'OPT',
  optionType: 'CE',
  strikePrice: 145_000,
});
export const INFY_PUT = shareDerivative(23, 'INFY26NOV1550PE', {
  derivativeType: 'OPT',
  optionType: 'PE',
  strikePrice: 155_000,
});
export const ALL = [INFY, INFY_BSE, TCS, NIFTY, FUTURE, CALL, HIGHER_CALL, PUT, INFY_FUTURE, INFY_CALL, INFY_PUT];

export const A = 'A1';
/** Friday 2026-11-20, 10:00 IST. */
export const MORNING = Date.parse('2026-11-20T10:00:00+05:30');
export const CLOSE = Date.parse('2026-11-20T23:45:00+05:30');

/** Prices of a test: previous close and last price by ref_id, paise. */
export interface Prices {
  last: Map<number, number>;
  previous: Map<number, number>;
  /** Price of shares that are bought in; the last price when left out. */
  buyIn?: number;
  /** Instruments that the market lists no more. */
  delisted?: Set<number>;
  /** Terms of instruments that differ now, by ref_id. */
  terms?: Map<number, Partial<Instrument>>;
}

/** The first weekday after a date (YYYY-MM-DD). */
function nextWeekday(date: string): string {
  const next = new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000);
  const day = next.toISOString().slice(0, 10);
  return [0, 6].includes(next.getUTCDay()) ? nextWeekday(day) : day;
}

export function prices(): Prices {
  const start: [number, number][] = [
    [1, 150_000],
    [2, 300_000],
    [3, 150_100],
    [10, 2_600_000],
    [11, 2_610_000],
    [12, 20_000],
    [13, 8_000],
    [14, 7_000],
    [21, 150_500],
    [22, 6_000],
    [23, 6_200],
  ];
  return { last: new Map(start), previous: new Map(start) };
}

/**
 * @param intraday true if intraday positions are squared off at 15:15, which happens while the market keeps its
 * sessions
 */
export function accounts(of: Prices = prices(), from?: AccountsState, intraday = false) {
  const books = createAccounts(
    {
      calendar: {
        isTradingDay: (_exchange, date) => ![0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay()),
        nextTradingDay: (_exchange, date) => nextWeekday(date),
      },
      instrument: (refId) => {
        const listed = ALL.find((candidate) => candidate.refId === refId && !of.delisted?.has(refId));
        return listed && { ...listed, ...of.terms?.get(refId) };
      },
      listings: ({ symbol }) => ALL.filter((instrument) => instrument.symbol === symbol).map(({ refId }) => refId),
      buyIn: ({ refId }) => ({ price: of.buyIn ?? of.last.get(refId) ?? 0, how: 'AUCTION' }),
      lastPrice: ({ refId }) => of.last.get(refId) ?? 0,
      previousClose: ({ refId }) => of.previous.get(refId) ?? 0,
      ...(intraday && {
        intradayStop: (_instrument, at) => Math.floor((at + 19_800_000) / 86_400_000) * 86_400_000 + 35_100_000,
      }),
    },
    from,
  );
  return books;
}

export function order(more: Partial<NewOrder> & { refId: number }): NewOrder {
  return {
    account: A,
    kind: 'REGULAR',
    side: 'BUY',
    quantity: 1,
    product: 'CNC',
    validity: 'DAY',
    priceType: 'LIMIT',
    price: 100_000,
    triggerPrice: 0,
    legSize: 0,
    tag: '',
    basketId: 0n,
    source: 'ORDER_SOURCE_NORMAL',
    ...more,
  };
}

export function snapshot(id: bigint, of: NewOrder, status: Order['status'], filledQuantity = 0): Order {
  return {
    ...of,
    id,
    status,
    filledQuantity,
    filledValue: 0,
    exchangeOrderId: 0n,
    reason: '',
    createdAt: 0n,
    sentAt: 0n,
    acknowledgedAt: 0n,
    filledAt: 0n,
    cancelledAt: 0n,
    modifiedAt: 0n,
  };
}

export function fill(id: bigint, of: NewOrder, quantity: number, price: number, at: number): Trade {
  return {
    id: id * 1000n,
    orderId: id,
    account: of.account,
    refId: of.refId,
    side: of.side,
    product: of.product,
    price,
    quantity,
    at: BigInt(at) * 1_000_000n,
  };
}
