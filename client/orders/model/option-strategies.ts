/** Option strategies that are ready to choose: which options they are made of, by strikes from the money. */
import type { Side } from './order-terms';

export const OPTION_STRATEGIES = ['butterfly', 'condor', 'spread', 'straddle', 'strangle'] as const;
/** One of `OPTION_STRATEGIES`. */
export type OptionStrategy = (typeof OPTION_STRATEGIES)[number];
export type OptionType = 'CE' | 'PE';

/** Terms of a strategy. */
export interface OptionStrategyTerms {
  shape: OptionStrategy;
  /** BUY for the side that pays premium as a rule, SELL for the one that receives it. */
  side: Side;
  /** Option types of a spread, a condor or a butterfly: calls, puts, or (not for a spread) both, which is called iron. */
  madeOf: OptionType | 'both';
  /** Strikes from the money to the inner options; not of a straddle or a butterfly. From 1, of a spread from 0. */
  distance: number;
  /** Strikes from the inner to the outer options: of a spread, a condor or a butterfly. From 1. */
  width: number;
}

/** One option of a strategy. */
export interface OptionStrategyLeg {
  optionType: OptionType;
  /** Strikes above the money; below it negative. */
  strike: number;
  side: Side;
  /** Number of options for one unit of the strategy. */
  ratio: number;
}

const opposite = (side: Side): Side => (side === 'BUY' ? 'SELL' : 'BUY');

/** Returns the options of a strategy. Its shape determines the ratios of purchases and sales. */
export function legsOfStrategy({ shape, side, madeOf, distance, width }: OptionStrategyTerms): OptionStrategyLeg[] {
  const other = opposite(side);
  const leg = (optionType: OptionType, strike: number, of: Side, ratio = 1): OptionStrategyLeg => ({
    optionType,
    strike,
    side: of,
    ratio,
  });
  if (shape === 'straddle') return [leg('CE', 0, side), leg('PE', 0, side)];
  if (shape === 'strangle') return [leg('CE', distance, side), leg('PE', -distance, side)];
  if (shape === 'spread') {
    const [type, away] = madeOf === 'PE' ? (['PE', -1] as const) : (['CE', 1] as const);
    return [leg(type, away * distance, side), leg(type, away * (distance + width), other)];
  }
  const inner = shape === 'butterfly' ? 0 : distance;
  const outer = inner + width;
  // Of calls and puts the body is what brings the premium in; of one kind the wings are what costs it.
  if (madeOf === 'both')
    return [leg('CE', inner, side), leg('PE', -inner, side), leg('CE', outer, other), leg('PE', -outer, other)];
  const body = inner === 0 ? [leg(madeOf, 0, other, 2)] : [leg(madeOf, -inner, other), leg(madeOf, inner, other)];
  return [leg(madeOf, -outer, side), ...body, leg(madeOf, outer, side)];
}
