/** Sessions in n8n's engine against the sandbox: one login for all, and the credential form in words. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { OutboundHttp } from '@n8n/backend-network';
import { Container } from '@n8n/di';
import {
  NodeApiError,
  type ICredentialDataDecryptedObject,
  type IHttpRequestHelper,
  type IHttpRequestOptions,
  type INode,
  type JsonObject,
} from 'n8n-workflow';
import { BrokerageApi } from '../../credentials/BrokerageApi.credentials';
import { Engine } from '../support/engine';
import { FIRST_ACCOUNT, testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const SECOND_ACCOUNT = { phone: '9000000002', mpin: '2468' };
const NO_OP: INode = {
  id: 'temp',
  name: 'Temp-Node',
  type: 'n8n-nodes-base.noOp',
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
};

let sandbox: TestSandbox;
let engine: Engine;

beforeAll(async () => {
  sandbox = await testSandbox();
  engine = await Engine.start(sandbox.credential);
});
afterAll(async () => await sandbox.close());

const stats = async () => await sandbox.control<{ logins: number }>('GET', 'stats');
const getUser = async () => await engine.run({ resource: 'session', operation: 'getUser', simplify: true });

it('twenty executions at the same moment with an expired session make one login and twenty successes', async () => {
  expect((await getUser()).error).toBeUndefined();
  for (let death = 0; death < 3; death++) {
    const before = (await stats()).logins;
    await sandbox.control('POST', `accounts/${FIRST_ACCOUNT.phone}`, { expire_sessions: true });
    const runs = await Promise.all(Array.from({ length: 20 }, getUser));
    expect(runs.map(({ error }) => error?.message)).toEqual(Array.from({ length: 20 }, () => undefined));
    expect((await stats()).logins).toBe(before + 1);
  }
});

it('reads the stored credential once for what an execution asks within a second', async () => {
  const ask = async () =>
    await engine.run({
      resource: 'quote',
      operation: 'getCurrentPrice',
      instrument: 'NSE:INFY',
      options: { moreInstruments: 'TCS, WIPRO' },
    });
  // As after a test of the credential.
  await engine.setCredential({ ...(await engine.storedCredential()), testedSettings: '{}' });
  // Whoever is first logs in and fetches the instruments.
  await ask();
  const read = jest.spyOn(engine.credentials, 'getDecrypted');
  const { error, items } = await ask();
  expect([error, items.length, read.mock.calls.length]).toEqual([undefined, 3, 1]);
  read.mockRestore();
});

/**
 * Steps of n8n when a credential is saved: the login step runs, always, and what it returns is stored; then the test
 * request is signed and sent, and both once more where it is refused with a 401.
 */
class Form {
  private readonly type = new BrokerageApi();
  private readonly helper = {
    helpers: {
      httpRequest: async (options: IHttpRequestOptions) =>
        await Container.get(OutboundHttp).requests().request(options),
    },
  } as unknown as IHttpRequestHelper;

  constructor(public stored: ICredentialDataDecryptedObject) {}

  private async send(): Promise<Response> {
    const credentials = { ...this.stored };
    Object.assign(credentials, await this.type.preAuthentication.call(this.helper, credentials));
    this.stored = JSON.parse(JSON.stringify(credentials)) as ICredentialDataDecryptedObject;
    const { method, url, headers } = await this.type.authenticate(credentials, {
      method: 'GET',
      baseURL: String(this.stored.sandboxBaseUrl),
      url: '/userinfo',
      headers: {},
    });
    return await fetch(url, { method, headers: headers as Record<string, string> });
  }

  /** @returns what the person reads, as n8n makes it of an error; '' when it works. */
  async save(changes: Record<string, string | boolean> = {}): Promise<string> {
    Object.assign(this.stored, changes);
    try {
      const first = await this.send();
      const reply = first.status === 401 ? await this.send() : first;
      return reply.ok
        ? ''
        : (this.type.test.rules ?? [])
            .flatMap((rule) =>
              rule.type === 'responseCode' && rule.properties.value === reply.status ? [rule.properties.message] : [],
            )
            .join();
    } catch (error) {
      const shown = new NodeApiError(NO_OP, error as JsonObject);
      expect(shown.httpCode).toBeNull();
      return shown.message;
    }
  }
}

const inbox = async (): Promise<{ text: string }[]> => {
  const read = await sandbox.control<{ messages?: { text: string }[] } | { text: string }[]>(
    'GET',
    `inbox?phone=${SECOND_ACCOUNT.phone}`,
  );
  return Array.isArray(read) ? read : (read.messages ?? []);
};
const messages = async (): Promise<number> => (await inbox()).length;
const otpIn = async (): Promise<string> => /\d{4,8}/.exec((await inbox())[0]?.text ?? '')?.[0] ?? '';
const otpForm = (deviceId: string) =>
  new Form({
    environment: 'sandbox',
    sandboxBaseUrl: sandbox.url,
    loginMethod: 'otp',
    ...SECOND_ACCOUNT,
    deviceId,
    otp: '',
  });

describe('the credential form', () => {
  it('logs in, and keeps the session at the next save', async () => {
    const form = new Form({ ...sandbox.credential, deviceId: 'form' });
    expect(await form.save()).toBe('');
    const before = (await stats()).logins;
    expect(await form.save()).toBe('');
    expect((await stats()).logins).toBe(before);
  });

  it('makes a new session where the stored one has expired, and where it belongs to what was entered before', async () => {
    const form = new Form({ ...sandbox.credential, deviceId: 'dead' });
    expect(await form.save()).toBe('');
    await sandbox.control('POST', `accounts/${FIRST_ACCOUNT.phone}`, { expire_sessions: true });
    expect(await form.save()).toBe('');
    expect(await form.save({ mpin: '0000' })).toMatch(/^The MPIN was refused\./);
    expect(await form.save({ mpin: FIRST_ACCOUNT.mpin, deviceId: 'other' })).toBe('');
  });

  it('says that the MPIN is wrong, once, with the attempts that are left', async () => {
    const form = new Form({ ...sandbox.credential, deviceId: 'wrong mpin', mpin: '0000' });
    const first = await form.save();
    expect(first).toMatch(/^The MPIN was refused\..*Attempts left: \d\..*Correct the MPIN/);
    expect(await form.save()).toBe(first);
    expect(await form.save({ mpin: FIRST_ACCOUNT.mpin })).toBe('');
  });

  it('says that the TOTP secret is wrong', async () => {
    const form = new Form({
      ...sandbox.credential,
      deviceId: 'wrong secret',
      totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    });
    expect(await form.save()).toMatch(/^The TOTP code was refused\..*Check the TOTP Secret/);
    expect(await form.save({ totpSecret: 'no secret!' })).toMatch(
      /^The TOTP Secret cannot be used: it holds a character/,
    );
    expect(await form.save({ totpSecret: FIRST_ACCOUNT.totpSecret })).toBe('');
  });

  it.each([
    ['http://127.0.0.1:1', /sandbox does not run at http:.*npx brokerage-sandbox/],
    ['http://broker.example', /must begin with https/],
    ['', /Sandbox Base Address is empty/],
  ])('says what is wrong with the address %j', async (sandboxBaseUrl, said) => {
    expect(await new Form({ ...sandbox.credential, deviceId: 'address', sandboxBaseUrl }).save()).toMatch(said);
  });

  it('sends no login to another service at the address of the sandbox', async () => {
    const seen: string[] = [];
    const folder = mkdtempSync(path.join(tmpdir(), 'broker-'));
    const made = ['req', '-x509', '-newkey', 'ed25519', '-nodes', '-days', '1', '-subj', '/CN=broker'];
    execFileSync('openssl', [...made, '-keyout', 'key.pem', '-out', 'cert.pem'], { cwd: folder, stdio: 'ignore' });
    const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(path.join(folder, name)));
    rmSync(folder, { recursive: true });
    const broker = createServer({ key, cert }, (request, response) => {
      seen.push(String(request.url));
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(broker, 'listening');
    // Nobody has signed its certificate.
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    const { port } = broker.address() as AddressInfo;
    const sandboxBaseUrl = `https://127.0.0.1:${port}`;
    expect(await new Form({ ...sandbox.credential, deviceId: 'broker', sandboxBaseUrl }).save()).toMatch(
      /^Environment is Sandbox, but 127\.0\.0\.1:\d+ does not answer as brokerage-sandbox does\. It may be a service with real money\. Nothing was sent/,
    );
    expect(seen).toEqual(['/_sandbox/health']);
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    broker.closeAllConnections();
    broker.close();
  });

  it('switches Allow Live Orders off where another environment is saved, and its own test agrees', async () => {
    // n8n hands over no field that the form does not show, and stores what comes back beside the others.
    const form = new Form({ ...sandbox.credential, deviceId: 'was live' });
    expect(await form.save()).toBe('');
    expect(form.stored.allowLiveOrders).toBe(false);
    expect(JSON.parse(String(form.stored.testedSettings))).toMatchObject({ allowLiveOrders: false });
    expect(await form.save({ environment: 'live', liveBaseUrl: sandbox.url, allowLiveOrders: true })).toBe('');
    expect(form.stored.allowLiveOrders).toBe(true);
  });

  it('says what a pasted token lacks', async () => {
    const form = new Form({
      environment: 'sandbox',
      sandboxBaseUrl: sandbox.url,
      loginMethod: 'sessionToken',
      deviceId: 'pasted',
      pastedToken: 'a.b.c',
    });
    expect(await form.save()).toMatch(/no longer accepts the pasted session token/);
    expect(await form.save()).toMatch(/no longer accepts the pasted session token/);
  });

  it.each([
    ['sends', 'VERIFY_MOBILE', '201'],
    ['sends', 'VERIFY_TOTP', '200'],
    ['silent', 'VERIFY_MOBILE', '200'],
  ])(
    'sends the OTP and logs in with it (first call %s, %s, %s)',
    async (otp_first_call, otp_first_next, verify_status) => {
      await sandbox.control('PUT', 'dialect', { otp_first_call, otp_first_next, verify_status });
      const form = otpForm(`otp ${otp_first_call} ${otp_first_next}`);
      const before = await messages();
      expect(await form.save()).toMatch(
        /^An OTP was sent to your phone\. Enter it in the field "OTP" and save again\./,
      );
      expect(await form.save()).toMatch(/^An OTP is already on its way to your phone/);
      const silent = otp_first_call === 'silent';
      expect(await messages()).toBe(before + (silent ? 0 : 1));
      if (silent) {
        for (const said of [/^An OTP was sent/, /^An OTP is already on its way/])
          expect(await form.save({ sendOtpAgain: true })).toMatch(said);
        expect(await messages()).toBe(before + 1);
      }
      await sandbox.control('PUT', 'dialect', { otp_first_call: 'sends', otp_first_next: 'VERIFY_MOBILE' });
      const otp = await otpIn();
      expect(await form.save({ otp })).toBe('');
      expect(form.stored.otp).toBe('');
      expect(await form.save()).toBe('');
      // The OTP typed again, with a session that lives and with one that is dead: the login of before serves.
      expect(await form.save({ otp })).toBe('');
      await sandbox.control('POST', `accounts/${SECOND_ACCOUNT.phone}`, { expire_sessions: true });
      expect(await form.save({ otp })).toBe('');
    },
  );

  it('says that an OTP is wrong, and never sends it again', async () => {
    const form = otpForm('wrong otp');
    await form.save();
    const otp = await otpIn();
    const wrong = otp === '000000' ? '111111' : '000000';
    expect(await form.save({ otp: wrong })).toMatch(/^The OTP was refused\./);
    expect(await form.save({ otp: wrong })).toMatch(/^The OTP was refused, and the same one is not sent again\./);
    expect(await form.save({ otp })).toBe('');
  });
});

describe('a login by OTP from a workflow', () => {
  const session = async (operation: string, more: object = {}) =>
    await engine.run({ resource: 'session', operation, ...more });
  beforeAll(
    async () =>
      await engine.setCredential({
        environment: 'sandbox',
        sandboxBaseUrl: sandbox.url,
        loginMethod: 'otp',
        ...SECOND_ACCOUNT,
        deviceId: 'form workflow',
      }),
  );
  afterAll(async () => await engine.setCredential(sandbox.credential));

  it('is asked for in words where an execution meets no session, without a text message', async () => {
    const before = await otpIn();
    const { error } = await getUser();
    expect(error?.message).toMatch(/needs an OTP that only you can enter/);
    expect(await otpIn()).toBe(before);
  });

  it('sends the OTP to the phone of the credential only, logs in with it, and keeps the session', async () => {
    expect((await session('requestOtp', { phone: '9999999999' })).error?.message).toMatch(
      /not the number in the credential/,
    );
    const requested = await session('requestOtp', { phone: `+91 ${SECOND_ACCOUNT.phone}` });
    expect(requested.error).toBeUndefined();
    expect(requested.items[0]?.json).toMatchObject({ otp_sent: true, logged_in: false });
    expect((await session('logInWithOtp', { otp: 'abcd' })).error?.message).toMatch(/must be the digits/);
    const sent = await messages();
    expect((await session('requestOtp')).items[0]?.json).toMatchObject({ otp_sent: true });
    expect(await messages()).toBe(sent);
    expect((await session('requestOtp', { sendOtpAgain: true })).items[0]?.json).toMatchObject({ otp_sent: true });
    expect(await messages()).toBe(sent + 1);
    const wrong = await session('logInWithOtp', { otp: '000000' });
    expect(wrong.error?.message).toMatch(/^The OTP was refused/);
    const refused = async () =>
      (await sandbox.journal()).filter(({ kind, step }) => kind === 'login' && step === 'code_refused').length;
    const tries = await refused();
    const retried = await engine.run(
      { resource: 'session', operation: 'logInWithOtp', otp: '111111' },
      { retryOnFail: true },
    );
    expect(retried.error?.message).toMatch(/^The OTP was refused, and the same one is not sent again/);
    expect(retried.error?.description).toContain('Request OTP');
    expect(await refused()).toBe(tries + 1);
    const otp = await otpIn();
    const done = await session('logInWithOtp', { otp });
    expect(done.error).toBeUndefined();
    expect(done.items[0]?.json).toEqual({ logged_in: true, environment: 'sandbox' });
    expect(JSON.stringify(done.items)).not.toContain(otp);
    expect((await getUser()).error).toBeUndefined();
    expect((await session('requestOtp')).items[0]?.json).toMatchObject({ otp_sent: false, logged_in: true });
  });

  it('says so where the credential logs in another way', async () => {
    await engine.setCredential(sandbox.credential);
    expect((await session('requestOtp')).error?.message).toMatch(/does not log in by OTP/);
  });
});

it('shows no secret in what n8n keeps of a failed login', async () => {
  const form = new Form({ ...sandbox.credential, deviceId: 'secrets', mpin: '0000' });
  expect(await form.save()).not.toContain('0000');
  expect(String(form.stored.loginState)).not.toContain(FIRST_ACCOUNT.totpSecret);
});
