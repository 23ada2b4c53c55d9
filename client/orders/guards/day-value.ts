/** Total value of the day's orders, for the guard "Largest Day Value". */
import { CHANGE_GUARD, guardError } from './guard-refusal';
import { contractValue, isKnownContract, whyUnvalued } from '../../values/contract-value';
import type { OrderRecord } from '../../endpoints/orders';
import type { PlacementRegistry } from '../account/placement-registry';
import {
  averagePriceOf,
  basketIdOfLeg,
  entryHasEnded,
  filledQuantityOf,
  instrumentOf,
  lastPriceOf,
  orderIdOf,
  priceOf,
  quantityOf,
  sideOf,
  statusOf,
  tagOf,
  triggerPriceOf,
} from '../model/order-record';
import { fillPriceIn } from '../../values/market-price';
import { textFrom } from '../../values/record';
import { identityOf } from '../model/tags';

/** Returns a price, paise; 0 for none: what is below 0 would make the day worth less. */
const orZero = (paise: number): number => fillPriceIn(paise) ?? 0;

/**
 * Returns the value of one order of the list, paise: its filled part, and the part that may still fill.
 * @throws InputError if the value of its contract, or its open quantity, is unknown.
 * @param sent its value when it was sent: an order at the market has no price until it is filled.
 */
function valueOf(order: OrderRecord, sent: number): number {
  const status = statusOf(order);
  if (status === 'REJECTED') return 0;
  const { contract, ...instrument } = instrumentOf(order);
  const filled = filledQuantityOf(order);
  const [average, limit, last, trigger] = [averagePriceOf, priceOf, lastPriceOf, triggerPriceOf].map((read) =>
    orZero(read(order)),
  ) as [number, number, number, number];
  if (entryHasEnded(order) && filled === 0) return 0;
  if (!isKnownContract(contract)) {
    if (sent > 0) return sent;
    throw guardError('maxDayValue', whyUnvalued({ ...instrument, ...contract }), CHANGE_GUARD);
  }
  // A fill whose price the service has not told yet counts at the best price that is known.
  const done = contractValue(contract, average || Math.max(limit, last), filled);
  if (entryHasEnded(order)) return done || sent;
  const quantity = quantityOf(order);
  if (quantity === 0 && sent === 0)
    throw guardError(
      'maxDayValue',
      `order ${orderIdOf(order) || `of basket ${basketIdOfLeg(order)}`} of the day is open and does not show its quantity.`,
      CHANGE_GUARD,
    );
  // The limit of a sale is the least that it brings, and what waits for a price trades there at the earliest.
  const maySell = sideOf(order) === 'SELL' || (sideOf(order) === undefined && textFrom(order.order_side) !== '');
  const price = maySell ? Math.max(limit, last, trigger) : limit || Math.max(last, trigger);
  const value = done + contractValue(contract, price, Math.max(0, quantity - filled));
  return quantity === 0 || (last === 0 && (limit === 0 || maySell)) ? Math.max(sent, value) : value;
}

/** Paise: the value of the day's orders, those included that this process has sent and the list does not show yet. */
export function dayValueOf(listed: readonly OrderRecord[], placements: PlacementRegistry, scope: string): number {
  const sent = new Map(placements.values(scope));
  const shown = new Set<string>();
  let value = 0;
  for (const order of listed) {
    const identity = identityOf(tagOf(order));
    value += valueOf(order, sent.get(identity) ?? 0);
    shown.add(identity);
  }
  for (const [identity, one] of sent) if (!shown.has(identity)) value += one;
  return value;
}
