import type { SpeedOrMode, VirtualClock } from './clock';

/**
 * With the clock `fastest`, time passes in steps of so many milliseconds where nothing is due: where somebody listens to prices,
 * which are told at each, and where nobody does.
 */
const STEP_MS = { watched: 1_000, unwatched: 60_000 };
/** The least that a request takes on the exchange's clock while that is stopped, milliseconds: else nothing would come of an order. */
const REQUEST_MS = 100;
/** The most of a read that is made again and again: a client waits so long between two looks at an order or a list. */
const MAX_REQUEST_MS = 500;
/** Real milliseconds after which the clock goes on without whom it waited for. */
const MAX_HOLD_MS = 10 * 60_000;
/** Real milliseconds in which a client whose stream was lost, as by the end of its session, is waited for. */
const RETURNS_WITHIN_MS = 60_000;

/** Event to which the clock may run: the next event of an order, or the next run that a trigger starts. */
export type ClockStop = 'order' | 'alert';

/** One request of a client. */
export interface ClockRequest {
  /** The execution of a workflow that it comes from, '' if it names none; undefined where no workflow asks. */
  execution: string | undefined;
  method: string;
  /** Path and query. */
  url: string;
}

export interface ClockControlDeps {
  /** The instant that the sandbox has come to, milliseconds. */
  instant(): number;
  /** Told when the clock goes on. */
  changed(): void;
  /** True if time is the sandbox's own: that of the machine is never stopped. */
  isOwn(): boolean;
  /** Returns the instant where a clock that goes as fast as it can stops by itself, milliseconds. */
  end(): number;
}

/** Control of the clock: running, stopping and holding it. */
export class ClockControl {
  private stop: ClockStop | undefined;
  private end: number;
  /** Instant to which the clock was set: where it is held on the way, it goes on to there. Milliseconds. */
  private goal = -Infinity;
  /** Number of messages that are not acknowledged: what they started is in progress. */
  private running = 0;
  /** Number of clients that may hold the clock. */
  private waiters = 0;
  private isForWaiters = false;
  /** True once somebody has asked for something since the clock was stopped. */
  private isAsked = false;
  /** Counts of the reads of each address by each execution, since the clock was stopped, or since it sent something. */
  private readonly reads = new Map<string, Map<string, number>>();
  /** Lets the clock go on that is stopped because nobody can hold it. */
  private alone: (() => void) | undefined;
  /** Listeners to changes with prices. */
  private readonly watchers = new Set<object>();
  /** Actions that let the clock go on once a client is back, by account. */
  private readonly lost = new Map<string, (() => void)[]>();

  constructor(
    private readonly clock: VirtualClock,
    private readonly deps: ClockControlDeps,
  ) {
    this.end = deps.end();
  }

  /** True if time is the sandbox's own. */
  get isOwn(): boolean {
    return this.deps.isOwn();
  }

  /** True if anything may hold or stop the clock at what happens. */
  get isWatched(): boolean {
    return this.waiters > 0 || this.stop !== undefined;
  }

  /**
   * Changes how time passes.
   * @param stop with `fastest`: stops the clock when that happens
   */
  setMode(mode: SpeedOrMode, stop?: ClockStop): void {
    this.clock.setMode(mode);
    this.stop = stop;
    this.goal = -Infinity;
    this.end = this.deps.end();
  }

  /** Returns the instant to which the clock goes on once nobody holds it, milliseconds; undefined where it has come to where it was put. */
  get goingTo(): number | undefined {
    return this.goal > this.deps.instant() ? this.goal : undefined;
  }

  /**
   * Puts the clock to a later instant, milliseconds. Where it is held on the way, or a run is in progress that a message started, it goes
   * there once it is released.
   */
  leap(to: number): void {
    this.goal = to;
    if (this.running === 0 || !this.clock.isHeld) this.clock.set(to);
  }

  /** The clock `fastest` goes on to what is due at an instant, or by a step; at the end of what was recorded it stops. */
  step(due: number): void {
    if (this.clock.mode !== 'fastest' || this.clock.isHeld) return;
    const now = this.deps.instant();
    const step = this.watchers.size > 0 ? STEP_MS.watched : STEP_MS.unwatched;
    const next = Math.max(now, Math.min(due, now + step, this.end));
    this.clock.set(next);
    if (next >= this.end) this.setMode('manual');
  }

  /** Stops the clock if it runs to this event, which has happened. */
  reached(what: ClockStop): void {
    if (this.stop !== what) return;
    this.stop = undefined;
    this.clock.restart('manual', this.deps.instant());
  }

  /** Somebody begins, or ceases, to be able to hold the clock. */
  mayHold(may: boolean): void {
    this.waiters += may ? 1 : -1;
    if (!this.isForWaiters) return;
    if (this.waiters === 0) this.alone = this.hold();
    else this.alone?.();
  }

  /** Stops the clock, from now on, while no client can hold it: what happens is for clients, also where they left and come back. */
  goesForWaiters(): void {
    this.isForWaiters = true;
  }

  /** Somebody listens, or ceases to listen, to what changes with prices. */
  watchesPrices(who: object, does: boolean): void {
    if (does) this.watchers.add(who);
    else this.watchers.delete(who);
  }

  /** A client that could hold the clock has lost its stream: what happened before it is back would be lost on it. */
  waitForReturn(account: string): void {
    this.lost.set(account, [...(this.lost.get(account) ?? []), this.hold(RETURNS_WITHIN_MS)]);
  }

  /** A client of an account can hold the clock, perhaps again. */
  returned(account: string): void {
    this.lost.get(account)?.shift()?.();
  }

  /** Stops the clock until the returned function is called: a message went out, and what it starts is not done. */
  holdForMessage(): () => void {
    this.running += 1;
    const release = this.hold();
    let isDone = false;
    return () => {
      if (!isDone) this.running -= 1;
      isDone = true;
      release();
    };
  }

  /**
   * Stops the clock at the present until the returned function is called.
   * @param longest real milliseconds after which it goes on anyway
   */
  hold(longest = MAX_HOLD_MS): () => void {
    const { clock, deps } = this;
    if (!this.isOwn) return () => undefined;
    if (!clock.isHeld) {
      this.isAsked = false;
      this.reads.clear();
    }
    clock.hold(deps.instant());
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(timer);
      clock.release();
      if (!clock.isHeld && this.goal > clock.now()) clock.set(this.goal);
      deps.changed();
    };
    const timer = longest === Infinity ? undefined : setTimeout(release, longest).unref();
    return release;
  }

  /**
   * Lets a request of a client take its time where the clock is stopped for a run. Where time goes for workflows alone,
   * only requests of a run, and what a trigger orders, take time: a trigger asks by itself, too, the oftener the slower the machine is.
   * Where time passes by itself, it is at least that of the machine since the request before: who waits for an order asks less and less often,
   * up to a deadline of the machine.
   * Elsewhere the time of the machine does not count, and who reads the same again waits for it: each such read takes longer.
   */
  requested(request: ClockRequest): void {
    const { clock } = this;
    if (this.isForWaiters && request.execution === undefined) return;
    if (!clock.isHeld) return;
    const passes = this.isAsked && clock.speed > 0 && !this.isForWaiters;
    const least = Math.min(REQUEST_MS * 2 ** this.readBefore(request), MAX_REQUEST_MS);
    const took = passes ? Math.max(REQUEST_MS, clock.sinceMoved) : least;
    this.isAsked = true;
    clock.set(Math.min(clock.now() + took, clock.end));
  }

  /** Returns how often the execution has read this address before; 0 for what is sent, and for other clients: a trigger that closes a position. */
  private readBefore({ execution = '', method, url }: ClockRequest): number {
    if (execution === '') return 0;
    if (method !== 'GET') this.reads.delete(execution);
    if (method !== 'GET') return 0;
    const reads = this.reads.get(execution) ?? new Map<string, number>();
    const before = reads.get(url) ?? 0;
    this.reads.set(execution, reads.set(url, before + 1));
    return before;
  }
}
