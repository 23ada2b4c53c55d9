import type { Instrument } from '../market/reference/types';
import type { DepthLevel } from '../market/prices/types';
import { OrderBookSide, type OrderBookSideState } from './order-book-side';
import type { WorkingOrder } from './working-order';
import { sweepBook, type SweepRules } from './sweep';
import type { Side } from '../shared/orders';

/** A resting user's order was hit by others: `quantity` at `price`. */
export type OnHit = (working: WorkingOrder, price: number, quantity: number) => void;

/** Quantities that others bring to waiting orders. */
export interface IncomingQuantity {
  quantity: number;
  /** True if only to those whose price they have passed. */
  beyond: boolean;
  /** Part of it that users may have. */
  allowed: number;
}

type TradingMode = 'continuous' | 'auction' | 'fixed price';

/** A book as plain data. */
export interface InstrumentBookState {
  refId: number;
  bids: OrderBookSideState;
  asks: OrderBookSideState;
  stops: bigint[];
  limited: bigint[];
  step: number;
  last: number;
  lastQuantity: number;
  usedAt: number;
  mode: TradingMode;
}

/**
 * The real book of one instrument, kept only while a user's order works in it or did so a moment ago. Others' liquidity
 * is a pure function of (instrument, step); at each step the book is brought in line with it.
 */
export class InstrumentBook {
  readonly bids = new OrderBookSide('BUY');
  readonly asks = new OrderBookSide('SELL');
  /** Stop-losses that wait for their trigger, in the order they came. */
  readonly stops: WorkingOrder[] = [];
  /** Orders that would trade, and wait until others have traded more, in the order they came. */
  readonly limited: WorkingOrder[] = [];
  /** The step (milliseconds) whose liquidity the book holds. */
  step = -1;
  /** Last traded price, paise. */
  last = 0;
  lastQuantity = 0;
  /** Instant when an order last worked here, milliseconds. */
  usedAt = 0;
  /** Kind of session of the book. */
  mode: TradingMode = 'continuous';
  /** The lowest and highest traded price since stop-losses were last looked at. */
  low = 0;
  high = 0;

  constructor(public instrument: Instrument) {}

  /** The side where orders of a side rest. */
  sideOf(side: Side): OrderBookSide {
    return side === 'BUY' ? this.bids : this.asks;
  }

  /** The side that orders of a side trade against. */
  oppositeOf(side: Side): OrderBookSide {
    return side === 'BUY' ? this.asks : this.bids;
  }

  /** Every order that works here: those that wait for something in the order they came, then bids and asks, best and first first. */
  workingOrders(): WorkingOrder[] {
    const workingOrders: WorkingOrder[] = [...this.stops, ...this.limited];
    for (const side of [this.bids, this.asks]) {
      for (const level of side.levels) {
        for (let entry = level.first; entry !== undefined; entry = entry.after)
          if (entry.working) workingOrders.push(entry.working);
      }
    }
    return workingOrders;
  }

  get idle(): boolean {
    const { bids, asks, stops, limited } = this;
    return bids.users === 0 && asks.users === 0 && stops.length === 0 && limited.length === 0;
  }

  /** A trade took place. */
  traded(price: number, quantity: number): void {
    this.last = price;
    this.lastQuantity = quantity;
    this.low = Math.min(this.low, price);
    this.high = Math.max(this.high, price);
  }

  /** Forgets the range of prices; stop-losses have been looked at. */
  resetRange(): void {
    this.low = this.last;
    this.high = this.last;
  }

  /**
   * Brings the book to a time step. Where the new price reaches a user's order, others have left the prices in front of
   * it; what they traded since the last step works through the queue from there. Then others' new orders that cross a
   * resting user's order trade with it; the rest of them is shown. What they traded is gone for good. A book that was seen
   * (`isSeen`) has been through that among others: what of theirs it no longer shows is gone before users' orders meet the rest.
   */
  moveTo(
    step: number,
    price: number,
    brought: IncomingQuantity,
    target: { bids: DepthLevel[]; asks: DepthLevel[]; isSeen?: boolean },
    hit: OnHit,
  ): void {
    this.mode = 'continuous';
    this.step = step;
    this.last = price;
    this.resetRange();
    const offered = { bids: this.bids.remainingAmbient(target.bids), asks: this.asks.remainingAmbient(target.asks) };
    let { allowed } = brought;
    const walk: SweepRules = {
      takeable: (entry, quantity) => (entry.working === undefined ? quantity : Math.min(quantity, allowed)),
      traded: (entry, at, quantity) => {
        if (entry.working === undefined) return;
        allowed -= quantity;
        this.traded(at, quantity);
        hit(entry.working, at, quantity);
      },
    };
    for (const side of [this.bids, this.asks]) {
      const best = side.bestUserPrice();
      if (best === undefined || side.better(price, best)) continue;
      const [shownHere, shownThere] = side === this.bids ? [target.bids, target.asks] : [target.asks, target.bids];
      // Where others offer on this side alone, as at the limit of a day's band, nobody trades with them.
      if (target.isSeen !== true && shownThere.length === 0 && shownHere.length > 0) continue;
      side.withdrawBetter(best);
      sweepBook(side, side.reachedAt(price, brought.beyond), brought.quantity, undefined, walk);
    }
    if (target.isSeen === true) {
      this.bids.shrinkTo(offered.bids);
      this.asks.shrinkTo(offered.asks);
    }
    const asks = this.cross(offered.asks, this.bids, brought.beyond, walk);
    const bids = this.cross(offered.bids, this.asks, brought.beyond, walk);
    this.bids.reconcile(bids);
    this.asks.reconcile(asks);
    this.last = price;
  }

  /** Opens a call auction, or a session at the closing price: others' liquidity stays in the book, nothing trades. */
  collect(
    mode: 'auction' | 'fixed price',
    step: number,
    last: number,
    shown: { bids: DepthLevel[]; asks: DepthLevel[] },
  ): void {
    this.mode = mode;
    this.step = step;
    this.last = last;
    this.resetRange();
    this.bids.reconcile(this.bids.remainingAmbient(shown.bids));
    this.asks.reconcile(this.asks.remainingAmbient(shown.asks));
  }

  /** As plain data; taken between two tasks, when no stop-loss is left to look at. */
  state(): InstrumentBookState {
    const { step, last, lastQuantity, usedAt, mode } = this;
    const stops = this.stops.map(({ order }) => order.id);
    const limited = this.limited.map(({ order }) => order.id);
    return {
      refId: this.instrument.refId,
      bids: this.bids.state(),
      asks: this.asks.state(),
      stops,
      limited,
      step,
      last,
      lastQuantity,
      usedAt,
      mode,
    };
  }

  restore(
    { bids, asks, stops, limited, step, last, lastQuantity, usedAt, mode }: InstrumentBookState,
    working: (orderId: bigint) => WorkingOrder,
  ): void {
    this.bids.restore(bids, working);
    this.asks.restore(asks, working);
    this.stops.push(...stops.map(working));
    this.limited.push(...limited.map(working));
    Object.assign(this, { step, last, lastQuantity, usedAt, mode });
    this.resetRange();
  }

  /** Returns the rest of others' new orders once they have met users' orders; those that meet one and do not trade are not placed. */
  private cross(
    incoming: readonly DepthLevel[],
    resting: OrderBookSide,
    beyond: boolean,
    walk: SweepRules,
  ): DepthLevel[] {
    const left: DepthLevel[] = [];
    for (const level of incoming) {
      const best = resting.bestUserPrice();
      const crosses = best !== undefined && !resting.better(level.price, best);
      const swept = crosses
        ? sweepBook(resting, resting.reachedAt(level.price, beyond), level.quantity, undefined, walk)
        : undefined;
      const last = resting.bestUserPrice();
      const meets = last !== undefined && !resting.better(level.price, last);
      const quantity = meets ? 0 : (swept?.left ?? level.quantity);
      if (quantity > 0) left.push(quantity === level.quantity ? level : { ...level, quantity });
    }
    return left;
  }
}
