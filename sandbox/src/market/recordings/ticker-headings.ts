import { NAMES, NEEDED, plainHeading, type ColumnPlaces, type ColumnPlan } from './column-names';
import { shortenText } from './read-error';
import type { RecordingColumn } from './replay-config';

/** Headings that name tickers beside their columns, as programs write a table of several: in two lines, or in one of both together. */

/** Columns that a Python library has for each ticker. */
const TICKER_COLUMNS = [
  'open',
  'high',
  'low',
  'close',
  'adjclose',
  'adjusted',
  'volume',
  'dividends',
  'stocksplits',
  'capitalgains',
];
/** Names of the times in such a table. */
const TIME_COLUMNS = ['date', 'datetime', 'timestamp'];
/** Cells above the times, or above the numbers of the rows, where the columns have two lines of names. */
const CORNER = ['', 'price', 'ticker', 'tickers', 'index', ...TIME_COLUMNS];
/** A pair as programs write it: ('Close', 'RELIANCE.NS'), ["Close","RELIANCE.NS"]. */
const PAIR = /^[([] ?['"]([^'"]*)['"], ?['"]([^'"]*)['"] ?[)\]]$/;
/** Signs between a column and a ticker that are written as one word. */
const BETWEEN = ['_', ' ', '|', ':', '.'];
/** Number of names that are listed. */
const LISTED = 8;

/** A heading of one column of one ticker; the ticker of a column of times is empty. */
interface TickerColumn {
  column: string;
  ticker: string;
}

const isTickerColumn = (name: string): boolean => TICKER_COLUMNS.includes(name);

/** Places of the columns by ticker, and the tickers that have not all of them; undefined where none has. */
function byTicker(
  columns: readonly (TickerColumn | undefined)[],
  time: number,
): Pick<ColumnPlan, 'wide' | 'lacking'> | undefined {
  const all = new Map<string, ColumnPlaces>();
  for (const [at, found] of columns.entries()) {
    if (found === undefined || found.ticker === '' || at === time) continue;
    const places = all.get(found.ticker) ?? { time };
    all.set(found.ticker, places);
    const column = found.column as RecordingColumn;
    if (column in NAMES) {
      if (places[column] !== undefined) return undefined;
      places[column] = at;
    }
  }
  const isWhole = (places: ColumnPlaces): boolean => NEEDED.every((column) => places[column] !== undefined);
  const wide = new Map([...all].filter(([, places]) => isWhole(places)));
  if (wide.size === 0) return undefined;
  return { wide, lacking: [...all.keys()].filter((ticker) => !wide.has(ticker)) };
}

/** The plan of a file with a line of tickers and one of columns, as a Python library writes it; undefined for any other. */
export function twoHeadings(
  first: readonly string[],
  second: readonly string[],
  third: readonly string[],
): ColumnPlan | undefined {
  if (first.length < 2 || first.length !== second.length) return undefined;
  const [upper, lower] = [first, second].map((cells) => cells.map(plainHeading)) as [string[], string[]];
  if (!CORNER.includes(upper[0]!) || !CORNER.includes(lower[0]!)) return undefined;
  // Where the rows are numbered, the times are in the second column.
  const time = [upper[1]!, lower[1]!].some((name) => TIME_COLUMNS.includes(name)) ? 1 : 0;
  const areColumns = (names: readonly string[], tickers: readonly string[]): boolean =>
    names.every((name, at) => at <= time || tickers[at] === '' || isTickerColumn(name));
  const isUpper = areColumns(upper, second);
  if (isUpper === areColumns(lower, first)) return undefined;
  const [columns, tickers] = isUpper ? [upper, second] : [lower, first];
  const found = byTicker(
    columns.map((column, at) => (at <= time ? undefined : { column, ticker: tickers[at]! })),
    time,
  );
  if (found === undefined) return undefined;
  const isNamed = TIME_COLUMNS.includes(plainHeading(third[0] ?? ''));
  return {
    places: { time },
    ...found,
    headings: isNamed && third.slice(1).every((cell) => cell === '') ? 3 : 2,
    paise: false,
  };
}

/** The column and the ticker of one heading: Close_RELIANCE.NS, RELIANCE.NS.Close, ('Close', 'RELIANCE.NS'). */
function tickerColumn(heading: string): TickerColumn | undefined {
  const pair = PAIR.exec(heading);
  const readings: [column: string, ticker: string][] =
    pair === null
      ? []
      : [
          [pair[1]!, pair[2]!],
          [pair[2]!, pair[1]!],
        ];
  if (pair === null)
    for (const sign of BETWEEN) {
      const [begin, end] = [heading.indexOf(sign), heading.lastIndexOf(sign)];
      if (begin < 0) continue;
      readings.push(
        [heading.slice(0, begin), heading.slice(begin + 1)],
        [heading.slice(end + 1), heading.slice(0, end)],
      );
    }
  for (const [column, ticker] of readings) {
    const name = plainHeading(column);
    if (ticker === '' && TIME_COLUMNS.includes(name)) return { column: name, ticker };
    if (isTickerColumn(name) && /^[^()]*[A-Za-z][^()]*$/.test(ticker)) return { column: name, ticker };
  }
  return undefined;
}

/** The plan of a file whose headings name column and ticker in one; undefined for any other. */
export function tickerHeadings(first: readonly string[]): ColumnPlan | undefined {
  const isKnown = (name: string): boolean => Object.values(NAMES).some((names) => names.includes(name));
  const names = first.map(plainHeading);
  const columns = first.map((heading, at) => (isKnown(names[at]!) ? undefined : tickerColumn(heading)));
  const named = columns.findIndex((found) => found?.ticker === '');
  const plain = names.findIndex((name) => NAMES.time.includes(name));
  const time = named >= 0 ? named : plain >= 0 ? plain : ['', 'unnamed0', 'index'].includes(names[0]!) ? 0 : -1;
  if (time < 0) return undefined;
  const found = byTicker(columns, time);
  if (found === undefined) return undefined;
  const [only, ...others] = found.wide!.values();
  const volume = names.findIndex((name) => NAMES.volume.includes(name));
  // Programs leave the ticker out behind the volume, where there is one alone.
  if (others.length === 0 && found.lacking!.length === 0 && only!.volume === undefined && volume >= 0)
    only!.volume = volume;
  return { places: { time }, ...found, headings: 1, paise: false };
}

/** Notes on the tickers that have not all columns of a candle. */
export function lackingNotes(file: string, lacking: readonly string[] = []): string[] {
  if (lacking.length === 0) return [];
  const more = lacking.length > LISTED ? ` and ${lacking.length - LISTED} more` : '';
  return [
    `${file}: without open, high, low and close, and therefore not read: ${lacking.slice(0, LISTED).map(shortenText).join(', ')}${more}.`,
  ];
}
