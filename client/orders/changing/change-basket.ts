/**
 * Changes of baskets that were placed. They are acknowledged first and happen later, or not; what counts is what the list shows.
 */
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import { InputError } from '../../base/errors';
import { statusLabel } from '../../values/labels';
import { netPriceIn, type NetPrice } from '../../values/market-price';
import type { MoneyUnit } from '../../values/money';
import { textFrom } from '../../values/record';
import { checkBasket, type BasketChange, type BasketTerms } from '../model/basket-terms';
import { isDryRun, type Guards } from '../model/guard-settings';
import { requireKnownBasket } from '../model/known-words';
import { passGuards } from '../guards/guards';
import { showsChange } from './modify-order';
import type { TradedInstrument } from '../model/order-terms';
import type { ServiceRequest } from '../api/order-api';
import { brokerageErrorOnly, isRefusedUnlessSeen, mayHaveChanged, unknownChange } from '../placing/outcome';
import { BASKET } from '../placing/order-or-basket';
import type { PlacementContext } from '../account/placement-context';
import {
  averagePriceOf,
  exitsOf,
  filledQuantityOf,
  basketIdOfLeg,
  priceOf,
  priceTypeOf,
  quantityOf,
  sideOf,
  validityOf,
} from '../model/order-record';
import { basketIdOf, basketProductOf, basketStatusOf, isBasketLive, legsOf } from '../model/basket-record';
import { sendChange } from './send-change';
import { waitUntilBasket } from '../placing/wait-for-basket';

/** A basket after a change: `requested` was acknowledged and is not seen yet, `done` is seen in the list. */
export interface BasketResult {
  result: 'requested' | 'done';
  basket: BasketRecord;
}

/** A strategy is one order, and its record tells what an order's does. */
const asOrder = (basket: BasketRecord): OrderRecord => basket as OrderRecord;

/** Minimum time to follow a basket when its change got no clear answer. */
const UNCLEAR_MS = 5_000;

/**
 * Sends a change of a basket, and follows the basket until the change is seen.
 * @throws the error of a change that was refused, or whose outcome is unknown
 */
export async function changeBasket(
  basket: BasketRecord,
  request: ServiceRequest,
  input: { what: string; isDone: (basket: BasketRecord) => boolean },
  waitMs: number,
  context: PlacementContext,
): Promise<BasketResult> {
  const basketId = basketIdOf(basket);
  const failure = await sendChange(request, context).then(
    () => undefined,
    (error: unknown) => brokerageErrorOnly(error, context.signal),
  );
  // A refusal may come because it is done already.
  const ms = failure === undefined ? waitMs : mayHaveChanged(failure) ? Math.max(waitMs, UNCLEAR_MS) : 0;
  if (failure === undefined && ms === 0) return { result: 'requested', basket };
  const isOver = (shown: BasketRecord): boolean => !isBasketLive(shown) && !isHeld(shown);
  const basketWait = await waitUntilBasket(basketId, input.isDone, ms, context, isOver);
  if (basketWait.reached) return { result: 'done', basket: basketWait.order! };
  if (failure !== undefined)
    throw isRefusedUnlessSeen(failure, basketWait) ? failure : unknownChange(`basket ${basketId}`, input.what, failure);
  const now = basketWait.order ?? basket;
  if (isOver(now)) throw tooLate(now, `was not seen to be ${input.what}`);
  return { result: 'requested', basket: now };
}

/** True if a basket has entered, and none of its exits has closed it. */
export const isHeld = (basket: BasketRecord): boolean => basketStatusOf(basket) === 'FILLED';

function tooLate(basket: BasketRecord, what: string): InputError {
  const status = statusLabel(basketStatusOf(basket)).toLowerCase();
  return new InputError(`Basket ${basketIdOf(basket)} ${what}: it was ${status} before that.`, {
    parameter: 'basketId',
    hint: 'Nothing of it is left to change.',
  });
}

/** A basket that is to be changed. */
export interface BasketModification {
  basket: BasketRecord;
  /** Instruments of the legs, in the order of the record. */
  instruments: readonly TradedInstrument[];
  change: BasketChange;
  guards: readonly Guards[];
  unit: MoneyUnit;
  /** Milliseconds to wait for the end; 0 for the acknowledgement only. */
  waitMs: number;
}

/** Returns the legs after the change. A leg trades its ratio for each unit of the basket. */
function legsAfter({ basket, instruments, change }: BasketModification): BasketTerms['legs'] {
  const before = quantityOf(asOrder(basket));
  const quantity = change.quantity ?? before;
  return legsOf(basket).map((leg, index) => ({
    instrument: instruments[index]!,
    side: sideOf(leg) ?? 'BUY',
    quantity: before === 0 ? quantityOf(leg) : (quantityOf(leg) * quantity) / before,
  }));
}

/** The basket as it will be. Exits are measured from the limit while it waits; of what has entered they may be on either side. */
function termsAfter(modification: BasketModification): BasketTerms {
  const { basket, change } = modification;
  const order = asOrder(basket);
  const shown = (kinds: readonly string[]): number | undefined => {
    const exit = exitsOf(order).find(({ kind, status }) => kinds.includes(textFrom(kind)) && status !== 'CANCELLED');
    return typeof exit?.trigger_price === 'number' ? exit.trigger_price : undefined;
  };
  const price = change.price ?? (priceOf(order) || undefined);
  const isLimit = price !== undefined && priceTypeOf(order) === 'LIMIT' && filledQuantityOf(order) === 0;
  return {
    name: '',
    legs: legsAfter(modification),
    side: 'BUY',
    product: basketProductOf(basket) ?? 'CNC',
    priceType: isLimit ? 'LIMIT' : 'MARKET',
    ...(isLimit ? { price } : {}),
    multiplier: 1,
    stopLossPrice: change.stop === null ? undefined : (change.stop?.trigger ?? shown(['STOPLOSS', 'TRAILING_STOP'])),
    targetPrice: change.target === null ? undefined : (change.target?.trigger ?? shown(['TARGET_PROFIT'])),
  };
}

/** Returns the price from which the exits of a basket are measured: its entry price, before that its limit; undefined if it shows none. */
export function entryPriceOf(basket: BasketRecord): NetPrice | undefined {
  const order = asOrder(basket);
  const entered = netPriceIn(Math.round(averagePriceOf(order)));
  return entered ?? (filledQuantityOf(order) > 0 ? undefined : netPriceIn(priceOf(order)));
}

/**
 * Changes one basket, after its rules and its guards have passed.
 * @returns what became of it; in a dry run the request that would be sent.
 * @throws InputError when the change breaks a rule or a guard, or the interface cannot change baskets; UnknownOutcomeError
 *   when no clear answer came; what the guards' reads throw; see `Transport.call`.
 */
export async function modifyBasket(
  modification: BasketModification,
  context: PlacementContext,
): Promise<BasketResult | ServiceRequest> {
  const { basket, change: requested, guards, unit, waitMs } = modification;
  const basketId = basketIdOf(basket);
  const request = context.baskets.modify(basket, requested);
  requireKnownBasket(basket, 'changed');
  requireChangeable(basket, requested);
  const terms = termsAfter(modification);
  checkBasket(terms, unit, requested.quantity !== undefined);
  const replaces = (order: OrderRecord): boolean => basketIdOfLeg(order) === basketId;
  await passGuards(
    BASKET.ordersOf(terms),
    { tag: basketId, guards, unit, replaces, net: BASKET.netOf(terms) },
    context,
  );
  // The basket counts in the list already.
  context.placements.release(context.scope, basketId);
  if (isDryRun(guards)) return request;
  const isDone = (seen: BasketRecord): boolean => showsChange(asOrder(seen), requested, asOrder(basket));
  await context.requireTrading?.();
  return await changeBasket(basket, request, { what: 'modified', isDone }, waitMs, context);
}

/** @throws InputError for what a basket cannot change any more, or never. */
function requireChangeable(basket: BasketRecord, { price, quantity, goodTill, exitTime }: BasketChange): void {
  const basketId = basketIdOf(basket);
  if (!isBasketLive(basket) && !isHeld(basket)) throw tooLate(basket, 'could not be modified');
  if (isHeld(basket) && (price !== undefined || quantity !== undefined))
    throw new InputError(`Basket ${basketId} has entered: only its exits can be changed. Nothing was sent.`, {
      parameter: 'updateFields',
      hint: 'Remove Limit Price and Quantity.',
    });
  if (quantity !== undefined && quantityOf(asOrder(basket)) === 0)
    throw new InputError(
      `Basket ${basketId} does not show its quantity, by which that of each leg is known. Nothing was sent.`,
      { parameter: 'quantity', hint: 'Remove Quantity, or cancel the basket and place a new one.' },
    );
  const unsizedLeg = legsOf(basket).findIndex((leg) => quantityOf(leg) === 0);
  if (unsizedLeg >= 0 && (price !== undefined || quantity !== undefined))
    throw new InputError(
      `Basket ${basketId} does not show the quantity of its leg ${unsizedLeg + 1}, by which it is checked. Nothing was sent.`,
      { parameter: 'updateFields', hint: 'Remove Limit Price and Quantity, or cancel the basket and place a new one.' },
    );
  const isDated = goodTill !== undefined || validityOf(basket) === 'GTE';
  if (isDated && exitTime != null)
    throw new InputError('A basket that is good till a date cannot have an exit time. Nothing was sent.', {
      parameter: 'exitTime',
      hint: 'Remove Exit Time or Good Till Date.',
    });
  if (price !== undefined && priceTypeOf(asOrder(basket)) === 'MARKET')
    throw new InputError(`Basket ${basketId} enters at the market: it has no limit price. Nothing was sent.`, {
      parameter: 'price',
      hint: 'Remove Limit Price, or cancel the basket and place a new one.',
    });
}
