import { Readable } from 'node:stream';
import { EventLoopTurns } from '../shared/cooperative';

/** Long replies are made a little at a time, so that no other request waits for them. */

/** A reply is sent in pieces of about this many characters. */
const PIECE = 256 * 1024;

/** Yields the items unchanged, with pauses in which everything else has its turn. */
export async function* inSlices<T>(items: Iterable<T>): AsyncGenerator<T> {
  const turns = new EventLoopTurns();
  for (const item of items) {
    yield item;
    await turns.next();
  }
}

/** Texts one after the other as a stream, made while it is read. */
export const streamReply = (texts: Iterable<string>): Readable => Readable.from(pieces(texts), { objectMode: false });

/** A JSON list as texts: `head`, the items separated by commas, and `tail`. */
export function* jsonList(head: string, items: Iterable<string>, tail: string): Generator<string> {
  let before = head;
  for (const item of items) {
    yield before + item;
    before = ',';
  }
  yield before === ',' ? tail : head + tail;
}

async function* pieces(texts: Iterable<string>): AsyncGenerator<string> {
  let piece = '';
  const turns = new EventLoopTurns();
  for (const text of texts) {
    piece += text;
    if (!turns.isDue && piece.length < PIECE) continue;
    if (piece !== '') yield piece;
    piece = '';
    await turns.next();
  }
  if (piece !== '') yield piece;
}
