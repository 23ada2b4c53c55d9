import fc from 'fast-check';
import { createBaskets } from '../../../../sandbox/src/exchange/baskets/baskets';
import type { BasketEvent, NewBasket } from '../../../../sandbox/src/exchange/baskets/types';
import { createRandomSource } from '../../../../sandbox/src/shared/random';
import { NO_LATENCY, USUAL_LATENCY } from '../../../../sandbox/src/exchange/latency-model';
import { basketing, straddle, type Basketing } from '../../../support/basketing';
import { CALL, FUTURE, INDEX, MONDAY_TEN, PUT, SHARE, stillMarket } from '../../../support/still-market';
import { trading } from '../../../support/trading';

describe('specification: Basket rules, entry', () => {
  test('a market basket fills all legs as one unit, multiplied', () => {
    const b = basketing();
    const id = b.enter({ multiplier: 2 });
    expect(b.story(id)).toEqual(['received', 'accepted', 'entry_triggered', 'entered']);
    const basket = b.get(id);
    expect(basket.status).toBe('FILLED');
    expect(basket.legs.map(({ filledQuantity, filledValue }) => [filledQuantity, filledValue])).toEqual([
      [130, 130 * 12_005],
      [130, 130 * 8_005],
    ]);
    expect(b.exchange.order(basket.legs[0]!.orderIds[0]!)).toMatchObject({
      basketId: id,
      tag: 'demo',
      status: 'FILLED',
    });
    b.pass(1000);
    expect(b.baskets.profit(basket, b.now())).toBe(-130 * 10);
    expect(String(id)).toHaveLength(19);
  });

  test('a limit basket waits until the net price is at or below its limit', () => {
    const b = basketing();
    const id = b.enter({ priceType: 'LIMIT', entryPrice: 19_900 });
    b.prices(12_000, 7_905);
    expect(b.get(id).status).toBe('OPEN');
    expect(b.get(id).legs.flatMap(({ orderIds }) => orderIds)).toEqual([]);
    b.prices(12_000, 7_900);
    expect(b.get(id).status).toBe('FILLED');
  });

  test('the net price counts legs by signed ratio', () => {
    const b = basketing();
    const legs = [
      { refId: CALL.refId, quantity: 65, side: 'BUY' as const },
      { refId: PUT.refId, quantity: 130, side: 'SELL' as const },
    ];
    const id = b.enter({ legs, priceType: 'LIMIT', entryPrice: -4_100 });
    expect(b.baskets.netPrice(b.get(id), b.now())).toBe(12_000 - 2 * 8_000);
    expect(b.get(id).status).toBe('OPEN');
    b.prices(12_000, 8_050);
    expect(b.get(id).status).toBe('FILLED');
    expect(b.get(id).legs[1]).toMatchObject({ ratio: -2, quantity: 130, filledQuantity: 130 });
  });

  test('the momentum trigger starts the entry', () => {
    const b = basketing();
    const id = b.enter({ momentumTriggerPrice: 20_500 });
    b.prices(12_400, 8_000);
    expect(b.get(id).status).toBe('OPEN');
    b.prices(12_500, 8_000);
    expect(b.get(id).status).toBe('FILLED');
  });

  test('the entry time starts it', () => {
    const b = basketing();
    const id = b.enter({ entryTime: b.now() + 10_000 });
    b.pass(9_999);
    expect(b.get(id).status).toBe('OPEN');
    b.pass(1);
    expect(b.get(id).status).toBe('FILLED');
  });

  test('legs that fill in part are completed', () => {
    const b = basketing();
    b.market.shown = 65;
    b.market.depth = ({ tickSize }, _at, around) => ({
      bids: [{ price: around - tickSize, quantity: b.market.shown, orders: 1 }],
      asks: [{ price: around + tickSize, quantity: b.market.shown, orders: 1 }],
    });
    const id = b.enter({ multiplier: 3 });
    expect(b.get(id)).toMatchObject({ status: 'OPEN', legs: [{ filledQuantity: 65 }, { filledQuantity: 65 }] });
    b.market.shown = 130;
    b.pass(1000);
    expect(b.get(id).status).toBe('FILLED');
    expect(b.get(id).legs[0]!.orderIds).toHaveLength(2);
  });

  test('when a leg is rejected, what was filled is taken back and the basket is rejected with the reason', () => {
    const t = basketing({
      risk: {
        hold: (_id, order) =>
          order.refId === PUT.refId ? { ok: false, code: 'MARGIN', text: 'INSUFFICIENT_MARGIN' } : { ok: true },
        amend: () => ({ ok: true }),
      },
    });
    const id = t.enter();
    t.pass(2000);
    expect(t.get(id)).toMatchObject({ status: 'REJECTED', reason: expect.stringContaining('INSUFFICIENT_MARGIN') });
    expect(t.get(id).legs[0]).toMatchObject({ filledQuantity: 65, exitQuantity: 65 });
    expect(t.get(id).legs[1]).toMatchObject({ filledQuantity: 0 });
  });
});

describe('exchange-rules: Sessions, baskets', () => {
  const at = (time: string): number => Date.parse(`2026-11-23T${time}+05:30`);

  test('a basket is rejected while its legs do not trade', () => {
    const b = basketing({ hours: 'exchange', startAt: at('08:00:00') });
    expect(b.get(b.enter({ product: 'CNC' }))).toMatchObject({
      status: 'REJECTED',
      reason: expect.stringContaining('MARKET_CLOSED'),
    });
  });

  test('with an entry time it waits for the session; what is not entered by the close is cancelled then', () => {
    const b = basketing({ hours: 'exchange', startAt: at('08:00:00') });
    const early = b.enter({ product: 'CNC', entryTime: at('09:00:00') });
    const never = b.enter({ product: 'CNC', entryTime: at('09:00:00'), priceType: 'LIMIT', entryPrice: 100 });
    b.pass(at('09:14:59') - b.now());
    expect(b.get(early).status).toBe('OPEN');
    b.pass(1000);
    expect(b.get(early).status).toBe('FILLED');
    b.pass(at('15:29:59') - b.now());
    expect(b.get(never).status).toBe('OPEN');
    b.pass(1000);
    expect(b.get(never)).toMatchObject({ status: 'CANCELLED', reason: 'not entered by the close' });
  });

  test('an exit asked for after the close is done when the legs trade again', () => {
    const b = basketing({ hours: 'exchange', startAt: at('15:00:00') });
    const id = b.enter({ product: 'CNC' });
    b.pass(at('16:30:00') - b.now());
    b.baskets.cancel(id, b.now());
    b.pass(3_600_000);
    expect(b.get(id).status).toBe('FILLED');
    expect(b.events.some(({ type }) => type === 'rejected')).toBe(false);
    b.pass(at('09:15:00') + 86_400_000 - b.now());
    expect(b.get(id)).toMatchObject({ status: 'CLOSED', exitCause: 'REQUEST' });
  });
});

describe('specification: Basket rules, exit', () => {
  const held = (given: Partial<NewBasket>): { b: Basketing; id: bigint } => {
    const b = basketing();
    return { b, id: b.enter({ stoplossPrice: 19_000, targetPrice: 21_000, ...given }) };
  };

  test('stop loss and target are one-cancels-other: stop loss', () => {
    const { b, id } = held({});
    b.prices(11_005, 8_000);
    expect(b.get(id).status).toBe('FILLED');
    b.prices(11_000, 8_000);
    expect(b.get(id)).toMatchObject({ status: 'CLOSED', exitCause: 'STOPLOSS' });
    b.prices(15_000, 8_000);
    expect(b.story(id)).toEqual(['received', 'accepted', 'entry_triggered', 'entered', 'exit_triggered', 'closed']);
    expect(
      b.get(id).legs.every(({ filledQuantity, exitQuantity }) => filledQuantity === 65 && exitQuantity === 65),
    ).toBe(true);
  });

  test('stop loss and target are one-cancels-other: target', () => {
    const { b, id } = held({});
    b.prices(13_000, 8_000);
    expect(b.get(id)).toMatchObject({ status: 'CLOSED', exitCause: 'TARGET' });
    b.prices(5_000, 8_000);
    expect(b.story(id).filter((type) => type === 'exit_triggered')).toHaveLength(1);
    expect(b.baskets.profit(b.get(id), b.now())).toBe(65 * (12_995 - 12_005 + 7_995 - 8_005));
  });

  test('trailing: the stop loss follows the best net price in whole jumps, never back', () => {
    const { b, id } = held({ targetPrice: null, trailJump: 200 });
    b.prices(12_405, 8_000);
    expect(b.get(id).stoplossNow).toBe(19_200);
    b.prices(12_110, 8_000);
    expect(b.get(id)).toMatchObject({ stoplossNow: 19_200, status: 'FILLED' });
    b.prices(11_200, 8_000);
    expect(b.get(id)).toMatchObject({ status: 'CLOSED', exitCause: 'TRAILING_STOP' });
    expect(b.told.find(({ type }) => type === 'trail_updated')).toMatchObject({ stoplossPrice: 19_200 });
  });

  test('the exit time is hard, 15:05 by default, for intraday only', () => {
    const { b, id } = held({});
    expect(new Date(b.get(id).exitTime!).toISOString()).toBe('2026-11-23T09:35:00.000Z');
    b.pass(Date.UTC(2026, 10, 23, 9, 34, 59) - b.now());
    expect(b.get(id).status).toBe('FILLED');
    b.pass(1000);
    expect(b.get(id)).toMatchObject({ status: 'CLOSED', exitCause: 'EXIT_TIME' });
    const carried = b.enter({ product: 'CNC' });
    expect(b.get(carried).exitTime).toBeNull();
  });

  test('a basket that was not entered by its exit time is cancelled', () => {
    const b = basketing();
    const id = b.enter({ priceType: 'LIMIT', entryPrice: 10_000, exitTime: b.now() + 5000 });
    b.pass(5000);
    expect(b.get(id)).toMatchObject({ status: 'CANCELLED', reason: 'not entered by its exit time' });
  });

  test('its owner cancels it before the entry and exits it after', () => {
    const b = basketing();
    const waiting = b.enter({ priceType: 'LIMIT', entryPrice: 10_000 });
    expect(b.baskets.cancel(waiting, b.now())).toEqual({ ok: true });
    expect(b.baskets.cancel(waiting, b.now())).toMatchObject({ code: 'BASKET_NOT_OPEN' });
    expect(b.get(waiting).status).toBe('CANCELLED');
    const entered = b.enter();
    b.baskets.cancel(entered, b.now());
    b.pass(1);
    expect(b.get(entered)).toMatchObject({ status: 'CLOSED', exitCause: 'REQUEST' });
    expect(b.baskets.cancel(1n, b.now())).toMatchObject({ code: 'BASKET_NOT_FOUND' });
  });

  test('what could not be sold is sold later', () => {
    const { b, id } = held({});
    b.market.shown = 0;
    b.prices(11_000, 8_000);
    b.pass(3000);
    expect(b.get(id).status).toBe('FILLED');
    b.market.shown = 200;
    b.pass(1000);
    expect(b.get(id).status).toBe('CLOSED');
  });

  test('nothing is due once all baskets are over', () => {
    const b = basketing({ hours: 'exchange' });
    b.baskets.cancel(b.enter(), b.now());
    b.pass(15_000);
    expect(b.exchange.nextDue()! - b.now()).toBeGreaterThan(3_600_000);
  });
});

describe('specification: Basket rules, refused each with its own text', () => {
  const leg = (refId: number, quantity = 65): NewBasket['legs'][number] => ({ refId, quantity, side: 'BUY' });
  test.each<[string, Partial<NewBasket>, string, string]>([
    ['no legs', { legs: [] }, 'BASKET_NO_LEGS', 'at least one leg'],
    [
      'another underlying',
      { legs: [leg(CALL.refId), leg(SHARE.refId)] },
      'BASKET_UNDERLYING',
      'has the underlying INFY',
    ],
    ['another exchange', { exchange: 'BSE' }, 'BASKET_EXCHANGE', 'all legs must be on BSE'],
    [
      'the same instrument twice',
      { legs: [leg(CALL.refId), leg(CALL.refId)] },
      'BASKET_SAME_LEG',
      'already in orders[0]',
    ],
    ['an index', { legs: [leg(INDEX.refId)] }, 'NOT_TRADABLE', "can't be traded"],
    ['an unknown instrument', { legs: [leg(1)] }, 'UNKNOWN_INSTRUMENT', 'orders[0]'],
    ['a lot', { legs: [leg(CALL.refId, 64)] }, 'LOT_SIZE', 'orders[0]: quantity entered is not a multiple'],
    [
      'freeze quantity through the multiplier',
      { multiplier: 28 },
      'FREEZE_QTY',
      'ORDER QTY IS GREATER THAN FREEZE QTY',
    ],
    ['the multiplier', { multiplier: 0 }, 'BASKET_MULTIPLIER', 'multiplier'],
    ['no limit price', { priceType: 'LIMIT' }, 'BASKET_ENTRY_PRICE', 'entry_price is needed'],
    [
      'stop loss not below the limit',
      { priceType: 'LIMIT', entryPrice: 19_000, stoplossPrice: 19_000 },
      'BASKET_STOPLOSS',
      'must be lower than entry_price (19000)',
    ],
    ['stop loss not below the market', { stoplossPrice: 20_000 }, 'BASKET_STOPLOSS', 'the net price now (20000)'],
    [
      'target not above the limit',
      { priceType: 'LIMIT', entryPrice: 19_000, targetPrice: 19_000 },
      'BASKET_TARGET',
      'must be higher than entry_price',
    ],
    [
      'momentum not below the target',
      { targetPrice: 21_000, momentumTriggerPrice: 21_000 },
      'BASKET_MOMENTUM',
      'must be lower than exit_price',
    ],
    ['half a paisa', { stoplossPrice: 100.5 }, 'BASKET_PRICE', 'stoploss_price must be a whole number of paise'],
    ['trailing without a stop loss', { trailJump: 100 }, 'BASKET_TRAIL', 'needs stoploss_price'],
    [
      'exit time with delivery',
      { product: 'CNC', exitTime: MONDAY_TEN + 60_000 },
      'BASKET_EXIT_TIME',
      'only for intraday',
    ],
    ['exit time in the past', { exitTime: MONDAY_TEN }, 'BASKET_EXIT_TIME', 'still to come'],
    [
      'exit time tomorrow',
      { exitTime: MONDAY_TEN + 86_400_000 },
      'BASKET_EXIT_TIME',
      'Intraday orders cannot have an expiry beyond today',
    ],
    [
      'entry after exit',
      { entryTime: MONDAY_TEN + 120_000, exitTime: MONDAY_TEN + 60_000 },
      'BASKET_ENTRY_TIME',
      'before exit_time',
    ],
  ])('%s', (_name, given, code, text) => {
    const b = basketing();
    expect(b.baskets.place(straddle(given), b.now())).toMatchObject({
      ok: false,
      code,
      text: expect.stringContaining(text),
    });
    expect(b.told).toEqual([]);
  });
});

test('specification: Basket rules, 6: a basket cannot be modified, nor its legs one by one', () => {
  const b = basketing({ latency: { send: [10, 10], exchange: [100, 100], list: [0, 0] } });
  const id = b.enter();
  b.pass(115);
  const [leg] = b.exchange.orders('A', b.now() + 1000);
  expect(leg).toMatchObject({ basketId: id, status: 'PENDING' });
  for (const asked of [b.exchange.modify(leg!.id, { quantity: 130 }, b.now()), b.exchange.cancel(leg!.id, b.now())]) {
    expect(asked).toMatchObject({
      ok: false,
      code: 'BASKET_LEG',
      text: expect.stringContaining('a basket cannot be modified'),
    });
  }
});

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
  const told: BasketEvent[] = [];
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
  baskets.onEvent((event) => told.push(event));
  const seen = b.told.length;
  expect(baskets.state()).toEqual(b.baskets.state());
  b.prices(11_000, 8_000);
  exchange.pass(1000);
  expect(baskets.basket(id)!.status).toBe('CLOSED');
  expect(told).toEqual(b.told.slice(seen));
});

test('whatever prices do: at most one exit, never more sold than was bought, flat at the end, the same again when replayed', () => {
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
        const basket = b.told.at(-1)!.basket;
        expect(b.told.filter(({ type }) => type === 'exit_triggered').length).toBeLessThanOrEqual(1);
        expect(['CLOSED', 'CANCELLED']).toContain(basket.status);
        for (const { basket: then } of b.told)
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
        expect(run().told).toEqual(b.told);
      },
    ),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? 20) },
  );
});
