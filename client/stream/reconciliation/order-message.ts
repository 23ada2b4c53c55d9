/** What a message of the stream says about an order (specification: Events, Routing rules). */
import type { IntentOrderResponse, RefData, SvcToClientIntentUpdate } from '../../../proto/generated/messages';
import { tradingSymbol } from '../../instruments/symbol';
import type { BasketPart } from './delivered-state';
import { exitEventOf, exitOfTrade, streamExits } from './exit-steps';
import type { Fill, LegFill, OrderEnd, OrderEventType, OrderInstrument, OrderSnapshot } from './types';

/** One message of the order stream, read. */
export interface OrderMessage {
  type: OrderEventType;
  order: OrderSnapshot;
  /** The trade that the message brings; undefined when it is not a fill event. */
  trade: Pick<Fill, 'refId' | 'quantity' | 'price' | 'of' | 'part'> | undefined;
  /** Which step of a basket's life it is, if it is one. */
  part: BasketPart | undefined;
  /** The message as it came. */
  raw: SvcToClientIntentUpdate;
}

const ENDS: Record<string, OrderEnd> = {
  INTENT_ORDER_STATUS_EXECUTED: 'executed',
  INTENT_ORDER_STATUS_REJECTED: 'rejected',
  INTENT_ORDER_STATUS_CANCELLED: 'cancelled',
  INTENT_ORDER_STATUS_EXPIRED: 'expired',
};

/** Response type and request type to event, both without their prefixes; a response type alone stands for any request. */
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
export function bare(prefix: string, name: string | number): string {
  return typeof name === 'string' && name.startsWith(prefix) ? name.slice(prefix.length) : String(name);
}

/** @returns undefined when the message holds no order. */
export function readOrderMessage(update: SvcToClientIntentUpdate): OrderMessage | undefined {
  const response = update.intentOrderResponse;
  if (response === null || response.intentOrderId === '0') return undefined;
  const responseType = bare('INTENT_ORDER_RESPONSE_TYPE_', update.intentOrderResponseType);
  const requestType = bare('INTENT_ORDER_REQUEST_TYPE_', update.intentOrderRequstType);
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

/** What of an order, or of a strategy, a trade is. */
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

/** A type without a row of its own is named by what became of the order. */
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

function readResponse(response: IntentOrderResponse): OrderSnapshot {
  const end = ENDS[response.orderStatus] ?? '';
  const stamps = response.svcTimestamps;
  const refId = response.refId || response.tradeFill?.refId || response.legs[0]?.refId || response.refdata?.refId || 0;
  const filled = response.filledQty;
  // A single order that has exits is of the type FLEXI too, and names its instrument.
  const isSingle = response.refId !== 0 || response.refdata !== null;
  const isStrategy =
    response.isMulti ||
    response.legs.length > 1 ||
    (response.intentOrderType === 'INTENT_ORDER_TYPE_FLEXI' && !isSingle);
  return {
    kind: isStrategy ? 'strategy' : 'order',
    orderId: response.intentOrderId,
    basketId: isStrategy ? response.intentOrderId : '0',
    instrument: readInstrument(
      response.refdata ?? (response.legs.find((leg) => leg.refId === refId) ?? response.legs[0])?.refdata ?? null,
      refId,
    ),
    side: bare('ORDER_SIDE_', response.orderSide),
    product: bare('ORDER_DELIVERY_TYPE_', response.deliveryType),
    orderType:
      ORDER_TYPES[bare('INTENT_ORDER_TYPE_', response.intentOrderType)] ??
      bare('INTENT_ORDER_TYPE_', response.intentOrderType),
    priceType: bare('PRICE_TYPE_', response.priceType),
    validity: bare('VALIDITY_TYPE_', response.validityType),
    status: statusWord(bare('INTENT_ORDER_STATUS_', response.orderStatus), filled),
    quantity: response.orderQty,
    filled,
    price: response.orderPrice,
    averagePrice: response.filledPrice,
    triggerPrice: response.entryConfig?.conditions[0]?.threshold,
    legs: readLegs(response, refId, isStrategy),
    tags: response.stratTags,
    reason: response.rejectionMsg,
    ...(response.exitTriggers.length === 0 ? {} : { exits: streamExits(response.exitTriggers) }),
    accepted: response.orderStatus === 'INTENT_ORDER_STATUS_OPEN' || (end !== '' && end !== 'rejected') || filled > 0,
    triggered: isTriggered(response),
    end,
    times: {
      created: stamp(stamps?.intentCreatedAt),
      accepted: '0',
      filled: stamp(stamps?.filledAt, stamp(response.filledAt)),
      cancelled: stamp(stamps?.cancelledAt),
      modified: stamp(stamps?.lastModifiedAt),
      updated: stamp(stamps?.lastUpdatedAt),
    },
    source: 'stream',
  };
}

/** Whether a stop-loss order shows that its trigger price was reached: by what it filled, or by its condition. */
function isTriggered({ intentOrderType, filledQty, entryConfig }: IntentOrderResponse): boolean {
  const status = entryConfig?.conditions[0]?.status ?? '';
  return intentOrderType === 'INTENT_ORDER_TYPE_TRIGGER' && (filledQty > 0 || REACHED.includes(String(status)));
}

const REACHED = ['INTENT_ENTRY_TRIGGER_STATUS_TRIGGERED', 'INTENT_ENTRY_TRIGGER_STATUS_FILLED'];

/** A time that is not there yet may be 0 or garbage below it, as in the list (wire-facts §3.9): garbage would be later than all. */
function stamp(nanos = '0', otherwise = '0'): string {
  return nanos === '0' || nanos.startsWith('-') ? otherwise : nanos;
}

/** The words of the order record for what the stream calls otherwise. */
const ORDER_TYPES: Record<string, string> = { TRIGGER: 'STOPLOSS' };

function statusWord(status: string, filled: number): string {
  if (status === 'EXECUTED') return 'FILLED';
  return status === 'OPEN' && filled > 0 ? 'PARTIAL_FILLED' : status;
}

function readLegs(response: IntentOrderResponse, refId: number, isStrategy: boolean): LegFill[] {
  if (isStrategy && response.legs.length > 0) {
    return response.legs.map((leg) => ({
      refId: leg.refId,
      filled: Math.abs(leg.filledQty),
      averagePrice: leg.filledPrice,
      instrument: readInstrument(leg.refdata, leg.refId),
      side: leg.unitQty < 0 ? 'SELL' : 'BUY',
    }));
  }
  return [{ refId, filled: response.filledQty, averagePrice: response.filledPrice }];
}

function readInstrument(refdata: RefData | null, refId: number): OrderInstrument {
  return {
    refId,
    exchange: refdata?.exchange ?? '',
    symbol: tradingSymbol(refdata?.stockName ?? '', refdata?.platName ?? ''),
    asset: refdata?.asset ?? '',
    platName: refdata?.platName ?? '',
    displayName: refdata?.displayName ?? '',
  };
}
