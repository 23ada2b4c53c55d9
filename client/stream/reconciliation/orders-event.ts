/** Events of the account's side of the stream, for its listeners. */
import type { OrderMessage } from './order-message';
import type { ListedDay, OrderEvent } from './types';

/** Events of the account's orders, in the order of discovery. */
export type OrdersEvent =
  /** The day's orders and baskets at the start; comes once, before everything else. */
  | { type: 'started'; day: ListedDay }
  /** A message of the stream, and its events: none when it repeats what was delivered. */
  | { type: 'update'; message: OrderMessage; events: readonly OrderEvent[] }
  /** Every message sent before the last comparison has arrived, or never will. */
  | { type: 'confirmed' }
  /**
   * A comparison: views of orders that may show more than the stream brought, and all baskets of the day where they were
   * asked for, and the events that the stream had not brought.
   */
  | { type: 'day'; day: ListedDay; events: readonly OrderEvent[] }
  /** Orders that ended on an earlier day and need not be remembered. */
  | { type: 'forgotten'; orderIds: readonly string[] }
  /** An order of the day's list contradicts itself, and is left out; comes once until the list shows it otherwise. */
  | { type: 'oddOrder'; reason: string }
  /** The day's baskets could not be read; comes once until they can be. */
  | { type: 'basketsUnread'; reason: string };
