import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDayNumber } from '../../shared/dates';

/** The dated tables of facts in ./data: lines of a heading and comma-separated rows; # begins a note. */

type Row = Record<string, string>;

function read(name: string): Row[] {
  const lines = readFileSync(join(__dirname, 'data', name), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const names = (lines.shift() ?? '').split(',');
  return lines.map((line, index) => {
    const cells = line.split(',');
    if (cells.length !== names.length)
      throw new Error(`${name}, row ${index + 1}: ${cells.length} cells instead of ${names.length}`);
    return Object.fromEntries(names.map((column, i) => [column, cells[i] as string]));
  });
}

/** A table that is read once, when it is first asked for. */
function table<T>(name: string, shape: (row: Row) => T): () => readonly T[] {
  let rows: readonly T[] | undefined;
  return () => (rows ??= read(name).map(shape));
}

const text = (row: Row, column: string): string => row[column] ?? '';
const number = (row: Row, column: string): number => Number(row[column]);
const optional = (row: Row, column: string): number | null => (row[column] === '' ? null : Number(row[column]));
const day = (row: Row, column: string): number | null => (row[column] ? parseDayNumber(row[column]) : null);
const from = (row: Row): number => parseDayNumber(text(row, 'effective_from'));

export interface EquityRow {
  /** Empty when it trades on BSE only. */
  symbol: string;
  series: string;
  token: number;
  isin: string;
  name: string;
  /** Paise, on the base date. */
  close: number;
  /** Shares of a usual day. */
  volume: number;
  /** Daily volatility, a fraction. */
  volatility: number;
  /** Percent; null for stocks with derivatives. */
  band: number | null;
  /** Day number; 0 when listed before the calendar begins or unknown. */
  listed: number;
  /** Empty when it does not trade on BSE. */
  bseSymbol: string;
  bseCode: number;
  bseGroup: string;
  /** Shares that are traded together. */
  lot: number;
}

/** The close prices of the tables are those of this date. */
export const BASE_DATE = parseDayNumber('2026-08-21');

const compact = (date: string): number =>
  date === '' ? 0 : parseDayNumber(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`);

export const equities = table('equities.csv', (row): EquityRow => ({
  symbol: text(row, 'symbol'),
  series: text(row, 'series'),
  token: number(row, 'token'),
  isin: text(row, 'isin'),
  name: text(row, 'name'),
  close: number(row, 'close'),
  volume: number(row, 'volume'),
  volatility: number(row, 'vol_bp') / 10000,
  band: optional(row, 'band'),
  listed: compact(text(row, 'listed')),
  bseSymbol: text(row, 'bse_code') === '' ? '' : text(row, 'bse_symbol') || text(row, 'symbol'),
  bseCode: number(row, 'bse_code'),
  bseGroup: text(row, 'bse_group'),
  lot: optional(row, 'lot') ?? 1,
}));

export const indices = table('indices.csv', (row) => ({
  exchange: text(row, 'exchange') as 'NSE' | 'BSE',
  symbol: text(row, 'symbol'),
  name: text(row, 'name'),
  token: number(row, 'token'),
  /** Index points × 100 on the base date. */
  close: number(row, 'close'),
}));

/** Names of the indices as exchanges and vendors write them, beside those of the table of indices. */
export const indexNames = table('index_names.csv', (row) => ({
  exchange: text(row, 'exchange') as 'NSE' | 'BSE',
  symbol: text(row, 'symbol'),
  names: text(row, 'names').split(';'),
}));

/** Lowest and highest prices of NIFTY in a year, paise. */
export const indexRanges = table('index_ranges.csv', (row) => ({
  year: number(row, 'year'),
  low: number(row, 'low'),
  high: number(row, 'high'),
}));

/** Symbols on NSE that today's shares had before: from the day `until` on they have had another one. */
export const formerSymbols = table('former_symbols.csv', (row) => ({
  former: text(row, 'former'),
  until: parseDayNumber(text(row, 'until')),
  symbol: text(row, 'symbol'),
}));

let formerSource: string | undefined;

/** Returns the source of the former symbols, and its days: what was renamed later is not known. */
export function formerSymbolsSource(): string {
  formerSource ??= /^# Sources: (.+?)\. Made by /m.exec(
    readFileSync(join(__dirname, 'data', 'former_symbols.csv'), 'utf8').slice(0, 2_000),
  )![1]!;
  return formerSource;
}

/** NSE symbols and weights of every index; the weights are not normalised. */
export const indexMembers = table('index_members.csv', (row) => ({
  index: text(row, 'index'),
  members: text(row, 'members')
    .split(' ')
    .map((member) => {
      const [symbol, weight] = member.split(':') as [string, string];
      return { symbol, weight: Number(weight) };
    }),
}));

/** Funds that are traded like shares, by their NSE symbols, and the index or commodity that they hold. */
export const funds = table('funds.csv', (row) => ({
  exchange: text(row, 'exchange') as 'NSE' | 'BSE' | 'MCX',
  holds: text(row, 'holds'),
  symbols: text(row, 'funds').split(' '),
}));

export interface UnderlyingRow {
  exchange: 'NSE' | 'BSE';
  symbol: string;
  kind: 'INDEX' | 'STOCK';
  lot: number;
  freeze: number;
  /** Paise. */
  strikeStep: number;
}

export const underlyings = table('underlyings.csv', (row): UnderlyingRow => ({
  exchange: text(row, 'exchange') as 'NSE' | 'BSE',
  symbol: text(row, 'symbol'),
  kind: text(row, 'kind') as 'INDEX' | 'STOCK',
  lot: number(row, 'lot'),
  freeze: number(row, 'freeze'),
  strikeStep: number(row, 'strike_step'),
}));

export const lots = table('lots.csv', (row) => ({
  from: from(row),
  exchange: text(row, 'exchange'),
  symbol: text(row, 'symbol'),
  lot: number(row, 'lot'),
  /** First expiry of weekly and of monthly contracts with this lot; null where all contracts have it from the day `from` on. */
  weeklyFrom: day(row, 'weekly_from'),
  monthlyFrom: day(row, 'monthly_from'),
}));

export const freezes = table('freezes.csv', (row) => ({
  from: from(row),
  exchange: text(row, 'exchange'),
  symbol: text(row, 'symbol'),
  freeze: number(row, 'freeze'),
}));

export interface CommodityRow {
  symbol: string;
  name: string;
  unit: string;
  lot: number;
  /** Worth of a rupee of price on one lot, rupees. */
  lotMultiplier: number;
  /** Lots. */
  freeze: number;
  /** Paise, of futures. */
  tick: number;
  /** Paise, of options; null where there are none. */
  optionTick: number | null;
  close: number;
  volume: number;
  volatility: number;
  /** Symbol of the commodity whose price it follows; empty for none. */
  follows: string;
  expiryDay: string;
  expiryMonths: number[];
  futures: number;
  optionDaysBefore: number | null;
  optionGapDays: number | null;
  strikeStep: number;
  optionExpiries: number;
}

export const commodities = table('commodities.csv', (row): CommodityRow => ({
  symbol: text(row, 'symbol'),
  name: text(row, 'name'),
  unit: text(row, 'unit'),
  lot: number(row, 'lot'),
  lotMultiplier: number(row, 'lot_multiplier'),
  freeze: number(row, 'freeze'),
  tick: number(row, 'tick'),
  optionTick: optional(row, 'option_tick'),
  close: number(row, 'close'),
  volume: number(row, 'volume'),
  volatility: number(row, 'vol_bp') / 10000,
  follows: text(row, 'follows'),
  expiryDay: text(row, 'expiry_day'),
  expiryMonths: text(row, 'expiry_months').split(' ').filter(Boolean).map(Number),
  futures: number(row, 'futures'),
  optionDaysBefore: optional(row, 'option_days_before'),
  optionGapDays: optional(row, 'option_gap_days'),
  strikeStep: number(row, 'strike_step'),
  optionExpiries: number(row, 'option_expiries'),
}));

/** Days on which futures of a commodity expire that its rule does not tell. */
export const commodityExpiries = table('commodity_expiries.csv', (row) => ({
  symbol: text(row, 'symbol'),
  days: text(row, 'expiries').split(' ').map(parseDayNumber),
}));

export const holidays = table('holidays.csv', (row) => ({
  day: parseDayNumber(text(row, 'date')),
  mcx: text(row, 'mcx') as 'closed' | 'evening',
  name: text(row, 'name'),
}));

export const specialSessions = table('special_sessions.csv', (row) => ({
  day: parseDayNumber(text(row, 'date')),
  /** Of NSE and BSE; empty where they keep their usual day. */
  hours: text(row, 'hours'),
  /** Of MCX; empty where it keeps its usual day. */
  mcx: text(row, 'mcx'),
  name: text(row, 'name'),
}));

export const tradingSessionRows = table('sessions.csv', (row) => ({
  from: from(row),
  market: text(row, 'market'),
  phase: text(row, 'phase') as 'PRE_OPEN' | 'OPEN' | 'CLOSING_AUCTION' | 'POST_CLOSE',
  begins: text(row, 'from'),
  ends: text(row, 'to'),
}));

/** Kinds of instruments in the table of ticks: `sme` is a share on the SME platform of NSE. */
export type TickKind = 'cash' | 'sme' | 'index_future' | 'option';

export const ticks = table('ticks.csv', (row) => ({
  from: from(row),
  kind: text(row, 'kind') as TickKind,
  /** Paise; null above all other limits. */
  below: optional(row, 'below'),
  tick: number(row, 'tick'),
}));

export const expiryRules = table('expiry_rules.csv', (row) => ({
  from: from(row),
  exchange: text(row, 'exchange'),
  symbol: text(row, 'symbol'),
  weekday: number(row, 'weekday'),
  /** Of all contracts but weekly ones. */
  monthWeekday: Number(text(row, 'month_weekday') || text(row, 'weekday')),
  weeklies: number(row, 'weeklies'),
  monthlies: number(row, 'monthlies'),
  quarters: number(row, 'quarters'),
  halfYears: number(row, 'half_years'),
}));

/** The rows in force on a day: those with the latest `from` that is not after it. */
export function rowsEffectiveOn<T extends { from: number }>(rows: readonly T[], day: number): T[] {
  let latest = -Infinity;
  for (const row of rows) if (row.from <= day && row.from > latest) latest = row.from;
  return rows.filter((row) => row.from === latest);
}

export interface DailyLimitRow {
  from: number;
  symbols: string[];
  /** Percent of the previous close. */
  limits: number[];
  /** Minutes from the first trade at a limit until the next one holds. */
  cooling: number[];
  /** Percent of each further step; null where the last limit is the last. */
  further: number | null;
}

const numbers = (row: Row, column: string): number[] => text(row, column).split(' ').map(Number);

export const dailyLimitRows = table('commodity_limits.csv', (row): DailyLimitRow => ({
  from: from(row),
  symbols: text(row, 'symbols').split(' '),
  limits: numbers(row, 'limits'),
  cooling: numbers(row, 'cooling'),
  further: optional(row, 'further'),
}));
