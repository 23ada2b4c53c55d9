/** Ratios of a company's books, its price and its candles. */
import { assetsOf, beforeTax, equityOf, type BookedQuarter, type IncomeStatement } from './books';

const QUARTERS_OF_YEAR = 4;
const hundredths = (value: number): number | null => (Number.isFinite(value) ? Math.round(value * 100) / 100 : null);

/**
 * Key ratios of the last four quarters. @param price paise. @param shares of now
 * @returns ratios and percents with two decimals; `eps` in rupees, `market_cap` in paise
 */
export function keyRatios(quarters: readonly BookedQuarter[], price: number, shares: number) {
  const year = quarters.slice(-QUARTERS_OF_YEAR);
  const { closing } = quarters.at(-1)!;
  const over = (of: (income: IncomeStatement) => number): number =>
    year.reduce((sum, { income }) => sum + of(income), 0);
  const profit = over(({ netProfit }) => netProfit);
  const equity = equityOf(closing);
  const cap = price * shares;
  const operating = over((income) => beforeTax(income) + income.interest);
  return {
    p_e_ratio: hundredths(cap / profit),
    p_b_ratio: hundredths(cap / equity),
    roe: hundredths((100 * profit) / equity),
    roa: hundredths((100 * profit) / assetsOf(closing)),
    roce: hundredths((100 * operating) / (equity + closing.borrowings)),
    eps: hundredths(profit / shares / 100),
    market_cap: cap,
  };
}

/** The exponential mean of closes over so many days, paise; null where there are fewer. */
function exponential(closes: readonly number[], days: number): number | null {
  if (closes.length < days) return null;
  const first = closes.slice(0, days).reduce((sum, close) => sum + close, 0) / days;
  return closes.slice(days).reduce((mean, close) => mean + ((close - mean) * 2) / (days + 1), first);
}

/** Wilder's relative strength over so many days; null where there are too few. */
function strength(closes: readonly number[], days: number): number | null {
  if (closes.length <= days) return null;
  let [gain, loss] = [0, 0];
  closes.slice(1).forEach((close, at) => {
    const move = close - closes[at]!;
    const weight = at < days ? 1 / (at + 1) : 1 / days;
    gain += (Math.max(move, 0) - gain) * weight;
    loss += (Math.max(-move, 0) - loss) * weight;
  });
  return gain + loss === 0 ? 50 : (100 * gain) / (gain + loss);
}

/** Indicators over daily closes (paise), oldest first. */
export function technicalRatios(closes: readonly number[]) {
  const [fast, slow] = [exponential(closes, 12), exponential(closes, 26)];
  const rounded = (value: number | null): number | null => (value === null ? null : hundredths(value));
  return {
    ema12d: rounded(fast),
    ema26d: rounded(slow),
    macd: rounded(fast === null || slow === null ? null : fast - slow),
    rsi: rounded(strength(closes, 14)),
  };
}
