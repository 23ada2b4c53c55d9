import { createHash } from 'node:crypto';
import { newTotpSecret } from '../../sessions/one-time-codes';
import type { UserSeed } from '../../sessions/users';

/** The largest number of accounts. */
export const MAX_USERS = 200;

/** The people who have an account from the start. Invented; their e-mail addresses can never exist. */
export const FIRST_USERS: UserSeed[] = [
  {
    userId: 100001,
    clientCode: 'SBX001',
    name: 'Asha Sandbox',
    phone: '9000000001',
    email: 'asha@sandbox.invalid',
    pan: 'ABCPS1234A',
    mpin: '1357',
    totpSecret: 'KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU',
    totpEnabled: true,
    institution: { exchangeClientCode: 'SBXINST', username: 'asha', password: 'sandbox-2026' },
  },
  {
    userId: 100002,
    clientCode: 'SBX002',
    name: 'Ravi Sandbox',
    phone: '9000000002',
    email: 'ravi@sandbox.invalid',
    pan: 'ABCPR5678B',
    mpin: '2468',
    totpSecret: 'KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLV',
    totpEnabled: false,
  },
];

/** Returns a number of users: the first two, and traders after them, each with a separate login by TOTP; the same at every start. */
export function usersOf(count: number): UserSeed[] {
  const more = Array.from({ length: Math.max(count - FIRST_USERS.length, 0) }, (_, index): UserSeed => {
    const number = FIRST_USERS.length + index + 1;
    const digits = String(number).padStart(3, '0');
    const own = createHash('sha1').update(`brokerage-sandbox trader ${number}`).digest();
    return {
      userId: 100_000 + number,
      clientCode: `SBX${digits}`,
      name: `Trader ${number}`,
      phone: String(9_000_000_000 + number),
      email: `trader${digits}@sandbox.invalid`,
      pan: `ABCPT0${digits}X`,
      mpin: String(1_000 + (own.readUInt16BE() % 9_000)),
      totpSecret: newTotpSecret(own),
      totpEnabled: true,
    };
  });
  return [...FIRST_USERS.slice(0, count), ...more];
}
