import { blackPrice } from './black76';

/** Volatilities of options out of their prices. */

const { exp } = Math;

/** Between these volatilities per year one is sought, and so many times their distance is halved. */
const [LOWEST, HIGHEST] = [0.01, 5];
const HALVINGS = 40;

/**
 * The volatility per year, a fraction, at which a call and a put of one strike are worth together what they were traded at.
 * @param straddle prices and strike in one unit. @param years to expiry. @param rate interest per year
 * @returns undefined where there is none from 1 % to 500 %
 */
export function volatilityOf(
  { strike, call, put }: { strike: number; call: number; put: number },
  years: number,
  rate: number,
): number | undefined {
  const forward = strike + (call - put) * exp(rate * years);
  if (forward <= 0) return undefined;
  const worth = (volatility: number): number =>
    blackPrice(forward, { strike, put: false, years, volatility, rate }) +
    blackPrice(forward, { strike, put: true, years, volatility, rate });
  let [low, high] = [LOWEST, HIGHEST];
  if (worth(low) > call + put || worth(high) < call + put) return undefined;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (worth(middle) < call + put) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
