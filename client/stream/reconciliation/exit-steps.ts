/**
 * The exits of a single order: what a view shows of them beyond what has been delivered (docs/service/order-life.md#after-the-entry,
 * docs/service/streams.md#order-update-enums).
 * They are armed by the entry's fills. A stop loss may trail; the first exit that fills ends the others.
 */
import {
  isLater,
  type ExitKind,
  type ExitStatus,
  type ExitView,
  type OrderEventType,
  type OrderSnapshot,
} from '../../orders/model/order-snapshot';
import { filledValue, legOf, type ExitAsDelivered, type OrderAsDelivered, type OrderStep } from './order-as-delivered';

const RANK: Readonly<Record<ExitStatus, number>> = { OPEN: 1, TRIGGERED: 2, FILLED: 3, CANCELLED: 3 };
const REACHED: Readonly<Record<ExitKind, OrderEventType>> = {
  stop: 'stopLossTriggered',
  target: 'targetTriggered',
  time: 'exitTimeReached',
};

/** Returns the exit that a trade belongs to: the one that was triggered. Undefined while none was: then it belongs to the entry. */
export function exitOfTrade(exits: readonly ExitView[]): ExitKind | undefined {
  const of = (status: ExitStatus): ExitKind | undefined => exits.find((exit) => exit.status === status)?.kind;
  return of('TRIGGERED') ?? of('FILLED');
}

/** Returns the event of an exit if a message reports it with other words (docs/service/streams.md#order-update-enums). */
export function exitEventOf(
  type: OrderEventType,
  isOfCancel: boolean,
  { end, kind, exits = [] }: OrderSnapshot,
): OrderEventType {
  const has = (status: ExitStatus, of?: ExitKind): boolean =>
    exits.some((exit) => exit.status === status && (of === undefined || exit.kind === of));
  // An exit time has no separate response type, of an order or of a strategy.
  if (type === 'stopLossTriggered' && has('TRIGGERED', 'time') && !has('TRIGGERED', 'stop')) return 'exitTimeReached';
  if (kind !== 'order') return type;
  if (type === 'executed' && isOfCancel && has('FILLED')) return 'exitFilled';
  const isCancel = type === 'cancelled' || type === 'unsolicitedCancel';
  return isCancel && (end === '' || end === 'executed') && has('CANCELLED') ? 'exitCancelled' : type;
}

/** The steps of the exits that lead from the delivered state to what the view shows. */
export function exitSteps(state: OrderAsDelivered, view: OrderSnapshot): OrderStep[] {
  if (view.kind !== 'order') return [];
  return (view.exits ?? []).flatMap((exit) => stepsOfOne(state, view, exit));
}

function stepsOfOne(state: OrderAsDelivered, view: OrderSnapshot, exit: ExitView): OrderStep[] {
  const before = state.exits.find(({ kind }) => kind === exit.kind);
  const { filled = 0 } = exit;
  // An exit that ended with an order without fills was never open.
  if (before === undefined && (view.filled === 0 || (exit.status === 'CANCELLED' && filled === 0))) return [];
  const wasModified = isLater(view.times.modified, state.modified);
  const isPutBack = before?.status === 'CANCELLED' && exit.status === 'OPEN' && wasModified;
  const step = (type: OrderEventType): OrderStep => ({ type, exit });
  const steps: OrderStep[] = before === undefined || isPutBack ? [step('exitArmed')] : [];
  const from = isPutBack ? undefined : before;
  if (from?.status === 'OPEN' && exit.trails && !wasModified && isForward(from, exit, view))
    steps.push(step('trailUpdated'));
  const rank = RANK[from?.status ?? 'OPEN'];
  if (rank < RANK.TRIGGERED && (exit.status === 'TRIGGERED' || exit.status === 'FILLED' || filled > 0))
    steps.push(step(REACHED[exit.kind]));
  const delivered = from?.filled ?? 0;
  if (filled > delivered) {
    const fill = { quantity: filled - delivered, price: 0, from: delivered, to: filled, exact: false, of: exit.kind };
    steps.push({ type: 'fill', exit, fill: { refId: view.instrument.refId, ...fill } });
  }
  if (rank < RANK.FILLED && RANK[exit.status] === RANK.FILLED)
    steps.push(step(exit.status === 'FILLED' ? 'exitFilled' : 'exitCancelled'));
  return steps;
}

/**
 * The view of a message about a single order, with what its filled exit has closed, which no message tells: all that the order has filled,
 * less what its
 * other exits have closed. A trade that came after a list may have been taken for one that the list had told.
 */
export function withClosed(state: OrderAsDelivered, view: OrderSnapshot): OrderSnapshot {
  const closedBeside = (kind: ExitKind): number =>
    state.exits.reduce((sum, exit) => sum + (exit.kind === kind ? 0 : exit.filled), 0);
  const exits = view.exits?.map((exit) =>
    exit.status === 'FILLED' ? { ...exit, filled: view.filled - closedBeside(exit.kind) } : exit,
  );
  return { ...view, exits };
}

/** Returns true if a stop loss has moved in its trailing direction: with the price in favour, and never back. */
function isForward(from: ExitAsDelivered, exit: ExitView, { side }: OrderSnapshot): boolean {
  return side === 'SELL' ? exit.trigger < from.trigger : exit.trigger > from.trigger;
}

/** Records a step of an exit as delivered. */
export function recordExit(state: OrderAsDelivered, { type, exit, fill }: OrderStep): void {
  if (exit === undefined) return;
  const { kind, trigger } = exit;
  const deliveredExit = state.exits.find((exit) => exit.kind === kind);
  if (type === 'exitArmed') {
    const round = deliveredExit === undefined ? 0 : deliveredExit.round + 1;
    const armed: ExitAsDelivered = { kind, status: 'OPEN', trigger, filled: 0, unstreamed: 0, value: 0, round };
    state.exits = [...state.exits.filter((exit) => exit !== deliveredExit), armed];
    return;
  }
  if (deliveredExit === undefined) return;
  deliveredExit.trigger = trigger;
  if (type === REACHED[kind]) deliveredExit.status = 'TRIGGERED';
  if (type === 'exitFilled') deliveredExit.status = 'FILLED';
  if (type === 'exitCancelled') deliveredExit.status = 'CANCELLED';
  if (fill === undefined) return;
  deliveredExit.filled = fill.to;
  deliveredExit.value += filledValue(fill.price, fill.quantity);
  // Only a list tells no exact fill: its trades may still come by the stream.
  if (!fill.exact) deliveredExit.unstreamed += fill.quantity;
}

/**
 * The units that exits can still close: no more than the order has filled. A trade beyond them was told before, under another time.
 * Infinity if nothing tells what the order has filled.
 */
function unitsToClose(state: OrderAsDelivered, { filled, instrument }: OrderSnapshot): number {
  const entered = Math.max(filled, legOf(state, instrument.refId).filled);
  const closed = state.exits.reduce((sum, exit) => sum + exit.filled, 0);
  return entered === 0 ? Infinity : Math.max(0, entered - closed);
}

/**
 * The fill of an exit that a message brings; undefined if it was told before.
 * @param trade its quantity, and price in paise.
 */
export function exitFill(
  state: OrderAsDelivered,
  order: OrderSnapshot,
  of: ExitKind,
  trade: { refId: number; quantity: number; price: number },
): OrderStep['fill'] {
  const deliveredExit = state.exits.find(({ kind }) => kind === of);
  const taken = Math.min(deliveredExit?.unstreamed ?? 0, trade.quantity);
  if (deliveredExit !== undefined) deliveredExit.unstreamed -= taken;
  const unreportedQuantity = trade.quantity - taken;
  const quantity = Math.min(unreportedQuantity, unitsToClose(state, order));
  const from = deliveredExit?.filled ?? 0;
  return quantity === 0
    ? undefined
    : { ...trade, quantity, from, to: from + quantity, exact: quantity === unreportedQuantity, of };
}

/** The key of a step of an exit within its order: each happens once in the life of an exit, which may be put back. */
export function exitKey(type: OrderEventType, { kind, trigger }: ExitView, { exits }: OrderAsDelivered): string {
  const round = exits.find((exit) => exit.kind === kind)?.round ?? 0;
  return [type, kind, ...(type === 'trailUpdated' ? [trigger] : []), ...(round === 0 ? [] : [`again${round}`])].join(
    ':',
  );
}
