import type { AssetCatalog } from '../reference/catalog';
import { dayNumber, MONTHS, dateParts } from '../../shared/dates';
import { equities, indices } from '../reference/dated-tables';
import type { NamedInstrument } from './instrument-names';

/** Names of futures and options that tell their expiry, as exchanges, brokers, charts and vendors write them. */

const AROUND = /^(?:(NSE|BSE|NFO|BFO)[:_])?(.+?)(?:\.(NFO|BFO|NSE|BSE))?$/;
/** The exchange's own: NIFTY2031210450CE of a week, NIFTY20MAR10450CE and NIFTY20MARFUT of a month. */
const WEEKLY = /^([A-Z&-]+)(\d\d[1-9OND]\d\d)(\d{1,6}(?:\.\d{1,2})?)(CE|PE)$/;
const MONTHLY =
  /^([A-Z&-]+)(\d\d(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC))(?:(\d{1,6}(?:\.\d{1,2})?)(CE|PE)|FUT)$/;
/** With the whole date: NIFTY12MAR2010450CE, NIFTY26MAR20FUT. */
const DATED =
  /^([A-Z&-]+)(\d\d)(JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)(\d\d)(?:(\d{1,6}(?:\.\d{1,2})?)(CE|PE)|FUT)$/;
/** As charts write it: NIFTY200312C10450. */
const CHARTED = /^([A-Z&-]+)(\d\d)(\d\d)(\d\d)([CP])(\d{1,6}(?:\.\d{1,2})?)$/;
const MAX_LENGTH = 40;
const WEEK = 7;

/**
 * The future or option of a name, under its symbol on the exchange; undefined where the name does not tell its expiry, or its underlying
 * has no contracts here.
 */
export function contractNamed(catalog: AssetCatalog, name: string): NamedInstrument | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const [, before, bare = '', behind] = AROUND.exec(name.trim().toUpperCase()) ?? [];
  const exchange = /^B/.test(before ?? behind ?? '') ? 'BSE' : 'NSE';
  const namedContract = nearest(catalog, exchange, exactly(bare), dated(bare));
  if (namedContract === undefined || catalog.underlying(exchange, namedContract.asset) === undefined) return undefined;
  return { exchange, symbol: namedContract.symbol };
}

interface Contract {
  asset: string;
  symbol: string;
  /** Of an option. */
  strike: number | undefined;
}

/**
 * The one of two readings whose strike is nearer to the known price of the underlying: TCS30JAN201800CE is the strike 1800 of 30
 * January 2020, and not 201800 of January 2030.
 */
function nearest(
  catalog: AssetCatalog,
  exchange: 'NSE' | 'BSE',
  exact: Contract | undefined,
  dated: Contract | undefined,
): Contract | undefined {
  if (exact?.strike === undefined || dated?.strike === undefined) return exact ?? dated;
  const row = catalog.indexRowOf.get(`${exchange} ${exact.asset}`);
  const share = (exchange === 'NSE' ? catalog.equityRowOf : catalog.bseRowOf).get(exact.asset);
  const close = row !== undefined ? indices()[row]!.close : share !== undefined ? equities()[share]!.close : undefined;
  if (close === undefined) return exact;
  const distance = ({ strike }: Contract): number => Math.abs(Math.log((strike! * 100) / close));
  return distance(dated) < distance(exact) ? dated : exact;
}

/** The future or option of an underlying by its expiry. @param strike rupees. @returns undefined where it has no contracts here */
export function contractOn(
  catalog: AssetCatalog,
  { exchange, symbol }: NamedInstrument,
  { year, month, date }: { year: number; month: number; date: number },
  option: { strike: number; type: 'CE' | 'PE' } | undefined,
): NamedInstrument | undefined {
  if (catalog.underlying(exchange, symbol) === undefined) return undefined;
  const namedContract = contract(
    symbol,
    codeOf(year % 100, month, date),
    option && String(option.strike),
    option?.type,
  );
  return { exchange, symbol: namedContract.symbol };
}

function exactly(name: string): Contract | undefined {
  const [, asset, code, strike, type] = WEEKLY.exec(name) ?? MONTHLY.exec(name) ?? [];
  return asset === undefined || code === undefined ? undefined : contract(asset, code, strike, type);
}

function dated(name: string): Contract | undefined {
  const [, asset, day, word, year, strike, type] = DATED.exec(name) ?? [];
  // A strike of 0 is a month of another year: TCS25NOV3000CE.
  if (asset !== undefined && Number(strike ?? 1) > 0)
    return contract(asset, codeOf(Number(year), MONTHS.indexOf(word!) + 1, Number(day)), strike, type);
  const [, other, yy, month, date, side, level] = CHARTED.exec(name) ?? [];
  if (other === undefined || Number(month) > 12) return undefined;
  return contract(other, codeOf(Number(yy), Number(month), Number(date)), level, side === 'C' ? 'CE' : 'PE');
}

function contract(asset: string, code: string, strike: string | undefined, type: string | undefined): Contract {
  return {
    asset,
    symbol: `${asset}${code}${strike === undefined ? 'FUT' : `${Number(strike)}${type}`}`,
    strike: strike === undefined ? undefined : Number(strike),
  };
}

/** 20MAR for the last expiry of a month, 20312 for one before it. @param year of two digits */
function codeOf(year: number, month: number, date: number): string {
  const isLast = dateParts(dayNumber(2000 + year, month, date) + WEEK).month !== month;
  const yy = String(year).padStart(2, '0');
  const word = MONTHS[month - 1]!;
  return isLast ? `${yy}${word}` : `${yy}${month < 10 ? month : word[0]}${String(date).padStart(2, '0')}`;
}
