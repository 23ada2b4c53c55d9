/** The models by which orders meet the market, as options name them: a name, and its numbers after colons. */
import { datedFees, fixedFees, NO_FEES, percentFees, type FeeModel } from '../accounts/fee-models';
import { FILL_MODELS, withParticipation, type FillModel } from '../exchange/models/fill';
import { fixedSlippage, NO_IMPACT, SQUARE_ROOT, volumeShare, type ImpactModel } from '../exchange/models/impact';
import type { OrderLatency } from '../exchange/models/latency';
import { OptionError } from '../shared/option-error';
import { latencyOf } from './latency';
import type { SandboxOptions } from './options';
import { tariffOf } from './tariff';

/** Models of latency, fills, impact and fees. */
export interface ExecutionModels {
  latency: OrderLatency;
  fill: FillModel;
  impact: ImpactModel;
  fees: FeeModel;
}

/** Descriptions of the models for a report. */
export type ModelWords = Record<'fill' | 'impact' | 'latency' | 'charges', string>;

type ModelOptions = Pick<SandboxOptions, 'fill' | 'impact' | 'fees' | 'latency' | 'tariff'>;

/** Hundredths of a percent that a fixed slippage takes where none are told. */
const SLIPPAGE = 5;
const MAX_SLIPPAGE = 1_000;
/** Of a volume share where none are told: the percent above which nothing is added, and what a whole minute pushes. */
const SHARE = { limit: 2.5, impact: 0.1 };
const MAX_RUPEES = 100_000;
const MAX_PERCENT = 10;

/** @throws OptionError that names the option and its choices */
export function modelsOf(options: ModelOptions): ExecutionModels {
  return {
    latency: latencyOf(options.latency),
    fill: fillModel(options.fill),
    impact: impactModel(options.impact),
    fees: feeModel(options),
  };
}

export function modelWords({ fill, impact, fees }: ExecutionModels, latency: string): ModelWords {
  return {
    fill: fill.words,
    impact: impact.words,
    latency: `${latency}: orders take that long to the exchange`,
    charges: fees.words,
  };
}

/** Returns the lines that `--check` prints of them. */
export function modelLines(options: ModelOptions): string {
  const { fill, impact, latency, charges } = modelWords(modelsOf(options), options.latency);
  return [`Fill: ${fill}.`, `Impact: ${impact}.`, `Latency: ${latency}.`, `Charges: ${charges}.`].join('\n');
}

function fillModel(option: string): FillModel {
  const { name, numbers } = partsOf('--fill', option, 1);
  const model = Object.entries(FILL_MODELS).find(([known]) => known === name)?.[1];
  if (model === undefined) throw unknown('--fill', option, 'queue, touch or through, each also as queue:10');
  const [percent] = numbers;
  return percent === undefined ? model : withParticipation(model, bounded('--fill', option, percent, 100));
}

function impactModel(option: string): ImpactModel {
  const { name, numbers } = partsOf('--impact', option, 2);
  const [first, second] = numbers;
  if (name === 'square-root' && first === undefined) return SQUARE_ROOT;
  if (name === 'none' && first === undefined) return NO_IMPACT;
  if (name === 'fixed' && second === undefined)
    return fixedSlippage(bounded('--impact', option, first ?? SLIPPAGE, MAX_SLIPPAGE));
  if (name === 'volume-share' && (first === undefined || second !== undefined))
    return volumeShare(
      bounded('--impact', option, first ?? SHARE.limit, 100),
      bounded('--impact', option, second ?? SHARE.impact, 1),
    );
  throw unknown('--impact', option, 'square-root, volume-share, volume-share:2.5:0.1, fixed, fixed:5 or none');
}

function feeModel({ fees: option, tariff }: ModelOptions): FeeModel {
  const { name, numbers } = partsOf('--fees', option, 1);
  const [number] = numbers;
  if (name === 'dated' && number === undefined)
    return tariff === undefined ? datedFees() : datedFees(tariffOf(tariff), `by ${tariff}`);
  if (tariff !== undefined)
    throw new OptionError(`--tariff goes with --fees dated: leave out --tariff, or --fees ${option}.`);
  if (name === 'none' && number === undefined) return NO_FEES;
  if (name === 'fixed' && number !== undefined)
    return fixedFees(whole('--fees', option, bounded('--fees', option, number, MAX_RUPEES), 100));
  if (name === 'percent' && number !== undefined) {
    whole('--fees', option, bounded('--fees', option, number, MAX_PERCENT), 100_000);
    return percentFees(number);
  }
  throw unknown('--fees', option, 'dated, fixed:20, percent:0.03 or none');
}

/** A name and the numbers after it. */
function partsOf(name: string, option: string, max: number): { name: string; numbers: number[] } {
  const [model = '', ...texts] = option.split(':');
  if (texts.length > max || texts.some((text) => !/^\d{1,9}(\.\d{1,9})?$/.test(text)))
    throw new OptionError(`${name} ${option}: after a model come at most ${max} numbers, each after a colon.`);
  return { name: model, numbers: texts.map(Number) };
}

function bounded(name: string, option: string, number: number, max: number): number {
  if (number > 0 && number <= max) return number;
  throw new OptionError(`${name} ${option}: a number must be above 0 and at most ${max}.`);
}

/** A number as a count of whole parts; `parts` of them make one. */
function whole(name: string, option: string, number: number, parts: number): number {
  const found = Math.round(number * parts);
  if (Math.abs(found - number * parts) < 1e-6) return found;
  throw new OptionError(`${name} ${option}: the number may have at most ${String(parts).length - 1} decimals.`);
}

function unknown(name: string, option: string, known: string): OptionError {
  return new OptionError(`${name} must be ${known}, not "${option}".`);
}
