import { intending, type Intending } from '../../../support/intents';
import { CALL, MONDAY_TEN, PUT, SHARE } from '../../../support/still-market';
import type { NewIntent } from '../../../../sandbox/src/exchange/strategies/types';

describe('The entry of an intent order', () => {
  test('begins at its time, not before', () => {
    const t = intending();
    const id = t.enter({ price: 150_100, entry: { condition: null, time: MONDAY_TEN + 10_000 } });
    t.pass(9_999);
    expect(t.life(id)).toEqual(['received', 'accepted']);
    t.pass(1);
    expect(t.life(id)).toEqual(['received', 'accepted', 'entry_triggered', 'executed']);
  });

  test.each<[string, NewIntent['entry'], boolean]>([
    ['a price', { condition: { kind: 'ABOVE', price: 149_000 }, time: null }, true],
    ['a price that is there already', { condition: { kind: 'AT_OR_BELOW', price: 150_000 }, time: null }, true],
    ['nothing', { condition: null, time: null }, false],
  ])('is told to be triggered where it waited for something: %s', (_name, entry, reported) => {
    const t = intending();
    expect(t.life(t.enter({ price: 150_100, entry })).includes('entry_triggered')).toBe(reported);
  });

  test.each([0, -1, 1.5])('is refused for a quantity of %d', (quantity) => {
    expect(intending().refusal({ quantity })).toBe(`qty must be a whole number above 0, not ${quantity}`);
  });

  test('is not changed to a price that a new order could not have, where a part of it is filled', () => {
    const t = intending();
    t.market.shown = 4;
    const id = t.enter({ price: 150_010 });
    expect(t.get(id)).toMatchObject({ filledQuantity: 4, filledPrice: 150_010 });
    expect(t.intents.modify(id, { price: 150_011 }, t.now())).toMatchObject({ ok: false, code: 'TICK_SIZE' });
  });

  test('sends regular orders, and icebergs where a slice holds more than is to be seen', () => {
    const t = intending();
    t.enter({ quantity: SHARE.freezeQty + 5, price: 149_000, iceberg: { maxQuantity: 10, legs: null } });
    const orders = t.exchange.orders('A', t.now()).map(({ kind, quantity, legSize }) => ({ kind, quantity, legSize }));
    expect(orders).toEqual([
      { kind: 'ICEBERG', quantity: SHARE.freezeQty, legSize: 10 },
      { kind: 'REGULAR', quantity: 5, legSize: 0 },
    ]);
  });

  test('goes on in slices to the last one, also where the first is filled before the next is placed', () => {
    const t = intending();
    t.market.shown = SHARE.freezeQty;
    const id = t.enter({ quantity: SHARE.freezeQty + 5, price: 150_100 });
    expect(t.life(id)).toEqual(['received', 'accepted', 'executed']);
    expect(t.get(id)).toMatchObject({ status: 'EXECUTED', filledQuantity: SHARE.freezeQty + 5 });
  });

  test('ends as cancelled by the exchange where risk refuses its second slice, as something of it is filled', () => {
    const t = intending({
      risk: {
        hold: (_id, { quantity }) => (quantity === 5 ? { ok: false, code: 'X', text: 'NO_MARGIN' } : { ok: true }),
        amend: () => ({ ok: true }),
      },
    });
    t.market.shown = SHARE.freezeQty;
    const id = t.enter({ quantity: SHARE.freezeQty + 5, price: 150_100 });
    expect(t.life(id).at(-1)).toBe('unsolicited_cancel');
    const ended = { status: 'CANCELLED', reason: 'NO_MARGIN', filledQuantity: SHARE.freezeQty, rejectedAt: 0n };
    expect(t.get(id)).toMatchObject(ended);
    expect(t.get(id).cancelledAt).toBeGreaterThan(0n);
  });

  test('ends where the exchange expels it, also without a fill', () => {
    const t = intending();
    const id = t.enter({ price: 149_000 });
    const [order] = t.exchange.orders('A', t.now());
    t.exchange.expel(order!.id, 'MEMBER_SUSPENDED', t.now());
    expect(t.life(id).at(-1)).toBe('unsolicited_cancel');
    expect(t.get(id)).toMatchObject({ status: 'CANCELLED', reason: 'MEMBER_SUSPENDED', rejectedAt: 0n });
  });
});

describe('Intent orders', () => {
  test('are looked at no more where they are over', () => {
    const t = intending({ hours: 'exchange' });
    const id = t.enter({ price: 150_100 });
    t.pass(15_000);
    expect(t.get(id).status).toBe('EXECUTED');
    expect(t.exchange.nextDue()! - t.now()).toBeGreaterThan(3_600_000);
  });

  test('are listed for an account, oldest first, until the day after they are over', () => {
    const t = intending({ startAt: MONDAY_TEN + 14 * 3_600_000 - 11_000 });
    const [over, waits] = [t.enter({ price: 150_100 }), t.enter({ price: 149_000 })];
    const other = t.enter({ account: 'B', price: 149_000 });
    const listed = (account: string) => t.intents.intents(account, t.now()).map(({ id }) => id);
    expect([listed('A'), listed('B')]).toEqual([[over, waits], [other]]);
    t.pass(12_000);
    const next = t.enter({ price: 149_000 });
    expect(listed('A')).toEqual([waits, next]);
    expect(t.intents.intent(over)).toBeUndefined();
  });

  test('end as cancelled with IOC where the price is not there', () => {
    const t = intending();
    const id = t.enter({ validity: 'IOC', price: 149_000 });
    expect(t.life(id)).toEqual(['received', 'accepted', 'cancelled']);
    expect(t.get(id).status).toBe('CANCELLED');
  });
});

describe('The orders of a strategy', () => {
  const legs = [
    { refId: PUT.refId, unit: -1 },
    { refId: CALL.refId, unit: 1 },
  ];

  function held(prepare: (t: Intending) => void = () => undefined): { t: Intending; id: bigint } {
    const t = intending();
    t.market.prices.set(CALL.refId, 12_000);
    t.market.prices.set(PUT.refId, 8_000);
    t.market.shown = 1040;
    prepare(t);
    const market = { priceType: 'MARKET', validity: 'IOC', price: 0 } as const;
    const exits = { stop: null, target: { trigger: 5_000, limit: 4_900 }, time: null };
    return { t, id: t.enter({ multi: true, legs, quantity: 65, product: 'IDAY', ...market, exits }) };
  }

  test('buy before they sell, on the way in and on the way out', () => {
    const { t, id } = held();
    t.market.prices.set(CALL.refId, 13_100);
    t.pass(1_000);
    const placed = t.events.flatMap(({ type, order }) => (type === 'received' ? [[order.refId, order.side]] : []));
    expect(placed).toEqual([
      [CALL.refId, 'BUY'],
      [PUT.refId, 'SELL'],
      [PUT.refId, 'BUY'],
      [CALL.refId, 'SELL'],
    ]);
    expect(t.exit(id, 'target').status).toBe('FILLED');
  });

  test('are not placed again for a leg that is out already', () => {
    const { t, id } = held();
    const depth = t.market.depth.bind(t.market);
    t.market.depth = (instrument, ...rest) =>
      instrument.refId === CALL.refId ? { bids: [], asks: [] } : depth(instrument, ...rest);
    t.market.prices.set(CALL.refId, 13_100);
    t.pass(10_000);
    expect(t.get(id).legs.map(({ exitQuantity }) => exitQuantity)).toEqual([65, 0]);
    const bought = t.events.filter(({ type, order }) => type === 'received' && order.refId === PUT.refId);
    expect(bought).toHaveLength(2);
    const sold = t.events.filter(({ type, order }) => type === 'received' && order.refId === CALL.refId);
    expect(sold.length).toBeGreaterThan(2);
  });

  test('are told of no trigger where the strategy waits for nothing', () => {
    const { t, id } = held();
    expect(t.life(id)).toEqual(['received', 'accepted', 'executed']);
  });

  test('make no price of the entry before every leg has some of it', () => {
    const { t, id } = begun();
    expect(t.get(id).legs.map(({ filledQuantity }) => filledQuantity)).toEqual([0, 65]);
    expect(t.get(id)).toMatchObject({ status: 'OPEN', filledQuantity: 0, filledPrice: 0 });
  });

  test('are given up where nothing is there to trade with, and what is held is closed by the owner’s way out', () => {
    const { t, id } = begun();
    t.pass(5_000);
    expect(t.get(id)).toMatchObject({ status: 'CANCELLED', reason: expect.stringMatching(/./) });
    expect(t.life(id)).toContain('unsolicited_cancel');
    expect(t.exit(id, 'request')).toMatchObject({ status: 'FILLED' });
    expect(t.get(id).legs.map(({ exitQuantity }) => exitQuantity)).toEqual([0, 65]);
  });

  /** A strategy with one leg that finds nothing to trade with. */
  function begun(): { t: Intending; id: bigint } {
    return held((t) => {
      const depth = t.market.depth.bind(t.market);
      t.market.depth = (instrument, ...rest) =>
        instrument.refId === PUT.refId ? { bids: [], asks: [] } : depth(instrument, ...rest);
    });
  }
});
