import { istDay, millisOf } from '../../shared/time';
import type { Side } from '../../shared/orders';
import type { ExchangeEvent } from '../types';
import { basketStatus } from './as-v2-basket';
import { openQuantity } from './child-orders';
import { MAX_FRUITLESS } from './entry-runner';
import { dueExit, trailStop } from './exit-triggers';
import type { ExitSlot } from './exit-types';
import { bookChildTrade } from './order-follower';
import type { StrategyParts } from './strategy-engine';
import { isFinished } from './strategy-store';
import type { BasketFacts, ExitCause, IntentLeg, IntentOrder, WorkingIntent } from './types';

/** After an order of a leg was rejected, or too many traded nothing, the exit is tried again after so many milliseconds. */
const RETRY_MS = 30_000;

const ENDS: ReadonlySet<ExchangeEvent['type']> = new Set(['rejected', 'cancelled', 'expired', 'unsolicited_cancel']);

const SLOTS: Record<ExitCause, ExitSlot> = {
  STOPLOSS: 'stop',
  TRAILING_STOP: 'stop',
  TARGET: 'target',
  EXIT_TIME: 'time',
  REQUEST: 'request',
  FAILED_ENTRY: 'request',
};

/** True if a basket is being exited, for whichever cause. */
export function isExiting(working: WorkingIntent): boolean {
  return factsOf(working.intent).exitCause !== null && !isFinished(working);
}

/**
 * Enters, exits and ends baskets of the older interface (docs/service/baskets.md#basket-rules). Other than a strategy of the intent
 * interface, a basket is entered in the session in which it is placed. All of its orders are at market, and none is taken back.
 * A basket that cannot be entered as a whole is closed again before it is rejected.
 */
export class BasketRunner {
  constructor(private readonly parts: StrategyParts) {}

  /** The acknowledged basket starts to wait for its entry, which may be now. */
  accept(working: WorkingIntent, at: number): void {
    const { intent } = working;
    if (intent.entry.time === null && !this.parts.sessions.isOpen(intent, at)) {
      const reason = `MARKET_CLOSED: ${factsOf(intent).exchange} does not trade all legs now`;
      return this.reject(working, reason, at);
    }
    working.stage = 'WAITING';
    this.parts.store.emit(working, { type: 'accepted' }, at, { stamp: 'acceptedAt' });
    this.judge(working, at);
  }

  /** The owner wants out: a basket without fills is cancelled, one with fills is exited. */
  requestExit(working: WorkingIntent, at: number): void {
    if (!isFinished(working) && !isExiting(working)) return this.exit(working, 'REQUEST', 'cancelled by its owner', at);
    const state = isFinished(working) ? basketStatus(working.intent) : 'being exited already';
    this.parts.store.emit(working, { type: 'cancel_rejected', reason: `it is ${state}` }, at);
  }

  /** Ends a basket without a trade: what it has bought and sold stays, and nothing guards it any more. */
  abandon(working: WorkingIntent, reason: string, at: number): void {
    this.parts.children.cancel(working.children, at);
    working.intent.reason = reason;
    this.end(working, at);
  }

  /** Looks at prices and times, and does what follows. */
  judge(working: WorkingIntent, at: number): void {
    const { intent } = working;
    if (working.stage === 'RECEIVED' || this.dayIsOver(working, at)) return;
    if (at >= working.closesAt! && working.stage !== 'OVER' && !isExiting(working)) {
      const cause = working.stage === 'WAITING' ? 'EXIT_TIME' : 'FAILED_ENTRY';
      this.exit(working, cause, 'not entered by the close', at);
    }
    if (isFinished(working) || !this.parts.sessions.isOpen(intent, at)) return;
    if (isExiting(working)) return this.work(working, at);
    if (working.stage === 'WAITING') this.judgeEntry(working, at);
    else if (working.stage === 'OVER') this.judgeExit(working, at);
    else if (isExitTime(intent, at)) this.exit(working, 'EXIT_TIME', 'exit time', at);
    if (working.stage === 'WORKING') this.work(working, at);
  }

  /** Follows the orders of the legs. @returns the basket that may have to be looked at now */
  follow(event: ExchangeEvent): WorkingIntent | undefined {
    const { order } = event;
    const working = order.basketId === 0n ? undefined : this.parts.store.get(order.basketId);
    const child = working?.children.find(({ orderId }) => orderId === order.id);
    if (working === undefined || child === undefined) return undefined;
    const at = millisOf(event.at);
    if (event.type === 'trade') bookChildTrade(this.parts.store, working, child, event.trade, at);
    else if (ENDS.has(event.type)) {
      working.children = working.children.filter((item) => item !== child);
      const leg = working.intent.legs[child.leg]!;
      if (event.type === 'rejected' || this.isFruitless(leg, order.side))
        this.legRejected(working, leg, order.reason, at);
    }
    this.finish(working, at);
    return working;
  }

  private judgeEntry(working: WorkingIntent, at: number): void {
    const { intent } = working;
    const { condition, time } = intent.entry;
    if (isExitTime(intent, at)) return this.exit(working, 'EXIT_TIME', 'not entered by its exit time', at);
    if (time !== null && at < time) return;
    const net = this.parts.sessions.netOf(intent.legs, at);
    intent.entryTriggered ||= condition === null || net >= condition.price;
    if (!intent.entryTriggered || (intent.priceType === 'LIMIT' && net > intent.price)) return;
    working.stage = 'WORKING';
    this.parts.store.emit(working, { type: 'entry_triggered' }, at, { stamp: 'sentAt' });
  }

  private judgeExit(working: WorkingIntent, at: number): void {
    const { intent } = working;
    const net = this.parts.sessions.netOf(intent.legs, at);
    working.best = Math.max(working.best ?? net, net);
    const stop = intent.exits.find(({ slot }) => slot === 'stop');
    const entered = { value: entryPrice(intent), quantity: 1 };
    if (stop !== undefined && trailStop(stop, 1, working.best, entered, 1))
      this.parts.store.emit(working, { type: 'trail_updated' }, at);
    const due = dueExit(intent.exits, 1, net, at);
    if (due === undefined) return;
    if (due.slot === 'time') this.exit(working, 'EXIT_TIME', 'exit time', at);
    else if (due.slot === 'target') this.exit(working, 'TARGET', '', at);
    else this.exit(working, due.trigger === due.asked.trigger ? 'STOPLOSS' : 'TRAILING_STOP', '', at);
  }

  private exit(working: WorkingIntent, cause: ExitCause, reason: string, at: number): void {
    const { intent, children } = working;
    factsOf(intent).exitCause = cause;
    intent.reason = reason;
    if (children.length > 0 || intent.legs.some(({ filledQuantity }) => filledQuantity > 0))
      this.parts.store.emit(working, { type: 'exit_triggered', slot: SLOTS[cause] }, at, { stamp: 'exitTriggeredAt' });
    this.work(working, at);
    this.finish(working, at);
  }

  /** An entry that can't be completed is taken back; an exit is tried again later. */
  private legRejected(working: WorkingIntent, { refId }: IntentLeg, reason: string, at: number): void {
    if (working.stage !== 'WORKING' || isExiting(working)) working.retryAt = at + RETRY_MS;
    else this.exit(working, 'FAILED_ENTRY', `leg ${refId}: ${reason}`, at);
  }

  /** True if the last orders of a leg on a side traded nothing: then nothing is there within their price protection. */
  private isFruitless({ orderIds }: IntentLeg, side: Side): boolean {
    const last = orderIds!.slice(-MAX_FRUITLESS).map((id) => this.parts.exchange.order(id));
    return last.length === MAX_FRUITLESS && last.every((item) => item?.side === side && item.filledQuantity === 0);
  }

  /** Places what is missing of the legs that have no order at the exchange. */
  private work(working: WorkingIntent, at: number): void {
    if (at < working.retryAt || !this.parts.sessions.isOpen(working.intent, at)) return;
    const exiting = isExiting(working);
    const isBusy = (index: number): boolean => working.children.some(({ leg }) => leg === index);
    const missing = (leg: IntentLeg): number => (exiting ? openQuantity(leg) : leg.quantity - leg.filledQuantity);
    const refused = this.parts.children.placeMissing(
      working,
      (leg, index) => (isBusy(index) ? 0 : missing(leg)),
      ({ unit }) => ({
        of: exiting ? 'request' : 'entry',
        side: unit > 0 === exiting ? 'SELL' : 'BUY',
        validity: 'IOC',
        priceType: 'MARKET',
        price: 0,
        visible: 0,
      }),
      at,
    );
    if (refused !== undefined) this.legRejected(working, refused.leg, refused.reason, at);
  }

  /** Goes on once every leg is where it should be. */
  private finish(working: WorkingIntent, at: number): void {
    const { intent, children } = working;
    if (children.length > 0 || isFinished(working)) return;
    if (isExiting(working)) {
      if (intent.legs.every((leg) => openQuantity(leg) === 0)) this.end(working, at);
    } else if (working.stage === 'WORKING' && intent.legs.every((leg) => leg.filledQuantity === leg.quantity)) {
      working.stage = 'OVER';
      this.parts.store.emit(working, { type: 'executed' }, at, { status: 'EXECUTED', stamp: 'filledAt' });
    }
  }

  private end(working: WorkingIntent, at: number): void {
    const { intent } = working;
    if (factsOf(intent).exitCause === 'FAILED_ENTRY') return this.reject(working, intent.reason, at);
    working.stage = 'OVER';
    if (intent.legs.every(({ filledQuantity }) => filledQuantity === 0))
      this.parts.store.emit(working, { type: 'cancelled' }, at, { status: 'CANCELLED', stamp: 'cancelledAt' });
    else {
      const slot = SLOTS[factsOf(intent).exitCause ?? 'REQUEST'];
      this.parts.store.emit(working, { type: 'exit_filled', slot }, at, { status: 'EXECUTED', stamp: 'closedAt' });
    }
  }

  private reject(working: WorkingIntent, reason: string, at: number): void {
    working.stage = 'OVER';
    const change = { status: 'REJECTED', stamp: 'rejectedAt', reason } as const;
    this.parts.store.emit(working, { type: 'rejected', reason }, at, change);
  }

  /** Ends a basket the day after it was placed, if it was intraday or has expired. @returns true if it does */
  private dayIsOver(working: WorkingIntent, at: number): boolean {
    const { intent, stage } = working;
    if (isFinished(working) || stage === 'WAITING' || istDay(at) === istDay(millisOf(intent.createdAt))) return false;
    const hasExpired = this.parts.sessions.hasExpired(intent, at);
    if (intent.product === 'CNC' && !hasExpired) return false;
    this.abandon(working, hasExpired ? 'a leg has expired' : 'squared off at the end of the day', at);
    return true;
  }
}

function factsOf({ basket }: IntentOrder): BasketFacts {
  if (basket === undefined) throw new Error('this strategy was not placed as a basket');
  return basket;
}

function isExitTime({ exits }: IntentOrder, at: number): boolean {
  return exits.some(({ slot, at: due }) => slot === 'time' && at >= due);
}

/** The net price (paise for one unit) at which a basket was entered, rounded down. */
function entryPrice({ legs }: IntentOrder): number {
  return Math.floor(
    legs.reduce((sum, { unit, filledValue, filledQuantity }) => sum + (unit * filledValue) / filledQuantity, 0),
  );
}
