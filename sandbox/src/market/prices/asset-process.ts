import { nightBefore, type DayGrid, type TradingDays } from '../reference/calendar';
import { normalOf, uniformOf, subKey } from '../../shared/random';
import { nightClock, shapeOf, type DayClock } from './day-clock';
import { SimulatedPriceProcess, LOG_RETURN_UNIT } from './simulated-process';
import { drawDayReturn, OVERNIGHT_VARIANCE, surpriseOf, type MarketFactor } from './market-factor';
import { addScaled, nightPath, type NightJump } from './night-path';
import { DayPath } from './paths';
import type { PathCache } from './price-process';
import {
  bridgeSteps,
  drawSteps,
  fastExp,
  MAX_DEVIATIONS,
  SECONDS_PER_MINUTE,
  randomWalk,
  type DayReturn,
} from './random-walk';

const { exp, floor, max, min, round, sqrt } = Math;

/** Expected earnings of a share in a year of trading days, a fraction. */
const EARNED = 0.1 / 250;

/** Changes of a single price's volatility: the power of the market's that it takes, and the days that its separate phases last. */
const OWN = { ofMarket: 0.6, days: 21, times: 0.5, surprise: 0.8 };
/** News that come when nobody trades (results, orders, courts): once in this many days, so many times the usual deviation. */
const NEWS = { every: 60, size: 2.5 };

const NONE: ReadonlySet<number> = new Set();

export interface ProcessTerms {
  key: number;
  close: number;
  /** Index of the day of that close: of the tables' base date when left out. */
  base?: number | undefined;
  /** Daily volatility, a fraction. */
  volatility: number;
  /** Strength with which it follows the market factor. */
  beta: number;
  /** Largest daily return either way, a fraction. */
  limit: number;
  /** True if its close is found by the closing auction, on days that have one; else it is the mean of the last half hour. */
  auction: boolean;
}

/** Return of one price on a day by its chance. */
interface OwnReturn extends DayReturn {
  index: number;
  /** Part of the overnight return that comes at once. */
  news: number;
}

/** A stock or a commodity: its own chance and, for stocks, the market's. */
export class AssetPriceProcess extends SimulatedPriceProcess {
  private readonly own: number;
  /** The day that was asked for last: several parts of it are asked for in turn. */
  private drawn: OwnReturn | undefined;

  constructor(
    days: TradingDays,
    cache: PathCache,
    private readonly nature: ProcessTerms,
    private readonly factor: MarketFactor,
  ) {
    super(days, nature.close, cache, nature.base);
    const shared = nature.beta * factor.volatility;
    this.own = sqrt(max(nature.volatility ** 2 - shared ** 2, (nature.volatility / 3) ** 2));
  }

  get volatility(): number {
    return this.nature.volatility;
  }

  /** Parts of the volatility: what follows the market, and its own. */
  get shares(): { shared: number; own: number } {
    return { shared: this.nature.beta * this.factor.volatility, own: this.own };
  }

  get together(): number {
    const { shared, own } = this.shares;
    return shared / sqrt(shared ** 2 + own ** 2);
  }

  override volatilityFactor(index: number): number {
    const { expected, surprise } = this.factor.day(index);
    return this.mixed(expected * surprise, this.times(index) * this.surprise(index));
  }

  override expected(index: number, minute: number, days: number): number {
    const own = 1 + (this.times(index) - 1) * min(OWN.days / 2 / days, 1);
    return this.mixed(this.factor.expectedAfter(index, minute, days), own);
  }

  override clock(index: number): DayClock {
    return this.factor.clock(index);
  }

  private mixed(market: number, own: number): number {
    const { shared, own: alone } = this.shares;
    return sqrt(((shared * market) ** 2 + (alone * own) ** 2) / (shared ** 2 + alone ** 2));
  }

  /** Returns the part of the times in its volatility. */
  private times(index: number): number {
    const { key } = this.nature;
    const own = normalOf(subKey(subKey(key, 21), floor((index + (key % OWN.days)) / OWN.days)));
    return this.factor.day(index).expected ** OWN.ofMarket * exp(OWN.times * own - OWN.times ** 2);
  }

  private surprise(index: number): number {
    return surpriseOf(subKey(subKey(this.nature.key, 22), index), OWN.surprise);
  }

  override closingMinute(grid: DayGrid): number {
    const print = grid.auctionPrint;
    if (this.nature.auction && print !== null) return print;
    return this.days.family === 'equity' ? grid.lastMinute.cash : grid.lastMinute.commodity;
  }

  /** Returns its return by its chance on a day. */
  private ownReturn(index: number): OwnReturn {
    if (this.drawn?.index !== index) this.drawn = this.drawReturn(index);
    return this.drawn;
  }

  private drawReturn(index: number): OwnReturn {
    const grid = this.days.grid(index);
    const key = subKey(this.nature.key, grid.day);
    const quiet = sqrt(1 / (1 + (OVERNIGHT_VARIANCE * NEWS.size ** 2) / NEWS.every));
    const usual = this.own * quiet * this.times(index) * this.surprise(index);
    const { overnight, night, volatility: trading, stretches } = drawDayReturn(key, usual, shapeOf(grid));
    const news =
      uniformOf(subKey(key, 5)) * NEWS.every < 1
        ? NEWS.size * this.own * quiet * sqrt(OVERNIGHT_VARIANCE) * normalOf(subKey(key, 6))
        : 0;
    const earned = this.days.family === 'equity' ? EARNED : 0;
    const { volatility } = this.nature;
    const change = overnight + news + earned - (volatility * volatility) / 2;
    return { index, news, overnight: change, night, volatility: trading, stretches };
  }

  override get averages(): boolean {
    return !this.nature.auction && this.days.family === 'equity';
  }

  /** The mean of the last half hour less the last price, for the part that does not follow the market. */
  private ownAverage(index: number, own: DayReturn): number {
    const average = this.factor.average(index);
    if (!average) return 0;
    const chance = normalOf(subKey(subKey(this.nature.key, this.days.at(index)), 7));
    return average.slope * (own.stretches[0] as number) + average.deviation * own.volatility * chance;
  }

  protected override dayAfter(index: number, left: number, cut: boolean): { units: number; left: number } {
    const { beta, limit } = this.nature;
    const grid = this.days.grid(index);
    const shared = this.factor.day(index);
    const own = this.ownReturn(index);
    const { anchors } = shapeOf(grid);
    const closing = this.closingMinute(grid);
    let last = left + beta * shared.overnight + own.overnight;
    let tail = 0;
    for (let i = 0; i < anchors.length; i++) {
      const stretch = beta * (shared.stretches[i] as number) + (own.stretches[i] as number);
      if ((anchors[i] as number) <= closing) last += stretch;
      else tail += stretch;
    }
    const average = this.averages ? beta * (this.factor.average(index)?.market ?? 0) + this.ownAverage(index, own) : 0;
    const units = round(min(max(last + average, -limit), limit) / LOG_RETURN_UNIT);
    const end = (cut ? min(max(last, -limit), limit) : last) + tail;
    return { units, left: end - units * LOG_RETURN_UNIT };
  }

  /** Logarithm of the day's official close over the one before. */
  dailyReturn(index: number): number {
    return this.unitsOf(index) * LOG_RETURN_UNIT;
  }

  /** Fills `knots` with the prices of a day at its minutes. */
  fill(knots: Float64Array, index: number): void {
    this.fillFree(knots, index);
    this.confine(knots, index);
    if (this.nature.auction) knots[this.closingMinute(this.days.grid(index))] = this.close(index);
  }

  /** Fills `knots` with prices without a limit. Beyond it nothing trades, so nobody sees those prices before the next day. */
  private fillFree(knots: Float64Array, index: number): void {
    const grid = this.days.grid(index);
    const { key, beta } = this.nature;
    const clock = this.factor.clock(index);
    const own = this.ownReturn(index);
    const average = this.averages && clock.lastHalfHour ? this.ownAverage(index, own) : undefined;
    randomWalk(knots, clock, subKey(subKey(key, grid.day), 3), own, average);
    const shared = this.factor.day(index);
    const common = beta === 0 ? undefined : this.factor.walk(index);
    const begin = this.leftBy(index - 1) + own.overnight + beta * shared.overnight;
    const previous = this.close(index - 1);
    for (let k = 0; k < knots.length; k++) {
      const price = begin + (knots[k] as number) + (common ? beta * (common[k] as number) : 0);
      knots[k] = previous * fastExp(price);
    }
  }

  /** Keeps prices of a day within its limits. */
  private confine(prices: Float64Array, index: number): void {
    const { low, high } = this.limitsOf(index);
    for (let k = 0; k < prices.length; k++) prices[k] = min(max(prices[k] as number, low), high);
  }

  private limitsOf(index: number): { low: number; high: number } {
    const previous = this.close(index - 1);
    const { limit } = this.nature;
    return { low: previous * fastExp(-limit), high: previous * fastExp(limit) };
  }

  /** Deviations of the parts of a minute's return where that of the day's clock is 1. */
  deviations(index: number): { shared: number; own: number } {
    return { shared: this.nature.beta * this.factor.day(index).volatility, own: this.ownReturn(index).volatility };
  }

  protected override makePath(index: number): DayPath {
    const grid = this.days.grid(index);
    const clock = this.factor.clock(index);
    const free = new Float64Array(grid.minutes + 1);
    this.fillFree(free, index);
    const knots = free.slice();
    this.confine(knots, index);
    const { shared, own } = this.deviations(index);
    const { factor } = this;
    const key = this.secondsKey(index);
    const previous = this.close(index - 1);
    const apart = sqrt(shared * shared + own * own);
    const { low, high } = this.limitsOf(index);
    const print = this.nature.auction ? this.closingMinute(grid) : -1;
    if (print >= 0) {
      // Where the last price is held by the limit the way there goes on beyond it.
      const isInside = free[print] === knots[print];
      knots[print] = this.close(index);
      if (isInside) free[print] = knots[print] as number;
    }
    return new DayPath({
      index,
      night: false,
      grid,
      clock,
      knots,
      spread: previous * apart,
      jumps: NONE,
      fill(seconds, minute) {
        const deviation = previous * (clock.deviation[minute] as number);
        drawSteps(seconds, subKey(key, minute), deviation * own);
        if (shared !== 0) addScaled(seconds, factor.seconds(index, minute, false), deviation * shared);
        const before = free[minute] as number;
        const after = free[minute + 1] as number;
        bridgeSteps(seconds, before, after, minute === 0);
        const room = MAX_DEVIATIONS * deviation * apart;
        if (max(before, after) + room < high && min(before, after) - room > low) return;
        for (let s = 0; s < SECONDS_PER_MINUTE; s++) seconds[s] = min(max(seconds[s] as number, low), high);
      },
    });
  }

  /** Fills `knots` with the prices at the minutes of the night before a day, and tells the news of that night. */
  fillNight(knots: Float64Array, index: number, clock: DayClock): NightJump | undefined {
    const { key: root, beta, limit } = this.nature;
    const own = this.ownReturn(index);
    const key = subKey(subKey(root, this.days.at(index)), 9);
    randomWalk(knots, clock, key, { volatility: own.night, stretches: [own.overnight - own.news] });
    const common = beta === 0 ? undefined : this.factor.nightWalk(index, clock);
    const minute = key % clock.variance.length;
    const previous = this.close(index - 1);
    const begin = this.leftBy(index - 1);
    for (let k = 0; k < knots.length; k++) {
      const price = begin + (knots[k] as number) + (common ? beta * (common[k] as number) : 0);
      knots[k] = previous * fastExp(min(max(price + (k > minute ? own.news : 0), -limit), limit));
    }
    const size = previous * own.news;
    return own.news === 0 ? undefined : { minute, second: subKey(key, 1) % SECONDS_PER_MINUTE, size };
  }

  /** Deviations of the parts of a night's return. */
  nightDeviations(index: number): { shared: number; own: number } {
    return { shared: this.nature.beta * this.factor.day(index).night, own: this.ownReturn(index).night };
  }

  protected override makeNight(index: number): DayPath {
    const grid = nightBefore(this.days, index);
    const clock = nightClock(grid.minutes);
    const knots = new Float64Array(grid.minutes + 1);
    const news = this.fillNight(knots, index, clock);
    const { shared, own } = this.nightDeviations(index);
    const previous = this.close(index - 1);
    const source = { key: this.nightKey(index), deviation: previous * own };
    return nightPath({
      index,
      grid,
      knots,
      own: [source],
      together: previous * shared,
      factor: this.factor,
      news: news ? [news] : [],
    });
  }

  /** Returns the key of its steps through the seconds of a night. */
  nightKey(index: number): number {
    return subKey(subKey(this.nature.key, this.days.at(index)), 10);
  }

  /** Returns the key of its steps through the seconds of a day. */
  secondsKey(index: number): number {
    return subKey(subKey(this.nature.key, this.days.at(index)), 8);
  }
}
