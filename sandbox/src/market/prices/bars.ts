import type { TradingActivity } from './activity';
import { nightBefore, tradesIn, type DayGrid } from '../reference/calendar';
import { SECOND, dayOf, dateParts, weekdayOf } from '../../shared/dates';
import type { DayPath, PathMinute, PathStretch } from './paths';
import { SECONDS_PER_MINUTE } from './random-walk';
import { Derivative, timeAt, type Security, type SecurityView } from './securities';
import type { Bar } from './types';

const { ceil, floor, max, min } = Math;

/** Bars of every interval, all made of the same minutes and seconds. */

type Unit = { seconds: number } | { minutes: number } | { days: 'day' | 'week' | 'month' };

const INTERVALS: Record<string, Unit> = {
  '1s': { seconds: 1 },
  '10s': { seconds: 10 },
  '1m': { minutes: 1 },
  '2m': { minutes: 2 },
  '3m': { minutes: 3 },
  '5m': { minutes: 5 },
  '15m': { minutes: 15 },
  '30m': { minutes: 30 },
  '1h': { minutes: 60 },
  '1d': { days: 'day' },
  '1w': { days: 'week' },
  '1mth': { days: 'month' },
};

/** The intervals of the specification. */
export const intervals: readonly string[] = Object.keys(INTERVALS);

/** Open, high, low and close in paise. */
interface Shape {
  open: number;
  high: number;
  low: number;
  close: number;
}

const flat = (price: number): Shape => ({ open: price, high: price, low: price, close: price });

function extend(shape: Shape | undefined, next: Shape): Shape {
  if (!shape) return { ...next };
  shape.high = max(shape.high, next.high);
  shape.low = min(shape.low, next.low);
  shape.close = next.close;
  return shape;
}

/**
 * The root's price in a minute in which the instrument's price does not move: the closing auction prints one price, and a contract
 * that expires is worth its settlement once that is known. Undefined in all others.
 */
function still(path: DayPath, security: Security, minute: number): number | undefined {
  const { grid, knots } = path;
  if (security.segment === 'auction') return minute === grid.auctionPrint ? knots[minute] : undefined;
  if (path.night || security.expiry !== grid.day || !(security instanceof Derivative)) return undefined;
  return minute >= security.root.closingMinute(grid) ? security.settledAt(path) : undefined;
}

/** Price of a second, the root's price times `scale`. */
export function priceAt(view: SecurityView, security: Security, minute: number, second: number, scale = 1): number {
  const { path } = view;
  const root = still(path, security, minute) ?? path.second(minute, second);
  return view.price(root * scale, timeAt(minute, second));
}

/** Shape of an instrument's price where the root's made one at a time of the day, minutes. */
function priced(view: SecurityView, { open, high, low, close }: PathMinute, time: number): Shape {
  const [top, bottom] = view.falling ? [low, high] : [high, low];
  return {
    open: view.price(open, time),
    high: view.price(top, time),
    low: view.price(bottom, time),
    close: view.price(close, time),
  };
}

/** A shape and after it what an instrument's price did where the root's made a stretch. */
function extendBy(shape: Shape | undefined, view: SecurityView, stretch: PathStretch): Shape {
  const { minute } = stretch;
  if (!view.decays) return extend(shape, priced(view, stretch, minute));
  const [first, last] = [minute, timeAt(minute, 59)].map((time) => priced(view, stretch, time)) as [Shape, Shape];
  const { open } = first;
  const { close } = last;
  const found = extend(shape, { open, high: max(open, close), low: min(open, close), close });
  if (first.high === last.high && first.low === last.low) return extend(found, { ...first, close });
  if (max(first.high, last.high) <= found.high && min(first.low, last.low) >= found.low) return found;
  for (let second = 0; second < SECONDS_PER_MINUTE; second++)
    extend(found, { ...priced(view, view.path.bar(minute, second), timeAt(minute, second)), close });
  return found;
}

/** Returns the root's path in the traded minutes [from, to), cut where the instrument's price becomes another function of it. */
function stretchesOf(view: SecurityView, security: Security, from: number, to: number): PathStretch[] {
  const { path, stableMinutes } = view;
  const stretches: PathStretch[] = [];
  for (let minute = from; minute < to; minute++) {
    if (!tradesIn(path.grid, security.segment, minute)) continue;
    const price = still(path, security, minute);
    if (price !== undefined) {
      stretches.push({ minute, ...flat(price) });
      continue;
    }
    let end = minute + 1;
    while (
      end < to &&
      floor(end / stableMinutes) === floor(minute / stableMinutes) &&
      tradesIn(path.grid, security.segment, end) &&
      still(path, security, end) === undefined
    )
      end++;
    stretches.push({ minute, ...path.span(minute, end) });
    minute = end - 1;
  }
  return stretches;
}

/** The stretches of a whole day, which all contracts of an underlying share. */
function dayStretches(view: SecurityView, security: Security): PathStretch[] {
  const { stretches, grid } = view.path;
  const name = `${security.segment} ${view.stableMinutes} ${security.expiry === grid.day}`;
  let found = stretches.get(name);
  if (!found) {
    found = stretchesOf(view, security, 0, grid.minutes);
    stretches.set(name, found);
  }
  return found;
}

/** Shape of the seconds [from, to) of a day, one by one, after a shape; undefined when nothing is traded in either. */
function afterSeconds(
  before: Shape | undefined,
  view: SecurityView,
  security: Security,
  from: number,
  to: number,
): Shape | undefined {
  let shape = before;
  for (let second = from; second < to; second++) {
    const minute = floor(second / 60);
    if (!tradesIn(view.path.grid, security.segment, minute)) continue;
    const price = still(view.path, security, minute);
    const bar = price === undefined ? view.path.bar(minute, second % 60) : flat(price);
    shape = extend(shape, priced(view, bar, timeAt(minute, second % 60)));
  }
  return shape;
}

/** Whole minutes of prices that are another function of the root's in each second: each takes eight prices or more. */
const decayedMinutes = new WeakMap<SecurityView, (Shape | undefined)[]>();

/** Shape of a whole minute of a day; undefined when nothing is traded in it. Who hears of a moved price asks for all of a day in each second. */
function minuteShape(view: SecurityView, security: Security, minute: number): Readonly<Shape> | undefined {
  const begin = minute * SECONDS_PER_MINUTE;
  const make = () => shapeOf(view, security, begin, begin + SECONDS_PER_MINUTE);
  if (!view.decays) return make();
  const minutes = decayedMinutes.get(view) ?? [];
  decayedMinutes.set(view, minutes);
  return (minutes[minute] ??= make());
}

/** Shape of the seconds [from, to) of a day; undefined when nothing is traded in them. */
function shapeOf(view: SecurityView, security: Security, from: number, to: number): Shape | undefined {
  const { grid } = view.path;
  const firstMinute = ceil(from / 60);
  const lastMinute = floor(to / 60);
  let shape = afterSeconds(undefined, view, security, from, min(firstMinute * 60, to));
  if (firstMinute > lastMinute) return shape;
  const whole = firstMinute === 0 && lastMinute === grid.minutes;
  const stretches = whole ? dayStretches(view, security) : stretchesOf(view, security, firstMinute, lastMinute);
  for (const stretch of stretches) shape = extendBy(shape, view, stretch);
  return afterSeconds(shape, view, security, lastMinute * 60, to);
}

/** The days that go on, up to the second that was asked for last: who hears of prices asks in each second. */
const running = new WeakMap<SecurityView, { to: number; shape: Shape | undefined }>();

/** Shape of a day before a second, as `shapeOf` gives it: what has come since the last time is added to what was known then. */
function shapeBefore(view: SecurityView, security: Security, to: number): Shape | undefined {
  const cachedShape = running.get(view);
  const isSameMinute =
    cachedShape !== undefined && cachedShape.to <= to && floor(cachedShape.to / 60) === floor(to / 60);
  const shape = isSameMinute
    ? afterSeconds(cachedShape.shape && { ...cachedShape.shape }, view, security, cachedShape.to, to)
    : shapeOf(view, security, 0, to);
  running.set(view, { to, shape });
  return shape;
}

/** Seconds of a day that begin before an instant. */
const secondsBefore = (start: number, minutes: number, at: number): number =>
  min(max(ceil((at - start) / SECOND), 0), minutes * 60);

/** Bars that start in [from, to), without anything from `asOf` on. */
export function barsOf(
  security: Security,
  activity: TradingActivity,
  interval: string,
  from: number,
  to: number,
  asOf: number,
): Bar[] {
  const unit = INTERVALS[interval];
  if (!unit) throw new RangeError(`interval "${interval}" is none of ${intervals.join(', ')}`);
  const end = min(to, asOf);
  if (!(from < end)) return [];
  return 'days' in unit
    ? longBars(security, activity, unit.days, from, end, asOf)
    : shortBars(security, activity, 'seconds' in unit ? unit.seconds : unit.minutes * 60, from, end, asOf);
}

/**
 * Returns the bars below a day. Where trading goes on over night, bars go on from the session before: one of them can hold the end of both.
 */
function shortBars(
  security: Security,
  activity: TradingActivity,
  length: number,
  from: number,
  to: number,
  asOf: number,
): Bar[] {
  const bars: Bar[] = [];
  const add = (
    { start, minutes }: DayGrid,
    viewOf: () => SecurityView,
    anchor: number,
    volumeAt: (second: number) => number,
    openInterestAt: (second: number) => number,
  ) => {
    const known = secondsBefore(start, minutes, asOf);
    // May be negative: a bar that goes on from the session before begins before this one does.
    const stop = min(ceil((to - start) / SECOND), minutes * 60);
    const shift = floor((start - anchor) / SECOND) % length;
    const first = ceil((max(from - start, -shift * SECOND) / SECOND + shift) / length) * length - shift;
    if (first >= stop) return;
    // A security keeps the view of one day: to ask for that of a day without a bar would drop the one that is asked for again.
    const view = viewOf();
    for (let second = first; second < stop; second += length) {
      const begin = max(second, 0);
      const until = min(second + length, known);
      const isMinute = begin % SECONDS_PER_MINUTE === 0 && until - begin === SECONDS_PER_MINUTE;
      const shape = isMinute
        ? minuteShape(view, security, begin / SECONDS_PER_MINUTE)
        : shapeOf(view, security, begin, until);
      if (!shape) continue;
      const at = start + second * SECOND;
      const volume = volumeAt(until) - volumeAt(begin);
      const openInterest = openInterestAt(until);
      const last = bars.at(-1);
      if (last?.at === at) {
        extend(last, shape);
        last.volume += volume;
        last.openInterest = openInterest;
      } else bars.push({ at, ...shape, volume, openInterest });
    }
  };
  const { days } = security;
  const always = security.segment === 'always';
  const last = min(lastIndex(security, to) + (always ? 1 : 0), security.lastIndex);
  for (let index = days.notBefore(dayOf(from)); index <= last; index++) {
    if (always) {
      const night = nightBefore(days, index);
      const seconds = night.minutes * 60;
      add(
        night,
        () => security.view(index, true),
        days.grid(index - 1).start,
        (second) => activity.nightVolume(index, second, seconds),
        () => activity.openInterest(index, 0),
      );
    }
    add(
      days.grid(index),
      () => security.view(index),
      days.grid(index).start,
      (second) => activity.volume(index, second),
      (second) => activity.openInterest(index, second),
    );
  }
  return bars;
}

/** Index of the last trading day that begins before `to` and on which the security still trades. */
function lastIndex(security: Security, to: number): number {
  return min(security.days.notAfter(dayOf(to - 1)), security.lastIndex);
}

/** Tells which days belong into one bar. */
function groupOf(kind: 'day' | 'week' | 'month', day: number): number {
  if (kind === 'day') return day;
  if (kind === 'week') return day - weekdayOf(day);
  const { year, month } = dateParts(day);
  return year * 12 + month;
}

function longBars(
  security: Security,
  activity: TradingActivity,
  kind: 'day' | 'week' | 'month',
  from: number,
  to: number,
  asOf: number,
): Bar[] {
  const { days } = security;
  const bars: Bar[] = [];
  const known = lastIndex(security, asOf);
  let index = max(days.notBefore(dayOf(from)), 0);
  while (index > 0 && groupOf(kind, days.at(index)) === groupOf(kind, days.at(index - 1))) index--;
  while (index <= known) {
    const { start } = days.grid(index);
    const group = groupOf(kind, days.at(index));
    if (start >= to) break;
    let shape: Shape | undefined;
    let volume = 0;
    let openInterest = 0;
    for (; index <= known && groupOf(kind, days.at(index)) === group; index++) {
      const grid = days.grid(index);
      const seconds = secondsBefore(grid.start, grid.minutes, asOf);
      const view = security.view(index);
      const isOver = seconds === grid.minutes * 60;
      const day = isOver ? shapeOf(view, security, 0, seconds) : shapeBefore(view, security, seconds);
      if (!day) continue;
      shape = extend(shape, day);
      volume += activity.volume(index, seconds);
      openInterest = activity.openInterest(index, seconds);
    }
    if (shape && start >= from) bars.push({ at: start, ...shape, volume, openInterest });
  }
  return bars;
}
