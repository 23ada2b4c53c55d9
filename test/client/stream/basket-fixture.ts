/** One basket of ten pieces: its messages, its record and its orders. */
import { readFrame } from '../../../client/stream/account-feed/frames';
import { readDayBaskets } from '../../../client/orders/model/basket-record';
import { readOrderMessage, type OrderMessage } from '../../../client/stream/reconciliation/order-message';
import { readDayOrders } from '../../../client/orders/model/order-record';
import type { OrderReconciler } from '../../../client/stream/reconciliation/order-reconciler';
import type { OrderEvent } from '../../../client/stream/reconciliation/types';
import type { OrderSnapshot } from '../../../client/orders/model/order-snapshot';
import { typeOf } from '../../proto/support';
import { wrap } from './wire';

export const ID = '1758012345678900001';
const type = typeOf('SvcToClientIntentUpdate');
export const [ACCEPT, REJECT, FILLED, SL, EXECUTED] = [1, 2, 3, 5, 8] as const;
export const [NEW, CANCEL] = [1, 3] as const;
const STATUS = { OPEN: 1, EXECUTED: 2, REJECTED: 3, CANCELLED: 5 };
/** Nanoseconds. */
export const instant = (seconds: number): string => `${1_795_400_000 + seconds}000000000`;

export interface Message {
  response: number;
  request?: number;
  status?: keyof typeof STATUS;
  /** Seconds; the message tells no time where it is undefined. */
  at: number | undefined;
  trade?: number;
  price?: number;
  refId?: number;
  /** Further fields of the order. */
  more?: object;
}

export function messageOf({
  response,
  request = NEW,
  status = 'OPEN',
  at,
  trade,
  price = 100,
  refId = 1,
  more = {},
}: Message): OrderMessage {
  const message = type.fromObject({
    intentOrderResponse: {
      intentOrderId: ID,
      orderStatus: STATUS[status],
      isMulti: true,
      legs: [{ refId: 1, unitQty: 1 }],
      svcTimestamps: at === undefined ? {} : { lastUpdatedAt: instant(at) },
      ...(trade ? { tradeFill: { tradeQty: trade, tradePrice: price, refId } } : {}),
      ...more,
    },
    intentOrderResponseType: response,
    intentOrderRequstType: request,
  });
  const frame = readFrame(wrap('AcmeToClientIntentUpdate', type.encode(message).finish()));
  if (frame.kind !== 'order') throw new Error('no order frame');
  return readOrderMessage(frame.update) as OrderMessage;
}

export const applyMessage = (reconciler: OrderReconciler, message: Message): OrderEvent[] =>
  reconciler.update(messageOf(message));

/** The basket of ten pieces as its list shows it. */
export function record(
  status: string,
  {
    filled = 0,
    placed = 1,
    filledAt = 0,
    params = {},
  }: { filled?: number; placed?: number; filledAt?: number; params?: object } = {},
): OrderSnapshot[] {
  const leg = {
    order_id: filled > 0 ? '11' : '0',
    ref_id: 1,
    order_side: 'ORDER_SIDE_BUY',
    order_qty: 10,
    filled_qty: filled,
    order_status: 'ORDER_STATUS_PENDING',
    order_time: instant(placed),
    filled_time: filledAt ? instant(filledAt) : null,
  };
  return readDayBaskets([
    {
      basket_id: ID,
      basket_status: `BASKET_STATUS_${status}`,
      orders: { '1': leg },
      basket_params: { order_side: 'ORDER_SIDE_BUY', ...params },
      message: '',
    },
  ]);
}

/** Its orders: an entry at a rupee and an exit at two. */
export function orders(entry: number, exit = 0): OrderSnapshot[] {
  const order = (id: string, side: string, filled: number, price: number, at: number) => ({
    order_id: id,
    basket_id: ID,
    ref_id: 1,
    order_side: `ORDER_SIDE_${side}`,
    order_status: filled < 10 ? 'ORDER_STATUS_OPEN' : 'ORDER_STATUS_FILLED',
    order_qty: 10,
    filled_qty: filled,
    avg_filled_price: price,
    order_time: instant(at),
    filled_time: instant(at + 1),
  });
  return readDayOrders([order('11', 'BUY', entry, 100, 10), ...(exit > 0 ? [order('12', 'SELL', exit, 200, 20)] : [])]);
}

export const names = (events: OrderEvent[]): string[] =>
  events.map(
    ({ type: name, fill, recovered, key }) =>
      `${name}${fill ? ` ${fill.from}-${fill.to} at ${fill.price}` : ''}${recovered ? '' : ' live'} ${key.slice(ID.length + 1)}`,
  );
