import { Type, type Static } from '@sinclair/typebox';
import type { IntentLeg } from '../exchange/strategies/types';
import { isTerminal } from '../exchange/working-order';
import type { Side } from '../shared/orders';
import type { Sandbox } from '../simulation/sandbox';
import { ApiError } from '../web/errors';
import { hasLiveExits } from './account-view';
import { userOf } from './requests';
import { throwIfRefused, orderOf, literalUnion } from './trading';

/** Lists of an account show an order a moment after it was placed: one of a day later shows all that lives. */
const DAY_MS = 86_400_000;

/** Body of POST /_sandbox/page/exit. */
export const PageExit = Type.Object({
  phone: Type.String(),
  ref_id: Type.Integer(),
  product: literalUnion('CNC', 'IDAY'),
});

/**
 * Closes a position at market: orders with live exits are closed as one with them; what open orders close already, and what
 * strategies hold, is left to them. @throws ApiError 400 when nothing is left to close
 */
export function exitFromPage(
  sandbox: Sandbox,
  { phone, ref_id: refId, product }: Static<typeof PageExit>,
): { message: string } {
  const { clientCode } = userOf(sandbox, phone);
  const { world, instant } = sandbox;
  const position = world.accounts
    .positions(clientCode)
    .find((position) => position.refId === refId && position.product === product && position.openQuantity !== 0);
  if (position === undefined) throw new ApiError(400, 'This position is closed already');
  const withExits = world.intents
    .intents(clientCode, instant + DAY_MS)
    .filter((intent) => !intent.multi && intent.product === product && intent.legs[0]!.refId === refId)
    .filter((intent) => hasLiveExits(intent) && held(intent.legs[0]!) !== 0);
  const inOrders = sum(withExits.map(({ legs }) => held(legs[0]!)));
  const inStrategies = strategiesHold(sandbox, clientCode, refId, product);
  const rest = position.openQuantity - inOrders - inStrategies;
  const side: Side = position.openQuantity > 0 ? 'SELL' : 'BUY';
  const closing = world.exchange
    .orders(clientCode, instant + DAY_MS)
    .filter(
      (order) => order.refId === refId && order.product === product && order.side === side && !isTerminal(order.status),
    )
    .filter(({ intentId, basketId }) => intentId === undefined && basketId === 0n);
  const quantity = Math.max(
    0,
    (side === 'SELL' ? rest : -rest) - sum(closing.map((order) => order.quantity - order.filledQuantity)),
  );
  if (quantity === 0 && withExits.length === 0)
    throw new ApiError(
      400,
      inStrategies === 0
        ? `Open orders already close all ${Math.abs(position.openQuantity)}: cancel them first`
        : 'A strategy holds this position: exit the strategy',
    );
  for (const { id } of withExits)
    if (world.intents.checkCancel(id, null, instant) === undefined)
      throwIfRefused(world.trade.cancelIntent(id, null, true));
  if (quantity > 0)
    throwIfRefused(
      world.placeOrder(orderOf({ clientCode }, { ref_id: refId, side, quantity, product, kind: 'MARKET' })),
    );
  return { message: 'Closing at market' };
}

/** Returns the units of an instrument that strategies and baskets hold: positive bought, negative sold. */
function strategiesHold({ world, instant }: Sandbox, clientCode: string, refId: number, product: string): number {
  const inStrategies = world.intents
    .intents(clientCode, instant + DAY_MS)
    .filter((intent) => intent.multi && intent.product === product)
    .flatMap(({ legs }) => legs.filter((leg) => leg.refId === refId).map(held));
  const inBaskets = world.baskets
    .baskets(clientCode, instant + DAY_MS)
    .filter((basket) => basket.product === product && basket.status !== 'CLOSED')
    .flatMap(({ legs }) => legs.filter((leg) => leg.refId === refId))
    .map((leg) => (leg.side === 'BUY' ? 1 : -1) * (leg.filledQuantity - leg.exitQuantity));
  return sum([...inStrategies, ...inBaskets]);
}

/** Returns the units that a leg has bought (positive) or sold (negative) and not yet closed. */
function held({ unit, filledQuantity, exitQuantity }: IntentLeg): number {
  return Math.sign(unit) * (filledQuantity - exitQuantity);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
