import { CIRCUIT_BREAKERS } from './data/circuit-breakers';
import type { Instrument } from '../market/reference/types';
import { effectiveOn } from '../shared/effective-date';
import { istDate, istDayEnd, istTime } from '../shared/time';

/**
 * When a market-wide halt ends that an index causes by moving from its previous close to a price (exchange-rules:
 * Prices), milliseconds; undefined when it causes none.
 */
export function haltedUntil(index: Instrument, previousClose: number, price: number, at: number): number | undefined {
  const table = effectiveOn(CIRCUIT_BREAKERS, istDate(at));
  if (index.derivativeType !== 'INDEX' || !table.indices.includes(index.symbol)) return undefined;
  const moved = (Math.abs(price - previousClose) / previousClose) * 100;
  const stage = table.stages.findLast(({ percent }) => moved >= percent);
  if (stage === undefined) return undefined;
  const { minutes } = stage.halts.find(({ before }) => at < istTime(at, before))!;
  if (minutes === null) return istDayEnd(at);
  return minutes === 0 ? undefined : at + minutes * 60_000;
}
