import { blackGreeks, blackPrice, type OptionTerms } from './black76';
import type { Segment, TradingDays } from '../reference/calendar';
import { MINUTE, startOf } from '../../shared/dates';
import { signed, smooth, under } from '../../shared/random';
import type { Straddle } from '../recordings/types';
import { volatilityOf } from './measured-volatility';
import type { DayPath } from './paths';
import { OVERNIGHT } from './market-factor';
import type { PriceProcess } from './price-process';
import { roundTick, tickOf } from '../reference/ticks';
import type { Greeks } from './types';

const { abs, ceil, exp, floor, log, max, min, round, sqrt } = Math;

/** How an instrument's price is made of its root's price. Prices are paise. */

const WHOLE_DAY = 1440;
const YEAR = 365 * 1440 * MINUTE;
const INTEREST = 0.065;
/** Volatility and time to expiry of an option stand still for so many minutes, the fewer the less is left of it (calendar days). */
const SEGMENTS = [
  { within: 7, minutes: 5 },
  { within: 45, minutes: 25 },
  { within: Infinity, minutes: 75 },
];
/** What options ask for over the volatility that can be expected. */
const PREMIUM = 1.03;
/** What of a recorded level of volatility is left after a day without another. */
const LEVEL_PERSISTENCE = 0.97;
/** Prices that show more times what is reckoned, or as many times less, are old or wrong. */
const LARGEST_LEVEL = 5;
/** How far it wanders about that. */
const WANDER = 0.02;

/** One instrument on one trading day: its price as a rising or falling function of the root's, minute by minute. */
export interface View {
  path: DayPath;
  /** Price at a price of the root in a minute. */
  price(root: number, minute: number): number;
  /** Whether the price falls when the root's rises. */
  falling: boolean;
  /** For how many minutes, from one of its multiples on, the price is the same function of the root's. */
  stableMinutes: number;
}

/** An instrument's prices over all days. */
export abstract class Security {
  private current: View | undefined;
  private currentNight: View | undefined;
  private closed: { index: number; price: number } | undefined;

  constructor(
    readonly root: PriceProcess,
    readonly segment: Segment,
    readonly key: number,
    /** Day number of its expiry; null when it does not expire. */
    readonly expiry: number | null,
  ) {}

  get days(): TradingDays {
    return this.root.days;
  }

  /** Its prices on the index-th trading day, or in the night before it. */
  view(index: number, night = false): View {
    if (night) {
      if (this.currentNight?.path.index !== index) this.currentNight = this.makeView(this.root.path(index, true));
      return this.currentNight;
    }
    if (this.current?.path.index !== index) this.current = this.makeView(this.root.path(index));
    return this.current;
  }

  /** Official close of the index-th trading day. */
  close(index: number): number {
    if (this.closed?.index !== index) this.closed = { index, price: this.officialClose(index) };
    return this.closed.price;
  }

  protected abstract officialClose(index: number): number;

  /** Price of the last trade of the index-th trading day. */
  last(index: number): number {
    return this.close(index);
  }

  /** Index of the last day on which it trades. */
  get lastIndex(): number {
    return this.expiry === null ? this.days.count - 1 : this.days.notAfter(this.expiry);
  }

  /** Tick of the index-th trading day. */
  abstract tick(index: number): number;

  /** Tick in a minute of a path: before midnight it is that of the day that has ended. */
  protected tickIn({ night, index, grid }: DayPath): (minute: number) => number {
    const tick = this.tick(index);
    if (!night) return () => tick;
    const before = this.tick(index - 1);
    const midnight = (startOf(this.days.at(index - 1) + 1) - grid.start) / MINUTE;
    return (minute) => (minute < midnight ? before : tick);
  }

  protected abstract makeView(path: DayPath): View;
}

/** A stock on NSE or BSE, or an index. */
export class CashSecurity extends Security {
  constructor(
    root: PriceProcess,
    segment: Segment,
    key: number,
    private readonly nature: {
      /** Percent; null without one. */
      band: number | null;
      /** Paise; 0 for the tick table. */
      tick: number;
      /** Largest difference to the root within the day, a fraction. */
      apart: number;
      /** Whether what the root has recorded is what was recorded of it. */
      exact: boolean;
    },
  ) {
    super(root, segment, key, null);
  }

  override tick(index: number): number {
    return this.nature.tick || tickOf('cash', this.days.at(index), this.root.close(index - 1));
  }

  protected override officialClose(index: number): number {
    return this.asRecorded(index) ? this.root.close(index) : roundTick(this.root.close(index), this.tick(index));
  }

  /** Whether its prices of a day are recorded, to the paisa. */
  private asRecorded(index: number): boolean {
    return this.nature.exact && this.root.recorded(index);
  }

  /** Without a closing auction the close is the mean of the last half hour. */
  override last(index: number): number {
    if (!this.root.averages && !this.root.recorded(index)) return this.close(index);
    const path = this.root.path(index);
    const minutes = this.root.closingMinute(path.grid);
    return this.makeView(path).price(path.knots[minutes] as number, minutes - 1);
  }

  /** Lowest and highest price of the day, on ticks. */
  limits(index: number): { lower: number; upper: number } {
    const { band } = this.nature;
    if (band === null || this.root.recorded(index)) return { lower: 0, upper: Infinity };
    const tick = this.tick(index);
    const previous = this.close(index - 1);
    const lower = ceil((previous * (100 - band)) / 100 / tick) * tick;
    const upper = floor((previous * (100 + band)) / 100 / tick) * tick;
    return { lower: max(lower, tick), upper: max(upper, tick) };
  }

  protected override makeView(path: DayPath): View {
    if (!path.night && this.asRecorded(path.index))
      return { path, falling: false, stableMinutes: WHOLE_DAY, price: (root) => max(round(root), 1) };
    const tick = this.tickIn(path);
    const { lower, upper } = this.limits(path.index);
    const key = under(this.key, path.grid.day + (path.night ? 1e6 : 0));
    const last = path.night ? Infinity : this.root.closingMinute(path.grid) - 1;
    const { apart } = this.nature;
    return {
      path,
      falling: false,
      stableMinutes: apart === 0 ? WHOLE_DAY : 1,
      price: (root, minute) => {
        const own = apart === 0 || minute >= last ? root : root * (1 + apart * signed(under(key, minute)));
        return min(max(roundTick(own, tick(minute)), lower), upper);
      },
    };
  }
}

/** How much a forward price stands above the price today. */
function carry(root: PriceProcess, key: number, day: number, expiry: number): number {
  const base = root.days.family === 'equity' ? 0.053 : 0.035;
  return exp(((base + 0.004 * smooth(key, day / 7)) * (expiry - day)) / 365);
}

export abstract class Derivative extends Security {
  constructor(
    root: PriceProcess,
    segment: Segment,
    key: number,
    expiry: number,
    protected readonly ratio: number,
    /** Shared by all derivatives of the underlying, so that their forwards agree. */
    protected readonly carryKey: number,
    /** What it is settled by; null where the root has no cash market. */
    private readonly cash: CashSecurity | null,
  ) {
    super(root, segment, key, expiry);
  }

  protected override officialClose(index: number): number {
    const path = this.root.path(index);
    const { grid, knots } = path;
    const price = this.expiry === grid.day ? this.settledAt(path) : (knots[grid.minutes] as number);
    return this.makeView(path).price(price, grid.minutes - 1);
  }

  /** The root's price by which what expires on a day is settled, known from the closing minute on. */
  settledAt(path: DayPath): number {
    return this.cash?.close(path.index) ?? (path.knots[this.root.closingMinute(path.grid)] as number);
  }

  /** Price of the future with an expiry over the root's price. */
  protected forward(day: number, expiry: number): number {
    return this.ratio * carry(this.root, this.carryKey, day, expiry);
  }
}

export class FutureSecurity extends Derivative {
  constructor(
    root: PriceProcess,
    segment: Segment,
    key: number,
    private readonly terms: {
      expiry: number;
      ratio: number;
      carryKey: number;
      cash: CashSecurity | null;
      tick: 'cash' | 'index_future' | number;
    },
  ) {
    super(root, segment, key, terms.expiry, terms.ratio, terms.carryKey, terms.cash);
  }

  override tick(index: number): number {
    const { tick } = this.terms;
    return typeof tick === 'number' ? tick : tickOf(tick, this.days.at(index), this.root.close(index - 1));
  }

  protected override makeView(path: DayPath): View {
    const tick = this.tickIn(path);
    const scale = this.forward(path.grid.day, this.terms.expiry);
    return {
      path,
      falling: false,
      stableMinutes: WHOLE_DAY,
      price: (root, minute) => max(round((root * scale) / tick(minute)) * tick(minute), tick(minute)),
    };
  }
}

/** Volatility of an option over that at the money: fitted to the option chains of 2026-08-21. */
function smile(moneyness: number): number {
  const bend = sqrt((moneyness - 0.8) ** 2 + 2.56) - sqrt(0.64 + 2.56);
  return min(max(1 + 0.31 * bend, 0.7), 6);
}

export class OptionSecurity extends Derivative {
  constructor(
    root: PriceProcess,
    segment: Segment,
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
      /** What options of its underlying were recorded to close at, ascending by day. */
      straddles: readonly Straddle[];
    },
  ) {
    super(root, segment, key, terms.expiry, terms.ratio, terms.carryKey, terms.cash);
  }

  override tick(_index: number): number {
    return this.terms.tick;
  }

  private levels: { index: number; level: number } | undefined;

  /** Minutes for which its terms stand still. */
  private stableMinutes(day: number): number {
    return (SEGMENTS.find(({ within }) => this.terms.expiry - day <= within) ?? { minutes: WHOLE_DAY }).minutes;
  }

  /**
   * Variance that is expected from a minute of a day until its settlement, as it can be reckoned then: of what is left of
   * the day at the day's volatilityFactor, of the days after it by what has happened so far. Time passes while there is trading,
   * and in one go over night.
   */
  private variance(path: DayPath, minute: number, expiry: number): number {
    const { root } = this;
    const { index, grid, clock } = path;
    const days = this.days.notAfter(expiry) - index;
    const asked = PREMIUM * (1 + WANDER * smooth(this.carryKey, grid.day / 5)) * root.volatility;
    if (path.night) {
      const left = days + 1 - OVERNIGHT * (clock.passed[min(minute, grid.minutes)] as number);
      return left * (root.expected(index - 1, this.days.grid(index - 1).minutes, days + 1) * asked) ** 2;
    }
    const end = days === 0 ? root.closingMinute(grid) : grid.minutes;
    const passed = (clock.passed[end] as number) - (clock.passed[min(minute, end)] as number);
    const today = (1 - OVERNIGHT) * passed * root.volatilityFactor(index) ** 2;
    const later = days === 0 ? 0 : days * root.expected(index, minute, days) ** 2;
    return max((today + later) * asked * asked, 1e-12);
  }

  /** Years from a minute of a day until what expires on another day is settled. */
  private yearsTo(expiry: number, { grid }: DayPath, minute: number): number {
    const last = this.days.grid(this.days.notAfter(expiry));
    const left = last.start + this.root.closingMinute(last) * MINUTE - (grid.start + minute * MINUTE);
    return max(left, 1) / YEAR;
  }

  /**
   * What options showed of the volatility that is reckoned, on the last evening before the index-th day of which their closes were
   * recorded; 1 where none were. It fades with the days after that evening. What a day's own evening shows is not known on that day.
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
    const distance = (one: Straddle): number => abs(one.expiry - expiry);
    const [nearest] = straddles
      .filter((one) => one.day === evening && this.days.notAfter(one.expiry) > before)
      .sort((a, b) => distance(a) - distance(b));
    if (nearest === undefined) return 1;
    const path = this.root.path(before);
    const { minutes } = path.grid;
    const years = this.yearsTo(nearest.expiry, path, minutes);
    const shown = volatilityOf(nearest, years, INTEREST);
    if (shown === undefined) return 1;
    const reckoned = sqrt(this.variance(path, minutes, nearest.expiry) / years);
    const level = min(max(shown / reckoned, 1 / LARGEST_LEVEL), LARGEST_LEVEL);
    return level ** (LEVEL_PERSISTENCE ** (index - before - 1));
  }

  /** The terms that hold in a minute of a day, with so many times its volatility, and the forward over the root's price. */
  private termsAt(path: DayPath, minute: number, times: number): { terms: OptionTerms; scale: number } {
    const { strike, put, expiry, future } = this.terms;
    const { grid } = path;
    const scale = this.forward(grid.day, future);
    const length = this.stableMinutes(grid.day);
    const first = minute - (minute % length);
    const middle = min(first + (length >> 1), grid.minutes);
    const years = this.yearsTo(expiry, path, middle);
    const atMoney = this.level(path.index) * sqrt(this.variance(path, middle, expiry) / years);
    const forward = (path.knots[first] as number) * scale;
    const volatility = times * atMoney * smile(log(strike / forward) / (atMoney * sqrt(years)));
    return { terms: { strike, put, years, volatility, rate: INTEREST }, scale };
  }

  protected override makeView(path: DayPath): View {
    return this.viewOf(path, 1);
  }

  /** A view as it is where the volatility that it shows is so many times what it is. */
  viewWhere(index: number, night: boolean, times: number): View {
    return this.viewOf(this.root.path(index, night), times);
  }

  private viewOf(path: DayPath, times: number): View {
    const { tick } = this.terms;
    const length = this.stableMinutes(path.grid.day);
    let segment = 0;
    let held = this.termsAt(path, 0, times);
    return {
      path,
      falling: this.terms.put,
      stableMinutes: length,
      price: (root, minute) => {
        const wanted = floor(minute / length);
        if (wanted !== segment) {
          segment = wanted;
          held = this.termsAt(path, minute, times);
        }
        return max(round(blackPrice(root * held.scale, held.terms) / tick) * tick, tick);
      },
    };
  }

  /** Greeks at a price of the root in a minute, with so many times its volatility; see Greeks for the units. */
  greeks(path: DayPath, root: number, minute: number, times: number): Greeks {
    const { terms, scale } = this.termsAt(path, minute, times);
    const { delta, gamma, vega, theta } = blackGreeks(root * scale, terms);
    return { iv: terms.volatility, delta, gamma: gamma * 100, theta: theta / 100 / 365, vega: vega / 100 / 100 };
  }
}
