import type { Instrument } from '../market/reference/types';
import { AuctionCloses } from './auction';
import { protectedLimit } from './price-bands';
import { haltedUntil } from './circuit-breaker';
import { chanceFrom, type Chance } from '../shared/random';
import type { ExchangeDeps, RiskEngine } from './deps';
import { USUAL_DELAYS, Gateway } from './latency-model';
import { SteppedMarket } from './stepped-market';
import { Floor } from './matching-engine';
import { ALWAYS_OPEN, exchangeHours, type Hours } from './trading-hours';
import { isOver, type Live } from './working-order';
import { shownBook } from './book-snapshot';
import { Moves } from '../market/prices/price-overrides';
import { Register } from './order-store';
import { changed, changeRefusal, refusal, refuse, TEXT, tradableRefusal } from './rules';
import { Schedule } from './schedule';
import { createStamps, type Stamps } from './id-generator';
import type { Duty, ExchangeState } from './state';
import { istDayEnd } from '../shared/time';
import type { Exchange, ExchangeEvent, Guest, OrderChange, ShownBook } from './types';
import type { NewOrder, Order, Refusal } from '../shared/orders';

/** Makes an exchange: pure, deterministic, in virtual time (see `Exchange`); with `from` it goes on where that was taken. */
export function createExchange(deps: ExchangeDeps, from?: ExchangeState): Exchange {
  return new Core(deps, from);
}

class Core implements Exchange {
  private readonly schedule = new Schedule<Duty>();
  private readonly moves: Moves;
  private readonly market: SteppedMarket;
  private readonly register: Register;
  private readonly floor: Floor;
  private readonly hours: Hours;
  private readonly guests: Guest[] = [];
  private readonly chance: Chance;
  private readonly stamps: Stamps;
  private readonly gateway: Gateway;
  private now: number;
  private busy = false;
  private resumeAt = 0;
  /** Since when prices stand still, milliseconds. */
  private haltedAt: number | undefined;
  private readonly auctionCloses: AuctionCloses;

  constructor(
    private readonly deps: ExchangeDeps,
    from: ExchangeState | undefined,
  ) {
    const { market, options, startAt } = deps;
    this.chance = from === undefined ? deps.chance : chanceFrom(from.chance);
    this.gateway = new Gateway(this.chance, options.delays ?? USUAL_DELAYS, from?.gateway);
    this.moves = deps.moves ?? new Moves();
    this.market = new SteppedMarket(market, this.moves, options.stepMs ?? 1000);
    this.stamps = createStamps(this.chance, startAt, from?.stamps);
    this.register = new Register(this.stamps);
    this.hours = options.hours === 'always' ? ALWAYS_OPEN : exchangeHours(market.calendar);
    this.auctionCloses = new AuctionCloses(this.chance);
    this.floor = new Floor(this.market, this.register, this.hours, this.auctionCloses);
    this.now = startAt;
    if (from === undefined) this.schedule.add(istDayEnd(startAt), { kind: 'day' });
    else this.restore(from);
  }

  place(order: NewOrder, at: number): { ok: true; order: Order } | Refusal {
    this.advance(at);
    const instrument = this.instrument(order.refId);
    if (instrument === undefined) {
      return refuse(
        'UNKNOWN_INSTRUMENT',
        `ref_id ${order.refId} is not an instrument of this environment today: fetch the instrument master anew`,
      );
    }
    const asked = order.priceType === 'MARKET' ? { ...order, price: 0 } : order;
    const refused = tradableRefusal(instrument) ?? refusal(asked, instrument);
    if (refused !== undefined) return refused;
    const { send, arrive } = this.gateway.route(this.now);
    const live = this.register.receive(asked, instrument, this.now, this.gateway.listed(arrive));
    if (asked.priceType === 'MARKET')
      live.limit = protectedLimit(instrument, asked.side, this.lastPrice(instrument, this.now), this.now);
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
    this.schedule.add(this.gateway.route(this.now).arrive, { kind: 'modify', orderId, change });
    return { ok: true };
  }

  cancel(orderId: bigint, at: number): { ok: true } | Refusal {
    this.advance(at);
    const live = this.requestable(orderId, TEXT.cancelBusy);
    if ('ok' in live) return live;
    live.inFlight = 'cancel';
    this.schedule.add(this.gateway.route(this.now).arrive, { kind: 'cancel', orderId });
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

  session(instrument: Instrument, at: number): { open: boolean; until: number } {
    const { phase, to } = this.hours.phase(instrument, at);
    return { open: phase === 'OPEN', until: to };
  }

  closeOf(instrument: Instrument, at: number): number {
    return this.hours.close(instrument, at);
  }

  join(guest: Guest): void {
    this.guests.push(guest);
  }

  book(instrument: Instrument, at: number, levels: number): ShownBook {
    return shownBook(this.market, this.floor, instrument, this.marketTime(at), levels);
  }

  lastPrice(instrument: Instrument, at: number): number {
    return this.floor.lastPrice(instrument, this.marketTime(at));
  }

  expel(orderId: bigint, reason: string, at: number): { ok: true } | Refusal {
    this.advance(at);
    const live = this.register.get(orderId);
    if (live === undefined || !live.working)
      return refuse('ORDER_NOT_PENDING', `order ${orderId} does not work at the exchange`);
    this.floor.expel(live, reason, this.now);
    this.handOut();
    return { ok: true };
  }

  movePrice(refId: number, price: number, at: number): void {
    this.advance(at);
    const instrument = this.instrument(refId);
    if (instrument === undefined)
      throw new RangeError(`ref_id ${refId} is not an instrument of this environment today`);
    if (!Number.isSafeInteger(price) || price <= 0)
      throw new RangeError(`price must be a whole number of paise above 0, not ${price}`);
    this.market.move(instrument, price, this.marketTime(this.now));
    this.floor.repriced(instrument, this.now);
    const until = haltedUntil(instrument, this.market.previousClose(instrument, this.now), price, this.now);
    if (until !== undefined) {
      this.resumeAt = Math.max(this.resumeAt, until);
      this.setHalted(true);
      this.schedule.add(until, { kind: 'resume' });
    }
    this.handOut();
  }

  halt(halted: boolean, at: number): void {
    this.advance(at);
    this.resumeAt = halted ? Number.POSITIVE_INFINITY : 0;
    this.setHalted(halted);
  }

  onEvent(listener: (event: ExchangeEvent) => void): void {
    this.register.onEvent(listener);
  }

  state(): ExchangeState {
    const { now, haltedAt, resumeAt } = this;
    return {
      now,
      chance: [...this.chance.state()],
      stamps: this.stamps.state(),
      schedule: this.schedule.state(),
      register: this.register.state(),
      floor: this.floor.state(),
      gateway: this.gateway.state(),
      haltedAt,
      resumeAt,
      auctionCloses: this.auctionCloses.state(),
      moved: this.moves.state(),
    };
  }

  private restore(from: ExchangeState): void {
    this.now = from.now;
    this.schedule.restore(from.schedule);
    this.register.restore(from.register);
    this.floor.restore(from.floor);
    this.haltedAt = from.haltedAt;
    this.resumeAt = from.resumeAt;
    this.auctionCloses.restore(from.auctionCloses);
    this.moves.restore(from.moved);
  }

  private perform(duty: Duty): void {
    const { now } = this;
    if (duty.kind === 'day') {
      this.register.forgetBefore(now);
      this.schedule.add(istDayEnd(now), { kind: 'day' });
      return;
    }
    if (duty.kind === 'resume') return now < this.resumeAt ? undefined : this.setHalted(false);
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
      else
        this.register.requestRejected(live, 'cancel_rejected', `${TEXT.cancelBusy}: it is ${live.order.status}`, now);
    } else {
      live.inFlight = undefined;
      this.floor.catchUp(live.order.refId, now);
      this.handOut();
      const refused = this.floor.modify(live, duty.change, (asked) => this.unaffordable('amend', live, asked), now);
      if (refused !== undefined) this.register.requestRejected(live, 'modify_rejected', refused.text, now);
    }
  }

  private setHalted(halted: boolean): void {
    this.haltedAt = halted ? (this.haltedAt ?? this.now) : undefined;
    this.floor.setHalted(halted);
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
      return refuse(
        'ORDER_NOT_PENDING',
        `order ${orderId} is ${live.order.status}: only a pending order can be changed or cancelled`,
      );
    }
    const { basketId } = live.order;
    if (basketId !== 0n) {
      return refuse(
        'BASKET_LEG',
        `a basket cannot be modified: order ${orderId} is a leg of basket ${basketId}, which is cancelled or exited as a whole`,
      );
    }
    if (live.inFlight !== undefined)
      return refuse('REQUEST_IN_FLIGHT', `${busyText}: a ${live.inFlight} of order ${orderId} is on its way`);
    return live;
  }

  /** Why risk refuses an order or what it would become; a market order is reckoned with at its protection. */
  private unaffordable(question: keyof RiskEngine, live: Live, asked: NewOrder): Refusal | undefined {
    const last = this.lastPrice(live.instrument, this.now);
    const reference =
      asked.side === 'BUY' ? Math.max(live.limit, asked.price) : Math.max(last, live.limit, asked.price);
    const verdict = this.deps.risk?.[question](live.order.id, asked, reference, this.now);
    return verdict?.ok === false ? verdict : undefined;
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
