/**
 * Logging in and out (docs/service/login-and-session.md, docs/service/errors.md#status-codes). An
 * OTP and an MPIN are sent once and never again by themselves: wrong attempts lock the account.
 */
import { TIMEOUT_MS, type Endpoint, type NoParts, type OpenEnumWord, type RequestParts } from './endpoint';

/** See docs/service/login-and-session.md#login-reply. */
export interface LoginReply {
  /** Remaining OTP attempts. */
  attempts_left?: number | null;
  email?: string;
  /** Expiry of the OTP. */
  expiry?: number;
  flow?: OpenEnumWord<'LOGIN'>;
  message?: string;
  /** `VERIFY_TOTP`: the account has TOTP, and no OTP was sent yet (docs/service/login-and-session.md#when-the-otp-is-sent). */
  next?: OpenEnumWord<'VERIFY_MOBILE' | 'VERIFY_TOTP'>;
  phone?: string;
  /** A secret: goes into `x-temp-token` of the next step. */
  temp_token: string;
}

/** See docs/service/login-and-session.md#otp-reply. */
export interface VerifiedReply {
  /** A secret: the bearer token of the MPIN step; lives 24 hours. */
  auth_token: string;
  flow?: OpenEnumWord<'LOGIN'>;
  message?: string;
  next?: OpenEnumWord<'ENTER_MPIN'>;
}

/** See docs/service/login-and-session.md#pin-reply; seen below `data` too (docs/service/login-and-session.md#pin-reply). */
export interface SessionReply {
  email?: string;
  message?: string;
  next?: OpenEnumWord<'DASHBOARD'>;
  phone?: string;
  /** A secret: the bearer token of everything else; lives seven hours. */
  session_token: string;
  userId?: number;
}

/** A step of the login: sent without a session, or with the token of the step before. */
const step = <Request extends RequestParts, Reply>(path: string): Endpoint<Request, Reply> => ({
  ...{ method: 'POST', path, repeat: 'never', bucket: 'other', timeoutMs: TIMEOUT_MS.normal },
  ...{ keepSession: true, proves: 'names nothing' },
});

/** See docs/service/login-and-session.md#login-requests, docs/service/login-and-session.md#log-out. */
export const sessionEndpoints = {
  /** Twice: without and with `x-temp-token` (specification), or once (docs/service/login-and-session.md#when-the-otp-is-sent). No device id at the first. */
  sendPhoneOtp: step<{ body: { phone: string; skip_totp: boolean } }, LoginReply>('/sendphoneotp'),
  /** With `x-temp-token` (the latest) and `x-device-id`. */
  verifyPhoneOtp: step<{ body: { phone: string; otp: string } }, VerifiedReply>('/verifyphoneotp'),
  /** With `x-device-id`. `totp` is text (specification), or a number (seen of every client that works on the live service). */
  totpLogin: step<{ body: { phone: string; totp: string | number; otp: '' } }, VerifiedReply>('/totp/login'),
  /** Of institutions (seen, October 2026), with `x-device-id`; `/verifypin` follows. */
  institutionalLogin: step<
    { body: { exchange_client_code: string; client_code: string; username: string; password: string } },
    VerifiedReply
  >('/login-insti'),
  /** With `x-device-id` and the auth token as bearer token; `x-temp-token` must not be sent. */
  verifyPin: step<{ body: { pin: string } }, SessionReply>('/verifypin'),
  /** An expired session answers 401 or 440. */
  logout: step<NoParts, unknown>('/logout'),
};
