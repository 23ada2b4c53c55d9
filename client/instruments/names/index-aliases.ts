/**
 * Names of indices that are not the symbol or the name that the master has: full names as exchanges and newspapers write
 * them, vendors' codes, and names of the time before. Keys are without blanks and punctuation.
 * Sources, 2026-11-25: the exchanges' lists of indices; NSE's change of brand of 9 November 2015 (CNX to Nifty) and of 2013
 * (S&P CNX to CNX); S&P's leaving of the BSE indices on 1 June 2024; tickers of Yahoo Finance and Google Finance; BSE's codes of contracts
 * (BSX, BKX), which TradingView uses.
 */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  NIFTY: [
    'NIFTY50',
    'CNXNIFTY',
    'SPCNXNIFTY',
    'SPCNX50',
    'CNXNIFTY50',
    'NSENIFTY',
    'NSEI',
    'NIFTYINDEX',
    'NIFTY50INDEX',
  ],
  BANKNIFTY: ['NIFTYBANK', 'CNXBANK', 'CNXBANKNIFTY', 'BANKNIFTYINDEX', 'NIFTYBANKINDEX', 'NSEBANK'],
  FINNIFTY: ['NIFTYFINSERVICE', 'NIFTYFINSERVICES', 'NIFTYFINANCIALSERVICES', 'NIFTYFINANCIALSERVICE', 'CNXFINANCE'],
  MIDCPNIFTY: ['NIFTYMIDSELECT', 'NIFTYMIDCAPSELECT', 'MIDCPNIFTYINDEX'],
  NIFTYNXT50: ['NIFTYNEXT50', 'NIFTYNEXT50INDEX', 'NIFTYJR', 'NIFTYJUNIOR', 'CNXNIFTYJUNIOR', 'CNXJUNIOR', 'NSMIDCP'],
  SENSEX: ['BSX', 'BSESENSEX', 'SPBSESENSEX', 'SENSEX30', 'BSE30', 'BSESN', 'BSESENSEX30', 'SPBSESENSEX30'],
  BANKEX: ['BKX', 'BSEBANKEX', 'SPBSEBANKEX'],
  SENSEX50: ['BSESENSEX50', 'SPBSESENSEX50', 'SNSX50'],
  INDIAVIX: ['VIX', 'NSEVIX', 'NIFTYVIX'],
  NIFTYIT: ['CNXIT'],
  NIFTYPHARMA: ['CNXPHARMA'],
  NIFTYAUTO: ['CNXAUTO'],
  NIFTYFMCG: ['CNXFMCG'],
  NIFTYMETAL: ['CNXMETAL'],
  NIFTYREALTY: ['CNXREALTY'],
  NIFTYENERGY: ['CNXENERGY'],
  NIFTYMEDIA: ['CNXMEDIA'],
  NIFTYPSUBANK: ['CNXPSUBANK'],
  NIFTYPVTBANK: ['NIFTYPRIVATEBANK'],
  NIFTYINFRA: ['CNXINFRA', 'NIFTYINFRASTRUCTURE', 'CNXINFRASTRUCTURE'],
  NIFTYCONSUMPTION: ['CNXCONSUMPTION', 'NIFTYINDIACONSUMPTION'],
  NIFTY100: ['CNX100'],
  NIFTY200: ['CNX200'],
  NIFTY500: ['CNX500', 'SPCNX500', 'CRSLDX'],
  NIFTYMIDCAP50: ['CNXMIDCAP50', 'NSEMDCP50'],
  NIFTYMIDCAP100: ['CNXMIDCAP', 'NIFTYFREEMIDCAP100'],
  NIFTYSMLCAP100: ['CNXSMALLCAP', 'NIFTYSMALLCAP100'],
  BSE100: ['SPBSE100'],
  BSE200: ['SPBSE200'],
  BSE500: ['SPBSE500'],
};

const SYMBOLS: ReadonlyMap<string, string> = new Map(
  Object.entries(ALIASES).flatMap(([symbol, aliases]) => [symbol, ...aliases].map((alias) => [alias, symbol] as const)),
);

/** A name without blanks and the punctuation that names have: S&P BSE Sensex is SPBSESENSEX. Other signs stay, and match nothing. */
export function squashName(text: string): string {
  return text.toUpperCase().replace(/[\s&.,'()/_-]/g, '');
}

/** A name with `_` for each sign that a name may have in its place: M_M for M&M, M-M and M M. */
export const withUnderscores = (text: string): string => text.replace(/[\s&.'_-]/g, '_');

/** Returns the symbol of an index by one of its other names, without blanks and punctuation; undefined if it has none. */
export function indexAlias(squashed: string): string | undefined {
  return SYMBOLS.get(squashed);
}

/** Minimum length of a part of a name; a shorter part matches too many. */
const MIN_PART = 4;

/**
 * Returns the indices with a name that begins with a text, then those with a name that contains it; each once. @param squashed as
 * `squashName` gives it
 */
export function indicesLike(squashed: string): { symbol: string; isBeginning: boolean }[] {
  if (squashed.length < 2) return [];
  const beginning = new Set<string>();
  const holding = new Set<string>();
  for (const [name, symbol] of SYMBOLS)
    if (name.startsWith(squashed)) beginning.add(symbol);
    else if (squashed.length >= MIN_PART && name.includes(squashed)) holding.add(symbol);
  return [
    ...[...beginning].map((symbol) => ({ symbol, isBeginning: true })),
    ...[...holding].filter((symbol) => !beginning.has(symbol)).map((symbol) => ({ symbol, isBeginning: false })),
  ];
}

/** Words that only names of indices hold: what has one is never taken for a share, and no other index is proposed for it. */
export function soundsLikeIndex(text: string): boolean {
  return /NIFTY|SENSEX|BANKEX|\bCNX|VIX\b|\bINDEX\b|^\^/i.test(text);
}
