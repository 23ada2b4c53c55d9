/** The requests of the login, one function each (docs/service/login-and-session.md#login-requests, docs/service/login-and-session.md#login-flow). Each is sent once. */
import { endpoints } from '../endpoints';
import type { Endpoint, RequestParts } from '../endpoints/endpoint';
import type { LoginReply } from '../endpoints/session';
import { UnreadableReplyError } from '../base/errors';
import { hasErrorForm, isOfProxy, isPage } from '../reply-gate';
import { hasFailed } from '../reply-fault';
import { isSuccess, serviceText, wordsOf } from '../service-errors';
import type { Http, WireResponse } from '../base/ports';
import { asObject, readJsonIfAny, writeJson } from '../values/json';
import { asRecord, numberIn, textIn, type WireRecord } from '../values/record';
import { headerValue } from './address';
import type { LoginRefusal } from './login-errors';
import type { InstitutionLogin } from './settings';

/** Connection of a login step. */
export interface LoginTransport {
  http: Http;
  baseUrl: string;
  deviceId: string;
  /** Texts to mask in the service's replies, besides those that the step sends. */
  secrets: readonly string[];
  signal?: AbortSignal;
}

/** Result of a step: its value, or a refusal. */
export type StepResult<T> = { ok: true; value: T } | LoginRefusal;

function bodyOf<Reply>(reply: WireResponse): WireRecord<Reply> | undefined {
  return asRecord<Reply>(readJsonIfAny(reply.body));
}

function attemptsLeftIn(body: WireRecord<LoginReply> | undefined): { attemptsLeft?: number } {
  const attemptsLeft = numberIn(body, 'attempts_left');
  return attemptsLeft === null ? {} : { attemptsLeft };
}

function refusal(reply: WireResponse, secrets: readonly string[]): LoginRefusal {
  return {
    ok: false,
    status: reply.status,
    // A success that cannot be read may hold a token.
    text: isSuccess(reply.status) && bodyOf(reply) === undefined ? '' : serviceText(reply.body, secrets),
    words: wordsOf(reply.body),
    isForeign: isForeign(reply),
    isOwnForm: hasErrorForm(reply),
    ...attemptsLeftIn(bodyOf<LoginReply>(reply)),
    ...(reply.headers.date === undefined ? {} : { date: reply.headers.date }),
    ...(reply.headers['x-sandbox-time'] === undefined ? {} : { isSandbox: true as const }),
  };
}

/** Returns the texts of a step to mask in the service's reply: codes, MPIN and tokens. */
function secretsIn({ headers, body }: { headers: Record<string, string>; body?: unknown }): string[] {
  const sent = [...Object.values((body ?? {}) as object), ...Object.values(headers)];
  return sent.flatMap((value) =>
    typeof value === 'string' || typeof value === 'number' ? [String(value).replace(/^Bearer /, '')] : [],
  );
}

/** The service has every path and method of the login. A gateway that fails, and one that sends elsewhere, are told by their statuses. */
function isForeign(reply: WireResponse): boolean {
  const { status } = reply;
  if ([404, 405, 501, 511].includes(status)) return true;
  return !isGatewayStatus(status) && (isSuccess(status) || isOfProxy(reply));
}

const isGatewayStatus = (status: number): boolean => status >= 500 || status === 429 || (status >= 300 && status < 400);

/** @throws NetworkError if no reply came; UnreadableReplyError when a 2xx reply in JSON lacks the token it should bring. */
async function step<Request extends RequestParts, Reply, T>(
  wire: LoginTransport,
  endpoint: Endpoint<Request, Reply>,
  request: { headers: Record<string, string>; body?: Request['body'] },
  read: (reply: WireRecord<Reply>) => T | undefined,
): Promise<StepResult<T>> {
  const reply = await wire.http(
    {
      method: endpoint.method,
      url: `${wire.baseUrl}${endpoint.path}`,
      headers: {
        Accept: 'application/json',
        ...request.headers,
        ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(request.body === undefined ? {} : { body: writeJson(request.body) }),
      timeoutMs: endpoint.timeoutMs,
    },
    wire.signal,
  );
  const body = isSuccess(reply.status) ? asObject(readJsonIfAny(reply.body)) : undefined;
  if (body === undefined || isPage(reply)) return refusal(reply, [...wire.secrets, ...secretsIn(request)]);
  // The token of the MPIN step was seen below `data` too (docs/service/login-and-session.md#pin-reply).
  const value = [body, body?.data].flatMap((held) => {
    const record = asRecord<Reply>(held);
    const found = record && read(record);
    return found === undefined ? [] : [found];
  })[0];
  if (value === undefined && hasFailed(body))
    // Nobody can tell whether the service or a gateway has failed: it is neither another server, nor a judgement in the service's form.
    return { ...refusal(reply, [...wire.secrets, ...secretsIn(request)]), isForeign: false, isOwnForm: false };
  if (value === undefined) {
    throw new UnreadableReplyError(
      `The service answered ${endpoint.path} of the login with something that this version does not understand.`,
      {
        hint: 'Check the base address in the credential. If it is right, the service has changed: look for a newer version of this package.',
      },
    );
  }
  return { ok: true, value };
}

/** Longest token that is stored and sent, characters: headers of a request hold 16 KB together. */
const MAX_TOKEN_LENGTH = 8_192;

/**
 * Returns a token of a reply; undefined if it has none.
 * @throws UnreadableReplyError for one that no header can hold: stored, it would end every request until the credential is changed
 */
function tokenIn(reply: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const token = reply[name];
  if (typeof token !== 'string' || token === '') return undefined;
  if (token.length <= MAX_TOKEN_LENGTH && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new UnreadableReplyError(
    `The service answered the login with a token that no request can carry: it has ${token.length} characters${token.length > MAX_TOKEN_LENGTH ? '' : ', and blanks or signs that are not allowed'}.`,
    {
      hint: 'It was not stored. Try again later. If it stays, something between n8n and the service changes its answers.',
    },
  );
}

/**
 * Asks for an OTP; without `tempToken` it is the first of the two calls.
 * @returns the temporary token, the next step's name, and how many attempts are left.
 */
export async function sendPhoneOtp(
  wire: LoginTransport,
  phone: string,
  tempToken?: string,
): Promise<StepResult<{ tempToken: string; next: string; attemptsLeft?: number }>> {
  return await step(
    wire,
    endpoints.sendPhoneOtp,
    {
      headers:
        tempToken === undefined
          ? {}
          : { 'x-temp-token': headerValue(tempToken, 'tempToken', 'The temporary token of the service') },
      body: { phone, skip_totp: tempToken !== undefined },
    },
    (reply) => {
      const next = tokenIn(reply, 'temp_token');
      return next === undefined
        ? undefined
        : { tempToken: next, next: textIn(reply, 'next'), ...attemptsLeftIn(reply) };
    },
  );
}

/** Sends the OTP that the person entered. @returns the auth token. */
export async function verifyPhoneOtp(
  wire: LoginTransport,
  phone: string,
  otp: string,
  tempToken: string,
): Promise<StepResult<string>> {
  return await step(
    wire,
    endpoints.verifyPhoneOtp,
    {
      headers: {
        'x-temp-token': headerValue(tempToken, 'tempToken', 'The temporary token of the service'),
        'x-device-id': wire.deviceId,
      },
      body: { phone, otp },
    },
    (reply) => tokenIn(reply, 'auth_token'),
  );
}

/** Sends a TOTP code. @param code as text with its leading zeros, or as a number. @returns the auth token. */
export async function totpLogin(
  wire: LoginTransport,
  phone: string,
  code: string | number,
): Promise<StepResult<string>> {
  return await step(
    wire,
    endpoints.totpLogin,
    { headers: { 'x-device-id': wire.deviceId }, body: { phone, totp: code, otp: '' } },
    (reply) => tokenIn(reply, 'auth_token'),
  );
}

/** Sends what an institution logs in with. @returns the auth token. */
export async function institutionalLogin(
  wire: LoginTransport,
  institution: InstitutionLogin,
): Promise<StepResult<string>> {
  const { exchangeClientCode, clientCode, username, password } = institution;
  return await step(
    wire,
    endpoints.institutionalLogin,
    {
      headers: { 'x-device-id': wire.deviceId },
      body: { exchange_client_code: exchangeClientCode, client_code: clientCode, username, password },
    },
    (reply) => tokenIn(reply, 'auth_token'),
  );
}

/** Sends the MPIN. @returns the session token. */
export async function verifyPin(wire: LoginTransport, mpin: string, authToken: string): Promise<StepResult<string>> {
  return await step(
    wire,
    endpoints.verifyPin,
    {
      headers: {
        'x-device-id': wire.deviceId,
        Authorization: `Bearer ${headerValue(authToken, 'authToken', 'The auth token of the service')}`,
      },
      body: { pin: mpin },
    },
    (reply) => tokenIn(reply, 'session_token'),
  );
}

/** Asks the service whether a session is valid. @returns the reply to `GET /userinfo`: 401 and 440 mean that it has expired. */
export async function requestUserInfo(wire: LoginTransport, sessionToken: string): Promise<WireResponse> {
  return await wire.http(
    {
      method: endpoints.sessionCheck.method,
      url: `${wire.baseUrl}${endpoints.sessionCheck.path}`,
      headers: {
        Accept: 'application/json',
        'x-device-id': wire.deviceId,
        Authorization: `Bearer ${headerValue(sessionToken, 'sessionToken', 'The session token')}`,
      },
      timeoutMs: endpoints.sessionCheck.timeoutMs,
      keepSession: true,
    },
    wire.signal,
  );
}

/** Returns true if a reply to `GET /userinfo` comes from another server than the service. */
export function isOfAnotherService(reply: WireResponse): boolean {
  return isSuccess(reply.status)
    ? isPage(reply) || asObject(readJsonIfAny(reply.body)) === undefined
    : isForeign(reply);
}
