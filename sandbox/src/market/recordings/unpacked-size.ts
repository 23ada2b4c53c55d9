/** Bounds of unpacked files. A packed file may be a thousand times as large unpacked: a file is bounded by what comes out of it. */

const MB = 2 ** 20;
/** Largest size of an unpacked file by default; bytes. */
export const MAX_UNPACKED_BYTES = 256 * MB;

/** Says that more would come out of a file than so many bytes, and what to do. */
export function unpacksToMore(maxBytes: number): string {
  return `it unpacks to more than ${Math.floor(maxBytes / MB)} MB; split it, for instance by year, or allow more with --max-unpacked MB`;
}
