import { FIRST, logIn, logInByOtp, now, SECOND, start, totpAt, DEVICE, type Bench } from '../support';

describe('TOTP setting', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await start();
  });
  afterEach(() => bench.close());

  it('generates a secret with a real PNG, enables with MPIN and code, logs in, disables', async () => {
    const headers = await logInByOtp(bench);
    const { data } = (await bench.http.get('/totp/generate-secret', { headers })).data;
    expect(data.secret_key).toMatch(/^[A-Z2-7]{32}$/);
    const [, base64] = /^data:image\/png;base64,(.+)$/.exec(data.qr_image)!;
    expect(Buffer.from(base64!, 'base64').subarray(1, 4).toString()).toBe('PNG');
    const code = totpAt(data.secret_key, await now(bench.http));
    expect((await bench.http.post('/totp/enable', { mpin: '0000', totp: code }, { headers })).status).toBe(401);
    expect((await bench.http.post('/totp/enable', { mpin: SECOND.mpin, totp: '000000' }, { headers })).status).toBe(
      401,
    );
    expect((await bench.http.post('/totp/enable', { mpin: SECOND.mpin, totp: code }, { headers })).data).toEqual({
      message: expect.any(String),
    });
    const login = (totp: string) =>
      bench.http.post('/totp/login', { phone: SECOND.phone, totp, otp: '' }, { headers: { 'x-device-id': DEVICE } });
    expect((await login(code)).status).toBe(401);
    await bench.advance('PT30S');
    expect((await login(totpAt(data.secret_key, await now(bench.http)))).status).toBe(201);
    expect((await bench.http.post('/totp/disable', { mpin: SECOND.mpin }, { headers })).status).toBe(200);
    await bench.advance('PT30S');
    expect((await login(totpAt(data.secret_key, await now(bench.http)))).status).toBe(400);
  });

  it('keeps the secret in force until the new one is enabled', async () => {
    const headers = await logIn(bench);
    await bench.http.get('/totp/generate-secret', { headers });
    await bench.advance('PT30S');
    const totp = totpAt(FIRST.secret, await now(bench.http));
    expect(
      (
        await bench.http.post(
          '/totp/login',
          { phone: FIRST.phone, totp, otp: '' },
          { headers: { 'x-device-id': DEVICE } },
        )
      ).status,
    ).toBe(201);
  });
});

describe('Static IP', () => {
  it('says whether the address matches, and keeps others from trading', async () => {
    const bench = await start();
    const headers = await logIn(bench);
    const validate = () => bench.http.get('/ipaddress/validate', { headers });
    const none = await validate();
    expect([none.status, none.data.error]).toEqual([400, 'No IP addresses registered for user']);
    await bench.http.post('/_sandbox/accounts/9000000001', { static_ip: '127.0.0.1' });
    expect((await validate()).data).toEqual({
      is_matched: true,
      current_ip_address: '127.0.0.1',
      primary_ip_address: '127.0.0.1',
      secondary_ip_address: '',
    });
    expect((await bench.http.get('/orders', { headers })).status).toBe(200);
    await bench.http.post('/_sandbox/accounts/9000000001', { static_ip: { primary: '10.0.0.1' } });
    expect((await validate()).data.is_matched).toBe(false);
    expect((await bench.http.get('/orders', { headers })).status).toBe(403);
    await bench.close();
  });
});

describe('Rate limit of trading paths', () => {
  it.each([
    ['live', 10],
    ['uat', 100],
  ] as const)('allows with %s %d a second, then answers 429 without a cool-down', async (rateLimit, max) => {
    const bench = await start({ rateLimit });
    const headers = await logIn(bench);
    const statuses: number[] = [];
    for (let count = 0; count <= max; count += 1) statuses.push((await bench.http.get('/orders', { headers })).status);
    expect(statuses.lastIndexOf(200)).toBe(max - 1);
    expect(statuses[max]).toBe(429);
    await bench.advance('PT1S');
    expect((await bench.http.get('/orders', { headers })).status).toBe(200);
    await bench.close();
  });
});

describe('A bad body from who has no session', () => {
  it('is answered by what is wrong with the session, as a good one is', async () => {
    const bench = await start();
    const headers = await logIn(bench);
    const unknown = { ...headers, authorization: 'Bearer none' };
    const places = ['/orders/v2/single', '/sentinel/orders/create', '/charts/timeseries', '/totp/enable'];
    const post = (path: string, body: unknown, by: Record<string, string>) =>
      bench.http.post(path, body, { headers: { ...by, 'content-type': 'application/json' } });
    for (const path of places) {
      for (const body of [{}, '{"orders":']) {
        expect((await post(path, body, unknown)).status).toBe(401);
        expect((await post(path, body, headers)).status).toBe(400);
      }
    }
    await bench.advance('PT8H');
    for (const path of places) expect((await post(path, {}, headers)).status).toBe(440);
    await bench.close();
  });
});
