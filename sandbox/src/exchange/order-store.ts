import { priceSum } from '../shared/money';
import type { Instrument } from '../market/reference/types';
import { isTerminal, type WorkingOrder } from './working-order';
import type { EventBody } from './event-source';
import type { IdGenerator } from './id-generator';
import { istDay, istDayStart, millisOf } from '../shared/time';
import type { ExchangeEvent } from './types';
import type { NewOrder, Order, OrderFacts, OrderStatus, Refusal, Trade } from '../shared/orders';

type OrderEventBody = EventBody<ExchangeEvent, 'at' | 'order'>;

/** An order as plain data; where it rests is told by its book. */
export type WorkingOrderState = Omit<WorkingOrder, 'entry'>;

/** All orders as plain data, oldest first. */
export interface OrderStoreState {
  seq: number;
  orders: WorkingOrderState[];
}

/** All orders, and the one place where their status changes: each change is one event. */
export class OrderStore {
  private readonly orders = new Map<bigint, WorkingOrder>();
  private readonly byAccount = new Map<string, WorkingOrder[]>();
  private readonly listeners: ((event: ExchangeEvent) => void)[] = [];
  private readonly waiting: ExchangeEvent[] = [];
  private seq = 0;
  private dispatching = false;

  constructor(private readonly ids: IdGenerator) {}

  get(id: bigint): WorkingOrder | undefined {
    return this.orders.get(id);
  }

  /** Takes a new order in: PENDING. */
  receive(
    order: NewOrder & Pick<OrderFacts, 'decisionPrices'>,
    instrument: Instrument,
    at: number,
    visibleAt: number,
  ): WorkingOrder {
    const working: WorkingOrder = {
      instrument,
      order: {
        ...order,
        id: this.ids.id(),
        exchangeOrderId: 0n,
        status: 'PENDING',
        filledQuantity: 0,
        filledValue: 0,
        reason: '',
        createdAt: this.ids.time(at),
        sentAt: 0n,
        acknowledgedAt: 0n,
        filledAt: 0n,
        cancelledAt: 0n,
        modifiedAt: 0n,
      },
      limit: order.price,
      entry: undefined,
      waiting: false,
      atExchange: false,
      inFlight: undefined,
      visibleAt,
      refused: undefined,
    };
    this.file(working);
    this.publish({ type: 'received' }, working, working.order.createdAt);
    return working;
  }

  sent(working: WorkingOrder, at: number): void {
    this.become(working, 'SENT', { type: 'sent' }, at, (order, time) => (order.sentAt = time));
  }

  accepted(working: WorkingOrder, at: number): void {
    working.atExchange = true;
    working.order.exchangeOrderId = this.ids.id();
    this.become(working, 'OPEN', { type: 'accepted' }, at, (order, time) => (order.acknowledgedAt = time));
  }

  rejected(working: WorkingOrder, { text }: Refusal, at: number): void {
    this.become(working, 'REJECTED', { type: 'rejected', reason: text }, at, (order) => (order.reason = text));
  }

  triggered(working: WorkingOrder, at: number): void {
    this.become(working, 'TRIGGERED', { type: 'triggered' }, at);
  }

  /** A fill of `quantity` at `price`; the order is then PARTIAL_FILLED or FILLED. */
  traded(working: WorkingOrder, price: number, quantity: number, at: number): void {
    const { order } = working;
    const trade: Trade = {
      id: this.ids.id(),
      orderId: order.id,
      account: order.account,
      refId: order.refId,
      side: order.side,
      product: order.product,
      price,
      quantity,
      at: this.ids.time(at),
      order: factsOf(order),
    };
    order.filledQuantity += quantity;
    order.filledValue += priceSum(price, quantity);
    order.filledAt = trade.at;
    order.status = order.filledQuantity === order.quantity ? 'FILLED' : 'PARTIAL_FILLED';
    if (order.status === 'FILLED') working.atExchange = false;
    this.publish({ type: 'trade', trade }, working, trade.at);
  }

  /** Ends an order; `reason` is kept on it. */
  ended(
    working: WorkingOrder,
    status: 'CANCELLED' | 'EXPIRED',
    body: OrderEventBody,
    reason: string,
    at: number,
  ): void {
    working.atExchange = false;
    this.become(working, status, body, at, (order, time) => {
      order.cancelledAt = time;
      order.reason = reason;
    });
  }

  /** The order has its new figures. */
  modified(working: WorkingOrder, at: number): void {
    this.become(working, working.order.status, { type: 'modified' }, at, (order, time) => (order.modifiedAt = time));
  }

  /** A request on an order came to nothing. */
  requestRejected(
    working: WorkingOrder,
    type: 'modify_rejected' | 'cancel_rejected',
    reason: string,
    at: number,
  ): void {
    this.become(working, working.order.status, { type, reason }, at);
  }

  /** Orders of an account that its list shows by then, oldest first: those of the day of `at` and those still alive. */
  listed(account: string, at: number): Readonly<Order>[] {
    const dayStart = istDayStart(at);
    return (this.byAccount.get(account) ?? [])
      .filter(
        ({ visibleAt, order }) =>
          visibleAt <= at && (!isTerminal(order.status) || millisOf(order.createdAt) >= dayStart),
      )
      .map((working) => (isFinal(working) ? working.order : { ...working.order }));
  }

  /** Forgets orders that were over before the day of `at` began. */
  forgetBefore(at: number): void {
    const day = istDay(at);
    const old = (working: WorkingOrder): boolean =>
      isTerminal(working.order.status) && istDay(millisOf(working.order.createdAt)) < day;
    for (const [account, orders] of this.byAccount) {
      for (const working of orders) if (old(working)) this.orders.delete(working.order.id);
      this.byAccount.set(
        account,
        orders.filter((working) => !old(working)),
      );
    }
  }

  onEvent(listener: (event: ExchangeEvent) => void): void {
    this.listeners.push(listener);
  }

  /** Hands out what has happened; what a listener causes is handed out after it, in order. */
  dispatchEvents(): void {
    if (this.dispatching) return;
    this.dispatching = true;
    try {
      for (let event = this.waiting.shift(); event !== undefined; event = this.waiting.shift()) {
        for (const listener of this.listeners) listener(event);
      }
    } finally {
      this.dispatching = false;
    }
  }

  state(): OrderStoreState {
    const orders = [...this.orders.values()].map((working) =>
      isFinal(working) ? working : { ...working, order: { ...working.order }, entry: undefined },
    );
    return { seq: this.seq, orders };
  }

  restore({ seq, orders }: OrderStoreState): void {
    this.seq = seq;
    for (const working of orders) this.file({ ...working, order: { ...working.order }, entry: undefined });
  }

  private file(working: WorkingOrder): void {
    this.orders.set(working.order.id, working);
    const orders = this.byAccount.get(working.order.account);
    if (orders === undefined) this.byAccount.set(working.order.account, [working]);
    else orders.push(working);
  }

  private become(
    working: WorkingOrder,
    status: OrderStatus,
    body: OrderEventBody,
    at: number,
    change?: (order: Order, time: bigint) => void,
  ): bigint {
    const time = this.ids.time(at);
    working.order.status = status;
    change?.(working.order, time);
    this.publish(body, working, time);
    return time;
  }

  private publish(body: OrderEventBody, working: WorkingOrder, at: bigint): void {
    this.seq += 1;
    this.waiting.push(Object.assign(body, { seq: this.seq, at, order: { ...working.order } }));
  }
}

/** True if an order is over and does not change any more: it need not be copied. */
function isFinal({ order, inFlight, entry }: WorkingOrder): boolean {
  return isTerminal(order.status) && inFlight === undefined && entry === undefined;
}

function factsOf({ createdAt, tag, placedBy, decisionPrices }: Order): OrderFacts {
  return {
    placedAt: millisOf(createdAt),
    tag,
    ...(placedBy && { placedBy }),
    ...(decisionPrices !== undefined && { decisionPrices }),
  };
}
