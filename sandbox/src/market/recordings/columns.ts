import { shortenText } from './read-error';
import type { DateOrder } from './parse-time';
import type { RecordingColumn, FileConfig } from './replay-config';

/** Finds out what the columns of a file hold. */

/** Names of columns as data vendors write them, without blanks, signs and case. */
export const NAMES: Record<RecordingColumn, readonly string[]> = {
  time: [
    'timestamp',
    'datetime',
    'date',
    'time',
    'date1',
    'ts',
    'ist',
    'barstart',
    'starttime',
    'traddt',
    'tradedate',
    'tradingdate',
    'day',
    'dtyyyymmdd',
    'timestampist',
    'datetimeist',
    'indexlevel0',
    'gmttime',
    'utctime',
    'timeutc',
    'timegmt',
    'timestamputc',
    'datetimeutc',
    'localtime',
    'historicaldate',
    'chtimestamp',
    'eodtimestamp',
    'mtimestamp',
  ],
  clock: ['time', 'clock', 'timeofday', 'hhmmss', 'timehhmmss'],
  symbol: [
    'symbol',
    'ticker',
    'tradingsymbol',
    'instrument',
    'scrip',
    'name',
    'tckrsymb',
    'stock',
    'stockcode',
    'indexname',
    'chsymbol',
    'eodindexname',
  ],
  exchange: ['exchange', 'exch', 'exchangecode'],
  series: ['series', 'sctysrs', 'chseries'],
  isin: ['isin', 'isincode', 'chisin'],
  open: [
    'open',
    'into',
    'o',
    'openprice',
    'openingprice',
    'opnpric',
    'openpaise',
    'openindexvalue',
    'chopeningprice',
    'eodopenindexval',
  ],
  high: [
    'high',
    'inth',
    'h',
    'highprice',
    'hghpric',
    'highpaise',
    'highindexvalue',
    'chtradehighprice',
    'eodhighindexval',
  ],
  low: ['low', 'intl', 'l', 'lowprice', 'lwpric', 'lowpaise', 'lowindexvalue', 'chtradelowprice', 'eodlowindexval'],
  close: [
    'close',
    'intc',
    'c',
    'closeprice',
    'closingprice',
    'clspric',
    'closepaise',
    'closingindexvalue',
    'chclosingprice',
    'eodcloseindexval',
    'eodclosingindexval',
    'price',
  ],
  volume: [
    'volume',
    'intv',
    'vol',
    'qty',
    'quantity',
    'sharestraded',
    'ttltrdqnty',
    'ttltradgvol',
    'tradedqty',
    'tottrdqty',
    'totaltradedquantity',
    'noofshares',
    'noofshrs',
    'tickvol',
    'chtottradedqty',
    'hittradedqty',
    'v',
  ],
  previousClose: ['previousclose', 'prevclose', 'prevcloseprice', 'chpreviousclsprice'],
  bars: ['per', 'interval', 'timeframe', 'resolution', 'barsize'],
  expiry: ['expiry', 'expirydate', 'expirydt', 'expdate', 'xprydt', 'contractexpiry'],
  strike: ['strike', 'strikeprice', 'strikepr', 'strkpric'],
  right: ['right', 'optiontype', 'optiontyp', 'opttype', 'optype', 'optntp', 'callput', 'putcall', 'cepe'],
  kind: ['instrumenttype', 'producttype', 'fininstrmtp', 'instrument', 'segment', 'exchangesegment', 'sgmt', 'type'],
  openInterest: ['oi', 'openinterest', 'openint', 'intoi', 'opnintrst'],
};

/** Index of each column, from 0. */
export type ColumnPlaces = Partial<Record<RecordingColumn, number>>;

export interface ColumnPlan {
  places: ColumnPlaces;
  /** Number of lines at the beginning that name the columns. */
  headings: number;
  /** Indices of the columns of several instruments side by side: the places of each, by its name. */
  wide?: ReadonlyMap<string, ColumnPlaces>;
  /** Of forms of vendors that are known: which end of its bar a row names. */
  time?: 'begin' | 'end';
  /** The same: the order of a date of three numbers. */
  dates?: DateOrder;
  /** The zone that the heading of the times names. */
  zone?: 'UTC';
  /** True if counts of seconds begin in 1980 and not in 1970. */
  isSince1980?: boolean;
  /** True if the heading itself says that prices are paise. */
  paise: boolean;
}

/** A heading without blanks, signs and case. */
export const plainHeading = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
const NEEDED: readonly RecordingColumn[] = ['time', 'open', 'high', 'low', 'close'];
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

/** True if cells name at least two of open, high, low and close. */
export const namesPrices = (cells: readonly string[]): boolean =>
  cells.map(plainHeading).filter((name) => NEEDED.slice(1).some((column) => NAMES[column].includes(name))).length >= 2;

function listed(heading: readonly string[]): string {
  const more = heading.length - LISTED;
  return `${heading.slice(0, LISTED).map(shortenText).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Columns of prices that a Python library writes for each ticker. */
const TICKER_COLUMNS = [
  'open',
  'high',
  'low',
  'close',
  'adjclose',
  'volume',
  'dividends',
  'stocksplits',
  'capitalgains',
];
/** Cells above the times where the columns have two lines of names. */
const CORNER = ['', 'price', 'ticker', 'tickers', 'date', 'datetime'];
/** A vendor of minutes writes the day first: 03/12/2020 is of December. */
const DAY_FIRST = 'ticker,date,time,open,high,low,close,volume,openinterest';
/** An interface names its times so, and counts them from 1980. */
const SINCE_1980 = 'start_Time';
/** The sandbox's own candles name the beginnings. */
const OWN = 'time,exchange,symbol,open,high,low,close,volume,previousclose';

/** The plan of a file with a line of tickers and one of columns, as a Python library writes it; undefined for any other. */
function twoHeadings(
  first: readonly string[],
  second: readonly string[],
  third: readonly string[],
): ColumnPlan | undefined {
  if (first.length < 2 || first.length !== second.length) return undefined;
  const [upper, lower] = [first, second].map((cells) => cells.map(plainHeading)) as [string[], string[]];
  if (!CORNER.includes(upper[0]!) || !CORNER.includes(lower[0]!)) return undefined;
  const columnsIn = (names: readonly string[]): boolean =>
    names.slice(1).every((name) => TICKER_COLUMNS.includes(name));
  if (columnsIn(upper) === columnsIn(lower)) return undefined;
  const [columns, tickers] = columnsIn(upper) ? [upper, second] : [lower, first];
  const wide = new Map<string, ColumnPlaces>();
  for (const [at, ticker] of tickers.entries()) {
    if (at === 0) continue;
    const places = wide.get(ticker) ?? { time: 0 };
    wide.set(ticker, places);
    const column = columns[at] as RecordingColumn;
    if (column in NAMES) places[column] = at;
  }
  if (wide.has('') || ![...wide.values()].every((places) => NEEDED.every((column) => places[column] !== undefined)))
    return undefined;
  const isNamed = ['date', 'datetime', 'timestamp'].includes(plainHeading(third[0] ?? ''));
  return {
    places: { time: 0 },
    wide,
    headings: isNamed && third.slice(1).every((cell) => cell === '') ? 3 : 2,
    paise: false,
  };
}

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
  if (!namesPrices(first) && !isHeading && named === undefined) return withoutHeading(first);
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
  const date = names.findIndex((name) => ['date', 'date1', 'tradedate', 'traddt', 'dtyyyymmdd'].includes(name));
  const clock = names.findIndex((name) => NAMES.clock.includes(name));
  if (named?.time === undefined && named?.clock === undefined && date >= 0 && clock >= 0)
    Object.assign(places, { time: date, clock });
  // A program that numbers its rows leaves the name of the times empty.
  if (places.time === undefined && ['', 'unnamed0'].includes(names[0] ?? '-')) places.time = 0;
  const missing = NEEDED.filter((column) => places[column] === undefined);
  if (missing.length > 0)
    return `no column for ${missing.join(', ')} among ${listed(first)}; name them in replay.json under "columns"`;
  return {
    places,
    headings: 1,
    paise: names.includes('closepaise'),
    ...(names.join(',') === DAY_FIRST ? { dates: 'day-month-year' } : {}),
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
  if (/^\d{8}$/.test(first[1] ?? '') && /^\D/.test(first[0] ?? '') && numbers(2))
    return plan({ symbol: 0, time: 1, ...at(2), ...volume(6) });
  if (isClock(first[1]) && numbers(2)) return plan({ time: 0, clock: 1, ...at(2), ...volume(6) });
  if (/^\d{4}|^\d\d?[-/]/.test(first[0] ?? '') && numbers(1)) return plan({ time: 0, ...at(1), ...volume(5) });
  if (first.some((cell) => TICK_NAMES.includes(plainHeading(cell))))
    return `it holds trades or quotes, not candles (${listed(first)}); make candles of them first: time, open, high, low, close, volume`;
  return 'no heading: the first line must name the columns (time, open, high, low, close, volume), or number them in replay.json under "columns"';
}
