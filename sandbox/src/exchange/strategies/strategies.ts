import type { Refusal } from '../../shared/orders';
import { drawLatency } from '../models/latency';
import { refuse } from '../rules';
import type { ExchangeEvent } from '../types';
import { strategyChangeRefusal, EntryChanges } from './changes';
import { sliceQuantities } from './child-orders';
import { EntryRunner } from './entry-runner';
import { ExitRunner } from './exit-runner';
import { isAlive, triggeredExit } from './exit-triggers';
import type { ExitSlot } from './exit-types';
import { receivedStrategy } from './new-strategy';
import { OrderFollower } from './order-follower';
import { INTENT_TEXT, intentRefusal } from './rules';
import { StrategyEngine, type StrategyDeps } from './strategy-engine';
import { copyOf, isFinished } from './strategy-store';
import type {
  EntryEnd,
  IntentChange,
  IntentEvent,
  IntentOrder,
  IntentOrders,
  IntentTask,
  NewIntent,
  StrategiesState,
  WorkingIntent,
} from './types';

/** A cancel so soon after a modification is refused: the exchange works on it (docs/service/intent-orders.md#modify-and-cancel). Milliseconds. */
const MODIFY_BUSY_MS = 5_000;

/**
 * Makes intent orders over an exchange, which drives them from then on; with `from` they go on where that was taken.
 * Whoever books trades must listen to the exchange before they do: make them after it.
 */
export function createIntentOrders(deps: StrategyDeps, from?: StrategiesState): IntentOrders {
  const engine = new IntentEngine(deps, from);
  deps.exchange.attach(engine);
  return engine;
}

class IntentEngine extends StrategyEngine implements IntentOrders {
  private readonly entries = new EntryRunner(this.parts);
  private readonly exits = new ExitRunner(this.parts);
  private readonly changes = new EntryChanges(this.parts);
  private readonly follower = new OrderFollower({
    store: this.store,
    entries: this.entries,
    exits: this.exits,
    changes: this.changes,
  });

  check(order: NewIntent, at: number): Refusal | undefined {
    return intentRefusal(order, this.sessions.moment(order, at));
  }

  place(newIntent: NewIntent, smallId: boolean, at: number): { ok: true; intent: IntentOrder } | Refusal {
    this.deps.exchange.advance(at);
    const refused = this.check(newIntent, at);
    if (refused !== undefined) return refused;
    const { send, exchange, list } = this.drawDelays();
    this.store.forgetBefore(at);
    const working = receivedStrategy(newIntent, {
      id: this.store.newId(smallId),
      createdAt: this.store.time(at),
      visibleAt: at + send + exchange + list,
    });
    this.store.add(working);
    const { condition, time } = newIntent.entry;
    if (newIntent.multi || condition !== null || time !== null || !this.sessions.isOpen(working.intent, at)) {
      this.schedule.add(at + send + exchange, { kind: 'accept', id: working.intent.id });
    } else {
      working.closesAt = this.sessions.closeOf(working.intent, at);
      working.intent.entryTriggered = true;
      this.entries.send(working, at);
    }
    this.wake(working, at);
    return { ok: true, intent: copyOf(working.intent) };
  }

  checkModify(id: bigint, change: IntentChange, at: number): Refusal | undefined {
    const working = this.store.get(id);
    if (working === undefined) return refuse('ORDER_NOT_FOUND', `There is no order ${id} today`);
    if (isFinished(working))
      return refuse(
        'ORDER_NOT_PENDING',
        `order ${id} is ${working.intent.status}: only a pending order can be modified`,
      );
    if (working.changing || working.cancelling !== null || working.stage === 'RECEIVED')
      return refuse('REQUEST_IN_FLIGHT', `${INTENT_TEXT.modifyBusy}: a request for order ${id} is on its way`);
    return strategyChangeRefusal(working, change, (requested) => this.sessions.moment(requested, at));
  }

  modify(id: bigint, change: IntentChange, at: number): { ok: true } | Refusal {
    this.deps.exchange.advance(at);
    const refused = this.checkModify(id, change, at);
    if (refused !== undefined) return refused;
    const working = this.store.get(id)!;
    working.busyUntil = at + MODIFY_BUSY_MS;
    working.changing = true;
    this.schedule.add(at + drawLatency(this.random, this.latency.send), { kind: 'change', id, change });
    return { ok: true };
  }

  checkCancel(id: bigint, slot: ExitSlot | null, at: number): Refusal | undefined {
    const working = this.store.get(id);
    if (working === undefined) return refuse('ORDER_NOT_FOUND', `There is no order ${id} today`);
    const { status, exits } = working.intent;
    if (slot !== null && !exits.some((exit) => exit.slot === slot && isAlive(exit)))
      return refuse('EXIT_NOT_FOUND', `order ${id} has no such exit that is still open`);
    if (isFinished(working))
      return refuse('ORDER_NOT_PENDING', `order ${id} is ${status}: only a pending order can be cancelled`);
    if (at < working.busyUntil || working.cancelling !== null || working.stage === 'RECEIVED')
      return refuse('REQUEST_IN_FLIGHT', INTENT_TEXT.cancelBusy);
    return undefined;
  }

  cancel(id: bigint, slot: ExitSlot | null, at: number): { ok: true } | Refusal {
    return this.request(id, { slot, close: false }, at);
  }

  close(id: bigint, at: number): { ok: true } | Refusal {
    return this.request(id, { slot: null, close: true }, at);
  }

  intent(id: bigint): IntentOrder | undefined {
    const working = this.store.get(id);
    return working === undefined ? undefined : copyOf(working.intent);
  }

  intents(account: string, at: number): IntentOrder[] {
    return this.listed(account, at).map(({ intent }) => copyOf(intent));
  }

  countIntents(account: string, at: number, test: (intent: Readonly<IntentOrder>) => boolean): number {
    return this.listed(account, at).filter(({ intent }) => test(intent)).length;
  }

  netPrice(order: Pick<NewIntent, 'legs'>, at: number): number {
    return this.sessions.netPrice(order, at);
  }

  waitsForSession(order: Pick<NewIntent, 'legs'>, at: number): boolean {
    return !this.sessions.isOpen(order, at);
  }

  slicesOf({ legs, quantity }: Pick<NewIntent, 'legs' | 'quantity'>, at: number): number[][] {
    return legs.map(({ refId, unit }) => sliceQuantities(quantity * Math.abs(unit), this.instrument(refId, at)));
  }

  sessionOf(order: Pick<NewIntent, 'legs' | 'product'>, at: number): { from: number; to: number } {
    return this.sessions.moment(order, at).session;
  }

  protected endRepriced(working: WorkingIntent, reason: string, at: number): void {
    this.end(working, { type: 'cancelled', reason }, at);
  }

  /** An entry in several legs is not taken back, as the broker closes what it has bought and sold. */
  protected endClosed(working: WorkingIntent, reason: string, at: number): void {
    this.exits.endAll(working, reason, at);
    if (working.stage === 'OVER') return;
    this.cancelEntry(working, at);
    this.entries.endEntry(working, { type: 'cancelled', reason }, at);
  }

  onEvent(listener: (event: IntentEvent) => void): void {
    this.store.onEvent(listener);
  }

  protected follow(event: ExchangeEvent): WorkingIntent | undefined {
    return this.follower.follow(event);
  }

  protected perform(working: WorkingIntent, task: IntentTask, at: number): void {
    if (task.kind === 'accept') {
      working.stage = 'WAITING';
      this.store.emit(working, { type: 'accepted' }, at, { stamp: 'acceptedAt' });
      this.judge(working, at);
    } else if (task.kind === 'change') {
      this.changes.carryOut(working, task.change, at);
    } else {
      this.carryOutCancel(working, task, at);
    }
  }

  private carryOutCancel(
    working: WorkingIntent,
    { slot, close }: Extract<IntentTask, { kind: 'cancel' }>,
    at: number,
  ): void {
    if (slot !== null) return this.exits.takeOff(working, slot, at);
    if (close && working.stage === 'OVER' && triggeredExit(working.intent.exits)?.slot !== 'request')
      return this.exits.closeAll(working, at);
    if (working.stage === 'OVER') {
      for (const name of ['stop', 'target', 'time'] as const)
        if (working.intent.exits.some((exit) => exit.slot === name && isAlive(exit)))
          this.exits.takeOff(working, name, at);
      return;
    }
    working.cancelling = '';
    if (working.stage === 'WAITING') return this.entries.endEntry(working, { type: 'cancelled', reason: '' }, at);
    this.cancelEntry(working, at);
    this.entries.finish(working, at);
  }

  private request(id: bigint, asked: { slot: ExitSlot | null; close: boolean }, at: number): { ok: true } | Refusal {
    this.deps.exchange.advance(at);
    this.store.forgetBefore(at);
    const held = asked.close && this.holds(id);
    const refused = held ? undefined : this.checkCancel(id, asked.slot, at);
    if (refused !== undefined) return refused;
    this.schedule.add(at + drawLatency(this.random, this.latency.send), { kind: 'cancel', id, ...asked });
    return { ok: true };
  }

  /** True if an entered quantity could be closed, and is not being closed already. */
  private holds(id: bigint): boolean {
    const working = this.store.get(id);
    if (working === undefined || working.stage !== 'OVER' || triggeredExit(working.intent.exits)?.slot === 'request')
      return false;
    return working.intent.legs.some(({ filledQuantity, exitQuantity }) => filledQuantity > exitQuantity);
  }

  protected judge(working: WorkingIntent, at: number): void {
    const { intent } = working;
    if (working.stage === 'RECEIVED' || isFinished(working)) return;
    const gone = this.sessions.hasExpired(intent, at);
    const last = intent.validity === 'GTE' && at >= this.sessions.lastClose(intent);
    if (gone || last)
      return this.expire(working, gone ? 'the contract has expired' : 'good till date: not filled in time', at);
    if (working.closesAt !== null && at >= working.closesAt) {
      if (intent.validity !== 'GTE') return this.expire(working, `${intent.validity}: not filled by the close`, at);
      working.closesAt = null;
    }
    if (!this.sessions.isOpen(intent, at)) return;
    working.closesAt ??= this.sessions.closeOf(intent, at);
    if (working.stage === 'WAITING') this.entries.judge(working, at);
    else if (working.stage === 'WORKING') {
      if (working.cancelling !== null) this.cancelEntry(working, at);
      else if (intent.multi && at >= working.retryAt) this.entries.send(working, at);
    }
    this.exits.judge(working, at);
  }

  private expire(working: WorkingIntent, reason: string, at: number): void {
    this.end(working, { type: 'expired', reason }, at);
  }

  /** The entry's rest and all exits end. */
  private end(working: WorkingIntent, end: EntryEnd, at: number): void {
    this.exits.endAll(working, end.reason, at);
    const { stage, children } = working;
    if (stage === 'WAITING' || (stage === 'WORKING' && children.every(({ of }) => of !== 'entry')))
      this.entries.endEntry(working, end, at);
    else if (stage === 'WORKING') {
      if (end.type === 'cancelled') working.cancelling = end.reason;
      this.cancelEntry(working, at);
    }
  }

  private cancelEntry(working: WorkingIntent, at: number): void {
    this.parts.children.cancel(
      working.children.filter(({ of }) => of === 'entry'),
      at,
    );
  }

  protected needsLooks({ stage, intent, cancelling, children }: WorkingIntent): boolean {
    if (stage === 'WAITING') return true;
    if (stage === 'RECEIVED') return false;
    const exits = intent.exits.some(isAlive);
    if (stage === 'OVER') return exits;
    return intent.multi || cancelling !== null || children.length === 0 || (exits && intent.filledQuantity > 0);
  }
}
