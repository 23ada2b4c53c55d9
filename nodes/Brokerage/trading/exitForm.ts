/** From the fields of an item to what its entry waits for, and what closes it. */
import { attempt } from '../../../client/attempt';
import { InputError } from '../../../client/base/errors';
import { brokerageErrorOnly } from '../../../client/orders/placing/outcome';
import { checkExits, directionOf, exitTerms, expectedEntry, type ExitInput } from '../../../client/orders/model/exits';
import { isExitTag } from '../../../client/exit-emulation/exit-tag';
import { PRICE_CONDITIONS, type EntryCondition, type OrderTerms } from '../../../client/orders/model/order-terms';
import { getCurrentPrice, getLastPrice } from '../../../client/market/quotes';
import { PRICE_ROUNDINGS, type PriceDistance, type PriceRounding } from '../../../client/orders/model/tick';
import { exactHundredths, exactPaise, showMoney, type MoneyUnit } from '../../../client/values/money';
import { isKnownPrice } from '../../../client/values/market-price';
import { priceUnitOf } from '../../shared/fields';
import type { ItemContext } from '../common/itemContext';
import { isSince12 } from '../common/version';
import type { ParameterReader } from '../../shared/parameters';
import { timeOf } from '../common/times';
import type { Service } from '../../shared/service';

const EXITS_IN = ['percent', 'points', 'price'] as const;
/** The exits of a strategy may be what all of it has lost or earned, too. */
const STRATEGY_EXITS_IN = [...EXITS_IN, 'profit'] as const;
type ExitsIn = (typeof STRATEGY_EXITS_IN)[number];

/**
 * A number of one of the exits' fields; undefined if it holds nothing.
 * @throws InputError for 0: a stop loss that somebody added must not fall away unseen.
 */
function distanceOf(
  fields: ParameterReader,
  name: string,
  exitsIn: ExitsIn,
  { unit, rounding }: PriceReading,
  { allowNegative, units = 1 }: Pick<ExitReading, 'allowNegative' | 'units'>,
): PriceDistance | undefined {
  if (!fields.has(name)) return undefined;
  const label = fields.label(name);
  const amount =
    exitsIn === 'percent'
      ? exactHundredths(fields.raw(name), name, { label })
      : exitsIn === 'points' || exitsIn === 'profit'
        ? exactPaise(fields.raw(name), unit, name, { label })
        : rounding === 'refuse'
          ? fields.price(name, unit, { allowNegative })
          : exactPaise(fields.raw(name), unit, name, { label, allowNegative });
  // A net price may be 0.
  if (amount === 0 && !(allowNegative && exitsIn === 'price'))
    throw new InputError(
      `An exit of 0 does nothing: in ${fields.label(name)}, enter a number above 0, without a minus. Nothing was sent.`,
      {
        parameter: name,
        hint: `Enter how far away it is, or remove the field.${atEntryHint(fields, name)}`,
      },
    );
  if (exitsIn === 'percent') return { percent: amount };
  if (exitsIn === 'price') return { price: amount };
  return { points: exitsIn === 'profit' ? amount / units : amount };
}

/** Places to which Order: Modify moves a stop loss. */
const STOP_AT = ['field', 'entry', 'profit'] as const;
type StopAt = (typeof STOP_AT)[number];

/** Returns where the stop loss goes. */
const stopAtOf = (fields: ParameterReader): StopAt => fields.optionalChoice('stopLossAt', STOP_AT) ?? 'field';

/** Returns true if the stop loss is measured from the fill, and from nothing else. */
export const isStopAtFill = (fields: ParameterReader): boolean => stopAtOf(fields) !== 'field';

/** Returns true if the fields say where the stop loss is to be. */
export const placesStop = (fields: ParameterReader): boolean => fields.has('stopLoss') || stopAtOf(fields) === 'entry';

/** Returns the next step of a user who enters 0 for a stop loss to cost. Only Order: Modify has a field for it. */
const atEntryHint = (fields: ParameterReader, name: string): string =>
  name === 'stopLoss' && fields.label('stopLossAt') !== 'stopLossAt'
    ? " For a stop loss at the entry itself (to cost), remove Stop Loss and set Stop Loss At to The Entry's Price."
    : '';

/** The same distance on the other side of the entry. */
function inProfit(distance: PriceDistance | undefined): PriceDistance | undefined {
  if (distance === undefined || 'price' in distance) return distance;
  return 'points' in distance ? { points: -distance.points } : { percent: -distance.percent };
}

/**
 * The stop loss and its limit, where Stop Loss At wants them.
 * @throws InputError for a choice that Stop Loss or Exits Given As contradicts.
 */
function stopInput(
  fields: ParameterReader,
  exitsIn: ExitsIn,
  stop: PriceDistance | undefined,
  stopLimit: PriceDistance | undefined,
): Pick<ExitInput, 'stop' | 'stopLimit'> {
  const at = stopAtOf(fields);
  const refuse = (text: string, parameter: string, hint: string): InputError =>
    new InputError(`${text} Nothing was sent.`, { parameter, hint });
  if (at === 'field') return { stop, stopLimit };
  if (at === 'entry') return { stop: { points: 0 }, stopLimit };
  if (stop === undefined)
    throw refuse('A stop loss at a profit needs to know how far from the entry.', 'stopLoss', 'Add Stop Loss.');
  if (exitsIn === 'price')
    throw refuse(
      'A stop loss at a profit from the entry is a distance, and Exits Given As is Price.',
      'exitsIn',
      'Set Exits Given As to Percent or Points, or remove Stop Loss At.',
    );
  return { stop: inProfit(stop), stopLimit: inProfit(stopLimit) };
}

/** The names of the two fields that orders and baskets call otherwise. */
export type ExitNames = Readonly<Record<'stop' | 'target', string>>;

/** Reading of prices. */
export interface PriceReading {
  unit: MoneyUnit;
  rounding: PriceRounding;
}

/** Reading of the exit fields. */
interface ExitReading {
  names: ExitNames;
  /** Default of Exits Given As. */
  otherwise: ExitsIn;
  /** True if a price may be 0 or below it: net prices may. */
  allowNegative: boolean;
  /** Of a strategy: how often it holds what its net price is of, so that its net profit may be an exit. */
  units?: number;
}

/** Returns the rounding of an exit off the tick: exits were always rounded, also before there was an option for it. */
export function exitRoundingOf(item: ItemContext): PriceRounding {
  return item.group('options').optionalChoice('roundToTick', PRICE_ROUNDINGS) ?? 'safe';
}

const OF_ORDER: ExitReading = {
  names: { stop: 'stopLoss', target: 'target' },
  otherwise: 'percent',
  allowNegative: false,
};

/**
 * The exits that the fields ask for; undefined if they ask for none.
 * @throws InputError for a limit or a jump without what it belongs to.
 */
export function readExitInput(
  fields: ParameterReader,
  prices: PriceReading,
  as: ExitReading = OF_ORDER,
): ExitInput | undefined {
  const { names, otherwise } = as;
  const choices = as.units === undefined ? EXITS_IN : STRATEGY_EXITS_IN;
  const exitsIn = fields.optionalChoice<ExitsIn>('exitsIn', choices) ?? otherwise;
  const read = (name: string): PriceDistance | undefined => distanceOf(fields, name, exitsIn, prices, as);
  const jumpIn = exitsIn === 'price' ? 'points' : exitsIn;
  const jump = distanceOf(fields, 'trailingJump', jumpIn, prices, { ...as, allowNegative: false });
  if (stopAtOf(fields) === 'entry' && fields.has('stopLoss'))
    throw new InputError(
      "Stop Loss holds a number, and Stop Loss At is The Entry's Price, which needs none. Nothing was sent.",
      {
        parameter: 'stopLoss',
        hint: 'Remove Stop Loss, or set Stop Loss At to A Profit From the Entry: Stop Loss then says how far.',
      },
    );
  const request: ExitInput = {
    ...stopInput(fields, exitsIn, read(names.stop), read('stopLossLimit')),
    target: read(names.target),
    targetLimit: read('targetLimit'),
    jump: jump === undefined || 'price' in jump ? undefined : jump,
    time: timeOf(fields, 'exitTime'),
  };
  const without = (parameter: string, of: string): InputError =>
    new InputError(`${fields.label(parameter)} needs ${of}. Nothing was sent.`, { parameter, hint: `Add ${of}.` });
  if (request.stop === undefined && request.stopLimit !== undefined) throw without('stopLossLimit', 'Stop Loss');
  if (request.stop === undefined && request.jump !== undefined) throw without('trailingJump', 'Stop Loss');
  if (request.target === undefined && request.targetLimit !== undefined) throw without('targetLimit', 'Target');
  return Object.values(request).every((item) => item === undefined) ? undefined : request;
}

/**
 * The price condition of the fields; undefined if there is none.
 * @param priceOf reads its price.
 * @throws InputError for half of one.
 */
export function conditionOf<Price>(
  fields: ParameterReader,
  priceOf: (when: EntryCondition['when']) => Price,
): { when: EntryCondition['when']; price: Price } | undefined {
  const when = fields.optionalChoice('condition', PRICE_CONDITIONS);
  if (!fields.has('conditionPrice')) {
    if (when === undefined) return undefined;
    throw new InputError('The entry condition has no price. Nothing was sent.', {
      parameter: 'conditionPrice',
      hint: 'Add Condition Price, or remove Condition.',
    });
  }
  const side = when ?? 'AT_OR_ABOVE';
  return { when: side, price: priceOf(side) };
}

/** The exits of an item as they were read, before anything is fetched. */
export interface OrderExits {
  input: ExitInput | undefined;
  rounding: PriceRounding;
  keptBy: (typeof KEPT_BY)[number];
}

const KEPT_BY = ['service', 'trigger'] as const;

/**
 * The exits that the fields of an order ask for, and who keeps them.
 * @throws InputError as `readExitInput`; for what the trigger does not keep, and for a label of one's own beside it: the tag holds
 *   the prices in its place.
 */
export function readOrderExits(item: ItemContext, unit: MoneyUnit): OrderExits {
  const fields = item.group('exits');
  const rounding = exitRoundingOf(item);
  const input = readExitInput(fields, { unit, rounding });
  const label = item.group('options').raw('tag');
  if (typeof label === 'string' && isExitTag(label.trim()))
    throw new InputError('Tag looks like the prices of exits that a trigger keeps. Nothing was sent.', {
      parameter: 'tag',
      hint: 'Choose another one.',
    });
  const keptBy = fields.optionalChoice('keptBy', KEPT_BY) ?? 'service';
  if (keptBy === 'service') return { input, rounding, keptBy };
  for (const name of ['stopLossLimit', 'targetLimit', 'trailingJump', 'exitTime'])
    if (fields.has(name))
      throw new InputError(`The trigger keeps no ${fields.label(name)}. Nothing was sent.`, {
        parameter: name,
        hint: 'Remove it: with Exits Managed By set to Trigger there are Stop Loss and Target only.',
      });
  if (input?.stop === undefined)
    throw new InputError('Exits that the trigger keeps need a Stop Loss. Nothing was sent.', {
      parameter: 'stopLoss',
      hint: 'Add Stop Loss: it rests at the exchange. Target can be added to it.',
    });
  if (item.group('options').has('tag'))
    throw new InputError(
      'With Exits Managed By set to Trigger there is no Tag: their prices take its place. Nothing was sent.',
      {
        parameter: 'tag',
        hint: 'Remove Tag.',
      },
    );
  return { input, rounding, keptBy };
}

/** Fields of an order beyond those of the older interface. */
type Beyond = Pick<OrderTerms, 'entryTime' | 'goodTill' | 'slices'>;

/** Until when the entry of an item waits, until when it lives, and in how many parts an iceberg is shown. */
export function newerTermsOf(item: ItemContext): Beyond {
  const entry = item.group('entry');
  const options = item.group('options');
  const beyond: Beyond = {
    entryTime: timeOf(entry, 'entryTime'),
    goodTill: goodTillOf(options),
    slices: options.optionalWhole('slices', { min: 2 }),
  };
  return Object.fromEntries(Object.entries(beyond).filter(([, value]) => value !== undefined));
}

/** The last day that the field names, YYYY-MM-DD in IST; undefined if it holds nothing. @throws InputError for no date */
export function goodTillOf(fields: ParameterReader): string | undefined {
  return fields.has('goodTillDate') ? fields.date('goodTillDate') : undefined;
}

/**
 * The exits of an order, on the tick, kept by the service or by the trigger. Those of a market order are measured from the last price,
 * which is asked for now.
 * @param unit in which an error shows prices.
 * @throws InputError if one is on the wrong side of the entry; NoPriceError where there is nothing to measure from.
 */
export async function exitsOf(
  { input, rounding, keptBy }: OrderExits,
  terms: Omit<OrderTerms, 'exits'>,
  unit: MoneyUnit,
  { transport }: Service,
  signal?: AbortSignal,
): Promise<Pick<OrderTerms, 'exits' | 'kept'>> {
  if (input === undefined) return {};
  const { instrument, side } = terms;
  const { tickSize } = instrument;
  const need = {
    purpose: 'to measure exits from',
    parameter: 'exits',
    hint: 'Place it with a limit price, or wait until it trades.',
  };
  const entry = expectedEntry(terms) ?? (await getLastPrice(transport, instrument, need, signal));
  const direction = directionOf(side);
  const exits = exitTerms(input, { entry, direction, tickSize, rounding, unit });
  checkExits(exits, { direction, entry, unit });
  return keptBy === 'trigger' && exits.stop !== undefined
    ? { kept: { stop: exits.stop.trigger, ...(exits.target === undefined ? {} : { target: exits.target.trigger }) } }
    : { exits };
}

/**
 * Reads whether the last price has reached the stop loss of a limit order that is free to trade: its fill would be closed at once. The exits
 * of a market order are measured from that price.
 * @returns the reason for not placing it now; undefined if its stop loss is ahead, if it has none, and if the last price is not known.
 */
export async function reachedStopOf(
  item: ItemContext,
  { instrument, side, kind, priceType, condition, entryTime, exits, kept }: OrderTerms,
  { transport }: Service,
): Promise<InputError | undefined> {
  const stop = exits?.stop?.trigger ?? kept?.stop;
  const isFree = priceType === 'LIMIT' && kind !== 'STOPLOSS' && condition === undefined && entryTime === undefined;
  if (!isSince12(item) || stop === undefined || !isFree) return undefined;
  const read = await attempt(getCurrentPrice(transport, instrument, item.run.signal));
  // The price is no condition of the order: without it the order is placed as asked for.
  if (!read.ok) return void brokerageErrorOnly(read.error, item.run.signal);
  const { price: last } = read.value;
  if (!isKnownPrice(last) || directionOf(side) * (last - stop) > 0) return undefined;
  const unit = priceUnitOf(item);
  return new InputError(
    `The stop loss ${showMoney(unit, stop)} of ${instrument.symbol} is reached already: the last price is ${showMoney(unit, last)}, and the position would be closed at once. Nothing was sent.`,
    {
      parameter: 'stopLoss',
      hint: `The limit price is far ${side === 'BUY' ? 'above' : 'below'} the last price. Give a nearer one or a stop loss further away, or choose the price type Market.`,
    },
  );
}
