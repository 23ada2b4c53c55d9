/** Small instrument lists of NSE and BSE, made of rows as the service sends them. */
import type { Instrument } from '../../../client/instruments/instrument';
import { exchangeInName } from '../../../client/instruments/names/written-name';
import { resolveText } from '../../../client/instruments/resolve';
import type { InstrumentStore } from '../../../client/instruments/store';
import { storeOf } from './support';

/** YYYY-MM-DD. */
export const TODAY = '2026-11-20';

interface Row {
  symbol: string;
  exchange?: string;
  asset?: string;
  type?: string;
  name?: string;
  series?: string;
  isin?: string;
  token?: number;
  expiry?: number;
  strike?: number;
  option?: string;
}

/** A store of rows as the service sends them; `name` takes the place of the symbol where the service's name is one. */
export function storeOfRows(exchange: string, rows: readonly Row[]): InstrumentStore {
  const refdata = rows.map((row, at) => ({
    ref_id: at + 1,
    stock_name: row.symbol,
    asset: row.asset ?? row.symbol,
    derivative_type: row.type ?? 'STOCK',
    asset_type: row.type === 'INDEX' ? 'INDEX' : 'STOCK',
    plat_name: `${row.type ?? 'STOCK'}_${row.symbol}.${exchange}CM`,
    series: row.series ?? (row.type === undefined ? (exchange === 'BSE' ? 'A' : 'EQ') : ''),
    isin: row.isin ?? 'NA',
    token: row.token ?? 100_000 + at,
    expiry: row.expiry ?? 0,
    strike_price: row.strike ?? 0,
    option_type: row.option ?? 'NA',
    lot_size: 75,
    tick_size: 5,
    underlying_prev_close: 2_585_000,
  }));
  return storeOf(Buffer.from(JSON.stringify({ exchange, refdata })));
}

/** A row of an option; expiry as 20261231, strike in paise. */
export const option = (asset: string, symbol: string, expiry: number, strike: number, type: string): Row => ({
  symbol,
  asset,
  type: 'OPT',
  expiry,
  strike,
  option: type,
});
/** A row of a future. */
export const future = (asset: string, symbol: string, expiry: number): Row => ({ symbol, asset, type: 'FUT', expiry });

/** The list of NSE. */
export const NSE = storeOfRows('NSE', [
  { symbol: 'INFY', isin: 'INE009A01021' },
  { symbol: 'RELIABLE', isin: 'INE999A01019' },
  { symbol: 'RELIANCE', isin: 'INE002A01018' },
  { symbol: 'M&M', isin: 'INE101A01026' },
  { symbol: 'BAJAJ-AUTO', isin: 'INE917I01010' },
  { symbol: 'J&KBANK', isin: 'INE168A01041' },
  { symbol: 'NAM-INDIA', isin: 'INE298J01013' },
  { symbol: 'UNITDSPR', isin: 'INE854D01024' },
  { symbol: 'BSE', isin: 'INE118H01025' },
  { symbol: 'MCX', isin: 'INE745G01043' },
  { symbol: 'ABCSME', series: 'SM' },
  ...['NIFTY', 'BANKNIFTY', 'FINNIFTY', 'MIDCPNIFTY', 'NIFTYNXT50', 'NIFTY500', 'NIFTYIT'].map((symbol) => ({
    symbol,
    type: 'INDEX',
  })),
  future('NIFTY', 'NIFTY26NOVFUT', 20261126),
  future('NIFTY', 'NIFTY26DECFUT', 20261229),
  future('NIFTY', 'NIFTY27JANFUT', 20270126),
  future('BANKNIFTY', 'BANKNIFTY26NOVFUT', 20261126),
  future('BSE', 'BSE26DECFUT', 20261229),
  future('MCX', 'MCX26DECFUT', 20261229),
  future('M&M', 'M&M26DECFUT', 20261229),
  option('NIFTY', 'NIFTY26N2325850CE', 20261123, 2_585_000, 'CE'),
  option('NIFTY', 'NIFTY26NOV25850CE', 20261126, 2_585_000, 'CE'),
  option('NIFTY', 'NIFTY26D0825900CE', 20261208, 2_590_000, 'CE'),
  option('NIFTY', 'NIFTY26DEC25850CE', 20261229, 2_585_000, 'CE'),
  option('NIFTYNXT50', 'NIFTYNXT5026NOV72000CE', 20261124, 7_200_000, 'CE'),
  option('IDEA', 'IDEA26DEC19CE', 20261229, 1_900, 'CE'),
  option('IDEA', 'IDEA26DEC9.5CE', 20261229, 950, 'CE'),
  option('IDEA', 'IDEA26DEC19PE', 20261229, 1_900, 'PE'),
  option('SAIL', 'SAIL26DEC95CE', 20261229, 9_500, 'CE'),
  option('BSE', 'BSE26DEC3300PE', 20261229, 330_000, 'PE'),
  option('MCX', 'MCX26DEC9000CE', 20261229, 900_000, 'CE'),
]);
const BSE = storeOfRows('BSE', [
  { symbol: 'INFY', isin: 'INE009A01021', token: 500_209 },
  { symbol: 'RELIANCE', isin: 'INE002A01018', token: 500_325 },
  { symbol: 'SENSEX', type: 'INDEX' },
  { symbol: 'BANKEX', type: 'INDEX' },
  future('SENSEX', 'SENSEX26DECFUT', 20261231),
]);
export const STORES = [NSE, BSE];

/** Resolves a name as the node does: the exchange that the name says for certain decides which list is looked at. */
export function resolveName(text: string): Instrument {
  const exchange = exchangeInName(text);
  return resolveText(exchange === undefined ? STORES : STORES.filter((store) => store.exchange === exchange), text, {
    today: TODAY,
  });
}
