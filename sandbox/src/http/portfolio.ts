import { Type, type Static } from '@sinclair/typebox';
import { fundsView, holdingsView, positionsView, viewDeps } from '../web/portfolio';
import type { NewOrder } from '../shared/orders';
import type { MarginRequired } from '../accounts/types';
import { v2Reader, tradingUser } from '../web/authentication';
import { DeliveryType, newOrder, OrderType, PriceType, SingleOrder } from './orders';
import { replySchemas } from '../web/reply-schemas';
import { oneOf, optional, optionalText, SESSION_SECURITY } from '../web/schema';
import type { RouteContext } from '../web/route-context';

const TAGS = ['Portfolio'];

/** The legs of a basket say less than an order: what is missing is that of a market order of the day. */
const MarginOrder = Type.Object({
  ...SingleOrder.properties,
  order_type: optional(OrderType),
  order_delivery_type: optional(DeliveryType),
  validity_type: optional(oneOf('DAY', 'IOC')),
  price_type: optional(PriceType),
});

const MarginBody = Type.Object({
  with_portfolio: optional(Type.Boolean()),
  with_legs: optional(Type.Boolean()),
  is_basket: optional(Type.Boolean()),
  order_req: Type.Object({
    exchange: optionalText('Accepted and not needed: it follows from ref_id'),
    orders: Type.Array(MarginOrder, { minItems: 1, maxItems: 100 }),
    basket_params: Type.Optional(Type.Unknown()),
  }),
});

/** Holdings, positions, funds, margin (docs/service/portfolio.md#portfolio-requests, docs/service/portfolio.md#funds). */
export function portfolioRoutes({ app, sandbox }: RouteContext): void {
  const schemas = replySchemas(sandbox.options);
  app.get(
    '/portfolio/holdings',
    {
      schema: { tags: TAGS, summary: 'What the account owns', response: schemas.holdings, security: SESSION_SECURITY },
    },
    async (request) => {
      const { clientCode } = v2Reader(sandbox, request);
      const portfolio = holdingsView(viewDeps(sandbox), clientCode, sandbox.instant);
      const empty = portfolio.holdings.length === 0 && sandbox.dialect.empty_list === 'null';
      return { message: 'holdings', portfolio: empty ? { ...portfolio, holdings: null } : portfolio };
    },
  );

  app.get(
    '/portfolio/positions',
    {
      schema: {
        tags: TAGS,
        summary: 'What the account trades today',
        response: schemas.positions,
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      const { clientCode } = v2Reader(sandbox, request);
      return {
        message: 'positions',
        portfolio: positionsView(viewDeps(sandbox), clientCode, sandbox.instant, sandbox.dialect.empty_list),
      };
    },
  );

  app.get(
    '/portfolio/user_funds_and_margin',
    { schema: { tags: TAGS, summary: 'Cash and margin', response: schemas.funds, security: SESSION_SECURITY } },
    async (request) => {
      const { clientCode } = v2Reader(sandbox, request);
      return {
        message: 'funds and margin',
        port_funds_and_margin: fundsView(viewDeps(sandbox), clientCode, sandbox.instant),
      };
    },
  );

  app.post(
    '/orders/v2/margin_required',
    {
      schema: {
        tags: TAGS,
        summary: 'What orders would need, before they are placed',
        response: schemas.margin,
        body: MarginBody,
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      const user = tradingUser(sandbox, request, 'reads');
      const { with_portfolio, with_legs, order_req } = request.body as Static<typeof MarginBody>;
      const orders = order_req.orders.map((body) =>
        newOrder(user, {
          ...body,
          order_type: body.order_type ?? 'ORDER_TYPE_REGULAR',
          order_delivery_type: body.order_delivery_type ?? 'ORDER_DELIVERY_TYPE_IDAY',
          validity_type: body.validity_type ?? 'DAY',
          price_type: body.price_type ?? (body.order_price == null ? 'MARKET' : 'LIMIT'),
        }),
      );
      for (const order of orders) {
        const wrong = sandbox.world.checkOrder(order);
        if (wrong !== undefined) return { message: wrong.text, code: wrong.code };
      }
      const margin = sandbox.world.accounts.marginRequired(
        user.clientCode,
        orders,
        { withPortfolio: with_portfolio === true },
        sandbox.instant,
      );
      return marginReply(margin, orders, with_legs === true);
    },
  );
}

function marginReply(margin: MarginRequired, orders: NewOrder[], withLegs: boolean) {
  return {
    span: margin.span,
    exposure: margin.exposure,
    delivery_margin: margin.deliveryMargin,
    total_margin: margin.totalMargin,
    opt_prem: margin.optionPremium,
    var: margin.var,
    net_span: margin.netSpan,
    margin_benefit: margin.marginBenefit,
    leg_margin: withLegs
      ? margin.legMargin.map((paise, index) => ({
          ref_id: orders[index]!.refId,
          order_side: `ORDER_SIDE_${orders[index]!.side}`,
          order_qty: orders[index]!.quantity,
          margin: paise,
        }))
      : null,
    max_quantity: margin.maxQuantity,
    message: margin.message,
    code: margin.code,
  };
}
