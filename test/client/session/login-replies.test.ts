/**
 * Replies of the login that are no refusals and bring no session: a success that says it failed, tokens that no request can carry, a token
 * that had expired when it came. None of them locks a login for good, or leads to a login for each request.
 */
import { MPIN, SECRET } from '../../support/login-service';
import { OTP_FIELDS, Stored, TOTP_FIELDS } from '../../support/stored-credential';

/** The service answers one path with these, one after the other, and everything else as it does. */
function answering(fields: Record<string, unknown>, path: string, ...bodies: readonly object[]): Stored {
  const stored = new Stored({ ...fields });
  const { http } = stored.service;
  const left = [...bodies];
  stored.service.http = async (request, signal) => {
    const body = request.url.endsWith(path) ? left.shift() : undefined;
    const own = await http(request, signal);
    return body === undefined ? own : { ...own, status: 200, body: Buffer.from(JSON.stringify(body)) };
  };
  return stored;
}

const FAILURES = [
  { status: 'error', message: 'Something went wrong' },
  { error: 'upstream timed out', auth_token: '', session_token: '' },
  { success: false, auth_token: null, session_token: null, message: 'Try again' },
];

it.each(FAILURES)('a failure with the status 200 at the TOTP step counts against no code: %j', async (failure) => {
  const stored = answering(TOTP_FIELDS, '/totp/login', failure, failure, failure);
  for (let at = 0; at < 3; at++) {
    const said = await stored.save();
    expect(said).toMatch(
      /neither accepted nor refused: the service answered with the status 200, and said that it fail/,
    );
    expect(said).not.toContain(SECRET);
  }
  expect(await stored.save()).toBe('');
});

it('a wrong code that is told with the status 200 is refused, and sent twice at most', async () => {
  const wrong = { status: 'error', message: 'Invalid TOTP', attempts_left: 3 };
  const stored = answering(TOTP_FIELDS, '/totp/login', wrong, wrong, wrong, wrong);
  const said = [await stored.save(), await stored.save(), await stored.save()];
  expect(said[0]).toMatch(/The TOTP code was refused. The service said: "Invalid TOTP/);
  expect(said[1]).toMatch(/No further attempt/);
  expect(stored.service.codes).toHaveLength(2);
});

it.each(FAILURES)('a failure with the status 200 at the MPIN step refuses no MPIN: %j', async (failure) => {
  const stored = answering(TOTP_FIELDS, '/verifypin', failure);
  const said = await stored.save();
  expect(said).toMatch(/The MPIN was neither accepted nor refused/);
  expect(said).not.toContain(MPIN);
  expect(await stored.save()).toBe('');
});

it('a failure with the status 200 at the MPIN step stops unattended logins after two', async () => {
  const failure = { error: 'upstream' };
  const stored = answering({ ...TOTP_FIELDS, unattended: true }, '/verifypin', failure, failure, failure, failure);
  for (let at = 0; at < 5; at++) await stored.save();
  expect(stored.service.pins).toHaveLength(2);
});

it('a failure with the status 200 is no OTP that was sent', async () => {
  const stored = answering(OTP_FIELDS, '/sendphoneotp', { status: 'failed', message: 'Too busy' });
  expect(await stored.save()).toMatch(/did not send an OTP. The service said: "Too busy/);
  expect(await stored.save()).toMatch(/An OTP was sent/);
});

describe.each([
  ['/totp/login', 'auth_token'],
  ['/verifypin', 'session_token'],
])('a token of %s', (path, name) => {
  it.each([
    ['of 9,000 characters', 'x'.repeat(9_000), /it has 9000 characters/],
    ['with a line break', 'abc\r\nX-Evil: 1', /and blanks or signs that are not allowed/],
    ['with a blank', 'not found', /and blanks or signs that are not allowed/],
    ['with letters that no header takes', 'tökén', /and blanks or signs that are not allowed/],
  ])('%s is not stored, and the next login goes on', async (_, token, says) => {
    const stored = answering(TOTP_FIELDS, path, { [name]: token });
    const said = await stored.save();
    expect(said).toMatch(says);
    expect(said.length).toBeLessThan(600);
    expect(stored.state.sessionToken).toBe('');
    expect(await stored.save()).toBe('');
  });

  it.each([null, 0, 12345, true, {}, ['a'], ''])('is none where it is %j', async (token) => {
    const stored = answering(TOTP_FIELDS, path, { [name]: token });
    const said = await stored.save();
    expect(said).not.toBe('');
    expect(stored.state.sessionToken).toBe('');
    expect(await stored.save()).toBe('');
  });
});

it.each(['/totp/login', '/verifypin'])('half of a reply of %s shows no token', async (path) => {
  const stored = new Stored({ ...TOTP_FIELDS });
  const { http } = stored.service;
  stored.service.http = async (request, signal) => {
    const own = await http(request, signal);
    return request.url.endsWith(path) ? { ...own, body: own.body.subarray(0, own.body.length - 4) } : own;
  };
  const said = await stored.save();
  expect(said).toMatch(/It answered with the status 20\d\./);
  expect(said).not.toMatch(/eyJ|_token/);
});

it('an auth token that the service does not take refuses no MPIN', async () => {
  const stored = answering(TOTP_FIELDS, '/totp/login', { auth_token: 'of-somebody-else' });
  expect(await stored.save()).toMatch(/The MPIN was neither accepted nor refused: the service did not take the login/);
  expect(await stored.save()).toBe('');
});
