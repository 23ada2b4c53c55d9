/** Requests to the history for the time in which nobody listened, and the prices made of its bars. */
import { barPrices } from '../../../../client/market/bar-prices';
import { describe, expect, test } from '@jest/globals';
import { NetworkError, SessionError } from '../../../../client/base/errors';
import type { CandleRow } from '../../../../client/market/candle-rows';
import type { CandleRequest } from '../../../../client/market/candles';
import {
  pricesOf,
  readBars,
  readMissedBars,
  requestGroups,
  type MissedBar,
} from '../../../../client/stream/market-data/price-history';
import type { MarketInstrument } from '../../../../client/stream/market-data/market-data';
import { backfillPrices } from '../../../../client/stream/market-data/backfill';
import { PriceDistributor } from '../../../../client/stream/market-data/price-distributor';
import { ServiceClock } from '../../../../client/stream/market-data/service-clock';
import { msToNanos } from '../../../../client/values/time';
import { VirtualClock } from '../../../support/clock';
import { MONDAY_TEN } from '../../../support/still-market';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 1_440 * MINUTE;
const { signal } = new AbortController();
const INFY: MarketInstrument = { refId: 7, exchange: 'NSE', symbol: 'INFY', kind: 'STOCK' };
const TCS: MarketInstrument = { refId: 8, exchange: 'NSE', symbol: 'TCS', kind: 'STOCK' };

const row = (symbol: string, at: number, more: Partial<CandleRow> = {}): CandleRow => ({
  ...{ symbol, ts: msToNanos(at), open: 100, high: 103, low: 98, close: 101, volume: 5, ...more },
});

describe('bars of the history', () => {
  const range = { from: MONDAY_TEN, to: MONDAY_TEN + 2 * MINUTE, signal };
  const bar = { open: 100, high: 103, low: 98, close: 101, volume: 5 };
  const read = async (rows: CandleRow[], requested = range) => {
    const requests: CandleRequest[] = [];
    const candles = async (request: CandleRequest) => {
      requests.push(request);
      return await Promise.resolve({ rows });
    };
    return { requests, bars: await readBars(candles, [INFY, TCS], '1m', requested) };
  };

  test('are asked for in one request, and are those of the instrument that they name', async () => {
    const { requests, bars } = await read([
      ...[row('TCS', MONDAY_TEN), row('INFY', MONDAY_TEN), row('INFY', MONDAY_TEN + MINUTE, { volume: null })],
      row('WIPRO', MONDAY_TEN),
    ]);
    expect(requests).toEqual([
      {
        ...{ exchange: 'NSE', type: 'STOCK', symbols: ['INFY', 'TCS'], interval: '1m', unit: 'paise', ...range },
        fields: ['open', 'high', 'low', 'close'],
      },
    ]);
    expect([...bars]).toEqual([
      [
        7,
        [
          { ...bar, at: MONDAY_TEN },
          { ...bar, at: MONDAY_TEN + MINUTE, volume: null },
        ],
      ],
      [8, [{ ...bar, at: MONDAY_TEN }]],
    ]);
  });

  test.each(['open', 'high', 'low', 'close'])('are none without %s, and those after them are', async (field) => {
    const { bars } = await read([row('INFY', MONDAY_TEN, { [field]: null }), row('INFY', MONDAY_TEN + MINUTE)]);
    expect(bars.get(7)).toEqual([{ ...bar, at: MONDAY_TEN + MINUTE }]);
    expect(bars.get(8)).toEqual([]);
  });

  test('are asked for without an error where their time is yet to come by our clock', async () => {
    const { requests } = await read([], { ...range, to: MONDAY_TEN - MINUTE });
    expect(requests).toMatchObject([{ from: MONDAY_TEN, to: MONDAY_TEN + 1 }]);
  });
});

test('one request is of one exchange and kind, and of ten instruments at most', () => {
  const list = (length: number, more: Partial<MarketInstrument> = {}) =>
    Array.from({ length }, (_, refId) => ({ instrument: { ...INFY, refId, ...more } }));
  const groups = requestGroups([
    ...[...list(10), ...list(10, { exchange: 'BSE' })],
    ...[...list(1, { kind: 'INDEX' }), ...list(1), ...list(1, { kind: 'INDEX' })],
  ]);
  expect(groups.map((group) => group.map(({ instrument: { exchange, kind } }) => `${exchange} ${kind}`))).toEqual([
    ...[Array(10).fill('NSE STOCK'), ['NSE STOCK']],
    ...[Array(10).fill('BSE STOCK'), ['NSE INDEX', 'NSE INDEX']],
  ]);
});

describe('a gap', () => {
  const NOW = MONDAY_TEN + 12_345;
  /** Reads what was since an instant; each request takes a second, and is answered with one bar at its beginning. */
  async function missed(since: number) {
    let now = NOW;
    const requests: string[] = [];
    const clock = (at: number): string => new Date(at + 5.5 * 60 * MINUTE).toISOString().slice(8, 23);
    const candles = async ({ interval, from, to, symbols }: CandleRequest) => {
      now += SECOND;
      requests.push(`${interval} ${clock(from)} ${clock(to)}`);
      return await Promise.resolve({ rows: symbols.map((symbol) => row(symbol, from)) });
    };
    const { bars, requestedAt } = await readMissedBars(candles, [INFY, TCS], since, { now: () => now }, signal);
    const shown = bars.get(7)?.map(({ at, lengthMs }) => `${clock(at)} ${lengthMs / SECOND} s`);
    expect(bars.get(8)).toEqual(bars.get(7));
    return { requests, shown, askedAfter: requestedAt - NOW };
  }

  test.each([
    ['ten seconds', NOW - 10_500, '23T10:00:01.000'],
    ['half an hour', NOW - 30 * MINUTE, '23T09:30:12.000'],
    ['a time that has not come by our clock', NOW + 5 * SECOND, '23T10:00:17.000'],
  ])('is read second by second in %s, to a minute after our clock', async (_, since, from) => {
    expect(await missed(since)).toEqual({
      requests: [`1s ${from} 23T10:01:12.345`],
      shown: [`${from} 1 s`],
      askedAfter: 0,
    });
  });

  test.each([
    ['more than half an hour', NOW - 30 * MINUTE - 1, '23T09:30:12.000', '23T09:31:00.000'],
    ['hours that begin with a minute', MONDAY_TEN - 60 * MINUTE, '23T09:00:00.000', '23T09:01:00.000'],
    ['more than a week, of the last week', NOW - 8 * DAY, '16T10:00:12.000', '16T10:01:00.000'],
  ])('is read by whole minutes in %s, no second twice, to the last request', async (_, since, from, first) => {
    expect(await missed(since)).toEqual({
      requests: [`1s ${from} ${first}`, `1m ${first} 23T10:00:00.000`, '1s 23T10:00:00.000 23T10:01:12.345'],
      shown: [`${from} 1 s`, `${first} 60 s`, '23T10:00:00.000 1 s'],
      askedAfter: 2 * SECOND,
    });
  });
});

describe('the prices of bars', () => {
  const bar = (open: number, high: number, low: number, close: number, more: Partial<MissedBar> = {}): MissedBar => ({
    ...{ at: 0, lengthMs: MINUTE, ...barPrices({ open, high, low, close })!, volume: null, ...more },
  });

  test.each<[string, MissedBar[], number, [at: number, price: number][]]>([
    [
      'one that rose, its low first',
      [bar(100, 103, 98, 101)],
      0,
      [
        [0, 100],
        [20_000, 98],
        [40_000, 103],
        [59_999, 101],
      ],
    ],
    [
      'one that fell, its high first',
      [bar(101, 103, 98, 100)],
      0,
      [
        [0, 101],
        [20_000, 103],
        [40_000, 98],
        [59_999, 100],
      ],
    ],
    [
      'one that ended where it began',
      [bar(100, 103, 98, 100)],
      0,
      [
        [0, 100],
        [20_000, 98],
        [40_000, 103],
        [59_999, 100],
      ],
    ],
    [
      'a second',
      [bar(100, 103, 98, 101, { at: 5_000, lengthMs: SECOND })],
      0,
      [
        [5_000, 100],
        [5_333, 98],
        [5_666, 103],
        [5_999, 101],
      ],
    ],
    ['one that a part was seen of: its close alone', [bar(100, 103, 98, 101)], 1, [[59_999, 101]]],
    ['one of which all but the end was seen', [bar(100, 103, 98, 101)], 59_999, [[59_999, 101]]],
    ['one that was seen: none', [bar(100, 103, 98, 101)], 60_000, []],
    ['still ones: one', [bar(100, 100, 100, 100), bar(100, 100, 100, 100, { at: MINUTE })], 0, [[0, 100]]],
    [
      'one after the other, each change',
      [bar(100, 101, 100, 101), bar(101, 101, 99, 99, { at: MINUTE })],
      0,
      [
        [0, 100],
        [40_000, 101],
        [100_000, 99],
      ],
    ],
  ])('come in order from %s', (_, bars, seenUntil, prices) => {
    const [first] = bars;
    expect(pricesOf(bars, seenUntil)).toEqual(prices.map(([at, price]) => ({ at, price, withinMs: first!.lengthMs })));
  });

  // REST tells no time: 103 was asked for at 30 s on a clock that is behind, and stood after the first bar.
  it('follow the price of REST where they show it before its time is over, else come all', () => {
    const bars = [bar(100, 100, 98, 98), bar(98, 103, 98, 99, { at: MINUTE })];
    const pricesAfter = (price: number, until: number): number[] =>
      pricesOf(bars, 30_000, { price, until }).map((past) => past.price);
    expect(pricesAfter(103, 2 * MINUTE)).toEqual([103, 99]);
    expect(pricesAfter(103, MINUTE)).toEqual([98, 103, 99]);
    expect(pricesAfter(101, 2 * MINUTE)).toEqual([98, 103, 99]);
    // It stood in the bar that it was asked for in, and came back later.
    expect(pricesOf([bar(99, 100, 98, 98), bars[1]!], 30_000, { price: 99, until: 2 * MINUTE })).toHaveLength(3);
  });
});

describe('prices that were missed', () => {
  /** Reads a history that fails with these errors first; `act` happens at each request. */
  async function read(errors: Error[], act: (closing: AbortController) => void = () => undefined) {
    const clock = new VirtualClock(MONDAY_TEN);
    const closing = new AbortController();
    const fatal: SessionError[] = [];
    let requests = 0;
    const candles = async () => {
      requests += 1;
      act(closing);
      const error = errors.shift();
      if (error !== undefined) throw error;
      return await Promise.resolve({ rows: [row('INFY', MONDAY_TEN)] });
    };
    const deps = {
      ...{ clock, candles, time: new ServiceClock(clock), signal: closing.signal },
      fatal: (error: SessionError) => void fatal.push(error),
    };
    const prices = new PriceDistributor(deps);
    prices.join(INFY, {}, () => undefined);
    const missed = await backfillPrices(deps, [...prices.entries.values()], MONDAY_TEN - 5 * SECOND);
    return { missed, requests, fatal, sleeps: clock.sleeps };
  }
  const cut = () => new NetworkError('cut', { maySent: false });

  test('are asked for up to five times, with pauses that grow', async () => {
    const { missed, requests, sleeps, fatal } = await read([cut(), cut(), cut(), cut()]);
    expect(missed).toMatchObject({ bars: new Map([[7, [{ at: MONDAY_TEN, close: 101 }]]]) });
    expect([requests, sleeps, fatal]).toEqual([5, [300, 600, 1_200, 2_400], []]);
  });

  test('are called missing, in the words of the last error, where they cannot be had', async () => {
    expect(await read([...Array.from({ length: 5 }, cut)])).toMatchObject({ missed: 'cut', requests: 5, fatal: [] });
    const defects = Array.from({ length: 5 }, () => new TypeError('a defect'));
    expect(await read(defects)).toMatchObject({ missed: 'The history could not be read', requests: 5 });
  });

  test('are not asked for again where there can be no session, which ends all, nor after the end', async () => {
    const error = new SessionError('refused');
    expect(await read([error])).toMatchObject({ missed: 'refused', requests: 1, fatal: [error], sleeps: [] });
    expect(await read([cut()], (closing) => closing.abort(new Error('closed')))).toMatchObject({
      ...{ missed: 'cut', requests: 1, fatal: [], sleeps: [] },
    });
  });
});
