/** Columns that hold 250,000 instruments in little memory: typed arrays and byte pools instead of objects. */

/** Room in the beginning: columns double as they fill, and a list of a few rows is not worth megabytes. */
const FIRST_ROWS = 1_024;
const FIRST_BYTES = 16_384;

/** The values in a longer or shorter piece of memory; the piece that they had is given back at once, not when V8 collects. */
function moved<T extends Wide | Narrow>(values: T, length: number): T {
  const Same = values.constructor as new (buffer: ArrayBuffer) => T;
  return new Same(values.buffer.transfer(length * values.BYTES_PER_ELEMENT));
}

type Wide = Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;
type Narrow = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;

/** Integers: 32 bits while all fit, doubles from the first that does not. */
export class NumberColumn {
  private values: Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer> = new Int32Array(FIRST_ROWS);

  /** Stores the number of a row; any row, in any order. */
  set(row: number, value: number): void {
    if (row >= this.values.length) this.values = moved(this.values, this.values.length * 2);
    if (this.values instanceof Int32Array && (value | 0) !== value) this.values = Float64Array.from(this.values);
    this.values[row] = value;
  }

  /** Returns the number of a row; 0 if none was stored. */
  get(row: number): number {
    return this.values[row] ?? 0;
  }

  /** Frees the memory beyond `rows`. */
  trim(rows: number): void {
    this.values = moved(this.values, rows);
  }
}

/** Texts one after the other in a pool of bytes (UTF-8). */
export class TextColumn {
  private pool = Buffer.from(new ArrayBuffer(FIRST_BYTES));
  private ends = new Uint32Array(FIRST_ROWS);
  /** Rows so far. */
  count = 0;

  /** Copies the text of the next row: bytes [from, to). */
  append(bytes: Uint8Array, from: number, to: number): void {
    const start = this.count === 0 ? 0 : this.ends[this.count - 1]!;
    const end = start + to - from;
    if (end > this.pool.length) this.growPool(end);
    const pool = this.pool;
    for (let at = from, into = start; at < to; at++, into++) pool[into] = bytes[at]!;
    if (this.count === this.ends.length) this.ends = moved(this.ends, this.ends.length * 2);
    this.ends[this.count++] = end;
  }

  /** The text of a row. */
  get(row: number): string {
    return this.pool.toString('utf8', this.start(row), this.ends[row]!);
  }

  /** Returns the start of a row's text in `bytes`. */
  start(row: number): number {
    return row === 0 ? 0 : this.ends[row - 1]!;
  }

  /** Returns the end of a row's text in `bytes`. */
  end(row: number): number {
    return this.ends[row]!;
  }

  /** The pool; another one after each `append`. */
  get bytes(): Uint8Array {
    return this.pool;
  }

  /** Returns true if a row's text begins with these bytes. */
  startsWith(row: number, prefix: Uint8Array): boolean {
    const start = this.start(row);
    if (this.ends[row]! - start < prefix.length) return false;
    for (let at = 0; at < prefix.length; at++) if (this.pool[start + at] !== prefix[at]) return false;
    return true;
  }

  /** Frees unused memory. */
  trim(): void {
    const length = this.count === 0 ? 0 : this.ends[this.count - 1]!;
    this.pool = Buffer.from(this.pool.buffer.transfer(length));
    this.ends = moved(this.ends, this.count);
  }

  private growPool(needed: number): void {
    this.pool = Buffer.from(this.pool.buffer.transfer(Math.max(needed, this.pool.length * 2)));
  }
}

/** FNV-1a over bytes, 32 bits. */
export function hashBytes(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return hash >>> 0;
}

/** Different texts, each with a small number; looked up by their bytes without making strings. */
class Dictionary {
  private readonly texts = new TextColumn();
  private slots = new Int32Array(1_024).fill(-1);
  private strings: (string | undefined)[] = [];

  /** The number of the text, which is taken in when it is new. */
  code(bytes: Uint8Array, from: number, to: number): number {
    let slot = hashBytes(bytes, from, to) & (this.slots.length - 1);
    for (;;) {
      const code = this.slots[slot]!;
      if (code < 0) break;
      if (this.equals(code, bytes, from, to)) return code;
      slot = (slot + 1) & (this.slots.length - 1);
    }
    const code = this.texts.count;
    this.texts.append(bytes, from, to);
    if (this.texts.count * 2 > this.slots.length) this.rehash();
    else this.slots[slot] = code;
    return code;
  }

  /** The number of a text; -1 when it is not there. */
  find(text: string): number {
    const bytes = Buffer.from(text, 'utf8');
    let slot = hashBytes(bytes, 0, bytes.length) & (this.slots.length - 1);
    for (;;) {
      const code = this.slots[slot]!;
      if (code < 0 || this.equals(code, bytes, 0, bytes.length)) return code;
      slot = (slot + 1) & (this.slots.length - 1);
    }
  }

  /** The text of a number that `code` returned. */
  text(code: number): string {
    return (this.strings[code] ??= this.texts.get(code));
  }

  /** The number of different texts. */
  get size(): number {
    return this.texts.count;
  }

  /** Frees unused memory. */
  trim(): void {
    this.texts.trim();
  }

  private equals(code: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.texts.start(code);
    if (this.texts.end(code) - start !== to - from) return false;
    const pool = this.texts.bytes;
    for (let at = from, own = start; at < to; at++, own++) if (pool[own] !== bytes[at]) return false;
    return true;
  }

  private rehash(): void {
    this.slots = new Int32Array(this.slots.length * 2).fill(-1);
    for (let code = 0; code < this.texts.count; code++) {
      let slot = hashBytes(this.texts.bytes, this.texts.start(code), this.texts.end(code)) & (this.slots.length - 1);
      while (this.slots[slot]! >= 0) slot = (slot + 1) & (this.slots.length - 1);
      this.slots[slot] = code;
    }
  }
}

/** Texts that repeat: each row holds the number of its text in a dictionary. */
export class CodeColumn {
  readonly dictionary = new Dictionary();
  private codes: Narrow | Uint32Array<ArrayBuffer> = new Uint8Array(FIRST_ROWS);

  /** Stores the number that the row's text has in `dictionary`. */
  set(row: number, code: number): void {
    if (row >= this.codes.length) this.codes = moved(this.codes, this.codes.length * 2);
    if (code > 0xff && this.codes instanceof Uint8Array) this.codes = Uint16Array.from(this.codes);
    if (code > 0xffff && this.codes instanceof Uint16Array) this.codes = Uint32Array.from(this.codes);
    this.codes[row] = code;
  }

  /** Returns the number of a row's text; 0 if none was stored. */
  code(row: number): number {
    return this.codes[row] ?? 0;
  }

  /** The text of a row. */
  text(row: number): string {
    return this.dictionary.text(this.code(row));
  }

  /** Frees the memory beyond `rows`. */
  trim(rows: number): void {
    this.codes = moved(this.codes, rows);
    this.dictionary.trim();
  }
}

/** Rows by a hash of theirs: open addressing, at most two thirds full. */
export class HashIndex {
  private readonly slots: Int32Array;

  /** @param rows how many are added at most. */
  constructor(rows: number) {
    let size = 1_024;
    while (size * 2 < rows * 3) size *= 2;
    this.slots = new Int32Array(size).fill(-1);
  }

  /** Adds a row under a hash; several rows may have the same. */
  add(hash: number, row: number): void {
    let slot = hash & (this.slots.length - 1);
    while (this.slots[slot]! >= 0) slot = (slot + 1) & (this.slots.length - 1);
    this.slots[slot] = row;
  }

  /** Rows that may have the hash, in the order in which they were added; the caller compares. */
  *candidates(hash: number): Generator<number> {
    let slot = hash & (this.slots.length - 1);
    for (let row = this.slots[slot]!; row >= 0; row = this.slots[slot]!) {
      yield row;
      slot = (slot + 1) & (this.slots.length - 1);
    }
  }
}

/** Spreads the bits of an integer key for `HashIndex`. */
export function hashNumber(value: number): number {
  let hash = Math.imul((value | 0) ^ Math.floor(value / 0x100000000), 0x9e3779b1);
  hash ^= hash >>> 15;
  return hash >>> 0;
}
