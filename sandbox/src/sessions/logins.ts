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
  users: Users;
  /** Is told when a session ends, so that its streams end too. */
  sessionEnded(user: User): void;
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
    const { users } = this.deps;
    const user = users.of(phone);
    this.note(at, user, 'begun');
    return users.newTemp(user, { at, machine });
  }

  /** Sends a one-time password to the phone. @returns the temporary token that goes with it */
  sendOtp(at: number, phone: string, machine: number): string {
    const { users, inbox } = this.deps;
    const user = users.of(phone);
    const moment: LoginTime = { at, machine };
    const token = users.newTemp(user, moment);
    const otp = users.newOtp(user, moment);
    inbox.add({ kind: 'sms', phone, to: phone, text: otpText(otp), at, temp: user.login.temp });
    this.note(at, user, 'otp_sent');
    return token;
  }

  /** An OTP or a TOTP was right. @returns the auth token of the MPIN step */
  codeAccepted(at: number, phone: string, deviceId: string, kind: string, totpStep: number, machine: number): string {
    const { users } = this.deps;
    const user = users.of(phone);
    if (kind === 'TOTP') users.useTotpStep(user, totpStep, { at, machine });
    this.note(at, user, 'code_accepted', { code: kind });
    return users.newAuth(user, deviceId, { at, machine });
  }

  /** Counts a wrong code. @returns the remaining attempts */
  codeRefused(at: number, phone: string, kind: string): number {
    const { users, stats } = this.deps;
    const user = users.of(phone);
    users.wrongCode(user, at);
    stats.loginsRefused += 1;
    const left = users.locked(user, at) ? 0 : users.attemptsLeft(user);
    this.note(at, user, 'code_refused', { code: kind, attempts_left: left });
    return left;
  }

  /** The MPIN was right: a new session begins and the one before ends. @returns the session token */
  pinAccepted(at: number, phone: string, machine: number): string {
    const { users, stats, sessionEnded } = this.deps;
    const user = users.of(phone);
    sessionEnded(user);
    const token = users.newSession(user, { at, machine });
    stats.logins += 1;
    this.note(at, user, 'session_begun', { session: user.login.session.n });
    return token;
  }

  logOut(at: number, phone: string): void {
    const { users, sessionEnded } = this.deps;
    const user = users.of(phone);
    sessionEnded(user);
    users.logOut(user);
    this.note(at, user, 'logged_out');
  }

  /** Ends the session as if its time had run out. */
  expire(at: number, phone: string): void {
    const { users, sessionEnded } = this.deps;
    const user = users.of(phone);
    sessionEnded(user);
    users.endSession(user);
    this.note(at, user, 'session_expired');
  }

  /** Sets the addresses that orders must come from, and whether orders are taken at all. */
  setAccess(
    at: number,
    phone: string,
    staticIp: { enabled: boolean; primary: string; secondary: string },
    mayTrade: boolean,
  ): void {
    const user = this.deps.users.of(phone);
    user.login = { ...user.login, staticIp, mayUseOrderSystem: mayTrade };
    this.note(at, user, 'access_changed');
  }

  /** Sets which order interface the account has. */
  setOrderInterface(at: number, phone: string, orderInterface: LoginState['orderInterface']): void {
    const user = this.deps.users.of(phone);
    user.login = { ...user.login, orderInterface };
    this.note(at, user, 'order_interface_changed');
  }

  unlock(at: number, phone: string): void {
    const user = this.deps.users.of(phone);
    user.login = { ...user.login, lockedUntil: 0, wrongCodes: 0 };
    this.note(at, user, 'unlocked');
  }

  /** Keeps a new TOTP secret, which takes effect once it is enabled. */
  setTotpSecret(at: number, phone: string, secret: string): void {
    const user = this.deps.users.of(phone);
    user.login.totp = { ...user.login.totp, pending: secret };
    this.note(at, user, 'totp_secret_made');
  }

  /** Enables TOTP with the pending secret, or disables it. @param step the time step of the code that was used */
  setTotp(at: number, phone: string, enabled: boolean, step: number): void {
    const user = this.deps.users.of(phone);
    const { secret, pending, usedSteps } = user.login.totp;
    const fresh = enabled && pending !== '';
    user.login.totp = {
      secret: fresh ? pending : secret,
      pending: '',
      enabled,
      usedSteps: fresh ? [step] : [...usedSteps, step],
    };
    this.note(at, user, enabled ? 'totp_enabled' : 'totp_disabled');
  }

  private note(at: number, user: User, step: string, more: Record<string, string | number> = {}): void {
    this.deps.journal.write(at, 'login', { client_code: user.clientCode, step, ...more });
  }
}
