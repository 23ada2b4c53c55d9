/** Words on the figures of a session report, and on their certainty. */
import { rupees } from '../../shared/money';

/** Trading days in a year, by which a daily figure becomes a yearly one. */
const DAYS_A_YEAR = 252;
/** With fewer closed trades no average is told from luck. */
const MIN_TRADES = 30;
/** Standard errors beyond which chance explains less than one result in twenty. */
const SURE = 2;

/** A ratio with its standard error. */
export interface SharpeEstimate {
  value: number;
  error: number;
  days: number;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

/** Standard deviation of a sample; 0 for fewer than two values. */
export function deviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const middle = mean(values);
  return Math.sqrt(sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1));
}

/**
 * Sharpe ratio of a year by daily returns (fractions of the capital, without an interest rate taken off), and its
 * standard error (Lo 2002, returns independent of each other).
 * @returns undefined for fewer than two days, or where no day differs from another
 */
export function sharpe(returns: readonly number[]): SharpeEstimate | undefined {
  const spread = deviation(returns);
  if (spread === 0) return undefined;
  const daily = mean(returns) / spread;
  const year = Math.sqrt(DAYS_A_YEAR);
  return {
    value: roundRatio(daily * year),
    error: roundRatio(Math.sqrt((1 + daily ** 2 / 2) / returns.length) * year),
    days: returns.length,
  };
}

/** To three decimals: more would be noise. */
export function roundRatio(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** In plain words: whether the closed trades say anything at all. @param nets profit of each after costs, paise */
export function verdictOf(nets: readonly number[]): string {
  const count = nets.length;
  if (count === 0) return 'No trade was closed: there is nothing to judge.';
  const trades = count === 1 ? '1 closed trade' : `${count} closed trades`;
  if (count < MIN_TRADES) return `${trades}: fewer than ${MIN_TRADES} prove nothing. This could be pure luck.`;
  const average = mean(nets);
  const error = deviation(nets) / Math.sqrt(count);
  const reported = `${trades} ${average < 0 ? 'lost' : 'made'} ₹${rupees(Math.abs(Math.round(average)))} each on average, give or take ₹${rupees(Math.round(SURE * error))}`;
  if (Math.abs(average) <= SURE * error) return `${reported}: this can well be luck.`;
  return `${reported}: luck alone seldom makes such a ${average > 0 ? 'profit' : 'loss'} (1 time in 20). That holds only if the rules were made before these days were looked at, and for days like these.`;
}
