/**
 * Baskets in the two lists of the day. The stream tells of a basket as one order with legs. The list of orders shows the
 * orders that it placed, entries and exits. The list of baskets shows how far it has come. All agree upon how much of each
 * instrument it has traded, and upon the steps of its life.
 */
import { priceSum } from '../../values/contract-value';
import { isLater } from '../../orders/model/order-snapshot';
import type { LegFill, OrderSnapshot } from '../../orders/model/order-snapshot';

/**
 * Returns the unchanged views, with the orders of each basket, and its record, put together as one strategy.
 * @param records of the list of baskets.
 */
export function basketViews(orders: Iterable<OrderSnapshot>, records: Iterable<OrderSnapshot> = []): OrderSnapshot[] {
  const all = [...orders];
  const legs = Map.groupBy(
    all.filter(({ kind }) => kind === 'leg'),
    ({ basketId }) => basketId,
  );
  const byId = new Map([...records].map((record) => [record.orderId, record]));
  const ids = new Set([...byId.keys(), ...legs.keys()]);
  return [
    ...all.filter(({ kind }) => kind !== 'leg'),
    ...[...ids].map((id) => strategyOf(byId.get(id), legs.get(id) ?? [])),
  ];
}

/** An unlisted basket is known only from its orders: that it was accepted, and what they filled. */
function strategyOf(record: OrderSnapshot | undefined, orders: readonly OrderSnapshot[]): OrderSnapshot {
  const first = (record ?? orders[0]) as OrderSnapshot;
  const legs: LegFill[] = [];
  // The first order of a leg is part of the entry, and so are all others on its side.
  const entrySides = new Map<number, string>();
  const sides = new Map(record?.legs.map(({ refId, side }) => [refId, side]));
  for (const order of orders.toSorted(byTime)) {
    const { refId } = order.instrument;
    if (!entrySides.has(refId)) entrySides.set(refId, order.side);
    add(legs, order, order.side === entrySides.get(refId), sides.get(refId) ?? entrySides.get(refId));
  }
  const filled = orders.reduce(
    (latest, { times }) => (isLater(times.filled, latest) ? times.filled : latest),
    record?.times.filled ?? '0',
  );
  const times = { ...first.times, filled, modified: '0' };
  if (record?.isWhole === true && orders.length === 0)
    return { ...record, legs: record.legs.map(asEntry(record)), times };
  if (record) return { ...record, legs, accepted: record.accepted || orders.some(({ accepted }) => accepted), times };
  const accepted = orders.some((order) => order.accepted);
  return {
    ...first,
    kind: 'strategy',
    orderId: first.basketId,
    orderType: 'FLEXI',
    accepted,
    triggered: false,
    end: '',
    legs,
    times,
  };
}

/**
 * A leg of a record that tells what the entry filled of it. An exit that is filled has closed all of that, at a price that is not
 * told.
 */
const asEntry =
  ({ times, exits = [] }: OrderSnapshot) =>
  (leg: LegFill): LegFill => {
    const { filled, averagePrice, side = '' } = leg;
    const isClosed = exits.some(({ status }) => status === 'FILLED');
    return {
      ...leg,
      ...(isClosed ? { filled: 2 * filled, averagePrice: averagePrice / 2 } : {}),
      entry: { side, filled, averagePrice, at: times.filled },
    };
  };

/** Oldest first; those whose time is not told are new. */
function byTime({ times: { created: a } }: OrderSnapshot, { times: { created: b } }: OrderSnapshot): number {
  if (a === b) return 0;
  return b === '0' || (a !== '0' && isLater(b, a)) ? -1 : 1;
}

function add(legs: LegFill[], order: OrderSnapshot, isEntry: boolean, side: string | undefined): void {
  const { refId } = order.instrument;
  const deliveredFill = legs.find((leg) => leg.refId === refId);
  const leg = deliveredFill ?? { refId, filled: 0, averagePrice: 0, instrument: order.instrument, side };
  if (!deliveredFill) legs.push(leg);
  const { filled, averagePrice } = order;
  const sum = (before: { filled: number; averagePrice: number }): { filled: number; averagePrice: number } => {
    const total = before.filled + filled;
    return {
      filled: total,
      averagePrice:
        total === 0 ? 0 : (priceSum(before.averagePrice, before.filled) + priceSum(averagePrice, filled)) / total,
    };
  };
  Object.assign(leg, sum(leg));
  const entry = leg.entry ?? { side: order.side, filled: 0, averagePrice: 0, at: '0' };
  leg.entry = isEntry
    ? { ...entry, ...sum(entry), at: isLater(order.times.filled, entry.at) ? order.times.filled : entry.at }
    : entry;
}

/** Returns the time of the last fill of a basket's entry, nanoseconds. */
export function enteredAt({ legs, times }: OrderSnapshot): string {
  const listed = legs.reduce((latest, { entry }) => (entry && isLater(entry.at, latest) ? entry.at : latest), '0');
  return listed === '0' ? times.filled : listed;
}

/**
 * Holds the record of a basket back until its orders show the fills. The list of orders shows an order up to two seconds
 * late (docs/service/order-life.md#acknowledgement-and-result), and a basket must not be executed before its fills. Until then the record
 * of before takes its
 * place, or one that tells only that the basket was accepted.
 * @param before the records as they were some seconds ago, so that the list shows by now the orders that they rest upon.
 * @returns `unconfirmed`: the ids of the baskets whose record is held back.
 */
export function confirmedByOrders(
  orders: readonly OrderSnapshot[],
  records: readonly OrderSnapshot[],
  before: ReadonlyMap<string, OrderSnapshot>,
): { records: OrderSnapshot[]; unconfirmed: Set<string> } {
  const views = new Map(basketViews(orders).map((view) => [view.orderId, view]));
  const unconfirmed = new Set<string>();
  const confirmed = records.map((record) => {
    if (isConfirmed(record, views.get(record.orderId))) return record;
    unconfirmed.add(record.orderId);
    return before.get(record.orderId) ?? asAccepted(record);
  });
  return { records: confirmed, unconfirmed };
}

/** More than a list may be late, nanoseconds. */
const LONG = 10_000_000_000n;

function isLongAfter(time: string, before: string): boolean {
  return before !== '0' && BigInt(time) - BigInt(before) > LONG;
}

/** As much of a record as needs no orders to confirm it. */
export function asAccepted(record: OrderSnapshot): OrderSnapshot {
  return { ...record, entered: false, end: '' };
}

function isConfirmed(record: OrderSnapshot, view: OrderSnapshot | undefined): boolean {
  if (record.isWhole === true || (!record.entered && record.end === '')) return true;
  return record.legs.every(({ refId, filled, side }) => {
    const leg = view?.legs.find((leg) => leg.refId === refId);
    const entry = leg?.entry?.filled ?? 0;
    // What was entered on an earlier day shows its exit only; what was entered just now may do so for a moment.
    if (view && leg?.entry && leg.entry.side !== side)
      return record.end !== '' && entry >= filled && isLongAfter(view.times.filled, record.times.filled);
    return entry >= filled && (record.end === '' || (leg?.filled ?? 0) - entry >= entry);
  });
}
