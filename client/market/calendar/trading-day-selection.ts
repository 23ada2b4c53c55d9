/** Rules that select trading days: all, some weekdays, the first of a week or a month, a day of the month, the days of expiry. Pure. */
import { addDays } from '../../values/time';
import { isExpectedTradingDay } from './holidays';
import { belongsToSessions } from './special-sessions';

/** The choices of days that the user has. */
export const DAY_RULES = [
  'beforeExpiry',
  'dayOfMonth',
  'every',
  'expiry',
  'firstOfMonth',
  'firstOfWeek',
  'lastOfMonth',
  'lastOfWeek',
  'weekdays',
] as const;

/** The trading days that are meant. */
export type DayRule =
  | { kind: 'every' | 'firstOfMonth' | 'firstOfWeek' | 'lastOfMonth' | 'lastOfWeek' }
  /** Days from 1 for Monday to 7 for Sunday; the next trading day if one is no trading day. */
  | { kind: 'weekdays'; weekdays: readonly number[] }
  /** A day of the month (the last of a shorter month), or the first trading day after it. */
  | { kind: 'dayOfMonth'; day: number }
  /** The expiries of an underlying, or the trading days before them. */
  | { kind: 'expiry' | 'beforeExpiry'; underlying: string; monthlyOnly: boolean };

/** A trading day and those next to it, YYYY-MM-DD. */
export interface TradingDayNeighbours {
  date: string;
  previous: string;
  next: string;
  /** Days of expiry from `date` on; empty if the rule does not need them. */
  expiries: readonly string[];
}

/** 1 for Monday to 7 for Sunday. @param date YYYY-MM-DD */
function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
}

/** The Monday of a date's week. */
const weekOf = (date: string): string => addDays(date, 1 - weekdayOf(date));
const monthOf = (date: string): string => date.slice(0, 7);

/** Calendar days after one trading day, up to and with the next: what falls on one of them is done on that. */
function daysSince(previous: string, date: string): string[] {
  const days: string[] = [];
  for (let day = addDays(previous, 1); day <= date; day = addDays(day, 1)) days.push(day);
  return days;
}

/** Returns true if a date is a day of the month, or the last of a month that is shorter. */
function isDayOfMonth(date: string, day: number): boolean {
  const ofMonth = Number(date.slice(8));
  return ofMonth === day || (ofMonth < day && monthOf(addDays(date, 1)) !== monthOf(date));
}

/** Returns true if the rule selects a trading day. */
export function matchesDayRule(rule: DayRule, { date, previous, next, expiries }: TradingDayNeighbours): boolean {
  switch (rule.kind) {
    case 'every':
      return true;
    case 'firstOfWeek':
      return weekOf(previous) !== weekOf(date);
    case 'lastOfWeek':
      return weekOf(next) !== weekOf(date);
    case 'firstOfMonth':
      return monthOf(previous) !== monthOf(date);
    case 'lastOfMonth':
      return monthOf(next) !== monthOf(date);
    case 'weekdays':
      return daysSince(previous, date).some((day) => rule.weekdays.includes(weekdayOf(day)));
    case 'dayOfMonth':
      return daysSince(previous, date).some((day) => isDayOfMonth(day, rule.day));
    case 'expiry':
      return expiries.includes(date);
    case 'beforeExpiry':
      return expiries.includes(next);
  }
}

/** True if a rule needs the neighbouring days, and days of expiry. */
export const needsAdjacentDays = ({ kind }: DayRule): boolean => kind !== 'every' && kind !== 'expiry';

/** The trading days next to a date, by weekdays, published holidays and special sessions. @param step 1 or -1 */
export function expectedTradingDay(date: string, step: 1 | -1): string {
  let day = addDays(date, step);
  while (!isExpectedTradingDay(day)) day = addDays(day, step);
  return day;
}

/**
 * The first trading day, from one on, to whose sessions a time of the day (HH:MM) belongs: at 15:20 muhurat trading in the evening does not make a
 * Sunday the last day of the week.
 */
export function tradingDayAt(date: string, step: 1 | -1, time: string): string {
  let day = date;
  while (!belongsToSessions(day, time)) day = expectedTradingDay(day, step);
  return day;
}
