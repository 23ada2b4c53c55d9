/**
 * Closes positions: cancels the open orders on them, exits included, determines their size, and sells or buys them back by the one placing
 * flow, repeated as long as a quantity remains and orders fill. Never past flat, never twice: the position, the orders of the day, and
 * earlier closing orders limit each order.
 */
import type { OrderRecord } from '../endpoints/orders';
import { BrokerageError, InputError } from '../base/errors';
import type { ChangeResult } from '../orders/changing/change-order';
import { cancelOpenOrders } from '../orders/changing/cancel-open';
import { TradedMeanwhileError, type OrderRequest } from '../orders/account/placement-context';
import { brokerageErrorOnly, type Outcome } from '../orders/placing/outcome';
import { placeOrder } from '../orders/placing/place';
import { filledQuantityOf, hasEnded, orderIdOf, quantityOf, sideOf, tagOf } from '../orders/model/order-record';
import { waitUntil } from '../orders/placing/wait-for-status';
import { exitBaskets, type ExitedBasket } from './exit-baskets';
import { positionKey } from './positions';
import {
  notShown,
  shownBeyondOrders,
  notReconciled,
  reconcilePosition,
  type ClosingContext,
  type ReconciledPosition,
} from './reconcile-position';
import { hasLabel, isOrderOf } from './traded-quantity';
import { nextClosingOrder } from './closing-order';
import {
  asClosingRequest,
  smallerOfSameSign,
  type ClosingResult,
  type ClosingOrder,
  type CloseRequest,
} from './closing-request';
import { aloneInProcess, SendingTurn } from './sending-turn';
import { isUnreadable } from '../orders/model/record-units';

/** Maximum number of orders that close one position. Each but the last was partly filled, or reached the maximum quantity of an order. */
const MAX_ORDERS = 20;
/** Minimum time to wait for the end of a closing order, which is Immediate or Cancel. */
const MIN_WAIT_MS = 5_000;

/**
 * Closes positions, sold ones first, after what is open on them is cancelled. Nothing is sent while another process of this n8n sends, nor
 * before the day's list shows what it has sent.
 * @param waitMs milliseconds to wait for cancellations, and for the end of each order.
 * @returns the result for each, in order; an error of the service or the network on one of them is never thrown.
 * @throws any error of the first read of the orders: nothing was sent then; the signal's reason.
 */
export async function closePositions(
  requests: readonly CloseRequest[],
  waitMs: number,
  around: ClosingContext,
): Promise<ClosingResult[]> {
  const context: ClosingContext = { ...around, hasPosition: true };
  const { orders } = context.background ?? context;
  const readTags = async (): Promise<string[]> => (await orders.list(undefined, 'marked')).map(tagOf);
  const turn = new SendingTurn(context.positionLock, readTags, context.signal);
  return await closeInTurn(requests, { waitMs, turn }, context).finally(() => turn.over());
}

/** Milliseconds to wait, and the turn to send. */
interface Pace {
  waitMs: number;
  turn: SendingTurn;
}

async function closeInTurn(
  requests: readonly CloseRequest[],
  { waitMs, turn }: Pace,
  context: ClosingContext,
): Promise<ClosingResult[]> {
  const { signal } = context;
  const states = requests.map((request) => new Closing(request));
  if (states.length === 0) return [];
  // The position of an instrument is changed by one at a time.
  const refIds = requests.map(({ position }) => position.refId);
  await aloneInProcess(refIds, context, async () => {
    const isSelected = (order: OrderRecord): boolean =>
      requests.some(({ position, label }) => isOrderOf(order, position) && hasLabel(order, label));
    const requested = new Set<string>();
    const endOpen = async (): Promise<void> => {
      if (requests.every(({ goal }) => goal?.countsOpen === true)) return;
      // What a basket holds may be meant to stay: it is named instead.
      const closing = requests.filter(({ goal }) => goal === undefined);
      const baskets = closing.length === 0 ? [] : await exitBaskets(closing, requested, waitMs, context);
      for (const state of states) state.takeBaskets(baskets.filter(({ holds }) => holds(state.request)));
      const cancelled = await cancelOpenOrders(isSelected, Math.max(waitMs, MIN_WAIT_MS), context);
      for (const state of states) state.takeCancelled(cancelled);
    };
    await endOpen();
    let open = soldFirst(states).filter(({ goesOn }) => goesOn);
    for (let round = 0; round < MAX_ORDERS && open.length > 0; round++) {
      const reconciled = await reconcilePosition(
        open.map(({ request }) => request),
        endOpen,
        context,
        () => turn.ask(),
      ).catch((error: unknown) => brokerageErrorOnly(error, signal));
      for (const state of open) {
        if (!state.goesOn) continue;
        const confirmed =
          reconciled instanceof BrokerageError ? reconciled : reconciled.get(positionKey(state.request.position))!;
        await state.goOn(confirmed, round, { waitMs, turn }, context);
      }
      open = open.filter(({ goesOn }) => goesOn);
    }
  });
  return states.map((state) => state.result());
}

/** Sold positions before bought ones: without its hedge a sold option needs more margin, and the sale of the hedge may be refused for that. */
function soldFirst(states: readonly Closing[]): Closing[] {
  const isSold = ({ request }: Closing): boolean => request.position.net < 0;
  return [...states.filter(isSold), ...states.filter((state) => !isSold(state))];
}

/** The tag under which the list shows, or may show, what was sent; undefined where nothing was. */
function sentTagOf(outcome: Outcome): string | undefined {
  if (outcome.outcome === 'confirmed') return tagOf(outcome.record) || outcome.tag;
  return outcome.outcome === 'unknown' ? outcome.tag : undefined;
}

/** The closing of one position, over its orders. */
class Closing {
  private cancelled: ChangeResult[] = [];
  private baskets: readonly ExitedBasket[] = [];
  private readonly orders: ClosingOrder[] = [];
  private closed = 0;
  private left: number | undefined;
  private before: ReconciledPosition['before'] | undefined;
  private error: BrokerageError | undefined;
  /** Maximum number of units that may still be closed, with their sign; undefined before the first order. */
  private bound: number | undefined;
  /** The reason why units may remain that are not counted in `left`. */
  private doubt: BrokerageError | undefined;
  /** True if another order follows. */
  goesOn = true;

  constructor(readonly request: CloseRequest) {}

  takeCancelled(all: readonly ChangeResult[]): void {
    const { position, label } = this.request;
    const mine = all.filter(({ order }) => order !== undefined && isOrderOf(order, position) && hasLabel(order, label));
    const otherCancellations = this.cancelled.filter(
      ({ orderId }) => !mine.some((changeResult) => changeResult.orderId === orderId),
    );
    this.cancelled = [...otherCancellations, ...mine];
    const open = mine.find(({ result }) => result !== 'done' && result !== 'too_late');
    // Whatever still lives may close it, too.
    if (open?.error !== undefined) this.stop(open.error);
  }

  takeBaskets(exited: readonly ExitedBasket[]): void {
    this.baskets = [...this.baskets, ...exited];
    const open = exited.find(({ result, error }) => result === 'open' && error !== undefined);
    if (open !== undefined) this.stop(open.error);
  }

  /** Places one more order for the remaining units. */
  async goOn(
    reconciled: ReconciledPosition | BrokerageError,
    round: number,
    { waitMs, turn }: Pace,
    context: ClosingContext,
  ): Promise<void> {
    if (reconciled instanceof BrokerageError) return this.stop(reconciled);
    this.before ??= reconciled.before;
    const net = this.bound === undefined ? reconciled.net : smallerOfSameSign(reconciled.net, this.bound);
    this.left = net;
    this.doubt = this.doubtOf(reconciled, net) ?? this.doubt;
    if (net === 0) return this.stop();
    const input = asClosingRequest(this.request, net, reconciled.before.held);
    const next = await nextClosingOrder(input, net, round, context).catch((error: unknown) =>
      brokerageErrorOnly(error, context.signal),
    );
    if (next instanceof BrokerageError) return this.stop(next);
    const { request, isCut } = next;
    const hold = await turn.take().catch((error: unknown) => brokerageErrorOnly(error, context.signal));
    if (hold instanceof BrokerageError) return this.stop(hold);
    context.sentExits.add(context.scope, positionKey(this.request.position), request.tag, reconciled.beside);
    const held = hold === undefined ? context : { ...context, hold };
    const outcome = next.earlierOrder ?? (await placeOrder(this.asCounted(request, reconciled), held));
    // It is counted again.
    if ('error' in outcome && outcome.error instanceof TradedMeanwhileError) return;
    const sent = sentTagOf(outcome);
    if (sent !== undefined) turn.sent(sent);
    this.request.placed(outcome);
    if (outcome.outcome !== 'confirmed') return this.stop('error' in outcome ? outcome.error : undefined);
    const waited = await waitUntil(outcome.id, hasEnded, Math.max(waitMs, MIN_WAIT_MS), context);
    const record = waited.order ?? outcome.record;
    const { alreadyPlaced, tag, id: orderId } = outcome;
    const [quantity, filled] = [quantityOf(record), filledQuantityOf(record)];
    this.orders.push({ orderId, tag, quantity, filled, alreadyPlaced, record });
    // The earlier try meant to close more: what it did not send is closed now.
    if (alreadyPlaced && isCut && hasEnded(record)) return;
    if (alreadyPlaced) return this.followEarlier(net, record, reconciled);
    this.closed += filled;
    this.bound = net - Math.sign(net) * filled;
    this.left = this.bound;
    if (!hasEnded(record)) {
      this.stop(new InputError(`Order ${orderId}, which was placed for this, is still open.`, { hint: STILL_OPEN }));
    } else if (filled === 0) {
      this.stop(
        new InputError(`Order ${orderId} found no ${sideOf(record) === 'BUY' ? 'seller' : 'buyer'}.`, { hint: NOBODY }),
      );
    } else if (this.bound === 0) this.stop();
  }

  /** @param net units that are about to be closed, with their sign. */
  private doubtOf({ unexplained }: ReconciledPosition, net: number): BrokerageError | undefined {
    const { position } = this.request;
    if (unexplained === 0) return undefined;
    if (this.bound !== undefined) return net === 0 ? notShown(position, this.bound) : undefined;
    return net === 0
      ? notReconciled(position, 'its position and its orders do not agree')
      : shownBeyondOrders(position, unexplained);
  }

  /** Returns the order, which is sent only if the list shows the orders that were counted on the position, and no others. */
  private asCounted(request: OrderRequest, { orderIds }: ReconciledPosition): OrderRequest {
    const isCounted = (order: OrderRecord): boolean =>
      !isOrderOf(order, this.request.position) || (orderIds.has(orderIdOf(order)) && !isUnreadable(order));
    const isUnchanged: OrderRequest['isUnchanged'] = (listed) => {
      const shown = new Set((listed as readonly OrderRecord[]).map(orderIdOf));
      return [...orderIds].every((id) => shown.has(id)) && (listed as readonly OrderRecord[]).every(isCounted);
    };
    return { ...request, isUnchanged };
  }

  /**
   * Follows the order of an earlier try, with the same key or in the same execution: the units that it left are the maximum to close now. A
   * position that was opened again since is another one.
   */
  private followEarlier(net: number, record: OrderRecord, { isCertain }: ReconciledPosition): void {
    const side = sideOf(record);
    const rest = (side === 'SELL' ? 1 : -1) * Math.max(0, quantityOf(record) - filledQuantityOf(record));
    this.bound = side === undefined || !hasEnded(record) ? 0 : smallerOfSameSign(net, rest);
    if (this.bound !== 0) return;
    // What was closed may still be counted where the position could not be compared with the orders.
    this.left = isCertain ? net : undefined;
    this.stop(
      new InputError(`An earlier try already placed order ${orderIdOf(record)} for this.`, {
        hint: NOTHING_SENT_ADVICE,
      }),
    );
  }

  private stop(error?: BrokerageError): void {
    this.goesOn = false;
    this.error ??= error ?? this.doubt;
    if (this.doubt !== undefined && this.left === 0) this.left = undefined;
  }

  result(): ClosingResult {
    const { request, cancelled, orders, closed, left, error, before } = this;
    const baskets = this.baskets.map(({ basketId, result }) => ({ basketId, result }));
    const isLeft = left !== 0 && error === undefined;
    const why = isLeft
      ? new InputError(`${Math.abs(left ?? 0)} of the position are still open after ${orders.length} orders.`, {
          hint: NOBODY,
        })
      : error;
    return {
      request,
      cancelled,
      baskets,
      orders,
      closed,
      left,
      ...(before === undefined ? {} : { before }),
      ...(why === undefined ? {} : { error: why }),
    };
  }
}

const STILL_OPEN = 'Look at it with Order: Get. What it fills counts; cancel it before you run this again.';
const NOBODY = 'Run the workflow again for what is left, with a limit further from the last price or at the market.';
const NOTHING_SENT_ADVICE =
  'Nothing was sent now. If something is left all the same, run the workflow again, or with another Idempotency Key.';
