/** What can be read from the outside of a session token: a JWT whose `exp` tells when it dies (docs/service/login-and-session.md#session-lifetime). */

/**
 * When a token expires, in milliseconds since the epoch.
 * @returns undefined when the token is not a JWT or names no expiry: then only the service can tell.
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
 * Whether a token is sure to be dead, or about to be, at an instant (milliseconds since the epoch).
 * @param madeAt when the token was made, milliseconds since the epoch, where that is known.
 */
export function isExpiring(token: string, now: number, madeAt?: number, marginMs: number = RENEW_BEFORE_MS): boolean {
  const expiry = tokenExpiry(token);
  if (expiry === undefined) return false;
  const isShort = madeAt !== undefined && expiry - madeAt < SHORT_LIFE_MS;
  return expiry - (isShort ? 0 : marginMs) <= now;
}

/** A token as it can go into a header: no blanks around it, no "Bearer " in front; '' when nothing is left. */
export function cleanToken(token: string): string {
  return token
    .trim()
    .replace(/^bearer\s+/i, '')
    .trim();
}
