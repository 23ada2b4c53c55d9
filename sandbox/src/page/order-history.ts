import type { ExchangeEvent } from '../exchange/types';
import type { Order, OrderStatus } from '../shared/orders';
import { millisOf } from '../shared/time';

/** Orders whose life is remembered step by step; older ones are told from their time stamps. */
const KEPT = 2_000;

/** A step in the life of an order; `at` is milliseconds. */
export interface OrderStep {
  status: OrderStatus;
  at: number;
}

/** The life of each order: every status it has had, and when. */
export class OrderHistory {
  private readonly steps = new Map<bigint, OrderStep[]>();

  /** Takes down what happened to an order. */
  note({ order, at }: ExchangeEvent): void {
    const life = this.steps.get(order.id);
    const step = { status: order.status, at: millisOf(at) };
    if (life === undefined) {
      this.steps.set(order.id, [step]);
      this.forgetOldest();
    } else if (life.at(-1)?.status !== order.status) life.push(step);
  }

  of(order: Order): OrderStep[] {
    return this.steps.get(order.id) ?? fromStamps(order);
  }

  private forgetOldest(): void {
    if (this.steps.size <= KEPT) return;
    for (const id of this.steps.keys()) {
      this.steps.delete(id);
      return;
    }
  }
}

function fromStamps(order: Order): OrderStep[] {
  const { createdAt, sentAt, acknowledgedAt, filledAt, cancelledAt, modifiedAt, status } = order;
  const last =
    [filledAt, cancelledAt, modifiedAt, acknowledgedAt, sentAt, createdAt].find((at) => at > 0n) ?? createdAt;
  const life: OrderStep[] = [{ status: 'PENDING', at: millisOf(createdAt) }];
  if (sentAt > 0n) life.push({ status: 'SENT', at: millisOf(sentAt) });
  if (acknowledgedAt > 0n) life.push({ status: 'OPEN', at: millisOf(acknowledgedAt) });
  if (life.at(-1)?.status !== status) life.push({ status, at: millisOf(last) });
  return life;
}
