/** The rules that an order must keep, checked before anything is sent (docs/service/orders-v2.md#single-order-body, docs/service/exchange-rules.md). */
import { InputError } from '../../base/errors';
import { MAX_PRICE_PAISE } from '../../values/market-price';
import { requireOnTick, showMoney, type MoneyUnit } from '../../values/money';
import { checkExits, directionOf, expectedEntry } from './exits';
import { isDeliveryOnly } from '../../instruments/delivery-series';
import type { OrderChange, OrderTerms, Product, TradedInstrument } from './order-terms';

function requireWholeLots(quantity: number, instrument: TradedInstrument, parameter: string, label: string): void {
  const { lotSize, symbol } = instrument;
  if (!Number.isSafeInteger(quantity) || quantity < 1) {
    throw new InputError(`${label} must be a whole number from 1.`, { parameter });
  }
  if (lotSize <= 1 || quantity % lotSize === 0) return;
  const below = Math.floor(quantity / lotSize) * lotSize;
  const nearest = [below, below + lotSize].filter((value) => value > 0);
  throw new InputError(`${label} ${quantity} is not a multiple of the lot size ${lotSize} of ${symbol}.`, {
    parameter,
    hint: `The nearest quantit${nearest.length > 1 ? 'ies are' : 'y is'} ${nearest.join(' and ')}. To count in lots, set Quantity In to Lots.`,
  });
}

/**
 * Refuses products that the series of a share does not allow. What closes a position is not asked: it is there already.
 * @throws InputError for an intraday order in a series for delivery only.
 */
export function requireProductsAllowed(orders: readonly Pick<OrderTerms, 'instrument' | 'product'>[]): void {
  for (const { instrument, product } of orders) requireProductAllowed(instrument, product);
}

function requireProductAllowed({ exchange, symbol, series }: TradedInstrument, product: Product): void {
  if (product !== 'IDAY' || series === undefined || !isDeliveryOnly(exchange, series)) return;
  throw new InputError(
    `${symbol} is in the series ${series} of ${exchange}, which only allows delivery: it takes no intraday order. Nothing was sent.`,
    { parameter: 'product', hint: 'Choose the product Delivery, or another share.' },
  );
}

/** @throws InputError for a number that no price has, such as a time in place of a price: the order would wait for ever */
function requireReal(price: number, unit: MoneyUnit, parameter: string, label: string): void {
  if (price <= MAX_PRICE_PAISE) return;
  throw new InputError(`${label} is ${showMoney(unit, price)}, and no price is as high. Nothing was sent.`, {
    parameter,
    hint: 'If the field is an expression, check what it gives: a time or an ID is no price.',
  });
}

function requirePrice(
  price: number | undefined,
  instrument: TradedInstrument,
  unit: MoneyUnit,
  parameter: string,
  label: string,
): number {
  if (price === undefined || !Number.isSafeInteger(price) || price <= 0) {
    throw new InputError(`${label} must be above 0.`, { parameter });
  }
  requireReal(price, unit, parameter, label);
  requireOnTick(price, instrument.tickSize, unit, parameter, { label });
  return price;
}

/**
 * Checks an order against its instrument. Parameters that errors name: quantity, price, triggerPrice, legSize, priceType.
 * @param unit in which an error shows prices.
 * @param change of a change, the quantities that it sets: the lot may be another one than when the others were taken.
 * @throws InputError for a quantity off the lot, a price off the tick, a trigger on the wrong side, an iceberg without a
 *   hidden part.
 */
export function checkOrder(
  terms: OrderTerms,
  unit: MoneyUnit,
  change: Pick<OrderChange, 'quantity' | 'legSize'> = terms,
): void {
  const { instrument } = terms;
  if (change.quantity !== undefined) requireWholeLots(change.quantity, instrument, 'quantity', 'Quantity');
  const price =
    terms.priceType === 'LIMIT' ? requirePrice(terms.price, instrument, unit, 'price', 'Limit Price') : undefined;
  if (terms.kind === 'STOPLOSS') {
    if (price === undefined) {
      throw new InputError('A stop-loss order needs a limit price.', {
        parameter: 'priceType',
        hint: 'Choose the price type Limit: when the trigger is reached, the order enters the market with that price.',
      });
    }
    const trigger = requirePrice(terms.triggerPrice, instrument, unit, 'triggerPrice', 'Trigger Price');
    const wrong = terms.side === 'BUY' ? trigger > price : trigger < price;
    if (wrong) {
      throw new InputError(
        `The trigger price ${showMoney(unit, trigger)} of a stop-loss ${terms.side === 'BUY' ? 'purchase must not be above' : 'sale must not be below'} its limit price ${showMoney(unit, price)}.`,
        {
          parameter: 'triggerPrice',
          hint:
            terms.side === 'BUY'
              ? 'To buy: trigger at or below the limit price.'
              : 'To sell: trigger at or above the limit price.',
        },
      );
    }
  }
  checkEntry(terms, unit);
  if (terms.kind === 'ICEBERG' && terms.slices !== undefined) checkSlices(terms, terms.slices);
  else if (terms.kind === 'ICEBERG') {
    if (change.legSize !== undefined || !terms.legSize)
      requireWholeLots(change.legSize ?? 0, instrument, 'legSize', 'Leg Size');
    if ((terms.legSize ?? 0) >= terms.quantity) {
      throw new InputError(`The leg size ${terms.legSize} must be less than the quantity ${terms.quantity}.`, {
        parameter: 'legSize',
        hint: 'An iceberg shows one leg at a time; for an order that is shown whole choose Regular.',
      });
    }
  }
}

/** An entry waits for one price, and its exits lie on their sides of it. */
function checkEntry(terms: OrderTerms, unit: MoneyUnit): void {
  const { condition, instrument, kind, exits, side } = terms;
  if (condition !== undefined) {
    requirePrice(condition.price, instrument, unit, 'conditionPrice', 'Condition Price');
    if (kind === 'STOPLOSS')
      throw new InputError('A stop-loss order waits for its trigger price: it takes no other condition.', {
        parameter: 'condition',
        hint: 'Choose the order type Regular, or remove the condition.',
      });
  }
  if (exits === undefined) return;
  const entry = expectedEntry(terms);
  checkExits(exits, { direction: directionOf(side), entry, unit });
  const { jump } = exits.stop ?? {};
  if (jump === undefined) return;
  requireReal(jump, unit, 'trailingJump', 'Trailing Jump');
  if (side === 'SELL' && entry !== undefined && jump >= entry)
    throw new InputError(
      `Trailing Jump is ${showMoney(unit, jump)}, and the price of what is sold at ${showMoney(unit, entry)} cannot fall by as much. Nothing was sent.`,
      { parameter: 'trailingJump', hint: 'Enter a smaller one: the stop loss would never move.' },
    );
}

function checkSlices({ quantity, instrument, priceType }: OrderTerms, slices: number): void {
  if (slices < 2 || slices > quantity / instrument.lotSize)
    throw new InputError(`Number of Slices must be from 2 to the number of lots, but is ${slices}.`, {
      parameter: 'slices',
    });
  if (priceType === 'MARKET')
    throw new InputError('An iceberg needs a limit price.', {
      parameter: 'priceType',
      hint: 'Choose the price type Limit.',
    });
}
