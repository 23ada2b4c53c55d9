/** REST in place of the stream, request by request: what is asked when, and what is told where the history cannot be read. */
import { describe, expect, test } from '@jest/globals';
import { NetworkError, SessionError, type BrokerageError } from '../../../../client/base/errors';
import type { CandleRow } from '../../../../client/market/candle-rows';
import type { MarketEvent, MarketInstrument } from '../../../../client/stream/market-data/market-data';
import { Prices } from '../../../../client/stream/market-data/prices';
import { RestPrices } from '../../../../client/stream/market-data/rest-prices';
import { ServiceTime } from '../../../../client/stream/market-data/service-time';
import { msToNanos } from '../../../../client/values/time';
import { VirtualClock } from '../../../support/clock';
import { MONDAY_TEN } from '../../../support/still-market';

const SECOND = 1_000;
const shareOf = (refId: number): MarketInstrument => ({ refId, exchange: 'NSE', symbol: `S${refId}`, kind: 'STOCK' });
const S7 = shareOf(7);

/** Prices over REST by hand; each beat is at a second after ten o'clock. */
class Bench {
  readonly clock = new VirtualClock(MONDAY_TEN);
  readonly told: MarketEvent[] = [];
  readonly asked: number[] = [];
  readonly histories: string[][] = [];
  readonly failures: (BrokerageError | undefined)[] = [];
  answers = 0;
  silences = 0;
  /** What the service answers. */
  last = 101_000;
  rows: CandleRow[] = [];
  historyError: Error | undefined;
  priceError: Error | undefined;
  streamHeardAt: number | undefined;
  readonly prices: Prices;
  readonly rest: RestPrices;

  constructor() {
    const { clock } = this;
    const time = new ServiceTime(clock);
    const { signal } = new AbortController();
    const candles = async ({ symbols }: { symbols: readonly string[] }): Promise<{ rows: CandleRow[] }> => {
      this.histories.push([...symbols]);
      await Promise.resolve();
      if (this.historyError !== undefined) throw this.historyError;
      return { rows: this.rows };
    };
    time.heard(MONDAY_TEN);
    this.prices = new Prices({ clock, candles, time, signal, fatal: () => undefined });
    this.rest = new RestPrices(
      {
        ...{ clock, time, signal, candles, random: () => 1, environment: 'sandbox' },
        price: async ({ refId }) => {
          this.asked.push(refId);
          await Promise.resolve();
          if (this.priceError !== undefined) throw this.priceError;
          return this.last;
        },
        tell: (_entry, event) => void this.told.push(event),
        answered: () => (this.answers += 1),
        failed: (error) => void this.failures.push(error),
        streamHeardAt: () => this.streamHeardAt,
        streamIsSilent: () => (this.silences += 1),
      },
      this.prices,
    );
  }

  listen(...instruments: MarketInstrument[]): void {
    for (const one of instruments) this.prices.join(one, {}, (event) => void this.told.push(event));
  }

  /** The stream tells a price, as of so many seconds after ten. */
  hear(price: number, seconds: number, { symbol }: MarketInstrument = S7): void {
    this.clock.set(MONDAY_TEN + seconds * SECOND);
    this.prices.take([
      {
        ...{ indexname: symbol, exchange: 'NSE', timestamp: msToNanos(this.clock.now()), indexValue: price },
        ...{ highIndexValue: 0, lowIndexValue: 0, volume: 0, changepercent: 0, tickVolume: 0, prevClose: 0 },
        ...{ volumeOi: 0, indicativeClosePrice: null },
      },
    ]);
  }

  async beat(seconds: number, isAsking = true): Promise<void> {
    this.clock.set(MONDAY_TEN + seconds * SECOND);
    this.rest.beat(isAsking);
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  }

  /** What was told: prices with their source, anything else by its kind. */
  get shown(): string[] {
    return this.told.map((event) =>
      event.kind === 'tick' ? `${event.tick.lastPrice} ${event.tick.source}` : event.kind,
    );
  }
}

describe('prices over REST', () => {
  test('are asked for every five seconds, and told when they change', async () => {
    const bench = new Bench();
    bench.listen(S7);
    await bench.beat(1);
    await bench.beat(5);
    expect([bench.asked, bench.histories, bench.shown]).toEqual([[7], [], ['101000 rest']]);
    bench.last = 102_000;
    await bench.beat(6);
    expect([bench.asked.length, bench.histories.length > 0, bench.answers]).toEqual([2, true, 2]);
    expect(bench.shown).toEqual(['101000 rest', '102000 rest']);
    bench.rest.hurry();
    await bench.beat(7);
    expect(bench.asked).toHaveLength(3);
  });

  test('are asked for of nobody while the stream brings them', async () => {
    const bench = new Bench();
    bench.listen(S7);
    await bench.beat(1, false);
    expect([bench.asked, bench.histories]).toEqual([[], []]);
  });

  test('of 0 are none', async () => {
    const bench = new Bench();
    bench.listen(S7);
    bench.last = 0;
    await bench.beat(1);
    expect([bench.shown, bench.answers]).toEqual([[], 1]);
  });

  test('that fail are asked for again after a pause that grows, and it is said', async () => {
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
    bench.listen(S7);
    bench.hear(100_000, 1);
    bench.historyError = new NetworkError('no history', { maySent: false });
    for (let second = 10; second < 50; second += 10) {
      await bench.beat(second);
    }
    expect([bench.asked, bench.shown]).toEqual([[], ['100000 stream']]);
    await bench.beat(50);
    expect(bench.shown).toEqual(['100000 stream', 'gap', '101000 rest']);
    expect(bench.told[1]).toMatchObject({ instrument: S7, reason: 'no history', to: MONDAY_TEN + 50 * SECOND });
  });

  test('are not told without the history where there can be no session', async () => {
    const bench = new Bench();
    bench.listen(S7);
    bench.hear(100_000, 1);
    bench.historyError = new SessionError('refused');
    for (let second = 10; second < 80; second += 10) {
      await bench.beat(second);
    }
    expect(bench.shown).toEqual(['100000 stream']);
    expect(bench.failures).toHaveLength(6);
  });
});

describe('a look at what is quiet', () => {
  const second = (at: number, price: number): CandleRow => ({
    ...{ symbol: 'S7', ts: msToNanos(MONDAY_TEN + at * SECOND), open: price, high: price, low: price, close: price },
    volume: 1,
  });

  test('comes after twenty seconds, again after five, and shows that REST answers', async () => {
    const bench = new Bench();
    bench.listen(S7);
    bench.hear(100_000, 0);
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
    bench.hear(100_000, 2);
    others.forEach((one) => bench.hear(100_000, 1, one));
    bench.streamHeardAt = MONDAY_TEN + 25 * SECOND;
    await bench.beat(26, false);
    expect(bench.histories[0]).toEqual(others.slice(0, 10).map(({ symbol }) => symbol));
  });

  test('that finds a price shows that the stream is silent about it, or altogether', async () => {
    for (const [quietFor, shown, silences] of [
      [1, ['100000 stream', 'silent'], 0],
      [10, ['100000 stream'], 1],
    ] as const) {
      const bench = new Bench();
      bench.listen(S7);
      bench.hear(100_000, 0);
      bench.rows = [second(8, 99_000)];
      bench.streamHeardAt = MONDAY_TEN + (20 - quietFor) * SECOND;
      await bench.beat(20, false);
      expect([bench.shown, bench.silences]).toEqual([shown, silences]);
    }
  });

  test('that finds the same price shows nothing', async () => {
    const bench = new Bench();
    bench.listen(S7);
    bench.hear(100_000, 0);
    bench.rows = [second(8, 100_000)];
    bench.streamHeardAt = MONDAY_TEN + 19 * SECOND;
    await bench.beat(20, false);
    expect([bench.shown, bench.silences]).toEqual([['100000 stream'], 0]);
  });
});
