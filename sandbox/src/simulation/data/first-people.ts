import type { PersonSeed } from '../../sessions/people';

/** The people who have an account from the start. Invented; their e-mail addresses can never exist. */
export const FIRST_PEOPLE: PersonSeed[] = [
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
