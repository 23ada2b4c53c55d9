import { Type, type Static } from '@sinclair/typebox';
import type { Refusal } from '../shared/orders';
import { int64 } from '../shared/json';
import { istDate } from '../shared/time';
import { ApiError } from '../web/errors';
import { v2Reader, tradingUser } from '../web/authentication';
import { idOf } from '../web/input';
import { positionsView, viewDeps } from '../web/portfolio';
import { replySchemas } from '../web/reply-schemas';
import { Id, optional, parameters, SESSION_SECURITY } from '../web/schema';
import type { RouteContext } from '../web/route-context';
import { refusalError } from './orders';

const CancelAll = Type.Object({
  orders: optional(Type.Array(Type.Union([Id, Type.Object({ order_id: Id })]))),
  baskets: optional(Type.Array(Type.Union([Id, Type.Object({ basket_id: Id })]))),
});

/** Paths that the service's own older library uses beyond the specification (docs/service/orders-v2.md#paths-of-the-older-library). */
export function legacyRoutes({ app, sandbox }: RouteContext): void {
  const schemas = replySchemas(sandbox.options);

  app.get(
    '/orders/v2/executions',
    {
      schema: {
        tags: ['Orders'],
        summary: 'Trades of the day',
        response: schemas.executions,
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      const { clientCode } = tradingUser(sandbox, request, 'reads');
      const { accounts } = sandbox.world;
      const today = istDate(sandbox.instant);
      const trades = accounts.trades(clientCode).filter(({ date }) => date === today);
      if (trades.length === 0) return sandbox.dialect.empty_list === 'null' ? null : [];
      return trades.map(({ trade }) => ({
        trade_id: int64(trade.id),
        order_id: int64(sandbox.world.exchange.order(trade.orderId)?.intentId ?? trade.orderId),
        ref_id: trade.refId,
        order_side: `ORDER_SIDE_${trade.side}`,
        order_delivery_type: `ORDER_DELIVERY_TYPE_${trade.product}`,
        qty: trade.quantity,
        price: trade.price,
        time: int64(trade.at),
      }));
    },
  );

  app.post(
    '/orders/v2/cancelV2',
    {
      schema: {
        tags: ['Orders'],
        summary: 'Cancel orders and baskets',
        response: schemas.message,
        body: CancelAll,
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      const { clientCode } = tradingUser(sandbox, request, 'orders');
      const { world } = sandbox;
      const body = request.body as Static<typeof CancelAll>;
      const orders = (body.orders ?? []).map((item) =>
        idOf('order_id', typeof item === 'object' ? item.order_id : item),
      );
      const baskets = (body.baskets ?? []).map((item) =>
        idOf('basket_id', typeof item === 'object' ? item.basket_id : item),
      );
      if (orders.length + baskets.length === 0) throw new ApiError(400, 'orders or baskets is required');
      for (const id of orders) {
        if (world.order(id)?.account !== clientCode) throw new ApiError(400, `There is no order ${id} today`);
        throwIfRefused(world.checkCancel(id));
      }
      for (const id of baskets)
        if (world.basket(id)?.account !== clientCode) throw new ApiError(400, `There is no basket ${id} today`);
      for (const id of orders) throwIfRefused(world.cancelOrder(id));
      for (const id of baskets) throwIfRefused(world.cancelBasket(id));
      return { message: 'delete request pushed' };
    },
  );

  app.get(
    '/portfolio/v2/positions',
    {
      schema: {
        tags: ['Portfolio'],
        summary: 'What the account trades today, in one list',
        response: schemas.flatPositions,
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      const { clientCode } = v2Reader(sandbox, request);
      const deps = viewDeps(sandbox);
      const { stock_positions, fut_positions, opt_positions, close_positions } = positionsView(
        deps,
        clientCode,
        sandbox.instant,
      );
      const own = deps.accounts.positions(clientCode);
      const views = [stock_positions, fut_positions, opt_positions, close_positions].flatMap((list) => list ?? []);
      return {
        message: 'positions',
        positions: views.map((view) => {
          const books = own.find(
            ({ refId, product }) => refId === view.ref_id && view.product.endsWith(`_${product}`),
          )!;
          return {
            ref_id: view.ref_id,
            symbol: view.symbol,
            exchange: view.exchange,
            derivative_type: view.derivative_type,
            delivery_type: view.product,
            buy_qty: books.buyQuantity,
            sell_qty: books.sellQuantity,
            net_qty: books.quantity,
            avg_buy_price: view.avg_buy_price,
            avg_sell_price: view.avg_sell_price,
            ltp: view.ltp,
            pnl: view.pnl,
            status: books.quantity === 0 ? 'CLOSED' : 'OPEN',
          };
        }),
      };
    },
  );

  app.get(
    '/public/indexes',
    {
      schema: {
        tags: ['Instruments'],
        summary: 'The indices, without a login',
        querystring: parameters({ format: 'csv, or JSON when left out' }),
        response: { 200: Type.Unknown() },
      },
    },
    async (request, reply) => {
      const universe = sandbox.world.universe();
      const indices = (['NSE', 'BSE', 'MCX'] as const)
        .flatMap((exchange) => [...universe.all(exchange, ['INDEX'])])
        .map(({ exchange, symbol, displayName }) => ({ exchange, symbol, name: displayName }));
      if ((request.query as { format?: string }).format !== 'csv') return { message: 'indexes', indexes: indices };
      const header = `EXCHANGE,INDEX_SYMBOL,${sandbox.options.platformWord.toUpperCase()}_INDEX_SYMBOL,INDEX_NAME`;
      const rows = indices.map(({ exchange, symbol, name }) => [exchange, symbol, symbol, name.replaceAll(',', ' ')]);
      return reply.type('text/csv; charset=utf-8').send(`${[header, ...rows].join('\n')}\n`);
    },
  );
}

/** @throws ApiError for a refusal */
function throwIfRefused(result: { ok: true } | Refusal | undefined): void {
  if (result?.ok === false) throw refusalError(result);
}
