import type { InstrumentBook } from './instrument-book';
import { allotAuctionTrades, auctionEquilibrium, pushedPrice, quantityAt } from './auction';
import type { DepthLevel } from '../market/prices/types';
import type { OrderBookSide } from './order-book-side';
import type { FillModel } from './models/fill';
import { remainingQuantity, disclosedQuantity, type WorkingOrder } from './working-order';
import { sweepBook, type SweepResult } from './sweep';
import type { TimeStepMarket } from './time-step-market';
import type { OrderStore } from './order-store';
import type { Side } from '../shared/orders';

/** So little pushes nothing by itself, and by all of it where any quantity does. */
const MIN_PUSH = 1e-6;

const LEFT_OVER = {
  ioc: 'IOC: the rest did not cross and was cancelled',
  market: 'Market price protection: the rest was cancelled',
  own: 'Self-trade prevention: the rest would have met an order of the same account and was cancelled',
} as const;

/**
 * Returns the part of a quantity that is taken before the price shifts by a tick, in whole lots and at least one.
 * @param shift distance (paise) of the price after a quantity is taken
 */
function untilShift(shift: (taken: number) => number, lotSize: number, quantity: number): number {
  const now = shift(MIN_PUSH);
  if (quantity <= lotSize || shift(quantity) === now) return quantity;
  let [low, high] = [0, Math.ceil(quantity / lotSize)];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (shift(middle * lotSize) === now) low = middle;
    else high = middle;
  }
  return Math.min(high * lotSize, quantity);
}

/** Executes orders at a book: enter, trade, rest, trigger, leave. */
export class OrderExecution {
  /** @param market is told of every trade in which a user took part, once */
  constructor(
    private readonly store: OrderStore,
    private readonly market: TimeStepMarket,
    private readonly fill: FillModel,
  ) {}

  /**
   * Trades an order against the other side and rests or ends what is left. It pushes the price while it walks through the book, and
   * others' nearer orders withdraw: each part of it is paid where the part before has pushed to. What users have taken in the step
   * has done so already. Where users may have but a part of what is traded, the rest waits until more is.
   */
  enter(working: WorkingOrder, book: InstrumentBook, at: number): void {
    const { order } = working;
    const opposite = book.oppositeOf(order.side);
    const crosses = opposite.best !== undefined && !opposite.better(working.limit, opposite.best.price);
    const swept: SweepResult = crosses
      ? this.walk(working, book, at)
      : { left: remainingQuantity(working), stopped: undefined };
    if (swept.left === 0) return;
    if (swept.stopped === 'limited' && order.validity === 'DAY') book.limited.push(working);
    else if (swept.stopped === 'own') {
      this.store.ended(working, 'CANCELLED', { type: 'unsolicited_cancel', reason: LEFT_OVER.own }, LEFT_OVER.own, at);
    } else if (order.validity === 'IOC' || order.priceType === 'MARKET') {
      const reason = order.validity === 'IOC' ? LEFT_OVER.ioc : LEFT_OVER.market;
      this.store.ended(working, 'CANCELLED', { type: 'cancelled' }, reason, at);
    } else {
      this.rest(working, book.sideOf(order.side));
    }
  }

  /** Walks an order that crosses through the other side of a book. */
  private walk(working: WorkingOrder, book: InstrumentBook, at: number): SweepResult {
    const { order } = working;
    const { instrument } = book;
    const opposite = book.oppositeOf(order.side);
    const way = signedQuantity(order.side, 1);
    const shiftAfter = this.market.shiftsAfter(instrument, at);
    const withdrawn = (): void => {
      if (book.mode === 'continuous') opposite.withdrawNearer(shiftAfter(way * MIN_PUSH));
    };
    withdrawn();
    let allowed =
      book.mode === 'continuous' ? this.market.allowance(instrument, this.fill.participation, at) : Infinity;
    return sweepBook(opposite, working.limit, remainingQuantity(working), order.account, {
      takeable: (entry, quantity) =>
        entry.working === undefined
          ? untilShift((taken) => shiftAfter(way * taken), instrument.lotSize, Math.min(quantity, allowed))
          : quantity,
      traded: (entry, price, quantity) => {
        allowed -= quantity;
        book.traded(price, quantity);
        this.market.traded(instrument, price, quantity, at);
        if (entry.working === undefined) this.market.taken(instrument, way * quantity, book.mode !== 'continuous', at);
        this.store.traded(working, price, quantity, at);
        if (entry.working !== undefined) this.hit(entry.working, book, price, quantity, at);
        else withdrawn();
      },
    });
  }

  /** Puts an order at the back of the queue at its price, without trading. */
  rest(working: WorkingOrder, side: OrderBookSide): void {
    working.entry = side.add(working.limit, disclosedQuantity(working), 1, working);
  }

  /** Orders that wait until others have traded more go on. */
  resume(book: InstrumentBook, at: number): void {
    for (const working of book.limited.splice(0)) this.enter(working, book, at);
  }

  /** Puts a stop-loss where it waits for its trigger. */
  wait(working: WorkingOrder, book: InstrumentBook): void {
    working.waiting = true;
    book.stops.push(working);
  }

  /** A resting order was hit; its entry is already reduced. The next leg of an iceberg goes to the back. */
  hit(working: WorkingOrder, book: InstrumentBook, price: number, quantity: number, at: number): void {
    this.store.traded(working, price, quantity, at);
    if (working.entry === undefined || working.entry.quantity > 0) return;
    working.entry = undefined;
    if (remainingQuantity(working) > 0) this.rest(working, book.sideOf(working.order.side));
  }

  /** Sends stop-losses whose trigger the last prices reached into the book, in the order they came. */
  trigger(book: InstrumentBook, at: number): void {
    for (;;) {
      const { low, high, stops } = book;
      if (stops.length === 0) return book.resetRange();
      const due = stops.filter(({ order }) => reached(order.side, order.triggerPrice, low, high));
      book.resetRange();
      if (due.length === 0) return;
      for (const working of due) {
        this.stopWaiting(working, book);
        this.store.triggered(working, at);
        this.enter(working, book, at);
      }
    }
  }

  /** Takes an order out of its book. */
  withdraw(working: WorkingOrder, book: InstrumentBook): void {
    if (working.waiting) this.stopWaiting(working, book);
    if (book.limited.includes(working)) book.limited.splice(book.limited.indexOf(working), 1);
    if (working.entry === undefined) return;
    book.sideOf(working.order.side).remove(working.entry);
    working.entry = undefined;
  }

  /**
   * Ends a call auction: everything that can trade does so at one price. The rest keeps its place. A remaining market order
   * goes on as a limit order at that price.
   * @param price the price (paise) at which others' orders meet by themselves; users' orders push it as they would in the book.
   * Others' are as many as `shown`. Without any the price is that of the greatest volume among users
   */
  uncross(book: InstrumentBook, price: number, shown: { bids: DepthLevel[]; asks: DepthLevel[] }, at: number): void {
    const others = shown.bids.length > 0 || shown.asks.length > 0;
    book.bids.reconcile([]);
    book.asks.reconcile([]);
    const equilibrium = others
      ? this.meeting(book, price, shown, at)
      : auctionEquilibrium(book.bids, book.asks, book.last);
    if (equilibrium !== undefined && equilibrium.quantity > 0) {
      let users = 0;
      let taken = 0;
      for (const side of [book.bids, book.asks]) {
        let traded = 0;
        allotAuctionTrades(side, equilibrium.quantity, (entry, hit) => {
          if (entry.working === undefined) return;
          traded += hit;
          taken += signedQuantity(side.side, hit);
          this.hit(entry.working, book, equilibrium.price, hit, at);
        });
        users = Math.max(users, traded);
      }
      if (users > 0) this.market.traded(book.instrument, equilibrium.price, users, at);
      if (taken !== 0) this.market.takenInAuction(book.instrument, taken, at);
      book.traded(equilibrium.price, users);
      book.resetRange();
    }
    for (const working of book.workingOrders()) {
      if (working.order.priceType !== 'MARKET' || working.entry === undefined) continue;
      this.withdraw(working, book);
      working.limit = book.last;
      this.rest(working, book.sideOf(working.order.side));
    }
  }

  /** Others join users' orders in an auction, at the price to which users push it. */
  private meeting(
    book: InstrumentBook,
    alone: number,
    shown: { bids: DepthLevel[]; asks: DepthLevel[] },
    at: number,
  ): { price: number; quantity: number } {
    const { bids, asks, instrument } = book;
    const shiftAfter = this.market.shiftsAfter(instrument, at);
    const pushedBy = (price: number): number => {
      const net = quantityAt(bids, price) - quantityAt(asks, price);
      const others = net > 0 ? shown.asks : shown.bids;
      const offered = others.reduce((sum, { quantity }) => sum + quantity, 0);
      return alone + shiftAfter(Math.sign(net) * Math.min(Math.abs(net), offered));
    };
    const price = pushedPrice(alone, instrument.tickSize, pushedBy);
    book.bids.reconcile(gathered(shown.bids, price));
    book.asks.reconcile(gathered(shown.asks, price));
    return { price, quantity: Math.min(quantityAt(bids, price), quantityAt(asks, price)) };
  }

  private stopWaiting(working: WorkingOrder, book: InstrumentBook): void {
    working.waiting = false;
    book.stops.splice(book.stops.indexOf(working), 1);
  }
}

/** A quantity as what a user took of others: bought above 0, sold below. */
export function signedQuantity<Quantity extends number>(side: Side, quantity: Quantity): Quantity {
  return (side === 'BUY' ? quantity : -quantity) as Quantity;
}

/** All that others have for an auction, at its price. */
function gathered(levels: readonly DepthLevel[], price: number): DepthLevel[] {
  if (levels.length === 0) return [];
  const sum = (of: (level: DepthLevel) => number): number => levels.reduce((total, level) => total + of(level), 0);
  return [{ price, quantity: sum(({ quantity }) => quantity), orders: sum(({ orders }) => orders) }];
}

function reached(side: Side, trigger: number, low: number, high: number): boolean {
  return side === 'BUY' ? high >= trigger : low <= trigger;
}
