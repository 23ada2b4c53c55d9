/** The strikes of a strategy by the deltas of its options, instead of by their distance from the money. */
import { InputError } from '../base/errors';
import type { OptionChain, OptionLeg } from '../market/option-chain';
import { legsOfStrategy, type OptionStrategyLeg, type OptionStrategyTerms } from '../orders/model/option-strategies';

/** Deltas of the options; without signs, as fractions: 0.2. Not for a straddle. */
export interface OptionDeltas {
  /** Delta of the options nearest to the money; not for a butterfly, whose body is at it. */
  inner?: number;
  /** Delta of those further away; not for a strangle. Lower than `inner`. */
  outer?: number;
}

/** One option of a strategy, as the chain has it. */
export interface ChosenOption {
  leg: OptionStrategyLeg;
  option: OptionLeg;
}

type Chain = Pick<OptionChain, 'strikes' | 'asset' | 'expiry'>;

/** The farthest delta that counts as near where the chain tells none on the other side of the wanted one. */
const NEAR = 0.1;

const rounded = (delta: number): number => Math.round(delta * 10_000) / 10_000;

/**
 * The strike whose option of this type has the delta that is nearest; undefined if the chain tells no delta.
 * @throws InputError if all that it tells lie on one side of the wanted one, and none near
 */
function strikeAt(chain: Chain, key: 'ce' | 'pe', delta: number, parameter: string): number | undefined {
  const withDelta = chain.strikes
    .map((strike) => ({ strike: strike.strike_price, delta: Math.abs(strike[key]?.delta ?? 0) }))
    .filter((option) => option.delta > 0 && option.delta <= 1);
  const [first, ...others] = withDelta;
  if (first === undefined) return undefined;
  const distanceOf = (option: { delta: number }): number => Math.abs(option.delta - delta);
  const nearest = others.reduce((best, option) => (distanceOf(option) < distanceOf(best) ? option : best), first);
  const deltas = withDelta.map((option) => option.delta);
  const [minDelta, maxDelta] = [Math.min(...deltas), Math.max(...deltas)];
  if ((minDelta > delta || maxDelta < delta) && distanceOf(nearest) > NEAR)
    throw new InputError(
      `The service gives no delta near ${delta} for the ${chain.asset} ${key.toUpperCase()} options that expire on ${chain.expiry ?? 'that day'}: those that it gives are from ${rounded(minDelta)} to ${rounded(maxDelta)}.`,
      { parameter, hint: 'Choose the strikes by their distance from the money, or another expiry.' },
    );
  return nearest.strike;
}

/**
 * The options of a strategy by their deltas. Strikes above the money are those of the call with the delta, strikes below
 * it those of the put, whatever the strategy is made of. Parameters that errors name: deltaNear, deltaFar, underlying.
 * @throws InputError when the service tells no deltas, an option is not in the chain, or two options of the strategy
 *   would be the same.
 */
export function optionsByDelta(
  chain: Chain,
  terms: Omit<OptionStrategyTerms, 'distance' | 'width'>,
  { inner, outer }: OptionDeltas,
): ChosenOption[] {
  const isButterfly = terms.shape === 'butterfly';
  const chosen = legsOfStrategy({ ...terms, distance: isButterfly ? 0 : 1, width: 1 }).map((leg) => {
    const step = Math.abs(leg.strike);
    const isInner = step === 1 && !isButterfly;
    const delta = step === 0 ? undefined : isInner ? inner : outer;
    const strike =
      delta === undefined
        ? chain.strikes.find(({ at_the_money }) => at_the_money)?.strike_price
        : strikeAt(chain, leg.strike > 0 ? 'ce' : 'pe', delta, isInner ? 'deltaNear' : 'deltaFar');
    const expiry = chain.expiry ?? 'that day';
    if (strike === undefined && delta === undefined)
      throw new InputError(
        `The option chain of ${chain.asset} tells no strike at the money: the underlying has no price. Nothing was sent.`,
        { parameter: 'underlying', hint: 'Try again when it has traded.' },
      );
    if (strike === undefined)
      throw new InputError(`The service gives no deltas for the ${chain.asset} options that expire on ${expiry}.`, {
        parameter: 'underlying',
        hint: 'Choose the strikes by their distance from the money.',
      });
    const row = chain.strikes.find(({ strike_price }) => strike_price === strike);
    const option = leg.optionType === 'CE' ? row?.ce : row?.pe;
    if (option === undefined || option === null)
      throw new InputError(
        `The option chain of ${chain.asset} for ${expiry} has no ${leg.optionType} at the strike of one of the legs.`,
        { parameter: 'underlying', hint: 'Choose the strikes by their distance from the money, or another expiry.' },
      );
    return { leg, option };
  });
  requireApart(chosen, isButterfly);
  return chosen;
}

/** @throws InputError unless the strikes are in the order that the shape has them in. */
function requireApart(chosen: readonly ChosenOption[], isButterfly: boolean): void {
  for (const a of chosen)
    for (const b of chosen)
      if (a.leg.strike < b.leg.strike && a.option.strike_price >= b.option.strike_price)
        throw new InputError(
          'Two options of the strategy would have the same strike, because no strikes lie between these deltas.',
          {
            parameter: 'deltaFar',
            hint: isButterfly
              ? 'Choose a lower delta for the wings.'
              : 'Choose deltas that are further apart, or an expiry with more strikes.',
          },
        );
}
