/** Orders as intent orders speak of them (docs/service/intent-orders.md). */
import { endpoints } from '../../../endpoints';
import { MAX_CANCELS, type FundsRequiredReply } from '../../../endpoints/intent-orders';
import type { MarginReply, OrderRecord } from '../../../endpoints/orders';
import { InputError, ServiceError, UnreadableReplyError } from '../../../base/errors';
import type { Transport } from '../../../transport';
import { asObject, type JsonObject } from '../../../values/json';
import { numberIn, recordIn, textIn, unitsAt, type WireRecord } from '../../../values/record';
import { redact } from '../../../values/redact';
import { ordersOnce } from '../each-once';
import { matchRecords } from '../match-reply';
import { requestTo, type Cancellations, type OrderPlacing } from '../order-api';
import { entryHasEnded, orderIdOf } from '../../model/order-record';
import { checked, requireStatusWord, requireUnits, type OddRecords } from '../../model/record-units';
import { changeBody, itemOf } from './request-body';
import { requestListed } from './day-list';
import { createdIn, isStrategy, orderOf, type ListedRecord } from './record';

/** The single orders among records. */
function ordersAmong(all: readonly ListedRecord[], odd: OddRecords = 'refused'): OrderRecord[] {
  const orders = all.filter((listed) => !isStrategy(listed));
  const withoutUnits = ({ record, bucket }: ListedRecord): OrderRecord =>
    orderOf({ record: { ...record, orderQty: null, filledQty: null }, bucket });
  return ordersOnce(
    orders.map((listed) =>
      checked(
        orderOf(listed),
        odd,
        () => requireOrder(listed),
        () => withoutUnits(listed),
      ),
    ),
  );
}

/** @throws UnreadableReplyError if an order contradicts itself */
function requireOrder({ record, bucket }: ListedRecord): void {
  const name = `Order ${textIn(record, 'intentOrderId')}`;
  // The bucket says it, where there is one.
  if (bucket === undefined) requireStatusWord(name, record.status);
  requireUnits(name, unitsAt(record, 'orderQty'), unitsAt(record, 'filledQty'));
}

/** The ids of strategies among records. */
function strategiesAmong(all: readonly ListedRecord[]): string[] {
  return all.filter(isStrategy).map((listed) => orderIdOf(orderOf(listed)));
}

/** The orders of an account by intent orders. */
export function intentOrders(transport: Transport): OrderPlacing {
  /** Reads only some orders, by their ids: a missing one may still exist. */
  const some = async (orderIds: readonly string[], signal?: AbortSignal): Promise<ListedRecord[]> => {
    const query = { intentOrderId: orderIds.join(',') };
    return await requestListed(transport, { query, signal });
  };
  const cancellations = async (orderIds: readonly string[], signal?: AbortSignal): Promise<Cancellations> => {
    const records = await some(orderIds, signal);
    return cancellationsOf(orderIds, ordersAmong(records), strategiesAmong(records));
  };
  const get = async (orderId: string, signal?: AbortSignal): Promise<OrderRecord> => {
    const all = await some([orderId], signal);
    const orders = ordersAmong(all);
    const order = orders.find((record) => orderIdOf(record) === orderId);
    if (order !== undefined) return order;
    // A service may leave the filter aside: what it shows instead is told, and is no answer.
    const [other] = orders;
    throw new ServiceError(`The service has no order ${orderId} today.`, {
      status: 404,
      serviceText: '',
      hint: strategiesAmong(all).includes(orderId)
        ? 'It is a basket: use the operations of Basket.'
        : `${other === undefined ? '' : `It answered with order ${orderIdOf(other)} instead. `}Check the id, and that it belongs to the environment of the credential.`,
    });
  };
  return {
    requirePossible: async ({ kept }) => {
      if (kept !== undefined) throw keptByService();
    },
    splits: async () => true,
    place: async ({ terms, tag }) =>
      requestTo(endpoints.createIntents, { body: { orders: [itemOf(terms, tag)] }, orders: 1 }),
    placeSeveral: async (requested) =>
      requestTo(endpoints.createIntents, {
        body: { orders: requested.map(({ terms, tag }) => itemOf(terms, tag)) },
        orders: requested.length,
      }),
    matchReply: (requested, reply) => matchRecords(requested, createdIn(reply).map(orderOf)),
    list: async (signal, odd) => ordersAmong(await requestListed(transport, { signal }), odd),
    get,
    reread: async (record, signal) => await get(orderIdOf(record), signal),
    modify: (order, change) =>
      requestTo(endpoints.modifyIntents, { body: { orders: [changeBody(order, change)] }, orders: 1 }),
    cancel: async (orderId, signal) => await cancellations([orderId], signal),
    cancelSeveral: cancellations,
    endAll: (orders) => cancelRequests(orders.map(orderIdOf)),
    cancelExit: (order, exitTriggerKind) =>
      requestTo(endpoints.cancelIntents, { body: { orders: [{ orderId: orderIdOf(order), exitTriggerKind }] } }),
    reportsAuthorisation: async () => await Promise.resolve(true),
    preview: async (orders, { signal }) => {
      const body = { requestType: 'NEW' as const, orders: orders.map((terms) => itemOf(terms, PREVIEW_TAG)) };
      return marginOf(asObject(await transport.call(endpoints.fundsRequired, { body, signal })));
    },
  };
}

function keptByService(): InputError {
  return new InputError('With intent orders the service keeps the exits of an order. Nothing was sent.', {
    parameter: 'keptBy',
    hint: 'Set Exits Managed By to Service, or remove it.',
  });
}

/** Nothing is placed under it: an item needs a tag. */
const PREVIEW_TAG = 'preview';

/** An entry that is filled, and a strategy, are left alone: cancelling them would take their exits off. */
function cancellationsOf(
  orderIds: readonly string[],
  orders: readonly OrderRecord[],
  strategies: readonly string[],
): Cancellations {
  const listedOrders = orders.filter((order) => orderIds.includes(orderIdOf(order)));
  const ended = listedOrders.filter(entryHasEnded);
  const baskets = orderIds.filter((orderId) => strategies.includes(orderId));
  const open = orderIds.filter(
    (orderId) => !baskets.includes(orderId) && !ended.some((order) => orderIdOf(order) === orderId),
  );
  const unseen = open.filter((orderId) => !listedOrders.some((order) => orderIdOf(order) === orderId));
  return { requests: cancelRequests(open), ended, baskets, unseen };
}

/** Cancels entries that are open, and takes the exits off those that are filled. */
function cancelRequests(orderIds: readonly string[]): Cancellations['requests'] {
  const requests: Cancellations['requests'][number][] = [];
  for (let at = 0; at < orderIds.length; at += MAX_CANCELS) {
    const part = orderIds.slice(at, at + MAX_CANCELS);
    const body = { orders: part.map((orderId) => ({ orderId })) };
    requests.push({ orderIds: part, request: requestTo(endpoints.cancelIntents, { body }) });
  }
  return requests;
}

/** Maximum number of charges shown for one order, with names of limited length. */
const MAX_CHARGES = 40;
const MAX_CHARGE_NAME = 60;

/** The quantities of a preview. */
type Quantity = 'maxAllowedQty' | 'cncSellAllowedQty' | 'availableQty' | 'edisDoneQty' | 'edisRemainingQty';

/** Returns the service's figures beside margin and charges (docs/service/intent-orders.md#funds-required); missing ones are left out. */
function previewFields(
  reply: WireRecord<FundsRequiredReply>,
  margin: WireRecord<NonNullable<FundsRequiredReply['marginInfo']>> | undefined,
): JsonObject {
  const units = (name: Quantity): number | null => {
    const value = numberIn(margin, name);
    return value !== null && Number.isSafeInteger(value) && value >= 0 ? value : null;
  };
  const quantities = {
    max_quantity: units('maxAllowedQty'),
    sellable_quantity: units('cncSellAllowedQty'),
    available_quantity: units('availableQty'),
    authorised_quantity: units('edisDoneQty'),
    unauthorised_quantity: units('edisRemainingQty'),
    open_orders: numberIn(reply, 'openOrders'),
  };
  const charges = Object.entries(asObject(recordIn(reply, 'brokerageInfo')?.chargesFloat) ?? {})
    .filter((entry): entry is [string, number] => typeof entry[1] === 'number' && entry[0].length <= MAX_CHARGE_NAME)
    .slice(0, MAX_CHARGES);
  const slot = recordIn(reply, 'tradingSlot');
  const iceberg = recordIn(reply, 'icebergInfo');
  return {
    ...Object.fromEntries(Object.entries(quantities).filter(([, value]) => value !== null)),
    ...(charges.length === 0 ? {} : { charges: Object.fromEntries(charges) }),
    ...(slot === undefined
      ? {}
      : { trading_slot: { start_time: textIn(slot, 'startTime'), end_time: textIn(slot, 'endTime') } }),
    ...(iceberg === undefined
      ? {}
      : {
          slicing: {
            number_of_legs: numberIn(iceberg, 'numberOfLegs'),
            max_qty_per_leg: numberIn(iceberg, 'maxQtyPerLeg'),
          },
        }),
  };
}

/**
 * Margin and charges under the names of the older interface, and what only this one tells.
 * @throws ServiceError for a refusal, which comes inside a 200; UnreadableReplyError when it is no answer.
 */
function marginOf(reply: WireRecord<FundsRequiredReply> | undefined): WireRecord<MarginReply> {
  if (reply === undefined) throw new UnreadableReplyError("The service's answer about the margin cannot be read.");
  const margin = recordIn(reply, 'marginInfo');
  const total = numberIn(margin, 'totalMargin');
  if (total === null || textIn(reply, 'code') !== '1') {
    const text = redact(textIn(margin, 'message') || textIn(reply, 'message'));
    throw new ServiceError(`The service could not work out the margin.${text === '' ? '' : ` It said: ${text}`}`, {
      status: 200,
      serviceText: text,
    });
  }
  return {
    total_margin: total,
    total_charges: numberIn(recordIn(reply, 'brokerageInfo'), 'totalChargesFloat'),
    total_funds_required: numberIn(reply, 'totalFundsRequired'),
    ...previewFields(reply, margin),
    waits_for_next_session: reply.willDefaultBePlacedAsAmo === true,
    is_sliced: reply.willBeAutoSliced === true,
    message: textIn(margin, 'message'),
    code: reply.code ?? null,
  };
}
