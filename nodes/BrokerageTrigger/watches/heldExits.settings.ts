/** Reads the fields of exits of what is held. */
import type { ITriggerFunctions } from 'n8n-workflow';
import { InputError } from '../../../client/base/errors';
import type { ExitTime, HeldExitInput } from '../../../client/exit-emulation/held-exits';
import { PRODUCTS, type Product } from '../../../client/orders/model/order-terms';
import type { PriceDistance } from '../../../client/orders/model/tick';
import type { MoveDistance } from '../../../client/stream/market-data/alert-rules';
import { oneOf } from '../../../client/values/input';
import { exactHundredths, exactPaise, type MoneyUnit } from '../../../client/values/money';
import { parseTimeOrInstant } from '../../../client/values/time';
import { readGroup, parameterOf, unitOf, splitWords, type ParameterGroup } from './parameters';

const EXITS_IN = ['percent', 'points', 'price'] as const;
type ExitsIn = (typeof EXITS_IN)[number];

const EXITS_OF = ['orders', 'held', 'all', 'strategy'] as const;
type ExitsOf = (typeof EXITS_OF)[number];

export interface HeldExitSettings {
  exits: HeldExitInput;
  /** All where it is empty. */
  products: readonly Product[];
  /** Unit of prices in the output. */
  unit: MoneyUnit;
}

/** Returns the positions whose exits the trigger keeps. @throws InputError */
export function readExitsOf(n8n: ITriggerFunctions): ExitsOf {
  return oneOf(parameterOf(n8n, 'exitsOf', 'orders'), EXITS_OF, 'exitsOf', 'Exits Of');
}

/** @throws InputError that names the parameter. */
export function readHeldExits(n8n: ITriggerFunctions): HeldExitSettings {
  const fields = readGroup(n8n, 'heldExits');
  const exitsIn = oneOf(fields.exitsIn ?? 'percent', EXITS_IN, 'exitsIn', 'Exits Given As');
  const stop = distanceOf(fields, 'stopLoss', 'Stop Loss', exitsIn);
  const target = distanceOf(fields, 'target', 'Target', exitsIn);
  const trail = distanceOf(fields, 'trailingStop', 'Trailing Stop', exitsIn === 'price' ? 'points' : exitsIn);
  const trailAfter = distanceOf(fields, 'trailAfter', 'Start Trailing After', exitsIn);
  requireTrail(trail, trailAfter);
  const time = timeOf(fields.exitTime);
  const exits: HeldExitInput = {
    ...(stop && { stop }),
    ...(target && { target }),
    ...(trail && { trail: moveOf(trail) }),
    ...(trailAfter && { trailAfter }),
    ...(time && { time }),
  };
  if (readExitsOf(n8n) === 'all' && exitsIn === 'price')
    throw new InputError('One price cannot be the exit of everything that you hold.', {
      parameter: 'exitsIn',
      hint: 'Set Exits Given As to Percent or Points From the Average Price.',
    });
  requireExit(exits, 'heldExits');
  return { exits, products: readProducts(n8n), unit: unitOf(readGroup(n8n, 'options')) };
}

/** @throws InputError if the trailing stop is to begin later, and there is none */
export function requireTrail(trail: object | undefined, trailAfter: object | undefined): void {
  if (trailAfter === undefined || trail !== undefined) return;
  throw new InputError('Start Trailing After needs a Trailing Stop.', {
    parameter: 'trailAfter',
    hint: 'Add Trailing Stop, or remove Start Trailing After.',
  });
}

/** @throws InputError where there is none */
export function requireExit(exits: object, parameter: string): void {
  if (Object.keys(exits).length > 0) return;
  throw new InputError('No exit is given: the trigger would close nothing.', {
    parameter,
    hint: 'Add Stop Loss, Target, Trailing Stop or Exit Time under Exits.',
  });
}

/** Returns the products that count; all if it is empty. @throws InputError */
export function readProducts(n8n: ITriggerFunctions): readonly Product[] {
  return splitWords(parameterOf(n8n, 'heldProducts', [])).map((word) =>
    oneOf(word, PRODUCTS, 'heldProducts', 'Products'),
  );
}

/** @throws InputError as `amountOf` */
function distanceOf(fields: ParameterGroup, name: string, label: string, exitsIn: ExitsIn): PriceDistance | undefined {
  const amount = amountOf(fields, name, label, exitsIn === 'percent');
  if (amount === undefined) return undefined;
  return exitsIn === 'percent' ? { percent: amount } : exitsIn === 'price' ? { price: amount } : { points: amount };
}

/**
 * Reads a field of an exit: hundredths of a percent, or paise.
 * @throws InputError for 0: a stop loss that somebody added must not fall away unseen.
 */
export function amountOf(fields: ParameterGroup, name: string, label: string, isPercent: boolean): number | undefined {
  const value = fields[name];
  if (value === undefined || value === '') return undefined;
  const amount = isPercent ? exactHundredths(value, name, { label }) : exactPaise(value, 'rupees', name, { label });
  if (amount === 0)
    throw new InputError(`An exit of 0 does nothing: in ${label}, enter a number above 0, without a minus.`, {
      parameter: name,
      hint: 'n8n turns a number below 0 into 0. If you do not want this exit, remove the field.',
    });
  return amount;
}

const moveOf = (distance: PriceDistance): MoveDistance =>
  'percent' in distance
    ? { hundredths: distance.percent }
    : { points: 'points' in distance ? distance.points : distance.price };

/** @throws InputError if it is no time */
export function timeOf(value: unknown): ExitTime | undefined {
  return value === undefined || value === '' ? undefined : parseTimeOrInstant(value, 'exitTime', 'Exit Time');
}
