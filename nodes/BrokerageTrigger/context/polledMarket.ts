/** Prices that are asked for over REST. */
import { getCurrentPrice } from '../../../client/market/quotes';
import type { Environment } from '../../../client/session/settings';
import type { MarketData } from '../../../client/stream/market-data/market-data';
import { pollPrice } from '../../../client/stream/market-data/price-polling';
import type { Transport } from '../../../client/transport';
import { clock } from '../../host/clock';

const EVERY_MS = 5_000;
const UNKNOWN = { previousClose: null, dayHigh: null, dayLow: null, volume: null, openInterest: null };

export function polledMarket(transport: Transport, environment: Environment): MarketData {
  return {
    subscribe: async (wants, listener, signal) => {
      const over = new AbortController();
      const either = AbortSignal.any([signal, over.signal]);
      const polls = wants.map(async (want) => {
        if (want.kind !== 'tick') return;
        const { instrument } = want;
        await pollPrice(
          {
            clock,
            random: Math.random,
            environment,
            everyMs: EVERY_MS,
            price: async (abort) =>
              (await getCurrentPrice(transport, instrument.symbol, instrument.exchange, abort)).price,
            onPrice: (lastPrice) =>
              listener({ kind: 'tick', tick: { instrument, lastPrice, at: clock.now(), source: 'rest', ...UNKNOWN } }),
            onOutage: (reason, downMs) => listener({ kind: 'outage', reason, downMs }),
            onFatal: (error) => listener({ kind: 'fatal', error }),
          },
          either,
        );
      });
      await Promise.all(polls);
      return () => over.abort();
    },
  };
}
