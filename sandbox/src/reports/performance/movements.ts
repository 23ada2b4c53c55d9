/** Movements of positions in a period, read from the books. */
import { type ContractUnit, contractValue, PER_SHARE } from '../../market/reference/contract-value';
import { totalCharges } from '../../accounts/charges';
import { isDerivative } from '../../accounts/span';
import type { Product } from '../../shared/orders';
import { mulDiv } from '../../shared/money';
import { istDate, istMidnight, millisOf } from '../../shared/time';
import type { AccountAssets, PositionChange, ReportedDays, PerformanceSource } from './types';
import type { BookedTrade, DayClose, MatchedTrade, CorporateAdjustment, LedgerEntry } from '../../accounts/records';

/** Returns the key by which movements are matched (see `Movement.key`). */
export function matchKey({ instrument }: PerformanceSource, refId: number, product: Product): string {
  const facts = instrument(refId);
  const isShare = facts !== undefined && !isDerivative(facts) && product === 'CNC';
  return isShare && facts.isin !== '' ? facts.isin : `${refId} ${product}`;
}

/** Returns the unit of an instrument's prices. */
export function unitOf({ instrument }: PerformanceSource, refId: number): ContractUnit {
  return instrument(refId) ?? PER_SHARE;
}

/** The books as a day began: those of the last close before it; empty ones where there is none. */
export function assetsBefore({ account, accounts }: PerformanceSource, date: string): AccountAssets {
  const close = accounts.closes(account).findLast((close) => close.date < date);
  if (close === undefined) return { cash: 0, positions: [], holdings: [] };
  return { cash: close.funds.cash, positions: close.carried, holdings: close.holdings };
}

/** The books at the end of a day; the present ones where it has not ended. */
export function assetsAfter({ account, accounts }: PerformanceSource, date: string): AccountAssets {
  const close = accounts.closes(account).find((close) => close.date === date);
  if (close !== undefined) return { cash: close.funds.cash, positions: close.carried, holdings: close.holdings };
  return {
    cash: accounts.funds(account).cash,
    positions: accounts.positions(account),
    holdings: accounts.holdings(account),
  };
}

/** Returns the holdings when a period began, at the closing prices of the day before. */
export function heldBefore(source: PerformanceSource, { from }: ReportedDays): PositionChange[] {
  const closes = source.accounts.closes(source.account).findLast((close) => close.date < from)?.closes ?? {};
  const { positions, holdings } = assetsBefore(source, from);
  const at = istMidnight(from);
  const held = (refId: number, product: Product, quantity: number): PositionChange => ({
    key: matchKey(source, refId, product),
    refId,
    product,
    at,
    quantity,
    unit: unitOf(source, refId),
    price: closes[refId] ?? source.price(refId, at),
    charges: 0,
    orderId: '',
    tag: '',
    kind: 'held',
  });
  return [
    ...holdings.map(({ refId, quantity, t1Quantity }) => held(refId, 'CNC', quantity + t1Quantity)),
    ...positions.map(({ refId, product, openQuantity }) => held(refId, product, openQuantity)),
  ].filter(({ quantity }) => quantity !== 0);
}

/** Trades and settlements of a period, oldest first. */
export function movementsOf(source: PerformanceSource, { from, to }: ReportedDays): PositionChange[] {
  const { account, accounts } = source;
  const traded = accounts
    .trades(account)
    .filter(({ date }) => date >= from && date <= to)
    .map((booked) => tradeMovement(source, booked));
  for (const entry of accounts.ledger(account)) if (entry.date >= from && entry.date <= to) addToSale(traded, entry);
  const taxed = new Set<string>();
  const settlements = accounts
    .closures(account)
    .filter(({ settled: side, at }) => side !== undefined && at >= istMidnight(from) && at < istMidnight(to) + DAY_MS)
    .map((closure) => {
      const key = `${closure.at} ${closure.refId}`;
      const charges = taxed.has(key) ? 0 : exerciseTaxOf(source, closure);
      taxed.add(key);
      return { closure, charges };
    });
  const adjusted = accounts.adjustments(account).filter(({ date }) => date >= from && date <= to);
  const open = new Map<string, number>();
  const made: { at: number; rank: number; make: () => PositionChange[] }[] = [
    ...traded.map((movement) => ({ at: movement.at, rank: 1, make: () => [movement] })),
    ...settlements.map(({ closure, charges }) => ({
      at: closure.at,
      rank: 2,
      make: () => [settlementMovement(source, closure, charges)],
    })),
    ...adjusted.map((adjustment) => ({
      at: adjustment.at,
      rank: 0,
      make: () => adjustmentMovements(source, adjustment, open),
    })),
  ];
  for (const { key, quantity } of heldBefore(source, { from, to })) open.set(key, (open.get(key) ?? 0) + quantity);
  return made
    .sort((a, b) => a.at - b.at || a.rank - b.rank)
    .flatMap(({ make }) => {
      const movements = make();
      for (const { key, quantity } of movements) open.set(key, (open.get(key) ?? 0) + quantity);
      return movements;
    });
}

const DAY_MS = 86_400_000;

function tradeMovement(source: PerformanceSource, { trade, charges }: BookedTrade): PositionChange {
  const { order } = trade;
  return {
    key: matchKey(source, trade.refId, trade.product),
    refId: trade.refId,
    product: trade.product,
    at: millisOf(trade.at),
    quantity: trade.side === 'BUY' ? trade.quantity : -trade.quantity,
    price: trade.price,
    unit: unitOf(source, trade.refId),
    charges: totalCharges(charges),
    orderId: trade.orderId.toString(),
    ...(order?.decisionPrices !== undefined && { decisionPrices: order.decisionPrices }),
    tag: order?.tag ?? '',
    ...(order?.placedBy && { placedBy: order.placedBy }),
    kind: 'trade',
  };
}

/** Returns the movement by which a settlement closes a position, on whichever side. */
function settlementMovement(
  source: PerformanceSource,
  { refId, product, quantity, buyValue, sellValue, at, settled }: MatchedTrade,
  charges: number,
): PositionChange {
  const key = matchKey(source, refId, product);
  const isLong = settled === 'SELL';
  const unit = unitOf(source, refId);
  return {
    key,
    refId,
    product,
    at,
    quantity: isLong ? -quantity : quantity,
    price: (isLong ? sellValue : buyValue) / contractValue(unit, 1, quantity),
    unit,
    charges,
    orderId: '',
    tag: '',
    kind: 'settled',
  };
}

/**
 * Returns the movements of a corporate action: new shares, which came for nothing; what is carried on at another price is closed at the
 * last close and opened at the new one.
 */
function adjustmentMovements(
  source: PerformanceSource,
  { at, date, refId, product, quantity, cost }: CorporateAdjustment,
  open: ReadonlyMap<string, number>,
): PositionChange[] {
  const key = matchKey(source, refId, product);
  const unit = unitOf(source, refId);
  const base = { key, refId, unit, product, at, charges: 0, orderId: '', tag: '' };
  const known = open.get(key) ?? 0;
  const last = source.accounts.closes(source.account).findLast((close) => close.date < date);
  if (cost === 0) {
    const all = last === undefined ? known : heldIn(source, last, key);
    // Those on shares that the control plane gave belong to no movement either.
    const given = Math.abs(known) >= Math.abs(all) ? quantity : mulDiv(quantity, known, all);
    return known === 0 || given === 0 ? [] : [{ ...base, kind: 'given', quantity: given, price: 0 }];
  }
  const close = last?.closes[refId] ?? 0;
  return [
    { ...base, kind: 'adjusted', quantity: -known, price: close },
    { ...base, kind: 'adjusted', quantity: known, price: close + cost / contractValue(unit, 1, known) },
  ];
}

/** Returns the quantity that the books had of something as a day ended, by what is matched. */
function heldIn(source: PerformanceSource, { holdings, carried }: DayClose, key: string): number {
  const shares = holdings.filter(({ refId }) => matchKey(source, refId, 'CNC') === key);
  const positions = carried.filter(({ refId, product }) => matchKey(source, refId, product) === key);
  return (
    shares.reduce((sum, { quantity, t1Quantity }) => sum + quantity + t1Quantity, 0) +
    positions.reduce((sum, { openQuantity }) => sum + openQuantity, 0)
  );
}

/** Adds the charge of a delivery, or the penalty where there was none, to the day's last sale of the share. */
function addToSale(traded: readonly PositionChange[], { kind, refId, date, amount }: LedgerEntry): void {
  if (kind !== 'DEPOSITORY' && kind !== 'AUCTION_PENALTY') return;
  const product = kind === 'DEPOSITORY' ? 'CNC' : 'IDAY';
  const sale = traded.findLast(
    (movement) =>
      movement.refId === refId &&
      movement.product === product &&
      movement.quantity < 0 &&
      istDate(movement.at) === date,
  );
  if (sale !== undefined) sale.charges -= amount;
}

/** The tax on an exercise is booked at the instant of the settlement. */
function exerciseTaxOf({ account, accounts }: PerformanceSource, { at, refId }: MatchedTrade): number {
  return accounts
    .ledger(account)
    .filter((entry) => entry.kind === 'EXERCISE_TAX' && entry.at === at && entry.refId === refId)
    .reduce((sum, { amount }) => sum - amount, 0);
}
