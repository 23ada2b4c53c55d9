import type { BasketFields, BasketRecord } from '../../../client/endpoints/baskets';
import { basketProductOf, basketStatusOf, legsOf } from '../../../client/orders/model/basket-record';
import type { JsonObject } from '../../../client/values/json';
import { orderOutput, readableRecord, timesInIst, unreadableOutput, type OutputOptions } from './orderOutput';
import { basketWords } from './basketSummary';
import { pickKeys } from '../common/pick';

const SIMPLE = [
  ...['basket_id', 'basket_name', 'basket_status', 'tag', 'LTP', 'pnl', 'pnl_change', 'basket_params'],
  // What only strategies of intent orders have.
  ...['intent_status', 'order_qty', 'filled_qty', 'avg_filled_price', 'exits', 'good_till_date'],
] as const satisfies readonly (keyof BasketFields)[];

/** Fields that hold times of the service. */
const TIMES = ['exits', 'good_till_date', 'basket_params'] as const satisfies readonly (keyof BasketFields)[];

const PRICES = ['LTP', 'avg_filled_price'] as const satisfies readonly (keyof BasketFields)[];

/**
 * A basket as an output item; its legs are a list, whichever way the service gave them.
 * @param name the user's name for it, where it is known: intent orders store none
 */
export function basketOutput(basket: BasketRecord, options: OutputOptions, name = ''): JsonObject {
  const record = readableRecord(basket, options.unit);
  const status: JsonObject = typeof basket.basket_status === 'string' ? { basket_status: basketStatusOf(basket) } : {};
  // A net price is never 0: the service has it for none, before the basket trades and where it has not told the fill.
  const unknown = options.unknownIsNull === true ? PRICES.filter((name) => record[name] === 0) : [];
  const prices = Object.fromEntries(unknown.map((name) => [name, null]));
  const product = basketProductOf(basket);
  const legs = legsOf(basket).map((leg) => orderOutput(leg, options, product));
  const words =
    options.hasLabels === true ? { ...timesInIst(pickKeys(record, TIMES)), ...basketWords(basket, name) } : {};
  return options.simplify
    ? {
        ...pickKeys({ ...record, ...status, ...prices }, SIMPLE),
        ...words,
        ...unreadableOutput(basket),
        legs,
        environment: options.environment,
      }
    : { ...record, ...words, orders: legs, environment: options.environment };
}
