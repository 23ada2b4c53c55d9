/** Converts an amount of money, a share of the funds or a risk to units: in whole lots, rounded down. Money is paise. */
import { contractValue, isKnownContract, whyUnvalued } from '../../values/contract-value';
import { InputError } from '../../base/errors';
import type { KnownPrice } from '../../values/market-price';
import { showMoney, type MoneyUnit } from '../../values/money';
import type { Side, TradedInstrument } from './order-terms';

/** The money is too little for one lot: nothing can be placed. */
export class TooSmallError extends InputError {}

/** Limit of an order's cost, or of its loss. */
export interface Sizing {
  /** Paise to spend; with a stop, paise to lose. */
  money: number;
  /** Paise: what one unit is expected to cost. */
  entry: KnownPrice;
  /** Stop price, paise; left out if the money is spent. */
  stop?: number;
  side: Side;
  instrument: TradedInstrument;
  unit: MoneyUnit;
  /** The parameter of an error, and its display name. */
  parameter: string;
  label: string;
}

/**
 * Returns units in whole lots, rounded down, so that the amount to spend or to risk is never exceeded.
 * @throws TooSmallError for less than one lot; InputError for a stop on the side of the gain, or at the entry.
 */
export function unitsFor({ money, entry, stop, side, instrument, unit, parameter, label }: Sizing): number {
  const { lotSize, symbol } = instrument;
  const show = (paise: number): string => showMoney(unit, Math.round(paise));
  const loss = stop === undefined ? entry : side === 'BUY' ? entry - stop : stop - entry;
  if (stop !== undefined && loss <= 0)
    throw new InputError(
      `The stop ${show(stop)} must be ${side === 'BUY' ? 'below' : 'above'} the entry ${show(entry)}. Nothing was sent.`,
      { parameter: 'stopPrice', hint: 'Give a stop on the side of the loss.' },
    );
  if (!isKnownContract(instrument))
    throw new InputError(`${label}: ${whyUnvalued(instrument)} Nothing was sent.`, {
      parameter,
      hint: 'Give the quantity in lots.',
    });
  const perLot = contractValue(instrument, loss, lotSize);
  const units = Math.floor(money / perLot) * lotSize;
  if (units >= 1 && Number.isSafeInteger(units)) return units;
  if (units >= 1) throw new InputError(`${label} ${show(money)} is too large.`, { parameter });
  const what = stop === undefined ? 'costs' : 'risks';
  const name = lotSize > 1 ? `one lot of ${lotSize}` : 'one';
  throw new TooSmallError(
    `${label} ${show(money)} comes to 0 of ${symbol}: ${name} ${what} ${show(perLot)}. Nothing was sent.`,
    { parameter, hint: 'Give more, choose another instrument, or set When Too Small to Skip the Item.' },
  );
}
