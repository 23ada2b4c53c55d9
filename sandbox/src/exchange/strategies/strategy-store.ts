import { EventSource, type EventBody } from '../event-source';
import type { IdGenerator } from '../id-generator';
import { istDay, millisOf } from '../../shared/time';
import { isAlive } from './exit-triggers';
import type { IntentEvent, IntentOrder, IntentStatus, WorkingIntent } from './types';

/** First of the small numbers. */
const FIRST_SMALL_ID = 9_945;

type IntentEventBody = EventBody<IntentEvent, 'at' | 'intent'>;
type TimestampField =
  'acceptedAt' | 'sentAt' | 'filledAt' | 'cancelledAt' | 'rejectedAt' | 'exitTriggeredAt' | 'closedAt' | 'modifiedAt';

/** All intent orders, and the one place where their events are made. */
export class StrategyStore {
  private readonly orders = new Map<bigint, WorkingIntent>();
  private readonly byAccount = new Map<string, WorkingIntent[]>();
  private readonly events = new EventSource<IntentEvent>();
  private smallIds = FIRST_SMALL_ID;
  /** The day before which orders that were over are forgotten: no more can become old within it. */
  private keepsFrom = -Infinity;

  constructor(private readonly ids: IdGenerator) {}

  newId(small: boolean): bigint {
    if (!small) return this.ids.id();
    this.smallIds += 1;
    return BigInt(this.smallIds);
  }

  time(at: number): bigint {
    return this.ids.time(at);
  }

  add(working: WorkingIntent): void {
    this.file(working);
    this.publish(working, { type: 'received' }, working.intent.createdAt);
  }

  get(id: bigint): WorkingIntent | undefined {
    return this.orders.get(id);
  }

  /** Orders of all accounts, oldest first. */
  all(): WorkingIntent[] {
    return [...this.orders.values()];
  }

  /** Orders of an account, oldest first. */
  of(account: string): readonly WorkingIntent[] {
    return this.byAccount.get(account) ?? [];
  }

  /** Forgets orders that were over before the day of an instant began. */
  forgetBefore(at: number): void {
    const day = istDay(at);
    if (day <= this.keepsFrom) return;
    this.keepsFrom = day;
    for (const [account, orders] of this.byAccount) {
      const currentOrders = orders.filter((working) => !isPast(working, at));
      for (const working of orders) if (isPast(working, at)) this.orders.delete(working.intent.id);
      this.byAccount.set(account, currentOrders);
    }
  }

  onEvent(listener: (event: IntentEvent) => void): void {
    this.events.onEvent(listener);
  }

  /** Something happened: gives it its time, changes the status where one is given, and tells. */
  emit(
    working: WorkingIntent,
    body: IntentEventBody,
    at: number,
    change: { status?: IntentStatus; stamp?: TimestampField; reason?: string } = {},
  ): void {
    const { intent } = working;
    const time = this.ids.time(at);
    if (change.status !== undefined) intent.status = change.status;
    if (change.stamp !== undefined) intent[change.stamp] = time;
    if (change.reason !== undefined) intent.reason = change.reason;
    intent.updatedAt = time;
    this.publish(working, body, time);
  }

  state(): { seq: number; smallIds: number; orders: WorkingIntent[] } {
    const { smallIds } = this;
    return { seq: this.events.last, smallIds, orders: [...this.orders.values()].map(copyOfWorking) };
  }

  restore({ seq, smallIds, orders }: ReturnType<StrategyStore['state']>): void {
    this.events.goOnAfter(seq);
    this.smallIds = smallIds;
    for (const working of orders) this.file(copyOfWorking(working));
  }

  private file(working: WorkingIntent): void {
    this.orders.set(working.intent.id, working);
    const orders = this.byAccount.get(working.intent.account);
    if (orders === undefined) this.byAccount.set(working.intent.account, [working]);
    else orders.push(working);
  }

  private publish({ intent }: WorkingIntent, body: IntentEventBody, at: bigint): void {
    this.events.publish((seq) => ({ ...body, seq, at, intent: copyOf(intent) }));
  }
}

/** True if nothing more can happen to an order: its entry is over and no exit is still open, or it is a basket that has ended. */
export function isFinished({ stage, intent, children }: WorkingIntent): boolean {
  if (intent.basket !== undefined) return endedAt(intent) > 0n;
  return stage === 'OVER' && children.length === 0 && !intent.exits.some(isAlive);
}

/** True if an order was over before the day of an instant began. */
export function isPast(working: WorkingIntent, at: number): boolean {
  const { intent } = working;
  const last = intent.basket === undefined ? intent.updatedAt : endedAt(intent);
  return isFinished(working) && istDay(millisOf(last)) < istDay(at);
}

/** Instant at which an order was cancelled or rejected, or a basket was closed after its entry; 0n before. Nanoseconds. */
export function endedAt({ rejectedAt, cancelledAt, closedAt }: IntentOrder): bigint {
  return cancelledAt || rejectedAt || closedAt;
}

function copyOfWorking(working: WorkingIntent): WorkingIntent {
  return { ...working, intent: copyOf(working.intent), children: working.children.map((child) => ({ ...child })) };
}

/** A snapshot that later changes leave alone. */
export function copyOf(intent: IntentOrder): IntentOrder {
  return {
    ...intent,
    legs: intent.legs.map((leg) => ({
      ...leg,
      exchangeOrderIds: [...leg.exchangeOrderIds],
      ...(leg.orderIds && { orderIds: [...leg.orderIds] }),
    })),
    ...(intent.basket && { basket: { ...intent.basket } }),
    exits: intent.exits.map((exit) => ({ ...exit, asked: { ...exit.asked } })),
  };
}
