import { nightBefore, type DayGrid, type TradingDays } from '../reference/calendar';
import { subKey } from '../../shared/random';
import type { AssetPriceProcess } from './asset-process';
import { nightClock, type DayClock } from './day-clock';
import { SimulatedPriceProcess, LOG_RETURN_UNIT } from './simulated-process';
import type { MarketFactor } from './market-factor';
import { addScaled, nightPath, type NightJump } from './night-path';
import { DayPath } from './paths';
import type { PathCache } from './price-process';
import { addSteps, bridgeSteps } from './random-walk';

const { exp, log, round, sqrt } = Math;

const NONE: ReadonlySet<number> = new Set();

/** An index: at every second the weighted sum of its members' returns since the close before. */
export class IndexPriceProcess extends SimulatedPriceProcess {
  /** Their weights sum to 1. */
  readonly members: readonly { root: AssetPriceProcess; weight: number }[];
  readonly volatility: number;

  constructor(
    days: TradingDays,
    cache: PathCache,
    private readonly factor: MarketFactor,
    close: number,
    members: { root: AssetPriceProcess; weight: number }[],
    base?: number,
  ) {
    super(days, close, cache, base);
    const sum = members.reduce((total, member) => total + member.weight, 0);
    this.members = members.map(({ root, weight }) => ({ root, weight: weight / sum }));
    let shared = 0;
    let own = 0;
    for (const { root, weight } of this.members) {
      shared += weight * root.shares.shared;
      own += (weight * root.shares.own) ** 2;
    }
    this.volatility = sqrt(shared ** 2 + own);
  }

  get together(): number {
    return this.members.reduce((sum, { root, weight }) => sum + weight * root.shares.shared, 0) / this.volatility;
  }

  override volatilityFactor(index: number): number {
    return this.factor.day(index).expected * this.factor.day(index).surprise;
  }

  override expected(index: number, minute: number, days: number): number {
    return this.factor.expectedAfter(index, minute, days);
  }

  override clock(index: number): DayClock {
    return this.factor.clock(index);
  }

  override closingMinute(grid: DayGrid): number {
    return grid.auctionPrint ?? grid.lastMinute.cash;
  }

  protected override dayAfter(index: number): { units: number; left: number } {
    let sum = 0;
    for (const { root, weight } of this.members) sum += weight * exp(root.dailyReturn(index));
    return { units: round(log(sum) / LOG_RETURN_UNIT), left: 0 };
  }

  protected override makePath(index: number): DayPath {
    const grid = this.days.grid(index);
    const previous = this.close(index - 1);
    const knots = new Float64Array(grid.minutes + 1);
    const member = new Float64Array(grid.minutes + 1);
    let together = 0;
    let apart = 0;
    const own: { key: number; deviation: number }[] = [];
    for (const { root, weight } of this.members) {
      root.fill(member, index);
      const scale = (previous * weight) / root.close(index - 1);
      for (let k = 0; k <= grid.minutes; k++) knots[k] = (knots[k] as number) + scale * (member[k] as number);
      const parts = root.deviations(index);
      together += previous * weight * parts.shared;
      apart += (previous * weight * parts.own) ** 2;
      own.push({ key: root.secondsKey(index), deviation: previous * weight * parts.own });
    }
    knots[this.closingMinute(grid)] = this.close(index);
    const clock = this.clock(index);
    const { factor } = this;
    return new DayPath({
      index,
      night: false,
      grid,
      clock,
      knots,
      spread: sqrt(together * together + apart),
      jumps: NONE,
      // Steps add up as prices do: the sum of the members' ways is the way of the sums of their steps.
      fill(seconds, minute) {
        const width = clock.deviation[minute] as number;
        seconds.fill(0);
        for (const { key, deviation } of own) addSteps(seconds, subKey(key, minute), deviation * width);
        addScaled(seconds, factor.seconds(index, minute, false), together * width);
        bridgeSteps(seconds, knots[minute] as number, knots[minute + 1] as number, minute === 0);
      },
    });
  }

  protected override makeNight(index: number): DayPath {
    const grid = nightBefore(this.days, index);
    const clock = nightClock(grid.minutes);
    const previous = this.close(index - 1);
    const knots = new Float64Array(grid.minutes + 1);
    const member = new Float64Array(grid.minutes + 1);
    const own: { key: number; deviation: number }[] = [];
    const news: NightJump[] = [];
    let together = 0;
    for (const { root, weight } of this.members) {
      const reported = root.fillNight(member, index, clock);
      const scale = (previous * weight) / root.close(index - 1);
      for (let k = 0; k <= grid.minutes; k++) knots[k] = (knots[k] as number) + scale * (member[k] as number);
      const parts = root.nightDeviations(index);
      together += previous * weight * parts.shared;
      own.push({ key: root.nightKey(index), deviation: previous * weight * parts.own });
      if (reported) news.push({ ...reported, size: reported.size * scale });
    }
    return nightPath({ index, grid, knots, own, together, factor: this.factor, news });
  }
}
