/** Options on futures (Black 1976): price and sensitivities, all in the unit of the forward and per year. */

const { abs, exp, log, sqrt } = Math;

/** Density of the standard normal distribution. */
export const normalDensity = (x: number): number => exp(-0.5 * x * x) / 2.5066282746310002;

/** Cumulative standard normal distribution (West's double-precision algorithm after Hart). */
export function normalDistribution(x: number): number {
  const a = abs(x);
  if (a > 37) return x > 0 ? 1 : 0;
  let tail: number;
  const e = exp((-a * a) / 2);
  if (a < 7.07106781186547) {
    const top =
      (((((3.52624965998911e-2 * a + 0.700383064443688) * a + 6.37396220353165) * a + 33.912866078383) * a +
        112.079291497871) *
        a +
        221.213596169931) *
        a +
      220.206867912376;
    const bottom =
      ((((((8.83883476483184e-2 * a + 1.75566716318264) * a + 16.064177579207) * a + 86.7807322029461) * a +
        296.564248779674) *
        a +
        637.333633378831) *
        a +
        793.826512519948) *
        a +
      440.413735824752;
    tail = (e * top) / bottom;
  } else {
    tail = e / (a + 1 / (a + 2 / (a + 3 / (a + 4 / (a + 0.65))))) / 2.506628274631;
  }
  return x > 0 ? 1 - tail : tail;
}

export interface OptionTerms {
  strike: number;
  put: boolean;
  /** Years to expiry, above 0. */
  years: number;
  /** Volatility per year, a fraction, above 0. */
  volatility: number;
  /** Continuously compounded interest per year. */
  rate: number;
}

const d1 = (forward: number, { strike, years, volatility }: OptionTerms): number =>
  log(forward / strike) / (volatility * sqrt(years)) + 0.5 * volatility * sqrt(years);

/** Price of an option at a forward price. */
export function blackPrice(forward: number, terms: OptionTerms): number {
  const { strike, put, years, volatility, rate } = terms;
  const first = d1(forward, terms);
  const second = first - volatility * sqrt(years);
  const discount = exp(-rate * years);
  return put
    ? discount * (strike * normalDistribution(-second) - forward * normalDistribution(-first))
    : discount * (forward * normalDistribution(first) - strike * normalDistribution(second));
}

/** Sensitivities per unit of the forward (delta, gamma), per unit of volatility (vega) and per year that passes (theta). */
export function blackGreeks(
  forward: number,
  terms: OptionTerms,
): { delta: number; gamma: number; vega: number; theta: number } {
  const { put, years, volatility, rate } = terms;
  const first = d1(forward, terms);
  const discount = exp(-rate * years);
  const bell = normalDensity(first);
  return {
    delta: discount * (put ? -normalDistribution(-first) : normalDistribution(first)),
    gamma: (discount * bell) / (forward * volatility * sqrt(years)),
    vega: discount * forward * bell * sqrt(years),
    theta: rate * blackPrice(forward, terms) - (discount * forward * bell * volatility) / (2 * sqrt(years)),
  };
}
