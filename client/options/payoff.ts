/**
 * Profit at expiry of options bought and sold together. Prices and amounts are paise. The profit is a line that bends at the strikes only,
 * so that its values at the strikes and its slope beyond the last one determine it.
 */
import { contractValue, type KnownContract } from '../values/contract-value';
import type { KnownPrice, MarketPrice } from '../values/market-price';
import type { OptionType } from '../orders/model/option-strategies';

/** One option of a strategy, with its cost. */
export interface PricedOption {
  optionType: OptionType;
  /** Paise. */
  strike: number;
  /** Units; negative for a sale. */
  units: number;
  /** Price of one unit. */
  premium: MarketPrice;
  contract: KnownContract;
}

/** Profit (a loss is negative) at a price of the underlying at expiry; both paise. */
export interface PayoffPoint {
  price: number;
  profit: number;
}

/** Cost of a strategy, and its possible results at expiry. Charges are not counted. */
export interface Payoff {
  /** Paise for all units: paid when positive, received when negative. */
  premium: number;
  /** Paise; null if it has no limit. */
  maxProfit: number | null;
  /** The most that can be lost, paise; null if it has no limit; negative when even the worst is a profit. */
  maxLoss: number | null;
  /** Prices of the underlying between profit and loss, paise, ascending. */
  breakevens: number[];
  /** The corners of the line, its breakevens and the price of now, with some room on both sides; by price, ascending. */
  points: PayoffPoint[];
}

/** Room beside the outermost corner, as a share of what lies between, and at least of the price. */
const ROOM = { ofSpan: 0.25, ofPrice: 0.02 };

/** Profit of all options when the underlying ends at a price; paise. */
export function profitAt(options: readonly PricedOption[], price: number): number {
  return options.reduce((sum, { optionType, strike, units, premium, contract }) => {
    const worth = Math.max(0, optionType === 'CE' ? price - strike : strike - price);
    return sum + contractValue(contract, worth - premium, units);
  }, 0);
}

/** Returns the profit of each further paisa of the underlying above all strikes. */
function slopeAbove(options: readonly PricedOption[]): number {
  return options.reduce(
    (sum, { optionType, units, contract }) => sum + (optionType === 'CE' ? contractValue(contract, 1, units) : 0),
    0,
  );
}

function ascending(prices: readonly number[]): number[] {
  return [...new Set(prices)].sort((a, b) => a - b);
}

/** Returns the prices at which the line crosses or touches zero. A price between two paise is rounded to the nearer. */
function breakevensOf(options: readonly PricedOption[], corners: readonly number[]): number[] {
  const found: number[] = [];
  for (const [at, price] of corners.entries()) {
    const profit = profitAt(options, price);
    if (profit === 0 && price > 0) found.push(price);
    const next = corners[at + 1];
    if (next === undefined) {
      const slope = slopeAbove(options);
      if (profit * slope < 0) found.push(Math.round(price - profit / slope));
    } else {
      const after = profitAt(options, next);
      if (profit * after < 0) found.push(Math.round(price + ((next - price) * profit) / (profit - after)));
    }
  }
  return ascending(found);
}

/**
 * Premium, best and worst result, breakevens and the line of the profit at expiry.
 * @param spot price of the underlying now, paise.
 */
export function payoffOf(options: readonly PricedOption[], spot: KnownPrice): Payoff {
  const strikes = ascending(options.map(({ strike }) => strike));
  // A price cannot fall below 0: what is lost on a put that is sold has a limit.
  const corners = ascending([0, ...strikes]);
  const profits = corners.map((price) => profitAt(options, price));
  const slope = slopeAbove(options);
  const breakevens = breakevensOf(options, corners);
  const shown = [...strikes, ...breakevens, spot];
  const [lowest, highest] = [Math.min(...shown), Math.max(...shown)];
  const room = Math.round(Math.max((highest - lowest) * ROOM.ofSpan, spot * ROOM.ofPrice));
  const prices = ascending([Math.max(0, lowest - room), ...shown, highest + room]);
  return {
    premium: options.reduce((sum, { units, premium, contract }) => sum + contractValue(contract, premium, units), 0),
    maxProfit: slope > 0 ? null : Math.max(...profits),
    maxLoss: slope < 0 ? null : -Math.min(...profits),
    breakevens,
    points: prices.map((price) => ({ price, profit: profitAt(options, price) })),
  };
}
