/**
 * Search while typing: the exact symbol first, then symbols that begin so, then names by their words; expired contracts
 * never. Shares and indices come before futures, futures before options, near expiries and strikes before far ones.
 */
import { MAX_SEARCH_LENGTH, requireLength } from '../values/length';
import { dateToNumber, istInstant } from '../values/time';
import { rootOfName } from './find-rows';
import { INSTRUMENT_KINDS, type InstrumentKind } from './instrument';
import { companyName } from './names/companies';
import { indicesLike, squashName } from './names/index-aliases';
import { NameSearch } from './name-search';
import { readWrittenName } from './names/written-name';
import { contractsAsTyped, optionsFromTheMoney } from './search-contracts';
import type { InstrumentStore } from './store';

/** Options of a search beside the text. */
export interface SearchOptions {
  /** Today in India, YYYY-MM-DD: what expired before it is left out. */
  today: string;
  limit: number;
  kinds?: readonly InstrumentKind[];
}

/** A row that was found; a lower rank fits better. */
export interface SearchHit {
  store: InstrumentStore;
  row: number;
  rank: number;
}

const RANK = {
  exact: 0,
  root: 1,
  contract: 1,
  prefix: 2,
  symbolPrefix: 3,
  word: 4,
  inside: 5,
  otherDerivatives: 6,
} as const;

function companyWords(store: InstrumentStore, row: number): string[] {
  const isin = store.isin(row);
  const company = isin === null ? undefined : companyName(isin);
  return company === undefined ? [] : wordsOf(company);
}

/** The words of a share's or index's name: the service's own, and those of the company. */
function nameWords(store: InstrumentStore, row: number): string[] {
  return [...(store.hasName(row) ? wordsOf(store.name(row)) : []), ...companyWords(store, row)];
}

/** SBI for State Bank of India, L&T for Larsen & Toubro. Two letters stand for too many. */
function initialsOf(words: readonly string[]): string | undefined {
  const letters = words
    .filter((word) => word !== 'OF' && word !== 'THE')
    .map((word) => (word === 'AND' ? '&' : word[0]!));
  return letters.length < 3 ? undefined : letters.join('');
}

/** Names of shares and indices by their words; made once for each store, when it is first searched. */
interface WordIndex {
  words: string[];
  rows: Int32Array[];
  /** Shares by the initials of their companies. */
  initials: ReadonlyMap<string, readonly number[]>;
}

const wordIndexes = new WeakMap<InstrumentStore, WordIndex>();

/** Words of a name or query: letters and digits, capitals. */
function wordsOf(text: string): string[] {
  return text.toUpperCase().match(/[\p{L}\p{N}&]+/gu) ?? [];
}

function wordIndex(store: InstrumentStore): WordIndex {
  const cachedIndex = wordIndexes.get(store);
  if (cachedIndex !== undefined) return cachedIndex;
  const rowsByWord = new Map<string, number[]>();
  const initials = new Map<string, number[]>();
  const add = (rowsByName: Map<string, number[]>, name: string, row: number): void => {
    const rows = rowsByName.get(name);
    if (rows === undefined) rowsByName.set(name, [row]);
    else rows.push(row);
  };
  for (let row = 0; row < store.size; row++) {
    if (store.expiry(row) !== 0) continue;
    for (const word of new Set(nameWords(store, row))) add(rowsByWord, word, row);
    const letters = initialsOf(companyWords(store, row));
    if (letters !== undefined) add(initials, letters, row);
  }
  const words = [...rowsByWord.keys()].sort();
  const made = { words, rows: words.map((word) => Int32Array.from(rowsByWord.get(word)!)), initials };
  wordIndexes.set(store, made);
  return made;
}

/** Prepares a store's indexes ahead of the first search. */
export function prepareSearch(store: InstrumentStore): void {
  wordIndex(store);
  rootOfName(store, '');
}

/** Rows whose name has a word that begins so. */
function* rowsWithWord(index: WordIndex, prefix: string): Generator<number> {
  for (const rows of rowsByPrefix(index, prefix)) yield* rows;
}

/** The rows of each word that begins so. */
function* rowsByPrefix({ words, rows }: WordIndex, prefix: string): Generator<Int32Array> {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle]! < prefix) low = middle + 1;
    else high = middle;
  }
  for (; low < words.length && words[low]!.startsWith(prefix); low++) yield rows[low]!;
}

/** A word of more rows is common, however many they are. */
const COMMON = 2_000;

/** Returns the number of rows with a word that has this prefix. Stops counting once the word is common. */
function countRows(index: WordIndex, prefix: string): number {
  let count = 0;
  for (const rows of rowsByPrefix(index, prefix)) {
    count += rows.length;
    if (count > COMMON) break;
  }
  return count;
}

/** Returns the words with the rarest first: INDUSTRIES is in the names of hundreds. */
function rarestFirst(index: WordIndex, words: readonly string[]): string[] {
  const counts = new Map(words.map((word) => [word, countRows(index, word)]));
  return [...words].sort((a, b) => counts.get(a)! - counts.get(b)!);
}

/** Gathers hits of one store, each row once, up to the limit. */
class Gatherer {
  readonly hits: SearchHit[] = [];
  private readonly seen = new Set<number>();
  private readonly from: number;

  constructor(
    private readonly store: InstrumentStore,
    private readonly options: SearchOptions,
  ) {
    this.from = dateToNumber(options.today);
  }

  get full(): boolean {
    return this.hits.length >= this.options.limit;
  }

  accepts(kind: InstrumentKind): boolean {
    return this.options.kinds === undefined || this.options.kinds.includes(kind);
  }

  add(row: number, rank: number): void {
    const expiry = this.store.expiry(row);
    if (this.full || this.seen.has(row) || (expiry !== 0 && expiry < this.from) || !this.accepts(this.store.kind(row)))
      return;
    this.seen.add(row);
    this.hits.push({ store: this.store, row, rank });
  }
}

/** All rows of a root, nearest first. */
function addRoot(
  store: InstrumentStore,
  root: number,
  rank: number,
  gatherer: Gatherer,
  kinds: readonly InstrumentKind[],
): void {
  const rows = store.rowsOfRoot(root);
  for (const kind of kinds) {
    if (gatherer.full || !gatherer.accepts(kind)) continue;
    if (kind !== 'OPT') {
      for (const row of rows) if (store.kind(row) === kind) gatherer.add(row, rank);
    } else {
      const options = Array.from(rows.filter((row) => store.kind(row) === 'OPT'));
      for (const row of optionsFromTheMoney(store, options)) {
        if (gatherer.full) break;
        gatherer.add(row, rank);
      }
    }
  }
}

/** Adds derivatives whose symbol begins with the text typed in one word: NIFTY26NOV245. */
function addSymbolPrefix(store: InstrumentStore, compact: string, gatherer: Gatherer): void {
  const prefix = Buffer.from(compact, 'utf8');
  for (let length = compact.length - 1; length > 0 && !gatherer.full; length--) {
    const root = store.findRoot(compact.slice(0, length));
    if (root < 0) continue;
    for (const row of store.rowsOfRoot(root))
      if (store.symbolStartsWith(row, prefix)) gatherer.add(row, RANK.symbolPrefix);
  }
}

/** Shares and indices of whose names every word begins with one of those, the underlyings of contracts that are typed in words. */
function rootsByWords(store: InstrumentStore, words: readonly string[]): number[] {
  const index = wordIndex(store);
  const [first, ...others] = rarestFirst(index, words);
  if (first === undefined || !words.some(({ length }) => length >= MIN_NAME_WORD)) return [];
  const roots = new Set<number>();
  for (const row of rowsWithWord(index, first)) {
    if (others.length > 0) {
      const own = nameWords(store, row);
      if (!others.every((word) => own.some((candidate) => candidate.startsWith(word)))) continue;
    }
    const root = store.findRoot(store.symbol(row));
    if (root >= 0) roots.add(root);
    if (roots.size >= MAX_NAMED_ROOTS) break;
  }
  return [...roots];
}

/** Minimum length of the beginning of a company's name; a shorter one matches too many. */
const MIN_NAME_WORD = 3;
const MAX_NAMED_ROOTS = 20;

/** Adds the contracts that match the text so far. */
function addContracts(store: InstrumentStore, query: string, gatherer: Gatherer, { today }: SearchOptions): void {
  const typedContracts = contractsAsTyped(store, query, today, (words) => rootsByWords(store, words));
  for (const { row, isExact } of typedContracts) {
    if (gatherer.full) return;
    gatherer.add(row, isExact ? RANK.contract : RANK.symbolPrefix);
  }
}

/** Indices by the beginning of one of their names, or by a part of it. */
function addIndices(store: InstrumentStore, query: string, gatherer: Gatherer): void {
  for (const { symbol, isBeginning } of indicesLike(squashName(query))) {
    const root = store.findRoot(symbol);
    if (root >= 0) addRoot(store, root, isBeginning ? RANK.prefix : RANK.word, gatherer, ['INDEX', 'FUT']);
  }
}

function addWords(store: InstrumentStore, query: string, gatherer: Gatherer): void {
  const index = wordIndex(store);
  const words = wordsOf(query);
  // A word may be in the symbol alone: then no name has it, and the other words find the rows.
  const named = rarestFirst(index, words).filter((word) => !rowsWithWord(index, word).next().done);
  const [first] = named;
  if (first === undefined) return;
  const inSymbols = (word: string): boolean => store.roots[store.rootPosition(word)]?.startsWith(word) === true;
  if (words.some((word) => !named.includes(word) && !inSymbols(word))) return;
  const otherWords = words.filter((word) => word !== first);
  for (const row of rowsWithWord(index, first)) {
    if (gatherer.full) return;
    if (otherWords.length > 0) {
      const own = [...nameWords(store, row), store.symbol(row)];
      if (!otherWords.every((word) => own.some((candidate) => candidate.startsWith(word)))) continue;
    }
    gatherer.add(row, RANK.word);
  }
}

/** Signs of names that have an exchange, a series or a place around them. */
const SIGNS = /[!:.%^_-]/;

/** Adds the instrument whose whole name is the text, as a field of an order takes it: NIFTY261123C25850, INFY.BO, NIFTY1!. */
function addName(store: InstrumentStore, text: string, gatherer: Gatherer, { today }: SearchOptions): void {
  const names = new NameSearch([store], istInstant(today), 'query');
  for (const name of readWrittenName(text)) {
    const storeRows = names.find(name);
    if (storeRows === undefined) continue;
    for (const row of storeRows.rows) gatherer.add(row, RANK.exact);
    return;
  }
}

/** Searches one exchange. @param whole the text with the exchange that it names */
function searchStore(store: InstrumentStore, text: string, whole: string, options: SearchOptions): SearchHit[] {
  const gatherer = new Gatherer(store, options);
  const query = text.trim().toUpperCase().replace(/\s+/g, ' ');
  const compact = query.replaceAll(' ', '');
  if (compact === '') return [];
  if (SIGNS.test(whole)) addName(store, whole, gatherer, options);
  for (const row of store.rowsOfSymbol(compact)) gatherer.add(row, RANK.exact);
  if (/^\d{1,15}$/.test(compact)) {
    const row = store.rowOfRefId(Number(compact));
    if (row >= 0) gatherer.add(row, RANK.exact);
  }
  if (/^[A-Z]{2}[A-Z0-9]{9}\d$/.test(compact))
    for (const row of store.rowsOfIsin(compact)) gatherer.add(row, RANK.exact);
  addContracts(store, query, gatherer, options);

  const named = rootOfName(store, query) ?? rootOfName(store, compact);
  const exactRoot = named === undefined ? -1 : store.findRoot(named);
  if (exactRoot >= 0) addRoot(store, exactRoot, RANK.root, gatherer, ['STOCK', 'INDEX']);
  for (const row of wordIndex(store).initials.get(compact) ?? []) gatherer.add(row, RANK.root);
  const prefixed: number[] = [];
  for (let root = store.rootPosition(compact); store.roots[root]?.startsWith(compact); root++) prefixed.push(root);
  // A few derivatives of the exact underlying stand before other symbols that only begin alike.
  const cash: readonly InstrumentKind[] = ['STOCK', 'INDEX'];
  if (exactRoot >= 0) addRoot(store, exactRoot, RANK.root, gatherer, ['FUT']);
  for (const root of prefixed) {
    if (gatherer.full) break;
    addRoot(store, root, RANK.prefix, gatherer, cash);
  }
  if (!gatherer.full && exactRoot < 0) addIndices(store, query, gatherer);
  if (!gatherer.full) addSymbolPrefix(store, compact, gatherer);
  if (!gatherer.full) addWords(store, query, gatherer);
  if (exactRoot >= 0) addRoot(store, exactRoot, RANK.prefix, gatherer, ['FUT', 'OPT']);
  for (const kind of ['FUT', 'OPT'] as const) {
    for (const root of prefixed) {
      if (gatherer.full) break;
      addRoot(store, root, RANK.otherDerivatives, gatherer, [kind]);
    }
  }
  if (!gatherer.full && compact.length >= 3) {
    for (let root = 0; root < store.roots.length && !gatherer.full; root++) {
      if (store.roots[root]!.includes(compact)) addRoot(store, root, RANK.inside, gatherer, cash);
    }
  }
  if (gatherer.hits.length === 0) addName(store, whole, gatherer, options);
  return gatherer.hits;
}

/**
 * Searches several exchanges; equal ranks keep the order of the exchanges, and shares stand before derivatives.
 * @throws InputError if the text is longer than any search.
 */
export function searchInstruments(
  stores: readonly InstrumentStore[],
  text: string,
  options: SearchOptions,
): SearchHit[] {
  requireLength(text, MAX_SEARCH_LENGTH, 'query', 'The search');
  const query = text.trim();
  const named = /^(NSE|BSE|MCX)(?:\s*:|\s)/i.exec(query);
  const requested = named === null ? stores : stores.filter((store) => store.exchange === named[1]!.toUpperCase());
  const words = named === null ? query : query.slice(named[0].length);
  const hits = requested.flatMap((store) => searchStore(store, words, query, options));
  // BSE DEC FUT is a future on the share BSE: only a colon says for certain that an exchange is meant.
  if (hits.length === 0 && named !== null && !named[0].includes(':'))
    hits.push(...stores.flatMap((store) => searchStore(store, query, query, options)));
  const order = (hit: SearchHit) => INSTRUMENT_KINDS.indexOf(hit.store.kind(hit.row)) < 2;
  return hits
    .map((hit, at) => ({ hit, at }))
    .sort((a, b) => a.hit.rank - b.hit.rank || Number(order(b.hit)) - Number(order(a.hit)) || a.at - b.at)
    .slice(0, options.limit)
    .map(({ hit }) => hit);
}
