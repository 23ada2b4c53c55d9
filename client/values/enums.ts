/** Words of the service: its lists are open, so that any word may come. */

/** Returns a word without the prefix that names its list: ORDER_SIDE_BUY becomes BUY. Other words stay unchanged. */
export function withoutPrefix(prefix: string, word: string): string {
  return word.startsWith(prefix) ? word.slice(prefix.length) : word;
}

/** Returns a table's entry for a word from the service; undefined if it has none, also for the names that every object has. */
export const enumWord = <T>(table: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

/** Words in their specified spelling, by the spellings that came, so that a list of a thousand records spells each once. */
const spelled = new Map<string, string>();
const MAX_WORDS = 500;
const MAX_WORD_LENGTH = 60;

/** Returns a word of the service in its specified spelling: in capitals, without blanks around it. */
export function spelledWord(written: string): string {
  const known = spelled.get(written);
  if (known !== undefined) return known;
  const word = written.trim().toUpperCase();
  if (spelled.size < MAX_WORDS && written.length <= MAX_WORD_LENGTH) spelled.set(written, word);
  return word;
}
