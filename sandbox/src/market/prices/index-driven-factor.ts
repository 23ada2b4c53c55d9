import type { TradingDays } from '../reference/calendar';
import type { DayPath } from './paths';
import { shapeOf } from './day-clock';
import { MarketFactor, type FactorDay } from './market-factor';
import { SECONDS_PER_MINUTE } from './random-walk';
import type { RecordedPriceProcess } from './recorded-process';

const { log, max, sqrt } = Math;

/** A minute of what follows reaches no further than so many of its deviations: by them paths know where to look for extremes. */
const REACH = 3;
/** Volatility of a day on which nothing moved. */
const MIN_VARIANCE = 1e-6;
/** Number of days whose way through the minutes is kept. */
const KEPT = 40;

/** An index that was recorded, and how strongly its members follow the factor on average. */
export interface LeadingIndex {
  process: RecordedPriceProcess;
  beta: number;
}

/** Factor that moves all shares together, by a recorded index on the days of the recording: so they go with it. */
export class IndexDrivenFactor extends MarketFactor {
  private found: LeadingIndex | undefined;
  private readonly led = new Map<number, FactorDay>();
  private readonly ways = new Map<number, Float64Array>();
  private readonly steps = new Float64Array(SECONDS_PER_MINUTE);

  constructor(
    seed: number,
    calendar: TradingDays,
    private readonly leaderOf: () => LeadingIndex,
  ) {
    super(seed, calendar);
  }

  private get leader(): LeadingIndex {
    return (this.found ??= this.leaderOf());
  }

  /** Returns the path of the leader on a day; undefined where that was not recorded. */
  private pathOf(index: number): DayPath | undefined {
    return this.leader.process.recorded(index) ? this.leader.process.path(index) : undefined;
  }

  override day(index: number): FactorDay {
    const factorDay = this.led.get(index);
    if (factorDay) return factorDay;
    const path = this.pathOf(index);
    if (!path) return super.day(index);
    const { process, beta } = this.leader;
    const { knots, clock } = path;
    const { price, index: last } = process.closeBefore(index);
    // What the factor has done by itself since the last recorded day is in the prices already.
    let overnight = log((knots[0] as number) / price) / beta;
    for (let between = last + 1; between < index; between++) overnight -= wholeOf(this.day(between));
    const { anchors } = shapeOf(this.calendar.grid(index));
    const stretches = anchors.map(
      (anchor, i) => log((knots[anchor] as number) / (knots[anchors[i - 1] ?? 0] as number)) / beta,
    );
    const before = this.day(index - 1);
    const { expected, lasting } = this.volatilityAfter(before, wholeOf(before));
    let variance = 0;
    let reach = 0;
    for (let k = 0; k < knots.length - 1; k++) {
      variance += log((knots[k + 1] as number) / (knots[k] as number)) ** 2;
      const { high, low } = path.minute(k);
      reach = max(reach, log(high / low) / (clock.deviation[k] as number));
    }
    const volatility = max(sqrt(variance), reach / REACH, MIN_VARIANCE) / beta;
    const day = { expected, lasting, surprise: 1, overnight, night: this.volatility, volatility, stretches };
    this.led.set(index, day);
    return day;
  }

  override walk(index: number): Float64Array {
    const path = this.pathOf(index);
    if (!path) return super.walk(index);
    let way = this.ways.get(index);
    if (!way) {
      if (this.ways.size >= KEPT) this.ways.delete(this.ways.keys().next().value as number);
      const { beta } = this.leader;
      const first = path.knots[0] as number;
      way = path.knots.map((price) => log(price / first) / beta);
      this.ways.set(index, way);
    }
    return way;
  }

  override average(index: number): { slope: number; deviation: number; market: number } | undefined {
    if (!this.pathOf(index)) return super.average(index);
    const { lastHalfHour } = this.clock(index);
    if (!lastHalfHour) return undefined;
    const { slope, deviation, from, before } = lastHalfHour;
    const way = this.walk(index);
    let market = 0;
    for (let j = 0; j < before.length; j++)
      market -= ((way[from + j + 1] as number) - (way[from + j] as number)) * (before[j] as number);
    return { slope, deviation, market };
  }

  override seconds(index: number, minute: number, night: boolean): Float64Array {
    const path = night ? undefined : this.pathOf(index);
    if (!path) return super.seconds(index, minute, night);
    const prices = path.seconds(minute);
    const { deviation } = this.clock(index);
    const unit =
      (this.leader.beta * this.day(index).volatility * (deviation[minute] as number)) / sqrt(SECONDS_PER_MINUTE);
    let before = path.knots[minute] as number;
    for (let s = 0; s < SECONDS_PER_MINUTE; s++) {
      const price = prices[s] as number;
      this.steps[s] = log(price / before) / unit;
      before = price;
    }
    return this.steps;
  }
}

const wholeOf = ({ overnight, stretches }: FactorDay): number => stretches.reduce((a, b) => a + b, overnight);
