/** Views of an order in the service: its frame on the stream and its record among the day's orders. */
import type { Basket, BasketEvent } from '../../../sandbox/src/exchange/strategies/v2-basket-types';
import type { ExchangeEvent } from '../../../sandbox/src/exchange/types';
import type { Order } from '../../../sandbox/src/shared/orders';
import { BasketFrames } from '../../../sandbox/src/stream/basket-frames';
import { UpdateFrames } from '../../../sandbox/src/stream/update-frame';
import { Messages } from '../../../sandbox/src/stream/messages';
import { typeOf } from '../../proto/support';
import type { JsonObject } from '../../../client/values/json';
import { readFrame } from '../../../client/stream/account-feed/frames';
import type { SvcToClientIntentUpdate } from '../../../proto/generated/messages';

const any = typeOf('Any');
const updateType = typeOf('SvcToClientIntentUpdate');

const STREAM_STATUS: Record<Order['status'], number> = {
  PENDING: 1,
  SENT: 1,
  OPEN: 1,
  PARTIAL_FILLED: 1,
  TRIGGERED: 1,
  FILLED: 2,
  REJECTED: 3,
  CANCELLED: 5,
  EXPIRED: 6,
};

/** Response type and request type of each event that the service tells of (docs/service/streams.md#order-update-enums). */
const TYPES: Partial<Record<ExchangeEvent['type'], [response: number, request: number]>> = {
  accepted: [1, 1],
  rejected: [2, 1],
  modified: [1, 2],
  modify_rejected: [2, 2],
  triggered: [4, 1],
  trade: [3, 1],
  cancelled: [1, 3],
  cancel_rejected: [2, 3],
  expired: [9, 1],
  unsolicited_cancel: [9, 1],
};

export function wrap(typeName: string, value: Uint8Array): Uint8Array {
  const inner = any.encode({ typeUrl: `type.example/acme.${typeName}`, value }).finish();
  return any.encode({ typeUrl: 'type.googleapis.com/google.protobuf.Any', value: inner }).finish();
}

/** A message as the client reads it, made of the fields of its order. */
export function updateOf(order: object, [response, request]: [number, number]): SvcToClientIntentUpdate {
  const message = { intentOrderResponse: order, intentOrderResponseType: response, intentOrderRequstType: request };
  const frame = readFrame(wrap('AcmeToClientIntentUpdate', updateType.encode(updateType.fromObject(message)).finish()));
  if (frame.kind !== 'order') throw new Error(`a frame of the kind ${frame.kind}`);
  return frame.update;
}

/** The frame of an event; undefined for what the service does not tell. */
export function frameOf(event: ExchangeEvent): Uint8Array | undefined {
  const types = TYPES[event.type];
  return types && frame(event, types);
}

/** Figures that no order has, of those that its message tells. */
export const IMPOSSIBLE: readonly ((order: { orderQty: number; refId: number }) => object)[] = [
  ({ orderQty }) => ({ filledQty: orderQty + 1, orderStatus: 2 }),
  () => ({ filledQty: 2 ** 31 - 1, orderStatus: 2 }),
  () => ({ filledQty: -5 }),
  () => ({ orderQty: -1 }),
  ({ orderQty, refId }) => ({ tradeFill: { tradeQty: orderQty + 1, tradePrice: 100, refId } }),
  ({ refId }) => ({ tradeFill: { tradeQty: 1, tradePrice: 100, refId: refId + 1 } }),
  () => ({ svcTimestamps: { lastModifiedAt: '4102444800000000000' }, orderPrice: 7 }),
  () => ({ svcTimestamps: { filledAt: '9223372036854775807' } }),
];

/** The frame of an order with the id of another one. */
export const misplacedFrame = (frame: Uint8Array, id: bigint): Uint8Array =>
  impossibleFrame(frame, () => ({ intentOrderId: String(id) }));

/** A frame of an order, changed so that it cannot be true. */
export function impossibleFrame(frame: Uint8Array, change: (typeof IMPOSSIBLE)[number]): Uint8Array {
  const update = updateType.toObject(updateType.decode(openedFrame(frame)), { longs: String }) as {
    intentOrderResponse: Record<string, unknown>;
  };
  const order = update.intentOrderResponse;
  const [orderQty, refId] = [Number(order['orderQty'] ?? 0), Number(order['refId'] ?? 0)];
  const changed = { ...update, intentOrderResponse: { ...order, ...change({ orderQty, refId }) } };
  return wrap('AcmeToClientIntentUpdate', updateType.encode(updateType.fromObject(changed)).finish());
}

function openedFrame(frame: Uint8Array): Uint8Array {
  const { value } = any.decode(frame) as unknown as { value: Uint8Array };
  return (any.decode(value) as unknown as { value: Uint8Array }).value;
}

/** The second message that some services send when an order is complete. */
export function executedFrameOf(event: ExchangeEvent): Uint8Array | undefined {
  return event.type === 'trade' && event.order.status === 'FILLED'
    ? frame({ ...event, type: 'accepted' }, [8, 1])
    : undefined;
}

function frame(event: ExchangeEvent, [response, request]: [number, number]): Uint8Array {
  const { order } = event;
  const message = {
    intentOrderResponse: {
      intentOrderId: order.id.toString(),
      orderStatus: STREAM_STATUS[order.status],
      deliveryType: order.product === 'CNC' ? 1 : 2,
      priceType: order.priceType === 'LIMIT' ? 1 : 2,
      validityType: order.validity === 'DAY' ? 1 : 2,
      stratTags: order.tag === '' ? [] : [order.tag],
      orderQty: order.quantity,
      filledQty: order.filledQuantity,
      orderPrice: order.price,
      filledPrice: average(order),
      refId: order.refId,
      intentOrderType: { REGULAR: 1, STOPLOSS: 2, ICEBERG: 3 }[order.kind],
      orderSide: order.side === 'BUY' ? 1 : 2,
      rejectionMsg: 'reason' in event ? event.reason : order.reason,
      svcTimestamps: {
        intentCreatedAt: order.createdAt.toString(),
        filledAt: order.filledAt.toString(),
        cancelledAt: order.cancelledAt.toString(),
        lastModifiedAt: order.modifiedAt.toString(),
        lastUpdatedAt: event.at.toString(),
      },
      ...(event.type === 'trade'
        ? { tradeFill: { tradeQty: event.trade.quantity, tradePrice: event.trade.price, refId: order.refId } }
        : {}),
    },
    intentOrderResponseType: response,
    intentOrderRequstType: request,
  };
  return wrap('AcmeToClientIntentUpdate', updateType.encode(updateType.fromObject(message)).finish());
}

/** The record of an order, with its long integers as the client's JSON reader gives them. */
export function recordOf(order: Order): JsonObject {
  const time = (nanos: bigint): string | null => (nanos === 0n ? null : nanos.toString());
  return {
    order_id: order.id.toString(),
    basket_id: order.basketId.toString(),
    ref_id: order.refId,
    order_type: `ORDER_TYPE_${order.kind}`,
    order_side: `ORDER_SIDE_${order.side}`,
    order_price: order.price,
    order_qty: order.quantity,
    filled_qty: order.filledQuantity,
    avg_filled_price: average(order),
    order_status: `ORDER_STATUS_${order.status}`,
    order_time: order.createdAt.toString(),
    ack_time: time(order.acknowledgedAt),
    filled_time: time(order.filledAt),
    last_modified: time(order.modifiedAt),
    order_delivery_type: `ORDER_DELIVERY_TYPE_${order.product}`,
    price_type: order.priceType,
    validity_type: order.validity,
    exchange: 'NSE',
    tag: order.tag,
    display_name: 'INFY',
    ref_data: { stock_name: 'INFY', plat_name: 'STOCK_INFY.NSECM', exchange: 'NSE' },
    algo_params: { trigger_price: order.triggerPrice },
  };
}

const basketFrames = new BasketFrames(
  new UpdateFrames(new Messages({ platformWord: 'plat', serviceWord: 'acme' }), {
    options: { serviceWord: 'acme' },
    dialect: { mcx_stock_name: 'symbol' },
  }),
);

/** The frame of something that happened to a basket; undefined for what the service does not tell. */
export function basketFrameOf(event: BasketEvent): Uint8Array | undefined {
  return basketFrames.of(event, () => undefined, 0)?.frame;
}

/** The record of a basket, with the first order of each leg as its entry. */
export function basketRecordOf(basket: Basket, orderOf: (id: bigint) => Order | undefined): JsonObject {
  const leg = ({
    refId,
    side,
    quantity,
    filledQuantity,
    filledValue,
    orderIds,
  }: Basket['legs'][number]): JsonObject => {
    const order = orderIds[0] === undefined ? undefined : orderOf(orderIds[0]);
    const time = (nanos: bigint | undefined): string | null => (nanos ? nanos.toString() : null);
    return {
      order_id: (order?.id ?? 0n).toString(),
      basket_id: basket.id.toString(),
      ref_id: refId,
      order_side: `ORDER_SIDE_${side}`,
      order_qty: quantity,
      filled_qty: filledQuantity,
      avg_filled_price: filledQuantity === 0 ? 0 : Math.round(filledValue / filledQuantity),
      order_status: `ORDER_STATUS_${order?.status ?? (['REJECTED', 'CANCELLED'].includes(basket.status) ? basket.status : 'PENDING')}`,
      order_time: (order?.createdAt ?? basket.createdAt).toString(),
      ack_time: time(order?.acknowledgedAt),
      filled_time: time(order?.filledAt),
    };
  };
  return {
    basket_id: basket.id.toString(),
    tag: basket.tag,
    basket_status: `BASKET_STATUS_${basket.status}`,
    exchange: basket.exchange,
    orders: Object.fromEntries(basket.legs.map((legState) => [String(legState.refId), leg(legState)])),
    basket_params: {
      order_side: `ORDER_SIDE_${basket.side}`,
      order_delivery_type: `ORDER_DELIVERY_TYPE_${basket.product}`,
      price_type: basket.priceType,
      entry_price: basket.entryPrice === 0 ? null : basket.entryPrice,
      exit_price: basket.targetPrice,
      stoploss_price: basket.stoplossNow,
      momentum_trigger_price: basket.momentumTriggerPrice,
      multiplier: basket.multiplier,
    },
    message: basket.reason,
  };
}

function average(order: Order): number {
  return order.filledQuantity === 0 ? 0 : Math.round(order.filledValue / order.filledQuantity);
}
