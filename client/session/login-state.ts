/** Memory between logins, for whichever process makes the next one. Stored with the credential as JSON. */
import { hashParts } from './settings';

/** The reason for a missing session, in words for the user. */
export interface LoginProblem {
  message: string;
  hint: string;
  /** The credential field at fault, by its internal name. */
  parameter?: string;
  /** No further attempt is made until the person changes the credential. */
  final: boolean;
  /** Nothing is wrong: an OTP is on its way to the phone, and is waited for. */
  otpSent?: boolean;
}

/** Result of one login, for the next one. It holds no usable secret: of OTPs and settings only digests. */
export interface LoginState {
  /** Fingerprint of the settings that all this belongs to. */
  for: string;
  /** Digest of the account and device that auth and temporary tokens belong to. */
  account: string;
  /** Milliseconds since the epoch at which the auth token came. */
  authTokenAt?: number;
  /** Time of writing, milliseconds since the epoch. */
  at: number;
  /** Times of the last successful logins, milliseconds since the epoch, oldest first. */
  logins: number[];
  /** Thirty-second steps whose TOTP codes were sent. */
  usedSteps: number[];
  /** Number of consecutive refusals of TOTP codes. */
  refusedCodes: number;
  /** Digests of OTPs that were sent. */
  usedOtps: string[];
  /** Digest of the OTP that the service refused last: n8n's *Retry On Fail* enters it again. */
  refusedOtp?: string;
  /** The MPIN was sent and no answer about it came: it may have been refused. */
  mpinUnanswered?: boolean;
  /** Number of consecutive MPINs whose answer did not look like the service's. */
  unjudgedMpins?: number;
  /** The same two of the password of an institution. */
  passwordUnanswered?: boolean;
  unjudgedPasswords?: number;
  /** The form in which the service reads a TOTP code, as far as known: text if it was never refused. */
  totpForm?: 'text' | 'number';
  /** Time of the last request for an OTP. */
  otpAskedAt?: number;
  /** The last OTP was asked for by the switch *Send OTP Again*, which has stood since. */
  otpAskedAgain?: boolean;
  problem?: LoginProblem;
}

const MAX_LIST = 20;

const numbers = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'number').slice(-MAX_LIST) : [];
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string').slice(-MAX_LIST) : [];
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

function parseObject(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json === '' ? '{}' : json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function readProblem(value: unknown): LoginProblem | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { message, hint, parameter, final, otpSent } = value as Record<string, unknown>;
  if (typeof message !== 'string') return undefined;
  return {
    message,
    hint: typeof hint === 'string' ? hint : '',
    ...(typeof parameter === 'string' ? { parameter } : {}),
    final: final === true,
    ...(otpSent === true ? { otpSent } : {}),
  };
}

/** The memory in a stored `loginState`. Codes that were sent stay remembered whatever else changed. */
export function readLoginState(loginState: string, settings: { for: string; account: string }): LoginState {
  const stored = parseObject(loginState);
  const same = stored.for === settings.for;
  const sameAccount = stored.account === settings.account;
  return {
    ...settings,
    at: number(stored.at) ?? 0,
    logins: same ? numbers(stored.logins) : [],
    refusedCodes: same ? (number(stored.refusedCodes) ?? 0) : 0,
    mpinUnanswered: same && stored.mpinUnanswered === true,
    unjudgedMpins: same ? number(stored.unjudgedMpins) : undefined,
    passwordUnanswered: same && stored.passwordUnanswered === true ? true : undefined,
    unjudgedPasswords: same ? number(stored.unjudgedPasswords) : undefined,
    totpForm: sameAccount && (stored.totpForm === 'text' || stored.totpForm === 'number') ? stored.totpForm : undefined,
    authTokenAt: sameAccount ? number(stored.authTokenAt) : undefined,
    otpAskedAt: sameAccount ? number(stored.otpAskedAt) : undefined,
    otpAskedAgain: sameAccount && stored.otpAskedAgain === true ? true : undefined,
    problem: same ? readProblem(stored.problem) : undefined,
    usedSteps: numbers(stored.usedSteps),
    usedOtps: texts(stored.usedOtps),
    refusedOtp: text(stored.refusedOtp),
  };
}

/** Returns true if the stored session belongs to these settings. */
export function isSessionOf(loginState: string, settings: { for: string }): boolean {
  return parseObject(loginState).for === settings.for;
}

/** Returns true if a stored auth token or temporary token belongs to this account. */
export function isTokenOf(loginState: string, account: string, token: string): boolean {
  return texts(parseObject(loginState).tokens).includes(digestOf(account, token));
}

const digestOf = (account: string, token: string): string => hashParts([account, token]);

/** Returns the time at which a `loginState` was written, milliseconds since the epoch; 0 if there is none. */
export function writtenAt(loginState: string): number {
  return number(parseObject(loginState).at) ?? 0;
}

/** Returns the time of the last successful login in a stored `loginState`, milliseconds since the epoch; undefined if there was none. */
export function lastLogin(loginState: string): number | undefined {
  return numbers(parseObject(loginState).logins).at(-1);
}

/** The problem that a stored `loginState` tells of. */
export function storedProblem(loginState: string): LoginProblem | undefined {
  return readProblem(parseObject(loginState).problem);
}

/**
 * The memory as `loginState` stores it: JSON, with the newest twenty of each list.
 * @param tokens the auth token and the temporary token that are stored beside it. Their digests with the account go along: whoever
 *   can write the memory, but does not know a token, cannot have it sent to another account or address.
 */
export function writeLoginState(memory: LoginState, ...tokens: string[]): string {
  return JSON.stringify({
    ...memory,
    tokens: tokens.filter((token) => token !== '').map((token) => digestOf(memory.account, token)),
    logins: memory.logins.slice(-MAX_LIST),
    usedSteps: memory.usedSteps.slice(-MAX_LIST),
    usedOtps: memory.usedOtps.slice(-MAX_LIST),
  });
}
