import type { Logins } from '../sessions/logins';
import type { LoginState } from '../sessions/users';
import type { SandboxCommands } from './commands';

/**
 * The commands of the login. No argument is a code or a token: the log never holds one. `machine` is the machine's time, milliseconds; a log
 * of a version that had none of it goes by the sandbox's.
 */
export function loginCommands(commands: SandboxCommands, logins: Logins) {
  return {
    begin: commands.define('login.begin', (at, phone: string, ...[machine = at]: number[]) =>
      logins.begin(at, phone, machine),
    ),
    sendOtp: commands.define('login.send_otp', (at, phone: string, ...[machine = at]: number[]) =>
      logins.sendOtp(at, phone, machine),
    ),
    codeAccepted: commands.define(
      'login.code_accepted',
      (at, phone: string, deviceId: string, kind: string, totpStep: number, ...[machine = at]: number[]) =>
        logins.codeAccepted(at, phone, deviceId, kind, totpStep, machine),
    ),
    codeRefused: commands.define('login.code_refused', (at, phone: string, kind: string) =>
      logins.codeRefused(at, phone, kind),
    ),
    pinAccepted: commands.define('login.pin_accepted', (at, phone: string, ...[machine = at]: number[]) =>
      logins.pinAccepted(at, phone, machine),
    ),
    logOut: commands.define('login.log_out', (at, phone: string) => logins.logOut(at, phone)),
    expire: commands.define('login.expire', (at, phone: string) => logins.expire(at, phone)),
    setAccess: commands.define(
      'login.access',
      (at, phone: string, staticIp: { enabled: boolean; primary: string; secondary: string }, mayTrade: boolean) =>
        logins.setAccess(at, phone, staticIp, mayTrade),
    ),
    setOrderInterface: commands.define(
      'login.order_interface',
      (at, phone: string, orderInterface: LoginState['orderInterface']) =>
        logins.setOrderInterface(at, phone, orderInterface),
    ),
    unlock: commands.define('login.unlock', (at, phone: string) => logins.unlock(at, phone)),
    setTotpSecret: commands.define('totp.secret', (at, phone: string, secret: string) =>
      logins.setTotpSecret(at, phone, secret),
    ),
    setTotp: commands.define('totp.set', (at, phone: string, enabled: boolean, step: number) =>
      logins.setTotp(at, phone, enabled, step),
    ),
  };
}

export type LoginCommands = ReturnType<typeof loginCommands>;
