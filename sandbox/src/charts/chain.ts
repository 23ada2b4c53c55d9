import type { ExchangeCode, Instrument, Market, Universe } from '../market/types';
import { point, seriesOf, shown, type Field, type Span } from './series';

/** Fields that a whole chain has by itself; the rest is that of its underlying. */
const AGGREGATES = new Set<Field>([
  'tick_volume',
  'cumulative_volume',
  'cumulative_oi',
  'cumulative_call_oi',
  'cumulative_put_oi',
  'cumulative_fut_oi',
]);

/**
 * The points of type CHAIN: prices of the underlying, volume and open interest summed over the options of the nearest
 * expiry and all futures. Undefined when there is no such chain.
 */
export function chainSeries(market: Market, universe: Universe, exchange: ExchangeCode, asset: string, span: Span, fields: readonly Field[]): string | undefined {
  const expiry = universe.expiries(exchange, asset)[0];
  if (expiry === undefined) return undefined;
  const { ce, pe } = universe.options(exchange, asset, expiry);
  const futures = universe.futures(exchange, asset);
  const refId = ce[0]?.underlyingRefId ?? pe[0]?.underlyingRefId;
  const underlying = refId == null ? undefined : universe.byRefId(refId);
  if (underlying === undefined) return undefined;
  const bars = market.bars(underlying, span.interval, span.from, span.to, span.at);
  const own = fields.filter((field) => !AGGREGATES.has(field));
  const prices = own.length === 0 ? {} : (JSON.parse(seriesOf(market, underlying, span, own)) as Record<string, { v: number }[]>);
  let day = '';
  let volume = 0;
  const columns = fields.map(() => [] as string[]);
  for (const [index, bar] of bars.entries()) {
    const end = Math.min(span.at, bars[index + 1]?.at ?? span.at);
    const date = new Date(bar.at + 19_800_000).toISOString().slice(0, 10);
    const traded = sum([...ce, ...pe], (option) => market.volume(option, bar.at, end));
    volume = date === day ? volume + traded : traded;
    day = date;
    for (const [column, field] of fields.entries()) {
      const value = AGGREGATES.has(field) ? aggregate(field, traded, volume, (of) => sum(of, (option) => market.openInterest(option, end - 1))) : prices[field]?.[index]?.v;
      if (value !== undefined) columns[column]!.push(point(bar.at, value));
    }
  }
  return shown(fields, columns);

  function aggregate(field: Field, traded: number, all: number, interest: (of: Instrument[]) => number): number {
    switch (field) {
      case 'tick_volume':
        return traded;
      case 'cumulative_volume':
        return all;
      case 'cumulative_call_oi':
        return interest(ce);
      case 'cumulative_put_oi':
        return interest(pe);
      case 'cumulative_fut_oi':
        return interest(futures);
      default:
        return interest([...ce, ...pe]);
    }
  }
}

function sum(instruments: Instrument[], of: (instrument: Instrument) => number): number {
  return instruments.reduce((total, instrument) => total + of(instrument), 0);
}
