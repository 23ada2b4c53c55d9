import { blackGreeks, blackPrice, type OptionTerms } from './black76';
import type { HoursSegment } from '../reference/calendar';
import { MINUTE } from '../../shared/dates';
import { smoothNoise } from '../../shared/random';
import type { RecordedStraddle } from '../recordings/types';
import { OVERNIGHT_VARIANCE } from './market-factor';
import { volatilityOf } from './measured-volatility';
import type { DayClock } from './day-clock';
import type { DayPath } from './paths';
import type { PriceProcess } from './price-process';
import { Derivative, timeAt, type CashSecurity, type SecurityView } from './securities';
import type { Greeks } from './types';

/** Price of an option, from its root's price and volatility. Prices are paise. */

const { abs, floor, log, max, min, round, sqrt } = Math;

const YEAR = 365 * 1440 * MINUTE;
const INTEREST = 0.065;
/** The expected volatility of later days is worked out at the beginning of each minute; time itself passes second by second. */
const STABLE_MINUTES = 1;
/** Factor of options' volatility over the expected one. */
const PREMIUM = 1.03;
/** Part of a recorded level of volatility that remains after a day without another. */
const LEVEL_PERSISTENCE = 0.97;
/** Prices that show more times what is reckoned, or as many times less, are old or wrong. */
const MAX_LEVEL = 5;
/** Deviation of its walk about that. */
const WANDER = 0.02;

/** Volatility of an option over that at the money: fitted to the option chains of 2026-08-21. */
function smile(moneyness: number): number {
  const bend = sqrt((moneyness - 0.8) ** 2 + 2.56) - sqrt(0.64 + 2.56);
  return min(max(1 + 0.31 * bend, 0.7), 6);
}

/** Part of a day's variance that has passed at a time of it, minutes; none passes after its end. */
function passedAt({ passed }: DayClock, time: number, end: number): number {
  const at = min(time, end);
  const minute = floor(at);
  const before = passed[minute] as number;
  return minute === at ? before : before + (at - minute) * ((passed[minute + 1] as number) - before);
}

/** Terms of an option in a second. */
interface Stretch {
  years: number;
  /** Volatility at the money, a fraction. */
  atMoney: number;
  /** The forward over the root's price. */
  scale: number;
}

/** An option on a share, an index or a future. */
export class OptionSecurity extends Derivative {
  constructor(
    root: PriceProcess,
    segment: HoursSegment,
    key: number,
    private readonly terms: {
      expiry: number;
      /** Expiry of the future that it is on; that of the option itself on stocks and indices. */
      future: number;
      ratio: number;
      carryKey: number;
      cash: CashSecurity | null;
      /** Paise. */
      strike: number;
      put: boolean;
      tick: number;
      /** Recorded closes of options of its underlying, ascending by day. */
      straddles: readonly RecordedStraddle[];
    },
  ) {
    super(root, segment, key, terms.expiry, terms.ratio, terms.carryKey, terms.cash);
  }

  override tick(_index: number): number {
    return this.terms.tick;
  }

  private levels: { index: number; level: number } | undefined;
  private foreseen: { path: DayPath; minute: number; days: number; volatility: number } | undefined;

  /** Returns the expected volatility of so many days after that of a path, as it can be reckoned in a minute of it. */
  private expected(path: DayPath, minute: number, days: number): number {
    const cachedPath = this.foreseen;
    if (cachedPath?.path === path && cachedPath.minute === minute && cachedPath.days === days)
      return cachedPath.volatility;
    const { index } = path;
    const volatility = path.night
      ? this.root.expected(index - 1, this.days.grid(index - 1).minutes, days)
      : this.root.expected(index, minute, days);
    this.foreseen = { path, minute, days, volatility };
    return volatility;
  }

  /**
   * Variance that is expected from a time of a day (minutes) until its settlement, as it can be reckoned then: of what is left of
   * the day at the day's volatilityFactor, of the days after it by what has happened so far. Time passes while there is trading,
   * and in one go over night.
   */
  private variance(path: DayPath, time: number, expiry: number): number {
    const { root } = this;
    const { index, grid, clock } = path;
    const minute = floor(time);
    const days = this.days.notAfter(expiry) - index;
    const requested = PREMIUM * (1 + WANDER * smoothNoise(this.carryKey, grid.day / 5)) * root.volatility;
    if (path.night) {
      const left = days + 1 - OVERNIGHT_VARIANCE * passedAt(clock, time, grid.minutes);
      return left * (this.expected(path, 0, days + 1) * requested) ** 2;
    }
    const end = days === 0 ? root.closingMinute(grid) : grid.minutes;
    const passed = (clock.passed[end] as number) - passedAt(clock, time, end);
    const today = (1 - OVERNIGHT_VARIANCE) * passed * root.volatilityFactor(index) ** 2;
    const later = days === 0 ? 0 : days * this.expected(path, minute, days) ** 2;
    return max((today + later) * requested * requested, 1e-12);
  }

  /** Years from a time of a day (minutes) until what expires on another day is settled. */
  private yearsTo(expiry: number, { grid }: DayPath, time: number): number {
    const last = this.days.grid(this.days.notAfter(expiry));
    const left = last.start + this.root.closingMinute(last) * MINUTE - (grid.start + time * MINUTE);
    return max(left, 1) / YEAR;
  }

  /**
   * Returns the options' volatility in parts of the computed one, on the last recorded evening before the index-th day; 1 where none were.
   * It fades with the days after that evening. What a day's own evening shows is not known on that day.
   */
  private level(index: number): number {
    if (this.terms.straddles.length === 0) return 1;
    if (this.levels?.index !== index) this.levels = { index, level: this.levelBefore(index) };
    return this.levels.level;
  }

  private levelBefore(index: number): number {
    const { straddles, expiry } = this.terms;
    const evening = straddles.findLast(({ day }) => day < this.days.at(index))?.day;
    const before = evening === undefined ? -1 : this.days.indexOf(evening);
    if (before < 0) return 1;
    const distance = (straddle: RecordedStraddle): number => abs(straddle.expiry - expiry);
    const [nearest] = straddles
      .filter((straddle) => straddle.day === evening && this.days.notAfter(straddle.expiry) > before)
      .sort((a, b) => distance(a) - distance(b));
    if (nearest === undefined) return 1;
    const path = this.root.path(before);
    const { minutes } = path.grid;
    const years = this.yearsTo(nearest.expiry, path, minutes);
    const shown = volatilityOf(nearest, years, INTEREST);
    if (shown === undefined) return 1;
    const reckoned = sqrt(this.variance(path, minutes, nearest.expiry) / years);
    const level = min(max(shown / reckoned, 1 / MAX_LEVEL), MAX_LEVEL);
    return level ** (LEVEL_PERSISTENCE ** (index - before - 1));
  }

  /** Returns the terms in a second of a day, at which so many minutes of it have passed. */
  private stretchAt(path: DayPath, time: number): Stretch {
    const { expiry, future } = this.terms;
    const { grid } = path;
    const years = this.yearsTo(expiry, path, time);
    const atMoney = this.level(path.index) * sqrt(this.variance(path, time, expiry) / years);
    return { years, atMoney, scale: this.forward(grid.day, future) };
  }

  /** The terms at a price of the root, with so many times the volatility: the smile goes with the forward, and its level with that. */
  private termsOf({ years, atMoney, scale }: Stretch, root: number, times: number): OptionTerms {
    const { strike, put } = this.terms;
    const moneyness = log(strike / (root * scale)) / (atMoney * sqrt(years));
    return { strike, put, years, volatility: times * atMoney * smile(moneyness), rate: INTEREST };
  }

  protected override makeView(path: DayPath): SecurityView {
    return this.viewOf(path, 1);
  }

  /** A view with its volatility multiplied. */
  viewWhere(index: number, night: boolean, times: number): SecurityView {
    return this.viewOf(this.root.path(index, night), times);
  }

  private viewOf(path: DayPath, times: number): SecurityView {
    const { tick } = this.terms;
    let held = { time: 0, ...this.stretchAt(path, 0) };
    const exact = (root: number, time: number): number => {
      if (time !== held.time) held = { time, ...this.stretchAt(path, time) };
      return blackPrice(root * held.scale, this.termsOf(held, root, times));
    };
    return {
      path,
      falling: this.terms.put,
      stableMinutes: STABLE_MINUTES,
      decays: true,
      exact,
      price: (root, time) => max(round(exact(root, time) / tick) * tick, tick),
    };
  }

  /** Returns the amount that the next second takes off its price (paise) at the root's price and a time of the day; 0 in the last. */
  stepOf(path: DayPath, root: number, time: number): number {
    const next = time + timeAt(0, 1);
    if (next >= path.grid.minutes) return 0;
    const price = (at: number): number => {
      const stretch = this.stretchAt(path, at);
      return blackPrice(root * stretch.scale, this.termsOf(stretch, root, 1));
    };
    return abs(price(time) - price(next));
  }

  /** Greeks at a price of the root and a time of the day (minutes), with so many times its volatility; see Greeks for the units. */
  greeks(path: DayPath, root: number, time: number, times: number): Greeks {
    const stretch = this.stretchAt(path, time);
    const terms = this.termsOf(stretch, root, times);
    const { delta, gamma, vega, theta } = blackGreeks(root * stretch.scale, terms);
    return { iv: terms.volatility, delta, gamma: gamma * 100, theta: theta / 100 / 365, vega: vega / 100 / 100 };
  }
}
