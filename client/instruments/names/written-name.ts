/** Takes a written name apart: exchange, series and kind that are written around it, and the name itself. Nothing is looked up. */
import { EXCHANGES, type Exchange, type Kind } from './exchanges';

/** One way to read a written name. All of the text is understood: nothing is left out. */
export interface WrittenName {
  /** The name itself, capitals. */
  text: string;
  /** The exchange that is written with it. */
  exchange?: Exchange;
  /** The series that is written with it (INFY-EQ). */
  series?: string;
  /** What it must be by what is written with it (NIFTY50-INDEX). */
  kind?: Kind;
  /** It is a future by its place among those of the underlying: 1 is the nearest (NIFTY1!, NIFTY-I). */
  nthFuture?: number;
  /** It is the token of the exchange (BSE:500325). */
  token?: number;
}

/** Exchanges and segments as programs and charting sites write them before a colon. */
const PREFIXES: Readonly<Record<string, { exchange: Exchange; kind?: Kind }>> = {
  ...Object.fromEntries(EXCHANGES.map((exchange) => [exchange, { exchange }])),
  NFO: { exchange: 'NSE' },
  NSEFO: { exchange: 'NSE' },
  NSE_FO: { exchange: 'NSE' },
  NSE_EQ: { exchange: 'NSE' },
  NSE_CM: { exchange: 'NSE' },
  NSECM: { exchange: 'NSE' },
  NSE_INDEX: { exchange: 'NSE', kind: 'INDEX' },
  BFO: { exchange: 'BSE' },
  BSEFO: { exchange: 'BSE' },
  BSE_FO: { exchange: 'BSE' },
  BSE_EQ: { exchange: 'BSE' },
  BSE_CM: { exchange: 'BSE' },
  BSECM: { exchange: 'BSE' },
  BSE_INDEX: { exchange: 'BSE', kind: 'INDEX' },
  BOM: { exchange: 'BSE' },
  MCX_FO: { exchange: 'MCX' },
  MCXFO: { exchange: 'MCX' },
};

/** Endings after a dot, as data vendors write the exchange. */
const DOT_SUFFIXES: Readonly<Record<string, Exchange>> = { NS: 'NSE', NSE: 'NSE', BO: 'BSE', BSE: 'BSE', MCX: 'MCX' };
/** Series of shares that brokers write after a dash. */
const SERIES_SUFFIX = /^(EQ|BE|BZ|BL|SM|ST|SZ|IL|GB|GS|IV|RR|MF|E1|A|B|T|X|XT|M|MT|Z)$/;
const ROMAN: Readonly<Record<string, number>> = { I: 1, II: 2, III: 3 };

/**
 * All ways to read a name, the plainest first: as it is written, and with what stands around it taken as exchange, series or place.
 * @param text a plain text of bounded length
 */
export function readWrittenName(text: string): WrittenName[] {
  const whole = decodePercent(text).trim().replace(/\s+/g, ' ').toUpperCase();
  const colon = whole.indexOf(':');
  if (colon > 0) {
    const prefix = PREFIXES[whole.slice(0, colon).trim()];
    const inner = whole.slice(colon + 1).trim();
    return prefix === undefined || inner === '' ? [] : readSuffixes({ text: inner, ...prefix });
  }
  const names = readSuffixes({ text: whole });
  const blank = whole.indexOf(' ');
  const exchange = blank > 0 ? EXCHANGES.find((name) => name === whole.slice(0, blank)) : undefined;
  // BSE DEC FUT is a future on the share BSE; only where nothing is called so is the first word the exchange.
  return exchange === undefined ? names : [...names, ...readSuffixes({ text: whole.slice(blank + 1), exchange })];
}

/** The exchange that a name says for certain, before anything is looked up; undefined where it says none. */
export function exchangeInName(text: string): Exchange | undefined {
  const exchanges = readWrittenName(text).map(({ exchange }) => exchange);
  const [first] = exchanges;
  return exchanges.every((exchange) => exchange === first) ? first : undefined;
}

function decodePercent(text: string): string {
  return text.replace(/%26/g, '&').replace(/%20/g, ' ').replace(/%2D/gi, '-');
}

function readSuffixes(name: WrittenName): WrittenName[] {
  const { text } = name;
  const found: WrittenName[] = [];
  const dot = text.lastIndexOf('.');
  const ofDot = dot > 0 ? DOT_SUFFIXES[text.slice(dot + 1)] : undefined;
  if (ofDot !== undefined && (name.exchange ?? ofDot) === ofDot)
    return readSuffixes({ ...name, text: text.slice(0, dot), exchange: ofDot });
  found.push(name);
  const dash = text.lastIndexOf('-');
  const [before, after] = dash > 0 ? [text.slice(0, dash), text.slice(dash + 1)] : ['', ''];
  if (after === 'INDEX') found.push({ ...name, text: before, kind: 'INDEX' });
  else if (SERIES_SUFFIX.test(after)) found.push({ ...name, text: before, series: after });
  if (ROMAN[after] !== undefined) found.push({ ...name, text: before, nthFuture: ROMAN[after] });
  if (text.startsWith('^') && text.length > 1) found.push({ ...name, text: text.slice(1), kind: 'INDEX' });
  if (text.endsWith('!') && /^[1-9]$/.test(text.slice(-2, -1)))
    found.push({ ...name, text: text.slice(0, -2), nthFuture: Number(text.slice(-2, -1)) });
  if (name.exchange === 'BSE' && /^\d{6}$/.test(text)) found.push({ ...name, token: Number(text) });
  return found;
}
