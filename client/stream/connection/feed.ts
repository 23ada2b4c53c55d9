/**
 * The events of one account: keeps a connection for as long as it runs, compares with the day's orders at every
 * connection and from time to time, and gives each event out once.
 */
import { BrokerageError, InputError, NetworkError, SessionError } from '../../errors';
import type { SvcToClientIntentUpdate } from '../../../proto/generated/messages';
import { DecodeError } from '../../../proto/reader';
import { msToNanos } from '../../values/time';
import { pauseBeforeAttempt } from './backoff';
import { connect, StreamError } from './socket';
import { DayReader, pause, SETTLE_MS, within, withoutUnsure } from '../reconciliation/day-reader';
import type { FeedDeps, FeedListener, FeedOptions } from './feed-contract';
import { readFrame, type Frame } from './frames';
import { Blindness, Outages } from './outage';
import { OrderTracker } from '../reconciliation/order-reconciler';
import type { Day, OrderSnapshot } from '../reconciliation/types';
import { readUpdate } from '../reconciliation/order-message';

/** The stream has this long to bring what the list shows already; less where it is clear that something was missed. */
const GRACE_MS = 5_000;
const SETTLE_GRACE_MS = 1_000;
/** Live events wait this long at most for the comparison at a reconnection; it then follows later. */
const HOLD_MS = 10_000;
/** The first connection is tried this often before the start is given up; what REST refuses gives it up at once. */
const FIRST_ATTEMPTS = 3;
/** A connection that lived this long was a good one: attempts and outages are counted anew. */
const STABLE_MS = 60_000;
/** While no basket is known that lives, every so manieth comparison asks whether there is one of which nothing was heard. */
const BASKETS_EVERY = 8;
const FORGET_AFTER_MS = 20 * 3_600_000;

export class Feed {
  /** What the stream and the comparisons have brought so far. */
  readonly tracker = new OrderTracker();
  /** Frames that could not be read, by cause. */
  readonly badFrames = new Map<string, number>();
  private readonly stopping = new AbortController();
  private readonly started = Promise.withResolvers<void>();
  private listener: FeedListener | undefined;
  private held: SvcToClientIntentUpdate[] | undefined;
  private running: Promise<void> | undefined;
  private readonly day: DayReader;
  private readonly outages: Outages;
  private readonly blindness: Blindness;
  /** Whether the first connection has caught up. */
  private begun = false;
  private refused: string | undefined;
  /** When the stream last brought anything, or was opened, milliseconds. */
  private heardAt = 0;
  /** Events that were found by comparing since all was well. */
  private missed = 0;
  /** The baskets are to be read at the next comparison. */
  private basketsDue = true;

  constructor(
    private readonly deps: FeedDeps,
    private readonly options: FeedOptions,
  ) {
    this.started.promise.catch(() => undefined);
    this.day = new DayReader(deps, (reason) => this.listener?.onBasketsUnread(reason));
    this.outages = new Outages(deps.clock, options.environment);
    this.blindness = new Blindness(deps.clock, options.environment);
  }

  /**
   * Connects and resolves when the first comparison is done.
   * @throws BrokerageError of the first attempt: an activation that cannot work must say so at once.
   */
  async start(listener: FeedListener): Promise<void> {
    this.listener = listener;
    this.running = this.run();
    await this.started.promise;
  }

  /** Whether the day's orders have been read: `tracker` has views of them. */
  get hasLooked(): boolean {
    return this.day.lookedAt !== undefined;
  }

  /**
   * An instant (milliseconds) on the service's clock, nanoseconds: at the earliest, up to a second before.
   * @returns undefined when its replies do not tell the time, or told quite another one before that instant.
   */
  serviceInstant(at: number): string | undefined {
    return this.day.instant(at);
  }

  /** Has the baskets read at the next comparison, for somebody who has not seen them. */
  wantBaskets(): void {
    this.basketsDue = true;
  }

  /** Ends everything, at any moment; resolves when nothing is left. */
  async stop(): Promise<void> {
    this.stopping.abort(new Error('The trigger was stopped'));
    this.started.reject(this.stopping.signal.reason);
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    for (let attempt = 1; !signal.aborted; attempt++) {
      const since = this.deps.clock.now();
      try {
        await this.connectOnce(signal);
      } catch (error) {
        if (signal.aborted) break;
        const fatal = error instanceof SessionError || error instanceof InputError;
        if (!this.begun && !(error instanceof StreamError && attempt < FIRST_ATTEMPTS)) {
          this.started.reject(error);
          break;
        }
        if (fatal) {
          this.listener?.onFatal(error);
          break;
        }
        this.lost(error instanceof BrokerageError ? error.message : 'The connection failed');
      }
      if (this.deps.clock.now() - since >= STABLE_MS) {
        attempt = 1;
        this.outages.stable();
      }
      await this.pause(pauseBeforeAttempt(attempt, this.deps.random), signal);
      this.tellOutage();
    }
  }

  /** One connection from its opening to its end. */
  private async connectOnce(signal: AbortSignal): Promise<void> {
    if (!this.hasLooked) await this.look(signal);
    const access = await this.deps.access(signal, this.refused);
    this.refused = undefined;
    this.held = [];
    const connection = await connect(
      this.deps,
      access,
      this.options.subscriptions,
      (bytes) => this.frame(bytes),
      signal,
    );
    this.heardAt = this.deps.clock.now();
    this.settle();
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    void connection.ended.then(() => over.abort());
    try {
      const compared = await this.catchUp(either);
      await this.watch(compared, either);
    } finally {
      connection.stop();
    }
    const ending = await connection.ended;
    if (signal.aborted) return;
    if (ending === 'invalidToken') this.refused = access.token;
    const why = ending === 'invalidToken' ? 'The stream refused the session token' : 'The stream was closed';
    if (!this.begun) throw new StreamError(`${why} right after it was opened`);
    this.lost(why);
  }

  /** The first look at the day's orders, before anything else, so that little can have happened since the start. */
  private async look(signal: AbortSignal): Promise<void> {
    const day = await this.day.look(this.followsOrders, signal);
    this.tracker.baseline(day.orders);
    this.tracker.firstBaskets(day);
    this.listener?.onBegin(day);
  }

  /**
   * Compares with the day's orders while frames are held, then gives out what is held.
   * @returns false when the orders did not come in time: the comparison is still to be made.
   */
  private async catchUp(signal: AbortSignal): Promise<boolean> {
    this.basketsDue = true;
    const day = await within(
      this.deps.clock,
      HOLD_MS,
      signal,
      async (either) => await this.day.read(this.followsOrders, either),
    );
    if (day) this.recover(withoutUnsure(day));
    const isOver = signal.aborted && day === undefined;
    this.begun ||= !isOver;
    const held = this.held ?? [];
    this.held = undefined;
    // Also where the connection is over: some of it is in no list.
    for (const update of held) this.update(update);
    if (isOver) return false;
    if (!signal.aborted) this.restored();
    this.started.resolve();
    return day !== undefined;
  }

  /** Waits for the connection's end, comparing from time to time; returns early when the stream is found deaf. */
  private async watch(compared: boolean, signal: AbortSignal): Promise<void> {
    let settled = false;
    /** Comparisons since the baskets were read. */
    let unread = 0;
    for (
      let next = compared ? SETTLE_MS : 0;
      await this.pause(next, signal);
      next = settled ? this.options.checkEveryMs : SETTLE_MS
    ) {
      const due = this.basketsDue;
      const asks =
        this.followsOrders && !this.day.isAbsent && (due || this.tracker.hasBaskets || unread >= BASKETS_EVERY);
      const day = await this.day.read(asks, signal);
      if (day === undefined) {
        await this.askWhy(signal);
        continue;
      }
      this.blindness.ends();
      unread = day.baskets ? 1 : unread + 1;
      // Before the grace: what arrives meanwhile was sent before the comparison.
      this.settle();
      if (
        this.tracker.ahead(day.orders, day.baskets).length > 0 &&
        !(await this.pause(settled ? GRACE_MS : SETTLE_GRACE_MS, signal))
      )
        break;
      // Those of baskets always: what one trigger has recovered, and waits for by the stream, another need not have.
      const legs = day.orders.filter(({ kind }) => kind === 'leg');
      const behind = this.tracker.ahead(day.orders);
      const missed = this.recover({
        orders: [...behind.filter(({ kind }) => kind === 'order'), ...legs],
        baskets: day.baskets,
      });
      // What baskets show that were not read since the connection was made may be from before it.
      if (settled && (behind.length > 0 || (missed > 0 && !due)))
        this.lost('The stream was open but did not bring what had happened');
      if (this.outages.isLost) return;
      this.missed = 0;
      if (day.isWhole) this.basketsDue = false;
      this.forget(day.orders);
      settled = true;
    }
  }

  /**
   * The day's orders could not be had: asks whether the service can be reached at all. A network that was cut closes no
   * socket, and the stream would seem to be there for hours. It is kept nevertheless: what REST cannot do, it may.
   * @throws SessionError when there can be no session.
   */
  private async askWhy(signal: AbortSignal): Promise<void> {
    const { problem } = this.day;
    const cut = await this.deps.access(signal, undefined).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (signal.aborted) return;
    if (cut instanceof SessionError) throw cut;
    if (cut instanceof NetworkError && this.deps.clock.now() - this.heardAt >= STABLE_MS) this.lost(cut.message);
    if (this.outages.isLost) return this.tellOutage();
    const blindMs = this.blindness.grows();
    if (blindMs !== undefined) this.listener?.onOrdersUnread(problem, blindMs);
  }

  /** False when it was cut short. */
  private async pause(ms: number, signal: AbortSignal): Promise<boolean> {
    return await pause(this.deps.clock, ms, signal);
  }

  private frame(bytes: Uint8Array): void {
    this.heardAt = this.deps.clock.now();
    const frame = this.read(bytes);
    if (frame?.kind === 'portfolio') this.listener?.onPortfolio(frame.portfolio);
    if (frame?.kind !== 'order') return;
    if (this.held) this.held.push(frame.update);
    else this.update(frame.update);
  }

  private read(bytes: Uint8Array): Frame | undefined {
    try {
      return readFrame(bytes);
    } catch (error) {
      this.badFrame(error);
      return undefined;
    }
  }

  private badFrame(error: unknown): void {
    const cause = error instanceof DecodeError ? error.fault : 'not a message of the stream';
    const count = (this.badFrames.get(cause) ?? 0) + 1;
    this.badFrames.set(cause, count);
    if (count === 1) this.listener?.onBadFrame(cause);
  }

  private settle(): void {
    this.tracker.settled();
    this.listener?.onSettled();
  }

  private update(message: SvcToClientIntentUpdate): void {
    const read = readUpdate(message);
    if (read === undefined) return;
    this.tracker.follow(read);
    this.listener?.onUpdate(read, message);
  }

  private get followsOrders(): boolean {
    return this.options.subscriptions.includes('orders');
  }

  /** How many events the day showed that the stream had not brought. */
  private recover(day: Day): number {
    this.tracker.firstBaskets(day);
    const missed = this.tracker.recover(day.orders, day.baskets).length;
    this.missed += missed;
    if (day.orders.length > 0 || day.baskets) this.listener?.onDay(day);
    return missed;
  }

  private lost(why: string): void {
    const event = this.begun ? this.outages.lost(why) : undefined;
    if (event) this.listener?.onConnection(event);
  }

  private restored(): void {
    const event = this.outages.restored(this.missed);
    this.missed = 0;
    if (event) this.listener?.onConnection(event);
  }

  private tellOutage(): void {
    const outage = this.outages.worthTelling();
    if (outage) this.listener?.onOutage(outage.reason, outage.downMs);
  }

  private forget(orders: readonly OrderSnapshot[]): void {
    const past = this.tracker.past(orders, msToNanos(this.day.serviceNow - FORGET_AFTER_MS));
    if (past.length === 0) return;
    this.tracker.drop(past);
    this.listener?.onForgotten(past);
  }
}
