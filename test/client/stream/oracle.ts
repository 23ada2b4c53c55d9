/** Compares what a trigger returned with the exchange's journal. */
import type { ExchangeEvent } from '../../../sandbox/src/exchange/types';
import type { Order } from '../../../sandbox/src/shared/orders';
import { nothingDelivered, type OrderAsDelivered } from '../../../client/stream/reconciliation/order-as-delivered';
import type { OrderEvent } from '../../../client/stream/reconciliation/types';

/** Nanoseconds after an activation by which an order that was placed before is listed. */
const SEEN_WITHIN = 30_000_000_000n;

/**
 * States of an order that may be past, where several answers are right: everything that was given must match one of
 * them.
 */
export type Past = Map<string, readonly OrderAsDelivered[]>;

/**
 * States that an activation must take for past: all that had happened by then. Nobody can know this in two cases. The
 * list tells no time of a trigger or of an end without a fill: such an event counts as old as its order. An order may
 * fill again between the activation and the look: what it had filled before counts as new. The past of an order that
 * the first look lacks depends on when it is first seen, so that there are several answers.
 */
export function pastOf(
  journal: readonly ExchangeEvent[],
  since: bigint,
  look: { events: number; listed: ReadonlySet<string> },
): Past {
  const events = Map.groupBy(
    journal.filter(({ order }) => order.createdAt <= since),
    ({ order }) => order.id.toString(),
  );
  const looked = new Set(journal.slice(0, look.events));
  return new Map(
    [...events].map(([id, of]) => [
      id,
      look.listed.has(id)
        ? [
            pastOfOrder(
              of.filter((event) => looked.has(event)),
              since,
            ),
          ]
        : pastsOfUnlisted(of, since),
    ]),
  );
}

function pastOfOrder(events: readonly ExchangeEvent[], since: bigint): OrderAsDelivered {
  const known = nothingDelivered();
  for (const event of events) {
    const { order } = event;
    known.accepted = order.acknowledgedAt !== 0n && order.acknowledgedAt <= since;
    known.triggered ||= event.type === 'triggered';
    known.legs =
      order.filledQuantity > 0 && order.filledAt <= since
        ? [{ refId: order.refId, filled: order.filledQuantity, value: 0 }]
        : [];
    if (order.status === 'FILLED') known.end = order.filledAt <= since ? 'executed' : '';
    else known.end = PAST_ENDS[order.status] ?? '';
    if (event.at <= since || known.end !== '') known.modified = order.modifiedAt.toString();
  }
  return known;
}

/**
 * States of an order at its first sight, which may be after any of its first events; a change of terms was then seen
 * with it.
 */
function pastsOfUnlisted(events: readonly ExchangeEvent[], since: bigint): OrderAsDelivered[] {
  const soon = events.filter(({ at }) => at <= since + SEEN_WITHIN);
  const seen = soon.map(({ order }, index) => ({
    ...pastOfOrder(soon.slice(0, index + 1), since),
    modified: order.modifiedAt.toString(),
  }));
  return seen.flatMap((state) => [state, { ...state, legs: [], end: state.end === 'executed' ? '' : state.end }]);
}

const PAST_ENDS: Partial<Record<Order['status'], OrderAsDelivered['end']>> = {
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
  REJECTED: 'rejected',
};

type Trade = Extract<ExchangeEvent, { type: 'trade' }>;

interface OrderTimeline {
  events: ExchangeEvent[];
  last: Order;
}

/**
 * Every difference, in words; empty when all is well. `before` is what the trigger took for past when it was activated.
 * @param torn where a new leader began while events waited in the old one, what one of them gave after the other: both give the same
 *   shares then, what one gives may come after what the other does, and an acceptance that shows a modification may be refused as a
 *   repeat of one that did not yet.
 */
export function differences(
  journal: readonly ExchangeEvent[],
  given: readonly OrderEvent[],
  before: Past,
  torn?: readonly OrderEvent[],
): string[] {
  const reported = new Map<string, OrderTimeline>();
  for (const event of journal) {
    const id = event.order.id.toString();
    const entry = reported.get(id) ?? { events: [], last: event.order };
    entry.events.push(event);
    entry.last = event.order;
    reported.set(id, entry);
  }
  const wrong: string[] = [];
  const [byOrder, repeated] = [given, torn ?? []].map((list) => Map.groupBy(list, ({ order }) => order.orderId)) as [
    Map<string, OrderEvent[]>,
    Map<string, OrderEvent[]>,
  ];
  for (const id of byOrder.keys()) if (!reported.has(id)) wrong.push(`${id}: an order that never was`);
  for (const [id, entry] of reported) {
    const answers = (before.get(id) ?? [undefined]).map((past) =>
      ofOrder(entry, byOrder.get(id) ?? [], past, torn && (repeated.get(id) ?? [])),
    );
    if (answers.every((answer) => answer.length > 0)) wrong.push(...answers[0]!.map((text) => `${id}: ${text}`));
  }
  return wrong;
}

function ofOrder(
  { events, last }: OrderTimeline,
  given: readonly OrderEvent[],
  before: OrderAsDelivered | undefined,
  torn: readonly OrderEvent[] | undefined,
): string[] {
  const wrong: string[] = [];
  const occurred = (type: ExchangeEvent['type']): ExchangeEvent[] => events.filter((event) => event.type === type);
  const count = (...types: OrderEvent['type'][]): number => given.filter(({ type }) => types.includes(type)).length;
  const expect = (name: string, was: number, should: number): void => {
    if (was !== should) wrong.push(`${name} came ${was} times and happened ${should} times`);
  };
  expect('accepted', count('accepted'), last.acknowledgedAt !== 0n && before?.accepted !== true ? 1 : 0);
  const ended = (...statuses: Order['status'][]): number =>
    (before?.end ?? '') === '' && statuses.includes(last.status) ? 1 : 0;
  expect('executed', count('executed'), ended('FILLED'));
  expect('rejected', count('rejected'), ended('REJECTED'));
  expect('cancelled', count('cancelled', 'unsolicitedCancel'), ended('CANCELLED'));
  expect('expired', count('expired'), ended('EXPIRED'));
  const past = before?.legs[0]?.filled ?? 0;
  const triggered = before?.triggered ? 0 : occurred('triggered').length;
  if (count('entryTriggered') > triggered) wrong.push('triggered more often than it happened');
  if (last.filledQuantity > past) expect('triggered', count('entryTriggered'), triggered);
  wrong.push(
    ...(torn
      ? uncovered(
          given.flatMap(({ fill }) => fill ?? []),
          past,
          last.filledQuantity,
        )
      : ofFills(events, given, past, last.filledQuantity)),
  );
  wrong.push(
    ...ofModifications(
      occurred('modified').filter(({ order }) => order.modifiedAt > BigInt(before?.modified ?? 0)),
      given,
      torn,
    ),
  );
  for (const [type, name] of [
    ['modify_rejected', 'modifyRejected'],
    ['cancel_rejected', 'cancelRejected'],
  ] as const) {
    if (count(name) > occurred(type).length) wrong.push(`${name} more often than it happened`);
  }
  if (!torn) wrong.push(...ofSequence(given));
  return wrong;
}

/** Trades that no fill tells of, and fills without a trade. */
export function uncovered(fills: readonly { from: number; to: number }[], from: number, to: number): string[] {
  let reached = from;
  for (const fill of fills.toSorted((a, b) => a.from - b.from)) {
    if (fill.from > reached) return [`nothing tells of ${reached} to ${fill.from}`];
    reached = Math.max(reached, fill.to);
  }
  return reached === to ? [] : [`filled up to ${reached} instead of ${to}`];
}

/** Every share that was traded is told of exactly once, in order; exact fills are trades. */
function ofFills(events: readonly ExchangeEvent[], given: readonly OrderEvent[], from: number, to: number): string[] {
  const wrong: string[] = [];
  const trades = events.filter((event): event is Trade => event.type === 'trade');
  let reached = from;
  for (const { fill, order } of given) {
    if (!fill) continue;
    if (fill.from !== reached || fill.to - fill.from !== fill.quantity)
      wrong.push(`a fill from ${fill.from} to ${fill.to} (${fill.quantity}) after ${reached}`);
    reached = fill.to;
    const covered = trades.filter(
      ({ order, trade }) => order.filledQuantity > fill.from && order.filledQuantity - trade.quantity < fill.to,
    );
    const quantity = covered.reduce((sum, { trade }) => sum + trade.quantity, 0);
    const value = covered.reduce((sum, { trade }) => sum + trade.quantity * trade.price, 0);
    if (quantity !== fill.quantity) wrong.push(`a fill of ${fill.quantity} that cuts through trades of ${quantity}`);
    if (fill.exact && (covered.length !== 1 || covered[0]?.trade.price !== fill.price))
      wrong.push(`an exact fill at ${fill.price} that is no trade`);
    // The average price of an order is rounded to a paisa, which tells over its whole filled quantity, before and after.
    if (Math.abs(fill.price * quantity - value) > 2 * fill.to + order.filled)
      wrong.push(`a recovered fill at ${fill.price} where trades were worth ${value}`);
  }
  if (reached !== to) wrong.push(`filled up to ${reached} instead of ${to}`);
  return wrong;
}

/** Every modification is told of, on its own or by a later view of the order; none twice. */
function ofModifications(
  occurred: readonly ExchangeEvent[],
  given: readonly OrderEvent[],
  refused: readonly OrderEvent[] = [],
): string[] {
  const wrong: string[] = [];
  const times = given.filter(({ type }) => type === 'modified').map(({ order }) => BigInt(order.times.modified));
  if (new Set(times).size !== times.length) wrong.push('a modification came twice');
  if (times.some((time) => !occurred.some(({ order }) => order.modifiedAt === time)))
    wrong.push('a modification that never was');
  const seen = [...given, ...refused]
    .filter(({ type }) => type === 'modified' || type === 'accepted')
    .map(({ order }) => BigInt(order.times.modified));
  for (const { order } of occurred) {
    if (!seen.some((time) => time >= order.modifiedAt))
      wrong.push(`the modification of ${order.modifiedAt} was missed`);
  }
  return wrong;
}

function ofSequence(given: readonly OrderEvent[]): string[] {
  const names = given.map(({ type }) => type);
  const accepted = names.indexOf('accepted');
  const end = names.findIndex((name) =>
    ['executed', 'cancelled', 'unsolicitedCancel', 'rejected', 'expired'].includes(name),
  );
  const wrong: string[] = [];
  if (accepted > 0 && names.slice(0, accepted).some((name) => name !== 'modifyRejected' && name !== 'cancelRejected'))
    wrong.push(`accepted after ${names.slice(0, accepted).join(', ')}`);
  const late = end < 0 ? [] : given.slice(end + 1);
  if (late.some(({ type }) => type === 'fill' || type === 'accepted' || type === 'entryTriggered')) {
    wrong.push(`${late.map(({ type }) => type).join(', ')} after the end`);
  }
  return wrong;
}
