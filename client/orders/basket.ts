/** Baskets: several legs of one underlying as one unit (specification: Basket body, Basket record). */
import { endpoints } from '../endpoints';
import type { BasketBody } from '../endpoints/baskets';
import { BrokerageError, InputError, UnreadableReplyError } from '../errors';
import type { Transport } from '../transport';
import { asObject, type Json, type JsonObject } from '../values/json';
import type { MoneyUnit } from '../values/money';
import { requireOnTick } from '../values/money';
import {
  orderIdOf,
  statusOf,
  tagOf,
  type OrderRecord,
  type PriceType,
  type Product,
  type Side,
  type TradedInstrument,
} from './order';
import {
  brokerageErrorOnly,
  meaningOfFailure,
  rejected,
  rejectedOrder,
  unknownChange,
  unknownOutcome,
  unsent,
  type Outcome,
} from './outcome';
import type { PlacementContext, OrderRequest } from './place';
import { LOOKUP_PAUSES_MS, byTags, findByTags } from './read';

export interface BasketLeg {
  instrument: TradedInstrument;
  side: Side;
  /** Units, not lots. */
  quantity: number;
}

/** What is wanted; prices in paise per net unit of the basket. */
export interface BasketTerms {
  name: string;
  legs: readonly BasketLeg[];
  side: Side;
  product: Product;
  priceType: PriceType;
  /** Only for LIMIT. May be negative where the net of the legs is a credit. */
  price?: number;
  multiplier: number;
  targetPrice?: number;
  stopLossPrice?: number;
  momentumTriggerPrice?: number;
  /** Milliseconds since the epoch. */
  entryTime?: number;
  exitTime?: number;
}

/**
 * The rules of baskets (specification: Basket rules 4 and 7). Parameters that errors name: legs, price, stopLossPrice,
 * targetPrice, momentumTriggerPrice, exitTime, product, multiplier.
 * @throws InputError
 */
export function checkBasket(terms: BasketTerms, unit: MoneyUnit): void {
  const [first, ...others] = terms.legs;
  if (first === undefined) throw new InputError('A basket needs at least one leg.', { parameter: 'legs' });
  for (const [index, leg] of terms.legs.entries()) {
    const { instrument, quantity } = leg;
    if (!Number.isSafeInteger(quantity) || quantity < 1 || quantity % instrument.lotSize !== 0) {
      throw new InputError(
        `The quantity ${quantity} of leg ${index + 1} (${instrument.symbol}) is not a multiple of its lot size ${instrument.lotSize}.`,
        { parameter: 'legs' },
      );
    }
  }
  for (const [index, { instrument }] of terms.legs.entries()) {
    const same = terms.legs.findIndex((leg) => leg.instrument.refId === instrument.refId);
    if (same < index)
      throw new InputError(`Legs ${same + 1} and ${index + 1} are the same instrument, ${instrument.symbol}.`, {
        parameter: 'legs',
        hint: 'Make one leg of them.',
      });
  }
  for (const { instrument } of others) {
    if (instrument.exchange !== first.instrument.exchange) {
      throw new InputError(
        `All legs must be on one exchange, but ${first.instrument.symbol} is on ${first.instrument.exchange} and ${instrument.symbol} on ${instrument.exchange}.`,
        { parameter: 'legs' },
      );
    }
    if (instrument.asset !== first.instrument.asset) {
      throw new InputError(
        `All legs must have one underlying, but ${first.instrument.symbol} has ${first.instrument.asset} and ${instrument.symbol} has ${instrument.asset}.`,
        { parameter: 'legs' },
      );
    }
  }
  if (!Number.isSafeInteger(terms.multiplier) || terms.multiplier < 1)
    throw new InputError('The multiplier must be a whole number from 1.', { parameter: 'multiplier' });
  checkPrices(terms, unit);
  if (terms.exitTime !== undefined && terms.product !== 'IDAY') {
    throw new InputError('An exit time is for intraday baskets only.', {
      parameter: 'exitTime',
      hint: 'Choose the product Intraday, or leave the exit time out.',
    });
  }
}

function checkPrices(terms: BasketTerms, unit: MoneyUnit): void {
  const { price, targetPrice, stopLossPrice, momentumTriggerPrice } = terms;
  const tick = terms.legs.reduce((least, { instrument }) => Math.min(least, instrument.tickSize), Infinity);
  if (terms.priceType === 'LIMIT' && price === undefined)
    throw new InputError('A limit basket needs a limit price.', { parameter: 'price' });
  const named = [
    ['price', price, 'Limit Price'],
    ['targetPrice', targetPrice, 'Target Price'],
    ['stopLossPrice', stopLossPrice, 'Stop-Loss Price'],
    ['momentumTriggerPrice', momentumTriggerPrice, 'Momentum Trigger Price'],
  ] as const;
  for (const [parameter, value, label] of named)
    if (value !== undefined) requireOnTick(value, tick, unit, parameter, { label, allowNegative: true });
  if (price !== undefined && stopLossPrice !== undefined && stopLossPrice >= price) {
    throw new InputError('The stop-loss price must be lower than the limit price.', { parameter: 'stopLossPrice' });
  }
  if (price !== undefined && targetPrice !== undefined && targetPrice <= price) {
    throw new InputError('The target price must be higher than the limit price.', { parameter: 'targetPrice' });
  }
  if (stopLossPrice !== undefined && targetPrice !== undefined && stopLossPrice >= targetPrice) {
    throw new InputError(
      'The stop-loss price must be lower than the target price: the basket would be closed at once.',
      { parameter: 'stopLossPrice' },
    );
  }
  if (momentumTriggerPrice !== undefined && targetPrice !== undefined && momentumTriggerPrice >= targetPrice) {
    throw new InputError('The momentum trigger price must be lower than the target price.', {
      parameter: 'momentumTriggerPrice',
    });
  }
}

/** The body of a basket (specification: Basket body; wire-facts 2: Basket fields). */
export function basketBody(terms: BasketTerms, tag: string): BasketBody {
  const time = (at: number | undefined): string | undefined =>
    at === undefined ? undefined : new Date(at).toISOString();
  return {
    exchange: terms.legs[0]?.instrument.exchange,
    basket_name: terms.name,
    tag,
    orders: terms.legs.map(({ instrument, side, quantity }) => ({
      ref_id: instrument.refId,
      order_qty: quantity,
      order_side: `ORDER_SIDE_${side}`,
    })),
    basket_params: {
      order_side: `ORDER_SIDE_${terms.side}`,
      order_delivery_type: `ORDER_DELIVERY_TYPE_${terms.product}`,
      price_type: terms.priceType,
      entry_price: terms.priceType === 'LIMIT' ? terms.price : undefined,
      exit_price: terms.targetPrice,
      stoploss_price: terms.stopLossPrice,
      momentum_trigger_price: terms.momentumTriggerPrice,
      entry_time: time(terms.entryTime),
      exit_time: time(terms.exitTime),
      multiplier: terms.multiplier,
    },
  };
}

const basketIdOf = (basket: JsonObject): string => {
  const id = basket.basket_id;
  const text = typeof id === 'string' ? id : typeof id === 'number' ? String(id) : '';
  return text === '0' ? '' : text;
};

/** The list in a reply: bare, under its name, one basket alone, or null for none. */
function basketsIn(reply: Json): Json[] | undefined {
  if (reply === null) return [];
  if (Array.isArray(reply)) return reply;
  const object = asObject(reply);
  if (object === undefined || basketIdOf(object) !== '') return object && [object];
  return Object.hasOwn(object, 'baskets') && object.baskets !== undefined ? basketsIn(object.baskets) : undefined;
}

/** The baskets of the day; with a tag those that carry exactly this one. @throws UnreadableReplyError when the reply is no list. */
export async function getBaskets(transport: Transport, tag?: string, signal?: AbortSignal): Promise<JsonObject[]> {
  const reply = await transport.call(endpoints.baskets, { query: { tag }, signal });
  const records = basketsIn(reply)?.map((one) => asObject(one));
  if (records === undefined || records.includes(undefined))
    throw new UnreadableReplyError('The service answered a read of the baskets with something that is no list.');
  const baskets = (records as JsonObject[]).filter((basket) => basketIdOf(basket) !== '');
  return tag === undefined ? baskets : baskets.filter((basket) => tagOf(basket) === tag);
}

/** The legs of a basket record: a list, or an object keyed by ref_id (wire-facts 2: Baskets). */
export function legsOf(basket: JsonObject): OrderRecord[] {
  const orders = basket.orders;
  const list = Array.isArray(orders) ? orders : Object.values(asObject(orders) ?? {});
  return list.map((one) => asObject(one)).filter((one): one is OrderRecord => one !== undefined);
}

/** The outcome of each leg, by its status. A leg without an id is not known yet. */
export function legOutcomes(basket: JsonObject, tag: string): Outcome[] {
  return legsOf(basket).map((order) => {
    if (orderIdOf(order) === '') return { outcome: 'unknown', tag, error: unknownOutcome(tag, undefined, 'leg') };
    if (statusOf(order) === 'REJECTED')
      return { outcome: 'rejected', tag, order, alreadyPlaced: false, error: rejectedOrder(order, tag) };
    return { outcome: 'confirmed', tag, order, alreadyPlaced: false };
  });
}

function outcomeOf(tag: string, basket: JsonObject, alreadyPlaced: boolean): Outcome {
  return basket.basket_status === 'BASKET_STATUS_REJECTED'
    ? {
        outcome: 'rejected',
        tag,
        order: basket,
        alreadyPlaced,
        error: rejected(basket, { basket_id: basketIdOf(basket) }, tag),
      }
    : { outcome: 'confirmed', tag, order: basket, alreadyPlaced };
}

/** One basket that is to be placed; `tag`, `keyed` and `guard` as for an order. */
export interface BasketRequest extends Pick<OrderRequest, 'tag' | 'keyed' | 'guard'> {
  terms: BasketTerms;
}

/** Places one basket, unless it was placed before (see `placeOrder`): the outcome's `order` is the basket record. */
export async function placeBasket(request: BasketRequest, context: PlacementContext): Promise<Outcome> {
  const { tag, keyed } = request;
  const { transport, placements, scope, signal } = context;
  // Not asked by the tag: its front may have been another when the basket was placed.
  const read = async (aborting?: AbortSignal): Promise<JsonObject[]> =>
    await getBaskets(transport, undefined, aborting);
  const search = async (pauses: readonly number[]): Promise<JsonObject | undefined> =>
    (await findByTags(transport, [tag], read, pauses, signal)).get(tag);
  return await placements.alone(scope, [tag], async () => {
    signal?.throwIfAborted();
    const known = placements.get(scope, tag);
    if (known !== undefined) {
      const basket = (await search(known.record === undefined ? LOOKUP_PAUSES_MS : [0])) ?? known.record;
      return basket === undefined
        ? { outcome: 'unknown', tag, error: unknownOutcome(tag, undefined, 'basket') }
        : outcomeOf(tagOf(basket) || tag, basket, true);
    }
    if (keyed && placements.settlesIn() > 0) await transport.clock.sleep(placements.settlesIn(), signal);
    const earlier = await read(signal).then(
      (baskets) => byTags(baskets, [tag]).get(tag),
      (error: unknown) => brokerageErrorOnly(error, signal),
    );
    if (earlier instanceof BrokerageError) return unsent(tag, keyed, earlier, 'basket');
    if (earlier !== undefined) {
      placements.placed(scope, tag, earlier);
      return outcomeOf(tagOf(earlier) || tag, earlier, true);
    }
    const value = await (request.guard?.() ?? Promise.resolve(0)).catch((error: unknown) =>
      brokerageErrorOnly(error, signal),
    );
    if (typeof value !== 'number') return { outcome: 'refused', tag, error: value };
    return await send(request.terms, tag, value, context, search);
  });
}

async function send(
  terms: BasketTerms,
  tag: string,
  value: number,
  { transport, placements, scope, signal }: PlacementContext,
  search: (pauses: readonly number[]) => Promise<JsonObject | undefined>,
): Promise<Outcome> {
  signal?.throwIfAborted();
  placements.sending(scope, tag, value);
  const attempt = await transport.call(endpoints.placeBasket, { body: basketBody(terms, tag) }).then(
    (reply) => ({ reply: asObject(asObject(reply)?.basket) ?? asObject(reply) }),
    (error: unknown) => ({ error }),
  );
  if ('error' in attempt && attempt.error instanceof BrokerageError) {
    const meaning = meaningOfFailure(attempt.error);
    if (meaning !== 'unknown') {
      placements.notPlaced(scope, tag);
      return meaning === 'refused'
        ? { outcome: 'refused', tag, error: attempt.error }
        : { outcome: 'rejected', tag, error: attempt.error, alreadyPlaced: false };
    }
  }
  const reply = 'reply' in attempt ? attempt.reply : undefined;
  const complete = reply !== undefined && basketIdOf(reply) !== '' && legsOf(reply).length === terms.legs.length;
  const basket = complete
    ? reply
    : ((await search(LOOKUP_PAUSES_MS)) ?? (reply !== undefined && basketIdOf(reply) !== '' ? reply : undefined));
  if (basket === undefined)
    return {
      outcome: 'unknown',
      tag,
      error: unknownOutcome(tag, 'error' in attempt ? attempt.error : undefined, 'basket'),
    };
  placements.placed(scope, tag, basket);
  return outcomeOf(tag, basket, false);
}

/**
 * Cancels or exits a basket. The answer is an acknowledgement, not the result.
 * @param basketId decimal text.
 * @returns the service's message.
 * @throws UnknownOutcomeError when no clear answer came.
 */
export async function cancelBasket(transport: Transport, basketId: string, exchange: string): Promise<string> {
  const answer = await transport
    .call(endpoints.cancelBasket, { path: { basket_id: basketId }, body: { exchange } })
    .catch((error: unknown) => {
      throw meaningOfFailure(error) === 'unknown' ? unknownChange(`basket ${basketId}`, 'cancelled', error) : error;
    });
  const reply = asObject(answer);
  return typeof reply?.message === 'string' ? reply.message : '';
}
