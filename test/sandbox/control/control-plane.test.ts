import axios from 'axios';
import crypto from 'node:crypto';
import http from 'node:http';
import os from 'node:os';
import { describeWith } from '../../support/needs';
import { logIn, start, type Bench } from '../support';
import { controlAllowed, hostAllowed } from '../../../sandbox/src/web/access';
import { sameCode } from '../../../sandbox/src/sessions/one-time-codes';

describe('Control plane', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await start();
  });
  afterEach(() => bench.close());

  it('health says version, service, seed, clock and phase', async () => {
    expect((await bench.http.get('/_sandbox/health')).data).toEqual({
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      as: 'specification',
      seed: 7,
      clock: { now: '2026-11-23T10:00:00.000+05:30', mode: 'manual', speed: 0, going_to: null },
      phase: 'OPEN',
      models: {
        fill: expect.stringContaining('order book'),
        impact: expect.stringContaining('square root'),
        latency: expect.stringContaining('orders take that long'),
        charges: expect.stringContaining('dated tables'),
      },
    });
  });

  it('the clock is set, advanced, sped up, and never goes back', async () => {
    const clock = async (body: unknown) => await bench.http.post('/_sandbox/clock', body);
    expect((await clock({ advance: 'PT1H' })).data.now).toBe('2026-11-23T11:00:00.000+05:30');
    expect((await clock({ set: '2026-11-23T12:00:00+05:30' })).data.now).toBe('2026-11-23T12:00:00.000+05:30');
    expect((await clock({ set: '2026-11-23T11:00:00+05:30' })).status).toBe(400);
    expect((await clock({ set: '2026-11-23T23:00:00' })).data.error).toContain('with its offset');
    expect((await clock({ advance: 'an hour' })).status).toBe(400);
    expect((await clock({ mode: 'real', speed: 60 })).data).toMatchObject({ mode: 'accelerated', speed: 60 });
    expect((await clock({ mode: 'manual' })).data).toMatchObject({ mode: 'manual', speed: 0 });
    expect((await clock({ mode: 'fast' })).status).toBe(400);
  });

  it('the clock stops where the market ends', async () => {
    const clock = async (body: unknown) => await bench.http.post('/_sandbox/clock', body);
    expect(await clock({ advance: 'P1000Y' })).toMatchObject({
      status: 400,
      data: { error: expect.stringContaining('2033-12-31') },
    });
    expect((await clock({ set: '9999-01-01T00:00:00Z' })).status).toBe(400);
    await expect(start({ start: '2035-01-01T10:00:00+05:30' })).rejects.toThrow(
      '--start must be from 2010-06-01 to 2033-12-31',
    );
    await expect(start({ start: '2005-01-01T10:00:00+05:30' })).rejects.toThrow('--start');
  });

  it('the journal gives what came after a number, and one kind of it', async () => {
    await logIn(bench);
    const all = (await bench.http.get('/_sandbox/journal')).data as { seq: number; kind: string }[];
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_entry, index) => index + 1));
    expect((await bench.http.get(`/_sandbox/journal?after=${all.length - 1}`)).data).toHaveLength(1);
    expect((await bench.http.get('/_sandbox/journal?kind=trade')).data).toEqual([]);
    expect((await bench.http.get('/_sandbox/journal?after=x')).status).toBe(400);
  });

  it('the inbox has what was sent, newest first, of one person or of all', async () => {
    const send = async (phone: string) => {
      const { data } = await bench.http.post('/sendphoneotp', { phone });
      await bench.http.post(
        '/sendphoneotp',
        { phone, skip_totp: true },
        { headers: { 'x-temp-token': data.temp_token } },
      );
    };
    await send('9000000001');
    await send('9000000002');
    const { data } = await bench.http.get('/_sandbox/inbox?phone=9000000002');
    const message = {
      kind: 'sms',
      to: '9000000002',
      text: expect.stringMatching(/^\d{6} /),
      at: '2026-11-23T10:00:00.000+05:30',
    };
    // An account without TOTP is sent its OTP by the first call too (docs/service/login-and-session.md#when-the-otp-is-sent).
    expect(data).toEqual([
      { id: 3, ...message },
      { id: 2, ...message },
    ]);
    expect((await bench.http.get('/_sandbox/inbox')).data.map(({ id }: { id: number }) => id)).toEqual([3, 2, 1]);
  });

  it('accounts get funds and holdings, and tell what they have', async () => {
    const { data } = await bench.http.post('/_sandbox/accounts/9000000002', {
      funds: 5_000_000,
      holdings: [{ symbol: 'TCS', qty: 12, avg_price: 300_000 }],
    });
    expect(data.funds.available).toBe(5_000_000);
    expect(data.holdings).toContainEqual(expect.objectContaining({ symbol: 'TCS', qty: 12, cost: 3_600_000 }));
    expect((await bench.http.post('/_sandbox/accounts/1', {})).status).toBe(404);
    expect((await bench.http.post('/_sandbox/accounts/9000000002', { fund: 1 })).status).toBe(400);
  });

  it('reset goes back to the opening state, with another seed if one is given', async () => {
    const headers = await logIn(bench);
    const master = async (by: Record<string, string>) =>
      (await bench.http.get('/refdata/refdata/2026-11-23', { headers: by })).data.refdata.map(
        (row: { ref_id: number }) => row.ref_id,
      );
    const before = await master(headers);
    expect((await bench.http.post('/_sandbox/reset', { seed: 8 })).data.seed).toBe(8);
    expect((await bench.http.get('/userinfo', { headers })).status).toBe(401);
    expect((await bench.http.get('/_sandbox/journal')).data).toEqual([]);
    const after = await master(await logIn(bench));
    expect(after).not.toEqual(before);
    expect((await bench.http.post('/_sandbox/reset')).status).toBe(200);
  });

  it('the dialect is read and changed, and a wrong switch is named', async () => {
    expect((await bench.http.get('/_sandbox/dialect')).data).toMatchObject({
      multi_response: 'array',
      empty_list: 'array',
      verify_status: '201',
    });
    expect(
      (await bench.http.put('/_sandbox/dialect', { verify_status: '200', otp_first_next: 'VERIFY_TOTP' })).data
        .verify_status,
    ).toBe('200');
    expect((await bench.http.post('/sendphoneotp', { phone: '9000000002' })).data.next).toBe('VERIFY_TOTP');
    expect((await bench.http.put('/_sandbox/dialect', { empty_list: 'none' })).data.error).toContain('array or null');
    expect((await bench.http.put('/_sandbox/dialect', { nothing: 'x' })).data.error).toContain('nothing');
  });

  it('describes every endpoint in OpenAPI 3.1, with the schemas that requests are checked with', async () => {
    const { data } = await bench.http.get('/_sandbox/openapi.json');
    expect(data.openapi).toBe('3.1.0');
    for (const path of [
      '/sendphoneotp',
      '/orders/v2/single',
      '/orders/v2/basket',
      '/charts/timeseries',
      '/bhavcopy/nse/{date}',
      '/portfolio/holdings',
      '/report/summary',
    ]) {
      expect(Object.keys(data.paths)).toContain(path);
    }
    const schema = data.paths['/orders/v2/single'].post.requestBody.content['application/json'].schema;
    expect(schema.required).toContain('ref_id');
    expect((await bench.http.get('/_sandbox/docs')).headers['content-type']).toMatch(/^text\/html/);
  });

  it('lets only this machine in by its name, and not a page of another site', async () => {
    const { port } = bench.running;
    const requested = (host: string) =>
      new Promise<number>((resolve, reject) => {
        http
          .get({ port, host: '127.0.0.1', path: '/_sandbox/health', headers: { host } }, (reply) =>
            resolve(reply.resume().statusCode!),
          )
          .on('error', reject);
      });
    expect(await requested(`127.0.0.1:${port}`)).toBe(200);
    expect(await requested(`localhost:${port}`)).toBe(200);
    expect(await requested(`evil.example:${port}`)).toBe(403);
    const reset = (origin: string) =>
      bench.http.post('/_sandbox/reset', 'x', { headers: { origin, 'content-type': 'text/plain' } });
    expect((await reset('https://evil.example')).status).toBe(403);
    expect((await bench.http.post('/_sandbox/reset', {}, { headers: { origin: bench.running.url } })).status).toBe(200);
  });

  it('refuses bodies that are too large, are no JSON, or go nowhere, in the words of the service', async () => {
    expect((await bench.http.post('/sendphoneotp', { phone: 'x'.repeat(1_100_000) })).status).toBe(413);
    const broken = await bench.http.post('/sendphoneotp', '{"phone":', {
      headers: { 'content-type': 'application/json' },
      transformRequest: [(text: string) => text],
    });
    expect([broken.status, broken.data]).toEqual([400, { error: expect.stringContaining('JSON'), svc_error_code: '' }]);
    expect((await bench.http.get('/nowhere')).data.error).toContain('/nowhere');
    expect(await bench.http.get('/%zz')).toMatchObject({
      status: 400,
      data: { error: expect.any(String), svc_error_code: '' },
    });
    expect(await bench.http.get(`/orders/${'9'.repeat(300)}`)).toMatchObject({
      status: 414,
      data: { error: expect.any(String), svc_error_code: '' },
    });
    const headers = await logIn(bench);
    for (const path of ['/refdata/refdata/2026-11-23', '/optionchains/INFY/price', '/optionchains/NIFTY']) {
      expect([path, (await bench.http.get(`${path}?exchange=NSE&exchange=BSE`, { headers })).status]).toEqual([
        path,
        400,
      ]);
    }
  });
});

/** An address of this machine that other machines can reach. */
const OUTSIDE = {
  name: 'a network',
  found: Object.values(os.networkInterfaces())
    .flat()
    .find(
      (networkInterface) =>
        networkInterface !== undefined && !networkInterface.internal && networkInterface.family === 'IPv4',
    )?.address,
};

describeWith(OUTSIDE, 'Who may use the control plane from another machine', (outside) => {
  it('the service is open to all, the control plane and the page only with the token', async () => {
    const bench = await start({ host: '0.0.0.0', controlToken: 'a token of a test' });
    const from = (path: string, headers = {}) =>
      axios.get(`http://${outside}:${bench.running.port}${path}`, {
        validateStatus: () => true,
        headers,
        maxRedirects: 0,
      });
    expect((await from('/userinfo')).status).toBe(401);
    for (const path of [
      '/_sandbox/health',
      '/_sandbox/inbox',
      '/_sandbox/',
      '/_sandbox/openapi.json',
      '/%5fsandbox/inbox',
      '//_sandbox/inbox',
      '/_sandbox/../_sandbox/inbox',
    ]) {
      const { status, data } = await from(path);
      expect([path, [401, 404].includes(status), JSON.stringify(data).includes('one-time')]).toEqual([
        path,
        true,
        false,
      ]);
    }
    expect((await from('/_sandbox/inbox', { 'x-control-token': 'a token' })).status).toBe(401);
    expect((await from('/_sandbox/inbox', { 'x-control-token': 'a token of a test' })).status).toBe(200);
    // A browser asks the person, and sends what they type as a password.
    expect((await from('/_sandbox/')).headers['www-authenticate']).toMatch(/^Basic /);
    const typed = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    expect((await from('/_sandbox/inbox', typed('me:a token of a test'))).status).toBe(200);
    expect((await from('/_sandbox/inbox', typed('me:another'))).status).toBe(401);
    await bench.close();
  });
});

describe('Who may use the control plane', () => {
  it('codes and tokens are compared by their digests, all of them, whatever their lengths', () => {
    const compare = jest.spyOn(crypto, 'timingSafeEqual');
    expect([
      sameCode('1357', '1357'),
      sameCode('1358', '1357'),
      sameCode('', '1357'),
      sameCode('1'.repeat(10_000), '1357'),
    ]).toEqual([true, false, false, false]);
    expect(
      compare.mock.calls.map(([arrayBufferView, other]) => [arrayBufferView.byteLength, other.byteLength]),
    ).toEqual([
      [32, 32],
      [32, 32],
      [32, 32],
      [32, 32],
    ]);
    compare.mockRestore();
  });

  it('nobody may without the token where one is set: not this machine, and so no proxy on it', async () => {
    const bench = await start({ controlToken: 'a token of a test' });
    const sent: [string, Record<string, string>][] = [
      ['nothing', {}],
      ['another token', { 'x-control-token': 'a token of a tes' }],
      ['an empty one', { 'x-control-token': '' }],
      ['a proxy that names a client', { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1' }],
      ['a password with more', { authorization: `Basic ${Buffer.from('me:a token of a test ').toString('base64')}` }],
    ];
    const asked = ['/_sandbox/health', '/_sandbox/inbox', '/_sandbox/', '/_sandbox/docs', '/_sandbox/openapi.json'];
    for (const [what, headers] of sent)
      for (const url of asked) {
        const { status, data } = await bench.http.get(url, { headers });
        expect([what, url, status]).toEqual([what, url, 401]);
        expect(JSON.stringify(data)).toContain('x-control-token');
      }
    expect((await bench.http.get('/userinfo')).data.error).toContain('Bearer token');
    for (const url of asked) {
      const { status } = await bench.http.get(url, { headers: { 'x-control-token': 'a token of a test' } });
      expect([url, status]).toEqual([url, 200]);
    }
    await bench.close();
  });

  it('this machine may where no token is set, and else whoever sends it', () => {
    const allowed = (remoteAddress: string, host: string, token: string | undefined, expected: string | undefined) =>
      controlAllowed({ remoteAddress, host, token }, { listensOn: 'my-machine', expected });
    expect(allowed('127.0.1.1', 'my-machine:8787', undefined, undefined)).toBe(true);
    expect(allowed('127.0.0.1', 'localhost:8787', undefined, undefined)).toBe(true);
    expect(allowed('::1', '[::1]:8787', undefined, undefined)).toBe(true);
    expect(allowed('10.0.0.9', '10.0.0.9', undefined, undefined)).toBe(false);
    for (const from of ['10.0.0.9', '127.0.0.1', '::1', '::ffff:127.0.0.1'])
      for (const token of ['wrong', '', undefined])
        expect([from, token, allowed(from, '127.0.0.1:8787', token, 'secret')]).toEqual([from, token, false]);
    expect(allowed('10.0.0.9', 'sandbox:8787', 'secret', 'secret')).toBe(true);
  });

  it('a page of another site whose name leads to this machine may not, also when the sandbox listens to others', async () => {
    const bench = await start({ host: '0.0.0.0' });
    const requested = (path: string, host: string) =>
      new Promise((resolve, reject) => {
        http
          .get({ host: '127.0.0.1', port: bench.running.port, path, headers: { host } }, ({ statusCode }) =>
            resolve(statusCode),
          )
          .on('error', reject);
      });
    expect(await requested('/userinfo', 'sandbox:8787')).toBe(401);
    expect(await requested('/_sandbox/inbox', 'evil.example:8787')).toBe(403);
    expect(await requested('/_sandbox/inbox', `127.0.0.1:${bench.running.port}`)).toBe(200);
    await bench.close();
  });

  it('hosts may by names of this machine, and by addresses when it listens to others', () => {
    expect(hostAllowed('10.0.0.9:8787', '127.0.0.1')).toBe(false);
    expect(hostAllowed('10.0.0.9:8787', '0.0.0.0')).toBe(true);
    expect(hostAllowed('evil.example', '10.0.0.9')).toBe(false);
    expect(hostAllowed(undefined, '127.0.0.1')).toBe(false);
    expect(hostAllowed('[::1]:8787', '127.0.0.1')).toBe(true);
  });
});

describe('Brand words', () => {
  it('appear in every branded name, in REST and on the stream', async () => {
    const bench = await start({ platformWord: 'acme', serviceWord: 'zip' });
    const headers = await logIn(bench);
    const { data } = await bench.http.get('/refdata/refdata/2026-11-23', { headers });
    expect(data.refdata[0]).toHaveProperty('acme_name');
    expect(data.refdata[0]).toHaveProperty('acme_id');
    expect((await bench.http.get('/nowhere')).data).toHaveProperty('zip_error_code', '');
    expect(JSON.stringify((await bench.http.get('/portfolio/holdings', { headers })).data)).toContain('"zip_name"');
    expect(JSON.stringify(data)).not.toContain('plat_');
    await bench.close();
  });
});
