/** Limits of the older interface, refused before anything is sent; and the fields that it calls by other words. */
import { InputError } from '../../../base/errors';
import type { BasketTerms } from '../../model/basket-terms';
import type { OrderChange, OrderTerms, Validity } from '../../model/order-terms';

/**
 * The error of a wish that needs intent orders.
 * @param what in words: "an entry time".
 * @param instead what can be done, with a blank at its end.
 */
export function unsupportedByV2(what: string, parameter: string, instead = ''): InputError {
  return new InputError(`This account's order interface (Orders v2) does not have ${what}. Nothing was sent.`, {
    parameter,
    hint: `${instead}Only accounts with intent orders have it. Leave it out, or ask your broker to enable intent orders. "Order Interface" in the credential chooses between the two.`,
  });
}

const BY_TRIGGER = 'Set Exits Managed By to Trigger: the trigger "Order Exits" keeps them then. ';

/** Terms that the older interface can say. */
export type V2Terms = OrderTerms & { validity: Exclude<Validity, 'GTE'> };

/**
 * Returns an order in the words of the older interface: an entry condition becomes a stop-loss order if it is one, and slices become a
 * visible quantity.
 * @throws InputError for unsupported terms.
 */
export function toV2Terms(terms: OrderTerms): V2Terms {
  const { exits, validity, entryTime, condition, slices } = terms;
  if (exits?.stop !== undefined) throw unsupportedByV2('a stop loss on the order', 'stopLoss', BY_TRIGGER);
  if (exits?.target !== undefined) throw unsupportedByV2('a target on the order', 'target', BY_TRIGGER);
  if (exits?.time !== undefined) throw unsupportedByV2('an exit time of an order', 'exitTime');
  if (validity === 'GTE') throw unsupportedByV2('orders that are good till a date', 'validity');
  if (entryTime !== undefined) throw unsupportedByV2('an entry at a time', 'entryTime');
  const said: V2Terms = { ...terms, validity };
  if (condition !== undefined) return asStopLoss(said, condition);
  return slices === undefined ? said : { ...said, legSize: visibleQuantity(terms, slices) };
}

/** A purchase at or above a price, a sale at or below it: with a limit, and for the day, that is a stop-loss order. */
function asStopLoss(terms: V2Terms, { when, price: trigger }: NonNullable<OrderTerms['condition']>): V2Terms {
  const { side, kind, priceType, price = 0 } = terms;
  const isStop = when === (side === 'BUY' ? 'AT_OR_ABOVE' : 'AT_OR_BELOW') && kind === 'REGULAR';
  const isWithin = side === 'BUY' ? trigger <= price : trigger >= price;
  if (!isStop || priceType !== 'LIMIT' || !isWithin)
    throw unsupportedByV2(
      'this entry condition: it has stop-loss orders only (buy at or above, sell at or below a price, with a limit beyond it)',
      'condition',
    );
  return { ...terms, kind: 'STOPLOSS', triggerPrice: trigger };
}

/** Returns the visible quantity, whole lots, that shows an order in at most `slices` parts. */
function visibleQuantity({ quantity, instrument: { lotSize } }: OrderTerms, slices: number): number {
  return Math.ceil(quantity / lotSize / slices) * lotSize;
}

/** @throws InputError for a change that the older interface does not have. */
export function requireV2Change(change: OrderChange): void {
  if (change.stop !== undefined) throw unsupportedByV2('a stop loss on the order', 'stopLoss');
  if (change.target !== undefined) throw unsupportedByV2('a target on the order', 'target');
  if (change.exitTime !== undefined) throw unsupportedByV2('an exit time of an order', 'exitTime');
  if (change.goodTill !== undefined) throw unsupportedByV2('orders that are good till a date', 'goodTillDate');
  if (change.condition !== undefined)
    throw unsupportedByV2('a change of the entry condition but by Trigger Price', 'condition');
  if (change.entryTime !== undefined) throw unsupportedByV2('an entry at a time', 'entryTime');
}

/** @throws InputError for a basket that the older interface does not have. */
export function requireV2Basket(terms: BasketTerms): void {
  if (terms.goodTill !== undefined) throw unsupportedByV2('baskets that are good till a date', 'goodTillDate');
  if (terms.trailJump !== undefined) throw unsupportedByV2('a trailing stop of a basket', 'trailingJump');
}
