import type { Instrument } from '../market/reference/types';
import { AuctionCloses } from './auction';
import { protectedLimit } from './price-bands';
import { breaksCircuit, circuitBreak, haltReason } from './circuit-breaker';
import { MarketHalts } from './halt';
import { resumeRandomSource, type RandomSource } from '../shared/random';
import type { ExchangeDeps, RiskEngine } from './deps';
import { FILL_MODELS } from './models/fill';
import { USUAL_LATENCY, LatencyModel } from './models/latency';
import { TimeStepMarket } from './time-step-market';
import { MatchingEngine } from './matching-engine';
import { signedQuantity } from './order-execution';
import { ALWAYS_OPEN, exchangeHours, withReopenings, type TradingHours } from './trading-hours';
import { isTerminal, type WorkingOrder } from './working-order';
import { bookSnapshot } from './book-snapshot';
import { PriceOverrides } from '../market/prices/price-overrides';
import { OrderStore } from './order-store';
import {
  arrivalRefusal,
  changedOrder,
  changeRefusal,
  productRefusal,
  orderRefusal,
  refuse,
  REFUSAL_TEXT,
  tradableRefusal,
} from './rules';
import { TimedQueue } from './schedule';
import { createIdGenerator, type IdGenerator } from './id-generator';
import type { ExchangeTask, ExchangeState } from './state';
import { istDayEnd } from '../shared/time';
import type { ExchangeEvent, TimedComponent, OrderChange, BookSnapshot, MarketEffects } from './types';
import type { NewOrder, Order, Refusal, Side } from '../shared/orders';
import type { Exchange } from './contract';

/** Makes an exchange: pure, deterministic, in virtual time (see `Exchange`); with `from` it goes on where that was taken. */
export function createExchange(deps: ExchangeDeps, from?: ExchangeState): Exchange {
  return new SimulatedExchange(deps, from);
}

class SimulatedExchange implements Exchange {
  private readonly schedule = new TimedQueue<ExchangeTask>();
  private readonly overrides: PriceOverrides;
  private readonly market: TimeStepMarket;
  private readonly store: OrderStore;
  private readonly engine: MatchingEngine;
  private readonly hours: TradingHours;
  private readonly components: TimedComponent[] = [];
  private readonly random: RandomSource;
  private readonly ids: IdGenerator;
  private readonly latency: LatencyModel;
  private now: number;
  private busy = false;
  private readonly halts: MarketHalts;
  private readonly auctionCloses: AuctionCloses;

  constructor(
    private readonly deps: ExchangeDeps,
    from: ExchangeState | undefined,
  ) {
    const { market, options, startAt } = deps;
    this.random = from === undefined ? deps.random : resumeRandomSource(from.random);
    this.latency = new LatencyModel(this.random, options.latency ?? USUAL_LATENCY, from?.latency);
    this.halts = deps.halts ?? new MarketHalts();
    this.overrides = deps.priceOverrides ?? new PriceOverrides();
    this.market = new TimeStepMarket(market, this.overrides, options.stepMs ?? 1000);
    this.ids = createIdGenerator(this.random, startAt, from?.ids);
    this.store = new OrderStore(this.ids);
    this.hours = withReopenings(options.hours === 'always' ? ALWAYS_OPEN : exchangeHours(market.calendar), this.halts);
    this.auctionCloses = new AuctionCloses(this.random);
    this.engine = new MatchingEngine(
      this.market,
      this.store,
      this.hours,
      this.auctionCloses,
      this.halts,
      options.fill ?? FILL_MODELS.queue,
    );
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
    const requested = order.priceType === 'MARKET' ? { ...order, price: 0 } : order;
    const refused =
      tradableRefusal(instrument) ??
      productRefusal(order.product, instrument, at) ??
      orderRefusal(requested, instrument);
    if (refused !== undefined) return refused;
    const { send, arrive } = this.latency.route(this.now);
    const facts = { ...requested, ...this.decisionPrices(instrument) };
    const working = this.store.receive(facts, instrument, this.now, this.latency.listed(arrive));
    if (requested.priceType === 'MARKET')
      working.limit = protectedLimit(instrument, requested.side, this.lastPrice(instrument, this.now), this.now);
    working.refused = this.unaffordable('hold', working, requested);
    this.schedule.add(send, { kind: 'send', orderId: working.order.id });
    this.schedule.add(arrive, { kind: 'arrive', orderId: working.order.id });
    const taken = { ...working.order };
    this.store.dispatchEvents();
    return { ok: true, order: taken };
  }

  /** Returns the prices by which a report measures the trades of an order (see `OrderFacts`). */
  private decisionPrices(instrument: Instrument): { decisionPrices?: number } {
    const { bids, asks } = this.bookSnapshot(instrument, this.now, 1);
    const [bid, ask] = [bids[0]?.price, asks[0]?.price];
    return bid === undefined || ask === undefined ? {} : { decisionPrices: bid + ask };
  }

  modify(orderId: bigint, change: OrderChange, at: number): { ok: true } | Refusal {
    this.advance(at);
    const working = this.requestable(orderId, REFUSAL_TEXT.modifyBusy);
    if ('ok' in working) return working;
    const requested = changedOrder(working.order, change);
    const refused = changeRefusal(working.order, requested, working.instrument);
    if (refused !== undefined) return refused;
    working.inFlight = 'modify';
    this.schedule.add(this.latency.route(this.now).arrive, { kind: 'modify', orderId, change });
    return { ok: true };
  }

  cancel(orderId: bigint, at: number): { ok: true } | Refusal {
    this.advance(at);
    const working = this.requestable(orderId, REFUSAL_TEXT.cancelBusy);
    if ('ok' in working) return working;
    working.inFlight = 'cancel';
    this.schedule.add(this.latency.route(this.now).arrive, { kind: 'cancel', orderId });
    return { ok: true };
  }

  order(orderId: bigint): Order | undefined {
    const working = this.store.get(orderId);
    return working === undefined ? undefined : { ...working.order };
  }

  orders(account: string, at: number): Order[] {
    return this.store.listed(account, at);
  }

  advance(to: number): void {
    if (this.busy) return;
    this.busy = true;
    try {
      for (let due = this.nextDue(); due !== undefined && due <= to; due = this.nextDue()) {
        this.now = Math.max(this.now, due);
        if (this.schedule.nextDue() === due) this.perform(this.schedule.take()!);
        else this.components.find((component) => component.nextDue() === due)!.run(this.now);
        this.store.dispatchEvents();
      }
      this.now = Math.max(this.now, to);
    } finally {
      this.busy = false;
    }
  }

  nextDue(): number | undefined {
    let first = this.schedule.nextDue();
    for (const component of this.components) {
      const due = component.nextDue();
      if (due !== undefined && (first === undefined || due < first)) first = due;
    }
    return first;
  }

  isOpen(instrument: Instrument, at: number): boolean {
    return this.halts.since(instrument) === undefined && this.hours.phase(instrument, at).phase === 'OPEN';
  }

  session(instrument: Instrument, at: number): { open: boolean; until: number } {
    const { phase, to } = this.hours.phase(instrument, at);
    return { open: phase === 'OPEN', until: to };
  }

  closeOf(instrument: Instrument, at: number): number {
    return this.hours.close(instrument, at);
  }

  attach(component: TimedComponent): void {
    this.components.push(component);
  }

  bookSnapshot(instrument: Instrument, at: number, levels: number): BookSnapshot {
    return bookSnapshot(this.market, this.engine, instrument, this.marketTime(instrument, at), levels);
  }

  lastPrice(instrument: Instrument, at: number): number {
    return this.engine.lastPrice(instrument, this.marketTime(instrument, at));
  }

  closeOut(instrument: Instrument, side: Side, quantity: number, at: number): number {
    const signed = signedQuantity(side, quantity);
    const time = this.marketTime(instrument, at);
    const { tickSize } = instrument;
    // Others' price: the last one is where users' own orders of the running step have walked to, which the shift holds already.
    const price = this.market.price(instrument, time) + this.market.averageShift(instrument, signed, time);
    this.market.taken(instrument, signed, false, time);
    const ticks = side === 'BUY' ? Math.ceil(price / tickSize) : Math.floor(price / tickSize);
    return Math.max(1, ticks) * tickSize;
  }

  expel(orderId: bigint, reason: string, at: number): { ok: true } | Refusal {
    this.advance(at);
    const working = this.store.get(orderId);
    if (working === undefined || isTerminal(working.order.status))
      return refuse('ORDER_NOT_PENDING', `order ${orderId} does not work at the exchange`);
    if (working.atExchange) this.engine.expel(working, reason, this.now);
    else this.store.rejected(working, refuse('REJECTED_BY_BROKER', reason), this.now);
    this.store.dispatchEvents();
    return { ok: true };
  }

  movePrice(refId: number, price: number, at: number): void {
    this.advance(at);
    const instrument = this.instrument(refId);
    if (instrument === undefined)
      throw new RangeError(`ref_id ${refId} is not an instrument of this environment today`);
    if (!Number.isSafeInteger(price) || price <= 0)
      throw new RangeError(`price must be a whole number of paise above 0, not ${price}`);
    this.market.move(instrument, price, this.marketTime(instrument, this.now));
    this.engine.repriced(instrument, this.now);
    this.lookAt(instrument, price);
    this.store.dispatchEvents();
  }

  relist(shares: readonly number[], at: number): void {
    const universe = this.deps.market.universe(at);
    this.engine.relist(shares, (refId) => universe.byRefId(refId));
  }

  impose({ prices, volatilities, books, haltCheckTimes }: MarketEffects, at: number): void {
    this.advance(at);
    for (const course of prices) this.overrides.run(course);
    for (const course of volatilities) this.overrides.runVolatility(course);
    for (const bookChange of books) this.overrides.changeBook(bookChange);
    for (const time of haltCheckTimes) this.schedule.add(time, { kind: 'look' });
  }

  halt(halted: boolean, at: number): void {
    this.advance(at);
    this.halts.set(halted, this.now);
  }

  onEvent(listener: (event: ExchangeEvent) => void): void {
    this.store.onEvent(listener);
  }

  state(): ExchangeState {
    const { now } = this;
    return {
      now,
      random: [...this.random.state()],
      ids: this.ids.state(),
      schedule: this.schedule.state(),
      store: this.store.state(),
      engine: this.engine.state(),
      latency: this.latency.state(),
      halts: this.halts.state(),
      auctionCloses: this.auctionCloses.state(),
      priceOverrides: this.overrides.state(),
    };
  }

  private restore(from: ExchangeState): void {
    this.now = from.now;
    this.schedule.restore(from.schedule);
    this.store.restore(from.store);
    this.engine.restore(from.engine);
    this.halts.restore(from.halts);
    this.auctionCloses.restore(from.auctionCloses);
    this.overrides.restore(from.priceOverrides);
  }

  private perform(task: ExchangeTask): void {
    const { now } = this;
    if (task.kind === 'day') {
      this.store.forgetBefore(now);
      this.schedule.add(istDayEnd(now), { kind: 'day' });
      return;
    }
    if (task.kind === 'resume') return this.halts.resume(now);
    if (task.kind === 'look') return this.look();
    if (task.kind === 'visit') {
      const next = this.engine.visit(task.refId, now);
      if (next !== undefined) this.schedule.add(next, { kind: 'visit', refId: task.refId });
      return;
    }
    const working = this.store.get(task.orderId)!;
    const isWay = task.kind === 'send' || task.kind === 'arrive';
    // The broker has rejected it on its way.
    if (isWay && isTerminal(working.order.status)) return;
    if (task.kind === 'send') {
      if (working.refused !== undefined) this.store.rejected(working, working.refused, now);
      else this.store.sent(working, now);
    } else if (task.kind === 'arrive') {
      if (working.refused === undefined) this.arrive(working);
    } else if (task.kind === 'cancel') {
      working.inFlight = undefined;
      if (working.atExchange) this.engine.cancel(working, now);
      else
        this.store.requestRejected(
          working,
          'cancel_rejected',
          `${REFUSAL_TEXT.cancelBusy}: it is ${working.order.status}`,
          now,
        );
    } else {
      working.inFlight = undefined;
      this.engine.catchUp(working.order.refId, now);
      this.store.dispatchEvents();
      const refused = this.engine.modify(
        working,
        task.change,
        (requested) => this.unaffordable('amend', working, requested),
        now,
      );
      if (refused !== undefined) this.store.requestRejected(working, 'modify_rejected', refused.text, now);
    }
  }

  /** Looks whether an index has moved far enough to halt trading. */
  private look(): void {
    for (const index of this.deps.market.universe(this.now).all(undefined, ['INDEX']))
      if (breaksCircuit(index, this.now)) this.lookAt(index, this.lastPrice(index, this.now));
  }

  private lookAt(index: Instrument, price: number): void {
    const { now, deps } = this;
    const activeBreak = circuitBreak(
      index,
      this.market.previousClose(index, now),
      price,
      now,
      deps.options.hours === 'always',
    );
    if (activeBreak === undefined || !this.halts.breakCircuit(now, activeBreak)) return;
    this.schedule.add(activeBreak.reopened, { kind: 'resume' });
    this.engine.expelEquity(haltReason(index, activeBreak), now);
  }

  private arrive(working: WorkingOrder): void {
    const late = arrivalRefusal(working.order, this.now);
    if (late !== undefined) return void this.store.rejected(working, late, this.now);
    const { refId } = working.order;
    this.engine.catchUp(refId, this.now);
    const visit = this.engine.arrive(working, this.now);
    if (visit !== undefined) this.schedule.add(visit, { kind: 'visit', refId });
  }

  /** An order that takes a request now, or why it does not. */
  private requestable(orderId: bigint, busyText: string): WorkingOrder | Refusal {
    const working = this.store.get(orderId);
    if (working === undefined) return refuse('ORDER_NOT_FOUND', `order ${orderId} is not an order of today`);
    if (isTerminal(working.order.status)) {
      return refuse(
        'ORDER_NOT_PENDING',
        `order ${orderId} is ${working.order.status}: only a pending order can be changed or cancelled`,
      );
    }
    const { basketId } = working.order;
    if (basketId !== 0n) {
      return refuse(
        'BASKET_LEG',
        `a basket cannot be modified: order ${orderId} is a leg of basket ${basketId}, which is cancelled or exited as a whole`,
      );
    }
    if (working.inFlight !== undefined)
      return refuse('REQUEST_IN_FLIGHT', `${busyText}: a ${working.inFlight} of order ${orderId} is on its way`);
    return working;
  }

  /** Returns the reason why risk refuses an order or its changed form; a market order is reckoned with at its protection. */
  private unaffordable(question: keyof RiskEngine, working: WorkingOrder, newOrder: NewOrder): Refusal | undefined {
    const last = this.lastPrice(working.instrument, this.now);
    const reference =
      newOrder.side === 'BUY' ? Math.max(working.limit, newOrder.price) : Math.max(last, working.limit, newOrder.price);
    const verdict = this.deps.risk?.[question](working.order.id, newOrder, reference, this.now);
    return verdict?.ok === false ? verdict : undefined;
  }

  private instrument(refId: number): Instrument | undefined {
    return this.deps.market.universe(this.now).byRefId(refId);
  }

  /** The instant whose prices hold: in a halt they do not change. */
  private marketTime = (instrument: Instrument, at: number): number => Math.min(at, this.halts.since(instrument) ?? at);
}
