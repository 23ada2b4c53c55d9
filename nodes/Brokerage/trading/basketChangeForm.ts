/** From Update Fields to what is to be different in a basket. */
import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../../client/base/errors';
import type { BasketRecord } from '../../../client/endpoints/baskets';
import type { OrderRecord } from '../../../client/endpoints/orders';
import type { BasketChange } from '../../../client/orders/model/basket-terms';
import { legsOf } from '../../../client/orders/model/basket-record';
import { entryPriceOf } from '../../../client/orders/changing/change-basket';
import { netPriceIn, NoPriceError } from '../../../client/values/market-price';
import { exitTerms } from '../../../client/orders/model/exits';
import { quantityOf, readOrder } from '../../../client/orders/model/order-record';
import type { TradedInstrument } from '../../../client/orders/model/order-terms';
import type { RoundingDirection, PriceDistance } from '../../../client/orders/model/tick';
import type { ParameterReader } from '../../shared/parameters';
import { readExitInput, goodTillOf, type PriceReading } from './exitForm';
import { enteredPrice } from './priceForm';
import { requireAnyChange } from './modifyForm';
import { isInLots, unitsOf } from './orderForm';
import { EXIT_NAMES, BASKET_EXIT_FORM, netPrice, requireReachableExit, tickOf } from './basketForm';

const REMOVABLE = ['exitTime', 'stopLoss', 'target'] as const;

/** The field that gives what can be removed. */
const GIVEN_BY = { exitTime: 'exitTime', stopLoss: 'stopLossPrice', target: 'targetPrice' } as const;

/** Parts to remove from a basket. */
export const removeField: INodeProperties = {
  displayName: 'Remove',
  name: 'remove',
  type: 'multiOptions',
  options: [
    { name: 'Exit Time', value: 'exitTime' },
    { name: 'Stop Loss', value: 'stopLoss', description: 'With its trailing jump' },
    { name: 'Target', value: 'target' },
  ],
  default: [],
  description: 'Which of these to take off the basket',
};

/**
 * Returns the requested change. Exits are measured from the basket's entry price, or from its limit.
 * @param instruments of its legs.
 * @throws InputError if it is empty, no number, or both given and removed.
 */
export function basketChangeOf(
  fields: ParameterReader,
  basket: BasketRecord,
  instruments: readonly TradedInstrument[],
  prices: PriceReading,
): BasketChange {
  const removed = fields.choices('remove', REMOVABLE);
  for (const name of removed)
    if (fields.has(GIVEN_BY[name]))
      throw new InputError(`${fields.label(GIVEN_BY[name])} is both given and removed. Nothing was sent.`, {
        parameter: 'remove',
        hint: `Remove the field ${fields.label(GIVEN_BY[name])}, or take it out of Remove.`,
      });
  const goodTill = goodTillOf(fields);
  const tickSize = tickOf(instruments.map((instrument) => ({ instrument })));
  const { unit, rounding } = prices;
  const price = fields.has('price')
    ? netPrice(fields, 'price', enteredPrice(fields, 'price', unit, rounding, { allowNegative: true }), -1, {
        ...prices,
        tickSize,
      })
    : undefined;
  const quantity = fields.has('quantity') ? unitsOf(fields, 'quantity', lotOf(fields, basket, instruments)) : undefined;
  const change: BasketChange = {
    ...(quantity === undefined ? {} : { quantity }),
    ...(price === undefined ? {} : { price }),
    ...(goodTill === undefined ? {} : { goodTill }),
    ...exitChangeOf(fields, basket, { price, quantity }, { ...prices, tickSize }),
    ...(removed.includes('stopLoss') ? { stop: null } : {}),
    ...(removed.includes('target') ? { target: null } : {}),
    ...(removed.includes('exitTime') ? { exitTime: null } : {}),
  };
  requireAnyChange(change);
  return change;
}

/**
 * The lot in which the quantity of a basket counts. Its legs trade their ratios of the quantity: of lots of two sizes, as contracts have
 * before and after a change of the lot, the quantity is a part of a lot.
 * @throws InputError for a number of lots of such legs
 */
function lotOf(fields: ParameterReader, basket: BasketRecord, instruments: readonly TradedInstrument[]): number {
  const lots = [...new Set(instruments.map(({ lotSize }) => lotSize))];
  if (lots.length > 1 && isInLots(fields)) {
    const units = quantityOf(basket as OrderRecord);
    throw new InputError(
      `Quantity is in lots, and the legs of this basket have lots of ${lots.join(' and ')}. Nothing was sent.`,
      {
        parameter: 'quantity',
        hint: `Set Quantity In to Units: ${units < 1 ? 'each leg trades its ratio of it' : `the basket has ${units} now, and for twice as much of each leg give ${2 * units}`}.`,
      },
    );
  }
  return lots[0] ?? 1;
}

/** @throws InputError if exits are given from the entry, and the basket shows no price of it. */
function exitChangeOf(
  fields: ParameterReader,
  basket: BasketRecord,
  changed: { price: number | undefined; quantity: number | undefined },
  prices: PriceReading & { tickSize: number },
): BasketChange {
  const units = changed.quantity ?? quantityOf(basket as OrderRecord);
  if (units < 1 && fields.raw('exitsIn') === 'profit')
    throw new InputError(
      'This basket does not show its quantity, by which a net profit is divided. Nothing was sent.',
      {
        parameter: 'exitsIn',
        hint: 'Give the exits as prices.',
      },
    );
  const request = readExitInput(fields, prices, { ...BASKET_EXIT_FORM, units });
  if (request === undefined) return {};
  const entry = netPriceIn(changed.price) ?? entryPriceOf(basket);
  const isPrice = [request.stop, request.target].every((item) => item === undefined || 'price' in item);
  if (entry === undefined && !isPrice)
    throw new NoPriceError('This basket shows no net price that exits could be measured from. Nothing was sent.', {
      parameter: 'exitsIn',
      hint: 'Give the exits as prices.',
    });
  const given = (
    name: string,
    exit: PriceDistance | undefined,
    upwards: RoundingDirection,
  ): PriceDistance | undefined => {
    if (exit === undefined || !('price' in exit)) return exit;
    const units = legsOf(basket).map((leg) => (readOrder(leg).side === 'SELL' ? -1 : 1));
    requireReachableExit(fields, name, exit.price, { units, unit: prices.unit });
    return { price: netPrice(fields, name, exit.price, upwards, prices) };
  };
  const onTick = {
    ...request,
    stop: given(EXIT_NAMES.stop, request.stop, 1),
    target: given(EXIT_NAMES.target, request.target, -1),
  };
  const { stop, target, time } = exitTerms(onTick, { entry, direction: 1, tickSize: prices.tickSize });
  return {
    ...(stop === undefined ? {} : { stop }),
    ...(target === undefined ? {} : { target }),
    ...(time === undefined ? {} : { exitTime: time }),
  };
}
