/** Messages of the stream about an order (docs/service/streams.md#routing-rules). */
import type {
  IntentEntryCondition,
  IntentExitTrigger,
  IntentOrderResponse,
  RefData,
  SvcToClientIntentUpdate,
} from '../../../proto/generated/messages';
import {
  endFrom,
  exitFrom,
  instrumentFrom,
  isAccepted,
  isTriggered,
  kindFrom,
  provedFill,
  provedStatus,
  tagsFrom,
  timeFrom,
  wordAmong,
  type ExitView,
  type LegFill,
  type OrderEnd,
  type OrderEventType,
  type OrderInstrument,
  type OrderSnapshot,
} from '../../orders/model/order-snapshot';
import { statusFrom } from '../../orders/model/order-status';
import { SIDES } from '../../orders/model/order-terms';
import { knownMarketPrice, netPriceIn } from '../../values/market-price';
import type { BasketPart } from './order-as-delivered';
import { exitEventOf, exitOfTrade } from './exit-steps';
import type { Fill } from './types';

/** One message of the order stream, read. */
export interface OrderMessage {
  type: OrderEventType;
  order: OrderSnapshot;
  /** The trade that the message brings; undefined if it is not a fill event. */
  trade: Pick<Fill, 'refId' | 'quantity' | 'price' | 'of' | 'part'> | undefined;
  /** The step of a basket, if it is one. */
  part: BasketPart | undefined;
  /** The unchanged message. */
  raw: SvcToClientIntentUpdate;
}

/** Maps response type and request type to an event, both without their prefixes; a response type alone matches any request. */
const TYPES: Record<string, OrderEventType> = {
  'ACCEPT NEW': 'accepted',
  'ACCEPT MOD': 'modified',
  'ACCEPT CANCEL': 'cancelled',
  'REJECT NEW': 'rejected',
  'REJECT MOD': 'modifyRejected',
  'REJECT CANCEL': 'cancelRejected',
  ACCEPT: 'accepted',
  REJECT: 'rejected',
  ENTRY_TRIGGERED: 'entryTriggered',
  EXIT_SL_TRIGGERED: 'stopLossTriggered',
  EXIT_TP_TRIGGERED: 'targetTriggered',
  TRAIL_UPDATED: 'trailUpdated',
  EXECUTED: 'executed',
  UNSOLICITED_CANCEL: 'unsolicitedCancel',
};

/** An enum name without the prefix of its enum; an unknown number as text. */
export function withoutEnumPrefix(prefix: string, name: string | number): string {
  return typeof name === 'string' && name.startsWith(prefix) ? name.slice(prefix.length) : String(name);
}

/** @returns undefined if the message holds no order. */
export function readOrderMessage(update: SvcToClientIntentUpdate): OrderMessage | undefined {
  const response = update.intentOrderResponse;
  if (response === null || response.intentOrderId === '0') return undefined;
  const responseType = withoutEnumPrefix('INTENT_ORDER_RESPONSE_TYPE_', update.intentOrderResponseType);
  const requestType = withoutEnumPrefix('INTENT_ORDER_REQUEST_TYPE_', update.intentOrderRequstType);
  const { tradeFill } = response;
  const order = readResponse(response);
  if (tradeFill !== null && tradeFill.tradeQty > 0) {
    const refId = order.kind === 'order' ? (order.legs[0] as LegFill).refId : tradeFill.refId;
    return {
      type: 'fill',
      order,
      trade: { refId, quantity: tradeFill.tradeQty, price: tradeFill.tradePrice, ...whatTraded(order, response) },
      part: undefined,
      raw: update,
    };
  }
  const said = TYPES[`${responseType} ${requestType}`] ?? TYPES[responseType] ?? endedAs(responseType, order.end);
  const type = exitEventOf(said, requestType === 'CANCEL', order);
  const part = order.kind === 'strategy' ? partOf(type, requestType, order.end) : undefined;
  return { type, order: effectOf(order, type), trade: undefined, part, raw: update };
}

/** Returns the part of an order, or of a strategy, that a trade belongs to. */
function whatTraded(
  { kind, exits = [] }: OrderSnapshot,
  { executionMode }: IntentOrderResponse,
): Pick<Fill, 'of' | 'part'> {
  const of = exitOfTrade(exits);
  if (kind !== 'order') return { part: of ?? (executionMode === 'EXECUTION_MODE_EXIT' ? 'close' : 'entry') };
  return { of };
}

/**
 * A basket is executed twice: when it is entered, and when it is closed, which is told with the request to cancel. A
 * refusal or cancellation is its end only with the status that says so; otherwise it is about a leg, or about an exit
 * that has only begun.
 */
function partOf(type: OrderEventType, requestType: string, end: OrderEnd): BasketPart | undefined {
  if (type === 'accepted') return 'accepted';
  if (type === 'executed') return requestType === 'CANCEL' ? 'ended' : 'entered';
  if (type === 'rejected') return end === 'rejected' ? 'ended' : undefined;
  if (type === 'cancelled' || type === 'unsolicitedCancel') return end === 'cancelled' ? 'ended' : undefined;
  return type === 'expired' ? 'ended' : undefined;
}

/** Returns the event of a type without a row, by the final state of the order. */
function endedAs(responseType: string, end: OrderEnd): OrderEventType {
  if (responseType === 'FILLED' && end === 'executed') return 'executed';
  return end === 'expired' ? 'expired' : 'other';
}

/** Some services send the status of before: what the type says happened has happened. */
function effectOf(order: OrderSnapshot, type: OrderEventType): OrderSnapshot {
  if (type === 'rejected') return { ...order, end: 'rejected', accepted: false };
  if (type === 'accepted' || type === 'modified') return { ...order, accepted: true };
  if (type === 'entryTriggered') return { ...order, accepted: true, triggered: true };
  if (type === 'executed') return { ...order, accepted: true, end: 'executed' };
  if ((type === 'cancelled' || type === 'unsolicitedCancel') && order.end === '')
    return { ...order, accepted: true, end: 'cancelled' };
  return order;
}

/** All that a message says of its order. */
function readResponse(response: IntentOrderResponse): OrderSnapshot {
  const stamps = response.svcTimestamps;
  const refId = response.refId || response.tradeFill?.refId || response.legs[0]?.refId || response.refdata?.refId || 0;
  const type = withoutEnumPrefix('INTENT_ORDER_TYPE_', response.intentOrderType);
  // A single order that has exits is of the type FLEXI too, and names its instrument.
  const isSingle = response.refId !== 0 || response.refdata !== null;
  const isStrategy = response.isMulti || response.legs.length > 1 || (type === 'FLEXI' && !isSingle);
  const condition = response.entryConfig?.conditions[0];
  const side = wordAmong(String(response.orderSide), SIDES);
  const priceType = withoutEnumPrefix('PRICE_TYPE_', response.priceType);
  const kind = kindFrom(response.icebergInfo === null ? type : 'ICEBERG', whenOf(condition), side, priceType);
  const status = statusIn(response);
  const filled = isStrategy ? response.filledQty : filledIn(response, status);
  // The condition is not told of every order that has one.
  const waits = kind === 'STOPLOSS' || condition !== undefined;
  return {
    kind: isStrategy ? 'strategy' : 'order',
    orderId: response.intentOrderId,
    basketId: isStrategy ? response.intentOrderId : '0',
    instrument: readInstrument(
      response.refdata ?? (response.legs.find((leg) => leg.refId === refId) ?? response.legs[0])?.refdata ?? null,
      refId,
    ),
    side: side ?? withoutEnumPrefix('ORDER_SIDE_', response.orderSide),
    product: withoutEnumPrefix('ORDER_DELIVERY_TYPE_', response.deliveryType),
    orderType: isStrategy ? type : kind,
    priceType,
    validity: response.goodTillDate === '0' ? withoutEnumPrefix('VALIDITY_TYPE_', response.validityType) : 'GTE',
    status,
    quantity: response.orderQty,
    filled,
    price: (isStrategy ? netPriceIn(response.orderPrice) : knownMarketPrice(response.orderPrice)) ?? 0,
    averagePrice: response.filledPrice,
    triggerPrice: knownMarketPrice(condition?.threshold),
    legs: readLegs(response, refId, isStrategy, filled),
    tags: tagsFrom(response.stratTags),
    reason: response.rejectionMsg.trim(),
    ...(response.exitTriggers.length === 0 ? {} : { exits: readExits(response.exitTriggers) }),
    accepted: isAccepted(status, filled),
    triggered: !isStrategy && (isReached(condition) || isTriggered(status, waits, filled)),
    // A strategy has separate parts, which its messages name.
    end: endFrom(isStrategy ? statusFrom(String(response.orderStatus)) : status),
    times: {
      created: timeFrom(stamps?.intentCreatedAt ?? '0'),
      accepted: '0',
      filled:
        stamps == null || timeFrom(stamps.filledAt) === '0' ? timeFrom(response.filledAt) : timeFrom(stamps.filledAt),
      cancelled: timeFrom(stamps?.cancelledAt ?? '0'),
      modified: timeFrom(stamps?.lastModifiedAt ?? '0'),
      updated: timeFrom(stamps?.lastUpdatedAt ?? '0'),
    },
    source: 'stream',
  };
}

/**
 * The status in the word of the order record. An order that has filled in part is open on the stream, and so is one that has just filled in
 * full: it has ended by that, though the message that says so comes after its last trade.
 */
function statusIn({ orderStatus, filledQty, orderQty }: IntentOrderResponse): string {
  return provedStatus(statusFrom(String(orderStatus)), orderQty, filledQty);
}

/** The units that have filled, as the list of the day tells them; a count below 0, which cannot be, unchanged. */
function filledIn({ filledQty, orderQty, exitTriggers }: IntentOrderResponse, status: string): number {
  if (filledQty < 0) return filledQty;
  return provedFill(
    status,
    orderQty,
    filledQty,
    readExits(exitTriggers).some((exit) => exit.status !== 'OPEN'),
  );
}

/** Returns the condition of an entry: AT_OR_ABOVE, …; undefined if unknown. */
function whenOf(condition: IntentEntryCondition | undefined): string | undefined {
  const when = withoutEnumPrefix('LTP_CONDITION_KIND_', condition?.kind?.ltpConditionKind ?? 'INVALID');
  return when === 'INVALID' ? undefined : when;
}

/** Returns true if the price condition of an entry was met. */
function isReached(condition: IntentEntryCondition | undefined): boolean {
  return ['TRIGGERED', 'FILLED'].includes(withoutEnumPrefix('INTENT_ENTRY_TRIGGER_STATUS_', condition?.status ?? ''));
}

/** The exits in a message. A stop loss that moves along may be told apart by its jump only, as in the list. */
function readExits(triggers: readonly IntentExitTrigger[]): ExitView[] {
  return triggers.flatMap((trigger): ExitView[] => {
    const word = withoutEnumPrefix('INTENT_EXIT_TRIGGER_KIND_', trigger.kind);
    const kind = word === 'STOPLOSS' && trigger.trailJump > 0 ? 'TRAILING_STOP' : word;
    const view = exitFrom(kind, withoutEnumPrefix('INTENT_EXIT_TRIGGER_STATUS_', trigger.status), trigger.triggerPrice);
    return view === undefined ? [] : [view];
  });
}

function readLegs(response: IntentOrderResponse, refId: number, isStrategy: boolean, filled: number): LegFill[] {
  if (isStrategy && response.legs.length > 0) {
    return response.legs.map((leg) => ({
      refId: leg.refId,
      filled: Math.abs(leg.filledQty),
      averagePrice: leg.filledPrice,
      instrument: readInstrument(leg.refdata, leg.refId),
      // 0 tells no side.
      ...(leg.unitQty === 0 ? {} : { side: leg.unitQty < 0 ? 'SELL' : 'BUY' }),
    }));
  }
  return [{ refId, filled, averagePrice: response.filledPrice }];
}

function readInstrument(refdata: RefData | null, refId: number): OrderInstrument {
  return instrumentFrom({ ...refdata, refId, namedRefId: refdata?.refId });
}
