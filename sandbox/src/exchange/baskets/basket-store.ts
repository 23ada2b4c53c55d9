import type { Basket, BasketEvent, BasketStatus, LegState } from './types';
import type { Stamps } from '../id-generator';

/** How far a basket has come. */
export type Stage = 'RECEIVED' | 'WAITING' | 'ENTERING' | 'HELD' | 'EXITING' | 'OVER';

/** A basket with what only the core knows of it. */
export interface LiveBasket {
  basket: Basket;
  stage: Stage;
  /** Whether entry time and momentum trigger are behind it. */
  started: boolean;
  /** Best net price since the entry, paise. */
  best: number;
  /** When the day ends on which it has to be entered, milliseconds. */
  closesAt: number;
  /** When its list begins to show it, milliseconds. */
  visibleAt: number;
  /** No order is placed before, milliseconds: a rejected one is not tried again at once. */
  retryAt: number;
  cancelInFlight: boolean;
}

type Happening = BasketEvent extends infer E
  ? E extends BasketEvent
    ? Omit<E, 'seq' | 'at' | 'basket'>
    : never
  : never;
type Stamp = 'acknowledgedAt' | 'entryTriggeredAt' | 'filledAt' | 'exitTriggeredAt' | 'endedAt';

/** All baskets, and the one place where their events are made. */
export class BasketBook {
  private readonly all = new Map<bigint, LiveBasket>();
  private readonly listeners: ((event: BasketEvent) => void)[] = [];
  private seq = 0;

  constructor(private readonly stamps: Stamps) {}

  newId(): bigint {
    return this.stamps.id();
  }

  time(at: number): bigint {
    return this.stamps.time(at);
  }

  add(live: LiveBasket): void {
    this.all.set(live.basket.id, live);
    this.publish(live, { type: 'received' }, live.basket.createdAt);
  }

  get(id: bigint): LiveBasket | undefined {
    return this.all.get(id);
  }

  /** Oldest first. */
  values(): LiveBasket[] {
    return [...this.all.values()];
  }

  get active(): boolean {
    for (const live of this.all.values()) if (live.stage !== 'OVER' && live.stage !== 'RECEIVED') return true;
    return false;
  }

  forget(id: bigint): void {
    this.all.delete(id);
  }

  onEvent(listener: (event: BasketEvent) => void): void {
    this.listeners.push(listener);
  }

  /** Something happened to a basket: stamps it, changes its status where one is given, and tells. */
  tell(
    live: LiveBasket,
    happening: Happening,
    at: number,
    change: { status?: BasketStatus; stamp?: Stamp } = {},
  ): void {
    const time = this.stamps.time(at);
    if (change.status !== undefined) live.basket.status = change.status;
    if (change.stamp !== undefined) live.basket[change.stamp] = time;
    this.publish(live, happening, time);
  }

  state(): BookState {
    return { seq: this.seq, lives: this.values().map((live) => ({ ...live, basket: copyOf(live.basket) })) };
  }

  restore({ seq, lives }: BookState): void {
    this.seq = seq;
    for (const live of lives) this.all.set(live.basket.id, { ...live, basket: copyOf(live.basket) });
  }

  private publish({ basket }: LiveBasket, happening: Happening, at: bigint): void {
    this.seq += 1;
    const event: BasketEvent = { ...happening, seq: this.seq, at, basket: copyOf(basket) };
    for (const listener of this.listeners) listener(event);
  }
}

/** All baskets as plain data, oldest first. */
export interface BookState {
  seq: number;
  lives: LiveBasket[];
}

/** A snapshot that later changes leave alone. */
export function copyOf(basket: Basket): Basket {
  return { ...basket, legs: basket.legs.map((leg): LegState => ({ ...leg, orderIds: [...leg.orderIds] })) };
}
