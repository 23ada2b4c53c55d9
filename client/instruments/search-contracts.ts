/**
 * Finds contracts from the text of a search: an underlying by any of its names, then anything of strike, expiry and type, in any order and
 * as far as typed: NIFTY 26000 CALL NEXT WEEK, BANK NIFTY FUT DEC, STATE BANK 800 CE.
 */
import { addDays, dateToNumber, monthNumber } from '../values/time';
import { monthlyExpiries } from './expiries';
import { rootOfName } from './find-rows';
import { FULL_NAMES, splitWords } from './names/contract-words';
import type { InstrumentStore } from './store';

/** A contract that was found. */
export interface TypedContract {
  row: number;
  /** True if the whole strike (if one was typed) and the type were typed. */
  isExact: boolean;
}

/** Maximum number of words of an underlying's name. */
const MAX_NAME_WORDS = 4;
/** Words of a sentence that say nothing of the contract. */
const FILLERS = new Set(['A', 'AT', 'CONTRACT', 'EXP', 'EXPIRING', 'EXPIRY', 'FOR', 'IN', 'OF', 'ON', 'STRIKE', 'THE']);

/**
 * Yields the contracts that match the typed text, near expiries and strikes first.
 * @param query capitals
 * @param today YYYY-MM-DD
 * @param rootsOfWords the roots of companies whose names have words that begin so
 */
export function* contractsAsTyped(
  store: InstrumentStore,
  query: string,
  today: string,
  rootsOfWords: (words: readonly string[]) => readonly number[],
): Generator<TypedContract> {
  const all = splitWords(query);
  const first = all.findIndex((word) => !FILLERS.has(word) && typeOf(word, false) === undefined);
  // CALL OF NIFTY 24500: words before the underlying describe the contract.
  const words = [...all.slice(Math.max(0, first)), ...all.slice(0, Math.max(0, first))];
  for (let length = Math.min(MAX_NAME_WORDS, words.length - 1); length > 0; length--) {
    const name = rootOfName(store, words.slice(0, length).join(' '));
    if (name === undefined) continue;
    let isFound = false;
    for (const typedContract of contractsOf(store, [store.findRoot(name)], words.slice(length), today)) {
      isFound = true;
      yield typedContract;
    }
    if (isFound) return;
    break;
  }
  const terms = words.findIndex((word, at) => at > 0 && saysContract(word));
  if (terms > 0) yield* contractsOf(store, rootsOfWords(words.slice(0, terms)), words.slice(terms), today);
}

/** True if a word can only describe a contract: a strike, or a type. */
const saysContract = (word: string): boolean => /^\d/.test(word) || typeOf(word, false) !== undefined;

function* contractsOf(
  store: InstrumentStore,
  roots: readonly number[],
  words: readonly string[],
  today: string,
): Generator<TypedContract> {
  for (const root of roots) {
    const chain = chainOf(store, root);
    if (chain.rows.length === 0) continue;
    const typed = readTyped(words, { ...chain, today });
    if (typed.some(saysNothing)) continue;
    const strikes = typed.flatMap(({ strike }) => (strike === undefined ? [] : [Number(strike) * 100]));
    const whole: number[] = [];
    const others: number[] = [];
    for (let at = 0; at < chain.rows.length; at++)
      if (typed.every((meaning) => fits(chain, at, meaning)))
        (strikes.length === 0 || strikes.includes(chain.strike[at]!) ? whole : others).push(chain.rows[at]!);
    const isTyped = typed.some(({ type }) => type === 'CE' || type === 'PE' || type === 'FUT');
    // Among strikes with the same beginning, the one typed in full comes first.
    for (const row of optionsFromTheMoney(store, whole)) yield { row, isExact: isTyped };
    for (const row of optionsFromTheMoney(store, others)) yield { row, isExact: false };
  }
}

const TYPES = ['FUT', 'CE', 'PE'] as const;
type ContractType = (typeof TYPES)[number];

/** The derivatives of a root as columns: each letter that is typed looks at all of them. */
interface Chain {
  rows: Int32Array;
  /** YYYYMMDD. */
  expiry: Int32Array;
  /** Paise. */
  strike: Float64Array;
  /** Type of each row, as its place in TYPES. */
  type: Uint8Array;
  /** YYYYMMDD, ascending. */
  expiries: readonly number[];
  monthly: ReadonlySet<number>;
}

const chains = new WeakMap<InstrumentStore, Map<number, Chain>>();
/** Chains that are kept of a list; the one that was looked at longest ago goes first. */
const MAX_CHAINS = 16;

function chainOf(store: InstrumentStore, root: number): Chain {
  const chainsOfStore = chains.get(store) ?? new Map<number, Chain>();
  chains.set(store, chainsOfStore);
  const chain = chainsOfStore.get(root) ?? makeChain(store, root);
  chainsOfStore.delete(root);
  chainsOfStore.set(root, chain);
  for (const oldest of chainsOfStore.keys()) {
    if (chainsOfStore.size <= MAX_CHAINS) break;
    chainsOfStore.delete(oldest);
  }
  return chain;
}

function makeChain(store: InstrumentStore, root: number): Chain {
  const rows = store.rowsOfRoot(root).filter((row) => store.expiry(row) !== 0);
  const expiry = Int32Array.from(rows, (row) => store.expiry(row));
  const type = Uint8Array.from(rows, (row) => Math.max(0, TYPES.indexOf(store.optionType(row) ?? 'FUT')));
  const expiries = [...new Set(expiry)].sort((a, b) => a - b);
  const futures = [...new Set(expiry.filter((_, at) => type[at] === 0))];
  return {
    rows,
    expiry,
    strike: Float64Array.from(rows, (row) => store.strike(row)),
    type,
    expiries,
    monthly: new Set(monthlyExpiries(expiries, futures)),
  };
}

/** Options of a root by expiry, within it from the strike nearest to the underlying outwards. */
export function* optionsFromTheMoney(store: InstrumentStore, rows: readonly number[]): Generator<number> {
  for (let from = 0; from < rows.length;) {
    const expiry = store.expiry(rows[from]!);
    let to = from;
    while (to < rows.length && store.expiry(rows[to]!) === expiry) to++;
    const spot = store.underlyingPrevClose(rows[from]!);
    yield* rows.slice(from, to).sort((a, b) => Math.abs(store.strike(a) - spot) - Math.abs(store.strike(b) - spot));
    from = to;
  }
}

/** Possible meanings of one typed word for a derivative: one match is enough. */
interface Meaning {
  type?: ContractType | 'OPT';
  /** Expiries (YYYYMMDD) that the word may name. */
  expiries: ReadonlySet<number>;
  /** The beginning of a strike in rupees. */
  strike?: string;
  /** Result by strike (paise), as far as known: true if the strike begins with the word. An underlying has each strike at every expiry. */
  strikes: Map<number, boolean>;
}

/** True if a word matches no derivative. */
const saysNothing = ({ type, expiries, strike }: Meaning): boolean =>
  type === undefined && strike === undefined && expiries.size === 0;

const ofExpiries = (expiries: ReadonlySet<number>): Meaning => ({ expiries, strikes: new Map() });

/** The expiries of an underlying, and what words about them are read by. */
type Calendar = Pick<Chain, 'expiries' | 'monthly'> & {
  /** YYYY-MM-DD. */
  today: string;
};

/** Returns the meanings of the words after the underlying. */
function readTyped(words: readonly string[], calendar: Calendar): Meaning[] {
  const meanings: Meaning[] = [];
  for (let at = 0; at < words.length; at++) {
    const [word, after] = [words[at]!, words[at + 1] ?? ''];
    if (FILLERS.has(word)) continue;
    const period = PERIODS[`${word === 'CURRENT' ? 'THIS' : word} ${after}`];
    if (period !== undefined) meanings.push(ofExpiries(within(calendar, period(calendar.today))));
    else if (!isBegun(`${word} ${after}`.trim())) {
      meanings.push(meaningOf(word, calendar));
      continue;
    }
    at += 1;
  }
  return meanings;
}

/** First and last day (YYYY-MM-DD) of a span of time. */
type Span = [from: string, to: string];

function weekOf(today: string, later: number): Span {
  const weekday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7;
  const monday = addDays(today, 7 * later - weekday);
  return [monday, addDays(monday, 6)];
}

function monthOf(today: string, later: number): Span {
  const month = new Date(`${today.slice(0, 7)}-01T00:00:00Z`);
  month.setUTCMonth(month.getUTCMonth() + later);
  const first = month.toISOString().slice(0, 8);
  return [`${first}01`, `${first}31`];
}

const PERIODS: Readonly<Record<string, (today: string) => Span>> = {
  'THIS WEEK': (today) => weekOf(today, 0),
  'NEXT WEEK': (today) => weekOf(today, 1),
  'THIS MONTH': (today) => monthOf(today, 0),
  'NEXT MONTH': (today) => monthOf(today, 1),
};
const PERIOD_WORDS = Object.keys(PERIODS);

function within({ expiries }: Calendar, [from, to]: Span): ReadonlySet<number> {
  return new Set(expiries.filter((expiry) => expiry >= dateToNumber(from) && expiry <= dateToNumber(to)));
}

/** True if a period is incomplete: NEX, NEXT, NEXT WE. An incomplete period filters nothing. */
const isBegun = (typed: string): boolean =>
  typed.length >= 2 && PERIOD_WORDS.some((period) => period.startsWith(typed));

function typeOf(word: string, isPartial: boolean): Meaning['type'] {
  if (/^(CE|CALLS?)$/.test(word) || (isPartial && /^C(AL?)?$/.test(word))) return 'CE';
  if (/^(PE|PUTS?)$/.test(word) || (isPartial && /^PU?$/.test(word))) return 'PE';
  if (/^(FUT|FUTURES?)$/.test(word) || (isPartial && /^FU(TU?R?)?$/.test(word))) return 'FUT';
  return /^(OPT|OPTIONS?)$/.test(word) || (isPartial && /^O(PT?I?O?N?)?$/.test(word)) ? 'OPT' : undefined;
}

function meaningOf(word: string, calendar: Calendar): Meaning {
  const { expiries, today } = calendar;
  if (word === 'MONTHLY') return ofExpiries(calendar.monthly);
  if (word === 'WEEKLY') return ofExpiries(new Set(expiries.filter((expiry) => !calendar.monthly.has(expiry))));
  if (word === 'TODAY') return ofExpiries(new Set([dateToNumber(today)]));
  if (word === 'TOMORROW') return ofExpiries(new Set([dateToNumber(addDays(today, 1))]));
  const thousands = /^(\d{1,3}(?:\.\d{1,3})?)K$/.exec(word)?.[1];
  const strike = thousands === undefined ? word : String(Number(thousands) * 1_000);
  return {
    type: typeOf(word, true),
    expiries: new Set(expiries.filter((expiry) => namesExpiry(word, expiry))),
    ...(/^\d+(\.\d*)?$/.test(strike) ? { strike } : {}),
    strikes: new Map(),
  };
}

/** Returns true if a word names day, month or year of an expiry, or several of them. */
function namesExpiry(word: string, expiry: number): boolean {
  const text = String(expiry);
  const [year, month, day] = [text.slice(0, 4), FULL_NAMES[Number(text.slice(4, 6)) - 1] ?? '', text.slice(6)];
  if (/^[A-Z]{1,9}$/.test(word)) return month.startsWith(word);
  const ordinal = /^(\d{1,2})(?:ST|ND|RD|TH)$/.exec(word)?.[1];
  if (ordinal !== undefined) return Number(ordinal) === Number(day);
  const dayMonth = /^(\d{1,2})-?([A-Z]{1,9})-?(\d{2}|\d{4})?$/.exec(word);
  if (dayMonth !== null) {
    const [, digits, letters, ofYear] = dayMonth;
    const fitsDay = digits === day || digits === String(Number(day)) || digits === year.slice(2);
    return fitsDay && month.startsWith(letters!) && (ofYear === undefined || year.endsWith(ofYear));
  }
  const monthYear = /^([A-Z]{3,9})-?(\d{2}|\d{4})$/.exec(word);
  if (monthYear !== null)
    return (
      monthNumber(monthYear[1]!) === Number(text.slice(4, 6)) && (year.endsWith(monthYear[2]!) || monthYear[2] === day)
    );
  return word.replaceAll('-', '') === text || word === year || word === day || word === String(Number(day));
}

function fits(chain: Chain, at: number, { type, expiries, strike, strikes }: Meaning): boolean {
  const own = TYPES[chain.type[at]!]!;
  if (type !== undefined && (own === type || (type === 'OPT' && own !== 'FUT'))) return true;
  if (expiries.size > 0 && expiries.has(chain.expiry[at]!)) return true;
  if (strike === undefined || own === 'FUT') return false;
  const paise = chain.strike[at]!;
  let begins = strikes.get(paise);
  if (begins === undefined) strikes.set(paise, (begins = String(paise / 100).startsWith(strike)));
  return begins;
}
