/** Inputs and events of a feed. */
import type { PortfolioResponse } from '../../../proto/generated/messages';
import type { BrokerageError } from '../../base/errors';
import type { Environment } from '../../session/settings';
import type { OrdersEvent } from '../reconciliation/orders-event';
import type { DayDeps } from './day-list-reader';
import type { ConnectionEvent } from '../connection/outage';
import type { ConnectionDeps } from '../connection/reconnecting-socket';
import type { AccountSubscription } from './subscriptions';

/** All methods may be called again and again, and give up when their signal fires. */
export type FeedDeps = DayDeps & ConnectionDeps;

export interface FeedOptions {
  environment: Environment;
  subscriptions: readonly AccountSubscription[];
  /** Milliseconds between two comparisons with the day's orders while all seems well. */
  checkEveryMs: number;
}

/** All that a feed tells, in the order in which it found it out. */
export type FeedEvent =
  | OrdersEvent
  | ConnectionEvent
  | { type: 'portfolio'; portfolio: PortfolioResponse }
  /** The stream has been away for this many milliseconds, long enough to warn the user; comes once for each outage. */
  | { type: 'outage'; reason: string; downMs: number }
  /**
   * The stream is open, but the day's orders could not be read for this many milliseconds, long enough to warn the user; comes once until
   * they can be read.
   */
  | { type: 'ordersUnread'; reason: string; forMs: number }
  /** A frame could not be read; comes once for each cause. */
  | { type: 'badFrame'; cause: string }
  /** No connection is possible without the person: the feed has stopped. */
  | { type: 'fatal'; error: BrokerageError };

/** Is called for each event, at once and in order. It must not throw. */
export type FeedListener = (event: FeedEvent) => void;
