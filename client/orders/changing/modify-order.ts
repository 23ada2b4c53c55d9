/** Modifies orders: a change is checked on the whole of the order before it is sent (docs/service/orders-v2.md#modify-order). */
import { attempt } from '../../attempt';
import type { OrderRecord } from '../../endpoints/orders';
import { InputError } from '../../base/errors';
import type { ShownExit } from '../../endpoints/intent-orders';
import type { Json } from '../../values/json';
import type { MoneyUnit } from '../../values/money';
import { numberFrom, recordIn, textFrom, type WireRecord } from '../../values/record';
import { changeOrder, tooLateResult, type ChangeResult } from './change-order';
import { isDryRun, type Guards } from '../model/guard-settings';
import { passGuards } from '../guards/guards';
import type { ServiceRequest } from '../api/order-api';
import type {
  ExitTerms,
  OrderChange,
  OrderKind,
  OrderTerms,
  StopChange,
  TargetTerms,
  TradedInstrument,
} from '../model/order-terms';
import type { PlacementContext } from '../account/placement-context';
import { checkExits, directionOf } from '../model/exits';
import {
  entryHasEnded,
  exitsOf,
  filledQuantityOf,
  hasEnded,
  isIntent,
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
  statusOf,
  tagOf,
  triggerPriceOf,
  validityOf,
} from '../model/order-record';
import { requireKnownOrder, requireQuantity } from '../model/known-words';
import { checkOrder } from '../model/order-rules';
import { identityOf, isMadeTag } from '../model/tags';

/** One order that is to be changed. */
export interface Modification {
  /** The order as read before: a change is checked on the whole order, and the service wants the whole order again. */
  order: OrderRecord;
  instrument: TradedInstrument;
  change: OrderChange;
  guards: readonly Guards[];
  /** The unit in which errors show amounts. */
  unit: MoneyUnit;
  /** Milliseconds to wait for the end; 0 for the acknowledgement only. */
  waitMs: number;
}

/** The order as it will be after the change. */
function termsAfter({ order, instrument, change }: Modification): OrderTerms {
  const kind = change.kind ?? kindOf(order) ?? 'REGULAR';
  return {
    instrument,
    // Without its condition a stop-loss order is none.
    kind: kind === 'STOPLOSS' && change.condition === null ? 'REGULAR' : kind,
    side: sideOf(order) ?? 'BUY',
    product: productOf(order) ?? 'CNC',
    validity: validityOf(order) ?? 'DAY',
    priceType: change.price === undefined ? (priceTypeOf(order) ?? 'LIMIT') : 'LIMIT',
    quantity: change.quantity ?? quantityOf(order),
    price: change.price ?? priceOf(order),
    triggerPrice: change.triggerPrice ?? triggerPriceOf(order),
    legSize: change.legSize ?? legSizeOf(order),
    ...(change.condition == null ? {} : { condition: change.condition }),
  };
}

/** The exits that a change sets, whose limits the guards look at. */
function exitsAfter({ stop, target }: OrderChange): ExitTerms {
  return {
    ...(stop == null ? {} : { stop: { trigger: stop.trigger, limit: stop.limit } }),
    ...(target == null ? {} : { target }),
  };
}

/**
 * Exits are measured from the entry while it waits; once it has filled, a stop loss may be on either side of it.
 * @throws InputError
 */
function checkChangedExits({ order, change, unit }: Modification): void {
  checkExits(
    { stop: change.stop ?? undefined, target: change.target ?? undefined },
    {
      direction: directionOf(sideOf(order) ?? 'BUY'),
      entry: filledQuantityOf(order) > 0 ? undefined : (change.price ?? (priceOf(order) || undefined)),
      unit,
    },
  );
}

/** @throws InputError for a field that orders of this kind do not have: it would be sent, and change nothing. */
function requireOfItsKind({ order, change }: Modification): void {
  const kind = change.kind ?? kindOf(order);
  const isOther = (requested: OrderKind): boolean => kind !== undefined && kind !== requested;
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

/** Returns true if a change is of the exits alone, which may still be open when the entry has ended. */
function isOfExitsOnly({ stop, target, exitTime, ...entry }: OrderChange): boolean {
  const isOfExits = [stop, target, exitTime].some((item) => item !== undefined);
  return isOfExits && Object.values(entry).every((item) => item === undefined);
}

/** Returns the exit of a kind that the order shows; undefined if it has none, or it was removed. */
function shownExit(order: OrderRecord, kinds: readonly ShownExit['kind'][]): WireRecord<ShownExit> | undefined {
  return exitsOf(order).find(({ kind, status }) => kinds.includes(textFrom(kind)) && status !== 'CANCELLED');
}

const msOf = (time: Json | undefined): number | undefined => (typeof time === 'string' ? Date.parse(time) : undefined);

const stopOf = (order: OrderRecord): WireRecord<ShownExit> | undefined =>
  shownExit(order, ['STOPLOSS', 'TRAILING_STOP']);

/** True if an order was modified since it was read before. */
const wasModified = (order: OrderRecord, before: OrderRecord): boolean => order.last_modified !== before.last_modified;

/**
 * Returns true if the order shows the stop loss. A trailing stop keeps trailing if the change says nothing about it, and may have moved in
 * the owner's favour since; but not back to its former level.
 */
function showsStop(order: OrderRecord, { trigger, limit, jump }: StopChange, before: OrderRecord): boolean {
  const shown = stopOf(order);
  const trails = shown?.trail_jump ?? null;
  if (shown === undefined || (jump !== undefined && trails !== jump)) return false;
  if (trails === null) return shown.trigger_price === trigger && shown.limit_price === limit;
  if (shown.trigger_price === trigger) return true;
  const isOther = wasModified(order, before) && shown.trigger_price !== stopOf(before)?.trigger_price;
  return isOther && directionOf(sideOf(order) ?? 'BUY') * (numberFrom(shown.trigger_price) - trigger) > 0;
}

function showsTarget(order: OrderRecord, { trigger, limit }: TargetTerms): boolean {
  const shown = shownExit(order, ['TARGET_PROFIT']);
  return shown?.trigger_price === trigger && shown.limit_price === limit;
}

/** Returns true if the order shows the conditions and the exits of the change; null is none. */
function showsConditions(order: OrderRecord, change: OrderChange, before: OrderRecord): boolean {
  const { stop, target, exitTime, condition, entryTime } = change;
  const shown = recordIn(order, 'entry_condition');
  return (
    (stop === undefined || (stop === null ? stopOf(order) === undefined : showsStop(order, stop, before))) &&
    (target === undefined || (target === null ? !shownExit(order, ['TARGET_PROFIT']) : showsTarget(order, target))) &&
    (exitTime === undefined || msOf(shownExit(order, ['EXIT_TIME'])?.exit_time) === (exitTime ?? undefined)) &&
    (condition === undefined ||
      (shown?.when === condition?.when && (shown?.trigger_price ?? undefined) === condition?.price)) &&
    (entryTime === undefined || msOf(order.entry_time) === (entryTime ?? undefined))
  );
}

/** Returns true if an order shows all of a change. @param before the order when the change was sent. */
export function showsChange(order: OrderRecord, change: OrderChange, before: OrderRecord): boolean {
  const { quantity, price, triggerPrice, legSize, kind, goodTill } = change;
  const isModified = wasModified(order, before);
  // A limit price has been seen missing in records (docs/service/intent-orders.md#record).
  const showsPrice = priceOf(order) === price || (isIntent(order) && priceOf(order) === 0 && isModified);
  return (
    (quantity === undefined || quantityOf(order) === quantity) &&
    (price === undefined || showsPrice) &&
    (triggerPrice === undefined || showsTriggerPrice(order, triggerPrice)) &&
    (legSize === undefined || showsLegSize(order, legSize)) &&
    (kind === undefined || kindOf(order) === kind) &&
    showsConditions(order, change, before) &&
    // The last day may come back changed, or not at all (docs/service/intent-orders.md#record).
    (goodTill === undefined || isModified)
  );
}

/**
 * Modifies one order, after its rules and its guards have passed.
 * @returns the result for it; in a dry run the request that would be sent.
 * @throws InputError if the change breaks a rule or a guard; what the guards' reads throw; the signal's reason.
 */
export async function modifyOrder(
  modification: Modification,
  context: PlacementContext,
): Promise<ChangeResult | ServiceRequest> {
  const { order, instrument, change, guards, unit, waitMs } = modification;
  const orderId = orderIdOf(order);
  requireKnownOrder(order, change.kind);
  // Exits alone close no more than has filled.
  if (change.quantity === undefined && !isOfExitsOnly(change)) requireQuantity(order);
  requireOfItsKind(modification);
  const terms = termsAfter(modification);
  checkOrder(terms, unit, change);
  checkChangedExits(modification);
  await passGuards(
    [{ ...terms, exits: exitsAfter(change) }],
    { tag: orderId, guards, unit, replaces: (orderRecord) => orderIdOf(orderRecord) === orderId },
    context,
  );
  // The order counts in the list already.
  context.placements.release(context.scope, orderId);
  const request = context.orders.modify(order, change, instrument.exchange);
  if (isDryRun(guards)) return request;
  if (hasEnded(order) || (entryHasEnded(order) && !isOfExitsOnly(change)))
    return tooLateResult(orderId, order, { what: 'modified' });
  const isDone = (seen: OrderRecord): boolean => showsChange(seen, change, order);
  await context.requireTrading?.();
  const result = await changeOrder(orderId, request, { what: 'modified', isDone }, waitMs, context);
  return await withSuccessor(result, order, context);
}

/**
 * Names the order that took the place of one which is shown as cancelled after its modification: a service may give it a new id. Called
 * cancelled it would be placed once more.
 */
async function withSuccessor(
  result: ChangeResult,
  before: OrderRecord,
  { orders, signal }: PlacementContext,
): Promise<ChangeResult> {
  const { orderId, order } = result;
  const tag = tagOf(before);
  if (result.result !== 'too_late' || order === undefined || statusOf(order) !== 'CANCELLED' || !isMadeTag(tag))
    return result;
  const listed = await attempt(orders.list(signal));
  signal?.throwIfAborted();
  const isSame = (other: OrderRecord): boolean =>
    orderIdOf(other) !== orderId && identityOf(tagOf(other)) === identityOf(tag) && sideOf(other) === sideOf(before);
  const successor = listed.ok ? listed.value.find(isSame) : undefined;
  if (successor === undefined) return result;
  const error = new InputError(
    `Order ${orderId} is cancelled, and order ${orderIdOf(successor)} has its tag: the service shows the modified order under this ID. Nothing more was sent.`,
    {
      parameter: 'orderId',
      hint: `Look at order ${orderIdOf(successor)} with Order: Get, and use its ID from now on.`,
    },
  );
  return { ...result, error };
}
