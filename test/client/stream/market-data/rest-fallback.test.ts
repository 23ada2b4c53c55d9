/** Number of requests while the stream brings nothing because nothing is traded. */
import { expect, test } from '@jest/globals';
import type { MarketInstrument } from '../../../../client/stream/market-data/market-data';
import { PriceDistributor } from '../../../../client/stream/market-data/price-distributor';
import { RestFallback } from '../../../../client/stream/market-data/rest-fallback';
import { ServiceClock } from '../../../../client/stream/market-data/service-clock';
import { VirtualClock, momentAt } from '../../../support/clock';

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
