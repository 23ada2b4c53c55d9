/** The feeds of this process: triggers on the same account share one connection and do not disturb each other. */
import { attempt } from '../../attempt';
import { unlessAborted } from '../../abortable';
import type { OrderMessage } from '../reconciliation/order-message';
import { AccountFeed } from './account-feed';
import type { FeedDeps, FeedEvent, FeedListener, FeedOptions } from './types';

type Follower = (message: OrderMessage) => void;

interface SharedFeed {
  feed: AccountFeed;
  members: Map<FeedListener, FeedDeps>;
  followers: Set<Follower>;
  started: Promise<void>;
}

export interface FeedMembership {
  feed: AccountFeed;
  /** Leaves; the last one to leave ends the feed. Never rejects. */
  leave(): Promise<void>;
}

export class SharedAccountFeeds {
  private readonly feeds = new Map<string, SharedFeed>();

  /** Number of open connections. */
  get size(): number {
    return this.feeds.size;
  }

  /**
   * Joins the feed of an account, or starts it; resolves when it has compared with the day's orders for the first time.
   * @param key identifies the account, its login and the options.
   * @param deps are used as long as this member is there, in place of those of others who leave.
   * @param listener hears everything from now on, also before this resolves; first of all the events of the day so far.
   * @param signal gives up the waiting, at once.
   * @throws BrokerageError if the feed could not be started; the signal's reason if it fired first.
   */
  async join(
    key: string,
    deps: FeedDeps,
    options: FeedOptions,
    listener: FeedListener,
    signal: AbortSignal,
  ): Promise<FeedMembership> {
    const shared = this.feeds.get(key) ?? this.begin(key, deps, options);
    const { feed, members, started } = shared;
    members.set(listener, deps);
    if (feed.hasLooked) {
      // The baskets as the feed knows them may be old: they come with the next comparison.
      listener({ type: 'started', day: { orders: [...feed.reconciler.views()], baskets: undefined } });
      feed.requestBaskets();
    }
    const leave = async (): Promise<void> => {
      members.delete(listener);
      if (members.size > 0) return;
      if (this.feeds.get(key) === shared) this.feeds.delete(key);
      await feed.stop();
    };
    const begun = await attempt(unlessAborted(started, signal));
    if (begun.ok) return { feed, leave };
    await leave();
    throw begun.error;
  }

  /**
   * Hears the order messages of an account's feeds that run anyway; none is started for it, and none kept.
   * @param account the beginning of their keys.
   * @returns how to stop following.
   */
  follow(account: string, onMessage: Follower): () => void {
    const followed = [...this.feeds].filter(([key]) => key.startsWith(account)).map(([, { followers }]) => followers);
    for (const followers of followed) followers.add(onMessage);
    return () => followed.forEach((followers) => followers.delete(onMessage));
  }

  private begin(key: string, deps: FeedDeps, options: FeedOptions): SharedFeed {
    const members = new Map<FeedListener, FeedDeps>();
    const followers = new Set<Follower>();
    /** The founder may have left: any member's will do. */
    const anyDeps = (): FeedDeps => members.values().next().value ?? deps;
    const feed = new AccountFeed(
      {
        clock: deps.clock,
        random: deps.random,
        makeSocket: (url) => anyDeps().makeSocket(url),
        access: async (signal) => await anyDeps().access(signal),
        orders: async (signal) => await anyDeps().orders(signal),
        baskets: async (signal) => await anyDeps().baskets(signal),
      },
      options,
    );
    const started = feed.start((event: FeedEvent) => {
      if (event.type === 'fatal') this.feeds.delete(key);
      // A member that leaves, or joins, while it is told does not disturb the others.
      for (const listener of [...members.keys()]) listener(event);
      if (event.type === 'update') for (const follower of followers) follower(event.message);
    });
    // Those who wait hear of a failure; one who has given up waiting need not.
    started.catch(() => undefined);
    const shared = { feed, members, followers, started };
    this.feeds.set(key, shared);
    return shared;
  }
}
