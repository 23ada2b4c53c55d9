/** Reasons for a missing session, in words for the user: what happened, and what to do. Nothing here holds a secret. */
import { BrokerageError } from '../base/errors';
import { isSessionStatus } from '../reply-gate';
import { isSuccess } from '../service-errors';
import { toIst } from '../values/time';
import type { LoginProblem } from './login-state';

const NEW_OTP =
  'Enter the OTP of the newest text message and save. For a new one, empty the OTP field, switch on "Send OTP Again" and save. (In a workflow, "Session: Request OTP" with "Send OTP Again" asks for it.)';

/** Returns the answer of another server than the service, in a sentence. */
function itSaid({ status, text }: LoginRefusal): string {
  return `It answered with the status ${status}${text === '' ? '.' : `: "${text}".`}`;
}

/** Returns the service's words in a refusal, and the number of remaining attempts, in sentences. */
function said(refused: LoginRefusal): string {
  const parts = [
    refused.text === ''
      ? `The service gave no reason (status ${refused.status}).`
      : `The service said: "${refused.text}".`,
    refused.attemptsLeft === undefined ? '' : `Attempts left: ${refused.attemptsLeft}.`,
  ];
  return parts.filter(Boolean).join(' ');
}

/** A refusal that says nothing about what the person entered; undefined for any other. */
export function unavailableProblem(refused: LoginRefusal): LoginProblem | undefined {
  if (refused.status === 429) {
    return {
      message: 'The service says that it gets too many requests from here, and did not log in.',
      hint: 'Wait a minute, then try again.',
      final: false,
    };
  }
  if (refused.status >= 500) {
    return {
      message: `The service could not log in just now (status ${refused.status}). ${said(refused)}`,
      hint: 'Try again in a few minutes.',
      final: false,
    };
  }
  if (refused.status >= 300 && refused.status < 400) {
    return {
      message: 'The service sends logins on to another address, which is not followed.',
      hint: 'Check the base address in the credential.',
      final: false,
    };
  }
  return undefined;
}

/** The OTP is wrong, or not the newest. */
export function refusedOtp(refused: LoginRefusal): LoginProblem {
  return {
    message: `The OTP was refused. ${said(refused)}`,
    hint: NEW_OTP,
    parameter: 'otp',
    final: false,
  };
}

/** Tried again, as n8n's *Retry On Fail* does. */
export function otpRefusedBefore(): LoginProblem {
  return {
    message: 'The OTP was refused, and the same one is not sent again.',
    hint: NEW_OTP,
    parameter: 'otp',
    final: false,
  };
}

/** An OTP is good once. */
export function otpSentBefore(): LoginProblem {
  return {
    message: 'This OTP was sent before and is not sent again.',
    hint: NEW_OTP,
    parameter: 'otp',
    final: false,
  };
}

/** @param next the name of the step that the service asks for. */
export function unknownStep(next: string): LoginProblem {
  return {
    message: `The service asks for a login step that this version does not know: ${next || 'none was named'}.`,
    hint: "Sign in once with your broker's app; it may be waiting for something there. Then try again.",
    final: false,
  };
}

/** Returns seconds in words. */
function spanOf(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} minutes`;
  return `${Math.round(seconds / 360) / 10} hours`;
}

/**
 * Returns the problem of a code refused by a sandbox whose clock was moved: it accepts codes by its clock and by this machine's, so the
 * clocks are not the reason.
 * @param skew as in `clockSkewProblem`. @param final as for a refused code.
 */
export function refusedByMovedClock(refused: LoginRefusal, skew: number, final: boolean): LoginProblem {
  const where = `${spanOf(Math.abs(skew))} ${skew > 0 ? 'behind' : 'ahead of'}`;
  return {
    message: `The TOTP code was refused. ${said(refused)} (The sandbox's clock is ${where} this machine's; it takes codes of both.)`,
    hint: `Copy the TOTP secret again from "Test logins" on the sandbox's page into the credential.${final ? NO_FURTHER : ''}`,
    parameter: 'totpSecret',
    final,
  };
}

/** @param skew seconds that the clock of this machine is ahead of the service's; behind it when negative. */
export function clockSkewProblem(refused: LoginRefusal, skew: number): LoginProblem {
  return {
    message: `The TOTP code was refused, and this computer's clock is ${spanOf(Math.abs(skew))} ${skew > 0 ? 'ahead of' : 'behind'} the broker's. ${said(refused)}`,
    hint: 'Set the clock of the machine on which n8n runs: a code is valid for only 30 seconds.',
    parameter: 'totpSecret',
    final: false,
  };
}

/** Returns the problem of a server that knows nothing of logins. @param refused its answer, if it was a refusal. */
export function notTheServiceProblem(baseUrl: string, refused?: LoginRefusal): LoginProblem {
  return {
    message: `Something answers at ${baseUrl}, but it is not the brokerage service.${refused === undefined ? '' : ` ${itSaid(refused)}`}`,
    hint: 'Check the environment and the base address in the credential. If they are right, something between n8n and the service answers, such as a proxy or a firewall.',
    final: false,
  };
}

/** Returns true if a login step says with the status of a success that it failed. */
export const isFailureWithSuccessStatus = ({ status, isForeign }: LoginRefusal): boolean =>
  isSuccess(status) && !isForeign;

/** A step says with the status of a success that it failed: nobody can tell what failed. @param what was sent */
export function failureWithSuccessStatus(refused: LoginRefusal, what: string): LoginProblem {
  return {
    message: `The ${what} was neither accepted nor refused: the service answered with the status ${refused.status}, and said that it failed. ${said(refused)}`,
    hint: `Check the ${what} in the credential, and try again later.`,
    final: false,
  };
}

/** Returns true if the last step was refused for the token of the step before, so that nothing was said about what the person entered. */
export const isTokenRefusal = ({ status, words, attemptsLeft }: LoginRefusal): boolean =>
  isSessionStatus(status) &&
  attemptsLeft === undefined &&
  /\b(session|token)\b/i.test(words) &&
  !/\b(m?pin|password)\b/i.test(words);

/** The token of the step before was refused: the person can do nothing but try again. @param what was sent */
function tokenRefused(refused: LoginRefusal, what: string): LoginProblem {
  return {
    message: `The ${what} was neither accepted nor refused: the service did not take the login that it had just begun. ${said(refused)}`,
    hint: 'Try again in a minute. If it stays, something between n8n and the service changes its answers.',
    final: false,
  };
}

/** Something that does not speak as the service does answered in its place when the MPIN, or the password, was sent. */
const notJudged =
  (what: string) =>
  (baseUrl: string, refused: LoginRefusal): LoginProblem => {
    if (isFailureWithSuccessStatus(refused)) return failureWithSuccessStatus(refused, what);
    if (!refused.isForeign && isTokenRefusal(refused)) return tokenRefused(refused, what);
    const { message, hint, final } = notTheServiceProblem(baseUrl, refused);
    return { message, hint: `The ${what} was not refused: try again later. ${hint}`, final };
  };
export const mpinNotJudged = notJudged('MPIN');
export const passwordNotJudged = notJudged('password');

/** Nothing answers where the sandbox is expected. */
export function sandboxNotRunning(baseUrl: string): LoginProblem {
  return {
    message: `The sandbox does not run at ${baseUrl}.`,
    hint: 'Start it with "npx brokerage-sandbox", or enter the address that it prints in "Sandbox Base Address". (n8n in a container does not reach the machine at 127.0.0.1.)',
    parameter: 'sandboxBaseUrl',
    final: false,
  };
}

/** The service has no account with the phone. */
export function unknownPhone(refused: LoginRefusal): LoginProblem {
  return {
    message: `The service does not know the phone. ${said(refused)}`,
    hint: 'Enter the phone that is registered with your broker in the credential.',
    parameter: 'phone',
    final: false,
  };
}

const NO_FURTHER = ' No further attempt is made until the credential is changed.';

/**
 * The code was read, and is not the right one.
 * @param final whether no further code is sent until the person changes the credential.
 * @param tried the forms in which it was sent.
 */
export function refusedCode(refused: LoginRefusal, final: boolean, tried: readonly string[]): LoginProblem {
  const forms = tried.length < 2 ? '' : ` It was sent as ${tried[1]}, as the service cannot read it as ${tried[0]}.`;
  return {
    message: `The TOTP code was refused. ${said(refused)}${forms}`,
    hint: `Check the TOTP Secret and the phone in the credential, and that TOTP is switched on for this account.${final ? NO_FURTHER : ''}`,
    parameter: 'totpSecret',
    final,
  };
}

/** The service reads a code neither as text nor as a number. @param final as of a refused code. */
export function unreadableCode(refused: LoginRefusal, final: boolean): LoginProblem {
  return {
    message: `The service could not read the login: the TOTP code was sent as text and as a number, and both forms of the request were refused. ${said(refused)}`,
    hint: `The TOTP Secret may be right. Look for a newer version of this package, or choose the login method OTP or Session Token.${final ? NO_FURTHER : ''}`,
    parameter: 'loginMethod',
    final,
  };
}

/** Returns the problem of wrong login data of an institution: final, since further attempts lock the account. */
export function refusedPassword(refused: LoginRefusal): LoginProblem {
  return {
    message: `The institutional login was refused. ${said(refused)}`,
    hint: 'Correct Exchange Client Code, Client Code, Username or Password in the credential and save it. No further attempt is made until the credential is changed, so your account is not locked. (If all are right, change the Device ID instead.)',
    parameter: 'password',
    final: true,
  };
}

/** The password may have been refused: only the person sends it once more. */
export function passwordUnanswered(): LoginProblem {
  return {
    message:
      'The password was sent, but no answer came: it may have been refused, so it is not sent again without you.',
    hint: 'Check the password in the credential and save it: this sends it once more.',
    parameter: 'password',
    final: false,
  };
}

/** The MPIN is wrong: final, as further attempts lock the account. */
export function refusedMpin(refused: LoginRefusal): LoginProblem {
  return {
    message: `The MPIN was refused. ${said(refused)}`,
    hint: 'Correct the MPIN in the credential and save it. No further attempt is made until the credential is changed, so your account is not locked. (If the MPIN is already right, change the Device ID instead.)',
    parameter: 'mpin',
    final: true,
  };
}

/** The MPIN may have been refused: only the person sends it once more. */
export function mpinUnanswered(): LoginProblem {
  return {
    message: 'The MPIN was sent, but no answer came: it may have been refused, so it is not sent again without you.',
    hint: 'Check the MPIN in the credential and save it: this sends it once more.',
    parameter: 'mpin',
    final: false,
  };
}

/** Nobody waits for this login, and it needs an OTP. */
export function otpNeeded(): LoginProblem {
  return {
    message: 'The login has ended, and a new one needs an OTP that only you can enter.',
    hint: 'Open the credential, empty the OTP field and save it: an OTP is sent to your phone. Enter it and save again. (With the login method TOTP this is automatic.)',
    parameter: 'otp',
    final: false,
  };
}

/** Nothing is wrong: an OTP is on its way. */
export function otpSent(attemptsLeft?: number): LoginProblem {
  return {
    message: 'An OTP was sent to your phone. Enter it in the field "OTP" and save again.',
    hint: attemptsLeft === undefined ? '' : `Attempts left: ${attemptsLeft}.`,
    parameter: 'otp',
    final: false,
    otpSent: true,
  };
}

/** Nothing is wrong, and nothing was sent: an OTP that was asked for before is still good. @param requestedAt milliseconds since the epoch. */
export function otpUnderWay(requestedAt: number): LoginProblem {
  return {
    message: `An OTP is already on its way to your phone: it was sent at ${toIst(requestedAt).slice(11, 16)} IST. Enter it in the field "OTP" and save again.`,
    hint: 'If none comes, switch on "Send OTP Again" and save.',
    parameter: 'otp',
    final: false,
    otpSent: true,
  };
}

/** No OTP is on its way. */
export function otpNotSent(refused: LoginRefusal): LoginProblem {
  return {
    message: `The service did not send an OTP. ${said(refused)}`,
    hint: 'Check the phone number in the credential.',
    parameter: 'phone',
    final: false,
  };
}

/** Returns the problem of a pasted token that the service no longer accepts. */
export function pastedTokenDead(): LoginProblem {
  return {
    message: 'The service no longer accepts the pasted session token.',
    hint: 'Log in again, paste the new session token into the credential and save it; or choose the login method TOTP, which is automatic.',
    parameter: 'pastedToken',
    final: false,
  };
}

/** An error of a login step as a problem, so that what was sent is remembered all the same. */
export function problemOf(error: unknown): LoginProblem {
  if (error instanceof BrokerageError) {
    return {
      message: error.message,
      hint: error.hint,
      ...(error.parameter === undefined ? {} : { parameter: error.parameter }),
      final: false,
    };
  }
  return {
    message: 'The login failed for a reason that is not known.',
    hint: error instanceof Error ? error.name : '',
    final: false,
  };
}

/** A step that was refused, in the service's own words. */
export interface LoginRefusal {
  ok: false;
  status: number;
  /** '' when the service gave no reason. */
  text: string;
  /** Every text in it, to be looked at and never shown. */
  words: string;
  attemptsLeft?: number;
  /** The `Date` header. */
  date?: string;
  /** True if it has a sandbox's time; such a sandbox accepts codes of both clocks. */
  isSandbox?: true;
  /** True if it comes from another server than the service. */
  isForeign: boolean;
  /** True if it has the service's error form. */
  isOwnForm: boolean;
}
