import type { AssetCatalog, Underlying } from './catalog';
import type { Expiry } from './contracts';
import { equities, indexMembers, indices, type EquityRow } from './dated-tables';

/** Listed part of the exchanges: `demo` for a start in no time, `full` for everything. */
export type UniverseSize = 'demo' | 'full';

export interface ListedScope {
  nse: readonly number[];
  bse: readonly number[];
  indices: readonly number[];
  underlyings: readonly Underlying[];
  hasCash(exchange: 'NSE' | 'BSE', row: number): boolean;
  hasIndex(row: number): boolean;
  hasUnderlying(underlying: Underlying): boolean;
  /**
   * Number of strikes on either side of the prices since listing, and the number of steps between them; null for none at all.
   * @param position of the expiry, from the nearest
   * @param isNearestMonth true if it is the nearest that is no weekly one
   */
  strikes(
    underlying: Underlying,
    cycle: Expiry['cycle'],
    position: number,
    isNearestMonth: boolean,
  ): { count: number; every: number } | null;
}

const DEMO_CASH = 480;
const DEMO_INDICES = 30;
/** Underlyings of the demo universe: how many expiries of options (the nearest monthly one beside them), and strikes on either side. */
const DEMO: Record<string, [number, number]> = {
  'NSE NIFTY': [4, 18],
  'NSE BANKNIFTY': [2, 15],
  'NSE FINNIFTY': [1, 12],
  'NSE MIDCPNIFTY': [1, 12],
  'BSE SENSEX': [3, 15],
  'BSE BANKEX': [1, 10],
  'NSE RELIANCE': [2, 8],
  'NSE INFY': [2, 8],
  'NSE TCS': [1, 8],
  'NSE HDFCBANK': [1, 8],
  'NSE ICICIBANK': [1, 8],
  'NSE SBIN': [1, 8],
  'NSE ITC': [1, 8],
  'NSE TATASTEEL': [1, 8],
  'NSE AXISBANK': [0, 0],
  'NSE BHARTIARTL': [0, 0],
  'NSE LT': [0, 0],
  'NSE MARUTI': [0, 0],
  'MCX CRUDEOIL': [1, 10],
  'MCX NATURALGAS': [1, 8],
  'MCX GOLD': [1, 8],
  'MCX SILVER': [1, 8],
  'MCX GOLDM': [0, 0],
  'MCX SILVERM': [0, 0],
  'MCX COPPER': [0, 0],
  'MCX ZINC': [0, 0],
};

/** Strikes either side in the full universe, by kind and cycle: of indices, stocks and commodities. */
const FULL: Record<Underlying['kind'], Record<Expiry['cycle'], { count: number; every: number }>> = {
  INDEX: { week: { count: 55, every: 1 }, month: { count: 60, every: 1 }, long: { count: 12, every: 20 } },
  STOCK: { week: { count: 20, every: 1 }, month: { count: 20, every: 1 }, long: { count: 12, every: 1 } },
  COMMODITY: { week: { count: 40, every: 1 }, month: { count: 70, every: 1 }, long: { count: 40, every: 1 } },
};

const name = (underlying: Underlying): string => `${underlying.exchange} ${underlying.symbol}`;

/** Rows of the stocks of the demo universe: members of the main indices, then those that trade most. */
function demoRows(catalog: AssetCatalog): number[] {
  const members = new Set(indexMembers().flatMap((entry) => entry.members.map((member) => member.symbol)));
  const turnover = (row: EquityRow) => row.close * row.volume;
  const rank = equities()
    .map((row, i) => ({ row, i }))
    .filter(({ row }) => row.symbol !== '')
    .sort(
      (a, b) =>
        Number(members.has(b.row.symbol)) - Number(members.has(a.row.symbol)) || turnover(b.row) - turnover(a.row),
    );
  const needed = catalog.underlyings
    .filter((underlying) => underlying.kind === 'STOCK' && name(underlying) in DEMO)
    .map((underlying) => underlying.row);
  return [...new Set([...needed, ...rank.map(({ i }) => i)])].slice(0, DEMO_CASH).sort((a, b) => a - b);
}

export function scopeOf(catalog: AssetCatalog, size: UniverseSize): ListedScope {
  const rows = equities();
  const full = size === 'full';
  const nse = full ? rows.flatMap((row, i) => (row.symbol === '' ? [] : [i])) : demoRows(catalog);
  const bse = (full ? rows.map((_, i) => i) : nse).filter((i) => (rows[i] as EquityRow).bseSymbol !== '');
  const listed = indices()
    .map((_, i) => i)
    .slice(0, full ? undefined : DEMO_INDICES);
  const underlyings = catalog.underlyings.filter((underlying) => full || name(underlying) in DEMO);
  const sets = { NSE: new Set(nse), BSE: new Set(bse), index: new Set(listed), underlying: new Set(underlyings) };
  return {
    nse,
    bse,
    indices: listed,
    underlyings,
    hasCash: (exchange, row) => sets[exchange].has(row),
    hasIndex: (row) => sets.index.has(row),
    hasUnderlying: (underlying) => sets.underlying.has(underlying),
    strikes(underlying, cycle, position, isNearestMonth) {
      if (full) return FULL[underlying.kind][cycle];
      const [expiries, count] = DEMO[name(underlying)] ?? [0, 0];
      return expiries > 0 && (position < expiries || isNearestMonth) ? { count, every: 1 } : null;
    },
  };
}
