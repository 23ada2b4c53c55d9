/** Plain words for an order, beside the words of the service. */
import { translateRefusal } from '../../refusals';
import { productLabel, statusLabel } from '../../values/labels';
import { instrumentOf, productOf, reasonOf, statusOf } from './order-record';
import type { OrderRecord } from '../../endpoints/orders';
import type { OrderSnapshot } from './order-snapshot';

/** The facts that labels are made of; the status without its prefix, the reason '' if there is none. */
export type Labelled = Pick<OrderSnapshot, 'status' | 'reason'> & { product: string; derivativeType: string };

/** Returns what a record of an order shows of it. */
export function labelledOf(record: OrderRecord): Labelled {
  const status = statusOf(record);
  return {
    product: productOf(record) ?? '',
    derivativeType: instrumentOf(record).derivativeType,
    status,
    reason: status === 'REJECTED' ? reasonOf(record) : '',
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
