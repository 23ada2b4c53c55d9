/**
 * The renewal of a session under an n8n before 2.34 (seen in 1.123): it stores everything that it handed to the login
 * step, not only what came back, and an error that it passes on has lost its cause.
 */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { BrokerageApi } from '../../../credentials/BrokerageApi.credentials';
import { authenticatedHttp, logInByHand, stopTrading, storeOf } from '../../../nodes/host/http';
import { BASE } from '../../support/login-service';
import { fields, OldN8n } from '../../support/old-n8n';
import { clock } from '../../support/virtual-clock';
import type { VirtualTime } from '../../support/virtual-time';

jest.mock('../../../nodes/host/clock', () => jest.requireActual('../../support/virtual-clock'));

const open = (stored: ICredentialDataDecryptedObject) => new OldN8n(stored, clock as unknown as VirtualTime);
const ask = async ({ context }: OldN8n) =>
  await authenticatedHttp(
    context,
    storeOf(context, new Set()),
  )({ method: 'GET', url: `${BASE}/userinfo`, headers: {}, timeoutMs: 1_000 });

it('twenty requests without a session share one login, and nothing of its way is stored', async () => {
  const n8n = open(fields());
  const names = Object.keys(n8n.stored).sort();
  const replies = await Promise.all(Array.from({ length: 20 }, async () => await ask(n8n)));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  expect(n8n.service.logins).toBe(1);
  expect(Object.keys(n8n.stored).sort()).toEqual(names);
  expect(n8n.stored.loginClaim).toBe('');
  n8n.service.kill();
  expect((await ask(n8n)).status).toBe(200);
  expect(n8n.service.logins).toBe(2);
});

it('a refused MPIN is told in its words, and the claim is gone', async () => {
  const n8n = open(fields({ mpin: '1111' }));
  await expect(ask(n8n)).rejects.toThrow(/The MPIN was refused/);
  await expect(ask(n8n)).rejects.toThrow(/The MPIN was refused/);
  expect([n8n.service.pins, n8n.stored.loginClaim]).toEqual([['1111'], '']);
});

it('a login by hand sends the OTP and logs in with it', async () => {
  const n8n = open(fields({ loginMethod: 'otp', otp: '', sendOtpAgain: false }));
  const names = Object.keys(n8n.stored).sort();
  expect(await logInByHand(n8n.context, '')).toBe('otp_sent');
  expect(await logInByHand(n8n.context, n8n.service.inbox.at(-1) ?? '')).toBe('logged_in');
  expect((await ask(n8n)).status).toBe(200);
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

it("a leftover of an earlier version in the credential is in nobody's way, and goes with the next login", async () => {
  const n8n = open(fields(LEFT));
  expect((await ask(n8n)).status).toBe(200);
  expect(n8n.service.logins).toBe(1);
  expect(Object.keys(n8n.stored)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/renewal|sessionKept|unattended/)]),
  );
  expect(n8n.stored.loginClaim).toBe('');
});

it('a test of the credential sends an OTP although an earlier version left word that nobody waits', async () => {
  const n8n = open(fields({ ...LEFT, loginMethod: 'otp' }));
  await n8n.test();
  expect(n8n.service.inbox).toHaveLength(1);
});

it('the test of a credential that has a session is signed after the login step has looked at it, and nothing similar is', async () => {
  const n8n = open(fields());
  await ask(n8n);
  const type = new BrokerageApi();
  const test = { method: 'GET', baseURL: BASE, url: '/userinfo' } as const;
  // n8n takes an error of this shape for a refused session, and runs the login step.
  const notLookedAt = {
    message: 'It is not known whether the stored session is still valid.',
    response: { status: 401 },
  };
  await expect(type.authenticate({ ...n8n.stored }, { ...test })).rejects.toMatchObject(notLookedAt);
  await n8n.test();
  const { headers } = await type.authenticate(n8n.stored, { ...test });
  expect(headers).toMatchObject({ Authorization: `Bearer ${String(n8n.stored.sessionToken)}` });
  for (const other of [
    { method: 'POST', url: '/userinfo' },
    { method: 'GET', url: '/orders/v2' },
    { method: 'GET', url: 'https://foreign.example/userinfo', baseURL: '' },
  ] as const)
    await expect(type.authenticate({ ...n8n.stored }, { ...test, ...other })).rejects.toThrow('was not sent');
});

it('an n8n that does not store what the login step returns is told to be too old', async () => {
  const n8n = open(fields());
  n8n.stores = false;
  await expect(ask(n8n)).rejects.toThrow(/this n8n is too old: 1\.123\.81 or later/i);
  expect(n8n.service.requests).toEqual([]);
});

it('an n8n that does not store that trading is stopped is told so', async () => {
  const n8n = open(fields({ tradingStopped: false }));
  n8n.stores = false;
  await expect(stopTrading(n8n.context, storeOf(n8n.context, new Set()))).rejects.toThrow(/too old/);
});

it('a credential class of another installation of the package signs nothing of ours, and the order is known not to be sent', async () => {
  let other: typeof import('../../../credentials/BrokerageApi.credentials') | undefined;
  jest.isolateModules(() => {
    other = jest.requireActual<typeof import('../../../credentials/BrokerageApi.credentials')>(
      '../../../credentials/BrokerageApi.credentials',
    );
  });
  const n8n = open(fields());
  expect((await ask(n8n)).status).toBe(200);
  const context = n8n.contextOf(new other!.BrokerageApi());
  const before = n8n.service.requests.length;
  const order = { method: 'POST', url: `${BASE}/orders/v2/single`, headers: {}, body: '{}', timeoutMs: 1_000 } as const;
  await expect(authenticatedHttp(context, storeOf(context, new Set()))(order)).rejects.toMatchObject({
    message: 'The request was not sent: n8n did not have it signed.',
    hint: expect.stringContaining('restart n8n') as string,
    name: 'SessionError',
  });
  expect(n8n.service.requests).toHaveLength(before);
});
