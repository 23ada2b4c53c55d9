import { addDays, addMonths, istDate } from './time';

/** Ranges of dates that reports are asked for; financial years begin in April. */
export const DATE_PRESETS = [
  'today',
  'yesterday',
  'last7Days',
  'last30Days',
  'thisMonth',
  'lastMonth',
  'thisFinancialYear',
  'lastFinancialYear',
] as const;
/** One of `DATE_PRESETS`. */
export type DatePreset = (typeof DATE_PRESETS)[number];

/** The dates (YYYY-MM-DD, IST, both inclusive) of a preset on the IST day of an instant in milliseconds. */
export function presetRange(preset: DatePreset, now: number): { from: string; to: string } {
  const today = istDate(now);
  const firstOfMonth = `${today.slice(0, 7)}-01`;
  const year = Number(today.slice(0, 4));
  const financialYear = Number(today.slice(5, 7)) >= 4 ? year : year - 1;
  switch (preset) {
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) };
    case 'last7Days':
      return { from: addDays(today, -6), to: today };
    case 'last30Days':
      return { from: addDays(today, -29), to: today };
    case 'thisMonth':
      return { from: firstOfMonth, to: today };
    case 'lastMonth':
      return { from: addMonths(firstOfMonth, -1), to: addDays(firstOfMonth, -1) };
    case 'thisFinancialYear':
      return { from: `${financialYear}-04-01`, to: today };
    case 'lastFinancialYear':
      return { from: `${financialYear - 1}-04-01`, to: `${financialYear}-03-31` };
  }
}
