/**
 * The orders of one trigger. Triggers begin at different times and continue from separate checkpoints, so that one may have delivered other
 * events of an order than the account's reconciler. Such an order is apart: the trigger reconciles it by itself, until both states agree.
 * All other orders are in step: their events are those of the account.
 */
import { confirmedByOrders } from './basket-views';
import type { OrdersEvent } from './orders-event';
import { canReplace, nothingDelivered, type OrderAsDelivered } from './order-as-delivered';
import { OrderReconciler } from './order-reconciler';
import type { ListedDay, OrderEvent } from './types';
import type { OrderSnapshot } from '../../orders/model/order-snapshot';

/** Delivered states of the account: {@link OrderReconciler}. */
export type AccountStates = Pick<OrderReconciler, 'orderIds' | 'stateOf' | 'isAwaitingBaskets'>;

/** One for each trigger. Begins with `startAfresh` or `resume`, then takes what the feed tells, and with `join` falls in step. */
export class TriggerOrderReconciler {
  /** Holds the orders that are apart; all, until the trigger has joined the account. */
  private readonly own = new OrderReconciler();
  private account: AccountStates | undefined;
  /**
   * True if all baskets are apart: one of the two has not seen a list of baskets yet, so that the same message means different things to
   * them.
   */
  private areBasketsApart = true;

  /** See {@link OrderReconciler.baseline}. */
  startAfresh(orders: readonly OrderSnapshot[], since: string | undefined): void {
    this.own.baseline(orders, since);
  }

  /** Goes on from what was delivered earlier. The other parameters: see {@link OrderReconciler.resumeBaskets}. */
  resume(
    states: Iterable<[orderId: string, state: OrderAsDelivered]>,
    since: string | undefined,
    areBasketsSeen: boolean,
  ): void {
    for (const [orderId, state] of states) this.own.resume(orderId, state);
    this.own.resumeBaskets(since, areBasketsSeen);
  }

  /** The delivered state of every order that is apart, as text. */
  states(): Iterable<[orderId: string, state: string]> {
    return this.own.states();
  }

  /** See {@link OrderReconciler.firstBaskets}. Comes before the events of the same day. */
  firstBaskets(day: ListedDay): [orderId: string, state: string][] | undefined {
    return this.own.firstBaskets(day);
  }

  /** Returns the undelivered events in the first read. */
  first({ orders, baskets }: ListedDay): OrderEvent[] {
    return this.own.recover(orders, baskets && confirmedByOrders(orders, baskets, new Map()).records);
  }

  /**
   * Falls in step with the account, wherever the states agree.
   * @param account its state after all events of the feed so far.
   */
  join(account: AccountStates): void {
    this.account = account;
    this.areBasketsApart = this.own.isAwaitingBaskets || account.isAwaitingBaskets;
    for (const orderId of account.orderIds()) if (!this.own.has(orderId)) this.own.resume(orderId, nothingDelivered());
    this.fallInStep([...this.own.orderIds()]);
  }

  /** The events of a message for this trigger. */
  update({ message, events }: Extract<OrdersEvent, { type: 'update' }>): readonly OrderEvent[] {
    if (!this.isApart(message.order)) return events;
    const own = this.own.update(message);
    this.fallInStep([message.order.orderId]);
    return own;
  }

  /** The events of a comparison for this trigger. */
  recover({ day, events }: Extract<OrdersEvent, { type: 'day' }>): OrderEvent[] {
    const shared = events.filter((event) => !this.isApart(event.order));
    const own = this.own.recover(
      day.orders.filter((order) => this.isApart(order)),
      day.baskets?.filter((basket) => this.isApart(basket)),
    );
    this.areBasketsApart = this.own.isAwaitingBaskets || this.account?.isAwaitingBaskets !== false;
    this.fallInStep([...this.own.orderIds()]);
    return [...shared, ...own];
  }

  /** See {@link OrderReconciler.confirmedOrders}. */
  confirmedOrders(): void {
    this.own.confirmedOrders();
  }

  /** Forgets orders. */
  drop(orderIds: Iterable<string>): void {
    this.own.drop(orderIds);
  }

  private isApart({ kind, orderId, basketId }: OrderSnapshot): boolean {
    if (this.account === undefined) return true;
    return kind === 'order' ? this.own.has(orderId) : this.areBasketsApart || this.own.has(basketId);
  }

  private fallInStep(orderIds: readonly string[]): void {
    for (const orderId of orderIds) {
      const [own, account] = [this.own.stateOf(orderId), this.account?.stateOf(orderId)];
      if (own === undefined || account === undefined || !canReplace(own, account)) continue;
      if (!(this.areBasketsApart && own.marks.has('basket'))) this.own.drop([orderId]);
    }
  }
}
