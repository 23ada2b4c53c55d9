import type { Instrument } from '../../market/reference/types';
import { resumeRandomSource, type RandomSource } from '../../shared/random';
import { istDate, istMidnight, millis } from '../../shared/time';
import type { Refusal } from '../../shared/orders';
import { ExitRunner, filledOf } from './exit-runner';
import { exitsOf, isAlive, triggered } from '../exits/triggers';
import type { ExitSlot } from '../exits/types';
import { createIdGenerator, type IdGenerator } from '../id-generator';
import { USUAL_LATENCY, type Latency } from '../latency-model';
import { refuse } from '../rules';
import { Schedule } from '../schedule';
import type { Exchange, ExchangeEvent, TimedComponent } from '../types';
import { ChildOrders, slices } from './child-orders';
import { changeRefusal, EntryChanges } from './changes';
import { EntryRunner, type IntentParts } from './entry-runner';
import { copyOf, IntentStore, isFinished, isPast, type WorkingIntent } from './intent-store';
import { INTENT_TEXT, intentRefusal, type Moment } from './rules';
import type {
  IntentChange,
  IntentTask,
  IntentEvent,
  IntentOrder,
  IntentOrders,
  IntentsState,
  NewIntent,
} from './types';

/** A cancel so soon after a modification is refused: the exchange works on it (intent orders, section 1). Milliseconds. */
const MODIFY_BUSY_MS = 5_000;
/** The next session is looked for so many changes of session ahead: holidays are not longer. */
const MOST_PHASES = 200;

export interface IntentDeps {
  exchange: Exchange;
  instrument(refId: number, at: number): Instrument | undefined;
  /** The instant of the day of `at` from which no intraday position may be opened; undefined when there is none. */
  intradayStop?(instrument: Instrument, at: number): number | undefined;
  /** Of its own, so that intent orders do not disturb what the exchange draws. */
  random: RandomSource;
  /** Where its time begins, milliseconds. */
  startAt: number;
  latency?: Latency;
  /** How often prices are judged, milliseconds; 1000 when left out. */
  stepMs?: number;
}

/**
 * Makes intent orders over an exchange, which drives them from then on; with `from` they go on where that was taken.
 * Whoever books trades must listen to the exchange before they do: make them after it.
 */
export function createIntentOrders(deps: IntentDeps, from?: IntentsState): IntentOrders {
  const engine = new IntentEngine(deps, from);
  deps.exchange.attach(engine);
  return engine;
}

class IntentEngine implements IntentOrders, TimedComponent {
  private readonly schedule = new Schedule<IntentTask>();
  private readonly random: RandomSource;
  private readonly ids: IdGenerator;
  private readonly store: IntentStore;
  private readonly entries: EntryRunner;
  private readonly exits: ExitRunner;
  private readonly children: ChildOrders;
  private readonly changes: EntryChanges;
  private readonly latency: Latency;
  private readonly stepMs: number;
  /** Instruments of legs, kept beyond their expiry. */
  private readonly known = new Map<number, Instrument>();
  /** Orders that have to be looked at: they wait, or have exits that are armed. */
  private readonly awake = new Set<WorkingIntent>();
  private nextLook: number | undefined;

  constructor(
    private readonly deps: IntentDeps,
    from: IntentsState | undefined,
  ) {
    const { exchange } = deps;
    this.random = from === undefined ? deps.random : resumeRandomSource(from.random);
    this.latency = deps.latency ?? USUAL_LATENCY;
    this.stepMs = deps.stepMs ?? 1000;
    this.ids = createIdGenerator(this.random, deps.startAt, from?.ids);
    this.store = new IntentStore(this.ids);
    const instruments = {
      get: (refId: number, at: number) => this.instrument(refId, at),
      listed: (refId: number, at: number) => deps.instrument(refId, at) !== undefined,
    };
    this.children = new ChildOrders(exchange, instruments);
    const parts: IntentParts = {
      store: this.store,
      exchange,
      children: this.children,
      instruments,
      netPrice: (intent, at) => this.netPrice(intent, at),
      isOpen: (intent, at) => this.isOpen(intent, at),
      lastClose: (intent) => this.lastClose(intent),
    };
    this.entries = new EntryRunner(parts);
    this.exits = new ExitRunner(parts);
    this.changes = new EntryChanges(parts);
    exchange.onEvent((event) => this.orderChanged(event));
    if (from === undefined) return;
    this.schedule.restore(from.schedule);
    this.store.restore(from);
    for (const instrument of from.known) this.known.set(instrument.refId, instrument);
    for (const id of from.awake) this.awake.add(this.store.get(id)!);
    this.nextLook = from.nextLook;
  }

  check(order: NewIntent, at: number): Refusal | undefined {
    return intentRefusal(order, this.moment(order, at));
  }

  place(asked: NewIntent, smallId: boolean, at: number): { ok: true; intent: IntentOrder } | Refusal {
    this.deps.exchange.advance(at);
    const refused = this.check(asked, at);
    if (refused !== undefined) return refused;
    const [send, exchange, list] = [this.latency.send, this.latency.exchange, this.latency.list].map((delay) =>
      this.random.between(...delay),
    ) as [number, number, number];
    const working = this.received(asked, smallId, at, at + send + exchange + list);
    this.store.add(working);
    const { condition, time } = asked.entry;
    if (asked.multi || condition !== null || time !== null || !this.isOpen(working.intent, at)) {
      this.schedule.add(at + send + exchange, { kind: 'accept', id: working.intent.id });
    } else {
      working.closesAt = this.closeOf(working.intent, at);
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
    return changeRefusal(working, change, (asked) => this.moment(asked, at));
  }

  modify(id: bigint, change: IntentChange, at: number): { ok: true } | Refusal {
    this.deps.exchange.advance(at);
    const refused = this.checkModify(id, change, at);
    if (refused !== undefined) return refused;
    const working = this.store.get(id)!;
    working.busyUntil = at + MODIFY_BUSY_MS;
    working.changing = true;
    this.schedule.add(at + this.random.between(...this.latency.send), { kind: 'change', id, change });
    return { ok: true };
  }

  checkCancel(id: bigint, slot: ExitSlot | null, at: number): Refusal | undefined {
    const working = this.store.get(id);
    if (working === undefined) return refuse('ORDER_NOT_FOUND', `There is no order ${id} today`);
    const { status, exits } = working.intent;
    if (slot !== null && !exits.some((one) => one.slot === slot && isAlive(one)))
      return refuse('EXIT_NOT_FOUND', `order ${id} has no such exit that is still open`);
    if (isFinished(working))
      return refuse('ORDER_NOT_PENDING', `order ${id} is ${status}: only a pending order can be cancelled`);
    if (at < working.busyUntil || working.cancelling !== null || working.stage === 'RECEIVED')
      return refuse('REQUEST_IN_FLIGHT', INTENT_TEXT.cancelBusy);
    return undefined;
  }

  cancel(id: bigint, slot: ExitSlot | null, at: number): { ok: true } | Refusal {
    return this.ask(id, { slot, close: false }, at);
  }

  close(id: bigint, at: number): { ok: true } | Refusal {
    return this.ask(id, { slot: null, close: true }, at);
  }

  intent(id: bigint): IntentOrder | undefined {
    const working = this.store.get(id);
    return working === undefined ? undefined : copyOf(working.intent);
  }

  intents(account: string, at: number): IntentOrder[] {
    return this.store
      .of(account)
      .filter((working) => working.visibleAt <= at && !isPast(working, at))
      .map(({ intent }) => copyOf(intent));
  }

  netPrice({ legs }: Pick<NewIntent, 'legs'>, at: number): number {
    const prices = legs.map(({ refId }) => this.deps.exchange.lastPrice(this.instrument(refId, at), at));
    if (legs.length === 1 && Math.abs(legs[0]!.unit) === 1) return prices[0]!;
    return legs.reduce((sum, { unit }, index) => sum + unit * prices[index]!, 0);
  }

  waitsForSession(order: Pick<NewIntent, 'legs'>, at: number): boolean {
    return !this.isOpen(order, at);
  }

  isSliced({ legs, quantity }: Pick<NewIntent, 'legs' | 'quantity'>, at: number): boolean {
    return legs.some(({ refId, unit }) => slices(quantity * Math.abs(unit), this.instrument(refId, at)).length > 1);
  }

  onEvent(listener: (event: IntentEvent) => void): void {
    this.store.onEvent(listener);
  }

  state(): IntentsState {
    return {
      random: [...this.random.state()],
      ids: this.ids.state(),
      schedule: this.schedule.state(),
      ...this.store.state(),
      known: [...this.known.values()],
      nextLook: this.nextLook,
      awake: [...this.awake].map(({ intent }) => intent.id),
    };
  }

  nextDue(): number | undefined {
    const due = this.schedule.nextDue();
    if (this.nextLook === undefined) return due;
    return due === undefined ? this.nextLook : Math.min(due, this.nextLook);
  }

  run(at: number): void {
    while ((this.schedule.nextDue() ?? Number.POSITIVE_INFINITY) <= at) this.perform(this.schedule.take()!, at);
    if (this.nextLook === undefined || this.nextLook > at) return;
    this.nextLook = undefined;
    for (const working of [...this.awake]) {
      this.judge(working, at);
      this.wake(working, at);
    }
  }

  private perform(task: IntentTask, at: number): void {
    const working = this.store.get(task.id);
    if (working === undefined) return;
    if (task.kind === 'accept') {
      working.stage = 'WAITING';
      this.store.tell(working, { type: 'accepted' }, at, { stamp: 'acceptedAt' });
      this.judge(working, at);
    } else if (task.kind === 'change') {
      this.changes.carryOut(working, task.change, at);
    } else {
      this.carryOutCancel(working, task, at);
    }
    this.wake(working, at);
  }

  private carryOutCancel(
    working: WorkingIntent,
    { slot, close }: Extract<IntentTask, { kind: 'cancel' }>,
    at: number,
  ): void {
    if (slot !== null) return this.exits.takeOff(working, slot, at);
    if (close && working.stage === 'OVER' && triggered(working.intent.exits)?.slot !== 'request')
      return this.exits.closeAll(working, at);
    if (working.stage === 'OVER') {
      for (const one of ['stop', 'target', 'time'] as const)
        if (working.intent.exits.some((exit) => exit.slot === one && isAlive(exit)))
          this.exits.takeOff(working, one, at);
      return;
    }
    working.cancelling = '';
    if (working.stage === 'WAITING') return this.entries.finish(working, { type: 'cancelled', reason: '' }, at);
    this.cancelEntry(working, at);
    this.entries.settle(working, at);
  }

  private ask(id: bigint, asked: { slot: ExitSlot | null; close: boolean }, at: number): { ok: true } | Refusal {
    this.deps.exchange.advance(at);
    const held = asked.close && this.holds(id);
    const refused = held ? undefined : this.checkCancel(id, asked.slot, at);
    if (refused !== undefined) return refused;
    this.schedule.add(at + this.random.between(...this.latency.send), { kind: 'cancel', id, ...asked });
    return { ok: true };
  }

  /** Whether something is entered that could be closed, and is not being closed already. */
  private holds(id: bigint): boolean {
    const working = this.store.get(id);
    if (working === undefined || working.stage !== 'OVER' || triggered(working.intent.exits)?.slot === 'request')
      return false;
    return working.intent.legs.some(({ filledQuantity, exitQuantity }) => filledQuantity > exitQuantity);
  }

  /** Looks at session, time and prices, and does what follows. */
  private judge(working: WorkingIntent, at: number): void {
    const { intent } = working;
    if (working.stage === 'RECEIVED' || isFinished(working)) return;
    const gone = intent.legs.some(({ refId }) => this.deps.instrument(refId, at) === undefined);
    const last = intent.validity === 'GTE' && at >= this.lastClose(intent);
    if (gone || last)
      return this.expire(working, gone ? 'the contract has expired' : 'good till date: not filled in time', at);
    if (working.closesAt !== null && at >= working.closesAt) {
      if (intent.validity !== 'GTE') return this.expire(working, `${intent.validity}: not filled by the close`, at);
      working.closesAt = null;
    }
    if (!this.isOpen(intent, at)) return;
    working.closesAt ??= this.closeOf(intent, at);
    if (working.stage === 'WAITING') this.entries.judge(working, at);
    else if (working.stage === 'WORKING') {
      if (working.cancelling !== null) this.cancelEntry(working, at);
      else if (intent.multi && at >= working.retryAt) this.entries.send(working, at);
    }
    this.exits.judge(working, at);
  }

  /** The entry's rest and all exits end. */
  private expire(working: WorkingIntent, reason: string, at: number): void {
    this.exits.endAll(working, reason, at);
    if (
      working.stage === 'WAITING' ||
      (working.stage === 'WORKING' && working.children.every(({ of }) => of !== 'entry'))
    )
      this.entries.finish(working, { type: 'expired', reason }, at);
    else if (working.stage === 'WORKING') this.cancelEntry(working, at);
  }

  private cancelEntry(working: WorkingIntent, at: number): void {
    this.children.cancel(
      working.children.filter(({ of }) => of === 'entry'),
      at,
    );
  }

  /** Follows the orders at the exchange. */
  private orderChanged(event: ExchangeEvent): void {
    const { order } = event;
    const working = order.intentId === undefined ? undefined : this.store.get(order.intentId);
    if (working === undefined || event.type === 'received') return;
    const at = millis(event.at);
    const child = working.children.find(({ orderId }) => orderId === order.id);
    const { intent } = working;
    if (event.type === 'sent') {
      if (intent.sentAt === 0n) intent.sentAt = event.at;
      return;
    }
    if (child === undefined) return;
    const leg = intent.legs[child.leg]!;
    if (event.type === 'accepted') {
      if (child.of === 'entry') leg.exchangeOrderIds.push(order.exchangeOrderId);
      if (intent.acceptedAt === 0n) this.store.tell(working, { type: 'accepted' }, at, { stamp: 'acceptedAt' });
      return;
    }
    if (event.type === 'trade') this.traded(working, child, event, at);
    else if (event.type === 'cancel_rejected') child.cancelling = false;
    else if (event.type === 'modified' || event.type === 'modify_rejected')
      this.changes.answered(working, child, event, at);
    else if (event.type !== 'triggered') {
      working.children = working.children.filter((one) => one !== child);
      const end = { type: event.type, reason: order.reason };
      const closed = working.closesAt !== null && at >= working.closesAt && event.type === 'cancelled';
      if (child.of === 'entry') working.lastEnd = closed ? { type: 'expired', reason: 'not filled by the close' } : end;
      else this.exits.orderEnded(working, end, at);
    }
    this.entries.settle(working, at);
    this.exits.settle(working, at);
    this.wake(working, at);
  }

  private traded(
    working: WorkingIntent,
    child: WorkingIntent['children'][number],
    { trade }: Extract<ExchangeEvent, { type: 'trade' }>,
    at: number,
  ): void {
    const { intent } = working;
    const leg = intent.legs[child.leg]!;
    const entry = child.of === 'entry';
    leg[entry ? 'filledQuantity' : 'exitQuantity'] += trade.quantity;
    leg[entry ? 'filledValue' : 'exitValue'] += trade.price * trade.quantity;
    child.left -= trade.quantity;
    if (child.left === 0) working.children = working.children.filter((one) => one !== child);
    const units = (of: 'filledQuantity' | 'exitQuantity'): number =>
      Math.min(...intent.legs.map((one) => Math.floor(one[of] / Math.abs(one.unit))));
    if (entry) {
      intent.filledQuantity = units('filledQuantity');
      const { value, quantity } = filledOf(working);
      const complete = intent.filledQuantity > 0 && quantity > 0;
      intent.filledPrice = complete ? Math.round(value / quantity) : 0;
    } else {
      const running = intent.exits.find(({ slot, status }) => slot === child.of && status !== 'FILLED');
      if (running !== undefined) running.filledQuantity += intent.multi ? 0 : trade.quantity;
      if (running !== undefined && intent.multi) running.filledQuantity = units('exitQuantity');
    }
    this.store.tell(working, { type: 'trade', trade, of: child.of }, at);
  }

  /** Sees to it that an order is looked at as long as it needs to be. */
  private wake(working: WorkingIntent, at: number): void {
    if (!needsLooks(working)) {
      this.awake.delete(working);
      return;
    }
    this.awake.add(working);
    const { open, until } = this.session(working.intent, at);
    const step = Math.floor(at / this.stepMs) * this.stepMs + this.stepMs;
    const due = open ? step : until;
    this.nextLook = this.nextLook === undefined ? due : Math.min(this.nextLook, due);
  }

  private received(asked: NewIntent, smallId: boolean, at: number, visibleAt: number): WorkingIntent {
    this.store.forgetBefore(at);
    const { legs, exits, ...terms } = asked;
    return {
      intent: {
        ...terms,
        id: this.store.newId(smallId),
        status: 'OPEN',
        legs: legs.map(({ refId, unit }) => ({
          refId,
          unit,
          quantity: asked.quantity * Math.abs(unit),
          filledQuantity: 0,
          filledValue: 0,
          exitQuantity: 0,
          exitValue: 0,
          exchangeOrderIds: [],
        })),
        exits: exitsOf(exits),
        entryTriggered: false,
        sent: false,
        filledQuantity: 0,
        filledPrice: 0,
        reason: '',
        createdAt: this.store.time(at),
        acceptedAt: 0n,
        sentAt: 0n,
        filledAt: 0n,
        cancelledAt: 0n,
        rejectedAt: 0n,
        modifiedAt: 0n,
        updatedAt: 0n,
      },
      stage: 'RECEIVED',
      children: [],
      closesAt: null,
      visibleAt,
      cancelling: null,
      lastEnd: null,
      best: null,
      busyUntil: 0,
      changing: false,
      retryAt: 0,
    };
  }

  private moment(order: Pick<NewIntent, 'legs' | 'product'>, at: number): Moment {
    return {
      at,
      instrument: (refId) => this.deps.instrument(refId, at),
      session: this.nextSession(order, at),
      price: () => this.netPrice(order, at),
      trades: (then) =>
        order.legs.every(({ refId }) => this.deps.exchange.session(this.instrument(refId, at), then).open),
    };
  }

  /** The session that runs, or the next one; of an order with an unknown instrument none. */
  private nextSession(order: Pick<NewIntent, 'legs' | 'product'>, at: number): { from: number; to: number } {
    if (order.legs.some(({ refId }) => this.deps.instrument(refId, at) === undefined)) return { from: at, to: at };
    let from = at;
    for (let phase = 0; phase < MOST_PHASES; phase += 1) {
      const { open, until } = this.session(order, from);
      if (open) return { from, to: this.closeOf(order, from) };
      from = until;
    }
    return { from: at, to: at };
  }

  /** Whether all legs are in their session, and when that may change. */
  private session({ legs }: Pick<NewIntent, 'legs'>, at: number): { open: boolean; until: number } {
    const all = legs.map(({ refId }) => this.deps.exchange.session(this.instrument(refId, at), at));
    return { open: all.every(({ open }) => open), until: Math.min(...all.map(({ until }) => until)) };
  }

  private isOpen({ legs }: Pick<NewIntent, 'legs'>, at: number): boolean {
    return legs.every(({ refId }) => this.deps.exchange.isOpen(this.instrument(refId, at), at));
  }

  /** When the session of an instant ends for an order: intraday ones end when the broker squares off. */
  private closeOf({ legs, product }: Pick<NewIntent, 'legs' | 'product'>, at: number): number {
    const { exchange, intradayStop } = this.deps;
    return Math.min(
      ...legs.flatMap(({ refId }) => {
        const instrument = this.instrument(refId, at);
        const stop = product === 'IDAY' ? intradayStop?.(instrument, at) : undefined;
        return [exchange.closeOf(instrument, at), ...(stop === undefined || stop <= at ? [] : [stop])];
      }),
    );
  }

  private lastClose({ goodTill, legs }: IntentOrder): number {
    if (goodTill === null) return Number.POSITIVE_INFINITY;
    const day = istMidnight(istDate(goodTill));
    return Math.min(...legs.map(({ refId }) => this.deps.exchange.closeOf(this.instrument(refId, day), day)));
  }

  private instrument(refId: number, at: number): Instrument {
    const instrument = this.known.get(refId) ?? this.deps.instrument(refId, at);
    if (instrument === undefined) throw new RangeError(`ref_id ${refId} is not an instrument of this environment`);
    this.known.set(refId, instrument);
    return instrument;
  }
}

/** Whether an order waits for something that only a look at time and prices can tell. */
function needsLooks({ stage, intent, cancelling, children }: WorkingIntent): boolean {
  if (stage === 'WAITING') return true;
  if (stage === 'RECEIVED') return false;
  const exits = intent.exits.some(isAlive);
  if (stage === 'OVER') return exits;
  return intent.multi || cancelling !== null || children.length === 0 || (exits && intent.filledQuantity > 0);
}
