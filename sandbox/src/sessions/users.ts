import { createHash } from 'node:crypto';
import { sameCode, totpStep, totpStepAt } from './one-time-codes';
import { istTime } from '../shared/time';
import { Tokens, type TokenClaims } from './tokens';

/** Wrong codes that are forgiven before the login is locked (docs/service/limits.md#sizes). */
export const MAX_WRONG_CODES = 4;
/** A locked login opens again after this. */
const LOCK_MS = 15 * 60_000;
export const OTP_LIFE_MS = 5 * 60_000;
const SESSION_LIFE_MS = 7 * 3_600_000;
const AUTH_LIFE_MS = 24 * 3_600_000;

/** Identity of a user; nothing of it changes. */
export interface UserIdentity {
  userId: number;
  clientCode: string;
  name: string;
  phone: string;
  email: string;
  pan: string;
  mpin: string;
  /** Further credentials of the account where it is an institution's too. */
  institution?: { exchangeClientCode: string; username: string; password: string };
}

/**
 * An instant as both clocks show it, milliseconds: the sandbox's, which can be moved, and the machine's. What a login gives lives by the
 * machine's: a client knows no other clock, and would have to log in again after each move.
 */
export interface LoginTime {
  at: number;
  machine: number;
}

/** Grant of one login; times are milliseconds. */
interface Granted {
  n: number;
  deviceId: string;
  /** By the machine's clock. */
  until: number;
  /** By the sandbox's clock: the daily end of all sessions; null where there is none. */
  endsAt: number | null;
  good: boolean;
}

/** State of a user's logins; times are milliseconds. */
export interface LoginState {
  totp: {
    secret: string;
    /** Generated, in force once it is enabled. */ pending: string;
    enabled: boolean;
    /** Time steps whose codes were used, of either clock, as far as such a code could still come again. */
    usedSteps: number[];
  };
  /** Number of the latest temporary token, and the OTP that was sent with it. */
  temp: number;
  otp: { code: string; sentAt: number; /** By the machine's clock. */ until: number } | null;
  auth: Granted;
  session: Granted;
  wrongCodes: number;
  lockedUntil: number;
  staticIp: { enabled: boolean; primary: string; secondary: string };
  mayUseOrderSystem: boolean;
  /** The interfaces that are open to the user; null for those with which the sandbox was started. */
  orderInterface: 'both' | 'intent' | 'v2' | null;
}

/** All logins as plain data, without a code. */
export type LoginsState = {
  phone: string;
  login: Omit<LoginState, 'otp'> & { otp: { sentAt: number; until: number } | null };
}[];

export interface User extends UserIdentity {
  login: LoginState;
}

/** Rules on logins and on the addresses of orders, where such rules are kept. */
export interface LoginAndAddressRules {
  /** Time of day (IST) at which every session and login ends; undefined where none does. */
  sessionsEndAt: string | undefined;
  /** Addresses that are registered at the start. */
  registered: { primary: string; secondary: string };
}

export interface UserSeed extends UserIdentity {
  totpSecret: string;
  totpEnabled: boolean;
}

/** The reason why a session is not let in: `dead` was good once (440), `unknown` never was (401). */
export type SessionCheck = { ok: true; user: User } | { ok: false; why: 'missing' | 'unknown' | 'dead' | 'device' };

/**
 * The people who can log in. The methods that change something are commands: they take what was decided (never a
 * code) and the instant, so that the event log can replay them.
 */
export class Users {
  private readonly byPhone = new Map<string, User>();
  private readonly byUserId = new Map<number, User>();

  constructor(
    seeds: UserSeed[],
    readonly tokens: Tokens,
    private readonly seed: number,
    private readonly rules?: LoginAndAddressRules,
    private readonly sessionLifeMs = SESSION_LIFE_MS,
  ) {
    for (const seed of seeds) this.add(seed);
  }

  add({ totpSecret, totpEnabled, ...identity }: UserSeed): User {
    const never = { n: 0, deviceId: '', until: 0, endsAt: null, good: false };
    const user: User = {
      ...identity,
      login: {
        totp: { secret: totpSecret, pending: '', enabled: totpEnabled, usedSteps: [] },
        temp: 0,
        otp: null,
        auth: never,
        session: never,
        wrongCodes: 0,
        lockedUntil: 0,
        staticIp:
          this.rules === undefined
            ? { enabled: false, primary: '', secondary: '' }
            : { enabled: true, ...this.rules.registered },
        mayUseOrderSystem: true,
        orderInterface: null,
      },
    };
    this.byPhone.set(user.phone, user);
    this.byUserId.set(user.userId, user);
    return user;
  }

  all(): User[] {
    return [...this.byPhone.values()];
  }

  phone(phone: string): User | undefined {
    return this.byPhone.get(phone);
  }

  /** The user of a phone that is known to exist. */
  of(phone: string): User {
    const user = this.byPhone.get(phone);
    if (user === undefined) throw new Error('a command names a phone that no account has');
    return user;
  }

  account(clientCode: string): User | undefined {
    return this.all().find((user) => user.clientCode === clientCode);
  }

  /** Wrong codes that are still forgiven. */
  attemptsLeft(user: User): number {
    return MAX_WRONG_CODES - user.login.wrongCodes;
  }

  locked(user: User, at: number): boolean {
    return user.login.lockedUntil > at;
  }

  // Questions

  otpFits(user: User, code: string, { machine }: LoginTime): boolean {
    const { otp } = user.login;
    return sameCode(code, otp?.code ?? '') && otp !== null && otp.until > machine;
  }

  mpinFits(user: User, mpin: string): boolean {
    return sameCode(mpin, user.mpin);
  }

  /** True if these are what an institution's account logs in with. */
  institutionFits(user: User, exchangeClientCode: string, username: string, password: string): boolean {
    const { institution } = user;
    if (institution === undefined) return false;
    const isKnown = institution.exchangeClientCode === exchangeClientCode && institution.username === username;
    return sameCode(password, institution.password) && isKnown;
  }

  /**
   * The step of a time-based code, and whether it was used before: of the sandbox's time or of the machine's, as a program or a phone beside
   * the sandbox knows no other. @returns undefined when it fits neither.
   */
  totpFits(
    user: User,
    code: string,
    { at, machine }: LoginTime,
    secret = user.login.totp.secret,
  ): { step: number; isUsed: boolean } | undefined {
    const { usedSteps } = user.login.totp;
    const steps = [at, machine].flatMap((time) => totpStep(secret, code, time) ?? []);
    const step = steps.find((fits) => !usedSteps.includes(fits)) ?? steps[0];
    return step === undefined ? undefined : { step, isUsed: usedSteps.includes(step) };
  }

  /** The user whose latest temporary token this is. */
  tempOwner(token: string): User | undefined {
    const claims = this.tokens.read(token, 'temp');
    const user = this.byUserId.get(claims?.sub ?? 0);
    return user?.login.temp === claims?.n ? user : undefined;
  }

  checkAuth(token: string | undefined, deviceId: string, moment: LoginTime): SessionCheck {
    return this.check('auth', token, deviceId, moment);
  }

  checkSession(token: string | undefined, deviceId: string, moment: LoginTime): SessionCheck {
    return this.check('session', token, deviceId, moment);
  }

  /** The user whose live session a token is, whatever the device; for the stream, which carries no device id. */
  sessionOwner(token: string, moment: LoginTime): User | undefined {
    const claims = this.tokens.read(token, 'session');
    const session = this.byUserId.get(claims?.sub ?? 0)?.login.session;
    return session !== undefined && session.n === claims?.n && isAlive(session, moment)
      ? this.byUserId.get(claims.sub)
      : undefined;
  }

  private check(
    kind: 'auth' | 'session',
    token: string | undefined,
    deviceId: string,
    moment: LoginTime,
  ): SessionCheck {
    if (token === undefined || token === '') return { ok: false, why: 'missing' };
    const claims = this.tokens.read(token, kind);
    const user = this.byUserId.get(claims?.sub ?? 0);
    if (claims === undefined || user === undefined) return { ok: false, why: 'unknown' };
    const granted = user.login[kind];
    if (granted.n !== claims.n || !isAlive(granted, moment)) return { ok: false, why: 'dead' };
    return granted.deviceId === deviceId ? { ok: true, user } : { ok: false, why: 'device' };
  }

  // Commands

  /** A TOTP code was used: it is good once. Those that neither clock lets come again are forgotten. */
  useTotpStep(user: User, step: number, { at, machine }: LoginTime): void {
    const { totp } = user.login;
    const isNear = (used: number): boolean => [at, machine].some((time) => Math.abs(used - totpStepAt(time)) <= 1);
    totp.usedSteps = [...totp.usedSteps.filter((used) => isNear(used) && used !== step), step];
  }

  newTemp(user: User, moment: LoginTime): string {
    user.login.temp += 1;
    user.login.otp = null;
    return this.token(user, 'temp', user.login.temp, moment, OTP_LIFE_MS);
  }

  /** Makes the one-time password that goes to the phone. */
  newOtp(user: User, { at, machine }: LoginTime): string {
    const { login } = user;
    const code = this.otpCode(user.phone, login.temp, at);
    login.otp = { code, sentAt: at, until: machine + OTP_LIFE_MS };
    return code;
  }

  /** The one-time password that went to a phone at an instant with the temporary token of a number. */
  otpCode(phone: string, temp: number, at: number): string {
    const digest = createHash('sha256').update(`${this.seed}:${phone}:${temp}:${at}`).digest();
    return String(digest.readUInt32BE(0) % 1_000_000).padStart(6, '0');
  }

  /** A code was right: the user goes on to the MPIN with a new auth token, and earlier ones end. */
  newAuth(user: User, deviceId: string, moment: LoginTime): string {
    const { login } = user;
    login.otp = null;
    login.wrongCodes = 0;
    return this.grant(user, 'auth', deviceId, moment, AUTH_LIFE_MS);
  }

  /** The MPIN was right: a new session, and the one before ends. */
  newSession(user: User, moment: LoginTime): string {
    const { login } = user;
    login.wrongCodes = 0;
    return this.grant(user, 'session', login.auth.deviceId, moment, this.sessionLifeMs);
  }

  private grant(user: User, kind: 'auth' | 'session', deviceId: string, moment: LoginTime, life: number): string {
    const { at, machine } = moment;
    const n = user.login[kind].n + 1;
    const endsAt = this.dailyEndAfter(at);
    user.login[kind] = { n, deviceId, until: machine + life, endsAt, good: true };
    return this.token(user, kind, n, moment, endsAt === null ? life : Math.min(life, endsAt - at));
  }

  /** A code was wrong: one attempt fewer, and at none the login is locked for a while. */
  wrongCode(user: User, at: number): void {
    const { login } = user;
    login.wrongCodes += 1;
    if (login.wrongCodes < MAX_WRONG_CODES) return;
    login.wrongCodes = 0;
    login.otp = null;
    login.auth.good = false;
    login.lockedUntil = at + LOCK_MS;
  }

  endSession(user: User): void {
    user.login.session = { ...user.login.session, good: false };
  }

  /** Log out: neither token is good any more. */
  logOut(user: User): void {
    this.endSession(user);
    user.login.auth = { ...user.login.auth, good: false };
  }

  /** Returns the state of all logins, as data without a one-time password: those can be made again. */
  state(): LoginsState {
    return this.all().map(({ phone, login }) => ({
      phone,
      login: { ...structuredClone(login), otp: login.otp && { sentAt: login.otp.sentAt, until: login.otp.until } },
    }));
  }

  restore(state: LoginsState): void {
    for (const { phone, login } of state) {
      const { otp, temp } = login;
      this.of(phone).login = {
        ...login,
        otp: otp && { ...otp, code: this.otpCode(phone, temp, otp.sentAt) },
      };
    }
  }

  /** The daily end of all sessions after an instant of the sandbox's clock; null where there is none. */
  private dailyEndAfter(at: number): number | null {
    if (this.rules?.sessionsEndAt === undefined) return null;
    const today = istTime(at, this.rules.sessionsEndAt);
    return today > at ? today : today + 24 * 3_600_000;
  }

  /**
   * A client renews a token that is over by its own clock, again and again where that shows a later time: so the times in a token are
   * those of the clock that is ahead.
   */
  private token(user: User, kind: TokenClaims['kind'], n: number, { at, machine }: LoginTime, life: number): string {
    const now = Math.max(at, machine);
    const [iat, exp] = [Math.floor(now / 1000), Math.floor((now + life) / 1000)];
    return this.tokens.sign({ kind, sub: user.userId, n, iat, exp });
  }
}

/** True if what a login gave is still good. */
export function isAlive({ good, until, endsAt }: Granted, { at, machine }: LoginTime): boolean {
  return good && machine < until && (endsAt === null || at < endsAt);
}
