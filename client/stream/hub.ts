/** The feeds of this process: triggers on the same account share one connection and do not disturb each other. */
import type { PortfolioResponse, SvcToClientIntentUpdate } from '../../proto/generated/messages';
import type { BrokerageError } from '../errors';
import { Feed, type FeedDeps, type FeedListener, type FeedOptions } from './feed';
import type { ConnectionEvent, OrderSnapshot } from './types';
import type { ReadUpdate } from './update';

interface Shared {
  feed: Feed;
  members: Map<FeedListener, FeedDeps>;
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
   * @throws BrokerageError when the feed could not be started.
   */
  async join(key: string, deps: FeedDeps, options: FeedOptions, listener: FeedListener): Promise<Membership> {
    const shared = this.shared.get(key) ?? this.begin(key, deps, options);
    shared.members.set(listener, deps);
    const leave = async (): Promise<void> => {
      shared.members.delete(listener);
      if (shared.members.size > 0) return;
      if (this.shared.get(key) === shared) this.shared.delete(key);
      await shared.feed.stop();
    };
    try {
      await shared.started;
    } catch (error) {
      await leave();
      throw error;
    }
    return { feed: shared.feed, leave };
  }

  private begin(key: string, deps: FeedDeps, options: FeedOptions): Shared {
    const members = new Map<FeedListener, FeedDeps>();
    /** Whoever is still there asks: the one that began may have left. */
    const anyDeps = (): FeedDeps => members.values().next().value ?? deps;
    const feed = new Feed(
      {
        clock: deps.clock,
        random: deps.random,
        makeSocket: (url) => anyDeps().makeSocket(url),
        access: async (signal, refused) => await anyDeps().access(signal, refused),
        orders: async (signal) => await anyDeps().orders(signal),
      },
      options,
    );
    const forAll = (tell: (listener: FeedListener) => void): void => [...members.keys()].forEach(tell);
    const started = feed.start({
      onUpdate: (read: ReadUpdate, message: SvcToClientIntentUpdate) => forAll((one) => one.onUpdate(read, message)),
      onSettled: () => forAll((one) => one.onSettled()),
      onOrders: (orders: readonly OrderSnapshot[]) => forAll((one) => one.onOrders(orders)),
      onPortfolio: (portfolio: PortfolioResponse) => forAll((one) => one.onPortfolio(portfolio)),
      onConnection: (event: ConnectionEvent) => forAll((one) => one.onConnection(event)),
      onForgotten: (orderIds: string[]) => forAll((one) => one.onForgotten(orderIds)),
      onOutage: (reason: string, downMs: number) => forAll((one) => one.onOutage(reason, downMs)),
      onBadFrame: (cause: string) => forAll((one) => one.onBadFrame(cause)),
      onFatal: (error: BrokerageError) => {
        this.shared.delete(key);
        forAll((one) => one.onFatal(error));
      },
    });
    const shared = { feed, members, started };
    this.shared.set(key, shared);
    return shared;
  }
}
