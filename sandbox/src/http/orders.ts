import { Type, type Static } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { NewOrder, Order, Refusal } from '../shared/orders';
import type { OrderChange } from '../exchange/types';
import { isTerminal } from '../exchange/working-order';
import type { User } from '../sessions/users';
import { ApiError } from '../web/errors';
import { countOrders, tradingUser } from '../web/authentication';
import { idOf, onExchange } from '../web/input';
import { placedBy } from '../web/request-origin';
import { orderRecord, OrderRecords } from '../web/records';
import { replySchemas } from '../web/reply-schemas';
import { Id, oneOf, optional, optionalInteger, optionalText, parameters, SESSION_SECURITY } from '../web/schema';
import type { RouteContext } from '../web/route-context';
import { jsonList, streamReply } from '../web/chunked-reply';

const TAGS = ['Orders'];
const JSON_TYPE = 'application/json; charset=utf-8';
/** Orders in one /orders/v2/multi. */
const MAX_ORDERS = 100;

export const OrderType = oneOf('ORDER_TYPE_REGULAR', 'ORDER_TYPE_STOPLOSS', 'ORDER_TYPE_ICEBERG');
export const OrderSide = oneOf('ORDER_SIDE_BUY', 'ORDER_SIDE_SELL');
export const DeliveryType = oneOf('ORDER_DELIVERY_TYPE_CNC', 'ORDER_DELIVERY_TYPE_IDAY');
export const PriceType = oneOf('MARKET', 'LIMIT');

const AlgoParams = optional(
  Type.Object({
    trigger_price: optionalInteger('Trigger price in paise of a stop-loss order'),
    leg_size: optionalInteger('Visible quantity of each leg of an iceberg order'),
  }),
);

/** The single-order body of the specification. */
export const SingleOrder = Type.Object({
  ref_id: Type.Integer({ minimum: 0 }),
  order_type: OrderType,
  order_qty: Type.Integer(),
  order_side: OrderSide,
  order_delivery_type: DeliveryType,
  validity_type: oneOf('DAY', 'IOC'),
  price_type: PriceType,
  order_price: optionalInteger('Limit price in paise'),
  tag: optionalText('Client label'),
  exchange: optionalText('Accepted and not needed: it follows from ref_id'),
  algo_params: AlgoParams,
});
export type SingleOrderBody = Static<typeof SingleOrder>;

const MultiOrder = Type.Object({ orders: Type.Array(SingleOrder, { minItems: 1, maxItems: MAX_ORDERS }) });
const Modify = Type.Object({
  exchange: Type.String(),
  order_type: OrderType,
  order_qty: optionalInteger('New total quantity'),
  order_price: optionalInteger('New limit price in paise'),
  algo_params: AlgoParams,
});
const FILTER = parameters({
  live: '1: orders that are still pending only',
  executed: '1: orders with fills only',
  tag: 'Orders with this tag only',
});
type Filter = { live?: string; executed?: string; tag?: string };

const CancelMany = Type.Object({
  orders: optional(Type.Array(Type.Object({ order_id: Id }), { minItems: 1 })),
  order_ids: optional(Type.Array(Id, { minItems: 1 })),
});

/** Orders (docs/service/orders-v2.md#order-requests, docs/service/orders-v2.md#lists-of-orders). */
export function orderRoutes({ app, sandbox }: RouteContext): void {
  const schemas = replySchemas(sandbox.options);
  const place = (user: User, body: SingleOrderBody, request: FastifyRequest): Order => {
    const result = sandbox.world.placeOrder({ ...newOrder(user, body), ...placedBy(request) });
    if (!result.ok) throw refusalError(result);
    return result.order;
  };

  app.post(
    '/orders/v2/single',
    {
      schema: {
        tags: TAGS,
        summary: 'Place an order',
        response: schemas.order,
        body: SingleOrder,
        security: SESSION_SECURITY,
      },
    },
    async (request, reply) => {
      const user = tradingUser(sandbox, request, 'orders');
      const body = request.body as SingleOrderBody;
      countOrders(sandbox, user, [body.ref_id]);
      return reply.type(JSON_TYPE).send(orderRecord(sandbox, place(user, body, request), 'placed'));
    },
  );

  app.post(
    '/orders/v2/multi',
    {
      schema: {
        tags: TAGS,
        summary: 'Place several orders',
        response: schemas.placed,
        body: MultiOrder,
        security: SESSION_SECURITY,
      },
    },
    async (request, reply) => {
      const user = tradingUser(sandbox, request, 'orders');
      const { orders } = request.body as Static<typeof MultiOrder>;
      countOrders(
        sandbox,
        user,
        orders.map(({ ref_id }) => ref_id),
      );
      for (const [index, body] of orders.entries()) {
        const wrong = sandbox.world.checkOrder(newOrder(user, body));
        if (wrong !== undefined) throw refusalError({ ...wrong, text: `orders[${index}]: ${wrong.text}` });
      }
      const records = orders.map((body) => orderRecord(sandbox, place(user, body, request), 'placed'));
      const list = `[${records.join()}]`;
      return reply.type(JSON_TYPE).send(sandbox.dialect.multi_response === 'object' ? `{"orders":${list}}` : list);
    },
  );

  const list = async (request: FastifyRequest, reply: FastifyReply) => {
    const user = tradingUser(sandbox, request, 'reads');
    const orders = sandbox.world.ordersOf(user.clientCode).filter(filterOf(request.query as Filter));
    if (orders.length === 0) return sandbox.dialect.empty_list === 'null' ? null : [];
    return reply.type(JSON_TYPE).send(streamReply(jsonList('[', recordTexts(orders), ']')));
  };
  const item = async (request: FastifyRequest, reply: FastifyReply) =>
    reply.type(JSON_TYPE).send(orderRecord(sandbox, own(tradingUser(sandbox, request, 'reads'), request), 'fetched'));
  for (const base of ['/orders', '/orders/v2']) {
    app.get(
      base,
      {
        schema: {
          tags: TAGS,
          summary: 'All orders of the trading day',
          response: schemas.orders,
          querystring: FILTER,
          security: SESSION_SECURITY,
        },
      },
      list,
    );
    app.get(
      `${base}/:order_id`,
      { schema: { tags: TAGS, summary: 'One order', response: schemas.order, security: SESSION_SECURITY } },
      item,
    );
  }

  app.delete(
    '/orders/:order_id',
    { schema: { tags: TAGS, summary: 'Cancel an order', response: schemas.message, security: SESSION_SECURITY } },
    async (request) => {
      cancel(own(tradingUser(sandbox, request, 'orders'), request));
      return { message: 'delete request pushed' };
    },
  );

  app.post(
    '/orders/cancel',
    {
      schema: {
        tags: TAGS,
        summary: 'Cancel several orders',
        response: schemas.message,
        body: CancelMany,
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      const user = tradingUser(sandbox, request, 'orders');
      const body = request.body as Static<typeof CancelMany>;
      const ids = body.order_ids ?? body.orders?.map(({ order_id }) => order_id) ?? [];
      if (ids.length === 0) throw new ApiError(400, 'orders or order_ids is required');
      const orders = [...new Set(ids.map((id) => idOf('order_id', id)))].map((id) => owned(user, id, 400));
      for (const { id } of orders) {
        const wrong = sandbox.world.checkCancel(id);
        if (wrong !== undefined) throw refusalError(wrong);
      }
      orders.forEach(cancel);
      return { message: 'delete request pushed' };
    },
  );

  app.post(
    '/orders/v2/modify/:order_id',
    {
      schema: {
        tags: TAGS,
        summary: 'Modify an order',
        response: schemas.message,
        body: Modify,
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      const user = tradingUser(sandbox, request, 'orders');
      const order = own(user, request);
      countOrders(sandbox, user, [order.refId]);
      const body = request.body as Static<typeof Modify>;
      onExchange(body.exchange, sandbox.world.instrument(order.refId)?.exchange, `order ${order.id}`);
      const result = sandbox.world.modifyOrder(order.id, change(body));
      if (!result.ok) throw refusalError(result);
      return { message: 'update request pushed' };
    },
  );

  /** The records of orders. */
  function* recordTexts(orders: readonly Order[]): Generator<string> {
    const records = new OrderRecords(sandbox);
    for (const order of orders) yield records.of(order, 'fetched');
  }

  function cancel({ id }: Order): void {
    const result = sandbox.world.cancelOrder(id);
    if (!result.ok) throw refusalError(result);
  }

  /** The order that a path names, if it is the user's. @throws ApiError 404 */
  function own(user: User, request: FastifyRequest): Order {
    return owned(user, idOf('order_id', (request.params as { order_id: string }).order_id), 404);
  }

  function owned(user: User, id: bigint, status: number): Order {
    const order = sandbox.world.order(id);
    if (order?.account !== user.clientCode) throw new ApiError(status, `There is no order ${id} today`);
    return order;
  }
}

/** Returns a filter of the orders that a query asks for (docs/service/orders-v2.md#paths-of-the-older-library). */
function filterOf({ live, executed, tag }: Filter): (order: Order) => boolean {
  return (order) =>
    (live !== '1' || !isTerminal(order.status)) &&
    (executed !== '1' || order.filledQuantity > 0) &&
    (tag === undefined || order.tag === tag);
}

/** A refusal on any order path. The service's error code is empty but for the one that is known (docs/service/errors.md#error-body). */
export function refusalError({ code, text }: Pick<Refusal, 'code' | 'text'>): ApiError {
  return new ApiError(400, text, code.startsWith('ERR') ? code : '');
}

/** The order that a body asks for. */
export function newOrder(user: User, body: SingleOrderBody): NewOrder {
  return {
    account: user.clientCode,
    refId: body.ref_id,
    kind: enumWord(body.order_type, 'ORDER_TYPE_'),
    side: enumWord(body.order_side, 'ORDER_SIDE_'),
    quantity: body.order_qty,
    product: enumWord(body.order_delivery_type, 'ORDER_DELIVERY_TYPE_'),
    validity: body.validity_type,
    priceType: body.price_type,
    price: body.order_price ?? 0,
    triggerPrice: body.algo_params?.trigger_price ?? 0,
    legSize: body.algo_params?.leg_size ?? 0,
    tag: body.tag ?? '',
    basketId: 0n,
    source: 'ORDER_SOURCE_NORMAL',
  };
}

/** The last part of an enum's name: ORDER_SIDE_BUY → BUY. */
export function enumWord<P extends string, T extends `${P}${string}`>(text: T, prefix: P) {
  return text.slice(prefix.length) as T extends `${P}${infer W}` ? W : never;
}

function change(body: Static<typeof Modify>): OrderChange {
  const algo = body.algo_params;
  return {
    kind: enumWord(body.order_type, 'ORDER_TYPE_'),
    ...(body.order_qty == null ? {} : { quantity: body.order_qty }),
    ...(body.order_price == null ? {} : { price: body.order_price }),
    ...(algo?.trigger_price == null ? {} : { triggerPrice: algo.trigger_price }),
    ...(algo?.leg_size == null ? {} : { legSize: algo.leg_size }),
  };
}
