/** Implied volatility at the money on the days before, for the rank. */
import type { Instrument } from '../instruments/instrument';
import type { NamedInstrument } from '../instruments/symbol';
import { getCandles } from '../market/candles';
import { getChainMoments } from '../market/chain-moments';
import type { Transport } from '../transport';
import { addDays, istDate, istInstant } from '../values/time';

/** Time of day, IST, at which a day's volatility is read: shortly before the close, while prices are still good. */
const READ_AT = '15:25';
/** Number of calendar days per requested trading day, with a margin. */
const CALENDAR_DAYS = 1.6;
const HOLIDAYS = 10;

export interface IvHistoryRequest {
  /** The index or share behind the options. */
  underlying: NamedInstrument & Pick<Instrument, 'kind'>;
  /** YYYY-MM-DD. */
  expiry: string;
  /** Strikes of the chain, paise, in any order. */
  strikes: readonly number[];
  /** Days of trading before today, at most. */
  days: number;
  /** The market's time, milliseconds since the epoch. */
  now: number;
  signal?: AbortSignal;
}

/**
 * Returns the implied volatility at the money of this expiry on each trading day before today, percent, oldest first. Days without a value
 * are left out. Sends one request for candles, and one for each ten days.
 * @throws as `getCandles` and `getChainMoments`
 */
export async function getIvHistory(
  transport: Transport,
  { underlying, expiry, strikes, days, now, signal }: IvHistoryRequest,
): Promise<number[]> {
  const { exchange, symbol, kind } = underlying;
  const today = istDate(now);
  const { rows } = await getCandles(transport, {
    exchange,
    type: kind,
    symbols: [symbol],
    fields: ['close'],
    interval: '1d',
    from: istInstant(addDays(today, -Math.ceil(days * CALENDAR_DAYS) - HOLIDAYS)),
    to: istInstant(today),
    unit: 'paise',
    signal,
  });
  const moments = rows.slice(-days).flatMap(({ close, ts }) => {
    const at = Math.floor(Number(ts) / 1_000_000);
    const strike = typeof close === 'number' ? nearest(strikes, close) : undefined;
    return strike === undefined || !Number.isFinite(at)
      ? []
      : [{ at: istInstant(istDate(at), READ_AT), strikes: [strike] }];
  });
  const chainMoments = await getChainMoments(transport, {
    exchange,
    asset: symbol,
    expiry,
    field: 'iv_mid',
    moments,
    signal,
  });
  return chainMoments.flatMap(({ strikes: byStrike }) => {
    const ivs = [...byStrike.values()]
      .flatMap(({ ce, pe }) => [ce, pe])
      .filter((iv) => iv !== null && iv > 0) as number[];
    return ivs.length === 0 ? [] : [(ivs.reduce((sum, iv) => sum + iv, 0) / ivs.length) * 100];
  });
}

function nearest(strikes: readonly number[], price: number): number | undefined {
  let best: number | undefined;
  for (const strike of strikes)
    if (best === undefined || Math.abs(strike - price) < Math.abs(best - price)) best = strike;
  return best;
}
