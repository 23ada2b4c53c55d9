/**
 * Exits of a strategy: at which net profit of all its legs together they are to be closed. Pure; what is remembered is plain data, so that
 * it outlives a restart. Amounts are paise, below 0 for a loss; quantities are units.
 */
import { InputError } from '../base/errors';
import type { HeldQuantity } from '../closing/held';
import { netQuantityOf } from '../portfolio/net-quantity';
import type { TradedInstrument } from '../orders/model/order-terms';
import { contractIn, type Position } from '../portfolio/portfolio';
import { contractValue, isKnownContract } from '../values/contract-value';
import { knownMarketPrice } from '../values/market-price';
import { numberIn } from '../values/record';
import type { ExitReason, ExitTime } from './held-exits';

/** An amount of net profit, paise, or a share of the net premium in hundredths of a percent; above 0. */
export type ProfitDistance = { profit: number } | { percent: number };

/** Exits that the user wants for a strategy. */
export interface StrategyExitInput {
  /** Maximum loss. */
  stop?: ProfitDistance;
  /** Profit at which it closes. */
  target?: ProfitDistance;
  /** Distance that its net profit may come back from the best since the exits are kept. */
  trail?: ProfitDistance;
  /** Profit from which on the trailing stop works; undefined if it does from the beginning. */
  trailAfter?: ProfitDistance;
  time?: ExitTime;
}

/** The net profits at which it is closed; `trail` is the distance from the best, which must have reached `trailFrom`. */
export interface StrategyLevels {
  stop?: number;
  target?: number;
  trail?: number;
  trailFrom?: number;
}

/** A position of a strategy that is open. */
export interface StrategyLeg {
  instrument: TradedInstrument;
  held: HeldQuantity;
}

const HUNDREDTHS = 10_000;

/**
 * The levels of a strategy.
 * @param premium what its options were bought and sold for together; undefined where it is not known, or 0.
 * @throws InputError where an exit is a share of a premium that is not known.
 */
export function strategyLevels(
  { stop, target, trail, trailAfter }: StrategyExitInput,
  premium: number | undefined,
): StrategyLevels {
  const amount = (distance: ProfitDistance): number => {
    if ('profit' in distance) return distance.profit;
    if (premium === undefined)
      throw new InputError('The exits cannot be a share of the net premium: it is not known, or 0.', {
        hint: 'Set Exits Given As to Net Profit, or wait until the options are held and have average prices.',
      });
    return Math.max(1, Math.round((Math.abs(premium) * distance.percent) / HUNDREDTHS));
  };
  return {
    ...(stop && { stop: -amount(stop) }),
    ...(target && { target: amount(target) }),
    ...(trail && { trail: amount(trail) }),
    ...(trailAfter && { trailFrom: amount(trailAfter) }),
  };
}

/** Returns the net profit at which the trailing stop closes; undefined if there is none, or it has not begun. @param best the best one so far */
export function trailProfit({ trail, trailFrom }: StrategyLevels, best: number): number | undefined {
  return trail === undefined || (trailFrom !== undefined && best < trailFrom) ? undefined : best - trail;
}

/** Returns the exit that a net profit has reached; a stop loss before a trailing one, both before the target. @param best the best one so far */
export function reachedLevel(levels: StrategyLevels, best: number, profit: number): ExitReason | undefined {
  const { stop, target } = levels;
  const trail = trailProfit(levels, best);
  if (stop !== undefined && profit <= stop) return 'stop';
  if (trail !== undefined && profit <= trail) return 'trail';
  return target !== undefined && profit >= target ? 'target' : undefined;
}

/** Returns the cost of the bought options less the proceeds of the sold ones; undefined if it is not known, or comes to 0. */
export function premiumOf(legs: readonly StrategyLeg[]): number | undefined {
  let premium = 0;
  for (const { instrument, held } of legs) {
    if (held.position.segment !== 'option') continue;
    if (held.price === undefined || !isKnownContract(instrument)) return undefined;
    premium += contractValue(instrument, held.price, held.units);
  }
  return premium === 0 ? undefined : Math.round(premium);
}

/**
 * Returns the realised part of the profit that a position shows; undefined if the record does not tell enough.
 * @param held its units, signed.
 */
function realisedIn(position: Position, held: number): number | undefined {
  const [pnl, average, last] = [
    numberIn(position, 'pnl'),
    numberIn(position, 'avg_price'),
    knownMarketPrice(position.ltp),
  ];
  const contract = contractIn(position);
  if (pnl === null || average === null || last === undefined || contract === undefined) return undefined;
  return Math.round(pnl - contractValue(contract, last - average, held));
}

/** Returns the profit of a leg from before it was seen, by its records; undefined if they do not tell enough. */
export function earnedBefore(records: readonly Position[]): number | undefined {
  let sum = 0;
  for (const record of records) {
    const units = record.segment === 'closed' ? 0 : netQuantityOf(record);
    const before = units === undefined ? undefined : units === 0 ? record.pnl : realisedIn(record, units);
    if (typeof before !== 'number') return undefined;
    sum += before;
  }
  return sum;
}
