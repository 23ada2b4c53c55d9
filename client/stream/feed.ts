/**
 * The events of one account: keeps a connection for as long as it runs, compares with the day's orders at every
 * connection and from time to time, and gives each event out once.
 */
import { BrokerageError, InputError, SessionError } from '../errors';
import type { Clock, Random, SocketMaker } from '../seams';
import type { Environment } from '../session/settings';
import type { PortfolioResponse, SvcToClientIntentUpdate } from '../../proto/generated/messages';
import { DecodeError } from '../../proto/reader';
import { pauseBeforeAttempt } from './backoff';
import { connect, StreamError, type Access, type Subscription } from './connection';
import { DayReader, pause } from './day-reader';
import { Outages } from './outage';
import { readFrame, type Frame } from './frames';
import { OrderTracker } from './tracker';
import type { ConnectionEvent, DayOrders, OrderSnapshot } from './types';
import { readUpdate, type ReadUpdate } from './update';

export interface FeedDeps {
  clock: Clock;
  random: Random;
  makeSocket: SocketMaker;
  /**
   * Where to connect and with which token. Asks the service, so that a dead session is renewed and told from a dead
   * network. `refused` is the token that the stream has just called invalid.
   * @throws SessionError when there can be no session; NetworkError and ServiceError when it could not be asked.
   */
  access(signal: AbortSignal, refused: string | undefined): Promise<Access>;
  /** The day's orders. @throws BrokerageError */
  orders(signal: AbortSignal): Promise<DayOrders>;
}

export interface FeedOptions {
  environment: Environment;
  subscriptions: readonly Subscription[];
  /** Milliseconds between two comparisons with the day's orders while all seems well. */
  checkEveryMs: number;
}

export interface FeedListener {
  /** What the day's orders show at the start; comes once, before everything else. */
  onBegin(views: readonly OrderSnapshot[]): void;
  onUpdate(read: ReadUpdate, message: SvcToClientIntentUpdate): void;
  /** What was sent before the last comparison has arrived, or never will. */
  onSettled(): void;
  /** Views of orders that may show more than the stream brought. */
  onOrders(orders: readonly OrderSnapshot[]): void;
  onPortfolio(portfolio: PortfolioResponse): void;
  onConnection(event: ConnectionEvent): void;
  /** Orders that ended on an earlier day and need not be remembered. */
  onForgotten(orderIds: string[]): void;
  /** The stream has been away for so long (milliseconds) that somebody should know; once for each outage. */
  onOutage(reason: string, downMs: number): void;
  /** A frame could not be read; once for each cause, with how often it came so far. */
  onBadFrame(cause: string): void;
  /** No connection is possible without the person: the feed has stopped. */
  onFatal(error: BrokerageError): void;
}

/** An order shows in the list up to two seconds after it was placed (wire-facts §3.8). */
const SETTLE_MS = 3_000;
/** The stream has this long to bring what the list shows already; less where it is clear that something was missed. */
const GRACE_MS = 5_000;
const SETTLE_GRACE_MS = 1_000;
/** Live events wait this long at most for the comparison at a reconnection; it then follows later. */
const HOLD_MS = 10_000;
/** The first connection is tried this often before the start is given up; what REST refuses gives it up at once. */
const FIRST_ATTEMPTS = 3;
/** A connection that lived this long was a good one: attempts and outages are counted anew. */
const STABLE_MS = 60_000;
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
  /** Whether the first connection has caught up. */
  private begun = false;
  private refused: string | undefined;

  constructor(
    private readonly deps: FeedDeps,
    private readonly options: FeedOptions,
  ) {
    this.started.promise.catch(() => undefined);
    this.day = new DayReader(deps);
    this.outages = new Outages(deps.clock, options.environment);
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
    const connection = await connect(this.deps, access, this.options.subscriptions, (bytes) => this.frame(bytes), signal);
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
    this.tracker.baseline(await this.day.ask(signal));
    this.listener?.onBegin([...this.tracker.views()]);
  }

  /**
   * Compares with the day's orders while frames are held, then gives out what is held.
   * @returns false when the orders did not come in time: the comparison is still to be made.
   */
  private async catchUp(signal: AbortSignal): Promise<boolean> {
    const orders = await this.day.readWithin(HOLD_MS, signal);
    if (signal.aborted && orders === undefined) return false;
    const missed = orders ? this.recover(orders) : 0;
    this.begun = true;
    const held = this.held ?? [];
    this.held = undefined;
    for (const update of held) this.update(update);
    if (!signal.aborted) this.restored(missed);
    this.started.resolve();
    return orders !== undefined;
  }

  /** Waits for the connection's end, comparing from time to time; returns early when the stream is found deaf. */
  private async watch(compared: boolean, signal: AbortSignal): Promise<void> {
    let settled = false;
    for (let next = compared ? SETTLE_MS : 0; await this.pause(next, signal); next = settled ? this.options.checkEveryMs : SETTLE_MS) {
      const orders = await this.day.read(signal);
      if (orders === undefined) continue;
      if (this.tracker.ahead(orders).length > 0) {
        if (!(await this.pause(settled ? GRACE_MS : SETTLE_GRACE_MS, signal))) break;
        const missed = this.recover(this.tracker.ahead(orders));
        if (settled && missed > 0) {
          this.lost('The stream was open but did not bring what had happened');
          return;
        }
      }
      this.forget(orders);
      this.settle();
      settled = true;
    }
  }

  /** False when it was cut short. */
  private async pause(ms: number, signal: AbortSignal): Promise<boolean> {
    return await pause(this.deps.clock, ms, signal);
  }

  private frame(bytes: Uint8Array): void {
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

  /** How many events the views showed that the stream had not brought. */
  private recover(orders: readonly OrderSnapshot[]): number {
    const missed = this.tracker.recover(orders).length;
    this.listener?.onOrders(orders);
    return missed;
  }

  private lost(why: string): void {
    const event = this.begun ? this.outages.lost(why) : undefined;
    if (event) this.listener?.onConnection(event);
  }

  private restored(recovered: number): void {
    const event = this.outages.restored(recovered);
    if (event) this.listener?.onConnection(event);
  }

  private tellOutage(): void {
    const outage = this.outages.worthTelling();
    if (outage) this.listener?.onOutage(outage.reason, outage.downMs);
  }

  private forget(orders: readonly OrderSnapshot[]): void {
    const past = this.tracker.past(orders, `${this.deps.clock.now() - FORGET_AFTER_MS}000000`);
    if (past.length === 0) return;
    this.tracker.drop(past);
    this.listener?.onForgotten(past);
  }
}
