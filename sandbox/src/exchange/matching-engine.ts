import type { Instrument } from '../market/reference/types';
import type { DepthLevel } from '../market/prices/types';
import type { AuctionCloses } from './auction';
import { priceBand, worstLimit } from './price-bands';
import { InstrumentBook, type InstrumentBookState } from './instrument-book';
import type { TimeStepMarket } from './time-step-market';
import type { MarketHalts } from './halt';
import type { TradingHours, TradingPhase } from './trading-hours';
import type { WorkingOrder } from './working-order';
import type { FillModel } from './models/fill';
import { OrderExecution, signedQuantity } from './order-execution';
import type { OrderStore } from './order-store';
import { changedOrder, changeRefusal, refuse, stateRefusal, REFUSAL_TEXT } from './rules';
import type { NewOrder, Refusal } from '../shared/orders';
import type { OrderChange } from './types';

/** Time for which a book is kept after its last order, milliseconds: so long what was taken of others' liquidity is remembered. */
const LINGER_MS = 10_000;

/** The matching engine as plain data. */
export interface MatchingEngineState {
  books: { state: InstrumentBookState; instrument: Instrument }[];
}

/** The books of the instruments in which users' orders work, and what their sessions allow. */
export class MatchingEngine {
  readonly execution: OrderExecution;
  private readonly books = new Map<number, InstrumentBook>();

  constructor(
    private readonly market: TimeStepMarket,
    private readonly store: OrderStore,
    private readonly hours: TradingHours,
    private readonly auctionCloses: AuctionCloses,
    private readonly halts: MarketHalts,
    private readonly fill: FillModel,
  ) {
    this.execution = new OrderExecution(store, market, fill);
  }

  book(refId: number): InstrumentBook | undefined {
    return this.books.get(refId);
  }

  /** Last traded price, paise: that of the book where it is newer than the market's. */
  lastPrice(instrument: Instrument, at: number): number {
    const book = this.books.get(instrument.refId);
    return book !== undefined && book.step >= this.market.step(at) ? book.last : this.market.price(instrument, at);
  }

  /**
   * The regular visit to a book.
   * @returns when the next is due; undefined when the book had nothing left to do and was dropped
   */
  visit(refId: number, at: number): number | undefined {
    this.catchUp(refId, at);
    const book = this.books.get(refId)!;
    if (!book.idle) book.usedAt = at;
    if (at - book.usedAt >= LINGER_MS) {
      this.books.delete(refId);
      return undefined;
    }
    return this.nextVisit(book, at);
  }

  /** Brings the book of an instrument, if it has one, to an instant: expiry, auctions, the time step. */
  catchUp(refId: number, at: number): void {
    const book = this.books.get(refId);
    if (book === undefined) return;
    const over = at >= this.hours.close(book.instrument, book.step);
    const halted = this.halts.stopped(book.instrument, at) || this.market.unknown(book.instrument, at);
    if (!halted) this.endAuction(book, at);
    if (over) this.expireAll(book, at);
    if (!halted) this.follow(book, this.hours.phase(book.instrument, at), at);
  }

  /** Follows a price that was moved within a step. */
  repriced(instrument: Instrument, at: number): void {
    const book = this.books.get(instrument.refId);
    if (book === undefined || this.halts.stopped(instrument, at)) return;
    if (this.hours.phase(instrument, at).phase !== 'OPEN') return;
    this.moveTo(book, at, at);
  }

  /** An order arrives. Gives when the first visit is due to the book that was opened for it. */
  arrive(working: WorkingOrder, at: number): number | undefined {
    const { instrument, order } = working;
    const refused = this.rejection(working.order, working.limit, instrument, at);
    if (refused !== undefined) {
      this.store.rejected(working, refused, at);
      return undefined;
    }
    const cachedBook = this.books.get(order.refId);
    const book = cachedBook ?? new InstrumentBook(instrument);
    this.books.set(order.refId, book);
    this.follow(book, this.hours.phase(instrument, at), at);
    book.usedAt = at;
    this.store.accepted(working, at);
    this.work(working, book, at);
    return cachedBook === undefined ? this.nextVisit(book, at) : undefined;
  }

  /**
   * Changes a working order. Less quantity keeps its place in the queue; anything else sends it to the back, where it
   * may first trade with the other side. `affordable` is asked last, right before the change.
   */
  modify(
    working: WorkingOrder,
    change: OrderChange,
    affordable: (requested: NewOrder) => Refusal | undefined,
    at: number,
  ): Refusal | undefined {
    const { order, instrument } = working;
    const book = this.books.get(order.refId);
    if (book === undefined || !working.atExchange)
      return refuse('ORDER_NOT_PENDING', `${REFUSAL_TEXT.modifyBusy}: it is ${order.status}`);
    const requested = changedOrder(order, change);
    const limit = requested.priceType === 'LIMIT' ? requested.price : working.limit;
    const refused =
      changeRefusal(order, requested, instrument) ??
      this.rejection(requested, limit, instrument, at) ??
      affordable(requested);
    if (refused !== undefined) return refused;
    if (keepsPlace(order, requested)) {
      if (working.entry !== undefined)
        book
          .sideOf(order.side)
          .reduce(working.entry, Math.max(0, working.entry.quantity - (requested.quantity - order.filledQuantity)));
      this.become(working, requested, limit, at);
      return undefined;
    }
    const waits = requested.kind === 'STOPLOSS' && (working.waiting || order.kind !== 'STOPLOSS');
    this.execution.withdraw(working, book);
    this.become(working, requested, limit, at);
    this.work(working, book, at, waits);
    return undefined;
  }

  /** Takes an order out of its book and ends it. */
  cancel(working: WorkingOrder, at: number): void {
    this.execution.withdraw(working, this.books.get(working.order.refId)!);
    this.store.ended(working, 'CANCELLED', { type: 'cancelled' }, '', at);
  }

  /** The exchange ends a working order without a request. */
  expel(working: WorkingOrder, reason: string, at: number): void {
    this.execution.withdraw(working, this.books.get(working.order.refId)!);
    this.store.ended(working, 'CANCELLED', { type: 'unsolicited_cancel', reason }, reason, at);
  }

  /** The exchanges of equity end all orders that work there, as they do when a market-wide halt begins. */
  expelEquity(reason: string, at: number): void {
    for (const book of this.books.values()) {
      if (book.instrument.exchange === 'MCX') continue;
      for (const working of book.workingOrders()) this.expel(working, reason, at);
    }
  }

  /** Takes the books of shares and their contracts over to the terms that these have now. */
  relist(shares: readonly number[], instrument: (refId: number) => Instrument | undefined): void {
    for (const book of this.books.values()) {
      const { refId, underlyingRefId } = book.instrument;
      if (shares.includes(underlyingRefId ?? refId)) book.instrument = instrument(refId) ?? book.instrument;
    }
  }

  state(): MatchingEngineState {
    const books = [...this.books.values()].map((book) => ({ state: book.state(), instrument: book.instrument }));
    return { books };
  }

  restore({ books }: MatchingEngineState): void {
    for (const { state, instrument } of books) {
      const book = new InstrumentBook(instrument);
      book.restore(state, (orderId) => this.store.get(orderId)!);
      this.books.set(instrument.refId, book);
    }
  }

  private become(working: WorkingOrder, newOrder: NewOrder, limit: number, at: number): void {
    Object.assign(working.order, newOrder);
    working.limit = limit;
    this.store.modified(working, at);
  }

  /** Puts an order to work as the session of its book allows. */
  private work(
    working: WorkingOrder,
    book: InstrumentBook,
    at: number,
    waits = working.order.kind === 'STOPLOSS' && working.order.status === 'OPEN',
  ): void {
    if (waits) this.execution.wait(working, book);
    else if (book.mode === 'auction') this.execution.rest(working, book.sideOf(working.order.side));
    else {
      if (book.mode === 'fixed price') working.limit = book.last;
      this.execution.enter(working, book, at);
    }
    if (book.mode === 'continuous') this.execution.trigger(book, at);
  }

  private expireAll(book: InstrumentBook, at: number): void {
    for (const working of book.workingOrders()) {
      this.execution.withdraw(working, book);
      this.store.ended(working, 'EXPIRED', { type: 'expired' }, 'DAY: not filled by the close', at);
    }
  }

  private follow(book: InstrumentBook, phase: TradingPhase, at: number): void {
    const step = this.market.step(at);
    switch (phase.phase) {
      case 'OPEN':
        if (step > book.step || book.mode !== 'continuous') this.moveTo(book, phase.from, at);
        return;
      case 'PRE_OPEN':
      case 'CLOSING_AUCTION':
        if (step > book.step || book.mode !== 'auction') this.collect(book, 'auction', at);
        return;
      case 'POST_CLOSE':
        if (book.mode === 'fixed price') book.step = step;
        else this.collect(book, 'fixed price', at);
        return;
      case 'CLOSED':
        return;
    }
  }

  /**
   * Others' orders in a session without continuous trading: those of an auction are around the price that it would find now, and
   * those after the close at the closing price.
   */
  private collect(book: InstrumentBook, mode: 'auction' | 'fixed price', at: number): void {
    const { instrument } = book;
    // In the auction after a halt the last price is still that before it.
    const last = this.market.price(instrument, Math.min(at, this.halts.since(instrument) ?? at));
    const price =
      mode === 'auction'
        ? (this.market.auctionPrice(instrument, at) ?? this.market.price(instrument, at))
        : this.market.closingPrice(instrument, at);
    const shown = this.market.depth(instrument, at, price);
    if (mode === 'auction') book.collect(mode, this.market.step(at), last, shown);
    else book.collect(mode, this.market.step(at), price, atOnePrice(shown, price));
    for (const working of book.limited.splice(0)) this.work(working, book, at, false);
  }

  /**
   * Ends the auction that a book is in once it is over: others' orders meet at the price that is the market's, and users'
   * trade at it with them; where there are no others, at what users' orders make of it. Taking orders ends before, at
   * random, so that nobody learns the price while something else still trades towards it.
   */
  private endAuction(book: InstrumentBook, at: number): void {
    if (book.mode !== 'auction' || book.step < 0) return;
    const { instrument } = book;
    const { phase, to } = this.hours.phase(instrument, book.step);
    if (at < to || (phase !== 'PRE_OPEN' && phase !== 'CLOSING_AUCTION')) return;
    const price = this.market.price(instrument, to);
    const shown = this.market.depth(instrument, to, price);
    book.mode = 'continuous';
    book.step = this.market.step(at);
    this.execution.uncross(book, price, shown, at);
  }

  /** Brings a book to the time step of an instant; what others traded before `since` is none of its business. */
  private moveTo(book: InstrumentBook, since: number, at: number): void {
    const { instrument } = book;
    const step = this.market.step(at);
    const price = this.market.price(instrument, step);
    const from = Math.max(book.step, since);
    const volume =
      book.step < 0 || from >= step ? 0 : wholeLots(this.market.volumeInBook(instrument, from, step), instrument);
    const target = { ...this.market.depth(instrument, step, price), isSeen: this.market.isSeen };
    const { beyond, participation } = this.fill;
    const allowed = this.market.allowance(instrument, participation, at);
    const brought = { quantity: this.fill.brought(volume), beyond, allowed };
    book.moveTo(step, price, brought, target, (working, tradePrice, quantity) => {
      this.market.traded(instrument, tradePrice, quantity, at);
      this.market.taken(instrument, signedQuantity(working.order.side, quantity), true, at);
      this.execution.hit(working, book, tradePrice, quantity, at);
    });
    this.execution.trigger(book, at);
    this.execution.resume(book, at);
  }

  /** The next time step, the close of the auction or the change of session, whichever is first. */
  private nextVisit(book: InstrumentBook, at: number): number {
    const { phase, to } = this.hours.phase(book.instrument, at);
    const step = this.market.step(at) + this.market.stepMs;
    if (phase === 'OPEN') return Math.min(step, to);
    const auction = phase === 'PRE_OPEN' || phase === 'CLOSING_AUCTION';
    return auction || book.idle ? Math.min(step, to) : to;
  }

  /** Rules that depend on the state of the exchange: told after the acknowledgement, as REJECTED. */
  private rejection(order: NewOrder, limit: number, instrument: Instrument, at: number): Refusal | undefined {
    if (this.halts.stopped(instrument, at))
      return refuse('MARKET_HALTED', 'MARKET_HALTED: trading is halted, the exchange takes no orders');
    if (this.market.unknown(instrument, at))
      return refuse(
        'MARKET_DATA_BEHIND',
        `MARKET_DATA_BEHIND: the live price of ${instrument.symbol} is not known now: try again when the mirror is live`,
      );
    const phase = this.hours.phase(instrument, at);
    const auction = phase.phase === 'PRE_OPEN' || phase.phase === 'CLOSING_AUCTION';
    if (phase.phase === 'CLOSED' || (auction && at >= this.auctionCloses.of(phase))) {
      return refuse(
        'MARKET_CLOSED',
        `MARKET_CLOSED: ${instrument.exchange} takes no orders for ${instrument.symbol} now`,
      );
    }
    const last = this.lastPrice(instrument, at);
    const daily = this.market.dailyLimit(instrument, at);
    const band = priceBand(instrument, this.market.previousClose(instrument, at), last, at, daily);
    const reference = order.kind === 'STOPLOSS' ? order.triggerPrice : last;
    const worst = worstLimit(instrument, order.side, reference, at);
    return stateRefusal(order, limit, { worst, instrument, band, last, phase: phase.phase });
  }
}

/** True if a change keeps the order's place in its queue: only a smaller quantity does. */
function keepsPlace(order: NewOrder, requested: NewOrder): boolean {
  return (
    requested.quantity <= order.quantity &&
    requested.price === order.price &&
    requested.kind === order.kind &&
    requested.legSize === order.legSize &&
    requested.triggerPrice === order.triggerPrice
  );
}

/** The best that others show on either side, at one price. */
function atOnePrice(
  { bids, asks }: { bids: DepthLevel[]; asks: DepthLevel[] },
  price: number,
): { bids: DepthLevel[]; asks: DepthLevel[] } {
  const best = (levels: DepthLevel[]): DepthLevel[] => levels.slice(0, 1).map((level) => ({ ...level, price }));
  return { bids: best(bids), asks: best(asks) };
}

/** Only whole lots are traded. */
function wholeLots(quantity: number, { lotSize }: Instrument): number {
  return Math.floor(quantity / lotSize) * lotSize;
}
