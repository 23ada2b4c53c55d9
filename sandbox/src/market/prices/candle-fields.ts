/** Historical candles field by field (docs/service/market-data.md#candles, docs/service/market-data.md#candle-reply). */

export type CandleType = 'STOCK' | 'INDEX' | 'OPT' | 'FUT' | 'CHAIN';

export const candleFields = [
  'open',
  'high',
  'low',
  'close',
  'tick_volume',
  'cumulative_volume',
  'cumulative_volume_premium',
  'cumulative_oi',
  'cumulative_call_oi',
  'cumulative_put_oi',
  'cumulative_fut_oi',
  'l1bid',
  'l1ask',
  'theta',
  'delta',
  'gamma',
  'vega',
  'iv_bid',
  'iv_ask',
  'iv_mid',
  'cumulative_volume_delta',
] as const;

export type CandleField = (typeof candleFields)[number];
