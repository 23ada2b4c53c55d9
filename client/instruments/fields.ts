/** The fields of an instrument reference record, and the columns that hold them (docs/service/instruments.md#instrument-record). */
import { monthWord } from '../values/time';
import { CodeColumn, NumberColumn, TextColumn } from './columns';
import { contractSymbol } from './symbol';

/** Fields that are whole numbers. */
export const NUMBER_FIELDS = [
  'ref_id',
  'strike_price',
  'token',
  'lot_size',
  'expiry',
  'tick_size',
  'underlying_prev_close',
  'plat_id',
  'qty_multiplier',
  'freeze_qty_limit',
] as const;
/** Numbers that only some rows have, and that no order needs: a word in their place counts as none. */
export const OPTIONAL_NUMBERS: ReadonlySet<string> = new Set<NumberField>(['qty_multiplier', 'freeze_qty_limit']);
/** Fields whose texts repeat from row to row. */
export const REPEATED_TEXT_FIELDS = [
  'option_type',
  'series',
  'asset',
  'exchange',
  'derivative_type',
  'isin',
  'asset_type',
] as const;
/** Fields whose texts are different in nearly every row. */
export const UNIQUE_TEXT_FIELDS = ['stock_name', 'plat_name'] as const;

export type NumberField = (typeof NUMBER_FIELDS)[number];
export type RepeatedTextField = (typeof REPEATED_TEXT_FIELDS)[number];

const REF_ID = NUMBER_FIELDS.indexOf('ref_id');
const STRIKE = NUMBER_FIELDS.indexOf('strike_price');
const EXPIRY = NUMBER_FIELDS.indexOf('expiry');
const ASSET = REPEATED_TEXT_FIELDS.indexOf('asset');
const OPTION_TYPE = REPEATED_TEXT_FIELDS.indexOf('option_type');
const DERIVATIVE_TYPE = REPEATED_TEXT_FIELDS.indexOf('derivative_type');

const NOTHING = new Uint8Array(0);

/** A piece of bytes. */
export interface ByteSlice {
  bytes: Uint8Array;
  from: number;
  to: number;
}

/** True if two texts are the same: a contract of MCX may have a full name only. */
const isSame = (a: ByteSlice, b: ByteSlice): boolean =>
  Buffer.compare(a.bytes.subarray(a.from, a.to), b.bytes.subarray(b.from, b.to)) === 0;

/** Returns true if the bytes look like a trading symbol: capitals, digits and the few signs that symbols have, no blank. */
function isSymbol({ bytes, from, to }: ByteSlice): boolean {
  if (from === to) return false;
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    const fits =
      (byte >= 0x41 && byte <= 0x5a) ||
      (byte >= 0x30 && byte <= 0x39) ||
      byte === 0x26 ||
      byte === 0x2d ||
      byte === 0x2e ||
      byte === 0x5f ||
      byte === 0x24;
    if (!fits) return false;
  }
  return true;
}

/** The columns of all rows read so far. */
export class MasterColumns {
  readonly numberColumns = NUMBER_FIELDS.map(() => new NumberColumn());
  readonly codeColumns = REPEATED_TEXT_FIELDS.map(() => new CodeColumn());
  readonly symbols = new TextColumn();
  /** The instrument's name if it differs from its symbol; empty otherwise. */
  readonly names = new TextColumn();
  readonly platNames = new TextColumn();
  count = 0;
  /** The row of each ref_id: a list that is joined of pieces names some twice. */
  private readonly rowOfRefId = new Map<number, number>();

  constructor() {
    // Code 0 is a missing value.
    for (const column of this.codeColumns) column.dictionary.code(NOTHING, 0, 0);
  }

  /**
   * Takes over a complete row. One without a ref_id can be neither found nor traded and is left out, and one that comes again unchanged counts
   * once. Two rows that contradict each other stay both: what names one of them is then unclear, and is refused.
   */
  append(numbers: Float64Array, codes: Int32Array, [stockName, platName]: readonly ByteSlice[]): void {
    const refId = numbers[REF_ID]!;
    if (refId <= 0 || stockName === undefined || platName === undefined) return;
    const before = this.rowOfRefId.get(refId);
    if (before !== undefined && this.isRow(before, numbers, codes)) return;
    const row = this.count++;
    this.rowOfRefId.set(refId, row);
    for (let at = 0; at < this.numberColumns.length; at++) this.numberColumns[at]!.set(row, numbers[at]!);
    for (let at = 0; at < this.codeColumns.length; at++) this.codeColumns[at]!.set(row, codes[at]!);
    this.platNames.append(platName.bytes, platName.from, platName.to);
    if (isSymbol(stockName) && !this.isBareUnderlying(numbers, codes, stockName) && !isSame(stockName, platName)) {
      this.symbols.append(stockName.bytes, stockName.from, stockName.to);
      this.names.append(NOTHING, 0, 0);
    } else {
      const symbol = Buffer.from(this.deriveSymbol(numbers, codes, stockName, platName));
      this.symbols.append(symbol, 0, symbol.length);
      this.names.append(stockName.bytes, stockName.from, stockName.to);
    }
  }

  /** Returns true if a row holds these numbers and codes; ref_id and token are among them. */
  private isRow(row: number, numbers: Float64Array, codes: Int32Array): boolean {
    return (
      this.numberColumns.every((column, at) => column.get(row) === numbers[at]) &&
      this.codeColumns.every((column, at) => column.code(row) === codes[at])
    );
  }

  /** Returns true for a derivative that has only the name of its underlying: that is not its symbol. */
  private isBareUnderlying(numbers: Float64Array, codes: Int32Array, name: ByteSlice): boolean {
    if (numbers[EXPIRY] === 0) return false;
    const asset = this.codeColumns[ASSET]!.dictionary.text(codes[ASSET]!);
    return (
      asset.length === name.to - name.from &&
      asset === Buffer.from(name.bytes.subarray(name.from, name.to)).toString('utf8')
    );
  }

  /**
   * The trading symbol of a row whose stock_name is not one: of a derivative its name without blanks, or made from the
   * contract; of anything else the symbol within the platform name (STOCK_INFY.NSECM), or its underlying.
   */
  private deriveSymbol(numbers: Float64Array, codes: Int32Array, stockName: ByteSlice, platName: ByteSlice): string {
    const text = (slice: ByteSlice) => Buffer.from(slice.bytes.subarray(slice.from, slice.to)).toString('utf8').trim();
    const code = (column: number) => this.codeColumns[column]!.dictionary.text(codes[column]!).trim();
    const asset = code(ASSET).toUpperCase();
    const name = text(stockName);
    const expiry = String(numbers[EXPIRY]);
    if (numbers[EXPIRY] !== 0) {
      const contracted = contractSymbol(name);
      if (contracted !== undefined) return contracted;
      const joined = name.toUpperCase().replace(/\s+/g, '');
      if (joined !== '' && joined !== asset) return joined;
      const contract = code(DERIVATIVE_TYPE) === 'FUT' ? 'FUT' : `${numbers[STRIKE]! / 100}${code(OPTION_TYPE)}`;
      return `${asset}${expiry.slice(6)}${monthWord(numbers[EXPIRY]!)}${expiry.slice(2, 4)}${contract}`;
    }
    return /^[A-Z]+_(.+?)(?:\.[A-Z]+)?$/.exec(text(platName))?.[1] ?? (asset || name.toUpperCase().replace(/\s+/g, ''));
  }

  /** Gives back the memory that is not needed for the rows so far. */
  trim(): void {
    this.rowOfRefId.clear();
    for (const column of [...this.numberColumns, ...this.codeColumns]) column.trim(this.count);
    for (const column of [this.symbols, this.names, this.platNames]) column.trim();
  }
}
