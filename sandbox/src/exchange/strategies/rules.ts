import type { Instrument } from '../../market/reference/types';
import { istDate, istDay } from '../../shared/time';
import type { Refusal } from '../../shared/orders';
import { productRefusal, orderRefusal, refuse, REFUSAL_TEXT, tradableRefusal } from '../rules';
import { exitsRefusal } from './exits-refusal';
import type { NewIntent } from './types';

const YEAR_DAYS = 366;
const TAG = /^[A-Za-z0-9-]+$/;
/** Minimum time from the entry to an exit time, milliseconds. */
const EXIT_AFTER_ENTRY_MS = 30_000;

/** Texts of refusals that the live service is known to give. */
export const INTENT_TEXT = {
  intradayExpiry: 'Intraday orders cannot have an expiry beyond today. Use Delivery (CNC) instead.',
  assetExpiry: 'You cannot place an order beyond the asset expiry',
  cancelBusy:
    "Can't cancel this order right now. Cancellation is temporarily unavailable while the exchange request is being processed",
  marketDay: 'Use a Limit Order for Day validity.',
  mcxStrategy: 'Strategy Flexi is not supported in MCX',
  modifyBusy: "Can't modify this order right now",
} as const;

/** Facts that the rules need of the moment. */
export interface StrategyConditions {
  at: number;
  instrument(refId: number): Instrument | undefined;
  /** The session in which the order would work: the running one, or the next. */
  session: { from: number; to: number };
  /** Net price now, paise. */
  price(): number;
  /** True if all legs trade at an instant. */
  trades(at: number): boolean;
}

/** Rules on a requested order (docs/service/intent-orders.md#item-to-place). */
export function intentRefusal(order: NewIntent, moment: StrategyConditions): Refusal | undefined {
  return (
    tagRefusal(order) ??
    legsRefusal(order, moment) ??
    priceRefusal(order, moment) ??
    validityRefusal(order, moment) ??
    icebergRefusal(order, moment) ??
    entryRefusal(order, moment) ??
    exitsRefusal(order.exits, exitsEntry(order, moment, entryReference(order, moment))) ??
    exitTimeRefusal(order, moment)
  );
}

function tagRefusal({ tag }: NewIntent): Refusal | undefined {
  return tag === '' || TAG.test(tag)
    ? undefined
    : refuse('TAG', `stratTags: a tag is made of letters, digits and hyphens only, not ${JSON.stringify(tag)}`);
}

function legsRefusal(order: NewIntent, { at, instrument }: StrategyConditions): Refusal | undefined {
  const { legs, quantity, multi, side, product } = order;
  if (legs.length === 0) return refuse('NO_LEGS', 'legs must hold at least one leg');
  if (!Number.isSafeInteger(quantity) || quantity <= 0)
    return refuse('INVALID_QUANTITY', `qty must be a whole number above 0, not ${quantity}`);
  if (multi && side !== 'BUY')
    return refuse('STRATEGY_SIDE', 'side of a strategy is always BUY: its legs carry the direction in unitQty');
  const seen = new Set<number>();
  let exchange: string | undefined;
  for (const [n, { refId, unit }] of legs.entries()) {
    const where = multi ? `legs[${n}]: ` : '';
    const legInstrument = instrument(refId);
    if (legInstrument === undefined)
      return refuse('UNKNOWN_INSTRUMENT', `${where}refId ${refId} is not an instrument of this environment today`);
    if (!Number.isSafeInteger(unit) || unit === 0)
      return refuse('UNIT_QTY', `${where}unitQty must be a whole number other than 0, not ${unit}`);
    if (seen.has(refId)) return refuse('SAME_LEG', `${where}refId ${refId} is in legs twice`);
    seen.add(refId);
    exchange ??= legInstrument.exchange;
    if (legInstrument.exchange !== exchange)
      return refuse(
        'LEG_EXCHANGE',
        `${where}${legInstrument.symbol} is on ${legInstrument.exchange}, all legs must be on ${exchange}`,
      );
    if (multi && exchange === 'MCX') return refuse('MCX_STRATEGY', INTENT_TEXT.mcxStrategy);
    const wrong =
      tradableRefusal(legInstrument) ??
      productRefusal(product, legInstrument, at) ??
      orderRefusal(marketOrderOf(quantity * Math.abs(unit)), legInstrument);
    if (wrong !== undefined) return refuse(wrong.code, `${where}${wrong.text}`);
  }
  return undefined;
}

/** An order whose quantity alone is judged. */
export function marketOrderOf(quantity: number) {
  return {
    kind: 'REGULAR',
    side: 'BUY',
    quantity,
    priceType: 'MARKET',
    price: 0,
    triggerPrice: 0,
    legSize: 0,
    validity: 'IOC',
  } as const;
}

function priceRefusal(
  { priceType, validity, price, multi, legs }: NewIntent,
  moment: StrategyConditions,
): Refusal | undefined {
  if (priceType === 'MARKET') {
    if (price !== 0) return refuse('MARKET_PRICE', 'entryPrice is not for priceType MARKET');
    return validity === 'IOC'
      ? undefined
      : refuse(
          'MARKET_VALIDITY',
          validity === 'DAY' ? INTENT_TEXT.marketDay : `priceType MARKET needs validityType IOC, not ${validity}`,
        );
  }
  return priceOnTick('entryPrice', price, { multi, legs }, moment);
}

/** A price of a single order is above 0 and on the tick; a net premium is any whole number of paise. */
function priceOnTick(
  name: string,
  price: number,
  { multi, legs }: Pick<NewIntent, 'multi' | 'legs'>,
  { instrument }: Pick<StrategyConditions, 'instrument'>,
): Refusal | undefined {
  if (!Number.isSafeInteger(price) || (!multi && price <= 0))
    return refuse(
      'INVALID_PRICE',
      `${name} must be a whole number of paise${multi ? '' : ' above 0'}, not ${String(price)}`,
    );
  const tick = multi ? 1 : (instrument(legs[0]!.refId)?.tickSize ?? 1);
  const rest = price % tick;
  if (rest === 0) return undefined;
  return refuse(
    'TICK_SIZE',
    `${name} ${price} is not a multiple of the tick size ${tick}: nearest are ${price - rest} and ${price - rest + tick}`,
  );
}

function validityRefusal(order: NewIntent, { at, instrument }: StrategyConditions): Refusal | undefined {
  const { validity, goodTill, product, multi, legs } = order;
  if (validity !== 'GTE') {
    return goodTill === null
      ? undefined
      : refuse('GOOD_TILL', `goodTillDate is for validityType GTE only, not ${validity}`);
  }
  if (goodTill === null) return refuse('GOOD_TILL', 'validityType GTE needs goodTillDate');
  if (istDay(goodTill) < istDay(at)) return refuse('GOOD_TILL', 'goodTillDate is in the past');
  if (product === 'IDAY' && (multi || istDay(goodTill) > istDay(at)))
    return refuse('INTRADAY_EXPIRY', INTENT_TEXT.intradayExpiry);
  const last = istDate(goodTill).replaceAll('-', '');
  for (const { refId } of legs) {
    const { expiry } = instrument(refId)!;
    if (expiry !== 0 && Number(last) > expiry) return refuse('ERR011', INTENT_TEXT.assetExpiry);
    if (expiry === 0 && istDay(goodTill) - istDay(at) > YEAR_DAYS)
      return refuse('GOOD_TILL', 'goodTillDate of a share is at most one year away');
  }
  return undefined;
}

function icebergRefusal(order: NewIntent, { instrument }: StrategyConditions): Refusal | undefined {
  const { iceberg, multi, priceType, quantity, legs } = order;
  if (iceberg === null) return undefined;
  if (multi) return refuse('ICEBERG', 'icebergInfo is not for a strategy');
  if (priceType !== 'LIMIT' || order.validity === 'IOC')
    return refuse('ICEBERG', 'icebergInfo needs priceType LIMIT and validityType DAY or GTE');
  if ((iceberg.maxQuantity === null) === (iceberg.legs === null))
    return refuse('ICEBERG', 'icebergInfo has either maxQtyPerLeg or numberOfLegs, never both');
  const { lotSize } = instrument(legs[0]!.refId)!;
  const { maxQuantity, legs: count } = iceberg;
  if (maxQuantity !== null) {
    if (!Number.isSafeInteger(maxQuantity) || maxQuantity <= 0 || maxQuantity >= quantity)
      return refuse('ICEBERG', `icebergInfo.maxQtyPerLeg must be above 0 and below qty, not ${maxQuantity}`);
    return maxQuantity % lotSize === 0
      ? undefined
      : refuse(
          'LOT_SIZE',
          `${REFUSAL_TEXT.lot}: icebergInfo.maxQtyPerLeg ${maxQuantity} is not a multiple of ${lotSize}`,
        );
  }
  return Number.isSafeInteger(count) && count! >= 2 && count! <= quantity / lotSize
    ? undefined
    : refuse('ICEBERG', `icebergInfo.numberOfLegs must be from 2 to the number of lots, not ${count}`);
}

function entryRefusal(order: NewIntent, moment: StrategyConditions): Refusal | undefined {
  const { entry, validity, goodTill } = order;
  if (entry.condition !== null) {
    const wrong = priceOnTick('entryConfig.triggers.ltp', entry.condition.price, order, moment);
    if (wrong !== undefined) return wrong;
  }
  if (entry.time === null) return undefined;
  if (entry.time <= moment.at) return refuse('ENTRY_TIME', 'entryConfig.entryTime must be still to come');
  if (validity === 'GTE')
    return istDay(entry.time) > istDay(goodTill!)
      ? refuse('ENTRY_TIME', 'entryConfig.entryTime must not be after goodTillDate')
      : undefined;
  return entry.time < moment.session.to
    ? undefined
    : refuse('ENTRY_TIME', 'entryConfig.entryTime must be before the close of the session');
}

function exitTimeRefusal({ exits, entry, validity }: NewIntent, moment: StrategyConditions): Refusal | undefined {
  const { time } = exits;
  if (time === null) return undefined;
  if (validity === 'GTE') return refuse('EXIT_TIME', 'exitConfig.exitTime is not for validityType GTE');
  if (time <= moment.at) return refuse('EXIT_TIME', 'exitConfig.exitTime must be still to come');
  if (entry.time !== null && time < entry.time + EXIT_AFTER_ENTRY_MS)
    return refuse('EXIT_TIME', 'exitConfig.exitTime must be at least 30 seconds after entryConfig.entryTime');
  return time > moment.session.from && time < moment.session.to && moment.trades(time)
    ? undefined
    : refuse('EXIT_TIME', 'exitConfig.exitTime must be inside the session');
}

/** The order as the rules on its exits see it. */
export function exitsEntry(order: NewIntent, moment: StrategyConditions, reference: number | undefined) {
  return {
    direction: gainDirectionOf(order),
    price: (name: string, price: number) => priceOnTick(name, price, order, moment),
    reference,
  };
}

/** 1 where a higher price is better for the owner: a purchase, and every strategy. */
export function gainDirectionOf({ multi, side }: Pick<NewIntent, 'multi' | 'side'>): 1 | -1 {
  return multi || side === 'BUY' ? 1 : -1;
}

/** Price against which exits are measured: the limit, or the price at which a market order would trade. */
export function entryReference({ priceType, price, entry }: NewIntent, { price: now }: StrategyConditions): number {
  if (priceType === 'LIMIT') return price;
  return entry.condition?.price ?? now();
}
