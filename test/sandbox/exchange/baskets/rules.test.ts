import type { NewBasket } from '../../../../sandbox/src/exchange/baskets/types';
import { basketing, straddle } from '../../../support/basketing';
import { CALL, INDEX, MONDAY_TEN, SHARE } from '../../../support/still-market';

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
