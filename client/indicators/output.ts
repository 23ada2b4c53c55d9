/** Formats bars with their indicators for the user. */
import { InputError } from '../base/errors';
import type { Environment } from '../session/settings';
import type { MoneyUnit } from '../values/money';
import { NoPriceError } from '../values/market-price';
import { toIst } from '../values/time';
import type { IndicatorValues } from './averages';
import { findCrossings, crossingName, type IndicatorCrossing } from './crossings';
import { barEnd, type BarHistory, type BarLength } from './history';
import type { Bar } from './formulas';
import { minBars, linesOf, warmUpBars, type Indicator, type IndicatorLine } from './indicators';

/** An indicator with its name. */
export interface NamedIndicator {
  name: string;
  indicator: Indicator;
}

/** The requested analysis of a history. */
export interface IndicatorAnalysis {
  exchange: string;
  length: BarLength;
  environment: Environment;
  indicators: readonly NamedIndicator[];
  crossings: readonly IndicatorCrossing[];
  unit: MoneyUnit;
  /** Number of bars to return, the newest ones; Infinity for all. */
  count: number;
  /** True if the incomplete bar is included in the calculation and in the result. */
  withOpenBar: boolean;
}

/** One bar with its indicators: flat, with names of one's own. */
export type AnalysedBar = Record<string, string | number | boolean | null>;

const BAR_FIELDS = ['open', 'high', 'low', 'close', 'volume'] as const;
const TAKEN = new Set<string>([
  ...BAR_FIELDS,
  ...[
    'symbol',
    'exchange',
    'interval',
    'time',
    'ends_at',
    'closed',
    'bars_used',
    'settled',
    'bars_left_out',
    'no_price_reason',
  ],
]);

/** Checks the names. @throws InputError for a name that cannot be a field, is one already, or is the name of two lines. */
export function requireNames(indicators: readonly NamedIndicator[]): void {
  const seen = new Set(TAKEN);
  for (const { name, indicator } of indicators) {
    if (!/^[A-Za-z]\w{0,59}$/.test(name))
      throw new InputError(`"${name.slice(0, 60)}" cannot be the name of an indicator.`, {
        parameter: 'name',
        hint: 'Use letters, digits and underscores, and begin with a letter.',
      });
    for (const line of Object.keys(linesOf(indicator, [], name))) {
      if (seen.has(line))
        throw new InputError(`Two values would be called ${line}.`, {
          parameter: 'name',
          hint: 'Remove the indicator that is there twice, or give one of them an Output Name.',
        });
      seen.add(line);
    }
  }
}

function requireEnough({ symbol }: BarHistory, used: number, { indicators, length }: IndicatorAnalysis): void {
  for (const { name, indicator } of indicators) {
    const required = minBars(indicator);
    if (used >= required) continue;
    throw new InputError(
      `${symbol} has too few closed bars of ${length} for ${name}: ${used}, and it needs ${required}.`,
      {
        parameter: 'indicators',
        hint: 'Choose a shorter period or another interval. The service has 3 months of intraday bars and 10 years of daily, weekly and monthly bars.',
      },
    );
  }
}

function requirePricedEnd(
  { symbol, lastClosedAt }: BarHistory,
  used: readonly Bar[],
  { length }: IndicatorAnalysis,
): void {
  const last = used.at(-1)?.at;
  if (lastClosedAt === undefined || (last !== undefined && last >= lastClosedAt)) return;
  throw new NoPriceError(`The last closed bar of ${symbol} (${length}, ${toIst(lastClosedAt)}) has no price.`, {
    parameter: 'interval',
    hint: 'Try again later, or choose another interval.',
  });
}

/** Beyond this many decimals a figure says nothing. */
const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

function shownLine({ values, unit }: IndicatorLine, at: number, scale: number): string | number | null {
  const value = values[at] ?? null;
  if (value === null) return null;
  if (unit === 'direction') return value > 0 ? 'up' : 'down';
  return rounded(unit === 'price' ? value / scale : value);
}

/**
 * Returns the newest bars of an instrument with their indicators and crossings.
 * @throws InputError if there are too few bars for an indicator, or a crossing names an unknown line; NoPriceError if only the last
 * complete bar is requested and it has no price: an earlier bar must not replace it.
 */
export function analyse(history: BarHistory, analysis: IndicatorAnalysis): AnalysedBar[] {
  const { exchange, length, environment, indicators, crossings, count } = analysis;
  const used = analysis.withOpenBar ? history.bars : history.bars.slice(0, history.closed);
  if (count === 1) requirePricedEnd(history, used, analysis);
  requireEnough(history, used.length, analysis);
  const scale = analysis.unit === 'rupees' ? 100 : 1;
  const lines = indicators.flatMap(({ name, indicator }) => Object.entries(linesOf(indicator, used, name)));
  const numbers = new Map<string, IndicatorValues>([
    ...BAR_FIELDS.map(
      (field) => [field, used.map((bar) => scaled(bar[field], field === 'volume' ? 1 : scale))] as const,
    ),
    ...lines.map(
      ([name, { values, unit }]) => [name, values.map((value) => scaled(value, unit === 'price' ? scale : 1))] as const,
    ),
  ]);
  const crossedBars = crossings.map((crossing) => ({ crossing, bars: findCrossings(crossing, numbers) }));
  const confirmed = Math.max(1, ...indicators.map(({ indicator }) => warmUpBars(indicator)));
  const first = count === Infinity ? 0 : Math.max(0, used.length - count);
  return used.slice(first).map((bar, index) => {
    const at = first + index;
    const row: AnalysedBar = {
      symbol: history.symbol,
      exchange,
      interval: length,
      time: toIst(bar.at),
      ends_at: toIst(barEnd(length, bar.at, exchange, environment)),
      closed: at < history.closed,
    };
    for (const field of BAR_FIELDS) row[field] = numbers.get(field)![at] ?? null;
    for (const [name, line] of lines) row[name] = shownLine(line, at, scale);
    for (const { crossing, bars } of crossedBars) {
      row[crossingName(crossing, 'above')] = bars.above[at] ?? null;
      row[crossingName(crossing, 'below')] = bars.below[at] ?? null;
    }
    row.bars_used = at + 1;
    row.settled = at + 1 >= confirmed;
    const leftOut = history.unpriced.filter((began) => began < bar.at).length;
    if (leftOut > 0) row.bars_left_out = leftOut;
    if (leftOut > 0)
      row.no_price_reason = `${leftOut} of the bars before it ${leftOut === 1 ? 'has' : 'have'} no price.`;
    return row;
  });
}

const scaled = (value: number | null, scale: number): number | null => (value === null ? null : value / scale);
