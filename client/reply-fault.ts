/**
 * Failures that come with the status of a success. Gateways and older services write the failure into the body, beside parts that are empty
 * or null: without this check it would be taken for an account without positions, or a day without orders.
 */
import { UnreadableReplyError } from './base/errors';
import { serviceTextOf } from './service-errors';
import { asObject, type Json, type JsonObject } from './values/json';

/** Ids of records: a record may tell the reason for its own rejection. */
const IDS = ['order_id', 'basket_id', 'intentOrderId'] as const;
/** Words and numbers that mean no error. */
const NO_ERROR = /^(0+|null|none|nil|false|no error|success|ok)?$/i;
/** Words of a failed request, where a service tells how it went. */
const FAILED = /^(error|errors|fail|failed|failure|not[_ -]?ok|nok|false|unsuccessful)$/i;
/** Codes of failures: statuses of HTTP, and codes below 0. */
const FAILURE_CODE = /^([45]\d\d|-\d+)$/;

/** Names of fields that tell of an error, as `spelledName` spells them. */
const ERROR_NAMES: ReadonlySet<string> = new Set([
  ...['error', 'errors', 'errorcode', 'errortype', 'errormessage', 'errormsg', 'errordescription', 'errortext'],
  ...['emsg', 'errmsg', 'errcode', 'iserror', 'haserror', 'fault', 'exception'],
]);
const OUTCOME_NAMES: ReadonlySet<string> = new Set(['status', 'stat', 'success', 'issuccess', 'ok', 's']);
/** Words of a message that tells of a failure, where nothing comes with it: {"message": "Internal error", "orders": null}. */
const FAILURE_WORDS =
  /\b((?<!no )error|fail(?:ed|ure)?|unable|could ?n[o']t|time(?:d|-| )?out|unavailable|went wrong|try again|maintenance)\b/i;
const CODE_NAMES: ReadonlySet<string> = new Set(['code', 'status', 'statuscode', 'stcode']);
/** Names of fields for the words of an answer. */
const WORD_NAMES: ReadonlySet<string> = new Set(['message', 'msg', 'remarks']);

/** The name of a field without its spelling: `errorCode`, `ErrorCode` and `error_code` are errorcode. */
const spelledName = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase();

/** Returns true if a field tells how a request went, and nothing of what was asked for. */
export function isOfOutcome(name: string): boolean {
  const spelled = spelledName(name);
  return [ERROR_NAMES, OUTCOME_NAMES, CODE_NAMES, WORD_NAMES].some((names) => names.has(spelled));
}

/** Returns true if a value of a field for errors tells of one. */
function isError(value: Json | undefined): boolean {
  if (typeof value === 'string') return !NO_ERROR.test(value.trim());
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value === true || (typeof value === 'number' && value !== 0);
}

const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'object' ? '' : String(value);

/** Returns true if a reply says by its fields that it failed, whatever its status. */
export function hasFailed(reply: JsonObject): boolean {
  const has = (names: ReadonlySet<string>, fails: (text: string, value: Json) => boolean): boolean =>
    Object.entries(reply).some(([name, value]) => names.has(spelledName(name)) && fails(textOf(value), value));
  return (
    has(ERROR_NAMES, (_text, value) => isError(value)) ||
    has(OUTCOME_NAMES, (text) => FAILED.test(text)) ||
    has(CODE_NAMES, (text) => FAILURE_CODE.test(text)) ||
    (FAILURE_WORDS.test(textOf(reply.message)) && holdsNothing(reply))
  );
}

/** Returns true if all that a reply has beside its message is null. */
function holdsNothing(reply: JsonObject): boolean {
  const otherFields = Object.entries(reply).filter(([name]) => name !== 'message');
  return otherFields.length > 0 && otherFields.every(([, value]) => value === null);
}

/**
 * Checks that the reply to a read does not say that it failed.
 * @param requested what was asked, in words: "GET /orders".
 * @throws UnreadableReplyError with the service's words
 */
export function requireNoFault(reply: Json, requested: string): void {
  const object = asObject(reply);
  if (object === undefined || IDS.some((name) => object[name] !== undefined) || !hasFailed(object)) return;
  const text = serviceTextOf(object);
  const said = text === '' ? '' : ` It said: ${text}`;
  throw new UnreadableReplyError(`The service answered ${requested} with an error instead of data.${said}`, {
    hint: 'Nothing of the answer was used. Try again later.',
  });
}
