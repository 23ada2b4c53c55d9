/** From Update Fields to what is to be different in an order. */
import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../../client/base/errors';
import type { OrderRecord } from '../../../client/endpoints/orders';
import { getLastPrice } from '../../../client/market/quotes';
import type { Transport } from '../../../client/transport';
import { showMoney, type MoneyUnit } from '../../../client/values/money';
import { givenPrice, NoPriceError, type KnownPrice } from '../../../client/values/market-price';
import { directionOf, exitTerms } from '../../../client/orders/model/exits';
import {
  ORDER_KINDS,
  type PriceCondition,
  type OrderChange,
  type TradedInstrument,
} from '../../../client/orders/model/order-terms';
import {
  exitsOf,
  filledPriceOf,
  filledQuantityOf,
  isUnpricedFill,
  orderIdOf,
  priceOf,
  readOrder,
  sideOf,
} from '../../../client/orders/model/order-record';
import { whyUnreadableFill } from '../../../client/orders/model/unpriced-fill';
import type { PriceRounding } from '../../../client/orders/model/tick';
import type { ParameterReader } from '../../shared/parameters';
import { timeOf } from '../common/times';
import { conditionOf, goodTillOf, isStopAtFill, placesStop, readExitInput, type PriceReading } from './exitForm';
import { placedPrice, readPriceInput, type PriceSource } from './priceForm';
import { wordOf, unitsOf } from './orderForm';

const REMOVABLE = ['condition', 'entryTime', 'exitTime', 'stopLoss', 'target', 'trailingJump'] as const;
type Removable = (typeof REMOVABLE)[number];

/** Parts to remove from an order. */
export const removeField: INodeProperties = {
  displayName: 'Remove',
  name: 'remove',
  type: 'multiOptions',
  options: [
    { name: 'Entry Condition', value: 'condition', description: 'The order no longer waits for a price' },
    { name: 'Entry Time', value: 'entryTime', description: 'The order no longer waits for a time' },
    { name: 'Exit Time', value: 'exitTime' },
    { name: 'Stop Loss', value: 'stopLoss', description: 'With its trailing jump' },
    { name: 'Target', value: 'target' },
    { name: 'Trailing Jump', value: 'trailingJump', description: 'The stop loss stays where Stop Loss says' },
  ],
  default: [],
  description:
    'Which of these to take off the order. Only with intent orders. An entry that waits for nothing goes to the market.',
};

/** Form of the prices of a change. */
export interface ChangePrices {
  source: PriceSource;
  /** Reference of percent or points; undefined for plain prices. */
  reference: KnownPrice | undefined;
  exitRounding: PriceRounding;
}

/** Inputs of the check of a moved stop loss. */
export interface StopCheck {
  instrument: TradedInstrument;
  /** The unit in which an error shows prices. */
  unit: MoneyUnit;
  transport: Transport;
  signal?: AbortSignal | undefined;
}

/**
 * Returns the requested change.
 * @throws InputError if it is empty, no number, or both given and removed.
 */
export function orderChangeOf(
  fields: ParameterReader,
  order: OrderRecord,
  { lotSize, tickSize }: TradedInstrument,
  { source, reference, exitRounding }: ChangePrices,
): OrderChange {
  const { unit } = source;
  const upwards = sideOf(order) === 'SELL' ? 1 : -1;
  const placed = (name: string): number =>
    placedPrice(readPriceInput(fields, name, source), { source, reference, tickSize, upwards });
  const removed = removedIn(fields);
  const change: OrderChange = {
    ...(fields.has('quantity') ? { quantity: unitsOf(fields, 'quantity', lotSize) } : {}),
    ...(fields.has('price') ? { price: placed('price') } : {}),
    ...(fields.has('triggerPrice') ? { triggerPrice: placed('triggerPrice') } : {}),
    ...(fields.has('legSize') ? { legSize: unitsOf(fields, 'legSize', lotSize) } : {}),
    ...(fields.has('orderType') ? { kind: wordOf(fields, 'orderType', ORDER_KINDS) } : {}),
    ...entryChangeOf(fields, (when) =>
      placedPrice(readPriceInput(fields, 'conditionPrice', source), {
        source,
        reference,
        tickSize,
        upwards: when === 'AT_OR_ABOVE' ? 1 : -1,
      }),
    ),
    ...exitChangeOf(
      fields,
      order,
      tickSize,
      { unit, rounding: exitRounding },
      fields.has('price') ? placed('price') : undefined,
    ),
    ...(removed.includes('condition') ? { condition: null } : {}),
    ...(removed.includes('entryTime') ? { entryTime: null } : {}),
    ...(removed.includes('stopLoss') ? { stop: null } : {}),
    ...(removed.includes('target') ? { target: null } : {}),
    ...(removed.includes('exitTime') ? { exitTime: null } : {}),
  };
  if (removed.includes('trailingJump')) change.stop = { ...change.stop!, jump: null };
  requireAnyChange(change);
  return change;
}

/** @throws InputError if Update Fields are empty, or change nothing */
export function requireAnyChange(change: object): void {
  if (Object.keys(change).length > 0) return;
  throw new InputError('No change is chosen. Nothing was sent.', {
    parameter: 'updateFields',
    hint: 'Under Update Fields add what should be different.',
  });
}

/** The fields that give what can be removed. */
const GIVEN_BY: Readonly<Record<Removable, readonly string[]>> = {
  condition: ['condition', 'conditionPrice', 'triggerPrice'],
  entryTime: ['entryTime'],
  exitTime: ['exitTime'],
  stopLoss: ['stopLoss', 'stopLossAt', 'stopLossLimit', 'trailingJump'],
  target: ['target', 'targetLimit'],
  trailingJump: ['trailingJump'],
};

/** @throws InputError for what is given too, and for a trailing jump without the place where the stop loss stays. */
function removedIn(fields: ParameterReader): Removable[] {
  const removed = fields.choices('remove', REMOVABLE);
  for (const text of removed) {
    const given = GIVEN_BY[text].find((name) => fields.has(name));
    if (given !== undefined)
      throw new InputError(`${fields.label(given)} is both given and removed. Nothing was sent.`, {
        parameter: 'remove',
        hint: `Remove the field ${fields.label(given)}, or take it out of Remove.`,
      });
  }
  if (removed.includes('trailingJump') && !placesStop(fields))
    throw new InputError('A stop loss that no longer trails needs its place. Nothing was sent.', {
      parameter: 'stopLoss',
      hint: 'Add Stop Loss or Stop Loss At: where it stays. To take the stop loss off too, choose Stop Loss in Remove.',
    });
  return removed;
}

/** Returns the requested change of the entry condition, and of the last day. */
function entryChangeOf(fields: ParameterReader, priceOfCondition: (when: PriceCondition) => number): OrderChange {
  const condition = conditionOf(fields, priceOfCondition);
  const entryTime = timeOf(fields, 'entryTime');
  const goodTill = goodTillOf(fields);
  return {
    ...(condition === undefined ? {} : { condition }),
    ...(entryTime === undefined ? {} : { entryTime }),
    ...(goodTill === undefined ? {} : { goodTill }),
  };
}

/**
 * Returns the requested change of an order's exits: measured from its fill price, or from its limit.
 * @throws InputError if they are given from the entry, and the order shows no price of it.
 */
function exitChangeOf(
  fields: ParameterReader,
  order: OrderRecord,
  tickSize: number,
  prices: PriceReading,
  newPrice: number | undefined,
): OrderChange {
  const request = readExitInput(fields, prices);
  if (request === undefined) return {};
  if (isStopAtFill(fields) && filledQuantityOf(order) === 0 && isStopItself(order))
    throw new InputError(`Order ${orderIdOf(order)} is a stop loss itself and has no entry. Nothing was sent.`, {
      parameter: 'stopLossAt',
      hint: 'Remove Stop Loss At, and give Trigger Price and Limit Price: the average price in Portfolio: Get Positions or Get Holdings is the cost.',
    });
  if (isStopAtFill(fields) && filledQuantityOf(order) === 0)
    throw new NoPriceError(
      `Order ${orderIdOf(order)} has not filled, so it has no entry price that its stop loss could move to. Nothing was sent.`,
      {
        parameter: 'stopLossAt',
        hint: 'Run this after the fill: put Order: Wait for Status before it, or start the workflow by the trigger event Fill.',
      },
    );
  // Of what has filled, its limit is not the price.
  const entry = filledPriceOf(order) ?? (isUnpricedFill(order) ? undefined : givenPrice(newPrice ?? priceOf(order)));
  const isPrice = [request.stop, request.stopLimit, request.target, request.targetLimit].every(
    (item) => item === undefined || 'price' in item,
  );
  const unreadable = isUnpricedFill(order) ? whyUnreadableFill(order) : undefined;
  if (entry === undefined && !isPrice)
    throw new NoPriceError(
      isUnpricedFill(order)
        ? unreadable === undefined
          ? `Order ${orderIdOf(order)} has filled, but the service does not tell its price yet. Nothing was sent.`
          : `There is no price of order ${orderIdOf(order)} to measure from. ${unreadable} Nothing was sent.`
        : 'This order shows no price that exits could be measured from. Nothing was sent.',
      { parameter: 'exitsIn', hint: 'Try again in a moment, or give the exits as prices.' },
    );
  const { stop, target, time } = exitTerms(request, {
    entry,
    direction: directionOf(sideOf(order) ?? 'BUY'),
    tickSize,
    ...prices,
  });
  return {
    ...(stop === undefined ? {} : { stop }),
    ...(target === undefined ? {} : { target }),
    ...(time === undefined ? {} : { exitTime: time }),
  };
}

/** Returns true for an order that waits for a price and has no exits, as Protect Position places one for what is held. */
function isStopItself(order: OrderRecord): boolean {
  return readOrder(order).triggerPrice !== undefined && exitsOf(order).length === 0;
}

/**
 * A stop loss that is moved to the entry, or to a profit, must not close the position at once.
 * @throws InputError if the last price has reached it; NoPriceError if there is no last price.
 */
export async function requireStopAhead(
  fields: ParameterReader,
  { stop }: OrderChange,
  order: OrderRecord,
  { instrument, unit, transport, signal }: StopCheck,
): Promise<void> {
  if (stop == null || !isStopAtFill(fields)) return;
  const need = { purpose: 'to compare the stop loss with', parameter: 'stopLossAt', hint: 'Wait until it trades.' };
  const last = await getLastPrice(transport, instrument, need, signal);
  const direction = directionOf(sideOf(order) ?? 'BUY');
  if (direction * (last - stop.trigger) > 0) return;
  throw new InputError(
    `A stop loss at ${showMoney(unit, stop.trigger)} would close ${instrument.symbol} at once: the last price is ${showMoney(unit, last)}. Nothing was sent, and the stop loss stays where it was.`,
    {
      parameter: 'stopLossAt',
      hint: `Move it once the price is ${direction === 1 ? 'above' : 'below'} that again, or close the position with Portfolio: Exit Position.`,
    },
  );
}
