/** The models by which orders meet the market: what they must have in common, and what each of them does. */
import fc from 'fast-check';
import { FILL_MODELS, withParticipation } from '../../../../sandbox/src/exchange/models/fill';
import {
  fixedSlippage,
  NO_IMPACT,
  SQUARE_ROOT,
  volumeShare,
  type ImpactModel,
} from '../../../../sandbox/src/exchange/models/impact';
import { createMarket } from '../../../../sandbox/src/market/prices/market';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';
import { SHARE, stillMarket } from '../../../support/still-market';
import { trading } from '../../../support/trading';
import { ist } from '../../market/leaks/bots';
import { Trader } from '../../market/leaks/trips';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 25);
const IMPACTS: [name: string, ImpactModel][] = [
  ['square-root', SQUARE_ROOT],
  ['none', NO_IMPACT],
  ['fixed', fixedSlippage(5)],
  ['fixed, much', fixedSlippage(100)],
  ['volume-share', volumeShare(2.5, 0.1)],
  ['volume-share, steep', volumeShare(100, 0.5)],
];
const market = createMarket({ seed: 3, universe: 'demo' });
const noon = ist('2026-09-15T12:00:00');
const universe = market.universe(noon);
const instruments: Instrument[] = [
  universe.bySymbol('NSE', 'INFY')!,
  universe.bySymbol('BSE', 'INFY')!,
  universe.bySymbol('NSE', 'NIFTYBEES')!,
  universe.futures('NSE', 'NIFTY')[0]!,
  universe.options('NSE', 'NIFTY', universe.expiries('NSE', 'NIFTY')[0]!).ce[20]!,
];
const startAt = fc.integer({ min: 0, max: 5 * 3_600 }).map((second) => ist('2026-09-15T09:20:00') + second * 1_000);
const size = fc.integer({ min: 0, max: 40 }).map((power) => Math.round(1.25 ** power));

describe.each(IMPACTS)('impact %s', (_name, impact) => {
  it('a larger size costs no less, whatever is bought or sold', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...instruments),
        startAt,
        fc.constantFrom('BUY' as const, 'SELL' as const),
        size,
        size,
        (instrument, at, side, one, other) => {
          const [less, more] = [Math.min(one, other), Math.max(one, other)].map((lots) => {
            const trader = new Trader(market, at, 1, { impact });
            trader.trade(instrument, side, lots * instrument.lotSize);
            const traded = Math.abs(trader.holding(instrument));
            return traded === 0 ? undefined : { traded, cost: -trader.apart / traded };
          });
          if (less === undefined || more === undefined) return;
          expect(more.cost).toBeGreaterThan(less.cost - 1e-6);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('a taker in whatever pieces who ends with nothing has earned nothing', () => {
    const pieces = fc.array(
      fc.record({ buys: fc.boolean(), lots: size, wait: fc.constantFrom(0, 0, 1_000, 20_000, 600_000) }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...instruments), startAt, pieces, (instrument, at, given) => {
        const trader = new Trader(market, at, 1, { impact });
        for (const { buys, lots, wait } of given) {
          trader.trade(instrument, buys ? 'BUY' : 'SELL', lots * instrument.lotSize);
          trader.pass(wait);
        }
        trader.close(instrument);
        expect(trader.apart).toBeLessThanOrEqual(0);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('fill', () => {
  const BEST = 150_000 - SHARE.tickSize;
  const filled = (fill: (typeof FILL_MODELS)['queue'], course: number[], quantity = 50): number[] => {
    const still = stillMarket();
    still.traded = 40;
    const exchange = trading({ market: still, fill });
    const id = exchange.place({ quantity, price: BEST });
    exchange.pass(0);
    return course.map((price) => {
      still.prices.set(SHARE.refId, price);
      exchange.pass(1_000);
      return exchange.order(id).filledQuantity;
    });
  };

  it('the model queue trades what was before the order first, and as much as others trade', () => {
    expect(filled(FILL_MODELS.queue, [BEST, BEST, BEST, BEST])).toEqual([0, 40, 50, 50]);
  });

  it('the model touch trades all of the order once the price comes to it', () => {
    expect(filled(FILL_MODELS.touch, [150_000, BEST])).toEqual([0, 50]);
  });

  it('the model through trades only once the price has passed the order', () => {
    expect(filled(FILL_MODELS.through, [BEST, BEST, BEST - SHARE.tickSize])).toEqual([0, 0, 50]);
  });

  it('the model through does not see others who come to its price and no further', () => {
    const still = stillMarket();
    const exchange = trading({ market: still, fill: FILL_MODELS.through });
    exchange.place({ quantity: 50, price: BEST });
    still.prices.set(SHARE.refId, BEST - SHARE.tickSize);
    exchange.pass(1_000);
    const { bids, asks } = exchange.exchange.bookSnapshot(SHARE, exchange.now(), 5);
    expect(asks[0]!.price).toBeGreaterThan(bids[0]!.price);
    expect(bids[0]).toMatchObject({ price: BEST, quantity: 50 });
  });

  it('a part of the volume lets the rest of an order wait until others have traded more, and go on at the price of then', () => {
    const still = stillMarket();
    [still.traded, still.shown] = [10, 1_000];
    const exchange = trading({ market: still, fill: withParticipation(FILL_MODELS.queue, 10) });
    const id = exchange.place({ quantity: 100, price: 151_000 });
    const now = exchange.place({ quantity: 100, price: 151_000, validity: 'IOC' });
    exchange.pass(0);
    // 600 are traded in a minute.
    expect(exchange.order(id)).toMatchObject({ status: 'PARTIAL_FILLED', filledQuantity: 60 });
    expect(exchange.order(now)).toMatchObject({ status: 'CANCELLED', filledQuantity: 0 });
    const revived = exchange.revived();
    for (const each of [exchange, revived]) each.pass(59_000);
    expect([exchange, revived].map((each) => each.order(id).filledQuantity)).toEqual([60, 60]);
    still.prices.set(SHARE.refId, 150_500);
    for (const each of [exchange, revived]) each.pass(2_000);
    for (const each of [exchange, revived]) {
      expect(each.order(id)).toMatchObject({ status: 'FILLED', filledQuantity: 100 });
      expect(each.fills(id).at(-1)![0]).toBe(150_500 + SHARE.tickSize);
    }
  });

  it('a part of the volume gives a waiting order no more of it either, and one that is held can be cancelled', () => {
    const part = withParticipation(FILL_MODELS.touch, 10);
    expect(filled(part, [BEST, BEST], 500)).toEqual([240, 240]);
    const still = stillMarket();
    still.traded = 1;
    const exchange = trading({ market: still, fill: part });
    const id = exchange.place({ quantity: 100, price: 151_000 });
    exchange.pass(1_000);
    exchange.exchange.cancel(id, exchange.now());
    exchange.pass(1_000);
    expect(exchange.order(id)).toMatchObject({ status: 'CANCELLED', filledQuantity: 6 });
    exchange.pass(600_000);
    expect(exchange.order(id).filledQuantity).toBe(6);
  });
});
