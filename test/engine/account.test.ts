/** Session operations that change the account, and what a date without a file does to the session. */
import { createHash } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { fingerprintLogin, readSettings } from '../../client/session/settings';
import { clock } from '../../nodes/host/clock';
import { Engine, allTextOf } from '../support/engine';
import { FIRST_ACCOUNT, testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;
beforeEach(async () => {
  sandbox = await testSandbox({ rateLimit: 'off' });
  engine = await Engine.start(sandbox.credential);
});
afterEach(async () => await sandbox.close());

const run = async (operation: string, parameters = {}) =>
  await engine.run({ resource: 'session', operation, ...parameters });
const logins = async () => (await sandbox.control<{ logins: number }>('GET', 'stats')).logins;

it('logs out, tells that the session has expired without making a new one, and logs in again when it must', async () => {
  expect((await run('check')).items[0]?.json).toMatchObject({ alive: false, expires_at: null });
  expect((await run('logOut')).items[0]?.json).toMatchObject({ logged_out: true, had_session: false });
  expect(await logins()).toBe(0);
  await run('getUser');
  expect((await run('check')).items[0]?.json).toMatchObject({
    alive: true,
    expires_at: expect.stringContaining('+05:30'),
  });
  expect((await run('logOut')).items[0]?.json).toMatchObject({ logged_out: true, had_session: true });
  expect((await run('check')).items[0]?.json).toMatchObject({ alive: false });
  expect(await logins()).toBe(1);
  expect((await run('getUser')).error).toBeUndefined();
  expect(await logins()).toBe(2);
});

/** Stores other entries, to which the session of before belongs. */
async function change(entries: Record<string, string>): Promise<void> {
  const fields = { ...(await engine.storedCredential()), ...entries };
  const loginState = {
    ...(JSON.parse(String(fields.loginState)) as object),
    for: fingerprintLogin(readSettings({ ...fields, otp: '' })),
  };
  await engine.setCredential({ ...fields, loginState: JSON.stringify(loginState) });
}

/** Logged in by OTP, as somebody is who sets TOTP up. */
async function byOtp(): Promise<void> {
  await run('getUser');
  await change({ loginMethod: 'otp', totpSecret: '' });
}

it('switches TOTP off and on again with a new secret, which is in the credential and nowhere else', async () => {
  expect((await run('totpDisable')).items[0]?.json).toMatchObject({ totp_enabled: false });
  await byOtp();
  const made = await run('totpGenerate');
  expect(made.items[0]?.json).toEqual({ secret_stored: true, has_qr: false, environment: 'sandbox' });
  expect(made.items[0]?.binary).toBeUndefined();
  const stored = await engine.storedCredential();
  const secret = String(stored.generatedTotpSecret);
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(stored.sessionToken).not.toBe('');
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() });
  const wrong = await run('totpEnable', { confirmWith: 'code', code: code === '000000' ? '000001' : '000000' });
  expect(wrong.error?.message).toContain('refused the code');
  expect(wrong.error?.description).toContain('not sent again');
  expect((await run('totpEnable', { confirmWith: 'code', code: 123456 })).error?.message).toContain('as text');
  const enabled = await run('totpEnable', { confirmWith: 'secret' });
  expect(enabled.error).toBeUndefined();
  expect(enabled.items[0]?.json).toMatchObject({ totp_enabled: true });
  await change({ loginMethod: 'totp' });
  await clock.sleep(31_000);
  expect((await run('getUser')).error).toBeUndefined();
  const seen = `${allTextOf([made.run, wrong.run, enabled.run])}\n${engine.logger.lines.join('\n')}\n${JSON.stringify(await sandbox.journal())}`;
  expect(seen).not.toContain(secret);
  expect(seen).not.toContain(FIRST_ACCOUNT.totpSecret);
});

it('gives the QR code as a picture where somebody asks for it, and as nothing else', async () => {
  await byOtp();
  const { items, run: record } = await run('totpGenerate', { options: { qrCode: true } });
  expect(Engine.bytes(items[0], 'qr').subarray(1, 4).toString()).toBe('PNG');
  expect(Object.keys(items[0]?.binary ?? {})).toEqual(['qr']);
  expect(allTextOf(record)).not.toContain((await engine.storedCredential()).generatedTotpSecret);
});

it('makes no secret for a credential that logs in by TOTP, and makes no code without one', async () => {
  await run('getUser');
  const before = await engine.storedCredential();
  expect((await run('totpGenerate')).error?.message).toContain('a new secret would end that. Nothing was sent');
  expect(await engine.storedCredential()).toEqual(before);
  await byOtp();
  const { error } = await run('totpEnable', { confirmWith: 'secret' });
  expect(error?.message).toContain('The TOTP Secret cannot be used: it is empty');
});

it.each<[string, object]>([
  ['totpDisable', {}],
  ['totpEnable', { code: '000000' }],
])(
  '%s sends a refused MPIN or code once, whatever items there are and however often n8n tries',
  async (operation, parameters) => {
    await byOtp();
    expect((await run('totpGenerate')).error).toBeUndefined();
    await change({ mpin: '0000' });
    const refused = async () =>
      (await sandbox.journal()).filter(({ kind, step }) => kind === 'login' && step === 'code_refused').length;
    const form = { resource: 'session', operation, ...parameters };
    const first = await engine.run(form, {
      items: [{ json: {} }, { json: {} }, { json: {} }],
      onError: 'continueRegularOutput',
      retryOnFail: true,
    });
    expect(first.items.map(({ json }) => json.error)).toEqual(
      Array.from({ length: 3 }, () => expect.stringContaining('The service refused')),
    );
    expect(await refused()).toBe(1);
    const second = await engine.run(form, { retryOnFail: true });
    expect(second.error?.description).toContain('not sent again');
    expect(await refused()).toBe(2);
  },
);

it.each([
  ['a Sunday', '2026-11-15', 'not a trading day'],
  ['a future day', '2026-11-27', 'in the future'],
])('a date without an end-of-day file (%s) says so and logs nobody out', async (_, date, words) => {
  await run('getUser');
  const before = await engine.storedCredential();
  const { error } = await engine.run({
    resource: 'bhavcopy',
    operation: 'getRows',
    type: 'BhavcopyCM',
    day: 'date',
    date,
  });
  expect(error?.message).toContain(words);
  expect((await engine.storedCredential()).sessionToken).toBe(before.sessionToken);
  expect(await logins()).toBe(1);
});

it('an end-of-day file with an expired session is downloaded with one new login', async () => {
  await run('getUser');
  await sandbox.control('POST', `accounts/${FIRST_ACCOUNT.phone}`, { expire_sessions: true });
  const { items, error } = await engine.run({
    resource: 'bhavcopy',
    operation: 'getRows',
    type: 'BhavcopyCM',
    limit: 2,
  });
  expect(error).toBeUndefined();
  expect(items).toHaveLength(2);
  expect(await logins()).toBe(2);
});

it('gives the same file as the service, byte for byte, and its rows typed and filtered', async () => {
  const file = await engine.run({
    resource: 'bhavcopy',
    operation: 'download',
    type: 'BhavcopyCM',
    day: 'date',
    date: '2026-11-19',
    options: { binaryProperty: 'eod' },
  });
  const bytes = Engine.bytes(file.items[0], 'eod');
  const { sessionToken } = await engine.storedCredential();
  const raw = await fetch(`${sandbox.url}/bhavcopy/nse/20261119?format=csv&type=BhavcopyCM20261119`, {
    headers: { authorization: `Bearer ${String(sessionToken)}`, 'x-device-id': 'test' },
  });
  const digest = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
  expect(digest(bytes)).toBe(digest(new Uint8Array(await raw.arrayBuffer())));
  const [header = ''] = bytes.toString().split(/\r?\n/, 1);
  const symbolColumn = header.split(',').find((name) => /symb/i.test(name)) ?? '';
  const rows = await engine.run({
    resource: 'bhavcopy',
    operation: 'getRows',
    type: 'BhavcopyCM',
    day: 'date',
    date: '2026-11-19',
    columnFilters: { filter: [{ column: symbolColumn, value: 'infy' }] },
  });
  expect(rows.items.map(({ json }) => json[symbolColumn])).toEqual(['INFY']);
  expect(Object.values(rows.items[0]?.json ?? {}).some((value) => typeof value === 'number')).toBe(true);
  for (const value of ['={{ $json.nothing }}', '={{ $json }}']) {
    const nothing = await engine.run({
      resource: 'bhavcopy',
      operation: 'getRows',
      type: 'BhavcopyCM',
      day: 'date',
      date: '2026-11-19',
      columnFilters: { filter: [{ column: symbolColumn, value }] },
    });
    expect(nothing.error?.message).toMatch(/^The value for the column TckrSymb /);
  }
  const range = await engine.run({
    ...{ resource: 'bhavcopy', operation: 'getRows', type: 'BhavcopyCM', day: 'date', date: '2026-11-19' },
    columnFilters: { filter: [{ column: 'ClsPric', value: ' > 60' }] },
  });
  expect(range.error?.message).toBe(
    'The value for the column ClsPric is " > 60", and a column filter takes an exact value.',
  );
  const unknown = await engine.run({
    resource: 'bhavcopy',
    operation: 'getRows',
    type: 'BhavcopyCM',
    day: 'date',
    date: '2026-11-19',
    columnFilters: { filter: [{ column: 'Nope', value: 'x' }] },
  });
  expect(unknown.error?.message).toContain('no column Nope');
});
