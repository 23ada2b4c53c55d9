/** Takes characters off an end of a text, in one pass: an expression such as `0+$` looks at a text again from each zero on. */

/** Returns the text without those characters at its end for which `isTrimmed` returns true. */
export function trimEndOf(text: string, isTrimmed: (character: string) => boolean): string {
  let end = text.length;
  while (end > 0 && isTrimmed(text[end - 1]!)) end--;
  return text.slice(0, end);
}

const isBlankOrDot = (character: string): boolean => character === '.' || character.trim() === '';

/** A sentence without the blanks and full stops at its end, so that more can follow. */
export function withoutFullStop(sentence: string): string {
  return trimEndOf(sentence, isBlankOrDot);
}

/** An address without the slashes at its end. */
export function withoutSlashes(address: string): string {
  return trimEndOf(address, (character) => character === '/');
}

/** Characters that nobody sees: zero-width spaces and joiners, soft hyphens, the byte order mark, marks of the direction of writing. */
const INVISIBLE = /[\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g;

/** A text without the characters that nobody sees, as copied web pages and chats carry them. */
export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '');
