import type { Accounts } from '../accounts/types';
import type { Instrument, Market } from '../market/types';
import { randomCloseWithin } from './auction';
import { protectedLimit } from './bands';
import { chanceFrom, type Chance } from './chance';
import { USUAL_DELAYS, type Delay, type Delays } from './delays';
import { MovedMarket } from './desk';
import { Floor } from './floor';
import { ALWAYS_OPEN, exchangeHours, type Hours, type Phase } from './hours';
import { isOver, type Live } from './live';
import { Register } from './register';
import { changed, changeRefusal, refusal, refuse, TEXT, tradableRefusal } from './rules';
import { Schedule } from './schedule';
import { createStamps, type Stamps } from './stamps';
import type { Duty, ExchangeState } from './state';
import { istDayEnd, istDayStart } from './time';
import type { Exchange, ExchangeEvent, Guest, NewOrder, Order, OrderChange, Refusal, ShownBook } from './types';

/** Cash, margin and holdings: asked at placement and right before a change takes effect. */
export type Risk = Pick<Accounts, 'hold' | 'amend'>;

export interface ExchangeDeps {
  market: Market;
  chance: Chance;
  /** Without it every order is affordable. */
  risk?: Risk;
  options: {
    hours: 'always' | 'exchange';
    delays?: Delays;
    /** Length of a time step of others' liquidity, milliseconds; 1000 when left out. */
    stepMs?: number;
  };
  /** Where virtual time begins, milliseconds since the epoch. */
  startAt: number;
}

/** Makes an exchange: pure, deterministic, in virtual time (see `Exchange`); with `from` it goes on where that was taken. */
export function createExchange(deps: ExchangeDeps, from?: ExchangeState): Exchange {
  return new Core(deps, from);
}

class Core implements Exchange {
  private readonly schedule = new Schedule<Duty>();
  private readonly market: MovedMarket;
  private readonly register: Register;
  private readonly floor: Floor;
  private readonly hours: Hours;
  private readonly guests: Guest[] = [];
  private readonly chance: Chance;
  private readonly stamps: Stamps;
  private readonly delays: Delays;
  private now: number;
  private busy = false;
  private lastSend = 0;
  private lastArrival = 0;
  private haltedAt: number | undefined;
  private readonly auctionCloses = new Map<number, number>();

  constructor(
    private readonly deps: ExchangeDeps,
    from: ExchangeState | undefined,
  ) {
    const { market, options, startAt } = deps;
    this.chance = from === undefined ? deps.chance : chanceFrom(from.chance);
    this.delays = options.delays ?? USUAL_DELAYS;
    this.market = new MovedMarket(market, options.stepMs ?? 1000);
    this.stamps = createStamps(this.chance, from?.stamps);
    this.register = new Register(this.stamps);
    this.hours = options.hours === 'always' ? ALWAYS_OPEN : exchangeHours(market.calendar);
    this.floor = new Floor(this.market, this.register, this.hours, (phase) => this.auctionClose(phase));
    this.now = startAt;
    if (from === undefined) this.schedule.add(istDayEnd(startAt), { kind: 'day' });
    else this.restore(from);
  }

  place(order: NewOrder, at: number): { ok: true; order: Order } | Refusal {
    this.advance(at);
    const instrument = this.instrument(order.refId);
    if (instrument === undefined) {
      return refuse('UNKNOWN_INSTRUMENT', `ref_id ${order.refId} is not an instrument of this environment today: fetch the instrument master anew`);
    }
    const asked = order.priceType === 'MARKET' ? { ...order, price: 0 } : order;
    const refused = tradableRefusal(instrument) ?? refusal(asked, instrument);
    if (refused !== undefined) return refused;
    const { send, arrive } = this.route();
    const live = this.register.receive(asked, instrument, this.now, arrive + this.draw(this.delays.list));
    if (asked.priceType === 'MARKET') live.limit = protectedLimit(instrument, asked.side, this.lastPrice(instrument, this.now), this.now);
    live.refused = this.unaffordable('hold', live, asked);
    this.schedule.add(send, { kind: 'send', orderId: live.order.id });
    this.schedule.add(arrive, { kind: 'arrive', orderId: live.order.id });
    const taken = { ...live.order };
    this.handOut();
    return { ok: true, order: taken };
  }

  modify(orderId: bigint, change: OrderChange, at: number): { ok: true } | Refusal {
    this.advance(at);
    const live = this.requestable(orderId, TEXT.modifyBusy);
    if ('ok' in live) return live;
    const asked = changed(live.order, change);
    const refused = changeRefusal(live.order, asked, live.instrument);
    if (refused !== undefined) return refused;
    live.inFlight = 'modify';
    this.schedule.add(this.route().arrive, { kind: 'modify', orderId, change });
    return { ok: true };
  }

  cancel(orderId: bigint, at: number): { ok: true } | Refusal {
    this.advance(at);
    const live = this.requestable(orderId, TEXT.cancelBusy);
    if ('ok' in live) return live;
    live.inFlight = 'cancel';
    this.schedule.add(this.route().arrive, { kind: 'cancel', orderId });
    return { ok: true };
  }

  order(orderId: bigint): Order | undefined {
    const live = this.register.get(orderId);
    return live === undefined ? undefined : { ...live.order };
  }

  orders(account: string, at: number): Order[] {
    return this.register.listed(account, at);
  }

  advance(to: number): void {
    if (this.busy) return;
    this.busy = true;
    try {
      for (let due = this.nextDue(); due !== undefined && due <= to; due = this.nextDue()) {
        this.now = Math.max(this.now, due);
        if (this.schedule.nextDue() === due) this.perform(this.schedule.take()!);
        else this.guests.find((guest) => guest.nextDue() === due)!.run(this.now);
        this.handOut();
      }
      this.now = Math.max(this.now, to);
    } finally {
      this.busy = false;
    }
  }

  nextDue(): number | undefined {
    let first = this.schedule.nextDue();
    for (const guest of this.guests) {
      const due = guest.nextDue();
      if (due !== undefined && (first === undefined || due < first)) first = due;
    }
    return first;
  }

  isOpen(instrument: Instrument, at: number): boolean {
    return this.haltedAt === undefined && this.hours.phase(instrument, at).phase === 'OPEN';
  }

  closeOf(instrument: Instrument, at: number): number {
    return this.hours.close(instrument, at);
  }

  join(guest: Guest): void {
    this.guests.push(guest);
  }

  book(instrument: Instrument, at: number, levels: number): ShownBook {
    const time = this.marketTime(at);
    const step = this.market.step(time);
    const desk = this.floor.desk(instrument.refId);
    const lastPrice = this.lastPrice(instrument, at);
    const shown =
      desk !== undefined && desk.step >= step
        ? { bids: desk.bids.shown(levels), asks: desk.asks.shown(levels) }
        : this.market.depth(instrument, time, lastPrice);
    const ambient = this.market.volume(instrument, step - this.market.stepMs, step);
    return {
      bids: shown.bids.slice(0, levels),
      asks: shown.asks.slice(0, levels),
      lastPrice,
      lastQuantity: desk?.lastQuantity || ambient || instrument.lotSize,
      volume: this.market.volume(instrument, istDayStart(at), step) + this.floor.pit.userVolume(instrument.refId, at),
    };
  }

  lastPrice(instrument: Instrument, at: number): number {
    const time = this.marketTime(at);
    const desk = this.floor.desk(instrument.refId);
    return desk !== undefined && desk.step >= this.market.step(time) ? desk.last : this.market.price(instrument, time);
  }

  movePrice(refId: number, price: number, at: number): void {
    this.advance(at);
    const instrument = this.instrument(refId);
    if (instrument === undefined) throw new RangeError(`ref_id ${refId} is not an instrument of this environment today`);
    this.market.move(instrument, price, this.marketTime(this.now));
    this.floor.repriced(instrument, this.now);
    this.handOut();
  }

  halt(halted: boolean, at: number): void {
    this.advance(at);
    this.haltedAt = halted ? (this.haltedAt ?? this.now) : undefined;
    this.floor.setHalted(halted);
  }

  onEvent(listener: (event: ExchangeEvent) => void): void {
    this.register.onEvent(listener);
  }

  state(): ExchangeState {
    const { now, lastSend, lastArrival, haltedAt } = this;
    return {
      now,
      chance: [...this.chance.state()],
      stamps: this.stamps.state(),
      schedule: this.schedule.state(),
      register: this.register.state(),
      floor: this.floor.state(),
      lastSend,
      lastArrival,
      haltedAt,
      auctionCloses: [...this.auctionCloses],
      moved: this.market.state(),
    };
  }

  private restore(from: ExchangeState): void {
    this.now = from.now;
    this.schedule.restore(from.schedule);
    this.register.restore(from.register);
    this.floor.restore(from.floor);
    this.lastSend = from.lastSend;
    this.lastArrival = from.lastArrival;
    this.haltedAt = from.haltedAt;
    for (const [end, close] of from.auctionCloses) this.auctionCloses.set(end, close);
    this.market.restore(from.moved);
  }

  private perform(duty: Duty): void {
    const { now } = this;
    if (duty.kind === 'day') {
      this.register.forgetBefore(now);
      this.schedule.add(istDayEnd(now), { kind: 'day' });
      return;
    }
    if (duty.kind === 'visit') {
      const next = this.floor.visit(duty.refId, now);
      if (next !== undefined) this.schedule.add(next, { kind: 'visit', refId: duty.refId });
      return;
    }
    const live = this.register.get(duty.orderId)!;
    if (duty.kind === 'send') {
      if (live.refused !== undefined) this.register.rejected(live, live.refused, now);
      else this.register.sent(live, now);
    } else if (duty.kind === 'arrive') {
      if (live.refused === undefined) this.arrive(live);
    } else if (duty.kind === 'cancel') {
      live.inFlight = undefined;
      if (live.working) this.floor.cancel(live, now);
      else this.register.requestRejected(live, 'cancel_rejected', `${TEXT.cancelBusy}: it is ${live.order.status}`, now);
    } else {
      live.inFlight = undefined;
      this.floor.catchUp(live.order.refId, now);
      this.handOut();
      const refused = this.floor.modify(live, duty.change, (asked) => this.unaffordable('amend', live, asked), now);
      if (refused !== undefined) this.register.requestRejected(live, 'modify_rejected', refused.text, now);
    }
  }

  private arrive(live: Live): void {
    const { refId } = live.order;
    this.floor.catchUp(refId, this.now);
    const visit = this.floor.arrive(live, this.now);
    if (visit !== undefined) this.schedule.add(visit, { kind: 'visit', refId });
  }

  /** An order that takes a request now, or why it does not. */
  private requestable(orderId: bigint, busyText: string): Live | Refusal {
    const live = this.register.get(orderId);
    if (live === undefined) return refuse('ORDER_NOT_FOUND', `order ${orderId} is not an order of today`);
    if (isOver(live.order.status)) {
      return refuse('ORDER_NOT_PENDING', `order ${orderId} is ${live.order.status}: only a pending order can be changed or cancelled`);
    }
    if (live.inFlight !== undefined) return refuse('REQUEST_IN_FLIGHT', `${busyText}: a ${live.inFlight} of order ${orderId} is on its way`);
    return live;
  }

  /** When a message that leaves now is sent and reaches the exchange: one line, nothing overtakes. */
  private route(): { send: number; arrive: number } {
    this.lastSend = Math.max(this.lastSend, this.now + this.draw(this.delays.send));
    this.lastArrival = Math.max(this.lastArrival, this.lastSend + this.draw(this.delays.exchange));
    return { send: this.lastSend, arrive: this.lastArrival };
  }

  private draw([shortest, longest]: Delay): number {
    return this.chance.between(shortest, longest);
  }

  /** Why risk refuses an order or what it would become; a market order is reckoned with at its protection. */
  private unaffordable(question: keyof Risk, live: Live, asked: NewOrder): Refusal | undefined {
    const last = this.lastPrice(live.instrument, this.now);
    const reference = asked.side === 'BUY' ? Math.max(live.limit, asked.price) : Math.max(last, live.limit, asked.price);
    const verdict = this.deps.risk?.[question](live.order.id, asked, reference, this.now);
    return verdict?.ok === false ? verdict : undefined;
  }

  /** The random close of an auction, drawn once for all instruments. */
  private auctionClose({ phase, from, to }: Phase): number {
    const known = this.auctionCloses.get(to);
    if (known !== undefined) return known;
    const within = phase === 'PRE_OPEN' || phase === 'CLOSING_AUCTION' ? randomCloseWithin(phase, from) : 0;
    const closes = to - this.chance.between(0, within);
    this.auctionCloses.set(to, closes);
    return closes;
  }

  private instrument(refId: number): Instrument | undefined {
    return this.deps.market.universe(this.now).byRefId(refId);
  }

  private marketTime(at: number): number {
    return this.haltedAt === undefined ? at : Math.min(at, this.haltedAt);
  }

  private handOut(): void {
    this.register.handOut();
  }
}

