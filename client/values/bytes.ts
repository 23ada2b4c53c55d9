/** Maximum sizes of the service's replies, and reading no more than that. */
import { UnreadableReplyError } from '../base/errors';

const MB = 1_000_000;

/** The largest replies that are read, bytes after decompression. */
export const MAX_REPLY_BYTES = {
  json: 64 * MB,
  /** The orders of a day: 100,000 of them are 98 MB. */
  list: 256 * MB,
  /** Ten symbols of one-second bars over four days. */
  candles: 256 * MB,
  /** A report or an end-of-day file, which n8n holds whole. */
  file: 200 * MB,
  /** The instrument master: read row by row, never held. */
  master: 500 * MB,
  /** Part of a refusal to read: its reason is in the beginning. */
  refusal: 64_000,
} as const;

/**
 * The same chunks, up to a size.
 * @throws UnreadableReplyError with the chunk that goes beyond it; the rest is not read.
 */
export async function* limitBytes(maxBytes: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maxBytes)
      throw new UnreadableReplyError(`The service sent more than the ${maxBytes / MB} MB that this reply may have.`, {
        hint: "Ask for less at a time. If that does not help, something else answers at the credential's address.",
      });
    yield chunk;
  }
}

/** All bytes. */
export async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return parts.length === 1 ? asBuffer(parts[0]!) : Buffer.concat(parts);
}

/** The first bytes, up to so many; the rest is not read. */
export async function readStart(maxBytes: number, chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= maxBytes) break;
  }
  return Buffer.concat(parts).subarray(0, maxBytes);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
