/** Words of the service: its lists are open, so that any word may come. */

/** A word without the prefix that says which list it belongs to: ORDER_SIDE_BUY is BUY. Other words stay as they are. */
export function withoutPrefix(prefix: string, word: string): string {
  return word.startsWith(prefix) ? word.slice(prefix.length) : word;
}

/** What a table says of a word that the service sent; undefined where it is silent, also of the names that every object has. */
export const enumWord = <T>(table: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;
