/** The account's side of a feed, without a connection: what the consumers that hear it are told. */
import type { Consumer } from '../../../client/stream/delivery/consumer';
import type { OrderMessage } from '../../../client/stream/reconciliation/order-message';
import { OrderReconciler } from '../../../client/stream/reconciliation/order-reconciler';
import type { ListedDay } from '../../../client/stream/reconciliation/types';

export class Account {
  readonly reconciler = new OrderReconciler();
  private readonly consumers: Consumer[] = [];

  /** @param first what the first look at the day shows. */
  constructor(private readonly first: ListedDay) {
    this.reconciler.baseline(first.orders);
    this.reconciler.firstBaskets(first);
  }

  /** Has a consumer hear it from the first look on. */
  startConsumer(consumer: Consumer): void {
    consumer.take({ type: 'started', day: this.first });
    this.consumers.push(consumer);
  }

  /** Has a consumer hear it that comes later, as shared feeds do it. */
  startConsumerLater(consumer: Consumer): void {
    consumer.take({ type: 'started', day: { orders: [...this.reconciler.views()], baskets: undefined } });
    this.consumers.push(consumer);
  }

  message(message: OrderMessage): void {
    const events = this.reconciler.update(message);
    for (const consumer of this.consumers) consumer.take({ type: 'update', message, events });
  }

  compare(day: ListedDay): void {
    this.reconciler.firstBaskets(day);
    const events = this.reconciler.recover(day.orders, day.baskets);
    for (const consumer of this.consumers) consumer.take({ type: 'day', day, events });
  }
}
