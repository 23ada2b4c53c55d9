import type { ExchangeCode } from '../market/reference/types';
import { splitJson, wordsOf } from './command-parser';

export type MarketChannel = 'index' | 'index_bucket' | 'orderbook' | 'greeks' | 'option';

/** One thing that a connection listens to (docs/service/streams.md#market-data-commands). */
export type MarketSubscription =
  | { channel: 'index'; name: string; exchange: ExchangeCode }
  | { channel: 'index_bucket'; name: string; interval: string; exchange: ExchangeCode }
  | { channel: 'orderbook' | 'greeks'; refId: number }
  | { channel: 'option'; exchange: ExchangeCode; asset: string; expiry: string };

/** Command of a text after `batch_subscribe <token>` or `batch_unsubscribe <token>`. */
export type MarketCommand =
  | { kind: 'subscriptions'; of: MarketSubscription[] }
  | { kind: 'depth'; levels: number }
  | { kind: 'interval'; channel: MarketChannel; ms: number }
  | { kind: 'post_market'; on: boolean };

/** Candles that are served; 1s, 10s and 1yr are silent. */
export const CANDLE_INTERVALS = '5s 1m 2m 3m 5m 10m 15m 30m 1h 2h 4h 1d 1w 1mt'.split(' ');
const CHANNELS: readonly string[] = [
  'index',
  'index_bucket',
  'orderbook',
  'greeks',
  'option',
] satisfies MarketChannel[];
const PACES: Record<string, number> = {
  '1s': 1_000,
  '5s': 5_000,
  '10s': 10_000,
  '30s': 30_000,
  '1m': 60_000,
  '5m': 300_000,
  '10m': 600_000,
};
const MAX_LEVELS = 20;

/** Reads what a command asks for; undefined for what is none: it is not answered (docs/service/streams.md#silence-and-pings). */
export function readMarketCommand(topic: string, rest: string): MarketCommand | undefined {
  if (topic === 'orderbook_depth') {
    const levels = Number(rest);
    return Number.isInteger(levels) && levels >= 1 && levels <= MAX_LEVELS ? { kind: 'depth', levels } : undefined;
  }
  if (topic === 'post_market') return { kind: 'post_market', on: rest === 'true' };
  if (topic === 'socket_interval') {
    const [channel = '', pace = ''] = wordsOf(rest);
    const ms = PACES[pace];
    return ms === undefined || !isChannel(channel) ? undefined : { kind: 'interval', channel, ms };
  }
  if (!isChannel(topic)) return undefined;
  const [json, words] = splitJson(rest);
  const of = subscriptions(topic, readJson(json), wordsOf(words));
  return of.length === 0 ? undefined : { kind: 'subscriptions', of };
}

function isChannel(text: string): text is MarketChannel {
  return CHANNELS.includes(text);
}

function subscriptions(channel: MarketChannel, requested: unknown, words: string[]): MarketSubscription[] {
  switch (channel) {
    case 'index': {
      const exchange = exchangeOf(words[0]);
      return names(requested).map((name) => ({ channel, name, exchange }));
    }
    case 'index_bucket': {
      const [interval = '', last] = words;
      if (!CANDLE_INTERVALS.includes(interval)) return [];
      return names(requested).map((name) => ({ channel, name, interval, exchange: exchangeOf(last) }));
    }
    case 'orderbook':
    case 'greeks':
      return listIn(requested, 'instruments').map((refId) => ({ channel, refId: Number(refId) }));
    case 'option':
      return (Array.isArray(requested) ? requested : []).map((item: Partial<Record<string, unknown>> | null) => ({
        channel,
        exchange: exchangeOf(item?.['exchange']),
        asset: String(item?.['asset'] ?? ''),
        expiry: String(item?.['expiry'] ?? ''),
      }));
  }
}

/** Indices and instruments may be named in either list. */
function names(requested: unknown): string[] {
  return [...listIn(requested, 'indexes'), ...listIn(requested, 'instruments')].map(String);
}

function listIn(requested: unknown, name: 'indexes' | 'instruments'): unknown[] {
  const list =
    typeof requested === 'object' && requested !== null ? (requested as Record<string, unknown>)[name] : undefined;
  return Array.isArray(list) ? list : [];
}

/** NSE where none is named. A wrong exchange is taken without an error and never ticks. */
function exchangeOf(word: unknown): ExchangeCode {
  return word === 'BSE' || word === 'MCX' ? word : 'NSE';
}

/** Returns the JSON of a text; undefined when it is none. */
function readJson(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
