/**
 * No secret gets out: every operation of the node, under every fault of the sandbox, also while it logs in,
 * and against a server that gives back in its refusals whatever it was sent. Looked through: items, errors with all their
 * causes, execution records, log lines, the sandbox's journal.
 */
import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';
import { resources } from '../../nodes/Brokerage/actions/resources';
import { clock } from '../../nodes/host/clock';
import { REQUEST_ACTIONS } from '../../sandbox/src/simulation/faults';
import { FIRST_USERS } from '../../sandbox/src/simulation/data/first-users';
import { propertiesOf } from '../../nodes/Brokerage/common/properties';
import { Engine, allTextOf } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { FIRST_ACCOUNT, testSandbox, type JournalEntry, type TestSandbox } from '../support/sandbox';
import { share } from '../support/sample';
import { scripted, type ScriptedServer } from '../support/scripted';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const operations = Object.entries(resources).flatMap(([resource, { operations: all }]) =>
  Object.keys(all).map((operation) => ({ resource, operation })),
);
const FAULTS = [
  ...[403, 440, 500].map((status) => ({ action: 'status', args: { status } })),
  ...REQUEST_ACTIONS.filter((action) => action !== 'status').map((action) => ({ action, args: { ms: 1 } })),
];

/** Parameters that each operation needs beyond those of its new form, so that its requests go out. */
const needs = (operation: string): INodeParameters => ({
  ...bySymbol('INFY'),
  minutesAgo: '0, 15',
  ...(operation === 'protectPosition' ? { exits: { stopLoss: 40 }, safety: { dryRun: true } } : {}),
  legs: { leg: [{ ...bySymbol(made.call), quantity: 1, quantityUnit: 'lots', side: 'BUY' }] },
  orderId: made.orderId,
  basketId: made.basketId,
  code: '123456',
  otp: '123456',
  price: 1100,
  updateFields: { quantity: 2 },
  query: 'INFY',
  asset: 'NIFTY',
  phone: '',
  indicators: { entries: [{ indicator: 'rsi' }] },
});

/** The operation's form as it opens, with what must be filled in. */
function formOf(resource: string, operation: string): INodeParameters {
  const properties: INodeProperties[] = propertiesOf(resources, resource);
  const needed = resources[resource]!.operations[operation]!.properties.filter(
    ({ required, type }) => required && type === 'string',
  );
  const chosen = {
    resource,
    operation,
    ...Object.fromEntries(needed.map(({ name }) => [name, 'NIFTY'])),
    ...needs(operation),
  };
  return {
    ...(NodeHelpers.getNodeParameters(properties, chosen, true, false, null, null) as INodeParameters),
    resource,
    operation,
  };
}

/** Logs in by OTP where the operation is for that, and by a token where one may not log in by TOTP. */
const credentialOf = (operation: string, token = ''): Record<string, string | boolean | number> => {
  if (operation === 'totpGenerate') return { ...sandbox.credential, loginMethod: 'sessionToken', pastedToken: token };
  return ['requestOtp', 'logInWithOtp'].includes(operation)
    ? { ...sandbox.credential, loginMethod: 'otp', deviceId: 'by-otp', totpSecret: '' }
    : sandbox.credential;
};

/** Ids that the operations need, made before them. */
const made = { orderId: '1', basketId: '1', call: '' };

let sandbox: TestSandbox;
let engine: Engine;
let mirror: ScriptedServer;

beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off' });
  engine = await Engine.start(sandbox.credential);
  const calls = await engine.run({
    resource: 'instrument',
    operation: 'getMany',
    filters: { underlying: 'NIFTY', kinds: ['OPT'] },
    limit: 1,
  });
  made.call = String(calls.items[0]?.json.symbol);
  mirror = await scripted((request) => {
    if (request.url === '/totp/login')
      return { status: 201, body: JSON.stringify({ auth_token: jwt('auth'), next: 'ENTER_MPIN' }) };
    if (request.url === '/verifypin')
      return { status: 200, body: JSON.stringify({ session_token: jwt('session'), next: 'DASHBOARD' }) };
    return {
      status: 400,
      body: JSON.stringify({
        error: `cannot: ${request.method} ${request.url} ${JSON.stringify(request.headers)} ${request.body}`,
      }),
    };
  });
});
afterAll(async () => {
  await sandbox.close();
  await mirror.close();
});

const jwt = (kind: string): string =>
  [{ alg: 'none' }, { kind, exp: 4_000_000_000 }, { kind }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');

/** All secrets that exist: those that were entered, and every token that is or was stored. */
const known = new Set<string>([...FIRST_USERS.map(({ pan }) => pan)]);
async function noteSecrets(): Promise<void> {
  const stored = await engine.storedCredential();
  for (const name of ['totpSecret', 'generatedTotpSecret', 'sessionToken', 'authToken', 'tempToken', 'pastedToken']) {
    const secret = stored[name];
    if (typeof secret === 'string' && secret.length > 5) known.add(secret);
  }
}
function leaked(text: string, mpin?: string): string[] {
  const found = [...known].filter((secret) => text.includes(secret));
  return mpin !== undefined && new RegExp(`(?<![\\w.-])${mpin}(?![\\w.-])`).test(text) ? [...found, 'the MPIN'] : found;
}

/** An order that rests, and a basket, for the operations that change one. */
async function makeIds(): Promise<void> {
  const order = await engine.run(orderForm({ price: 1_100 }));
  made.orderId = String(order.items[0]?.json.order_id);
  const basket = await engine.run(formOf('basket', 'place'));
  made.basketId = String(basket.items[0]?.json.basket_id);
  await clock.sleep(3_000);
}

/** Refused, whatever is right about the form: the code or the OTP is none, or the older interface does not have it. */
const REFUSED = new Set(['order cancelExit', 'basket modify', 'session totpEnable', 'session logInWithOtp']);

type FaultOfTest = (typeof FAULTS)[number] | undefined;

/** Runs the operation under a fault and looks through all that came of it. @returns the errors that the user reads */
async function keepsSecrets(
  resource: string,
  operation: string,
  fault: FaultOfTest,
  path?: string,
): Promise<unknown[]> {
  if (fault) await sandbox.control('POST', 'faults', { match: path === undefined ? {} : { path }, ...fault, times: 3 });
  const { run, items, errorItems } = await engine.run(formOf(resource, operation), { onError: 'continueErrorOutput' });
  if (fault) await sandbox.control('DELETE', 'faults');
  await noteSecrets();
  const seen = allTextOf([run.data.resultData, items, errorItems]);
  expect([fault, path, leaked(seen)]).toEqual([fault, path, []]);
  const errors = errorItems.map(({ json }) => json.error);
  // Among the figures of the items four digits may be anything.
  expect([
    fault,
    path,
    leaked(`${run.data.resultData.error?.message} ${allTextOf(errors)}`, sandbox.credential.mpin as string),
  ]).toEqual([fault, path, []]);
  return errors;
}

/** Part of the log and of the journal that was looked through. */
const looked = { lines: 0, seq: 0 };
/** Checks the part of both that is new since the last call. */
async function nothingInLogAndJournal(): Promise<void> {
  const lines = engine.logger.lines.slice(looked.lines);
  const entries = await sandbox.control<JournalEntry[]>('GET', `journal?after=${looked.seq}`);
  expect(leaked(lines.join('\n'))).toEqual([]);
  expect(leaked(JSON.stringify(entries))).toEqual([]);
  Object.assign(looked, { lines: looked.lines + lines.length, seq: entries.at(-1)?.seq ?? looked.seq });
}

const faulty = operations.map((operation, at) => ({ ...operation, faults: share(FAULTS, 40, at) }));

it.each(share(faulty, 6, 0))('$resource: $operation shows no secret', async (item) => {
  const { resource, operation, faults } = item;
  await engine.setCredential({
    ...(await engine.storedCredential()),
    ...sandbox.credential,
    // Stop Trading switches it on, and each operation needs new orders.
    tradingStopped: false,
    sessionToken: String((await engine.storedCredential()).sessionToken ?? ''),
  });
  if (['order', 'basket'].includes(resource)) await makeIds();
  const stored = await engine.storedCredential();
  await engine.setCredential({ ...stored, ...credentialOf(operation, String(stored.sessionToken)) });
  for (const fault of [undefined, ...faults]) {
    const errors = await keepsSecrets(resource, operation, fault);
    // Without a fault the operation does what it is for: the form is whole.
    if (!fault && !REFUSED.has(`${resource} ${operation}`)) expect(errors).toEqual([]);
  }
  await sandbox.control('POST', `accounts/${FIRST_ACCOUNT.phone}`, { unlock: true });
  await nothingInLogAndJournal();
});

it.each([
  ['order', 'place', '/totp/login'],
  ['order', 'place', '/verifypin'],
  ['session', 'requestOtp', '/sendphoneotp'],
  ['session', 'logInWithOtp', '/verifyphoneotp'],
])('%s: %s shows no secret while the login fails at %s', async (resource, operation, path) => {
  for (const [index, fault] of [undefined, ...share(FAULTS, 2, 0)].entries()) {
    await sandbox.control('POST', `accounts/${FIRST_ACCOUNT.phone}`, { unlock: true, expire_sessions: true });
    // A new device each time: for another one the process remembers the last login, and that an OTP is in progress.
    await engine.setCredential({ ...credentialOf(operation), deviceId: `device-${operation}-${path}-${index}` });
    if (operation === 'logInWithOtp') await engine.run(formOf('session', 'requestOtp'));
    const errors = await keepsSecrets(resource, operation, fault, path);
    if (fault && fault.action !== 'delay') expect([fault, errors]).toEqual([fault, [expect.any(String)]]);
  }
  await nothingInLogAndJournal();
});

it.each(share(operations, 36, 0))(
  '$resource: $operation shows no secret when the service repeats what it was sent',
  async ({ resource, operation }) => {
    const mpin = '975318';
    const before = await engine.storedCredential();
    await engine.setCredential({ ...credentialOf(operation, jwt('session')), sandboxBaseUrl: mirror.url, mpin });
    const { run } = await engine.run(formOf(resource, operation));
    await noteSecrets();
    expect(leaked(allTextOf(run.data.resultData), mpin)).toEqual([]);
    expect(leaked(engine.logger.lines.join('\n'), mpin)).toEqual([]);
    await engine.setCredential(before);
  },
);

it('the search knows the secrets that it looks for', () => {
  expect([...known].filter((secret) => secret.split('.').length === 3).length).toBeGreaterThan(2);
  expect(leaked(`x ${[...known][0]} y`, '1357')).toHaveLength(1);
  expect(leaked('the pin is 1357', '1357')).toEqual(['the MPIN']);
});
