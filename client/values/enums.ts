/** Words of the service: its lists are open, so that any word may come. */

/** Returns a word without the prefix that names its list: ORDER_SIDE_BUY becomes BUY. Other words stay unchanged. */
export function withoutPrefix(prefix: string, word: string): string {
  return word.startsWith(prefix) ? word.slice(prefix.length) : word;
}

/** Returns a table's entry for a word from the service; undefined if it has none, also for the names that every object has. */
export const enumWord = <T>(table: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;
