/** How a session comes about: by TOTP, by an OTP that a person enters, by the auth token of an earlier login, or pasted. */
import { createHash } from 'crypto';
import { isSessionStatus } from '../failures';
import type { Clock } from '../base/ports';
import { writeMemory, type LoginMemory, type Problem } from './memory';
import {
  clockIsOff,
  mpinUnanswered,
  otpNeeded,
  otpNotSent,
  otpSent,
  otpSentBefore,
  pastedTokenDead,
  problemOf,
  refusedCode,
  refusedMpin,
  refusedOtp,
  unavailable,
  unknownStep,
} from './problems';
import type { LoginSettings, SessionState } from './settings';
import { sendPhoneOtp, totpLogin, verifyPhoneOtp, verifyPin, type Refusal, type StepResult, type Wire } from './steps';
import { isExpiring, tokenExpiry } from './token';
import { SLOW_WAY_LIFE_MS, clockSkewSeconds, nextTotpStep, totpCode, totpStep } from './totp';

const AUTH_TOKEN_LIFE_MS = 24 * 3_600_000;
/** Two refused codes in a row are no accident. */
const REFUSED_CODES = 2;
/** An OTP that was just asked for is on its way: asking again would void it. */
const OTP_GAP_MS = 20_000;

/** What is left of a login: the fields to store, and why there is no session if there is none. */
export interface LoginOutcome {
  state: SessionState;
  problem?: Problem;
}

/** What a login is made with. */
export interface LoginTools {
  wire: Wire;
  clock: Clock;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16);

/** One login; knows nothing of other executions. */
class Login {
  private authToken: string;
  private tempToken: string;

  constructor(
    private readonly tools: LoginTools,
    private readonly settings: LoginSettings,
    private readonly memory: LoginMemory,
    state: SessionState,
  ) {
    this.authToken = state.authToken;
    this.tempToken = state.tempToken;
  }

  outcome(sessionToken: string, problem?: Problem): LoginOutcome {
    const memory: LoginMemory = { ...this.memory, problem, at: this.tools.clock.now() };
    return {
      state: { sessionToken, authToken: this.authToken, tempToken: this.tempToken, loginState: writeMemory(memory) },
      ...(problem === undefined ? {} : { problem }),
    };
  }

  async byTotp(): Promise<LoginOutcome> {
    let sent = await this.sendCode();
    // A code that died on its way says nothing about the secret: the next one is sent early in its life.
    const diedOnTheWay =
      !sent.reply.ok && unavailable(sent.reply) === undefined && totpStep(this.tools.clock.now()) > sent.step;
    if (diedOnTheWay && this.skewOf(sent.reply) === undefined) sent = await this.sendCode(SLOW_WAY_LIFE_MS);
    const { reply } = sent;
    if (!reply.ok) return this.outcome('', unavailable(reply) ?? this.refusedCode(reply));
    this.memory.refusedCodes = 0;
    return await this.byMpin(reply.value);
  }

  /** Sends the code of a step that was never sent. */
  private async sendCode(shortestLifeMs?: number): Promise<{ step: number; reply: StepResult<string> }> {
    const { clock, wire } = this.tools;
    const step = await nextTotpStep(clock, this.memory.usedSteps, wire.signal, shortestLifeMs);
    const code = totpCode(this.settings.totpSecret, step);
    this.memory.usedSteps.push(step);
    return { step, reply: await totpLogin(wire, this.settings.phone, code) };
  }

  private skewOf(reply: StepResult<string>): number | undefined {
    return reply.ok ? undefined : clockSkewSeconds(this.tools.clock.now(), reply.date);
  }

  private refusedCode(refused: Refusal): Problem {
    const skew = this.skewOf(refused);
    if (skew !== undefined) return clockIsOff(refused, skew);
    this.memory.refusedCodes += 1;
    const final =
      this.memory.refusedCodes >= REFUSED_CODES || (refused.attemptsLeft !== undefined && refused.attemptsLeft <= 1);
    return refusedCode(refused, final);
  }

  /** The last step. The MPIN is sent once: a refusal stops every further attempt until the credential changes. */
  private async byMpin(authToken: string): Promise<LoginOutcome> {
    this.authToken = authToken;
    this.memory.authTokenAt = this.tools.clock.now();
    const reply = await this.sendMpin();
    return reply.ok ? this.loggedIn(reply.value) : this.outcome('', unavailable(reply) ?? refusedMpin(reply));
  }

  private async sendMpin(): Promise<StepResult<string>> {
    this.memory.mpinUnanswered = true;
    const reply = await verifyPin(this.tools.wire, this.settings.mpin, this.authToken);
    this.memory.mpinUnanswered = !reply.ok && reply.status >= 500;
    return reply;
  }

  /**
   * Whether the MPIN may be sent without a person: not while nobody knows what became of it the last time. One that has
   * been accepted before is known to be right.
   */
  mayRepeatMpin(): boolean {
    return this.settings.attended || !this.memory.mpinUnanswered || this.memory.logins.length > 0;
  }

  private loggedIn(sessionToken: string): LoginOutcome {
    this.tempToken = '';
    this.memory.logins.push(this.tools.clock.now());
    this.memory.otpAskedAt = undefined;
    return this.outcome(sessionToken);
  }

  async byOtp(): Promise<LoginOutcome> {
    const now = this.tools.clock.now();
    const { otp } = this.settings;
    if (otp !== '' && this.tempToken !== '') {
      const used = digest(`${this.tempToken} ${otp}`);
      if (!this.memory.usedOtps.includes(used)) return await this.byEnteredOtp(otp, used);
      if (!this.authTokenLives(now)) return this.outcome('', otpSentBefore());
    }
    if (this.authTokenLives(now)) {
      const reply = await this.sendMpin();
      if (reply.ok) return this.loggedIn(reply.value);
      if (!isSessionStatus(reply.status) || /\bm?pin\b/i.test(reply.text))
        return this.outcome('', unavailable(reply) ?? refusedMpin(reply));
    }
    return this.settings.attended ? await this.askForOtp(now) : this.outcome('', otpNeeded());
  }

  private authTokenLives(now: number): boolean {
    if (this.authToken === '' || isExpiring(this.authToken, now)) return false;
    return tokenExpiry(this.authToken) !== undefined || (this.memory.authTokenAt ?? 0) + AUTH_TOKEN_LIFE_MS > now;
  }

  private async byEnteredOtp(otp: string, used: string): Promise<LoginOutcome> {
    this.memory.usedOtps.push(used);
    const reply = await verifyPhoneOtp(this.tools.wire, this.settings.phone, otp, this.tempToken);
    if (!reply.ok) return this.outcome('', unavailable(reply) ?? refusedOtp(reply));
    return await this.byMpin(reply.value);
  }

  private async askForOtp(now: number): Promise<LoginOutcome> {
    const { phone } = this.settings;
    const { wire } = this.tools;
    this.authToken = '';
    this.memory.authTokenAt = undefined;
    const asked = this.memory.otpAskedAt;
    if (asked !== undefined && this.tempToken !== '' && now - asked >= 0 && now - asked < OTP_GAP_MS)
      return this.outcome('', otpSent());
    const first = await sendPhoneOtp(wire, phone);
    if (!first.ok) return this.outcome('', unavailable(first) ?? otpNotSent(first));
    // Whether `next` is VERIFY_MOBILE or VERIFY_TOTP, the second call is what sends the OTP (wire-facts 3.5).
    if (first.value.next !== 'VERIFY_MOBILE' && first.value.next !== 'VERIFY_TOTP')
      return this.outcome('', unknownStep(first.value.next));
    const second = await sendPhoneOtp(wire, phone, first.value.tempToken);
    if (!second.ok) return this.outcome('', unavailable(second) ?? otpNotSent(second));
    this.tempToken = second.value.tempToken;
    this.memory.otpAskedAt = now;
    return this.outcome('', otpSent(second.value.attemptsLeft));
  }
}

function pasted(settings: LoginSettings, now: number): Problem | undefined {
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
  memory: LoginMemory,
): Promise<LoginOutcome> {
  const login = new Login(tools, settings, memory, state);
  if (settings.method === 'sessionToken') {
    const problem = pasted(settings, tools.clock.now());
    return problem === undefined ? login.outcome(settings.pastedToken) : login.outcome('', problem);
  }
  if (!login.mayRepeatMpin()) return login.outcome('', mpinUnanswered());
  try {
    return settings.method === 'totp' ? await login.byTotp() : await login.byOtp();
  } catch (error) {
    return login.outcome('', problemOf(error));
  }
}
