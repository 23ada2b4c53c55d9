/** From the fields of an item to a basket that keeps the rules. */
import { InputError } from '../../../../client/base/errors';
import { checkBasket, netUnits, type BasketLeg, type BasketTerms } from '../../../../client/orders/basket';
import { exitTerms } from '../../../../client/orders/exits';
import { getCurrentPrice } from '../../../../client/market/quotes';
import { PRICE_TYPES, SIDES } from '../../../../client/orders/order';
import type { MoneyUnit } from '../../../../client/values/money';
import { priceUnitOf } from '../../common/fields';
import type { ItemContext } from '../../common/itemContext';
import type { Service } from '../../common/runContext';
import { timeOf } from '../../common/times';
import { exitWishOf, goodTillOf, type ExitNames } from '../order/exitTerms';
import { productOf } from '../order/terms';
import { legsOf, shapeOf } from './legs';

/** What a person asked for, where it is worked out from prices that are others when the same is tried again. */
interface Asked {
  terms: BasketTerms;
  /** What counts for an Idempotency Key. */
  asked: object;
}

const EXIT_NAMES: ExitNames = { stop: 'stopLossPrice', target: 'targetPrice' };

type Exits = Pick<BasketTerms, 'stopLossPrice' | 'targetPrice' | 'trailJump'>;

/** The net price at which a basket is expected to enter, paise: its limit, or what its legs cost now. */
async function entryOf(
  { price, legs }: { price?: number; legs: readonly BasketLeg[] },
  { transport }: Service,
  signal?: AbortSignal,
): Promise<number> {
  if (price !== undefined) return price;
  let net = 0;
  for (const { instrument, units } of netUnits(legs))
    net += units * (await getCurrentPrice(transport, instrument.symbol, instrument.exchange, signal)).price;
  return net;
}

/** The exits on the whole, as net prices on the tick. @throws InputError for what cannot be measured from the entry. */
async function exitsOf(
  item: ItemContext,
  basket: { price?: number; legs: readonly BasketLeg[] },
  unit: MoneyUnit,
  service: Service,
): Promise<{ exits: Exits; wish: object }> {
  const options = item.group('options');
  const wish = exitWishOf(options, unit, { names: EXIT_NAMES, otherwise: 'price', allowNegative: true });
  const { stop, target, jump } = wish ?? {};
  const isPlaced = (one: object | undefined): one is { price: number } | undefined =>
    one === undefined || 'price' in one;
  if (isPlaced(stop) && isPlaced(target) && (jump === undefined || 'points' in jump)) {
    const exits = { stopLossPrice: stop?.price, targetPrice: target?.price, trailJump: jump?.points };
    return { exits, wish: exits };
  }
  const entry = await entryOf(basket, service, item.run.signal);
  if (entry === 0)
    throw new InputError('The net premium is 0, so that exits cannot be a share of it. Nothing was sent.', {
      parameter: 'exitsIn',
      hint: 'Give the exits as prices.',
    });
  const tickSize = Math.min(...basket.legs.map(({ instrument }) => instrument.tickSize));
  const made = exitTerms({ stop, target, jump }, { entry, direction: 1, tickSize });
  const exits = {
    stopLossPrice: made.stop?.trigger,
    targetPrice: made.target?.trigger,
    trailJump: made.stop?.jump,
  };
  return { exits, wish: { stop, target, jump } };
}

/** The legs as they were asked for: of a strategy its fields, as its strikes are others when the money has moved. */
function legWish(item: ItemContext): object | undefined {
  const shape = shapeOf(item);
  if (shape === undefined) return undefined;
  const names = ['underlying', 'exchange', 'expiry', 'expiryDate', 'optionType', 'madeOf', 'distance', 'width'];
  const fields = [...names, 'quantity', 'quantityUnit', 'side'].map((name) => [name, item.raw(name) ?? null] as const);
  return { shape, ...Object.fromEntries(fields) };
}

/** @throws InputError that names the field, before anything is sent. */
export async function basketTerms(item: ItemContext, service: Service): Promise<Asked> {
  const unit = priceUnitOf(item);
  const options = item.group('options');
  const priceType = item.choice('priceType', PRICE_TYPES);
  const side = item.choice('side', SIDES);
  const isByOffset = shapeOf(item) !== undefined;
  const fixed = {
    name: item.text('name', { longest: 100 }),
    // The legs of a strategy carry the direction.
    side: isByOffset ? ('BUY' as const) : side,
    product: productOf(item),
    priceType,
    price: priceType === 'LIMIT' ? item.price('price', unit, { allowNegative: true }) : undefined,
    multiplier: options.optionalWhole('multiplier', { min: 1 }) ?? 1,
    momentumTriggerPrice: options.optionalPrice('momentumTriggerPrice', unit, { allowNegative: true }),
    entryTime: timeOf(options, 'entryTime'),
    exitTime: timeOf(options, 'exitTime'),
    goodTill: goodTillOf(options),
  };
  if (fixed.price === 0)
    throw new InputError('Limit Price is 0.', {
      parameter: 'price',
      hint: 'Enter the net price of the basket, below 0 for a credit; or choose the price type Market.',
    });
  const legs = await legsOf(item, service);
  const { exits, wish } = await exitsOf(item, { price: fixed.price, legs }, unit, service);
  const terms: BasketTerms = { ...fixed, ...exits, legs, ...(isByOffset ? { isByOffset } : {}) };
  checkBasket(terms, unit);
  return { terms, asked: { ...fixed, ...wish, legs: legWish(item) ?? legs } };
}
