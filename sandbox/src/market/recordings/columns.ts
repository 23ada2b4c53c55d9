import { NAMES, NEEDED, namesPrices, plainHeading, type ColumnPlaces, type ColumnPlan } from './column-names';
import { shortenText } from './read-error';
import type { DateOrder } from './parse-time';
import type { RecordingColumn, FileConfig } from './replay-config';
import { tickerHeadings, twoHeadings } from './ticker-headings';

/** Finds out what the columns of a file hold. */

const NUMBER = /^\d+(\.\d+)?$/;
/** Columns of trades or quotes one by one, and none of candles. */
const TICK_NAMES = [
  'ltp',
  'ltq',
  'lasttradedprice',
  'lasttradedqty',
  'lastprice',
  'lastqty',
  'bid',
  'ask',
  'tradeprice',
];
/** Number of names of a heading that are listed. */
const LISTED = 20;

function listed(heading: readonly string[]): string {
  const more = heading.length - LISTED;
  return `${heading.slice(0, LISTED).map(shortenText).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const areNoCandles = (heading: readonly string[]): string =>
  `it holds trades or quotes, not candles (${listed(heading)}); make candles of them first: time, open, high, low, close, volume`;

/** First columns of tables of long bars. */
const LONG_ROWS = ['year', 'month', 'week'];

/** Columns of a Python library's table of what companies paid. */
const PAYMENTS = ['dividends', 'dividend', 'stocksplits', 'capitalgains', 'dividenden'];
const ARE_PAYMENTS =
  'it holds dividends or splits and no prices: take it out of the folder, or say {"skip": true} of it in replay.json; to have them paid put NSE\'s list of corporate actions (CF-CA-equities-….csv) there';

/** True if a heading names payments of a company, and nothing beside them but times and the share. */
function arePayments(names: readonly string[]): boolean {
  const beside = [...NAMES.time, ...NAMES.symbol, ...NAMES.currency, '', 'unnamed0'];
  return (
    names.some((name) => PAYMENTS.includes(name)) &&
    names.every((name) => PAYMENTS.includes(name) || beside.includes(name))
  );
}

export const NO_HEADING =
  'no heading: the first line must name the columns (time, open, high, low, close, volume), or number them in replay.json under "columns"';

/** Columns of days that may have a column of times beside them. */
const DATE_NAMES = [
  ...['date', 'date1', 'tradedate', 'tradingdate', 'traddt', 'dtyyyymmdd', 'datum', 'dateist', 'dateutc'],
  ...['dateymd', 'datedmy', 'datemdy'],
];
/** Order of a date that a heading names. */
const ORDERS_IN_HEADINGS: Readonly<Record<string, DateOrder>> = {
  dateymd: 'year-month-day',
  datedmy: 'day-month-year',
  datemdy: 'month-day-year',
};

/** A vendor of minutes writes the day first: 03/12/2020 is of December. */
const DAY_FIRST = 'ticker,date,time,open,high,low,close,volume,openinterest';
/** An interface names its times so, and counts them from 1980. */
const SINCE_1980 = 'start_Time';
/** The sandbox's own candles name the beginnings. */
const OWN = 'time,exchange,symbol,open,high,low,close,volume,previousclose';

/**
 * The plan of a file by its first line; a text says why there is none.
 * @param isHeading true if that line is known to name the columns
 * @param more the two lines after it, where there may be more lines of names
 */
export function planOf(
  first: readonly string[],
  terms: FileConfig,
  isHeading = false,
  more: readonly (readonly string[])[] = [],
): ColumnPlan | string {
  const named = terms.columns;
  const numbers = named !== undefined && Object.values(named).some((name) => typeof name === 'number');
  if (numbers) return byNumbers(first, named);
  const wide = named === undefined && !isHeading ? twoHeadings(first, more[0] ?? [], more[1] ?? []) : undefined;
  if (wide !== undefined) return wide;
  const names = first.map(plainHeading);
  if (arePayments(names)) return ARE_PAYMENTS;
  if (!namesPrices(first) && !isHeading && named === undefined) {
    const plan = tickerHeadings(first) ?? withoutHeading(first);
    if (typeof plan !== 'string' || !names.some((name) => NAMES.time.includes(name))) return plan;
  }
  const places: ColumnPlaces = {};
  for (const [column, name] of Object.entries(named ?? {}) as [RecordingColumn, string][]) {
    const at = first.findIndex((cell) => cell.toLowerCase() === name.toLowerCase());
    if (at < 0) return `the heading has no column "${name}"; it has ${listed(first)}`;
    places[column] = at;
  }
  const taken = () => Object.values(places);
  for (const column of Object.keys(NAMES) as RecordingColumn[]) {
    if (column === 'clock' || places[column] !== undefined) continue;
    for (const name of NAMES[column]) {
      const at = names.findIndex((text, i) => text === name && !taken().includes(i));
      if (at < 0) continue;
      // An index may be named in two ways: "Nifty 50" and NIFTY 50.
      if (column !== 'symbol' && names.includes(name, at + 1))
        return `two columns are called "${first[at]}"; delete one of them, or give them names of their own`;
      places[column] = at;
      break;
    }
  }
  // A date beside a time: both are needed.
  const date = names.findIndex((name) => DATE_NAMES.includes(name));
  const clock = names.findIndex((name) => NAMES.clock.includes(name));
  if (named?.time === undefined && named?.clock === undefined && date >= 0 && clock >= 0)
    Object.assign(places, { time: date, clock });
  // A program that numbers its rows leaves the name of the times empty.
  if (places.time === undefined && ['', 'unnamed0', 'index'].includes(names[0] ?? '-')) places.time = 0;
  const missing = NEEDED.filter((column) => places[column] === undefined);
  if (missing.length > 0) {
    if (named === undefined && missing.length > 1) {
      const byTicker = tickerHeadings(first);
      if (byTicker !== undefined) return byTicker;
    }
    if (names.some((name) => TICK_NAMES.includes(name))) return areNoCandles(first);
    if (missing.join() === 'time' && LONG_ROWS.includes(names[0]!))
      return 'its rows are of a month or a year each, and days are the longest that can be replayed; download days';
    return `no column for ${missing.join(', ')} among ${listed(first)}; name them in replay.json under "columns"`;
  }
  const dates = names.join(',') === DAY_FIRST ? 'day-month-year' : ORDERS_IN_HEADINGS[names[places.time!]!];
  return {
    places,
    headings: 1,
    paise: names.includes('closepaise'),
    ...(dates === undefined ? {} : { dates }),
    ...(names.join(',') === OWN ? { time: 'begin' } : {}),
    ...(first[places.time!] === SINCE_1980 ? { isSince1980: true } : {}),
    ...(/^(gmt|utc)|(gmt|utc)$/.test(names[places.time!]!) ? { zone: 'UTC' } : {}),
  };
}

function byNumbers(
  first: readonly string[],
  named: Partial<Record<RecordingColumn, string | number>>,
): ColumnPlan | string {
  const places: ColumnPlaces = {};
  for (const [column, number] of Object.entries(named) as [RecordingColumn, string | number][]) {
    if (typeof number !== 'number') return `"columns" in replay.json must hold numbers only, or names only`;
    if (number > first.length) return `column ${number} for ${column} is not there: the line has ${first.length} cells`;
    places[column] = number - 1;
  }
  const missing = NEEDED.filter((column) => places[column] === undefined);
  if (missing.length > 0) return `"columns" in replay.json must say where ${missing.join(', ')} stand`;
  const close = first[places.close!]!;
  return { places, headings: NUMBER.test(close) ? 0 : 1, paise: false };
}

/** Files without a heading, in the forms that are known. */
function withoutHeading(first: readonly string[]): ColumnPlan | string {
  // Prices and a volume; what else there is, an average or an adjusted close, cannot be told from a volume.
  const numbers = (from: number, more = 0) =>
    first.length >= from + 4 &&
    first.length <= from + 5 + more &&
    first.slice(from, from + 4).every((cell) => NUMBER.test(cell));
  const at = (from: number): ColumnPlaces => ({ open: from, high: from + 1, low: from + 2, close: from + 3 });
  const volume = (from: number): ColumnPlaces => (first.length > from ? { volume: from } : {});
  const interest = (from: number): ColumnPlaces => (first.length > from ? { openInterest: from } : {});
  const plan = (places: ColumnPlaces, rest: Partial<ColumnPlan> = {}): ColumnPlan => ({
    places,
    headings: 0,
    paise: false,
    ...rest,
  });
  // Candles as brokers answer them, which a program has numbered.
  const counted = first[0] === '' ? 1 : 0;
  if (
    first.length >= counted + 5 &&
    first.length <= counted + 7 &&
    first.slice(counted).every((cell, i) => cell === String(i))
  )
    return plan(
      { time: counted, ...at(counted + 1), ...volume(counted + 5), ...interest(counted + 6) },
      { headings: 1 },
    );
  const isClock = (text = ''): boolean => /^\d\d?:\d\d(:\d\d)?$/.test(text);
  if (/^\d{8}$/.test(first[1] ?? '') && isClock(first[2]) && numbers(3, 1))
    return plan({ symbol: 0, time: 1, clock: 2, ...at(3), ...volume(7), ...interest(8) }, { time: 'end' });
  const isNamed = /[A-Z]/i.test(first[0] ?? '');
  if (/^\d{8}$/.test(first[1] ?? '') && isNamed && numbers(2, 1))
    return plan({ symbol: 0, time: 1, ...at(2), ...volume(6), ...interest(7) });
  // A format for chart programs: symbol, D or the minutes of a bar, date, and the time, which days may have as 000000.
  if (/^\d{8}$/.test(first[2] ?? '') && isNamed) {
    const isDay = first[1] === 'D';
    const hasClock = (isDay ? /^0{4}(00)?$/ : /^\d{4}(\d\d)?$/).test(first[3] ?? '');
    if ((isDay || /^\d{1,3}$/.test(first[1] ?? '')) && hasClock && numbers(4, 1))
      return plan({ symbol: 0, bars: 1, time: 2, clock: 3, ...at(4), ...volume(8), ...interest(9) });
    if (isDay && numbers(3, 1)) return plan({ symbol: 0, bars: 1, time: 2, ...at(3), ...volume(7), ...interest(8) });
  }
  if (isClock(first[1]) && numbers(2)) return plan({ time: 0, clock: 1, ...at(2), ...volume(6) });
  if (/^\d{4}|^\d\d?[-/]/.test(first[0] ?? '') && numbers(1)) return plan({ time: 0, ...at(1), ...volume(5) });
  if (first.some((cell) => TICK_NAMES.includes(plainHeading(cell)))) return areNoCandles(first);
  return NO_HEADING;
}
