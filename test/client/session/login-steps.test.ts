import { UnreadableReplyError } from '../../../client/base/errors';
import type { WireRequest, WireResponse } from '../../../client/base/ports';
import {
  requestUserInfo,
  isOfAnotherService,
  sendPhoneOtp,
  totpLogin,
  verifyPhoneOtp,
  verifyPin,
  type LoginTransport,
} from '../../../client/session/login-steps';
import { BASE, MPIN, PHONE } from '../../support/login-service';

type Answer = { status?: number; headers?: Record<string, string>; text: string };

/** A wire that gives one reply, and the requests that were sent over it. */
function wire(answer: Answer): { wire: LoginTransport; sent: WireRequest[]; signal: AbortSignal } {
  const sent: WireRequest[] = [];
  const { signal } = new AbortController();
  const http: LoginTransport['http'] = async (request, given) => {
    expect(given).toBe(signal);
    sent.push(request);
    return { status: answer.status ?? 200, headers: answer.headers ?? {}, body: Buffer.from(answer.text) };
  };
  return { wire: { http, baseUrl: BASE, deviceId: 'n8n', secrets: ['seed'], signal }, sent, signal };
}
const JSON_HEADERS = { Accept: 'application/json', 'Content-Type': 'application/json' };

describe('each step of the login is sent as the specification has it', () => {
  it.each<[string, (to: LoginTransport) => Promise<unknown>, Answer, object, unknown]>([
    [
      'the first call for an OTP',
      async (to) => await sendPhoneOtp(to, PHONE),
      { text: '{"temp_token":"t","next":"VERIFY_MOBILE","attempts_left":3}' },
      { url: `${BASE}/sendphoneotp`, headers: JSON_HEADERS, body: { phone: PHONE, skip_totp: false } },
      { tempToken: 't', next: 'VERIFY_MOBILE', attemptsLeft: 3 },
    ],
    [
      'the second call for an OTP',
      async (to) => await sendPhoneOtp(to, PHONE, 'temp'),
      { text: '{"temp_token":"t"}' },
      {
        url: `${BASE}/sendphoneotp`,
        headers: { ...JSON_HEADERS, 'x-temp-token': 'temp' },
        body: { phone: PHONE, skip_totp: true },
      },
      { tempToken: 't', next: '' },
    ],
    [
      'an OTP',
      async (to) => await verifyPhoneOtp(to, PHONE, '123456', 'temp'),
      { status: 201, text: '{"auth_token":"a"}' },
      {
        url: `${BASE}/verifyphoneotp`,
        headers: { ...JSON_HEADERS, 'x-temp-token': 'temp', 'x-device-id': 'n8n' },
        body: { phone: PHONE, otp: '123456' },
      },
      'a',
    ],
    [
      'a TOTP code',
      async (to) => await totpLogin(to, PHONE, '012345'),
      { text: '{"auth_token":"a"}' },
      {
        url: `${BASE}/totp/login`,
        headers: { ...JSON_HEADERS, 'x-device-id': 'n8n' },
        body: { phone: PHONE, totp: '012345', otp: '' },
      },
      'a',
    ],
    [
      'a TOTP code as a number',
      async (to) => await totpLogin(to, PHONE, 12345),
      { text: '{"auth_token":"a"}' },
      {
        url: `${BASE}/totp/login`,
        headers: { ...JSON_HEADERS, 'x-device-id': 'n8n' },
        body: { phone: PHONE, totp: 12345, otp: '' },
      },
      'a',
    ],
    [
      'the MPIN',
      async (to) => await verifyPin(to, MPIN, 'auth'),
      { text: '{"data":{"session_token":"s"}}' },
      {
        url: `${BASE}/verifypin`,
        headers: { ...JSON_HEADERS, 'x-device-id': 'n8n', Authorization: 'Bearer auth' },
        body: { pin: MPIN },
      },
      's',
    ],
  ])('%s goes out in that form', async (_what, send, answer, { body, ...request }: { body?: object }, value) => {
    const { wire: to, sent } = wire(answer);
    expect(await send(to)).toEqual({ ok: true, value });
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ method: 'POST', timeoutMs: 30_000, ...request });
    expect(Object.keys(sent[0]!.headers).sort()).toEqual(Object.keys((request as { headers: object }).headers).sort());
    expect(JSON.parse(sent[0]!.body!)).toEqual(body);
  });

  it('the session check goes out in that form, and leads to no login', async () => {
    const { wire: to, sent } = wire({ text: '{}' });
    expect((await requestUserInfo(to, 'session')).status).toBe(200);
    expect(sent).toEqual([
      {
        method: 'GET',
        url: `${BASE}/userinfo`,
        headers: { Accept: 'application/json', 'x-device-id': 'n8n', Authorization: 'Bearer session' },
        timeoutMs: 15_000,
        keepSession: true,
      },
    ]);
  });

  it.each<[string, (to: LoginTransport) => Promise<unknown>, string]>([
    ['tempToken', async (to) => await sendPhoneOtp(to, PHONE, 'a\nb'), 'The temporary token of the service'],
    ['tempToken', async (to) => await verifyPhoneOtp(to, PHONE, '123456', ''), 'The temporary token of the service'],
    ['authToken', async (to) => await verifyPin(to, MPIN, ''), 'The auth token of the service'],
    ['sessionToken', async (to) => await requestUserInfo(to, ''), 'The session token'],
  ])('nothing is sent with a %s that no header can hold', async (parameter, send, label) => {
    const { wire: to, sent } = wire({ text: '{}' });
    await expect(send(to)).rejects.toMatchObject({ parameter, message: expect.stringContaining(label) });
    expect(sent).toEqual([]);
  });
});

describe('a refusal', () => {
  const refused = async (answer: Answer) => await totpLogin(wire(answer).wire, PHONE, '012345');

  it('says what the service said, the attempts that are left, and its time', async () => {
    const date = 'Fri, 20 Nov 2026 04:30:00 GMT';
    expect(
      await refused({ status: 400, headers: { date }, text: '{"error":"invalid totp","attempts_left":2}' }),
    ).toEqual({
      ok: false,
      status: 400,
      text: 'invalid totp',
      words: 'invalid totp',
      isForeign: false,
      isOwnForm: true,
      attemptsLeft: 2,
      date,
    });
    expect(await refused({ status: 429, text: '' })).toEqual({
      ok: false,
      status: 429,
      text: '',
      words: '',
      isForeign: false,
      isOwnForm: false,
    });
  });

  it.each([
    ['its code', '012345'],
    ['its code as a number', '654321'],
    ['the phone', PHONE],
    ['a secret of the credential', 'seed'],
  ])('does not repeat %s', async (_what, secret) => {
    const answer = { status: 400, text: `{"error":"bad ${secret}."}` };
    const code = secret === '654321' ? 654321 : '012345';
    const { text } = (await totpLogin(wire(answer).wire, PHONE, code)) as unknown as { text: string };
    expect(text).not.toContain(secret);
    expect(text).toMatch(/^bad /);
  });

  it('does not repeat the token of the step before', async () => {
    const { wire: to } = wire({ status: 440, text: '{"error":"bad token-of-before"}' });
    expect(await verifyPin(to, MPIN, 'token-of-before')).toMatchObject({
      text: expect.not.stringContaining('token-of-before') as string,
    });
  });

  const page = { 'content-type': 'text/html' };
  it.each([
    [404, {}, true],
    [405, {}, true],
    [501, {}, true],
    [500, {}, false],
    [400, {}, false],
    [399, page, false],
    [400, page, true],
    [428, page, true],
    [429, page, false],
    [499, page, true],
    [500, page, false],
    [502, page, false],
  ])('is of another service, or not: %i %j', async (status, headers, isForeign) => {
    expect(await refused({ status, headers, text: 'no' })).toMatchObject({ ok: false, isForeign });
  });
});

describe('a success that cannot be read', () => {
  it.each(['', '[]', '<html>', '7'])('is of something else where it is no object: %j', async (text) => {
    expect(await totpLogin(wire({ text }).wire, PHONE, '012345')).toMatchObject({ ok: false, isForeign: true });
  });

  it.each(['{}', '{"auth_token":""}', '{"auth_token":null}', '{"data":{}}'])(
    'says so where the token is missing: %j',
    async (text) => {
      const reason = await totpLogin(wire({ text }).wire, PHONE, '012345').catch((error: unknown) => error);
      expect(reason).toBeInstanceOf(UnreadableReplyError);
      expect(reason).toMatchObject({
        message: 'The service answered /totp/login of the login with something that this version does not understand.',
        hint: 'Check the base address in the credential. If it is right, the service has changed: look for a newer version of this package.',
      });
    },
  );
});

it.each<[number, Record<string, string>, string, boolean]>([
  [200, {}, '{}', false],
  [200, {}, '[]', true],
  [204, {}, '', true],
  [401, {}, '{}', false],
  [401, { 'content-type': 'text/html' }, '<html>', true],
  [404, {}, '{}', true],
])('a reply to the session check is of another service, or not: %i %j %j', (status, headers, text, is) => {
  const reply: WireResponse = { status, headers, body: Buffer.from(text) };
  expect(isOfAnotherService(reply)).toBe(is);
});

it('a refusal shows that a sandbox gave it, and has no date where none came', async () => {
  const { wire: to } = wire({ status: 400, headers: { 'x-sandbox-time': '1' }, text: '{"error":"no"}' });
  const refused = await totpLogin(to, PHONE, '012345');
  expect(refused).toMatchObject({ isSandbox: true });
  expect(refused).not.toHaveProperty('date');
});

it('an OTP is not sent where the token for it is missing, and not verified without an auth token', async () => {
  for (const text of ['{"next":"VERIFY_MOBILE"}', '{"temp_token":"","next":"VERIFY_MOBILE"}'])
    await expect(sendPhoneOtp(wire({ text }).wire, PHONE)).rejects.toBeInstanceOf(UnreadableReplyError);
  for (const text of ['{}', '{"auth_token":""}'])
    await expect(verifyPhoneOtp(wire({ text }).wire, PHONE, '123456', 'temp')).rejects.toBeInstanceOf(
      UnreadableReplyError,
    );
  for (const text of ['{}', '{"session_token":""}'])
    await expect(verifyPin(wire({ text }).wire, MPIN, 'auth')).rejects.toBeInstanceOf(UnreadableReplyError);
});
