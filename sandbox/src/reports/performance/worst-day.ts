import { longDate, formatValue } from '../document/format';
import type { PerformanceRecord } from './record';

/** The day that says most, in one sentence: what was lost, and what the index did meanwhile. Undefined where no day lost anything. */
export function worstDayInWords({ worst_day: worst, market }: PerformanceRecord): string | undefined {
  if (worst === null || worst.result >= 0) return undefined;
  return `Worst day: ${longDate(worst.date)}, ${signedRupees(worst.result)}${meanwhile(worst, market?.symbol ?? 'the index')}.`;
}

function meanwhile({ index, market: change }: NonNullable<PerformanceRecord['worst_day']>, symbol: string): string {
  if (index === null || change === null) return '';
  const than =
    change === 0 ? ' as the day before' : `, ${Math.abs(change)} % ${change < 0 ? 'below' : 'above'} the day before`;
  return `, when ${symbol} was between ${formatValue(index.low, 'price')} and ${formatValue(index.high, 'price')} and closed at ${formatValue(index.close, 'price')}${than}`;
}

/** Amounts of paise as sentences and pictures of a report have them. */
export function signedRupees(paise: number): string {
  return `${paise < 0 ? '−' : ''}₹${formatValue(Math.abs(paise), 'money')}`;
}
