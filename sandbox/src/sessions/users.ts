import { createHash } from 'node:crypto';
import { sameCode, totpStep } from './one-time-codes';
import { istTime } from '../shared/time';
import { Tokens, type Claims } from './tokens';

/** Wrong codes that are forgiven before the login is locked (specification: Limits, OTP attempts). */
export const ATTEMPTS = 4;
/** A locked login opens again after this. */
const LOCK_MS = 15 * 60_000;
export const OTP_LIFE_MS = 5 * 60_000;
const SESSION_LIFE_MS = 7 * 3_600_000;
const AUTH_LIFE_MS = 24 * 3_600_000;

/** Who a person is; nothing of it changes. */
export interface Identity {
  userId: number;
  clientCode: string;
  name: string;
  phone: string;
  email: string;
  pan: string;
  mpin: string;
  /** With what the account logs in where it is an institution's too. */
  institution?: { exchangeClientCode: string; username: string; password: string };
}

/** What a person's logins have come to; times are milliseconds of virtual time. */
export interface LoginState {
  totp: {
    secret: string;
    /** Generated, in force once it is enabled. */ pending: string;
    enabled: boolean;
    lastStep: number;
  };
  /** Number of the latest temporary token, and the OTP that was sent with it. */
  temp: number;
  otp: { code: string; until: number } | null;
  auth: { n: number; deviceId: string; until: number; good: boolean };
  session: { n: number; deviceId: string; until: number; good: boolean };
  wrongCodes: number;
  lockedUntil: number;
  staticIp: { enabled: boolean; primary: string; secondary: string };
  mayUseOrderSystem: boolean;
  /** null: as the sandbox was started. */
  orderInterface: 'both' | 'intent' | 'v2' | null;
}

/** All logins as plain data, without a code. */
export type LoginsState = { phone: string; login: Omit<LoginState, 'otp'> & { otp: { until: number } | null } }[];

export interface User extends Identity {
  login: LoginState;
}

/** What is asked of logins and of where orders come from, where such rules are kept. */
export interface AccessRules {
  /** Time of day (IST) at which every session and login ends; undefined where none does. */
  sessionsEndAt: string | undefined;
  /** Addresses that are registered at first. */
  registered: { primary: string; secondary: string };
}

export interface UserSeed extends Identity {
  totpSecret: string;
  totpEnabled: boolean;
}

/** Why a session is not let in: `dead` was good once (440), `unknown` never was (401). */
export type SessionCheck = { ok: true; person: User } | { ok: false; why: 'missing' | 'unknown' | 'dead' | 'device' };

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
    private readonly rules?: AccessRules,
    private readonly sessionLifeMs = SESSION_LIFE_MS,
  ) {
    for (const seed of seeds) this.add(seed);
  }

  add({ totpSecret, totpEnabled, ...identity }: UserSeed): User {
    const never = { n: 0, deviceId: '', until: 0, good: false };
    const person: User = {
      ...identity,
      login: {
        totp: { secret: totpSecret, pending: '', enabled: totpEnabled, lastStep: 0 },
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
    this.byPhone.set(person.phone, person);
    this.byUserId.set(person.userId, person);
    return person;
  }

  all(): User[] {
    return [...this.byPhone.values()];
  }

  phone(phone: string): User | undefined {
    return this.byPhone.get(phone);
  }

  /** The person of a phone that is known to exist. */
  of(phone: string): User {
    const person = this.byPhone.get(phone);
    if (person === undefined) throw new Error('a command names a phone that no account has');
    return person;
  }

  account(clientCode: string): User | undefined {
    return this.all().find((person) => person.clientCode === clientCode);
  }

  /** Wrong codes that are still forgiven. */
  attemptsLeft(person: User): number {
    return ATTEMPTS - person.login.wrongCodes;
  }

  locked(person: User, at: number): boolean {
    return person.login.lockedUntil > at;
  }

  // Questions

  otpFits(person: User, code: string, at: number): boolean {
    const { otp } = person.login;
    return sameCode(code, otp?.code ?? '') && otp !== null && otp.until > at;
  }

  mpinFits(person: User, mpin: string): boolean {
    return sameCode(mpin, person.mpin);
  }

  /** Whether these are what an institution's account logs in with. */
  institutionFits(person: User, exchangeClientCode: string, username: string, password: string): boolean {
    const { institution } = person;
    if (institution === undefined) return false;
    const isKnown = institution.exchangeClientCode === exchangeClientCode && institution.username === username;
    return sameCode(password, institution.password) && isKnown;
  }

  /** The step of a time-based code that fits; undefined when it fits none, `used` when it or a later one was used. */
  totpFits(person: User, code: string, at: number, secret = person.login.totp.secret): number | 'used' | undefined {
    const step = totpStep(secret, code, at);
    return step !== undefined && step <= person.login.totp.lastStep ? 'used' : step;
  }

  /** The person whose latest temporary token this is. */
  tempOwner(token: string): User | undefined {
    const claims = this.tokens.read(token, 'temp');
    const person = this.byUserId.get(claims?.sub ?? 0);
    return person?.login.temp === claims?.n ? person : undefined;
  }

  checkAuth(token: string | undefined, deviceId: string, at: number): SessionCheck {
    return this.check('auth', token, deviceId, at);
  }

  checkSession(token: string | undefined, deviceId: string, at: number): SessionCheck {
    return this.check('session', token, deviceId, at);
  }

  /** The person whose live session a token is, whatever the device; for the stream, which carries no device id. */
  sessionOwner(token: string, at: number): User | undefined {
    const claims = this.tokens.read(token, 'session');
    const person = this.byUserId.get(claims?.sub ?? 0);
    return claims !== undefined && person !== undefined && alive(person.login.session, claims, at) ? person : undefined;
  }

  private check(kind: 'auth' | 'session', token: string | undefined, deviceId: string, at: number): SessionCheck {
    if (token === undefined || token === '') return { ok: false, why: 'missing' };
    const claims = this.tokens.read(token, kind);
    const person = this.byUserId.get(claims?.sub ?? 0);
    if (claims === undefined || person === undefined) return { ok: false, why: 'unknown' };
    if (!alive(person.login[kind], claims, at)) return { ok: false, why: 'dead' };
    return person.login[kind].deviceId === deviceId ? { ok: true, person } : { ok: false, why: 'device' };
  }

  // Commands

  newTemp(person: User, at: number): string {
    person.login.temp += 1;
    person.login.otp = null;
    return this.token(person, 'temp', person.login.temp, at, OTP_LIFE_MS);
  }

  /** Makes the one-time password that goes to the phone. */
  newOtp(person: User, at: number): string {
    const { login } = person;
    const code = this.otpCode(person.phone, login.temp, at);
    login.otp = { code, until: at + OTP_LIFE_MS };
    return code;
  }

  /** The one-time password that went to a phone at an instant with the temporary token of a number. */
  otpCode(phone: string, temp: number, at: number): string {
    const digest = createHash('sha256').update(`${this.seed}:${phone}:${temp}:${at}`).digest();
    return String(digest.readUInt32BE(0) % 1_000_000).padStart(6, '0');
  }

  /** A code was right: the person goes on to the MPIN with a new auth token, and earlier ones end. */
  newAuth(person: User, deviceId: string, at: number): string {
    const { login } = person;
    login.otp = null;
    login.wrongCodes = 0;
    const until = this.endOf(at, AUTH_LIFE_MS);
    login.auth = { n: login.auth.n + 1, deviceId, until, good: true };
    return this.token(person, 'auth', login.auth.n, at, until - at);
  }

  /** The MPIN was right: a new session, and the one before ends. */
  newSession(person: User, at: number): string {
    const { login } = person;
    login.wrongCodes = 0;
    const until = this.endOf(at, this.sessionLifeMs);
    login.session = { n: login.session.n + 1, deviceId: login.auth.deviceId, until, good: true };
    return this.token(person, 'session', login.session.n, at, until - at);
  }

  /** A code was wrong: one attempt fewer, and at none the login is locked for a while. */
  wrongCode(person: User, at: number): void {
    const { login } = person;
    login.wrongCodes += 1;
    if (login.wrongCodes < ATTEMPTS) return;
    login.wrongCodes = 0;
    login.otp = null;
    login.auth.good = false;
    login.lockedUntil = at + LOCK_MS;
  }

  endSession(person: User): void {
    person.login.session = { ...person.login.session, good: false };
  }

  /** Log out: neither token is good any more. */
  logOut(person: User): void {
    this.endSession(person);
    person.login.auth = { ...person.login.auth, good: false };
  }

  /** What all logins have come to, as data without a one-time password: those can be made again. */
  state(): LoginsState {
    return this.all().map(({ phone, login }) => ({
      phone,
      login: { ...structuredClone(login), otp: login.otp && { until: login.otp.until } },
    }));
  }

  restore(state: LoginsState): void {
    for (const { phone, login } of state) {
      const { otp, temp } = login;
      this.of(phone).login = {
        ...login,
        otp: otp && { until: otp.until, code: this.otpCode(phone, temp, otp.until - OTP_LIFE_MS) },
      };
    }
  }

  /** When what begins at an instant ends: after its life, or at the daily end of all sessions. */
  private endOf(at: number, life: number): number {
    if (this.rules?.sessionsEndAt === undefined) return at + life;
    const today = istTime(at, this.rules.sessionsEndAt);
    return Math.min(at + life, today > at ? today : today + 24 * 3_600_000);
  }

  private token(person: User, kind: Claims['kind'], n: number, at: number, life: number): string {
    const iat = Math.floor(at / 1000);
    return this.tokens.sign({ kind, sub: person.userId, n, iat, exp: Math.floor((at + life) / 1000) });
  }
}

function alive(state: { n: number; until: number; good: boolean }, claims: Claims, at: number): boolean {
  return state.good && state.n === claims.n && at < state.until && at < claims.exp * 1000;
}
