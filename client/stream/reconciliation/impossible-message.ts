/** Figures of a message that cannot be those of its order: nothing of it is used, and the list of the day tells what has happened. */
import { isLater, type OrderSnapshot } from '../../orders/model/order-snapshot';
import { whyOversized } from '../../orders/model/record-size';
import { nanosToIst } from '../../values/time';
import type { OrderMessage } from './order-message';

const ORDER_ID = /^[1-9]\d*$/;
/** 2^31 − 1 is what programs send for "none": no quantity is as large. */
const MAX_UNITS = 2 ** 31 - 2;

/**
 * Returns why the figures of a message cannot be, as a sentence; undefined if they can. A strategy counts its units in another way: only
 * its times are looked at.
 * @param latest nanoseconds; a time after it is in the future. Undefined if the service's clock is unknown, or may be set ahead.
 */
export function whyImpossible({ order, trade, raw }: OrderMessage, latest: string | undefined): string | undefined {
  if (!ORDER_ID.test(order.orderId)) return `An order is shown with the number ${order.orderId}, which none has`;
  const size = whyOversized(order.legs.length, order.exits?.length ?? 0, order.tags.length);
  if (size !== undefined) return `Order ${order.orderId} is shown with ${size}`;
  const why = (order.kind === 'order' ? whyNotUnits(order, trade) : undefined) ?? whyNotThen(order, latest);
  const { refId } = order.instrument;
  const isOther = (otherRefId = 0): boolean =>
    order.kind === 'order' && otherRefId > 0 && refId > 0 && otherRefId !== refId;
  const [traded, named] = [raw.intentOrderResponse?.tradeFill?.refId, raw.intentOrderResponse?.refdata?.refId];
  const said = isOther(traded)
    ? `a trade in ref_id ${traded}, and its instrument is ref_id ${refId}`
    : isOther(named)
      ? `the names of ref_id ${named}, and its instrument is ref_id ${refId}`
      : why;
  return said === undefined ? undefined : `Order ${order.orderId} is shown with ${said}`;
}

function whyNotUnits({ quantity, filled }: OrderSnapshot, trade: OrderMessage['trade']): string | undefined {
  const traded = trade?.quantity ?? 0;
  const other = [quantity, filled].find((units) => units < 0 || units > MAX_UNITS);
  if (other !== undefined) return `a quantity of ${other}`;
  if (quantity > 0 && filled > quantity) return `${filled} filled of ${quantity}`;
  if (quantity > 0 && traded > quantity) return `a trade of ${traded}, and its quantity is ${quantity}`;
  // A trade of an exit is told beside the units that the entry has filled.
  return trade?.of === undefined && traded > filled ? `a trade of ${traded}, and ${filled} filled in all` : undefined;
}

function whyNotThen({ times }: OrderSnapshot, latest: string | undefined): string | undefined {
  const late = latest === undefined ? undefined : Object.values(times).find((time) => isLater(time, latest));
  return late === undefined ? undefined : `the time ${nanosToIst(late)}, which is yet to come`;
}

/** Returns a record of a list without its times that are yet to come: they would hide every later change. */
export function withoutLaterTimes(order: OrderSnapshot, latest: string | undefined): OrderSnapshot {
  if (whyNotThen(order, latest) === undefined) return order;
  const otherTimes = Object.entries(order.times).map(([name, time]) => [name, isLater(time, latest!) ? '0' : time]);
  return { ...order, times: Object.fromEntries(otherTimes) as OrderSnapshot['times'] };
}
