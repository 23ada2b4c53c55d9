/**
 * Lowest and highest price of a day around a close, at least the next tick below and above it: a share of a few paise could not move otherwise.
 * @param previous close before, paise. @param percent of it. @param tick paise. @returns paise, on tick
 */
export function fixedBand(previous: number, percent: number, tick: number): { low: number; high: number } {
  const low = Math.ceil((previous * (100 - percent)) / 100 / tick) * tick;
  const high = Math.floor((previous * (100 + percent)) / 100 / tick) * tick;
  return {
    low: Math.max(tick, Math.min(low, Math.ceil(previous / tick - 1) * tick)),
    high: Math.max(high, Math.floor(previous / tick + 1) * tick),
  };
}
