import { isShortDay, type TradingDays } from './calendar';
import { dayNumber, formatDayNumber, dateParts, weekdayOf } from '../../shared/dates';
import { commodityExpiries, expiryRules, rowsEffectiveOn, type CommodityRow } from './dated-tables';

/** Contracts that exist on a day: expiries by the dated rules. */

/** Months ahead in which contracts may expire: five years and a half-year to come. */
const MAX_EXPIRIES = 72;

export interface Expiry {
  day: number;
  /** Weekly, or one of the monthly, quarterly and half-yearly contracts. */
  cycle: 'week' | 'month' | 'long';
}

interface Rule {
  weekday: number;
  monthWeekday: number;
  weeklies: number;
  monthlies: number;
  quarters: number;
  halfYears: number;
}

const ruleRows = expiryRules();

/** The rule in force on a day for an underlying: its own row, else that for all others of its exchange. */
function ruleOn(exchange: string, symbol: string, day: number): Rule {
  const rowOf = (name: string) =>
    rowsEffectiveOn(
      ruleRows.filter((row) => row.exchange === exchange && row.symbol === name),
      day,
    )[0];
  const rule = rowOf(symbol) ?? rowOf('*');
  if (!rule) throw new RangeError(`No expiry rule of ${exchange} ${symbol} is in force`);
  return rule;
}

/** Day on which a contract that is due on `day` expires: the trading day before when there is no trading, or only muhurat trading. */
function moved(days: TradingDays, day: number): number {
  let index = days.notAfter(day);
  while (days.family === 'equity' && isShortDay(days.at(index))) index -= 1;
  return days.at(index);
}

/** The Sunday before a day. */
const weekOf = (day: number): number => day - weekdayOf(day);

function lastWeekdayOfMonth(year: number, month: number, weekday: number): number {
  const last = dayNumber(year, month + 1, 1) - 1;
  return last - ((weekdayOf(last) - weekday + 7) % 7);
}

/** The monthly expiry of a month (1–12, may run over). */
function monthly(days: TradingDays, exchange: string, symbol: string, year: number, month: number): number {
  const rule = ruleOn(exchange, symbol, dayNumber(year, month + 1, 1) - 1);
  const first = dateParts(dayNumber(year, month, 1));
  return moved(days, lastWeekdayOfMonth(first.year, first.month, rule.monthWeekday));
}

/** Expiries of the derivatives of a stock or index that are listed on a day, ascending. Futures exist for the first three months. */
export function equityExpiries(days: TradingDays, exchange: string, symbol: string, day: number): Expiry[] {
  const rule = ruleOn(exchange, symbol, day);
  const { year, month } = dateParts(day);
  const found = new Map<number, Expiry['cycle']>();
  const months: { month: number; day: number }[] = [];
  for (let i = 0; i < MAX_EXPIRIES; i++) {
    const expiry = monthly(days, exchange, symbol, year, month + i);
    if (expiry >= day) months.push({ month: ((month + i - 1) % 12) + 1, day: expiry });
  }
  const put = (list: typeof months, count: number, cycle: Expiry['cycle']) =>
    list
      .filter((entry) => !found.has(entry.day))
      .slice(0, count)
      .forEach((entry) => found.set(entry.day, cycle));
  put(months, rule.monthlies, 'month');
  put(
    months.filter((entry) => entry.month % 3 === 0),
    rule.quarters,
    'long',
  );
  put(
    months.filter((entry) => entry.month % 6 === 0),
    rule.halfYears,
    'long',
  );
  for (let week = 0, count = 0; count < rule.weeklies; week++) {
    const due = day + 7 * week;
    const weekday = ruleOn(exchange, symbol, due).weekday;
    const expiry = moved(days, due - weekdayOf(due) + weekday);
    if (expiry < day) continue;
    count++;
    // A monthly contract takes the place of the weekly one, also on another day of the week.
    if (![...found].some(([at, cycle]) => cycle !== 'week' && weekOf(at) === weekOf(expiry))) found.set(expiry, 'week');
  }
  return [...found].map(([at, cycle]) => ({ day: at, cycle })).sort((a, b) => a.day - b.day);
}

let published: ReadonlyMap<string, number> | undefined;

const nameOf = (symbol: string, day: number): string => `${symbol} ${formatDayNumber(day).slice(0, 7)}`;

/** The day on which the future of a month expires: the published one, else the one of the rule. */
function commodityFuture(days: TradingDays, row: CommodityRow, year: number, month: number): number {
  const last = dayNumber(year, month + 1, 1) - 1;
  published ??= new Map(
    commodityExpiries().flatMap(({ symbol, days: all }) => all.map((day) => [nameOf(symbol, day), day] as const)),
  );
  const known = published.get(nameOf(row.symbol, last));
  if (known !== undefined) return known;
  const due = row.expiryDay === 'last' ? last : dayNumber(year, month, Number(row.expiryDay));
  return moved(days, due);
}

const hasFuture = (row: CommodityRow, month: number): boolean =>
  row.expiryMonths.length === 0 || row.expiryMonths.includes(((month - 1) % 12) + 1);

/** Expiries of a commodity's futures that are listed on a day, ascending. */
export function commodityFutures(days: TradingDays, row: CommodityRow, day: number): number[] {
  const { year, month } = dateParts(day);
  const found: number[] = [];
  for (let i = 0; found.length < row.futures; i++) {
    if (!hasFuture(row, month + i)) continue;
    const expiry = commodityFuture(days, row, year, month + i);
    if (expiry >= day) found.push(expiry);
  }
  return found;
}

/** Futures that expire this early in a month have their options expire in the month before. */
const EARLY = 7;

/**
 * Expiries of a commodity's options that are listed on a day, each with the expiry of the future it is on, ascending:
 * one each month, by the month's future, or by the month's end where there is none.
 */
export function commodityOptions(days: TradingDays, row: CommodityRow, day: number): { day: number; future: number }[] {
  if (row.optionDaysBefore === null) return [];
  const ahead = Number(row.expiryDay) <= EARLY ? 1 : 0;
  const { year, month } = dateParts(day);
  const found: { day: number; future: number }[] = [];
  for (let i = 0; found.length < row.optionExpiries; i++) {
    let due = month + i + ahead;
    const own = hasFuture(row, due);
    if (!own && row.optionGapDays === null) continue;
    while (!hasFuture(row, due)) due++;
    const future = commodityFuture(days, row, year, due);
    const from = own
      ? days.indexOf(future) - row.optionDaysBefore
      : monthEnd(days, year, month + i) - (row.optionGapDays ?? 0);
    const expiry = days.at(from);
    if (expiry >= day) found.push({ day: expiry, future });
  }
  return found;
}

/** Index of the last trading day of a month. */
const monthEnd = (days: TradingDays, year: number, month: number): number =>
  days.notAfter(dayNumber(year, month + 1, 1) - 1);

/** First day on which a series of a cycle is listed. */
export function listedSince(expiry: Expiry): number {
  return expiry.day - { week: 36, month: 92, long: 92 }[expiry.cycle];
}
