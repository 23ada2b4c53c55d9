/** CSV (RFC 4180) from bytes as they arrive: quotes, line breaks within them, CR LF, a byte order mark, UTF-8 cut anywhere. */
import { UnreadableReplyError } from '../base/errors';

const QUOTE = '"';
/** A field is never longer than this, characters; beyond it a quote or a line break is missing. */
const MAX_FIELD_LENGTH = 10_000;
/** A record has never more fields than this; beyond it a line break is missing. */
const MAX_FIELDS = 10_000;

/**
 * Turns chunks into records; lines without anything in them are left out. Each character is looked at once, however the
 * chunks are cut: a record that is not complete is kept as the fields that it has so far.
 */
export class CsvReader {
  private readonly decoder = new TextDecoder('utf-8');
  private text = '';
  private at = 0;
  /** The complete fields of the current record. */
  private fields: string[] = [];
  /** The part of the current field so far. */
  private field = '';
  /** Position from which the field is outside quotes; up to there a CR belongs to it. */
  private bareFrom = 0;
  /** `start`: before the first character of a field. `closing`: after a quote that ends the field or is half of a doubled one. */
  private place: 'start' | 'bare' | 'quoted' | 'closing' = 'start';
  /** True if the current record has had a quote: then it is a record even if it is empty. */
  private hadQuote = false;

  /** The records that are complete with this chunk. @throws UnreadableReplyError if a field or a record is too long. */
  push(chunk: Uint8Array): string[][] {
    return this.take(this.decoder.decode(chunk, { stream: true }));
  }

  /** The record that has no line break after it. @throws UnreadableReplyError if a quote was never closed. */
  finish(): string[][] {
    const records = this.take(this.decoder.decode());
    if (this.place === 'quoted') throw unreadable('a quoted value in it does not end');
    this.endRecord(records);
    return records;
  }

  private take(text: string): string[][] {
    const records: string[][] = [];
    this.text = text;
    this.at = 0;
    let quote = text.indexOf(QUOTE);
    while (this.at < text.length) {
      if (this.place === 'start' && this.fields.length === 0) {
        if (quote >= 0 && quote < this.at) quote = text.indexOf(QUOTE, this.at);
        const end = text.indexOf('\n', this.at);
        if (end >= 0 && (quote < 0 || quote > end)) {
          this.takeLine(end, records);
          continue;
        }
      }
      this.takeField(records);
    }
    return records;
  }

  /** A whole line without quotes. */
  private takeLine(end: number, records: string[][]): void {
    const { text, at } = this;
    const line = text.slice(at, end > at && text.charCodeAt(end - 1) === 0x0d ? end - 1 : end);
    this.at = end + 1;
    if (line === '') return;
    const fields = line.split(',');
    if (fields.length > MAX_FIELDS || fields.some(({ length }) => length > MAX_FIELD_LENGTH)) throw tooLong();
    records.push(fields);
  }

  /** The next part of the text that belongs to one field. */
  private takeField(records: string[][]): void {
    const { text } = this;
    if (this.place === 'start') {
      this.place = text[this.at] === QUOTE ? 'quoted' : 'bare';
      if (this.place === 'bare') return;
      this.hadQuote = true;
      this.at++;
    }
    if (this.place === 'closing') {
      this.place = text[this.at] === QUOTE ? 'quoted' : 'bare';
      if (this.place === 'bare') this.bareFrom = this.field.length;
      else {
        this.append(this.at, this.at + 1);
        this.at++;
      }
      return;
    }
    if (this.place === 'quoted') {
      const quote = text.indexOf(QUOTE, this.at);
      this.append(this.at, quote < 0 ? text.length : quote);
      this.at = quote < 0 ? text.length : quote + 1;
      if (quote >= 0) this.place = 'closing';
      return;
    }
    let end = this.at;
    while (end < text.length && text[end] !== ',' && text[end] !== '\n') end++;
    this.append(this.at, end);
    this.at = end + 1;
    if (text[end] === ',') this.endField();
    else if (text[end] === '\n') this.endRecord(records);
  }

  private append(from: number, to: number): void {
    this.field += this.text.slice(from, to);
    if (this.field.length > MAX_FIELD_LENGTH) throw tooLong();
  }

  private endField(): void {
    this.fields.push(this.field);
    if (this.fields.length > MAX_FIELDS) throw tooLong();
    this.field = '';
    this.bareFrom = 0;
    this.place = 'start';
  }

  private endRecord(records: string[][]): void {
    const { field } = this;
    if (field.length > this.bareFrom && field.endsWith('\r')) this.field = field.slice(0, -1);
    const isEmpty = this.field === '' && this.fields.length === 0 && !this.hadQuote;
    this.endField();
    if (!isEmpty) records.push(this.fields);
    this.fields = [];
    this.hadQuote = false;
  }
}

function unreadable(why: string): UnreadableReplyError {
  return new UnreadableReplyError(`The CSV file cannot be read: ${why}.`);
}

function tooLong(): UnreadableReplyError {
  return unreadable('a value in it is longer than 10,000 characters, or a line has more than 10,000 of them');
}

/**
 * The records of a stream of bytes, a batch for each chunk.
 * @throws UnreadableReplyError if a quote was never closed, or a field or a record is too long.
 */
export async function* csvRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string[][]> {
  const reader = new CsvReader();
  for await (const chunk of chunks) {
    const records = reader.push(chunk);
    if (records.length > 0) yield records;
  }
  const records = reader.finish();
  if (records.length > 0) yield records;
}
