import { nightBefore, type DayGrid, type TradingDays } from '../reference/calendar';
import { dayOf, MINUTE, SECOND } from '../../shared/dates';
import { normalOf, subKey } from '../../shared/random';
import { nightClock, type DayClock } from './day-clock';
import type { MarketFactor } from './market-factor';
import { DayPath } from './paths';
import { PriceProcess, type PathCache } from './price-process';
import { bridgeSteps, drawSteps, fastExp, SECONDS_PER_MINUTE } from './random-walk';

const { exp, floor, max, min, sqrt } = Math;

/**
 * Deviation of a fund's price from its holding: deviation of its logarithm, and minutes in which half of that is gone. It stays below what
 * trading costs, as those who create and redeem its units see to: nobody earns by it.
 */
const PREMIUM = { deviation: 0.00015, half: 20 };
const KEPT = 0.5 ** (1 / PREMIUM.half);
/** Addition of a minute, which keeps the deviation the same. */
const STEP = PREMIUM.deviation * sqrt(1 - KEPT * KEPT);
/** Minutes after which nothing is left of a premium. */
const FORGOTTEN = 20 * PREMIUM.half;

const NONE: ReadonlySet<number> = new Set();

/** Terms of a fund. */
export interface FundTerms {
  key: number;
  /** Its close on the index-th trading day, paise. */
  close: number;
  base: number;
  /** Process of its holding: an index, or a commodity, which trades at other hours. */
  holds: PriceProcess;
  /** True if its opening price is known before trading starts. */
  preOpen: boolean;
}

/** Place of the holding's price: a minute of one of its paths. */
interface Place {
  path: DayPath;
  minute: number;
}

/** A fund that holds one index or commodity: at every second its price is that of what it holds and a small premium. */
export class FundPriceProcess extends PriceProcess {
  private readonly closes = new Map<number, number>();
  private units: number | undefined;

  constructor(
    days: TradingDays,
    cache: PathCache,
    private readonly terms: FundTerms,
    private readonly factor: MarketFactor,
  ) {
    super(days, cache);
  }

  get volatility(): number {
    return this.terms.holds.volatility;
  }

  get together(): number {
    return this.terms.holds.together;
  }

  /** The day of what is held that goes with the index-th. */
  private heldIndex(index: number): number {
    const { holds } = this.terms;
    return holds.days === this.days ? index : holds.days.notAfter(this.days.at(index));
  }

  override volatilityFactor(index: number): number {
    return this.terms.holds.volatilityFactor(this.heldIndex(index));
  }

  override expected(index: number, minute: number, days: number): number {
    const { holds } = this.terms;
    const held = this.heldIndex(index);
    const grid = holds.days.grid(held);
    const passed = minute + (this.days.grid(index).start - grid.start) / MINUTE;
    return holds.expected(held, min(max(passed, 0), grid.minutes), days);
  }

  override clock(index: number): DayClock {
    const { holds } = this.terms;
    return holds.days === this.days ? holds.clock(index) : this.factor.clock(index);
  }

  override closingMinute(grid: DayGrid): number {
    return grid.lastMinute.cash;
  }

  /** It closes at the price of its last trade. */
  override close(index: number): number {
    let close = this.closes.get(index);
    if (close === undefined) {
      close = this.heldClose(index) * this.scale;
      this.closes.set(index, close);
    }
    return close;
  }

  /** Units of what is held, times the price of one. */
  private get scale(): number {
    return (this.units ??= this.terms.close / this.heldClose(this.terms.base));
  }

  /** Returns the value of the holding at the fund's last trade, with the premium. */
  private heldClose(index: number): number {
    const { holds } = this.terms;
    const grid = this.days.grid(index);
    const minute = this.closingMinute(grid);
    const at = grid.start + minute * MINUTE;
    const together =
      holds.days === this.days && holds.closingMinute(grid) === minute && !holds.recorded(index)
        ? holds.close(index)
        : this.endOf(this.placeAt(at - MINUTE));
    return together * exp(this.premiums(at, 0)[0] as number);
  }

  /** The price of what is held at the end of a minute. */
  private endOf({ path, minute }: Place): number {
    return path.knots[minute + 1] as number;
  }

  /** Returns the place of the holding's price in the minute that begins at an instant. */
  private placeAt(at: number): Place {
    const { holds } = this.terms;
    const index = holds.days.notBefore(dayOf(at));
    const grid = holds.days.grid(index);
    const minute = (at - grid.start) / MINUTE;
    if (minute >= 0 && minute < grid.minutes) return { path: holds.path(index), minute };
    const next = minute < 0 ? index : index + 1;
    return { path: holds.path(next, true), minute: (at - nightBefore(holds.days, next).start) / MINUTE };
  }

  /** The premium at an instant and at the ends of so many minutes from there, logarithms. */
  private premiums(from: number, minutes: number): Float64Array {
    const found = new Float64Array(minutes + 1);
    const first = from / MINUTE;
    let premium = 0;
    for (let k = -FORGOTTEN; k <= minutes; k++) {
      premium = premium * KEPT + STEP * normalOf(subKey(this.terms.key, first + k));
      if (k >= 0) found[k] = premium;
    }
    return found;
  }

  override openingAt(index: number, at: number): number {
    const grid = this.days.grid(index);
    if (!this.opensEarlier(grid)) return super.openingAt(index, at);
    const { path, minute } = this.placeAt(at - (at % MINUTE));
    return (
      path.second(minute, floor((at % MINUTE) / SECOND)) * this.scale * exp(this.premiums(grid.start, 0)[0] as number)
    );
  }

  /** True if what is held trades on between the fund's opening price and its first trade. */
  private opensEarlier(grid: DayGrid): boolean {
    return this.terms.preOpen && this.terms.holds.days !== this.days && grid.openKnown < grid.start;
  }

  protected override makePath(index: number): DayPath {
    const grid = this.days.grid(index);
    return this.pathOf(index, grid, this.clock(index), false);
  }

  protected override makeNight(index: number): DayPath {
    const grid = nightBefore(this.days, index);
    return this.pathOf(index, grid, nightClock(grid.minutes), true);
  }

  private pathOf(index: number, grid: DayGrid, clock: DayClock, night: boolean): DayPath {
    const { scale } = this;
    const { key } = this.terms;
    const premiums = this.premiums(grid.start, grid.minutes);
    const place = (k: number): Place => this.placeAt(grid.start + k * MINUTE);
    const knots = new Float64Array(grid.minutes + 1);
    const jumps = new Set<number>();
    let spread = 0;
    for (let k = 0; k < grid.minutes; k++) {
      const { path, minute } = place(k);
      if (k === 0) knots[0] = (path.knots[minute] as number) * scale * exp(premiums[0] as number);
      const price = (path.knots[minute + 1] as number) * scale;
      knots[k + 1] = price * exp(premiums[k + 1] as number);
      if (path.jumps.has(minute)) jumps.add(k);
      const width = path.spread * scale * (path.clock.deviation[minute] as number) + price * STEP;
      spread = max(spread, width / (clock.deviation[k] as number));
    }
    const startsEarlier = !night && this.opensEarlier(grid);
    if (startsEarlier) {
      const { path, minute } = this.placeAt(grid.openKnown);
      knots[0] = (path.knots[minute] as number) * scale * exp(premiums[0] as number);
      jumps.add(0);
    }
    return new DayPath({
      index,
      night,
      grid,
      clock,
      knots,
      spread,
      jumps: jumps.size === 0 ? NONE : jumps,
      fill(seconds, k) {
        const { path, minute } = place(k);
        const still = k === 0 && !night;
        drawSteps(seconds, subKey(subKey(key, 1), grid.start / MINUTE + k), STEP);
        bridgeSteps(seconds, premiums[k] as number, premiums[k + 1] as number, still);
        const held = path.seconds(minute);
        for (let s = 0; s < SECONDS_PER_MINUTE; s++)
          seconds[s] = (held[s] as number) * scale * fastExp(seconds[s] as number);
        if (still && startsEarlier) seconds[0] = knots[0] as number;
        seconds[SECONDS_PER_MINUTE - 1] = knots[k + 1] as number;
      },
    });
  }
}
