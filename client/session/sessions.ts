/** The sessions of this process: one login at a time for an account, and the newest token for whoever asks. */
import { SessionError } from '../base/errors';
import { isSessionStatus } from '../failures';
import type { Clock, Http } from '../base/ports';
import { logIn, type LoginOutcome } from './login';
import { pastedTokenDead } from './problems';
import { readMemory, stillValid, writeMemory, writtenAt, type LoginMemory, type Problem } from './memory';
import { accountOf, fingerprint, type LoginSettings, type SessionState } from './settings';
import { askUserInfo, type Wire } from './steps';
import { isExpiring } from './token';

/** Sessions that die young, one after the other, are ended by somebody else's logins. */
const DISPLACED_WITHIN_MS = 10 * 60_000;
const DISPLACED_LOGINS = 8;
const BACK_OFF_MS = 5 * 60_000;

/** A problem as the error that a person sees. */
export function sessionError(problem: Problem): SessionError {
  return new SessionError(problem.message, {
    hint: problem.hint,
    ...(problem.parameter === undefined ? {} : { parameter: problem.parameter }),
  });
}

/** Set when the account is fought over: too many logins in a short time. */
function displaced(memory: LoginMemory, now: number): Problem | undefined {
  const recent = memory.logins.filter((at) => now - at < DISPLACED_WITHIN_MS && at <= now);
  const last = recent.at(-1);
  if (recent.length < DISPLACED_LOGINS || last === undefined || now - last >= BACK_OFF_MS) return undefined;
  return {
    message: `The session was ended from outside ${recent.length} times within ${DISPLACED_WITHIN_MS / 60_000} minutes: somebody else logs in to this account, and each login ends the other.`,
    hint: `No login is tried before ${new Date(last + BACK_OFF_MS).toISOString()}. Use one credential for all workflows, and no other program with this account at the same time.`,
    final: false,
  };
}

/** The logins of one process. */
export class Sessions {
  private readonly underWay = new Map<string, Promise<LoginOutcome>>();
  private readonly newest = new Map<string, SessionState>();
  /** What a login came to last, by account: n8n's form, left open, saves what it knew before over what was stored. */
  private readonly latest = new Map<string, SessionState>();
  /** The TOTP steps sent from this process, by account: two credentials of one account must not send the same code. */
  private readonly sentSteps = new Map<string, number[]>();

  constructor(private readonly clock: Clock) {}

  /**
   * A living session for the settings: the stored one when the service still takes it, one that this process got
   * meanwhile, or a new login. Calls for the same account at the same moment share one login.
   * @param state the stored hidden fields.
   * @returns the fields to store; without a session, `problem` says why.
   * @throws NetworkError when a stored session could not be checked.
   */
  async obtain(http: Http, settings: LoginSettings, state: SessionState, signal?: AbortSignal): Promise<LoginOutcome> {
    const key = fingerprint(settings);
    const running = this.underWay.get(key);
    if (running !== undefined && settings.otp === '') return await running;
    const obtaining = this.obtainAlone(
      { http, baseUrl: settings.baseUrl, deviceId: settings.deviceId, signal },
      settings,
      state,
      key,
    );
    this.underWay.set(key, obtaining);
    try {
      const outcome = await obtaining;
      if (outcome.state.sessionToken !== '') this.newest.set(key, outcome.state);
      this.latest.set(accountOf(settings), outcome.state);
      return outcome;
    } finally {
      if (this.underWay.get(key) === obtaining) this.underWay.delete(key);
    }
  }

  private async obtainAlone(
    wire: Wire,
    settings: LoginSettings,
    given: SessionState,
    key: string,
  ): Promise<LoginOutcome> {
    const owner = { for: key, account: accountOf(settings) };
    const latest = this.latest.get(owner.account);
    const state = latest !== undefined && writtenAt(latest.loginState) > writtenAt(given.loginState) ? latest : given;
    const valid = stillValid(state.loginState, owner);
    const stored: SessionState = {
      sessionToken: valid.session ? state.sessionToken : '',
      authToken: valid.account ? state.authToken : '',
      tempToken: valid.account ? state.tempToken : '',
      loginState: state.loginState,
    };
    const living = await this.findLiving(wire, stored, key);
    if (living !== undefined) return { state: living };

    const now = this.clock.now();
    const memory = readMemory(state.loginState, owner);
    if (settings.method === 'sessionToken' && stored.sessionToken === settings.pastedToken) {
      return this.without(stored, memory, pastedTokenDead());
    }
    const stopped =
      memory.problem?.final === true
        ? memory.problem
        : settings.method === 'sessionToken'
          ? undefined
          : displaced(memory, now);
    if (stopped !== undefined) return this.without(stored, memory, stopped);
    memory.usedSteps = [...new Set([...memory.usedSteps, ...(this.sentSteps.get(settings.phone) ?? [])])].sort(
      (a, b) => a - b,
    );
    this.sentSteps.set(settings.phone, memory.usedSteps);
    return await logIn({ wire, clock: this.clock }, settings, stored, memory);
  }

  private without(stored: SessionState, memory: LoginMemory, problem: Problem): LoginOutcome {
    return {
      state: { ...stored, sessionToken: '', loginState: writeMemory({ ...memory, problem, at: this.clock.now() }) },
      problem,
    };
  }

  /** The newest of the tokens at hand that the service still takes. */
  private async findLiving(wire: Wire, stored: SessionState, key: string): Promise<SessionState | undefined> {
    const seen = new Set(['']);
    for (const candidate of [this.newest.get(key), stored]) {
      if (
        candidate === undefined ||
        seen.has(candidate.sessionToken) ||
        isExpiring(candidate.sessionToken, this.clock.now())
      )
        continue;
      seen.add(candidate.sessionToken);
      const status = await askUserInfo(wire, candidate.sessionToken);
      if (!isSessionStatus(status)) return candidate;
    }
    return undefined;
  }
}
