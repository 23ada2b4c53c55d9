import { averagePrice, contractValue, PER_SHARE } from '../market/reference/contract-value';
import { isAlive } from '../exchange/strategies/exit-triggers';
import type { StrategyExit } from '../exchange/strategies/exit-types';
import type { IntentOrder } from '../exchange/strategies/types';
import { isTerminal } from '../exchange/working-order';
import type { Basket } from '../exchange/strategies/v2-basket-types';
import type { User } from '../sessions/users';
import { realisedToday } from '../web/day-start';
import { viewDeps } from '../web/portfolio';
import { salesOf } from '../web/sales';
import { average } from '../shared/money';
import type { Order } from '../shared/orders';
import { millisOf } from '../shared/time';
import { placedByEntry } from '../simulation/journal-entries';
import type { Sandbox } from '../simulation/sandbox';
import { dayResult } from './day-result';
import { nameShown } from './instruments';
import type { OrderHistory } from './order-history';

const BASKET_OVER: ReadonlySet<Basket['status']> = new Set(['CLOSED', 'CANCELLED', 'REJECTED']);

/** Orders, positions, holdings, strategies and funds of an account; prices are paise, times milliseconds. */
export function accountView(sandbox: Sandbox, { clientCode }: User, history: OrderHistory) {
  const { world } = sandbox;
  const { available, cash, heldForOrders, heldForPositions, unrealisedLoss, realised, charges } =
    world.accounts.funds(clientCode);
  const deps = viewDeps(sandbox);
  const orders = world.ordersOf(clientCode).filter(({ basketId }) => basketId === 0n);
  return {
    day_profit: dayResult(sandbox, clientCode),
    orders: orders.reverse().map((order) => orderShown(sandbox, order, history)),
    positions: world.accounts.positions(clientCode).map((position) => {
      const open = position.openQuantity;
      const unit = world.accounts.instrument(position.refId) ?? PER_SHARE;
      const { last_price, ...named } = instrumentNamed(sandbox, position.refId);
      return {
        ...named,
        product: position.product,
        quantity: position.quantity,
        open_quantity: open,
        average_price: averagePrice(unit, position.openValue, open),
        last_price,
        profit:
          realisedToday(deps, clientCode, position, sandbox.instant) +
          contractValue(unit, last_price, open) -
          position.openValue,
      };
    }),
    holdings: world.accounts.holdings(clientCode).map(({ refId, quantity, t1Quantity, cost }) => {
      const { last_price, ...named } = instrumentNamed(sandbox, refId);
      const total = quantity + t1Quantity;
      return {
        ...named,
        quantity,
        t1_quantity: t1Quantity,
        average_price: average(cost, total),
        last_price,
        profit: contractValue(PER_SHARE, last_price, total) - cost,
      };
    }),
    /** True if shares may be sold out of the demat account. */
    sales: salesOf(sandbox, clientCode),
    strategies: world
      .basketsOf(clientCode)
      .reverse()
      .map((basket) => strategyShown(sandbox, basket)),
    funds: {
      available,
      cash,
      held_for_orders: heldForOrders,
      held_for_positions: heldForPositions,
      unrealised_loss: unrealisedLoss,
      realised,
      charges,
    },
  };
}

function instrumentNamed({ world, instant }: Sandbox, refId: number) {
  const instrument = world.instrument(refId);
  return {
    ref_id: refId,
    symbol: instrument?.symbol ?? String(refId),
    name: instrument === undefined ? String(refId) : nameShown(instrument, instant),
    last_price: instrument === undefined ? 0 : world.lastPrice(instrument),
  };
}

function orderShown(sandbox: Sandbox, order: Order, history: OrderHistory) {
  const intent = sandbox.world.intents.intent(order.id);
  const named = instrumentNamed(sandbox, order.refId);
  return {
    id: order.id.toString(),
    at: millisOf(order.createdAt),
    ref_id: order.refId,
    symbol: named.symbol,
    name: named.name,
    side: order.side,
    kind: order.kind,
    product: order.product,
    quantity: order.quantity,
    price: order.price,
    price_type: order.priceType,
    trigger_price: order.triggerPrice,
    leg_size: order.legSize,
    filled_quantity: order.filledQuantity,
    average_price: average(order.filledValue, order.filledQuantity),
    reason: order.reason,
    tag: order.tag,
    ...placedByEntry(order.placedBy),
    working: !isTerminal(order.status),
    exits: (intent?.exits ?? []).map(exitShown),
    exits_alive: intent !== undefined && hasLiveExits(intent),
    life: history.of(order),
  };
}

/** True if exits protect what an order has filled. */
export function hasLiveExits({ exits, filledQuantity, status }: IntentOrder): boolean {
  return exits.some(isAlive) && (status === 'OPEN' || filledQuantity > 0);
}

function exitShown({ slot, status, trigger, limit, jump, at }: StrategyExit) {
  return { slot, status, trigger, limit, jump, at, alive: status === 'OPEN' || status === 'TRIGGERED' };
}

function strategyShown(sandbox: Sandbox, basket: Basket) {
  return {
    id: basket.id.toString(),
    at: millisOf(basket.createdAt),
    name: basket.name,
    tag: basket.tag,
    status: basket.status,
    working: !BASKET_OVER.has(basket.status),
    held: basket.status === 'FILLED',
    reason: basket.reason,
    entry_price: basket.entryPrice,
    price_type: basket.priceType,
    net_price: sandbox.world.netPriceOf(basket),
    stop: basket.stoplossNow,
    target: basket.targetPrice,
    profit: sandbox.world.profitOf(basket),
    legs: basket.legs.map(({ refId, side, quantity, filledQuantity }) => ({
      name: instrumentNamed(sandbox, refId).name,
      side,
      quantity,
      filled_quantity: filledQuantity,
    })),
  };
}
