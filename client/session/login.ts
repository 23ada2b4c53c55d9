/**
 * Starts a session: by TOTP, by an OTP that the user enters, by the password of an institution, by the auth token of an earlier login, or
 * from a pasted token.
 */
import { createHash } from 'crypto';
import { NetworkError } from '../base/errors';
import { isSessionStatus } from '../reply-gate';
import type { Clock } from '../base/ports';
import { writeLoginState, type LoginState, type LoginProblem } from './login-state';
import {
  clockSkewProblem,
  failureWithSuccessStatus,
  isFailureWithSuccessStatus,
  isTokenRefusal,
  mpinNotJudged,
  mpinUnanswered,
  notTheServiceProblem,
  otpNeeded,
  otpNotSent,
  otpRefusedBefore,
  otpSent,
  otpSentBefore,
  otpUnderWay,
  passwordNotJudged,
  passwordUnanswered,
  pastedTokenDead,
  problemOf,
  refusedByMovedClock,
  refusedCode,
  refusedMpin,
  refusedOtp,
  refusedPassword,
  sandboxNotRunning,
  unavailableProblem,
  unknownPhone,
  unknownStep,
  unreadableCode,
  type LoginRefusal,
} from './login-errors';
import { institutionOf, type LoginSettings, type SessionState } from './settings';
import {
  requestUserInfo,
  isOfAnotherService,
  institutionalLogin,
  sendPhoneOtp,
  verifyPhoneOtp,
  verifyPin,
  type StepResult,
  type LoginTransport,
} from './login-steps';
import { isExpiring, tokenExpiry } from './token';
import { clockSkewSeconds } from './totp';
import { isFormRefusal, sendTotp, type TotpForm } from './totp-attempt';

const AUTH_TOKEN_LIFE_MS = 24 * 3_600_000;
/** Words of a service about a phone without an account. */
const NOT_KNOWN = /\b(not registered|no account is registered|not found|unknown|does(n't| not) exist)\b/i;
/** Two refused codes in a row are no accident. */
const REFUSED_CODES = 2;
/** Maximum number of times that a never accepted MPIN or password is sent while another server answers; then the user must act. */
const MAX_UNJUDGED = 2;
/** Fields of the memory about a secret that is sent once. */
interface SentOnce {
  unanswered: 'mpinUnanswered' | 'passwordUnanswered';
  unjudged: 'unjudgedMpins' | 'unjudgedPasswords';
}
const MPIN: SentOnce = { unanswered: 'mpinUnanswered', unjudged: 'unjudgedMpins' };
const PASSWORD: SentOnce = { unanswered: 'passwordUnanswered', unjudged: 'unjudgedPasswords' };
/** Age at which a requested OTP counts as expired: a younger one is pending, and another request would void it. */
const OTP_LIFE_MS = 300_000;

/** Result of a login: the fields to store, and the reason for a missing session. */
export interface LoginOutcome {
  state: SessionState;
  problem?: LoginProblem;
}

/** Tools of a login. */
export interface LoginTools {
  wire: LoginTransport;
  clock: Clock;
}

/** Returns true if a refusal of the service is one of an MPIN, or of a password. */
const judges = (refused: LoginRefusal): boolean => refused.isOwnForm && !isTokenRefusal(refused);

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16);

/** One login; knows nothing of other executions. */
class Login {
  private readonly mark: string;
  private authToken: string;
  private tempToken: string;

  constructor(
    private readonly tools: LoginTools,
    private readonly settings: LoginSettings,
    private readonly memory: LoginState,
    state: SessionState,
  ) {
    this.mark = state.mark;
    this.authToken = state.authToken;
    this.tempToken = state.tempToken;
  }

  outcome(sessionToken: string, problem?: LoginProblem): LoginOutcome {
    const memory: LoginState = { ...this.memory, problem, at: this.tools.clock.now() };
    return {
      state: {
        mark: this.mark,
        sessionToken,
        authToken: this.authToken,
        tempToken: this.tempToken,
        loginState: writeLoginState(memory, this.authToken, this.tempToken),
      },
      ...(problem === undefined ? {} : { problem }),
    };
  }

  async byTotp(): Promise<LoginOutcome> {
    const { reply, tried } = await sendTotp(this.tools, this.settings, this.memory);
    if (reply.ok) {
      this.memory.refusedCodes = 0;
      return await this.byMpin(reply.value);
    }
    if (isFormRefusal(reply)) return this.outcome('', unreadableCode(reply, this.countRefusedCode(reply)));
    const elsewhere = this.elsewhere(reply) ?? unavailableProblem(reply);
    // Only words about a code can mean that the code was looked at.
    const isUnclear = isFailureWithSuccessStatus(reply) && !/\b(totp|otp|code|pin)\b/i.test(reply.words);
    const other = elsewhere ?? (isUnclear ? failureWithSuccessStatus(reply, 'TOTP code') : undefined);
    return this.outcome('', other ?? this.refusedCode(reply, tried));
  }

  /** A refusal of the first step that says nothing about a code: of the phone, or of another service. */
  private elsewhere(refused: LoginRefusal): LoginProblem | undefined {
    if (/\b(phone|mobile|account|user)\b/i.test(refused.text) && NOT_KNOWN.test(refused.text))
      return unknownPhone(refused);
    return refused.isForeign ? notTheServiceProblem(this.settings.baseUrl, refused) : undefined;
  }

  private refusedCode(refused: LoginRefusal, tried: readonly TotpForm[]): LoginProblem {
    const skew = clockSkewSeconds(this.tools.clock.now(), refused.date);
    if (skew === undefined) return refusedCode(refused, this.countRefusedCode(refused), tried);
    const isSandbox = this.settings.environment === 'sandbox' && refused.isSandbox === true;
    return isSandbox
      ? refusedByMovedClock(refused, skew, this.countRefusedCode(refused))
      : clockSkewProblem(refused, skew);
  }

  /** @returns whether no further code may be sent until the person changes the credential. */
  private countRefusedCode({ attemptsLeft }: LoginRefusal): boolean {
    this.memory.refusedCodes += 1;
    return this.memory.refusedCodes >= REFUSED_CODES || (attemptsLeft !== undefined && attemptsLeft <= 1);
  }

  /** A password is sent once, as an MPIN is: a refusal stops every further attempt until the credential changes. */
  async byPassword(): Promise<LoginOutcome> {
    const { wire } = this.tools;
    const institution = institutionOf(this.settings);
    const reply = await this.sendOnce(PASSWORD, async () => await institutionalLogin(wire, institution));
    if (reply.ok) return await this.byMpin(reply.value);
    return this.outcome('', this.problemOfSecret(reply, refusedPassword, passwordNotJudged));
  }

  /** The last step. The MPIN is sent once: a refusal stops every further attempt until the credential changes. */
  private async byMpin(authToken: string): Promise<LoginOutcome> {
    this.authToken = authToken;
    this.memory.authTokenAt = this.tools.clock.now();
    const reply = await this.sendMpin();
    return reply.ok ? this.loggedIn(reply.value) : this.outcome('', this.mpinProblem(reply));
  }

  private mpinProblem(refused: LoginRefusal): LoginProblem {
    return this.problemOfSecret(refused, refusedMpin, mpinNotJudged);
  }

  /** A refusal of an MPIN or a password is believed of the service alone: a page of a proxy says nothing about it. */
  private problemOfSecret(
    refused: LoginRefusal,
    wrong: (refused: LoginRefusal) => LoginProblem,
    notJudged: (baseUrl: string, refused: LoginRefusal) => LoginProblem,
  ): LoginProblem {
    const { baseUrl } = this.settings;
    if (refused.isForeign) return notJudged(baseUrl, refused);
    return unavailableProblem(refused) ?? (judges(refused) ? wrong(refused) : notJudged(baseUrl, refused));
  }

  private async sendMpin(): Promise<StepResult<string>> {
    const { wire } = this.tools;
    return await this.sendOnce(MPIN, async () => await verifyPin(wire, this.settings.mpin, this.authToken));
  }

  /** Sends an MPIN or a password, and remembers where nobody knows what became of it. */
  private async sendOnce(secret: SentOnce, send: () => Promise<StepResult<string>>): Promise<StepResult<string>> {
    this.memory[secret.unanswered] = true;
    const reply = await send();
    const isJudged = reply.ok || (!reply.isForeign && (judges(reply) || unavailableProblem(reply) !== undefined));
    const unjudged = isJudged ? 0 : (this.memory[secret.unjudged] ?? 0) + 1;
    this.memory[secret.unjudged] = unjudged || undefined;
    // An answer of another server may hide that the secret is wrong.
    this.memory[secret.unanswered] = !reply.ok && (isJudged ? reply.status >= 500 : unjudged >= MAX_UNJUDGED);
    return reply;
  }

  /**
   * Returns the reason for which nothing may be sent without the user: the outcome of the last MPIN, or password, is unknown. An earlier
   * accepted one is known to be right.
   */
  unanswered(): LoginProblem | undefined {
    if (this.settings.attended || this.memory.logins.length > 0) return undefined;
    if (this.memory.mpinUnanswered) return mpinUnanswered();
    return this.memory.passwordUnanswered ? passwordUnanswered() : undefined;
  }

  private loggedIn(sessionToken: string): LoginOutcome {
    this.memory.logins.push(this.tools.clock.now());
    this.forgetOtp();
    return this.outcome(sessionToken);
  }

  /** Accepts a pasted token unchanged. Only checks that the service answers, because nothing else of this login would show it. */
  async byToken(): Promise<LoginOutcome> {
    const { wire, clock } = this.tools;
    const { pastedToken, baseUrl } = this.settings;
    const expired = pasted(this.settings, clock.now());
    if (expired !== undefined) return this.outcome('', expired);
    const isOther = isOfAnotherService(await requestUserInfo(wire, pastedToken));
    return isOther ? this.outcome('', notTheServiceProblem(baseUrl)) : this.outcome(pastedToken);
  }

  async byOtp(): Promise<LoginOutcome> {
    const now = this.tools.clock.now();
    const { otp } = this.settings;
    if (otp !== '' && this.otpDigest() === this.memory.refusedOtp && !this.authTokenLives(now))
      return this.outcome('', otpRefusedBefore());
    if (otp !== '' && this.tempToken !== '') {
      const used = digest(`${this.tempToken} ${otp}`);
      if (!this.memory.usedOtps.includes(used)) return await this.byEnteredOtp(otp, used);
      if (!this.authTokenLives(now)) return this.outcome('', otpSentBefore());
    }
    if (this.authTokenLives(now)) {
      const reply = await this.sendMpin();
      if (reply.ok) return this.loggedIn(reply.value);
      if (reply.isForeign || !isSessionStatus(reply.status) || /\bm?pin\b/i.test(reply.text))
        return this.outcome('', this.mpinProblem(reply));
    }
    return this.settings.attended ? await this.requestOtp(now) : this.outcome('', otpNeeded());
  }

  private authTokenLives(now: number): boolean {
    if (this.authToken === '' || isExpiring(this.authToken, now, this.memory.authTokenAt)) return false;
    return tokenExpiry(this.authToken) !== undefined || (this.memory.authTokenAt ?? 0) + AUTH_TOKEN_LIFE_MS > now;
  }

  private async byEnteredOtp(otp: string, used: string): Promise<LoginOutcome> {
    this.memory.usedOtps.push(used);
    const reply = await verifyPhoneOtp(this.tools.wire, this.settings.phone, otp, this.tempToken);
    if (reply.ok) return await this.byMpin(reply.value);
    if (reply.isForeign) return this.outcome('', notTheServiceProblem(this.settings.baseUrl, reply));
    // Attempts are counted at a code that is wrong; without them the service no longer knows of this OTP.
    if ((isSessionStatus(reply.status) && reply.attemptsLeft === undefined) || reply.attemptsLeft === 0)
      this.forgetOtp();
    const passing = unavailableProblem(reply);
    if (passing === undefined) this.memory.refusedOtp = this.otpDigest();
    return this.outcome('', passing ?? refusedOtp(reply));
  }

  /** Returns the digest of the entered OTP, whichever text message it came with. */
  private otpDigest(): string {
    return digest(`${this.memory.account} ${this.settings.otp}`);
  }

  private forgetOtp(): void {
    this.tempToken = '';
    this.memory.otpAskedAt = undefined;
    this.memory.otpAskedAgain = undefined;
  }

  /**
   * Requests an OTP, unless one is pending and the user did not ask for another (docs/service/login-and-session.md#when-the-otp-is-sent).
   */
  private async requestOtp(now: number): Promise<LoginOutcome> {
    this.authToken = '';
    this.memory.authTokenAt = undefined;
    const { sendOtpAgain } = this.settings;
    const requested = this.memory.otpAskedAt;
    const underWay =
      requested !== undefined && this.tempToken !== '' && now - requested >= 0 && now - requested < OTP_LIFE_MS;
    // The switch counts once: n8n's Retry shows it still on.
    const again = underWay && sendOtpAgain && this.memory.otpAskedAgain !== true;
    if (underWay && !again) {
      if (!sendOtpAgain) this.memory.otpAskedAgain = undefined;
      return this.outcome('', otpUnderWay(requested));
    }
    this.memory.otpAskedAgain = sendOtpAgain || undefined;
    const reply = await this.sendOtp(again ? this.tempToken : undefined);
    if (!reply.ok) return this.outcome('', this.elsewhere(reply) ?? unavailableProblem(reply) ?? otpNotSent(reply));
    const { next, tempToken, attemptsLeft } = reply.value;
    if (next !== 'VERIFY_MOBILE' && next !== 'VERIFY_TOTP') return this.outcome('', unknownStep(next));
    this.tempToken = tempToken;
    this.memory.otpAskedAt = now;
    return this.outcome('', otpSent(attemptsLeft));
  }

  /**
   * Sends an OTP. On VERIFY_MOBILE the first call has sent it, and a second one would replace it. For an account with TOTP (VERIFY_TOTP)
   * the second call sends it, and also sends it again.
   * @param tempToken of the pending OTP; undefined if there is none.
   */
  private async sendOtp(tempToken?: string): Promise<Awaited<ReturnType<typeof sendPhoneOtp>>> {
    const { wire } = this.tools;
    const { phone } = this.settings;
    const again = tempToken === undefined ? undefined : await sendPhoneOtp(wire, phone, tempToken);
    if (again !== undefined && (again.ok || again.isForeign || !isSessionStatus(again.status))) return again;
    const first = await sendPhoneOtp(wire, phone);
    if (!first.ok || first.value.next !== 'VERIFY_TOTP') return first;
    return await sendPhoneOtp(wire, phone, first.value.tempToken);
  }
}

function pasted(settings: LoginSettings, now: number): LoginProblem | undefined {
  const expiry = tokenExpiry(settings.pastedToken);
  if (expiry === undefined || expiry > now) return undefined;
  return { ...pastedTokenDead(), message: `The pasted session token expired at ${new Date(expiry).toISOString()}.` };
}

/**
 * Makes one login by the person's method. Never throws for what happens on the wire: codes that were sent and refusals
 * must be stored either way. A step is never repeated here.
 * @param memory is changed.
 * @returns the fields to store. Without a session, `problem` says why.
 */
export async function logIn(
  tools: LoginTools,
  settings: LoginSettings,
  state: SessionState,
  memory: LoginState,
): Promise<LoginOutcome> {
  const login = new Login(tools, settings, memory, state);
  const unanswered = settings.method === 'sessionToken' ? undefined : login.unanswered();
  if (unanswered !== undefined) return login.outcome('', unanswered);
  try {
    switch (settings.method) {
      case 'sessionToken':
        return await login.byToken();
      case 'totp':
        return await login.byTotp();
      case 'otp':
        return await login.byOtp();
      case 'institutional':
        return await login.byPassword();
    }
  } catch (error) {
    const nobody = settings.environment === 'sandbox' && error instanceof NetworkError && !error.maySent;
    return login.outcome('', nobody ? sandboxNotRunning(settings.baseUrl) : problemOf(error));
  }
}
