/** Versions of the node: a saved workflow keeps the one that it was made with (docs/versions.md). */
import type { ItemContext } from './itemContext';

/** The newest version of the node: what is added to a workflow now. */
export const NEWEST_VERSION = 1.2;
export const VERSIONS = [1, 1.1, NEWEST_VERSION];

/**
 * Whether the node is of version 1.1 or later: prices are rounded to the tick, a market order waits for its fill, what is
 * not known is null, and the exchange of an item counts where its symbol is the instrument.
 */
export function isSince11({ run }: ItemContext): boolean {
  return run.node.typeVersion >= 1.1;
}

/**
 * Whether the node is of version 1.2 or later: a limit order is looked at until the exchange has taken it, so that a rejection is an error, and
 * the service's words have plain ones beside them.
 */
export function isSince12({ run }: ItemContext): boolean {
  return run.node.typeVersion >= 1.2;
}
