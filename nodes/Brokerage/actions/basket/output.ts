import { legsOf } from '../../../../client/orders/basket';
import type { JsonObject } from '../../../../client/values/json';
import { orderOutput, readableRecord } from '../order/output';
import type { OutputOptions } from '../order/placed';
import { pick } from '../shape';

const SIMPLE = ['basket_id', 'basket_name', 'basket_status', 'tag', 'LTP', 'pnl', 'pnl_change', 'basket_params'];

/** A basket as an output item; its legs are a list, whichever way the service gave them. */
export function basketOutput(basket: JsonObject, options: OutputOptions): JsonObject {
  const record = readableRecord(basket, options.unit);
  const status: JsonObject =
    typeof record.basket_status === 'string'
      ? { basket_status: record.basket_status.replace(/^BASKET_STATUS_/, '') }
      : {};
  const legs = legsOf(basket).map((leg) => orderOutput(leg, options));
  return options.simplify
    ? { ...pick({ ...record, ...status }, SIMPLE), legs, environment: options.environment }
    : { ...record, orders: legs, environment: options.environment };
}
