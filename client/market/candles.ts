/** Historical candles: one row a bar, windows and symbols split to the service's limits and joined again. */
import { endpoints } from '../endpoints';
import type { CandleQuery } from '../endpoints/candles';
import { InputError, ServiceError } from '../base/errors';
import type { WireResponse } from '../base/ports';
import type { Transport } from '../transport';
import { answeredAtIn } from '../values/headers';
import { oneOf, plainText } from '../values/input';
import type { MoneyUnit } from '../values/money';
import { MS_PER_DAY, istDate, istInstant, toIst } from '../values/time';
import { isRefusedQuestion } from '../service-errors';
import { requireNoFault } from '../reply-fault';
import { readJsonIfAny } from '../values/json';
import { readCandles, type CandleReply } from './candle-reply';
import { requireCandles } from './check-candles';
import { RowBuilder, CandleTimes, type CandleRow } from './candle-rows';

/** Maximum size of a reply that says it failed, bytes: candles that are longer hold prices. */
const MAX_FAULT_BYTES = 4_000;

/** Kinds of symbols; `CHAIN` adds up all options of an underlying. */
const CANDLE_TYPES = ['STOCK', 'INDEX', 'OPT', 'FUT', 'CHAIN'] as const;
export type CandleType = (typeof CANDLE_TYPES)[number];

/** Fields that a bar can hold (docs/service/market-data.md#candle-fields). */
export const CANDLE_FIELDS = [
  'open',
  'high',
  'low',
  'close',
  'tick_volume',
  'cumulative_volume',
  'cumulative_volume_premium',
  'cumulative_oi',
  'cumulative_call_oi',
  'cumulative_put_oi',
  'cumulative_fut_oi',
  'l1bid',
  'l1ask',
  'theta',
  'delta',
  'gamma',
  'vega',
  'iv_bid',
  'iv_ask',
  'iv_mid',
  'cumulative_volume_delta',
] as const;
export type CandleField = (typeof CANDLE_FIELDS)[number];

/** Intervals with the longest window, in days, that is asked for at once (docs/service/limits.md#candle-windows; seconds are many). */
const WINDOW_DAYS = {
  '1s': 4,
  '10s': 7,
  '1m': 90,
  '2m': 90,
  '3m': 90,
  '5m': 90,
  '15m': 90,
  '30m': 90,
  '1h': 90,
  '1d': 3_650,
  '1w': 3_650,
  '1mth': 3_650,
} as const;
export type CandleInterval = keyof typeof WINDOW_DAYS;
/** The lengths that a bar can have. */
export const CANDLE_INTERVALS = Object.keys(WINDOW_DAYS) as CandleInterval[];

/** Maximum number of symbols in one query (docs/service/limits.md#symbols-in-one-query). */
const SYMBOLS_PER_QUERY = 10;

/** The requested candles. */
export interface CandleRequest {
  exchange: string;
  type: CandleType;
  symbols: readonly string[];
  fields: readonly CandleField[];
  interval: CandleInterval;
  /** Milliseconds since the epoch; bars that start in [from, to). */
  from: number;
  to: number;
  unit: MoneyUnit;
  signal?: AbortSignal;
}

/** The bars of all symbols. */
export interface Candles {
  /** Rows by symbol in the order of the request, then by time. */
  rows: CandleRow[];
  /** Symbols unknown to the service. */
  missing: string[];
  /** The missing part of the range, in a sentence, if the service's data begins later. */
  rangeCut?: string;
  /** The service's clock at its first answer, milliseconds; undefined if it does not say. */
  answeredAt: number | undefined;
}

function checked(request: CandleRequest): CandleRequest {
  const symbols = [...new Set(request.symbols.map((symbol) => plainText(symbol, 'symbols', { label: 'Symbol' })))];
  if (symbols.length === 0) throw new InputError('Candles need at least one instrument.', { parameter: 'symbols' });
  const fields = [...new Set(request.fields.map((field) => oneOf(field, CANDLE_FIELDS, 'fields', 'Field')))];
  if (fields.length === 0)
    throw new InputError('There is no field to get.', {
      parameter: 'fields',
      hint: 'Choose at least one, such as close.',
    });
  oneOf(request.interval, CANDLE_INTERVALS, 'interval', 'Interval');
  oneOf(request.type, CANDLE_TYPES, 'type', 'Type');
  if (!(request.from < request.to)) {
    throw new InputError('The range of the candles ends before it begins.', {
      parameter: 'to',
      hint: 'Choose an end after the start.',
    });
  }
  return { ...request, symbols, fields };
}

/**
 * The windows, milliseconds, that a range is asked for in. Where volumes are asked for, which count from the morning on, they
 * begin and meet at the beginning of an Indian day.
 * @param isCut whether the service has nothing before the range
 */
export function windowsOf({
  interval,
  fields,
  from,
  to,
  isCut = false,
}: Pick<CandleRequest, 'interval' | 'fields' | 'from' | 'to'> & { isCut?: boolean }): { from: number; to: number }[] {
  const length = WINDOW_DAYS[interval] * MS_PER_DAY;
  const windows: { from: number; to: number }[] = [];
  const midnight = istInstant(istDate(from));
  const first = fields.includes('cumulative_volume') && !isCut ? midnight : from;
  for (let start = first; start < to; start += length) windows.push({ from: start, to: Math.min(start + length, to) });
  return windows;
}

/** So far back reach bars below a minute, to the second; a window that reaches further fails whole (docs/service/limits.md#candle-windows). */
const SECONDS_REACH_MS = 7 * MS_PER_DAY;
/** The window grows old on its way to the service. */
const ON_THE_WAY_MS = 5_000;

/**
 * Cuts a range of bars below a minute that begins on the first day that the service still has to the available part.
 * @param now milliseconds since the epoch
 * @returns `isCut`: true if the service no longer has the morning of its first day
 * @throws InputError (parameter `from`) for a range that begins before that day
 */
function withinReach(request: CandleRequest, now: number): { from: number; isCut: boolean; rangeCut?: string } {
  const { from, to, interval } = request;
  const first = Math.ceil((now - SECONDS_REACH_MS + ON_THE_WAY_MS) / 1_000) * 1_000;
  if (barMs(interval) >= 60_000) return { from, isCut: false };
  if (from >= first) return { from, isCut: istInstant(istDate(from)) < first };
  const has = `The service has bars below a minute for the last 7 × 24 hours only, from ${toIst(first).slice(0, 19)} on`;
  if (from < istInstant(istDate(first)) || to <= first)
    throw new InputError(`${has}; the range begins at ${toIst(from).slice(0, 19)}.`, {
      parameter: 'from',
      hint: 'Choose a later start, or an interval of a minute or more. Nothing was asked.',
    });
  return { from: first, isCut: true, rangeCut: `${has}: the range was cut to that.` };
}

/** Environments whose monthly interval is spelled `1mt` (docs/service/market-data.md#monthly-interval). */
const shortMonthly = new Set<string>();

function spelling(baseUrl: string, interval: CandleInterval): string {
  return interval === '1mth' && shortMonthly.has(baseUrl) ? '1mt' : interval;
}

/** Returns the length of a bar, milliseconds; of a month, the shortest. */
function barMs(interval: CandleInterval): number {
  const [, count, unit] = /^(\d+)(s|mth|m|h|d|w)$/.exec(interval)!;
  const units = { s: 1_000, m: 60_000, h: 3_600_000, d: MS_PER_DAY, w: 7 * MS_PER_DAY, mth: 28 * MS_PER_DAY };
  return Number(count) * units[unit as keyof typeof units];
}

/** The query for one window. @param interval as the service spells it. */
function queryOf(
  { exchange, type, fields }: CandleRequest,
  values: readonly string[],
  window: { from: number; to: number },
  interval: string,
): CandleQuery {
  const startDate = new Date(window.from).toISOString();
  const endDate = new Date(window.to).toISOString();
  return { exchange, type, values, fields, startDate, endDate, interval, intraDay: false, realTime: false };
}

async function requestWindow(
  transport: Transport,
  request: CandleRequest,
  symbols: readonly string[],
  window: { from: number; to: number },
): Promise<WireResponse> {
  const send = () => {
    const query = queryOf(request, symbols, window, spelling(transport.baseUrl, request.interval));
    return transport.fetch(endpoints.timeseries, { body: { query: [query] }, signal: request.signal });
  };
  const reply: WireResponse | undefined = await send().catch((error: unknown) =>
    undefinedForInterval(error, request.interval),
  );
  if (reply !== undefined) return reply;
  const { baseUrl } = transport;
  if (!shortMonthly.delete(baseUrl)) shortMonthly.add(baseUrl);
  return await send();
}

/** A refusal that names the interval (a 400, on UAT a 500): the environment spells the month otherwise. */
function undefinedForInterval(error: unknown, interval: CandleInterval): undefined {
  if (
    interval === '1mth' &&
    error instanceof ServiceError &&
    (error.status === 400 || error.status === 422 || isRefusedQuestion(error.status, error.serviceText)) &&
    /interval|1mth?\b/i.test(error.serviceText)
  )
    return undefined;
  throw error;
}

/**
 * Gets candles.
 * @throws InputError for a range, symbol, field or interval that there is not; otherwise as `Transport.call`.
 */
export async function getCandles(transport: Transport, request: CandleRequest): Promise<Candles> {
  const checkedRequest = checked(request);
  const { from, isCut, rangeCut } = withinReach(checkedRequest, transport.marketClock.now());
  const requested = { ...checkedRequest, from, isCut };
  const times = new CandleTimes();
  const builders = new Map(requested.symbols.map((symbol) => [symbol, new RowBuilder(symbol, requested, times)]));
  let answeredAt: number | undefined;
  for (let at = 0; at < requested.symbols.length; at += SYMBOLS_PER_QUERY) {
    const symbols = requested.symbols.slice(at, at + SYMBOLS_PER_QUERY);
    for (const window of windowsOf(requested)) {
      const { body, headers } = await requestWindow(transport, requested, symbols, window);
      if (body.length <= MAX_FAULT_BYTES) requireNoFault(readJsonIfAny(body) ?? null, 'POST /charts/timeseries');
      answeredAt ??= answeredAtIn(headers);
      const reply: CandleReply = readCandles(body);
      const query = queryOf(requested, symbols, window, requested.interval);
      // A sandbox says which run of it answers; it trades at any hour if it is told to.
      const service = { answeredAt: answeredAtIn(headers), isSimulated: transport.marketClock.run !== undefined };
      requireCandles(reply, { query, window, barMs: barMs(requested.interval), service });
      for (const symbol of symbols) {
        const series = reply.get(symbol);
        if (series !== undefined) builders.get(symbol)!.add(series);
      }
    }
  }
  const all = [...builders.values()];
  return {
    rows: all.flatMap(({ rows }) => rows),
    ...(rangeCut === undefined ? {} : { rangeCut }),
    missing: all.filter(({ seen }) => !seen).map(({ symbol }) => symbol),
    answeredAt,
  };
}
