import type { NewBasket } from '../../../../sandbox/src/exchange/strategies/v2-basket-types';
import { basketing, type Basketing } from '../../../support/basketing';
import { CALL, PUT } from '../../../support/still-market';

describe('Basket rules, entry', () => {
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

  test('filled legs are taken back when a leg is rejected, and the basket is rejected with the reason', () => {
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

describe('Prices, market price protection of baskets', () => {
  /** Nothing is there to trade with in these instruments. */
  function withoutDepth(b: Basketing, ...refIds: number[]): void {
    const depth = b.market.depth.bind(b.market);
    b.market.depth = (instrument, at, around, levels) =>
      refIds.includes(instrument.refId) ? { bids: [], asks: [] } : depth(instrument, at, around, levels);
  }

  test('an entry of which a leg finds nothing to trade with is taken back after three orders', () => {
    const b = basketing();
    withoutDepth(b, PUT.refId);
    const id = b.enter();
    b.pass(3_600_000);
    expect(b.get(id)).toMatchObject({ status: 'REJECTED', reason: expect.stringContaining(`leg ${PUT.refId}`) });
    const [call, put] = b.get(id).legs;
    expect(call).toMatchObject({ filledQuantity: 65, exitQuantity: 65 });
    expect([put!.filledQuantity, put!.orderIds.length]).toEqual([0, 3]);
  });

  test('an exit that finds nothing to trade with is tried every half a minute, until it is done', () => {
    const b = basketing();
    const { depth } = b.market;
    const id = b.enter();
    withoutDepth(b, PUT.refId);
    b.pass(1000);
    b.baskets.cancel(id, b.now());
    b.pass(10 * 60_000);
    expect(b.get(id).legs[1]!.orderIds.length - 1).toBe(3 + 19);
    expect(b.get(id)).toMatchObject({ status: 'FILLED', legs: [{ exitQuantity: 65 }, { exitQuantity: 0 }] });
    b.market.depth = depth;
    b.pass(31_000);
    expect(b.get(id)).toMatchObject({ status: 'CLOSED', legs: [{ exitQuantity: 65 }, { exitQuantity: 65 }] });
  });
});

describe('Sessions, baskets', () => {
  const at = (time: string): number => Date.parse(`2026-11-23T${time}+05:30`);

  test('a basket is rejected while its legs do not trade', () => {
    const b = basketing({ hours: 'exchange', startAt: at('08:00:00') });
    expect(b.get(b.enter({ product: 'CNC' }))).toMatchObject({
      status: 'REJECTED',
      reason: expect.stringContaining('MARKET_CLOSED'),
    });
  });

  test('a basket with an entry time waits for the session; what is not entered by the close is cancelled then', () => {
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

describe('Basket rules, exit', () => {
  const held = (given: Partial<NewBasket>): { b: Basketing; id: bigint } => {
    const b = basketing();
    return { b, id: b.enter({ stoplossPrice: 19_000, targetPrice: 21_000, ...given }) };
  };

  test('the stop loss cancels the target', () => {
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

  test('the target cancels the stop loss', () => {
    const { b, id } = held({});
    b.prices(13_000, 8_000);
    expect(b.get(id)).toMatchObject({ status: 'CLOSED', exitCause: 'TARGET' });
    b.prices(5_000, 8_000);
    expect(b.story(id).filter((type) => type === 'exit_triggered')).toHaveLength(1);
    expect(b.baskets.profit(b.get(id), b.now())).toBe(65 * (12_995 - 12_005 + 7_995 - 8_005));
  });

  test('a trailing stop loss follows the best net price in whole jumps, never back', () => {
    const { b, id } = held({ targetPrice: null, trailJump: 200 });
    b.prices(12_405, 8_000);
    expect(b.get(id).stoplossNow).toBe(19_200);
    b.prices(12_110, 8_000);
    expect(b.get(id)).toMatchObject({ stoplossNow: 19_200, status: 'FILLED' });
    b.prices(11_200, 8_000);
    expect(b.get(id)).toMatchObject({ status: 'CLOSED', exitCause: 'TRAILING_STOP' });
    expect(b.basketEvents.find(({ type }) => type === 'trail_updated')).toMatchObject({ stoplossPrice: 19_200 });
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

  test('a leg that could not be sold is sold later', () => {
    const { b, id } = held({});
    b.market.shown = 0;
    b.prices(11_000, 8_000);
    b.pass(3000);
    expect(b.get(id).status).toBe('FILLED');
    b.market.shown = 200;
    b.pass(30_000);
    expect(b.get(id).status).toBe('CLOSED');
  });

  test('nothing is due once all baskets are over', () => {
    const b = basketing({ hours: 'exchange' });
    b.baskets.cancel(b.enter(), b.now());
    b.pass(15_000);
    expect(b.exchange.nextDue()! - b.now()).toBeGreaterThan(3_600_000);
  });

  test('a change of the stop loss counts from then on; one of the target leaves the stop loss', () => {
    const { b, id } = held({});
    expect(b.baskets.modify(id, { stoplossPrice: 18_500 }, b.now())).toEqual({ ok: true });
    b.prices(11_000, 8_000);
    expect(b.get(id)).toMatchObject({ status: 'FILLED', stoplossPrice: 18_500, stoplossNow: 18_500 });
    expect(b.baskets.modify(id, { targetPrice: 22_000 }, b.now())).toEqual({ ok: true });
    expect(b.get(id)).toMatchObject({ targetPrice: 22_000, stoplossNow: 18_500 });
    b.prices(10_500, 8_000);
    expect(b.get(id)).toMatchObject({ status: 'CLOSED', exitCause: 'STOPLOSS', reason: '' });
  });

  test('bought legs are sold and sold legs are bought, the purchases first', () => {
    const b = basketing();
    const legs = [
      { refId: PUT.refId, quantity: 65, side: 'SELL' as const },
      { refId: CALL.refId, quantity: 65, side: 'BUY' as const },
    ];
    const id = b.enter({ legs, targetPrice: 5_000 });
    b.prices(13_000, 8_000);
    expect(b.get(id)).toMatchObject({ status: 'CLOSED', exitCause: 'TARGET', reason: '' });
    const placed = b.events.flatMap(({ type, order }) => (type === 'received' ? [[order.refId, order.side]] : []));
    expect(placed).toEqual([
      [CALL.refId, 'BUY'],
      [PUT.refId, 'SELL'],
      [PUT.refId, 'BUY'],
      [CALL.refId, 'SELL'],
    ]);
  });

  test('a basket that is over is forgotten once its day is, while others are looked at', () => {
    const b = basketing();
    const over = b.enter({ product: 'CNC' });
    b.baskets.cancel(over, b.now());
    const waiting = b.enter({ product: 'CNC', priceType: 'LIMIT', entryPrice: 10_000 });
    b.pass(Date.parse('2026-11-23T23:59:59.000+05:30') - b.now());
    expect(b.get(over).status).toBe('CLOSED');
    b.enter({ product: 'CNC' });
    b.pass(2_000);
    expect([b.baskets.basket(over), b.get(waiting).status]).toEqual([undefined, 'CANCELLED']);
  });
});

describe('A basket at the end of its day', () => {
  const at = (time: string): number => Date.parse(`2026-11-23T${time}+05:30`);
  const late = (): Basketing => basketing({ hours: 'exchange', startAt: at('15:29:58') });

  test('is cancelled where it waits, and rejected where a leg is not complete', () => {
    const b = late();
    const waits = b.enter({ product: 'CNC', priceType: 'LIMIT', entryPrice: 100 });
    b.market.shown = 65;
    const depth = b.market.depth.bind(b.market);
    b.market.depth = (...requested) => ({ bids: depth(...requested).bids, asks: depth(...requested).asks.slice(0, 1) });
    const begun = b.enter({ product: 'CNC', multiplier: 2 });
    b.market.depth = () => ({ bids: [], asks: [] });
    b.pass(1_999);
    expect([b.get(waits).status, b.get(begun).status]).toEqual(['OPEN', 'OPEN']);
    b.pass(1);
    expect(b.get(waits)).toMatchObject({
      status: 'CANCELLED',
      exitCause: 'EXIT_TIME',
      reason: 'not entered by the close',
    });
    expect(b.get(begun)).toMatchObject({ exitCause: 'FAILED_ENTRY', reason: 'not entered by the close' });
    expect(b.story(waits)).toEqual(['received', 'accepted', 'cancelled']);
  });

  test('is carried to the next as a delivery, and gone with a contract of it', () => {
    const b = basketing({ startAt: at('23:59:58') });
    const id = b.enter({ product: 'CNC' });
    b.pass(3_000);
    expect(b.get(id)).toMatchObject({ status: 'FILLED', reason: '' });
    const universe = b.market.universe(b.now());
    const byRefId = (refId: number) => (refId === PUT.refId ? undefined : universe.byRefId(refId));
    b.market.universe = () => ({ ...universe, byRefId });
    b.pass(1_000);
    expect(b.get(id)).toMatchObject({ status: 'CLOSED', reason: 'a leg has expired' });
  });
});

describe('The orders of a basket', () => {
  test('are not placed any more once one is refused', () => {
    const b = basketing();
    const id = b.enter({ priceType: 'LIMIT', entryPrice: 19_000 });
    const universe = b.market.universe(b.now());
    const byRefId = (refId: number) => {
      const found = universe.byRefId(refId);
      return found && refId === CALL.refId ? { ...found, lotSize: 130, lotMultiplier: 130 } : found;
    };
    b.market.universe = () => ({ ...universe, byRefId });
    b.prices(11_000, 8_000);
    expect(b.get(id)).toMatchObject({ status: 'REJECTED', reason: expect.stringContaining(`leg ${CALL.refId}`) });
    expect(b.events).toEqual([]);
  });

  test('are separate: others are none of its business', () => {
    const b = basketing();
    const id = b.place({ refId: CALL.refId, quantity: 65, product: 'IDAY', price: 12_005 });
    expect(b.order(id).status).toBe('FILLED');
    expect(b.basketEvents).toEqual([]);
  });
});

test('a list shows the baskets of an account from the time on that lists take', () => {
  const b = basketing({ latency: { send: [0, 0], exchange: [100, 100], list: [300, 300] } });
  const id = b.enter();
  const listed = (account: string) => b.baskets.baskets(account, b.now()).map((basket) => basket.id);
  b.pass(399);
  expect(listed('A')).toEqual([]);
  b.pass(1);
  expect([listed('A'), listed('B')]).toEqual([[id], []]);
});

test('a corporate action changes the contracts that baskets know, but for those that are gone', () => {
  const b = basketing();
  b.enter();
  const universe = b.market.universe(b.now());
  const byRefId = (refId: number) => {
    const found = universe.byRefId(refId);
    return found && refId === CALL.refId ? { ...found, lotSize: 130, lotMultiplier: 130 } : undefined;
  };
  const known = () => b.baskets.state().known.map(({ refId, lotSize }) => [refId, lotSize]);
  b.market.universe = () => ({ ...universe, byRefId });
  b.baskets.relist([CALL.refId], b.now());
  expect(known()).toEqual([
    [CALL.refId, 65],
    [PUT.refId, 65],
  ]);
  b.baskets.relist([CALL.underlyingRefId!], b.now());
  expect(known()).toEqual([
    [CALL.refId, 130],
    [PUT.refId, 65],
  ]);
});
