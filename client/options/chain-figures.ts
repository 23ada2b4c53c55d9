/**
 * Figures of a whole option chain: put-call ratio, the strikes with the most open interest, max pain, the straddle at the money, implied
 * volatility and skew. Pure. Prices and strikes are paise, open interest is units, implied volatility is percent. A figure that cannot be worked
 * out is null: nothing is guessed.
 */

/** Inputs of one option; null for a missing value. */
export interface ChainOption {
  /** Paise. */
  strike: number;
  /** Paise. */
  lastPrice: number | null;
  /** A fraction: 0.2037. */
  iv: number | null;
  delta: number | null;
  /** Units. */
  openInterest: number | null;
  /** Open interest of the day before, units. */
  previousOpenInterest: number | null;
}

/** A chain of one expiry. */
export interface ChainSides {
  /** Paise; null if the underlying has no price. */
  atTheMoney: number | null;
  calls: readonly ChainOption[];
  puts: readonly ChainOption[];
}

/** The strike with the most open interest, and its units. */
export interface LargestInterest {
  /** Paise. */
  strike: number;
  /** Units. */
  openInterest: number;
  /** Change since the day before, units; null if that day's is unknown. */
  change: number | null;
}

/** All figures of a chain. */
export interface ChainFigures {
  /** Units. */
  callInterest: number;
  putInterest: number;
  /** Open interest of puts for one of calls. */
  putCallRatio: number | null;
  largestCall: LargestInterest | null;
  largestPut: LargestInterest | null;
  /** The strike at which all options together would pay least at expiry, paise. */
  maxPain: number | null;
  /** Last price of call and put at the money together, paise. */
  straddlePrice: number | null;
  /** Mean of call and put at the money, percent. */
  atmIv: number | null;
  /** IV of the put with a delta of −0.25 less that of the call with 0.25, percentage points. */
  skew: number | null;
}

/** The delta, without its sign, at which skew is measured, and how far the nearest option may be from it. */
const SKEW_DELTA = 0.25;
const SKEW_WITHIN = 0.1;

/** Works out all figures of a chain. */
export function figuresOfChain({ atTheMoney, calls, puts }: ChainSides): ChainFigures {
  const [callInterest, putInterest] = [interestOf(calls), interestOf(puts)];
  const at = (options: readonly ChainOption[]): ChainOption | undefined =>
    atTheMoney === null ? undefined : options.find(({ strike }) => strike === atTheMoney);
  const [call, put] = [at(calls), at(puts)];
  return {
    callInterest,
    putInterest,
    putCallRatio: callInterest === 0 || !hasOpenInterest(puts) ? null : putInterest / callInterest,
    largestCall: largestOf(calls),
    largestPut: largestOf(puts),
    maxPain: hasOpenInterest(calls) && hasOpenInterest(puts) ? maxPainOf(calls, puts) : null,
    straddlePrice: sumOf(call?.lastPrice, put?.lastPrice),
    atmIv: percent(meanOf(known(call?.iv), known(put?.iv))),
    skew: skewOf(calls, puts),
  };
}

/** Returns an implied volatility or a price; null for 0, which means a missing value. */
const known = (value: number | null | undefined): number | null =>
  value !== null && value !== undefined && value > 0 ? value : null;

const percent = (fraction: number | null): number | null => (fraction === null ? null : fraction * 100);

const interestOf = (options: readonly ChainOption[]): number =>
  options.reduce((sum, { openInterest }) => sum + (openInterest ?? 0), 0);

/** Returns true if a chain tells the open interest of a side: one that lacks a side has no ratio of both. */
const hasOpenInterest = (options: readonly ChainOption[]): boolean =>
  options.some(({ openInterest }) => openInterest !== null);

function sumOf(one: number | null | undefined, other: number | null | undefined): number | null {
  const [first, second] = [known(one), known(other)];
  return first === null || second === null ? null : first + second;
}

function meanOf(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return (one + other) / 2;
}

/** The option with the most open interest; of equal ones the lowest strike. */
function largestOf(options: readonly ChainOption[]): LargestInterest | null {
  let largest: LargestInterest | null = null;
  for (const { strike, openInterest, previousOpenInterest } of options) {
    if (openInterest === null || openInterest <= 0 || openInterest <= (largest?.openInterest ?? 0)) continue;
    const change = previousOpenInterest === null ? null : openInterest - previousOpenInterest;
    largest = { strike, openInterest, change };
  }
  return largest;
}

/**
 * Returns max pain: the strike at which all options together would pay their holders the least, were the underlying there at expiry. Walks
 * the strikes once: from one to the next, each call below gains the distance and each put from there on loses it.
 */
function maxPainOf(calls: readonly ChainOption[], puts: readonly ChainOption[]): number | null {
  const interests = new Map<number, { calls: number; puts: number }>();
  const add = (options: readonly ChainOption[], side: 'calls' | 'puts'): void => {
    for (const { strike, openInterest } of options) {
      const row = interests.get(strike) ?? { calls: 0, puts: 0 };
      row[side] += openInterest ?? 0;
      interests.set(strike, row);
    }
  };
  add(calls, 'calls');
  add(puts, 'puts');
  const rows = [...interests].sort(([a], [b]) => a - b);
  const first = rows[0]?.[0];
  if (first === undefined || interestOf(calls) + interestOf(puts) === 0) return null;
  let payout = rows.reduce((sum, [strike, { puts: held }]) => sum + held * (strike - first), 0);
  let putsAbove = interestOf(puts);
  let callsBelow = 0;
  let best = { strike: first, payout };
  let last = first;
  for (const [strike, held] of rows) {
    const distance = strike - last;
    payout += distance * (callsBelow - putsAbove);
    if (payout < best.payout) best = { strike, payout };
    callsBelow += held.calls;
    putsAbove -= held.puts;
    last = strike;
  }
  return best.strike;
}

function skewOf(calls: readonly ChainOption[], puts: readonly ChainOption[]): number | null {
  const [call, put] = [ivAtDelta(calls), ivAtDelta(puts)];
  return call === null || put === null ? null : (put - call) * 100;
}

/** Returns the strike whose option is nearest to the delta of the skew; null if none is near. */
export function skewStrikeOf(options: readonly ChainOption[]): number | null {
  return skewOptionOf(options)?.strike ?? null;
}

const ivAtDelta = (options: readonly ChainOption[]): number | null => known(skewOptionOf(options)?.iv);

function skewOptionOf(options: readonly ChainOption[]): ChainOption | undefined {
  let nearest: ChainOption | undefined;
  const distanceOf = ({ delta }: ChainOption): number => Math.abs(Math.abs(delta ?? 0) - SKEW_DELTA);
  for (const option of options)
    if (distanceOf(option) <= SKEW_WITHIN && (nearest === undefined || distanceOf(option) < distanceOf(nearest)))
      nearest = option;
  return nearest;
}

/**
 * Returns the position of a value between the lowest and the highest of a history, percent; null if the history is empty, or all values are
 * equal.
 */
export function rankOf(value: number, history: readonly number[]): number | null {
  const [low, high] = [Math.min(value, ...history), Math.max(value, ...history)];
  return history.length === 0 || low === high ? null : ((value - low) / (high - low)) * 100;
}
