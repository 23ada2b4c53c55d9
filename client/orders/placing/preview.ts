/** What an order would need before it is placed, worked out for what would be sent: an order above the freeze quantity in parts. */
import type { MarginReply } from '../../endpoints/orders';
import type { WireRecord } from '../../values/record';
import { maxPerOrder } from '../model/freeze-quantity';
import { requireProductsAllowed } from '../model/order-rules';
import type { OrderTerms } from '../model/order-terms';
import type { MoneyUnit } from '../../values/money';
import { ORDER } from './order-or-basket';
import { quantitiesOf } from './place-sliced';
import type { PlacementContext } from '../account/placement-context';

/** How an order is previewed. */
export interface PreviewOptions {
  /** Whether what the account holds already is counted. */
  withPortfolio: boolean;
  /** Units that one order may hold, where the person says it. */
  most?: number;
  /** In which an error shows prices. */
  unit: MoneyUnit;
}

/**
 * Margin, and charges where the interface tells them, paise; with `is_sliced` and, where this side cuts it, the number of `parts`.
 * @throws InputError for what breaks a rule, as placing it would, and (parameter `quantity`) for more parts than may be placed; as `OrderPlacing.preview`
 */
export async function previewOrder(
  terms: OrderTerms,
  { withPortfolio, most: given, unit }: PreviewOptions,
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
