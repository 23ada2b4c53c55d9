/** A look at the prices of a stream that is open. */
import { describe, expect, test } from '@jest/globals';
import { InputError } from '../../../../client/base/errors';
import type {
  MarketData,
  MarketEvent,
  MarketInstrument,
  MarketListener,
  MarketSubscription,
} from '../../../../client/stream/market-data/market-data';
import { streamedPrices } from '../../../../client/stream/market-data/price-snapshot';
import { VirtualClock } from '../../../support/clock';
import { knownPrice } from '../../../support/price';

const share = (refId: number): MarketInstrument => ({ refId, exchange: 'NSE', symbol: `S${refId}`, kind: 'STOCK' });
const none = { previousClose: null, dayHigh: null, dayLow: null, volume: null, openInterest: null };

/** A stream that does something when it is listened to; its subscriptions, and whether they have been given back. */
function streamOf(act: (listener: MarketListener) => void | Promise<void>) {
  const seen = { subscriptions: [] as readonly MarketSubscription[], isGivenBack: false };
  const market: MarketData = {
    subscribe: async (subscriptions, listener, signal) => {
      seen.subscriptions = subscriptions;
      signal.addEventListener('abort', () => (seen.isGivenBack = true));
      await act(listener);
      return () => undefined;
    },
  };
  return { market, seen };
}

const tick = (listener: MarketListener, refId: number, source: 'stream' | 'history' = 'stream'): void =>
  listener({
    kind: 'tick',
    tick: { instrument: share(refId), lastPrice: knownPrice(100 + refId), at: 1, source, ...none },
  });

describe('prices of this moment', () => {
  test('are had at once, each instrument is wanted once, and all is given back', async () => {
    const clock = new VirtualClock(0);
    const { market, seen } = streamOf((listener) => [1, 2].forEach((refId) => tick(listener, refId)));
    const prices = await streamedPrices(market, [share(1), share(2), share(1)], clock);
    expect([...prices].map(([refId, { lastPrice }]) => [refId, lastPrice])).toEqual([
      [1, 101],
      [2, 102],
    ]);
    // A look is no reason to bring every change.
    const subscriptions = [1, 2].map((refId) => ({ kind: 'tick', instrument: share(refId), paceMs: 1_000 }));
    expect([seen, clock.now()]).toEqual([{ subscriptions, isGivenBack: true }, 0]);
  });

  test('are waited for a moment, and none of them is from before', async () => {
    const clock = new VirtualClock(0);
    const { market, seen } = streamOf((listener) => {
      tick(listener, 1);
      tick(listener, 2, 'history');
    });
    expect([...(await streamedPrices(market, [share(1), share(2)], clock)).keys()]).toEqual([1]);
    expect([seen.isGivenBack, clock.now()]).toEqual([true, 1_500]);
  });

  test('are none where the stream is away, also of what it told before', async () => {
    const clock = new VirtualClock(0);
    const { market } = streamOf((listener) => {
      listener({ kind: 'source', now: 'rest', reason: 'The stream was closed' });
      tick(listener, 1);
    });
    expect([(await streamedPrices(market, [share(1), share(2)], clock)).size, clock.now()]).toEqual([0, 0]);
  });

  test.each<[string, MarketEvent, number]>([
    ['is back', { kind: 'source', now: 'stream', reason: 'The stream is open' }, 1],
    ['ends', { kind: 'fatal', error: new InputError('No session') }, 0],
    ['is silent about one of them', { kind: 'silent', instrument: share(1) }, 1],
  ])('come of a stream that %s', async (_, event, prices) => {
    const { market } = streamOf((listener) => {
      tick(listener, 1);
      listener(event);
    });
    expect((await streamedPrices(market, [share(1), share(2)], new VirtualClock(0))).size).toBe(prices);
  });

  test('are none where the stream takes no more, or the look is given up', async () => {
    const clock = new VirtualClock(0);
    const { market } = streamOf(() => {
      throw new InputError('All that is listened to would weigh too much.');
    });
    expect([(await streamedPrices(market, [share(1)], clock)).size, clock.now()]).toEqual([0, 0]);
    const given = new AbortController();
    const stopped = streamedPrices(
      streamOf(() => given.abort(new Error('stopped'))).market,
      [share(1)],
      clock,
      given.signal,
    );
    await expect(stopped).rejects.toThrow('stopped');
  });
});
