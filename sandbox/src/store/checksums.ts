import { crc32 } from 'node:zlib';

/** Checksums of stored data: SQLite keeps none of its file, and cuts a damaged write-ahead log off without a word. */

/** Parts of a checked text cannot run into one another: none of them holds this. */
const SEPARATOR = '\0';

/** The checksum of some parts, continued from the checksum of what comes before them. */
export function checksum(parts: readonly (string | number)[], before = 0): number {
  return crc32(parts.join(SEPARATOR), before);
}

/** The checksum of bytes. */
export function checksumOf(bytes: Uint8Array): number {
  return crc32(bytes);
}
