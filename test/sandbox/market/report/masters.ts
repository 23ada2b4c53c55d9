/** Lists of the sandbox beside a real instrument master of August 2026. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Market } from '../../../../sandbox/src/market/prices/types';
import { figure, type Figure } from './figures';

/** Path of that master under the real data. */
export const REAL_MASTER = 'instruments/instruments_all_exchanges_202608.json.gz';
/** The day on which it was taken, and the one whose ticks follow from closes that the tables have. */
const [TAKEN, AFTER_TABLES] = ['2026-08-19', '2026-08-24'];
const IST = 19_800_000;

interface Row {
  segment: string;
  instrument_type: string;
  trading_symbol: string;
  asset_symbol?: string;
  /** Paise. */
  tick_size: number;
  /** Milliseconds. */
  expiry?: number;
}

/**
 * Compares what is listed with a real master.
 * @param path of the master, JSON in gzip
 */
export function mastersOf(market: Market, path: string): Figure[] {
  const rows = JSON.parse(gunzipSync(readFileSync(path)).toString()) as Row[];
  const source = `a master of August 2026 with ${rows.length} instruments`;
  return [
    figure(
      'ticks of shares of NSE as in the real master, share',
      ticks(market, rows),
      0.95,
      1,
      // NSE sets a share's tick once a month, of its close at the end of that before; here, as in the specification, it is the last
      // close's.
      `${source}; others: 8 funds of gold (5 paise), and shares of which most are near a step, as NSE sets ticks once a month`,
    ),
    figure('expiries of futures of MCX as in the real master, share', expiries(market, rows), 0.9, 1, source),
  ];
}

function ticks(market: Market, rows: readonly Row[]): number {
  const listed = new Map(
    [...market.universe(Date.parse(`${AFTER_TABLES}T12:00:00+05:30`)).all('NSE', ['STOCK'])].map((instrument) => [
      instrument.symbol,
      instrument.tickSize,
    ]),
  );
  const known = rows.filter(
    (row) => row.segment === 'NSE_EQ' && row.instrument_type === 'EQ' && listed.has(row.trading_symbol),
  );
  return known.filter((row) => listed.get(row.trading_symbol) === row.tick_size).length / known.length;
}

/** Of the expiries of either side, for the commodities that both list, the share that both have. */
function expiries(market: Market, rows: readonly Row[]): number {
  const ours = new Set(
    [...market.universe(Date.parse(`${TAKEN}T12:00:00+05:30`)).all('MCX', ['FUT'])].map(
      ({ asset, expiry }) => `${asset} ${expiry}`,
    ),
  );
  const real = new Set(
    rows
      .filter((row) => row.segment === 'MCX_FO' && row.instrument_type === 'FUT')
      .map(
        (row) => `${row.asset_symbol} ${new Date(row.expiry! + IST).toISOString().slice(0, 10).replaceAll('-', '')}`,
      ),
  );
  const assets = (of: ReadonlySet<string>): Set<string> => new Set([...of].map((name) => name.split(' ')[0]!));
  const [inOurs, inReal] = [assets(ours), assets(real)];
  const all = [...new Set([...ours, ...real])].filter((name) => {
    const [asset] = name.split(' ') as [string];
    return inOurs.has(asset) && inReal.has(asset);
  });
  return all.filter((name) => ours.has(name) && real.has(name)).length / all.length;
}
