import { decode } from './jwt';
import { DEVICE, FIRST, logIn, logInByOtp, lastOtp, now, pin, SECOND, start, totpAt, type Bench } from '../support';

describe('Login', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await start();
  });
  afterEach(() => bench.close());

  const begin = (phone = SECOND.phone) => bench.http.post('/sendphoneotp', { phone, skip_totp: false });
  const send = (temp: string, phone = SECOND.phone) =>
    bench.http.post('/sendphoneotp', { phone, skip_totp: true }, { headers: { 'x-temp-token': temp } });
  const verify = (temp: string, otp: string, device = DEVICE) =>
    bench.http.post(
      '/verifyphoneotp',
      { phone: SECOND.phone, otp },
      { headers: { 'x-temp-token': temp, 'x-device-id': device } },
    );
  const totpLogin = (totp: unknown, phone = FIRST.phone) =>
    bench.http.post('/totp/login', { phone, totp, otp: '' }, { headers: { 'x-device-id': DEVICE } });
  const userinfo = (headers: Record<string, string>) => bench.http.get('/userinfo', { headers });

  it('goes from the phone to the dashboard by OTP, each reply naming the next step', async () => {
    const first = await begin();
    expect(first.status).toBe(200);
    expect(first.data).toEqual({
      attempts_left: 4,
      email: 'ravi@sandbox.invalid',
      expiry: 300,
      flow: 'LOGIN',
      message: expect.any(String),
      next: 'VERIFY_MOBILE',
      phone: SECOND.phone,
      temp_token: expect.any(String),
    });
    expect((await bench.http.get('/_sandbox/inbox')).data).toHaveLength(1);
    const second = await send(first.data.temp_token);
    expect(second.data.next).toBe('VERIFY_MOBILE');
    expect(second.data.temp_token).not.toBe(first.data.temp_token);
    const verified = await verify(second.data.temp_token, await lastOtp(bench.http, SECOND.phone));
    expect(verified.status).toBe(201);
    expect(verified.data).toEqual({
      auth_token: expect.any(String),
      flow: 'LOGIN',
      message: expect.any(String),
      next: 'ENTER_MPIN',
    });
    const done = await bench.http.post(
      '/verifypin',
      { pin: SECOND.mpin },
      { headers: { authorization: `Bearer ${verified.data.auth_token}`, 'x-device-id': DEVICE } },
    );
    expect(done.status).toBe(200);
    expect(done.data).toEqual({
      email: 'ravi@sandbox.invalid',
      message: expect.any(String),
      next: 'DASHBOARD',
      phone: SECOND.phone,
      session_token: expect.any(String),
      userId: 100002,
    });
  });

  it('needs one call with VERIFY_MOBILE, as the first call has sent the OTP', async () => {
    const first = await begin();
    const otp = await lastOtp(bench.http, SECOND.phone);
    expect((await verify(first.data.temp_token, otp)).status).toBe(201);
  });

  it('replaces the live challenge by an unconditional second call: the first code is then unauthorized', async () => {
    const first = await begin();
    const otp = await lastOtp(bench.http, SECOND.phone);
    const second = await send(first.data.temp_token);
    expect((await verify(first.data.temp_token, otp)).status).toBe(401);
    expect((await verify(second.data.temp_token, otp)).status).toBe(401);
  });

  it('sends no OTP with VERIFY_TOTP: the second call, which skips TOTP, sends it', async () => {
    const first = await begin(FIRST.phone);
    expect(first.data.next).toBe('VERIFY_TOTP');
    expect((await bench.http.get('/_sandbox/inbox')).data).toEqual([]);
    expect((await send(first.data.temp_token, FIRST.phone)).data.next).toBe('VERIFY_MOBILE');
    expect((await bench.http.get('/_sandbox/inbox')).data).toHaveLength(1);
  });

  it('sends nothing at the first call with the dialect otp_first_call=silent, as the specification tells it', async () => {
    await bench.http.put('/_sandbox/dialect', { otp_first_call: 'silent' });
    const first = await begin();
    expect(first.data.next).toBe('VERIFY_MOBILE');
    expect((await bench.http.get('/_sandbox/inbox')).data).toEqual([]);
    const second = await send(first.data.temp_token);
    expect((await verify(second.data.temp_token, await lastOtp(bench.http, SECOND.phone))).status).toBe(201);
  });

  it('takes only the latest temp token', async () => {
    const first = await begin();
    const second = await send(first.data.temp_token);
    const otp = await lastOtp(bench.http, SECOND.phone);
    expect((await verify(first.data.temp_token, otp)).status).toBe(401);
    expect((await send(first.data.temp_token)).status).toBe(401);
    expect((await verify(second.data.temp_token, otp)).status).toBe(201);
  });

  it('forgives three wrong OTPs, counts them down, and locks at the fourth until a quarter of an hour has passed', async () => {
    const temp = (await send((await begin()).data.temp_token)).data.temp_token as string;
    const otp = await lastOtp(bench.http, SECOND.phone);
    const wrong = otp === '000000' ? '111111' : '000000';
    for (const left of [3, 2, 1, 0]) {
      const refused = await verify(temp, wrong);
      expect([refused.status, refused.data.attempts_left]).toEqual([401, left]);
    }
    expect((await verify(temp, otp)).status).toBe(403);
    expect((await begin()).status).toBe(403);
    await bench.advance('PT15M');
    expect((await begin()).data.attempts_left).toBe(4);
  });

  it('refuses an OTP after five minutes, and one that was used', async () => {
    let temp = (await send((await begin()).data.temp_token)).data.temp_token as string;
    const otp = await lastOtp(bench.http, SECOND.phone);
    expect((await verify(temp, otp)).status).toBe(201);
    expect((await verify(temp, otp)).status).toBe(401);
    temp = (await send((await begin()).data.temp_token)).data.temp_token as string;
    const late = await lastOtp(bench.http, SECOND.phone);
    await bench.advance('PT5M');
    expect((await verify(temp, late)).status).toBe(401);
  });

  it('logs in by TOTP, once with each code, and not by a number', async () => {
    const code = totpAt(FIRST.secret, await now(bench.http));
    const number = await totpLogin(Number(code));
    expect(number.status).toBe(400);
    expect(number.data).toEqual({ error: expect.stringContaining('totp'), svc_error_code: '' });
    expect((await totpLogin(code)).status).toBe(201);
    expect((await totpLogin(code)).status).toBe(401);
    await bench.advance('PT30S');
    expect((await totpLogin(totpAt(FIRST.secret, await now(bench.http)))).status).toBe(201);
  });

  it('refuses a TOTP login where TOTP is off', async () => {
    expect((await totpLogin('123456', SECOND.phone)).status).toBe(400);
  });

  it('refuses /verifypin with x-temp-token, another device, a wrong MPIN', async () => {
    const { data } = await totpLogin(totpAt(FIRST.secret, await now(bench.http)));
    const verifyPin = (mpin: string, more: Record<string, string> = {}) =>
      bench.http.post(
        '/verifypin',
        { pin: mpin },
        { headers: { authorization: `Bearer ${data.auth_token}`, 'x-device-id': DEVICE, ...more } },
      );
    expect((await verifyPin(FIRST.mpin, { 'x-temp-token': 'x' })).status).toBe(400);
    expect((await verifyPin(FIRST.mpin, { 'x-device-id': 'another' })).status).toBe(401);
    const wrong = await verifyPin('0000');
    expect([wrong.status, wrong.data.attempts_left]).toEqual([401, 3]);
    expect((await verifyPin(FIRST.mpin)).status).toBe(200);
  });

  it('gives a session of seven hours whose exp can be read, and mints another from the auth token', async () => {
    const { data } = await totpLogin(totpAt(FIRST.secret, await now(bench.http)));
    const session = await pin(bench.http, data.auth_token, FIRST.mpin);
    const at = await now(bench.http);
    const livesFor = decode(session['authorization']!.slice(7)).exp - at / 1000;
    expect(Math.round(livesFor / 60)).toBe(7 * 60);
    expect((await userinfo(session)).status).toBe(200);
    await bench.advance('PT6H58M');
    expect((await userinfo(session)).status).toBe(200);
    await bench.advance('PT2M');
    expect((await userinfo(session)).status).toBe(440);
    const renewed = await pin(bench.http, data.auth_token, FIRST.mpin);
    expect((await userinfo(renewed)).status).toBe(200);
    await bench.advance('PT18H');
    await expect(pin(bench.http, data.auth_token, FIRST.mpin)).rejects.toThrow('440');
  });

  it('ends the earlier session at a new login, and at a log out', async () => {
    const old = await logIn(bench);
    await bench.advance('PT30S');
    const fresh = await logIn(bench);
    expect((await userinfo(old)).status).toBe(440);
    expect((await userinfo(fresh)).status).toBe(200);
    expect((await bench.http.post('/logout', {}, { headers: fresh })).status).toBe(200);
    expect((await userinfo(fresh)).status).toBe(440);
  });

  it('wants the bearer token and the device id of the login', async () => {
    const session = await logInByOtp(bench);
    expect((await userinfo({})).status).toBe(401);
    expect((await userinfo({ ...session, authorization: 'Bearer x.y.z' })).status).toBe(401);
    expect((await userinfo({ ...session, 'x-device-id': 'another' })).status).toBe(401);
    expect((await userinfo(session)).data.env_info.order_service_ws_url).toBe(
      `${bench.running.url.replace('http', 'ws')}/stream`,
    );
  });

  it('keeps codes and tokens out of the journal', async () => {
    const session = await logInByOtp(bench);
    const otp = await lastOtp(bench.http, SECOND.phone);
    const journal = JSON.stringify((await bench.http.get('/_sandbox/journal')).data);
    expect(journal).toContain('session_begun');
    for (const secret of [otp, SECOND.mpin, session['authorization']!.slice(7)]) expect(journal).not.toContain(secret);
  });

  it.each([
    ['refused', { text: 201, number: 400 }],
    ['accepted', { text: 201, number: 201 }],
    ['required', { text: 400, number: 201 }],
  ])('counts no wrong code for a refused form with totp_number %s', async (form, statuses) => {
    await bench.http.put('/_sandbox/dialect', { totp_number: form });
    const code = totpAt(FIRST.secret, await now(bench.http));
    const refused = statuses.text === 400 ? code : Number(code);
    if (form !== 'accepted') {
      const { status, data } = await totpLogin(refused);
      expect([status, data.error]).toEqual([400, expect.stringContaining('cannot unmarshal')]);
      expect(data).not.toHaveProperty('attempts_left');
    }
    expect((await totpLogin(form === 'refused' ? code : Number(code))).status).toBe(201);
  });

  it('an institution logs in by codes, name and password, and then by MPIN', async () => {
    const body = { exchange_client_code: 'SBXINST', client_code: 'SBX001', username: 'asha', password: 'sandbox-2026' };
    const insti = (more: object = {}) =>
      bench.http.post('/login-insti', { ...body, ...more }, { headers: { 'x-device-id': DEVICE } });
    for (const wrong of [{ password: 'x' }, { username: 'x' }, { exchange_client_code: 'x' }])
      expect((await insti(wrong)).data).toMatchObject({
        error: expect.stringMatching(/^Wrong/),
        attempts_left: expect.any(Number),
      });
    expect((await insti({ client_code: 'SBX002' })).status).toBe(400);
    const { status, data } = await insti();
    expect([status, data.next]).toEqual([201, 'ENTER_MPIN']);
    const headers = { authorization: `Bearer ${data.auth_token}`, 'x-device-id': DEVICE };
    expect((await bench.http.post('/verifypin', { pin: FIRST.mpin }, { headers })).data.next).toBe('DASHBOARD');
    const journal = JSON.stringify((await bench.http.get('/_sandbox/journal')).data);
    expect(journal).not.toContain(body.password);
  });
});
