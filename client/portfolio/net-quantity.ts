/** The signed quantity of a position. */
import { wholeNumberFrom } from '../values/record';
import type { Position } from './portfolio';

/** Units of a record, below 0 where they were sold; undefined where the service does not tell the direction. */
export function netQuantityOf({ qty, order_side: side }: Position): number | undefined {
  const units = wholeNumberFrom(qty);
  if (units === undefined || units === 0) return units;
  const word = typeof side === 'string' ? side : '';
  if (word.endsWith('SELL')) return -Math.abs(units);
  if (units < 0) return word.endsWith('BUY') ? undefined : units;
  return word.endsWith('BUY') ? units : undefined;
}
