/** Plain words for an order that is only previewed: what it would be, and what it needs. */
import type { MarginReply } from '../../../client/endpoints/orders';
import type { OrderTerms } from '../../../client/orders/model/order-terms';
import { quantityText, rupeesText } from '../../../client/values/amounts';
import type { JsonObject } from '../../../client/values/json';
import { productLabel } from '../../../client/values/labels';
import type { WireRecord } from '../../../client/values/record';

/** Returns an amount that the service has told: `, margin ₹12,274.00`. */
function amountText(name: string, paise: unknown): string {
  return typeof paise === 'number' ? `, ${name} ${rupeesText(paise)}` : '';
}

/**
 * Returns product and sentence of a preview: `Preview: buy 10 INFY (Delivery) at the market, margin ₹12,274.00, charges ₹29.05.`
 * @param wait the sentence of an order that would wait for its market, after a blank
 */
export function previewWords(
  { instrument, side, quantity, product, priceType, price }: OrderTerms,
  { total_margin: margin, total_charges: charges }: WireRecord<MarginReply>,
  wait = '',
): JsonObject {
  const label = productLabel({ product, derivative_type: instrument.derivative ? 'FUT' : '' });
  const at = priceType === 'MARKET' || price === undefined ? 'the market' : rupeesText(price);
  const order = `${side === 'BUY' ? 'buy' : 'sell'} ${quantityText(quantity)} ${instrument.symbol} (${label}) at ${at}`;
  return {
    product_label: label,
    summary: `Preview: ${order}${amountText('margin', margin)}${amountText('charges', charges)}.${wait}`,
  };
}
