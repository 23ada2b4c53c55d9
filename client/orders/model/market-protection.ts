/**
 * Maximum distance of a market order from the last price: over an API it becomes a limit order at that distance, and the rest is cancelled
 * (docs/rules-2026.md). The steps are those of the exchanges' notices on market price protection; brokers may use narrower ones.
 */

interface ProtectionStep {
  /** Last price, paise. */
  below: number;
  percent: number;
}

const OPTION: readonly ProtectionStep[] = [
  { below: 1_000, percent: 5 },
  { below: 10_000, percent: 3 },
  { below: 50_000, percent: 2 },
  { below: Infinity, percent: 1 },
];
const OTHER: readonly ProtectionStep[] = [
  { below: 10_000, percent: 2 },
  { below: 50_000, percent: 1 },
  { below: Infinity, percent: 0.5 },
];

/**
 * Returns the market protection. @param symbol trading symbol, such as INFY or NIFTY26NOV24500CE.
 * @param price its last price, paise; 0 if unknown.
 * @returns percent of the last price; null if the price is unknown.
 */
export function marketProtection(
  { symbol, derivative }: { symbol: string; derivative: boolean },
  price: number,
): number | null {
  if (!(price > 0)) return null;
  const steps = derivative && /\d(CE|PE)$/.test(symbol) ? OPTION : OTHER;
  return steps.find(({ below }) => price < below)?.percent ?? null;
}
