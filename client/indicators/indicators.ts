/** The indicators: their inputs and the names of their values. */
import { InputError } from '../base/errors';
import { warmUpTime, ema, sma, wholeSma, type IndicatorValues } from './averages';
import { adx, atr, bollinger, macd, rsi, supertrend, vwap, type Bar } from './formulas';

/** The indicators by their internal names. */
export const INDICATORS = [
  'adx',
  'atr',
  'bollinger',
  'ema',
  'macd',
  'rsi',
  'sma',
  'supertrend',
  'volume',
  'vwap',
] as const;

/** An indicator with its parameters. */
export type Indicator =
  | { kind: 'adx' | 'atr' | 'ema' | 'rsi' | 'sma' | 'volume'; period: number }
  | { kind: 'bollinger'; period: number; deviations: number }
  | { kind: 'macd'; fast: number; slow: number; signal: number }
  | { kind: 'supertrend'; period: number; multiplier: number }
  | { kind: 'vwap' };

/** One line of an indicator. */
export interface IndicatorLine {
  values: IndicatorValues;
  /** Unit of the values: paise, plain numbers, or 1 for up and −1 for down. */
  unit: 'price' | 'number' | 'direction';
}

/** @throws InputError for a fast average that is not faster. */
export function requireIndicator(indicator: Indicator): void {
  if (indicator.kind === 'macd' && indicator.fast >= indicator.slow)
    throw new InputError(
      `The fast period of MACD (${indicator.fast}) must be below the slow one (${indicator.slow}).`,
      {
        parameter: 'fastPeriod',
        hint: 'Usual are 12 and 26.',
      },
    );
}

/** A number within a name: 2.5 as 2_5. */
const word = (number: number): string => String(number).replace('.', '_');

/** Returns the default name of an indicator's values: rsi_14, bollinger_20_2, volume_sma_20. */
export function defaultName(indicator: Indicator): string {
  const { kind } = indicator;
  if (kind === 'vwap') return kind;
  if (kind === 'macd') return ['macd', indicator.fast, indicator.slow, indicator.signal].join('_');
  if (kind === 'bollinger') return `${kind}_${indicator.period}_${word(indicator.deviations)}`;
  if (kind === 'supertrend') return `${kind}_${indicator.period}_${word(indicator.multiplier)}`;
  if (kind === 'volume') return `volume_sma_${indicator.period}`;
  return `${kind}_${indicator.period}`;
}

/** Bars that all lines of an indicator need for their first value. */
export function minBars(indicator: Indicator): number {
  switch (indicator.kind) {
    case 'rsi':
      return indicator.period + 1;
    case 'adx':
      return 2 * indicator.period - 1;
    case 'macd':
      return indicator.slow + indicator.signal - 1;
    case 'vwap':
      return 1;
    default:
      return indicator.period;
  }
}

/** Returns the number of bars after which the start of the history makes no difference (a millionth of the value). */
export function warmUpBars(indicator: Indicator): number {
  switch (indicator.kind) {
    case 'ema':
      return Math.max(indicator.period, warmUpTime(2 / (indicator.period + 1)));
    case 'macd':
      return warmUpTime(2 / (indicator.slow + 1)) + warmUpTime(2 / (indicator.signal + 1));
    case 'atr':
    case 'rsi':
      return indicator.period + 1 + warmUpTime(1 / indicator.period);
    case 'adx':
    case 'supertrend':
      return 2 * (indicator.period + warmUpTime(1 / indicator.period));
    default:
      return minBars(indicator);
  }
}

/** Returns each value divided by the other one; null where one is unknown or the divisor is 0. */
function ratios(values: IndicatorValues, divisors: IndicatorValues): IndicatorValues {
  return values.map((value, at) => {
    const divisor = divisors[at] ?? 0;
    return value === null || divisor === 0 ? null : value / divisor;
  });
}

/**
 * Returns the lines of an indicator, one value for each bar.
 * @param name name of the lines; further lines have it in front: macd_12_26_9_signal.
 */
export function linesOf(indicator: Indicator, bars: readonly Bar[], name: string): Record<string, IndicatorLine> {
  const price = (values: IndicatorValues): IndicatorLine => ({ values, unit: 'price' });
  const number = (values: IndicatorValues): IndicatorLine => ({ values, unit: 'number' });
  switch (indicator.kind) {
    case 'sma':
    case 'ema': {
      const average = indicator.kind === 'sma' ? sma : ema;
      return {
        [name]: price(
          average(
            bars.map(({ close }) => close),
            indicator.period,
          ),
        ),
      };
    }
    case 'rsi':
      return { [name]: number(rsi(bars, indicator.period)) };
    case 'atr':
      return { [name]: price(atr(bars, indicator.period)) };
    case 'volume': {
      const volumes = bars.map(({ volume }) => volume);
      const average = wholeSma(volumes, indicator.period);
      return { [name]: number(average), [`${name}_ratio`]: number(ratios(volumes, average)) };
    }
    case 'vwap':
      return { [name]: price(vwap(bars)) };
    case 'adx': {
      const lines = adx(bars, indicator.period);
      return {
        [name]: number(lines.adx),
        [`${name}_plus_di`]: number(lines.plus),
        [`${name}_minus_di`]: number(lines.minus),
      };
    }
    case 'bollinger': {
      const { upper, middle, lower } = bollinger(bars, indicator.period, indicator.deviations);
      return { [`${name}_upper`]: price(upper), [`${name}_middle`]: price(middle), [`${name}_lower`]: price(lower) };
    }
    case 'macd': {
      const lines = macd(bars, indicator.fast, indicator.slow, indicator.signal);
      return {
        [name]: price(lines.macd),
        [`${name}_signal`]: price(lines.signal),
        [`${name}_histogram`]: price(lines.histogram),
      };
    }
    case 'supertrend': {
      const { line, direction } = supertrend(bars, indicator.period, indicator.multiplier);
      return { [name]: price(line), [`${name}_direction`]: { values: direction, unit: 'direction' } };
    }
  }
}
