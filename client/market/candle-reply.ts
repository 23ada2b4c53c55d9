/**
 * Reads a candle reply straight into columns of numbers (docs/service/market-data.md#candle-reply): a month of minutes
 * is a million points, and as many objects would cost several times the time.
 */
import { UnreadableReplyError } from '../base/errors';
import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, LETTER_N, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../values/json-bytes';
import { JsonScanner, NEEDS_MORE } from '../values/byte-scanner';
import { startOf } from '../values/length';
import { decimalFrom } from '../values/record';

/** The points of one field of one symbol, as they came. */
export interface CandleSeries {
  /** Milliseconds since the epoch. */
  ms: number[];
  /** Nanoseconds of each time beyond its milliseconds (0 to 999,999). */
  nanos: number[];
  /** Values; NaN for the service's null. */
  values: number[];
}

/** A series under construction. The fields of a symbol usually have the same times: those are kept once. */
class GrowingSeries implements CandleSeries {
  readonly values: number[] = [];
  ms: number[];
  nanos: number[];
  private sharing: boolean;

  /** @param first the series of the symbol's first field; undefined for that one itself. */
  constructor(first: GrowingSeries | undefined) {
    this.sharing = first !== undefined;
    this.ms = first?.ms ?? [];
    this.nanos = first?.nanos ?? [];
  }

  push(ms: number, nanos: number, value: number): void {
    const at = this.values.length;
    this.values.push(value);
    if (this.sharing) {
      if (this.ms[at] === ms && this.nanos[at] === nanos) return;
      this.part(at);
    }
    this.ms.push(ms);
    this.nanos.push(nanos);
  }

  /** Ends the list; if it is shorter than that of the first field, it gets separate times. */
  finish(): void {
    if (this.sharing && this.values.length !== this.ms.length) this.part();
  }

  /** Gives the list separate times from now on. */
  part(length = this.values.length): void {
    this.sharing = false;
    this.ms = this.ms.slice(0, length);
    this.nanos = this.nanos.slice(0, length);
  }
}

/** Series by symbol, then by field. */
export class CandleReply extends Map<string, Map<string, GrowingSeries>> {
  /** Exchange and type as the results state them. */
  readonly about: { exchange: string[]; type: string[] } = { exchange: [], type: [] };
}

const TS = Buffer.from('ts', 'latin1');
const V = Buffer.from('v', 'latin1');
/** Digits of a nanosecond time that are beyond its milliseconds. */
const SUB_MS_DIGITS = 6;
const MAX_DIGITS = 19;
/** Bytes after which digits are not a whole number: a fraction, or an exponent, whose last digits are lost. */
const NUMBER_GOES_ON: ReadonlySet<number> = new Set(Buffer.from('.eE', 'latin1'));

class CandleReader extends JsonScanner {
  private readonly reply = new CandleReply();
  private ms = 0;
  private nanos = 0;

  constructor(bytes: Buffer) {
    super(bytes);
    this.end = bytes.length;
  }

  protected unreadable(why: string, cause?: unknown): UnreadableReplyError {
    return new UnreadableReplyError(`The candles cannot be read: ${why}.`, cause === undefined ? {} : { cause });
  }

  read(): CandleReply {
    const start = this.skipBlanks(0);
    if (this.bytes[start] !== OPEN_BRACE) throw this.unreadable('they do not begin as an object');
    let sawResult = false;
    this.members(start, (key, at) => {
      if (key !== 'result') return this.skipValue(at);
      sawResult = true;
      return this.elements(at, (result) =>
        this.members(result, (name, inner) =>
          name === 'values' ? this.readValues(inner) : this.readAbout(name, inner),
        ),
      );
    });
    if (!sawResult) throw this.unreadable('the reply holds no result');
    return this.reply;
  }

  /** Reads the fields beside the values: exchange and type. */
  private readAbout(name: string, at: number): number {
    if ((name !== 'exchange' && name !== 'type') || this.bytes[at] !== QUOTE) return this.skipValue(at);
    const next = this.whole(this.readString(at));
    this.reply.about[name].push(this.string());
    return next;
  }

  /** `values`: objects by symbol of objects by field of points. */
  private readValues(at: number): number {
    return this.elements(at, (bySymbol) =>
      this.members(bySymbol, (symbol, fields) => {
        const series = this.reply.get(symbol) ?? new Map<string, GrowingSeries>();
        this.reply.set(symbol, series);
        if (this.bytes[fields] === LETTER_N) return this.skipValue(fields);
        return this.members(fields, (field, points) => {
          const cachedSeries = series.get(field);
          // A field that goes on must not lengthen the times of the others.
          if (cachedSeries !== undefined) for (const other of series.values()) other.part();
          const growingSeries = cachedSeries ?? new GrowingSeries(series.values().next().value);
          series.set(field, growingSeries);
          return this.readPoints(points, growingSeries);
        });
      }),
    );
  }

  private whole(position: number): number {
    if (position === NEEDS_MORE || position > this.end) throw this.unreadable('they end in the middle');
    return position;
  }

  /** The position after blanks, where something must stand. */
  private next(from: number): number {
    const at = this.skipBlanks(from);
    if (at >= this.end) throw this.unreadable('they end in the middle');
    return at;
  }

  /** Reads the members of an object; the callback reads a value and gives the position after it. */
  private members(from: number, member: (key: string, at: number) => number): number {
    if (this.bytes[from] !== OPEN_BRACE) throw this.unreadable('an object is missing');
    let at = this.next(from + 1);
    if (this.bytes[at] === CLOSE_BRACE) return at + 1;
    for (;;) {
      if (this.bytes[at] !== QUOTE) throw this.unreadable('a name is missing');
      const afterKey = this.whole(this.readString(at));
      const key = this.string();
      at = this.next(this.whole(member(key, this.whole(this.afterColon(afterKey)))));
      if (this.bytes[at] === CLOSE_BRACE) return at + 1;
      if (this.bytes[at] !== COMMA) throw this.unreadable('a comma is missing');
      at = this.next(at + 1);
    }
  }

  /** Reads the elements of a list, or null for none. */
  private elements(from: number, element: (at: number) => number): number {
    if (this.bytes[from] === LETTER_N) return this.whole(this.skipValue(from));
    if (this.bytes[from] !== OPEN_BRACKET) throw this.unreadable('a list is missing');
    let at = this.next(from + 1);
    if (this.bytes[at] === CLOSE_BRACKET) return at + 1;
    for (;;) {
      at = this.next(this.whole(element(at)));
      if (this.bytes[at] === CLOSE_BRACKET) return at + 1;
      if (this.bytes[at] !== COMMA) throw this.unreadable('a comma is missing');
      at = this.next(at + 1);
    }
  }

  private readPoints(from: number, series: GrowingSeries): number {
    const next = this.elements(from, (at) => this.readPoint(at, series));
    series.finish();
    return next;
  }

  private readPoint(from: number, series: GrowingSeries): number {
    if (this.bytes[from] !== OPEN_BRACE) throw this.unreadable('a point is missing');
    let at = this.next(from + 1);
    let value = NaN;
    let timed = false;
    for (;;) {
      if (this.isQuoted(TS, at + 1) && this.bytes[at] === QUOTE) {
        at = this.readTime(this.whole(this.afterColon(at + TS.length + 2)));
        timed = true;
      } else if (this.isQuoted(V, at + 1) && this.bytes[at] === QUOTE) {
        at = this.whole(this.afterColon(at + V.length + 2));
        if (this.bytes[at] === LETTER_N) at = this.whole(this.skipValue(at));
        else if (this.bytes[at] === QUOTE) {
          at = this.whole(this.readString(at));
          value = this.numberInText(this.string());
        } else {
          at = this.whole(this.readInteger(at));
          value = this.number;
        }
      } else {
        if (this.bytes[at] !== QUOTE) throw this.unreadable('a name is missing');
        at = this.whole(this.skipValue(this.whole(this.afterColon(this.whole(this.readString(at))))));
      }
      at = this.next(at);
      if (this.bytes[at] === CLOSE_BRACE) break;
      if (this.bytes[at] !== COMMA) throw this.unreadable('a comma is missing');
      at = this.next(at + 1);
    }
    if (!timed) throw this.unreadable('a point has no time');
    series.push(this.ms, this.nanos, value);
    return at + 1;
  }

  /** A number that came as text. @throws UnreadableReplyError for any other text, "1,173.20" and "NaN" among them */
  private numberInText(text: string): number {
    const number = decimalFrom(text);
    if (number === null) throw this.unreadable(`a value in them is no number, but ${startOf(text)}`);
    return number;
  }

  /** Reads a nanosecond time into `ms` and `nanos`; as text too. */
  private readTime(from: number): number {
    const { bytes } = this;
    const quoted = bytes[from] === QUOTE;
    const first = quoted ? from + 1 : from;
    let end = first;
    while (end < this.end && bytes[end]! >= 0x30 && bytes[end]! <= 0x39) end++;
    const isCut = quoted ? bytes[end] !== QUOTE : NUMBER_GOES_ON.has(bytes[end]!);
    if (end === first || end - first > MAX_DIGITS || isCut) throw this.unreadable('a time in them cannot be read');
    const border = Math.max(first, end - SUB_MS_DIGITS);
    let ms = 0;
    let nanos = 0;
    let at = first;
    for (; at < border; at++) ms = ms * 10 + bytes[at]! - 0x30;
    for (; at < end; at++) nanos = nanos * 10 + bytes[at]! - 0x30;
    this.ms = ms;
    this.nanos = nanos;
    return quoted ? end + 1 : end;
  }
}

/** Reads a candle reply. @throws UnreadableReplyError if it is none. */
export function readCandles(bytes: Uint8Array): CandleReply {
  return new CandleReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).read();
}
