import type { DepthLevel as ShownLevel } from '../market/prices/types';
import type { WorkingOrder, QueueEntry, PriceLevel } from './working-order';
import type { Side } from '../shared/orders';

const { min } = Math;

/** One side of a book as plain data: `entries` are [order, 0n for others; quantity; orders] in their queue. */
export interface OrderBookSideState {
  levels: { price: number; entries: [orderId: bigint, quantity: number, orders: number][] }[];
  offered: ShownLevel[];
}

/** One side of a book: levels best first, each a queue. Prices in paise. */
export class OrderBookSide {
  readonly levels: PriceLevel[] = [];
  /** Number of users' orders that rest on this side. */
  users = 0;
  private readonly byPrice = new Map<number, PriceLevel>();
  /** Levels that others showed when they were last read, best first. */
  private offered: readonly ShownLevel[] = [];

  constructor(readonly side: Side) {}

  get best(): PriceLevel | undefined {
    return this.levels[0];
  }

  at(price: number): PriceLevel | undefined {
    return this.byPrice.get(price);
  }

  /** True if a price of this side is better than another (a higher bid, a lower ask). */
  better(price: number, than: number): boolean {
    return this.side === 'BUY' ? price > than : price < than;
  }

  /** The last price of this side that others reach who trade at a price; one short of it where only those beyond it count. */
  reachedAt(price: number, beyond: boolean): number {
    if (!beyond) return price;
    return this.side === 'BUY' ? price + 1 : price - 1;
  }

  /** Adds to the back of the queue at a price. */
  add(price: number, quantity: number, orders: number, working: WorkingOrder | undefined): QueueEntry {
    const level = this.level(price);
    const entry: QueueEntry = { working, quantity, orders, level, before: level.last, after: undefined };
    if (level.last === undefined) level.first = entry;
    else level.last.after = entry;
    level.last = entry;
    level.quantity += quantity;
    if (working === undefined) level.ambient += quantity;
    else {
      level.users += 1;
      this.users += 1;
    }
    return entry;
  }

  /** Takes quantity off an entry; an entry with nothing left leaves its queue. */
  reduce(entry: QueueEntry, quantity: number): void {
    const { level } = entry;
    entry.orders = Math.ceil((entry.orders * (entry.quantity - quantity)) / entry.quantity);
    entry.quantity -= quantity;
    level.quantity -= quantity;
    if (entry.working === undefined) level.ambient -= quantity;
    if (entry.quantity === 0) this.unlink(entry);
  }

  remove(entry: QueueEntry): void {
    this.reduce(entry, entry.quantity);
  }

  /** The price of the best user's order. */
  bestUserPrice(): number | undefined {
    if (this.users === 0) return undefined;
    return this.levels.find((level) => level.users > 0)?.price;
  }

  /**
   * Ambient quantity not yet consumed. A level that shows the same as before is the same orders: what was taken
   * of it stays taken. A level that shows another quantity is new orders.
   */
  remainingAmbient(shown: readonly ShownLevel[]): ShownLevel[] {
    const left: ShownLevel[] = [];
    let before = 0;
    for (const level of shown) {
      while (before < this.offered.length && this.better(this.offered[before]!.price, level.price)) before += 1;
      const same = this.offered[before]?.price === level.price && this.offered[before]!.quantity === level.quantity;
      const quantity = same ? min(this.byPrice.get(level.price)?.ambient ?? 0, level.quantity) : level.quantity;
      if (quantity > 0) left.push(quantity === level.quantity ? level : { ...level, quantity });
    }
    this.offered = shown;
    return left;
  }

  /** Withdraws others' orders nearer than `shift` (paise, signed) to the best price that they showed when last read. */
  withdrawNearer(shift: number): void {
    const [best] = this.offered;
    if (best === undefined || !this.better(best.price, best.price + shift)) return;
    for (const level of this.levels.slice()) {
      if (!this.better(level.price, best.price + shift)) return;
      this.shrink(level, 0);
    }
  }

  /**
   * Makes the liquidity of others what it should be. At each price less than there was goes from the back of the
   * queue, so that nobody moves up by a guess; more than there was joins at the back. `target` is best first.
   */
  reconcile(target: readonly ShownLevel[]): void {
    this.shrinkTo(target);
    for (const { price, quantity, orders } of target) {
      const missing = quantity - (this.byPrice.get(price)?.ambient ?? 0);
      if (missing > 0) this.add(price, missing, Math.ceil((orders * missing) / quantity), undefined);
    }
  }

  /** Takes away what others show more at each price than they should. `target` is best first. */
  shrinkTo(target: readonly ShownLevel[]): void {
    let next = 0;
    for (const level of this.levels.slice()) {
      while (next < target.length && this.better(target[next]!.price, level.price)) next += 1;
      this.shrink(level, target[next]?.price === level.price ? target[next]!.quantity : 0);
    }
  }

  /** Takes away the liquidity of others in front of a price. */
  withdrawBetter(price: number): void {
    while (this.best !== undefined && this.better(this.best.price, price)) this.shrink(this.best, 0);
  }

  /** Returns the levels that are shown, best first. */
  shown(levels: number): ShownLevel[] {
    return this.levels.slice(0, levels).map((level) => {
      let orders = 0;
      for (let entry = level.first; entry !== undefined; entry = entry.after) orders += entry.orders;
      return { price: level.price, quantity: level.quantity, orders };
    });
  }

  state(): OrderBookSideState {
    const levels = this.levels.map((level) => {
      const entries: OrderBookSideState['levels'][number]['entries'] = [];
      for (let entry = level.first; entry !== undefined; entry = entry.after) {
        entries.push([entry.working?.order.id ?? 0n, entry.quantity, entry.orders]);
      }
      return { price: level.price, entries };
    });
    return { levels, offered: this.offered.map((level) => ({ ...level })) };
  }

  restore({ levels, offered }: OrderBookSideState, working: (orderId: bigint) => WorkingOrder): void {
    for (const { price, entries } of levels) {
      for (const [orderId, quantity, orders] of entries) {
        const owner = orderId === 0n ? undefined : working(orderId);
        const entry = this.add(price, quantity, orders, owner);
        if (owner !== undefined) owner.entry = entry;
      }
    }
    this.offered = offered;
  }

  private shrink(level: PriceLevel, ambient: number): void {
    let entry = level.last;
    while (entry !== undefined && level.ambient > ambient) {
      const { before } = entry;
      if (entry.working === undefined) {
        this.reduce(entry, Math.min(entry.quantity, level.ambient - ambient));
      }
      entry = before;
    }
  }

  private level(price: number): PriceLevel {
    const level = this.byPrice.get(price);
    if (level !== undefined) return level;
    const made: PriceLevel = { price, first: undefined, last: undefined, quantity: 0, ambient: 0, users: 0 };
    this.levels.splice(this.position(price), 0, made);
    this.byPrice.set(price, made);
    return made;
  }

  private position(price: number): number {
    let low = 0;
    let high = this.levels.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.better(this.levels[middle]!.price, price)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private unlink(entry: QueueEntry): void {
    const { level } = entry;
    if (entry.before === undefined) level.first = entry.after;
    else entry.before.after = entry.after;
    if (entry.after === undefined) level.last = entry.before;
    else entry.after.before = entry.before;
    if (entry.working !== undefined) {
      level.users -= 1;
      this.users -= 1;
    }
    if (level.first !== undefined) return;
    this.byPrice.delete(level.price);
    this.levels.splice(this.position(level.price), 1);
  }
}
