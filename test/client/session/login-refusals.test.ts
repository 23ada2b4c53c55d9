import { NetworkError } from '../../../client/base/errors';
import { authHeaders } from '../../../client/session/auth-headers';
import { MPIN, SECRET } from '../../support/login-service';
import { Stored, TOTP_FIELDS } from '../../support/stored-credential';

describe('before anything is sent', () => {
  it.each([
    [{ mpin: '' }, /MPIN is empty/],
    [{ mpin: '12a4' }, /MPIN must be digits/],
    [{ phone: 'me@x' }, /Phone must be/],
    [{ totpSecret: '' }, /TOTP Secret cannot be used: it is empty/],
    [{ liveBaseUrl: 'http://api.broker.example' }, /must begin with https/],
    [{ deviceId: 'a\nb' }, /Device ID holds a line break/],
    [{ environment: 'prod' }, /Environment must be one of/],
  ])('a login with %j is refused', async (changes, said) => {
    const stored = new Stored({ ...TOTP_FIELDS, ...changes });
    expect(await stored.save()).toMatch(said);
    expect(stored.service.requests).toHaveLength(0);
  });

  it('a request to another host never gets the session', () => {
    expect(() => authHeaders({ ...TOTP_FIELDS, sessionToken: 'x' }, 'https://evil.example/userinfo')).toThrow(
      /another address/,
    );
  });
});

describe('a login that fails', () => {
  it('names an unknown phone', async () => {
    expect(await new Stored({ ...TOTP_FIELDS, phone: '9111111111' }).save()).toMatch(/does not know the phone/);
  });

  it.each([
    ['totp', 404, 'No account is registered with this phone'],
    ['otp', 400, 'No account is registered with this phone'],
    ['otp', 401, 'User not found'],
    ['totp', 401, 'Mobile number does not exist'],
  ])('names an unknown phone, by %s, as a service may put it (%i %s)', async (loginMethod, status, error) => {
    const stored = new Stored({ ...TOTP_FIELDS, loginMethod });
    stored.service.http = async () => ({ status, headers: {}, body: Buffer.from(JSON.stringify({ error })) });
    expect(await stored.save()).toMatch(/^The service does not know the phone\./);
  });

  it.each(['123456', '123 456'])('names a code in place of the TOTP secret (%s)', async (totpSecret) => {
    const stored = new Stored({ ...TOTP_FIELDS, totpSecret });
    expect(await stored.save()).toMatch(/six-digit code.*is not the secret/);
    expect(stored.service.requests).toEqual([]);
  });

  const NOT_THE_SERVICE = /^Something answers at https:.*, but it is not the brokerage service\./;
  const page = { 'content-type': 'text/html; charset=utf-8' };
  const METHODS = [
    ['TOTP', {}],
    ['OTP', { loginMethod: 'otp' }],
    ['a pasted token', { loginMethod: 'sessionToken', pastedToken: 'pasted-token' }],
  ] as const;
  const OTHERS = [
    ['a page', 200, page, '<html>Welcome</html>'],
    ['a page that is not called one', 200, {}, '<!DOCTYPE html><p>Welcome'],
    ['a list', 200, {}, '[]'],
    ['nothing', 204, {}, ''],
    ['a page that refuses', 403, page, '<html>Forbidden</html>'],
    ['a page that asks for a password', 401, page, '<html>Who are you?</html>'],
    ['no such path', 404, {}, 'Not found'],
    ['no such method', 405, {}, ''],
    ['a file server', 501, page, '<!DOCTYPE HTML><html>Unsupported method</html>'],
  ] as const;

  describe.each(METHODS)('another service at the address, with %s', (_method, changes) => {
    it.each(OTHERS)('is called no such service where it answers with %s', async (_what, status, headers, body) => {
      const stored = new Stored({ ...TOTP_FIELDS, ...changes });
      stored.service.http = async () => ({ status, headers, body: Buffer.from(body) });
      expect(await stored.save()).toMatch(NOT_THE_SERVICE);
    });
  });

  it('a gateway in front of the service that fails is no other service', async () => {
    const stored = new Stored({ ...TOTP_FIELDS });
    stored.service.http = async () => ({ status: 502, headers: page, body: Buffer.from('<html>Bad gateway</html>') });
    expect(await stored.save()).toMatch(/could not log in just now \(status 502\)/);
  });

  it('a page that refuses is counted against no code', async () => {
    const stored = new Stored({ ...TOTP_FIELDS });
    const { http } = stored.service;
    stored.service.http = async () => ({ status: 403, headers: page, body: Buffer.from('<html>no</html>') });
    for (let attempt = 0; attempt < 3; attempt++) await stored.save();
    stored.service.http = http;
    expect(await stored.save()).toBe('');
  });

  it('names a sandbox that does not run', async () => {
    const stored = new Stored({ ...TOTP_FIELDS, environment: 'sandbox', sandboxBaseUrl: 'http://127.0.0.1:8787' });
    stored.service.http = async () =>
      await Promise.reject(new NetworkError('The service refused the connection', { maySent: false }));
    expect(await stored.save()).toMatch(/sandbox does not run at http:\/\/127\.0\.0\.1:8787.*npx brokerage-sandbox/);
  });

  it('shows neither the MPIN nor the OTP that the service repeats in its refusal', async () => {
    const stored = new Stored({ ...TOTP_FIELDS, mpin: '9753' }, { echo: true });
    const said = await stored.save();
    expect(said).toMatch(/The MPIN was refused/);
    expect(said).not.toContain('9753');
  });
});

it('shows no secret in any text', async () => {
  const stored = new Stored({ ...TOTP_FIELDS, mpin: '9753', totpSecret: SECRET }, {});
  const texts = [
    await stored.save(),
    await stored.save({ mpin: MPIN, totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
    await stored.save({ totpSecret: '' }),
  ];
  for (const text of texts)
    for (const secret of ['9753', MPIN, SECRET, 'JBSWY3DPEHPK3PXP', ...stored.service.codes])
      expect(text).not.toContain(secret);
});
