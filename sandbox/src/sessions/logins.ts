import type { LoginState, LoginTime, Users, User } from './users';

/** Records of a login: the log of events, the phone's text messages, the counters. */
export interface LoginRecords {
  journal: { write(at: number, kind: 'login', data: Record<string, string | number>): void };
  inbox: {
    add(message: { kind: 'sms'; phone: string; to: string; text: string; at: number; temp: number }): unknown;
  };
  stats: { logins: number; loginsRefused: number };
}

export interface LoginParts extends LoginRecords {
  people: Users;
  /** Is told when a session ends, so that its streams end too. */
  sessionEnded(person: User): void;
}

/** The text message that brings a one-time password. */
export function otpText(code: string): string {
  return `${code} is your one-time password. It is good for 5 minutes.`;
}

/**
 * Changes by each step of a login, once its code has been checked (docs/service/login-and-session.md#login-flow). `at` is an instant of the
 * sandbox's clock and `machine` the same one of the machine's, milliseconds. No argument is a code or a token.
 */
export class Logins {
  constructor(private readonly deps: LoginParts) {}

  /** The phone number was given. @returns the temporary token of the next step */
  begin(at: number, phone: string, machine: number): string {
    const { people } = this.deps;
    const person = people.of(phone);
    this.note(at, person, 'begun');
    return people.newTemp(person, { at, machine });
  }

  /** Sends a one-time password to the phone. @returns the temporary token that goes with it */
  sendOtp(at: number, phone: string, machine: number): string {
    const { people, inbox } = this.deps;
    const person = people.of(phone);
    const moment: LoginTime = { at, machine };
    const token = people.newTemp(person, moment);
    const otp = people.newOtp(person, moment);
    inbox.add({ kind: 'sms', phone, to: phone, text: otpText(otp), at, temp: person.login.temp });
    this.note(at, person, 'otp_sent');
    return token;
  }

  /** An OTP or a TOTP was right. @returns the auth token of the MPIN step */
  codeAccepted(at: number, phone: string, deviceId: string, kind: string, totpStep: number, machine: number): string {
    const { people } = this.deps;
    const person = people.of(phone);
    if (kind === 'TOTP') people.useTotpStep(person, totpStep, { at, machine });
    this.note(at, person, 'code_accepted', { code: kind });
    return people.newAuth(person, deviceId, { at, machine });
  }

  /** Counts a wrong code. @returns the remaining attempts */
  codeRefused(at: number, phone: string, kind: string): number {
    const { people, stats } = this.deps;
    const person = people.of(phone);
    people.wrongCode(person, at);
    stats.loginsRefused += 1;
    const left = people.locked(person, at) ? 0 : people.attemptsLeft(person);
    this.note(at, person, 'code_refused', { code: kind, attempts_left: left });
    return left;
  }

  /** The MPIN was right: a new session begins and the one before ends. @returns the session token */
  pinAccepted(at: number, phone: string, machine: number): string {
    const { people, stats, sessionEnded } = this.deps;
    const person = people.of(phone);
    sessionEnded(person);
    const token = people.newSession(person, { at, machine });
    stats.logins += 1;
    this.note(at, person, 'session_begun', { session: person.login.session.n });
    return token;
  }

  logOut(at: number, phone: string): void {
    const { people, sessionEnded } = this.deps;
    const person = people.of(phone);
    sessionEnded(person);
    people.logOut(person);
    this.note(at, person, 'logged_out');
  }

  /** Ends the session as if its time had run out. */
  expire(at: number, phone: string): void {
    const { people, sessionEnded } = this.deps;
    const person = people.of(phone);
    sessionEnded(person);
    people.endSession(person);
    this.note(at, person, 'session_expired');
  }

  /** Sets the addresses that orders must come from, and whether orders are taken at all. */
  setAccess(
    at: number,
    phone: string,
    staticIp: { enabled: boolean; primary: string; secondary: string },
    mayTrade: boolean,
  ): void {
    const person = this.deps.people.of(phone);
    person.login = { ...person.login, staticIp, mayUseOrderSystem: mayTrade };
    this.note(at, person, 'access_changed');
  }

  /** Sets which order interface the account has. */
  setOrderInterface(at: number, phone: string, orderInterface: LoginState['orderInterface']): void {
    const person = this.deps.people.of(phone);
    person.login = { ...person.login, orderInterface };
    this.note(at, person, 'order_interface_changed');
  }

  unlock(at: number, phone: string): void {
    const person = this.deps.people.of(phone);
    person.login = { ...person.login, lockedUntil: 0, wrongCodes: 0 };
    this.note(at, person, 'unlocked');
  }

  /** Keeps a new TOTP secret, which takes effect once it is enabled. */
  setTotpSecret(at: number, phone: string, secret: string): void {
    const person = this.deps.people.of(phone);
    person.login.totp = { ...person.login.totp, pending: secret };
    this.note(at, person, 'totp_secret_made');
  }

  /** Enables TOTP with the pending secret, or disables it. @param step the time step of the code that was used */
  setTotp(at: number, phone: string, enabled: boolean, step: number): void {
    const person = this.deps.people.of(phone);
    const { secret, pending, usedSteps } = person.login.totp;
    const fresh = enabled && pending !== '';
    person.login.totp = {
      secret: fresh ? pending : secret,
      pending: '',
      enabled,
      usedSteps: fresh ? [step] : [...usedSteps, step],
    };
    this.note(at, person, enabled ? 'totp_enabled' : 'totp_disabled');
  }

  private note(at: number, person: User, step: string, more: Record<string, string | number> = {}): void {
    this.deps.journal.write(at, 'login', { client_code: person.clientCode, step, ...more });
  }
}
