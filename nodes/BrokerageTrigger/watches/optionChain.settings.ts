/** Reads the fields of an alert on a whole option chain. */
import type { ITriggerFunctions } from 'n8n-workflow';
import { InputError } from '../../../client/base/errors';
import type { AlertRule, MoveRule } from '../../../client/stream/market-data/alert-rules';
import { ALERT_REPEATS, type AlertSettings } from '../../../client/stream/market-data/instrument-alerts';
import { oneOf, wholeNumber } from '../../../client/values/input';
import type { MoneyUnit } from '../../../client/values/money';
import { readDecimal, readGroup, parameterOf, unitOf } from './parameters';

/** Figures of a chain; each is judged as a whole number of such parts of its unit. */
export const CHAIN_SCALES = {
  atmIv: 100,
  callInterestChange: 1,
  callStrike: 100,
  ivRank: 100,
  maxPain: 100,
  putCallRatio: 10_000,
  putInterestChange: 1,
  putStrike: 100,
  skew: 100,
  straddlePrice: 100,
} as const;
export type ChainFigure = keyof typeof CHAIN_SCALES;

/** Figures that are money: rupees in the fields, paise where they are judged. */
export const CHAIN_MONEY: ReadonlySet<ChainFigure> = new Set(['callStrike', 'maxPain', 'putStrike', 'straddlePrice']);
/** Those that are one of the strikes, so that any other value is a change. */
const STRIKES: ReadonlySet<ChainFigure> = new Set(['callStrike', 'maxPain', 'putStrike']);
/** Figures that may be 0 or negative, so that a percentage is meaningless. */
const SIGNED: ReadonlySet<ChainFigure> = new Set(['callInterestChange', 'ivRank', 'putInterestChange', 'skew']);

const CONDITIONS = ['changes', 'crossesAbove', 'crossesBelow', 'entersBand', 'leavesBand', 'moves'] as const;
export type ChainCondition = (typeof CONDITIONS)[number];

export interface OptionChainSettings extends AlertSettings {
  figure: ChainFigure;
  condition: ChainCondition;
  /** Days of trading before today with which IV is compared. */
  ivDays: number;
  unit: MoneyUnit;
}

/** @throws InputError that names the parameter. */
export function readOptionChainSettings(n8n: ITriggerFunctions): OptionChainSettings {
  const options = readGroup(n8n, 'options');
  const figures = Object.keys(CHAIN_SCALES) as ChainFigure[];
  const figure = oneOf(parameterOf(n8n, 'chainFigure', 'putCallRatio'), figures, 'chainFigure', 'Chain Figure');
  const condition = oneOf(
    parameterOf(n8n, 'chainCondition', 'crossesAbove'),
    CONDITIONS,
    'chainCondition',
    'Condition',
  );
  const rearm = scaled(options.chainRearm ?? 0, figure, 'chainRearm', 'Re-Arm Distance of the Figure');
  if (rearm < 0)
    throw new InputError('Re-Arm Distance of the Figure must not be below 0.', { parameter: 'chainRearm' });
  return {
    figure,
    condition,
    rule: readRule(n8n, figure, condition, rearm),
    repeat: oneOf(parameterOf(n8n, 'chainRepeat', 'onceADay'), ALERT_REPEATS, 'chainRepeat', 'Alert'),
    ivDays: wholeNumber(options.ivDays ?? 30, 'ivDays', { label: 'Days of IV Rank', min: 2, max: 60 }),
    unit: unitOf(options),
  };
}

function readRule(
  n8n: ITriggerFunctions,
  figure: ChainFigure,
  condition: ChainCondition,
  rearm: number,
): AlertRule | MoveRule {
  const value = (name: string, label: string): number => scaled(parameterOf(n8n, name, 0), figure, name, label);
  switch (condition) {
    case 'changes':
      if (!STRIKES.has(figure))
        throw new InputError('Changes is for strikes and max pain, which are one of the strikes.', {
          parameter: 'chainCondition',
          hint: 'Choose Moves by Percent for another figure.',
        });
      // The least that any strike is away from the next is more than a hundredth of a percent.
      return { kind: 'moves', hundredths: 1, direction: 'both' };
    case 'moves':
      return readMove(n8n, figure, rearm);
    case 'crossesAbove':
    case 'crossesBelow':
      return { kind: condition, level: value('chainLevel', 'Level of the Figure'), rearm };
    default: {
      const [low, high] = [value('chainLow', 'Lower Value'), value('chainHigh', 'Higher Value')];
      if (low >= high) throw new InputError('Lower Value must be below Higher Value.', { parameter: 'chainLow' });
      if (condition === 'leavesBand' && 2 * rearm > high - low)
        throw new InputError('Re-Arm Distance is so large that the figure could never be back in the band.', {
          parameter: 'chainRearm',
          hint: 'Choose less than half of the width of the band.',
        });
      return { kind: condition, low, high, rearm };
    }
  }
}

function readMove(n8n: ITriggerFunctions, figure: ChainFigure, rearm: number): AlertRule | MoveRule {
  if (SIGNED.has(figure))
    throw new InputError('This figure can be 0 or negative, so a percentage of it has no meaning.', {
      parameter: 'chainCondition',
      hint: 'Choose a level or a band.',
    });
  const direction = oneOf(
    parameterOf(n8n, 'chainDirection', 'both'),
    ['up', 'down', 'both'] as const,
    'chainDirection',
    'Direction',
  );
  const percent = readDecimal(parameterOf(n8n, 'chainPercent', 5), 'chainPercent', 'Percent of the Figure');
  const hundredths = Math.round(percent * 100);
  if (!(hundredths > 0) || Math.abs(percent * 100 - hundredths) > 1e-6)
    throw new InputError('Percent of the Figure must be above 0 and have two decimals at most.', {
      parameter: 'chainPercent',
    });
  const from = oneOf(
    parameterOf(n8n, 'chainFrom', 'lastAlert'),
    ['lastAlert', 'open'] as const,
    'chainFrom',
    'Measured From',
  );
  return from === 'lastAlert'
    ? { kind: 'moves', hundredths, direction }
    : { kind: 'movesFrom', from, price: 0, hundredths, direction, rearm };
}

/** Returns a figure's value, scaled for judging. @throws InputError for more decimals than the figure has */
function scaled(value: unknown, figure: ChainFigure, parameter: string, label: string): number {
  const scale = CHAIN_SCALES[figure];
  const number = readDecimal(value, parameter, label) * scale;
  const whole = Math.round(number);
  if (!Number.isSafeInteger(whole) || Math.abs(number - whole) > 1e-6)
    throw new InputError(
      scale === 1
        ? `${label} must be a whole number.`
        : `${label} has more than ${Math.log10(scale)} decimals, which this figure does not have.`,
      { parameter },
    );
  return whole;
}
