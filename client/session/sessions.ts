/** The sessions of this process: one login at a time for an account, and the newest token for the credential that it belongs to. */
import { SessionError } from '../base/errors';
import { isSessionEnded } from '../reply-gate';
import type { Clock, Http } from '../base/ports';
import { logIn, type LoginOutcome } from './login';
import { pastedTokenDead } from './login-errors';
import {
  isSessionOf,
  isTokenOf,
  lastLogin,
  readLoginState,
  writeLoginState,
  writtenAt,
  type LoginState,
  type LoginProblem,
} from './login-state';
import { OtpForms } from './otp-form';
import {
  accountOf,
  fingerprintLogin,
  hashParts,
  isCredentialId,
  secretsOf,
  type LoginSettings,
  type SessionState,
} from './settings';
import { requestUserInfo, type LoginTransport } from './login-steps';
import { needsRenewal } from './token';

/** Sessions that die young, one after the other, are ended by somebody else's logins. */
const DISPLACED_WITHIN_MS = 10 * 60_000;
const DISPLACED_LOGINS = 8;
const BACK_OFF_MS = 5 * 60_000;

/** Returns a problem as the error for the user. */
export function sessionError(problem: LoginProblem): SessionError {
  return new SessionError(problem.message, {
    hint: problem.hint,
    ...(problem.parameter === undefined ? {} : { parameter: problem.parameter }),
  });
}

/** Set when the account is fought over: too many logins in a short time. */
function displaced(memory: LoginState, now: number): LoginProblem | undefined {
  const recent = memory.logins.filter((at) => now - at < DISPLACED_WITHIN_MS && at <= now);
  const last = recent.at(-1);
  if (recent.length < DISPLACED_LOGINS || last === undefined || now - last >= BACK_OFF_MS) return undefined;
  return {
    message: `The session was ended from outside ${recent.length} times within ${DISPLACED_WITHIN_MS / 60_000} minutes: something else logs in to this account, and each login ends the other.`,
    hint: `No login is tried before ${new Date(last + BACK_OFF_MS).toISOString()}. Use one credential for all workflows, and no other program with this account at the same time.`,
    final: false,
  };
}

const MAX_ACCOUNTS = 500;
/** The newest steps that are kept of each. */
const MAX_STEPS = 20;

/**
 * Returns the key of an account before a login, from the phone and a secret: knowing only another user's phone shares nothing with them,
 * and delays nothing.
 */
function accountKey({ baseUrl, phone, mpin, totpSecret, pastedToken, institution }: LoginSettings): string {
  if (institution !== undefined) return hashParts([baseUrl, institution.clientCode, institution.password]);
  return hashParts([baseUrl, phone, totpSecret || mpin || pastedToken]);
}

/** Sets an entry; the one that was set first leaves when there are too many. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= MAX_ACCOUNTS) break;
    map.delete(oldest);
  }
}

/** The logins of one process. */
export class Sessions {
  private readonly underWay = new Map<string, Promise<LoginOutcome>>();
  private readonly newest = new Map<string, SessionState>();
  /** Results of the last logins, by credential and account: n8n stores them a moment later. */
  private readonly latest = new Map<string, SessionState>();
  private readonly forms: OtpForms;
  /** The end of the last login of each account (see `accountKey`). */
  private readonly turns = new Map<string, Promise<void>>();
  /** The TOTP steps sent from this process, by phone and secret: two credentials of one account must not send the same code. */
  private readonly sentSteps = new Map<string, number[]>();

  /** @param newMark makes the mark of a credential that has none: a random UUID. */
  constructor(
    private readonly clock: Clock,
    private readonly newMark: () => string,
  ) {
    this.forms = new OtpForms(clock);
  }

  /**
   * A living session for the settings: the stored one when the service still takes it, one that this process got meanwhile, or a new login.
   * Calls for the same credential at the same moment share one login.
   * @param state the stored hidden fields.
   * @returns the fields to store; without a session, `problem` says why.
   * @throws NetworkError if a stored session could not be checked.
   */
  async obtain(http: Http, settings: LoginSettings, state: SessionState, signal?: AbortSignal): Promise<LoginOutcome> {
    const mark = isCredentialId(state.mark) ? state.mark : this.newMark();
    const key = `${mark} ${fingerprintLogin(settings)}`;
    const running = this.underWay.get(key);
    if (running !== undefined && settings.otp === '') return await running;
    const given = this.newestOf(settings, { ...state, mark }, isCredentialId(state.mark));
    const { baseUrl, deviceId } = settings;
    const wire = {
      http,
      baseUrl,
      deviceId,
      signal,
      secrets: secretsOf({ ...settings, ...settings.institution, ...given }),
    };
    const obtaining = this.inTurn(accountKey(settings), async () => this.obtainAlone(wire, settings, given, key));
    this.underWay.set(key, obtaining);
    try {
      const outcome = await obtaining;
      if (outcome.state.sessionToken !== '') keep(this.newest, key, outcome.state);
      keep(this.latest, `${mark} ${accountOf(settings)}`, outcome.state);
      this.forms.remember(settings, outcome.state);
      return outcome;
    } finally {
      if (this.underWay.get(key) === obtaining) this.underWay.delete(key);
    }
  }

  /** The stored fields, or what this process knows that is newer. */
  private newestOf(settings: LoginSettings, givenState: SessionState, marked: boolean): SessionState {
    const knownState = marked
      ? this.latest.get(`${givenState.mark} ${accountOf(settings)}`)
      : this.forms.recall(settings, givenState.mark);
    return knownState !== undefined && writtenAt(knownState.loginState) > writtenAt(givenState.loginState)
      ? knownState
      : givenState;
  }

  /** Does the work when all that began before it for the same account is done: each login ends the session of the one before. */
  private async inTurn<T>(account: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.turns.get(account) ?? Promise.resolve()).then(work);
    const done = mine.then(
      () => undefined,
      () => undefined,
    );
    this.turns.set(account, done);
    try {
      return await mine;
    } finally {
      if (this.turns.get(account) === done) this.turns.delete(account);
    }
  }

  private async obtainAlone(
    wire: LoginTransport,
    settings: LoginSettings,
    state: SessionState,
    key: string,
  ): Promise<LoginOutcome> {
    const owner = { for: fingerprintLogin(settings), account: accountOf(settings) };
    const ofAccount = (token: string): string => (isTokenOf(state.loginState, owner.account, token) ? token : '');
    const stored: SessionState = {
      mark: state.mark,
      sessionToken: isSessionOf(state.loginState, owner) ? state.sessionToken : '',
      authToken: ofAccount(state.authToken),
      tempToken: ofAccount(state.tempToken),
      loginState: state.loginState,
    };
    const living = await this.findLiving(wire, stored, key);
    if (living !== undefined) return { state: living };

    const now = this.clock.now();
    const memory = readLoginState(state.loginState, owner);
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
    const secret = hashParts([settings.phone, settings.totpSecret]);
    const sent = this.sentSteps.get(secret) ?? [];
    memory.usedSteps = [...new Set([...memory.usedSteps, ...sent])].sort((a, b) => a - b);
    const usedSteps = new Set(memory.usedSteps);
    const outcome = await logIn({ wire, clock: this.clock }, settings, stored, memory);
    keep(
      this.sentSteps,
      secret,
      [...sent, ...memory.usedSteps.filter((step) => !usedSteps.has(step))].slice(-MAX_STEPS),
    );
    return outcome;
  }

  private without(stored: SessionState, memory: LoginState, problem: LoginProblem): LoginOutcome {
    return {
      state: {
        ...stored,
        sessionToken: '',
        loginState: writeLoginState({ ...memory, problem, at: this.clock.now() }, stored.authToken, stored.tempToken),
      },
      problem,
    };
  }

  /** The newest of the tokens at hand that the service still takes. */
  private async findLiving(wire: LoginTransport, stored: SessionState, key: string): Promise<SessionState | undefined> {
    const seen = new Set(['']);
    for (const candidate of [this.newest.get(key), stored]) {
      if (
        candidate === undefined ||
        seen.has(candidate.sessionToken) ||
        needsRenewal(candidate.sessionToken, this.clock.now(), lastLogin(candidate.loginState))
      )
        continue;
      seen.add(candidate.sessionToken);
      // What somebody in between answers says nothing of the session.
      if (!isSessionEnded(await requestUserInfo(wire, candidate.sessionToken))) return candidate;
    }
    return undefined;
  }
}
