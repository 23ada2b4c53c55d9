import type { DayGrid, TradingDays } from '../reference/calendar';
import type { DayClock } from './day-clock';
import type { DayPath } from './paths';

/** Paths of nights are kept under the number of the day after them and this: there are fewer days. */
const NIGHTS = 8192;

/** Keeps the paths of all roots that were made last. */
export class PathCache {
  private readonly paths = new Map<number, DayPath>();
  private roots = 0;

  constructor(private readonly capacity: number) {}

  /** A number that tells one root's paths from another's. */
  register(): number {
    return this.roots++;
  }

  get(root: number, index: number, make: () => DayPath): DayPath {
    const name = root * 16384 + index;
    const cachedPath = this.paths.get(name);
    if (cachedPath) return cachedPath;
    const path = make();
    if (this.paths.size >= this.capacity) this.paths.delete(this.paths.keys().next().value as number);
    this.paths.set(name, path);
    return path;
  }
}

/** A price process that others hang on. */
export abstract class PriceProcess {
  private readonly name: number;

  constructor(
    readonly days: TradingDays,
    private readonly cache: PathCache,
  ) {
    this.name = cache.register();
  }

  /** Unrounded official close of the index-th trading day, paise. */
  abstract close(index: number): number;

  /** The prices of the index-th trading day, or of the night before it. */
  path(index: number, night = false): DayPath {
    return night
      ? this.cache.get(this.name, NIGHTS + index, () => this.makeNight(index))
      : this.cache.get(this.name, index, () => this.makePath(index));
  }

  /** Minute (count of minutes since the start) at whose end trading that makes the official close ends. */
  abstract closingMinute(grid: DayGrid): number;

  /** Usual daily volatility, a fraction. */
  abstract readonly volatility: number;

  /** Correlation with the market. */
  abstract readonly together: number;

  /** Returns its volatility on a day in parts of the usual one. */
  abstract volatilityFactor(index: number): number;

  /** Returns its expected mean volatility over a number of trading days after a day in parts of the usual one, in a minute of that day. */
  abstract expected(index: number, minute: number, days: number): number;

  /** True if its official close is the mean of the last half hour (shares without a closing auction). */
  get averages(): boolean {
    return false;
  }

  /** True if its prices of a day are those of a recording: they stay unchanged, on no tick and in no band. */
  recorded(_index: number): boolean {
    return false;
  }

  /**
   * Returns the opening price of the index-th day as expected at an instant before it, where the price of the holding moves meanwhile; by
   * itself the opening price.
   */
  openingAt(index: number, _at: number): number {
    return this.path(index).knots[0] as number;
  }

  /** Returns the spread of a day's variance and volume over its minutes. */
  abstract clock(index: number): DayClock;

  protected abstract makePath(index: number): DayPath;

  protected abstract makeNight(index: number): DayPath;
}
