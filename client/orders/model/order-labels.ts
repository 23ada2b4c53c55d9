/** Plain words for an order, beside the words of the service. */
import { translateRefusal } from '../../refusals';
import { productLabel, statusLabel } from '../../values/labels';
import { instrumentOf, productOf, reasonOf, statusOf } from './order-record';
import type { OrderRecord } from '../../endpoints/orders';
import type { OrderSnapshot } from './order-snapshot';

/**
 * Returns why an order has not traded, or a part of it has not: the reason of one that is rejected; of one that is cancelled only a reason
 * that is known as a refusal, such as that of the rest of a split order.
 */
export function refusalOf({ status, reason }: Pick<OrderSnapshot, 'status' | 'reason'>): string {
  const isRefused = status === 'REJECTED' || (status === 'CANCELLED' && translateRefusal(reason) !== undefined);
  return isRefused ? reason : '';
}

/** The facts that labels are made of; the status without its prefix, the reason '' if there is none. */
export type Labelled = Pick<OrderSnapshot, 'status' | 'reason'> & { product: string; derivativeType: string };

/** Returns what a record of an order shows of it. */
export function labelledOf(record: OrderRecord): Labelled {
  const status = statusOf(record);
  return {
    product: productOf(record) ?? '',
    derivativeType: instrumentOf(record).derivativeType,
    status,
    reason: refusalOf({ status, reason: reasonOf(record) }),
  };
}

/** Returns the labels of an order's item: product, status (null for one that is not known), and what a rejection means and asks for. */
export function orderLabels({ product, derivativeType, status, reason }: Labelled) {
  const refusal = translateRefusal(reason);
  return {
    product_label: productLabel({ product, derivative_type: derivativeType }) || null,
    status_label: statusLabel(status) || null,
    ...(refusal === undefined ? {} : { rejection_message: refusal.message, advice: refusal.hint }),
  };
}
