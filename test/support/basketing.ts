import { createBaskets } from '../../sandbox/src/exchange/strategies/v2-baskets';
import type { Basket, BasketEvent, Baskets, NewBasket } from '../../sandbox/src/exchange/strategies/v2-basket-types';
import { createRandomSource } from '../../sandbox/src/shared/random';
import { NO_LATENCY } from '../../sandbox/src/exchange/models/latency';
import { CALL, PUT } from './still-market';
import { trading, type Trading } from './trading';

export interface Basketing extends Trading {
  baskets: Baskets;
  basketEvents: BasketEvent[];
  /** Places now and gives the basket's id; a refusal fails the test. */
  enter(given?: Partial<NewBasket>): bigint;
  get(id: bigint): Basket;
  /** Event types of one basket but the fills of its legs, in order. */
  story(id: bigint): string[];
  /** Sets the prices (paise) of call and put and lets a second pass. */
  prices(call: number, put: number): void;
}

/** A basket that is entered at the market at once, and has no exits. */
export const AT_THE_MARKET = {
  priceType: 'MARKET',
  entryPrice: 0,
  multiplier: 1,
  targetPrice: null,
  stoplossPrice: null,
  momentumTriggerPrice: null,
  trailJump: null,
  entryTime: null,
  exitTime: null,
} as const;

/** A straddle that costs ₹200: a call at ₹120 and a put at ₹80. */
export function straddle(given: Partial<NewBasket> = {}): NewBasket {
  return {
    account: 'A',
    exchange: 'NSE',
    name: 'straddle',
    tag: 'demo',
    legs: [
      { refId: CALL.refId, quantity: 65, side: 'BUY' },
      { refId: PUT.refId, quantity: 65, side: 'BUY' },
    ],
    side: 'BUY',
    product: 'IDAY',
    ...AT_THE_MARKET,
    ...given,
  };
}

/** Baskets over an exchange on a still market, without latency. */
export function basketing(options: Parameters<typeof trading>[0] = {}): Basketing {
  const t = trading(options);
  t.market.prices.set(CALL.refId, 12_000);
  t.market.prices.set(PUT.refId, 8_000);
  t.market.shown = 1040;
  const baskets = createBaskets({
    exchange: t.exchange,
    instrument: (refId) => t.market.universe(0).byRefId(refId),
    random: createRandomSource(2),
    startAt: t.now(),
    latency: options.latency ?? NO_LATENCY,
  });
  const reported: BasketEvent[] = [];
  baskets.onEvent((event) => reported.push(event));
  return {
    ...t,
    baskets,
    basketEvents: reported,
    enter(given) {
      const placed = baskets.place(straddle(given), t.now());
      if (!placed.ok) throw new Error(placed.text);
      t.exchange.advance(t.now());
      return placed.basket.id;
    },
    get: (id) => baskets.basket(id)!,
    story: (id) =>
      reported.filter(({ basket, type }) => basket.id === id && type !== 'leg_filled').map(({ type }) => type),
    prices(call, put) {
      t.market.prices.set(CALL.refId, call);
      t.market.prices.set(PUT.refId, put);
      t.pass(1000);
    },
  };
}
