/**
 * Limits at which one state of the login becomes another: how long an OTP is in progress, which refusal is the last,
 * when somebody else logs in.
 */
import { NetworkError } from '../../../client/base/errors';
import { readLoginState, writeLoginState, type LoginProblem } from '../../../client/session/login-state';
import { accountOf, fingerprintLogin, readSettings } from '../../../client/session/settings';
import { MPIN } from '../../support/login-service';
import { OTP_FIELDS, Stored, TOTP_FIELDS } from '../../support/stored-credential';

const WRONG_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const ownerOf = (fields: object) => {
  const settings = readSettings({ ...fields });
  return { for: fingerprintLogin(settings), account: accountOf(settings) };
};
/** A credential with a memory of earlier logins. @param token an auth or temporary token that is stored with it */
const remembering = (fields: Record<string, unknown>, memory: (now: number) => object, token = ''): Stored => {
  const stored = new Stored({ ...fields });
  const owner = ownerOf(fields);
  stored.fields.loginState = writeLoginState({ ...readLoginState('', owner), ...memory(stored.time.now()) }, token);
  return stored;
};
/** The service answers one path with this, and everything else as it does. */
const answering = (stored: Stored, path: string, status: number, body: object): Stored => {
  const { http } = stored.service;
  stored.service.http = async (request, signal) =>
    request.url.endsWith(path)
      ? { status, headers: {}, body: Buffer.from(JSON.stringify(body)) }
      : await http(request, signal);
  return stored;
};

describe('a refused code', () => {
  it.each([
    [0, true],
    [1, true],
    [2, false],
    [undefined, false],
  ])('is the last one where the service leaves %j attempts', async (attempts_left, isLast) => {
    const stored = answering(new Stored({ ...TOTP_FIELDS }), '/totp/login', 400, { error: 'no', attempts_left });
    expect(/No further attempt/.test(await stored.save())).toBe(isLast);
  });

  it('is forgotten by one that is taken', async () => {
    const stored = new Stored({ ...TOTP_FIELDS, totpSecret: WRONG_SECRET });
    await stored.save();
    stored.service.secret = WRONG_SECRET;
    expect(await stored.save()).toBe('');
    stored.service.secret = TOTP_FIELDS.totpSecret;
    stored.service.kill();
    expect(await stored.save()).not.toMatch(/No further attempt/);
  });
});

describe('an OTP that was requested', () => {
  const requested = async (agoMs: number, tempToken: string): Promise<string> => {
    const stored = remembering(OTP_FIELDS, (now) => ({ otpAskedAt: now - agoMs }), tempToken);
    stored.fields.tempToken = tempToken;
    return await stored.save();
  };
  it.each([
    ['of this moment', 0, 'temp', /already on its way/],
    ['of almost five minutes', 299_999, 'temp', /already on its way/],
    ['of five minutes', 300_000, 'temp', /An OTP was sent/],
    ['of a clock that was set back', -1, 'temp', /An OTP was sent/],
    ['without its token', 0, '', /An OTP was sent/],
  ])('%s is sent again or not', async (_what, agoMs, tempToken, said) =>
    expect(await requested(agoMs, tempToken)).toMatch(said),
  );
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
    const stored = new Stored({ ...OTP_FIELDS });
    await stored.save();
    answering(stored, '/verifyphoneotp', status, { error: 'no', attempts_left });
    expect(await stored.save({ otp: '000000' })).toMatch(/The OTP was refused/);
    expect(stored.state.tempToken === '').toBe(forgotten);
    expect(await stored.save()).toMatch(forgotten ? /An OTP was sent/ : /already on its way/);
  });
});

describe('an auth token', () => {
  const withToken = (agoMs: number, authToken: string): Stored => {
    const stored = remembering(OTP_FIELDS, (now) => ({ authTokenAt: now - agoMs }), authToken);
    stored.fields.authToken = authToken;
    return answering(stored, '/verifypin', 200, { session_token: 'made-of-it' });
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
    const stored = made();
    await stored.save();
    expect(stored.state.sessionToken === 'made-of-it').toBe(makes);
    expect(stored.service.inbox).toHaveLength(makes ? 0 : 1);
  });

  it.each([
    [401, 'unauthorized', /An OTP was sent/],
    [440, 'session expired', /An OTP was sent/],
    [401, 'wrong mpin', /The MPIN was refused/],
    [401, 'Wrong PIN.', /The MPIN was refused/],
    [401, 'spinning', /An OTP was sent/],
    [400, 'no', /The MPIN was refused/],
    [503, 'no', /could not log in just now/],
  ])('is kept or dropped where the MPIN step answers %i "%s"', async (status, error, said) => {
    const stored = answering(withToken(0, 'opaque'), '/verifypin', status, { error });
    expect(await stored.save()).toMatch(said);
  });
});

describe('sessions that end early', () => {
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
  ])('%s are held back when they are displaced', async (_what, ages, isDisplaced) => {
    const stored = logins(ages);
    const at = new Date(stored.time.now() - ages.at(-1)! + 5 * MINUTE).toISOString();
    const said = await stored.save();
    expect(said).toBe(
      isDisplaced
        ? `The session was ended from outside 8 times within 10 minutes: something else logs in to this account, and each login ends the other. No login is tried before ${at}. Use one credential for all workflows, and no other program with this account at the same time.`
        : '',
    );
  });

  it('a pasted token is not held back', async () => {
    const fields = { ...TOTP_FIELDS, loginMethod: 'sessionToken', pastedToken: 'pasted' };
    const stored = remembering(fields, (now) => ({ logins: Array.from({ length: 9 }, () => now - 1) }));
    answering(stored, '/userinfo', 200, {});
    expect(await stored.save()).toBe('');
  });
});

describe('an MPIN of unknown outcome', () => {
  it.each([
    ['was never accepted, and nobody waits', { mpinUnanswered: true }, true, false],
    ['was never accepted, and a person waits', { mpinUnanswered: true }, false, true],
    ['was accepted before', { mpinUnanswered: true, logins: [1] }, true, true],
    ['was answered', { mpinUnanswered: false }, true, true],
  ])('%s is sent or held back', async (_what, memory, unattended, isSent) => {
    const stored = remembering(TOTP_FIELDS, () => memory);
    const said = await stored.save({ unattended });
    expect(said === '').toBe(isSent);
    expect(stored.service.pins).toEqual(isSent ? [MPIN] : []);
  });
});

it('a final problem is kept, with its words, until something else is entered', async () => {
  const problem: LoginProblem = { message: 'Stopped.', hint: 'Do something.', parameter: 'mpin', final: true };
  const stored = remembering(TOTP_FIELDS, () => ({ problem }));
  expect(await stored.save()).toBe('Stopped. Do something.');
  expect(stored.service.requests).toEqual([]);
  expect(await stored.save({ totpSecret: ` ${TOTP_FIELDS.totpSecret}` })).toBe('');
});

it('an OTP that is asked for leads to no step that is not known', async () => {
  const stored = answering(new Stored({ ...OTP_FIELDS }), '/sendphoneotp', 200, {
    temp_token: 't',
    next: 'VERIFY_FACE',
  });
  expect(await stored.save()).toMatch(/a login step that this version does not know: VERIFY_FACE\./);
  expect(stored.state.tempToken).toBe('');
});

describe('a code that is refused while the clocks differ', () => {
  const refusedAt = async (environment: string, header: boolean): Promise<string> => {
    const stored = new Stored({ ...TOTP_FIELDS, environment, sandboxBaseUrl: TOTP_FIELDS.liveBaseUrl });
    stored.service.http = async () => ({
      status: 400,
      headers: {
        date: new Date(stored.time.now() + 3_600_000).toUTCString(),
        ...(header ? { 'x-sandbox-time': '1' } : {}),
      },
      body: Buffer.from('{"error":"invalid totp"}'),
    });
    return await stored.save();
  };

  it('is the fault of the clock, but of a sandbox, which takes codes of both clocks', async () => {
    expect(await refusedAt('live', false)).toMatch(/this computer's clock is 60 minutes behind/);
    // Only the environment of a sandbox is believed to be one.
    expect(await refusedAt('live', true)).toMatch(/this computer's clock is 60 minutes behind/);
    expect(await refusedAt('sandbox', false)).toMatch(/this computer's clock is 60 minutes behind/);
    expect(await refusedAt('sandbox', true)).toMatch(/The sandbox's clock is 60 minutes ahead of this machine's/);
  });
});

describe('an MPIN that another server answers', () => {
  const page = { status: 403, headers: { 'content-type': 'text/html' }, body: Buffer.from('<html>no</html>') };
  const behind = (reply: () => object | undefined) => {
    const stored = new Stored({ ...TOTP_FIELDS, unattended: true });
    const { http } = stored.service;
    let pins = 0;
    stored.service.http = async (request, signal) => {
      if (!request.url.endsWith('/verifypin')) return await http(request, signal);
      pins += 1;
      return (reply() as typeof page | undefined) ?? (await http(request, signal));
    };
    return { stored, pins: () => pins };
  };

  it('is sent twice, and then only by the person: nobody knows whether it is wrong', async () => {
    const { stored, pins } = behind(() => page);
    expect(await stored.save()).toMatch(/The MPIN was not refused: try again later/);
    expect(await stored.save()).toMatch(/The MPIN was not refused: try again later/);
    expect(await stored.save()).toMatch(/^The MPIN was sent, but no answer came/);
    expect(pins()).toBe(2);
    expect(await stored.save({ unattended: false })).toMatch(/The MPIN was not refused/);
    expect(pins()).toBe(3);
  });

  it('is taken once the service itself answers, and the count begins again', async () => {
    let isDown = true;
    const { stored } = behind(() => (isDown ? page : undefined));
    await stored.save();
    isDown = false;
    expect(await stored.save()).toBe('');
  });

  it('is held back after one failure of the service itself, which may have seen it', async () => {
    const failing = { status: 500, headers: {}, body: Buffer.from('{"error":"no"}') };
    const { stored, pins } = behind(() => failing);
    expect(await stored.save()).toMatch(/could not log in just now/);
    expect(await stored.save()).toMatch(/^The MPIN was sent, but no answer came/);
    expect(pins()).toBe(1);
  });

  it('goes out again after too many requests, which were refused before it was looked at', async () => {
    const busy = { status: 429, headers: {}, body: Buffer.from('{"error":"slow"}') };
    const { stored, pins } = behind(() => busy);
    for (let attempt = 0; attempt < 3; attempt++) expect(await stored.save()).toMatch(/too many requests/);
    expect(pins()).toBe(3);
  });
});

describe('a login that nothing answers', () => {
  const failing = async (environment: string, error: Error): Promise<string> => {
    const stored = new Stored({ ...TOTP_FIELDS, environment, sandboxBaseUrl: 'http://127.0.0.1:8787' });
    stored.service.http = async () => await Promise.reject(error);
    return await stored.save();
  };

  it('tells of a sandbox that does not run only where one is expected, and nothing left this machine', async () => {
    const refused = new NetworkError('It refused the connection.', { maySent: false, hint: 'Check it.' });
    const broken = new NetworkError('The connection broke.', { maySent: true, hint: 'Check it.' });
    expect(await failing('sandbox', refused)).toMatch(/^The sandbox does not run/);
    expect(await failing('live', refused)).toBe('It refused the connection. Check it.');
    expect(await failing('sandbox', broken)).toBe('The connection broke. Check it.');
    expect(await failing('sandbox', new TypeError('x'))).toMatch(/^The login failed for a reason that is not known/);
  });
});
