/** Versions of the node: a saved workflow keeps the one that it was made with (docs/versions.md). */
import { LABELS_VERSION } from '../../shared/itemLabels';
import type { ItemContext } from './itemContext';
import { isAgentTool } from './runContext';

/** The newest version of the node: what is added to a workflow now. */
export const NEWEST_VERSION = 1.2;
export const NODE_VERSIONS = [1, 1.1, NEWEST_VERSION];

/**
 * Returns true for version 1.1 or later of the node: prices are rounded to the tick, a market order waits for its fill, unknown values are
 * null, and the exchange of an item counts if its symbol is the instrument.
 */
export function isSince11({ run }: ItemContext): boolean {
  return run.node.typeVersion >= 1.1;
}

/**
 * Returns true for version 1.2 or later of the node: a limit order is followed until the exchange has accepted it, so that a rejection is
 * an error, and the service's words have plain ones beside them.
 */
export function isSince12({ run }: ItemContext): boolean {
  return run.node.typeVersion >= LABELS_VERSION;
}

/** Returns true for an AI agent's tool of version 1.2 or later: it leaves out the HTML of an e-mail, which an agent would read, and its owner pay for. */
export function isForAgent(item: ItemContext): boolean {
  return isSince12(item) && isAgentTool(item.run.node);
}
