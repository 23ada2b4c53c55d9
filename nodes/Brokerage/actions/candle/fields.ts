/** Shared parts of the operations on candles. */
import type { Instrument } from '../../../../client/instruments/instrument';
import type { CandleType } from '../../../../client/market/candles';

/** The lengths of bars as the panel calls them. */
export const INTERVAL_NAMES: Readonly<Record<string, string>> = {
  '1s': '1 Second',
  '10s': '10 Seconds',
  '1m': '1 Minute',
  '2m': '2 Minutes',
  '3m': '3 Minutes',
  '5m': '5 Minutes',
  '15m': '15 Minutes',
  '30m': '30 Minutes',
  '1h': '1 Hour',
  '1d': '1 Day',
  '1w': '1 Week',
  '1mth': '1 Month',
};

/** Options in the order of their names, as n8n wants them. */
export const sorted = (options: { name: string; value: string }[]) =>
  [...options].sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** Choices of a length. */
export const intervalOptions = (intervals: readonly string[]) =>
  sorted(intervals.map((value) => ({ name: INTERVAL_NAMES[value] ?? value, value })));

/** One query for each exchange and type: the service takes several symbols only where both are the same. */
export function groupsOf(
  instruments: readonly Instrument[],
  chain: boolean,
): { exchange: string; type: CandleType; symbols: string[] }[] {
  const groups = new Map<string, { exchange: string; type: CandleType; symbols: string[] }>();
  for (const { exchange, kind, symbol, asset } of instruments) {
    const type: CandleType = chain ? 'CHAIN' : kind;
    const group = groups.get(`${exchange} ${type}`) ?? { exchange, type, symbols: [] };
    group.symbols.push(chain ? asset : symbol);
    groups.set(`${exchange} ${type}`, group);
  }
  return [...groups.values()];
}
