/** CSV (RFC 4180) from bytes as they arrive: quotes, line breaks within them, CR LF, a byte order mark, UTF-8 cut anywhere. */
import { UnreadableReplyError } from '../base/errors';

const QUOTE = '"';
/** A record is never longer than this; beyond it a quote is missing. */
const LONGEST_RECORD = 10_000_000;

/** Turns chunks into records; lines without anything in them are left out. */
export class CsvReader {
  private readonly decoder = new TextDecoder('utf-8');
  private rest = '';

  /** The records that are complete with this chunk. */
  push(chunk: Uint8Array): string[][] {
    return this.take(this.decoder.decode(chunk, { stream: true }), false);
  }

  /** The record that has no line break after it. @throws UnreadableReplyError when a quote was never closed. */
  finish(): string[][] {
    return this.take(this.decoder.decode(), true);
  }

  private take(more: string, last: boolean): string[][] {
    const text = this.rest === '' ? more : this.rest + more;
    const quoted = text.includes(QUOTE);
    const records: string[][] = [];
    let at = 0;
    while (at < text.length) {
      const end = text.indexOf('\n', at);
      const lineEnd = end < 0 ? text.length : end;
      if (quoted && text.slice(at, lineEnd).includes(QUOTE)) {
        const record = readQuoted(text, at, last);
        if (record === undefined) break;
        records.push(record.cells);
        at = record.next;
        continue;
      }
      if (end < 0 && !last) break;
      const line = text.slice(at, text.charCodeAt(lineEnd - 1) === 0x0d && lineEnd > at ? lineEnd - 1 : lineEnd);
      if (line !== '') records.push(line.split(','));
      at = lineEnd + 1;
    }
    this.rest = text.slice(at);
    if (this.rest.length > LONGEST_RECORD || (last && this.rest !== ''))
      throw new UnreadableReplyError('The CSV file cannot be read: a quoted value in it does not end.');
    return records;
  }
}

/** Reads a record that has quotes; undefined when it is not complete yet. */
function readQuoted(text: string, from: number, last: boolean): { cells: string[]; next: number } | undefined {
  const cells: string[] = [];
  let at = from;
  for (;;) {
    let cell = '';
    if (text[at] === QUOTE) {
      at++;
      for (;;) {
        const quote = text.indexOf(QUOTE, at);
        if (quote < 0) return undefined;
        cell += text.slice(at, quote);
        at = quote + 1;
        if (text[at] !== QUOTE) break;
        cell += QUOTE;
        at++;
      }
      // A quote at the very end may be the first half of a doubled one.
      if (at >= text.length && !last) return undefined;
    }
    const start = at;
    while (at < text.length && text[at] !== ',' && text[at] !== '\n') at++;
    if (at >= text.length && !last) return undefined;
    cell += text.slice(start, text[at] !== ',' && text[at - 1] === '\r' && at > start ? at - 1 : at);
    cells.push(cell);
    if (text[at] !== ',') return { cells, next: at + 1 };
    at++;
  }
}

/** The records of a stream of bytes, a batch for each chunk. @throws UnreadableReplyError when a quote was never closed. */
export async function* csvRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string[][]> {
  const reader = new CsvReader();
  for await (const chunk of chunks) {
    const records = reader.push(chunk);
    if (records.length > 0) yield records;
  }
  const records = reader.finish();
  if (records.length > 0) yield records;
}
