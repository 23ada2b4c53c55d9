/** From the fields of an item to an order that keeps the rules. */
import { InputError } from '../../../../client/base/errors';
import {
  ORDER_KINDS,
  PRICE_TYPES,
  PRODUCTS,
  SIDES,
  VALIDITIES,
  type OrderTerms,
  type Product,
} from '../../../../client/orders/order';
import { checkOrder } from '../../../../client/orders/rules';
import { checkTimes } from '../../../../client/orders/times';
import { clock } from '../../../host/clock';
import { oneOf } from '../../../../client/values/input';
import { priceUnitOf } from '../../common/fields';
import type { ItemContext } from '../../common/itemContext';
import { instrumentOf, tradedInstrument } from '../../common/lookup';
import type { Reader } from '../../common/parameters';
import type { Service } from '../../common/runContext';
import { beyondOf, exitsOf } from './exitTerms';

const QUANTITY_UNITS = ['lots', 'units'] as const;

/**
 * A quantity in units, whatever it was counted in.
 * @throws InputError also where an expression does not say what it counts: lots must not become units.
 */
export function unitsOf(item: Reader, name: string, lotSize: number): number {
  const entered = item.whole(name, { min: 1 });
  const inLots = item.raw('quantityUnit') !== undefined && item.choice('quantityUnit', QUANTITY_UNITS) === 'lots';
  const units = inLots ? entered * lotSize : entered;
  if (!Number.isSafeInteger(units))
    throw new InputError(`${item.label(name)} ${entered} is too large.`, { parameter: name });
  return units;
}

const PRODUCT_PREFIX = 'ORDER_DELIVERY_TYPE_';

/** The product, also as positions and orders spell it: they feed this field. @throws InputError for any other word */
export function productOf(item: Reader): Product {
  const given = item.raw('product');
  const isSpelledOut = typeof given === 'string' && given.startsWith(PRODUCT_PREFIX);
  const word = isSpelledOut ? given.slice(PRODUCT_PREFIX.length) : given;
  return oneOf(word, PRODUCTS, 'product', item.label('product'));
}

/**
 * The order that the fields of an item ask for; it keeps the rules of its instrument.
 * @throws InputError that names the field, before anything is sent.
 */
export async function orderTerms(item: ItemContext, service: Service): Promise<OrderTerms> {
  const unit = priceUnitOf(item);
  const kind = item.choice('orderType', ORDER_KINDS);
  const priceType = item.choice('priceType', PRICE_TYPES);
  const fixed = {
    kind,
    priceType,
    side: item.choice('side', SIDES),
    product: productOf(item),
    validity: item.group('options').optionalChoice('validity', VALIDITIES) ?? ('DAY' as const),
    price: priceType === 'LIMIT' ? item.price('price', unit) : undefined,
    triggerPrice: kind === 'STOPLOSS' ? item.price('triggerPrice', unit) : undefined,
  };
  item.whole('quantity', { min: 1 });
  const instrument = await instrumentOf(item, service);
  const { slices, ...beyond } = beyondOf(item);
  const entry: OrderTerms = {
    ...fixed,
    ...beyond,
    instrument: tradedInstrument(instrument, 'instrument'),
    quantity: unitsOf(item, 'quantity', instrument.lotSize),
    ...(kind === 'ICEBERG' && slices !== undefined
      ? { slices }
      : { legSize: kind === 'ICEBERG' ? unitsOf(item, 'legSize', instrument.lotSize) : undefined }),
  };
  checkOrder(entry, unit);
  const exits = await exitsOf(item, entry, service);
  const terms = exits === undefined ? entry : { ...entry, exits };
  if (exits !== undefined) checkOrder(terms, unit);
  checkTimes(terms, entry.instrument.derivative, clock.now());
  return terms;
}
