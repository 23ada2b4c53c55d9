/** The orders of the day as the guard "Largest Day Value" counts them: single ones, and the legs of baskets. */
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import type { MarketPrice } from '../../values/market-price';
import type { PlacementContext } from '../account/placement-context';
import { basketIdOf, basketStatusOf, legsOf } from '../model/basket-record';
import {
  entryHasEnded,
  exchangeOf,
  filledQuantityOf,
  lastPriceOf,
  basketIdOfLeg,
  priceOf,
  quantityOf,
  refIdOf,
  tagOf,
  triggerPriceOf,
} from '../model/order-record';

/** Statuses of a basket that enters no more. */
const OVER: ReadonlySet<string> = new Set(['CANCELLED', 'CLOSED', 'REJECTED']);

/** Returns the name of a leg's order, the same in every list. */
const legName = (basketId: string, leg: OrderRecord): string => `${basketId} ${refIdOf(leg)}`;

/** Returns the legs of a basket as orders of the day: with its tag, and ended if the basket has. */
function legsAsOrders(basket: BasketRecord): OrderRecord[] {
  const isOver = OVER.has(basketStatusOf(basket));
  return legsOf(basket).map((leg) => ({
    ...leg,
    tag: tagOf(leg) || tagOf(basket),
    ...(isOver && !entryHasEnded(leg) ? { order_status: 'ORDER_STATUS_CANCELLED' } : {}),
  }));
}

/** Returns true if an order may still fill and its record shows no last price. */
const isOpenUnpriced = (order: OrderRecord): boolean =>
  !entryHasEnded(order) && quantityOf(order) > filledQuantityOf(order) && lastPriceOf(order) === 0;

/**
 * Returns all orders of the day, baskets included. A leg in the list of orders is taken from there. What is at the market, as a leg is,
 * counts with its unfilled part at the last price.
 * @param lastPrice paise, of an order by its record and the exchange of its instrument.
 * @throws any error of the lists and of `lastPrice`: part of a day must not look like all of it.
 */
export async function ordersOfDay(
  { orders, baskets, signal }: Pick<PlacementContext, 'orders' | 'baskets' | 'signal'>,
  lastPrice: (order: OrderRecord, exchange: string) => Promise<MarketPrice>,
): Promise<OrderRecord[]> {
  const [listed, placed] = await Promise.all([orders.list(signal), baskets.list(signal)]);
  const shown = new Set(listed.map((order) => legName(basketIdOfLeg(order), order)));
  const all: OrderRecord[] = [];
  const withPrice = async (order: OrderRecord): Promise<OrderRecord> => ({
    ...order,
    LTP: await lastPrice(order, exchangeOf(order)),
  });
  for (const order of listed) {
    const isAtMarket = priceOf(order) === 0 && triggerPriceOf(order) === 0;
    all.push(isAtMarket && isOpenUnpriced(order) ? await withPrice(order) : order);
  }
  for (const basket of placed) {
    for (const leg of legsAsOrders(basket)) {
      if (shown.has(legName(basketIdOf(basket), leg))) continue;
      all.push(isOpenUnpriced(leg) ? await withPrice(leg) : leg);
    }
  }
  return all;
}
