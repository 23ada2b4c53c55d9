/** What a feed needs, and what it tells. */
import type { BrokerageError } from '../../errors';
import type { Clock, Random, SocketMaker } from '../../ports';
import type { Environment } from '../../session/settings';
import type { PortfolioResponse, SvcToClientIntentUpdate } from '../../../proto/generated/messages';
import type { Access, Subscription } from './socket';
import type { ConnectionEvent, Day, DayOrders, OrderSnapshot } from '../reconciliation/types';
import type { ReadUpdate } from '../reconciliation/order-message';

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
  /** The day's baskets; undefined when the service has no such list. @throws BrokerageError */
  baskets(signal: AbortSignal): Promise<OrderSnapshot[] | undefined>;
}

export interface FeedOptions {
  environment: Environment;
  subscriptions: readonly Subscription[];
  /** Milliseconds between two comparisons with the day's orders while all seems well. */
  checkEveryMs: number;
}

export interface FeedListener {
  /** What the day's orders and baskets show at the start; comes once, before everything else. */
  onBegin(day: Day): void;
  onUpdate(read: ReadUpdate, message: SvcToClientIntentUpdate): void;
  /** What was sent before the last comparison has arrived, or never will. */
  onSettled(): void;
  /** Views of orders that may show more than the stream brought, and all baskets of the day where they were asked for. */
  onDay(day: Day): void;
  onPortfolio(portfolio: PortfolioResponse): void;
  onConnection(event: ConnectionEvent): void;
  /** Orders that ended on an earlier day and need not be remembered. */
  onForgotten(orderIds: string[]): void;
  /** The stream has been away for so long (milliseconds) that somebody should know; once for each outage. */
  onOutage(reason: string, downMs: number): void;
  /** The stream is there, but the day's orders could not be read for so long (milliseconds) that somebody should know; once until they can be. */
  onOrdersUnread(reason: string, forMs: number): void;
  /** A frame could not be read; once for each cause, with how often it came so far. */
  onBadFrame(cause: string): void;
  /** The day's baskets could not be read; once until they can be. */
  onBasketsUnread(reason: string): void;
  /** No connection is possible without the person: the feed has stopped. */
  onFatal(error: BrokerageError): void;
}
