import type { HoursSegment, TradingDays } from '../reference/calendar';
import { MINUTE, startOfDay } from '../../shared/dates';
import { signedUniform, smoothNoise, subKey } from '../../shared/random';
import type { DayPath } from './paths';
import type { PriceProcess } from './price-process';
import { fixedBand } from '../reference/fixed-band';
import { roundTick, tickOf } from '../reference/ticks';

const { exp, floor, max, min, round } = Math;

/** Price of an instrument, from its root's price. Prices are paise. */

/** Minutes for which a price stays the same function of its root's: always. */
export const WHOLE_DAY = 1440;
/** A second of a minute as a time of the day, minutes. */
export const timeAt = (minute: number, second: number): number => minute + second / 60;
/** One instrument on one trading day: its price as a rising or falling function of the root's, minute by minute. */
export interface SecurityView {
  path: DayPath;
  /** Price at a price of the root and a time of the day, minutes (of an option also parts of one). */
  price(root: number, time: number): number;
  /** The same before it is rounded to a tick, of an option. */
  exact?(root: number, time: number): number;
  /** True if the price falls when the root's rises. */
  falling: boolean;
  /** For how many minutes, from one of its multiples on, the price is the same function of the root's. */
  stableMinutes: number;
  /** True if it is another function of the root's in each second. */
  decays?: true;
}

/** An instrument's prices over all days. */
export abstract class Security {
  private current: SecurityView | undefined;
  private currentNight: SecurityView | undefined;
  private closed: { index: number; price: number } | undefined;

  constructor(
    readonly root: PriceProcess,
    readonly segment: HoursSegment,
    readonly key: number,
    /** Day number of its expiry; null when it does not expire. */
    readonly expiry: number | null,
  ) {}

  get days(): TradingDays {
    return this.root.days;
  }

  /** Its prices on the index-th trading day, or in the night before it. */
  view(index: number, night = false): SecurityView {
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

  /** Returns a tick, or that of the rows of the tick table for the root's price before the index-th trading day. */
  protected tickOn(index: number, tick: number | Parameters<typeof tickOf>[0]): number {
    return typeof tick === 'number' ? tick : tickOf(tick, this.days.at(index), this.root.close(index - 1));
  }

  /** Tick in a minute of a path: before midnight it is that of the day that has ended. */
  protected tickIn({ night, index, grid }: DayPath): (minute: number) => number {
    const tick = this.tick(index);
    if (!night) return () => tick;
    const before = this.tick(index - 1);
    const midnight = (startOfDay(this.days.at(index - 1) + 1) - grid.start) / MINUTE;
    return (minute) => (minute < midnight ? before : tick);
  }

  protected abstract makeView(path: DayPath): SecurityView;
}

/** A stock on NSE or BSE, or an index. */
export class CashSecurity extends Security {
  constructor(
    root: PriceProcess,
    segment: HoursSegment,
    key: number,
    private readonly nature: {
      /** Percent; null without one. */
      band: number | null;
      /** Paise, or which rows of the tick table. */
      tick: 'cash' | 'sme' | number;
      /** Largest difference to the root within the day, a fraction. */
      apart: number;
      /** True if what the root has recorded is what was recorded of it. */
      exact: boolean;
    },
  ) {
    super(root, segment, key, null);
  }

  override tick(index: number): number {
    return this.tickOn(index, this.nature.tick);
  }

  protected override officialClose(index: number): number {
    if (this.asRecorded(index)) return this.root.close(index);
    const tick = this.tick(index);
    const close = roundTick(this.root.close(index), tick);
    const { band } = this.nature;
    if (band === null || this.root.recorded(index)) return close;
    // What rounding adds to the moves of a share of a few paise does not lead out of its band.
    const { low, high } = fixedBand(roundTick(this.root.close(index - 1), tick), band, tick);
    return min(max(close, low), high);
  }

  /** True if its prices of a day are recorded, to the paisa. */
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
    const { low, high } = fixedBand(this.close(index - 1), band, this.tick(index));
    return { lower: low, upper: high };
  }

  protected override makeView(path: DayPath): SecurityView {
    if (!path.night && this.asRecorded(path.index))
      return { path, falling: false, stableMinutes: WHOLE_DAY, price: (root) => max(round(root), 1) };
    const tick = this.tickIn(path);
    const { lower, upper } = this.limits(path.index);
    const key = subKey(this.key, path.grid.day + (path.night ? 1e6 : 0));
    const last = path.night ? Infinity : this.root.closingMinute(path.grid) - 1;
    const { apart } = this.nature;
    return {
      path,
      falling: false,
      stableMinutes: apart === 0 ? WHOLE_DAY : 1,
      price: (root, time) => {
        const minute = floor(time);
        const own = apart === 0 || minute >= last ? root : root * (1 + apart * signedUniform(subKey(key, minute)));
        return min(max(roundTick(own, tick(minute)), lower), upper);
      },
    };
  }
}

/** Returns the premium of a forward price over the price today. */
function carry(root: PriceProcess, key: number, day: number, expiry: number): number {
  const base = root.days.family === 'equity' ? 0.053 : 0.035;
  return exp(((base + 0.004 * smoothNoise(key, day / 7)) * (expiry - day)) / 365);
}

export abstract class Derivative extends Security {
  constructor(
    root: PriceProcess,
    segment: HoursSegment,
    key: number,
    expiry: number,
    protected readonly ratio: number,
    /** Shared by all derivatives of the underlying, so that their forwards agree. */
    protected readonly carryKey: number,
    /** Security by which it is settled; null where the root has no cash market. */
    private readonly cash: CashSecurity | null,
  ) {
    super(root, segment, key, expiry);
  }

  protected override officialClose(index: number): number {
    const path = this.root.path(index);
    const { grid, knots } = path;
    const price = this.expiry === grid.day ? this.settledAt(path) : (knots[grid.minutes] as number);
    return this.makeView(path).price(price, timeAt(grid.minutes - 1, 59));
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
    segment: HoursSegment,
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
    return this.tickOn(index, this.terms.tick);
  }

  protected override makeView(path: DayPath): SecurityView {
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
