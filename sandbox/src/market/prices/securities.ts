import { blackGreeks, blackPrice, type OptionTerms } from './black76';
import type { Segment, TradingDays } from '../reference/calendar';
import { MINUTE } from '../../shared/dates';
import { signed, smooth, under } from '../../shared/random';
import type { DayPath } from './paths';
import type { PriceProcess } from './price-process';
import { roundTick, tickOf } from '../reference/ticks';
import type { Greeks } from './types';

const { ceil, exp, floor, log, max, min, round, sqrt } = Math;

/** How an instrument's price is made of its root's price. Prices are paise. */

const WHOLE_DAY = 1440;
const YEAR = 365 * 1440 * MINUTE;
const INTEREST = 0.065;
/** Volatility and time to expiry of an option stand still for a day, and for this many minutes in the days before its expiry. */
const SEGMENT = 5;
const LAST_DAYS = 7;

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

  /** Its prices on the index-th trading day. */
  view(index: number): View {
    if (this.current?.path.index !== index) this.current = this.makeView(this.root.path(index));
    return this.current;
  }

  /** Last price of the index-th trading day. */
  close(index: number): number {
    if (this.closed?.index !== index) this.closed = { index, price: this.lastPrice(index) };
    return this.closed.price;
  }

  protected abstract lastPrice(index: number): number;

  /** Tick of the index-th trading day. */
  abstract tick(index: number): number;

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
    },
  ) {
    super(root, segment, key, null);
  }

  override tick(index: number): number {
    return this.nature.tick || tickOf('cash', this.days.at(index), this.root.close(index - 1));
  }

  protected override lastPrice(index: number): number {
    return roundTick(this.root.close(index), this.tick(index));
  }

  /** Lowest and highest price of the day, on ticks. */
  limits(index: number): { lower: number; upper: number } {
    const { band } = this.nature;
    if (band === null) return { lower: 0, upper: Infinity };
    const tick = this.tick(index);
    const previous = this.close(index - 1);
    const lower = ceil((previous * (100 - band)) / 100 / tick) * tick;
    const upper = floor((previous * (100 + band)) / 100 / tick) * tick;
    return { lower: max(lower, tick), upper: max(upper, tick) };
  }

  protected override makeView(path: DayPath): View {
    const tick = this.tick(path.index);
    const { lower, upper } = this.limits(path.index);
    const key = under(this.key, path.grid.day);
    const last = this.root.closingMinute(path.grid) - 1;
    const { apart } = this.nature;
    return {
      path,
      falling: false,
      stableMinutes: apart === 0 ? WHOLE_DAY : 1,
      price: (root, minute) => {
        const own = apart === 0 || minute >= last ? root : root * (1 + apart * signed(under(key, minute)));
        return min(max(roundTick(own, tick), lower), upper);
      },
    };
  }
}

/** How much a forward price stands above the price today. */
function carry(root: PriceProcess, key: number, day: number, expiry: number): number {
  const base = root.days.family === 'equity' ? 0.053 : 0.035;
  return exp(((base + 0.012 * smooth(key, day / 7)) * (expiry - day)) / 365);
}

abstract class Derivative extends Security {
  constructor(
    root: PriceProcess,
    key: number,
    expiry: number,
    protected readonly ratio: number,
    /** Shared by all derivatives of the underlying, so that their forwards agree. */
    protected readonly carryKey: number,
  ) {
    super(root, root.days.family === 'equity' ? 'derivative' : 'commodity', key, expiry);
  }

  protected override lastPrice(index: number): number {
    const path = this.root.path(index);
    const { minutes } = path.grid;
    return this.makeView(path).price(path.knots[minutes] as number, minutes - 1);
  }

  /** Price of the future with an expiry over the root's price. */
  protected forward(day: number, expiry: number): number {
    return this.ratio * carry(this.root, this.carryKey, day, expiry);
  }
}

export class FutureSecurity extends Derivative {
  constructor(
    root: PriceProcess,
    key: number,
    private readonly terms: { expiry: number; ratio: number; carryKey: number; tick: 'cash' | 'index_future' | number },
  ) {
    super(root, key, terms.expiry, terms.ratio, terms.carryKey);
  }

  override tick(index: number): number {
    const { tick } = this.terms;
    return typeof tick === 'number' ? tick : tickOf(tick, this.days.at(index), this.root.close(index - 1));
  }

  protected override makeView(path: DayPath): View {
    const tick = this.tick(path.index);
    const scale = this.forward(path.grid.day, this.terms.expiry);
    return {
      path,
      falling: false,
      stableMinutes: WHOLE_DAY,
      price: (root) => max(round((root * scale) / tick) * tick, tick),
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
    key: number,
    private readonly terms: {
      expiry: number;
      /** Expiry of the future that it is on; that of the option itself on stocks and indices. */
      future: number;
      ratio: number;
      carryKey: number;
      /** Paise. */
      strike: number;
      put: boolean;
      tick: number;
    },
  ) {
    super(root, key, terms.expiry, terms.ratio, terms.carryKey);
  }

  override tick(_index: number): number {
    return this.terms.tick;
  }

  /** Minutes for which its terms stand still. */
  private stableMinutes(day: number): number {
    return this.terms.expiry - day <= LAST_DAYS ? SEGMENT : WHOLE_DAY;
  }

  /** The terms that hold in a minute of a day, and the forward over the root's price. */
  private termsAt(path: DayPath, minute: number): { terms: OptionTerms; scale: number } {
    const { strike, put, expiry, future } = this.terms;
    const { grid } = path;
    const scale = this.forward(grid.day, future);
    const length = this.stableMinutes(grid.day);
    const first = minute - (minute % length);
    const last = this.days.grid(this.days.indexOf(expiry));
    const left = last.start + last.minutes * MINUTE - (grid.start + (first + min(length, grid.minutes) / 2) * MINUTE);
    const years = max(left, MINUTE) / YEAR;
    const level = sqrt(252) * this.root.volatility * 1.03 * (1 + 0.06 * smooth(this.carryKey, grid.day / 5));
    const atMoney = level * this.root.volatilityFactor(grid.day) ** (1 / (1 + 4 * years));
    const forward = (path.knots[first] as number) * scale;
    const volatility = atMoney * smile(log(strike / forward) / (atMoney * sqrt(years)));
    return { terms: { strike, put, years, volatility, rate: INTEREST }, scale };
  }

  protected override makeView(path: DayPath): View {
    const { tick } = this.terms;
    const length = this.stableMinutes(path.grid.day);
    let segment = 0;
    let held = this.termsAt(path, 0);
    return {
      path,
      falling: this.terms.put,
      stableMinutes: length,
      price: (root, minute) => {
        const wanted = floor(minute / length);
        if (wanted !== segment) {
          segment = wanted;
          held = this.termsAt(path, minute);
        }
        return max(round(blackPrice(root * held.scale, held.terms) / tick) * tick, tick);
      },
    };
  }

  /** Greeks at a price of the root in a minute; see Greeks for the units. */
  greeks(path: DayPath, root: number, minute: number): Greeks {
    const { terms, scale } = this.termsAt(path, minute);
    const { delta, gamma, vega, theta } = blackGreeks(root * scale, terms);
    return { iv: terms.volatility, delta, gamma: gamma * 100, theta: theta / 100 / 365, vega: vega / 100 / 100 };
  }
}
