import { tradesIn, type DayGrid, type HoursSegment } from '../reference/calendar';
import type { RecordedBar, RecordedDay } from '../recordings/recorded-day';
import { subKey } from '../../shared/random';
import type { DayClock } from './day-clock';
import { DayPath, type PathMinute } from './paths';
import { SECONDS_PER_MINUTE } from './random-walk';
import { MIN_STEPS, fillBar, type SharedMoves } from './recorded-walk';

const { ceil, floor, max, min } = Math;

/** Number of points drawn within each minute of a longer bar. The minute's bar is made of them. */
const POINTS = 9;
const NONE: ReadonlySet<number> = new Set();

/** Recorded prices of a day, minute by minute. */
class RecordedMinutes {
  private readonly columns: { open: Float64Array; high: Float64Array; low: Float64Array; close: Float64Array };
  /** Bars of less than a minute, by minute. Their seconds count from the day's beginning. */
  private readonly within = new Map<number, RecordedBar[]>();

  constructor(readonly count: number) {
    const column = (): Float64Array => new Float64Array(count).fill(NaN);
    this.columns = { open: column(), high: column(), low: column(), close: column() };
  }

  /** All of a minute; undefined where nothing was traded. */
  get(k: number): PathMinute | undefined {
    if (!this.has(k)) return undefined;
    const { open, high, low, close } = this.columns;
    return { open: open[k]!, high: high[k]!, low: low[k]!, close: close[k]! };
  }

  has(k: number): boolean {
    return !Number.isNaN(this.columns.close[k]);
  }

  parts(k: number): readonly RecordedBar[] | undefined {
    return this.within.get(k);
  }

  set(k: number, { open, high, low, close }: PathMinute): void {
    const { columns } = this;
    columns.open[k] = open;
    columns.high[k] = high;
    columns.low[k] = low;
    columns.close[k] = close;
  }

  /** Adds a bar of less than a minute. */
  add(k: number, bar: RecordedBar): void {
    const cachedMinute = this.get(k);
    this.set(k, {
      open: cachedMinute?.open ?? bar.open,
      high: max(cachedMinute?.high ?? bar.high, bar.high),
      low: min(cachedMinute?.low ?? bar.low, bar.low),
      close: bar.close,
    });
    const parts = this.within.get(k);
    if (parts) parts.push(bar);
    else this.within.set(k, [bar]);
  }
}

export interface RecordedPathParts {
  index: number;
  grid: DayGrid;
  clock: DayClock;
  day: RecordedDay;
  /** Price before the first trade, paise. */
  before: number;
  /** Key of the draws within bars. */
  key: number;
  /** Of when in a minute most happens, the same for all instruments. */
  clockKey: number;
  /** Its segment of trading hours. */
  segment: HoursSegment;
  /** Moves in the seconds of a minute that others share; undefined for what leads them. */
  common: ((minute: number) => SharedMoves) | undefined;
}

/** Prices of a day that was recorded: exact in each of its bars, filled in within them. */
export class RecordedPath extends DayPath {
  private constructor(
    parts: ConstructorParameters<typeof DayPath>[0],
    private readonly recorded: RecordedMinutes,
  ) {
    super(parts);
  }

  static of(given: RecordedPathParts): RecordedPath {
    const { index, grid, clock, day, before, key, clockKey, segment, common } = given;
    const minutes = minutesOf(given);
    const knots = new Float64Array(grid.minutes + 1);
    knots[0] = minutes.get(0)?.open ?? before;
    for (let k = 0; k < grid.minutes; k++) knots[k + 1] = minutes.get(k)?.close ?? (knots[k] as number);
    const print = segment === 'auction' ? grid.auctionPrint : null;
    if (print !== null && minutes.has(print)) knots[print] = day.close;
    const fill = (seconds: Float64Array, minute: number) => {
      const [found, parts] = [minutes.get(minute), minutes.parts(minute)];
      if (found === undefined) seconds.fill(knots[minute + 1] as number);
      else if (parts === undefined)
        fillBar(seconds, 0, SECONDS_PER_MINUTE, found, subKey(key, minute), {
          clock: subKey(clockKey, minute),
          common: common?.(minute),
        });
      else fillParts(seconds, parts, minute, knots[minute] as number, subKey(key, minute));
    };
    const path = { index, night: false, grid: tradedGrid(grid, minutes), clock, knots, spread: 0, jumps: NONE, fill };
    return new RecordedPath(path, minutes);
  }

  override minute(k: number): PathMinute {
    const price = this.knots[k + 1] as number;
    return this.recorded.get(k) ?? { open: price, high: price, low: price, close: price };
  }

  override span(from: number, to: number): PathMinute {
    const first = this.minute(from);
    let { high, low } = first;
    for (let k = from + 1; k < to; k++) {
      const minute = this.minute(k);
      high = max(high, minute.high);
      low = min(low, minute.low);
    }
    return { open: first.open, high, low, close: this.minute(to - 1).close };
  }

  override bar(minute: number, second: number): PathMinute {
    const at = minute * SECONDS_PER_MINUTE + second;
    const part = this.recorded.parts(minute)?.find(({ from, to }) => at >= from && at < to);
    if (part === undefined || part.to - part.from >= MIN_STEPS) return super.bar(minute, second);
    // Too few seconds for four prices: the first of them holds them all.
    if (at > part.from) return { open: part.close, high: part.close, low: part.close, close: part.close };
    return part;
  }
}

/** Returns the recorded minutes; undefined where nothing was traded. */
function minutesOf({ grid, clock, day, key, segment }: RecordedPathParts): RecordedMinutes {
  const minutes = new RecordedMinutes(grid.minutes);
  for (const bar of day.bars()) {
    const first = floor(bar.from / SECONDS_PER_MINUTE);
    if (bar.to - bar.from > SECONDS_PER_MINUTE)
      divide(minutes, bar, grid, clock, subKey(key, 1_000_000 + first), segment);
    else if (bar.from % SECONDS_PER_MINUTE === 0 && bar.to - bar.from === SECONDS_PER_MINUTE) minutes.set(first, bar);
    else minutes.add(first, bar);
  }
  return minutes;
}

/** Makes minutes of a bar that is longer. */
function divide(
  minutes: RecordedMinutes,
  bar: RecordedBar,
  grid: DayGrid,
  clock: DayClock,
  key: number,
  segment: HoursSegment,
): void {
  const traded: number[] = [];
  for (let k = floor(bar.from / SECONDS_PER_MINUTE); k < ceil(bar.to / SECONDS_PER_MINUTE); k++)
    if (tradesIn(grid, segment, k)) traded.push(k);
  const count = traded.length * POINTS;
  const variance = new Float64Array(count - 1);
  for (let i = 0; i < count - 1; i++) variance[i] = clock.variance[traded[floor((i + 1) / POINTS)] as number] as number;
  const prices = new Float64Array(count);
  fillBar(prices, 0, count, bar, key, { variance });
  traded.forEach((k, at) => {
    const own = prices.subarray(at * POINTS, (at + 1) * POINTS);
    let [high, low] = [own[0] as number, own[0] as number];
    for (const price of own) {
      high = max(high, price);
      low = min(low, price);
    }
    minutes.set(k, { open: own[0] as number, high, low, close: own[POINTS - 1] as number });
  });
}

/** Fills the seconds of a minute for which shorter bars were recorded. */
function fillParts(
  seconds: Float64Array,
  parts: readonly RecordedBar[],
  minute: number,
  before: number,
  key: number,
): void {
  let price = before;
  let done = 0;
  for (const part of parts) {
    const from = part.from - minute * SECONDS_PER_MINUTE;
    const to = min(part.to - minute * SECONDS_PER_MINUTE, SECONDS_PER_MINUTE);
    seconds.fill(price, done, from);
    if (to - from >= MIN_STEPS) fillBar(seconds, from, to - from, part, subKey(key, from));
    else seconds.fill(part.close, from, to);
    price = part.close;
    done = to;
  }
  seconds.fill(price, done);
}

/** The day's minutes: the instrument itself trades in the recorded ones. */
function tradedGrid(grid: DayGrid, minutes: RecordedMinutes): DayGrid {
  const own: [number, number][] = [];
  for (let k = 0; k < minutes.count; k++) {
    if (!minutes.has(k)) continue;
    const last = own.at(-1);
    if (last?.[1] === k) last[1] = k + 1;
    else own.push([k, k + 1]);
  }
  return { ...grid, continuous: { ...grid.continuous, cash: own, auction: own } };
}
