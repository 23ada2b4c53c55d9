/**
 * Tags: an order or a basket is found only by its tag. A tag is the person's own label, a hyphen,
 * and twelve letters that stand for the cause: only these are looked for. Where a key is the cause, four more letters stand
 * for the terms, so that a key that comes again with other terms is noticed, whatever the record shows and even if the order
 * was modified since. Where a workflow was called by another one, six more stand for what called it. A tag holds letters, digits and
 * hyphens, as the service's own tags do.
 */
import { hash } from 'crypto';
import { InputError } from '../../base/errors';
import { readConnection, type CredentialFields } from '../../session/settings';
import { isNothing, plainText, showValue, unfilledHint } from '../../values/input';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
/** 12 letters of 5 bits: among 100,000 orders of a day, two share one with a chance of 4 in a thousand million. */
const DIGEST_LETTERS = 12;
/** Other terms under one key have the same four letters with a chance of one in a million. */
const TERMS_LETTERS = 4;
/** Another cause has the same six letters with a chance of one in a thousand million. */
const CAUSE_LETTERS = 6;
const MAX_USER_TAG = 20;

/** Identity of an order or a basket, the same for every retry. */
export type TagSource = (
  | {
      /** The id of what caused it, given by the person: the same in every execution, on every worker. */
      kind: 'key';
      key: string;
      /** The terms to place under the key; left out if nothing is placed. */
      terms?: object;
    }
  | {
      /** The place in a workflow's execution: the same when n8n runs the node again on failure, and in each retry. */
      kind: 'execution';
      /** Id of the execution, the same for all its retries. */
      executionId: string;
      /**
       * Id of the caller of the workflow, the same for all its retries, and the workflow. A retry calls it again, as another execution: six
       * letters from this value are the same in both. Left out if nothing called it.
       */
      caller?: string;
      nodeId: string;
      runIndex: number;
      itemIndex: number;
      /** Start of the execution, milliseconds since the epoch: a retry has that of the first try. */
      establishedAt?: number;
    }
) & {
  /** Part of several orders of one item: "entry", "stop", or a number. Left out if the item places one. */
  part?: string;
};

/**
 * Returns environment and account as a credential names them, for every way to log in. A pasted token names no account; its device id
 * replaces it. The service tells both apart: see `AccountScopes`.
 */
export function tradingScope(fields: CredentialFields): string {
  const { environment, baseUrl, deviceId } = readConnection(fields);
  if (fields.loginMethod === 'institutional')
    return `${environment} ${baseUrl} client ${String(fields.clientCode ?? '').trim()}`;
  const phone =
    fields.loginMethod === 'sessionToken'
      ? ''
      : String(fields.phone ?? '')
          .replace(/\D/g, '')
          .slice(-10);
  return `${environment} ${baseUrl} ${phone === '' ? `device ${deviceId}` : phone}`;
}

/** Returns the environment and the base address of a scope; neither holds a blank. */
export function placeOfScope(scope: string): { environment: string; baseUrl: string } {
  const [environment = '', baseUrl = ''] = scope.split(' ', 2);
  return { environment, baseUrl };
}

/**
 * The tag of an order or a basket.
 * @param userTag the person's own label.
 * @param scope what the tag belongs to: environment and account, so that one key serves each of them.
 * @throws InputError (parameters `tag`, `idempotencyKey`)
 */
export function tagFrom(userTag: string | undefined, source: TagSource, scope: string): string {
  const parts =
    source.kind === 'key'
      ? ['key', scope, plainText(source.key, 'idempotencyKey', { label: 'Idempotency Key', longest: 1_000 })]
      : ['execution', scope, source.executionId, source.nodeId, String(source.runIndex), String(source.itemIndex)];
  if (source.kind === 'execution' && source.establishedAt !== undefined)
    parts.push('established', String(source.establishedAt));
  if (source.part !== undefined) parts.push('part', source.part);
  const letters = `${lettersOf(JSON.stringify(parts), DIGEST_LETTERS)}${markOf(source, scope)}`;
  const front = checkedUserTag(userTag);
  return front === '' ? letters : `${front}-${letters}`;
}

/** The letters after the digest: of the terms under a key, of what called the workflow. */
function markOf(source: TagSource, scope: string): string {
  if (source.kind === 'key')
    return source.terms === undefined ? '' : lettersOf(JSON.stringify(source.terms, sorted), TERMS_LETTERS);
  const { caller, nodeId, runIndex, itemIndex, part } = source;
  if (caller === undefined) return '';
  const parts = ['caller', scope, caller, nodeId, String(runIndex), String(itemIndex), part ?? ''];
  return lettersOf(JSON.stringify(parts), CAUSE_LETTERS);
}

/** Replaces an object by one with sorted fields while it is written as JSON: their order does not count, nor does a field without a value. */
const sorted = (_: string, item: unknown): unknown =>
  typeof item === 'object' && item !== null && !Array.isArray(item)
    ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
    : item;

/** Letters that stand for a text of JSON. */
function lettersOf(text: string, count: number): string {
  const digest = hash('sha256', text, 'buffer');
  let letters = '';
  for (let at = 0; at < count; at++) letters += LETTERS[digest[at]! & 31]!;
  return letters;
}

/** The person's own label of an order, without blanks around it; '' for none. @throws InputError (parameter `tag`) */
export function checkedUserTag(userTag: string | undefined): string {
  const tag = userTag?.trim() ?? '';
  if (tag !== '' && isNothing(tag))
    throw new InputError(`Tag is ${showValue(tag)}, which says nothing.`, {
      parameter: 'tag',
      hint: unfilledHint(tag),
    });
  if (!/^[A-Za-z0-9-]*$/.test(tag)) {
    throw new InputError('Tag may hold letters, digits and hyphens only.', {
      parameter: 'tag',
      hint: unfilledHint(
        tag,
        `For example ${
          tag
            .replace(/[^A-Za-z0-9]+/g, '-')
            .replace(/^-|-$/g, '')
            .slice(0, MAX_USER_TAG) || 'breakout'
        }.`,
      ),
    });
  }
  if (tag.length > MAX_USER_TAG)
    throw new InputError(`Tag is longer than ${MAX_USER_TAG} characters.`, { parameter: 'tag' });
  return tag;
}

const MADE_LETTERS = new RegExp(
  `^([${LETTERS}]{${DIGEST_LETTERS}})(?:([${LETTERS}]{${TERMS_LETTERS}})|([${LETTERS}]{${CAUSE_LETTERS}}))?$`,
  'i',
);

/** The parts of a tag that `tagFrom` made, as the service may write it: with blanks at its ends, in capital letters. */
function partsOf(tag: string): { label: string; letters: RegExpExecArray } | undefined {
  const text = tag.trim();
  const hyphen = text.lastIndexOf('-');
  // Only a label has a hyphen behind it.
  const letters = hyphen === 0 ? null : MADE_LETTERS.exec(text.slice(hyphen + 1));
  return letters === null ? undefined : { label: text.slice(0, Math.max(hyphen, 0)), letters };
}

/** Returns true if `tagFrom` made a tag. */
export function isMadeTag(tag: string): boolean {
  return partsOf(tag) !== undefined;
}

/** The person's part of a tag that `tagFrom` made; '' when there is none. */
export function userTagOf(tag: string): string {
  return partsOf(tag)?.label ?? tag;
}

/**
 * The part of a tag that is compared. The person's own label in front may come from an expression, and be another when
 * the same thing is tried again. A tag that `tagFrom` did not make is compared as a whole.
 */
export function identityOf(tag: string): string {
  return (partsOf(tag)?.letters[1] ?? tag.trim()).toLowerCase();
}

/** The letters that stand for the terms; undefined for a tag that has none. */
export function termsMarkOf(tag: string): string | undefined {
  return partsOf(tag)?.letters[2]?.toLowerCase();
}

/**
 * The letters that stand for a step of a workflow that another one called, whichever execution of it placed the order;
 * undefined for a tag that has none.
 */
export function causeMarkOf(tag: string): string | undefined {
  return partsOf(tag)?.letters[3]?.toLowerCase();
}

/** Minimum number of letters of a tag that must come back: among 100,000 orders others share them with a chance of one in ten thousand. */
const MIN_ECHO_LETTERS = 6;

const lettersIn = (tag: string): string => tag.replace(/[^A-Za-z0-9]/g, '').toLowerCase();

/**
 * Returns true if a service made a tag from one that we sent: cut at an end, with something added, or with other signs between its parts.
 * False for an unchanged tag, and for any other that we made.
 */
export function isEchoOf(shown: string, sent: string): boolean {
  if (shown.trim() === '' || isMadeTag(shown) || !isMadeTag(sent)) return false;
  const [echo, whole, identity] = [lettersIn(shown), lettersIn(sent), identityOf(sent)];
  if (echo.includes(identity)) return true;
  const at = whole.indexOf(echo);
  if (echo === '' || at < 0) return false;
  const from = whole.indexOf(identity);
  const common = Math.min(at + echo.length, from + identity.length) - Math.max(at, from);
  return common >= MIN_ECHO_LETTERS;
}

/** The tags of several, in their order. */
export const tagsOf = (requests: readonly { tag: string }[]): string[] => requests.map(({ tag }) => tag);
