/** Orders and baskets whose words are known: what is understood in part only is neither changed nor closed by an order of ours. */
import { InputError, UnreadableReplyError } from '../../base/errors';
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import type { Json } from '../../values/json';
import { showValue } from '../../values/input';
import { textFrom } from '../../values/record';
import { basketIdOf, basketProductOf, legsOf, paramsOf } from './basket-record';
import type { OrderKind } from './order-terms';
import { kindOf, orderIdOf, priceTypeOf, productOf, quantityOf, sideOf, symbolOf, validityOf } from './order-record';

/** A word of a record: its field in words, the written word, and the word that was read; undefined for an unknown one. */
type Word = readonly [what: string, written: Json | undefined, read: string | undefined];

const PREFIX = /^(?:ORDER_(?:SIDE|DELIVERY_TYPE|TYPE)|PRICE_TYPE|VALIDITY_TYPE)_/i;
/** Fetched records hold this type too (docs/service/orders-v2.md#order-record). */
const isMarket = (type: Json | undefined): boolean => /(^|_)MARKET$/i.test(textFrom(type).trim());

/** @param isRequired true where nothing may be missing either. */
function unknownAmong(words: readonly Word[], isRequired: boolean): string | undefined {
  for (const [what, written, read] of words) {
    if (read !== undefined) continue;
    const word = textFrom(written).trim().replace(PREFIX, '');
    if (word !== '') return `has the ${what} ${showValue(word)}, which is not known here`;
    if (isRequired) return `does not tell its ${what}`;
  }
  return undefined;
}

function notKnown(name: string, why: string, done: string): UnreadableReplyError {
  return new UnreadableReplyError(`${name} ${why}: it was not ${done}. Nothing was sent.`, {
    hint: "Try again. If it stays, do it in your broker's app.",
  });
}

/**
 * Checks the words of an order that is to be changed. Its side and its product must be told: rules and guards ask for them.
 * @param kind of the order after the change, if it changes. @throws UnreadableReplyError for a word that is not known here
 */
export function requireKnownOrder(order: OrderRecord, kind: OrderKind | undefined): void {
  const type = kind ?? kindOf(order) ?? (isMarket(order.order_type) ? 'MARKET' : undefined);
  const required: readonly Word[] = [
    ['side', order.order_side, sideOf(order)],
    ['product', order.order_delivery_type, productOf(order)],
  ];
  const others: readonly Word[] = [
    ['order type', order.order_type, type],
    ['price type', order.price_type, priceTypeOf(order)],
    ['validity', order.validity_type, validityOf(order)],
  ];
  const why = unknownAmong(required, true) ?? unknownAmong(others, false);
  if (why !== undefined) throw notKnown(`Order ${orderIdOf(order)}`, why, 'changed');
}

/**
 * Checks that an order tells its quantity: counted as 0, every size of it would pass a guard.
 * @throws InputError if it does not
 */
export function requireQuantity(order: OrderRecord): void {
  if (quantityOf(order) > 0) return;
  throw new InputError(
    `Order ${orderIdOf(order)} does not show its quantity, by which it is checked. Nothing was sent.`,
    {
      parameter: 'updateFields',
      hint: 'Set Quantity too, or cancel the order and place a new one.',
    },
  );
}

/**
 * Checks the words of a basket whose legs tell what is to be sent, or what guards measure.
 * @param done what was to be done: "closed". @throws UnreadableReplyError for a word that is missing, or not known here
 */
export function requireKnownBasket(basket: BasketRecord, done: 'changed' | 'closed'): void {
  const name = `Basket ${basketIdOf(basket)}`;
  const why = unknownAmong([['product', paramsOf(basket)?.order_delivery_type, basketProductOf(basket)]], true);
  if (why !== undefined) throw notKnown(name, why, done);
  for (const leg of legsOf(basket)) {
    const whyNot = unknownAmong([['side', leg.order_side, sideOf(leg)]], true);
    if (whyNot !== undefined) throw notKnown(name, `has the leg ${symbolOf(leg)}, which ${whyNot}`, done);
  }
}
