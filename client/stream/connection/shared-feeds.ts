/** The feeds of this process: triggers on the same account share one connection and do not disturb each other. */
import type { PortfolioResponse, SvcToClientIntentUpdate } from '../../../proto/generated/messages';
import type { BrokerageError } from '../../errors';
import { Feed } from './feed';
import type { FeedDeps, FeedListener, FeedOptions } from './feed-contract';
import type { ConnectionEvent, Day } from '../reconciliation/types';
import type { ReadUpdate } from '../reconciliation/order-message';

interface Shared {
  feed: Feed;
  members: Map<FeedListener, FeedDeps>;
  followers: Set<(update: ReadUpdate) => void>;
  started: Promise<void>;
}

export interface Membership {
  feed: Feed;
  /** Leaves; the last one to leave ends the feed. Never rejects. */
  leave(): Promise<void>;
}

export class FeedHub {
  private readonly shared = new Map<string, Shared>();

  /** How many connections are kept. */
  get size(): number {
    return this.shared.size;
  }

  /**
   * Joins the feed of an account, or starts it; resolves when it has compared with the day's orders for the first time.
   * @param key stands for the account, its login and the options.
   * @param signal gives up the waiting, at once.
   * @throws BrokerageError when the feed could not be started; the signal's reason when it fired first.
   */
  async join(
    key: string,
    deps: FeedDeps,
    options: FeedOptions,
    listener: FeedListener,
    signal: AbortSignal,
  ): Promise<Membership> {
    const shared = this.shared.get(key) ?? this.begin(key, deps, options);
    shared.members.set(listener, deps);
    if (shared.feed.hasLooked) {
      // The baskets as the feed knows them may be old: they come with the next comparison.
      listener.onBegin({ orders: [...shared.feed.tracker.views()], baskets: undefined });
      shared.feed.wantBaskets();
    }
    const leave = async (): Promise<void> => {
      shared.members.delete(listener);
      if (shared.members.size > 0) return;
      if (this.shared.get(key) === shared) this.shared.delete(key);
      await shared.feed.stop();
    };
    const { promise: abandoned, reject: abandon } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => abandon(signal.reason), { once: true });
    if (signal.aborted) abandon(signal.reason);
    const [started] = await Promise.allSettled([Promise.race([shared.started, abandoned])]);
    if (started.status === 'fulfilled') return { feed: shared.feed, leave };
    await leave();
    throw started.reason;
  }

  /**
   * Follows the feeds of an account that run anyway; none is started for it, and none kept.
   * @param account the beginning of their keys.
   * @returns how to stop following.
   */
  follow(account: string, onUpdate: (update: ReadUpdate) => void): () => void {
    const followed = [...this.shared].filter(([key]) => key.startsWith(account)).map(([, { followers }]) => followers);
    for (const followers of followed) followers.add(onUpdate);
    return () => followed.forEach((followers) => followers.delete(onUpdate));
  }

  private begin(key: string, deps: FeedDeps, options: FeedOptions): Shared {
    const members = new Map<FeedListener, FeedDeps>();
    const followers = new Set<(update: ReadUpdate) => void>();
    /** Whoever is still there asks: the one that began may have left. */
    const anyDeps = (): FeedDeps => members.values().next().value ?? deps;
    const feed = new Feed(
      {
        clock: deps.clock,
        random: deps.random,
        makeSocket: (url) => anyDeps().makeSocket(url),
        access: async (signal, refused) => await anyDeps().access(signal, refused),
        orders: async (signal) => await anyDeps().orders(signal),
        baskets: async (signal) => await anyDeps().baskets(signal),
      },
      options,
    );
    const forAll = (tell: (listener: FeedListener) => void): void => [...members.keys()].forEach(tell);
    const started = feed.start({
      onBegin: (day: Day) => forAll((one) => one.onBegin(day)),
      onUpdate: (read: ReadUpdate, message: SvcToClientIntentUpdate) => {
        forAll((one) => one.onUpdate(read, message));
        followers.forEach((tell) => tell(read));
      },
      onSettled: () => forAll((one) => one.onSettled()),
      onDay: (day: Day) => forAll((one) => one.onDay(day)),
      onPortfolio: (portfolio: PortfolioResponse) => forAll((one) => one.onPortfolio(portfolio)),
      onConnection: (event: ConnectionEvent) => forAll((one) => one.onConnection(event)),
      onForgotten: (orderIds: string[]) => forAll((one) => one.onForgotten(orderIds)),
      onOutage: (reason: string, downMs: number) => forAll((one) => one.onOutage(reason, downMs)),
      onOrdersUnread: (reason: string, forMs: number) => forAll((one) => one.onOrdersUnread(reason, forMs)),
      onBadFrame: (cause: string) => forAll((one) => one.onBadFrame(cause)),
      onBasketsUnread: (reason: string) => forAll((one) => one.onBasketsUnread(reason)),
      onFatal: (error: BrokerageError) => {
        this.shared.delete(key);
        forAll((one) => one.onFatal(error));
      },
    });
    // Those who wait hear of a failure; one who has given up waiting need not.
    started.catch(() => undefined);
    const shared = { feed, members, followers, started };
    this.shared.set(key, shared);
    return shared;
  }
}
