import type { Instrument } from '../../../sandbox/src/market/reference/types';
import { FUTURE, INDEX, MONDAY_TEN, SHARE, stillMarket } from '../../support/still-market';
import { trading, type Trading } from '../../support/trading';

const DAY_MS = 86_400_000;
const at = (time: string): number => Date.parse(`2026-11-23T${time}+05:30`);

/** A market whose list of instruments the test exchanges, and keeps to the kinds that are asked for. */
function changingMarket(instruments: Instrument[]) {
  const market = stillMarket(150_000, instruments);
  const state = { instruments };
  const universe = market.universe(MONDAY_TEN);
  market.universe = () => ({
    ...universe,
    all: (_exchange, kinds) =>
      state.instruments.filter((instrument) => kinds?.includes(instrument.derivativeType) ?? true),
    byRefId: (refId) => state.instruments.find((instrument) => instrument.refId === refId),
  });
  return { market, state };
}

describe('Terms that a corporate action changes', () => {
  const terms = (t: Trading): Record<number, number> =>
    Object.fromEntries(t.exchange.state().engine.books.map(({ instrument }) => [instrument.refId, instrument.lotSize]));

  test('reach the books of the shares named and of their contracts, and no others', () => {
    const own: Instrument = { ...FUTURE, underlyingRefId: SHARE.refId };
    const other: Instrument = { ...FUTURE, refId: 7009 };
    const { market, state } = changingMarket([SHARE, own, other]);
    const t = trading({ market });
    for (const refId of [SHARE.refId, own.refId, other.refId])
      t.place({ refId, quantity: 65, product: 'IDAY', price: 149_000 });
    state.instruments = [SHARE, own, other].map((instrument) => ({ ...instrument, lotSize: 130, lotMultiplier: 130 }));
    t.exchange.relist([SHARE.refId], t.now());
    expect(terms(t)).toEqual({ [SHARE.refId]: 130, [own.refId]: 130, [other.refId]: 65 });
  });

  test('leave the book of a contract that is no longer listed unchanged', () => {
    const { market, state } = changingMarket([SHARE]);
    const t = trading({ market });
    t.place({ price: 149_000 });
    state.instruments = [];
    t.exchange.relist([SHARE.refId], t.now());
    expect(terms(t)).toEqual({ [SHARE.refId]: 1 });
  });
});

describe('Sessions, after the close', () => {
  test('users trade with each other at the closing price, whatever their limits are', () => {
    const t = trading({ hours: 'exchange', startAt: at('15:45:00') });
    t.market.shown = 0;
    const bought = t.place({ price: 150_500 });
    const sold = t.place({ account: 'B', side: 'SELL', price: 149_500 });
    expect([t.fills(bought), t.fills(sold)]).toEqual([[[150_000, 10]], [[150_000, 10]]]);
  });
});

describe('What others trade', () => {
  test('fills by the time that has passed: nothing when a price is moved within a step', () => {
    const t = trading({ hours: 'exchange' });
    t.market.volume = () => 1_000_000;
    t.market.shown = 0;
    const id = t.place({ price: 150_000 });
    for (const ms of [0, 400]) {
      t.pass(ms);
      t.exchange.movePrice(SHARE.refId, 150_000, t.now());
      expect(t.fills(id)).toEqual([]);
    }
    t.pass(600);
    expect(t.fills(id)).toEqual([[150_000, 10]]);
  });
});

describe('Prices, market-wide halts', () => {
  const bank: Instrument = { ...INDEX, refId: 7010, symbol: 'BANKNIFTY' };

  test.each([
    [INDEX, 134_999, true],
    [INDEX, 135_001, false],
    [bank, 100_000, false],
  ])(
    'a look at the indices stops trading where one of those that count has fallen far enough: %#',
    (index, price, halts) => {
      const { market } = changingMarket([SHARE, INDEX, bank]);
      const t = trading({ market });
      t.exchange.impose({ prices: [], volatilities: [], books: [], haltCheckTimes: [t.now() + 1000] }, t.now());
      market.prices.set(index.refId, price);
      t.pass(999);
      expect(t.order(t.place({ price: 149_000 })).status).toBe('OPEN');
      t.pass(1);
      expect(t.order(t.place({ price: 149_000 })).status).toBe(halts ? 'REJECTED' : 'OPEN');
    },
  );
});

describe('Orders that are kept', () => {
  test('one that never waited for a trigger leaves those that do alone when it is cancelled', () => {
    const t = trading();
    const stop = t.place({ kind: 'STOPLOSS', price: 151_200, triggerPrice: 151_000 });
    t.exchange.cancel(t.place({ price: 149_000 }), t.now());
    t.pass(1);
    t.market.prices.set(SHARE.refId, 151_000);
    t.pass(1000);
    expect(t.fills(stop)).toEqual([[151_010, 10]]);
  });

  test('one that the exchange ends is out of its book', () => {
    const t = trading();
    const id = t.place({ price: 149_000 });
    expect(t.exchange.expel(id, 'MEMBER_SUSPENDED', t.now())).toEqual({ ok: true });
    t.market.prices.set(SHARE.refId, 148_000);
    t.pass(1000);
    expect([t.order(id).status, t.fills(id)]).toEqual(['CANCELLED', []]);
  });

  test('an order that was over before the day began is forgotten, and one that is over since is not', () => {
    const t = trading();
    const [early, late] = [t.place({ price: 150_100 }), t.place({ price: 150_100, account: 'B' })];
    const kept = (): bigint[] => t.exchange.state().store.orders.map(({ order }) => order.id);
    t.pass(at('23:59:59.999') - t.now());
    expect(kept()).toEqual([early, late]);
    t.pass(1);
    expect(kept()).toEqual([]);
    const next = t.place({ price: 150_100 });
    t.pass(DAY_MS - 1);
    expect([kept(), t.exchange.orders('A', t.now()).map(({ id }) => id)]).toEqual([[next], [next]]);
    t.pass(1);
    expect([kept(), t.exchange.orders('A', t.now())]).toEqual([[], []]);
  });
});

describe('The book that is shown', () => {
  test('does not change in a halt', () => {
    const t = trading();
    t.market.price = (_instrument, now) => 150_000 + 10 * Math.floor((now - MONDAY_TEN) / 1000);
    t.pass(2_000);
    t.exchange.halt(true, t.now());
    t.pass(5_000);
    expect(t.exchange.lastPrice(SHARE, t.now())).toBe(150_020);
    t.exchange.halt(false, t.now());
    expect(t.exchange.lastPrice(SHARE, t.now())).toBe(150_070);
  });

  test('is thinner while a scenario makes it so', () => {
    const t = trading();
    const { asset } = t.market.exposure(SHARE.refId);
    const thin = { asset, from: t.now(), to: t.now() + 1000, part: 0.5, ticks: 0, trading: true };
    t.exchange.impose({ prices: [], volatilities: [], books: [thin], haltCheckTimes: [] }, t.now());
    const best = (): number => t.exchange.bookSnapshot(SHARE, t.now(), 1).bids[0]!.quantity;
    expect(best()).toBe(50);
    t.pass(1000);
    expect(best()).toBe(100);
  });

  test('is kept with an order as what a report measures its trades by', () => {
    const t = trading();
    expect(t.order(t.place({ price: 149_000 })).decisionPrices).toBe(149_990 + 150_010);
    t.market.shown = 0;
    t.pass(1000);
    expect(t.order(t.place({ price: 149_000, account: 'B' })).decisionPrices).toBeUndefined();
  });

  test.each([
    [true, [[149_990, 10]]],
    [false, []],
  ])('has lost the orders in front before others meet those behind, where the market was seen: %p', (seen, fills) => {
    const t = trading();
    if (seen) t.market.unknown = () => false;
    const level = (price: number) => [{ price, quantity: 10, orders: 1 }];
    t.market.depth = () => ({ bids: level(149_990), asks: level(150_010) });
    const id = t.place({ price: 149_990 });
    t.market.depth = () => ({ bids: [], asks: level(149_990) });
    t.pass(1000);
    expect(t.fills(id)).toEqual(fills);
  });

  test('is looked after every second in an auction', () => {
    const t = trading({ hours: 'exchange', startAt: at('09:01:00') });
    t.place({ price: 149_000 });
    expect(t.exchange.nextDue()).toBe(at('09:01:01'));
  });

  test('has the times of an order on it', () => {
    const t = trading();
    const { createdAt, sentAt, acknowledgedAt } = t.order(t.place({ price: 149_000 }));
    expect([sentAt > createdAt, acknowledgedAt > createdAt]).toEqual([true, true]);
  });
});
