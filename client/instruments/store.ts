/** The instruments of one exchange on one day: compact columns, and indexes by ref_id, symbol and underlying. */
import { UnreadableReplyError } from '../base/errors';
import { contractOf } from '../values/contract-value';
import { HashIndex, hashBytes, hashNumber } from './columns';
import {
  REPEATED_TEXT_FIELDS,
  NUMBER_FIELDS,
  type RepeatedTextField,
  type MasterColumns,
  type NumberField,
} from './fields';
import { expiryDate, type Instrument, type InstrumentKind } from './instrument';
import type { MasterEnvelope } from './parser';
import { isFuture } from './symbol';

const KIND_OPT = 3;
const KIND_FUT = 2;
const KIND_INDEX = 1;
const KIND_STOCK = 0;
const KIND_NAMES: readonly InstrumentKind[] = ['STOCK', 'INDEX', 'FUT', 'OPT'];

const ISIN = /^[A-Z]{2}[A-Z0-9]{9}\d$/;

/** The derivatives of a root that expire on one day. */
export interface ExpiryRows {
  /** YYYYMMDD. */
  readonly expiry: number;
  /** By strike, CE before PE. */
  readonly rows: Int32Array;
}

/** Instruments of a master. A row is identified by its number: 0 to `size` − 1, in the order of the master. */
export class InstrumentStore {
  readonly size: number;
  readonly exchange: string;
  readonly isTradingOn: boolean | undefined;
  readonly hasDerivatives: boolean;
  /** The roots (underlyings, and symbols of other instruments), sorted; and the start of each root's rows in `order`. */
  readonly roots: readonly string[];
  private readonly rootStarts: Int32Array;
  private readonly order: Int32Array;
  private readonly sortedRoots: Uint8Array;
  private readonly kinds: Uint8Array;
  private readonly byRefIdIndex: HashIndex;
  private readonly bySymbolIndex: HashIndex;
  /** By kind and root; each is made when it is first asked for. */
  private readonly expiryRows = new Map<string, readonly ExpiryRows[]>();
  /** Made when it is first asked for. */
  private rowsByIsin: Map<string, number[]> | undefined;

  /**
   * @param columns the rows; the store trims and keeps them.
   * @param date the trading date that they are of, YYYY-MM-DD.
   */
  constructor(
    private readonly columns: MasterColumns,
    envelope: MasterEnvelope,
    readonly date: string,
  ) {
    columns.trim();
    this.size = columns.count;
    this.exchange = envelope.exchange;
    this.isTradingOn = envelope.isTradingOn;
    this.kinds = this.classify();
    this.hasDerivatives = this.kinds.some((kind) => kind >= KIND_FUT);
    this.byRefIdIndex = new HashIndex(this.size);
    this.bySymbolIndex = new HashIndex(this.size);
    const refIds = this.numbers('ref_id');
    const { symbols } = columns;
    for (let row = 0; row < this.size; row++) {
      this.byRefIdIndex.add(hashNumber(refIds.get(row)), row);
      this.bySymbolIndex.add(hashBytes(symbols.bytes, symbols.start(row), symbols.end(row)), row);
    }
    ({ roots: this.roots, starts: this.rootStarts, order: this.order } = this.group());
    this.sortedRoots = new Uint8Array(this.roots.length);
  }

  private numbers(field: NumberField) {
    return this.columns.numberColumns[NUMBER_FIELDS.indexOf(field)]!;
  }

  private codes(field: RepeatedTextField) {
    return this.columns.codeColumns[REPEATED_TEXT_FIELDS.indexOf(field)]!;
  }

  /** Returns the expiries (YYYYMMDD) of all futures and options, one for each contract, ascending. */
  contractExpiries(): number[] {
    const expiry = this.numbers('expiry');
    const rows: number[] = [];
    for (let row = 0; row < this.size; row++) {
      const at = expiry.get(row);
      if (at !== 0) rows.push(at);
    }
    return rows.sort((a, b) => a - b);
  }

  /** The kind of every row, from its derivative type, and from its asset type where that says index. */
  private classify(): Uint8Array {
    const kinds = new Uint8Array(this.size);
    const derivative = this.codes('derivative_type');
    const asset = this.codes('asset_type');
    const expiry = this.numbers('expiry');
    const byDerivative = this.kindsOfWords(derivative.dictionary.size, (code) => derivative.dictionary.text(code));
    const byAsset = this.kindsOfWords(asset.dictionary.size, (code) => asset.dictionary.text(code));
    for (let row = 0; row < this.size; row++) {
      const named = byDerivative[derivative.code(row)]!;
      if (named !== KIND_STOCK) kinds[row] = named;
      else if (expiry.get(row) !== 0) kinds[row] = this.kindOfName(row);
      else kinds[row] = byAsset[asset.code(row)] === KIND_INDEX ? KIND_INDEX : KIND_STOCK;
    }
    return kinds;
  }

  /** The kind of a row that expires and whose derivative type is not known: an option by its option type, a future by its symbol. */
  private kindOfName(row: number): number {
    if (this.optionType(row) !== null) return KIND_OPT;
    return isFuture(this.symbol(row)) ? KIND_FUT : KIND_STOCK;
  }

  private kindsOfWords(count: number, text: (code: number) => string): Uint8Array {
    return Uint8Array.from({ length: count }, (_, code) => {
      const word = text(code).toUpperCase();
      return word.includes('OPT')
        ? KIND_OPT
        : word.includes('FUT')
          ? KIND_FUT
          : /INDEX|IDX/.test(word)
            ? KIND_INDEX
            : KIND_STOCK;
    });
  }

  /** Rows by root: a counting sort over the numbers of the roots, which are then put in order by name. */
  private group() {
    const asset = this.codes('asset');
    const { symbols } = this.columns;
    const rootOf = new Int32Array(this.size);
    const { dictionary } = asset;
    for (let row = 0; row < this.size; row++) {
      rootOf[row] =
        this.kinds[row]! >= KIND_FUT
          ? asset.code(row)
          : dictionary.code(symbols.bytes, symbols.start(row), symbols.end(row));
    }
    const counts = new Int32Array(dictionary.size);
    for (let row = 0; row < this.size; row++) counts[rootOf[row]!]!++;
    const used = Array.from({ length: dictionary.size }, (_, code) => code).filter((code) => counts[code]! > 0);
    const names = new Map(used.map((code) => [code, dictionary.text(code).trim().toUpperCase()]));
    used.sort((a, b) => (names.get(a)! < names.get(b)! ? -1 : 1));
    const starts = new Int32Array(used.length + 1);
    const next = new Int32Array(dictionary.size);
    used.forEach((code, root) => {
      next[code] = starts[root]!;
      starts[root + 1] = starts[root]! + counts[code]!;
    });
    const order = new Int32Array(this.size);
    for (let row = 0; row < this.size; row++) order[next[rootOf[row]!]!++] = row;
    return { roots: used.map((code) => names.get(code)!), starts, order };
  }

  /** Returns the position of a root among the sorted roots, or the position at which it would be inserted. */
  rootPosition(root: string): number {
    let low = 0;
    let high = this.roots.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.roots[middle]! < root) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The position of a root (an underlying, or the symbol of a share or index); -1 when there is none. */
  findRoot(root: string): number {
    const position = this.rootPosition(root);
    return this.roots[position] === root ? position : -1;
  }

  /** The rows of a root: shares and indices, futures, options; each by expiry, strike, CE before PE. */
  rowsOfRoot(root: number): Int32Array {
    const rows = this.order.subarray(this.rootStarts[root]!, this.rootStarts[root + 1]!);
    if (this.sortedRoots[root] === 0) {
      const expiry = this.numbers('expiry');
      const strike = this.numbers('strike_price');
      const option = this.codes('option_type');
      rows.sort(
        (a, b) =>
          this.kinds[a]! - this.kinds[b]! ||
          expiry.get(a) - expiry.get(b) ||
          strike.get(a) - strike.get(b) ||
          (option.text(a) < option.text(b) ? -1 : option.text(a) > option.text(b) ? 1 : a - b),
      );
      this.sortedRoots[root] = 1;
    }
    return rows;
  }

  /** The derivatives of one kind of a root by their day of expiry, the first day first. @param root -1 has none */
  expiriesOfRoot(root: number, kind: InstrumentKind): readonly ExpiryRows[] {
    if (root < 0) return [];
    const name = `${kind} ${root}`;
    const expiryRows = this.expiryRows.get(name);
    if (expiryRows !== undefined) return expiryRows;
    const rows = this.rowsOfRoot(root);
    const made: ExpiryRows[] = [];
    for (let from = 0, to = 0; from < rows.length; from = to) {
      const [rowKind, expiry] = [this.kind(rows[from]!), this.expiry(rows[from]!)];
      while (to < rows.length && this.kind(rows[to]!) === rowKind && this.expiry(rows[to]!) === expiry) to++;
      if (rowKind === kind) made.push({ expiry, rows: rows.subarray(from, to) });
    }
    this.expiryRows.set(name, made);
    return made;
  }

  /** Returns the kind of a row. */
  kind(row: number): InstrumentKind {
    return KIND_NAMES[this.kinds[row]!]!;
  }

  /** YYYYMMDD; 0 when it does not expire. */
  expiry(row: number): number {
    return this.numbers('expiry').get(row);
  }

  /** Paise. */
  strike(row: number): number {
    return this.numbers('strike_price').get(row);
  }

  /** Paise. */
  underlyingPrevClose(row: number): number {
    return this.numbers('underlying_prev_close').get(row);
  }

  /** Call or put; null if the row is no option. */
  optionType(row: number): 'CE' | 'PE' | null {
    const written = this.codes('option_type').text(row);
    const type = written === 'CE' || written === 'PE' ? written : written.trim().toUpperCase();
    return type === 'CE' || type === 'PE' ? type : null;
  }

  /**
   * Returns the written type of a contract on an underlying if it is not known here, so that the row counts as no derivative;
   * undefined if there is no such row. Looks at every row. @param underlying in capitals
   */
  unknownTypeOn(underlying: string): string | undefined {
    const asset = this.codes('asset');
    for (let row = 0; row < this.size; row++) {
      if (this.expiry(row) === 0 || this.kind(row) !== 'STOCK') continue;
      if (asset.text(row).trim().toUpperCase() === underlying) return this.codes('derivative_type').text(row).trim();
    }
    return undefined;
  }

  /** Returns the series, such as EQ; '' if the row has none. */
  series(row: number): string {
    return this.codes('series').text(row).trim();
  }

  /** Returns the series that rows have, capitals, sorted. */
  seriesNames(): string[] {
    const { dictionary } = this.codes('series');
    const names = Array.from({ length: dictionary.size }, (_, code) => dictionary.text(code).trim().toUpperCase());
    return [...new Set(names)].filter((name) => name !== '').sort();
  }

  /** Returns the ISIN; null if the service gives a placeholder. */
  isin(row: number): string | null {
    const isin = this.codes('isin').text(row).trim().toUpperCase();
    return ISIN.test(isin) ? isin : null;
  }

  /** The trading symbol. */
  symbol(row: number): string {
    return this.columns.symbols.get(row);
  }

  /** Returns the instrument's name; its symbol if it has no other. */
  name(row: number): string {
    return this.columns.names.get(row) || this.symbol(row);
  }

  /** Returns true if the symbol of a row begins with these bytes (capitals). */
  symbolStartsWith(row: number, prefix: Uint8Array): boolean {
    return this.columns.symbols.startsWith(row, prefix);
  }

  /** Returns true if the row has a name beside its symbol. */
  hasName(row: number): boolean {
    return this.columns.names.end(row) > this.columns.names.start(row);
  }

  /**
   * The row with this ref_id; -1 when there is none.
   * @throws UnreadableReplyError if two rows have it: they contradict each other, as a row that comes again unchanged is left out
   */
  rowOfRefId(refId: number): number {
    const refIds = this.numbers('ref_id');
    let found = -1;
    for (const row of this.byRefIdIndex.candidates(hashNumber(refId))) {
      if (refIds.get(row) !== refId) continue;
      if (found >= 0) throw this.namedTwice(found, row);
      found = row;
    }
    return found;
  }

  /** The error of an instrument that has two rows: nobody can tell which of them is right. */
  namedTwice(row: number, twin: number): UnreadableReplyError {
    const [one, other] = [this.instrument(row), this.instrument(twin)];
    const said = ({ refId, lotSize, tickSize }: Instrument): string =>
      `ref_id ${refId}, lot ${lotSize}, tick ${tickSize} paise`;
    return new UnreadableReplyError(
      `The service's list of instruments of ${this.exchange} has ${one.symbol} twice: ${said(one)}; and ${said(other)}.`,
      { hint: 'Nothing was sent for it. Try again later: the list is fetched again each morning.' },
    );
  }

  /** All rows with exactly this symbol (capitals), in the order of the master. */
  rowsOfSymbol(symbol: string): number[] {
    const bytes = Buffer.from(symbol, 'utf8');
    const { symbols } = this.columns;
    const rows: number[] = [];
    for (const row of this.bySymbolIndex.candidates(hashBytes(bytes, 0, bytes.length))) {
      if (symbols.end(row) - symbols.start(row) === bytes.length && symbols.startsWith(row, bytes)) rows.push(row);
    }
    return rows;
  }

  /** All rows with this token of the exchange (BSE: the scrip code). */
  rowsOfToken(token: number): number[] {
    const tokens = this.numbers('token');
    const rows: number[] = [];
    for (let row = 0; row < this.size; row++) if (tokens.get(row) === token) rows.push(row);
    return rows;
  }

  /** All rows with this ISIN (capitals). */
  rowsOfIsin(isin: string): readonly number[] {
    this.rowsByIsin ??= this.indexIsins();
    return this.rowsByIsin.get(isin) ?? [];
  }

  private indexIsins(): Map<string, number[]> {
    const column = this.codes('isin');
    const rows = new Map<string, number[]>();
    const byCode = Array.from({ length: column.dictionary.size }, (_, code): number[] | undefined => {
      const isin = column.dictionary.text(code).trim().toUpperCase();
      if (!ISIN.test(isin)) return undefined;
      const own = rows.get(isin) ?? [];
      rows.set(isin, own);
      return own;
    });
    for (let row = 0; row < this.size; row++) byCode[column.code(row)]?.push(row);
    return rows;
  }

  /** The row with all of its fields. */
  instrument(row: number): Instrument {
    const number = (field: NumberField) => this.numbers(field).get(row);
    const text = (field: RepeatedTextField) => this.codes(field).text(row).trim();
    const kind = this.kind(row);
    const symbol = this.symbol(row);
    const exchange = text('exchange').toUpperCase() || this.exchange;
    const asset = text('asset') || symbol;
    return {
      refId: number('ref_id'),
      exchange,
      symbol,
      name: this.name(row),
      platName: this.columns.platNames.get(row),
      platId: number('plat_id'),
      token: number('token'),
      kind,
      derivativeType: text('derivative_type'),
      assetType: text('asset_type'),
      asset,
      series: this.series(row),
      isin: this.isin(row),
      optionType: this.optionType(row),
      strikePrice: kind === 'OPT' ? number('strike_price') : null,
      expiry: expiryDate(number('expiry')),
      lotSize: number('lot_size'),
      lotMultiplier: contractOf({
        exchange,
        asset,
        lotSize: number('lot_size'),
        assetType: text('asset_type'),
        qtyMultiplier: number('qty_multiplier'),
      }).lotMultiplier,
      freezeQuantity: Math.max(0, number('freeze_qty_limit')),
      tickSize: number('tick_size'),
      underlyingPrevClose: number('underlying_prev_close'),
    };
  }
}
