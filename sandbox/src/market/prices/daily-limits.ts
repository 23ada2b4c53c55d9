import { dayOf, MINUTE, SECOND, startOfDay } from '../../shared/dates';
import { dailyLimitRows, type DailyLimitRow } from '../reference/dated-tables';
import { fixedBand } from '../reference/fixed-band';
import type { Instrument } from '../reference/types';
import { endOf, endOfPreviousDay } from './candles';
import type { Bar, Market } from './types';

const HOUR = 60 * MINUTE;

/** Lowest and highest price, paise, on tick. */
interface Band {
  low: number;
  high: number;
}

/** Daily price limit of a future on MCX at an instant (docs/service/exchange-rules.md#prices). */
export interface DailyLimit extends Band {
  percent: number;
  /** Percent of the next limit, and the instant from which it holds: undefined until something trades at this one. */
  next?: { percent: number; at: number | undefined };
}

/** Returns the steps of the limit of an instrument on a day; undefined where it has none. */
export function limitStepsOf({ exchange, derivativeType, asset }: Instrument, at: number): DailyLimitRow | undefined {
  if (exchange !== 'MCX' || derivativeType !== 'FUT') return undefined;
  const day = dayOf(at);
  return dailyLimitRows().findLast(({ from, symbols }) => from <= day && symbols.includes(asset));
}

/** The largest percentage to which a limit widens without a break. */
export const widestAtOnce = ({ limits, cooling }: DailyLimitRow): number =>
  limits[cooling.findIndex((minutes) => minutes > 0)] ?? limits.at(-1)!;

/** The limit after one; undefined after the last. */
function stepAfter(
  { limits, cooling, further }: DailyLimitRow,
  index: number,
): { percent: number; wait: number } | undefined {
  const wait = (cooling[index] ?? cooling.at(-1)!) * MINUTE;
  const last = limits.length - 1;
  if (index < last) return { percent: limits[index + 1]!, wait };
  return further === null ? undefined : { percent: limits[last]! + (index - last + 1) * further, wait };
}

/**
 * Returns the limit of an instrument at an instant, by what traded on its day before it; undefined where it has none. Each limit holds until something
 * trades at it, on either side, and then for its cooling-off period.
 */
export function dailyLimit(
  market: Pick<Market, 'bars' | 'previousClose'>,
  instrument: Instrument,
  at: number,
): DailyLimit | undefined {
  const steps = limitStepsOf(instrument, at);
  if (steps === undefined) return undefined;
  const previous = market.previousClose(instrument, at);
  let percent = steps.limits[0]!;
  let since = startOfDay(dayOf(at));
  for (let index = 0; ; index++) {
    const band = fixedBand(previous, percent, instrument.tickSize);
    const after = stepAfter(steps, index);
    if (after === undefined) return { ...band, percent };
    const reached = firstAt(market, instrument, band, since, at);
    const from = reached === undefined ? undefined : reached + after.wait;
    if (from === undefined || at < from) return { ...band, percent, next: { percent: after.percent, at: from } };
    percent = after.percent;
    since = from;
  }
}

/** The first second of a span in which something traded at either end of a band, or beyond; undefined for none. */
function firstAt(
  market: Pick<Market, 'bars'>,
  instrument: Instrument,
  { low, high }: Band,
  from: number,
  to: number,
): number | undefined {
  const isAt = (bar: Bar): boolean => bar.high >= high || bar.low <= low;
  const within = (interval: string, begin: number, end: number): Bar[] =>
    market.bars(instrument, interval, begin, Math.min(end, to), to).filter(isAt);
  for (const hour of within('1h', startOfDay(dayOf(from)), to)) {
    if (hour.at + HOUR <= from) continue;
    for (const minute of within('1m', Math.max(hour.at, Math.floor(from / MINUTE) * MINUTE), hour.at + HOUR)) {
      const [second] = within('1s', Math.max(minute.at, from), minute.at + MINUTE);
      if (second !== undefined) return second.at;
    }
  }
  return undefined;
}

/** Part of a market that tells prices of others. */
type PriceSource = Pick<Market, 'price' | 'close' | 'previousClose' | 'bars' | 'depth'>;

/**
 * A market whose futures on MCX trade within their daily price limits. While a limit holds, a price that would be beyond it stays at it, and nobody
 * offers there.
 * @param isBound false for what is recorded: it traded within the limits of its day
 */
export function withDailyLimits(market: Market, isBound: (instrument: Instrument) => boolean): Market {
  /** Closes before the day that was asked for last. */
  const before = new Map<number, { day: number; close: number }>();
  const limits = new Map<number, { at: number; limit: DailyLimit }>();

  const stepsOf = (instrument: Instrument, at: number): DailyLimitRow | undefined => {
    const steps = limitStepsOf(instrument, at);
    return steps !== undefined && isBound(instrument) ? steps : undefined;
  };

  function previousClose(instrument: Instrument, at: number): number {
    const usual = market.previousClose(instrument, at);
    if (stepsOf(instrument, at) === undefined) return usual;
    const day = dayOf(at);
    const dayClose = before.get(instrument.refId);
    if (dayClose?.day === day) return dayClose.close;
    const found = closeOn(instrument, endOfPreviousDay(market, instrument, at), usual);
    before.set(instrument.refId, { day, close: found });
    return found;
  }

  /** The close of a day at the limit that held at its end, where it would have been beyond it. */
  function closeOn(instrument: Instrument, end: number, usual: number): number {
    const steps = stepsOf(instrument, end);
    const plain = market.previousClose(instrument, end);
    if (steps === undefined || isInside(usual, fixedBand(plain, widestAtOnce(steps), instrument.tickSize)))
      return usual;
    const bounds = boundsFor(instrument, end, usual);
    return bounds === undefined ? usual : clamped(usual, bounds);
  }

  /** The limit of the second of an instant. */
  function limitAt(instrument: Instrument, at: number): DailyLimit {
    const second = Math.floor(at / SECOND) * SECOND;
    const cachedLimit = limits.get(instrument.refId);
    if (cachedLimit?.at === second) return cachedLimit.limit;
    const limit = dailyLimit({ bars: market.bars, previousClose }, instrument, second)!;
    limits.set(instrument.refId, { at: second, limit });
    return limit;
  }

  /** Prices between which others trade in the second of an instant, where one may be beyond them; undefined where it is not. */
  function boundsFor(instrument: Instrument, at: number, ...paise: number[]): Band | undefined {
    const steps = stepsOf(instrument, at);
    if (steps === undefined) return undefined;
    const free = fixedBand(previousClose(instrument, at), widestAtOnce(steps), instrument.tickSize);
    if (paise.every((price) => isInside(price, free))) return undefined;
    const { low, high } = limitAt(instrument, at);
    return { low: Math.min(low, free.low), high: Math.max(high, free.high) };
  }

  const price: PriceSource['price'] = (instrument, at, otherwise) => {
    const plain = market.price(instrument, at, otherwise);
    if (stepsOf(instrument, at) === undefined) return plain;
    const usual = otherwise === undefined ? plain : market.price(instrument, at);
    const limit = boundsFor(instrument, at, usual);
    return limit === undefined ? plain : (plain * clamped(usual, limit)) / usual;
  };

  const bars: PriceSource['bars'] = (instrument, interval, from, to, asOf = Infinity) => {
    const marketBars = market.bars(instrument, interval, from, to, asOf);
    return marketBars.some(({ at }) => stepsOf(instrument, at) !== undefined)
      ? marketBars.map((bar) => bounded(instrument, interval, bar, asOf))
      : marketBars;
  };

  function bounded(instrument: Instrument, interval: string, bar: Bar, asOf: number): Bar {
    if (interval === '1s' || interval === '1m') {
      const last = Math.min(bar.at + (interval === '1s' ? SECOND : MINUTE), asOf) - 1;
      const limit = boundsFor(instrument, last, bar.low, bar.high);
      if (limit === undefined) return bar;
      const first = boundsFor(instrument, bar.at, bar.open);
      const open = first === undefined ? bar.open : clamped(bar.open, first);
      const [high, low, close] = [bar.high, bar.low, bar.close].map((paise) => clamped(paise, limit)) as [
        number,
        number,
        number,
      ];
      return { ...bar, open, high: Math.max(open, high), low: Math.min(open, low), close };
    }
    const isLong = interval === '1w' || interval === '1mth';
    const steps = stepsOf(instrument, bar.at);
    if (steps === undefined) return bar;
    const free = fixedBand(previousClose(instrument, bar.at), widestAtOnce(steps), instrument.tickSize);
    if (isInside(bar.low, free) && isInside(bar.high, free)) return bar;
    const end = Math.min(asOf, endOf(market, instrument, interval, bar));
    const parts = bars(instrument, isLong ? '1d' : '1m', bar.at, end, asOf);
    const [first, ...rest] = parts;
    if (first === undefined) return bar;
    return {
      ...bar,
      open: first.open,
      high: Math.max(...parts.map(({ high }) => high)),
      low: Math.min(...parts.map(({ low }) => low)),
      close: (rest.at(-1) ?? first).close,
    };
  }

  return {
    ...market,
    price,
    previousClose,
    bars,
    close(instrument, at) {
      const usual = market.close(instrument, at);
      return closeOn(instrument, startOfDay(dayOf(at) + 1) - 1, usual);
    },
    depth(instrument, at, around, levels, otherwise) {
      const shown = market.depth(instrument, at, around, levels, otherwise);
      const all = [...shown.bids, ...shown.asks].map((level) => level.price);
      if (all.length === 0 || stepsOf(instrument, at) === undefined) return shown;
      const [first] = stepsOf(instrument, at)!.limits;
      const narrow = fixedBand(previousClose(instrument, at), first!, instrument.tickSize);
      if (all.every((paise) => isInside(paise, narrow))) return shown;
      const limit = limitAt(instrument, at);
      // A price that was moved out of its limit by hand has a book all the same.
      if (!isInside(around, limit)) return shown;
      return {
        bids: around === limit.low ? [] : shown.bids.filter((level) => level.price >= limit.low),
        asks: around === limit.high ? [] : shown.asks.filter((level) => level.price <= limit.high),
      };
    },
  };
}

const isInside = (price: number, { low, high }: Band): boolean => price >= low && price <= high;
const clamped = (price: number, { low, high }: Band): number => Math.min(Math.max(price, low), high);
