/** Reads the fields of a price alert. */
import type { ITriggerFunctions } from 'n8n-workflow';
import { InputError } from '../../../client/base/errors';
import {
  ALERT_REPEATS,
  type AlertSettings,
  type AlertRepeat,
} from '../../../client/stream/market-data/instrument-alerts';
import type { AlertKind, AlertRule, MoveRule } from '../../../client/stream/market-data/alert-rules';
import { oneOf, plainDecimal } from '../../../client/values/input';
import { rupeesToPaise, type MoneyUnit } from '../../../client/values/money';
import { group, parameterOf, seconds, unitOf } from './parameters';

export interface PriceAlertSettings extends AlertSettings {
  /** Milliseconds between two prices over REST while the stream brings none. */
  everyMs: number;
  unit: MoneyUnit;
}

const CONDITIONS: readonly AlertKind[] = ['crossesAbove', 'crossesBelow', 'entersBand', 'leavesBand', 'moves'];
const MEASURED_FROM = ['lastAlert', 'open', 'previousClose', 'price'] as const;

/** The version of the node from which on *Alert* says how often, and the item tells where its price came from. */
export const REPEAT_VERSION = 1.1;

/** @throws InputError that names the parameter. */
export function readAlertSettings(n8n: ITriggerFunctions): PriceAlertSettings {
  const options = group(n8n, 'options');
  return {
    rule: readRule(n8n, rupeesToPaise(options.rearm ?? 0, 'rearm', { label: 'Re-Arm Distance' })),
    repeat: readRepeat(n8n),
    everyMs: seconds(options.askEvery ?? 5, 'askEvery', 'Ask Every', 1),
    unit: unitOf(options),
  };
}

function readRepeat(n8n: ITriggerFunctions): AlertRepeat {
  if (n8n.getNode().typeVersion < REPEAT_VERSION) return parameterOf(n8n, 'once', false) === true ? 'once' : 'always';
  return oneOf(parameterOf(n8n, 'repeat', 'always'), ALERT_REPEATS, 'repeat', 'Alert');
}

function readRule(n8n: ITriggerFunctions, rearm: number): AlertRule | MoveRule {
  const kind = oneOf(parameterOf(n8n, 'condition', 'crossesAbove'), CONDITIONS, 'condition', 'Condition');
  if (kind === 'moves') return readMove(n8n, rearm);
  if (kind === 'crossesAbove' || kind === 'crossesBelow') {
    const level = rupees(n8n, 'level', 'Level');
    if (kind === 'crossesAbove' && rearm >= level) {
      throw new InputError('Re-Arm Distance is so large that the price could never go back by it.', {
        parameter: 'rearm',
        hint: 'Choose less than the level.',
      });
    }
    return { kind, level, rearm };
  }
  const [low, high] = [rupees(n8n, 'low', 'Low'), rupees(n8n, 'high', 'High')];
  if (low >= high) throw new InputError('Low must be below High.', { parameter: 'low' });
  if (kind === 'leavesBand' && 2 * rearm > high - low) {
    throw new InputError('Re-Arm Distance is so large that the price could never be back in the band.', {
      parameter: 'rearm',
      hint: 'Choose less than half of the width of the band.',
    });
  }
  return { kind, low, high, rearm };
}

function readMove(n8n: ITriggerFunctions, rearm: number): AlertRule | MoveRule {
  const direction = oneOf(
    parameterOf(n8n, 'direction', 'both'),
    ['up', 'down', 'both'] as const,
    'direction',
    'Direction',
  );
  const hundredths = readPercent(parameterOf(n8n, 'percent'));
  const from = oneOf(parameterOf(n8n, 'measuredFrom', 'lastAlert'), MEASURED_FROM, 'measuredFrom', 'Measured From');
  if (from === 'lastAlert') return { kind: 'moves', hundredths, direction };
  const price = from === 'price' ? rupees(n8n, 'fromPrice', 'From Price') : 0;
  return { kind: 'movesFrom', from, price, hundredths, direction, rearm };
}

function rupees(n8n: ITriggerFunctions, name: string, label: string): number {
  const paise = rupeesToPaise(parameterOf(n8n, name), name, { label });
  if (paise === 0) throw new InputError(`${label} must be above 0.`, { parameter: name });
  return paise;
}

/** A percentage with up to two decimals, in hundredths of a percent. */
function readPercent(value: unknown): number {
  const digits = plainDecimal(value);
  const hundredths =
    digits === undefined || digits.negative || digits.fraction.length > 2
      ? NaN
      : Number(`${digits.whole}${digits.fraction.padEnd(2, '0')}`);
  if (!(hundredths > 0))
    throw new InputError('Percent must be above 0 and have two decimals at most.', { parameter: 'percent' });
  return hundredths;
}
