/** A list may name an order twice, such as one that moves between its parts while it is read. Each counts once, by its later record. */
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import { basketIdOf, isBasketLive, legsOf } from '../model/basket-record';
import { entryHasEnded, filledQuantityOf, hasLiveExits, orderIdOf, timesOf } from '../model/order-record';
import { isLater } from '../model/order-snapshot';

/** The orders of a list, each once. Those without an id stay. */
export function ordersOnce(orders: readonly OrderRecord[]): OrderRecord[] {
  return eachOnce(orders, orderIdOf, isLaterOrder);
}

/** The baskets of a list, each once. Those without an id stay. */
export function basketsOnce(baskets: readonly BasketRecord[]): BasketRecord[] {
  return eachOnce(baskets, basketIdOf, (one, other) => {
    const [isOneOver, isOtherOver] = [!isBasketLive(one), !isBasketLive(other)];
    return isOneOver === isOtherOver ? unitsOf(one) > unitsOf(other) : isOneOver;
  });
}

function eachOnce<Rec>(
  records: readonly Rec[],
  idOf: (record: Rec) => string,
  isLaterRecord: (one: Rec, other: Rec) => boolean,
): Rec[] {
  const positions = new Map<string, number>();
  const once: Rec[] = [];
  for (const record of records) {
    const id = idOf(record);
    const at = id === '' ? undefined : positions.get(id);
    if (at !== undefined) {
      if (isLaterRecord(record, once[at]!)) once[at] = record;
    } else {
      if (id !== '') positions.set(id, once.length);
      once.push(record);
    }
  }
  return once;
}

/** An order only fills further, then ends, and then its exits end: the record that shows more of it is the later one. */
function isLaterOrder(one: OrderRecord, other: OrderRecord): boolean {
  const [filled, before] = [filledQuantityOf(one), filledQuantityOf(other)];
  if (filled !== before) return filled > before;
  const [hasEnded, hadEnded] = [entryHasEnded(one), entryHasEnded(other)];
  if (hasEnded !== hadEnded) return hasEnded;
  const [lives, lived] = [hasLiveExits(one), hasLiveExits(other)];
  return lives === lived ? isLater(timesOf(one).modified, timesOf(other).modified) : lived;
}

function unitsOf(basket: BasketRecord): number {
  return legsOf(basket).reduce((sum, leg) => sum + filledQuantityOf(leg), 0);
}
