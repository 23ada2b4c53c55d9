/** Words for a fill without a price: one that the service has not told yet, and one that cannot be read. */
import type { OrderRecord } from '../../endpoints/orders';
import { decimalFrom } from '../../values/record';
import { redact } from '../../values/redact';

/** The reason for a missing fill price that the service has not told. */
export const UNPRICED_FILL = 'It has filled, but the service had not told at which price yet.';
/** Maximum length of an unreadable price in an error. */
const MAX_SHOWN_PRICE = 40;

/** Returns what is wrong with a fill price that the service gives and that cannot be read, as a sentence; undefined if it gives none. */
export function whyUnreadableFill({ avg_filled_price: given }: OrderRecord): string | undefined {
  const isMissing = given === undefined || given === null || (typeof given === 'string' && given.trim() === '');
  if (isMissing || decimalFrom(given) !== null) return undefined;
  const text = redact((typeof given === 'string' ? given : JSON.stringify(given)).slice(0, MAX_SHOWN_PRICE));
  return `It has filled, but its price cannot be read: the service gives "${text}", which is no number of paise.`;
}

/** Returns the reason for a missing fill price. */
export function whyUnpricedFill(order: OrderRecord): string {
  return whyUnreadableFill(order) ?? UNPRICED_FILL;
}
