import type { Instrument } from '../market/reference/types';
import { isOver, type Live } from './working-order';
import type { Stamps } from './id-generator';
import { istDay, millis } from '../shared/time';
import type { ExchangeEvent } from './types';
import type { NewOrder, Order, OrderStatus, Refusal, Trade } from '../shared/orders';

type Happening = ExchangeEvent extends infer E
  ? E extends ExchangeEvent
    ? Omit<E, 'seq' | 'at' | 'order'>
    : never
  : never;

/** An order as plain data; where it rests is told by its book. */
export type LiveState = Omit<Live, 'entry'>;

/** All orders as plain data, oldest first. */
export interface RegisterState {
  seq: number;
  lives: LiveState[];
}

/** All orders, and the one place where their status changes: each change is one event. */
export class Register {
  private readonly lives = new Map<bigint, Live>();
  private readonly byAccount = new Map<string, Live[]>();
  private readonly listeners: ((event: ExchangeEvent) => void)[] = [];
  private readonly waiting: ExchangeEvent[] = [];
  private seq = 0;
  private handingOut = false;

  constructor(private readonly stamps: Stamps) {}

  get(id: bigint): Live | undefined {
    return this.lives.get(id);
  }

  /** Takes a new order in: PENDING. */
  receive(order: NewOrder, instrument: Instrument, at: number, visibleAt: number): Live {
    const live: Live = {
      instrument,
      order: {
        ...order,
        id: this.stamps.id(),
        exchangeOrderId: 0n,
        status: 'PENDING',
        filledQuantity: 0,
        filledValue: 0,
        reason: '',
        createdAt: this.stamps.time(at),
        sentAt: 0n,
        acknowledgedAt: 0n,
        filledAt: 0n,
        cancelledAt: 0n,
        modifiedAt: 0n,
      },
      limit: order.price,
      entry: undefined,
      waiting: false,
      working: false,
      inFlight: undefined,
      visibleAt,
      refused: undefined,
    };
    this.file(live);
    this.publish({ type: 'received' }, live, live.order.createdAt);
    return live;
  }

  sent(live: Live, at: number): void {
    this.become(live, 'SENT', { type: 'sent' }, at, (order, time) => (order.sentAt = time));
  }

  accepted(live: Live, at: number): void {
    live.working = true;
    live.order.exchangeOrderId = this.stamps.id();
    this.become(live, 'OPEN', { type: 'accepted' }, at, (order, time) => (order.acknowledgedAt = time));
  }

  rejected(live: Live, { text }: Refusal, at: number): void {
    this.become(live, 'REJECTED', { type: 'rejected', reason: text }, at, (order) => (order.reason = text));
  }

  triggered(live: Live, at: number): void {
    this.become(live, 'TRIGGERED', { type: 'triggered' }, at);
  }

  /** A fill of `quantity` at `price`; the order is then PARTIAL_FILLED or FILLED. */
  traded(live: Live, price: number, quantity: number, at: number): void {
    const { order } = live;
    const trade: Trade = {
      id: this.stamps.id(),
      orderId: order.id,
      account: order.account,
      refId: order.refId,
      side: order.side,
      product: order.product,
      price,
      quantity,
      at: this.stamps.time(at),
    };
    order.filledQuantity += quantity;
    order.filledValue += price * quantity;
    order.filledAt = trade.at;
    order.status = order.filledQuantity === order.quantity ? 'FILLED' : 'PARTIAL_FILLED';
    if (order.status === 'FILLED') live.working = false;
    this.publish({ type: 'trade', trade }, live, trade.at);
  }

  /** Ends an order; `reason` is kept on it. */
  ended(live: Live, status: 'CANCELLED' | 'EXPIRED', happening: Happening, reason: string, at: number): void {
    live.working = false;
    this.become(live, status, happening, at, (order, time) => {
      order.cancelledAt = time;
      order.reason = reason;
    });
  }

  /** The order has its new figures. */
  modified(live: Live, at: number): void {
    this.become(live, live.order.status, { type: 'modified' }, at, (order, time) => (order.modifiedAt = time));
  }

  /** A request on an order came to nothing. */
  requestRejected(live: Live, type: 'modify_rejected' | 'cancel_rejected', reason: string, at: number): void {
    this.become(live, live.order.status, { type, reason }, at);
  }

  /** Orders of an account that its list shows by then, oldest first: those of the day of `at` and those still alive. */
  listed(account: string, at: number): Order[] {
    const day = istDay(at);
    return (this.byAccount.get(account) ?? [])
      .filter(
        ({ visibleAt, order }) => visibleAt <= at && (!isOver(order.status) || istDay(millis(order.createdAt)) === day),
      )
      .map((live) => ({ ...live.order }));
  }

  /** Forgets orders that were over before the day of `at` began. */
  forgetBefore(at: number): void {
    const day = istDay(at);
    const old = (live: Live): boolean => isOver(live.order.status) && istDay(millis(live.order.createdAt)) < day;
    for (const [account, lives] of this.byAccount) {
      for (const live of lives) if (old(live)) this.lives.delete(live.order.id);
      this.byAccount.set(
        account,
        lives.filter((live) => !old(live)),
      );
    }
  }

  onEvent(listener: (event: ExchangeEvent) => void): void {
    this.listeners.push(listener);
  }

  /** Hands out what has happened; what a listener causes is handed out after it, in order. */
  handOut(): void {
    if (this.handingOut) return;
    this.handingOut = true;
    try {
      for (let event = this.waiting.shift(); event !== undefined; event = this.waiting.shift()) {
        for (const listener of this.listeners) listener(event);
      }
    } finally {
      this.handingOut = false;
    }
  }

  state(): RegisterState {
    const lives = [...this.lives.values()].map(({ entry: _entry, ...live }) => ({ ...live, order: { ...live.order } }));
    return { seq: this.seq, lives };
  }

  restore({ seq, lives }: RegisterState): void {
    this.seq = seq;
    for (const live of lives) this.file({ ...live, order: { ...live.order }, entry: undefined });
  }

  private file(live: Live): void {
    this.lives.set(live.order.id, live);
    const lives = this.byAccount.get(live.order.account);
    if (lives === undefined) this.byAccount.set(live.order.account, [live]);
    else lives.push(live);
  }

  private become(
    live: Live,
    status: OrderStatus,
    happening: Happening,
    at: number,
    change?: (order: Order, time: bigint) => void,
  ): bigint {
    const time = this.stamps.time(at);
    live.order.status = status;
    change?.(live.order, time);
    this.publish(happening, live, time);
    return time;
  }

  private publish(happening: Happening, live: Live, at: bigint): void {
    this.seq += 1;
    this.waiting.push(Object.assign(happening, { seq: this.seq, at, order: { ...live.order } }));
  }
}
