/** REST in place of the stream over a long time: how often it is asked while nothing trades, and what is told while it does not answer. */
import { expect, test } from '@jest/globals';
import { ForeignReplyError } from '../../../../client/base/errors';
import type { MarketInstrument } from '../../../../client/stream/market-data/market-data';
import { PriceDistributor } from '../../../../client/stream/market-data/price-distributor';
import { RestFallback } from '../../../../client/stream/market-data/rest-fallback';
import { ServiceClock } from '../../../../client/stream/market-data/service-clock';
import { VirtualClock, momentAt } from '../../../support/clock';
import { RestBench, S7, S8 } from './rest-bench';

const INFY: MarketInstrument = { refId: 7, exchange: 'NSE', symbol: 'INFY', kind: 'STOCK' };

test.each([
  ['2026-11-20T15:35:00', 12, 'the night after a session', 110],
  ['2026-11-24T09:00:00', 15, 'a holiday', 190],
  ['2026-11-23T10:00:00', 1, 'an hour of a session', 800],
])(
  'Live, from %s for %d hours, %s: a still stream costs at most this many requests',
  async (from, hours, _what, max) => {
    const begin = Date.parse(`${from}+05:30`);
    const clock = new VirtualClock(begin);
    const time = new ServiceClock(clock, false);
    const { signal } = new AbortController();
    let requests = 0;
    const candles = async (): Promise<{ rows: [] }> => {
      requests += 1;
      return await Promise.resolve({ rows: [] });
    };
    const prices = new PriceDistributor({ clock, candles, time, signal, fatal: () => undefined });
    const rest = new RestFallback(
      {
        ...{ clock, time, signal, candles, random: () => 0, environment: 'live' },
        price: async () => await Promise.resolve({ none: 'nothing has traded' }),
        notify: () => undefined,
        answered: () => undefined,
        failed: () => undefined,
        streamReceivedAt: () => momentAt(begin),
        streamIsSilent: () => undefined,
      },
      prices,
    );
    time.onFrame(begin);
    prices.join(INFY, {}, () => undefined);
    for (let second = 1; second <= hours * 3_600; second++) {
      clock.set(begin + second * 1_000);
      rest.tick(false);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(requests).toBeLessThanOrEqual(max);
    expect(requests).toBeGreaterThan(max / 2);
  },
);

test('an instrument that has a price neither from the stream nor over REST is told of once, with the reason', async () => {
  const bench = new RestBench();
  bench.listen(S7, S8);
  for (const { refId } of [S7, S8]) bench.prices.entries.get(refId)!.isSilent = refId === 7;
  bench.priceError = new ForeignReplyError('Something between n8n and the service answered.', { status: 401 });
  const outages = (): string[] => bench.events.flatMap((event) => (event.kind === 'outage' ? [event.reason] : []));
  for (let seconds = 1; seconds < 290; seconds += 5) await bench.beat(seconds, false);
  expect(outages()).toEqual([]);
  for (let seconds = 291; seconds < 900; seconds += 5) await bench.beat(seconds, false);
  const reason =
    'the stream sends nothing for NSE:S7, and no price can be read over REST: Something between n8n and the service answered.';
  expect(outages()).toEqual([reason]);
  bench.priceError = undefined;
  for (let seconds = 900; seconds < 1_200; seconds += 5) await bench.beat(seconds, false);
  bench.priceError = new ForeignReplyError('A page.', { status: 200 });
  for (let seconds = 1_200; seconds < 1_900; seconds += 5) await bench.beat(seconds, false);
  expect(outages()).toHaveLength(2);
});

test('a history that answers does not count as a price while none can be read', async () => {
  const bench = new RestBench();
  bench.listen(S7);
  bench.streamHeardAt = bench.clock.now();
  bench.priceError = new ForeignReplyError('A page.', { status: 401 });
  await bench.beat(1);
  for (let seconds = 20; seconds < 100; seconds += 5) await bench.beat(seconds);
  expect([bench.histories.length > 0, bench.answers]).toEqual([true, 0]);
});

test.each([30_000, -30_000])(
  'a clock that is set by %d ms while the history is read moves no price in time',
  async (ms) => {
    const bench = new RestBench();
    bench.listen(S7);
    bench.receive(100_000, 1);
    bench.historySetsClockMs = ms;
    await bench.beat(10);
    const begun = bench.clock.now() - 10_000;
    const ticks = bench.events.flatMap((event) => (event.kind === 'tick' ? [event.tick] : []));
    expect(ticks.map(({ source, lastPrice, at }) => [source, lastPrice, at - begun])).toEqual([
      ['stream', 100_000, 1_000],
      ['rest', 101_000, 10_000],
    ]);
  },
);
