/**
 * The renewal of a session under an n8n as it was before 2.34 (seen in 1.123): it stores everything that it handed to the login step,
 * not only what came back, and an error that it passes on has lost its cause.
 */
import { randomUUID } from 'crypto';
import { Readable } from 'stream';
import type {
  IAllExecuteFunctions,
  ICredentialDataDecryptedObject,
  IHttpRequestHelper,
  IHttpRequestOptions,
} from 'n8n-workflow';
import { BrokerageApi } from '../../../credentials/BrokerageApi.credentials';
import { authenticatedHttp, logInByHand, storeOf } from '../../../nodes/host/http';
import { BASE, LoginModel, MPIN, PHONE, SECRET } from '../../support/login-service';
import { clock } from '../../support/virtual-clock';
import type { VirtualTime } from '../../support/virtual-time';

jest.mock('../../../nodes/host/clock', () => jest.requireActual('../../support/virtual-clock'));

/** What n8n gives out of a failed request: no cause, no class of its own. */
class OldNodeApiError extends Error {
  override readonly cause = undefined;
  readonly httpCode = null;
}

/** One credential of an old n8n, and the service that it logs in to. */
class OldN8n {
  readonly service = new LoginModel(clock as VirtualTime);
  private readonly type = new BrokerageApi();
  /** Whether what the login step returns is stored. */
  stores = true;

  constructor(public stored: ICredentialDataDecryptedObject) {}

  private readonly helper = {
    httpRequest: async (options: IHttpRequestOptions) => {
      const reply = await this.service.http({
        method: (options.method ?? 'GET') as 'GET',
        url: options.url,
        headers: options.headers as Record<string, string>,
        ...(options.body === undefined ? {} : { body: options.body as string }),
        timeoutMs: 1_000,
      });
      return { statusCode: reply.status, headers: reply.headers, body: Readable.from([reply.body]) };
    },
  };

  readonly context = {
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined },
    getNode: () => ({ credentials: { brokerageApi: { id: 'one', name: 'one' } } }),
    getCredentials: async () => ({ ...this.stored }),
    helpers: {
      httpRequestWithAuthentication: async (
        _type: string,
        options: IHttpRequestOptions,
        { credentialsDecrypted }: { credentialsDecrypted: { data: ICredentialDataDecryptedObject } },
      ) => {
        try {
          const credentials = credentialsDecrypted.data;
          if (credentials.sessionToken === '') {
            const output = await this.type.preAuthentication.call(
              { helpers: this.helper } as unknown as IHttpRequestHelper,
              credentials,
            );
            Object.assign(credentials, output);
            // What has no value is not stored: n8n stores JSON.
            if (this.stores) this.stored = JSON.parse(JSON.stringify(credentials)) as ICredentialDataDecryptedObject;
          }
          return await this.helper.httpRequest(await this.type.authenticate(credentials, options));
        } catch (error) {
          throw new OldNodeApiError((error as Error).message);
        }
      },
    },
  } as unknown as IAllExecuteFunctions;

  /** The credential's own test in the form: the login step, and nothing of a node. */
  async test() {
    const helper = { helpers: this.helper } as unknown as IHttpRequestHelper;
    Object.assign(this.stored, await this.type.preAuthentication.call(helper, { ...this.stored }));
  }

  async ask() {
    return await authenticatedHttp(
      this.context,
      storeOf(this.context, new Set()),
    )({ method: 'GET', url: `${BASE}/userinfo`, headers: {}, timeoutMs: 1_000 });
  }
}

const fields = (more: object = {}) => ({
  environment: 'live',
  liveBaseUrl: BASE,
  deviceId: `old ${randomUUID()}`,
  loginMethod: 'totp',
  phone: PHONE,
  mpin: MPIN,
  totpSecret: SECRET,
  mark: '',
  sessionToken: '',
  authToken: '',
  tempToken: '',
  loginClaim: '',
  loginState: '',
  ...more,
});

it('twenty requests without a session share one login, and nothing of its way is stored', async () => {
  const n8n = new OldN8n(fields());
  const names = Object.keys(n8n.stored).sort();
  const replies = await Promise.all(Array.from({ length: 20 }, async () => await n8n.ask()));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  expect(n8n.service.logins).toBe(1);
  expect(Object.keys(n8n.stored).sort()).toEqual(names);
  expect(n8n.stored.loginClaim).toBe('');
  n8n.service.kill();
  expect((await n8n.ask()).status).toBe(200);
  expect(n8n.service.logins).toBe(2);
});

it('a refused MPIN is told in its own words, and the claim is gone', async () => {
  const n8n = new OldN8n(fields({ mpin: '1111' }));
  await expect(n8n.ask()).rejects.toThrow(/The MPIN was refused/);
  await expect(n8n.ask()).rejects.toThrow(/The MPIN was refused/);
  expect([n8n.service.pins, n8n.stored.loginClaim]).toEqual([['1111'], '']);
});

it('a login by hand sends the OTP and logs in with it', async () => {
  const n8n = new OldN8n(fields({ loginMethod: 'otp', otp: '', sendOtpAgain: false }));
  const names = Object.keys(n8n.stored).sort();
  expect(await logInByHand(n8n.context, '')).toBe('otp_sent');
  expect(await logInByHand(n8n.context, n8n.service.inbox.at(-1) ?? '')).toBe('logged_in');
  expect((await n8n.ask()).status).toBe(200);
  expect(Object.keys(n8n.stored).sort()).toEqual(names);
});

/** As the package before stored it on such an n8n: the way of a login, and a claim of a process that is long gone. */
const LEFT = {
  renewal: { step: 'login' },
  unattended: true,
  sessionKept: true,
  loginClaim: 'k2x-7',
  otp: '',
  sendOtpAgain: false,
};

it("what an earlier version left in the credential is in nobody's way, and goes with the next login", async () => {
  const n8n = new OldN8n(fields(LEFT));
  expect((await n8n.ask()).status).toBe(200);
  expect(n8n.service.logins).toBe(1);
  expect(Object.keys(n8n.stored)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/renewal|sessionKept|unattended/)]),
  );
  expect(n8n.stored.loginClaim).toBe('');
});

it('a test of the credential sends an OTP although an earlier version left word that nobody waits', async () => {
  const n8n = new OldN8n(fields({ ...LEFT, loginMethod: 'otp' }));
  await n8n.test();
  expect(n8n.service.inbox).toHaveLength(1);
});

it('an n8n that does not store what the login step returns is told to be too old', async () => {
  const n8n = new OldN8n(fields());
  n8n.stores = false;
  await expect(n8n.ask()).rejects.toThrow(/this n8n is too old: 1\.123\.81 or later/i);
  expect(n8n.service.requests).toEqual([]);
});
