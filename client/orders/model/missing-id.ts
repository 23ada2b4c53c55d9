import { UnreadableReplyError } from '../../base/errors';
import type { Json } from '../../values/json';
import { redact } from '../../values/redact';

/** Maximum length of a text of the service in an error about its list. */
const MAX_SHOWN_LENGTH = 60;

/**
 * Returns the error for a record of the day's list without an id that can be read.
 * @param noun "An order". @param name its symbol or tag; '' if unknown. @param field of the id. @param written its content
 */
export function withoutId(noun: string, name: string, field: string, written: Json | undefined): UnreadableReplyError {
  const shown = name === '' ? '' : ` (${redact(name.slice(0, MAX_SHOWN_LENGTH))})`;
  const content =
    written === undefined || written === null || written === ''
      ? 'it is missing'
      : `it is ${redact(JSON.stringify(written).slice(0, MAX_SHOWN_LENGTH))}`;
  return new UnreadableReplyError(
    `${noun}${shown} in the service's list of the day has no number (${field}): ${content}. The list was not used.`,
    { hint: "Try again. If it stays, look in your broker's app for what is open, and ask your broker for the number." },
  );
}
