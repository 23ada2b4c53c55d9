import type { Instrument } from '../market/reference/types';
import type { Level } from '../market/prices/types';
import type { AuctionCloses } from './auction';
import { priceBand } from './price-bands';
import { Desk, type DeskState } from './instrument-book';
import type { SteppedMarket } from './stepped-market';
import type { Hours, Phase } from './trading-hours';
import type { Live } from './working-order';
import { Pit, type VolumeState } from './order-execution';
import type { Register } from './order-store';
import { changed, changeRefusal, refuse, stateRefusal, TEXT } from './rules';
import type { NewOrder, Refusal } from '../shared/orders';
import type { OrderChange } from './types';

/** How long a book is kept after its last order, milliseconds: so long what was taken of others' liquidity is remembered. */
const LINGER_MS = 10_000;

/** The floor as plain data. */
export interface FloorState {
  halted: boolean;
  desks: { state: DeskState; instrument: Instrument }[];
  volumes: VolumeState[];
}

/** The floor: the desks of the instruments in which users' orders work, and what their sessions allow. */
export class Floor {
  readonly pit: Pit;
  private readonly desks = new Map<number, Desk>();
  private halted = false;

  constructor(
    private readonly market: SteppedMarket,
    private readonly register: Register,
    private readonly hours: Hours,
    private readonly auctionCloses: AuctionCloses,
  ) {
    this.pit = new Pit(register);
  }

  desk(refId: number): Desk | undefined {
    return this.desks.get(refId);
  }

  /** Last traded price, paise: that of the desk where it is newer than the market's. */
  lastPrice(instrument: Instrument, at: number): number {
    const desk = this.desks.get(instrument.refId);
    return desk !== undefined && desk.step >= this.market.step(at) ? desk.last : this.market.price(instrument, at);
  }

  setHalted(halted: boolean): void {
    this.halted = halted;
  }

  /**
   * The regular visit to a desk.
   * @returns when the next is due; undefined when the desk had nothing left to do and was dropped
   */
  visit(refId: number, at: number): number | undefined {
    this.catchUp(refId, at);
    const desk = this.desks.get(refId)!;
    if (!desk.idle) desk.usedAt = at;
    if (at - desk.usedAt >= LINGER_MS) {
      this.desks.delete(refId);
      return undefined;
    }
    return this.nextVisit(desk, at);
  }

  /** Brings the desk of an instrument, if it has one, to an instant: expiry, auctions, the time step. */
  catchUp(refId: number, at: number): void {
    const desk = this.desks.get(refId);
    if (desk === undefined) return;
    if (at >= this.hours.close(desk.instrument, desk.step)) this.expireAll(desk, at);
    if (!this.halted) this.follow(desk, this.hours.phase(desk.instrument, at), at);
  }

  /** Follows a price that was moved within a step. */
  repriced(instrument: Instrument, at: number): void {
    const desk = this.desks.get(instrument.refId);
    if (desk === undefined || this.halted || this.hours.phase(instrument, at).phase !== 'OPEN') return;
    this.moveTo(desk, at, at);
  }

  /** An order arrives. Gives when the first visit is due to the desk that was opened for it. */
  arrive(live: Live, at: number): number | undefined {
    const { instrument, order } = live;
    const refused = this.rejection(live.order, live.limit, instrument, at);
    if (refused !== undefined) {
      this.register.rejected(live, refused, at);
      return undefined;
    }
    const known = this.desks.get(order.refId);
    const desk = known ?? new Desk(instrument);
    this.desks.set(order.refId, desk);
    this.follow(desk, this.hours.phase(instrument, at), at);
    desk.usedAt = at;
    this.register.accepted(live, at);
    this.work(live, desk, at);
    return known === undefined ? this.nextVisit(desk, at) : undefined;
  }

  /**
   * Changes a working order. Less quantity keeps its place in the queue; anything else sends it to the back, where it
   * may first trade with the other side. `affordable` is asked last, right before the change.
   */
  modify(
    live: Live,
    change: OrderChange,
    affordable: (asked: NewOrder) => Refusal | undefined,
    at: number,
  ): Refusal | undefined {
    const { order, instrument } = live;
    const desk = this.desks.get(order.refId);
    if (desk === undefined || !live.working)
      return refuse('ORDER_NOT_PENDING', `${TEXT.modifyBusy}: it is ${order.status}`);
    const asked = changed(order, change);
    const limit = asked.priceType === 'LIMIT' ? asked.price : live.limit;
    const refused =
      changeRefusal(order, asked, instrument) ?? this.rejection(asked, limit, instrument, at) ?? affordable(asked);
    if (refused !== undefined) return refused;
    if (keepsPlace(order, asked)) {
      if (live.entry !== undefined)
        desk
          .own(order.side)
          .reduce(live.entry, Math.max(0, live.entry.quantity - (asked.quantity - order.filledQuantity)));
      this.become(live, asked, limit, at);
      return undefined;
    }
    const waits = live.waiting && asked.kind === 'STOPLOSS';
    this.pit.withdraw(live, desk);
    this.become(live, asked, limit, at);
    this.work(live, desk, at, waits);
    return undefined;
  }

  /** Takes an order out of its book and ends it. */
  cancel(live: Live, at: number): void {
    this.pit.withdraw(live, this.desks.get(live.order.refId)!);
    this.register.ended(live, 'CANCELLED', { type: 'cancelled' }, '', at);
  }

  /** The exchange ends a working order of its own accord. */
  expel(live: Live, reason: string, at: number): void {
    this.pit.withdraw(live, this.desks.get(live.order.refId)!);
    this.register.ended(live, 'CANCELLED', { type: 'unsolicited_cancel', reason }, reason, at);
  }

  state(): FloorState {
    const desks = [...this.desks.values()].map((desk) => ({ state: desk.state(), instrument: desk.instrument }));
    return { halted: this.halted, desks, volumes: this.pit.state() };
  }

  restore({ halted, desks, volumes }: FloorState): void {
    this.halted = halted;
    this.pit.restore(volumes);
    for (const { state, instrument } of desks) {
      const desk = new Desk(instrument);
      desk.restore(state, (orderId) => this.register.get(orderId)!);
      this.desks.set(instrument.refId, desk);
    }
  }

  private become(live: Live, asked: NewOrder, limit: number, at: number): void {
    Object.assign(live.order, asked);
    live.limit = limit;
    this.register.modified(live, at);
  }

  /** Puts an order to work as the session of its desk allows. */
  private work(
    live: Live,
    desk: Desk,
    at: number,
    waits = live.order.kind === 'STOPLOSS' && live.order.status === 'OPEN',
  ): void {
    if (waits) this.pit.wait(live, desk);
    else if (desk.manner === 'auction') this.pit.rest(live, desk.own(live.order.side));
    else {
      if (desk.manner === 'fixed price') live.limit = desk.last;
      this.pit.enter(live, desk, at);
    }
    if (desk.manner === 'continuous') this.pit.trigger(desk, at);
  }

  private expireAll(desk: Desk, at: number): void {
    for (const live of desk.working()) {
      this.pit.withdraw(live, desk);
      this.register.ended(live, 'EXPIRED', { type: 'expired' }, 'DAY: not filled by the close', at);
    }
  }

  private follow(desk: Desk, phase: Phase, at: number): void {
    const step = this.market.step(at);
    switch (phase.phase) {
      case 'OPEN':
        if (step > desk.step || desk.manner !== 'continuous') this.moveTo(desk, phase.from, at);
        return;
      case 'PRE_OPEN':
      case 'CLOSING_AUCTION': {
        const closes = this.auctionCloses.of(phase);
        if (at < closes) {
          if (desk.manner === 'auction' && desk.step >= 0) desk.step = step;
          else this.collect(desk, 'auction', phase.to, at);
        } else if (desk.manner === 'auction') {
          desk.manner = 'continuous';
          desk.step = step;
          this.pit.uncross(desk, at);
        }
        return;
      }
      case 'POST_CLOSE':
        if (desk.manner === 'fixed price') desk.step = step;
        else this.collect(desk, 'fixed price', at, at);
        return;
      case 'CLOSED':
        return;
    }
  }

  /** Opens a session in which others' liquidity stands still around their price of `priceAt`. */
  private collect(desk: Desk, manner: 'auction' | 'fixed price', priceAt: number, at: number): void {
    const { instrument } = desk;
    const price = this.market.price(instrument, priceAt);
    const last = this.market.price(instrument, at);
    const { bids, asks } = this.market.depth(instrument, priceAt, price);
    const atPrice = (levels: Level[]): Level[] => levels.slice(0, 1).map((level) => ({ ...level, price }));
    const shown = manner === 'auction' ? { bids, asks } : { bids: atPrice(bids), asks: atPrice(asks) };
    desk.collect(manner, this.market.step(at), last, shown);
  }

  /** Brings a book to the time step of an instant; what others traded before `since` is none of its business. */
  private moveTo(desk: Desk, since: number, at: number): void {
    const { instrument } = desk;
    const step = this.market.step(at);
    const price = this.market.price(instrument, step);
    const from = Math.max(desk.step, since);
    const volume =
      desk.step < 0 || from >= step ? 0 : wholeLots(this.market.volume(instrument, from, step), instrument);
    desk.moveTo(step, price, volume, this.market.depth(instrument, step, price), (live, tradePrice, quantity) => {
      this.pit.count(instrument.refId, quantity, at);
      this.pit.hit(live, desk, tradePrice, quantity, at);
    });
    this.pit.trigger(desk, at);
  }

  /** The next time step, the close of the auction or the change of session, whichever is first. */
  private nextVisit(desk: Desk, at: number): number {
    const { phase, from, to } = this.hours.phase(desk.instrument, at);
    const step = this.market.step(at) + this.market.stepMs;
    if (phase === 'OPEN') return Math.min(step, to);
    const closes =
      phase === 'PRE_OPEN' || phase === 'CLOSING_AUCTION' ? this.auctionCloses.of({ phase, from, to }) : to;
    return desk.idle ? Math.min(step, to) : closes > at ? closes : to;
  }

  /** Rules that depend on the state of the exchange: told after the acknowledgement, as REJECTED. */
  private rejection(order: NewOrder, limit: number, instrument: Instrument, at: number): Refusal | undefined {
    if (this.halted) return refuse('MARKET_HALTED', 'MARKET_HALTED: trading is halted, the exchange takes no orders');
    const phase = this.hours.phase(instrument, at);
    const auction = phase.phase === 'PRE_OPEN' || phase.phase === 'CLOSING_AUCTION';
    if (phase.phase === 'CLOSED' || (auction && at >= this.auctionCloses.of(phase))) {
      return refuse(
        'MARKET_CLOSED',
        `MARKET_CLOSED: ${instrument.exchange} takes no orders for ${instrument.symbol} now`,
      );
    }
    const last = this.lastPrice(instrument, at);
    const band = priceBand(instrument, this.market.previousClose(instrument, at), last, at);
    return stateRefusal(order, limit, { instrument, band, last, phase: phase.phase });
  }
}

/** Only a smaller quantity leaves an order where it stands in its queue. */
function keepsPlace(order: NewOrder, asked: NewOrder): boolean {
  return (
    asked.quantity <= order.quantity &&
    asked.price === order.price &&
    asked.kind === order.kind &&
    asked.legSize === order.legSize &&
    asked.triggerPrice === order.triggerPrice
  );
}

/** Only whole lots are traded. */
function wholeLots(quantity: number, { lotSize }: Instrument): number {
  return Math.floor(quantity / lotSize) * lotSize;
}
