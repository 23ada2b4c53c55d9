/** Options by their distance from the money. */
import { NotListedError } from '../base/errors';
import { rupeesText } from '../values/amounts';
import type { KnownPrice } from '../values/market-price';
import { istDate } from '../values/time';
import { byExpiry, chooseExpiry, expiriesOf, noDerivatives, showExpiries, type ExpiryChoice } from './expiries';
import type { Instrument } from './instrument';
import type { InstrumentStore } from './store';
import { underlyingSymbol } from './underlying';

/** An option given by its distance from the money. */
export interface OptionByOffset {
  /** Symbol of the underlying. */
  underlying: string;
  expiry: ExpiryChoice;
  optionType: 'CE' | 'PE';
  /** Strikes away from the money: 0 at it, positive out of it, negative in it. */
  offset: number;
  /** Hundredths of a percent of the price between the money and the strike: positive out of it, negative in it. Left out: none. */
  percentAway?: number;
  /** Price of the underlying. */
  spot: KnownPrice;
  /** True if the person gave it: then it need not be among the strikes. */
  isOwnSpot?: boolean;
}

const strikesOf = (count: number): string => `${count} strike${count === 1 ? '' : 's'}`;

/**
 * Returns the option at a number of strikes from the money. At the money is the strike nearest to the price of the underlying; between two,
 * the lower one. Out of the money is above it for a call, below it for a put. With a percentage it is the strike nearest to the price that
 * is so far from the money.
 * @param now milliseconds since the epoch
 * @throws InputError if the underlying, the expiry or the strike does not exist.
 */
export function optionByOffset(store: InstrumentStore, requested: OptionByOffset, now: number): Instrument {
  const underlying = underlyingSymbol(store, requested.underlying);
  const days = byExpiry(store, underlying, 'OPT', istDate(now));
  if (days.length === 0) throw noDerivatives(store, requested.underlying, 'underlying');
  const chosen = chooseExpiry(store, expiriesOf(days), requested.expiry, underlying, now);
  const chain = days
    .filter(({ expiry }) => expiry === chosen)
    .flatMap(({ rows }) => Array.from(rows))
    .filter((row) => store.optionType(row) === requested.optionType && store.strike(row) > 0);
  const strikes = [...new Set(chain.map((row) => store.strike(row)))];
  const away = ((requested.optionType === 'CE' ? 1 : -1) * (requested.percentAway ?? 0)) / 10_000;
  const targetStrike = requested.spot * (1 + away);
  if (away === 0 && requested.isOwnSpot !== true) requireMoneyAmong(strikes, requested.spot, underlying);
  if (away !== 0) requireStrikesAround(targetStrike, strikes, underlying);
  const distance = (strike: number) => Math.abs(strike - targetStrike);
  const atTheMoney = strikes.reduce(
    (best, strike, at) => (at === 0 || distance(strike) < distance(strikes[best]!) ? at : best),
    0,
  );
  const strike = strikes[atTheMoney + (requested.optionType === 'CE' ? requested.offset : -requested.offset)];
  const [row, twin] = chain.filter((option) => store.strike(option) === strike);
  if (row !== undefined && twin !== undefined) throw store.namedTwice(row, twin);
  if (row !== undefined) return store.instrument(row);
  const outermost =
    requested.offset > 0 === (requested.optionType === 'CE') ? strikes.length - 1 - atTheMoney : atTheMoney;
  throw new NotListedError(
    `${underlying} has no ${requested.optionType === 'CE' ? 'call' : 'put'} ${strikesOf(Math.abs(requested.offset))} ${requested.offset > 0 ? 'out of' : 'in'} the money that expires on ${showExpiries([chosen])}.`,
    {
      parameter: 'strikes',
      hint:
        strikes.length === 0
          ? 'The list has none of that type: choose another expiry.'
          : `On that side it has ${strikesOf(outermost)}: choose one of them, or another expiry.`,
    },
  );
}

/**
 * A price may be beyond the outermost strike by no more than the step to the one beside it: else no strike is at the money, and the price may
 * be that of another instrument.
 * @param strikes paise, ascending. @param spot paise. @throws NotListedError
 */
function requireMoneyAmong(strikes: readonly number[], spot: number, underlying: string): void {
  const [lowest, second] = strikes;
  const [next, highest] = strikes.slice(-2);
  if (lowest === undefined || second === undefined || next === undefined || highest === undefined) return;
  if (spot >= 2 * lowest - second && spot <= 2 * highest - next) return;
  throw new NotListedError(
    `${underlying} has no strike at the money on that expiry: the service gives its price as ${rupeesText(spot)}, and its strikes run from ${rupeesText(lowest)} to ${rupeesText(highest)}. Nothing was sent.`,
    {
      parameter: 'underlying',
      hint: `Compare the price of ${underlying} with another source. If it is right, choose the option by its name, or another expiry.`,
    },
  );
}

/** @throws NotListedError if a price, paise, is beyond the strikes (paise, ascending): the outermost would be much nearer than was asked for. */
function requireStrikesAround(targetStrike: number, strikes: readonly number[], underlying: string): void {
  const [lowest, highest] = [strikes[0], strikes.at(-1)];
  if (lowest === undefined || highest === undefined || (targetStrike >= lowest && targetStrike <= highest)) return;
  throw new NotListedError(`${underlying} has no strike near ${rupeesText(Math.round(targetStrike))} on that expiry.`, {
    parameter: 'percentAway',
    hint: `Its strikes run from ${rupeesText(lowest)} to ${rupeesText(highest)}: choose a smaller percentage, or another expiry.`,
  });
}
