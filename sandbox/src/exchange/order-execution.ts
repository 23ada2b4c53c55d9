import type { InstrumentBook } from './instrument-book';
import { allot, equilibrium, quantityAt } from './auction';
import type { Level } from '../market/prices/types';
import type { OrderBookSide } from './order-book-side';
import { remaining, showable, type WorkingOrder } from './working-order';
import { sweep } from './sweep';
import type { DiscreteMarket } from './discrete-market';
import type { OrderStore } from './order-store';
import type { Side } from '../shared/orders';

const LEFT_OVER = {
  ioc: 'IOC: the rest did not cross and was cancelled',
  market: 'Market price protection: the rest was cancelled',
  own: 'Self-trade prevention: the rest would have met an order of the same account and was cancelled',
} as const;

/** What orders do at a book: enter, trade, rest, trigger, leave. */
export class OrderExecution {
  /** @param market is told of every trade in which a user took part, once */
  constructor(
    private readonly store: OrderStore,
    private readonly market: DiscreteMarket,
  ) {}

  /** Trades an order against the other side and rests or ends what is left. */
  enter(working: WorkingOrder, book: InstrumentBook, at: number): void {
    const { order } = working;
    const swept = sweep(
      book.oppositeOf(order.side),
      working.limit,
      remaining(working),
      order.account,
      (entry, price, quantity) => {
        book.traded(price, quantity);
        const others = entry.working === undefined;
        this.market.traded(book.instrument, price, quantity, others ? signed(order.side, quantity) : 0, at);
        this.store.traded(working, price, quantity, at);
        if (entry.working !== undefined) this.hit(entry.working, book, price, quantity, at);
      },
    );
    if (swept.left === 0) return;
    if (swept.metOwn) {
      this.store.ended(working, 'CANCELLED', { type: 'unsolicited_cancel', reason: LEFT_OVER.own }, LEFT_OVER.own, at);
    } else if (order.validity === 'IOC' || order.priceType === 'MARKET') {
      const reason = order.validity === 'IOC' ? LEFT_OVER.ioc : LEFT_OVER.market;
      this.store.ended(working, 'CANCELLED', { type: 'cancelled' }, reason, at);
    } else {
      this.rest(working, book.sideOf(order.side));
    }
  }

  /** Puts an order at the back of the queue at its price, without trading. */
  rest(working: WorkingOrder, side: OrderBookSide): void {
    working.entry = side.add(working.limit, showable(working), 1, working);
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
    if (remaining(working) > 0) this.rest(working, book.sideOf(working.order.side));
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
    if (working.entry === undefined) return;
    book.sideOf(working.order.side).remove(working.entry);
    working.entry = undefined;
  }

  /**
   * Ends a call auction: all that can trades at one price. What is left keeps its place; a market order that is left
   * goes on as a limit order at that price.
   * @param price the price (paise) at which others' orders meet; theirs are as many as `shown`. Without any the price is
   * that of the greatest volume among users
   */
  uncross(book: InstrumentBook, price: number, shown: { bids: Level[]; asks: Level[] }, at: number): void {
    const others = shown.bids.length > 0 || shown.asks.length > 0;
    book.bids.reconcile(gathered(shown.bids, price));
    book.asks.reconcile(gathered(shown.asks, price));
    const found = others
      ? { price, quantity: Math.min(quantityAt(book.bids, price), quantityAt(book.asks, price)) }
      : equilibrium(book.bids, book.asks, book.last);
    if (found !== undefined && found.quantity > 0) {
      let users = 0;
      let taken = 0;
      for (const side of [book.bids, book.asks]) {
        let traded = 0;
        allot(side, found.quantity, (entry, hit) => {
          if (entry.working === undefined) return;
          traded += hit;
          taken += signed(side.side, hit);
          this.hit(entry.working, book, found.price, hit, at);
        });
        users = Math.max(users, traded);
      }
      if (users > 0) this.market.traded(book.instrument, found.price, users, taken, at);
      book.traded(found.price, users);
      book.resetRange();
    }
    for (const working of book.workingOrders()) {
      if (working.order.priceType !== 'MARKET' || working.entry === undefined) continue;
      this.withdraw(working, book);
      working.limit = book.last;
      this.rest(working, book.sideOf(working.order.side));
    }
  }

  private stopWaiting(working: WorkingOrder, book: InstrumentBook): void {
    working.waiting = false;
    book.stops.splice(book.stops.indexOf(working), 1);
  }
}

/** A quantity as what a user took of others: bought above 0, sold below. */
export const signed = (side: Side, quantity: number): number => (side === 'BUY' ? quantity : -quantity);

/** All that others have for an auction, at its price. */
function gathered(levels: readonly Level[], price: number): Level[] {
  if (levels.length === 0) return [];
  const sum = (of: (level: Level) => number): number => levels.reduce((total, level) => total + of(level), 0);
  return [{ price, quantity: sum(({ quantity }) => quantity), orders: sum(({ orders }) => orders) }];
}

function reached(side: Side, trigger: number, low: number, high: number): boolean {
  return side === 'BUY' ? high >= trigger : low <= trigger;
}
