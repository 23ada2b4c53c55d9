/** Bands, protections, halts and auctions at their edges, worked out by hand from the rules (docs/service/exchange-rules.md#sessions, docs/service/exchange-rules.md#prices). */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  allotAuctionTrades,
  AuctionCloses,
  auctionEquilibrium,
  quantityAt,
} from '../../../sandbox/src/exchange/auction';
import { breaksCircuit, circuitBreak } from '../../../sandbox/src/exchange/circuit-breaker';
import { MarketHalts } from '../../../sandbox/src/exchange/halt';
import { OrderBookSide } from '../../../sandbox/src/exchange/order-book-side';
import { priceBand, protectedLimit, worstLimit } from '../../../sandbox/src/exchange/price-bands';
import { TimedQueue } from '../../../sandbox/src/exchange/schedule';
import type { TradingPhase } from '../../../sandbox/src/exchange/trading-hours';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import { createRandomSource } from '../../../sandbox/src/shared/random';
import { CALL, FUTURE, INDEX, MONDAY_TEN, SHARE } from '../../support/still-market';

const MINUTE = 60_000;
const monday = (time: string) => Date.parse(`2026-11-23T${time}+05:30`);
const MIDNIGHT = monday('24:00:00');

describe('the price band', () => {
  test.each<[string, Instrument, number, number, [number, number]]>([
    ['a share with a fixed one, inwards to the tick', SHARE, 150_003, 150_000, [120_010, 180_000]],
    ['a price that was moved below it', SHARE, 150_000, 110_000, [110_000, 180_000]],
    ['a price that was moved above it', SHARE, 150_000, 190_000, [120_000, 190_000]],
    ['never below a tick, and a tick above the close', SHARE, 10, 10, [10, 20]],
    ['a contract: 10 %', FUTURE, 100_000, 100_000, [90_000, 110_000]],
    ['short of its edge it stays', FUTURE, 100_000, 109_800, [90_000, 110_000]],
    ['at its edge it slides by 5 %, on both sides', FUTURE, 100_000, 110_000, [95_000, 115_000]],
    ['short of the next edge', FUTURE, 100_000, 114_800, [95_000, 115_000]],
    ['at the next edge', FUTURE, 100_000, 115_000, [100_000, 120_000]],
    ['at its lower edge', FUTURE, 100_000, 90_000, [85_000, 105_000]],
    ['an option has none', CALL, 100_000, 100_000, [5, Number.MAX_SAFE_INTEGER]],
  ])('is right: %s', (_what, instrument, close, last, [low, high]) => {
    expect(priceBand(instrument, close, last, MONDAY_TEN)).toEqual({ low, high });
  });
});

test.each([
  [4_999, 7_000, 2_995],
  [5_000, 7_000, 3_000],
  [10_001, 14_005, 6_000],
  [1_000, 3_000, 5],
])('an option at %d paise is bought up to %d and sold down to %d', (reference, bought, sold) => {
  expect(worstLimit(CALL, 'BUY', reference, MONDAY_TEN)).toBe(bought);
  expect(worstLimit(CALL, 'SELL', reference, MONDAY_TEN)).toBe(sold);
  expect(worstLimit(SHARE, 'BUY', reference, MONDAY_TEN)).toBeUndefined();
});

test.each<[string, Instrument, number, number]>([
  ['a share', SHARE, 9_990, 190],
  ['a share', SHARE, 10_000, 100],
  ['a share', SHARE, 49_990, 490],
  ['a share', SHARE, 50_000, 250],
  ['a share', SHARE, 100, 10],
  ['an option', CALL, 995, 45],
  ['an option', CALL, 1_000, 30],
  ['an option', CALL, 9_995, 295],
  ['an option', CALL, 10_000, 200],
  ['an option', CALL, 49_995, 995],
  ['an option', CALL, 50_000, 500],
])('a market order in %s is protected by a part of its price, on either side (%#)', (_what, instrument, last, room) => {
  expect(protectedLimit(instrument, 'BUY', last, MONDAY_TEN)).toBe(last + room);
  expect(protectedLimit(instrument, 'SELL', last, MONDAY_TEN)).toBe(last - room);
});

test('a market order is never sold for nothing', () => {
  expect(protectedLimit(SHARE, 'SELL', 10, MONDAY_TEN)).toBe(10);
});

describe('a market-wide halt', () => {
  const falls = (percent: number, time: string, always = false, index = INDEX) =>
    circuitBreak(index, 100_000, 100_000 - 1_000 * percent, monday(time), always);
  const halted = (stage: number, time: string, minutes: number) => ({
    stage,
    until: monday(time) + minutes * MINUTE,
    reopened: monday(time) + (minutes + 15) * MINUTE,
  });
  const forTheDay = (stage: number) => ({ stage, until: MIDNIGHT, reopened: MIDNIGHT });

  test.each([
    [9.999, '10:00:00', undefined],
    [10, '12:59:59', halted(10, '12:59:59', 45)],
    [-10, '12:59:59', halted(10, '12:59:59', 45)],
    [10, '13:00:00', halted(10, '13:00:00', 15)],
    [10, '14:29:59', halted(10, '14:29:59', 15)],
    [10, '14:30:00', undefined],
    [14.999, '10:00:00', halted(10, '10:00:00', 45)],
    [15, '12:59:59', halted(15, '12:59:59', 105)],
    [15, '13:00:00', halted(15, '13:00:00', 45)],
    [15, '13:59:59', halted(15, '13:59:59', 45)],
    [15, '14:00:00', forTheDay(15)],
    [19.999, '14:00:00', forTheDay(15)],
    [20, '09:30:00', forTheDay(20)],
    [25, '15:00:00', forTheDay(20)],
  ])('comes of %d %% at %s', (percent, time, expected) => {
    expect(falls(percent, time)).toEqual(expected);
  });

  test('is as long at night as in the morning where the market trades around the clock', () => {
    expect(falls(10, '15:30:00', true)).toEqual(halted(10, '15:30:00', 45));
    expect(falls(10, '15:29:59', true)).toBeUndefined();
    expect(falls(15, '09:14:59', true)).toEqual(halted(15, '09:14:59', 105));
    expect(falls(10, '15:30:00')).toBeUndefined();
  });

  test('comes of the two large indices only', () => {
    const of = (more: Partial<Instrument>) => breaksCircuit({ ...INDEX, ...more }, MONDAY_TEN);
    expect([of({}), of({ symbol: 'SENSEX' }), of({ symbol: 'BANKNIFTY' }), of({ derivativeType: 'FUT' })]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(falls(20, '10:00:00', false, { ...INDEX, symbol: 'BANKNIFTY' })).toBeUndefined();
  });
});

describe('halts', () => {
  const CRUDE: Instrument = { ...FUTURE, exchange: 'MCX' };
  const all = [SHARE, FUTURE, CRUDE];
  const stopped = (halts: MarketHalts, at: number) => all.map((instrument) => halts.stopped(instrument, at));
  const since = (halts: MarketHalts) => all.map((instrument) => halts.since(instrument));
  const broken = (stage = 10) => ({ stage, until: 100, reopened: 200 });

  test('stop everything where a user sets them, from the first one on, and end all of it', () => {
    const halts = new MarketHalts();
    expect([stopped(halts, 0), since(halts)]).toEqual([
      [false, false, false],
      [undefined, undefined, undefined],
    ]);
    halts.set(true, 10);
    halts.set(true, 20);
    expect([stopped(halts, 30), since(halts)]).toEqual([
      [true, true, true],
      [10, 10, 10],
    ]);
    halts.breakCircuit(5, broken());
    expect(since(halts)).toEqual([5, 5, 10]);
    expect(stopped(halts, 150)).toEqual([true, true, true]);
    halts.set(false, 160);
    expect([stopped(halts, 160), since(halts)]).toEqual([
      [false, false, false],
      [undefined, undefined, undefined],
    ]);
    expect(halts.auction(SHARE, 160)).toBeUndefined();
  });

  test('stop equity where a circuit breaker sets them; shares open again by an auction, contracts when it is over', () => {
    const halts = new MarketHalts();
    expect(halts.breakCircuit(10, broken())).toBe(true);
    expect(since(halts)).toEqual([10, 10, undefined]);
    expect([99, 100, 199, 200].map((at) => stopped(halts, at))).toEqual([
      [true, true, false],
      [false, true, false],
      [false, true, false],
      [true, true, false],
    ]);
    expect(halts.auction(SHARE, 100)).toEqual({ from: 100, to: 200 });
    expect([halts.auction(FUTURE, 100), halts.auction({ ...SHARE, exchange: 'MCX' }, 100)]).toEqual([
      undefined,
      undefined,
    ]);
    halts.resume(199);
    expect(since(halts)).toEqual([10, 10, undefined]);
    halts.resume(200);
    expect(stopped(halts, 200)).toEqual([false, false, false]);
  });

  test('come once a day for a stage; a larger one lasts longer, a shorter one takes nothing away', () => {
    const halts = new MarketHalts();
    halts.breakCircuit(10, broken());
    expect(halts.breakCircuit(20, broken())).toBe(false);
    expect(halts.breakCircuit(30, { stage: 15, until: 50, reopened: 60 })).toBe(true);
    expect(halts.state()).toMatchObject({ equity: 10, reopening: { from: 100, to: 200 }, stages: { reached: 15 } });
    expect(halts.breakCircuit(40, { stage: 20, until: 300, reopened: 400 })).toBe(true);
    expect(halts.state()).toMatchObject({ equity: 10, reopening: { from: 300, to: 400 }, stages: { reached: 20 } });
    expect(halts.breakCircuit(50, broken(15))).toBe(false);
    halts.resume(400);
    const nextDay = 86_400_000;
    expect(halts.breakCircuit(nextDay, { stage: 10, until: nextDay, reopened: nextDay + 1 })).toBe(true);
    const again = new MarketHalts();
    again.restore(halts.state());
    expect(again.state()).toEqual(halts.state());
    expect(again.breakCircuit(nextDay, broken())).toBe(false);
  });
});

describe('a call auction', () => {
  const side = (way: 'BUY' | 'SELL', levels: [price: number, quantity: number][]) => {
    const made = new OrderBookSide(way);
    for (const [price, quantity] of levels) made.add(price, quantity, 1, undefined);
    return made;
  };
  const found = (bids: [number, number][], asks: [number, number][], reference = 100) => {
    const at = auctionEquilibrium(side('BUY', bids), side('SELL', asks), reference);
    return at && [at.price, at.quantity];
  };

  test('finds nothing where nothing crosses', () => {
    expect(found([[100, 5]], [])).toBeUndefined();
    expect(found([], [[100, 5]])).toBeUndefined();
    expect(found([[99, 5]], [[100, 5]])).toBeUndefined();
    expect(found([[100, 5]], [[100, 3]])).toEqual([100, 3]);
  });

  test('finds the price at which most trades, then the smallest rest, then the nearest to the last, then the higher', () => {
    expect(
      found(
        [
          [102, 10],
          [100, 10],
        ],
        [
          [99, 5],
          [100, 12],
        ],
      ),
    ).toEqual([100, 17]);
    expect(
      found(
        [
          [102, 10],
          [101, 5],
        ],
        [[100, 10]],
        100,
      ),
    ).toEqual([102, 10]);
    const [bids, asks]: [number, number][][] = [
      [
        [102, 10],
        [100, 10],
      ],
      [
        [99, 5],
        [101, 10],
      ],
    ];
    expect([103, 100, 101.5].map((reference) => found(bids!, asks!, reference))).toEqual([
      [102, 10],
      [101, 10],
      [102, 10],
    ]);
  });

  test('counts what trades at a price or a worse one', () => {
    const bids = side('BUY', [
      [102, 1],
      [101, 2],
      [100, 4],
    ]);
    const asks = side('SELL', [
      [102, 1],
      [101, 2],
      [100, 4],
    ]);
    expect([103, 102, 101, 100, 99].map((price) => quantityAt(bids, price))).toEqual([0, 1, 3, 7, 7]);
    expect([103, 102, 101, 100, 99].map((price) => quantityAt(asks, price))).toEqual([7, 7, 6, 4, 0]);
  });

  test('serves the best price first, at one price the first to come', () => {
    const bids = side('BUY', [
      [100, 5],
      [102, 4],
      [102, 3],
    ]);
    const hits: [number, number][] = [];
    allotAuctionTrades(bids, 9, ({ level }, quantity) => hits.push([level.price, quantity]));
    expect(hits).toEqual([
      [102, 4],
      [102, 3],
      [100, 2],
    ]);
    expect(bids.shown(5)).toEqual([{ price: 100, quantity: 3, orders: 1 }]);
  });

  test('closes at random within its last minute, or its last two at the close; drawn once, over a restart too', () => {
    const requested: number[][] = [];
    const random = { ...createRandomSource(1), between: (from: number, to: number) => (requested.push([from, to]), 7) };
    const closes = new AuctionCloses(random);
    const opening: TradingPhase = { phase: 'PRE_OPEN', from: monday('09:00:00'), to: monday('09:08:00') };
    const closing: TradingPhase = { phase: 'CLOSING_AUCTION', from: monday('15:15:00'), to: monday('15:35:00') };
    expect([closes.of(opening), closes.of(opening), closes.of(closing)]).toEqual([
      opening.to - 7,
      opening.to - 7,
      closing.to - 7,
    ]);
    expect(requested).toEqual([
      [0, 60_000],
      [0, 120_000],
    ]);
    const again = new AuctionCloses({ ...random, between: () => 9 });
    again.restore(closes.state());
    expect([again.of(opening), again.of({ ...opening, to: opening.to + 1 })]).toEqual([opening.to - 7, opening.to - 8]);
  });
});

test('tasks are due by their instant, those of one instant in the order they came, over a restart too', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 30 }), fc.nat(30), (dues, restart) => {
      let schedule = new TimedQueue<{ name: number }>();
      dues.forEach((due, name) => {
        schedule.add(due, { name });
        if (name !== restart) return;
        const again = new TimedQueue<{ name: number }>();
        again.restore(schedule.state());
        schedule = again;
      });
      const expected = dues
        .map((due, name) => ({ due, name, seq: name }))
        .sort((a, b) => a.due - b.due || a.name - b.name);
      expect(schedule.nextDue()).toBe(expected[0]?.due);
      expect(dues.map(() => schedule.take())).toEqual(expected);
      expect([schedule.take(), schedule.nextDue()]).toEqual([undefined, undefined]);
    }),
  );
});
