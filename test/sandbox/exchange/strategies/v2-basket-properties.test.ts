import fc from 'fast-check';
import { createBaskets } from '../../../../sandbox/src/exchange/strategies/v2-baskets';
import type { BasketEvent } from '../../../../sandbox/src/exchange/strategies/v2-basket-types';
import { createRandomSource } from '../../../../sandbox/src/shared/random';
import { NO_LATENCY, USUAL_LATENCY } from '../../../../sandbox/src/exchange/models/latency';
import { basketing, straddle, type Basketing } from '../../../support/basketing';
import { IS_WHOLE } from '../../../support/sample';
import { FUTURE, stillMarket } from '../../../support/still-market';
import { trading } from '../../../support/trading';

test('a basket shows in the list of its owner only, after the delay, on its day', () => {
  const t = trading();
  const baskets = createBaskets({
    exchange: t.exchange,
    instrument: (refId) => stillMarket().universe(0).byRefId(refId),
    random: createRandomSource(3),
    startAt: t.now(),
    latency: { send: [10, 10], exchange: [100, 100], list: [500, 500] },
  });
  t.market.prices.set(FUTURE.refId, 2_400_000);
  const placed = baskets.place(straddle({ priceType: 'LIMIT', entryPrice: 100, stoplossPrice: null }), t.now());
  if (!placed.ok) throw new Error(placed.text);
  expect(placed.basket.status).toBe('PENDING');
  t.pass(609);
  expect(baskets.basket(placed.basket.id)!.status).toBe('OPEN');
  expect(baskets.baskets('A', t.now())).toEqual([]);
  t.pass(1);
  expect(baskets.baskets('A', t.now()).map(({ id }) => id)).toEqual([placed.basket.id]);
  expect(baskets.baskets('B', t.now())).toEqual([]);
  t.pass(2 * 86_400_000);
  expect(baskets.baskets('A', t.now())).toEqual([]);
});

test('baskets made again from their state go on as if nothing had been', () => {
  const b = basketing();
  const id = b.enter({ stoplossPrice: 19_000, targetPrice: 21_000, trailJump: 200 });
  b.enter({ priceType: 'LIMIT', entryPrice: 15_000 });
  b.prices(12_405, 8_000);
  const exchange = b.revived();
  const reported: BasketEvent[] = [];
  const baskets = createBaskets(
    {
      exchange: exchange.exchange,
      instrument: (refId) => b.market.universe(0).byRefId(refId),
      random: createRandomSource(99),
      startAt: b.now(),
      latency: NO_LATENCY,
    },
    structuredClone(b.baskets.state()),
  );
  baskets.onEvent((event) => reported.push(event));
  const seen = b.basketEvents.length;
  expect(baskets.state()).toEqual(b.baskets.state());
  b.prices(11_000, 8_000);
  exchange.pass(1000);
  expect(baskets.basket(id)!.status).toBe('CLOSED');
  expect(reported).toEqual(b.basketEvents.slice(seen));
});

test('a basket makes at most one exit, never sells more than was bought, is flat at the end, the same in a replay', () => {
  const walk = fc.array(
    fc.record({
      call: fc.integer({ min: 200, max: 400 }),
      put: fc.integer({ min: 100, max: 300 }),
      shown: fc.nat(3),
      cancel: fc.integer({ min: 0, max: 30 }),
    }),
    { maxLength: 25 },
  );
  fc.assert(
    fc.property(
      walk,
      fc.boolean(),
      fc.option(fc.integer({ min: 1, max: 500 })),
      fc.constantFrom(NO_LATENCY, USUAL_LATENCY, { send: [300, 900], exchange: [300, 2500], list: [0, 0] } as const),
      (steps, limit, trailJump, latency) => {
        const run = (): Basketing => {
          const b = basketing({ latency });
          const id = b.enter({
            priceType: limit ? 'LIMIT' : 'MARKET',
            entryPrice: limit ? 19_950 : 0,
            multiplier: 2,
            stoplossPrice: 18_000,
            targetPrice: 22_000,
            trailJump,
          });
          for (const { call, put, shown, cancel } of steps) {
            b.market.shown = 65 * shown;
            b.prices(call * 50, put * 50);
            if (cancel === 0) b.baskets.cancel(id, b.now());
          }
          b.market.shown = 650;
          b.pass(6 * 3_600_000);
          return b;
        };
        const b = run();
        const basket = b.basketEvents.at(-1)!.basket;
        expect(b.basketEvents.filter(({ type }) => type === 'exit_triggered').length).toBeLessThanOrEqual(1);
        expect(['CLOSED', 'CANCELLED', 'REJECTED']).toContain(basket.status);
        for (const { basket: then } of b.basketEvents)
          for (const leg of then.legs) expect(leg.exitQuantity).toBeLessThanOrEqual(leg.filledQuantity);
        for (const leg of basket.legs) expect(leg.exitQuantity).toBe(leg.filledQuantity);
        const sums = new Map<number, number>();
        for (const event of b.events) {
          if (event.type === 'trade')
            sums.set(
              event.trade.refId,
              (sums.get(event.trade.refId) ?? 0) + (event.trade.side === 'BUY' ? 1 : -1) * event.trade.quantity,
            );
        }
        for (const sum of sums.values()) expect(sum).toBe(0);
        expect(run().basketEvents).toEqual(b.basketEvents);
      },
    ),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? (IS_WHOLE ? 20 : 8)) },
  );
});
