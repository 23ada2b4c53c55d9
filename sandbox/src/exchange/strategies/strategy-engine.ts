import type { Instrument } from '../../market/reference/types';
import { resumeRandomSource, type RandomSource } from '../../shared/random';
import { millisOf } from '../../shared/time';
import type { Exchange } from '../contract';
import { createIdGenerator, type IdGenerator } from '../id-generator';
import { drawLatency, USUAL_LATENCY, type OrderLatency } from '../models/latency';
import { TimedQueue } from '../schedule';
import type { ExchangeEvent, TimedComponent } from '../types';
import { ChildOrders, openQuantity } from './child-orders';
import { LegSessions } from './sessions';
import { isFinished, isPast, StrategyStore } from './strategy-store';
import type { IntentLeg, IntentTask, PositionName, Repricing, StrategiesState, WorkingIntent } from './types';

/** Parts that the engine is handed. */
export interface StrategyDeps {
  exchange: Exchange;
  instrument(refId: number, at: number): Instrument | undefined;
  /** Separate source, so that it does not disturb what the exchange draws. */
  random: RandomSource;
  /** Instant at which its time begins, milliseconds. */
  startAt: number;
  latency?: OrderLatency;
  /** Interval at which prices are judged, milliseconds; 1000 when left out. */
  stepMs?: number;
  /** The instant of the day of `at` from which no intraday position may be opened; undefined when there is none. */
  intradayStop?(instrument: Instrument, at: number): number | undefined;
}

/** Parts that the runners share. */
export interface StrategyParts {
  store: StrategyStore;
  exchange: Exchange;
  children: ChildOrders;
  /** The instrument of a leg, also of one that can no longer be traded. */
  instrument(refId: number, at: number): Instrument;
  sessions: LegSessions;
}

/** Durations of the steps of a new order, milliseconds. */
interface Delays {
  send: number;
  exchange: number;
  list: number;
}

/**
 * The engine of what is more than one order at the exchange: tasks that are due at an instant, looks at the prices every step
 * while something waits for them, the orders at the exchange, and what is known of instruments and sessions. Intent orders and
 * baskets are two interfaces to it, each with its own numbers and its own rules of when something is entered, exited and over.
 * The exchange drives it once it is attached.
 */
export abstract class StrategyEngine implements TimedComponent {
  protected readonly schedule = new TimedQueue<IntentTask>();
  protected readonly random: RandomSource;
  protected readonly latency: OrderLatency;
  protected readonly store: StrategyStore;
  protected readonly sessions: LegSessions;
  protected readonly parts: StrategyParts;
  private readonly ids: IdGenerator;
  private readonly stepMs: number;
  private readonly instruments = new Map<number, Instrument>();
  /** Orders that have to be looked at: they wait, or have exits that are armed. */
  private readonly awake = new Set<WorkingIntent>();
  protected nextLook: number | undefined;

  constructor(
    protected readonly deps: StrategyDeps,
    from: StrategiesState | undefined,
  ) {
    const { exchange } = deps;
    this.random = from === undefined ? deps.random : resumeRandomSource(from.random);
    this.latency = deps.latency ?? USUAL_LATENCY;
    this.stepMs = deps.stepMs ?? 1000;
    this.ids = createIdGenerator(this.random, deps.startAt, from?.ids);
    this.store = new StrategyStore(this.ids);
    const listed = (refId: number, at: number) => deps.instrument(refId, at);
    const instrument = (refId: number, at: number) => this.instrument(refId, at);
    this.sessions = new LegSessions({ exchange, listed, instrument, intradayStop: deps.intradayStop?.bind(deps) });
    const children = new ChildOrders(exchange, instrument);
    this.parts = { store: this.store, exchange, children, instrument, sessions: this.sessions };
    exchange.onEvent((event) => {
      const working = this.follow(event);
      if (working !== undefined) this.wake(working, millisOf(event.at));
    });
    if (from === undefined) return;
    this.schedule.restore(from.schedule);
    for (const item of from.known) this.instruments.set(item.refId, item);
    this.nextLook = from.nextLook;
    this.store.restore(from);
    for (const id of from.awake) this.awake.add(this.store.get(id)!);
  }

  nextDue(): number | undefined {
    const due = this.schedule.nextDue();
    if (this.nextLook === undefined) return due;
    return due === undefined ? this.nextLook : Math.min(due, this.nextLook);
  }

  run(at: number): void {
    while ((this.schedule.nextDue() ?? Number.POSITIVE_INFINITY) <= at) this.performTask(this.schedule.take()!, at);
    if (this.nextLook !== undefined && this.nextLook <= at) this.look(at);
  }

  /** Takes over the present terms of shares and their contracts. Expired contracts keep their terms. */
  relist(shares: readonly number[], at: number): void {
    for (const { refId, underlyingRefId } of this.instruments.values()) {
      const fresh = shares.includes(underlyingRefId ?? refId) ? this.deps.instrument(refId, at) : undefined;
      if (fresh !== undefined) this.instruments.set(refId, fresh);
    }
  }

  /**
   * Ends what waits for prices of shares and their contracts that make no sense any more, and takes over their terms. What a strategy holds
   * becomes as much more as its owner's position does, and is worth as much.
   */
  repriced(shares: readonly number[], terms: Repricing, reason: string, at: number): void {
    for (const working of this.store.all()) {
      const isOn = ({ refId }: { refId: number }): boolean =>
        shares.includes(this.instrument(refId, at).underlyingRefId ?? refId);
      if (isFinished(working) || !working.intent.legs.some(isOn)) continue;
      this.endRepriced(working, reason, at);
      if (working.intent.multi)
        for (const leg of working.intent.legs.filter(isOn)) rescale(leg, this.instrument(leg.refId, at), terms);
      this.wake(working, at);
    }
    this.relist(shares, at);
  }

  /** The broker closes a position: what guards or builds it ends without a trade, as it would open another one. */
  closedByBroker({ account, refId, product }: PositionName, reason: string, at: number): void {
    for (const working of this.store.of(account)) {
      const { legs, product: own } = working.intent;
      const isIn = legs.some((leg) => leg.refId === refId && (openQuantity(leg) > 0 || working.stage === 'WORKING'));
      if (!isIn || own !== product || isFinished(working)) continue;
      this.endClosed(working, reason, at);
      this.wake(working, at);
    }
  }

  state(): StrategiesState {
    return {
      random: [...this.random.state()],
      ids: this.ids.state(),
      schedule: this.schedule.state(),
      known: [...this.instruments.values()],
      nextLook: this.nextLook,
      ...this.store.state(),
      awake: [...this.awake].map(({ intent }) => intent.id),
    };
  }

  /** Does what is due to an order. */
  protected abstract perform(working: WorkingIntent, task: IntentTask, at: number): void;
  /** Looks at session, time and prices of an order, and does what follows. */
  protected abstract judge(working: WorkingIntent, at: number): void;
  /** Ends an order without a trade: its prices make no sense any more. */
  protected abstract endRepriced(working: WorkingIntent, reason: string, at: number): void;
  /** Ends an order at once: the broker closes a position of it. */
  protected abstract endClosed(working: WorkingIntent, reason: string, at: number): void;
  /** Takes in what happened to an order at the exchange. @returns the order whose child it is, if it may have to be looked at now */
  protected abstract follow(event: ExchangeEvent): WorkingIntent | undefined;
  /** True if an order waits for something that only a look at time and prices can tell. */
  protected abstract needsLooks(working: WorkingIntent): boolean;

  /** Judges prices and times of what waits for them. */
  protected look(at: number): void {
    this.nextLook = undefined;
    for (const working of [...this.awake]) {
      this.judge(working, at);
      this.wake(working, at);
    }
  }

  /** Sees to it that an order is looked at as long as it needs to be. */
  protected wake(working: WorkingIntent, at: number): void {
    if (!this.needsLooks(working)) {
      this.awake.delete(working);
      return;
    }
    this.awake.add(working);
    const due = this.nextLookAt(working, at);
    this.nextLook = this.nextLook === undefined ? due : Math.min(this.nextLook, due);
  }

  /** Instant of the next look at an order: the next step, or the instant at which its session may begin. */
  protected nextLookAt({ intent }: WorkingIntent, at: number): number {
    const { open, until } = this.sessions.phase(intent, at);
    return open ? this.nextStep(at) : until;
  }

  /** Orders of an account that its list shows by then, oldest first: of the day, and those that live. */
  protected listed(account: string, at: number): WorkingIntent[] {
    return this.store.of(account).filter((working) => working.visibleAt <= at && !isPast(working, at));
  }

  protected drawDelays(): Delays {
    const { send, exchange, list } = this.latency;
    return {
      send: drawLatency(this.random, send),
      exchange: drawLatency(this.random, exchange),
      list: drawLatency(this.random, list),
    };
  }

  /** Instrument of a leg in its first seen form, also one that can no longer be traded. @throws RangeError for one that never could */
  protected instrument(refId: number, at: number): Instrument {
    const instrument = this.instruments.get(refId) ?? this.deps.instrument(refId, at);
    if (instrument === undefined) throw new RangeError(`ref_id ${refId} is not an instrument of this environment`);
    this.instruments.set(refId, instrument);
    return instrument;
  }

  private performTask(task: IntentTask, at: number): void {
    const working = this.store.get(task.id);
    if (working === undefined) return;
    this.perform(working, task, at);
    this.wake(working, at);
  }

  /** The first instant after `at` at which prices are judged. */
  protected nextStep(at: number): number {
    return Math.floor(at / this.stepMs) * this.stepMs + this.stepMs;
  }
}

/** Takes a leg over to the terms after a corporate action: an extraordinary dividend is taken off what was paid for a future. */
function rescale(leg: IntentLeg, { derivativeType }: Instrument, { before, after, dividend }: Repricing): void {
  if (derivativeType === 'FUT') leg.filledValue -= dividend * openQuantity(leg);
  for (const field of ['quantity', 'filledQuantity', 'exitQuantity'] as const)
    leg[field] = Math.floor((leg[field] * after) / before);
}
