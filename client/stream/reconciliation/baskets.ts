/**
 * Baskets in the two lists of the day. The stream tells of a basket as one order with legs; the list of orders shows the
 * orders that it placed, entries and exits, and the list of baskets shows how far it has come. What all agree upon is how
 * much of an instrument it has traded, and the steps of its life.
 */
import {
  isLater,
  legOf,
  recoveredFill,
  STAMPS_DIFFER,
  type BasketPart,
  type Known,
  type KnownLeg,
  type Mark,
  type Step,
} from './delivered-state';
import type { LegFill, OrderEnd, OrderEventType, OrderSnapshot } from './types';

/** The views as they are, with the orders of each basket, and its record, put together as one strategy. */
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

/** Of one that is not among the baskets listed only its orders tell: that it was accepted, and what they filled. */
function strategyOf(record: OrderSnapshot | undefined, orders: readonly OrderSnapshot[]): OrderSnapshot {
  const first = (record ?? orders[0]) as OrderSnapshot;
  const legs: LegFill[] = [];
  // The first order of a leg is part of the entry, and so are all others on its side.
  const entrySides = new Map<number, string>();
  for (const order of orders.toSorted(byTime)) {
    const { refId } = order.instrument;
    if (!entrySides.has(refId)) entrySides.set(refId, order.side);
    add(legs, order, order.side === entrySides.get(refId));
  }
  const filled = orders.reduce(
    (latest, { times }) => (isLater(times.filled, latest) ? times.filled : latest),
    record?.times.filled ?? '0',
  );
  const times = { ...first.times, filled, modified: '0' };
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

/** Oldest first; those whose time is not told are new. */
function byTime({ times: { created: a } }: OrderSnapshot, { times: { created: b } }: OrderSnapshot): number {
  if (a === b) return 0;
  return b === '0' || (a !== '0' && isLater(b, a)) ? -1 : 1;
}

function add(legs: LegFill[], order: OrderSnapshot, isEntry: boolean): void {
  const { refId } = order.instrument;
  const known = legs.find((one) => one.refId === refId);
  const leg = known ?? { refId, filled: 0, averagePrice: 0, instrument: order.instrument };
  if (!known) legs.push(leg);
  const { filled, averagePrice } = order;
  const sum = (before: { filled: number; averagePrice: number }): { filled: number; averagePrice: number } => {
    const total = before.filled + filled;
    return {
      filled: total,
      averagePrice: total === 0 ? 0 : (before.filled * before.averagePrice + filled * averagePrice) / total,
    };
  };
  Object.assign(leg, sum(leg));
  const entry = leg.entry ?? { side: order.side, filled: 0, averagePrice: 0, at: '0' };
  leg.entry = isEntry
    ? { ...entry, ...sum(entry), at: isLater(order.times.filled, entry.at) ? order.times.filled : entry.at }
    : entry;
}

const OWES: Record<BasketPart, Mark> = { accepted: 'owes accepted', entered: 'owes entered', ended: 'owes ended' };

/** The steps that lead from what is known of a basket to what a view of it shows, in the order in which they must have happened. */
export function basketSteps(known: Known, view: OrderSnapshot): Step[] {
  const steps: Step[] = [];
  if (view.accepted && !known.accepted) steps.push({ type: 'accepted', part: 'accepted' });
  const exits: Step[] = [];
  for (const leg of view.legs) {
    let before: KnownLeg | { filled: number; value: number } = legOf(known, leg.refId);
    const entry = leg.entry ?? { ...leg, at: '0' };
    if (entry.filled > before.filled) {
      const value = entry.filled * entry.averagePrice;
      steps.push({
        type: 'fill',
        part: 'other',
        at: entry.at,
        fill: recoveredFill(before, leg.refId, entry.filled, value),
      });
      before = { filled: entry.filled, value: Math.max(before.value, value) };
    }
    if (leg.filled > before.filled)
      exits.push({
        type: 'fill',
        part: 'other',
        at: view.times.filled,
        fill: recoveredFill(before, leg.refId, leg.filled, leg.filled * leg.averagePrice),
      });
  }
  if (view.entered && !isTold(known, 'entered') && !known.marks.has('left early'))
    steps.push({ type: 'executed', part: 'entered', at: enteredAt(view) });
  steps.push(...exits);
  if (view.end !== '' && known.end === '' && !wasHinted(known, view.end)) steps.push({ type: view.end, part: 'ended' });
  return steps;
}

/** When the entry filled last, nanoseconds. */
export function enteredAt({ legs, times }: OrderSnapshot): string {
  const listed = legs.reduce((latest, { entry }) => (entry && isLater(entry.at, latest) ? entry.at : latest), '0');
  return listed === '0' ? times.filled : listed;
}

export function isTold(known: Known, part: BasketPart): boolean {
  if (part === 'accepted') return known.accepted;
  return part === 'entered' ? known.marks.has('entered') : known.end !== '';
}

/**
 * Whether an event that may have been the same was given out: some services tell of a cancellation or refusal with the
 * status of before, and of a closing as of an entry.
 */
function wasHinted({ marks }: Known, end: OrderEnd): boolean {
  return marks.has(`told ${end}` as Mark);
}

/** Takes note of what was recovered, and of what may therefore still come by the stream. */
export function owe(known: Known, { fill, part }: Step, at: string): void {
  if (part === 'accepted' || part === 'entered' || part === 'ended') known.marks.add(OWES[part]);
  // Whoever has seen the end wants no beginning after it.
  if (part === 'ended' && !known.accepted) {
    known.accepted = true;
    known.marks.add(OWES.accepted);
  }
  const leg = known.legs.find(({ refId }) => refId === fill?.refId);
  if (fill && leg) leg.owed = { quantity: (leg.owed?.quantity ?? 0) + fill.quantity, until: at };
}

/** Whether a step that the stream brings was recovered before; that is so once. */
export function payPart(known: Known, part: BasketPart): boolean {
  return known.marks.delete(OWES[part]);
}

/**
 * How much of a trade (told of at an instant, nanoseconds) was recovered before. Should it be a new trade after all, the
 * next comparison shows it.
 */
export function payFill(known: Known, refId: number, quantity: number, at: string): number {
  const leg = known.legs.find((one) => one.refId === refId);
  if (leg?.owed === undefined) return 0;
  const { until } = leg.owed;
  if (at !== '0' && until !== '0' && BigInt(at) > BigInt(until) + STAMPS_DIFFER) return 0;
  const paid = Math.min(leg.owed.quantity, quantity);
  leg.owed = paid === leg.owed.quantity ? undefined : { quantity: leg.owed.quantity - paid, until };
  return paid;
}

/**
 * The records as far as the list of orders bears them out: it shows an order up to two seconds late (wire-facts §3.8), and
 * nobody should hear that a basket was executed before hearing of its fills. Where it does not, the record of before
 * takes its place, or one that tells no more than that the basket was accepted.
 * @param before the records as they were some seconds ago, so that the list shows by now what they rest upon.
 */
export function borneOut(
  orders: readonly OrderSnapshot[],
  records: readonly OrderSnapshot[],
  before: ReadonlyMap<string, OrderSnapshot>,
): { records: OrderSnapshot[]; unsure: Set<string> } {
  const views = new Map(basketViews(orders.filter(({ kind }) => kind === 'leg')).map((view) => [view.orderId, view]));
  const unsure = new Set<string>();
  const sure = records.map((record) => {
    if (isBorneOut(record, views.get(record.orderId))) return record;
    unsure.add(record.orderId);
    return before.get(record.orderId) ?? onlyAccepted(record);
  });
  return { records: sure, unsure };
}

/** More than a list may be late. */
const LONG = 10_000_000_000n;

function isLongAfter(time: string, before: string): boolean {
  return before !== '0' && BigInt(time) - BigInt(before) > LONG;
}

/** As much of a record as its orders need not bear out. */
export function onlyAccepted(record: OrderSnapshot): OrderSnapshot {
  return { ...record, entered: false, end: '' };
}

function isBorneOut(record: OrderSnapshot, view: OrderSnapshot | undefined): boolean {
  if (!record.entered && record.end === '') return true;
  return record.legs.every(({ refId, filled, side }) => {
    const leg = view?.legs.find((one) => one.refId === refId);
    const entry = leg?.entry?.filled ?? 0;
    // What was entered on an earlier day shows its exit only; what was entered just now may do so for a moment.
    if (view && leg?.entry && leg.entry.side !== side)
      return record.end !== '' && entry >= filled && isLongAfter(view.times.filled, record.times.filled);
    return entry >= filled && (record.end === '' || (leg?.filled ?? 0) - entry >= entry);
  });
}

/** What a closing may have been as well: the record tells no cause, but one that was given out needs no other. */
export function causesOf(known: Known, { type, part }: Step, view: OrderSnapshot): readonly OrderEventType[] {
  return part === 'ended' && type === 'executed' && !known.marks.has('told exit') ? (view.causes ?? []) : [];
}
