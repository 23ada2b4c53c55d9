import type { ExchangeEvent } from '../exchange/types';
import type { Order } from '../shared/orders';
import { INTENT_STATUSES } from '../web/intent-records';
import type { Instrument } from '../market/reference/types';
import { averagePrice } from '../web/records';
import { protobufLong } from './messages';
import { endOfDayOf, stratTags, tradeFill, UPDATE_KINDS, type StreamUpdate, type UpdateFrames } from './update-frame';

const KINDS: Record<Order['kind'], string> = { REGULAR: 'REGULAR', STOPLOSS: 'TRIGGER', ICEBERG: 'ICEBERG' };

/** Makes the frames of updates of orders. */
export class OrderFrames {
  constructor(private readonly frames: UpdateFrames) {}

  /** The update of an event; undefined when the service tells nothing of it. `ltp` is the last traded price, paise. */
  of(event: ExchangeEvent, instrument: Instrument | undefined, ltp: number): StreamUpdate | undefined {
    const kind = UPDATE_KINDS[event.type];
    if (kind === undefined) return undefined;
    const { id, status } = event.order;
    return this.frames.update(kind, this.response(event, instrument, ltp), {
      order_id: id.toString(),
      status,
      event: event.seq,
    });
  }

  private response(event: ExchangeEvent, instrument: Instrument | undefined, ltp: number) {
    const { order } = event;
    const { frames } = this;
    const code = frames.code.bind(frames);
    const refdata = instrument === undefined ? undefined : frames.refData(instrument);
    const sign = order.side === 'BUY' ? 1 : -1;
    return {
      intentOrderId: protobufLong(order.id),
      orderStatus: code('IntentOrderStatus', 'INTENT_ORDER_STATUS', INTENT_STATUSES[order.status]),
      ...(order.kind === 'STOPLOSS' ? { entryConfig: this.entryConfig(order) } : {}),
      legs: [frames.leg(order, sign * order.quantity, instrument)],
      filledAt: protobufLong(order.filledAt),
      validityType: code('ValidityType', 'VALIDITY_TYPE', order.validity),
      stratTags: stratTags(order.tag),
      echoFields: order.tag,
      orderQty: order.quantity,
      filledQty: order.filledQuantity,
      expiryTime: protobufLong(endOfDayOf(order.createdAt)),
      ltp,
      orderPrice: order.price,
      filledPrice: averagePrice(order),
      ...(event.type === 'trade' ? tradeFill(event.trade) : {}),
      executionMode: code('ExecutionMode', 'EXECUTION_MODE', 'ENTRY'),
      svcTimestamps: {
        intentCreatedAt: protobufLong(order.createdAt),
        sentToColoAt: protobufLong(order.sentAt),
        filledAt: protobufLong(order.filledAt),
        cancelledAt: protobufLong(order.cancelledAt),
        lastModifiedAt: protobufLong(order.modifiedAt),
        lastUpdatedAt: protobufLong(event.at),
      },
      positionId: `${order.account}-${order.refId}-${order.product}`,
      entryPrice: order.price,
      ...(order.kind === 'ICEBERG'
        ? { icebergInfo: { numberOfLegs: Math.ceil(order.quantity / order.legSize), maxQtyPerLeg: order.legSize } }
        : {}),
      refdata,
      refId: order.refId,
      isMulti: false,
      ...frames.terms(order, KINDS[order.kind]),
      rejectionMsg: 'reason' in event ? event.reason : order.status === 'REJECTED' ? order.reason : '',
    };
  }

  /** A stop-loss waits for its trigger: a buy at or above it, a sell at or below. */
  private entryConfig({ status, side, triggerPrice }: Order) {
    const over = status === 'CANCELLED' || status === 'EXPIRED';
    const waits = status === 'PENDING' || status === 'SENT' || status === 'OPEN';
    const word = status === 'FILLED' ? 'FILLED' : over ? 'CANCELLED' : waits ? 'OPEN' : 'TRIGGERED';
    const kind = side === 'BUY' ? 'AT_OR_ABOVE' : 'AT_OR_BELOW';
    return this.frames.entryConfig({ kind, price: triggerPrice }, null, word);
  }
}
