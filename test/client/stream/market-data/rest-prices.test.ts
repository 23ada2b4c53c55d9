/** What a look at the history of a quiet instrument vouches for: a price that the stream brings late is told nevertheless. */
import { describe, expect, test } from '@jest/globals';
import type { CandleRow } from '../../../../client/market/candle-rows';
import type { MarketInstrument } from '../../../../client/stream/market-data/market-data';
import { Prices } from '../../../../client/stream/market-data/prices';
import { RestPrices } from '../../../../client/stream/market-data/rest-prices';
import { ServiceTime } from '../../../../client/stream/market-data/service-time';
import { msToNanos } from '../../../../client/values/time';
import { VirtualClock } from '../../../support/clock';
import { MONDAY_TEN } from '../../../support/still-market';

const INFY: MarketInstrument = { refId: 7, exchange: 'NSE', symbol: 'INFY', kind: 'STOCK' };
const FIRST = 100_000;

/** An instrument that had its first price at MONDAY_TEN; a look at it begins so many milliseconds later. */
function lookedAt(afterMs: number) {
  const clock = new VirtualClock(MONDAY_TEN);
  const time = new ServiceTime(clock);
  const { signal } = new AbortController();
  const { promise: history, resolve: reply } = Promise.withResolvers<{ rows: CandleRow[] }>();
  const candles = async (): Promise<{ rows: CandleRow[] }> => await history;
  const told: number[] = [];
  const silent: string[] = [];
  const prices = new Prices({ clock, candles, time, signal, fatal: () => undefined });
  const rest = new RestPrices(
    {
      ...{ clock, time, signal, candles, random: () => 0, environment: 'sandbox' },
      price: async () => await Promise.resolve(0),
      tell: ({ instrument }, { kind }) => silent.push(`${instrument.symbol} ${kind}`),
      answered: () => undefined,
      failed: () => undefined,
      streamHeardAt: () => clock.now(),
      streamIsSilent: () => undefined,
    },
    prices,
  );
  const hear = (price: number, at: number): void =>
    prices.take([
      {
        ...{ indexname: 'INFY', exchange: 'NSE', timestamp: msToNanos(at), indexValue: price, highIndexValue: 0 },
        ...{ lowIndexValue: 0, volume: 0, changepercent: 0, tickVolume: 0, prevClose: 0, volumeOi: 0 },
        indicativeClosePrice: null,
      },
    ]);
  time.heard(MONDAY_TEN);
  prices.join(INFY, {}, (event) => event.kind === 'tick' && told.push(event.tick.lastPrice));
  hear(FIRST, MONDAY_TEN);
  clock.set(MONDAY_TEN + afterMs);
  rest.beat(false);
  const answer = async (atMs: number, rows: CandleRow[]): Promise<void> => {
    clock.set(MONDAY_TEN + atMs);
    reply({ rows });
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { told, silent, hear, answer };
}

const second = (atMs: number, open: number, close: number): CandleRow => ({
  ...{ symbol: 'INFY', ts: msToNanos(MONDAY_TEN + atMs), open, close },
  ...{ high: Math.max(open, close), low: Math.min(open, close), volume: 1 },
});

describe('a look at the history of a quiet instrument', () => {
  test('tells nothing of what was after the request, however long the reply takes', async () => {
    const { told, hear, answer } = lookedAt(20_000);
    await answer(28_000, []);
    hear(99_200, MONDAY_TEN + 22_000);
    expect(told).toEqual([FIRST, 99_200]);
  });

  test('tells nothing of a second that was not over when it was looked at', async () => {
    const { told, silent, hear, answer } = lookedAt(20_525);
    await answer(20_550, [second(15_000, FIRST, 99_200)]);
    hear(99_200, MONDAY_TEN + 15_404);
    expect([told, silent]).toEqual([[FIRST, 99_200], []]);
  });

  test('finds out that it has traded, and that the stream did not say so', async () => {
    const { silent, answer } = lookedAt(20_525);
    await answer(20_550, [second(14_000, FIRST, 99_200)]);
    expect(silent).toEqual(['INFY silent']);
  });
});

test.each([
  ['2026-11-20T15:35:00', 12, 'the night after a session', 110],
  ['2026-11-24T09:00:00', 15, 'a holiday', 190],
  ['2026-11-23T10:00:00', 1, 'an hour of a session', 800],
])(
  'Live, from %s for %d hours, %s: a still stream costs at most so many requests',
  async (from, hours, _what, most) => {
    const begin = Date.parse(`${from}+05:30`);
    const clock = new VirtualClock(begin);
    const time = new ServiceTime(clock, false);
    const { signal } = new AbortController();
    let requests = 0;
    const candles = async (): Promise<{ rows: CandleRow[] }> => {
      requests += 1;
      return await Promise.resolve({ rows: [] });
    };
    const prices = new Prices({ clock, candles, time, signal, fatal: () => undefined });
    const rest = new RestPrices(
      {
        ...{ clock, time, signal, candles, random: () => 0, environment: 'live' },
        price: async () => await Promise.resolve(0),
        tell: () => undefined,
        answered: () => undefined,
        failed: () => undefined,
        streamHeardAt: () => begin,
        streamIsSilent: () => undefined,
      },
      prices,
    );
    time.heard(begin);
    prices.join(INFY, {}, () => undefined);
    for (let second = 1; second <= hours * 3_600; second++) {
      clock.set(begin + second * 1_000);
      rest.beat(false);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(requests).toBeLessThanOrEqual(most);
    expect(requests).toBeGreaterThan(most / 2);
  },
);
