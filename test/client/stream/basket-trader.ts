/** Places and cancels baskets at random, and moves the prices that they follow. */
import type { NewBasket } from '../../../sandbox/src/exchange/strategies/v2-basket-types';
import { CALL, PUT } from '../../support/still-market';
import { ACCOUNT, type SimulatedService } from './simulated-service';

const TICK = 5;

export class BasketTrader {
  constructor(private readonly world: SimulatedService) {
    world.market.prices.set(CALL.refId, 12_000);
    world.market.prices.set(PUT.refId, 8_000);
    world.market.shown = 400;
  }

  trade(at: number): void {
    const { world } = this;
    const alive = world.baskets
      .baskets(ACCOUNT, at + 10_000)
      .filter(({ status }) => ['PENDING', 'OPEN', 'FILLED'].includes(status));
    const what = world.chance.between(1, 10);
    if (what >= 9 && alive.length > 0) world.baskets.cancel(world.pick(alive).id, at);
    else if (what >= 5 && alive.length > 0) this.move(at);
    else this.place(at);
  }

  private move(at: number): void {
    const { world } = this;
    for (const [instrument, usual] of [
      [CALL, 12_000],
      [PUT, 8_000],
    ] as const) {
      world.exchange.movePrice(instrument.refId, usual + world.chance.between(-80, 80) * TICK, at);
    }
  }

  private place(at: number): void {
    const { world } = this;
    const { chance } = world;
    const sides = world.pick([['BUY', 'BUY'], ['BUY', 'SELL'], ['BUY']] as const);
    const legs = sides.map((side, n) => ({ refId: [CALL, PUT][n]!.refId, quantity: CALL.lotSize, side }));
    const net = world.baskets.netPrice(
      { legs: legs.map(({ refId, side }) => ({ refId, ratio: side === 'BUY' ? 1 : -1 })) as never },
      at,
    );
    const isLimit = world.hits(300);
    const base = isLimit ? net + chance.between(-30, 20) * TICK : net;
    const maybe = (perMille: number, value: number): number | null => (world.hits(perMille) ? value : null);
    const stoplossPrice = maybe(600, base - chance.between(10, 90) * TICK);
    const product = world.pick(['CNC', 'IDAY'] as const);
    const basket: NewBasket = {
      account: ACCOUNT,
      exchange: 'NSE',
      name: 'b',
      tag: world.pick(['', 'a']),
      legs,
      side: 'BUY',
      product,
      priceType: isLimit ? 'LIMIT' : 'MARKET',
      entryPrice: isLimit ? base : 0,
      multiplier: chance.between(1, 2),
      targetPrice: maybe(600, base + chance.between(10, 90) * TICK),
      stoplossPrice,
      momentumTriggerPrice: maybe(150, base - chance.between(0, 20) * TICK),
      trailJump: stoplossPrice === null ? null : maybe(400, chance.between(2, 20) * TICK),
      entryTime: maybe(100, at + chance.between(1_000, 10_000)),
      exitTime: product === 'IDAY' ? maybe(300, at + chance.between(12_000, 40_000)) : null,
    };
    world.baskets.place(basket, at);
  }
}
