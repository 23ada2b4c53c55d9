/** The market data of one credential: the stream where it brings something, REST in its place, and who hears what. */
import { attempt } from '../../attempt';
import { SessionError, type BrokerageError } from '../../base/errors';
import type { Environment } from '../../session/settings';
import type { MarketPrice, NoPrice } from '../../values/market-price';
import { compactDate, istDate } from '../../values/time';
import { pauseUnlessAborted, unlessAborted } from '../../abortable';
import { StreamError } from '../connection/socket';
import { ClosedCandles } from './closed-candles';
import { demandOf } from './subscription-demand';
import type { CandleReader } from './price-history';
import type { MarketData, MarketEvent, MarketInstrument, MarketListener, MarketSubscription } from './market-data';
import type { MarketFrame } from './market-frames';
import type { ConnectionDeps } from '../connection/reconnecting-socket';
import { MarketSocket } from './market-socket';
import { chainKey, depthKey, greeksKey, LatestValues } from './latest-values';
import { RestFallback } from './rest-fallback';
import { PriceDistributor } from './price-distributor';
import { ServiceClock } from './service-clock';
import { StreamHealth } from './stream-health';

export interface MarketDeps extends ConnectionDeps {
  /** @throws BrokerageError */
  candles: CandleReader;
  /** The last price, which may be none. @throws BrokerageError */
  price(instrument: MarketInstrument, signal: AbortSignal): Promise<MarketPrice | NoPrice>;
  /** Of a sandbox alone: its clock waits until this is done, as it does for runs (see `Access.runsDone`). */
  holdClock?(work: Promise<unknown>): void;
}

const TICK_MS = 1_000;
/** Milliseconds without a frame after which candles are read from the history, and after which another connection is tried. */
const QUIET_MS = 30_000;
const DEAD_MS = 120_000;
/** Number of first connection attempts before the start fails if REST cannot replace the stream. */
const FIRST_ATTEMPTS = 3;

type InstrumentSubscription = Exclude<MarketSubscription, { kind: 'chain' }>;

/** One who listens. */
interface Subscriber {
  readonly listener: MarketListener;
  /** The listener's subscriptions, and the function that ends each. */
  readonly subscriptions: Map<MarketSubscription, () => void>;
}

export class MarketFeed implements MarketData {
  private readonly stopping = new AbortController();
  private readonly subscribers = new Set<Subscriber>();
  private readonly socket: MarketSocket;
  private readonly time: ServiceClock;
  private readonly prices: PriceDistributor;
  private readonly watch: RestFallback;
  private readonly candles: ClosedCandles;
  private readonly pictures = new LatestValues(() => this.time.latest());
  private readonly badFrames = new Set<string>();
  /** Resolves when the stream is open, or REST has answered in its place. */
  private readonly started = Promise.withResolvers<void>();
  private isRunning = false;
  private hasStarted = false;
  private attempts = 0;
  private isAsking = false;
  private reason = '';
  /** Reason of the last failure of REST, in words; undefined if it has answered since. */
  private restReason: string | undefined;
  private isRefusalReported = false;
  /** The day (IST, YYYY-MM-DD) up to which what has expired was looked for. */
  private expiredUntil = '';
  private readonly health: StreamHealth;

  constructor(
    private readonly deps: MarketDeps,
    environment: Environment,
    private readonly onEnd: () => void,
  ) {
    const { clock, random } = deps;
    const { signal } = this.stopping;
    this.started.promise.catch(() => undefined);
    this.health = new StreamHealth(clock, environment);
    this.time = new ServiceClock(clock, environment !== 'live');
    const time = this.time;
    const candles: CandleReader = async (request) => await deps.candles(request);
    const answered = (): void => this.answered();
    const failed = (error: BrokerageError | undefined): void => this.failed(error);
    this.prices = new PriceDistributor({ clock, candles, time, signal, fatal: (error) => this.fatal(error) });
    this.candles = new ClosedCandles({
      clock,
      environment,
      candles,
      time,
      signal,
      isWaitedFor: () => this.socket.holdsClock,
      holdClock: (work) => deps.holdClock?.(work),
      answered,
      failed,
    });
    this.watch = new RestFallback(
      {
        clock,
        random,
        environment,
        candles,
        time,
        signal,
        answered,
        failed,
        price: async (instrument, given) => await deps.price(instrument, given),
        notify: (entry, event) => {
          for (const member of entry.members) if (!member.hasLeft) member.listener(event);
        },
        streamReceivedAt: () => (this.health.isLost ? undefined : this.socket.lastMessageAt),
        streamIsSilent: () => {
          this.lost('The stream is open, but brings nothing of what is traded');
          this.request();
          this.socket.reconnect();
        },
      },
      this.prices,
    );
    this.socket = new MarketSocket(deps, {
      reached: ({ aheadMs }) => this.time.onServiceTime(aheadMs),
      opened: () => this.opened(),
      lost: (why) => this.lost(why),
      frame: (frame) => this.frame(frame),
      refused: (said) => this.refused(said),
      badFrame: (cause) => this.badFrame(cause),
      fatal: (error) => this.fatal(error),
    });
  }

  async subscribe(
    subscriptions: readonly MarketSubscription[],
    listener: MarketListener,
    signal: AbortSignal,
  ): Promise<() => void> {
    signal.throwIfAborted();
    const subscriber: Subscriber = { listener, subscriptions: new Map() };
    this.socket.subscribe(demandOf(subscriptions));
    this.subscribers.add(subscriber);
    this.start();
    if (this.isAsking) listener({ kind: 'source', now: 'rest', reason: this.reason });
    if (this.socket.refusal !== undefined) listener({ kind: 'refused', said: this.socket.refusal });
    for (const subscription of subscriptions)
      subscriber.subscriptions.set({ ...subscription }, this.join(subscription, listener));
    this.expiredUntil = '';
    const leave = (): void => {
      signal.removeEventListener('abort', leave);
      this.leave(subscriber);
    };
    signal.addEventListener('abort', leave, { once: true });
    const begun = await attempt(unlessAborted(this.started.promise, signal));
    if (begun.ok) return leave;
    leave();
    throw begun.error;
  }

  private join(subscription: MarketSubscription, listener: MarketListener): () => void {
    switch (subscription.kind) {
      case 'tick': {
        const member = this.prices.join(subscription.instrument, subscription, listener);
        return () => this.prices.leave(subscription.instrument, member);
      }
      case 'candle': {
        const member = this.candles.join(subscription.instrument, subscription.interval, subscription.since, listener);
        return () => this.candles.leave(subscription.instrument, subscription.interval, member);
      }
      case 'depth':
        return this.pictures.join(
          depthKey(subscription.instrument.refId),
          subscription.instrument,
          listener,
          subscription.levels,
        );
      case 'greeks':
        return this.pictures.join(greeksKey(subscription.instrument.refId), subscription.instrument, listener);
      case 'chain':
        return this.pictures.join(
          chainKey(subscription.exchange, subscription.asset, compactDate(subscription.expiry)),
          undefined,
          listener,
        );
    }
  }

  private leave(subscriber: Subscriber): void {
    if (!this.subscribers.delete(subscriber)) return;
    for (const end of subscriber.subscriptions.values()) end();
    if (this.subscribers.size > 0) this.socket.unsubscribe(demandOf([...subscriber.subscriptions.keys()]));
    else this.stop(new Error('The market data was stopped'));
  }

  private start(): void {
    if (this.isRunning) return;
    this.isRunning = true;
    this.socket.start();
    void this.run(this.stopping.signal);
  }

  private stop(reason: Error): void {
    this.onEnd();
    this.stopping.abort(reason);
    this.socket.stop();
    this.started.reject(reason);
  }

  private async run(signal: AbortSignal): Promise<void> {
    while (await pauseUnlessAborted(this.deps.clock, TICK_MS, signal)) {
      const { health, socket } = this;
      if (!socket.holdsClock && this.time.wasSet()) this.clockSet();
      if (socket.isOpen && health.hasStayedOpen()) this.restored();
      if (health.isMissed()) this.request();
      this.endExpired();
      this.prices.fillDue();
      if (socket.takesAll()) this.isRefusalReported = false;
      const isRefused = socket.refusal !== undefined;
      if (isRefused && this.prices.markUnheard(socket.openedAt)) this.watch.pollNow();
      socket.resubscribe();
      this.watch.tick(this.isAsking);
      // A clock that waits for the stream lets nothing pass meanwhile.
      const isReceiving = socket.holdsClock || !health.isQuiet(QUIET_MS, socket.lastMessageAt);
      this.candles.tick(!isRefused && isReceiving);
      // A network that was cut closes no socket, and of candles, depth and options REST cannot tell whether they came.
      const isApart = socket.hasSubscriptions && this.prices.entries.size === 0;
      if (!health.isLost && isApart && health.isQuiet(DEAD_MS, socket.lastMessageAt)) socket.reconnect();
      const downMs = health.newOutage();
      if (downMs !== undefined) this.emit({ kind: 'outage', reason: this.whyNothing, downMs });
    }
  }

  /** Nobody wants to hear of what has expired: the stream brings nothing of it, and REST would be asked for ever. */
  private endExpired(): void {
    if (!this.time.isKnown) return;
    const today = istDate(this.time.now());
    if (today === this.expiredUntil) return;
    this.expiredUntil = today;
    for (const { listener, subscriptions } of [...this.subscribers]) {
      const over = [...subscriptions.keys()].filter(
        (subscription) =>
          subscription.kind !== 'chain' &&
          subscription.instrument.expiry != null &&
          subscription.instrument.expiry < today,
      ) as InstrumentSubscription[];
      for (const subscription of over) {
        subscriptions.get(subscription)?.();
        subscriptions.delete(subscription);
      }
      this.socket.unsubscribe(demandOf(over));
      for (const instrument of new Set(over.map((subscription) => subscription.instrument)))
        listener({ kind: 'expired', instrument });
    }
  }

  /**
   * Handles a clock that was set, or a process that was suspended: pending work may have ended unheard.
   */
  private clockSet(): void {
    this.prices.clockSet();
    this.candles.interrupted();
    this.watch.pollNow();
    this.socket.reconnect();
  }

  private opened(): void {
    this.time.renew();
    this.health.opened();
    this.attempts = 0;
    this.begin();
  }

  /** The stream brings something again, or has stayed open for a while: an open one may be lost at its first frame, again and again. */
  private restored(): void {
    this.health.restored();
    if (this.isAsking) {
      this.isAsking = false;
      this.emit({ kind: 'source', now: 'stream', reason: 'The stream is back' });
    }
    this.prices.interrupted();
    this.candles.interrupted();
  }

  private lost(why: BrokerageError | string): void {
    this.attempts += 1;
    this.reason = typeof why === 'string' ? why : why.message;
    this.health.lost();
    this.prices.lost();
    this.candles.interrupted();
    if (this.hasStarted || typeof why === 'string') return;
    // REST, if it answers, replaces the stream at once; if it does not either, the start has failed.
    if (!(why instanceof StreamError)) this.stop(why);
    else if (this.prices.entries.size > 0) this.request();
    else if (this.attempts >= FIRST_ATTEMPTS) this.stop(why);
  }

  /** From now on REST is asked in place of the stream. */
  private request(): void {
    if (this.isAsking) return;
    this.isAsking = true;
    this.emit({ kind: 'source', now: 'rest', reason: this.reason });
    this.watch.pollNow();
    this.watch.tick(true);
  }

  private frame(frame: MarketFrame): void {
    if (this.health.isLost) this.restored();
    this.health.good();
    this.handOver(frame);
    // Before the clock goes on, whatever a second of ours is there.
    if (this.socket.holdsClock) this.candles.tick(this.socket.refusal === undefined);
  }

  private handOver(frame: MarketFrame): void {
    switch (frame.kind) {
      case 'ticks':
        this.onFrame(frame.batch.timestamp);
        this.prices.take(frame.batch.indexes);
        return this.prices.take(frame.batch.instruments);
      case 'candles':
        this.onFrame(frame.batch.timestamp);
        this.candles.take(frame.batch.indexes);
        return this.candles.take(frame.batch.instruments);
      case 'depth':
        return this.pictures.takeDepth(frame.batch);
      case 'greeks':
        return this.pictures.takeGreeks(frame.batch);
      case 'chain':
        return this.pictures.takeChain(frame.chain);
      case 'unknown':
        return;
    }
  }

  private onFrame(nanos: string): void {
    const at = this.time.msOf(nanos);
    if (at !== null) this.time.onFrame(at);
  }

  private badFrame(cause: string): void {
    this.prices.interrupted();
    this.candles.interrupted();
    if (this.badFrames.has(cause)) return;
    this.badFrames.add(cause);
    this.emit({ kind: 'badFrame', cause });
  }

  private refused(said: string): void {
    if (this.isRefusalReported) return;
    this.isRefusalReported = true;
    this.emit({ kind: 'refused', said });
  }

  /** Returns the reasons of the stream and of REST for an outage, in words. */
  private get whyNothing(): string {
    return this.restReason === undefined ? this.reason : `${this.reason}; over REST: ${this.restReason}`;
  }

  private answered(): void {
    this.restReason = undefined;
    this.health.good();
    if (this.isAsking) this.begin();
  }

  private begin(): void {
    this.hasStarted = true;
    this.started.resolve();
  }

  private failed(error: BrokerageError | undefined): void {
    this.restReason = error?.message;
    if (error instanceof SessionError) this.fatal(error);
    else if (!this.hasStarted && error !== undefined) this.stop(error);
  }

  private fatal(error: BrokerageError): void {
    if (this.stopping.signal.aborted) return;
    const isReceiving = this.hasStarted;
    this.stop(error);
    if (isReceiving) this.emit({ kind: 'fatal', error });
  }

  private emit(event: MarketEvent): void {
    for (const { listener } of [...this.subscribers]) listener(event);
  }
}
