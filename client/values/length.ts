/** The one gate for length: a text that comes in passes it before anything else looks at the text. */
import { InputError } from '../base/errors';
import { redact } from './redact';

/**
 * Maximum length of one field of a node, in all of its texts together, characters. The longest legitimate value is a list of 500
 * instruments.
 */
export const MAX_FIELD_LENGTH = 50_000;
/** Maximum length of one field of a credential, characters: tokens have up to 4,000. */
export const MAX_CREDENTIAL_FIELD_LENGTH = 10_000;
/** Maximum length of a search text, characters. */
export const MAX_SEARCH_LENGTH = 200;
/** Maximum length of one text of a reply, characters: the longest are tokens and reasons. */
export const MAX_REPLY_FIELD_LENGTH = 10_000;
/** Maximum length of an image in a reply, characters of base64. */
export const MAX_REPLY_IMAGE_LENGTH = 1_000_000;
/** Maximum length of a text of the streams that is no message, characters: a refusal, or a time of the sandbox. */
export const MAX_STREAM_TEXT_LENGTH = 10_000;
/** Number of characters shown of a text that is too long. */
const MAX_START_LENGTH = 80;

/** The first characters of a text that is too long, on one line and without what looks like a secret. */
export function startOf(text: string): string {
  return JSON.stringify(`${redact(text.slice(0, MAX_START_LENGTH))}…`);
}

/** @throws InputError if a text is longer than its kind may be; it shows the first 80 characters. */
export function requireLength(text: string, max: number, parameter: string, label = parameter): void {
  if (text.length > max) throw tooLong(text, text.length, max, parameter, label);
}

/**
 * The same for all that a field holds: texts, lists, and objects in each other, with their names.
 * @throws InputError if they are longer in sum than `max`; it shows the first 80 characters of the longest text.
 */
export function requireFieldLength(value: unknown, parameter: string, label = parameter, max = MAX_FIELD_LENGTH): void {
  if (typeof value === 'string') return requireLength(value, max, parameter, label);
  const left: unknown[] = [value];
  let longest = '';
  let length = 0;
  while (left.length > 0 && length <= max) {
    const held = left.pop();
    // Each value counts, however short: a list of many numbers is long too.
    length += typeof held === 'string' ? held.length + 1 : 1;
    if (typeof held === 'string' && held.length > longest.length) longest = held;
    if (isTime(held)) continue;
    if (Array.isArray(held)) {
      length += held.length;
      if (length <= max) left.push(...(held as unknown[]));
    } else if (typeof held === 'object' && held !== null)
      for (const [name, member] of Object.entries(held)) left.push(name, member);
  }
  if (length > max) throw tooLong(longest, longest.length > max ? longest.length : undefined, max, parameter, label);
}

/** Returns true for a time of n8n's expressions, which counts as one value, whatever it holds within. */
function isTime(value: unknown): boolean {
  return value instanceof Date || (typeof value === 'object' && value !== null && 'toMillis' in value);
}

function tooLong(text: string, length: number | undefined, max: number, parameter: string, label: string): InputError {
  const limitText = `at most ${max.toLocaleString('en-US')} are read`;
  const found =
    length === undefined
      ? `holds too much in all: ${limitText}`
      : `is ${length.toLocaleString('en-US')} characters long: ${limitText}`;
  return new InputError(`${label} ${found}. It begins with ${startOf(text)}`, {
    parameter,
    hint: 'Check what the expression of the field gives for this item. Nothing was sent.',
  });
}
