import { createHash, timingSafeEqual } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** Seconds that one time-based code lasts. */
const TOTP_PERIOD = 30;

/** Compares codes without telling by its time how much of them agrees. */
export function sameCode(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The time step that holds an instant, milliseconds since the epoch. */
export const totpStepAt = (at: number): number => Math.floor(at / 1000 / TOTP_PERIOD);

/**
 * The time step of a time-based code, one step of the clock off in either direction allowed.
 * @param at milliseconds since the epoch. @returns undefined when the code fits none.
 */
export function totpStep(secret: string, code: string, at: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const delta = new TOTP({ secret: Secret.fromBase32(secret), period: TOTP_PERIOD }).validate({
    token: code,
    timestamp: at,
    window: 1,
  });
  return delta === null ? undefined : totpStepAt(at) + delta;
}

/** Address that an authenticator app reads from a QR code. */
export function totpUri(secret: string, label: string, issuer: string): string {
  return new TOTP({ secret: Secret.fromBase32(secret), period: TOTP_PERIOD, label, issuer }).toString();
}

/** A new secret, 20 bytes in base32. */
export function newTotpSecret(bytes: Uint8Array): string {
  return new Secret({ buffer: bytes.slice().buffer }).base32;
}
