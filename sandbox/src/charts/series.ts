import type { Bar, Instrument, Market } from '../market/types';

export const FIELDS = [
  'open',
  'high',
  'low',
  'close',
  'tick_volume',
  'cumulative_volume',
  'cumulative_volume_premium',
  'cumulative_oi',
  'cumulative_call_oi',
  'cumulative_put_oi',
  'cumulative_fut_oi',
  'l1bid',
  'l1ask',
  'theta',
  'delta',
  'gamma',
  'vega',
  'iv_bid',
  'iv_ask',
  'iv_mid',
  'cumulative_volume_delta',
] as const;
export type Field = (typeof FIELDS)[number];

/** What is asked for: bars of an interval that start in [from, to), as they stand at `at`; milliseconds. */
export interface Span {
  interval: string;
  from: number;
  to: number;
  at: number;
}

const GREEKS = new Set<Field>(['theta', 'delta', 'gamma', 'vega', 'iv_bid', 'iv_ask', 'iv_mid']);
const QUOTES = new Set<Field>(['l1bid', 'l1ask', 'iv_bid', 'iv_ask']);
const DAY_MS = 86_400_000;
const OFFSET_MS = 19_800_000;

/** The points of an instrument's fields as JSON text: an object keyed by field name (specification: Historical candle response). */
export function seriesOf(market: Market, instrument: Instrument, span: Span, fields: readonly Field[]): string {
  const bars = market.bars(instrument, span.interval, span.from, span.to, span.at);
  const quoted = fields.some((field) => QUOTES.has(field)) && instrument.derivativeType !== 'INDEX';
  const greek = fields.some((field) => GREEKS.has(field)) && instrument.derivativeType === 'OPT';
  const columns = fields.map(() => [] as string[]);
  const sums = new Sums();
  for (const [index, bar] of bars.entries()) {
    sums.add(bar);
    const end = Math.min(span.at, bars[index + 1]?.at ?? span.at) - 1;
    const seen = Math.max(bar.at, Math.min(end, bar.at + lengthOf(span.interval) - 1));
    const quote = quoted ? bestQuote(market, instrument, bar, seen) : undefined;
    const greeks = greek ? market.greeks(instrument, seen) : undefined;
    for (const [column, field] of fields.entries()) {
      const value = valueOf(field, instrument, bar, sums, quote, greeks);
      if (value !== undefined) columns[column]!.push(point(bar.at, value));
    }
  }
  return shown(fields, columns);
}

/** One object keyed by field name, each with its points. */
export function shown(fields: readonly Field[], columns: string[][]): string {
  return `{${fields.map((field, index) => `"${field}":[${columns[index]!.join(',')}]`).join(',')}}`;
}

/** A point: nanoseconds of the start of the bar, and the value. */
export function point(at: number, value: number): string {
  return `{"ts":${at}000000,"v":${value}}`;
}

/** Milliseconds that a bar of an interval covers at most. */
function lengthOf(interval: string): number {
  const units: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS, mth: 31 * DAY_MS };
  const [, count = '1', unit = 'm'] = /^(\d+)([a-z]+)$/.exec(interval) ?? [];
  return Number(count) * (units[unit] ?? DAY_MS);
}

/** Sums that begin anew with each day in India. */
export class Sums {
  volume = 0;
  /** Paise. */
  turnover = 0;
  /** Volume of rising bars less that of falling ones. */
  delta = 0;
  private day = NaN;

  add({ at, open, close, volume }: Bar): void {
    const day = Math.floor((at + OFFSET_MS) / DAY_MS);
    if (day !== this.day) Object.assign(this, { day, volume: 0, turnover: 0, delta: 0 });
    this.volume += volume;
    this.turnover += volume * close;
    this.delta += Math.sign(close - open) * volume;
  }
}

function bestQuote(market: Market, instrument: Instrument, bar: Bar, at: number): { bid: number; ask: number } {
  const { bids, asks } = market.depth(instrument, at, bar.close, 1);
  return { bid: bids[0]?.price ?? bar.close, ask: asks[0]?.price ?? bar.close };
}

/** The value of a field; undefined where the instrument has none. */
function valueOf(
  field: Field,
  { derivativeType }: Instrument,
  bar: Bar,
  sums: Sums,
  quote: { bid: number; ask: number } | undefined,
  greeks: ReturnType<Market['greeks']> | undefined,
): number | undefined {
  const derivative = derivativeType === 'OPT' || derivativeType === 'FUT';
  /** Paise off the middle, as a change of volatility (vega is rupees a percentage point). */
  const volatility = (paise: number): number | undefined => greeks && greeks.iv + (greeks.vega === 0 ? 0 : paise / 100 / greeks.vega / 100);
  switch (field) {
    case 'open':
    case 'high':
    case 'low':
    case 'close':
      return bar[field];
    case 'tick_volume':
      return bar.volume;
    case 'cumulative_volume':
      return sums.volume;
    case 'cumulative_volume_premium':
      return sums.turnover;
    case 'cumulative_volume_delta':
      return sums.delta;
    case 'cumulative_oi':
      return derivative ? bar.openInterest : undefined;
    case 'cumulative_fut_oi':
      return derivativeType === 'FUT' ? bar.openInterest : undefined;
    case 'cumulative_call_oi':
    case 'cumulative_put_oi':
      return undefined;
    case 'l1bid':
      return quote?.bid;
    case 'l1ask':
      return quote?.ask;
    case 'iv_mid':
      return greeks?.iv;
    case 'iv_bid':
      return quote && volatility(quote.bid - bar.close);
    case 'iv_ask':
      return quote && volatility(quote.ask - bar.close);
    default:
      return greeks?.[field];
  }
}
