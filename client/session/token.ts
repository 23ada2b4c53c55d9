/** Readable properties of a session token: a JWT with its expiry in `exp` (docs/service/login-and-session.md#session-lifetime). */
import { trimEndOf, withoutInvisible } from '../values/trim-end';

/**
 * Returns the expiry of a token, in milliseconds since the epoch.
 * @returns undefined if the token is not a JWT or names no expiry: then only the service knows.
 */
export function tokenExpiry(token: string): number | undefined {
  const payload = token.split('.')[1];
  if (payload === undefined || token.split('.').length !== 3) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    const exp = typeof claims === 'object' && claims !== null ? (claims as { exp?: unknown }).exp : undefined;
    return typeof exp === 'number' && Number.isFinite(exp) && exp > 0 ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}

/** A session with less left to live than this is renewed before it fails. */
export const RENEW_BEFORE_MS = 120_000;

/**
 * A token that was made for less than this was made shortly before all sessions of the day end. Another login would bring one that ends
 * at the same moment, so that it is used to its end.
 */
const SHORT_LIFE_MS = 600_000;

/**
 * Returns true if a token has certainly expired, or is about to, at an instant (milliseconds since the epoch).
 * @param madeAt time at which the token was made, milliseconds since the epoch, if known.
 */
export function isExpiring(token: string, now: number, madeAt?: number, marginMs: number = RENEW_BEFORE_MS): boolean {
  const expiry = tokenExpiry(token);
  if (expiry === undefined) return false;
  const isShort = madeAt !== undefined && expiry - madeAt < SHORT_LIFE_MS;
  return expiry - (isShort ? 0 : marginMs) <= now;
}

/**
 * Returns true if a session is to be renewed before it is used, by its token. One that had expired when it came says nothing: a clock is wrong,
 * or an old answer was given. Renewed for that, each request would be a login; the service knows whether it lives.
 * @param madeAt as in `isExpiring`. @param marginMs as in `isExpiring`.
 */
export function needsRenewal(token: string, now: number, madeAt?: number, marginMs?: number): boolean {
  const expiry = tokenExpiry(token);
  const cameExpired = expiry !== undefined && madeAt !== undefined && expiry <= madeAt;
  return !cameExpired && isExpiring(token, now, madeAt, marginMs);
}

/** The name of the field or header that a token is copied with, in quotes or not. */
const NAME = /^["']?(?:authorization|(?:session|access)[_ ]?token|token)["']?\s*[:=]\s*/i;
const SCHEME = /^bearer(?:\s*:\s*|\s+|$)/i;

/** A text without blanks and a pair of quotes around it, and without what ends its row in a list or a file. */
const bare = (text: string): string =>
  trimEndOf(text, (sign) => sign.trim() === '' || sign === ',' || sign === ';')
    .trim()
    .replace(/^(["'`])([^"'`]*)\1$/, '$2')
    .trim();

/**
 * A token as it can go into a header: no blanks or quotes around it, no name of its field and no "Authorization: Bearer " in front; '' when
 * nothing is left.
 */
export function cleanToken(token: string): string {
  const named = bare(withoutInvisible(token));
  return bare(bare(named.replace(NAME, '')).replace(SCHEME, ''));
}

/** Characters that a token in a header has (RFC 6750). */
const TOKEN = /^[\w.~+/=-]+$/;

/** Returns true if a text can be one whole token with nothing beside it: no JSON, no command, no part of one with dots for the rest. */
export function isToken(text: string): boolean {
  return TOKEN.test(text) && !text.includes('..');
}
