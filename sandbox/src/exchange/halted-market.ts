import { endOf, joinedBar } from '../market/prices/candles';
import { closingWindow, previousDayEnds } from '../market/prices/closing-window';
import type { Bar, Market } from '../market/prices/types';
import { onTick } from '../market/reference/ticks';
import type { Instrument } from '../market/reference/types';
import { dayOf, formatDayNumber, MINUTE, SECOND, startOfDay } from '../shared/dates';
import type { HaltedSpan } from './halt';

/** Bars that consist of those of their days. */
const OF_DAYS = ['1w', '1mth'];
/** Days for which the end of the trading day before an instant's can be asked for, at most: longer no exchange is closed. */
const MAX_BREAK = 15;

/** Times in which nothing of an instrument traded, ascending, apart; that of a halt that goes on ends at Infinity. */
type Spans = (instrument: Instrument) => readonly HaltedSpan[];

/** The seconds [from, to) of a halt in which nothing trades: the second in which it begins still did, and that in which it ends does. */
const secondsOf = ({ from, to }: HaltedSpan): HaltedSpan => ({
  from: Math.floor(from / SECOND) * SECOND + SECOND,
  to: Math.floor(to / SECOND) * SECOND,
});

const meet = (span: HaltedSpan, from: number, to: number): boolean => span.from < to && span.to > from;

/**
 * A market without what others would have traded in halts: it is in no volume, and a close that would have been made of it is that of the
 * trades of its half hour that took place, or else the last price. Prices go on: the auction after a halt finds them.
 */
export function withoutHaltedTrades(market: Market, halts: Spans): Market {
  const endBefore = previousDayEnds(market);

  function close(instrument: Instrument, at: number): number {
    const usual = market.close(instrument, at);
    const spans = halts(instrument);
    if (spans.length === 0) return usual;
    const window = closingWindow(market, instrument, at);
    if (window === undefined) return usual;
    const { from, to } = window;
    const haltedSpan = spans.find((span) => span.from < to && span.to > from);
    if (haltedSpan === undefined) return usual;
    const traded = withHalts(market, halts).bars(instrument, '1m', from, to, to);
    if (traded.length === 0) return market.price(instrument, Math.min(haltedSpan.from, to));
    const weight = traded.some(({ volume }) => volume > 0) ? (bar: Bar) => bar.volume : () => 1;
    const sum = (of: (bar: Bar) => number): number => traded.reduce((all, bar) => all + of(bar), 0);
    const average = sum((bar) => (weight(bar) * (bar.high + bar.low + bar.close)) / 3) / sum(weight);
    return onTick(average, instrument.tickSize);
  }

  function previousClose(instrument: Instrument, at: number): number {
    const usual = market.previousClose(instrument, at);
    const begin = startOfDay(dayOf(at) - MAX_BREAK);
    if (!halts(instrument).some(({ to }) => to > begin)) return usual;
    const end = endBefore(instrument, at);
    const found = close(instrument, end);
    if (found === market.close(instrument, end)) return usual;
    return onTick(found * (market.rebased?.(instrument, at) ?? 1), instrument.tickSize);
  }

  return {
    ...market,
    close,
    previousClose,
    volume: (instrument, from, to) =>
      halts(instrument)
        // While it goes on, the running second stays unknown.
        .map((span) => (span.to === Infinity ? span : secondsOf(span)))
        .filter((span) => span.from < span.to && meet(span, from, to))
        .reduce(
          (all, span) => all - market.volume(instrument, Math.max(from, span.from), Math.min(to, span.to)),
          market.volume(instrument, from, to),
        ),
  };
}

/**
 * The published view of a market: in a halt nothing trades, so that prices, open interest and Greeks stay as they were at its beginning, and
 * candles have no part of it. What the market would have done meanwhile shows in the price with which trading begins again; it is not
 * known before, and nobody is told of it later.
 */
export function withHalts<Shown extends Market>(market: Shown, halts: Spans): Shown {
  const days = new Map<number, RunningDay>();
  /** The instant whose prices are shown. */
  const known = (instrument: Instrument, at: number): number =>
    halts(instrument).find(({ from, to }) => from <= at && at < to)?.from ?? at;

  /** The parts of a span in which an instrument traded. */
  function tradedIn(instrument: Instrument, begin: number, end: number): HaltedSpan[] {
    const parts: HaltedSpan[] = [];
    let from = begin;
    for (const span of halts(instrument).map(secondsOf)) {
      if (!(span.from < span.to) || !meet(span, from, end)) continue;
      if (from < span.from) parts.push({ from, to: span.from });
      from = span.to;
    }
    if (from < end) parts.push({ from, to: end });
    return parts;
  }

  function bars(instrument: Instrument, interval: string, from: number, to: number, asOf = Infinity): Bar[] {
    const spans = halts(instrument);
    const running = spans.at(-1)?.to === Infinity ? spans.at(-1)!.from + 1 : Infinity;
    const end = Math.min(asOf, running);
    const marketBars = market.bars(instrument, interval, from, to, end);
    return spans.length === 0 ? marketBars : marketBars.flatMap((bar) => cut(instrument, interval, bar, end));
  }

  /** A bar without the seconds of halts; none where nothing is left. */
  function cut(instrument: Instrument, interval: string, bar: Bar, asOf: number): Bar[] {
    const length = endOf(market, instrument, interval, bar);
    const end = Math.min(asOf, length);
    const parts = tradedIn(instrument, bar.at, end);
    if (parts.length === 1 && parts[0]!.from === bar.at && parts[0]!.to === end) return [bar];
    if (OF_DAYS.includes(interval)) return joined(bar, bars(instrument, '1d', bar.at, length, asOf));
    const pieces = parts.flatMap((part) => {
      if (part.from === bar.at) return market.bars(instrument, interval, bar.at, bar.at + 1, part.to).slice(0, 1);
      const isRunning = interval === '1d' && part.to === asOf && asOf < length;
      return isRunning ? resumed(instrument, part.from, part.to) : fine(instrument, part.from, part.to);
    });
    return joined(bar, pieces);
  }

  /** Bars of seconds and whole minutes that fill a span. */
  function fine(instrument: Instrument, from: number, to: number): Bar[] {
    const [first, last] = [Math.ceil(from / MINUTE) * MINUTE, Math.floor(to / MINUTE) * MINUTE];
    if (first >= last) return market.bars(instrument, '1s', from, to, to);
    return [
      ...market.bars(instrument, '1s', from, first, to),
      ...market.bars(instrument, '1m', first, last, to),
      ...market.bars(instrument, '1s', last, to, to),
    ];
  }

  /** Returns what has traded of a day since a halt: its whole minutes are added up once. */
  function resumed(instrument: Instrument, from: number, to: number): Bar[] {
    const last = days.get(instrument.refId);
    const minute = Math.floor(to / MINUTE) * MINUTE;
    const goesOn = last !== undefined && last.from === from && last.upTo <= minute;
    const whole = goesOn
      ? [...last.bars, ...fine(instrument, last.upTo, minute)]
      : fine(instrument, from, Math.max(from, minute));
    const keptBars = joined(whole[0], whole);
    days.set(instrument.refId, { from, upTo: Math.max(from, minute), bars: keptBars });
    return [...keptBars, ...fine(instrument, Math.max(from, minute), to)];
  }

  function closeRange(instrument: Instrument, from: number, to: number): { high: number; low: number } | null {
    const halted = new Set(
      halts(instrument).flatMap((span) => {
        if (!meet(span, from, to)) return [];
        const [first, last] = [dayOf(Math.max(from, span.from)), dayOf(Math.min(to, span.to) - 1)];
        return Array.from({ length: last - first + 1 }, (_, index) => first + index);
      }),
    );
    if (halted.size === 0) return market.closeRange(instrument, from, to);
    const ranges: { high: number; low: number }[] = [];
    let begin = from;
    const add = (end: number): void => {
      const range = begin < end ? market.closeRange(instrument, begin, end) : null;
      if (range !== null) ranges.push(range);
    };
    for (const day of [...halted].sort((a, b) => a - b)) {
      add(startOfDay(day));
      begin = startOfDay(day + 1);
      if (!market.calendar.isTradingDay(instrument.exchange, formatDayNumber(day))) continue;
      const close = market.close(instrument, startOfDay(day));
      ranges.push({ high: close, low: close });
    }
    add(to);
    if (ranges.length === 0) return null;
    return {
      high: Math.max(...ranges.map(({ high }) => high)),
      low: Math.min(...ranges.map(({ low }) => low)),
    };
  }

  return {
    ...market,
    bars,
    closeRange,
    price: (instrument, at, otherwise) => market.price(instrument, known(instrument, at), otherwise),
    openInterest: (instrument, at) => market.openInterest(instrument, known(instrument, at)),
    greeks: (option, at, otherwise) => market.greeks(option, known(option, at), otherwise),
  };
}

/** Trades of a running day since a halt, in its whole minutes; milliseconds. */
interface RunningDay {
  from: number;
  upTo: number;
  bars: Bar[];
}

/** Bars as one that begins where another did; none of none. */
function joined(whole: Bar | undefined, parts: readonly Bar[]): Bar[] {
  if (whole === undefined || parts.length === 0) return [];
  const [first, ...rest] = parts as [Bar, ...Bar[]];
  return [rest.reduce(joinedBar, { ...first, at: whole.at })];
}
