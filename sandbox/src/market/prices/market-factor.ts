import { clockOf, shapeOf, type DayClock } from './day-clock';
import type { TradingDays } from '../reference/calendar';
import { hashInteger, normalOf, subKey } from '../../shared/random';
import { drawSteps, SECONDS_PER_MINUTE, randomWalk, type DayReturn } from './random-walk';

const { exp, max, min, sqrt } = Math;

/** Daily volatility of the whole equity market, a fraction. */
const MARKET_VOLATILITY = 0.0078;
/** Share of a day's variance that falls between the end of trading before and the open. */
export const OVERNIGHT_VARIANCE = 0.35;

/**
 * Tomorrow's variance follows today's return and more so when it was a fall (Glosten, Jagannathan and Runkle 1993), in
 * units of the usual variance. Volatility clusters and falls raise it, as the daily NIFTY of 2010 to 2026 shows.
 */
const MEMORY = { ofReturn: 0.02, ofFall: 0.16, ofVariance: 0.88, max: 16, maxReturn: 40 };
/** Of a memory that lasts, what is left of a variance after a day; and how much of a day's own chance gets into it. */
const [KEPT, LEARNT] = [MEMORY.ofReturn + MEMORY.ofFall / 2 + MEMORY.ofVariance, MEMORY.ofReturn + MEMORY.ofFall / 2];
/**
 * The leverage effect of a single day: by how much the logarithm of the next day's volatility, and of no later one's, falls for a
 * return of one deviation, and of how many deviations at most.
 */
const LEVERAGE = { times: 0.06, max: 3 };
/** Deviation of a day's activity from the expected one: deviation of the logarithm of its variance. */
const SURPRISE = 0.4;
/** Days whose clock is kept, each of some 15 KB: those of four years, so that a request for a year of daily candles makes each once. */
const KEPT_CLOCKS = 1000;

/** A day of a factor. */
export interface FactorDay extends DayReturn {
  /** Volatility that could be expected at the close before, where the usual one is 1. */
  expected: number;
  /** Lasting part: without what the return of the day before does to this day alone. */
  lasting: number;
  /** Part of the day's volatility that was a surprise. */
  surprise: number;
}

/** Deviation 1 on average over a lognormal variance. */
export const surpriseOf = (key: number, deviation: number): number =>
  exp((deviation * normalOf(key) - (deviation * deviation) / 2) / 2);

/** Draws the return of a day for a source of chance with a volatility, from its key. */
export function drawDayReturn(
  key: number,
  volatility: number,
  clock: { shares: readonly number[]; length: number },
): DayReturn {
  const trading = volatility * sqrt((1 - OVERNIGHT_VARIANCE) * clock.length);
  return {
    overnight: volatility * sqrt(OVERNIGHT_VARIANCE) * normalOf(subKey(key, 1)),
    night: volatility * sqrt(OVERNIGHT_VARIANCE),
    volatility: trading,
    stretches: clock.shares.map((share, i) => trading * sqrt(share) * normalOf(subKey(key, 10 + i))),
  };
}

/** Factor that moves all stocks together (or only the volatility of commodities), with the times and the day's clock. */
export class MarketFactor {
  private readonly key: number;
  private readonly days: FactorDay[] = [];
  private readonly clocks = new Map<number, DayClock>();
  private readonly averages = new Map<number, { slope: number; deviation: number; market: number }>();
  private readonly walks = new Map<number, Float64Array>();
  private readonly within = new Float64Array(SECONDS_PER_MINUTE);
  private stepped = NaN;
  private lastNight: { index: number; steps: Float64Array } | undefined;

  constructor(
    seed: number,
    protected readonly calendar: TradingDays,
    /** Daily, a fraction. */
    readonly volatility = MARKET_VOLATILITY,
  ) {
    this.key = subKey(hashInteger(seed), 77);
  }

  /** The index-th trading day. Each follows from those before it. */
  day(index: number): FactorDay {
    for (let i = this.days.length; i <= index; i++) this.days.push(this.next(i));
    const factorDay = this.days[index];
    if (!factorDay) throw new RangeError('The market is simulated from 2010 on');
    return factorDay;
  }

  private next(index: number): FactorDay {
    const before = this.days[index - 1];
    const whole = before ? before.stretches.reduce((a, b) => a + b, before.overnight) : 0;
    const { expected, lasting } = before ? this.volatilityAfter(before, whole) : { expected: 1, lasting: 1 };
    const key = subKey(this.key, this.calendar.at(index));
    const surprise = surpriseOf(subKey(key, 4), SURPRISE);
    return {
      expected,
      lasting,
      surprise,
      ...drawDayReturn(key, this.volatility * expected * surprise, shapeOf(this.calendar.grid(index))),
    };
  }

  /** The volatility to expect of the next day after a day's return; the usual one is 1. */
  protected volatilityAfter(day: FactorDay, made: number): Pick<FactorDay, 'expected' | 'lasting'> {
    const lasting = this.varianceAfter(day, made, 0);
    return { expected: sqrt(lasting * this.leverage(day, made, 0)), lasting: sqrt(lasting) };
  }

  /** The lasting variance to expect of the next day after a return and with so much of this day's variance to come; the usual one is 1. */
  private varianceAfter(day: FactorDay, made: number, toCome: number): number {
    const { ofReturn, ofFall, ofVariance, max, maxReturn } = MEMORY;
    const so = made / this.volatility;
    const known = (ofReturn + (so < 0 ? ofFall : 0)) * min(so * so, maxReturn);
    const open = LEARNT * toCome * (day.expected * day.surprise) ** 2;
    return min(1 - KEPT + known + open + ofVariance * day.lasting ** 2, max);
  }

  /** Returns the next day's variance in parts of the lasting one, after a return and with the rest of this day's variance. */
  private leverage(day: FactorDay, made: number, toCome: number): number {
    const { times, max: limit } = LEVERAGE;
    const deviations = min(max(made / (this.volatility * day.expected), -limit), limit);
    return exp(-2 * times * (deviations + times * (1 - toCome)));
  }

  /**
   * Mean volatility that can be expected over the trading days after the index-th (one or more), as it looks in a minute
   * of that day, where the usual one is 1.
   */
  expectedAfter(index: number, minute: number, days: number): number {
    const day = this.day(index);
    const toCome = (1 - OVERNIGHT_VARIANCE) * (1 - (this.clock(index).passed[minute] as number));
    const made = day.overnight + (this.walk(index)[minute] as number);
    const next = this.varianceAfter(day, made, toCome);
    const ofNext = next * (this.leverage(day, made, toCome) - 1);
    const lastingOver = (count: number): number => (1 - KEPT ** count) / (1 - KEPT);
    const learnt = ofNext * (1 + LEARNT * lastingOver(days - 1));
    return sqrt(1 + ((next - 1) * lastingOver(days) + learnt) / days);
  }

  clock(index: number): DayClock {
    let clock = this.clocks.get(index);
    if (!clock) {
      if (this.clocks.size >= KEPT_CLOCKS) this.clocks.delete(this.clocks.keys().next().value as number);
      clock = clockOf(this.calendar.grid(index), subKey(subKey(this.key, this.calendar.at(index)), 5));
      this.clocks.set(index, clock);
    }
    return clock;
  }

  /**
   * Returns the distance of the mean of the last half hour from the last price of a day: what goes with the return before, the deviation of
   * the rest, and the whole of it for the market. Undefined on days without one.
   */
  average(index: number): { slope: number; deviation: number; market: number } | undefined {
    const cachedFit = this.averages.get(index);
    if (cachedFit) return cachedFit;
    const { lastHalfHour } = this.clock(index);
    if (!lastHalfHour) return undefined;
    const { slope, deviation } = lastHalfHour;
    const { volatility, stretches } = this.day(index);
    const own = normalOf(subKey(subKey(this.key, this.calendar.at(index)), 6));
    const fit = { slope, deviation, market: slope * (stretches[0] as number) + deviation * volatility * own };
    this.averages.set(index, fit);
    return fit;
  }

  /** Returns since the open at the minutes of a day. */
  walk(index: number): Float64Array {
    let steps = this.walks.get(index);
    if (!steps) {
      if (this.walks.size >= KEPT_CLOCKS) this.walks.delete(this.walks.keys().next().value as number);
      const clock = this.clock(index);
      steps = new Float64Array(clock.variance.length + 1);
      const key = subKey(subKey(this.key, this.calendar.at(index)), 3);
      randomWalk(steps, clock, key, this.day(index), this.average(index)?.market);
      this.walks.set(index, steps);
    }
    return steps;
  }

  /** Returns since the end of trading of the day before at the minutes of the night before a day. */
  nightWalk(index: number, clock: DayClock): Float64Array {
    if (this.lastNight?.index !== index) {
      const { overnight, night } = this.day(index);
      const steps = new Float64Array(clock.variance.length + 1);
      const key = subKey(subKey(this.key, this.calendar.at(index)), 8);
      randomWalk(steps, clock, key, { volatility: night, stretches: [overnight] });
      this.lastNight = { index, steps };
    }
    return this.lastNight.steps;
  }

  /** Its steps through the seconds of a minute of a day or of the night before it, with deviation 1; good until the next call. */
  seconds(index: number, minute: number, night: boolean): Float64Array {
    const name = (index * 2 + (night ? 1 : 0)) * 65536 + minute;
    if (this.stepped !== name) {
      drawSteps(this.within, subKey(subKey(subKey(this.key, this.calendar.at(index)), night ? 9 : 7), minute), 1);
      this.stepped = name;
    }
    return this.within;
  }
}
