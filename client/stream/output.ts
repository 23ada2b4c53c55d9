/** Events as a person reads them: money in the unit asked for, times in IST beside the raw nanoseconds. */
import { paiseTo, type MoneyUnit } from '../values/money';
import { nanosToIst, toIst } from '../values/time';
import type { Environment } from '../session/settings';
import type { ConnectionEvent, OrderEvent } from './types';

export interface OutputOptions {
  environment: Environment;
  unit: MoneyUnit;
  /** Whether the message is added as it came. */
  raw: boolean;
}

export function orderOutput(event: OrderEvent, { environment, unit, raw }: OutputOptions): Record<string, unknown> {
  const { order, fill } = event;
  return {
    event: event.type,
    recovered: event.recovered,
    environment,
    orderId: order.orderId,
    ...(order.basketId === '0' ? {} : { basketId: order.basketId }),
    instrument: order.instrument,
    side: order.side,
    product: order.product,
    orderType: order.orderType,
    priceType: order.priceType,
    validity: order.validity,
    status: order.status,
    quantity: order.quantity,
    filledQuantity: order.filled,
    price: paiseTo(unit, order.price),
    averagePrice: paiseTo(unit, order.averagePrice),
    ...(order.triggerPrice === undefined ? {} : { triggerPrice: paiseTo(unit, order.triggerPrice) }),
    ...(fill
      ? {
          fill: {
            refId: fill.refId,
            quantity: fill.quantity,
            price: paiseTo(unit, fill.price),
            value: paiseTo(unit, fill.price * fill.quantity),
            exact: fill.exact,
          },
        }
      : {}),
    ...(order.reason === '' ? {} : { reason: order.reason }),
    tags: order.tags,
    time: nanosToIst(event.at),
    timeNs: event.at,
    ...(raw && event.raw ? { raw: event.raw } : {}),
  };
}

export function connectionOutput(event: ConnectionEvent, { environment }: OutputOptions): Record<string, unknown> {
  return {
    event: event.type,
    environment,
    reason: event.reason,
    ...(event.type === 'connectionRestored' ? { downSeconds: event.downMs / 1000, recoveredEvents: event.recovered } : {}),
    time: toIst(event.at),
  };
}
