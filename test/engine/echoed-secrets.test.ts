/**
 * A service that gives every secret back, in all its words and in whatever form: no error, item, execution record or
 * log line contains one.
 */
import type { INodeParameters } from 'n8n-workflow';
import { clock } from '../../nodes/host/clock';
import { echoes } from '../fuzz/hostile';
import { Engine, allTextOf } from '../support/engine';
import { orderForm } from '../support/parameters';
import { FIRST_ACCOUNT, testSandbox, type TestSandbox } from '../support/sandbox';
import { scripted, type Answer, type ScriptedServer, type Seen } from '../support/scripted';
import { share } from '../support/sample';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const jwt = (kind: string): string =>
  [{ alg: 'none' }, { kind, exp: 4_000_000_000 }, { kind }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
const CODE = '604817';
const SECRETS = {
  mpin: FIRST_ACCOUNT.mpin,
  totpSecret: FIRST_ACCOUNT.totpSecret,
  otp: '482913',
  auth: jwt('auth'),
  session: jwt('session'),
  generated: 'MFRGGZDFMZTWQ2LKNNWG23TPOBYXE43U',
  code: CODE,
  pan: 'ABCDE1234F',
};
type Name = keyof typeof SECRETS;
/** Secrets in a credential with TOTP, and a PAN, which has its special form. */
const STORED: Name[] = ['mpin', 'totpSecret', 'generated', 'auth', 'session', 'pan'];
/** Tokens are not known before they come. */
const AT_LOGIN: Name[] = ['mpin', 'totpSecret', 'generated', 'pan'];
const BY_OTP: Name[] = ['mpin', 'otp', 'pan'];
const said = (names: Name[], form: number): string => names.map((name) => echoes(SECRETS[name])[form]).join(' , ');
const FORMS = share(
  echoes('x').map((_, form) => form),
  12,
  0,
);

let sandbox: TestSandbox;
let server: ScriptedServer;
let answer: (request: Seen) => Answer;

beforeAll(async () => {
  sandbox = await testSandbox();
  server = await scripted((request) => answer(request));
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
});

const login: Record<string, Answer> = {
  '/totp/login': { status: 201, body: JSON.stringify({ auth_token: SECRETS.auth, next: 'ENTER_MPIN' }) },
  '/verifypin': { status: 200, body: JSON.stringify({ session_token: SECRETS.session, next: 'DASHBOARD' }) },
};
const bodies = (names: Name[], form: number) => [JSON.stringify({ error: said(names, form) }), said(names, form)];

let engines = 0;
const fresh = async (more = {}): Promise<Engine> =>
  await Engine.start({
    ...sandbox.credential,
    generatedTotpSecret: SECRETS.generated,
    sandboxBaseUrl: server.url,
    deviceId: `echo ${++engines}`,
    ...more,
  });

/**
 * Checks that no secret was seen. A MPIN of four digits is masked only if it is not part of a longer word, and so is
 * each echo of it.
 */
async function expectClean(engine: Engine, names: Name[], seen: unknown): Promise<void> {
  const text = `${allTextOf(seen)}\n${engine.logger.lines.join('\n')}`;
  const found = names.flatMap((name) =>
    echoes(SECRETS[name]).filter((echo) => (name === 'mpin' ? alone(echo).test(text) : text.includes(echo))),
  );
  expect(found).toEqual([]);
}
const alone = (text: string) => new RegExp(`(?<![\\w.-])${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w.-])`);

const REQUESTS: [string, INodeParameters][] = [
  ['an order', orderForm()],
  ['a read', { resource: 'session', operation: 'getUser', simplify: true }],
  ['a list', { resource: 'order', operation: 'getMany', returnAll: true, simplify: true }],
  ['a file', { resource: 'report', operation: 'download', report: 'demat', from: '2026-11-01', to: '2026-11-10' }],
  ['TOTP', { resource: 'session', operation: 'totpDisable' }],
];

it.each(FORMS)('no secret is repeated in refusals, form %i', async (form) => {
  for (const [, parameters] of REQUESTS)
    for (const body of bodies(STORED, form)) {
      answer = ({ url }) => login[url] ?? { status: 400, body };
      const engine = await fresh();
      const { run, error } = await engine.run(parameters);
      expect(error?.message).toMatch(/service|order/i);
      await expectClean(engine, STORED, [run.data, error]);
    }
});

it.each(FORMS)('no secret is repeated in what is taken, or refused with the status 200, form %i', async (form) => {
  const engine = await fresh();
  for (const name of ['message', 'error']) {
    const body = JSON.stringify({ [name]: said([...STORED, 'code'], form) });
    answer = ({ url }) => login[url] ?? { status: 200, body: url.startsWith('/userinfo') ? '{}' : body };
    const parameters = { resource: 'session', operation: 'totpEnable', confirmWith: 'code', code: CODE };
    const { items, run, error } = await engine.run(parameters);
    if (name === 'message') expect(items[0]?.json).toMatchObject({ totp_enabled: true });
    else expect(error?.message).toMatch(/The service refused the code or the MPIN/);
    // The code itself is a field of the node, which the execution holds.
    const seen = [items.map(({ json }) => json), error?.message, error?.description, error?.stack];
    await expectClean(engine, [...STORED, 'code'], error === undefined ? run.data.resultData.runData : seen);
  }
});

it.each(FORMS)('no secret is repeated in a refused login, form %i, in the node and in the trigger', async (form) => {
  for (const step of ['/totp/login', '/verifypin'])
    for (const body of bodies(STORED, form)) {
      answer = ({ url }) => (url === step ? { status: 400, body } : (login[url] ?? { status: 200, body: '{}' }));
      const engine = await fresh();
      const { run, error } = await engine.run({ resource: 'session', operation: 'getUser', simplify: true });
      expect(error?.message).toMatch(/refused|session|log|not the brokerage service/i);
      const trigger = await engine
        .trigger({ watch: 'orders', events: ['fill'] }, { mode: 'manual' })
        .catch((cause: unknown) => cause);
      await expectClean(engine, AT_LOGIN, [run.data, error, trigger instanceof Error ? trigger : '']);
    }
  await clock.sleep(1_000);
});

it.each(FORMS)('no secret is repeated in a refused OTP, form %i', async (form) => {
  answer = ({ url }) =>
    url === '/sendphoneotp'
      ? { status: 200, body: JSON.stringify({ temp_token: 'temp-token-of-echo', next: 'VERIFY_MOBILE' }) }
      : { status: 400, body: bodies(BY_OTP, form)[0]! };
  const engine = await fresh({ loginMethod: 'otp', totpSecret: '' });
  await engine.run({ resource: 'session', operation: 'requestOtp' });
  const { run, error } = await engine.run(
    { resource: 'session', operation: 'logInWithOtp', otp: '={{ $json.typed }}' },
    { items: [{ json: { typed: SECRETS.otp } }] },
  );
  expect(error?.message).toContain('refused');
  // The record of a form contains what the user typed into it; nothing that results from the form contains it.
  await expectClean(engine, BY_OTP, [run.data.resultData.runData.Brokerage, error]);
});
