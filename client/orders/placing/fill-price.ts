/** The fill price of an order, as a base of other prices. A fill may be listed some seconds before its price. */
import type { OrderRecord } from '../../endpoints/orders';
import { InputError, ServiceError } from '../../base/errors';
import { NoPriceError, type FillPrice } from '../../values/market-price';
import type { Transport } from '../../transport';
import type { OrderPlacing } from '../api/order-api';
import { entryHasEnded, filledPriceOf, isUnpricedFill, refIdOf } from '../model/order-record';
import { whyUnreadableFill } from '../model/unpriced-fill';
import type { TradedInstrument } from '../model/order-terms';

const PAUSE_MS = 500;
/** Time after which every list shows earlier placements and fills (docs/service/order-life.md#acknowledgement-and-result). */
const LISTED_MS = 4_000;
/** Maximum time to wait for the price of a fill. */
const PRICED_MS = 10_000;
const NOT_FOUND = 404;

/**
 * Returns the average fill price, paise, of an order of an instrument. Waits for a new order.
 * @param orderId decimal text.
 * @throws InputError (parameter `referenceOrderId`) if it is of another instrument, or has not filled; NoPriceError if it has filled, and
 * the service does not show the price; see `OrderPlacing.get`.
 */
export async function fillPriceOf(
  orderId: string,
  { symbol, refId }: TradedInstrument,
  orders: OrderPlacing,
  { clock }: Pick<Transport, 'clock'>,
  signal?: AbortSignal,
): Promise<FillPrice> {
  const parameter = 'referenceOrderId';
  const start = clock.moment();
  const isLate = (): boolean => clock.since(start) >= LISTED_MS;
  for (;;) {
    const order = await orders.get(orderId, signal).catch((error: unknown) => undefinedWhileLate(error, !isLate()));
    if (order !== undefined && refIdOf(order) !== refId)
      throw new InputError(`Order ${orderId} is not an order of ${symbol}. Nothing was sent.`, {
        parameter,
        hint: 'Prices are measured from the fill of an order of the same instrument.',
      });
    const price = order && filledPriceOf(order);
    if (price !== undefined) return price;
    const isFilled = order !== undefined && isUnpricedFill(order);
    const unreadable = isFilled ? whyUnreadableFill(order) : undefined;
    if (isFilled && clock.since(start) >= PRICED_MS)
      throw new NoPriceError(
        unreadable === undefined
          ? `Order ${orderId} has filled, but the service does not tell at which price yet. Nothing was sent.`
          : `There is no price of order ${orderId} to measure from. ${unreadable} Nothing was sent.`,
        { parameter, hint: 'Try this step again in a moment, or measure from a reference price.' },
      );
    if (!isFilled && (isLate() || (order !== undefined && entryHasEnded(order))))
      throw new InputError(`Order ${orderId} has not filled, so there is no fill to measure from. Nothing was sent.`, {
        parameter,
        hint: 'Let the step that placed it wait longer, with Wait For set to Filled, or use Order: Wait for Status before this one.',
      });
    await clock.sleep(PAUSE_MS, signal);
  }
}

/** Returns undefined for a new order that is not found yet. @throws any other error, and this one once the order must be listed */
function undefinedWhileLate(error: unknown, isEarly: boolean): OrderRecord | undefined {
  if (isEarly && error instanceof ServiceError && error.status === NOT_FOUND) return undefined;
  throw error;
}
