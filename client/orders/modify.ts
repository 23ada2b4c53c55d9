/** Modifies orders: a change is checked on the whole of the order before it is sent (wire-facts 2: Modify order). */
import type { OrderRecord } from '../endpoints/orders';
import { InputError } from '../base/errors';
import type { MoneyUnit } from '../values/money';
import { changeOrder, tooLate, type ChangeResult } from './change';
import { isDryRun, type Guards } from './guard-settings';
import { passGuards } from './guards';
import type { ServiceRequest } from './order-interface';
import type { OrderChange, OrderKind, OrderTerms, TradedInstrument } from './order';
import type { PlacementContext } from './placement';
import {
  hasEnded,
  kindOf,
  legSizeOf,
  orderIdOf,
  priceOf,
  priceTypeOf,
  productOf,
  quantityOf,
  showsLegSize,
  showsTriggerPrice,
  sideOf,
  triggerPriceOf,
  validityOf,
} from './record';
import { checkOrder } from './rules';

/** One order that is to be changed. */
export interface Modification {
  /** The order as it was read before: a change is checked on the whole of it, and the service wants the whole of it again. */
  order: OrderRecord;
  instrument: TradedInstrument;
  change: OrderChange;
  guards: readonly Guards[];
  /** In which an error shows money. */
  unit: MoneyUnit;
  /** Milliseconds to wait for the end; 0 for the acknowledgement only. */
  waitMs: number;
}

/** The order as it will be after the change. */
function termsAfter({ order, instrument, change }: Modification): OrderTerms {
  return {
    instrument,
    kind: change.kind ?? kindOf(order) ?? 'REGULAR',
    side: sideOf(order) ?? 'BUY',
    product: productOf(order) ?? 'CNC',
    validity: validityOf(order) ?? 'DAY',
    priceType: change.price === undefined ? (priceTypeOf(order) ?? 'LIMIT') : 'LIMIT',
    quantity: change.quantity ?? quantityOf(order),
    price: change.price ?? priceOf(order),
    triggerPrice: change.triggerPrice ?? triggerPriceOf(order),
    legSize: change.legSize ?? legSizeOf(order),
  };
}

/** @throws InputError for a field that orders of this kind do not have: it would be sent, and change nothing. */
function requireOfItsKind({ order, change }: Modification): void {
  const kind = change.kind ?? kindOf(order);
  const isOther = (wanted: OrderKind): boolean => kind !== undefined && kind !== wanted;
  if (change.triggerPrice !== undefined && isOther('STOPLOSS')) {
    throw new InputError('This order has no trigger price: it is no stop-loss order.', {
      parameter: 'triggerPrice',
      hint: 'Remove the field, or change the order type to Stop Loss too.',
    });
  }
  if (change.legSize !== undefined && isOther('ICEBERG')) {
    throw new InputError('This order has no leg size: it is no iceberg.', {
      parameter: 'legSize',
      hint: 'Remove the field, or change the order type to Iceberg too.',
    });
  }
}

function carries(order: OrderRecord, change: OrderChange): boolean {
  const { quantity, price, triggerPrice, legSize, kind } = change;
  return (
    (quantity === undefined || quantityOf(order) === quantity) &&
    (price === undefined || priceOf(order) === price) &&
    (triggerPrice === undefined || showsTriggerPrice(order, triggerPrice)) &&
    (legSize === undefined || showsLegSize(order, legSize)) &&
    (kind === undefined || kindOf(order) === kind)
  );
}

/**
 * Modifies one order, after its rules and its guards have passed.
 * @returns what became of it; in a dry run the request that would be sent.
 * @throws InputError when the change breaks a rule or a guard; what the guards' reads throw; the signal's reason.
 */
export async function modifyOrder(
  modification: Modification,
  context: PlacementContext,
): Promise<ChangeResult | ServiceRequest> {
  const { order, instrument, change, guards, unit, waitMs } = modification;
  const orderId = orderIdOf(order);
  requireOfItsKind(modification);
  const terms = termsAfter(modification);
  checkOrder(terms, unit);
  await passGuards([terms], { tag: orderId, guards, unit, replaces: order }, context);
  // The order counts in the list already.
  context.placements.release(context.scope, orderId);
  const request = context.orders.modify(order, change, instrument.exchange);
  if (isDryRun(guards)) return request;
  if (hasEnded(order)) return tooLate(orderId, order, 'modified');
  const isDone = (seen: OrderRecord): boolean => carries(seen, change);
  return await changeOrder(orderId, request, { what: 'modified', isDone }, waitMs, context);
}
