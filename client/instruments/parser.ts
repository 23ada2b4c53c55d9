/**
 * Reads the instrument master row by row from the bytes as they arrive, straight into columns: the text of the whole
 * (tens of megabytes) never exists (docs/service/instruments.md#instrument-record).
 */
import { UnreadableReplyError } from '../base/errors';
import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, LETTER_N, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../values/json-bytes';
import { JsonScanner, NEEDS_MORE } from '../values/byte-scanner';
import { MasterColumns, REPEATED_TEXT_FIELDS, NUMBER_FIELDS, UNIQUE_TEXT_FIELDS } from './fields';
import { RecentTexts, RowFields, type RowField } from './row-fields';

/** A row, or a value of the envelope, is never longer than this. */
const MAX_VALUE = 1_048_576;
const FIRST_BUFFER = 262_144;
type Phase = 'start' | 'envelope' | 'rows' | 'done';

/** Values outside the rows. */
export interface MasterEnvelope {
  exchange: string;
  message: string;
  /** True if the exchange trades on the requested date; undefined while not yet read, or if the service does not say. */
  isTradingOn: boolean | undefined;
}

/** Takes the bytes of an instrument master piece by piece, and holds its rows in columns. */
export class MasterParser extends JsonScanner {
  readonly columns = new MasterColumns();
  readonly envelope: MasterEnvelope = { exchange: '', message: '', isTradingOn: undefined };
  private phase: Phase = 'start';
  private sawRows = false;
  private at = 0;
  private readonly fields = new RowFields();
  /** The last texts of each code column: most rows repeat one of them. */
  private readonly recent: RecentTexts[] = REPEATED_TEXT_FIELDS.map(() => new RecentTexts());
  // Values of the row in progress: taken over only when the row is complete.
  private readonly numbers = new Float64Array(NUMBER_FIELDS.length);
  private readonly codes = new Int32Array(REPEATED_TEXT_FIELDS.length);
  private readonly texts: { bytes: Uint8Array; from: number; to: number }[] = UNIQUE_TEXT_FIELDS.map(() => ({
    bytes: new Uint8Array(0),
    from: 0,
    to: 0,
  }));

  constructor() {
    super(Buffer.allocUnsafeSlow(FIRST_BUFFER));
  }

  protected unreadable(why: string, cause?: unknown): UnreadableReplyError {
    return new UnreadableReplyError(`The list of instruments cannot be read: ${why}.`, {
      hint: 'The download may have been cut off; try again.',
      ...(cause === undefined ? {} : { cause }),
    });
  }

  /** @throws UnreadableReplyError if the bytes are no instrument master. */
  push(chunk: Uint8Array): void {
    this.makeRoom(chunk.length);
    this.bytes.set(chunk, this.end);
    this.end += chunk.length;
    this.run();
  }

  /** Says that all bytes have come. @throws UnreadableReplyError if they are not a complete master. */
  finish(): void {
    if (this.phase !== 'done') throw this.unreadable('it ends in the middle');
    if (!this.sawRows) throw this.unreadable('it holds no list of instruments');
  }

  private makeRoom(length: number): void {
    const kept = this.end - this.at;
    if (kept > MAX_VALUE) throw this.unreadable('one of its rows is too long');
    if (kept + length > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(kept + length, this.bytes.length * 2));
      this.bytes.copy(larger, 0, this.at, this.end);
      this.bytes = larger;
    } else this.bytes.copyWithin(0, this.at, this.end);
    this.at = 0;
    this.end = kept;
  }

  private run(): void {
    while (this.phase !== 'done') {
      const next =
        this.phase === 'rows' ? this.readRows() : this.phase === 'envelope' ? this.readMember() : this.readStart();
      if (next === NEEDS_MORE) return;
      this.at = next;
    }
  }

  private readStart(): number {
    let at = this.skipBlanks(this.at);
    if (at >= this.end) return NEEDS_MORE;
    if (this.bytes[at] === 0xef) at = this.skipBlanks(at + 3);
    if (at >= this.end) return NEEDS_MORE;
    if (this.bytes[at] !== OPEN_BRACE) throw this.unreadable('it does not begin as one');
    this.phase = 'envelope';
    return at + 1;
  }

  /** One member of the envelope; `refdata` opens the rows. */
  private readMember(): number {
    let at = this.skipBlanks(this.at);
    if (at < this.end && this.bytes[at] === COMMA) at = this.skipBlanks(at + 1);
    if (at >= this.end) return NEEDS_MORE;
    if (this.bytes[at] === CLOSE_BRACE) {
      this.phase = 'done';
      return at + 1;
    }
    if (this.bytes[at] !== QUOTE) throw this.unreadable('a name is missing in it');
    at = this.readString(at);
    if (at === NEEDS_MORE) return NEEDS_MORE;
    const key = this.string();
    at = this.afterColon(at);
    if (at === NEEDS_MORE) return NEEDS_MORE;
    if (key === 'refdata' && this.bytes[at] === OPEN_BRACKET) {
      this.phase = 'rows';
      this.sawRows = true;
      return at + 1;
    }
    const to = this.skipValue(at);
    if (to === NEEDS_MORE) return NEEDS_MORE;
    if (key === 'refdata') {
      if (this.bytes[at] !== LETTER_N) throw this.unreadable('its list of instruments cannot be read');
      this.sawRows = true;
    } else if (this.bytes[at] === QUOTE && (key === 'exchange' || key === 'message')) {
      this.readString(at);
      this.envelope[key] = this.string();
    } else if (key === 'is_trading_on') {
      const word = this.bytes.toString('latin1', at, to);
      this.envelope.isTradingOn = word === 'true' ? true : word === 'false' ? false : undefined;
    }
    return to;
  }

  private readRows(): number {
    let at = this.at;
    for (;;) {
      at = this.skipBlanks(at);
      if (at < this.end && this.bytes[at] === COMMA) at = this.skipBlanks(at + 1);
      if (at >= this.end) return this.keepFrom(at);
      const byte = this.bytes[at]!;
      if (byte === CLOSE_BRACKET) {
        this.phase = 'envelope';
        return at + 1;
      }
      if (byte !== OPEN_BRACE) throw this.unreadable('a row in it cannot be read');
      const next = this.readRow(at);
      if (next === NEEDS_MORE) return this.keepFrom(at);
      this.columns.append(this.numbers, this.codes, this.texts);
      at = next;
    }
  }

  /** Marks everything before this position as parsed. */
  private keepFrom(at: number): number {
    this.at = at;
    return NEEDS_MORE;
  }

  private readRow(from: number): number {
    this.numbers.fill(0);
    this.codes.fill(0);
    for (const text of this.texts) text.to = text.from;
    const { bytes } = this;
    let at = this.skipBlanks(from + 1);
    if (at < this.end && bytes[at] === CLOSE_BRACE) return at + 1;
    for (let previous: RowField | undefined; ;) {
      if (at >= this.end) return NEEDS_MORE;
      if (bytes[at] !== QUOTE) throw this.unreadable('a name is missing in a row of it');
      let field = this.fields.after(previous);
      if (field !== undefined && this.isQuoted(field.key, at + 1)) at += field.key.length + 2;
      else {
        at = this.readString(at);
        if (at === NEEDS_MORE) return NEEDS_MORE;
        field = this.fields.named(this.stringBytes.subarray(this.stringFrom, this.stringTo), previous);
      }
      previous = field;
      at = this.afterColon(at);
      if (at === NEEDS_MORE) return NEEDS_MORE;
      at = this.readField(field, at);
      if (at === NEEDS_MORE) return NEEDS_MORE;
      at = this.skipBlanks(at);
      if (at >= this.end) return NEEDS_MORE;
      const byte = bytes[at]!;
      if (byte === CLOSE_BRACE) return at + 1;
      if (byte !== COMMA) throw this.unreadable('a comma is missing in a row of it');
      at = this.skipBlanks(at + 1);
    }
  }

  private readField(field: RowField, at: number): number {
    const byte = this.bytes[at]!;
    if (byte === LETTER_N || field.kind === 'skip') return this.skipValue(at);
    if (field.kind === 'number') return this.readNumber(field, at);
    if (byte !== QUOTE) return this.readBareText(field, at);
    if (field.kind === 'code') {
      const recent = this.recent[field.index]!;
      if (this.isQuoted(recent.newest, at + 1)) {
        this.codes[field.index] = recent.newestCode;
        return at + recent.newest.length + 2;
      }
      if (this.isQuoted(recent.older, at + 1)) {
        this.codes[field.index] = recent.olderCode;
        return at + recent.older.length + 2;
      }
    }
    const next = this.readString(at);
    if (next !== NEEDS_MORE) this.takeText(field);
    return next;
  }

  /** A number or a word where text is expected is taken as its own text. */
  private readBareText(field: RowField, at: number): number {
    const to = this.skipValue(at);
    if (to === NEEDS_MORE) return NEEDS_MORE;
    this.stringBytes = this.bytes;
    this.stringFrom = at;
    this.stringTo = to;
    this.takeText(field);
    return to;
  }

  private takeText(field: RowField): void {
    const { stringBytes, stringFrom, stringTo } = this;
    if (field.kind === 'code') {
      const code = this.columns.codeColumns[field.index]!.dictionary.code(stringBytes, stringFrom, stringTo);
      this.codes[field.index] = code;
      // Only texts without escapes: they are compared with the bytes as they come.
      if (stringBytes === this.bytes)
        this.recent[field.index]!.remember(stringBytes.subarray(stringFrom, stringTo), code);
    } else {
      const text = this.texts[field.index]!;
      text.bytes = stringBytes;
      text.from = stringFrom;
      text.to = stringTo;
    }
  }

  private readNumber(field: RowField, at: number): number {
    const quoted = this.bytes[at] === QUOTE;
    const from = quoted ? at + 1 : at;
    if (field.isSpare && from < this.end && !canBeginNumber(this.bytes[from]!)) return this.skipValue(at);
    const to = this.readInteger(from);
    if (to === NEEDS_MORE) return NEEDS_MORE;
    this.numbers[field.index] = this.number;
    if (!quoted) return to;
    if (this.bytes[to] !== QUOTE) throw this.unreadable('a number in it cannot be read');
    return to + 1;
  }
}

/** True for a digit, a sign, and the end of an empty text. */
const canBeginNumber = (byte: number): boolean => (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === QUOTE;
