/** Words of the service: its lists are open, so that any word may come. */

/** A word without the prefix that says which list it belongs to: ORDER_SIDE_BUY is BUY. Other words stay as they are. */
export function withoutPrefix(prefix: string, word: string): string {
  return word.startsWith(prefix) ? word.slice(prefix.length) : word;
}
