import {
  exitTimeOf,
  legsRefusal,
  legStates,
  termsRefusal,
} from '../../../../sandbox/src/exchange/strategies/v2-basket-rules';
import type { NewBasket } from '../../../../sandbox/src/exchange/strategies/v2-basket-types';
import { basketing, straddle } from '../../../support/basketing';
import { CALL, INDEX, MONDAY_TEN, SHARE } from '../../../support/still-market';

describe('Basket rules, refused each with its own text', () => {
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
  ])('a basket is refused: %s', (_name, given, code, text) => {
    const b = basketing();
    expect(b.baskets.place(straddle(given), b.now())).toMatchObject({
      ok: false,
      code,
      text: expect.stringContaining(text),
    });
    expect(b.basketEvents).toEqual([]);
  });
});

test('a basket cannot be modified, nor its legs one by one', () => {
  const b = basketing({ latency: { send: [10, 10], exchange: [100, 100], list: [0, 0] } });
  const id = b.enter();
  b.pass(115);
  const [leg] = b.exchange.orders('A', b.now() + 1000);
  expect(leg).toMatchObject({ basketId: id, status: 'PENDING' });
  for (const requested of [
    b.exchange.modify(leg!.id, { quantity: 130 }, b.now()),
    b.exchange.cancel(leg!.id, b.now()),
  ]) {
    expect(requested).toMatchObject({
      ok: false,
      code: 'BASKET_LEG',
      text: expect.stringContaining('a basket cannot be modified'),
    });
  }
});

describe('prices and times of a basket at their edges', () => {
  const CLOSE = MONDAY_TEN + 330 * 60_000;
  const limit = { priceType: 'LIMIT', entryPrice: 19_000 } as const;
  const delivery = { product: 'CNC' } as const;
  test.each<[string, Partial<NewBasket>, string | undefined]>([
    ['at market, without exits', {}, undefined],
    ['a stop loss a paisa below the price', { stoplossPrice: 19_999 }, undefined],
    ['a stop loss a paisa below the limit', { ...limit, stoplossPrice: 18_999 }, undefined],
    ['a stop loss between limit and price', { ...limit, stoplossPrice: 19_500 }, 'BASKET_STOPLOSS'],
    ['a target a paisa above the price', { targetPrice: 20_001 }, undefined],
    ['a target at the price', { targetPrice: 20_000 }, 'BASKET_TARGET'],
    ['a target a paisa above the limit', { ...limit, targetPrice: 19_001 }, undefined],
    ['a momentum trigger a paisa below the target', { targetPrice: 21_000, momentumTriggerPrice: 20_999 }, undefined],
    ['a momentum trigger without a target', { momentumTriggerPrice: 30_000 }, undefined],
    ['a stop that trails by a paisa', { stoplossPrice: 19_000, trailJump: 1 }, undefined],
    ['a stop that trails by nothing', { stoplossPrice: 19_000, trailJump: 0 }, 'BASKET_TRAIL'],
    ['a stop that trails by half a paisa', { stoplossPrice: 19_000, trailJump: 0.5 }, 'BASKET_TRAIL'],
    ['a limit between paise', { ...limit, entryPrice: 0.5 }, 'BASKET_PRICE'],
    ['a target between paise', { targetPrice: 21_000.5 }, 'BASKET_PRICE'],
    ['a momentum trigger between paise', { momentumTriggerPrice: 0.5 }, 'BASKET_PRICE'],
    ['a credit: a limit below nothing', { priceType: 'LIMIT', entryPrice: -5, targetPrice: 0 }, undefined],

    ['an exit time a moment away', { exitTime: MONDAY_TEN + 1 }, undefined],
    ['an exit time now', { exitTime: MONDAY_TEN }, 'BASKET_EXIT_TIME'],
    ['an exit time at the close', { exitTime: CLOSE }, undefined],
    ['an exit time after it', { exitTime: CLOSE + 1 }, 'BASKET_EXIT_TIME'],
    ['an exit time tomorrow', { exitTime: MONDAY_TEN + 86_400_000 }, 'BASKET_EXIT_TIME'],
    ['an exit time that is none', { exitTime: MONDAY_TEN + 1.5 }, 'BASKET_EXIT_TIME'],
    ['an entry time before the close', { ...delivery, entryTime: CLOSE - 1 }, undefined],
    ['an entry time at the close', { ...delivery, entryTime: CLOSE }, 'BASKET_ENTRY_TIME'],
    ['an entry time that is none', { ...delivery, entryTime: 0.5 }, 'BASKET_ENTRY_TIME'],
    ['an entry time just before the exit time', { entryTime: CLOSE - 2, exitTime: CLOSE - 1 }, undefined],
    ['an entry time at the exit time', { entryTime: CLOSE - 1, exitTime: CLOSE - 1 }, 'BASKET_ENTRY_TIME'],
  ])('are allowed or refused: %s', (_what, given, code) => {
    const refused = termsRefusal(straddle(given), { at: MONDAY_TEN, close: CLOSE, netPrice: 20_000 });
    expect(refused?.code).toBe(code);
  });

  test('an exit time of tomorrow is refused although the market never closes', () => {
    const always = { at: MONDAY_TEN, close: MONDAY_TEN + 3 * 86_400_000, netPrice: 20_000 };
    expect(termsRefusal(straddle({ exitTime: MONDAY_TEN + 86_400_000 }), always)?.code).toBe('BASKET_EXIT_TIME');
  });

  test('the usual exit is at 15:05, then five minutes before the close; later there is none for today', () => {
    const usual = MONDAY_TEN + 305 * 60_000;
    const exit = (at: number) => exitTimeOf({ product: 'IDAY', exitTime: null }, at, CLOSE);
    expect([exit(usual - 1), exit(usual), exit(CLOSE - 300_001), exit(CLOSE - 300_000)]).toEqual([
      usual,
      CLOSE - 300_000,
      CLOSE - 300_000,
      undefined,
    ]);
    expect(exitTimeOf({ product: 'IDAY', exitTime: 7 }, usual, CLOSE)).toBe(7);
    expect(exitTimeOf({ product: 'CNC', exitTime: null }, usual, CLOSE)).toBeNull();
    const late = { at: CLOSE - 300_000, close: CLOSE, netPrice: 20_000 };
    expect([termsRefusal(straddle(), late)?.code, termsRefusal(straddle(delivery), late)?.code]).toEqual([
      'BASKET_EXIT_TIME',
      undefined,
    ]);
  });

  test('legs are counted in what their quantities have in common, sold ones below nothing', () => {
    const legs = ([195, 130, 65] as const).map((quantity, n) => ({
      refId: CALL.refId + n,
      quantity,
      side: n === 1 ? ('SELL' as const) : ('BUY' as const),
    }));
    const states = legStates(straddle({ legs, multiplier: 2 }));
    expect(states.map(({ refId, side, ratio, quantity }) => [refId, side, ratio, quantity])).toEqual([
      [CALL.refId, 'BUY', 3, 390],
      [CALL.refId + 1, 'SELL', -2, 260],
      [CALL.refId + 2, 'BUY', 1, 130],
    ]);
    const nothing = { filledQuantity: 0, filledValue: 0, exitQuantity: 0, exitValue: 0, orderIds: [], workingId: 0n };
    expect(states[0]).toMatchObject(nothing);
  });

  test('legs as large as an order may be are taken, by themselves and multiplied', () => {
    const leg = (quantity: number): NewBasket['legs'][number] => ({ refId: CALL.refId, quantity, side: 'BUY' });
    const refused = (quantity: number, multiplier: number) =>
      legsRefusal(straddle({ legs: [leg(quantity)], multiplier }), () => ({ ...CALL, freezeQty: 1_820 }), 0)?.code;
    expect([refused(65, 28), refused(1_820, 1), refused(65, 29), refused(1_885, 1)]).toEqual([
      undefined,
      undefined,
      'FREEZE_QTY',
      'FREEZE_QTY',
    ]);
    expect([refused(65, 1.5), refused(0, 1), refused(66, 65)]).toEqual([
      'BASKET_MULTIPLIER',
      'INVALID_QUANTITY',
      'LOT_SIZE',
    ]);
  });
});
