/** The quarters of financial years, which end with March, and when their results were published. */
import { dayNumber, dayOf, formatDayNumber, startOfDay } from '../../shared/dates';
import { subKey, uniformOf } from '../../shared/random';
import type { Calendar } from '../reference/types';

/** Year whose June ends the first quarter with figures. */
const FIRST_YEAR = 2020;
/** Results are published so many days after the quarter, and up to so many more. */
const PUBLISHED_AFTER = 24;
const PUBLISHED_WITHIN = 20;

/** One quarter. */
export interface Quarter {
  /** From 0, in order. */
  index: number;
  /** Its last day, YYYY-MM-DD. */
  end: string;
  /** The first instant after it, milliseconds. */
  until: number;
  /** True if a financial year ends with it. */
  endsYear: boolean;
  /** YYYYMM of its last month. */
  month: string;
  /** "2026Q3": the quarter of the calendar year. */
  name: string;
}

/** A quarter by its number. */
export function quarterOf(index: number): Quarter {
  const months = FIRST_YEAR * 12 + 5 + 3 * index;
  const year = Math.floor(months / 12);
  const last = (months % 12) + 1;
  const next = dayNumber(last === 12 ? year + 1 : year, last === 12 ? 1 : last + 1, 1);
  return {
    index,
    end: formatDayNumber(next - 1),
    until: startOfDay(next),
    endsYear: last === 3,
    month: `${year}${String(last).padStart(2, '0')}`,
    name: `${year}Q${last / 3}`,
  };
}

/** The day on which a board approves the results of a quarter, YYYY-MM-DD. @param key of the company */
export function resultsOn({ index, until }: Quarter, key: number, calendar: Calendar): string {
  const after = PUBLISHED_AFTER + Math.floor(uniformOf(subKey(key, 100 + index)) * PUBLISHED_WITHIN);
  const day = formatDayNumber(dayOf(until) + after);
  return calendar.nextTradingDay('NSE', day);
}

/** Quarters whose results were published before a day (YYYY-MM-DD), oldest first. */
export function publishedBefore(date: string, key: number, calendar: Calendar): Quarter[] {
  const quarters: Quarter[] = [];
  for (let index = 0; ; index++) {
    const quarter = quarterOf(index);
    if (quarter.end >= date || resultsOn(quarter, key, calendar) >= date) return quarters;
    quarters.push(quarter);
  }
}
