/** Selection of trading days, compared with a plain count over a calendar with holidays at random. */
import fc from 'fast-check';
import {
  expectedTradingDay,
  matchesDayRule,
  tradingDayAt,
  type DayRule,
} from '../../../../client/market/calendar/trading-day-selection';

const dayAt = (index: number): string => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);
const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();
const LENGTH = 200;
const ALL = Array.from({ length: LENGTH }, (_, index) => dayAt(index));

/** Trading days of a year in which some weekdays are holidays. */
const tradingDays = fc
  .uniqueArray(fc.integer({ min: 0, max: LENGTH - 1 }), { maxLength: 40 })
  .map((holidays) => ALL.filter((day, index) => weekdayOf(day) % 6 !== 0 && !holidays.includes(index)));

/** The days that a rule means. */
function matchingDays(rule: DayRule, days: readonly string[], expiries: readonly string[] = []): string[] {
  return days.filter((date, at) => {
    const [previous, next] = [days[at - 1], days[at + 1]];
    return previous !== undefined && next !== undefined && matchesDayRule(rule, { date, previous, next, expiries });
  });
}
/** Each day of the calendar that is wanted, moved to the first trading day from it on. */
function moved(days: readonly string[], isSelected: (day: string) => boolean): string[] {
  const found = ALL.filter(isSelected).map((selectedDay) => days.find((day) => day >= selectedDay));
  return [...new Set(found.filter((day) => day !== undefined))].filter((day) => day > days[0]! && day < days.at(-1)!);
}
/** The first of each group of trading days. */
const firsts = (days: readonly string[], groupOf: (day: string) => string): string[] =>
  days.filter((day, at) => at > 0 && at < days.length - 1 && groupOf(days[at - 1]!) !== groupOf(day));
const weekOf = (day: string): string => {
  const back = (weekdayOf(day) + 6) % 7;
  return new Date(Date.parse(day) - back * 86_400_000).toISOString().slice(0, 10);
};

it('a rule means a weekday, or the next trading day after it', () => {
  fc.assert(
    fc.property(tradingDays, fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), (days, weekdays) => {
      const after = ALL.filter((day) => day > days[0]!);
      expect(matchingDays({ kind: 'weekdays', weekdays }, days)).toEqual(
        moved(days, (day) => after.includes(day) && weekdays.includes(weekdayOf(day))),
      );
    }),
  );
});

it('a rule means a day of the month, the last of a shorter one, or the next trading day after it', () => {
  fc.assert(
    fc.property(tradingDays, fc.integer({ min: 1, max: 31 }), (days, day) => {
      const lastOf = (date: string): number =>
        new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 0)).getUTCDate();
      expect(matchingDays({ kind: 'dayOfMonth', day }, days)).toEqual(
        moved(days, (date) => date > days[0]! && Number(date.slice(8)) === Math.min(day, lastOf(date))),
      );
    }),
  );
});

it('a rule means the first and last trading days of weeks and months', () => {
  fc.assert(
    fc.property(tradingDays, (days) => {
      const backwards = [...days].reverse();
      expect(matchingDays({ kind: 'firstOfWeek' }, days)).toEqual(firsts(days, weekOf));
      expect(matchingDays({ kind: 'firstOfMonth' }, days)).toEqual(firsts(days, (day) => day.slice(0, 7)));
      expect(matchingDays({ kind: 'lastOfWeek' }, days)).toEqual(firsts(backwards, weekOf).reverse());
      expect(matchingDays({ kind: 'lastOfMonth' }, days)).toEqual(
        firsts(backwards, (day) => day.slice(0, 7)).reverse(),
      );
    }),
  );
});

it('a rule means days of expiry and the trading days before them', () => {
  const days = ['2026-11-20', '2026-11-23', '2026-11-25', '2026-11-26'];
  const rule = { underlying: 'NIFTY', monthlyOnly: false };
  expect(matchingDays({ kind: 'expiry', ...rule }, days, ['2026-11-25'])).toEqual(['2026-11-25']);
  expect(matchingDays({ kind: 'beforeExpiry', ...rule }, days, ['2026-11-25'])).toEqual(['2026-11-23']);
});

it('the rules know the published holidays: 24 November 2026 is one', () => {
  expect([expectedTradingDay('2026-11-23', 1), expectedTradingDay('2026-11-25', -1)]).toEqual([
    '2026-11-25',
    '2026-11-23',
  ]);
});

it.each([
  // Muhurat trading on Sunday 2026-11-08, 18:00 to 19:00; Tuesday the 10th is a holiday.
  ['2026-11-08', -1, '15:20', '2026-11-06'],
  ['2026-11-08', 1, '09:20', '2026-11-09'],
  ['2026-11-08', -1, '17:30', '2026-11-08'],
  ['2026-11-08', -1, '19:00', '2026-11-06'],
  // A session of a Saturday, in two parts.
  ['2024-03-02', -1, '15:20', '2024-03-01'],
  ['2024-03-02', -1, '09:20', '2024-03-02'],
  // The budget's Sunday, in the usual hours; a usual day.
  ['2026-02-01', -1, '15:20', '2026-02-01'],
  ['2026-11-06', -1, '03:00', '2026-11-06'],
] as const)('a search from %s by %d for the time %s ends at %s', (date, step, time, expected) => {
  expect(tradingDayAt(date, step, time)).toBe(expected);
});
