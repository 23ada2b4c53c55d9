/** From the fields of an item to an order. */
import { InputError } from '../../../client/base/errors';
import {
  ORDER_KINDS,
  PRICE_TYPES,
  PRODUCTS,
  SIDES,
  VALIDITIES,
  type EntryCondition,
  type OrderTerms,
  type PriceType,
  type Product,
  type TradedInstrument,
} from '../../../client/orders/model/order-terms';
import { directionOf } from '../../../client/orders/model/exits';
import { oneOf, plainDecimal, showValue } from '../../../client/values/input';
import type { ItemContext } from '../common/itemContext';
import { tradedInstrument } from '../../shared/lookup';
import type { ParameterReader } from '../../shared/parameters';
import type { RoundingDirection } from '../../../client/orders/model/tick';
import { newerTermsOf, conditionOf, exitsOf, readOrderExits, type OrderExits } from './exitForm';
import type { TooSmallError } from '../../../client/orders/model/position-sizing';
import { sizedQuantity, readSizeInput, type SizeInput } from './sizeForm';
import {
  placedPrice,
  priceSourceOf,
  referencePrice,
  readPriceInput,
  type PriceInput,
  type PriceSource,
} from './priceForm';
import { instrumentOf } from '../common/itemInstrument';
import { withSessionLot } from './sessionLot';
import type { Service } from '../../shared/service';

const QUANTITY_UNITS = ['lots', 'units'] as const;

/** A quantity as entered: in lots, or in units. */
interface CountedQuantity {
  name: string;
  label: string;
  /** A whole number, unless it is rounded down. */
  entered: number;
  inLots: boolean;
  /** True if what is more than whole lots is left out. */
  isRoundedDown: boolean;
}

/** @throws InputError also where an expression does not say what it counts: lots must not become units. */
function readQuantity(item: ParameterReader, name: string, min = 1): CountedQuantity {
  const entered = item.whole(name, { min });
  return { name, label: item.label(name), entered, inLots: isInLots(item), isRoundedDown: false };
}

/** True if a quantity counts lots. @throws InputError if the unit is neither lots nor units */
export function isInLots(item: ParameterReader): boolean {
  return item.raw('quantityUnit') !== undefined && item.choice('quantityUnit', QUANTITY_UNITS) === 'lots';
}

/** The quantity of an order, which may be rounded down. @throws as `readQuantity`; InputError for a fraction that is not to be rounded */
function readOrderQuantity(item: ParameterReader, options: ParameterReader): CountedQuantity {
  const name = 'quantity';
  const label = item.label(name);
  const value = item.raw(name);
  const isRoundedDown = options.flag('roundQuantityDown');
  const digits = plainDecimal(value);
  if (digits === undefined || digits.negative || digits.fraction === '')
    return { ...readQuantity(item, name), isRoundedDown };
  if (isRoundedDown) return { name, label, entered: Number(value), inLots: isInLots(item), isRoundedDown };
  throw new InputError(`${label} must be a whole number, but is ${showValue(value)}. Nothing was sent.`, {
    parameter: name,
    hint: 'Add "Round Quantity Down" under Options for the whole lots in it, or give a whole number.',
  });
}

/** Units. @throws InputError for more than can be counted, and for lots of an instrument whose lot the service does not tell */
function inUnits(counted: CountedQuantity, lotSize: number): number {
  const { name, label, entered, inLots, isRoundedDown } = counted;
  if ((inLots || isRoundedDown) && !(Number.isSafeInteger(lotSize) && lotSize > 0))
    throw new InputError(
      `${label} ${entered} is ${inLots ? 'in' : 'rounded down to'} lots, and the service's list of instruments does not tell the lot of this one. Nothing was sent.`,
      {
        parameter: name,
        hint: `${inLots ? 'Set Quantity In to Units' : 'Remove Round Quantity Down'}, or try again later.`,
      },
    );
  const units = isRoundedDown ? wholeLots(counted, lotSize) : inLots ? entered * lotSize : entered;
  if (!Number.isSafeInteger(units)) throw new InputError(`${label} ${entered} is too large.`, { parameter: name });
  return units;
}

/** Computed numbers such as 64.99999999999999 count as what they were meant to be. */
const MILLIONTHS = 1_000_000;

/** Units of the whole lots in a quantity. @throws InputError if it is less than one */
function wholeLots({ name, label, entered, inLots }: CountedQuantity, lotSize: number): number {
  const lots = Math.floor(Math.round((inLots ? entered : entered / lotSize) * MILLIONTHS) / MILLIONTHS);
  if (lots > 0) return lots * lotSize;
  throw new InputError(`${label} ${entered} is less than one lot of ${lotSize}. Nothing was sent.`, {
    parameter: name,
    hint: 'Give more, or have the settings of this step continue on an error.',
  });
}

/** A quantity in units, whatever it was counted in. @throws InputError */
export function unitsOf(item: ParameterReader, name: string, lotSize: number): number {
  return inUnits(readQuantity(item, name), lotSize);
}

/** As `unitsOf`, with a sign: -50 is sold short. */
export function signedUnitsOf(item: ParameterReader, name: string, lotSize: number): number {
  return inUnits(readQuantity(item, name, -Number.MAX_SAFE_INTEGER), lotSize);
}

/** Words of other brokers and of tables for sides, prices and products, and of records for kinds of orders; without blanks, `_` and `-`. */
const SAME_AS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  product: { DELIVERY: 'CNC', NRML: 'CNC', CARRYFORWARD: 'CNC', INTRADAY: 'IDAY', MIS: 'IDAY' },
  side: { B: 'BUY', S: 'SELL' },
  priceType: { LMT: 'LIMIT', MKT: 'MARKET' },
  validity: { GTD: 'GTE', GTT: 'GTE', GOODTILLDATE: 'GTE', IMMEDIATEORCANCEL: 'IOC' },
  orderType: {
    ...{ LIMIT: 'REGULAR', LMT: 'REGULAR', MARKET: 'REGULAR', MKT: 'REGULAR' },
    ...{ SL: 'STOPLOSS', SLL: 'STOPLOSS', SLLMT: 'STOPLOSS', SLLIMIT: 'STOPLOSS', STOPLOSSLIMIT: 'STOPLOSS' },
    ...{ STOPLIMIT: 'STOPLOSS', SLM: 'STOPLOSS', SLMKT: 'STOPLOSS', SLMARKET: 'STOPLOSS' },
    ...{ STOPLOSSMARKET: 'STOPLOSS', STOPMARKET: 'STOPLOSS' },
  },
};

/** Words for an order type that also say its price type. */
const MARKET_WORD = /^(MARKET|MKT|SLM|SLMKT|SLMARKET|STOP(LOSS)?MARKET)$/;
const LIMIT_WORD = /^(LIMIT|LMT|SLL|SLLMT|SLLIMIT|STOP(LOSS)?LIMIT)$/;

const PREFIX = /^(?:ORDER_DELIVERY_TYPE|ORDER_SIDE|ORDER_TYPE|PRICE_TYPE|VALIDITY_TYPE)_/;

/** A word in capitals, without its prefix and what parts its words: Carry Forward, CARRY_FORWARD and CARRYFORWARD are one. */
const plainWord = (given: unknown): string =>
  typeof given === 'string'
    ? given
        .trim()
        .toUpperCase()
        .replace(PREFIX, '')
        .replace(/(?<=[A-Z])[\s_-]{1,3}(?=[A-Z])/g, '')
    : '';

/** @throws InputError where the word for the order type says another price type: an alert's MARKET is no limit order */
function refuseContradiction(item: ParameterReader, priceType: PriceType): void {
  const orderType = item.raw('orderType');
  const word = plainWord(orderType);
  const said = MARKET_WORD.test(word) ? 'MARKET' : LIMIT_WORD.test(word) ? 'LIMIT' : priceType;
  if (said !== priceType)
    throw new InputError(
      `Order Type ${showValue(orderType)} is that of a ${said === 'MARKET' ? 'market' : 'limit'} order, and Price Type is ${priceType === 'MARKET' ? 'Market' : 'Limit'}.`,
      {
        parameter: 'orderType',
        hint: `Have the expression of Price Type give ${said} too, or have that of Order Type give REGULAR or STOPLOSS. Nothing was sent.`,
      },
    );
}

/** Words that belong to another field, or to another operation; as `plainWord` gives them. */
const MISPLACED: Readonly<Record<string, { words: RegExp; names: string; hint: string }>> = {
  side: {
    words:
      /^(?:(?:ENTER|ENTRY|OPEN|EXIT|CLOSE)?(?:LONG|SHORT)(?:ENTRY|EXIT)?|FLAT|EXIT|CLOSE|COVER|BUYTOCOVER|SHORTCOVER(?:ING)?|SELLSHORT|SHORTSELL|SQUAREOFF|[LS][EX])$/,
    names: 'a position',
    hint: 'In an alert of TradingView, {{strategy.order.action}} is buy or sell. To reach a position of a certain size, or none, whatever you hold now, use "Order: Set Target Position"; to close, use "Portfolio: Exit Position".',
  },
  priceType: {
    words: /^(?:STOPLOSS(?:LIMIT|MARKET)?|STOP(?:LIMIT|MARKET)|SL(?:L|LMT|LIMIT|M|MKT|MARKET)?)$/,
    names: 'a stop order',
    hint: 'Set Order Type to Stop Loss and its Trigger Price; Price Type is Market for SL-M and Limit for SL.',
  },
};

/**
 * One word of a closed list, also as positions, orders and alerts spell it: they feed these fields.
 * @throws InputError for any other word
 */
export function wordOf<T extends string>(item: ParameterReader, name: string, allowed: readonly T[]): T {
  const rawValue = item.raw(name);
  const word = plainWord(rawValue);
  const selection = SAME_AS[name]?.[word] ?? word;
  const misplaced = MISPLACED[name];
  if (misplaced?.words.test(word) === true)
    throw new InputError(
      `${item.label(name)} must be one of ${allowed.join(', ')}, but is ${showValue(rawValue)}, which names ${misplaced.names}.`,
      { parameter: name, hint: misplaced.hint },
    );
  return oneOf(allowed.some((item) => item === selection) ? selection : rawValue, allowed, name, item.label(name));
}

/** As `wordOf`; undefined if the field holds nothing. */
export function optionalWordOf<T extends string>(
  item: ParameterReader,
  name: string,
  allowed: readonly T[],
): T | undefined {
  return item.has(name) ? wordOf(item, name, allowed) : undefined;
}

const CHOSEN_PRODUCTS = ['AUTO', ...PRODUCTS] as const;
type ChosenProduct = (typeof CHOSEN_PRODUCTS)[number];

/** The product of an order, which may be what fits the instrument. */
const fittingProduct = (chosen: ChosenProduct, { derivative }: Pick<TradedInstrument, 'derivative'>): Product =>
  chosen !== 'AUTO' ? chosen : derivative ? 'IDAY' : 'CNC';

/** As the field says, or what fits the instrument. @throws InputError */
export function productFor(item: ParameterReader, instrument: Pick<TradedInstrument, 'derivative'>): Product {
  return fittingProduct(wordOf(item, 'product', CHOSEN_PRODUCTS), instrument);
}

/** The product. @throws InputError */
export const productOf = (item: ParameterReader): Product => wordOf(item, 'product', PRODUCTS);

/** The fields of an order, read once, before anything is fetched: what is wrong in them is told at once. */
export interface OrderInput {
  source: PriceSource;
  fixed: Pick<OrderTerms, 'kind' | 'priceType' | 'side' | 'validity'>;
  product: ChosenProduct;
  /** Undefined where the order has none. */
  price: PriceInput | undefined;
  triggerPrice: PriceInput | undefined;
  condition: { when: EntryCondition['when']; price: PriceInput } | undefined;
  /** Undefined where it is sized. */
  quantity: CountedQuantity | undefined;
  size: SizeInput | undefined;
  legSize: CountedQuantity | undefined;
  exits: OrderExits;
  beyond: Pick<OrderTerms, 'entryTime' | 'goodTill' | 'slices'>;
}

/** Reads the fields of an order. @throws InputError that names the field */
export function readOrderInput(item: ItemContext): OrderInput {
  const source = priceSourceOf(item, item);
  const entry = item.group('entry');
  const options = item.group('options');
  const kind = wordOf(item, 'orderType', ORDER_KINDS);
  const priceType = wordOf(item, 'priceType', PRICE_TYPES);
  refuseContradiction(item, priceType);
  const fixed = {
    kind,
    priceType,
    side: wordOf(item, 'side', SIDES),
    validity: options.has('validity') ? wordOf(options, 'validity', VALIDITIES) : ('DAY' as const),
  };
  const product = wordOf(item, 'product', CHOSEN_PRODUCTS);
  const price = priceType === 'LIMIT' ? readPriceInput(item, 'price', source) : undefined;
  const triggerPrice = kind === 'STOPLOSS' ? readPriceInput(item, 'triggerPrice', source) : undefined;
  const condition = conditionOf(entry, () => readPriceInput(entry, 'conditionPrice', source));
  const size = readSizeInput(item);
  const quantity = size === undefined ? readOrderQuantity(item, options) : undefined;
  const beyond = newerTermsOf(item);
  const isShownInLegs = kind === 'ICEBERG' && beyond.slices === undefined;
  const legSize = isShownInLegs ? readQuantity(item, 'legSize') : undefined;
  const exits = readOrderExits(item, source.unit);
  return { source, fixed, product, price, triggerPrice, condition, quantity, size, legSize, exits, beyond };
}

/**
 * The order that the fields of an item ask for. Its rules are kept where it is placed or previewed.
 * @throws InputError that names the field, before anything is sent.
 */
export async function orderTerms(item: ItemContext, service: Service): Promise<OrderTerms> {
  const { terms, refusal } = await sizedOrder(item, readOrderInput(item), service);
  if (refusal !== undefined) throw refusal;
  return terms;
}

/** An order of an item. */
export interface SizedOrder {
  /** The order; one lot if it is too small. */
  terms: OrderTerms;
  /** The reason for not placing it now, because its size is 0: an earlier try may have placed it, and is found nevertheless. */
  refusal?: TooSmallError;
}

/** As `orderTerms`, where the size may come to nothing. */
export async function sizedOrder(item: ItemContext, input: OrderInput, service: Service): Promise<SizedOrder> {
  const { source, fixed, size } = input;
  const { signal } = item.run;
  const { lotSize, ...instrument } = await withSessionLot(await instrumentOf(item, service), item, service);
  const traded = tradedInstrument({ lotSize, ...instrument }, 'instrument');
  const product = fittingProduct(input.product, traded);
  const reference = await referencePrice(source, traded, service, signal);
  // A purchase is safe lower down, a sale higher up; so is the trigger of a stop, which then comes no later.
  const safe = directionOf(fixed.side) === 1 ? -1 : 1;
  const placed = (price: PriceInput, upwards: RoundingDirection = safe): number =>
    placedPrice(price, { source, reference, tickSize: traded.tickSize, upwards });
  const { price, triggerPrice, condition, legSize } = input;
  const { slices, ...beyond } = input.beyond;
  const entry: OrderTerms = {
    ...fixed,
    product,
    price: price && placed(price),
    triggerPrice: triggerPrice && placed(triggerPrice),
    ...(condition === undefined
      ? {}
      : { condition: { ...condition, price: placed(condition.price, condition.when === 'AT_OR_ABOVE' ? 1 : -1) } }),
    ...beyond,
    instrument: traded,
    quantity: input.quantity === undefined ? lotSize : inUnits(input.quantity, lotSize),
    ...(fixed.kind === 'ICEBERG' && slices !== undefined
      ? { slices }
      : { legSize: legSize && inUnits(legSize, lotSize) }),
  };
  const terms = { ...entry, ...(await exitsOf(input.exits, entry, source.unit, service, signal)) };
  if (size === undefined) return { terms };
  const quantity = await sizedQuantity(item, size, terms, service);
  return typeof quantity === 'number' ? { terms: { ...terms, quantity } } : { terms, refusal: quantity };
}

/**
 * Returns the terms that count for an Idempotency Key: the order, and the user's request if a price or an exit of it is calculated from one
 * that changes before a retry.
 */
export function identityTerms(
  { source, price, triggerPrice, condition, size, exits }: OrderInput,
  terms: OrderTerms,
): object {
  const exitTerms =
    terms.exits === undefined && terms.kept === undefined ? {} : { kept: terms.kept && 'trigger', exits: exits.input };
  const requested = { ...terms, ...exitTerms, ...(size === undefined ? {} : { quantity: size }) };
  if (source.as === 'price') return requested;
  return {
    ...requested,
    from: source.from,
    price: price?.distance,
    triggerPrice: triggerPrice?.distance,
    condition: condition && { ...condition, price: condition.price.distance },
  };
}
