import type { Inbox } from '../simulation/inbox';
import type { Journal } from '../simulation/journal';
import type { Stats } from '../simulation/stats';
import type { Commands } from '../simulation/commands';
import type { People, Person } from './people';

export type CodeKind = 'OTP' | 'TOTP' | 'MPIN';

export interface LoginParts {
  people: People;
  commands: Commands;
  journal: Journal;
  inbox: Inbox;
  stats: Stats;
  /** Told when a session ends, so that its streams end too. */
  sessionEnded(person: Person): void;
}

/** The text message that brings a one-time password. */
export function otpText(code: string): string {
  return `${code} is your one-time password. It is good for 5 minutes.`;
}

/** The commands of the login: what a step changes once its code has been looked at. No argument is a code or a token. */
export function createLogins({ people, commands, journal, inbox, stats, sessionEnded }: LoginParts) {
  const note = (at: number, person: Person, step: string, more: Record<string, string | number> = {}): void =>
    journal.write(at, 'login', { client_code: person.clientCode, step, ...more });

  return {
    begin: commands.define('login.begin', (at, phone: string) => {
      const person = people.of(phone);
      note(at, person, 'begun');
      return people.newTemp(person, at);
    }),

    sendOtp: commands.define('login.send_otp', (at, phone: string) => {
      const person = people.of(phone);
      const token = people.newTemp(person, at);
      const otp = people.newOtp(person, at);
      inbox.add({ kind: 'sms', phone, to: phone, text: otpText(otp), at, temp: person.login.temp });
      note(at, person, 'otp_sent');
      return token;
    }),

    codeAccepted: commands.define(
      'login.code_accepted',
      (at, phone: string, deviceId: string, kind: string, totpStep: number) => {
        const person = people.of(phone);
        if (kind === 'TOTP') person.login.totp.lastStep = totpStep;
        note(at, person, 'code_accepted', { code: kind });
        return people.newAuth(person, deviceId, at);
      },
    ),

    /** Gives out the attempts that are left. */
    codeRefused: commands.define('login.code_refused', (at, phone: string, kind: string) => {
      const person = people.of(phone);
      people.wrongCode(person, at);
      stats.loginsRefused += 1;
      const left = people.locked(person, at) ? 0 : people.attemptsLeft(person);
      note(at, person, 'code_refused', { code: kind, attempts_left: left });
      return left;
    }),

    pinAccepted: commands.define('login.pin_accepted', (at, phone: string) => {
      const person = people.of(phone);
      sessionEnded(person);
      const token = people.newSession(person, at);
      stats.logins += 1;
      note(at, person, 'session_begun', { session: person.login.session.n });
      return token;
    }),

    logOut: commands.define('login.log_out', (at, phone: string) => {
      const person = people.of(phone);
      sessionEnded(person);
      people.logOut(person);
      note(at, person, 'logged_out');
    }),

    expire: commands.define('login.expire', (at, phone: string) => {
      const person = people.of(phone);
      sessionEnded(person);
      people.endSession(person);
      note(at, person, 'session_expired');
    }),

    setAccess: commands.define(
      'login.access',
      (at, phone: string, staticIp: { enabled: boolean; primary: string; secondary: string }, mayTrade: boolean) => {
        const person = people.of(phone);
        person.login = { ...person.login, staticIp, mayUseOrderSystem: mayTrade };
        note(at, person, 'access_changed');
      },
    ),

    setOrderInterface: commands.define('login.order_interface', (at, phone: string, has: string) => {
      const person = people.of(phone);
      person.login = { ...person.login, orderInterface: has as Person['login']['orderInterface'] };
      note(at, person, 'order_interface_changed');
    }),

    unlock: commands.define('login.unlock', (at, phone: string) => {
      const person = people.of(phone);
      person.login = { ...person.login, lockedUntil: 0, wrongCodes: 0 };
      note(at, person, 'unlocked');
    }),

    setTotpSecret: commands.define('totp.secret', (at, phone: string, secret: string) => {
      const person = people.of(phone);
      person.login.totp = { ...person.login.totp, pending: secret };
      note(at, person, 'totp_secret_made');
    }),

    setTotp: commands.define('totp.set', (at, phone: string, enabled: boolean, step: number) => {
      const person = people.of(phone);
      const { secret, pending, lastStep } = person.login.totp;
      const fresh = enabled && pending !== '';
      person.login.totp = {
        secret: fresh ? pending : secret,
        pending: '',
        enabled,
        lastStep: fresh ? step : Math.max(step, lastStep),
      };
      note(at, person, enabled ? 'totp_enabled' : 'totp_disabled');
    }),
  };
}

export type Logins = ReturnType<typeof createLogins>;
