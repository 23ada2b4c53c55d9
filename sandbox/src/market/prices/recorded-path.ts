import { tradesIn, type DayGrid, type Segment } from '../reference/calendar';
import type { RecordedBar, RecordedDay } from '../recordings/types';
import { under } from '../../shared/random';
import type { DayClock } from './day-clock';
import { DayPath, type Minute } from './paths';
import { SECONDS } from './random-walk';
import { MIN_STEPS, fillBar, type InCommon } from './recorded-walk';

const { ceil, floor, max, min } = Math;

/** Points that are drawn within each minute of a longer bar, of which its own bar is made. */
const POINTS = 9;
const NONE: ReadonlySet<number> = new Set();

/** One minute: all of it, or the bars within it that were recorded. */
interface RecordedMinute extends Minute {
  /** Bars of less than a minute; left out where the minute is one. Their seconds count from the day's beginning. */
  parts?: readonly RecordedBar[];
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
  segment: Segment;
  /** Moves in the seconds of a minute that others share; undefined for what leads them. */
  common: ((minute: number) => InCommon) | undefined;
}

/** Prices of a day that was recorded: exact in each of its bars, filled in within them. */
export class RecordedPath extends DayPath {
  private constructor(
    parts: ConstructorParameters<typeof DayPath>[0],
    private readonly recorded: readonly (RecordedMinute | undefined)[],
  ) {
    super(parts);
  }

  static of(parts: RecordedPathParts): RecordedPath {
    const { index, grid, clock, day, before, key, clockKey, segment } = parts;
    const minutes = minutesOf(parts);
    const knots = new Float64Array(grid.minutes + 1);
    knots[0] = minutes[0]?.open ?? before;
    for (let k = 0; k < grid.minutes; k++) knots[k + 1] = minutes[k]?.close ?? (knots[k] as number);
    const print = segment === 'auction' ? grid.auctionPrint : null;
    if (print !== null && minutes[print] !== undefined) knots[print] = day.bars.at(-1)!.close;
    const fill = (seconds: Float64Array, minute: number) => {
      const found = minutes[minute];
      if (found === undefined) seconds.fill(knots[minute + 1] as number);
      else if (found.parts === undefined)
        fillBar(seconds, 0, SECONDS, found, under(key, minute), {
          clock: under(clockKey, minute),
          common: parts.common?.(minute),
        });
      else fillParts(seconds, found.parts, minute, knots[minute] as number, under(key, minute));
    };
    const path = { index, night: false, grid: tradedGrid(parts, minutes), clock, knots, spread: 0, jumps: NONE, fill };
    return new RecordedPath(path, minutes);
  }

  override minute(k: number): Minute {
    const price = this.knots[k + 1] as number;
    return this.recorded[k] ?? { open: price, high: price, low: price, close: price };
  }

  override span(from: number, to: number): Minute {
    const first = this.minute(from);
    let { high, low } = first;
    for (let k = from + 1; k < to; k++) {
      const minute = this.minute(k);
      high = max(high, minute.high);
      low = min(low, minute.low);
    }
    return { open: first.open, high, low, close: this.minute(to - 1).close };
  }

  override bar(minute: number, second: number): Minute {
    const at = minute * SECONDS + second;
    const part = this.recorded[minute]?.parts?.find(({ from, to }) => at >= from && at < to);
    if (part === undefined || part.to - part.from >= MIN_STEPS) return super.bar(minute, second);
    // Too few seconds for four prices: the first of them holds them all.
    if (at > part.from) return { open: part.close, high: part.close, low: part.close, close: part.close };
    return part;
  }
}

/** Returns the recorded minutes; undefined where nothing was traded. */
function minutesOf({ grid, clock, day, key, segment }: RecordedPathParts): (RecordedMinute | undefined)[] {
  const minutes = new Array<RecordedMinute | undefined>(grid.minutes).fill(undefined);
  for (const bar of day.bars) {
    const first = floor(bar.from / SECONDS);
    if (bar.to - bar.from > SECONDS) divide(minutes, bar, grid, clock, under(key, 1_000_000 + first), segment);
    else if (bar.from % SECONDS === 0 && bar.to - bar.from === SECONDS) minutes[first] = bar;
    else {
      const known = minutes[first];
      minutes[first] = {
        open: known?.open ?? bar.open,
        high: max(known?.high ?? bar.high, bar.high),
        low: min(known?.low ?? bar.low, bar.low),
        close: bar.close,
        parts: [...(known?.parts ?? []), bar],
      };
    }
  }
  return minutes;
}

/** Makes minutes of a bar that is longer. */
function divide(
  minutes: (RecordedMinute | undefined)[],
  bar: RecordedBar,
  grid: DayGrid,
  clock: DayClock,
  key: number,
  segment: Segment,
): void {
  const traded: number[] = [];
  for (let k = floor(bar.from / SECONDS); k < ceil(bar.to / SECONDS); k++)
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
    minutes[k] = { open: own[0] as number, high, low, close: own[POINTS - 1] as number };
  });
}

/** The seconds of a minute of which shorter bars were recorded. */
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
    const from = part.from - minute * SECONDS;
    const to = min(part.to - minute * SECONDS, SECONDS);
    seconds.fill(price, done, from);
    if (to - from >= MIN_STEPS) fillBar(seconds, from, to - from, part, under(key, from));
    else seconds.fill(part.close, from, to);
    price = part.close;
    done = to;
  }
  seconds.fill(price, done);
}

/** The day's minutes, of which the instrument itself trades in those that were recorded. */
function tradedGrid({ grid }: RecordedPathParts, minutes: readonly (RecordedMinute | undefined)[]): DayGrid {
  const own: [number, number][] = [];
  for (const [k, minute] of minutes.entries()) {
    if (minute === undefined) continue;
    const last = own.at(-1);
    if (last?.[1] === k) last[1] = k + 1;
    else own.push([k, k + 1]);
  }
  return { ...grid, continuous: { ...grid.continuous, cash: own, auction: own } };
}
