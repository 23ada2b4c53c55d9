/** Effects of corporate actions on prices and on the terms of contracts. Prices are paise. */
import type { Instrument } from '../reference/types';
import type { EffectiveAction } from '../../shared/corporate-actions';

/** Strikes are rounded to five hundredths of a rupee, the tick of options. */
const STRIKE_TICK = 5;

/** Factor by which a share's price is multiplied at its ex-date, so that nobody gains or loses. */
export function priceFactor({ before, after, dividend, close }: EffectiveAction): number {
  return (before / after) * (1 - dividend / close);
}

/** Factor by which the close before the ex-date is multiplied: an ordinary dividend leaves it unchanged. */
export function baseFactor(action: EffectiveAction): number {
  return action.dividend > 0 && !action.extraordinary ? 1 : priceFactor(action);
}

/** Number of shares there that are for one of before. */
export function shareFactor(actions: readonly Pick<EffectiveAction, 'before' | 'after'>[]): number {
  return actions.reduce((factor, { before, after }) => (factor * after) / before, 1);
}

/** A strike after corporate actions: divided by the adjustment factor, or reduced by the extraordinary dividend. */
export function adjustedStrike(strike: number, actions: readonly EffectiveAction[]): number {
  return actions.reduce((price, { before, after, dividend, extraordinary }) => {
    const less = extraordinary ? dividend : 0;
    return Math.max(STRIKE_TICK, Math.round(((price - less) * before) / after / STRIKE_TICK) * STRIKE_TICK);
  }, strike);
}

/** A contract with its terms at listing, before corporate actions; any other instrument unchanged. */
export function asListed(instrument: Instrument): Instrument {
  return instrument.listed === undefined ? instrument : { ...instrument, ...instrument.listed };
}

/** The strike that an option was listed with. */
export function listedStrike({ listed, strikePrice }: Instrument): number {
  return listed?.strikePrice ?? strikePrice;
}

/**
 * A contract with the terms that corporate actions of its share have given it: lot and freeze quantity multiplied, the strike
 * adjusted and named. It keeps its ref_id.
 * @param contract with its terms at listing
 */
export function adjustedContract(contract: Instrument, actions: readonly EffectiveAction[]): Instrument {
  const { lotSize, lotMultiplier, freezeQty, strikePrice, derivativeType } = contract;
  const factor = shareFactor(actions);
  const adjusted: Instrument = {
    ...contract,
    lotSize: Math.round(lotSize * factor),
    lotMultiplier: Math.round(lotMultiplier * factor),
    freezeQty: Math.floor(freezeQty * factor),
    listed: { strikePrice, lotSize, lotMultiplier, tickSize: contract.tickSize },
  };
  return derivativeType === 'OPT' ? renamed(adjusted, adjustedStrike(strikePrice, actions)) : adjusted;
}

/** An option with another strike, and the names that follow from it. */
function renamed(option: Instrument, strike: number): Instrument {
  const { symbol, platName, displayName, strikePrice, optionType } = option;
  const instead = (name: string, old: string, fresh: string): string => name.slice(0, -old.length) + fresh;
  const [from, to] = [strikePrice / 100, strike / 100];
  const name = instead(symbol, `${from}${optionType}`, `${to}${optionType}`);
  return {
    ...option,
    strikePrice: strike,
    symbol: name,
    stockName: name,
    platName: instead(platName, String(strikePrice), String(strike)),
    displayName: instead(displayName, `${from} ${optionType}`, `${to} ${optionType}`),
  };
}
