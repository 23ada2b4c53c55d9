/** A list that is only a part of the day is no proof that something is not there. */
import { UnreadableReplyError } from '../../base/errors';
import { asObject, type Json } from '../../values/json';

/** Names of fields that announce further pages. */
const MORE = new Set([
  'next',
  'nextpage',
  'nextcursor',
  'nexttoken',
  'cursor',
  'hasmore',
  'hasnext',
  'more',
  'truncated',
]);
/** Names by which services tell how many there are. */
const TOTALS = new Set(['total', 'totalcount', 'totalorders', 'totalrecords', 'totalitems']);

/**
 * Checks that a list is complete. @param count number of records in the reply.
 * @throws UnreadableReplyError if the reply says that there are more.
 */
export function requireWholeList(reply: Json, count: number): void {
  for (const [name, value] of Object.entries(asObject(reply) ?? {})) {
    const word = name.replace(/[_-]/g, '').toLowerCase();
    const isMore = MORE.has(word) && ![null, false, '', 0, '0'].includes(value as string | number | boolean | null);
    const isLess = TOTALS.has(word) && Number(value) > count;
    if (!isMore && !isLess) continue;
    throw new UnreadableReplyError(
      `The service gave only a part of the day's list: ${count}, and it says that there are more.`,
    );
  }
}
