import type { Basket, BasketEvent, BasketStatus, LegState, BasketStoreState, WorkingBasket } from './v2-basket-types';
import { EventSource, type EventBody } from '../event-source';
import type { IdGenerator } from '../id-generator';

type BasketEventBody = EventBody<BasketEvent, 'at' | 'basket'>;
type TimestampField = 'acknowledgedAt' | 'entryTriggeredAt' | 'filledAt' | 'exitTriggeredAt' | 'endedAt';

/** All baskets, and the one place where their events are made. */
export class BasketStore {
  private readonly all = new Map<bigint, WorkingBasket>();
  private readonly events = new EventSource<BasketEvent>();

  constructor(private readonly ids: IdGenerator) {}

  newId(): bigint {
    return this.ids.id();
  }

  time(at: number): bigint {
    return this.ids.time(at);
  }

  add(working: WorkingBasket): void {
    this.all.set(working.basket.id, working);
    this.publish(working, { type: 'received' }, working.basket.createdAt);
  }

  get(id: bigint): WorkingBasket | undefined {
    return this.all.get(id);
  }

  /** Oldest first. */
  values(): WorkingBasket[] {
    return [...this.all.values()];
  }

  get active(): boolean {
    for (const working of this.all.values()) if (working.stage !== 'OVER' && working.stage !== 'RECEIVED') return true;
    return false;
  }

  forget(id: bigint): void {
    this.all.delete(id);
  }

  onEvent(listener: (event: BasketEvent) => void): void {
    this.events.onEvent(listener);
  }

  /** Something happened to a basket: gives it its time, changes its status where one is given, and tells. */
  emit(
    working: WorkingBasket,
    body: BasketEventBody,
    at: number,
    change: { status?: BasketStatus; stamp?: TimestampField } = {},
  ): void {
    const time = this.ids.time(at);
    if (change.status !== undefined) working.basket.status = change.status;
    if (change.stamp !== undefined) working.basket[change.stamp] = time;
    this.publish(working, body, time);
  }

  state(): BasketStoreState {
    return {
      seq: this.events.last,
      baskets: this.values().map((working) => ({ ...working, basket: copyOf(working.basket) })),
    };
  }

  restore({ seq, baskets }: BasketStoreState): void {
    this.events.goOnAfter(seq);
    for (const working of baskets) this.all.set(working.basket.id, { ...working, basket: copyOf(working.basket) });
  }

  private publish({ basket }: WorkingBasket, body: BasketEventBody, at: bigint): void {
    this.events.publish((seq) => ({ ...body, seq, at, basket: copyOf(basket) }));
  }
}

/** A snapshot that later changes leave alone. */
export function copyOf(basket: Basket): Basket {
  return { ...basket, legs: basket.legs.map((leg): LegState => ({ ...leg, orderIds: [...leg.orderIds] })) };
}
