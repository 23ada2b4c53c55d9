/** Price levels of a day that follow from the market's data before it, or from its first minutes. Money is paise. */
import type { Instrument } from '../instruments/instrument';
import type { NamedInstrument } from '../instruments/symbol';
import type { Transport } from '../transport';
import { rupeesText } from '../values/amounts';
import { candlePriceIn, type NoPrice } from '../values/market-price';
import { addDays, istDate, istInstant } from '../values/time';
import { sessionsOn } from './calendar/trading-hours';
import type { CandleRow } from './candle-rows';
import { DAYS_BACK, dayCandles, extremeIn } from './day-prices';

/** Levels that are worked out again for each day. */
export const DAY_LEVELS = [
  'movingAverage',
  'openingRangeHigh',
  'openingRangeLow',
  'previousHigh',
  'previousLow',
  'yearHigh',
  'yearLow',
] as const;
export type DayLevelName = (typeof DAY_LEVELS)[number];

/** A level to work out. */
export interface DayLevel {
  name: DayLevelName;
  /** Days of a moving average, minutes of an opening range; 0 for others. */
  span: number;
}

/** An instrument whose levels are worked out. */
export type LevelInstrument = NamedInstrument & Pick<Instrument, 'kind'>;

/** Facts about the day. */
export interface LevelDay {
  /** YYYY-MM-DD, IST. */
  day: string;
  /** Milliseconds since the epoch. */
  now: number;
  /** The exchange's previous close of the day; null if unknown. */
  previousClose: number | null;
  /** True if a price shows that the instrument has traded on the day; otherwise candles must. */
  hasTraded: boolean;
  signal?: AbortSignal;
}

/** 52 weeks. */
const YEAR_DAYS = 364;
/** Days of the calendar for a trading day, with room for holidays. */
const CALENDAR_DAYS = 1.6;
/** A close of the exchange is an average of the last half hour; one that is further from the last candle is of a changed share. */
const SAME_CLOSE_WITHIN = 0.04;

const isOpeningRange = (name: DayLevelName): boolean => name === 'openingRangeHigh' || name === 'openingRangeLow';

/**
 * Returns the instant from which prices of a day count towards a level, milliseconds since the epoch: for an opening range its end, by the
 * opening of the exchange; undefined for other levels.
 */
export function levelCountsFrom(
  { name, span }: DayLevel,
  { exchange, kind }: Pick<LevelInstrument, 'exchange' | 'kind'>,
  day: string,
): number | undefined {
  return isOpeningRange(name) ? opensAt(exchange, kind, day) + span * 60_000 : undefined;
}

function opensAt(exchange: string, kind: Instrument['kind'], day: string): number {
  const [session] = sessionsOn(exchange, kind === 'FUT' || kind === 'OPT', day);
  return istInstant(day, session!.from);
}

/**
 * Works out a level of a day.
 * @returns null while it is not known yet; the reason if there is none on that day. @throws as `getCandles`.
 */
export async function getDayLevel(
  transport: Transport,
  instrument: LevelInstrument,
  level: DayLevel,
  at: LevelDay,
): Promise<number | NoPrice | null> {
  if (isOpeningRange(level.name)) return await openingRange(transport, instrument, level, at);
  const { day, hasTraded, signal } = at;
  if (!hasTraded) {
    const minutes = await dayCandles(transport, instrument, { interval: '1m', first: day, last: day, signal });
    if (minutes.length === 0) return null;
  }
  const first = addDays(day, -daysBack(level));
  const range = { interval: '1d', first, last: addDays(day, -1), signal } as const;
  const rows = await dayCandles(transport, instrument, range);
  return levelOfDays(level, rows, { ...at, isShare: instrument.kind === 'STOCK' });
}

function daysBack({ name, span }: DayLevel): number {
  if (name === 'movingAverage') return Math.ceil(span * CALENDAR_DAYS) + DAYS_BACK;
  return name === 'yearHigh' || name === 'yearLow' ? YEAR_DAYS : DAYS_BACK;
}

async function openingRange(
  transport: Transport,
  instrument: LevelInstrument,
  { name, span }: DayLevel,
  { day, now, signal }: LevelDay,
): Promise<number | NoPrice | null> {
  const since = opensAt(instrument.exchange, instrument.kind, day);
  const until = since + span * 60_000;
  if (now < until) return null;
  const rows = await dayCandles(transport, instrument, { interval: '1m', first: day, last: day, since, until, signal });
  const level = extremeIn(rows, name === 'openingRangeHigh' ? 'high' : 'low');
  return level ?? { none: `it did not trade in the first ${span} minutes of the day` };
}

/**
 * Works out a level from the daily candles before a day.
 * @param rows oldest first.
 */
export function levelOfDays(
  { name, span }: DayLevel,
  rows: readonly CandleRow[],
  { day, now, previousClose, isShare }: Pick<LevelDay, 'day' | 'now' | 'previousClose'> & { isShare: boolean },
): number | NoPrice {
  const last = rows.at(-1);
  if (last === undefined) return { none: 'the service has no candle of a day before' };
  const close = candlePriceIn(last.close);
  // Only of today the exchange's previous close is known for certain.
  const isComparable = isShare && day === istDate(now) && close !== undefined && previousClose !== null;
  if (isComparable && Math.abs(previousClose - close) > SAME_CLOSE_WITHIN * Math.max(previousClose, close))
    return {
      none: `the candles end at ${rupeesText(Math.round(close))}, and the exchange counts from ${rupeesText(previousClose)} today, as after a split, a bonus issue or a demerger`,
    };
  if (name === 'movingAverage') return averageOf(rows, span);
  const isHigh = name === 'previousHigh' || name === 'yearHigh';
  const days = name === 'previousHigh' || name === 'previousLow' ? [last] : rows;
  return extremeIn(days, isHigh ? 'high' : 'low') ?? { none: 'the candle of the day before has no price' };
}

/** Returns the simple average of the last closes, whole paise. */
function averageOf(rows: readonly CandleRow[], span: number): number | NoPrice {
  const closes = rows.slice(-span).map(({ close }) => candlePriceIn(close));
  if (closes.length < span)
    return { none: `an average of ${span} days needs ${span} closes, and the service has ${closes.length}` };
  const knownCloses = closes.filter((close) => close !== undefined);
  if (knownCloses.length < span) return { none: 'a candle has no close' };
  return Math.round(knownCloses.reduce((sum, close) => sum + close, 0) / span);
}
