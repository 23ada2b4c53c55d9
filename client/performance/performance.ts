/**
 * Result of trading, from the tradebook report and the orders of today. It uses only the service's data and is therefore the same in every
 * environment. Amounts are paise.
 */
import { attempt } from '../attempt';
import { UnreadableReplyError } from '../base/errors';
import { getCandles } from '../market/candles';
import type { OrderPlacing } from '../orders/api/order-api';
import { productOf } from '../orders/model/order-record';
import { netQuantityOf } from '../portfolio/net-quantity';
import { contractIn, type Holdings, type Position, type Positions } from '../portfolio/portfolio';
import { textIn } from '../values/record';
import type { KnownContract } from '../values/contract-value';
import { isWithoutData, viewReport } from '../reports/reports';
import type { Transport } from '../transport';
import { candlePriceIn, knownMarketPrice, type MarketPrice } from '../values/market-price';
import { addDays, istDate, istInstant } from '../values/time';
import { figuresOf, type PerformanceFigures } from './figures';
import { isDerivative } from '../instruments/symbol';
import { changedShares } from './changed-shares';
import { fillsOfOrders, joinFills, readTradebook, type Fill, type Tradebook } from './fills';
import { roundTrips, type MatchedTrips, type RoundTrip } from './round-trips';
import { expiredContracts, settlementsOf, type ExpiredContract } from './settlements';

/** Sources of the facts, beside the transport. */
export interface PerformanceFacts {
  transport: Transport;
  orders: Pick<OrderPlacing, 'list'>;
  holdings(): Promise<Holdings>;
  positions(): Promise<Positions>;
  signal?: AbortSignal;
}

/** Days, YYYY-MM-DD in IST, both ends inside. */
export interface PerformancePeriod {
  from: string;
  to: string;
}

export interface Performance extends PerformancePeriod {
  figures: PerformanceFigures;
  trips: RoundTrip[];
  /** The index over the same days; null if its candles hold none of them. */
  market: { symbol: string; start: number; end: number; changePercent: number } | null;
  notCounted: MatchedTrips['notCounted'];
  /** Orders of today without all prices in the list. */
  unpriced: string[];
  /** True if the charges of every trade are known. */
  hasAllCosts: boolean;
}

const INDEX = 'NIFTY';
/** Largest number of days between two trading days. */
const MAX_BREAK_DAYS = 10;

/**
 * @param now milliseconds since the epoch.
 * @throws UnreadableReplyError where the trades cannot be read for certain; otherwise as `Transport.call`. A part of the
 *   trades is never taken for all of them.
 */
export async function getPerformance(
  facts: PerformanceFacts,
  { from, to }: PerformancePeriod,
  now: number,
): Promise<Performance> {
  const today = istDate(now);
  const last = to > today ? today : to;
  // What happened after the period tells what was held in it.
  const { fills: booked, taxes } = await tradebook(facts, { from, to: today });
  const ofToday = fillsOfOrders(await facts.orders.list(facts.signal), now);
  const hasToday = booked.some(({ at }) => istDate(at) === today);
  const { positions } = await facts.positions();
  const all = withContracts(joinFills(booked, ofToday.fills, today), [
    ...ofToday.fills,
    ...positions.map(contractOfPosition),
  ]);
  const { holdings } = await facts.holdings();
  const fills = all.filter(({ at }) => istDate(at) <= last);
  const prices = new Map<string, MarketPrice>();
  for (const { symbol, ltp } of [...positions, ...holdings]) {
    const price = knownMarketPrice(ltp);
    if (typeof symbol === 'string' && price !== undefined) prices.set(symbol, price);
  }
  const yesterday = addDays(today, -1);
  const settledUntil = last < yesterday ? last : yesterday;
  const expired = expiredContracts(fills, (symbol) => prices.has(symbol), settledUntil);
  const settlements = await settlementsOf(facts.transport, expired, {
    last: settledUntil,
    taxes,
    ...(facts.signal && { signal: facts.signal }),
  });
  const held = [...heldBefore(all, positions), ...(await heldUntilExpiry(facts, expired, from))];
  const changed = await changedShares(facts.transport, fills, today, facts.signal);
  const { trips, notCounted } = roundTrips(
    [...held, ...fills].filter((fill) => !isOfChanged(fill, changed)),
    (symbol) => prices.get(symbol),
    settlements,
  );
  const index = await indexOf(facts, { from, to: last });
  return {
    from,
    to: last,
    figures: figuresOf(trips, index.dates),
    trips,
    market: index.market,
    notCounted: [...notCounted, ...notCountedOf(fills, changed)],
    unpriced: hasToday || last < today ? [] : ofToday.unpriced,
    hasAllCosts:
      fills.every(({ charges }) => charges !== null) &&
      [...settlements.values()].every(({ charges }) => charges !== undefined),
  };
}

/** Returns true if a trade is one of shares that are held overnight and whose number has changed. */
const isOfChanged = ({ symbol, product }: Fill, changed: ReadonlySet<string>): boolean =>
  changed.has(symbol) && product !== 'IDAY';

/** Returns the shares that were bought and sold while their number changed, or are held still. */
function notCountedOf(fills: readonly Fill[], changed: ReadonlySet<string>): MatchedTrips['notCounted'] {
  return [...changed].map((symbol) => {
    const own = fills.filter((fill) => fill.symbol === symbol && isOfChanged(fill, changed));
    const bought = own.reduce((sum, { quantity }) => sum + Math.max(0, quantity), 0);
    const sold = own.reduce((sum, { quantity }) => sum + Math.max(0, -quantity), 0);
    return { symbol, quantity: Math.max(bought, sold), why: 'split or bonus' };
  });
}

/** The trades of the period, none where the service has no data for it. */
async function tradebook({ transport, signal }: PerformanceFacts, period: PerformancePeriod): Promise<Tradebook> {
  const outcome = await attempt(viewReport(transport, 'tradebook', period, signal));
  if (outcome.ok) return readTradebook(outcome.value);
  if (isWithoutData(outcome.error)) return { fills: [], taxes: new Map() };
  throw outcome.error;
}

/** Returns the fills, with contract values from today's orders and positions for contracts whose value the tradebook lacks. */
function withContracts(
  fills: readonly Fill[],
  instruments: readonly { symbol: string; contract: KnownContract | undefined }[],
): Fill[] {
  const contractsByKey = new Map(
    instruments.flatMap(({ symbol, contract }) => (contract === undefined ? [] : [[symbol, contract]])),
  );
  return fills.map((fill) => ({ ...fill, contract: fill.contract ?? contractsByKey.get(fill.symbol) }));
}

function contractOfPosition(position: Position): { symbol: string; contract: KnownContract | undefined } {
  return { symbol: textIn(position, 'symbol'), contract: contractIn(position) };
}

/** Futures and options that are open now, less what was traded since: what was held before the first trade. */
function heldBefore(fills: readonly Fill[], positions: readonly Position[]): Fill[] {
  const traded = new Map<string, Fill[]>();
  for (const fill of fills.filter(({ symbol }) => isDerivative(symbol))) {
    const key = `${fill.symbol} ${fill.product}`;
    traded.set(key, [...(traded.get(key) ?? []), fill]);
  }
  return [...traded.values()].flatMap((same) => {
    const [first] = same as [Fill];
    const own = positions.filter(
      (position) =>
        position.symbol === first.symbol &&
        position.segment !== 'closed' &&
        (first.product === '' ||
          (productOf({ order_delivery_type: position.product ?? null }) ?? first.product) === first.product),
    );
    if (own.length === 0) return [];
    const net = own.reduce((sum, position) => sum + knownNet(position), 0);
    const before = net - same.reduce((sum, { quantity }) => sum + quantity, 0);
    return before === 0 ? [] : [{ ...first, quantity: before, charges: 0, orderId: '', held: true as const }];
  });
}

/** Days before a period in which the trades of a contract that expired in it are looked for. */
const CONTRACT_DAYS = 366;

/** Futures and options that expired, and were held before the period: what was sold in it is then no short position. */
async function heldUntilExpiry(
  facts: PerformanceFacts,
  expired: readonly ExpiredContract[],
  from: string,
): Promise<Fill[]> {
  if (expired.length === 0) return [];
  const { fills: earlierFills } = await tradebook(facts, {
    from: addDays(from, -CONTRACT_DAYS),
    to: addDays(from, -1),
  });
  const held = new Map<string, Fill>();
  for (const fill of earlierFills.filter(({ symbol }) => expired.some((contract) => contract.symbol === symbol))) {
    const key = `${fill.symbol} ${fill.product}`;
    const quantity = (held.get(key)?.quantity ?? 0) + fill.quantity;
    held.set(key, { ...fill, quantity, charges: 0, orderId: '', held: true });
  }
  return [...held.values()].filter(({ quantity }) => quantity !== 0);
}

/** @throws UnreadableReplyError where it is not told whether a position was bought or sold */
function knownNet(position: Position): number {
  const net = netQuantityOf(position);
  if (net !== undefined) return net;
  throw new UnreadableReplyError(
    `The list of positions does not tell for certain how many of ${textIn(position, 'symbol')} were bought or sold.`,
    { hint: 'Nothing was worked out. Try again.' },
  );
}

/** The trading days of a period, and what the index did from the close before them. */
async function indexOf({ transport, signal }: PerformanceFacts, { from, to }: PerformancePeriod) {
  const { rows } = await getCandles(transport, {
    exchange: 'NSE',
    type: 'INDEX',
    symbols: [INDEX],
    fields: ['open', 'close'],
    interval: '1d',
    from: istInstant(addDays(from, -MAX_BREAK_DAYS)),
    to: istInstant(addDays(to, 1)),
    unit: 'paise',
    ...(signal && { signal }),
  });
  const dayOf = ({ time }: (typeof rows)[number]): string => String(time).slice(0, 10);
  const days = rows.filter((row) => dayOf(row) >= from);
  const before = rows.filter((row) => dayOf(row) < from).at(-1);
  const dates = days.map(dayOf);
  const start = candlePriceIn(before?.close) ?? candlePriceIn(days[0]?.open);
  const end = candlePriceIn(days.at(-1)?.close);
  const market =
    start !== undefined && end !== undefined
      ? { symbol: INDEX, start, end, changePercent: Math.round(((end - start) * 10_000) / start) / 100 }
      : null;
  return { dates, market };
}
