import { moneyOf } from '../../market/reference/contract-value';
import { priceSum } from '../../shared/money';
import { drawLatency } from '../models/latency';
import { BasketStore, copyOf } from './basket-store';
import { exitTimeOf, legsRefusal, legStates, termsRefusal } from './v2-basket-rules';
import { BasketRunner } from './v2-basket-runner';
import type {
  Basket,
  BasketChange,
  BasketTask,
  BasketEvent,
  Baskets,
  BasketsState,
  NewBasket,
  WorkingBasket,
} from './v2-basket-types';
import { refuse, TEXT } from '../rules';
import { istDay, millis } from '../../shared/time';
import { CompositeOrders, type CompositeDeps } from './composite-orders';
import type { Refusal } from '../../shared/orders';

/**
 * Makes baskets over an exchange, which drives them from then on (see `Baskets`); with `from` they go on where that was
 * taken. Whoever books trades must listen to the exchange before the baskets do: make them after it.
 */
export function createBaskets(deps: CompositeDeps, from?: BasketsState): Baskets {
  const engine = new BasketEngine(deps, from);
  deps.exchange.attach(engine);
  return engine;
}

class BasketEngine extends CompositeOrders<BasketTask> implements Baskets {
  private readonly store: BasketStore;
  private readonly runner: BasketRunner;

  constructor(deps: CompositeDeps, from: BasketsState | undefined) {
    super(deps, from);
    this.store = new BasketStore(this.ids);
    this.runner = new BasketRunner(this.store, deps.exchange, {
      get: (refId, at) => this.instrument(refId, at),
      listed: (refId, at) => deps.instrument(refId, at) !== undefined,
    });
    deps.exchange.onEvent((event) => this.runner.orderChanged(event));
    if (from !== undefined) this.store.restore(from.store);
  }

  check(basket: NewBasket, at: number): Refusal | undefined {
    const refused = legsRefusal(basket, (refId) => this.deps.instrument(refId, at), at);
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
    const { send, exchange, list } = this.drawDelays();
    const working: WorkingBasket = {
      basket: {
        ...asked,
        legs: legStates(asked),
        exitTime: exitTimeOf(asked, at, close) ?? null,
        id: this.store.newId(),
        status: 'PENDING',
        reason: '',
        stoplossNow: asked.stoplossPrice,
        exitCause: null,
        createdAt: this.store.time(at),
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
    this.store.add(working);
    this.schedule.add(at + send + exchange, { kind: 'accept', basketId: working.basket.id });
    return { ok: true, basket: copyOf(working.basket) };
  }

  cancel(basketId: bigint, at: number): { ok: true } | Refusal {
    this.deps.exchange.advance(at);
    const working = this.store.get(basketId);
    if (working === undefined) return refuse('BASKET_NOT_FOUND', `basket ${basketId} is not a basket of today`);
    const { status } = working.basket;
    if (working.stage === 'OVER')
      return refuse(
        'BASKET_NOT_OPEN',
        `basket ${basketId} is ${status}: only an open or filled basket can be cancelled or exited`,
      );
    if (working.stage === 'RECEIVED')
      return refuse('REQUEST_IN_FLIGHT', `${TEXT.cancelBusy}: basket ${basketId} is on its way`);
    if (working.cancelInFlight || working.stage === 'EXITING')
      return refuse('REQUEST_IN_FLIGHT', `${TEXT.cancelBusy}: basket ${basketId} is already being cancelled or exited`);
    working.cancelInFlight = true;
    this.schedule.add(
      at + drawLatency(this.random, this.latency.send) + drawLatency(this.random, this.latency.exchange),
      {
        kind: 'cancel',
        basketId,
      },
    );
    return { ok: true };
  }

  modify(basketId: bigint, change: BasketChange, at: number): { ok: true } | Refusal {
    this.deps.exchange.advance(at);
    const working = this.store.get(basketId);
    if (working === undefined) return refuse('BASKET_NOT_FOUND', `basket ${basketId} is not a basket of today`);
    const { basket, stage } = working;
    if (stage === 'EXITING' || stage === 'OVER')
      return refuse('BASKET_NOT_OPEN', `basket ${basketId} is ${basket.status}: it can't be modified any more`);
    const requested = { ...basket, ...change };
    const netPrice = this.netPrice(basket, at);
    const refused = termsRefusal(requested, { at, close: this.close(basket, at), netPrice });
    if (refused !== undefined) return refused;
    Object.assign(basket, change);
    if (change.stoplossPrice !== undefined) basket.stoplossNow = change.stoplossPrice;
    return { ok: true };
  }

  basket(basketId: bigint): Basket | undefined {
    const working = this.store.get(basketId);
    return working === undefined ? undefined : copyOf(working.basket);
  }

  baskets(account: string, at: number): Basket[] {
    return this.store
      .values()
      .filter((working) => working.basket.account === account && working.visibleAt <= at && !isPast(working, at))
      .map(({ basket }) => copyOf(basket));
  }

  netPrice(basket: Pick<Basket, 'legs'>, at: number): number {
    return this.runner.netPrice(basket, at);
  }

  profit({ legs }: Basket, at: number): number {
    return legs.reduce((sum, leg) => {
      const held = leg.filledQuantity - leg.exitQuantity;
      const worth = held === 0 ? 0 : priceSum(this.runner.lastPrice(leg.refId, at), held);
      const made = moneyOf(this.runner.instrument(leg.refId, at), leg.exitValue + worth - leg.filledValue);
      return sum + (leg.side === 'BUY' ? made : -made);
    }, 0);
  }

  onEvent(listener: (event: BasketEvent) => void): void {
    this.store.onEvent(listener);
  }

  state(): BasketsState {
    return { ...this.compositeState(), store: this.store.state() };
  }

  override run(at: number): void {
    super.run(at);
    this.nextLook = this.store.active ? this.nextStep(at) : undefined;
  }

  protected perform({ kind, basketId }: BasketTask, at: number): void {
    const working = this.store.get(basketId)!;
    if (kind === 'accept') this.runner.accept(working, at);
    else {
      working.cancelInFlight = false;
      this.runner.requestExit(working, at);
    }
  }

  protected look(at: number): void {
    for (const working of this.store.values()) {
      if (working.stage !== 'OVER') this.runner.judge(working, at);
      else if (isPast(working, at)) this.store.forget(working.basket.id);
    }
  }

  private close({ legs }: Pick<NewBasket, 'legs'>, at: number): number {
    return Math.min(...legs.map(({ refId }) => this.deps.exchange.closeOf(this.instrument(refId, at), at)));
  }
}

/** Whether a basket was over before the day of an instant began. */
function isPast({ stage, basket }: WorkingBasket, at: number): boolean {
  return stage === 'OVER' && istDay(millis(basket.endedAt)) < istDay(at);
}
