import type { AssetCatalog } from '../reference/catalog';
import { equities } from '../reference/tables';

/** Finds the instrument that a file means. */

export interface Named {
  exchange: 'NSE' | 'BSE';
  symbol: string;
}

/** Other names of indices, in capitals without blanks. */
const ALIASES: Record<string, string> = {
  NIFTY50: 'NIFTY',
  NIFTYBANK: 'BANKNIFTY',
  NIFTYFINSERVICE: 'FINNIFTY',
  NIFTYFINANCIALSERVICES: 'FINNIFTY',
  NIFTYMIDSELECT: 'MIDCPNIFTY',
};

/**
 * The share or index of a name such as NIFTY, "NIFTY 50", NSE:INFY, INFY-EQ or INFY.NS; undefined when this market has none.
 * An exchange that is not told is NSE, and BSE for what is there only.
 */
export function resolveInstrument(catalog: AssetCatalog, name: string, exchange?: 'NSE' | 'BSE'): Named | undefined {
  const found = /^(?:(NSE|BSE):)?(.+?)(?:-EQ|\.(NS|BO))?$/.exec(name.trim().toUpperCase());
  if (!found) return undefined;
  const reported = exchange ?? found[1] ?? (found[3] === undefined ? undefined : found[3] === 'NS' ? 'NSE' : 'BSE');
  const blankless = found[2]!.replace(/\s+/g, '');
  const symbols = [found[2]!, blankless, ALIASES[blankless] ?? blankless];
  for (const where of reported === undefined ? (['NSE', 'BSE'] as const) : [reported as 'NSE' | 'BSE'])
    for (const symbol of symbols) {
      const shares = where === 'NSE' ? catalog.equityRowOf : catalog.bseRowOf;
      if (catalog.indexRowOf.has(`${where} ${symbol}`) || shares.has(symbol)) return { exchange: where, symbol };
    }
  return undefined;
}

/** The names that a file's own name may hold: NIFTY of minute_NIFTY_2020-03.txt. */
export function namesInFileName(file: string): string[] {
  const bare = file.replace(/^.*\//, '').replace(/\.(csv|txt|gz)/gi, '');
  return [bare, ...bare.split(/[_\s.]+/)].filter((part) => !/^\d+$/.test(part) && part.length > 1);
}

/** Whether a share of BSE follows that of NSE. */
export function isFollower(catalog: AssetCatalog, { exchange, symbol }: Named): boolean {
  const place = exchange === 'BSE' ? catalog.bseRowOf.get(symbol) : undefined;
  return place !== undefined && equities()[place]!.symbol !== '';
}
