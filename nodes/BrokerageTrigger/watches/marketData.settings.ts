/** Reads the fields of a trigger on market data. */
import type { ITriggerFunctions } from 'n8n-workflow';
import { InputError } from '../../../client/base/errors';
import { MARKET_FIGURES, type MarketFigure, type FigureLimit } from '../../../client/stream/market-data/market-filter';
import { STREAM_INTERVALS, type StreamInterval } from '../../../client/stream/market-data/market-data';
import { oneOf, wholeNumber } from '../../../client/values/input';
import { rupeesToPaise, type MoneyUnit } from '../../../client/values/money';
import { readDecimal, readGroup, parameterOf, readSeconds, unitOf, type ParameterGroup } from './parameters';

const MARKET_DATA = ['candle', 'chain', 'depth', 'greeks', 'tick'] as const;
export type MarketDataKind = (typeof MARKET_DATA)[number];

export interface MarketSettings {
  kind: MarketDataKind;
  interval: StreamInterval;
  levels: number;
  everyMs: number;
  limits: FigureLimit[];
  unit: MoneyUnit;
}

/** Figures of each kind of data; a filter on anything else would let nothing through. */
const FIGURES_OF: Record<MarketDataKind, readonly MarketFigure[]> = {
  candle: ['price', 'change', 'volume'],
  chain: MARKET_FIGURES,
  depth: ['price', 'volume'],
  greeks: MARKET_FIGURES,
  tick: ['price', 'change', 'volume', 'openInterest'],
};

const NAMES: Record<MarketFigure, { field: string; label: string; hint: string }> = {
  price: { field: 'Price', label: 'Price', hint: '' },
  change: {
    field: 'Change',
    label: 'Change',
    hint: 'Market depth has no change. Choose other data, or remove the filter.',
  },
  volume: { field: 'Volume', label: 'Volume', hint: '' },
  iv: {
    field: 'Iv',
    label: 'IV',
    hint: 'Only Greeks and Option Chain have it. Choose one of them, or remove the filter.',
  },
  delta: {
    field: 'Delta',
    label: 'Delta',
    hint: 'Only Greeks and Option Chain have it. Choose one of them, or remove the filter.',
  },
  openInterest: {
    field: 'OpenInterest',
    label: 'Open Interest',
    hint: 'Prices, Greeks and Option Chain have it. Choose one of them, or remove the filter.',
  },
};

/** @throws InputError that names the parameter. */
export function readMarketSettings(n8n: ITriggerFunctions): MarketSettings {
  const kind = oneOf(parameterOf(n8n, 'marketData', 'tick'), MARKET_DATA, 'marketData', 'Data');
  const filters = readGroup(n8n, 'filters');
  return {
    kind,
    interval: oneOf(parameterOf(n8n, 'interval', '5m'), STREAM_INTERVALS, 'interval', 'Interval'),
    levels: wholeNumber(parameterOf(n8n, 'levels', 5), 'levels', { label: 'Levels', min: 1, max: 20 }),
    everyMs: readSeconds(parameterOf(n8n, 'marketEvery', 10), 'marketEvery', 'At Most Every', 0.1),
    limits: MARKET_FIGURES.flatMap((figure) => readLimit(filters, figure, kind) ?? []),
    unit: unitOf(readGroup(n8n, 'options')),
  };
}

function readLimit(filters: ParameterGroup, figure: MarketFigure, kind: MarketDataKind): FigureLimit | undefined {
  const { field, label, hint } = NAMES[figure];
  const bound = (name: string, words: string): number | undefined => {
    const value = filters[name];
    if (value === undefined) return undefined;
    if (!FIGURES_OF[kind].includes(figure))
      throw new InputError(`${label} is not in the chosen data.`, { parameter: name, hint });
    return figure === 'price' ? rupeesToPaise(value, name, { label: words }) : readDecimal(value, name, words);
  };
  const min = bound(`min${field}`, `${label} at Least`);
  const max = bound(`max${field}`, `${label} at Most`);
  if (min === undefined && max === undefined) return undefined;
  if (min !== undefined && max !== undefined && min > max)
    throw new InputError(`${label} at Least must not be above ${label} at Most.`, { parameter: `min${field}` });
  return { figure, min: min ?? -Infinity, max: max ?? Infinity };
}
