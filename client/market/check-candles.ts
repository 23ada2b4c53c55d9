/** Checks that a reply with candles matches the request: exchange, type and symbols by their names, window, interval and time by the bars. */
import { endpoints } from '../endpoints';
import type { CandleQuery } from '../endpoints/candles';
import { UnreadableReplyError } from '../base/errors';
import { mismatchError, requireAnswer } from '../reply-gate';
import { showMoney } from '../values/money';
import { istDate, MS_PER_DAY, toIst } from '../values/time';
import type { CandleReply, CandleSeries } from './candle-reply';
import { timeFaultOf, type BarTimes } from './candle-times';

/** The request of one query. */
export interface CandlesToCheck {
  query: CandleQuery;
  /** Milliseconds: bars that start in [from, to). */
  window: { from: number; to: number };
  /** Length of a bar, milliseconds; for a month the shortest. */
  barMs: number;
  /** See `BarTimes`. */
  service: Pick<BarTimes, 'answeredAt' | 'isSimulated'>;
}

/** Checks that a reply matches its request. @throws MismatchedReplyError that names both */
export function requireCandles(reply: CandleReply, { query, window, barMs, service }: CandlesToCheck): void {
  const { exchange, type } = reply.about;
  const values = [Object.fromEntries([...reply.keys()].map((symbol) => [symbol, null]))];
  const result = [...exchange.map((name) => ({ exchange: name })), ...type.map((name) => ({ type: name })), { values }];
  requireAnswer(endpoints.timeseries, { body: { query: [query] } }, { result });
  const { method, path } = endpoints.timeseries;
  for (const [symbol, fields] of reply) {
    if (ONE_UNIT.has(query.type)) requireOneUnit(symbol, fields.get('close'));
    // The fields of a symbol have mostly the same times, kept once.
    for (const ms of new Set([...fields.values()].map((series) => series.ms))) {
      const requested = `${method} ${path}, ${symbol}`;
      const days = otherDays(ms, window, barMs);
      if (days !== undefined)
        throw mismatchError(
          { reply: 'list of candles', what: 'range' },
          daysOf(window.from, window.to - 1),
          days,
          requested,
        );
      const gap = otherGap(ms, barMs, query.type);
      if (gap !== undefined)
        throw mismatchError(
          { reply: 'list of candles', what: 'interval' },
          query.interval,
          `${gap / 1_000} seconds`,
          requested,
        );
      const fault = timeFaultOf({ times: ms, barMs, exchange: query.exchange, window, ...service });
      if (fault !== undefined)
        throw mismatchError({ reply: 'list of candles', what: fault.what }, fault.asked, fault.answered, requested);
    }
  }
}

/** Steps between two closes that are a change of unit: in 71,413 of real shares, futures and indices the largest was 9.93. */
const [MIN_UNIT_STEP, MAX_UNIT_STEP] = [50, 200];
/** Types with such closes: an option may rise a hundredfold within a day. */
const ONE_UNIT: ReadonlySet<string> = new Set(['STOCK', 'INDEX', 'FUT']);

/**
 * Checks that the closes of a symbol have one unit. Within a day no price moves a hundredfold. From one day to another a split may do that,
 * but not there and back.
 * @throws UnreadableReplyError with both closes
 */
function requireOneUnit(symbol: string, closes: CandleSeries | undefined): void {
  if (closes === undefined) return;
  let [before, beforeDays]: [number | undefined, number] = [undefined, 0];
  for (const [at, close] of closes.values.entries()) {
    if (!(close > 0)) continue;
    const last = before === undefined ? close : closes.values[before]!;
    const ratio = close > last ? close / last : last / close;
    if (before !== undefined && ratio >= MIN_UNIT_STEP && ratio <= MAX_UNIT_STEP) {
      const direction = Math.sign(close - last);
      if (istDate(closes.ms[before]!) === istDate(closes.ms[at]!) || beforeDays === -direction)
        throw otherUnit(symbol, closes, [before, at]);
      beforeDays = direction;
    }
    before = at;
  }
}

function otherUnit(
  symbol: string,
  { ms, values }: CandleSeries,
  bars: readonly [number, number],
): UnreadableReplyError {
  const [first, second] = bars.map(
    (at) => `${showMoney('rupees', values[at]!)} at ${toIst(ms[at]!).slice(0, 16).replace('T', ' ')}`,
  );
  return new UnreadableReplyError(
    `The closes of ${symbol} change their unit, rupees or paise: ${first}, and then ${second}.`,
    { hint: 'The candles were not used. Try again. If it stays, choose a range without these times.' },
  );
}

const daysOf = (first: number, last: number): string => `${istDate(first)} to ${istDate(last)}`;

/** Returns the days of the bars if none is within the window; undefined if some are, or if there are no bars. */
function otherDays(
  times: readonly number[],
  { from, to }: CandlesToCheck['window'],
  barMs: number,
): string | undefined {
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const isOutside = times.every((at) => at <= from - barMs - MS_PER_DAY || at >= to + barMs + MS_PER_DAY);
  return isOutside ? daysOf(first, last) : undefined;
}

/**
 * Returns the milliseconds between bars of another interval; undefined if they may be of the requested one. Among those, few are less than
 * half an interval apart: where a session begins or ends in the middle of one. And a share may trade once a day, but an index does not, nor
 * does anything at midnight.
 */
function otherGap(times: readonly number[], barMs: number, type: string): number | undefined {
  let [least, close, apart] = [Infinity, 0, 0];
  for (let at = 1; at < times.length; at++) {
    const gap = Math.abs(times[at]! - times[at - 1]!);
    if (gap === 0) continue;
    apart += 1;
    if (gap < barMs / 2) close += 1;
    least = Math.min(least, gap);
  }
  if (close * 2 > apart) return least;
  const longer = longerInterval(times, barMs);
  if (longer !== undefined) return longer;
  const isOfDays = barMs < MS_PER_DAY && times.length > 2 && times.every((at) => isWholeDays(at - times[0]!));
  return isOfDays && (type === 'INDEX' || isWholeDays(times[0]! + IST_AHEAD_MS)) ? least : undefined;
}

/**
 * Returns the milliseconds of a longer interval that all bars within each day follow, as many as cannot be by chance; undefined if there is
 * none. What is seldom traded has gaps, but of any length.
 */
function longerInterval(times: readonly number[], barMs: number): number | undefined {
  if (barMs < MINUTE_MS || barMs >= MS_PER_DAY) return undefined;
  let [divisor, gaps] = [0, 0];
  for (let at = 1; at < times.length && divisor !== barMs; at++) {
    const gap = Math.abs(times[at]! - times[at - 1]!);
    if (gap === 0 || gap > MAX_GAP_IN_DAY_MS) continue;
    divisor = greatestDivisor(divisor, gap);
    gaps += 1;
  }
  const isLonger = gaps >= MIN_GAPS && divisor >= 2 * barMs && divisor <= MAX_LONGER_MS;
  return isLonger ? divisor : undefined;
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));
const MINUTE_MS = 60_000;
const MAX_GAP_IN_DAY_MS = 8 * 3_600_000;
/** Thirty gaps are of even length by chance once in a thousand million times. */
const MIN_GAPS = 30;
/** Some shares trade in an auction each hour. */
const MAX_LONGER_MS = 30 * MINUTE_MS;
const IST_AHEAD_MS = 5.5 * 3_600_000;
const isWholeDays = (ms: number): boolean => ms % MS_PER_DAY === 0;
