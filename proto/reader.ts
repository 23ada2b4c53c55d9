/**
 * Reads the protobuf wire format for the generated decoders: strict, without dependencies, and straight into the final
 * JSON values. It never reads past its bytes, and whatever is wrong with them becomes a {@link DecodeError}.
 */

export type DecodeFault =
  | 'truncated'
  | 'varint too long'
  | 'bad field number'
  | 'wrong wire type'
  | 'nested too deep'
  | 'number not exact'
  | 'too many parts'
  | 'text too long';

/** Bytes that are no message of the expected kind. Holds the place and the cause, never the content. */
export class DecodeError extends Error {
  constructor(
    readonly fault: DecodeFault,
    /** Byte at which reading stopped. */
    readonly offset: number,
  ) {
    super(`A frame could not be read: ${fault} at byte ${offset}`);
    this.name = 'DecodeError';
  }
}

/** Groups (a retired feature of protobuf) inside unknown fields are stepped over down to this depth. */
const DEEPEST_GROUP = 16;
/**
 * A frame has never more nested messages, entries of maps and repeated texts than this, over all of its depth: two bytes
 * of each make an object of hundreds. Market depth has most: 41 of each instrument, so that 500 of them take 20,500.
 */
const MAX_PARTS = 100_000;
/** No text of a message is longer than this: the longest are reasons of refusals. */
const MAX_TEXT_BYTES = 10_000;
const TWO_32 = 4_294_967_296;
/**
 * Number of short texts to keep. They repeat from frame to frame (symbols, exchanges, tags): the last ones are compared instead of made
 * again. A frame of a thousand instruments has as many names, so there are several places for each.
 */
const REMEMBERED = 4096;
const MAX_REMEMBERED = 64;
const remembered: string[] = new Array<string>(REMEMBERED).fill('');
/** Identifiers and times repeat within a frame and from frame to frame: the last ones are kept as their two halves and their text. */
const REMEMBERED_LONGS = 256;
const rememberedLow = new Int32Array(REMEMBERED_LONGS);
const rememberedHigh = new Int32Array(REMEMBERED_LONGS);
const rememberedDigits: string[] = new Array<string>(REMEMBERED_LONGS).fill('0');
/** The whole seconds of the last time that was converted, and their text: frames come in bursts. */
let lastSeconds = 0;
let lastSecondsText = '0';

export class Reader {
  readonly bytes: Buffer;
  /** Next byte to read. */
  at = 0;
  /** End of the message that is being read, exclusive. */
  end: number;
  private parts = 0;
  /** Halves of the last 64-bit varint, as signed 32-bit integers. */
  private low = 0;
  private high = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.byteLength;
  }

  fail(fault: DecodeFault): never {
    throw new DecodeError(this.at > this.bytes.length ? 'truncated' : fault, Math.min(this.at, this.bytes.length));
  }

  /** Returns number and wire type of the next field, as on the wire. */
  tag(): number {
    const first = this.bytes[this.at]!;
    if (first < 128) {
      this.at += 1;
      if (first < 8) this.fail('bad field number');
      return first;
    }
    this.varint();
    const tag = this.low >>> 0;
    if (this.high !== 0 || tag < 8) this.fail('bad field number');
    return tag;
  }

  /** Counts one more nested message, entry of a map or repeated text. */
  part(): void {
    this.parts += 1;
    if (this.parts > MAX_PARTS) this.fail('too many parts');
  }

  /** Enters a nested message and returns the end of the outer one, to be handed to {@link leave}. */
  enter(): number {
    this.part();
    const outer = this.end;
    this.end = this.past();
    return outer;
  }

  leave(outer: number): void {
    if (this.at !== this.end) this.fail('truncated');
    this.end = outer;
  }

  /** Checks that the outermost message ended where its bytes do. */
  done(): void {
    if (this.at !== this.end) this.fail('truncated');
  }

  /** Reads int32 and enums. */
  int32(): number {
    const first = this.bytes[this.at]!;
    if (first < 128) {
      this.at += 1;
      return first;
    }
    this.varint();
    if (this.high !== 0 && !(this.high === -1 && this.low < 0)) this.fail('number not exact');
    return this.low;
  }

  uint32(): number {
    this.varint();
    if (this.high !== 0) this.fail('number not exact');
    return this.low >>> 0;
  }

  bool(): boolean {
    this.varint();
    return this.low !== 0 || this.high !== 0;
  }

  /** Reads int64 as a number; one that a double cannot hold is an error. */
  int64Number(): number {
    const first = this.bytes[this.at]!;
    if (first < 128) {
      this.at += 1;
      return first;
    }
    this.varint();
    const value = this.high * TWO_32 + (this.low >>> 0);
    if (!Number.isSafeInteger(value)) this.fail('number not exact');
    return value;
  }

  /** Reads int64 as decimal text. */
  int64Text(): string {
    this.varint();
    const slot = (this.low ^ this.high) & (REMEMBERED_LONGS - 1);
    if (rememberedLow[slot] !== this.low || rememberedHigh[slot] !== this.high) {
      rememberedDigits[slot] = this.digits();
      rememberedLow[slot] = this.low;
      rememberedHigh[slot] = this.high;
    }
    return rememberedDigits[slot]!;
  }

  /** The two halves as decimal text. */
  private digits(): string {
    const negative = this.high < 0;
    let low = this.low >>> 0;
    let high = this.high >>> 0;
    if (negative) {
      low = -low >>> 0;
      high = (low === 0 ? -high : ~high) >>> 0;
    }
    if (high === 0) return negative ? `-${low}` : String(low);
    // high × 2^32 + low = micro × 10^6 + rest; every step stays below 2^53 and is therefore exact.
    const millions = Math.floor(high / 1_000_000);
    const remainder = (high - millions * 1_000_000) * TWO_32 + low;
    const carried = Math.floor(remainder / 1_000_000);
    const micro = millions * TWO_32 + carried;
    const seconds = Math.floor(micro / 1_000);
    const nanoseconds = (micro - seconds * 1_000) * 1_000_000 + (remainder - carried * 1_000_000);
    if (seconds !== lastSeconds) {
      lastSeconds = seconds;
      lastSecondsText = String(seconds);
    }
    const digits = lastSecondsText + String(1_000_000_000 + nanoseconds).slice(1);
    return negative ? `-${digits}` : digits;
  }

  float(): number {
    if (this.end - this.at < 4) this.fail('truncated');
    const value = this.bytes.readFloatLE(this.at);
    this.at += 4;
    return value;
  }

  /** Text that is mostly the expected one: to compare them is quicker than to look it up. */
  stringLike(expected: string): string {
    const { at } = this;
    const to = this.past();
    if (this.isText(expected, this.at, to)) {
      this.at = to;
      return expected;
    }
    this.at = at;
    return this.string();
  }

  /** Text; bytes that are not UTF-8 become U+FFFD. */
  string(): string {
    const { bytes } = this;
    const to = this.past();
    const from = this.at;
    const length = to - from;
    this.at = to;
    if (length === 0) return '';
    if (length > MAX_TEXT_BYTES) this.fail('text too long');
    if (length > MAX_REMEMBERED) return bytes.toString('utf8', from, to);
    let hash = length;
    // Of all bytes: the names of options differ in any of their characters.
    for (let index = from; index < to; index++) hash = Math.imul(hash, 31) + bytes[index]!;
    const slot = (hash ^ (hash >>> 12)) & (REMEMBERED - 1);
    const text = remembered[slot]!;
    if (this.isText(text, from, to)) return text;
    return (remembered[slot] = bytes.toString('utf8', from, to));
  }

  /** Returns true if bytes are a text; of ASCII text alone, which has one character for each byte. */
  private isText(text: string, from: number, to: number): boolean {
    if (text.length !== to - from) return false;
    for (let at = from; at < to; at++) {
      const byte = this.bytes[at]!;
      if (byte > 127 || text.charCodeAt(at - from) !== byte) return false;
    }
    return true;
  }

  /** A view of the bytes, not a copy. */
  view(): Uint8Array {
    const to = this.past();
    const view = this.bytes.subarray(this.at, to);
    this.at = to;
    return view;
  }

  /** Steps over a field that the decoder does not know; a field that it knows has come with the wrong wire type. */
  skip(tag: number, known: readonly number[]): void {
    if (known.includes(tag >>> 3)) this.fail('wrong wire type');
    this.skipValue(tag, 0);
  }

  private skipValue(tag: number, depth: number): void {
    switch (tag & 7) {
      case 0:
        this.varint();
        break;
      case 1:
        this.jump(8);
        break;
      case 2:
        this.at = this.past();
        break;
      case 3:
        this.skipGroup(tag >>> 3, depth + 1);
        break;
      case 5:
        this.jump(4);
        break;
      default:
        this.fail('wrong wire type');
    }
  }

  private skipGroup(field: number, depth: number): void {
    if (depth > DEEPEST_GROUP) this.fail('nested too deep');
    while (this.at < this.end) {
      const tag = this.tag();
      if ((tag & 7) === 4) {
        if (tag >>> 3 !== field) this.fail('wrong wire type');
        return;
      }
      this.skipValue(tag, depth);
    }
    this.fail('truncated');
  }

  private jump(count: number): void {
    if (this.end - this.at < count) this.fail('truncated');
    this.at += count;
  }

  /** Reads a length and returns the end of its value; the reader is then at the value's first byte. */
  private past(): number {
    const length = this.length();
    if (length > this.end - this.at) this.fail('truncated');
    return this.at + length;
  }

  private length(): number {
    const first = this.bytes[this.at]!;
    if (first < 128) {
      this.at += 1;
      return first;
    }
    this.varint();
    return this.high === 0 ? this.low >>> 0 : this.fail('truncated');
  }

  /** Reads up to ten bytes into the two halves. Bytes beyond the buffer read as undefined and end in an error. */
  private varint(): void {
    const { bytes } = this;
    let at = this.at;
    let byte = bytes[at++]!;
    let low = byte & 127;
    let high = 0;
    if (byte >= 128 || byte === undefined) {
      let shift = 7;
      do {
        byte = bytes[at++]!;
        low |= (byte & 127) << shift;
        shift += 7;
      } while (byte >= 128 && shift < 28);
      if (byte >= 128) {
        byte = bytes[at++]!;
        low |= (byte & 127) << 28;
        high = (byte & 127) >>> 4;
        shift = 3;
        while (byte >= 128 && shift < 38) {
          byte = bytes[at++]!;
          high |= (byte & 127) << shift;
          shift += 7;
        }
        // The tenth byte holds one bit.
        if (byte >= 128 || (shift === 38 && byte > 1)) {
          this.at = at;
          this.fail('varint too long');
        }
      }
      if (byte === undefined) {
        this.at = at;
        this.fail('truncated');
      }
    }
    this.at = at;
    this.low = low;
    this.high = high;
  }
}
