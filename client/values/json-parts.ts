/**
 * Reads a large document part by part: its small values one after the other, each by the reader of small documents. A list of 100 MB then
 * never takes memory as one text beside its objects.
 */
import { UnreadableReplyError } from '../base/errors';
import { JsonScanner, NEEDS_MORE } from './byte-scanner';
import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './json-bytes';

/** Result of the small values of a document. */
export type JsonTree<Small> = Small | JsonTree<Small>[] | { [key: string]: JsonTree<Small> };

/** Up to so many bytes a value is read as a whole. */
const SMALL_BYTES = 1_000_000;
/** Maximum depth of a list, below two names at most ("orders", "open"): deeper values are read as a whole. */
const DEEPEST = 4;

/**
 * The first document of the bytes; what follows it is left aside.
 * @param readSmall reads a value that is small, or nested too deep to be read in parts.
 * @param smallBytes up to so many bytes a value is small.
 * @returns undefined if there is no complete object or list. @throws what `readSmall` throws; UnreadableReplyError
 */
export function readInParts<Small>(
  bytes: Buffer,
  readSmall: (part: Buffer) => Small,
  smallBytes = SMALL_BYTES,
): JsonTree<Small> | undefined {
  return new PartReader(bytes, readSmall, smallBytes).document();
}

class PartReader<Small> extends JsonScanner {
  constructor(
    bytes: Buffer,
    private readonly readSmall: (part: Buffer) => Small,
    private readonly smallBytes: number,
  ) {
    super(bytes);
    this.end = bytes.length;
  }

  document(): JsonTree<Small> | undefined {
    const at = this.skipBlanks(0);
    if (this.bytes[at] !== OPEN_BRACE && this.bytes[at] !== OPEN_BRACKET) return undefined;
    const to = this.skipValue(at);
    return to === NEEDS_MORE ? undefined : this.value(at, to, 0);
  }

  protected unreadable(why: string, cause?: unknown): UnreadableReplyError {
    return new UnreadableReplyError(`The service sent a reply that is not readable JSON: ${why}.`, { cause });
  }

  /** The complete value from `at` to `to`. */
  private value(at: number, to: number, depth: number): JsonTree<Small> {
    const first = this.bytes[at];
    if (to - at > this.smallBytes && depth < DEEPEST) {
      if (first === OPEN_BRACKET) return this.list(at + 1, depth);
      if (first === OPEN_BRACE) return this.object(at + 1, depth);
    }
    return this.readSmall(this.bytes.subarray(at, to));
  }

  private list(from: number, depth: number): JsonTree<Small>[] {
    const list: JsonTree<Small>[] = [];
    let at = this.skipBlanks(from);
    if (this.bytes[at] === CLOSE_BRACKET) return list;
    for (;;) {
      const to = this.endOf(at);
      list.push(this.value(at, to, depth + 1));
      at = this.skipBlanks(to);
      if (this.bytes[at] === CLOSE_BRACKET) return list;
      at = this.afterComma(at);
    }
  }

  private object(from: number, depth: number): { [key: string]: JsonTree<Small> } {
    const object: { [key: string]: JsonTree<Small> } = {};
    let at = this.skipBlanks(from);
    if (this.bytes[at] === CLOSE_BRACE) return object;
    for (;;) {
      if (this.bytes[at] !== QUOTE) throw this.unreadable('a name in it cannot be read');
      const after = this.complete(this.readString(at));
      const name = this.string();
      const begin = this.complete(this.afterColon(after));
      const to = this.endOf(begin);
      const value = this.value(begin, to, depth + 1);
      // Copied on, it would change a prototype.
      if (name !== '__proto__') object[name] = value;
      at = this.skipBlanks(to);
      if (this.bytes[at] === CLOSE_BRACE) return object;
      at = this.afterComma(at);
    }
  }

  private endOf(at: number): number {
    return this.complete(this.skipValue(at));
  }

  private complete(at: number): number {
    if (at === NEEDS_MORE) throw this.unreadable('a value in it has no end');
    return at;
  }

  private afterComma(at: number): number {
    if (this.bytes[at] !== COMMA) throw this.unreadable('a comma is missing in it');
    return this.skipBlanks(at + 1);
  }
}
