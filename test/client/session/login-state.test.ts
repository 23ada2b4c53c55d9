import {
  lastLogin,
  isSessionOf,
  isTokenOf,
  readLoginState,
  storedProblem,
  writeLoginState,
  writtenAt,
  type LoginState,
} from '../../../client/session/login-state';

const OWNER = { for: 'settings', account: 'account' };
const WHOLE: LoginState = {
  ...OWNER,
  at: 5,
  authTokenAt: 4,
  logins: [1, 2],
  usedSteps: [7, 8],
  refusedCodes: 1,
  usedOtps: ['digest'],
  mpinUnanswered: true,
  otpAskedAt: 3,
  otpAskedAgain: true,
  problem: { message: 'It failed.', hint: 'Try again.', parameter: 'mpin', final: true, otpSent: true },
};
const NOTHING = {
  ...OWNER,
  at: 0,
  logins: [],
  refusedCodes: 0,
  mpinUnanswered: false,
  authTokenAt: undefined,
  otpAskedAt: undefined,
  otpAskedAgain: undefined,
  problem: undefined,
  usedSteps: [],
  usedOtps: [],
};

it('a login state comes back unchanged from its text', () => {
  expect(readLoginState(writeLoginState(WHOLE), OWNER)).toEqual(WHOLE);
});

it('a login state of a corrected MPIN keeps what belongs to the account, and the codes that were sent', () => {
  expect(readLoginState(writeLoginState(WHOLE), { for: 'corrected', account: 'account' })).toEqual({
    ...NOTHING,
    for: 'corrected',
    at: 5,
    authTokenAt: 4,
    otpAskedAt: 3,
    otpAskedAgain: true,
    usedSteps: [7, 8],
    usedOtps: ['digest'],
  });
});

it('a login state of another account keeps only the codes that were sent', () => {
  const other = { for: 'other', account: 'other' };
  expect(readLoginState(writeLoginState(WHOLE), other)).toEqual({
    ...NOTHING,
    ...other,
    at: 5,
    usedSteps: [7, 8],
    usedOtps: ['digest'],
  });
});

it('a login state keeps the newest twenty of each list, written and read', () => {
  const many = Array.from({ length: 25 }, (_, index) => index);
  const newest = many.slice(5);
  const written = JSON.parse(
    writeLoginState({ ...WHOLE, logins: many, usedSteps: many, usedOtps: many.map(String) }),
  ) as LoginState;
  expect([written.logins, written.usedSteps, written.usedOtps]).toEqual([newest, newest, newest.map(String)]);
  const read = readLoginState(
    JSON.stringify({ ...WHOLE, logins: many, usedSteps: many, usedOtps: many.map(String) }),
    OWNER,
  );
  expect([read.logins, read.usedSteps, read.usedOtps]).toEqual([newest, newest, newest.map(String)]);
});

it.each(['', '{', 'null', '7', '"text"', '[]'])(
  'a login state is empty where nothing can be read: %j',
  (loginState) => {
    expect(readLoginState(loginState, OWNER)).toEqual(NOTHING);
    expect([isSessionOf(loginState, OWNER), isTokenOf(loginState, OWNER.account, '')]).toEqual([false, false]);
    expect([writtenAt(loginState), lastLogin(loginState), storedProblem(loginState)]).toEqual([
      0,
      undefined,
      undefined,
    ]);
  },
);

it('a login state takes nothing of another kind', () => {
  const wrong = {
    ...OWNER,
    at: '5',
    authTokenAt: 'x',
    logins: ['1', 2, null],
    usedSteps: 'all',
    refusedCodes: '1',
    usedOtps: ['digest', 3],
    mpinUnanswered: 'true',
    otpAskedAt: null,
    otpAskedAgain: 1,
    problem: 'It failed.',
  };
  expect(readLoginState(JSON.stringify(wrong), OWNER)).toEqual({ ...NOTHING, logins: [2], usedOtps: ['digest'] });
});

it.each([
  [{ message: 'It failed.' }, { message: 'It failed.', hint: '', final: false }],
  [
    { message: 'It failed.', hint: 7, parameter: 7, final: 'true', otpSent: 'true' },
    { message: 'It failed.', hint: '', final: false },
  ],
  [WHOLE.problem, WHOLE.problem],
  [{ hint: 'Try again.' }, undefined],
  [null, undefined],
])('a login state keeps a problem: %j', (problem, read) =>
  expect(storedProblem(JSON.stringify({ problem }))).toEqual(read),
);

it('a login state tells which tokens belong to the settings, when it was written, and the last login', () => {
  const written = writeLoginState(WHOLE, 'auth', '');
  expect([isSessionOf(written, OWNER), isSessionOf(written, { for: 'corrected' })]).toEqual([true, false]);
  expect(['auth', '', 'temp'].map((token) => isTokenOf(written, OWNER.account, token))).toEqual([true, false, false]);
  expect(isTokenOf(written, 'other', 'auth')).toBe(false);
  expect(written).not.toContain('auth"');
  expect([writtenAt(written), lastLogin(written)]).toEqual([5, 2]);
});

it('a login state keeps the form in which codes are read, for the account, and no other word', () => {
  const form = (totpForm: unknown, account = 'account') =>
    readLoginState(JSON.stringify({ ...WHOLE, totpForm }), { for: 'corrected', account }).totpForm;
  expect([form('text'), form('number'), form('both'), form('text', 'other')]).toEqual([
    'text',
    'number',
    undefined,
    undefined,
  ]);
});

it('a login state keeps what is known of a password and of answers that judged nothing, for the same settings alone', () => {
  const memory = { passwordUnanswered: true, unjudgedMpins: 1, unjudgedPasswords: 2, refusedOtp: 'digest' };
  const written = writeLoginState({ ...WHOLE, ...memory });
  expect(readLoginState(written, OWNER)).toMatchObject(memory);
  const corrected = readLoginState(written, { ...OWNER, for: 'corrected' });
  expect(corrected).toMatchObject({ passwordUnanswered: undefined, unjudgedMpins: undefined, refusedOtp: 'digest' });
  expect(corrected.unjudgedPasswords).toBeUndefined();
  expect(readLoginState(JSON.stringify({ ...WHOLE, refusedOtp: 5 }), OWNER).refusedOtp).toBeUndefined();
});

it('the last login is the newest of all', () => {
  expect(lastLogin(writeLoginState({ ...WHOLE, logins: [1, 2, 3, 4] }))).toBe(4);
});
