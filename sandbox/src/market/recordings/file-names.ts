import type { AssetCatalog } from '../reference/catalog';
import { contractNamed } from './contract-names';
import { NO_CONTRACTS, resolveInstrument, shareOfBseCode, type NamedInstrument } from './instrument-names';
import { secondsOf } from './replay-config';

/** Instrument that the name of a file says: its instrument, and the length of its bars. */

/** Charts put signs that tell downloads apart behind the interval: `NSE_RELIANCE, 5_1a2b3`. */
const CHART_ID = /(,\s*\d{0,3}[A-Z]?)_[0-9a-f]{5,8}(?=$|[ (])/;

export interface FileNameReading {
  /** Undefined where the name holds none, or more than is understood. */
  named: NamedInstrument | undefined;
  /** The future or option that it names with its expiry. */
  contract?: NamedInstrument | undefined;
  /** The reason for its absence, for the user; empty where nothing at all is known of it. */
  why: string;
  /** Length of a bar where the name says it: seconds, or that it is a week or a month. */
  bars: number | 'week' | 'month' | undefined;
}

const EXTENSIONS = /\.(csv|tsv|txt|json|jsonl|ndjson|parquet|gz|zip|asc|prn)$/i;
/** Days and spans of days, in every order: those that write their month as a word come first. */
const DATES = [
  /(?<!\d)\d{1,2}[-_. ]?(?:JAN(?:UARY)?|FEB(?:RUARY)?|MAR(?:CH)?|APR(?:IL)?|MAY|JUNE?|JULY?|AUG(?:UST)?|SEPT?(?:EMBER)?|OCT(?:OBER)?|NOV(?:EMBER)?|DEC(?:EMBER)?)[-_. ]?\d{2,4}(?!\d)/gi,
  /(?<![A-Z])(?:JAN(?:UARY)?|FEB(?:RUARY)?|MAR(?:CH)?|APR(?:IL)?|MAY|JUNE?|JULY?|AUG(?:UST)?|SEPT?(?:EMBER)?|OCT(?:OBER)?|NOV(?:EMBER)?|DEC(?:EMBER)?)[-_. ]?\d{2,4}(?!\d)/gi,
  /(?<!\d)\d{4}[-_. ]?(?:JAN(?:UARY)?|FEB(?:RUARY)?|MAR(?:CH)?|APR(?:IL)?|MAY|JUNE?|JULY?|AUG(?:UST)?|SEPT?(?:EMBER)?|OCT(?:OBER)?|NOV(?:EMBER)?|DEC(?:EMBER)?)(?![A-Z])/gi,
  // Two days with the year first, and no day with the year last in their middle: 2025-11-01_2025-11-27.
  /(?<!\d)(?:19|20)\d\d([-_.])\d{1,2}\1\d{1,2}[^\dA-Z]{1,3}(?:TO[^\dA-Z]{1,3})?(?:19|20)\d\d\1\d{1,2}\1\d{1,2}(?!\d)/gi,
  /(?<!\d)\d{1,2}([-_.])\d{1,2}\1\d{4}(?!\d)/g,
  /(?<!\d)(?:19|20)\d\d[-_.]\d{1,2}(?:[-_.]\d{1,2})?(?!\d)/g,
  // A terminal writes the time behind the day: 202601050915. A contract has no such digits: NIFTY2031209500CE.
  /(?<!\d)(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?(?!\d)/g,
  /(?<!\d)(?:19|20)\d\d(?:\d\d){0,2}(?!\d)/g,
  /(?<!\d)\d{4}(?:19|20)\d\d(?!\d)/g,
];
const EXCHANGES: Record<string, 'NSE' | 'BSE'> = {
  NSE: 'NSE',
  NS: 'NSE',
  XNSE: 'NSE',
  BSE: 'BSE',
  BO: 'BSE',
  BOM: 'BSE',
  XBOM: 'BSE',
};
/** Words that say nothing of the instrument. */
const PLAIN =
  /^(EQ|EQUITY|QUOTE|DATA|DATASET|HIST|HISTORY|HISTORICAL|PRICES?|CANDLES?|CANDLESTICKS?|OHLCV?|STOCK|SHARE|SPOT|INDEX|INDICES|INTRADAY|EXPORT|DOWNLOAD|FROM|TO|TILL|RAW|COPY|PART|FILE|BARS?|CHART|TIMEFRAME|TF|IST|UTC|GMT|CASH|EOD|ADJ|ADJUSTED|UNADJUSTED|LAST|BE|YF|YFINANCE|YAHOO|PERIOD|MAX|YTD|\d{1,2}Y|CLEAN|CLEANED|FINAL|PROCESSED|MERGED|COMBINED|FULL|OUTPUT|SAMPLE|SHEET\d|OF|KITE|ZERODHA|FYERS|DHAN|ANGEL|UPSTOX|TRADINGVIEW|DLY)$/;
const BARS =
  /^(?:(\d{1,3})?(S|SEC|SECS|SECONDS?|M|MIN|MINS|MINUTES?|MINUTELY|H|HR|HRS|HOURS?|HOURLY|D|DAYS?|DAILY|WEEKS?|WEEKLY|WK|W|MO|MONTHS?|MONTHLY))$/;
/** Numbers that charts write for minutes, and parts and copies of a file. */
const NUMBER = /^([1-9]|0[1-9]|10|15|30|45|60|75|120|180|240)$/;
const CONTRACT_WORDS = /^(CE|PE|CALL|PUT|FUT|FUTURES?|OPT|OPTIONS?|I|II|III)$/;

/** As charts of a trading terminal write it: M1, M15, H1, D1. */
const TERMINAL_BARS = /^([MHD])(\d{1,2})$/;

function barsOf(token: string): FileNameReading['bars'] {
  const terminal = TERMINAL_BARS.exec(token.toUpperCase());
  if (terminal !== null) return secondsOf(`${terminal[2]}${terminal[1]!.toLowerCase()}`);
  const match = BARS.exec(token.toUpperCase());
  if (match === null) return undefined;
  const [, number, unit] = match as unknown as [string, string | undefined, string];
  // "minute" alone is what many call any bars that are shorter than a day.
  if (number === undefined && /^[SM]/.test(unit) && !unit.startsWith('MO')) return undefined;
  const count = number ?? '1';
  if (unit.startsWith('W')) return 'week';
  // On charts 1M is a month, elsewhere a minute: the bars tell it.
  if (token === '1M' || token === 'M') return undefined;
  if (unit.startsWith('MO')) return 'month';
  return secondsOf(`${count}${unit[0]!.toLowerCase()}`);
}

const isPlain = (token: string): boolean =>
  token === '' ||
  token.toUpperCase() in EXCHANGES ||
  PLAIN.test(token.toUpperCase()) ||
  BARS.test(token.toUpperCase()) ||
  TERMINAL_BARS.test(token.toUpperCase()) ||
  NUMBER.test(token);

/**
 * Reads a file's name such as `NIFTY BANK_minute.csv`, `NSE_RELIANCE, 15.csv` or `minute_NIFTY_2020-03.txt.gz`. It names an
 * instrument where one part of it does, and all else is days, intervals, exchanges and words such as *data*.
 */
export function readFileName(catalog: AssetCatalog, file: string): FileNameReading {
  let bare = file.replace(/^.*[/\\]/, '');
  while (EXTENSIONS.test(bare)) bare = bare.replace(EXTENSIONS, '');
  // A chart writes the interval behind a comma, and a bare number there is minutes.
  const charted = /,\s*(\d{1,3})$/.exec(bare);
  const named = bare.replace(CHART_ID, '$1').replace(/%26/g, '&').replace(/%20/g, ' ');
  const text = DATES.reduce((rest, dates) => rest.replace(dates, '|'), named).replace(/\(\d+\)/g, '|');
  const parts = [...text.matchAll(/[^\s_.,|()+-]+/g)].map((match) => ({ token: match[0], at: match.index }));
  // There 1M is a month: minutes have no letter.
  const isMonths = /,\s*\d{1,2}M(?![a-zA-Z])/.test(bare);
  const lengths = parts.map(({ token }) => barsOf(token)).filter((found) => found !== undefined);
  const seconds = lengths.filter((length) => typeof length === 'number');
  const bars = [
    ...(isMonths ? ['month' as const] : []),
    ...(charted === null ? [] : [secondsOf(`${charted[1]}m`)]),
    // 1mo_1d: of a period and an interval the interval is the shorter.
    ...(seconds.length === 0 ? lengths : [Math.min(...seconds)]),
  ][0];
  const exchange = parts.map(({ token }) => EXCHANGES[token.toUpperCase()]).find((found) => found !== undefined);
  const instruments = new Map<string, NamedInstrument>();
  for (let from = 0; from < parts.length; from++)
    for (let to = from; to < parts.length; to++) {
      if (!parts.every(({ token }, i) => (i >= from && i <= to) || isPlain(token))) continue;
      const last = parts[to]!;
      const span = text.slice(parts[from]!.at, last.at + last.token.length);
      const own =
        exchange !== undefined &&
        parts.some(({ token }, i) => (i < from || i > to) && token.toUpperCase() in EXCHANGES);
      const named =
        resolveInstrument(catalog, span, own ? exchange : undefined) ??
        (from === to && parts.length === 1 ? shareOfBseCode(span) : undefined);
      if (named !== undefined && !('isNot' in named)) instruments.set(`${named.exchange} ${named.symbol}`, named);
    }
  const [only, ...others] = instruments.values();
  if (others.length > 0)
    return { named: undefined, why: `its name may mean ${[...instruments.keys()].join(' or ')}`, bars };
  if (only !== undefined) return { named: only, why: '', bars };
  const isContract = parts.some(({ token }) => CONTRACT_WORDS.test(token.toUpperCase())) || isOfContract(catalog, bare);
  const contractParts = parts.filter(({ token }) => !isPlain(token));
  const contract = contractParts.length === 1 ? contractNamed(catalog, contractParts[0]!.token) : undefined;
  if (contract !== undefined) return { named: undefined, contract, why: '', bars };
  if (isContract) return { named: undefined, why: `its name is that of ${NO_CONTRACTS}`, bars };
  const said = contractParts.map(({ token }) => token);
  return {
    named: undefined,
    why: said.length === 0 ? '' : `this market has no share or index "${said.join(' ')}"`,
    bars,
  };
}

function isOfContract(catalog: AssetCatalog, bare: string): boolean {
  const named = resolveInstrument(catalog, bare);
  return named !== undefined && 'isNot' in named && named.isNot === NO_CONTRACTS;
}
