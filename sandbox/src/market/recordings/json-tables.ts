import { NAMES, namesPrices, plainHeading } from './column-names';
import { parseTime } from './parse-time';

/** Finds the table of candles in a value of JSON, in the shapes in which programs and interfaces write one. */

/** A table, and what the answer around it says of all its rows. */
export interface JsonTable {
  columns: readonly string[];
  rows: readonly (readonly unknown[])[];
  /** The zone of times that do not say theirs, as the answer names it. */
  zone?: string;
  /** The name beside the candles, which counts where it is that of an instrument: interfaces also write codes there. */
  beside?: string;
}

/** Keys under which interfaces put the candles of an answer: one of these names in another. */
const WRAPPERS = [
  'chart',
  'data',
  'candles',
  'Success',
  'result',
  'Result',
  'results',
  'values',
  'historicalCandleData',
  'intradayCandleData',
  'indexCandleData',
  'indexCloseOnlineRecords',
  'd',
];
const MAX_WRAPPERS = 4;
/** The columns of a candle that is a list. */
const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume', 'oi'];
const PRICES = ['open', 'high', 'low', 'close'];
const NAMES_OF_TIME = ['timestamp', 'time', 'datetime', 'date', 't', 'start_Time'];
const NAMES_OF_SYMBOL = ['symbol', 'tradingsymbol', 'tradingSymbol', 'trading_symbol', 'ticker'];
/** An interface's name of its series: Time Series (5min), Weekly Adjusted Time Series. */
const SERIES = /^(?:(Weekly|Monthly) (?:Adjusted )?)?Time Series(?: \((Daily|\d{1,2}min)\))?$/;
/** Minutes of India over UTC. */
const INDIA = 330;

export type JsonObject = Record<string, unknown>;
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The text of a single value; empty for any other. */
export const textIn = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

/** The value of a text of JSON; undefined where it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isTime = (text: string): boolean => parseTime(text, undefined, INDIA) !== undefined;
const hasTime = (columns: readonly string[]): boolean =>
  columns.map(plainHeading).some((name) => NAMES.time.includes(name));

/** The candles in an answer; undefined where they are in no form that is known. */
export function tableIn(answer: unknown, depth = 0): JsonTable | undefined {
  if (Array.isArray(answer)) return tableOfList(answer as unknown[], depth);
  if (typeof answer === 'string') return depth === MAX_WRAPPERS ? undefined : tableIn(parsedJson(answer), MAX_WRAPPERS);
  if (!isObject(answer)) return undefined;
  const own =
    tableOfChart(answer) ??
    tableOfSeries(answer) ??
    tableWithColumns(answer) ??
    tableOfLists(answer) ??
    tableOfColumns(answer) ??
    tableOfIndex(answer);
  if (own !== undefined) return besides(own, answer);
  if (depth === MAX_WRAPPERS) return undefined;
  for (const name of WRAPPERS) {
    const table = Object.hasOwn(answer, name) ? tableIn(answer[name], depth + 1) : undefined;
    if (table !== undefined) return besides(described(table, answer), answer);
  }
  return tableBySymbol(answer, depth);
}

/** A table with columns of what is said of all its rows, each only where the table has none of that meaning. */
function withConstants(
  table: JsonTable,
  constants: Partial<Record<'symbol' | 'currency' | 'bars', string>>,
): JsonTable {
  const names = table.columns.map(plainHeading);
  const added = Object.entries(constants).filter(
    ([column, value]) => value !== '' && !NAMES[column as keyof typeof constants].some((name) => names.includes(name)),
  );
  const values = added.map(([, value]) => value);
  return {
    ...table,
    columns: [...table.columns, ...added.map(([column]) => (column === 'bars' ? 'interval' : column))],
    rows: table.rows.map((row) => [...table.columns.map((_, at) => row[at]), ...values]),
  };
}

/** A table with what an answer says beside it: its meta, as an interface writes it. */
function described(table: JsonTable, answer: JsonObject): JsonTable {
  const { meta } = answer;
  if (!isObject(meta)) return table;
  const zone = textIn(meta['exchange_timezone']);
  const { currency, interval, symbol } = meta;
  return {
    ...withConstants(table, { symbol: textIn(symbol), currency: textIn(currency), bars: textIn(interval) }),
    ...(zone === '' ? {} : { zone }),
  };
}

/** A table with the name of the instrument beside it. */
function besides(table: JsonTable, answer: JsonObject): JsonTable {
  const beside = NAMES_OF_SYMBOL.map((name) => textIn(answer[name])).find((text) => text !== '');
  return table.beside === undefined && beside !== undefined ? { ...table, beside } : table;
}

/** [[time, open, …], …], where the first may name the columns, or [{time, open, …}, …]. */
function tableOfList(list: readonly unknown[], depth: number): JsonTable | undefined {
  if (list.length === 0) return undefined;
  // A broker's days are texts of JSON in a list of JSON.
  if (list.every((candle) => typeof candle === 'string') && depth < MAX_WRAPPERS) {
    const candles = list.map(parsedJson);
    return candles.every(isObject) ? tableOfList(candles, MAX_WRAPPERS) : undefined;
  }
  if (list.every((candle) => Array.isArray(candle))) {
    const [first, ...rows] = list as readonly (readonly unknown[])[];
    const names = first!.map(textIn);
    return namesPrices(names) ? { columns: names, rows } : { columns: COLUMNS, rows: [first!, ...rows] };
  }
  if (!list.every(isObject)) return undefined;
  if (isObject(list[0]!['indicators']) && depth < MAX_WRAPPERS) return joined(list.map((item) => tableOfChart(item)));
  // An object may leave out what it does not know.
  const columns = [...new Set(list.flatMap((candle) => Object.keys(candle)))];
  return { columns, rows: list.map((candle) => columns.map((column) => candle[column])) };
}

/** Several tables as one; undefined where one is none. */
function joined(tables: readonly (JsonTable | undefined)[]): JsonTable | undefined {
  if (tables.some((table) => table === undefined)) return undefined;
  const all = tables as readonly JsonTable[];
  const columns = [...new Set(all.flatMap((table) => table.columns))];
  return {
    columns,
    rows: all.flatMap((table) => {
      const places = columns.map((column) => table.columns.indexOf(column));
      return table.rows.map((row) => places.map((place) => row[place]));
    }),
  };
}

/**
 * {columns: […], data: [[…], …]}, as a Python library splits a table, which may have its times apart, as index: the columns come in the
 * order that they are named in, and not in the usual one.
 */
function tableWithColumns(answer: JsonObject): JsonTable | undefined {
  const { columns, index } = answer;
  const rows = answer['data'] ?? answer['candles'];
  const isTable = (list: unknown): list is unknown[][] =>
    Array.isArray(list) && list.every((row) => Array.isArray(row));
  if (!Array.isArray(columns) || !isTable(rows)) return undefined;
  const names = columns.map((name) => (Array.isArray(name) ? JSON.stringify(name) : textIn(name)));
  const times = Array.isArray(index) && index.length === rows.length ? (index as unknown[]) : undefined;
  if (times === undefined || hasTime(names)) return { columns: names, rows };
  return { columns: ['timestamp', ...names], rows: rows.map((row, at) => [times[at], ...row]) };
}

/** {time: […], open: […], …} */
function tableOfLists(answer: JsonObject): JsonTable | undefined {
  const time = NAMES_OF_TIME.find((name) => Array.isArray(answer[name]));
  if (time === undefined) return undefined;
  const { length } = answer[time] as unknown[];
  const columns = Object.keys(answer).filter((name) => {
    const list = answer[name];
    return Array.isArray(list) && list.length === length;
  });
  const rows = Array.from({ length }, (_, at) => columns.map((name) => (answer[name] as unknown[])[at]));
  return { columns, rows };
}

/** {open: {time: …, …}, high: {…}, …}: a table by its columns, each with the names of its rows. */
function tableOfColumns(answer: JsonObject): JsonTable | undefined {
  const columns = Object.keys(answer).filter((name) => isObject(answer[name]));
  if (!namesPrices(columns.map(columnIn))) return undefined;
  const rows = Object.keys(answer[columns[0]!] as JsonObject);
  const cellsOf = (row: string): unknown[] => columns.map((column) => (answer[column] as JsonObject)[row]);
  // Every column has the same rows.
  if (columns.some((column) => Object.keys(answer[column] as JsonObject).length !== rows.length)) return undefined;
  if (rows.length === 0 || !rows.every(isTime)) return { columns, rows: rows.map(cellsOf) };
  return { columns: ['timestamp', ...columns], rows: rows.map((row) => [row, ...cellsOf(row)]) };
}

/** The column of ('Close', 'RELIANCE.NS'), Close_RELIANCE.NS or Close. */
const columnIn = (name: string): string => /^\W*(open|high|low|close)(?![a-z])/i.exec(name)?.[1] ?? name;

/** {time: {open: …, …}, …}: a table by its rows, whose names are times, or the numbers of rows that have their times. */
function tableOfIndex(answer: JsonObject): JsonTable | undefined {
  const names = Object.keys(answer);
  const list = Object.values(answer);
  if (!list.every(isObject) || list.length === 0) return undefined;
  const columns = [...new Set(list.flatMap((row) => Object.keys(row)))];
  if (!namesPrices(columns.map(columnIn))) return undefined;
  const rows = list.map((row) => columns.map((column) => row[column]));
  if (hasTime(columns)) {
    // Other numbers are those of instruments: each row would be of another one.
    const isCounted = names.every((name, at) => name === String(Number(names[0]) + at));
    return isCounted || names.every(isTime) ? { columns, rows } : undefined;
  }
  if (!names.every(isTime)) return undefined;
  return { columns: ['timestamp', ...columns], rows: rows.map((row, at) => [names[at], ...row]) };
}

/** A chart of a portal: {meta: {symbol, currency, …}, timestamp: […], indicators: {quote: [{open: […], …}]}}. */
function tableOfChart(answer: JsonObject): JsonTable | undefined {
  const { meta, timestamp, indicators } = answer;
  const quotes = isObject(indicators) ? indicators['quote'] : undefined;
  const quote: unknown = Array.isArray(quotes) ? quotes[0] : undefined;
  if (!Array.isArray(timestamp) || !isObject(quote)) return undefined;
  const table = tableOfLists({ ...quote, timestamp });
  if (table === undefined || !isObject(meta)) return table;
  const { symbol, currency, dataGranularity } = meta;
  const prices = table.columns.map((name, at) => (PRICES.includes(name) ? at : -1)).filter((at) => at >= 0);
  // A bar that is not over, or lacks a price, is none.
  const rows = table.rows.map((row) =>
    prices.some((at) => row[at] === null) ? row.map((value, at) => (prices.includes(at) ? null : value)) : row,
  );
  return withConstants(
    { ...table, rows },
    { symbol: textIn(symbol), currency: textIn(currency), bars: textIn(dataGranularity) },
  );
}

/** An interface's {"Meta Data": {"2. Symbol": …}, "Time Series (Daily)": {time: {"1. open": …, …}, …}}. */
function tableOfSeries(answer: JsonObject): JsonTable | undefined {
  const name = Object.keys(answer).find((key) => SERIES.test(key) && isObject(answer[key]));
  const table = name === undefined ? undefined : tableOfIndex(answer[name] as JsonObject);
  if (name === undefined || table === undefined) return undefined;
  const meta = isObject(answer['Meta Data']) ? answer['Meta Data'] : {};
  const said = (what: string): string => textIn(Object.entries(meta).find(([key]) => key.endsWith(`. ${what}`))?.[1]);
  const [, long, short] = SERIES.exec(name)!;
  const zone = said('Time Zone');
  return {
    ...withConstants(table, { symbol: said('Symbol'), bars: long ?? short ?? '' }),
    ...(zone === '' ? {} : { zone }),
  };
}

/** {symbol: table, symbol: table, …} */
function tableBySymbol(answer: JsonObject, depth: number): JsonTable | undefined {
  const tables = Object.entries(answer).map(([symbol, value]) => {
    const table = isObject(value) || Array.isArray(value) ? tableIn(value, depth + 1) : undefined;
    return isTime(symbol) ? undefined : table && withConstants(table, { symbol });
  });
  return tables.length === 0 ? undefined : joined(tables);
}
