/**
 * The gate that every reply passes before its meaning is read: whether the service speaks, or somebody in between does (a proxy, a
 * firewall, a gateway, the login page of a network), and whether it speaks about what was asked. What speaks for the service is
 * its error form and JSON (docs/service/errors.md#status-codes); it has no page for a browser, and sends nobody elsewhere.
 */
import { ForeignReplyError, MismatchedReplyError } from './base/errors';
import type { WireResponse } from './base/ports';
import type { Endpoint, ReplyProof, RequestParts } from './endpoints/endpoint';
import { isSuccess, serviceText } from './service-errors';
import { asObject, readJsonIfAny, type Json } from './values/json';

/** The part of a reply to check: for a large one, the beginning of its body is enough. */
export type ReplyStart = Pick<WireResponse, 'status' | 'headers' | 'body'>;

/** Number of bytes that distinguish a page from everything else. */
export const MAX_PAGE_START_BYTES = 300;
/** A proxy wants a login; a network wants one. */
const STATUSES_OF_PROXIES: readonly number[] = [407, 511];

/** Returns true if a reply is a page for a browser. */
export function isPage({ headers, body }: Pick<WireResponse, 'headers' | 'body'>): boolean {
  const start = Buffer.from(body.subarray(0, MAX_PAGE_START_BYTES))
    .toString('utf8')
    .replace(/^\ufeff/, '');
  const isMarkup = /^\s*<(!--|(!doctype\s+html|html|head|body|title|script|meta|h1|center|pre|div|p)\b)/i.test(start);
  return isMarkup || /^(text\/html|application\/xhtml\+xml)\b/i.test(headers['content-type'] ?? '');
}

/** Returns true if a refusal has one of the service's error forms: `error`, or `message` at older endpoints. */
export function hasErrorForm({ body }: Pick<WireResponse, 'body'>): boolean {
  const object = asObject(readJsonIfAny(body));
  return (
    object !== undefined && ['error', 'message'].some((name) => typeof object[name] === 'string' && object[name] !== '')
  );
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/** Returns true if a refusal requests another kind of login than the service's, whose tokens are bearer tokens. */
function requestsOtherLogin(headers: Readonly<Record<string, string>>): boolean {
  const scheme = /^\s*(\w+)/.exec(headers['www-authenticate'] ?? '')?.[1];
  return headers['proxy-authenticate'] !== undefined || (scheme !== undefined && !/^bearer$/i.test(scheme));
}

/** Returns true if a reply certainly comes from an intermediary: a page, a redirect, or a request for its own login. */
export function isOfProxy(reply: ReplyStart): boolean {
  const { status, headers } = reply;
  if (isPage(reply)) return true;
  return (
    !isSuccess(status) && (STATUSES_OF_PROXIES.includes(status) || isRedirect(status) || requestsOtherLogin(headers))
  );
}

/**
 * Returns true if an intermediary answered. A 401 and a 440 are the service's only as JSON, or with an empty body
 * (docs/service/errors.md#status-codes). Any other text may be the service's: its meaning depends on the request.
 */
export function isForeign(reply: ReplyStart): boolean {
  if (isOfProxy(reply)) return true;
  const isJson = (): boolean => asObject(readJsonIfAny(reply.body)) !== undefined;
  return isSessionStatus(reply.status) && reply.body.length > 0 && !isJson();
}

/** Returns true if a status from the service means that the session has expired (docs/service/errors.md#status-codes). */
export function isSessionStatus(status: number): boolean {
  return status === 401 || status === 440;
}

/** Returns true if the service says that the session has expired. */
export function isSessionEnded(reply: ReplyStart): boolean {
  return isSessionStatus(reply.status) && !isForeign(reply);
}

/**
 * The error for a reply of somebody in between.
 * @param requested what was asked, in words: "GET /orders".
 * @param secrets what was sent and must not come back in words.
 */
export function foreignReplyError(
  reply: ReplyStart,
  requested: string,
  secrets: Iterable<string> = [],
): ForeignReplyError {
  const { status, headers } = reply;
  const text = serviceText(reply.body, secrets);
  const said = text === '' ? '' : ` It said: ${text}`;
  const what = isRedirect(status)
    ? 'it sent the request elsewhere'
    : isPage(reply)
      ? 'a page for a browser'
      : "an answer that is not in the service's form";
  const server = headers['server'] === undefined ? '' : ` (${serviceText(Buffer.from(headers['server']), secrets)})`;
  return new ForeignReplyError(
    `Something between n8n and the service answered ${requested} in its place${server}: ${what}, with the status ${status}.${said}`,
    {
      status,
      hint: isRedirect(status)
        ? 'It is not followed. Check the base address in the credential: it may lack https:// or a path.'
        : 'A proxy, a firewall or a gateway on the way refuses, wants its own login, or has a fault. Check the base address in the credential, ask whoever runs your network, and try again later.',
    },
  );
}

/**
 * Makes sure that a reply is about what was asked, as far as it says what it is about.
 * @throws MismatchedReplyError that names both
 */
export function requireAnswer<Request extends RequestParts>(
  { method, path, proves }: Pick<Endpoint<Request>, 'method' | 'path' | 'proves'>,
  request: Request,
  reply: Json,
): void {
  if (typeof proves === 'string') return;
  for (const proof of proves ?? []) requireProof(proof, request, reply, `${method} ${path}`);
}

function requireProof<Request>(proof: ReplyProof<Request>, request: Request, reply: Json, requested: string): void {
  const requestedValue = proof.asked(request);
  if (requestedValue === undefined) return;
  const expected = new Set((Array.isArray(requestedValue) ? requestedValue : [requestedValue]).map(normalized));
  const answers = proof.answered(reply).filter(isGiven);
  const other = answers.find((value) => !expected.has(normalized(value)));
  const said = (value: unknown): string => inWords(value, proof.shown);
  if (other !== undefined) throw mismatchError(proof, said(requestedValue), said(other), requested);
  if (proof.isRequired === true && answers.length === 0)
    throw mismatchError(proof, said(requestedValue), `no ${proof.what}`, requested);
}

/**
 * The error of a reply about something else.
 * @param proof what came, and what of it is compared: "option chain", "expiry".
 */
export function mismatchError(
  { reply, what, parameter }: Pick<ReplyProof<never>, 'reply' | 'what' | 'parameter'>,
  asked: string,
  answered: string,
  requested: string,
): MismatchedReplyError {
  return new MismatchedReplyError(
    `The service answered with the ${reply} of ${answered}, but n8n asked for that of ${asked}: the ${what} is different (${requested}).`,
    {
      ...(parameter === undefined ? {} : { parameter }),
      hint: 'The answer was not used. Try again. If it stays, something between n8n and the service gives old answers.',
    },
  );
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
const normalized = (value: unknown): string => String(value).trim().toUpperCase();
const inWords = (value: unknown, shown: (value: unknown) => string = String): string =>
  (Array.isArray(value) ? value : [value]).map((item) => shown(item).slice(0, 60)).join(', ');
