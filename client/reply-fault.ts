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
/** Statuses of HTTP that are failures. */
const FAILURE_STATUS = /^[45]\d\d$/;

const ERROR_NAMES = [
  'error',
  'errors',
  'error_code',
  'errorCode',
  'errorcode',
  'error_type',
  'errorType',
  'emsg',
  'errMsg',
];
const OUTCOME_NAMES = ['status', 'stat', 'Status', 'success', 'Success', 'ok'];
/** Words of a message that tells of a failure, where nothing comes with it: {"message": "Internal error", "orders": null}. */
const FAILURE_WORDS =
  /\b((?<!no )error|fail(?:ed|ure)?|unable|could ?n[o']t|time(?:d|-| )?out|unavailable|went wrong|try again|maintenance)\b/i;
const CODE_NAMES = ['code', 'status', 'status_code', 'statusCode', 'stCode'];

/** Returns true if a value of a field for errors tells of one. */
function isError(value: Json | undefined): boolean {
  if (typeof value === 'string') return !NO_ERROR.test(value.trim());
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value === true || (typeof value === 'number' && value !== 0);
}

/** Returns true if a reply says by its fields that it failed, whatever its status. */
export function hasFailed(reply: JsonObject): boolean {
  const textOf = (name: string): string => {
    const value = reply[name];
    return typeof value === 'string' ? value.trim() : typeof value === 'object' ? '' : String(value);
  };
  return (
    ERROR_NAMES.some((name) => isError(reply[name])) ||
    OUTCOME_NAMES.some((name) => FAILED.test(textOf(name))) ||
    CODE_NAMES.some((name) => FAILURE_STATUS.test(textOf(name))) ||
    (FAILURE_WORDS.test(textOf('message')) && holdsNothing(reply))
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
