/** Where one thing of the login becomes another: how long an OTP is under way, which refusal is the last, when somebody else logs in. */
import { readMemory, writeMemory, type Problem } from '../../../client/session/memory';
import { accountOf, fingerprint, readSettings } from '../../../client/session/settings';
import { MPIN } from '../../support/login-service';
import { OTP_FIELDS, Stored, TOTP_FIELDS } from '../../support/stored-credential';

const WRONG_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const ownerOf = (fields: object) => {
  const settings = readSettings({ ...fields });
  return { for: fingerprint(settings), account: accountOf(settings) };
};
/** A credential of which something is remembered. @param token an auth or temporary token that is stored with it */
const remembering = (fields: Record<string, unknown>, memory: (now: number) => object, token = ''): Stored => {
  const one = new Stored({ ...fields });
  const owner = ownerOf(fields);
  one.fields.loginState = writeMemory({ ...readMemory('', owner), ...memory(one.time.now()) }, token);
  return one;
};
/** The service answers one path with this, and everything else as it does. */
const answering = (one: Stored, path: string, status: number, body: object): Stored => {
  const { http } = one.service;
  one.service.http = async (request, signal) =>
    request.url.endsWith(path)
      ? { status, headers: {}, body: Buffer.from(JSON.stringify(body)) }
      : await http(request, signal);
  return one;
};

describe('a refused code', () => {
  it.each([
    [0, true],
    [1, true],
    [2, false],
    [undefined, false],
  ])('is the last one where the service leaves %j attempts', async (attempts_left, isLast) => {
    const one = answering(new Stored({ ...TOTP_FIELDS }), '/totp/login', 400, { error: 'no', attempts_left });
    expect(/No further attempt/.test(await one.save())).toBe(isLast);
  });

  it('is forgotten by one that is taken', async () => {
    const one = new Stored({ ...TOTP_FIELDS, totpSecret: WRONG_SECRET });
    await one.save();
    one.service.secret = WRONG_SECRET;
    expect(await one.save()).toBe('');
    one.service.secret = TOTP_FIELDS.totpSecret;
    one.service.kill();
    expect(await one.save()).not.toMatch(/No further attempt/);
  });
});

describe('an OTP under way', () => {
  const asked = async (agoMs: number, tempToken: string): Promise<string> => {
    const one = remembering(OTP_FIELDS, (now) => ({ otpAskedAt: now - agoMs }), tempToken);
    one.fields.tempToken = tempToken;
    return await one.save();
  };
  it.each([
    ['of this moment', 0, 'temp', /already on its way/],
    ['of almost five minutes', 299_999, 'temp', /already on its way/],
    ['of five minutes', 300_000, 'temp', /An OTP was sent/],
    ['of a clock that was set back', -1, 'temp', /An OTP was sent/],
    ['without its token', 0, '', /An OTP was sent/],
  ])('%s', async (_what, agoMs, tempToken, said) => expect(await asked(agoMs, tempToken)).toMatch(said));
});

describe('an entered OTP that is refused', () => {
  it.each([
    [401, undefined, true],
    [440, undefined, true],
    [401, 2, false],
    [400, undefined, false],
    [400, 1, false],
    [400, 0, true],
  ])('status %i with %j attempts left: the OTP is forgotten: %s', async (status, attempts_left, forgotten) => {
    const one = new Stored({ ...OTP_FIELDS });
    await one.save();
    answering(one, '/verifyphoneotp', status, { error: 'no', attempts_left });
    expect(await one.save({ otp: '000000' })).toMatch(/The OTP was refused/);
    expect(one.state.tempToken === '').toBe(forgotten);
    expect(await one.save()).toMatch(forgotten ? /An OTP was sent/ : /already on its way/);
  });
});

describe('an auth token', () => {
  const withToken = (agoMs: number, authToken: string): Stored => {
    const one = remembering(OTP_FIELDS, (now) => ({ authTokenAt: now - agoMs }), authToken);
    one.fields.authToken = authToken;
    return answering(one, '/verifypin', 200, { session_token: 'made-of-it' });
  };
  const DAY = 86_400_000;
  const jwt = (exp: number): string => `h.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.s`;

  it.each([
    ['that tells nothing, for a day', (): Stored => withToken(DAY - 1, 'opaque'), true],
    ['that tells nothing, no longer', (): Stored => withToken(DAY, 'opaque'), false],
    ['that is not there', (): Stored => withToken(0, ''), false],
    ['that tells its end, until then', (): Stored => withToken(3 * DAY, jwt(4_000_000_000)), true],
    ['that tells its end, not after it', (): Stored => withToken(0, jwt(1_700_000_000)), false],
  ])('makes sessions %s', async (_what, made, makes) => {
    const one = made();
    await one.save();
    expect(one.state.sessionToken === 'made-of-it').toBe(makes);
    expect(one.service.inbox).toHaveLength(makes ? 0 : 1);
  });

  it.each([
    [401, 'unauthorized', /An OTP was sent/],
    [440, 'session expired', /An OTP was sent/],
    [401, 'wrong mpin', /The MPIN was refused/],
    [401, 'Wrong PIN.', /The MPIN was refused/],
    [401, 'spinning', /An OTP was sent/],
    [400, 'no', /The MPIN was refused/],
    [503, 'no', /could not log in just now/],
  ])('that the MPIN step answers %i "%s"', async (status, error, said) => {
    const one = answering(withToken(0, 'opaque'), '/verifypin', status, { error });
    expect(await one.save()).toMatch(said);
  });
});

describe('sessions that die young', () => {
  const MINUTE = 60_000;
  const logins = (ages: readonly number[]) =>
    remembering(TOTP_FIELDS, (now) => ({ logins: ages.map((age) => now - age) }));
  const eight = (first: number, last: number): number[] => [first, ...Array.from({ length: 6 }, () => last + 1), last];

  it.each([
    ['eight within ten minutes', eight(10 * MINUTE - 1, 1), true],
    ['eight of which one is ten minutes old', eight(10 * MINUTE, 1), false],
    ['seven', eight(5 * MINUTE, 1).slice(1), false],
    ['eight, the last almost five minutes ago', eight(9 * MINUTE, 5 * MINUTE - 1), true],
    ['eight, the last five minutes ago', eight(9 * MINUTE, 5 * MINUTE), false],
    ['eight, one of them to come: the clock was set back', [...eight(9 * MINUTE, 1).slice(1), -1], false],
  ])('%s', async (_what, ages, isDisplaced) => {
    const one = logins(ages);
    const at = new Date(one.time.now() - ages.at(-1)! + 5 * MINUTE).toISOString();
    const said = await one.save();
    expect(said).toBe(
      isDisplaced
        ? `The session was ended from outside 8 times within 10 minutes: something else logs in to this account, and each login ends the other. No login is tried before ${at}. Use one credential for all workflows, and no other program with this account at the same time.`
        : '',
    );
  });

  it('a pasted token is not held back', async () => {
    const fields = { ...TOTP_FIELDS, loginMethod: 'sessionToken', pastedToken: 'pasted' };
    const one = remembering(fields, (now) => ({ logins: Array.from({ length: 9 }, () => now - 1) }));
    answering(one, '/userinfo', 200, {});
    expect(await one.save()).toBe('');
  });
});

describe('an MPIN of which nobody knows', () => {
  it.each([
    ['was never accepted, and nobody waits', { mpinUnanswered: true }, true, false],
    ['was never accepted, and a person waits', { mpinUnanswered: true }, false, true],
    ['was accepted before', { mpinUnanswered: true, logins: [1] }, true, true],
    ['was answered', { mpinUnanswered: false }, true, true],
  ])('%s', async (_what, memory, unattended, isSent) => {
    const one = remembering(TOTP_FIELDS, () => memory);
    const said = await one.save({ unattended });
    expect(said === '').toBe(isSent);
    expect(one.service.pins).toEqual(isSent ? [MPIN] : []);
  });
});

it('a final problem is kept, with its words, until something else is entered', async () => {
  const problem: Problem = { message: 'Stopped.', hint: 'Do something.', parameter: 'mpin', final: true };
  const one = remembering(TOTP_FIELDS, () => ({ problem }));
  expect(await one.save()).toBe('Stopped. Do something.');
  expect(one.service.requests).toEqual([]);
  expect(await one.save({ totpSecret: ` ${TOTP_FIELDS.totpSecret}` })).toBe('');
});

it('an OTP that is asked for leads to no step that is not known', async () => {
  const one = answering(new Stored({ ...OTP_FIELDS }), '/sendphoneotp', 200, { temp_token: 't', next: 'VERIFY_FACE' });
  expect(await one.save()).toMatch(/a login step that this version does not know: VERIFY_FACE\./);
  expect(one.state.tempToken).toBe('');
});
