import type { DayGrid } from '../reference/calendar';
import { mix, normal, smooth, under } from '../../shared/random';

const { exp, sqrt } = Math;

/** Random walks over days and through them: where the returns of stocks and commodities come from. */

/** Daily volatility of the whole equity market, a fraction. */
export const MARKET_VOLATILITY = 0.0072;
/** Share of a day's variance that falls between the close before and the open. */
export const OVERNIGHT = 0.3;

const SIXTH = 1 / 6;
const TWENTY_FOURTH = 1 / 24;

const profiles = new Map<number, Float64Array>();

/** Volatility of each minute where that of the day is 1: most at the open, more at the close. Their squares sum to 1. */
export function profile(minutes: number): Float64Array {
  let steps = profiles.get(minutes);
  if (!steps) {
    const weights = Float64Array.from({ length: minutes }, (_, k) => 1 + 4 * exp(-k / 12) + exp((k - minutes) / 15));
    const sum = weights.reduce((a, b) => a + b, 0);
    steps = weights.map((weight) => sqrt(weight / sum));
    profiles.set(minutes, steps);
  }
  return steps;
}

/** Exponential of a return within a day (below a quarter either way, to 1e-8): several times faster than exp. */
export const fastExp = (x: number): number =>
  1 +
  x *
    (1 + x * (0.5 + x * (SIXTH + x * (TWENTY_FOURTH + x * (0.2 * TWENTY_FOURTH + x * (SIXTH * 0.2 * TWENTY_FOURTH))))));

/** Fills `steps` with a random walk over the minutes of a day that begins at 0 and reaches exactly `end` at minute `close`. */
export function walk(steps: Float64Array, key: number, volatility: number, end: number, close: number): void {
  const minutes = steps.length - 1;
  const weights = profile(minutes);
  let sum = 0;
  steps[0] = 0;
  for (let k = 0; k < minutes; k++) {
    sum += normal(under(key, k)) * (weights[k] as number);
    steps[k + 1] = sum * volatility;
  }
  const missing = end - (steps[close] as number);
  const slope = missing / close;
  for (let k = 1; k <= minutes; k++) steps[k] = (steps[k] as number) + (k < close ? slope * k : missing);
}

export interface DayReturn {
  overnight: number;
  intraday: number;
}

/** Returns that a source of chance makes on a day. */
export function dayReturn(key: number, day: number, volatility: number): DayReturn {
  const own = under(key, day);
  return {
    overnight: volatility * sqrt(OVERNIGHT) * normal(under(own, 1)),
    intraday: volatility * sqrt(1 - OVERNIGHT) * normal(under(own, 2)),
  };
}

/** What one day brings to all. */
interface FactorDay extends DayReturn {
  volatilityFactor: number;
}

/** What moves all stocks together, and how lively the times are. */
export class MarketFactor {
  private readonly key: number;
  private readonly days = new Map<number, FactorDay>();
  private readonly walks = new Map<number, Float64Array>();

  constructor(seed: number) {
    this.key = under(mix(seed), 77);
  }

  private of(day: number): FactorDay {
    let found = this.days.get(day);
    if (!found) {
      const volatilityFactor = exp(0.35 * smooth(this.key, day / 20));
      found = { volatilityFactor, ...dayReturn(this.key, day, MARKET_VOLATILITY * volatilityFactor) };
      this.days.set(day, found);
    }
    return found;
  }

  /** Multiplies every volatility of a day, between 0.7 and 1.4. */
  volatilityFactor(day: number): number {
    return this.of(day).volatilityFactor;
  }

  dayReturn(day: number): DayReturn {
    return this.of(day);
  }

  walk(grid: DayGrid, close: number): Float64Array {
    let steps = this.walks.get(grid.day);
    if (!steps) {
      if (this.walks.size > 200) this.walks.clear();
      const volatility = MARKET_VOLATILITY * sqrt(1 - OVERNIGHT) * this.volatilityFactor(grid.day);
      steps = new Float64Array(grid.minutes + 1);
      walk(steps, under(under(this.key, grid.day), 3), volatility, this.dayReturn(grid.day).intraday, close);
      this.walks.set(grid.day, steps);
    }
    return steps;
  }
}
