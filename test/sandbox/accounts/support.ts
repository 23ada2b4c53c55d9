import { createAccounts } from '../../../sandbox/src/accounts/accounts';
import type { NewOrder, Order, Trade } from '../../../sandbox/src/shared/orders';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import type { AccountsState } from '../../../sandbox/src/accounts/types';

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
export const ALL = [INFY, INFY_BSE, TCS, NIFTY, FUTURE, CALL, HIGHER_CALL, PUT];

export const A = 'A1';
/** Friday 2026-11-20, 10:00 IST. */
export const MORNING = Date.parse('2026-11-20T10:00:00+05:30');
export const CLOSE = Date.parse('2026-11-20T23:45:00+05:30');

/** Prices of a test: previous close and last price by ref_id, paise. */
export interface Prices {
  last: Map<number, number>;
  previous: Map<number, number>;
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
  ];
  return { last: new Map(start), previous: new Map(start) };
}

export function accounts(of: Prices = prices(), from?: AccountsState) {
  const books = createAccounts(
    {
      calendar: {
        isTradingDay: (_exchange, date) => ![0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay()),
        nextTradingDay: (_exchange, date) => date,
      },
      instrument: (refId) => ALL.find((candidate) => candidate.refId === refId),
      listings: ({ symbol }) => ALL.filter((one) => one.symbol === symbol).map(({ refId }) => refId),
      lastPrice: ({ refId }) => of.last.get(refId) ?? 0,
      previousClose: ({ refId }) => of.previous.get(refId) ?? 0,
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
