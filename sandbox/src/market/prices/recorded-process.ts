import type { DayGrid, HoursSegment, TradingDays } from '../reference/calendar';
import type { RecordedDay } from '../recordings/recorded-day';
import type { Recording } from '../recordings/types';
import { subKey } from '../../shared/random';
import type { DayClock } from './day-clock';
import { OVERNIGHT_VARIANCE, type MarketFactor } from './market-factor';
import { DayPath } from './paths';
import { PriceProcess, type PathCache } from './price-process';
import { RecordedPath } from './recorded-path';
import type { SharedMoves } from './recorded-walk';

const { log, min, sqrt } = Math;

/** Part of a day's expected variance that goes into that of the next; the rest is what the day turned out to be. */
const KEPT = 0.85;
/** Part of a variance above or below the usual that remains after a day. */
const PERSISTENCE = 0.97;
/** Bars of a day from which its variance is the sum of their returns squared; of fewer it is found by their ranges. */
const ENOUGH = 20;
/** Variance of a walk over the square of the logarithm of its range (Parkinson 1980). */
const OF_RANGE = 1 / (4 * log(2));

/** Processes that a recording is put into. */
export interface RecordedParts {
  days: TradingDays;
  cache: PathCache;
  /** Process of its price on the days that were not recorded, moved to the recording's level. */
  madeUp: PriceProcess;
  recording: Recording;
  key: number;
  /** Of when in a minute most happens, the same for all that was recorded. */
  clockKey: number;
  segment: HoursSegment;
  /** The factor that moves it with others, and the correlation with that; undefined for the index that leads the others. */
  follows: { factor: MarketFactor; correlation: number } | undefined;
}

/**
 * A share or an index with recorded days. Before the first of them it follows the made-up price, at a level that ends at the
 * previous close of the recording, or else at its first open. After them, and on unrecorded days in between, the made-up returns
 * go on from the last close. The volatility that options expect is made of what the recording has shown until then.
 */
export class RecordedPriceProcess extends PriceProcess {
  private readonly first: number;
  private readonly last: number;
  private readonly expectedVariance = new Map<number, number>();

  constructor(private readonly parts: RecordedParts) {
    const { days, cache, recording } = parts;
    super(days, cache);
    const recorded = [...recording.days.keys()];
    this.first = days.indexOf(recorded[0]!);
    this.last = days.indexOf(recorded.at(-1)!);
  }

  /** The recording of the index-th trading day. */
  dayOf(index: number): RecordedDay | undefined {
    return index < this.first || index > this.last ? undefined : this.parts.recording.days.get(this.days.at(index));
  }

  override recorded(index: number): boolean {
    return this.dayOf(index) !== undefined;
  }

  /** The last recorded close before the index-th day, and its day's index. On the first day the recording's previous close, or its open. */
  closeBefore(index: number): { price: number; index: number } {
    for (let before = min(index - 1, this.last); before >= this.first; before--) {
      const day = this.dayOf(before);
      if (day) return { price: day.officialClose, index: before };
    }
    return { price: this.level, index: this.first - 1 };
  }

  /** The close before the first day. */
  private get level(): number {
    return this.parts.recording.previousClose ?? this.dayOf(this.first)!.open;
  }

  /**
   * Returns the recorded close. On other days the close goes as the made-up price does from the last recorded close, or to that before
   * the first.
   */
  override close(index: number): number {
    const day = this.dayOf(index);
    if (day) return day.officialClose;
    const { madeUp } = this.parts;
    if (index < this.first) return this.level * (madeUp.close(index) / madeUp.close(this.first - 1));
    const { price, index: last } = this.closeBefore(index);
    return price * (madeUp.close(index) / madeUp.close(last));
  }

  get volatility(): number {
    return this.parts.madeUp.volatility;
  }

  get together(): number {
    return this.parts.madeUp.together;
  }

  /** Returns the expectation for a recorded day at the close before: what it turns out to be is not known in advance. */
  override volatilityFactor(index: number): number {
    return index < this.first ? this.parts.madeUp.volatilityFactor(index) : sqrt(this.varianceBefore(index));
  }

  override expected(index: number, minute: number, days: number): number {
    if (index < this.first) return this.parts.madeUp.expected(index, minute, days);
    const next = this.varianceAfter(index, minute);
    const kept = 1 - PERSISTENCE ** days;
    return sqrt(1 + ((next - 1) * kept) / (days * (1 - PERSISTENCE)));
  }

  /** Variance to be expected of the index-th day at the close before; the usual one is 1. */
  private varianceBefore(index: number): number {
    if (index <= this.first) return this.parts.madeUp.volatilityFactor(this.first) ** 2;
    let found = this.expectedVariance.get(index);
    if (found === undefined) {
      found = this.varianceAfter(index - 1, this.days.grid(index - 1).minutes);
      this.expectedVariance.set(index, found);
    }
    return found;
  }

  /** The same of the day after the index-th, as it looks in a minute of that one. */
  private varianceAfter(index: number, minute: number): number {
    const before = this.varianceBefore(index);
    const left = 1 - (this.clock(index).passed[minute] as number);
    const shown = this.realised(index, minute) / this.volatility ** 2;
    const today = shown + left * (1 - OVERNIGHT_VARIANCE) * before;
    return 1 + PERSISTENCE * (KEPT * before + (1 - KEPT) * today - 1);
  }

  /** Variance that a day has shown before a minute, its night included. */
  private realised(index: number, minute: number): number {
    const { knots } = this.path(index);
    const night = log((knots[0] as number) / this.close(index - 1)) ** 2;
    const day = this.dayOf(index);
    if (day !== undefined && day.barCount < ENOUGH)
      return day
        .bars()
        .filter(({ to }) => to <= minute * 60)
        .reduce((sum, { high, low }) => sum + OF_RANGE * log(high / low) ** 2, night);
    let sum = night;
    for (let k = 0; k < min(minute, knots.length - 1); k++)
      sum += log((knots[k + 1] as number) / (knots[k] as number)) ** 2;
    return sum;
  }

  override clock(index: number): DayClock {
    return this.parts.madeUp.clock(index);
  }

  override closingMinute(grid: DayGrid): number {
    const { segment } = this.parts;
    return (segment === 'auction' ? grid.auctionPrint : null) ?? grid.lastMinute.cash;
  }

  protected override makePath(index: number): DayPath {
    const day = this.dayOf(index);
    if (day === undefined) return this.moved(index);
    const { key, clockKey, segment, follows } = this.parts;
    return RecordedPath.of({
      index,
      grid: this.days.grid(index),
      clock: this.clock(index),
      day,
      before: this.closeBefore(index).price,
      key: subKey(key, this.days.at(index)),
      clockKey: subKey(clockKey, this.days.at(index)),
      segment,
      common: follows && ((minute) => inCommon(follows, index, minute)),
    });
  }

  /** The made-up path of a day at the recording's level. */
  private moved(index: number, night = false): DayPath {
    const path = this.parts.madeUp.path(index, night);
    const scale = this.close(index - 1) / this.parts.madeUp.close(index - 1);
    return new DayPath({
      index,
      night,
      grid: path.grid,
      clock: path.clock,
      knots: path.knots.map((price) => price * scale),
      spread: path.spread * scale,
      jumps: path.jumps,
      fill(seconds, minute) {
        path.fill(seconds, minute);
        for (let s = 0; s < seconds.length; s++) seconds[s] = (seconds[s] as number) * scale;
      },
    });
  }

  protected override makeNight(index: number): DayPath {
    return this.moved(index, true);
  }
}

/**
 * The factor's steps through the seconds of a minute, their mean square 1: what two prices do within their bars
 * goes together as their closes do, else one would tell in advance what the other is about to do.
 */
function inCommon(
  { factor, correlation }: { factor: MarketFactor; correlation: number },
  index: number,
  minute: number,
): SharedMoves {
  const steps = Float64Array.from(factor.seconds(index, minute, false));
  const inner = steps.subarray(1);
  const deviation = sqrt(inner.reduce((sum, step) => sum + step ** 2, 0) / inner.length);
  if (deviation === 0) return { steps: steps.fill(0), correlation: 0 };
  return { steps: steps.map((step) => step / deviation), correlation };
}
