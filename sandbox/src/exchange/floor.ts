import type { Instrument } from '../market/types';
import type { BookSide } from './book';
import { Desk, type MovedMarket } from './desk';
import type { Hours } from './hours';
import { remaining, showable, type Live } from './live';
import { sweep } from './matching';
import { protectedLimit } from './protection';
import type { Register } from './register';
import { changed, changeRefusal, refuse, TEXT } from './rules';
import { istDay } from './time';
import type { NewOrder, OrderChange, Refusal, Side } from './types';

const LEFT_OVER = {
  ioc: 'IOC: the rest did not cross and was cancelled',
  market: 'Market price protection: the rest was cancelled',
  own: 'Self-trade prevention: the rest would have met an order of the same account and was cancelled',
} as const;

/** The floor: the books of the instruments in which users' orders work, and what happens in them. */
export class Floor {
  private readonly desks = new Map<number, Desk>();
  private readonly userVolumes = new Map<number, { day: number; quantity: number }>();
  private halted = false;

  constructor(
    private readonly market: MovedMarket,
    private readonly register: Register,
    private readonly hours: Hours,
  ) {}

  desk(refId: number): Desk | undefined {
    return this.desks.get(refId);
  }

  /** Quantity that users traded on the day of `at`. */
  userVolume(refId: number, at: number): number {
    const volume = this.userVolumes.get(refId);
    return volume !== undefined && volume.day === istDay(at) ? volume.quantity : 0;
  }

  setHalted(halted: boolean): void {
    this.halted = halted;
  }

  /** Brings a desk to the time step of an instant; true when it has nothing left to do and was dropped. */
  refresh(desk: Desk, at: number): boolean {
    const { instrument } = desk;
    if (at >= this.hours.close(instrument, desk.step)) this.expireAll(desk, at);
    const step = this.market.step(at);
    if (desk.idle && desk.step < step) {
      this.desks.delete(instrument.refId);
      return true;
    }
    if (step > desk.step && this.isTrading(instrument, at)) this.moveTo(desk, step, at);
    return false;
  }

  /** The other end of `refresh` for an instrument whose price was moved within a step. */
  repriced(instrument: Instrument, at: number): void {
    const desk = this.desks.get(instrument.refId);
    if (desk !== undefined && this.isTrading(instrument, at)) this.moveTo(desk, this.market.step(at), at);
  }

  /** An order arrives; true when its instrument's desk was opened for it. */
  arrive(live: Live, at: number): { opened: boolean } {
    const { instrument } = live;
    const refused = this.rejection(live.order, instrument, at);
    if (refused !== undefined) {
      this.register.rejected(live, refused, at);
      return { opened: false };
    }
    const known = this.desks.get(instrument.refId);
    const desk = known ?? this.open(instrument, at);
    if (known !== undefined) this.refresh(desk, at);
    this.desks.set(instrument.refId, desk);
    this.register.accepted(live, at);
    if (live.order.kind === 'STOPLOSS') {
      this.wait(live, desk);
    } else {
      this.enter(live, desk, at);
    }
    this.trigger(desk, at);
    return { opened: known === undefined };
  }

  /**
   * Changes a working order. Less quantity keeps its place in the queue; anything else sends it to the back, where it
   * may first trade with the other side.
   */
  modify(live: Live, change: OrderChange, at: number): Refusal | undefined {
    const desk = this.desks.get(live.order.refId);
    if (desk !== undefined) this.refresh(desk, at);
    const { order, instrument } = live;
    if (desk === undefined || !live.working) return refuse('ORDER_NOT_PENDING', `${TEXT.modifyBusy}: it is ${order.status}`);
    const asked = changed(order, change);
    const refused = changeRefusal(order, asked, instrument) ?? this.rejection(asked, instrument, at);
    if (refused !== undefined) return refused;
    const wasWaiting = live.waiting;
    if (live.entry !== undefined && keepsPlace(order, asked)) {
      desk.own(order.side).reduce(live.entry, Math.max(0, live.entry.quantity - (asked.quantity - order.filledQuantity)));
      Object.assign(order, asked);
      this.register.modified(live, at);
      return undefined;
    }
    this.withdraw(live);
    Object.assign(order, asked);
    this.register.modified(live, at);
    if (wasWaiting && order.kind === 'STOPLOSS') this.wait(live, desk);
    else this.enter(live, desk, at);
    this.trigger(desk, at);
    return undefined;
  }

  /** Takes an order out of its book and ends it. */
  cancel(live: Live, at: number): void {
    this.withdraw(live);
    this.register.ended(live, 'CANCELLED', { type: 'cancelled' }, '', at);
  }

  /** Ends every order that works at a desk; the day is over. */
  private expireAll(desk: Desk, at: number): void {
    for (const live of this.working(desk)) {
      this.withdraw(live);
      this.register.ended(live, 'EXPIRED', { type: 'expired' }, 'DAY: not filled by the close', at);
    }
  }

  private working(desk: Desk): Live[] {
    const found: Live[] = [...desk.stops];
    for (const side of [desk.bids, desk.asks]) {
      for (const level of side.levels) {
        for (let entry = level.first; entry !== undefined; entry = entry.after) if (entry.live) found.push(entry.live);
      }
    }
    return found;
  }

  private open(instrument: Instrument, at: number): Desk {
    const desk = new Desk(instrument);
    this.moveTo(desk, this.market.step(at), at);
    return desk;
  }

  private moveTo(desk: Desk, step: number, at: number): void {
    const { instrument } = desk;
    const price = this.market.price(instrument, step);
    const volume = desk.step < 0 || desk.step >= step ? 0 : this.market.volume(instrument, desk.step, step);
    desk.moveTo(step, price, volume, this.market.depth(instrument, step, price), (live, at_, quantity) =>
      this.hit(live, desk, at_, quantity, at),
    );
    this.trigger(desk, at);
  }

  /** Trades an order against the other side and rests or ends what is left. */
  private enter(live: Live, desk: Desk, at: number): void {
    const { order } = live;
    live.limit = order.priceType === 'MARKET' ? protectedLimit(desk.instrument, order.side, desk.last, at) : order.price;
    const swept = sweep(desk.against(order.side), live.limit, remaining(live), order.account, (entry, price, quantity) => {
      desk.traded(price, quantity);
      this.fill(live, price, quantity, at);
      if (entry.live !== undefined) this.hit(entry.live, desk, price, quantity, at);
    });
    if (swept.left === 0) return;
    if (swept.metOwn) {
      this.register.ended(live, 'CANCELLED', { type: 'unsolicited_cancel', reason: LEFT_OVER.own }, LEFT_OVER.own, at);
    } else if (order.validity === 'IOC' || order.priceType === 'MARKET') {
      const reason = order.validity === 'IOC' ? LEFT_OVER.ioc : LEFT_OVER.market;
      this.register.ended(live, 'CANCELLED', { type: 'cancelled' }, reason, at);
    } else {
      this.rest(live, desk.own(order.side));
    }
  }

  /** A resting order was hit; its entry is already reduced. */
  private hit(live: Live, desk: Desk, price: number, quantity: number, at: number): void {
    this.fill(live, price, quantity, at);
    if (live.entry === undefined || live.entry.quantity > 0) return;
    live.entry = undefined;
    if (remaining(live) > 0) this.rest(live, desk.own(live.order.side));
  }

  private wait(live: Live, desk: Desk): void {
    live.waiting = true;
    desk.stops.push(live);
  }

  private rest(live: Live, side: BookSide): void {
    live.entry = side.add(live.limit, showable(live), 1, live);
  }

  private fill(live: Live, price: number, quantity: number, at: number): void {
    this.register.traded(live, price, quantity, at);
    const { refId } = live.order;
    this.userVolumes.set(refId, { day: istDay(at), quantity: this.userVolume(refId, at) + quantity });
  }

  /** Sends stop-losses whose trigger the last prices reached into the book, in the order they came. */
  private trigger(desk: Desk, at: number): void {
    for (;;) {
      const { low, high } = desk;
      const due = desk.stops.filter(({ order }) => reached(order.side, order.triggerPrice, low, high));
      desk.resetRange();
      if (due.length === 0) return;
      for (const live of due) {
        live.waiting = false;
        desk.stops.splice(desk.stops.indexOf(live), 1);
        this.register.triggered(live, at);
        this.enter(live, desk, at);
      }
    }
  }

  private withdraw(live: Live): void {
    const desk = this.desks.get(live.order.refId)!;
    if (live.waiting) {
      live.waiting = false;
      desk.stops.splice(desk.stops.indexOf(live), 1);
    }
    if (live.entry !== undefined) {
      desk.own(live.order.side).remove(live.entry);
      live.entry = undefined;
    }
  }

  private isTrading(instrument: Instrument, at: number): boolean {
    return !this.halted && this.hours.phase(instrument, at) === 'OPEN';
  }

  /** Rules that depend on the state of the exchange: told after the acknowledgement, as REJECTED. */
  private rejection(order: NewOrder, instrument: Instrument, at: number): Refusal | undefined {
    if (this.halted) return refuse('MARKET_HALTED', 'MARKET_HALTED: trading is halted, the exchange takes no orders');
    if (this.hours.phase(instrument, at) !== 'OPEN') {
      return refuse('MARKET_CLOSED', `MARKET_CLOSED: ${instrument.exchange} takes no orders for ${instrument.symbol} now`);
    }
    if (order.quantity > instrument.freezeQty) return refuse('FREEZE_QTY', `${TEXT.freeze}: ${order.quantity} is above ${instrument.freezeQty}`);
    return undefined;
  }
}

function reached(side: Side, trigger: number, low: number, high: number): boolean {
  return side === 'BUY' ? high >= trigger : low <= trigger;
}


/** Only a smaller quantity leaves an order where it stands in its queue. */
function keepsPlace(order: NewOrder, asked: NewOrder): boolean {
  return asked.quantity <= order.quantity && asked.price === order.price && asked.kind === order.kind && asked.legSize === order.legSize;
}
