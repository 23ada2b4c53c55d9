/** Worth of an account before and after a period, and the parts of the difference. */
import { contractValue, PER_SHARE } from '../../market/reference/contract-value';
import { paidInFull } from '../../accounts/span';
import { assetsAfter, assetsBefore, matchKey, unitOf } from './movements';
import { sum } from './statistics';
import type { AccountAssets, PositionChange, ReportedDays, PerformanceSource, RoundTrip } from './types';
import type { LedgerKind } from '../../accounts/records';

/** Cash that came or went without trading. */
const EXTERNAL: ReadonlySet<LedgerKind> = new Set([
  'OPENING',
  'FUNDS_ADDED',
  'FUNDS_WITHDRAWN',
  'DIVIDEND',
  'TDS',
  'CORPORATE_ACTION',
  'INTEREST',
]);

/**
 * Cash and everything owned at its price, paise:
 * `end` − `start` = `result` + `heldBefore` + `external` + `setByHand`.
 */
export interface Equity {
  start: number;
  end: number;
  /** Of the trades of the period, after their costs. */
  result: number;
  /** Gain of earlier holdings in the period, until they were sold or until its end, after costs. */
  heldBefore: number;
  /** Funds paid in or out, dividends less tax, fractions of shares that were paid, and interest on a debit balance. */
  external: number;
  /** Worth of holdings that the control plane gave or took. */
  setByHand: number;
}

/** Figures that the report has already. */
interface Counted {
  before: readonly PositionChange[];
  movements: readonly PositionChange[];
  trips: readonly RoundTrip[];
  held: readonly RoundTrip[];
  price: (key: string, refId: number, at: number) => number;
  end: number;
}

/** @param counted movements with those that were held before; prices by what is matched (see `Movement.key`). */
export function equityOf(source: PerformanceSource, period: ReportedDays, counted: Counted): Equity {
  const { before, movements, trips, held, price, end } = counted;
  const opening = new Map(before.map(({ key, price: at }) => [key, at]));
  const books = assetsAfter(source, period.to);
  const atEnd = (key: string, refId: number): number => price(key, refId, end);
  const external = source.accounts
    .ledger(source.account)
    .filter(({ kind, date }) => EXTERNAL.has(kind) && date >= period.from && date <= period.to);
  return {
    start: worth(source, assetsBefore(source, period.from), (key) => opening.get(key) ?? 0),
    end: worth(source, books, atEnd),
    result: sum(trips.map(({ net }) => net)),
    heldBefore: sum(held.map(({ net }) => net)),
    external: sum(external.map(({ amount }) => amount)),
    setByHand: setByHand(source, books, movements, atEnd),
  };
}

/** Cash, and what everything that is owned would fetch. */
function worth(source: PerformanceSource, books: AccountAssets, price: (key: string, refId: number) => number): number {
  const shares = books.holdings.map(({ refId, quantity, t1Quantity }) =>
    contractValue(PER_SHARE, price(matchKey(source, refId, 'CNC'), refId), quantity + t1Quantity),
  );
  const positions = books.positions.map(({ refId, product, openQuantity, openValue }) => {
    if (openQuantity === 0) return 0;
    const value = contractValue(unitOf(source, refId), price(matchKey(source, refId, product), refId), openQuantity);
    const instrument = source.instrument(refId);
    return instrument === undefined || paidInFull(instrument, product) ? value : value - openValue;
  });
  return books.cash + sum(shares) + sum(positions);
}

/** Worth of shares that are there, or are not, without a trade. */
function setByHand(
  source: PerformanceSource,
  books: AccountAssets,
  movements: readonly PositionChange[],
  price: (key: string, refId: number) => number,
): number {
  const quantities = new Map<string, { refId: number; quantity: number }>();
  const add = (key: string, refId: number, quantity: number): void => {
    const known = quantities.get(key);
    quantities.set(key, { refId: known?.refId ?? refId, quantity: (known?.quantity ?? 0) + quantity });
  };
  for (const { key, refId, quantity } of movements) add(key, refId, -quantity);
  for (const { refId, quantity, t1Quantity } of books.holdings)
    add(matchKey(source, refId, 'CNC'), refId, quantity + t1Quantity);
  for (const { refId, product, openQuantity } of books.positions)
    add(matchKey(source, refId, product), refId, openQuantity);
  return sum(
    [...quantities].map(([key, { refId, quantity }]) =>
      quantity === 0 ? 0 : contractValue(unitOf(source, refId), price(key, refId), quantity),
    ),
  );
}
