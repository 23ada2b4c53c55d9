/** Reads the fields of a price alert. */
import type { ITriggerFunctions } from 'n8n-workflow';
import { InputError } from '../../../client/base/errors';
import {
  ALERT_REPEATS,
  type AlertSettings,
  type AlertRepeat,
} from '../../../client/stream/market-data/instrument-alerts';
import type { AlertRule, ExtremeSince, MoveDistance, MoveRule } from '../../../client/stream/market-data/alert-rules';
import { DAY_LEVELS } from '../../../client/market/day-levels';
import { oneOf, plainDecimal, wholeNumber } from '../../../client/values/input';
import { rupeesToPaise, type MoneyUnit } from '../../../client/values/money';
import { parseDayOrInstant } from '../../../client/values/time';
import { MAX_AVERAGE_DAYS, MAX_RANGE_MINUTES } from './priceAlert.fields';
import { readGroup, parameterOf, readSeconds, unitOf } from './parameters';

export interface PriceAlertSettings extends AlertSettings {
  /** As the panel has it. */
  condition: Condition;
  /** Milliseconds between two prices over REST while the stream brings none. */
  everyMs: number;
  unit: MoneyUnit;
}

const CONDITIONS = ['crossesAbove', 'crossesBelow', 'entersBand', 'fallsBy', 'leavesBand', 'moves', 'risesBy'] as const;
type Condition = (typeof CONDITIONS)[number];
const MEASURED_FROM = ['lastAlert', 'open', 'previousClose', 'price'] as const;
const LEVEL_FROM = ['open', 'previousClose', 'price', ...DAY_LEVELS] as const;
type LevelFrom = (typeof LEVEL_FROM)[number];
type MeasuredFrom = (typeof MEASURED_FROM)[number];

/** The version of the node from which on *Alert* says how often, and the item tells where its price came from. */
export const REPEAT_VERSION = 1.1;
/** The version from which on a level may come from the market's data. */
const LEVELS_VERSION = 1.2;

/** @throws InputError that names the parameter. */
export function readAlertSettings(n8n: ITriggerFunctions): PriceAlertSettings {
  const options = readGroup(n8n, 'options');
  const condition = oneOf(parameterOf(n8n, 'condition', 'crossesAbove'), CONDITIONS, 'condition', 'Condition');
  return {
    condition,
    rule: readRule(n8n, condition, rupeesToPaise(options.rearm ?? 0, 'rearm', { label: 'Re-Arm Distance' })),
    repeat: readRepeat(n8n),
    everyMs: readSeconds(options.askEvery ?? 5, 'askEvery', 'Ask Every', 1),
    unit: unitOf(options),
  };
}

function readRepeat(n8n: ITriggerFunctions): AlertRepeat {
  if (n8n.getNode().typeVersion < REPEAT_VERSION) return parameterOf(n8n, 'once', false) === true ? 'once' : 'always';
  return oneOf(parameterOf(n8n, 'repeat', 'always'), ALERT_REPEATS, 'repeat', 'Alert');
}

function readRule(n8n: ITriggerFunctions, kind: Condition, rearm: number): AlertRule | MoveRule {
  if (kind === 'fallsBy' || kind === 'risesBy') return readTurn(n8n, kind, rearm);
  if (kind === 'moves') return readMove(n8n, rearm);
  if (kind === 'crossesAbove' || kind === 'crossesBelow') {
    const from = readLevelFrom(n8n);
    if (from !== 'price') return levelRule(n8n, from, kind === 'crossesAbove' ? 'up' : 'down', rearm);
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

function readLevelFrom(n8n: ITriggerFunctions): LevelFrom {
  if (n8n.getNode().typeVersion < LEVELS_VERSION) return 'price';
  return oneOf(parameterOf(n8n, 'levelFrom', 'price'), LEVEL_FROM, 'levelFrom', 'Level From');
}

/** A level of the market's data. It must be passed: a price that equals it, as the first one does the day's open, is no alert. */
function levelRule(
  n8n: ITriggerFunctions,
  from: Exclude<LevelFrom, 'price'>,
  direction: 'up' | 'down',
  rearm: number,
): MoveRule {
  const days = (): number =>
    wholeNumber(parameterOf(n8n, 'averageDays', 20), 'averageDays', {
      label: 'Days of the Average',
      min: 2,
      max: MAX_AVERAGE_DAYS,
    });
  const minutes = (): number =>
    wholeNumber(parameterOf(n8n, 'rangeMinutes', 15), 'rangeMinutes', {
      label: 'Minutes of the Range',
      min: 1,
      max: MAX_RANGE_MINUTES,
    });
  const isRange = from === 'openingRangeHigh' || from === 'openingRangeLow';
  const span = from === 'movingAverage' ? { span: days() } : isRange ? { span: minutes() } : {};
  return { kind: 'movesFrom', from, price: 0, ...span, points: 1, direction, rearm };
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
  return moveFrom(n8n, from, { hundredths }, direction, rearm);
}

/** The order of the fields stays: a rule is told from another by its text, and what is remembered of it belongs to that. */
function moveFrom(
  n8n: ITriggerFunctions,
  from: MeasuredFrom,
  by: MoveDistance,
  direction: MoveRule['direction'],
  rearm: number,
): AlertRule | MoveRule {
  if (from === 'lastAlert') return { kind: 'moves', ...by, direction };
  const price = from === 'price' ? rupees(n8n, 'fromPrice', 'From Price') : 0;
  return { kind: 'movesFrom', from, price, ...by, direction, rearm };
}

/** A fall or a rise by a distance. */
function readTurn(n8n: ITriggerFunctions, kind: 'fallsBy' | 'risesBy', rearm: number): AlertRule | MoveRule {
  const unit = oneOf(
    parameterOf(n8n, 'distanceIn', 'percent'),
    ['percent', 'rupees'] as const,
    'distanceIn',
    'Distance In',
  );
  const by: MoveDistance =
    unit === 'rupees'
      ? { points: rupees(n8n, 'distance', 'Distance') }
      : { hundredths: readPercent(parameterOf(n8n, 'distance'), 'distance', 'Distance') };
  const turnsFrom = parameterOf(n8n, 'turnsFrom', 'extreme');
  const from = oneOf(turnsFrom, [...MEASURED_FROM, 'extreme'] as const, 'turnsFrom', 'Measured From');
  if (from !== 'extreme') return moveFrom(n8n, from, by, kind === 'fallsBy' ? 'down' : 'up', rearm);
  return { kind: kind === 'fallsBy' ? 'fallsFromHighest' : 'risesFromLowest', since: readSince(n8n), ...by, rearm };
}

function readSince(n8n: ITriggerFunctions): ExtremeSince {
  const since = oneOf(
    parameterOf(n8n, 'since', 'publication'),
    ['day', 'entry', 'publication', 'time'] as const,
    'since',
    'Since',
  );
  if (since !== 'time') return since;
  return parseDayOrInstant(parameterOf(n8n, 'sinceTime'), 'sinceTime', 'Since Time', n8n.getTimezone());
}

function rupees(n8n: ITriggerFunctions, name: string, label: string): number {
  const paise = rupeesToPaise(parameterOf(n8n, name), name, { label });
  if (paise === 0)
    throw new InputError(`${label} must be above 0.`, {
      parameter: name,
      hint: 'Enter a price in rupees, such as 1510.',
    });
  return paise;
}

/** A percentage with up to two decimals, in hundredths of a percent. */
function readPercent(value: unknown, parameter = 'percent', label = 'Percent'): number {
  const digits = plainDecimal(value);
  const hundredths =
    digits === undefined || digits.negative || digits.fraction.length > 2
      ? NaN
      : Number(`${digits.whole}${digits.fraction.padEnd(2, '0')}`);
  if (!(hundredths > 0)) throw new InputError(`${label} must be above 0 and have two decimals at most.`, { parameter });
  return hundredths;
}
