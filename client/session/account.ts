/**
 * Data and settings of the logged-in user's account (docs/service/login-and-session.md#user-info,
 * docs/service/login-and-session.md#login-requests).
 */
import { attempt } from '../attempt';
import { endpoints } from '../endpoints';
import type { UserInfo } from '../endpoints/user';
import { ServiceError, SessionError, UnreadableReplyError } from '../base/errors';
import type { Transport } from '../transport';
import type { WireResponse } from '../base/ports';
import { hasFailed, requireNoFault } from '../reply-fault';
import { asObject, readJsonIfAny } from '../values/json';
import { totpKey } from './totp';
import { recordIn, recordOf, textIn, type Unchecked, type WireRecord } from '../values/record';

/** Fields about a user: one of them is in each reply. */
const USER_FIELDS = ['client_code', 'env_info', 'version_info'] as const;

/** The user in a reply. @throws UnreadableReplyError if it is no object, or tells nothing of a user */
function userIn(reply: Unchecked<UserInfo>): WireRecord<UserInfo> {
  const user = recordOf(reply, 'the user');
  if (USER_FIELDS.some((name) => (user[name] ?? null) !== null)) return user;
  throw new UnreadableReplyError("The service's answer tells nothing of the user (GET /userinfo).", {
    hint: 'Try again. If the error stays, something between n8n and the service may have answered in its place.',
  });
}

/** `GET /userinfo`, as it comes. @throws UnreadableReplyError as `userIn`; otherwise as `Transport.call`. */
export async function getUserInfo(transport: Transport, signal?: AbortSignal): Promise<WireRecord<UserInfo>> {
  return userIn(await transport.call(endpoints.userInfo, { signal }));
}

/**
 * Returns true if the session is valid, without starting a new one; false without a token.
 * @throws ServiceError, NetworkError if the check itself failed: that is no answer.
 */
export async function isSessionAlive(transport: Transport, signal?: AbortSignal): Promise<boolean> {
  return await isTaken(transport.call(endpoints.sessionCheck, { signal }).then(userIn));
}

/** Returns true if the service accepted the session of a request. @throws any other error of the request. */
async function isTaken(request: Promise<unknown>): Promise<boolean> {
  const requested = await attempt(request);
  if (requested.ok) return true;
  if (requested.error instanceof SessionError) return false;
  throw requested.error;
}

/** The addresses that the service knows for the account (docs/service/login-and-session.md#static-ip). */
export interface StaticIp {
  /** True if requests come from a registered address. */
  is_matched: boolean;
  /** True if any address is registered. */
  is_registered: boolean;
  current_ip_address: string | null;
  primary_ip_address: string | null;
  secondary_ip_address: string | null;
}

/** Fields about addresses: a reply that has none of them is about something else. */
const ADDRESS_FIELDS = ['is_matched', 'current_ip_address', 'primary_ip_address', 'secondary_ip_address'] as const;

/**
 * Asks whether this machine's address is registered. An account with none registered is an answer, not an error.
 * @throws UnreadableReplyError if the reply is no object, or tells nothing of an address; otherwise as `Transport.call`.
 */
export async function checkStaticIp(transport: Transport, signal?: AbortSignal): Promise<StaticIp> {
  const requested = await attempt(transport.call(endpoints.validateIp, { signal }));
  if (requested.ok) {
    const reply = recordOf(requested.value, 'what is known of the address');
    if (ADDRESS_FIELDS.every((name) => !Object.hasOwn(reply, name)))
      throw new UnreadableReplyError("The service's answer does not say whether the address is registered.", {
        hint: 'Try again. If the error stays, something between n8n and the service may have answered in its place.',
      });
    return {
      is_matched: reply.is_matched === true,
      is_registered: true,
      current_ip_address: textIn(reply, 'current_ip_address') || null,
      primary_ip_address: textIn(reply, 'primary_ip_address') || null,
      secondary_ip_address: textIn(reply, 'secondary_ip_address') || null,
    };
  }
  const { error } = requested;
  if (error instanceof ServiceError && error.status === 400 && /no ip address/i.test(error.serviceText)) {
    return {
      is_matched: false,
      is_registered: false,
      current_ip_address: null,
      primary_ip_address: null,
      secondary_ip_address: null,
    };
  }
  throw error;
}

/**
 * Ends the session (docs/service/login-and-session.md#log-out). A session that is dead already is no error.
 * @returns whether there was a session to end.
 */
export async function logOut(transport: Transport, signal?: AbortSignal): Promise<boolean> {
  const ended = transport.fetch(endpoints.logout, { signal });
  return await isTaken(
    ended.then(({ body }) => requireNoFault(readJsonIfAny(body) ?? null, `GET ${endpoints.logout.path}`)),
  );
}

/** A new TOTP secret with its QR code (docs/service/login-and-session.md#totp-setting). Both are secrets. */
export interface TotpSecret {
  secret: string;
  /** The PNG of the QR code; undefined if the service sent none. */
  image: Uint8Array | undefined;
}

const PNG_DATA_URI = /^data:image\/png;base64,([A-Za-z0-9+/=\s]+)$/;

/**
 * Asks for a TOTP secret. TOTP is off until it is enabled with a code made from the secret.
 * @throws UnreadableReplyError if the reply holds no secret; otherwise as `Transport.call`.
 */
export async function generateTotpSecret(transport: Transport, signal?: AbortSignal): Promise<TotpSecret> {
  const reply = recordOf(await transport.call(endpoints.totpGenerateSecret, { signal }), 'the TOTP secret');
  const data = recordIn(reply, 'data');
  const secret = textIn(data, 'secret_key');
  if (secret === '')
    throw new UnreadableReplyError("The service's answer holds no TOTP secret (GET /totp/generate-secret).");
  // Stored, one that makes no codes would end every login.
  if (!(await attempt(Promise.resolve(secret).then(totpKey))).ok)
    throw new UnreadableReplyError(
      "The service's answer holds a TOTP secret that makes no codes (GET /totp/generate-secret). It was not stored.",
    );
  const image = PNG_DATA_URI.exec(textIn(data, 'qr_image'))?.[1];
  return { secret, image: image === undefined ? undefined : Buffer.from(image, 'base64') };
}

/**
 * Sends a change that the MPIN confirms, once: with a session that was just seen to live, so that a refusal is about the MPIN or the code,
 * and neither is ever sent again.
 * @param what is confirmed, in words, for the error.
 * @returns the service's message.
 * @throws ServiceError if it is refused.
 */
async function confirmed(
  transport: Transport,
  send: () => Promise<WireResponse>,
  what: string,
  signal?: AbortSignal,
): Promise<string> {
  await transport.call(endpoints.userInfo, { signal });
  const sent = await attempt(send());
  if (sent.ok) {
    const reply = asObject(readJsonIfAny(sent.value.body));
    const text = transport.textOf(sent.value);
    if (reply === undefined || !hasFailed(reply)) return text;
    throw refusedOnce(what, sent.value.status, text);
  }
  const { error } = sent;
  if (!(error instanceof SessionError) || error.status === undefined) throw error;
  throw refusedOnce(what, error.status, error.serviceText);
}

function refusedOnce(what: string, status: number, serviceText: string): ServiceError {
  return new ServiceError(`The service refused ${what}.${serviceText === '' ? '' : ` It said: ${serviceText}`}`, {
    status,
    serviceText,
    hint: 'It was sent once and is not sent again. Several wrong attempts can lock the account.',
  });
}

/**
 * Switches TOTP on.
 * @param totp the code that the authenticator app shows now, as text.
 * @returns the service's message.
 * @throws ServiceError if the code or the MPIN is refused; otherwise as `Transport.call`.
 */
export async function enableTotp(
  transport: Transport,
  mpin: string,
  totp: string,
  signal?: AbortSignal,
): Promise<string> {
  const send = () => transport.fetch(endpoints.totpEnable, { body: { mpin, totp }, signal });
  return await confirmed(transport, send, 'the code or the MPIN', signal);
}

/** Switches TOTP off. @returns the service's message. @throws as `enableTotp`. */
export async function disableTotp(transport: Transport, mpin: string, signal?: AbortSignal): Promise<string> {
  const send = () => transport.fetch(endpoints.totpDisable, { body: { mpin }, signal });
  return await confirmed(transport, send, 'the MPIN', signal);
}
