import { Type, type Static } from '@sinclair/typebox';
import type { StopTerms } from '../exchange/strategies/exit-types';
import type { NewIntent } from '../exchange/strategies/types';
import { totalCharges } from '../accounts/charges';
import { contractValue } from '../market/reference/contract-value';
import type { Instrument } from '../market/reference/types';
import type { User } from '../sessions/users';
import type { NewOrder, Product, Refusal, Side } from '../shared/orders';
import type { Sandbox } from '../simulation/sandbox';
import { ApiError } from '../web/errors';
import { instrumentOf, userOf } from './requests';

/** By this tag orders of the page are known. */
const TAG = 'page';
const SOURCE = 'ORDER_SOURCE_NORMAL';
/** Distance of the limit of a stop from its trigger, in thousandths of it. */
const STOP_ROOM = 5;

export const literalUnion = <T extends string>(...words: T[]) => Type.Union(words.map((word) => Type.Literal(word)));
const paise = Type.Integer({ minimum: 1, description: 'Paise' });

/** Body of POST /_sandbox/page/orders. */
export const PageOrder = Type.Object(
  {
    phone: Type.String(),
    ref_id: Type.Integer(),
    side: literalUnion('BUY', 'SELL'),
    quantity: Type.Integer({ minimum: 1 }),
    product: literalUnion('CNC', 'IDAY'),
    kind: literalUnion('MARKET', 'LIMIT', 'STOPLOSS'),
    price: Type.Optional(paise),
    trigger_price: Type.Optional(paise),
    stop: Type.Optional(paise),
    target: Type.Optional(paise),
  },
  { additionalProperties: false },
);
/** Body of POST /_sandbox/page/cancel. */
export const PageCancel = Type.Object({ phone: Type.String(), order_id: Type.String({ pattern: '^\\d{1,20}$' }) });
/** Places the order of the ticket. @returns its identifier. @throws ApiError 400 with the exchange's reason */
export function placeFromPage(sandbox: Sandbox, body: Static<typeof PageOrder>): { order_id: string } {
  const user = userOf(sandbox, body.phone);
  const instrument = instrumentOf(sandbox, body.ref_id);
  const interfaces = user.login.orderInterface ?? sandbox.options.orderInterface;
  const withExits = body.stop !== undefined || body.target !== undefined;
  if (withExits && interfaces === 'v2')
    throw new ApiError(
      400,
      'This account has only the older order interface, on which an order has no stop loss or target',
    );
  if (interfaces === 'v2' || (interfaces === 'both' && !withExits))
    return { order_id: throwIfRefused(sandbox.world.placeOrder(orderOf(user, body))).order.id.toString() };
  return {
    order_id: throwIfRefused(sandbox.world.placeIntent(intentOf(user, instrument, body), false)).intent.id.toString(),
  };
}

/** Cancels what of an order or a strategy still waits; one that is held is closed. @throws ApiError */
export function cancelFromPage(sandbox: Sandbox, { phone, order_id }: Static<typeof PageCancel>): { message: string } {
  const { clientCode } = userOf(sandbox, phone);
  const { world } = sandbox;
  const id = BigInt(order_id);
  const order = world.order(id);
  const basket = order === undefined ? world.basket(id) : undefined;
  if ((order ?? basket)?.account !== clientCode) throw new ApiError(404, `There is no order ${order_id} today`);
  const refused = basket === undefined ? world.checkCancel(id) : undefined;
  if (refused !== undefined) throwIfRefused(refused);
  throwIfRefused(basket === undefined ? world.cancelOrder(id) : world.cancelBasket(id));
  return { message: 'Cancelling' };
}

/** Returns the cost of an order of the ticket, paise, before it is placed. @throws ApiError 400 with the exchange's reason */
export function previewFromPage(sandbox: Sandbox, body: Static<typeof PageOrder>) {
  const { world, instant } = sandbox;
  const user = userOf(sandbox, body.phone);
  const instrument = instrumentOf(sandbox, body.ref_id);
  const order = orderOf(user, body);
  const { totalMargin, maxQuantity } = world.accounts.marginRequired(
    user.clientCode,
    [order],
    { withPortfolio: true },
    instant,
  );
  const price = order.price === 0 ? world.lastPrice(instrument) : order.price;
  const value = contractValue(instrument, price, body.quantity);
  const charges = world.accounts.chargesOf(instrument, body, value, instant);
  return {
    margin: totalMargin,
    charges: totalCharges(charges),
    available: world.accounts.funds(user.clientCode).available,
    max_quantity: maxQuantity,
  };
}

type Terms = { ref_id: number; side: Side; quantity: number; product: Product } & Pick<
  Static<typeof PageOrder>,
  'kind' | 'price' | 'trigger_price'
>;

/** An order of an account by the page. */
export function orderOf({ clientCode }: Pick<User, 'clientCode'>, terms: Terms): NewOrder {
  return {
    account: clientCode,
    refId: terms.ref_id,
    kind: terms.kind === 'STOPLOSS' ? 'STOPLOSS' : 'REGULAR',
    side: terms.side,
    quantity: terms.quantity,
    product: terms.product,
    validity: 'DAY',
    priceType: terms.kind === 'MARKET' ? 'MARKET' : 'LIMIT',
    price: terms.kind === 'MARKET' ? 0 : (terms.price ?? 0),
    triggerPrice: terms.kind === 'STOPLOSS' ? (terms.trigger_price ?? 0) : 0,
    legSize: 0,
    tag: TAG,
    basketId: 0n,
    source: SOURCE,
  };
}

function intentOf({ clientCode }: User, instrument: Instrument, body: Static<typeof PageOrder>): NewIntent {
  const { side, stop, target, trigger_price: trigger } = body;
  return {
    account: clientCode,
    multi: false,
    legs: [{ refId: instrument.refId, unit: side === 'BUY' ? 1 : -1 }],
    quantity: body.quantity,
    side,
    product: body.product,
    priceType: body.kind === 'MARKET' ? 'MARKET' : 'LIMIT',
    validity: body.kind === 'MARKET' ? 'IOC' : 'DAY',
    price: body.kind === 'MARKET' ? 0 : (body.price ?? 0),
    goodTill: null,
    entry: {
      condition:
        body.kind === 'STOPLOSS' ? { kind: side === 'BUY' ? 'AT_OR_ABOVE' : 'AT_OR_BELOW', price: trigger ?? 0 } : null,
      time: null,
    },
    exits: {
      stop: stop === undefined ? null : stopTerms(stop, side, instrument),
      target: target === undefined ? null : { trigger: target, limit: target },
      time: null,
    },
    iceberg: null,
    tag: TAG,
    echo: 'null',
  };
}

/** A stop loss whose limit leaves the price some room, on a tick. */
export function stopTerms(trigger: number, entrySide: Side, { tickSize }: Instrument): StopTerms {
  const room = Math.ceil((trigger * STOP_ROOM) / 1_000 / tickSize) * tickSize;
  return { trigger, limit: entrySide === 'BUY' ? Math.max(tickSize, trigger - room) : trigger + room, jump: null };
}

/** @throws ApiError 400 for a refusal */
export function throwIfRefused<T extends { ok: true }>(result: T | Refusal): T {
  if (!result.ok) throw new ApiError(400, result.text, result.code);
  return result;
}
