/** Counts of the service: quantities, volumes, open interest. */

/** Returns a count, or another figure that is never below 0, such as a volatility; null for what is none. */
export function countIn(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : null;
}
