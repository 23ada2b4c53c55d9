/**
 * Devolvement: an option on a future (MCX) that expires in the money becomes a position in the future, at the strike. A bought call and a
 * sold put become a bought future, a bought put and a sold call a sold one. In the days before, bought options in the money need a
 * growing margin.
 */
import { effectiveOn } from '../shared/effective-date';
import { mulDiv } from '../shared/money';
import type { Instrument } from '../market/reference/types';
import type { AccountStore } from './account-store';
import { DEVOLVEMENTS } from './data/devolvements';
import { derivativeMargin } from './span';

/** A trade of a future; `price` is paise, `quantity` below 0 for a sale. */
export interface Devolvement {
  future: Instrument;
  quantity: number;
  price: number;
}

/**
 * Returns the position that an option becomes; undefined if it is on no future, or not in the money.
 * @param settlement price of the future, paise
 */
export function devolvementOf(
  store: AccountStore,
  { settlesInto, optionType, strikePrice }: Instrument,
  quantity: number,
  settlement: number,
): Devolvement | undefined {
  const future = settlesInto === undefined ? undefined : store.knownInstrument(settlesInto);
  const isCall = optionType === 'CE';
  if (future === undefined || (isCall ? settlement <= strikePrice : settlement >= strikePrice)) return undefined;
  return { future, quantity: isCall ? quantity : -quantity, price: strikePrice };
}

/** True if a bought option is so near its expiry that it may need the margin of its future. */
export function isNearDevolvement(store: AccountStore, instrument: Instrument): boolean {
  return instrument.settlesInto !== undefined && percentOf(store, instrument) > 0;
}

/**
 * Returns the margin of a bought option that is about to become a future, paise; 0 if it is not in the money.
 * @param futurePrice paise
 */
export function devolvementMargin(
  store: AccountStore,
  option: Instrument,
  quantity: number,
  futurePrice: number,
): number {
  const becomes = devolvementOf(store, option, quantity, futurePrice);
  if (becomes === undefined) return 0;
  const position = { instrument: becomes.future, quantity: becomes.quantity, price: futurePrice };
  const { span, exposure } = derivativeMargin([position], () => futurePrice, store.date);
  return mulDiv(span + exposure, percentOf(store, option), 100);
}

function percentOf(store: AccountStore, { exchange, expiry }: Instrument): number {
  const { margins } = effectiveOn(DEVOLVEMENTS, store.date);
  return margins[store.tradingDaysUntil(exchange, expiry, margins.length)] ?? 0;
}
