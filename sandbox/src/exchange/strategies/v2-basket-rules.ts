import { BASKET_EXIT_TIMES } from '../data/baskets';
import type { Instrument } from '../../market/reference/types';
import { marketOrderOf } from './rules';
import type { LegState, NewBasket } from './v2-basket-types';
import { effectiveOn } from '../../shared/effective-date';
import { productRefusal, orderRefusal, refuse, REFUSAL_TEXT, tradableRefusal } from '../rules';
import { istDate, istDay, istTime } from '../../shared/time';
import type { Refusal } from '../../shared/orders';

/** Facts that the rules need of the moment. */
export interface BasketConditions {
  /** Milliseconds. */
  at: number;
  /** Instant at which trading in the legs ends today, milliseconds. */
  close: number;
  /** Net price now, paise. */
  netPrice: number;
}

/** Rules on the legs (docs/service/baskets.md#basket-rules): one exchange, one underlying, quantities an order may have. */
export function legsRefusal(
  basket: NewBasket,
  instrument: (refId: number) => Instrument | undefined,
  at: number,
): Refusal | undefined {
  const { legs, exchange, multiplier, product } = basket;
  if (legs.length === 0) return refuse('BASKET_NO_LEGS', 'orders must hold at least one leg');
  if (!Number.isSafeInteger(multiplier) || multiplier <= 0) {
    return refuse('BASKET_MULTIPLIER', `basket_params.multiplier must be a whole number above 0, not ${multiplier}`);
  }
  const seen = new Map<number, number>();
  let asset: string | undefined;
  for (const [n, { refId, quantity }] of legs.entries()) {
    const where = `orders[${n}]`;
    const legInstrument = instrument(refId);
    if (legInstrument === undefined)
      return refuse(
        'UNKNOWN_INSTRUMENT',
        `${where}: ref_id ${refId} is not an instrument of this environment today: fetch the instrument master anew`,
      );
    if (legInstrument.exchange !== exchange)
      return refuse(
        'BASKET_EXCHANGE',
        `${where}: ${legInstrument.symbol} is on ${legInstrument.exchange}, all legs must be on ${exchange}`,
      );
    asset ??= legInstrument.asset;
    if (legInstrument.asset !== asset)
      return refuse(
        'BASKET_UNDERLYING',
        `${where}: ${legInstrument.symbol} has the underlying ${legInstrument.asset}, all legs must have ${asset}`,
      );
    if (seen.has(refId))
      return refuse('BASKET_SAME_LEG', `${where}: ref_id ${refId} is already in orders[${seen.get(refId)}]`);
    seen.set(refId, n);
    const total = quantity * multiplier;
    const refused =
      tradableRefusal(legInstrument) ??
      productRefusal(product, legInstrument, at) ??
      orderRefusal(marketOrderOf(quantity), legInstrument) ??
      orderRefusal(marketOrderOf(total), legInstrument);
    if (refused !== undefined) return refuse(refused.code, `${where}: ${refused.text}`);
    if (total > legInstrument.freezeQty)
      return refuse(
        'FREEZE_QTY',
        `${where}: ${REFUSAL_TEXT.freeze}: ${quantity} × ${multiplier} is above ${legInstrument.freezeQty}`,
      );
  }
  return undefined;
}

/** Rules on prices and times (docs/service/baskets.md#basket-rules). */
export function termsRefusal(basket: NewBasket, { at, close, netPrice }: BasketConditions): Refusal | undefined {
  return pricesRefusal(basket, netPrice) ?? timesRefusal(basket, at, close);
}

function pricesRefusal(basket: NewBasket, netPrice: number): Refusal | undefined {
  const { priceType, entryPrice, stoplossPrice, targetPrice, momentumTriggerPrice, trailJump } = basket;
  const named = {
    entry_price: entryPrice,
    stoploss_price: stoplossPrice,
    exit_price: targetPrice,
    momentum_trigger_price: momentumTriggerPrice,
  };
  for (const [name, price] of Object.entries(named)) {
    if (price !== null && !Number.isSafeInteger(price))
      return refuse('BASKET_PRICE', `basket_params.${name} must be a whole number of paise, not ${price}`);
  }
  if (priceType === 'LIMIT' && entryPrice === 0)
    return refuse('BASKET_ENTRY_PRICE', 'basket_params.entry_price is needed with price_type LIMIT');
  const [limit, what] = priceType === 'LIMIT' ? [entryPrice, 'entry_price'] : [netPrice, 'the net price now'];
  if (stoplossPrice !== null && stoplossPrice >= limit) {
    return refuse(
      'BASKET_STOPLOSS',
      `basket_params.stoploss_price ${stoplossPrice} must be lower than ${what} (${limit})`,
    );
  }
  if (targetPrice !== null && targetPrice <= limit) {
    return refuse('BASKET_TARGET', `basket_params.exit_price ${targetPrice} must be higher than ${what} (${limit})`);
  }
  if (momentumTriggerPrice !== null && targetPrice !== null && momentumTriggerPrice >= targetPrice) {
    return refuse(
      'BASKET_MOMENTUM',
      `basket_params.momentum_trigger_price ${momentumTriggerPrice} must be lower than exit_price (${targetPrice})`,
    );
  }
  if (trailJump === null) return undefined;
  if (!Number.isSafeInteger(trailJump) || trailJump <= 0)
    return refuse('BASKET_TRAIL', `basket_params.trail_jump must be a whole number of paise above 0, not ${trailJump}`);
  return stoplossPrice === null
    ? refuse('BASKET_TRAIL', 'basket_params.trail_jump needs stoploss_price: it is what trails')
    : undefined;
}

function timesRefusal({ product, entryTime, exitTime }: NewBasket, at: number, close: number): Refusal | undefined {
  if (exitTime !== null) {
    if (product !== 'IDAY')
      return refuse(
        'BASKET_EXIT_TIME',
        'basket_params.exit_time is only for intraday baskets (ORDER_DELIVERY_TYPE_IDAY)',
      );
    if (!Number.isSafeInteger(exitTime) || exitTime <= at)
      return refuse('BASKET_EXIT_TIME', 'basket_params.exit_time must be a time that is still to come');
    if (istDay(exitTime) !== istDay(at) || exitTime > close) {
      return refuse(
        'BASKET_EXIT_TIME',
        'Intraday orders cannot have an expiry beyond today: basket_params.exit_time must be before the close',
      );
    }
  }
  if (entryTime !== null) {
    if (!Number.isSafeInteger(entryTime) || entryTime >= close)
      return refuse('BASKET_ENTRY_TIME', 'basket_params.entry_time must be before the close of today');
    if (exitTime !== null && entryTime >= exitTime)
      return refuse('BASKET_ENTRY_TIME', 'basket_params.entry_time must be before exit_time');
  }
  if (product === 'IDAY' && exitTimeOf({ product, exitTime }, at, close) === undefined) {
    return refuse('BASKET_EXIT_TIME', 'it is too late today for an intraday basket: the usual exit time is past');
  }
  return undefined;
}

/** The hard exit of a basket, milliseconds; null for delivery, undefined when the usual one is past for today. */
export function exitTimeOf(
  { product, exitTime }: Pick<NewBasket, 'product' | 'exitTime'>,
  at: number,
  close: number,
): number | null | undefined {
  if (product !== 'IDAY') return null;
  if (exitTime !== null) return exitTime;
  const { time, minutesBeforeClose } = effectiveOn(BASKET_EXIT_TIMES, istDate(at));
  return [istTime(at, time), close - minutesBeforeClose * 60_000].find((exit) => exit > at);
}

/** The legs of a basket in units: each quantity over what all of them have in common, signed by side. */
export function legStates({ legs, multiplier }: NewBasket): LegState[] {
  const unit = legs.map(({ quantity }) => quantity).reduce(greatestCommonDivisor);
  return legs.map(({ refId, side, quantity }) => ({
    refId,
    side,
    ratio: ((side === 'BUY' ? 1 : -1) * quantity) / unit,
    quantity: quantity * multiplier,
    filledQuantity: 0,
    filledValue: 0,
    exitQuantity: 0,
    exitValue: 0,
    orderIds: [],
    workingId: 0n,
  }));
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
