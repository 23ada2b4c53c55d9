import type { Instrument } from '../../market/reference/types';
import { BasketBook, copyOf, type LiveBasket } from './basket-store';
import { exitTimeOf, legsRefusal, legStates, termsRefusal } from './rules';
import { BasketRunner } from './runner';
import type { Basket, BasketChange, BasketDuty, BasketEvent, Baskets, BasketsState, NewBasket } from './types';
import { chanceFrom, type Chance } from '../../shared/random';
import { USUAL_DELAYS, type Delays } from '../latency-model';
import { refuse, TEXT } from '../rules';
import { Schedule } from '../schedule';
import { createStamps, type Stamps } from '../id-generator';
import { istDay, millis } from '../../shared/time';
import type { Exchange, Guest } from '../types';
import type { Refusal } from '../../shared/orders';

export interface BasketDeps {
  exchange: Exchange;
  instrument(refId: number, at: number): Instrument | undefined;
  /** Of its own, so that baskets do not disturb what the exchange draws. */
  chance: Chance;
  /** Where its time begins, milliseconds. */
  startAt: number;
  delays?: Delays;
  /** How often prices are judged, milliseconds; 1000 when left out. */
  stepMs?: number;
}

/**
 * Makes baskets over an exchange, which drives them from then on (see `Baskets`); with `from` they go on where that was
 * taken. Whoever books trades must listen to the exchange before the baskets do: make them after it.
 */
export function createBaskets(deps: BasketDeps, from?: BasketsState): Baskets {
  const desk = new BasketDesk(deps, from);
  deps.exchange.join(desk);
  return desk;
}

class BasketDesk implements Baskets, Guest {
  private readonly schedule = new Schedule<BasketDuty>();
  private readonly chance: Chance;
  private readonly stamps: Stamps;
  private readonly book: BasketBook;
  private readonly runner: BasketRunner;
  private readonly delays: Delays;
  private readonly stepMs: number;
  /** Instruments of legs, kept beyond their expiry. */
  private readonly known = new Map<number, Instrument>();
  private nextLook: number | undefined;

  constructor(
    private readonly deps: BasketDeps,
    from: BasketsState | undefined,
  ) {
    const { exchange, delays, stepMs } = deps;
    this.chance = from === undefined ? deps.chance : chanceFrom(from.chance);
    this.delays = delays ?? USUAL_DELAYS;
    this.stepMs = stepMs ?? 1000;
    this.stamps = createStamps(this.chance, deps.startAt, from?.stamps);
    this.book = new BasketBook(this.stamps);
    this.runner = new BasketRunner(this.book, exchange, {
      get: (refId, at) => this.instrument(refId, at),
      listed: (refId, at) => deps.instrument(refId, at) !== undefined,
    });
    exchange.onEvent((event) => this.runner.orderChanged(event));
    if (from === undefined) return;
    this.schedule.restore(from.schedule);
    this.book.restore(from.book);
    for (const instrument of from.known) this.known.set(instrument.refId, instrument);
    this.nextLook = from.nextLook;
  }

  check(basket: NewBasket, at: number): Refusal | undefined {
    const refused = legsRefusal(basket, (refId) => this.deps.instrument(refId, at));
    if (refused !== undefined) return refused;
    return termsRefusal(basket, {
      at,
      close: this.close(basket, at),
      netPrice: this.netPrice({ legs: legStates(basket) }, at),
    });
  }

  place(asked: NewBasket, at: number): { ok: true; basket: Basket } | Refusal {
    this.deps.exchange.advance(at);
    const refused = this.check(asked, at);
    if (refused !== undefined) return refused;
    const close = this.close(asked, at);
    const [send, exchange, list] = [this.delays.send, this.delays.exchange, this.delays.list].map((delay) =>
      this.chance.between(...delay),
    ) as [number, number, number];
    const live: LiveBasket = {
      basket: {
        ...asked,
        legs: legStates(asked),
        exitTime: exitTimeOf(asked, at, close) ?? null,
        id: this.book.newId(),
        status: 'PENDING',
        reason: '',
        stoplossNow: asked.stoplossPrice,
        exitCause: null,
        createdAt: this.book.time(at),
        acknowledgedAt: 0n,
        entryTriggeredAt: 0n,
        filledAt: 0n,
        exitTriggeredAt: 0n,
        endedAt: 0n,
      },
      stage: 'RECEIVED',
      started: false,
      best: 0,
      closesAt: close,
      visibleAt: at + send + exchange + list,
      retryAt: 0,
      cancelInFlight: false,
    };
    this.book.add(live);
    this.schedule.add(at + send + exchange, { kind: 'accept', basketId: live.basket.id });
    return { ok: true, basket: copyOf(live.basket) };
  }

  cancel(basketId: bigint, at: number): { ok: true } | Refusal {
    this.deps.exchange.advance(at);
    const live = this.book.get(basketId);
    if (live === undefined) return refuse('BASKET_NOT_FOUND', `basket ${basketId} is not a basket of today`);
    const { status } = live.basket;
    if (live.stage === 'OVER')
      return refuse(
        'BASKET_NOT_OPEN',
        `basket ${basketId} is ${status}: only an open or filled basket can be cancelled or exited`,
      );
    if (live.stage === 'RECEIVED')
      return refuse('REQUEST_IN_FLIGHT', `${TEXT.cancelBusy}: basket ${basketId} is on its way`);
    if (live.cancelInFlight || live.stage === 'EXITING')
      return refuse('REQUEST_IN_FLIGHT', `${TEXT.cancelBusy}: basket ${basketId} is already being cancelled or exited`);
    live.cancelInFlight = true;
    this.schedule.add(at + this.chance.between(...this.delays.send) + this.chance.between(...this.delays.exchange), {
      kind: 'cancel',
      basketId,
    });
    return { ok: true };
  }

  modify(basketId: bigint, change: BasketChange, at: number): { ok: true } | Refusal {
    this.deps.exchange.advance(at);
    const live = this.book.get(basketId);
    if (live === undefined) return refuse('BASKET_NOT_FOUND', `basket ${basketId} is not a basket of today`);
    const { basket, stage } = live;
    if (stage === 'EXITING' || stage === 'OVER')
      return refuse('BASKET_NOT_OPEN', `basket ${basketId} is ${basket.status}: it can't be modified any more`);
    const asked = { ...basket, ...change };
    const netPrice = this.netPrice(basket, at);
    const refused = termsRefusal(asked, { at, close: this.close(basket, at), netPrice });
    if (refused !== undefined) return refused;
    Object.assign(basket, change);
    if (change.stoplossPrice !== undefined) basket.stoplossNow = change.stoplossPrice;
    return { ok: true };
  }

  basket(basketId: bigint): Basket | undefined {
    const live = this.book.get(basketId);
    return live === undefined ? undefined : copyOf(live.basket);
  }

  baskets(account: string, at: number): Basket[] {
    return this.book
      .values()
      .filter((live) => live.basket.account === account && live.visibleAt <= at && !isPast(live, at))
      .map(({ basket }) => copyOf(basket));
  }

  netPrice(basket: Pick<Basket, 'legs'>, at: number): number {
    return this.runner.netPrice(basket, at);
  }

  profit({ legs }: Basket, at: number): number {
    return legs.reduce((sum, leg) => {
      const held = leg.filledQuantity - leg.exitQuantity;
      const made = leg.exitValue + (held === 0 ? 0 : held * this.runner.lastPrice(leg.refId, at)) - leg.filledValue;
      return sum + (leg.side === 'BUY' ? made : -made);
    }, 0);
  }

  onEvent(listener: (event: BasketEvent) => void): void {
    this.book.onEvent(listener);
  }

  state(): BasketsState {
    return {
      chance: [...this.chance.state()],
      stamps: this.stamps.state(),
      schedule: this.schedule.state(),
      book: this.book.state(),
      known: [...this.known.values()],
      nextLook: this.nextLook,
    };
  }

  nextDue(): number | undefined {
    const due = this.schedule.nextDue();
    if (this.nextLook === undefined) return due;
    return due === undefined ? this.nextLook : Math.min(due, this.nextLook);
  }

  run(at: number): void {
    while ((this.schedule.nextDue() ?? Number.POSITIVE_INFINITY) <= at) this.perform(this.schedule.take()!, at);
    if (this.nextLook !== undefined && this.nextLook <= at) this.look(at);
    this.nextLook = this.book.active ? Math.floor(at / this.stepMs) * this.stepMs + this.stepMs : undefined;
  }

  private perform({ kind, basketId }: BasketDuty, at: number): void {
    const live = this.book.get(basketId)!;
    if (kind === 'accept') this.runner.accept(live, at);
    else {
      live.cancelInFlight = false;
      this.runner.requestExit(live, at);
    }
  }

  private look(at: number): void {
    for (const live of this.book.values()) {
      if (live.stage !== 'OVER') this.runner.judge(live, at);
      else if (isPast(live, at)) this.book.forget(live.basket.id);
    }
  }

  private close({ legs }: Pick<NewBasket, 'legs'>, at: number): number {
    return Math.min(...legs.map(({ refId }) => this.deps.exchange.closeOf(this.instrument(refId, at), at)));
  }

  private instrument(refId: number, at: number): Instrument {
    const instrument = this.deps.instrument(refId, at) ?? this.known.get(refId);
    if (instrument === undefined) throw new RangeError(`ref_id ${refId} is not an instrument of this environment`);
    this.known.set(refId, instrument);
    return instrument;
  }
}

/** Whether a basket was over before the day of an instant began. */
function isPast({ stage, basket }: LiveBasket, at: number): boolean {
  return stage === 'OVER' && istDay(millis(basket.endedAt)) < istDay(at);
}
