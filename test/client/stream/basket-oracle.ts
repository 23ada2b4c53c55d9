/** Compares what a trigger returned about baskets with the journal of their core. */
import type { Basket, BasketEvent } from '../../../sandbox/src/exchange/strategies/v2-basket-types';
import type { OrderEvent } from '../../../client/stream/reconciliation/types';
import type { OrderEventType } from '../../../client/orders/model/order-snapshot';
import { uncovered } from './oracle';
import type { BasketListRead } from './simulated-service';

/** The list shows the orders of a basket so late, nanoseconds. */
const LISTED_WITHIN = 2_000_000_000n;

/** Events that the activation may have taken for past, and those that it must have. */
export interface BasketPast {
  /** The activation on the service's clock, nanoseconds. */
  since: bigint;
  /** Number of events that had happened at the first look, and which baskets it showed. */
  look: BasketListRead;
  /** Instant when the first connection had caught up, nanoseconds. */
  listening: bigint;
}

/**
 * Every difference, in words; empty when all is well. `calm`: nothing was lost on the way, nothing overtook, and there was no restart.
 * @param isTorn see `differences` of orders.
 */
export function basketDifferences(
  journal: readonly BasketEvent[],
  given: readonly OrderEvent[],
  past: BasketPast,
  calm: boolean,
  isTorn = false,
): string[] {
  const reported = Map.groupBy(journal, ({ basket }) => basket.id.toString());
  const byBasket = Map.groupBy(given, ({ order }) => order.orderId);
  const wrong = [...byBasket.keys()].filter((id) => !reported.has(id)).map((id) => `${id}: a basket that never was`);
  const isLate = BigInt(past.look.at) * 1_000_000n > past.listening;
  const seen = journal[past.look.events - 1]?.seq ?? 0;
  for (const [id, events] of reported) {
    const first = (events[0] as BasketEvent).basket.createdAt;
    const isNew = first > past.since;
    const hasNewOrders = events.some(
      ({ type, at, seq }) => type === 'entry_triggered' && at > past.since && seq <= seen,
    );
    /**
     * Number of times that an event should come: [at least, at most]. Nobody knows the time of what happened between
     * the activation and the look, nor that a basket is an old one that was not listed yet, or whose orders are new.
     */
    const due = (event: BasketEvent): [number, number] => {
      // Where the list was late, the first one was of no use if the orders could not be read with it; the next shows an
      // end without its time, and orders that may be newer than the activation. One that was not listed yet, and is
      // first seen at its end, counts with its true age.
      const isUnseen = isLate || !past.look.listed.has(id);
      if (isUnseen && !isNew && ['accepted', 'cancelled', 'rejected'].includes(event.type)) return [0, 1];
      if (isNew || event.seq > seen) return [1, 1];
      const isUnsure =
        event.at > past.since - LISTED_WITHIN ||
        !past.look.listed.has(id) ||
        (hasNewOrders && event.type === 'accepted');
      return isUnsure ? [0, 1] : [0, 0];
    };
    wrong.push(
      ...ofBasket(events, byBasket.get(id) ?? [], due, isNew, calm && first > past.listening, isLate, isTorn).map(
        (text) => `basket ${id}: ${text}`,
      ),
    );
  }
  return wrong;
}

type Due = (event: BasketEvent) => [number, number];

function ofBasket(
  events: readonly BasketEvent[],
  given: readonly OrderEvent[],
  due: Due,
  isNew: boolean,
  calm: boolean,
  isLate: boolean,
  isTorn: boolean,
): string[] {
  const wrong: string[] = [];
  const last = (events.at(-1) as BasketEvent).basket;
  const range = (...types: BasketEvent['type'][]): [number, number] =>
    events
      .filter(({ type }) => types.includes(type))
      .reduce(([least, max], event) => [least + due(event)[0], max + due(event)[1]], [0, 0] as [number, number]);
  const expect = (name: string, was: number, [least, limit]: [number, number]): void => {
    if (was < least || was > limit) wrong.push(`${name} came ${was} times and should ${least} to ${limit} times`);
  };
  const count = (...types: OrderEventType[]): number => given.filter(({ type }) => types.includes(type)).length;
  const accepted = range('accepted');
  // One that was refused before it placed anything does not show that it had been accepted.
  const isHidden = last.status === 'REJECTED' && last.legs.every(({ filledQuantity }) => filledQuantity === 0);
  expect('accepted', count('accepted'), isHidden ? [0, accepted[1]] : accepted);
  // A closed one whose legs were filled in full looks as if it had been entered, even where its exit had begun before.
  const executed = range('entered', 'closed');
  const isFilledUnseen =
    last.status === 'CLOSED' &&
    !events.some(({ type }) => type === 'entered') &&
    last.legs.every(({ quantity, filledQuantity }) => quantity === filledQuantity);
  expect('executed', count('executed'), isFilledUnseen ? [executed[0], executed[1] + 1] : executed);
  expect('rejected', count('rejected'), range('rejected'));
  const cancels = given.filter(({ type }) => type === 'cancelled' || type === 'unsolicitedCancel');
  const exits = events.filter(({ type }) => type === 'exit_triggered');
  const cancelled = range('cancelled');
  const isHinted = cancels.some(({ order }) => order.status !== 'CANCELLED');
  expect(
    'cancelled',
    cancels.filter(({ order }) => order.status === 'CANCELLED').length,
    isHinted ? [0, cancelled[1]] : cancelled,
  );
  if (cancels.length > cancelled[1] + exits.length) wrong.push('cancelled more often than it happened');
  const atMost: [OrderEventType, BasketEvent['type']][] = [
    ['entryTriggered', 'entry_triggered'],
    ['trailUpdated', 'trail_updated'],
    ['cancelRejected', 'cancel_rejected'],
    ['stopLossTriggered', 'exit_triggered'],
    ['targetTriggered', 'exit_triggered'],
  ];
  for (const [name, type] of atMost)
    if (count(name) > range(type)[1]) wrong.push(`${name} more often than it happened`);
  if (isTorn) wrong.push(...ofTornFills(given, last, isNew));
  else wrong.push(...ofFills(events, given, last, isNew), ...ofSequence(given, last, isNew, isLate));
  if (calm) wrong.push(...ofCalm(events, given));
  return wrong;
}

/** Checks that fills tell of every trade of each instrument. */
function ofTornFills(given: readonly OrderEvent[], last: Basket, isNew: boolean): string[] {
  return last.legs.flatMap(({ refId, filledQuantity, exitQuantity }) => {
    const fills = given.flatMap(({ fill }) => (fill?.refId === refId ? [fill] : []));
    const start = isNew ? 0 : Math.min(filledQuantity + exitQuantity, ...fills.map(({ from }) => from));
    return uncovered(fills, start, filledQuantity + exitQuantity).map((text) => `${refId}: ${text}`);
  });
}

/** Checks that fills tell of every trade of each instrument exactly once, and that exact fills are trades. */
function ofFills(events: readonly BasketEvent[], given: readonly OrderEvent[], last: Basket, isNew: boolean): string[] {
  const wrong: string[] = [];
  for (const leg of last.legs) {
    const trades = events.flatMap((event) =>
      event.type === 'leg_filled' && event.trade.refId === leg.refId ? [event.trade] : [],
    );
    const fills = given.flatMap(({ fill }) => (fill?.refId === leg.refId ? [fill] : []));
    const start = isNew ? 0 : (fills[0]?.from ?? leg.filledQuantity + leg.exitQuantity);
    let reached = start;
    for (const { from, to, quantity } of fills) {
      if (from !== reached || to - from !== quantity)
        wrong.push(`a fill from ${from} to ${to} (${quantity}) of ${leg.refId} after ${reached}`);
      reached = to;
    }
    if (reached !== leg.filledQuantity + leg.exitQuantity)
      wrong.push(`${leg.refId} filled up to ${reached} instead of ${leg.filledQuantity} and ${leg.exitQuantity}`);
    for (const { exact, quantity, price } of fills) {
      if (exact && !trades.some((trade) => trade.quantity === quantity && trade.price === price))
        wrong.push(`an exact fill of ${quantity} at ${price} that is no trade`);
    }
    // An exit may be listed before its entry: what is recovered then has the price of the one for the other.
    const prices = trades.map(({ price }) => price);
    const mixed =
      fills.reduce((sum, { exact, quantity }) => sum + (exact ? 0 : quantity), 0) *
      (Math.max(...prices) - Math.min(...prices));
    const worth = fills.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
    if (start === 0 && reached > 0 && Math.abs(worth - leg.filledValue - leg.exitValue) > 2 * reached + mixed)
      wrong.push(`${leg.refId}: fills worth ${worth} instead of ${leg.filledValue} and ${leg.exitValue}`);
  }
  return wrong;
}

/**
 * Checks the sequence of what is recovered: nothing begins or fills after an end, nothing of the entry fills after it
 * is complete.
 */
function ofSequence(given: readonly OrderEvent[], { legs }: Basket, isNew: boolean, isLate: boolean): string[] {
  const wrong: string[] = [];
  const names = given.map(({ type, recovered }) => `${type}${recovered ? '*' : ''}`).join(' ');
  given.forEach((event, n) => {
    if (!event.recovered) return;
    const before = given.slice(0, n);
    const after = given.slice(n + 1);
    const isEnd = event.key.endsWith(':ended');
    if (isEnd && after.some(({ type, key }) => type === 'fill' || type === 'accepted' || key.endsWith(':entered')))
      wrong.push(`after the end: ${names}`);
    // Without a list of baskets, nobody knows at the first fills whether the basket is a new one.
    if (event.type === 'accepted' && !isLate && before.some(({ recovered }) => recovered))
      wrong.push(`accepted late: ${names}`);
    if (!event.key.endsWith(':entered') || !isNew) return;
    for (const { refId, quantity } of legs) {
      const filled = before.reduce((sum, { fill }) => sum + (fill?.refId === refId ? fill.quantity : 0), 0);
      if (filled < quantity) wrong.push(`entered with ${filled} of ${quantity} of ${refId}: ${names}`);
    }
  });
  return wrong;
}

const NAMES: Partial<Record<BasketEvent['type'], string>> = {
  accepted: 'accepted',
  leg_filled: 'fill',
  entered: 'executed',
  closed: 'executed',
  rejected: 'rejected',
};

/** Checks that the order is that of the journal, where nothing is lost and nothing overtakes. */
function ofCalm(events: readonly BasketEvent[], given: readonly OrderEvent[]): string[] {
  const occurred = events.map(({ type }) => NAMES[type]).filter((name) => name !== undefined);
  const reported = given.map(({ type }) => type as string).filter((name) => Object.values(NAMES).includes(name));
  const end = occurred.slice(occurred.length - reported.length);
  return reported.join(' ') === end.join(' ')
    ? []
    : [`told ${reported.join(' ')} where ${occurred.join(' ')} happened`];
}
