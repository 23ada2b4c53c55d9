/** The market data of this process: all who use a credential share one socket, which is there as long as somebody listens. */
import { attempt } from '../../attempt';
import type { Environment } from '../../session/settings';
import type { MarketData, MarketListener, MarketSubscription } from './market-data';
import { MarketFeed, type MarketDeps } from './market-feed';

interface SharedFeed {
  feed: MarketFeed;
  /** Dependencies of each listener: the member that opened the feed may have left, and any other's will do. */
  members: Set<MarketDeps>;
}

export class SharedMarketData {
  private readonly feeds = new Map<string, SharedFeed>();

  /** Number of open sockets. */
  get size(): number {
    return this.feeds.size;
  }

  /** The market data of a credential where somebody listens already, for a look: with the last of those who do it ends. */
  opened(key: string): MarketData | undefined {
    return this.feeds.get(key)?.feed;
  }

  /**
   * Returns the market data of a credential.
   * @param key identifies the credential, its account and its login.
   * @param deps are used as long as a subscription made with them is wanted, in place of those of others who leave.
   */
  of(key: string, deps: MarketDeps, environment: Environment): MarketData {
    return {
      subscribe: async (subscriptions, listener, signal) =>
        await this.subscribe(key, deps, environment, { subscriptions, listener, signal }),
    };
  }

  private async subscribe(
    key: string,
    deps: MarketDeps,
    environment: Environment,
    {
      subscriptions,
      listener,
      signal,
    }: { subscriptions: readonly MarketSubscription[]; listener: MarketListener; signal: AbortSignal },
  ): Promise<() => void> {
    const shared = this.feeds.get(key) ?? this.begin(key, deps, environment);
    // One and the same object may be brought more than once.
    const own = { ...deps };
    shared.members.add(own);
    const forget = (): void => void shared.members.delete(own);
    signal.addEventListener('abort', forget);
    const begun = await attempt(shared.feed.subscribe(subscriptions, listener, signal));
    if (begun.ok)
      return () => {
        begun.value();
        signal.removeEventListener('abort', forget);
        forget();
      };
    forget();
    if (shared.members.size === 0) this.feeds.delete(key);
    throw begun.error;
  }

  private begin(key: string, deps: MarketDeps, environment: Environment): SharedFeed {
    const members = new Set<MarketDeps>();
    const any = (): MarketDeps => members.values().next().value ?? deps;
    const shared: SharedFeed = {
      members,
      feed: new MarketFeed(
        {
          clock: deps.clock,
          random: deps.random,
          makeSocket: (url) => any().makeSocket(url),
          access: async (signal) => await any().access(signal),
          candles: async (request) => await any().candles(request),
          price: async (instrument, signal) => await any().price(instrument, signal),
          holdClock: (work) => any().holdClock?.(work),
        },
        environment,
        () => {
          if (this.feeds.get(key) === shared) this.feeds.delete(key);
        },
      ),
    };
    this.feeds.set(key, shared);
    return shared;
  }
}
