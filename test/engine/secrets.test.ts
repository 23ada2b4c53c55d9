/**
 * No secret gets out: every operation of the node and the trigger, under every fault of the sandbox, also while they log in,
 * and against a server that gives back in its refusals whatever it was sent. Looked through: items, errors with all their
 * causes, execution records, static data, log lines, the sandbox's journal.
 */
import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';
import { resources } from '../../nodes/Brokerage/actions/resources';
import { REQUEST_ACTIONS, STREAM_ACTIONS } from '../../sandbox/src/control/faults';
import { PEOPLE } from '../../sandbox/src/data/people';
import { propertiesOf } from '../../nodes/Brokerage/actions/properties';
import { Engine, describe as everything } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { FIRST_ACCOUNT, testSandbox, type TestSandbox } from '../support/sandbox';
import { scripted, type ScriptedServer } from '../support/scripted';

jest.mock('../../nodes/shared/clock', () => jest.requireActual('../support/virtual-clock'));

const operations = Object.entries(resources).flatMap(([resource, { operations: all }]) => Object.keys(all).map((operation) => ({ resource, operation })));
/** Their output is a secret by its nature, and n8n is told so (`sensitiveOutputFields`). */
const GIVES_A_SECRET = new Set(['totpGenerate']);
const FAULTS = [
  undefined,
  ...[400, 401, 403, 429, 440, 500].map((status) => ({ action: 'status', args: { status } })),
  ...REQUEST_ACTIONS.filter((action) => action !== 'status').map((action) => ({ action, args: { ms: 1 } })),
];

const LOCATOR = { __rl: true, mode: 'symbol', value: 'NSE:INFY' };
const FILLED: INodeParameters = { instrument: LOCATOR, orderId: '1763712345678900001', basketId: '1863712345678900001', code: '123456', price: 1000, query: 'INFY', asset: 'NIFTY', otp: '123456', totp: '123456', phone: '' };

/** The operation's form as it opens, with what must be filled in. */
function formOf(resource: string, operation: string): INodeParameters {
  const properties: INodeProperties[] = propertiesOf(resources, resource);
  const needed = resources[resource]!.operations[operation]!.properties.filter(({ required, type }) => required && type === 'string');
  const chosen = { resource, operation, ...Object.fromEntries(needed.map(({ name }) => [name, 'NIFTY'])), ...FILLED };
  return { ...(NodeHelpers.getNodeParameters(properties, chosen, true, false, null, null) as INodeParameters), resource, operation };
}

let sandbox: TestSandbox;
let engine: Engine;
let mirror: ScriptedServer;

beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off' });
  engine = await Engine.start(sandbox.credential);
  mirror = await scripted((request) => {
    if (request.url === '/totp/login') return { status: 201, body: JSON.stringify({ auth_token: jwt('auth'), next: 'ENTER_MPIN' }) };
    if (request.url === '/verifypin') return { status: 200, body: JSON.stringify({ session_token: jwt('session'), next: 'DASHBOARD' }) };
    return { status: 400, body: JSON.stringify({ error: `cannot: ${request.method} ${request.url} ${JSON.stringify(request.headers)} ${request.body}` }) };
  });
});
afterAll(async () => {
  await sandbox.close();
  await mirror.close();
});

const jwt = (kind: string): string => [{ alg: 'none' }, { kind, exp: 4_000_000_000 }, { kind }].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');

/** All secrets that exist now: those that were entered, and every token that is or was stored. */
const known = new Set<string>();
async function noteSecrets(): Promise<void> {
  const stored = await engine.storedCredential();
  for (const name of ['totpSecret', 'sessionToken', 'authToken', 'tempToken', 'pastedToken']) {
    const secret = stored[name];
    if (typeof secret === 'string' && secret.length > 5) known.add(secret);
  }
}
function leaked(text: string, mpin?: string): string[] {
  const found = [...known].filter((secret) => text.includes(secret));
  return mpin !== undefined && new RegExp(`(?<![\\w.-])${mpin}(?![\\w.-])`).test(text) ? [...found, 'the MPIN'] : found;
}

it.each(operations)('$resource: $operation', async ({ resource, operation }) => {
  for (const fault of FAULTS) {
    if (fault) await sandbox.control('POST', 'faults', { match: {}, ...fault, times: 3 });
    const { run } = await engine.run(formOf(resource, operation), { onError: 'continueErrorOutput' });
    if (fault) await sandbox.control('DELETE', 'faults');
    await noteSecrets();
    const seen = GIVES_A_SECRET.has(operation) ? everything(run.data.resultData.error) : everything(run.data.resultData);
    expect([fault?.action, leaked(seen)]).toEqual([fault?.action, []]);
    // Among the figures of the items four digits may be anything.
    expect(leaked(String(run.data.resultData.error?.message), sandbox.credential.mpin as string)).toEqual([]);
  }
  expect(leaked(engine.logger.lines.join('\n'))).toEqual([]);
  expect(leaked(JSON.stringify(await sandbox.journal()))).toEqual([]);
});

it.each(operations)('$resource: $operation, when the service gives back what it was sent', async ({ resource, operation }) => {
  const mpin = '975318';
  const before = await engine.storedCredential();
  await engine.setCredential({ ...sandbox.credential, sandboxBaseUrl: mirror.url, mpin });
  const { run } = await engine.run(formOf(resource, operation));
  await noteSecrets();
  expect(leaked(everything(run.data.resultData), mpin)).toEqual([]);
  expect(leaked(engine.logger.lines.join('\n'), mpin)).toEqual([]);
  await engine.setCredential(before);
});

it('knows the secrets that it looks for', () => {
  expect([...known].filter((secret) => secret.split('.').length === 3).length).toBeGreaterThan(2);
  expect(leaked(`x ${[...known][0]} y`, '1357')).toHaveLength(1);
  expect(leaked('the pin is 1357', '1357')).toEqual(['the MPIN']);
});
