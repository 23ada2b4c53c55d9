/** Figures of a report, and what they are reckoned with. */
const { log, sqrt } = Math;

/** One figure of the report. */
export interface Figure {
  name: string;
  value: number;
  /** Within which real markets have it. */
  least: number;
  most: number;
  source: string;
}

export const figure = (name: string, value: number, least: number, max: number, source: string): Figure => ({
  name,
  value,
  least,
  most: max,
  source,
});

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

export function correlation(a: readonly number[], b: readonly number[]): number {
  const [ma, mb] = [mean(a), mean(b)];
  const of = (item: (i: number) => number): number => a.reduce((sum, _value, i) => sum + item(i), 0);
  const together = of((i) => (a[i]! - ma) * (b[i]! - mb));
  return together / sqrt(of((i) => (a[i]! - ma) ** 2) * of((i) => (b[i]! - mb) ** 2));
}

/** Mean of fourth powers over the square of that of second powers, about the mean; 3 for a normal distribution. */
export function kurtosis(values: readonly number[]): number {
  const middle = mean(values);
  const power = (n: number): number => mean(values.map((value) => (value - middle) ** n));
  return power(4) / power(2) ** 2;
}

export const changes = (prices: readonly number[]): number[] =>
  prices.slice(1).map((price, i) => log(price / prices[i]!));

/** Standard deviation. */
export function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return sqrt(mean(values.map((value) => (value - middle) ** 2)));
}
