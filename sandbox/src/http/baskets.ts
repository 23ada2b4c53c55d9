import { type ContractUnit, moneyOf, PER_SHARE } from '../market/reference/contract-value';
import { priceSum, average } from '../shared/money';
import { Type, type Static } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import type { Basket, BasketChange, LegState, NewBasket } from '../exchange/strategies/v2-basket-types';
import type { Order } from '../shared/orders';
import { int64, parseExact } from '../shared/json';
import type { User } from '../sessions/users';
import { parseInstant } from '../shared/time';
import { ApiError } from '../web/errors';
import { countOrders, tradingUser } from '../web/authentication';
import { exchangeOf, idOf } from '../web/input';
import { placedBy } from '../web/request-origin';
import { DeliveryType, OrderSide, PriceType, refusalError, enumWord } from './orders';
import { orderRecord } from '../web/records';
import { replySchemas } from '../web/reply-schemas';
import { optional, optionalInteger, optionalText, parameters, SESSION_SECURITY } from '../web/schema';
import type { RouteContext } from '../web/route-context';

const TAGS = ['Baskets'];

const BasketBody = Type.Object({
  exchange: Type.String(),
  basket_name: optionalText('Name'),
  tag: optionalText('Label'),
  orders: Type.Array(
    Type.Object({ ref_id: Type.Integer({ minimum: 0 }), order_qty: Type.Integer(), order_side: OrderSide }),
    { maxItems: 50 },
  ),
  basket_params: Type.Object({
    order_side: OrderSide,
    order_delivery_type: DeliveryType,
    price_type: PriceType,
    entry_price: optionalInteger('Net limit price in paise'),
    multiplier: optionalInteger('Multiplier of the leg quantities; 1 when left out'),
    exit_price: optionalInteger('Target: net price in paise'),
    stoploss_price: optionalInteger('Stop loss: net price in paise'),
    momentum_trigger_price: optionalInteger('Net price in paise that starts the entry'),
    trail_jump: optionalInteger('Steps in paise by which the stop loss follows'),
    entry_time: optional(Type.String({ description: 'ISO UTC with milliseconds' })),
    exit_time: optional(Type.String({ description: 'ISO UTC with milliseconds; intraday only' })),
  }),
});
type Body = Static<typeof BasketBody>;
const {
  order_side: _side,
  order_delivery_type: _product,
  price_type: _type,
  multiplier: _units,
  ...CHANGEABLE
} = BasketBody.properties.basket_params.properties;
const ModifyBody = Type.Object({ basket_params: Type.Object(CHANGEABLE) });
const CancelBody = Type.Object({ exchange: Type.String() });

/** Baskets (docs/service/baskets.md). */
export function basketRoutes({ app, sandbox }: RouteContext): void {
  const schemas = replySchemas(sandbox.options);
  const { options } = sandbox;

  app.post(
    '/orders/v2/basket',
    {
      schema: {
        tags: TAGS,
        summary: 'Place a basket',
        response: schemas.basket,
        body: BasketBody,
        security: SESSION_SECURITY,
      },
    },
    async (request, reply) => {
      const user = tradingUser(sandbox, request, 'orders');
      const body = request.body as Body;
      countOrders(
        sandbox,
        user,
        body.orders.map(({ ref_id }) => ref_id),
      );
      const result = sandbox.world.placeBasket({ ...newBasket(user, body), ...placedBy(request) });
      if (!result.ok) throw refusalError(result);
      return answer(reply, record(user, result.basket, 'array'));
    },
  );

  app.get(
    '/orders/v2/basket',
    {
      schema: {
        tags: TAGS,
        summary: 'Baskets of the day',
        response: schemas.baskets,
        querystring: parameters({ tag: 'Baskets with this tag only' }),
        security: SESSION_SECURITY,
      },
    },
    async (request, reply) => {
      const user = tradingUser(sandbox, request, 'reads');
      const { tag } = request.query as { tag?: string };
      const baskets = sandbox.world
        .basketsOf(user.clientCode)
        .filter((basket) => tag === undefined || basket.tag === tag);
      const empty = baskets.length === 0 && sandbox.dialect.empty_list === 'null';
      return answer(reply, empty ? null : baskets.map((basket) => record(user, basket, 'object')));
    },
  );

  app.put(
    '/orders/v2/basket/:basket_id',
    {
      schema: {
        tags: TAGS,
        summary: 'Change the prices and times of a basket',
        response: schemas.message,
        body: ModifyBody,
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      const user = tradingUser(sandbox, request, 'orders');
      const id = idOf('basket_id', (request.params as { basket_id: string }).basket_id);
      if (sandbox.world.basket(id)?.account !== user.clientCode)
        throw new ApiError(404, `There is no basket ${id} today`);
      const result = sandbox.world.modifyBasket(id, change(request.body as Static<typeof ModifyBody>));
      if (!result.ok) throw refusalError(result);
      return { message: 'basket update request pushed' };
    },
  );

  app.post(
    '/orders/v2/basket/:basket_id',
    {
      schema: {
        tags: TAGS,
        summary: 'Cancel a basket that is not entered, exit one that is',
        response: schemas.message,
        body: CancelBody,
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      const user = tradingUser(sandbox, request, 'orders');
      const id = idOf('basket_id', (request.params as { basket_id: string }).basket_id);
      const basket = sandbox.world.basket(id);
      if (basket?.account !== user.clientCode) throw new ApiError(404, `There is no basket ${id} today`);
      const result = sandbox.world.cancelBasket(id);
      if (!result.ok) throw refusalError(result);
      return { message: 'basket cancel request pushed' };
    },
  );

  /** In one dialect of the live service a basket's reply is followed by bytes that do not belong to it. */
  function answer(reply: FastifyReply, body: unknown): FastifyReply {
    const trailing = sandbox.dialect.basket_reply === 'trailing' && reply.request.method === 'POST' ? '\n{}' : '';
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(body) + trailing);
  }

  /** The basket record (docs/service/baskets.md#basket-record); the list has its legs in an object keyed by ref_id. */
  function record(user: User, basket: Basket, orders: 'array' | 'object') {
    const { world } = sandbox;
    const legs = basket.legs.map((leg) => ({
      ...(parseExact(orderRecord(sandbox, legOrder(basket, leg), 'fetched')) as { ref_id: number }),
      ...legBooks(leg),
    }));
    const pnl = world.profitOf(basket);
    const invested = Math.abs(
      basket.legs.reduce((sum, leg) => sum + (leg.side === 'BUY' ? 1 : -1) * moneyOf(unitOf(leg), leg.filledValue), 0),
    );
    return {
      basket_id: int64(basket.id),
      user_id: user.userId,
      basket_name: basket.name,
      tag: basket.tag,
      basket_status: `BASKET_STATUS_${basket.status}`,
      exchange: basket.exchange,
      orders: orders === 'array' ? legs : Object.fromEntries(legs.map((leg) => [String(leg.ref_id), leg])),
      basket_params: {
        order_side: `ORDER_SIDE_${basket.side}`,
        order_delivery_type: `ORDER_DELIVERY_TYPE_${basket.product}`,
        price_type: basket.priceType,
        entry_price: basket.entryPrice === 0 ? null : basket.entryPrice,
        exit_price: basket.targetPrice,
        stoploss_price: basket.stoplossNow,
        momentum_trigger_price: basket.momentumTriggerPrice,
        multiplier: basket.multiplier,
        entry_time: isoOrNull(basket.entryTime),
        exit_time: isoOrNull(basket.exitTime),
      },
      LTP: world.netPriceOf(basket),
      pnl,
      pnl_change: invested === 0 ? 0 : Math.round((pnl / invested) * 10_000) / 100,
      message: basket.reason,
      [`${options.serviceWord}_error_code`]: '',
    };
  }

  /** Returns the purchases and sales of a leg, and their profit. */
  function legBooks(leg: LegState) {
    const { filledQuantity, filledValue, exitQuantity, exitValue, side, refId } = leg;
    const open = filledQuantity - exitQuantity;
    const instrument = sandbox.world.instrument(refId);
    const worth = open === 0 || instrument === undefined ? 0 : priceSum(sandbox.world.lastPrice(instrument), open);
    const made = (side === 'BUY' ? 1 : -1) * (exitValue + worth - filledValue);
    const entry = [filledQuantity, average(filledValue, filledQuantity)] as const;
    const exit = [exitQuantity, average(exitValue, exitQuantity)] as const;
    const [bought, sold] = side === 'BUY' ? [entry, exit] : [exit, entry];
    return {
      buy_qty: bought[0],
      sell_qty: sold[0],
      buy_avg: bought[1],
      sell_avg: sold[1],
      pnl: moneyOf(unitOf(leg), made),
      pnl_change: filledValue === 0 ? 0 : Math.round((made / filledValue) * 10_000) / 100,
    };
  }

  /** Returns the unit of a leg's price. */
  function unitOf({ refId }: LegState): ContractUnit {
    return sandbox.world.instrument(refId) ?? PER_SHARE;
  }

  /** The order of a leg's entry: its latest one, or what is to become it. */
  function legOrder(basket: Basket, leg: LegState): Order {
    const order = leg.orderIds[0] === undefined ? undefined : sandbox.world.exchange.order(leg.orderIds[0]);
    if (order !== undefined)
      return { ...order, quantity: leg.quantity, filledQuantity: leg.filledQuantity, filledValue: leg.filledValue };
    return {
      account: basket.account,
      refId: leg.refId,
      kind: 'REGULAR',
      side: leg.side,
      quantity: leg.quantity,
      product: basket.product,
      validity: 'DAY',
      priceType: basket.priceType,
      price: 0,
      triggerPrice: 0,
      legSize: 0,
      tag: basket.tag,
      basketId: basket.id,
      source: 'ORDER_SOURCE_NORMAL',
      id: 0n,
      exchangeOrderId: 0n,
      status: basket.status === 'REJECTED' || basket.status === 'CANCELLED' ? basket.status : 'PENDING',
      filledQuantity: 0,
      filledValue: 0,
      reason: basket.reason,
      createdAt: basket.createdAt,
      sentAt: 0n,
      acknowledgedAt: 0n,
      filledAt: 0n,
      cancelledAt: 0n,
      modifiedAt: 0n,
    };
  }
}

function newBasket(user: User, body: Body): NewBasket {
  const params = body.basket_params;
  return {
    account: user.clientCode,
    exchange: exchangeOf(body.exchange),
    name: body.basket_name ?? '',
    tag: body.tag ?? '',
    legs: body.orders.map(({ ref_id, order_qty, order_side }) => ({
      refId: ref_id,
      quantity: order_qty,
      side: enumWord(order_side, 'ORDER_SIDE_'),
    })),
    side: enumWord(params.order_side, 'ORDER_SIDE_'),
    product: enumWord(params.order_delivery_type, 'ORDER_DELIVERY_TYPE_'),
    priceType: params.price_type,
    entryPrice: params.entry_price ?? 0,
    multiplier: params.multiplier ?? 1,
    targetPrice: params.exit_price ?? null,
    stoplossPrice: params.stoploss_price ?? null,
    momentumTriggerPrice: params.momentum_trigger_price ?? null,
    trailJump: params.trail_jump ?? null,
    entryTime: instant('entry_time', params.entry_time),
    exitTime: instant('exit_time', params.exit_time),
  };
}

/** Returns the change that a modification names; null takes it off. */
function change({ basket_params: params }: Static<typeof ModifyBody>): BasketChange {
  const change: BasketChange = {};
  if (params.entry_price != null) change.entryPrice = params.entry_price;
  if (params.exit_price !== undefined) change.targetPrice = params.exit_price;
  if (params.stoploss_price !== undefined) change.stoplossPrice = params.stoploss_price;
  if (params.momentum_trigger_price !== undefined) change.momentumTriggerPrice = params.momentum_trigger_price;
  if (params.trail_jump !== undefined) change.trailJump = params.trail_jump;
  if (params.entry_time !== undefined) change.entryTime = instant('entry_time', params.entry_time);
  if (params.exit_time !== undefined) change.exitTime = instant('exit_time', params.exit_time);
  return change;
}

function instant(name: string, text: string | null | undefined): number | null {
  if (text == null || text === '') return null;
  const at = parseInstant(text);
  if (Number.isNaN(at))
    throw new ApiError(400, `basket_params.${name} must be an ISO UTC timestamp such as 2026-11-23T09:35:00.000Z`);
  return at;
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
