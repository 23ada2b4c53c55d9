/**
 * Matching of prices with instruments, whatever order a frame names them in; and what each listener hears, in order.
 */
import { describe, expect, test } from '@jest/globals';
import { NetworkError } from '../../../../client/base/errors';
import type { IndexTick } from '../../../../proto/generated/messages';
import type { MarketEvent, MarketInstrument } from '../../../../client/stream/market-data/market-data';
import type { PriceListener } from '../../../../client/stream/market-data/watched-instrument';
import { PriceDistributor } from '../../../../client/stream/market-data/price-distributor';
import { ServiceClock } from '../../../../client/stream/market-data/service-clock';
import { VirtualClock, momentAt } from '../../../support/clock';
import { A, B, C, PricesBench, second, TEN, tickOf } from './prices-bench';
import { knownPrice } from '../../../support/price';

function listening() {
  const clock = new VirtualClock(TEN);
  const candles = async (): Promise<{ rows: [] }> => await Promise.resolve({ rows: [] });
  const { signal } = new AbortController();
  const prices = new PriceDistributor({
    clock,
    candles,
    time: new ServiceClock(clock),
    signal,
    fatal: () => undefined,
  });
  const received: string[] = [];
  const join = (instrument: MarketInstrument) =>
    prices.join(instrument, {}, (event) => {
      if (event.kind === 'tick') received.push(`${event.tick.instrument.symbol}${event.tick.lastPrice}`);
    });
  const tick = (name: string, price: number, exchange?: string): IndexTick =>
    tickOf(name, price, clock.now(), exchange);
  const take = (...ticks: IndexTick[]): string => {
    prices.take(ticks);
    return received.splice(0).join(' ');
  };
  return { prices, join, tick, take };
}

test('a price belongs to the instrument that its tick names, wherever it is in a frame', () => {
  const { join, tick, take } = listening();
  for (const instrument of [A, B, C]) join(instrument);
  expect(take(tick('A', 1), tick('B', 2), tick('C', 3))).toBe('A1 B2 C3');
  expect(take(tick('C', 4), tick('B', 5), tick('X', 6), tick('A', 7))).toBe('C4 B5 A7');
  expect(take(tick('B', 8))).toBe('B8');
  expect(take(tick('B', 9, 'BSE'), tick('A', 10))).toBe('A10');
});

test('an instrument that was given back and is wanted again hears its prices', () => {
  const { prices, join, tick, take } = listening();
  const first = join(A);
  join(B);
  take(tick('A', 1), tick('B', 2));
  prices.leave(A, first);
  expect(take(tick('A', 3), tick('B', 4))).toBe('B4');
  join(A);
  expect(take(tick('A', 5), tick('B', 6))).toBe('A5 B6');
});

test('names in other letters, and without an exchange, are those that were asked for', () => {
  const { join, tick, take } = listening();
  for (const symbol of ['Nifty 50', 'INFY']) join({ ...A, refId: symbol.length, symbol });
  expect(take(tick('NIFTY 50', 1), tick(' infy ', 2, 'nse'))).toBe('Nifty 501 INFY2');
  expect(take(tick('nifty 50', 3, ''), tick('INFY', 4))).toBe('Nifty 503 INFY4');
  expect(take(tick('Nifty 50', 5, 'BSE'), tick('constructor', 6), tick('', 7))).toBe('');
});

test('a future of MCX is known by its symbol, and by the full name that it was asked for by', () => {
  const { prices, join, tick, take } = listening();
  const future = { ...A, exchange: 'MCX', symbol: 'OIL26OCTFUT', platName: 'FUT_OIL_20261019', kind: 'FUT' } as const;
  const member = join(future);
  expect(take(tick('FUT_OIL_20261019', 1, 'MCX'), tick('OIL26OCTFUT', 2, 'MCX'))).toBe('OIL26OCTFUT1 OIL26OCTFUT2');
  prices.leave(future, member);
  expect(take(tick('FUT_OIL_20261019', 3, 'MCX'), tick('OIL26OCTFUT', 4, 'MCX'))).toBe('');
});

test('a listener that leaves while a price is told hears no more of it, and one that joins then hears it once', () => {
  const { prices, join, tick, take } = listening();
  const received: string[] = [];
  const listeners = [0, 1, 2].map((name) =>
    prices.join(A, {}, (event) => {
      if (event.kind === 'tick') received.push(`${name}:${event.tick.lastPrice}`);
      if (name === 0) prices.leave(A, listeners[1]!);
      if (name === 0 && received.length === 1) join(A);
    }),
  );
  expect(take(tick('A', 1))).toBe('A1');
  expect(received).toEqual(['0:1', '2:1']);
  expect(take(tick('A', 2))).toBe('A2');
  expect(received).toEqual(['0:1', '2:1', '0:2', '2:2']);
});

describe('a listener that goes on from a time', () => {
  test('hears first what was between, up to the first price that the stream brings', async () => {
    const bench = new PricesBench();
    bench.rows = [second('A', -9_000, 1), second('A', -5_000, 2), second('A', -1_000, 3), second('A', 0, 4)];
    bench.join(A, -10_000);
    expect(await bench.bring(7, 0)).toEqual(['1@-9000 history', '2@-5000 history', '3@-1000 history', '7@0 stream']);
    expect(bench.asked).toEqual(['A -10000']);
    bench.prices.leave(A, bench.join(A));
    expect(await bench.takeMessages()).toEqual(['7@0 stream']);
    expect(await bench.bring(8, 100)).toEqual(['8@100 stream']);
    expect(await bench.at(60_000)).toEqual([]);
    expect(bench.asked).toHaveLength(1);
  });

  test('hears it after three seconds where the stream brings none; nothing is asked before the time there is known', async () => {
    const bench = new PricesBench(false);
    bench.rows = [second('A', -2_000, 1), second('A', 2_000, 2)];
    bench.join(A, -10_000);
    await bench.at(5_000);
    expect(bench.asked).toEqual([]);
    bench.time.onFrame(TEN + 5_000);
    expect(await bench.at(5_000)).toEqual(['1@-2000 history', '2@2000 history']);
    const other = new PricesBench();
    other.join(A, -10_000);
    await other.at(2_999);
    expect(other.asked).toEqual([]);
    await other.at(3_000);
    expect(other.asked).toEqual(['A -10000']);
  });

  test('hears of a gap where the history cannot be read, and all that the stream has brought', async () => {
    const bench = new PricesBench();
    bench.error = new NetworkError('cut', { maySent: false });
    bench.join(A, -10_000);
    bench.prices.take([tickOf('A', 7, TEN), tickOf('A', 8, TEN + 10)]);
    await bench.clock.sleep(20_000);
    expect(await bench.takeMessages()).toEqual(['gap -10000 to 0: cut', '7@0 stream', '8@10 stream']);
    expect([bench.asked.length, bench.entry(A).last?.lastPrice]).toEqual([5, 8]);
    const quiet = new PricesBench();
    quiet.error = new TypeError('a defect');
    quiet.join(A, -10_000);
    quiet.clock.set(TEN + 3_000);
    quiet.prices.fillDue();
    await quiet.clock.sleep(20_000);
    expect(await quiet.takeMessages()).toEqual(['gap -10000 to 7500: The history could not be read']);
  });

  test('hears nothing of an answer that does not follow what was heard: it is asked again', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const bench = new PricesBench();
    bench.mayAnswer = promise;
    bench.rows = [second('A', -5_000, 1)];
    bench.join(A, -10_000);
    await bench.bring(7, 0);
    bench.prices.lost();
    await bench.bring(8, 2_000);
    expect(bench.asked).toEqual(['A -10000']);
    resolve();
    expect(await bench.takeMessages()).toEqual(['1@-5000 history', '8@2000 stream']);
    expect(bench.asked).toEqual(['A -10000', 'A -10000']);
  });

  test('hears nothing once it has left, or all has ended', async () => {
    for (const ends of [
      (bench: PricesBench, member: PriceListener) => bench.prices.leave(A, member),
      (bench: PricesBench) => bench.closing.abort(new Error('ended')),
    ]) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const bench = new PricesBench();
      bench.mayAnswer = promise;
      bench.rows = [second('A', -5_000, 1)];
      const member = bench.join(A, -10_000);
      await bench.bring(7, 0);
      ends(bench, member);
      resolve();
      expect(await bench.takeMessages()).toEqual([]);
    }
    const left = new PricesBench();
    left.prices.leave(A, left.join(A, -10_000));
    await left.at(60_000);
    expect([left.asked, left.prices.entries.size]).toEqual([[], 0]);
  });

  test('is asked for with others from the earliest of their times, and not from that of one who hears all', async () => {
    const bench = new PricesBench();
    bench.join(A, undefined, 'a');
    bench.prices.takeRequested(bench.entry(A), knownPrice(7), TEN);
    await bench.takeMessages();
    bench.clock.set(TEN + 10_000);
    bench.join(A, 6_000, 'b');
    bench.join(A, 4_000, 'c');
    bench.rows = [second('A', 5_000, 1), second('A', 8_000, 2)];
    expect(await bench.bring(8, 10_000)).toEqual([
      ...['a8@10000 stream', 'b2@8000 history', 'b8@10000 stream'],
      ...['c1@5000 history', 'c2@8000 history', 'c8@10000 stream'],
    ]);
    expect(bench.asked).toEqual(['A 4000']);
  });

  test('hears what was since then on the clock of the service where the time is of our clock', async () => {
    const bench = new PricesBench();
    bench.time.onFrame(TEN + 1_000);
    bench.prices.join(A, { sinceOurs: TEN - 10_000 }, () => undefined);
    await bench.at(3_000);
    expect(bench.asked).toEqual(['A -9000']);
    bench.prices.join(B, { since: TEN - 5_000, sinceOurs: TEN - 10_000 }, () => undefined);
    await bench.at(6_000);
    expect(bench.asked.slice(1)).toEqual(['B -5000']);
  });

  test('hears what was between after an interruption; one that has heard nothing yet hears the next price at once', async () => {
    const bench = new PricesBench();
    bench.join(A, undefined, 'a');
    bench.join(B, undefined, 'b');
    await bench.bring(7, 0);
    bench.prices.interrupted();
    bench.clock.set(TEN + 3_000);
    bench.rows = [second('A', 1_000, 1)];
    expect(await bench.bring(9, 3_000, B)).toEqual(['b9@3000 stream', 'a1@1000 history']);
    expect(bench.asked).toEqual(['A 0']);
  });

  test('waits alone: others hear prices at once, and the last one when they come', async () => {
    const bench = new PricesBench();
    bench.join(A, undefined, 'a');
    expect(await bench.bring(7, 0)).toEqual(['a7@0 stream']);
    bench.join(A, undefined, 'b');
    const late = bench.join(A, -10_000, 'c');
    expect(await bench.takeMessages()).toEqual(['b7@0 stream']);
    bench.rows = [second('A', -5_000, 1)];
    expect(await bench.bring(8, 10)).toEqual([
      'a8@10 stream',
      'b8@10 stream',
      'c1@-5000 history',
      'c7@0 stream',
      'c8@10 stream',
    ]);
    expect(late.held).toBeUndefined();
  });
});

describe('a price of the stream', () => {
  test('tells what else it knows of the day; 0 is nothing', () => {
    const bench = new PricesBench();
    const received: MarketEvent[] = [];
    bench.prices.join(A, {}, (event) => received.push(event));
    const day = { prevClose: 90, highIndexValue: 120, lowIndexValue: 80, volume: 5, volumeOi: 6 };
    bench.prices.take([{ ...tickOf('A', 100, TEN), ...day }]);
    bench.prices.take([tickOf('A', 101, TEN)]);
    expect(received).toMatchObject([
      { tick: { previousClose: 90, dayHigh: 120, dayLow: 80, volume: 5, openInterest: 6 } },
      { tick: { previousClose: null, dayHigh: null, dayLow: null, volume: 0, openInterest: 0 } },
    ]);
  });

  test('is none of 0, none that is older than the last one, and of now where its time cannot be read', async () => {
    const bench = new PricesBench();
    bench.join(A);
    expect([await bench.bring(7, 10), await bench.bring(8, 9), await bench.bring(0, 11)]).toEqual([
      ['7@10 stream'],
      [],
      [],
    ]);
    bench.clock.set(TEN + 50);
    bench.prices.take([{ ...tickOf('A', 9, TEN), timestamp: 'x' }]);
    expect(await bench.takeMessages()).toEqual(['9@50 stream']);
  });

  test('is read from the history where its time is far ahead, with what comes after it', async () => {
    const bench = new PricesBench();
    bench.join(A);
    await bench.bring(7, 0);
    expect(await bench.bring(8, 120_000)).toEqual(['8@120000 stream']);
    const other = new PricesBench();
    other.join(A);
    await other.bring(7, 0);
    other.rows = [second('A', 1_000, 8)];
    expect([await other.bring(8, 120_001), other.asked]).toEqual([[], []]);
    other.clock.set(TEN + 3_000);
    expect(await other.bring(9, 3_000)).toEqual(['8@1000 history', '9@3000 stream']);
    expect(other.asked).toEqual(['A 0']);
    // A waiting listener begins again with the next price; one that has heard nothing waits for nothing.
    const waits = new PricesBench();
    waits.mayAnswer = new Promise(() => undefined);
    waits.join(A, -10_000, 'a');
    await waits.bring(7, 0);
    waits.prices.leave(A, waits.join(A, -1_000));
    const fresh = waits.join(B, undefined, 'b');
    await waits.bring(8, 120_001, B);
    await waits.bring(8, 120_001);
    expect([[...waits.entry(A).members].map(({ held }) => held), fresh.held]).toEqual([[[]], undefined]);
  });

  test('makes its instrument silent, once, where a connection should have brought it; then it follows the history', async () => {
    const bench = new PricesBench();
    bench.join(A);
    bench.join(B);
    await bench.bring(7, 0);
    await bench.bring(7, 0, B);
    bench.clock.set(TEN + 5_000);
    bench.prices.interrupted();
    await bench.bring(8, 5_000, B);
    bench.clock.set(TEN + 7_999);
    expect(bench.prices.markUnheard(momentAt(TEN + 5_000))).toBe(false);
    bench.clock.set(TEN + 8_000);
    expect([bench.prices.markUnheard(momentAt(TEN + 5_000)), bench.prices.markUnheard(momentAt(TEN + 5_000))]).toEqual([
      true,
      false,
    ]);
    expect([bench.entry(A).isSilent, bench.entry(B).isSilent]).toEqual([true, false]);
    bench.join(C);
    bench.clock.set(TEN + 11_000);
    expect([bench.prices.markUnheard(momentAt(TEN + 5_000)), bench.entry(C).isSilent]).toEqual([true, true]);
    bench.clock.set(TEN + 8_000);
    await bench.at(8_000);
    bench.rows = [second('A', 6_000, 9)];
    expect(await bench.bring(10, 8_500)).toEqual(['9@6000 history', '10@8500 stream']);
    expect(bench.entry(A).isSilent).toBe(false);
  });
});

describe('a price asked for in place of the stream', () => {
  test('is told to who does not wait, at a time that is not before what was told', async () => {
    const bench = new PricesBench();
    bench.join(A, undefined, 'a');
    bench.join(A, -10_000, 'b');
    await bench.bring(7, 0);
    await bench.at(0);
    const waits = bench.join(A, -10_000, 'c');
    bench.heard.length = 0;
    bench.prices.takeRequested(bench.entry(A), knownPrice(8), TEN - 500);
    bench.prices.takeRequested(bench.entry(A), knownPrice(9), TEN + 500);
    expect(await bench.takeMessages()).toEqual(['a8@0 rest', 'b8@0 rest', 'a9@500 rest', 'b9@500 rest']);
    expect(bench.entry(A).last).toMatchObject({ lastPrice: 9, source: 'rest' });
    const five = knownPrice(5);
    const bars = new Map([
      [A.refId, [{ at: TEN + 1_000, open: five, high: five, low: five, close: five, volume: 1, lengthMs: 1_000 }]],
    ]);
    bench.prices.takeMissed(bench.entry(A), { bars, requestedAt: TEN + 1_500 });
    expect(await bench.takeMessages()).toEqual(['a5@1000 history', 'b5@1000 history']);
    bench.join(B);
    bench.prices.takeMissed(bench.entry(B), {
      bars: new Map([[B.refId, bars.get(A.refId)!]]),
      requestedAt: TEN + 1_500,
    });
    expect(await bench.takeMessages()).toEqual([]);
    bench.prices.leave(A, waits);
    // Of the second that was not over, what came after the request is still to come; what was before it is not told again.
    expect(bench.prices.seenUntil(bench.entry(A))).toBe(TEN + 1_500);
    expect(await bench.bring(6, 1_400)).toEqual([]);
    expect(await bench.bring(6, 1_500)).toEqual(['a6@1500 stream', 'b6@1500 stream']);
  });

  test('is known as far as everybody has heard; a look that finds nothing new moves that on', async () => {
    const bench = new PricesBench();
    const [first, second] = [bench.join(A, undefined, 'a'), bench.join(A, undefined, 'b')];
    expect(bench.prices.seenUntil(bench.entry(A))).toBeUndefined();
    await bench.bring(7, 0);
    first.seenUntil = TEN + 10;
    expect(bench.prices.seenUntil(bench.entry(A))).toBe(TEN);
    bench.prices.unchanged(bench.entry(A), TEN + 5);
    expect([first.seenUntil, second.seenUntil]).toEqual([TEN + 10, TEN + 5]);
    const waits = bench.join(A, -10_000);
    const fresh = bench.join({ ...B });
    bench.prices.unchanged(bench.entry(A), TEN + 20);
    bench.prices.unchanged(bench.entry(B), TEN + 20);
    expect(bench.prices.seenUntil(bench.entry(A))).toBe(TEN + 20);
    expect([first, second, waits, fresh].map(({ seenUntil }) => seenUntil)).toEqual([
      ...[TEN + 20, TEN + 20, TEN - 10_000, undefined],
    ]);
  });

  test('does not count where our clock was set while it was asked for', async () => {
    const bench = new PricesBench();
    bench.join(A, -10_000);
    await bench.bring(7, 0);
    const { version } = bench.entry(A);
    bench.prices.clockSet();
    expect(bench.entry(A).version).toBeGreaterThan(version);
  });
});
