/** Time-based one-time passwords (RFC 6238: SHA-1, six digits, thirty seconds), made from the person's TOTP secret. */
import { createHmac } from 'crypto';
import { InputError } from '../base/errors';
import type { Clock } from '../base/ports';
import { trimEndOf, withoutInvisible } from '../values/trim-end';

const PERIOD_MS = 30_000;
const DIGITS = 6;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** RFC 4226 asks for 128 bits; real authenticator secrets have 80 and more. */
const MIN_BYTES = 10;
/** A code that has less than this left to live may be too old when the service reads it. */
const MIN_LIFE_MS = 3_000;
/** The same, where the way to the service has just been seen to be slow. */
export const SLOW_NETWORK_LIFE_MS = 15_000;

/** Terms of a QR code's address that other codes than ours would have. */
const USUAL_TERMS: Readonly<Record<string, string>> = { algorithm: 'SHA1', digits: String(DIGITS), period: '30' };

/** The secret in the `otpauth://` address of a QR code. @throws InputError for an address of codes of another kind */
function secretInAddress(address: string): string {
  const terms = new URLSearchParams(/\?([^#]*)/.exec(address)?.[1] ?? '');
  const secrets = [...terms].filter(([name]) => name.toLowerCase() === 'secret').map(([, value]) => value);
  if (!/^otpauth:\/\/totp\//i.test(address) || secrets.length !== 1)
    throw unusable('it is an address without one secret for codes by time');
  for (const [name, usual] of Object.entries(USUAL_TERMS)) {
    const other = [...terms].find(
      ([term, value]) => term.toLowerCase() === name && value.replace('-', '').toUpperCase() !== usual,
    );
    if (other !== undefined)
      throw unusable(
        `its address asks for codes of another kind (${name}), and the service takes six digits by SHA1 every 30 seconds`,
      );
  }
  return secrets[0]!;
}

/**
 * The bytes of a TOTP secret: base32 text as authenticator apps show it (blanks, hyphens and small letters are fine),
 * or the whole `otpauth://` address of a QR code.
 * @throws InputError (parameter `totpSecret`) that never shows the secret.
 */
export function totpKey(secret: string): Buffer {
  const entered = withoutInvisible(secret)
    .trim()
    .replace(/^(["'`])([^"'`]*)\1$/, '$2');
  const written = /^otpauth/i.test(entered) && entered.includes(':') ? secretInAddress(entered) : entered;
  const text = trimEndOf(written.replace(/[\s\p{Pd}]/gu, ''), (letter) => letter === '=').toUpperCase();
  if (/^\d{6}$/.test(text)) throw unusable('it is a six-digit code, which is not the secret');
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const letter of text) {
    const value = ALPHABET.indexOf(letter);
    if (value < 0)
      throw unusable(
        '0189'.includes(letter)
          ? 'it holds 0, 1, 8 or 9, which no TOTP secret has: look whether it is an O, I, L, B or G'
          : 'it holds a character that a TOTP secret does not have',
      );
    held = (held << 5) | value;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 0xff);
      held &= (1 << bits) - 1;
    }
  }
  if (bytes.length < MIN_BYTES) throw unusable(text === '' ? 'it is empty' : 'it is too short');
  return Buffer.from(bytes);
}

function unusable(why: string): InputError {
  return new InputError(`The TOTP Secret cannot be used: ${why}.`, {
    parameter: 'totpSecret',
    hint: 'Enter the secret that was shown when TOTP was set up (letters A to Z and digits 2 to 7), not the six-digit code.',
  });
}

/** The thirty-second step that contains an instant (milliseconds since the epoch). */
export function totpStep(at: number): number {
  return Math.floor(at / PERIOD_MS);
}

/** The code of a step, with its leading zeros. @throws InputError as `totpKey`. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', totpKey(secret)).update(counter).digest();
  const offset = digest[digest.length - 1]! & 0x0f;
  const number = (digest.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

/**
 * Waits, if it must, for a step whose code was never sent and lives long enough to arrive.
 * @param usedSteps the steps whose codes were sent before.
 * @param shortestLifeMs what a code must have left to live.
 * @returns the step to take the code of.
 */
export async function nextTotpStep(
  clock: Clock,
  usedSteps: readonly number[],
  signal?: AbortSignal,
  shortestLifeMs: number = MIN_LIFE_MS,
): Promise<number> {
  for (;;) {
    const now = clock.now();
    const step = totpStep(now);
    const endsIn = (step + 1) * PERIOD_MS - now;
    if (!usedSteps.includes(step) && endsIn >= shortestLifeMs) return step;
    await clock.sleep(endsIn, signal);
  }
}

/**
 * Returns the difference of this machine's clock from the service's `Date` header, in seconds: positive if this clock is ahead.
 * @returns undefined if the header is missing or unreadable, or the difference is within the duration of a reply.
 */
export function clockSkewSeconds(now: number, dateHeader: string | undefined): number | undefined {
  const served = dateHeader === undefined ? NaN : Date.parse(dateHeader);
  if (Number.isNaN(served)) return undefined;
  const skew = Math.round((now - served) / 1000);
  return Math.abs(skew) <= 5 ? undefined : skew;
}
