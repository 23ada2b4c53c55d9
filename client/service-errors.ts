/** Translates the service's refusals to sentences, and keeps its own text (docs/service/errors.md#status-codes). */
import { ServiceError, SessionError, type BrokerageError } from './base/errors';
import { REMEDY_ORDER_SYSTEM, MARKET_CLOSED_PATTERN, REMEDY_REGISTER_IP } from './refusal-remedies';
import { translateRefusal } from './refusals';
import type { WireResponse } from './base/ports';
import { asObject, readJsonIfAny, type Json } from './values/json';
import { redact } from './values/redact';
import { withoutFullStop } from './values/trim-end';

const MAX_TEXT_LENGTH = 300;
const MAX_READ = 4_000;
/** The server waited too long for the whole request (RFC 9110, 15.5.9: the client may send it again). */
export const REQUEST_TIMEOUT = 408;

/** Returns true if a status means success. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The first text under one of the names by which the service gives its reasons, at most one object deeper. */
function reasonIn(value: Json | undefined, deeper = true): string {
  if (typeof value === 'string') return value;
  const object = asObject(value);
  if (object === undefined) return '';
  for (const name of ['error', 'message', 'rejection_msg', 'detail', 'reason']) {
    const inner = object[name];
    const reason = typeof inner === 'string' || deeper ? reasonIn(inner, false) : '';
    if (reason !== '') return reason;
  }
  return '';
}

/**
 * The service's own text in the body of a refusal, on one line and without secrets; '' when it has none.
 * @param secrets what was sent and must not come back in words.
 * Bodies: `{"error": text}`, `{"message": text}`, plain text, a page of a proxy, nothing at all.
 */
export function serviceText(body: Uint8Array, secrets: Iterable<string> = []): string {
  const json = readJsonIfAny(body);
  return json === undefined
    ? shownText(withoutMarkup(Buffer.from(body.subarray(0, MAX_READ)).toString('utf8')), secrets)
    : serviceTextOf(json, secrets);
}

/** The service's own text in a reply that was read, as `serviceText` gives it. */
export function serviceTextOf(reply: Json, secrets: Iterable<string> = []): string {
  return shownText(reasonIn(reply), secrets);
}

/** A text on one line and without secrets, cut at `MAX_TEXT_LENGTH`. */
function shownText(raw: string, secrets: Iterable<string>): string {
  const line = redact(
    raw
      .slice(0, MAX_READ)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
    secrets,
  );
  return line.length > MAX_TEXT_LENGTH ? `${line.slice(0, MAX_TEXT_LENGTH)}…` : line;
}

/** Maximum depth, and maximum number, of the texts of a refusal to check. */
const MAX_DEPTH = 6;
const MAX_TEXTS = 50;

/**
 * Every text in the body of a refusal, for what it speaks of: some services name the field beside the reason, or in a list of faults. To be
 * looked at, never shown: it is not free of secrets.
 * @returns at most 4,000 characters
 */
export function wordsOf(body: Uint8Array): string {
  const start = body.subarray(0, MAX_READ);
  const json = readJsonIfAny(body.length > MAX_READ ? start : body);
  if (json === undefined) return Buffer.from(start).toString('utf8');
  const texts: string[] = [];
  const collect = (value: Json, depth: number): void => {
    if (texts.length >= MAX_TEXTS || depth > MAX_DEPTH) return;
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null)
      for (const inner of Array.isArray(value) ? value : Object.values(value)) collect(inner, depth + 1);
  };
  collect(json, 0);
  return texts.join(' · ').slice(0, MAX_READ);
}

/** A page's text: without tags, and without scripts and styles. */
function withoutMarkup(page: string): string {
  const small = page.toLowerCase();
  let text = '';
  let at = 0;
  for (let tag = page.indexOf('<'); tag >= 0; tag = page.indexOf('<', at)) {
    const hidden = ['script', 'style'].find((name) => small.startsWith(name, tag + 1));
    const closing = hidden === undefined ? '>' : `</${hidden}>`;
    const end = small.indexOf(closing, tag);
    // A truncated script is useless to the user; a "<" that opens no tag is a word of a sentence.
    if (end < 0) return text + page.slice(at, hidden === undefined ? undefined : tag);
    text += `${page.slice(at, tag)} `;
    at = end + closing.length;
  }
  return text + page.slice(at);
}

const LOG_IN_AGAIN =
  'The session ended and no new one could be made. Test the credential; with a pasted session token, paste a new one.';
const NO_QUESTION = {
  message: 'The service does not accept the request in this form',
  hint: 'This is not an outage, and trying again does not help. Change what the service names: the interval, a field, the type, or the time range.',
};
/** Words for the form of a request. */
const PART_OF_QUESTION = /\b(fields?|intervals?|window|time ?range|date ?range|range|type|start_?date|end_?date)\b/i;
/** Words of a "no" to it. */
const SAYS_NO =
  /\b(invalid|unknown|unsupported|not (supported|allowed|available|valid)|unrecogni[sz]ed|bad|too (long|large|far|old|wide|big)|exceed(s|ed)?|beyond|only|at most|must|maximum|outside|out of)\b/i;

/**
 * Returns true if the service refused the form of a request (docs/service/errors.md#a-no-to-the-form-of-a-question): some of these refusals
 * come with a 500, and are no outage.
 * @param text its own words
 */
export function isRefusedQuestion(status: number, text: string): boolean {
  const isRefusal = status === 400 || status === 422 || (status >= 500 && ![502, 503, 504].includes(status));
  return isRefusal && PART_OF_QUESTION.test(text) && SAYS_NO.test(text) && !MARKET_CLOSED_PATTERN.test(text);
}

function meaningOf(status: number, text: string): { message: string; hint: string } {
  const translated = translateRefusal(text, status);
  if (translated !== undefined) return translated;
  if (status === 403)
    return {
      message: 'The account is not allowed to do this',
      hint: `Two things are usual. Order system: ${REMEDY_ORDER_SYSTEM} Static IP: ${REMEDY_REGISTER_IP}`,
    };
  if (status === 404)
    return {
      message: 'The service has nothing with this id or name',
      hint: 'Check the id or symbol, and that it belongs to the environment of the credential.',
    };
  if (status === 429)
    return {
      message: 'Too many requests: the service refused this one',
      hint: 'Send fewer at a time, or wait a moment. Ten orders a second are allowed for the account, over all programs: lower "Orders per Second" in the credential. History allows 60 requests a minute.',
    };
  if (status === REQUEST_TIMEOUT)
    return {
      message: 'The request reached the service too slowly',
      hint: 'The connection or this machine is very busy. Try again later.',
    };
  if (status >= 500) return { message: 'The service had an internal error', hint: 'Try again later.' };
  return { message: 'The service refused the request', hint: '' };
}

/** Returns true if a refusal concerns the address from which a request came. */
export function isAddressRefusal(error: BrokerageError): error is ServiceError {
  return error instanceof ServiceError && error.status === 403 && error.hint === REMEDY_REGISTER_IP;
}

/** An error about the address from which a request came, with the addresses, as far as the service tells them. */
export function withAddresses(error: ServiceError, { current, registered }: RegisteredIpAddresses): ServiceError {
  const from = current === '' ? '' : ` The request came from ${current}.`;
  const registeredText = registered.length === 0 ? '' : ` Registered: ${registered.join(' and ')}.`;
  const { status, serviceText, isOwnForm, hint } = error;
  return new ServiceError(`${withoutFullStop(error.message)}.${from}${registeredText}`, {
    status,
    serviceText,
    isOwnForm,
    hint,
  });
}

/** Addresses of a machine and of an account; '' and none where the service does not tell them. */
export interface RegisteredIpAddresses {
  current: string;
  registered: readonly string[];
}

/**
 * The error for a reply of the service that is no success (see client/reply-gate.ts for those of others).
 * @param requested what was asked, in words, for the message: "GET /orders".
 * @param isRead whether it only asks, so that a 500 can be a "no" to the form of the question.
 */
export function errorOfReply(
  { status, body }: Pick<WireResponse, 'status' | 'body'>,
  requested: string,
  secrets: Iterable<string> = [],
  isRead = false,
): BrokerageError {
  const text = serviceText(body, secrets);
  const said = text === '' ? '' : ` It said: ${text}`;
  if (status === 401 || status === 440) {
    return new SessionError(`The service does not accept the session (status ${status} at ${requested}).${said}`, {
      status,
      serviceText: text,
      hint: LOG_IN_AGAIN,
    });
  }
  const isRefused = isRead && status >= 500 && isRefusedQuestion(status, text);
  const { message, hint } = isRefused ? NO_QUESTION : meaningOf(status, text);
  const error = asObject(readJsonIfAny(body))?.error;
  const isOwnForm = typeof error === 'string' && error !== '';
  return new ServiceError(`${message} (status ${status} at ${requested}).${said}`, {
    status,
    serviceText: text,
    isOwnForm,
    hint,
  });
}
