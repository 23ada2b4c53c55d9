/** REST in place of the stream, request by request: what is asked when, and what is told where the history cannot be read. */
import { describe, expect, test } from '@jest/globals';
import { NetworkError, SessionError } from '../../../../client/base/errors';
import type { MarketInstrument } from '../../../../client/stream/market-data/market-data';
import type { Environment } from '../../../../client/session/settings';
import { MONDAY_TEN } from '../../../support/still-market';
import { RestBench as Bench, S7, S8, SECOND, second, shareOf } from './rest-bench';

describe('prices over REST', () => {
  test('are asked for every five seconds, and told when they change', async () => {
    const bench = new Bench();
    bench.listen(S7);
    await bench.beat(1);
    await bench.beat(5);
    expect([bench.asked, bench.histories, bench.shown]).toEqual([[7], [], ['101000 rest']]);
    const unknown = { previousClose: null, dayHigh: null, dayLow: null, volume: null, openInterest: null };
    const tick = { instrument: S7, lastPrice: 101_000, at: MONDAY_TEN + SECOND, source: 'rest', ...unknown };
    expect(bench.events).toEqual([{ kind: 'tick', tick }]);
    bench.last = 102_000;
    await bench.beat(6);
    expect([bench.asked.length, bench.histories.length > 0, bench.answers]).toEqual([2, true, 2]);
    expect(bench.shown).toEqual(['101000 rest', '102000 rest']);
    bench.rest.pollNow();
    await bench.beat(7);
    expect(bench.asked).toHaveLength(3);
  });

  test('are not polled while the stream delivers them', async () => {
    const bench = new Bench();
    bench.listen(S7);
    await bench.beat(1, false);
    expect([bench.asked, bench.histories]).toEqual([[], []]);
    await bench.beat(2);
    expect(bench.asked).toEqual([7]);
  });

  test.each<[string, MarketInstrument[], number]>([
    ['two', [S7, S8], 5],
    ['thirty, a quarter of a second for each', Array.from({ length: 30 }, (_, index) => shareOf(index)), 7.5],
    [
      'three exchanges, two seconds for each',
      ['NSE', 'BSE', 'MCX'].map((exchange, at) => ({ ...shareOf(at), exchange })),
      6,
    ],
  ])('are asked for as often as the rate of requests allows: %s', async (_, instruments, everySeconds) => {
    const bench = new Bench();
    bench.listen(...instruments);
    await bench.beat(1);
    await bench.beat(1 + everySeconds - 0.1);
    expect(bench.asked).toHaveLength(instruments.length);
    await bench.beat(1 + everySeconds);
    expect(bench.asked).toHaveLength(2 * instruments.length);
  });

  test('are asked for as often as the one who wants them most often wants them', async () => {
    const bench = new Bench();
    for (const everyMs of [9_000, 2_000, 7_000]) bench.prices.join(S7, { everyMs }, () => undefined);
    for (const seconds of [1, 2.9, 3]) await bench.beat(seconds);
    expect(bench.asked).toHaveLength(2);
  });

  test.each<[string, Environment, string, number]>([
    ['a session', 'live', '2026-11-23T10:00', 13],
    ['a Saturday, when a market seldom opens', 'live', '2026-11-21T10:00', 2],
    ['a Saturday of a sandbox', 'sandbox', '2026-11-21T10:00', 13],
    ['a night', 'live', '2026-11-23T02:00', 0],
  ])('are asked for at most this often in a minute: %s (%s)', async (_, environment, begin, requests) => {
    const bench = new Bench(environment, { begin: Date.parse(`${begin}:00+05:30`) });
    bench.listen(S7);
    for (let seconds = 0; seconds <= 60; seconds += 5) await bench.beat(seconds);
    expect(bench.asked).toHaveLength(requests);
  });

  test('are not asked for before the service has told its time', async () => {
    const bench = new Bench('sandbox', { isTimeKnown: false });
    bench.listen(S7);
    await bench.beat(1);
    expect(bench.asked).toEqual([]);
  });

  test('are not asked for again while they are, and told to nobody after the end', async () => {
    const bench = new Bench();
    const reply = Promise.withResolvers<void>();
    bench.held = reply.promise;
    bench.listen(S7);
    await bench.beat(1);
    await bench.beat(20);
    expect(bench.asked).toEqual([7]);
    bench.closing.abort(new Error('closed'));
    reply.resolve();
    await bench.flush();
    expect([bench.shown, bench.answers]).toEqual([[], 0]);
    const failing = new Bench();
    const failure = Promise.withResolvers<void>();
    failing.held = failure.promise;
    failing.listen(S7);
    await failing.beat(1);
    failing.closing.abort(new Error('closed'));
    failure.reject(new NetworkError('cut', { maySent: false }));
    await failing.flush();
    expect(failing.failures).toEqual([]);
  });

  test('come after what was between, from the first that anybody has missed', async () => {
    const bench = new Bench();
    bench.listen(S7, S8);
    bench.receive(100_000, 3, S8);
    bench.receive(100_000, 6);
    bench.rows = [second(4, 99_500, 'S8'), second(8, 99_000)];
    await bench.beat(10);
    expect(bench.from).toEqual([3]);
    expect(bench.shown.slice(2)).toEqual(['99000 history', '99500 history', '101000 rest', '101000 rest']);
  });

  test('are not told where the connection was lost once more while they were asked for', async () => {
    const bench = new Bench();
    const reply = Promise.withResolvers<void>();
    bench.listen(S7);
    bench.receive(100_000, 1);
    bench.held = reply.promise;
    bench.rows = [second(5, 99_000)];
    await bench.beat(10);
    bench.prices.lost();
    reply.resolve();
    await bench.flush();
    expect(bench.shown).toEqual(['100000 stream']);
  });

  test.each([
    [1_000, ['100000 stream', '101000 rest']],
    [1_001, ['100000 stream']],
  ])(
    'do not follow what was between where they come %d ms after it, when that is more than a second',
    async (ms, shown) => {
      const bench = new Bench();
      bench.listen(S7);
      bench.receive(100_000, 1);
      bench.priceTakesMs = ms;
      await bench.beat(10);
      expect(bench.shown).toEqual(shown);
    },
  );

  test('are none where they are 0', async () => {
    const bench = new Bench();
    bench.listen(S7);
    bench.last = 0;
    await bench.beat(1);
    expect([bench.shown, bench.answers]).toEqual([[], 1]);
  });

  test('are asked for again after a pause that grows where they fail, and this is told', async () => {
    const bench = new Bench();
    bench.listen(S7);
    bench.priceError = new NetworkError('cut', { maySent: false });
    await bench.beat(1);
    bench.priceError = new TypeError('a defect');
    await bench.beat(1.4);
    expect(bench.asked).toHaveLength(1);
    await bench.beat(1.5);
    await bench.beat(2.4);
    expect(bench.asked).toHaveLength(2);
    await bench.beat(2.5);
    expect([bench.asked.length, bench.answers]).toEqual([3, 0]);
    expect(bench.failures).toEqual([expect.any(NetworkError), undefined, undefined]);
  });

  test('are told without the history when that has failed five times: what was between is a gap', async () => {
    const bench = new Bench();
    bench.listen(S7, S8);
    bench.receive(100_000, 1);
    bench.historyError = new NetworkError('no history', { maySent: false });
    for (let seconds = 10; seconds < 50; seconds += 10) await bench.beat(seconds);
    expect([bench.asked, bench.shown]).toEqual([[], ['100000 stream']]);
    await bench.beat(50);
    expect(bench.shown).toEqual(['100000 stream', 'gap', '101000 rest', '101000 rest']);
    expect(bench.events[1]).toMatchObject({ instrument: S7, reason: 'no history', to: MONDAY_TEN + 50 * SECOND });
  });

  test('are not told without the history where there can be no session', async () => {
    const bench = new Bench();
    bench.listen(S7);
    bench.receive(100_000, 1);
    bench.historyError = new SessionError('refused');
    for (let second = 10; second < 80; second += 10) {
      await bench.beat(second);
    }
    expect(bench.shown).toEqual(['100000 stream']);
    expect(bench.failures).toHaveLength(6);
  });
});

describe('a look at what is quiet', () => {
  test('comes after twenty seconds, again after five, and shows that REST answers', async () => {
    const bench = new Bench();
    bench.listen(S7);
    bench.receive(100_000, 0);
    bench.streamHeardAt = MONDAY_TEN + 19 * SECOND;
    await bench.beat(19.9, false);
    expect(bench.histories).toEqual([]);
    await bench.beat(20, false);
    expect([bench.histories.length, bench.answers]).toEqual([1, 1]);
    bench.historyError = new NetworkError('cut', { maySent: false });
    bench.streamHeardAt = MONDAY_TEN + 35 * SECOND;
    await bench.beat(39.9, false);
    await bench.beat(40, false);
    expect([bench.histories.length, bench.answers, bench.failures]).toEqual([2, 1, [expect.any(NetworkError)]]);
    bench.historyError = undefined;
    await bench.beat(44.9, false);
    expect(bench.histories).toHaveLength(2);
    await bench.beat(45, false);
    expect(bench.histories).toHaveLength(3);
  });

  test('is at the one first of which nothing was heard for longest', async () => {
    const bench = new Bench();
    const others = Array.from({ length: 11 }, (_, index) => shareOf(20 + index));
    bench.listen(S7, ...others);
    bench.receive(100_000, 2);
    others.forEach((other) => bench.receive(100_000, 1, other));
    bench.streamHeardAt = MONDAY_TEN + 25 * SECOND;
    await bench.beat(26, false);
    expect(bench.histories[0]).toEqual(others.slice(0, 10).map(({ symbol }) => symbol));
  });

  test('shows that the stream is silent about it, or altogether, where it finds a price', async () => {
    for (const [quietFor, shown, silences] of [
      [1, ['100000 stream', 'silent'], 0],
      [10, ['100000 stream'], 1],
    ] as const) {
      const bench = new Bench();
      bench.listen(S7);
      bench.receive(100_000, 0);
      bench.rows = [second(8, 99_000)];
      bench.streamHeardAt = MONDAY_TEN + (20 - quietFor) * SECOND;
      await bench.beat(20, false);
      expect([bench.shown, bench.silences]).toEqual([shown, silences]);
      // A price about which the stream is silent is asked for at once.
      await bench.beat(20.1, false);
      expect(bench.asked).toEqual(silences === 0 ? [7] : []);
    }
  });

  test.each([
    ['the same price', 0, [second(8, 100_000)]],
    ['another price of the second of the last one', 8, [second(8, 99_000)]],
    ['a price that may be under way', 0, [second(23, 99_000)]],
    ['nothing', 0, []],
  ])('shows nothing where it finds %s', async (_, at, rows) => {
    for (const quietFor of [1, 10]) {
      const bench = new Bench();
      bench.listen(S7);
      bench.receive(100_000, at);
      bench.rows = rows;
      bench.streamHeardAt = MONDAY_TEN + (28 - quietFor) * SECOND;
      await bench.beat(28, false);
      expect([bench.histories.length, bench.shown, bench.silences]).toEqual([1, ['100000 stream'], 0]);
    }
  });

  test('goes on from five seconds before the last, and from the first that it is about', async () => {
    const bench = new Bench();
    bench.listen(S7, S8);
    bench.receive(100_000, 2);
    bench.receive(100_000, 1, S8);
    bench.rows = [second(8, 100_000), second(16, 100_000), second(14, 100_000, 'S8')];
    bench.streamHeardAt = MONDAY_TEN + 21 * SECOND;
    await bench.beat(22, false);
    bench.streamHeardAt = MONDAY_TEN + 41 * SECOND;
    await bench.beat(42, false);
    expect(bench.from).toEqual([1, 17]);
  });

  test('finds what has traded at all, of which the stream has told nothing', async () => {
    const bench = new Bench();
    bench.listen(S7);
    bench.streamHeardAt = MONDAY_TEN + 19 * SECOND;
    await bench.beat(20, false);
    expect([bench.from, bench.shown]).toEqual([[20], []]);
    bench.rows = [second(21, 100_000)];
    bench.streamHeardAt = MONDAY_TEN + 39 * SECOND;
    await bench.beat(40, false);
    expect(bench.shown).toEqual(['silent']);
  });

  test('comes after ten seconds without a frame, and once at a time', async () => {
    const bench = new Bench();
    const reply = Promise.withResolvers<void>();
    bench.held = reply.promise;
    bench.listen(S7);
    bench.receive(100_000, 0);
    bench.streamHeardAt = MONDAY_TEN;
    await bench.beat(9.9, false);
    expect(bench.histories).toEqual([]);
    for (const seconds of [10, 15, 20]) {
      await bench.beat(seconds, false);
      expect(bench.histories).toHaveLength(1);
    }
    bench.closing.abort(new Error('closed'));
    reply.resolve();
    await bench.flush();
    expect(bench.answers).toBe(0);
  });

  test.each<[string, (bench: Bench) => void]>([
    ['the connection was lost', (bench) => bench.prices.lost()],
    ['a price came, late', (bench) => bench.receive(100_000, 5, S7, 21)],
  ])('shows nothing of what changed meanwhile: %s', async (_, happen) => {
    const bench = new Bench();
    const reply = Promise.withResolvers<void>();
    bench.listen(S7);
    bench.receive(100_000, 0);
    bench.held = reply.promise;
    bench.rows = [second(8, 99_000)];
    bench.streamHeardAt = MONDAY_TEN + 19 * SECOND;
    await bench.beat(20, false);
    happen(bench);
    reply.resolve();
    await bench.flush();
    expect(bench.shown).not.toContain('silent');
  });

  test.each<[string, asked: number, answered: number, number[], late: number, string[]]>([
    ['after the request, however long the reply takes', 20, 28, [], 22, ['99200 stream']],
    ['in a second that was not over when it was looked at', 20.525, 20.55, [15], 15.404, ['99200 stream']],
    ['in a second that was, which the stream did not tell', 20.525, 20.55, [14], 14.404, ['silent']],
  ])('tells what was %s', async (_, requested, answered, seconds, late, shown) => {
    const bench = new Bench();
    const reply = Promise.withResolvers<void>();
    bench.listen(S7);
    bench.receive(100_000, 0);
    bench.held = reply.promise;
    bench.rows = seconds.map((at) => ({ ...second(at, 99_200), open: 100_000, high: 100_000 }));
    bench.streamHeardAt = MONDAY_TEN + 20 * SECOND;
    await bench.beat(requested, false);
    bench.clock.set(MONDAY_TEN + answered * SECOND);
    reply.resolve();
    await bench.flush();
    // A price that the stream brings late is told where the look has not vouched for its time.
    bench.receive(99_200, late, S7, answered);
    expect(bench.shown.slice(1)).toEqual(shown);
  });

  test('is not at what is being read already', async () => {
    const bench = new Bench();
    bench.held = Promise.withResolvers<void>().promise;
    bench.prices.join(S7, { since: MONDAY_TEN - SECOND }, () => undefined);
    bench.clock.set(MONDAY_TEN + 3 * SECOND);
    bench.prices.fillDue();
    bench.streamHeardAt = MONDAY_TEN + 19 * SECOND;
    await bench.beat(20, false);
    expect(bench.from).toEqual([-1]);
  });

  test.each<[Environment, number]>([
    ['live', 300],
    ['sandbox', 20],
  ])('comes after the hours of the exchange, %s, after %d seconds', async (environment, after) => {
    const begin = Date.parse('2026-11-23T16:00:00+05:30');
    const bench = new Bench(environment, { begin });
    bench.listen(S7);
    bench.streamHeardAt = begin + 299 * SECOND;
    await bench.beat(after - 0.1, false);
    expect(bench.histories).toEqual([]);
    await bench.beat(after, false);
    expect(bench.histories).toHaveLength(1);
  });
});
