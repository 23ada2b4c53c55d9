import { openQuantity, quantityAtExchange } from './child-orders';
import { MAX_FRUITLESS } from './entry-runner';
import { gainDirectionOf } from './rules';
import { dueExit, newExit, isAlive, trailStop, triggeredExit } from './exit-triggers';
import type { StrategyExit, ExitSlot } from './exit-types';
import type { StrategyParts } from './strategy-engine';
import type { WorkingIntent, EntryEnd } from './types';

/** After a market order to get out was rejected, or too many traded nothing, the next comes after so many milliseconds. */
const REJECTED_RETRY_MS = 30_000;
/** Market orders that left something over are followed by others after so long, milliseconds. */
const LEFT_RETRY_MS = 1_000;

/** The exits of intent orders: armed for what is filled, triggered one at a time, worked until nothing is held. */
export class ExitRunner {
  constructor(private readonly parts: StrategyParts) {}

  /** Judges the exits of what is filled, in an open session; of a strategy once it is entered as a whole. */
  judge(working: WorkingIntent, at: number): void {
    const { intent } = working;
    if (!intent.exits.some(isAlive)) return;
    const armed = intent.multi ? intent.status === 'EXECUTED' : intent.filledQuantity > 0;
    if (!armed && triggeredExit(intent.exits) === undefined) return;
    const price = this.parts.sessions.netPrice(intent, at);
    this.follow(working, price, at);
    const running = triggeredExit(intent.exits);
    if (running === undefined) {
      const due = dueExit(intent.exits, gainDirectionOf(intent), price, at);
      if (due !== undefined) this.trigger(working, due, at);
    } else {
      this.takeOver(working, running, at);
    }
    this.work(working, at);
  }

  /** Everything is to be closed at market, by its owner's wish. */
  closeAll(working: WorkingIntent, at: number): void {
    const { intent } = working;
    if (intent.legs.every((leg) => openQuantity(leg) === 0)) {
      this.parts.store.emit(working, { type: 'cancel_rejected', reason: 'nothing of it is open any more' }, at);
      return;
    }
    const running = triggeredExit(intent.exits);
    for (const exit of intent.exits) if (exit.status === 'OPEN') exit.status = 'CANCELLED';
    if (running !== undefined) {
      running.ending = 'OWNER';
      this.parts.children.cancel(this.childrenOf(working), at);
    }
    const request = newExit('request', 0, 0, 0, 0);
    intent.exits.push(request);
    if (running === undefined) this.trigger(working, request, at);
    this.finish(working, at);
    this.work(working, at);
  }

  /** The owner takes an exit off: at once where it waits, when its orders are back where it was triggered. */
  takeOff(working: WorkingIntent, slot: ExitSlot, at: number): void {
    const openExit = working.intent.exits.find((exit) => exit.slot === slot && isAlive(exit));
    if (openExit === undefined) {
      this.parts.store.emit(working, { type: 'cancel_rejected', reason: 'there is no such exit any more' }, at);
      return;
    }
    if (openExit.status === 'OPEN') return this.end(working, openExit, '', at);
    openExit.ending = 'OWNER';
    this.parts.children.cancel(this.childrenOf(working), at);
    this.finish(working, at);
  }

  /** All exits end: the session, the order's last day or its contract is over. */
  endAll(working: WorkingIntent, reason: string, at: number): void {
    this.parts.children.cancel(this.childrenOf(working), at);
    for (const exit of working.intent.exits.filter(isAlive)) this.end(working, exit, reason, at);
  }

  /** An order of an exit ended without being filled. */
  orderEnded(working: WorkingIntent, { type, reason }: EntryEnd, at: number): void {
    const running = triggeredExit(working.intent.exits);
    if (running === undefined || running.ending !== null) return;
    const market = running.slot === 'time' || running.slot === 'request' || working.intent.multi;
    if (market) {
      const isHopeless = type === 'rejected' || working.fruitless >= MAX_FRUITLESS;
      working.retryAt = at + (isHopeless ? REJECTED_RETRY_MS : LEFT_RETRY_MS);
    } else if (type !== 'expired') {
      this.end(working, running, reason, at);
    }
  }

  /** Goes on when everything is closed, or the orders of an exit that ends are back. */
  finish(working: WorkingIntent, at: number): void {
    const { intent } = working;
    const running = triggeredExit(intent.exits);
    if (running === undefined) return;
    if (this.childrenOf(working).length > 0) return;
    if (working.stage === 'OVER' && intent.legs.every((leg) => openQuantity(leg) === 0)) {
      running.status = 'FILLED';
      for (const exit of intent.exits) if (exit.status === 'OPEN') exit.status = 'CANCELLED';
      this.parts.store.emit(working, { type: 'exit_filled', slot: running.slot }, at);
      return;
    }
    if (running.ending === null) return this.work(working, at);
    const { ending } = running;
    this.end(working, running, ending === 'TIME' ? 'the exit time took over' : '', at);
    const next = intent.exits.find((exit) => exit.status === 'OPEN' && (exit.slot === 'request' || ending === 'TIME'));
    if (next !== undefined) {
      this.trigger(working, next, at);
      this.work(working, at);
    }
  }

  /** The best price since the first fill, and a stop that trails it. */
  private follow(working: WorkingIntent, price: number, at: number): void {
    const { intent } = working;
    const direction = gainDirectionOf(intent);
    working.best = working.best === null || direction * (price - working.best) > 0 ? price : working.best;
    const stop = intent.exits.find(({ slot, status }) => slot === 'stop' && status === 'OPEN');
    if (stop === undefined || stop.jump === 0) return;
    const tick = Math.min(...intent.legs.map(({ refId }) => this.parts.instrument(refId, at).tickSize));
    if (trailStop(stop, direction, working.best, sumEntryFills(working), tick))
      this.parts.store.emit(working, { type: 'trail_updated' }, at);
  }

  /** The first exit that triggers takes the entry's rest back and ends the others, but for an exit time, which may take over. */
  private trigger(working: WorkingIntent, due: StrategyExit, at: number): void {
    const { intent } = working;
    due.status = 'TRIGGERED';
    for (const exit of intent.exits)
      if (exit.status === 'OPEN' && (exit.slot !== 'time' || due.slot === 'request')) exit.status = 'CANCELLED';
    if (working.stage !== 'OVER') working.cancelling ??= 'an exit was triggered';
    this.parts.store.emit(working, { type: 'exit_triggered', slot: due.slot }, at);
    this.parts.children.cancel(
      working.children.filter(({ of }) => of === 'entry'),
      at,
    );
  }

  /** An exit time that is due takes over a limit that is not filled. */
  private takeOver(working: WorkingIntent, running: StrategyExit, at: number): void {
    const time = working.intent.exits.find(({ slot, status }) => slot === 'time' && status === 'OPEN');
    if (running.ending !== null) return this.parts.children.cancel(this.childrenOf(working), at);
    if (time === undefined || at < time.at) return;
    running.ending = 'TIME';
    this.parts.children.cancel(this.childrenOf(working), at);
    this.finish(working, at);
  }

  /** Places what is held and not at the exchange: never more than is filled. */
  private work(working: WorkingIntent, at: number): void {
    const { intent } = working;
    const running = triggeredExit(intent.exits);
    if (
      running === undefined ||
      running.ending !== null ||
      at < working.retryAt ||
      !this.parts.sessions.isOpen(intent, at)
    )
      return;
    const market = running.slot === 'time' || running.slot === 'request';
    if (intent.multi && !market && this.parts.sessions.netPrice(intent, at) < running.limit) return;
    const limit = !market && !intent.multi;
    const refused = this.parts.children.placeMissing(
      working,
      (leg, index) => openQuantity(leg) - quantityAtExchange(working, index, 'exit'),
      (leg) => ({
        of: running.slot,
        side: leg.unit > 0 ? 'SELL' : 'BUY',
        validity: limit ? 'DAY' : 'IOC',
        priceType: limit ? 'LIMIT' : 'MARKET',
        price: limit ? running.limit : 0,
        visible: 0,
      }),
      at,
    );
    if (refused !== undefined) this.orderEnded(working, { type: 'rejected', reason: refused.reason }, at);
  }

  private end(working: WorkingIntent, one: StrategyExit, reason: string, at: number): void {
    one.status = 'CANCELLED';
    one.reason = reason;
    this.parts.store.emit(working, { type: 'exit_cancelled', slot: one.slot, reason }, at);
  }

  private childrenOf({ children }: WorkingIntent) {
    return children.filter(({ of }) => of !== 'entry');
  }
}

/** Fills of the entry: value and quantity of a single order, net value of a strategy. */
export function sumEntryFills({ intent }: WorkingIntent): { value: number; quantity: number } {
  if (!intent.multi) {
    const { filledValue, filledQuantity } = intent.legs[0]!;
    return { value: filledValue, quantity: filledQuantity };
  }
  const value = intent.legs.reduce((sum, { unit, filledValue }) => sum + Math.sign(unit) * filledValue, 0);
  return { value, quantity: intent.quantity };
}
