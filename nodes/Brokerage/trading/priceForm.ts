/** From the price fields of an item to prices on the tick, whichever way they are given. */
import { InputError } from '../../../client/base/errors';
import { fillPriceOf } from '../../../client/orders/placing/fill-price';
import { givenPrice, type GivenPrice, type KnownPrice } from '../../../client/values/market-price';
import { getLastPrice } from '../../../client/market/quotes';
import type { TradedInstrument } from '../../../client/orders/model/order-terms';
import {
  roundToTick,
  priceAt,
  PRICE_ROUNDINGS,
  type RoundingDirection,
  type PriceDistance,
  type PriceRounding,
} from '../../../client/orders/model/tick';
import { exactHundredths, exactPaise, showMoney, type MoneyUnit } from '../../../client/values/money';
import { priceUnitOf } from '../../shared/fields';
import type { ItemContext } from '../common/itemContext';
import type { ParameterReader } from '../../shared/parameters';
import { isSince11 } from '../common/version';
import { accountOf } from '../../shared/accountApi';
import type { Service } from '../../shared/service';

const PRICES_AS = ['percent', 'points', 'price'] as const;
const MEASURED_FROM = ['fill', 'given', 'last'] as const;

/** Returns the rounding of a price off the tick from the option; a workflow saved by an earlier version refuses such a price. */
export function roundingOf(item: ItemContext): PriceRounding {
  const chosen = item.group('options').optionalChoice('roundToTick', PRICE_ROUNDINGS);
  return chosen ?? (isSince11(item) ? 'safe' : 'refuse');
}

/** Text of the error for an empty price from an order: it is unknown here if that order was waited for. */
const NOT_FILLED =
  'Enter a price. If it comes from an order of the step before, that order had not filled when its step ended, or the service had not told its price. Let that step wait longer for Filled, or do not go on where its price is empty.';

/** Returns a price field as entered, paise; a fraction of a paisa is kept if it will be rounded. @throws InputError */
export function enteredPrice(
  fields: ParameterReader,
  name: string,
  unit: MoneyUnit,
  rounding: PriceRounding,
  { allowNegative = false }: { allowNegative?: boolean } = {},
): number {
  const value = fields.raw(name);
  const label = fields.label(name);
  if (!fields.has(name) || value === 'null' || value === 'undefined' || value === 'NaN' || Number.isNaN(value))
    throw new InputError(`${label} is empty. Nothing was sent.`, { parameter: name, hint: NOT_FILLED });
  const paise =
    rounding === 'refuse'
      ? fields.price(name, unit, { allowNegative })
      : exactPaise(value, unit, name, { label, allowNegative });
  if (paise === 0 && !allowNegative)
    throw new InputError(`${label} must be above 0, but is 0. Nothing was sent.`, {
      parameter: name,
      // 0 is what the panel holds before anything is entered.
      hint:
        name === 'price' && fields.has('priceType')
          ? `For an order at the market, set Price Type to Market. ${NOT_FILLED}`
          : NOT_FILLED,
    });
  return paise;
}

/** Form of the prices of an item. */
export interface PriceSource {
  unit: MoneyUnit;
  rounding: PriceRounding;
  as: (typeof PRICES_AS)[number];
  /** Reference of percent or points. */
  from: { kind: 'last' } | { kind: 'given'; paise: GivenPrice } | { kind: 'fill'; orderId: string };
}

function orderIdOf(fields: ParameterReader): string {
  if (fields.has('referenceOrderId')) return fields.identifier('referenceOrderId');
  throw new InputError('Reference Order ID is empty. Nothing was sent.', {
    parameter: 'referenceOrderId',
    hint: 'Give the order_id of the entry, such as {{ $json.order_id }}.',
  });
}

/** Returns the reference price from the user. @throws InputError for an invalid one */
function referenceOf(fields: ParameterReader, unit: MoneyUnit): GivenPrice {
  const paise = enteredPrice(fields, 'referencePrice', unit, 'safe');
  const price = givenPrice(paise);
  if (price !== undefined) return price;
  throw new InputError(
    `${fields.label('referencePrice')} must be above 0, but is ${showMoney(unit, paise)}. Nothing was sent.`,
    {
      parameter: 'referencePrice',
    },
  );
}

/** Returns the form of an item's prices. @param fields the fields that include "Prices Given As". @throws InputError */
export function priceSourceOf(item: ItemContext, fields: ParameterReader): PriceSource {
  const [unit, rounding] = [priceUnitOf(item), roundingOf(item)];
  const as = fields.optionalChoice('pricesAs', PRICES_AS) ?? 'price';
  const kind = as === 'price' ? 'last' : (fields.optionalChoice('measuredFrom', MEASURED_FROM) ?? 'last');
  const from =
    kind === 'given'
      ? { kind, paise: referenceOf(fields, unit) }
      : kind === 'fill'
        ? { kind, orderId: orderIdOf(fields) }
        : { kind };
  return { unit, rounding, as, from };
}

/** A price field as read, before anything is fetched. */
export interface PriceInput {
  /** The field, by its internal name and as the person sees it. */
  name: string;
  label: string;
  distance: PriceDistance;
}

/** Reads a price field. @throws InputError */
export function readPriceInput(fields: ParameterReader, name: string, { as, unit, rounding }: PriceSource): PriceInput {
  const label = fields.label(name);
  const distance =
    as === 'percent'
      ? { percent: exactHundredths(fields.raw(name), name, { label, allowNegative: true }) }
      : as === 'points'
        ? { points: exactPaise(fields.raw(name), unit, name, { label, allowNegative: true }) }
        : { price: enteredPrice(fields, name, unit, rounding) };
  return { name, label, distance };
}

/**
 * The price from which percent or points count; undefined if prices are given as such.
 * @throws InputError if there is none: nothing has traded, or the order has not filled.
 */
export async function referencePrice(
  { as, from }: PriceSource,
  instrument: TradedInstrument,
  service: Service,
  signal?: AbortSignal,
): Promise<KnownPrice | undefined> {
  if (as === 'price') return undefined;
  if (from.kind === 'given') return from.paise;
  if (from.kind === 'last') {
    const need = {
      purpose: 'from which to measure',
      parameter: 'measuredFrom',
      hint: 'Measure from a reference price, or give the price itself.',
    };
    return await getLastPrice(service.transport, instrument, need, signal);
  }
  return await fillPriceOf(from.orderId, instrument, accountOf(service).orders, service.transport, signal);
}

/**
 * A price of an order, on the tick, paise.
 * @param upwards the safe side.
 * @throws InputError for a given price off the tick where that is refused, and one that comes to less than a tick.
 */
export function placedPrice(
  { name, label, distance }: PriceInput,
  {
    source,
    reference,
    tickSize,
    upwards,
  }: { source: PriceSource; reference: KnownPrice | undefined; tickSize: number; upwards: RoundingDirection },
): number {
  const { rounding, unit } = source;
  const exact = priceAt(distance, reference, 1);
  const isGiven = 'price' in distance;
  const price = roundToTick(exact, { tickSize, rounding, upwards, isGiven, unit, parameter: name, label });
  if (price > 0) return price;
  throw new InputError(`${label} comes to less than one tick. Nothing was sent.`, {
    parameter: name,
    hint: isGiven ? 'Give a higher price.' : 'It is too far below the price from which it is measured.',
  });
}
