import type { Instrument } from '../../market/reference/types';
import { resumeRandomSource, type RandomSource } from '../../shared/random';
import { createIdGenerator, type IdGenerator, type IdGeneratorState } from '../id-generator';
import { drawLatency, USUAL_LATENCY, type Latency } from '../models/latency';
import { Schedule, type ScheduledTask } from '../schedule';
import type { TimedComponent } from '../types';
import type { Exchange } from '../contract';

/** What orders that are made of several orders at the exchange are handed: baskets and intent orders. */
export interface CompositeDeps {
  exchange: Exchange;
  instrument(refId: number, at: number): Instrument | undefined;
  /** Of its own, so that it does not disturb what the exchange draws. */
  random: RandomSource;
  /** Where its time begins, milliseconds. */
  startAt: number;
  latency?: Latency;
  /** How often prices are judged, milliseconds; 1000 when left out. */
  stepMs?: number;
}

/** The common part of such orders as plain data. */
export interface CompositeState<Task> {
  random: readonly number[];
  ids: IdGeneratorState;
  schedule: { seq: number; tasks: ScheduledTask<Task>[] };
  /** Instruments of legs, kept beyond their expiry. */
  known: Instrument[];
  /** When prices are looked at next, milliseconds. */
  nextLook: number | undefined;
}

/** How long the steps of a new order take, milliseconds. */
interface Delays {
  send: number;
  exchange: number;
  list: number;
}

/**
 * The frame of baskets and intent orders: tasks that are due at an instant, looks at the prices every step while something
 * waits for them, and the instruments of legs. The exchange drives it once it is attached.
 */
export abstract class CompositeOrders<Task extends object> implements TimedComponent {
  protected readonly schedule = new Schedule<Task>();
  protected readonly ids: IdGenerator;
  protected readonly random: RandomSource;
  protected readonly latency: Latency;
  protected nextLook: number | undefined;
  private readonly stepMs: number;
  private readonly known = new Map<number, Instrument>();

  constructor(
    protected readonly deps: CompositeDeps,
    from: CompositeState<Task> | undefined,
  ) {
    this.random = from === undefined ? deps.random : resumeRandomSource(from.random);
    this.latency = deps.latency ?? USUAL_LATENCY;
    this.stepMs = deps.stepMs ?? 1000;
    this.ids = createIdGenerator(this.random, deps.startAt, from?.ids);
    if (from === undefined) return;
    this.schedule.restore(from.schedule);
    for (const instrument of from.known) this.known.set(instrument.refId, instrument);
    this.nextLook = from.nextLook;
  }

  nextDue(): number | undefined {
    const due = this.schedule.nextDue();
    if (this.nextLook === undefined) return due;
    return due === undefined ? this.nextLook : Math.min(due, this.nextLook);
  }

  run(at: number): void {
    while ((this.schedule.nextDue() ?? Number.POSITIVE_INFINITY) <= at) this.perform(this.schedule.take()!, at);
    if (this.nextLook !== undefined && this.nextLook <= at) this.look(at);
  }

  /** Takes contracts of shares with the terms that they have now; what has expired stays as it was. */
  relist(shares: readonly number[], at: number): void {
    for (const { refId, underlyingRefId } of this.known.values()) {
      const fresh = shares.includes(underlyingRefId ?? refId) ? this.deps.instrument(refId, at) : undefined;
      if (fresh !== undefined) this.known.set(refId, fresh);
    }
  }

  /** Does what is due. */
  protected abstract perform(task: Task, at: number): void;
  /** Judges prices and times of what waits for them. */
  protected abstract look(at: number): void;

  protected compositeState(): CompositeState<Task> {
    return {
      random: [...this.random.state()],
      ids: this.ids.state(),
      schedule: this.schedule.state(),
      known: [...this.known.values()],
      nextLook: this.nextLook,
    };
  }

  protected drawDelays(): Delays {
    const { send, exchange, list } = this.latency;
    return {
      send: drawLatency(this.random, send),
      exchange: drawLatency(this.random, exchange),
      list: drawLatency(this.random, list),
    };
  }

  /** The first instant after `at` at which prices are judged. */
  protected nextStep(at: number): number {
    return Math.floor(at / this.stepMs) * this.stepMs + this.stepMs;
  }

  /** The instrument of a leg as it was first seen, also of one that can no longer be traded. @throws RangeError for one that never could */
  protected instrument(refId: number, at: number): Instrument {
    const instrument = this.known.get(refId) ?? this.deps.instrument(refId, at);
    if (instrument === undefined) throw new RangeError(`ref_id ${refId} is not an instrument of this environment`);
    this.known.set(refId, instrument);
    return instrument;
  }
}
