/** Indicators and crossings: their fields, and what was chosen in them. */
import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../../../client/base/errors';
import type { IndicatorCrossing } from '../../../../client/indicators/crossings';
import { defaultName, INDICATORS, requireIndicator, type Indicator } from '../../../../client/indicators/indicators';
import type { NamedIndicator } from '../../../../client/indicators/output';
import { plainDecimal, showValue } from '../../../../client/values/input';
import type { ItemContext } from '../../common/itemContext';
import type { ParameterReader } from '../../../shared/parameters';

const MAX_PERIOD = 500;
const MAX_ROWS = 30;

/** The period that most charts use. */
const USUAL_PERIOD = {
  adx: 14,
  atr: 14,
  bollinger: 20,
  ema: 20,
  rsi: 14,
  sma: 20,
  supertrend: 10,
  volume: 20,
} as const;

// One field with one default: of several fields of one name, the editor fills a new row from the last, whatever its indicator.
const periodField: INodeProperties = {
  displayName: 'Period',
  name: 'period',
  type: 'number',
  typeOptions: { minValue: 0, maxValue: MAX_PERIOD },
  default: 0,
  displayOptions: { show: { indicator: Object.keys(USUAL_PERIOD) } },
  description:
    'How many bars it looks back. 0 takes the usual: 14 for RSI, ATR and ADX, 20 for SMA, EMA, Bollinger Bands and Volume, 10 for Supertrend.',
};

const ofMacd = (displayName: string, name: string, value: number, description: string): INodeProperties => ({
  displayName,
  name,
  type: 'number',
  typeOptions: { minValue: 1, maxValue: MAX_PERIOD },
  default: value,
  displayOptions: { show: { indicator: ['macd'] } },
  description,
});

const factor = (kind: string, displayName: string, name: string, value: number, description: string) =>
  ({
    displayName,
    name,
    type: 'number',
    typeOptions: { minValue: 0.1, maxValue: 20, numberPrecision: 2 },
    default: value,
    displayOptions: { show: { indicator: [kind] } },
    description,
  }) as const satisfies INodeProperties;

export const indicatorsField: INodeProperties = {
  displayName: 'Indicators',
  name: 'indicators',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true },
  placeholder: 'Add indicator',
  default: {},
  description: 'What is calculated for each bar',
  options: [
    {
      displayName: 'Indicator',
      name: 'entries',
      values: [
        {
          displayName: 'Indicator',
          name: 'indicator',
          type: 'options',
          options: [
            { name: 'ADX', value: 'adx', description: 'Strength of a trend, 0 to 100, with +DI and -DI' },
            { name: 'ATR', value: 'atr', description: 'Average true range: how far a bar moves' },
            { name: 'Bollinger Bands', value: 'bollinger', description: 'Average close with a band above and below' },
            { name: 'EMA', value: 'ema', description: 'Exponential moving average of the close' },
            { name: 'MACD', value: 'macd', description: 'Fast EMA less slow EMA, its signal line and the difference' },
            { name: 'RSI', value: 'rsi', description: 'Relative strength index, 0 to 100' },
            { name: 'SMA', value: 'sma', description: 'Simple moving average of the close' },
            { name: 'Supertrend', value: 'supertrend', description: 'Trailing line, and whether the trend is up' },
            {
              name: 'Volume',
              value: 'volume',
              description: 'Average volume, and how many times it the volume of the bar is. An index has none.',
            },
            {
              name: 'VWAP',
              value: 'vwap',
              description: 'Volume-weighted average price of the day so far. Needs intraday bars; an index has none.',
            },
          ],
          default: 'rsi',
          description: 'Which indicator to add',
        },
        periodField,
        ofMacd('Fast Period', 'fastPeriod', 12, 'Bars of the fast average'),
        ofMacd('Slow Period', 'slowPeriod', 26, 'Bars of the slow average'),
        ofMacd('Signal Period', 'signalPeriod', 9, 'Bars of the signal line'),
        factor('bollinger', 'Deviations', 'deviations', 2, 'Standard deviations from the average to each band'),
        factor('supertrend', 'Multiplier', 'multiplier', 3, 'How many average true ranges the line keeps away'),
        {
          displayName: 'Output Name',
          name: 'name',
          type: 'string',
          default: '',
          placeholder: 'e.g. rsi_14',
          description: 'The name of the value in the output. Leave empty for a name such as rsi_14 or ema_50.',
        },
      ],
    },
  ],
};

export const crossingsField: INodeProperties = {
  displayName: 'Crossings',
  name: 'crossings',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true },
  placeholder: 'Add crossing',
  default: {},
  description:
    'Tells whether one value crossed above or below another at this bar, such as ema_20 and ema_50, or rsi_14 and 30',
  options: [
    {
      displayName: 'Crossing',
      name: 'entries',
      values: [
        {
          displayName: 'Value',
          name: 'line',
          type: 'string',
          default: '',
          placeholder: 'e.g. rsi_14',
          description: 'The name of an indicator in the output, or close, open, high, low or volume',
        },
        {
          displayName: 'Crosses',
          name: 'other',
          type: 'string',
          default: '',
          placeholder: 'e.g. 30',
          description: 'A number, or another name',
        },
      ],
    },
  ],
};

/** A factor such as 2.5. @throws InputError outside 0.1 to 20. */
function factorOf(row: ParameterReader, name: string): number {
  const value = row.raw(name);
  const number = plainDecimal(value) === undefined ? NaN : Number(value);
  if (number >= 0.1 && number <= 20) return number;
  throw new InputError(`${row.label(name)} must be a number from 0.1 to 20, but is ${showValue(value)}.`, {
    parameter: name,
  });
}

function indicatorOf(row: ParameterReader): Indicator {
  const kind = row.choice('indicator', INDICATORS);
  const whole = (name: string, min = 1) => row.whole(name, { min, max: MAX_PERIOD });
  const period = (usual: number, min = 1) => (whole('period', 0) === 0 ? usual : whole('period', min));
  switch (kind) {
    case 'vwap':
      return { kind };
    case 'macd':
      return { kind, fast: whole('fastPeriod'), slow: whole('slowPeriod'), signal: whole('signalPeriod') };
    case 'bollinger':
      return { kind, period: period(USUAL_PERIOD[kind], 2), deviations: factorOf(row, 'deviations') };
    case 'supertrend':
      return { kind, period: period(USUAL_PERIOD[kind]), multiplier: factorOf(row, 'multiplier') };
    case 'adx':
    case 'rsi':
      return { kind, period: period(USUAL_PERIOD[kind], 2) };
    default:
      return { kind, period: period(USUAL_PERIOD[kind]) };
  }
}

function requireFew(rows: readonly ParameterReader[], name: string, label: string): void {
  if (rows.length > MAX_ROWS)
    throw new InputError(`${label} has ${rows.length} entries; one node takes at most ${MAX_ROWS}.`, {
      parameter: name,
      hint: 'Remove some, or use a second node for the rest.',
    });
}

/** The chosen indicators with their names. @throws InputError if there is none, or one is not as it should be. */
export function indicatorsOf(item: ItemContext): NamedIndicator[] {
  const rows = item.rows('indicators', 'entries');
  if (rows.length === 0)
    throw new InputError('No indicator is chosen.', { parameter: 'indicators', hint: 'Add one, such as RSI.' });
  requireFew(rows, 'indicators', item.label('indicators'));
  return rows.map((row) => {
    const indicator = indicatorOf(row);
    requireIndicator(indicator);
    return { name: row.optionalText('name') ?? defaultName(indicator), indicator };
  });
}

/** Returns the crossings to look for. @throws InputError for an empty field. */
export function crossingsOf(item: ItemContext): IndicatorCrossing[] {
  const rows = item.rows('crossings', 'entries');
  requireFew(rows, 'crossings', item.label('crossings'));
  return rows.map((row) => {
    const other = row.raw('other');
    return { line: row.text('line'), other: typeof other === 'number' ? String(other) : row.text('other') };
  });
}
