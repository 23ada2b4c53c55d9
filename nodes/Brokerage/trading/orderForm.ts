/** From the fields of an item to an order that keeps the rules. */
import { InputError } from '../../../client/base/errors';
import {
  ORDER_KINDS,
  PRICE_TYPES,
  PRODUCTS,
  SIDES,
  VALIDITIES,
  type OrderTerms,
  type Product,
  type TradedInstrument,
} from '../../../client/orders/model/order-terms';
import { checkOrder, requireProductAllowed } from '../../../client/orders/model/order-rules';
import { directionOf } from '../../../client/orders/model/exits';
import { checkOrderTimes } from '../../../client/orders/model/order-time-rules';
import { oneOf } from '../../../client/values/input';
import type { ItemContext } from '../common/itemContext';
import { tradedInstrument } from '../../shared/lookup';
import type { Reader } from '../../shared/parameters';
import { beyondOf, conditionOf, exitsOf, exitRoundingOf, readExitInput, readExitEmulation } from './exitForm';
import type { TooSmallError } from '../../../client/orders/model/position-sizing';
import { sizedQuantity, readSizeInput } from './sizeForm';
import { placedPrice, priceSourceOf, referencePrice, readPriceInput } from './priceForm';
import { instrumentOf } from '../common/itemInstrument';
import type { Service } from '../../shared/service';

const QUANTITY_UNITS = ['lots', 'units'] as const;

/**
 * A quantity in units, whatever it was counted in.
 * @throws InputError also where an expression does not say what it counts: lots must not become units.
 */
export function unitsOf(item: Reader, name: string, lotSize: number): number {
  return countedIn(item, name, lotSize, 1);
}

/** As `unitsOf`, with a sign: -50 is sold short. */
export function signedUnitsOf(item: Reader, name: string, lotSize: number): number {
  return countedIn(item, name, lotSize, -Number.MAX_SAFE_INTEGER);
}

function countedIn(item: Reader, name: string, lotSize: number, min: number): number {
  const entered = item.whole(name, { min });
  const inLots = item.raw('quantityUnit') !== undefined && item.choice('quantityUnit', QUANTITY_UNITS) === 'lots';
  const units = inLots ? entered * lotSize : entered;
  if (!Number.isSafeInteger(units))
    throw new InputError(`${item.label(name)} ${entered} is too large.`, { parameter: name });
  return units;
}

/** Words of other brokers for products, and of records for kinds of orders. */
const SAME_AS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  product: { DELIVERY: 'CNC', NRML: 'CNC', INTRADAY: 'IDAY', MIS: 'IDAY' },
  orderType: { LIMIT: 'REGULAR', MARKET: 'REGULAR', SL: 'STOPLOSS' },
};

const PREFIX = /^(?:ORDER_DELIVERY_TYPE|ORDER_SIDE|ORDER_TYPE|PRICE_TYPE|VALIDITY_TYPE)_/;

/**
 * One word of a closed list, also as positions, orders and alerts spell it: they feed these fields.
 * @throws InputError for any other word
 */
export function wordOf<T extends string>(item: Reader, name: string, allowed: readonly T[]): T {
  const given = item.raw(name);
  const word = typeof given === 'string' ? given.trim().toUpperCase().replace(PREFIX, '') : given;
  const selection = typeof word === 'string' ? (SAME_AS[name]?.[word] ?? word) : word;
  return oneOf(allowed.some((item) => item === selection) ? selection : given, allowed, name, item.label(name));
}

/** The product of an order, which may be what fits the instrument. @throws InputError */
export function productFor(item: Reader, { derivative }: Pick<TradedInstrument, 'derivative'>): Product {
  const chosen = wordOf(item, 'product', ['AUTO', ...PRODUCTS] as const);
  return chosen !== 'AUTO' ? chosen : derivative ? 'IDAY' : 'CNC';
}

/** The product. @throws InputError */
export const productOf = (item: Reader): Product => wordOf(item, 'product', PRODUCTS);

/**
 * The order that the fields of an item ask for; it keeps the rules of its instrument.
 * @throws InputError that names the field, before anything is sent.
 */
export async function orderTerms(item: ItemContext, service: Service): Promise<OrderTerms> {
  const { terms, refusal } = await sizedOrder(item, service);
  if (refusal !== undefined) throw refusal;
  return terms;
}

/** An order of an item. */
export interface SizedOrder {
  /** Where it is too small: one lot. */
  terms: OrderTerms;
  /** Why it is not placed now, as its size comes to nothing: an earlier try may have placed it, and is found all the same. */
  refusal?: TooSmallError;
}

/** As `orderTerms`, where the size may come to nothing. */
export async function sizedOrder(item: ItemContext, service: Service): Promise<SizedOrder> {
  const source = priceSourceOf(item, item);
  const { unit } = source;
  const entryFields = item.group('entry');
  const options = item.group('options');
  const kind = wordOf(item, 'orderType', ORDER_KINDS);
  const priceType = wordOf(item, 'priceType', PRICE_TYPES);
  const fixed = {
    kind,
    priceType,
    side: wordOf(item, 'side', SIDES),
    validity: options.has('validity') ? wordOf(options, 'validity', VALIDITIES) : ('DAY' as const),
  };
  // Read before anything is fetched: what is wrong in them is told at once.
  productFor(item, { derivative: false });
  if (priceType === 'LIMIT') readPriceInput(item, 'price', source);
  if (kind === 'STOPLOSS') readPriceInput(item, 'triggerPrice', source);
  conditionOf(entryFields, () => readPriceInput(entryFields, 'conditionPrice', source));
  const size = readSizeInput(item);
  if (size === undefined) item.whole('quantity', { min: 1 });
  const instrument = await instrumentOf(item, service);
  const { slices, ...beyond } = beyondOf(item);
  const traded = tradedInstrument(instrument, 'instrument');
  const product = productFor(item, traded);
  requireProductAllowed(traded, product);
  const reference = await referencePrice(source, traded, service, item.run.signal);
  const { tickSize } = traded;
  // A purchase is safe lower down, a sale higher up; so is the trigger of a stop, which then comes no later.
  const upwards = directionOf(fixed.side) === 1 ? -1 : 1;
  const placed = (name: string): number => placedPrice(item, name, { source, reference, tickSize, upwards });
  const condition = conditionOf(entryFields, (when) =>
    placedPrice(entryFields, 'conditionPrice', {
      source,
      reference,
      tickSize,
      upwards: when === 'AT_OR_ABOVE' ? 1 : -1,
    }),
  );
  const entry: OrderTerms = {
    ...fixed,
    product,
    price: priceType === 'LIMIT' ? placed('price') : undefined,
    triggerPrice: kind === 'STOPLOSS' ? placed('triggerPrice') : undefined,
    ...(condition === undefined ? {} : { condition }),
    ...beyond,
    instrument: traded,
    quantity: size === undefined ? unitsOf(item, 'quantity', instrument.lotSize) : instrument.lotSize,
    ...(kind === 'ICEBERG' && slices !== undefined
      ? { slices }
      : { legSize: kind === 'ICEBERG' ? unitsOf(item, 'legSize', instrument.lotSize) : undefined }),
  };
  if (size === undefined) checkOrder(entry, unit);
  const exits = await exitsOf(item, entry, service);
  const whole = { ...entry, ...readExitEmulation(item, exits) };
  const quantity = size === undefined ? whole.quantity : await sizedQuantity(item, size, whole, service);
  const refusal = typeof quantity === 'number' ? undefined : quantity;
  const terms = typeof quantity === 'number' ? { ...whole, quantity } : whole;
  if (refusal === undefined) checkOrder(terms, unit);
  checkOrderTimes(terms, entry.instrument.derivative, service.transport.marketClock);
  return refusal === undefined ? { terms } : { terms, refusal };
}

/**
 * What counts for an Idempotency Key: the order, and where a price or an exit of it is worked out from one that is another
 * when the same is tried again, what was asked for.
 */
export function quantityInputOf(item: ItemContext, terms: OrderTerms): object {
  const source = priceSourceOf(item, item);
  const exits =
    terms.exits === undefined && terms.kept === undefined
      ? {}
      : {
          kept: terms.kept && 'trigger',
          exits: readExitInput(item.group('exits'), { unit: source.unit, rounding: exitRoundingOf(item) }),
        };
  const size = readSizeInput(item);
  const requested = { ...terms, ...exits, ...(size === undefined ? {} : { quantity: size }) };
  if (source.as === 'price') return requested;
  const entryFields = item.group('entry');
  return {
    ...requested,
    from: source.from,
    price: terms.price === undefined ? undefined : readPriceInput(item, 'price', source),
    triggerPrice: terms.triggerPrice === undefined ? undefined : readPriceInput(item, 'triggerPrice', source),
    condition: conditionOf(entryFields, () => readPriceInput(entryFields, 'conditionPrice', source)),
  };
}
