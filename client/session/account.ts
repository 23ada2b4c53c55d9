/** What a logged-in user can ask and set about the own account (specification: User info, Login and TOTP). */
import { endpoints, type Endpoint } from '../endpoints';
import { ServiceError, SessionError, UnreadableReplyError } from '../errors';
import { serviceText } from '../failures';
import type { Transport } from '../transport';
import { asObject, type JsonInput, type JsonObject } from '../values/json';

/** A reply that must be an object. @throws UnreadableReplyError when it is none. */
async function objectOf(reply: Promise<unknown>, asked: string): Promise<JsonObject> {
  const object = asObject((await reply) as JsonObject);
  if (object === undefined) throw new UnreadableReplyError(`The reply to ${asked} is not an object.`);
  return object;
}

/** `GET /userinfo`, as it comes. @throws see `Transport.call`. */
export async function getUserInfo(transport: Transport, signal?: AbortSignal): Promise<JsonObject> {
  return await objectOf(transport.call(endpoints.userInfo, { signal }), 'GET /userinfo');
}

/**
 * Whether the session lives, asked without making a new one. Where there is no token, there is none.
 * @throws ServiceError, NetworkError when it could not be asked: that is no answer.
 */
export async function isSessionAlive(transport: Transport, signal?: AbortSignal): Promise<boolean> {
  try {
    await transport.fetch(endpoints.sessionCheck, { signal });
    return true;
  } catch (error) {
    if (error instanceof SessionError) return false;
    throw error;
  }
}

/** The addresses that the service knows for the account (wire-facts §2: Static IP). */
export interface StaticIp {
  /** Whether requests come from a registered address. */
  is_matched: boolean;
  /** Whether any address is registered at all. */
  is_registered: boolean;
  current_ip_address: string | null;
  primary_ip_address: string | null;
  secondary_ip_address: string | null;
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Asks whether this machine's address is registered; an account with none registered is an answer, not an error. */
export async function checkStaticIp(transport: Transport, signal?: AbortSignal): Promise<StaticIp> {
  try {
    const reply = await objectOf(transport.call(endpoints.validateIp, { signal }), 'GET /ipaddress/validate');
    return {
      is_matched: reply.is_matched === true,
      is_registered: true,
      current_ip_address: textOrNull(reply.current_ip_address),
      primary_ip_address: textOrNull(reply.primary_ip_address),
      secondary_ip_address: textOrNull(reply.secondary_ip_address),
    };
  } catch (error) {
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
}

/**
 * Ends the session (wire-facts §2: Log out). A session that is dead already is no error.
 * @returns whether there was a session to end.
 */
export async function logOut(transport: Transport, signal?: AbortSignal): Promise<boolean> {
  try {
    await transport.fetch(endpoints.logout, { signal });
    return true;
  } catch (error) {
    if (error instanceof SessionError) return false;
    throw error;
  }
}

/** A new TOTP secret with its QR code (specification: TOTP secret response). Both are secrets. */
export interface TotpSecret {
  secret: string;
  /** The PNG of the QR code; undefined when the service sent none. */
  image: Uint8Array | undefined;
}

const PNG_DATA_URI = /^data:image\/png;base64,([A-Za-z0-9+/=\s]+)$/;

/** Asks for a TOTP secret. TOTP is off until it is enabled with a code made from the secret. */
export async function generateTotpSecret(transport: Transport, signal?: AbortSignal): Promise<TotpSecret> {
  const reply = await objectOf(transport.call(endpoints.totpGenerateSecret, { signal }), 'GET /totp/generate-secret');
  const data = asObject(reply.data);
  const secret = textOrNull(data?.secret_key);
  if (secret === null) throw new UnreadableReplyError('The reply to GET /totp/generate-secret holds no secret.');
  const image = PNG_DATA_URI.exec(typeof data?.qr_image === 'string' ? data.qr_image : '')?.[1];
  return { secret, image: image === undefined ? undefined : Buffer.from(image, 'base64') };
}

/**
 * Sends a change that the MPIN confirms, once: with a session that was just seen to live, so that a refusal is about the
 * MPIN or the code, and neither is ever sent again.
 */
async function confirmed(
  transport: Transport,
  endpoint: Endpoint,
  body: JsonInput,
  what: string,
  signal?: AbortSignal,
): Promise<string> {
  await transport.call(endpoints.userInfo, { signal });
  try {
    return serviceText((await transport.fetch(endpoint, { body, signal })).body);
  } catch (error) {
    if (!(error instanceof SessionError) || error.status === undefined) throw error;
    throw new ServiceError(
      `The service refused ${what}.${error.serviceText === '' ? '' : ` It said: ${error.serviceText}`}`,
      {
        status: error.status,
        serviceText: error.serviceText,
        hint: 'It was sent once and is not sent again. Several wrong attempts can lock the account.',
      },
    );
  }
}

/** Switches TOTP on and gives out the service's message. `totp` is the code that the authenticator app shows now, as text. */
export async function enableTotp(
  transport: Transport,
  mpin: string,
  totp: string,
  signal?: AbortSignal,
): Promise<string> {
  return await confirmed(transport, endpoints.totpEnable, { mpin, totp }, 'the code or the MPIN', signal);
}

/** Switches TOTP off and gives out the service's message. */
export async function disableTotp(transport: Transport, mpin: string, signal?: AbortSignal): Promise<string> {
  return await confirmed(transport, endpoints.totpDisable, { mpin }, 'the MPIN', signal);
}
