/** One sentence about a strategy that is built and not placed, for a message to the user: in rupees, with the words of the panel. */
import { instrumentName } from '../../../../client/instruments/contract-name';
import type { Payoff } from '../../../../client/options/payoff';
import type { OptionStrategy } from '../../../../client/orders/model/option-strategies';
import { quantityText, rupeesText } from '../../../../client/values/amounts';
import { showDate } from '../../../../client/values/time';
import { choiceName } from '../../../shared/itemLabels';
import { strategyFields, type PricedLeg } from './strategyFields';

interface BuiltStrategy {
  shape: OptionStrategy;
  underlying: string;
  /** YYYY-MM-DD. */
  expiry: string;
  legs: readonly PricedLeg[];
  /** Paise. */
  payoff: Payoff;
  /** Paise; null if it was not asked for, or is not told. */
  margin: number | null;
  /** Of entering, as `margin`. */
  charges: number | null;
}

/** Returns what can be earned, or lost, at most. @param paise null for no limit; 0 or less where it cannot come to that */
function limitText(verb: string, paise: number | null): string {
  if (paise === null) return `${verb}s without a limit`;
  return paise > 0 ? `${verb}s ${rupeesText(paise)} at most` : `cannot ${verb} anything`;
}

/** Returns the sentence: `Straddle of NIFTY, expiry 24 Nov 2026: sell 65 …CE, sell 65 …PE. ₹17,589.00 received, …` */
export function strategySummary({ shape, underlying, expiry, legs, payoff, margin, charges }: BuiltStrategy): string {
  const { premium, maxProfit, maxLoss, breakevens } = payoff;
  const name = choiceName(strategyFields)('strategy', shape) ?? shape;
  const options = legs.map(
    ({ side, quantity, instrument }) =>
      `${side === 'BUY' ? 'buy' : 'sell'} ${quantityText(quantity)} ${instrumentName(instrument, expiry)}`,
  );
  const results = [
    `${rupeesText(Math.abs(premium))} ${premium < 0 ? 'received' : 'paid'}`,
    limitText('earn', maxProfit),
    limitText('lose', maxLoss),
    ...(breakevens.length === 0 ? [] : [`breaks even at ${breakevens.map(rupeesText).join(' and ')}`]),
  ];
  const needs = [
    ...(margin === null ? [] : [`, margin ${rupeesText(margin)}`]),
    ...(charges === null ? [] : [`, charges ${rupeesText(charges)} to enter`]),
  ];
  return `${name} of ${underlying}, expiry ${showDate(expiry)}: ${options.join(', ')}. ${results.join(', ')} before charges${needs.join('')}. Nothing was placed.`;
}
