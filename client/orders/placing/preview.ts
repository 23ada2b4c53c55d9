/**
 * Requirements of an order before it is placed, calculated for the requests that would be sent: an order above the freeze quantity in
 * parts.
 */
import type { MarginReply } from '../../endpoints/orders';
import type { WireRecord } from '../../values/record';
import { maxPerOrder } from '../model/freeze-quantity';
import { requireProductsAllowed } from '../model/order-rules';
import type { OrderTerms } from '../model/order-terms';
import type { MoneyUnit } from '../../values/money';
import { ORDER } from './order-or-basket';
import { quantitiesOf } from './place-sliced';
import type { PlacementContext } from '../account/placement-context';

/** Options of a preview. */
export interface PreviewOptions {
  /** True if current positions and holdings are included. */
  withPortfolio: boolean;
  /** Maximum units of one order, if the user sets it. */
  maxUnits?: number;
  /** The unit in which errors show prices. */
  unit: MoneyUnit;
}

/**
 * Returns margin, and charges if the interface shows them, paise; with `is_sliced` and, if the client splits it, the number of `parts`.
 * @throws InputError for a broken rule, as placing it would, and (parameter `quantity`) for too many parts; as `OrderPlacing.preview`
 */
export async function previewOrder(
  terms: OrderTerms,
  { withPortfolio, maxUnits: given, unit }: PreviewOptions,
  { orders, transport, signal }: Pick<PlacementContext, 'orders' | 'transport' | 'signal'>,
): Promise<WireRecord<MarginReply>> {
  requireProductsAllowed(ORDER.ordersOf(terms));
  ORDER.requireRules(terms, unit, transport.marketClock);
  const requested = { withPortfolio, signal };
  const max = terms.kind === 'ICEBERG' ? undefined : maxPerOrder(terms.instrument, given);
  if (max === undefined || terms.quantity <= max || (await orders.splits(signal)))
    return { is_sliced: false, ...(await orders.preview([terms], requested)) };
  const parts = quantitiesOf(terms, max).map((quantity) => ({ ...terms, quantity }));
  return { ...(await orders.preview(parts, requested)), is_sliced: true, parts: parts.length };
}
