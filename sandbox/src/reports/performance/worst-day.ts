import { longDate, written } from '../document/format';
import type { PerformanceRecord } from './record';

/** The day that says most, in one sentence: what was lost, and what the index did meanwhile. Undefined where no day lost anything. */
export function worstDayInWords({ worst_day: worst, curve, market }: PerformanceRecord): string | undefined {
  if (worst === null || worst.result >= 0) return undefined;
  const range = market === null ? undefined : rangeOf(curve, worst.date);
  const close =
    worst.market === null
      ? ''
      : ` and closed ${Math.abs(worst.market)} % ${worst.market < 0 ? 'below' : 'above'} the day before`;
  const meanwhile =
    range === undefined
      ? ''
      : `, when ${market!.symbol} was between ${written(range.low, 'price')} and ${written(range.high, 'price')}${close}`;
  return `Worst day: ${longDate(worst.date)}, ${rupees(worst.result)}${meanwhile}.`;
}

/** Amounts of paise as sentences and pictures of a report have them. */
export function rupees(paise: number): string {
  return `${paise < 0 ? '−' : ''}₹${written(Math.abs(paise), 'money')}`;
}

/** What the index did on a day, by the points of the curve: its lowest and highest, paise. Undefined where it is not known. */
function rangeOf(points: PerformanceRecord['curve'], date: string): { low: number; high: number } | undefined {
  const prices = points.flatMap(({ at, market }) => (at.startsWith(date) && market !== null ? [market] : []));
  return prices.length === 0 ? undefined : { low: Math.min(...prices), high: Math.max(...prices) };
}
