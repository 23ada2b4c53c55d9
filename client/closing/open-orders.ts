/** Units that open orders will still buy or sell, for a position that moves to a target. */
import type { OrderRecord } from '../endpoints/orders';
import {
  filledQuantityOf,
  hasEnded,
  hasLiveExits,
  kindOf,
  orderIdOf,
  quantityOf,
  sideOf,
  statusOf,
} from '../orders/model/order-record';
import { recordIn } from '../values/record';
import type { HeldPosition } from './positions';
import { isOrderOf } from './traded-quantity';

/** Open units of a position. */
export interface OpenUnits {
  /** Units that open orders will buy, less those that they will sell. */
  units: number;
  /** The reason for which they cannot be counted, in words; left out if they can. */
  why?: string;
}

/** Returns true if an order waits for a price or a time, or has exits: its time of trading is unknown. */
function waits(order: OrderRecord): boolean {
  const hasCondition = recordIn(order, 'entry_condition') !== undefined;
  // Once its time has come it is sent to the exchange, and waits no more.
  const isBeforeTime = typeof order.entry_time === 'string' && order.ack_time === '0';
  const isUntriggered = kindOf(order) === 'STOPLOSS' && statusOf(order) !== 'PARTIAL_FILLED';
  return hasLiveExits(order) || hasCondition || isBeforeTime || isUntriggered;
}

/** The open orders on a position; those that wait for a price or a time, or have exits, cannot be counted. */
export function openUnits(
  orders: readonly OrderRecord[],
  position: Pick<HeldPosition, 'refId' | 'product'>,
): OpenUnits {
  let units = 0;
  for (const order of orders) {
    if (!isOrderOf(order, position) || hasEnded(order)) continue;
    const side = sideOf(order);
    if (side === undefined)
      return { units, why: `order ${orderIdOf(order)} on it does not tell its side in words that are known here` };
    if (waits(order))
      return { units, why: `order ${orderIdOf(order)} on it waits for a price or a time, or has exits` };
    const rest = Math.max(0, quantityOf(order) - filledQuantityOf(order));
    units += side === 'BUY' ? rest : -rest;
  }
  return { units };
}
