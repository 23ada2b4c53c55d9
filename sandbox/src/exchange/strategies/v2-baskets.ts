import { drawLatency } from '../models/latency';
import { refuse, REFUSAL_TEXT } from '../rules';
import type { ExchangeEvent } from '../types';
import type { Refusal } from '../../shared/orders';
import { asBasket, asBasketEvent, asStrategy, basketStatus, strategyProfit } from './as-v2-basket';
import { exitsOf } from './exit-triggers';
import { receivedStrategy } from './new-strategy';
import { StrategyEngine, type StrategyDeps } from './strategy-engine';
import { isFinished } from './strategy-store';
import type { EntryTerms, IntentOrder, IntentTask, NewIntent, StrategiesState, WorkingIntent } from './types';
import type { ExitTerms } from './exit-types';
import { exitTimeOf, legsRefusal, legStates, termsRefusal } from './v2-basket-rules';
import { BasketRunner, isExiting } from './v2-basket-runner';
import type { Basket, BasketChange, BasketEvent, Baskets, LegState, NewBasket } from './v2-basket-types';

/**
 * Makes baskets over an exchange, which drives them from then on (see `Baskets`); with `from` they go on where that was
 * taken. Whoever books trades must listen to the exchange before the baskets do: make them after it.
 */
export function createBaskets(deps: StrategyDeps, from?: StrategiesState): Baskets {
  const engine = new BasketEngine(deps, from);
  deps.exchange.attach(engine);
  return engine;
}

/** The older interface to the engine of strategies: what it places is a strategy, and is told of in its words. */
class BasketEngine extends StrategyEngine implements Baskets {
  private readonly runner = new BasketRunner(this.parts);

  check(basket: NewBasket, at: number): Refusal | undefined {
    const refused = legsRefusal(basket, (refId) => this.deps.instrument(refId, at), at);
    if (refused !== undefined) return refused;
    const netPrice = this.netPrice({ legs: legStates(basket) }, at);
    return termsRefusal(basket, { at, close: this.close(basket, at), netPrice });
  }

  place(newBasket: NewBasket, at: number): { ok: true; basket: Basket } | Refusal {
    this.deps.exchange.advance(at);
    const refused = this.check(newBasket, at);
    if (refused !== undefined) return refused;
    const closesAt = this.close(newBasket, at);
    const { send, exchange, list } = this.drawDelays();
    const exitTime = exitTimeOf(newBasket, at, closesAt) ?? null;
    const working = receivedStrategy(newStrategy({ ...newBasket, exitTime }), {
      id: this.store.newId(false),
      createdAt: this.store.time(at),
      visibleAt: at + send + exchange + list,
    });
    working.closesAt = closesAt;
    this.store.add(working);
    this.schedule.add(at + send + exchange, { kind: 'accept', id: working.intent.id });
    this.wake(working, at);
    return { ok: true, basket: view(working) };
  }

  cancel(basketId: bigint, at: number): { ok: true } | Refusal {
    this.deps.exchange.advance(at);
    const working = this.store.get(basketId);
    if (working === undefined) return unknown(basketId);
    if (isFinished(working))
      return refuse(
        'BASKET_NOT_OPEN',
        `basket ${basketId} is ${basketStatus(working.intent)}: only an open or filled basket can be cancelled or exited`,
      );
    if (working.stage === 'RECEIVED')
      return refuse('REQUEST_IN_FLIGHT', `${REFUSAL_TEXT.cancelBusy}: basket ${basketId} is on its way`);
    if (working.changing || isExiting(working))
      return refuse(
        'REQUEST_IN_FLIGHT',
        `${REFUSAL_TEXT.cancelBusy}: basket ${basketId} is already being cancelled or exited`,
      );
    working.changing = true;
    const delay = drawLatency(this.random, this.latency.send) + drawLatency(this.random, this.latency.exchange);
    this.schedule.add(at + delay, { kind: 'cancel', id: basketId, slot: null, close: true });
    return { ok: true };
  }

  modify(basketId: bigint, change: BasketChange, at: number): { ok: true } | Refusal {
    this.deps.exchange.advance(at);
    const working = this.store.get(basketId);
    if (working === undefined) return unknown(basketId);
    const { intent } = working;
    if (isFinished(working) || isExiting(working))
      return refuse('BASKET_NOT_OPEN', `basket ${basketId} is ${basketStatus(intent)}: it can't be modified any more`);
    const now = view(working);
    const requested = { ...now, ...change };
    const netPrice = this.netPrice(now, at);
    const refused = termsRefusal(requested, { at, close: this.close(now, at), netPrice });
    if (refused !== undefined) return refused;
    intent.price = requested.entryPrice;
    intent.entry = entryOf(requested);
    intent.exits = exitsOf(exitsAsked(requested));
    const stop = intent.exits.find(({ slot }) => slot === 'stop');
    // What has trailed stays where it is, unless it is the stop loss that changes.
    if (stop !== undefined && change.stoplossPrice === undefined) stop.trigger = now.stoplossNow!;
    return { ok: true };
  }

  basket(basketId: bigint): Basket | undefined {
    const working = this.store.get(basketId);
    return working === undefined ? undefined : view(working);
  }

  baskets(account: string, at: number): Basket[] {
    return this.listed(account, at).map(view);
  }

  strategy(basketId: bigint): IntentOrder | undefined {
    const working = this.store.get(basketId);
    return working === undefined ? undefined : asStrategy(working.intent);
  }

  strategies(account: string, at: number): IntentOrder[] {
    return this.listed(account, at).map(({ intent }) => asStrategy(intent));
  }

  netPrice({ legs }: { legs: readonly Pick<LegState, 'refId' | 'ratio'>[] }, at: number): number {
    return this.sessions.netOf(
      legs.map(({ refId, ratio }) => ({ refId, unit: ratio })),
      at,
    );
  }

  profit(basket: Basket, at: number): number {
    return strategyProfit(
      { legs: basket.legs.map((leg) => ({ ...leg, unit: leg.ratio })) },
      (refId) => this.instrument(refId, at),
      (refId) => this.sessions.lastPrice(refId, at),
    );
  }

  onEvent(listener: (event: BasketEvent) => void): void {
    this.store.onEvent((event) => {
      const reported = asBasketEvent(event, this.store.get(event.intent.id)!.children);
      if (reported !== undefined) listener(reported);
    });
  }

  protected perform(working: WorkingIntent, { kind }: IntentTask, at: number): void {
    if (kind === 'accept') return this.runner.accept(working, at);
    working.changing = false;
    this.runner.requestExit(working, at);
  }

  protected judge(working: WorkingIntent, at: number): void {
    this.runner.judge(working, at);
  }

  protected endRepriced(working: WorkingIntent, reason: string, at: number): void {
    this.runner.abandon(working, reason, at);
  }

  protected endClosed(working: WorkingIntent, reason: string, at: number): void {
    this.runner.abandon(working, reason, at);
  }

  protected follow(event: ExchangeEvent): WorkingIntent | undefined {
    return this.runner.follow(event);
  }

  protected override look(at: number): void {
    super.look(at);
    this.store.forgetBefore(at);
  }

  /** From its placing to its end: so all are looked at in the order of their placing. */
  protected needsLooks(working: WorkingIntent): boolean {
    return !isFinished(working);
  }

  /** Baskets are looked at in whole steps, also where a session begins between two. */
  protected override nextLookAt(working: WorkingIntent, at: number): number {
    const step = this.nextStep(at);
    if (this.nextLook !== undefined && this.nextLook <= step) return this.nextLook;
    return this.nextStep(super.nextLookAt(working, at) - 1);
  }

  private close({ legs }: Pick<NewBasket, 'legs'>, at: number): number {
    return Math.min(...legs.map(({ refId }) => this.deps.exchange.closeOf(this.instrument(refId, at), at)));
  }
}

function view({ intent, children }: WorkingIntent): Basket {
  return asBasket(intent, undefined, children);
}

function unknown(basketId: bigint): Refusal {
  return refuse('BASKET_NOT_FOUND', `basket ${basketId} is not a basket of today`);
}

/** A basket as the strategy that it is. */
function newStrategy(newBasket: NewBasket): NewIntent {
  const legs = legStates(newBasket);
  const { account, side, product, priceType, tag, placedBy, exchange, name, multiplier } = newBasket;
  return {
    account,
    multi: true,
    legs: legs.map(({ refId, ratio }) => ({ refId, unit: ratio })),
    quantity: legs[0]!.quantity / Math.abs(legs[0]!.ratio),
    side,
    product,
    priceType,
    validity: 'DAY',
    price: newBasket.entryPrice,
    goodTill: null,
    entry: entryOf(newBasket),
    exits: exitsAsked(newBasket),
    iceberg: null,
    tag,
    echo: 'null',
    ...(placedBy && { placedBy }),
    basket: { exchange, name, multiplier, exitCause: null },
  };
}

function entryOf({
  momentumTriggerPrice: price,
  entryTime,
}: Pick<NewBasket, 'momentumTriggerPrice' | 'entryTime'>): EntryTerms {
  return { condition: price === null ? null : { kind: 'AT_OR_ABOVE', price }, time: entryTime };
}

/** The exits of a basket: all of them at market, so that their limits say nothing. */
function exitsAsked({
  stoplossPrice: stop,
  targetPrice: target,
  trailJump: jump,
  exitTime: time,
}: Pick<NewBasket, 'stoplossPrice' | 'targetPrice' | 'trailJump' | 'exitTime'>): ExitTerms {
  return {
    stop: stop === null ? null : { trigger: stop, limit: stop, jump },
    target: target === null ? null : { trigger: target, limit: target },
    time,
  };
}
