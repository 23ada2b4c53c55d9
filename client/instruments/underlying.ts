/** The underlying of derivatives by the names that people write for it. */
import type { InstrumentStore } from './store';
import { rootOfName } from './find-rows';
import { indexAlias, squashName } from './names/index-aliases';
import { readWrittenName } from './names/written-name';

/**
 * Returns an underlying as written; an index by its symbol. Only a list can interpret affixes of a share's name (NSE:, .NS, -EQ): see
 * `underlyingSymbol`.
 * @param text plain text of bounded length
 */
export function readUnderlying(text: string): string {
  const names = readWrittenName(text);
  const alias = names.map((name) => indexAlias(squashName(name.text))).find((symbol) => symbol !== undefined);
  return alias ?? text.trim();
}

/**
 * The symbol under which an exchange has an underlying that was written in another way; the text itself, capitals, where nothing on
 * the exchange is called so.
 */
export function underlyingSymbol(store: InstrumentStore, underlying: string): string {
  for (const { text, nthFuture, token } of readWrittenName(underlying)) {
    // NIFTY1! is a future, and no underlying.
    if (nthFuture !== undefined || token !== undefined) continue;
    const root = rootOfName(store, text);
    if (root !== undefined) return root;
  }
  return underlying.trim().toUpperCase();
}
