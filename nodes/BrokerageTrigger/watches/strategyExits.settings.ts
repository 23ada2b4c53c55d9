/** Reads the fields of exits of a strategy. */
import type { ITriggerFunctions } from 'n8n-workflow';
import { InputError } from '../../../client/base/errors';
import type { ProfitDistance, StrategyExitInput } from '../../../client/exit-emulation/strategy-exits';
import type { Product, TradedInstrument } from '../../../client/orders/model/order-terms';
import { filledText, oneOf } from '../../../client/values/input';
import type { MoneyUnit } from '../../../client/values/money';
import { amountOf, readProducts, requireExit, requireTrail, timeOf } from './heldExits.settings';
import { readGroup, splitList, parameterOf, unitOf } from './parameters';

export interface StrategyExitSettings {
  exits: StrategyExitInput;
  /** Symbols, underlyings or ref_ids, in capitals: at least one. */
  legs: readonly string[];
  /** All where it is empty. */
  products: readonly Product[];
  /** Of amounts in the output. */
  unit: MoneyUnit;
}

/** @throws InputError that names the parameter. */
export function readStrategyExits(n8n: ITriggerFunctions): StrategyExitSettings {
  const fields = readGroup(n8n, 'strategyExits');
  const exitsIn = oneOf(fields.exitsIn ?? 'profit', ['profit', 'percent'] as const, 'exitsIn', 'Exits Given As');
  const read = (name: string, label: string): ProfitDistance | undefined => {
    const amount = amountOf(fields, name, label, exitsIn === 'percent');
    if (amount === undefined) return undefined;
    return exitsIn === 'percent' ? { percent: amount } : { profit: amount };
  };
  const stop = read('stopLoss', 'Stop Loss');
  const target = read('target', 'Target');
  const trail = read('trailingStop', 'Trailing Stop');
  const trailAfter = read('trailAfter', 'Start Trailing After');
  requireTrail(trail, trailAfter);
  const time = timeOf(fields.exitTime);
  const exits = {
    ...(stop && { stop }),
    ...(target && { target }),
    ...(trail && { trail }),
    ...(trailAfter && { trailAfter }),
    ...(time && { time }),
  };
  requireExit(exits, 'strategyExits');
  const legs = splitList(parameterOf(n8n, 'strategyLegs', '')).map((name) =>
    filledText(name, 'strategyLegs', { label: 'Legs' }).toUpperCase(),
  );
  if (legs.length === 0)
    throw new InputError('No leg is named: the trigger would close nothing.', {
      parameter: 'strategyLegs',
      hint: 'Enter an underlying such as NIFTY, or the symbols of the legs.',
    });
  return {
    exits,
    legs: [...new Set(legs)].sort(),
    products: readProducts(n8n),
    unit: unitOf(readGroup(n8n, 'options')),
  };
}

/** Returns true if an instrument is named, by its symbol, its underlying or its ref_id. */
export function isNamed({ symbol, asset, refId }: TradedInstrument, legs: readonly string[]): boolean {
  return [symbol, asset, String(refId)].some((name) => legs.includes(name.toUpperCase()));
}
