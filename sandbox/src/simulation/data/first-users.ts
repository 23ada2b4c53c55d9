import type { UserSeed } from '../../sessions/users';

/** The largest number of accounts. */
export const MAX_PEOPLE = 200;

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

/**
 * So many people: the first two, and traders after them who log in as the first does (MPIN, TOTP secret), each with a phone
 * number of their own.
 */
export function usersOf(count: number): UserSeed[] {
  const [first] = FIRST_USERS as [UserSeed];
  const more = Array.from({ length: Math.max(count - FIRST_USERS.length, 0) }, (_, index): UserSeed => {
    const number = FIRST_USERS.length + index + 1;
    const digits = String(number).padStart(3, '0');
    return {
      ...first,
      userId: 100_000 + number,
      clientCode: `SBX${digits}`,
      name: `Trader ${number}`,
      phone: String(9_000_000_000 + number),
      email: `trader${digits}@sandbox.invalid`,
      pan: `ABCPT0${digits}X`,
    };
  });
  return [...FIRST_USERS.slice(0, count), ...more];
}
