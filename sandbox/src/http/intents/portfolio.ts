import { Type, type TSchema } from '@sinclair/typebox';
import {
  fundsView,
  holdingsView,
  positionsView,
  type HoldingView,
  type PositionView,
  viewDeps,
} from '../../web/portfolio';
import type { Position } from '../../accounts/records';
import type { ServiceDialect } from '../../simulation/dialect';
import { intentReader } from '../../web/authentication';
import { realisedToday } from '../../web/day-start';
import { replySchemas } from '../../web/reply-schemas';
import { SESSION_SECURITY } from '../../web/schema';
import type { RouteContext } from '../../web/route-context';
import { intentFunds } from './funds';

const TAGS = ['Intent orders'];

/** Any object: both spellings are told in words. */
const answer = (more: Record<string, TSchema>) => Type.Object({ message: Type.String(), ...more });
const anything = Type.Record(Type.String(), Type.Unknown());

/** The portfolio on its new paths (docs/service/portfolio.md#newer-names); in one dialect in the older spelling. */
export function intentPortfolioRoutes({ app, sandbox }: RouteContext): void {
  const { error } = replySchemas(sandbox.options);
  const snake = (): boolean => sandbox.dialect.intent_portfolio === 'snake';

  app.get(
    '/sentinel/portfolio/holdings',
    {
      schema: {
        tags: TAGS,
        summary: 'What the account owns',
        response: { 200: answer({ portfolio: anything }), ...error },
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      const { clientCode } = intentReader(sandbox, request);
      const view = holdingsView(viewDeps(sandbox), clientCode, sandbox.instant);
      if (snake()) return { message: 'holdings', portfolio: view };
      const { invested_amount, current_value, total_pnl, total_pnl_chg, day_pnl, day_pnl_chg } = view.holding_stats;
      return {
        message: 'holdings',
        portfolio: {
          clientCode,
          holdingStats: {
            investedAmount: invested_amount,
            currentValue: current_value,
            totalPnl: total_pnl,
            totalPnlChg: total_pnl_chg,
            dayPnl: day_pnl,
            dayPnlChg: day_pnl_chg,
          },
          holdings: view.holdings.map(holding),
        },
      };
    },
  );

  app.get(
    '/sentinel/portfolio/positions',
    {
      schema: {
        tags: TAGS,
        summary: 'What the account trades today, in one list; closed positions have net 0',
        response: { 200: answer({ portfolio: anything }), ...error },
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      const { clientCode } = intentReader(sandbox, request);
      const deps = viewDeps(sandbox);
      const view = positionsView(deps, clientCode, sandbox.instant);
      if (snake()) return { message: 'positions', portfolio: view };
      const { realised_pnl, unrealised_pnl, total_pnl, total_pnl_chg } = view.position_stats;
      const views = [view.stock_positions, view.fut_positions, view.opt_positions, view.close_positions].flatMap(
        (list) => list ?? [],
      );
      const own = deps.accounts.positions(clientCode);
      return {
        message: 'positions',
        portfolio: {
          clientCode,
          positionStats: {
            realisedPnl: realised_pnl,
            unrealisedPnl: unrealised_pnl,
            totalPnl: total_pnl,
            totalPnlChg: total_pnl_chg,
          },
          positions: views.map((view) => {
            const held = own.find(
              ({ refId, product }) => refId === view.ref_id && view.product.endsWith(`_${product}`),
            )!;
            const realised = realisedToday(deps, clientCode, held, sandbox.instant);
            const assetType = sandbox.world.instrument(view.ref_id)?.assetType ?? '';
            return position(view, held, realised, sandbox.dialect, assetType);
          }),
        },
      };
    },
  );

  app.get(
    '/sentinel/portfolio/user_funds_and_margin',
    {
      schema: {
        tags: TAGS,
        summary: 'Cash and margin',
        response: {
          200: Type.Union([answer({ portFundsAndMargin: anything }), answer({ port_funds_and_margin: anything })]),
          ...error,
        },
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      const { clientCode } = intentReader(sandbox, request);
      const message = 'funds and margin';
      const at = sandbox.instant;
      if (snake()) return { message, port_funds_and_margin: fundsView(viewDeps(sandbox), clientCode, at) };
      return { message, portFundsAndMargin: intentFunds(sandbox.world, clientCode, at) };
    },
  );
}

function holding(view: HoldingView) {
  return {
    refId: view.ref_id,
    symbol: view.symbol,
    displayName: view.displayName,
    exchange: view.exchange,
    asset: view.asset,
    derivativeType: view.derivative_type,
    quantity: view.qty,
    pledgedQty: view.pledged_qty,
    t1Qty: view.t1_qty,
    avgPrice: view.avg_price,
    prevClose: view.prev_close,
    lastTradedPrice: view.ltp,
    investedValue: view.invested_value,
    currentValue: view.current_value,
    netPnl: view.net_pnl,
    netPnlChg: view.net_pnl_chg,
    dayPnl: view.day_pnl,
    haircut: view.haircut,
    marginBenefit: view.margin_benefit,
    availableToPledge: view.available_to_pledge,
    isPledgeable: view.is_pledgeable,
    supportedExchanges: view.supported_exchanges,
  };
}

/** A position with its signed net. The live service has been seen with long and with short names of quantities and price. */
function position(
  view: PositionView,
  own: Position,
  realised: number,
  { intent_position_names, position_status }: Pick<ServiceDialect, 'intent_position_names' | 'position_status'>,
  assetType: string,
) {
  const { quantity, buyQuantity, sellQuantity } = own;
  const figures = {
    ...(intent_position_names !== 'short' && {
      netQuantity: quantity,
      buyQuantity,
      sellQuantity,
      lastTradedPrice: view.ltp,
    }),
    ...(intent_position_names !== 'long' && {
      netQty: quantity,
      buyQty: buyQuantity,
      sellQty: sellQuantity,
      ltp: view.ltp,
    }),
  };
  return {
    refId: view.ref_id,
    symbol: view.symbol,
    exchange: view.exchange,
    asset: view.asset,
    assetType,
    derivativeType: view.derivative_type,
    deliveryType: view.product.replace('ORDER_DELIVERY_TYPE_', ''),
    orderSide: view.order_side,
    ...(position_status === 'told' ? { status: quantity === 0 ? 'CLOSED' : 'OPEN' } : {}),
    ...figures,
    avgPrice: view.avg_price,
    avgBuyPrice: view.avg_buy_price,
    avgSellPrice: view.avg_sell_price,
    pnl: view.pnl,
    pnlChg: view.pnl_chg,
    realisedPnl: realised,
    unrealisedPnl: view.pnl - realised,
  };
}
