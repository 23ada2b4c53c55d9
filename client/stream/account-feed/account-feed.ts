/** Events of one account: a connection that stays open while somebody wants it, and a check that it misses none. */
import type { Moment } from '../../base/ports';
import { BrokerageError, NetworkError, SessionError } from '../../base/errors';
import { DecodeError } from '../../../proto/reader';
import { pauseUnlessAborted } from '../../abortable';
import { AccountOrders } from './account-orders';
import { LIST_LAG_MS } from './day-list-reader';
import type { OrderReconciler } from '../reconciliation/order-reconciler';
import type { FeedDeps, FeedEvent, FeedListener, FeedOptions } from './types';
import { readFrame, type AccountFrame } from './frames';
import { StreamOutages, type ConnectionEvent } from '../connection/outage';
import { OutageReporter } from '../connection/outage-reporter';
import { ReconnectingSocket, STABLE_MS, type ConnectionUser } from '../connection/reconnecting-socket';
import { StreamError, type StreamAccess } from '../connection/socket';
import { subscribeCommands } from './subscriptions';

/** Maximum number of causes that are told: one may name an order. */
const MAX_BAD_FRAMES = 50;
/** The first connection is tried this often before the start is given up; what REST refuses gives it up at once. */
const FIRST_ATTEMPTS = 3;

/**
 * Connects to the stream of one account, and connects again whenever the connection is lost, until it is stopped. Reads the
 * day's orders at every connection, and again every `checkEveryMs`, and so recovers what the stream did not bring. Tells one
 * listener what it finds out; {@link SharedAccountFeeds} passes that on to several.
 */
export class AccountFeed {
  /** Frames that could not be read, by cause. */
  readonly badFrames = new Map<string, number>();
  private readonly stopping = new AbortController();
  private readonly started = Promise.withResolvers<void>();
  private listener: FeedListener = () => undefined;
  private running: Promise<void> | undefined;
  private readonly orders: AccountOrders;
  private readonly outages: StreamOutages;
  private readonly unreadOrders: OutageReporter;
  /** True once the first connection has caught up. */
  private begun = false;
  /** Aborted when a message is refused: what it told is in the lists. */
  private refused = new AbortController();
  /** Time of the stream's last message, or of its opening. */
  private lastMessageAt: Moment;

  constructor(
    private readonly deps: FeedDeps,
    private readonly options: FeedOptions,
  ) {
    this.started.promise.catch(() => undefined);
    this.lastMessageAt = deps.clock.moment();
    this.orders = new AccountOrders(
      deps,
      options.subscriptions.includes('orders'),
      (event) => this.emit(event),
      options.environment === 'sandbox',
    );
    this.outages = new StreamOutages(deps.clock, options.environment);
    this.unreadOrders = new OutageReporter(deps.clock, { environment: options.environment });
  }

  /**
   * Connects and resolves when the first comparison is done. To be called once.
   * @param listener hears everything from now on, also before this resolves.
   * @throws BrokerageError of the first attempt: an activation that cannot work must say so at once. An error when the feed
   *   is stopped meanwhile.
   */
  async start(listener: FeedListener): Promise<void> {
    this.listener = listener;
    const deps = { ...this.deps, access: async (signal: AbortSignal) => await this.access(signal) };
    this.running = new ReconnectingSocket(deps, this.user).run(this.stopping.signal);
    await this.started.promise;
  }

  /** The account's delivered state, which a trigger compares its own with. */
  get reconciler(): OrderReconciler {
    return this.orders.reconciler;
  }

  /** True if the day's orders have been read: `reconciler` has views of them. */
  get hasLooked(): boolean {
    return this.orders.hasLooked;
  }

  /**
   * A moment on the service's clock, nanoseconds: at the earliest, up to a second before.
   * @returns undefined when its replies do not tell the time, or told quite another one before that instant.
   */
  serviceInstant(at: Moment): string | undefined {
    return this.orders.instant(at);
  }

  /** Has the baskets read at the next comparison, for a trigger that has not seen them. */
  requestBaskets(): void {
    this.orders.requestBaskets();
  }

  /** Ends everything, at any moment; resolves when nothing is left. Never rejects. */
  async stop(): Promise<void> {
    this.stopping.abort(new Error('The trigger was stopped'));
    this.started.reject(this.stopping.signal.reason);
    await this.running;
  }

  /** Callbacks of the socket. */
  private get user(): ConnectionUser {
    return {
      reached: ({ token }) => {
        this.orders.hold();
        return subscribeCommands(token, this.options.subscriptions);
      },
      frame: (bytes) => this.frame(bytes),
      opened: async (_connection, _access, signal) => {
        this.lastMessageAt = this.deps.clock.moment();
        this.orders.finishReading();
        const isCompared = await this.catchUp(signal);
        await this.watch(isCompared, signal);
      },
      closed: (why) => {
        if (!this.begun) throw new StreamError(`${why} right after it was opened`);
        this.lost(why);
      },
      failed: (error, attempt) => {
        if (!this.begun && !(error instanceof StreamError && attempt < FIRST_ATTEMPTS)) {
          this.started.reject(error);
          return false;
        }
        this.lost(error instanceof BrokerageError ? error.message : 'The connection failed');
        return true;
      },
      fatal: (error) => {
        if (this.begun) this.emit({ type: 'fatal', error });
        else this.started.reject(error);
      },
      lasted: () => this.outages.stable(),
      paused: () => this.emitOutage(),
    };
  }

  /** Returns address and token of the connection. The first read of the day comes before the first connection. */
  private async access(signal: AbortSignal): Promise<StreamAccess> {
    if (!this.hasLooked) await this.orders.look(signal);
    return await this.deps.access(signal);
  }

  /** @returns whether the day's orders came in time; else the comparison is still to be made. */
  private async catchUp(signal: AbortSignal): Promise<boolean> {
    const { isOver, isCompared, contradictions } = await this.orders.catchUp(signal);
    contradictions.forEach((contradiction) => this.badFrame(contradiction));
    if (isOver) return false;
    this.begun = true;
    if (!signal.aborted) this.restored();
    this.started.resolve();
    return isCompared;
  }

  /**
   * Waits for the connection's end, comparing from time to time, and soon after a message was refused; returns early when the stream is
   * found deaf.
   */
  private async watch(isCompared: boolean, signal: AbortSignal): Promise<void> {
    let isFirst = true;
    let next = isCompared ? LIST_LAG_MS : 0;
    /** Milliseconds between comparisons while messages are refused: more and more where the lists show nothing that they hid. */
    let soon = LIST_LAG_MS;
    while (await this.untilDue(next, Math.min(next, soon), signal)) {
      const wasRefused = this.refused.signal.aborted;
      if (wasRefused) this.refused = new AbortController();
      const comparison = await this.orders.compare(isFirst || wasRefused, signal);
      if (comparison === 'unreadable') await this.requestReason(signal);
      else {
        this.unreadOrders.back();
        if (comparison === 'over') return;
        if (comparison.isDeaf) this.lost('The stream was open but did not bring what had happened');
        if (this.outages.isLost) return;
        soon = this.orders.missed > 0 || !wasRefused ? LIST_LAG_MS : Math.min(2 * soon, this.options.checkEveryMs);
        comparison.keep();
        isFirst = false;
      }
      // The list may lag behind the message that was refused.
      next = isFirst || wasRefused ? soon : this.options.checkEveryMs;
    }
  }

  /**
   * Waits until the next comparison is due; once a message is refused, no longer than `soon`.
   * @returns false when it was cut short.
   */
  private async untilDue(ms: number, soon: number, signal: AbortSignal): Promise<boolean> {
    const begun = this.deps.clock.moment();
    await this.pause(ms, AbortSignal.any([signal, this.refused.signal]));
    const left = soon - this.deps.clock.since(begun);
    return signal.aborted || left <= 0 ? !signal.aborted : await this.pause(left, signal);
  }

  /**
   * The day's orders could not be read: asks whether the service can be reached at all. A network that was cut closes no socket, and the
   * stream would seem to be there for hours. The socket is kept nevertheless: it may work where REST does not.
   * @throws SessionError if there can be no session.
   */
  private async requestReason(signal: AbortSignal): Promise<void> {
    const { problem } = this.orders;
    const cut = await this.deps.access(signal).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (signal.aborted) return;
    if (cut instanceof SessionError) throw cut;
    if (cut instanceof NetworkError && this.deps.clock.since(this.lastMessageAt) >= STABLE_MS) this.lost(cut.message);
    if (this.outages.isLost) return this.emitOutage();
    this.unreadOrders.away();
    const forMs = this.unreadOrders.due();
    if (forMs !== undefined) this.emit({ type: 'ordersUnread', reason: problem, forMs });
  }

  /** @returns false when it was cut short. */
  private async pause(ms: number, signal: AbortSignal): Promise<boolean> {
    return await pauseUnlessAborted(this.deps.clock, ms, signal);
  }

  private frame(bytes: Uint8Array): void {
    this.lastMessageAt = this.deps.clock.moment();
    const frame = this.read(bytes);
    if (frame?.kind === 'portfolio') this.emit({ type: 'portfolio', portfolio: frame.portfolio });
    const contradiction = frame?.kind === 'order' ? this.orders.take(frame.update) : undefined;
    if (contradiction !== undefined) this.badFrame(contradiction);
  }

  private read(bytes: Uint8Array): AccountFrame | undefined {
    try {
      return readFrame(bytes);
    } catch (error) {
      this.badFrame(error instanceof DecodeError ? error.fault : 'not a message of the stream');
      return undefined;
    }
  }

  private badFrame(cause: string): void {
    this.refused.abort();
    if (!this.badFrames.has(cause) && this.badFrames.size >= MAX_BAD_FRAMES) return;
    const count = (this.badFrames.get(cause) ?? 0) + 1;
    this.badFrames.set(cause, count);
    if (count === 1) this.emit({ type: 'badFrame', cause });
  }

  private emit(event: FeedEvent): void {
    this.listener(event);
  }

  private lost(why: string): void {
    if (this.begun) this.emitConnection(this.outages.lost(why));
  }

  private restored(): void {
    this.emitConnection(this.outages.restored(this.orders.missed));
    this.orders.missed = 0;
  }

  private emitConnection(event: ConnectionEvent | undefined): void {
    if (event) this.emit(event);
  }

  private emitOutage(): void {
    const outage = this.outages.newOutage();
    if (outage) this.emit({ type: 'outage', ...outage });
  }
}
