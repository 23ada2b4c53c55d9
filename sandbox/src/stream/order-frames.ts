import type { ExchangeEvent } from '../exchange/types';
import type { Order } from '../shared/orders';
import type { Instrument } from '../market/reference/types';
import { averagePrice } from '../web/records';
import { istDate, istMidnight, millis } from '../shared/time';
import { long, type Messages } from './messages';

type ResponseType = 'ACCEPT' | 'REJECT' | 'FILLED' | 'ENTRY_TRIGGERED' | 'UNSOLICITED_CANCEL';
type RequestType = 'NEW' | 'MOD' | 'CANCEL';

/** Which update an event becomes; what is missing here is not told (the order is on its way). */
const UPDATES: Partial<Record<ExchangeEvent['type'], [ResponseType, RequestType]>> = {
  accepted: ['ACCEPT', 'NEW'],
  rejected: ['REJECT', 'NEW'],
  modified: ['ACCEPT', 'MOD'],
  modify_rejected: ['REJECT', 'MOD'],
  triggered: ['ENTRY_TRIGGERED', 'NEW'],
  trade: ['FILLED', 'NEW'],
  cancelled: ['ACCEPT', 'CANCEL'],
  cancel_rejected: ['REJECT', 'CANCEL'],
  expired: ['UNSOLICITED_CANCEL', 'NEW'],
  unsolicited_cancel: ['UNSOLICITED_CANCEL', 'NEW'],
};

const STATUSES: Record<Order['status'], string> = {
  PENDING: 'OPEN',
  SENT: 'OPEN',
  OPEN: 'OPEN',
  PARTIAL_FILLED: 'OPEN',
  TRIGGERED: 'OPEN',
  FILLED: 'EXECUTED',
  CANCELLED: 'CANCELLED',
  REJECTED: 'REJECTED',
  EXPIRED: 'EXPIRED',
};
const KINDS: Record<Order['kind'], string> = { REGULAR: 'REGULAR', STOPLOSS: 'TRIGGER', ICEBERG: 'ICEBERG' };
const DAY_NS = 86_400_000n * 1_000_000n;

/** An update that goes out: its frame, and what the journal notes of it. */
export interface Update {
  frame: Uint8Array;
  about: Record<string, string | number>;
}

/** Makes the frames of order updates (specification: Events, Message SvcToClientIntentUpdate). */
export class OrderFrames {
  private readonly typeName: string;

  constructor(
    private readonly messages: Messages,
    serviceWord: string,
  ) {
    this.typeName = typeNameOf(serviceWord);
  }

  /** The update of an event; undefined when the service tells nothing of it. `ltp` is the last traded price, paise. */
  of(event: ExchangeEvent, instrument: Instrument | undefined, ltp: number): Update | undefined {
    const update = UPDATES[event.type];
    if (update === undefined) return undefined;
    const [response, request] = update;
    const { messages } = this;
    const type = messages.type('SvcToClientIntentUpdate');
    const message = type
      .encode({
        intentOrderResponse: this.response(event, instrument, ltp),
        intentOrderResponseType: messages.number('IntentOrderResponseType', `INTENT_ORDER_RESPONSE_TYPE_${response}`),
        intentOrderRequstType: messages.number('IntentOrderRequestType', `INTENT_ORDER_REQUEST_TYPE_${request}`),
      })
      .finish();
    return {
      frame: messages.frame(this.typeName, message),
      about: {
        topic: 'orders',
        response,
        request,
        order_id: event.order.id.toString(),
        status: event.order.status,
        event: event.seq,
      },
    };
  }

  private response(event: ExchangeEvent, instrument: Instrument | undefined, ltp: number) {
    const { order } = event;
    const { messages } = this;
    const code = (name: string, prefix: string, value: string): number => messages.number(name, `${prefix}_${value}`);
    const refdata = instrument === undefined ? undefined : refData(instrument);
    const sign = order.side === 'BUY' ? 1 : -1;
    return {
      intentOrderId: long(order.id),
      orderStatus: code('IntentOrderStatus', 'INTENT_ORDER_STATUS', STATUSES[order.status]),
      ...(order.kind === 'STOPLOSS' ? { entryConfig: this.entryConfig(order) } : {}),
      legs: [
        {
          refId: order.refId,
          unitQty: sign * order.quantity,
          filledQty: order.filledQuantity,
          filledPrice: averagePrice(order),
          refdata,
          orderQty: order.quantity,
        },
      ],
      filledAt: long(order.filledAt),
      deliveryType: code('OrderDeliveryType', 'ORDER_DELIVERY_TYPE', order.product),
      priceType: code('PriceType', 'PRICE_TYPE', order.priceType),
      validityType: code('ValidityType', 'VALIDITY_TYPE', order.validity),
      stratTags: order.tag === '' ? [] : [order.tag.replace(/[^A-Za-z0-9]+/g, '-')],
      isAdmin: false,
      echoFields: order.tag,
      orderQty: order.quantity,
      filledQty: order.filledQuantity,
      expiryTime: long(endOfDay(order.createdAt)),
      ltp,
      orderPrice: order.price,
      filledPrice: averagePrice(order),
      ...(event.type === 'trade'
        ? { tradeFill: { tradeQty: event.trade.quantity, tradePrice: event.trade.price, refId: event.trade.refId } }
        : {}),
      executionMode: code('ExecutionMode', 'EXECUTION_MODE', 'ENTRY'),
      svcTimestamps: {
        intentCreatedAt: long(order.createdAt),
        sentToColoAt: long(order.sentAt),
        filledAt: long(order.filledAt),
        cancelledAt: long(order.cancelledAt),
        lastModifiedAt: long(order.modifiedAt),
        lastUpdatedAt: long(event.at),
      },
      positionId: `${order.account}-${order.refId}-${order.product}`,
      entryPrice: order.price,
      ...(order.kind === 'ICEBERG'
        ? { icebergInfo: { numberOfLegs: Math.ceil(order.quantity / order.legSize), maxQtyPerLeg: order.legSize } }
        : {}),
      refdata,
      refId: order.refId,
      isMulti: false,
      orderSide: code('OrderSide', 'ORDER_SIDE', order.side),
      intentOrderType: code('IntentOrderType', 'INTENT_ORDER_TYPE', KINDS[order.kind]),
      rejectionMsg: 'reason' in event ? event.reason : order.status === 'REJECTED' ? order.reason : '',
    };
  }

  /** A stop-loss waits for its trigger: a buy at or above it, a sell at or below. */
  private entryConfig(order: Order) {
    const { messages } = this;
    const waits = order.status === 'PENDING' || order.status === 'SENT' || order.status === 'OPEN';
    const status =
      order.status === 'FILLED'
        ? 'FILLED'
        : order.status === 'CANCELLED' || order.status === 'EXPIRED'
          ? 'CANCELLED'
          : waits
            ? 'OPEN'
            : 'TRIGGERED';
    return {
      conditions: [
        {
          kind: {
            ltpConditionKind: messages.number(
              'LTPConditionKind',
              `LTP_CONDITION_KIND_AT_OR_${order.side === 'BUY' ? 'ABOVE' : 'BELOW'}`,
            ),
          },
          threshold: order.triggerPrice,
          status: messages.number('IntentEntryTriggerStatus', `INTENT_ENTRY_TRIGGER_STATUS_${status}`),
        },
      ],
      conditionOperator: messages.number('ConditionOperator', 'CONDITION_OPERATOR_AND'),
    };
  }
}

/** The name of the update message with the service's own word: SvcToClientIntentUpdate. */
export function typeNameOf(serviceWord: string): string {
  return `${serviceWord.charAt(0).toUpperCase()}${serviceWord.slice(1)}ToClientIntentUpdate`;
}

/** RefData of an instrument. */
export function refData(instrument: Instrument) {
  return {
    refId: instrument.refId,
    platId: instrument.platId,
    optionType: instrument.optionType,
    token: instrument.token,
    stockName: instrument.stockName,
    series: instrument.series,
    platName: instrument.platName,
    lotSize: instrument.lotSize,
    asset: instrument.asset,
    exchange: instrument.exchange,
    derivativeType: instrument.derivativeType,
    displayName: instrument.displayName,
  };
}

/** Nanoseconds at which the day in India of an instant ends. */
function endOfDay(at: bigint): bigint {
  return BigInt(istMidnight(istDate(millis(at)))) * 1_000_000n + DAY_NS - 1n;
}
