/** The client's transport over n8n's: sessions renewed and stored, redirects not followed, failures told apart, no secret kept. */
import { Engine, allTextOf } from '../support/engine';
import { scripted, type Answer, type ScriptedServer, type Seen } from '../support/scripted';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const SECRETS = {
  mpin: '913574',
  totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  authToken: 'auth-token-of-the-test',
  session: 'session-token-of-the-test',
};

let engine: Engine;
let server: ScriptedServer;
let answer: (request: Seen) => Answer | undefined;

const loginAnswer = (request: Seen): Answer => {
  if (request.url === '/totp/login')
    return { status: 201, body: JSON.stringify({ auth_token: SECRETS.authToken, next: 'ENTER_MPIN' }) };
  if (request.url === '/verifypin') {
    const logins = server.seen.filter(({ url }) => url === '/verifypin').length;
    return { status: 200, body: JSON.stringify({ session_token: `${SECRETS.session}-${logins}`, next: 'DASHBOARD' }) };
  }
  return { status: 200, body: '{"client_code":"C1","userId":12345678901234567}' };
};

beforeEach(async () => {
  answer = () => undefined;
  server = await scripted((request) => answer(request) ?? loginAnswer(request));
  engine = await Engine.start({
    environment: 'sandbox',
    sandboxBaseUrl: server.url,
    loginMethod: 'totp',
    phone: '9000000001',
    mpin: SECRETS.mpin,
    totpSecret: SECRETS.totpSecret,
    deviceId: `device-${server.url}`,
    sessionToken: '',
  });
});
afterEach(async () => await server.close());

const getUser = async (simplify = false, onError?: 'continueRegularOutput' | 'continueErrorOutput') =>
  await engine.run({ resource: 'session', operation: 'getUser', simplify }, { onError });

/** Returns everything of a run that anybody may read who sees a log line, an error or an execution record. */
const seenByPeople = (run: unknown) => `${allTextOf(run)}\n${engine.logger.lines.join('\n')}`;
const expectNoSecretIn = (text: string) => {
  for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
};

it('logs in before the first request, stores the session, and keeps every digit', async () => {
  const run = await getUser();
  expect(run.error).toBeUndefined();
  expect(run.items[0]?.json).toMatchObject({ client_code: 'C1', userId: '12345678901234567', environment: 'sandbox' });
  expect((await engine.storedCredential()).sessionToken).toBe(`${SECRETS.session}-1`);
  await getUser();
  expect(server.seen.filter(({ url }) => url === '/verifypin')).toHaveLength(1);
  expectNoSecretIn(seenByPeople(run));
});

it.each([401, 440])('renews the session once on %i, stores it and sends the request once more', async (status) => {
  await getUser();
  answer = ({ url, headers }) =>
    url === '/userinfo' && headers.authorization === `Bearer ${SECRETS.session}-1` ? { status } : undefined;
  const run = await getUser();
  expect(run.error).toBeUndefined();
  expect((await engine.storedCredential()).sessionToken).toBe(`${SECRETS.session}-2`);
});

it('says what is wrong when the renewed session is refused as well', async () => {
  answer = ({ url }) => (url === '/userinfo' ? { status: 440, body: '{"error":"session expired"}' } : undefined);
  const run = await getUser();
  expect(run.error?.message).toContain('does not accept the session');
  expect(run.error?.description).toContain('Test the credential');
  expectNoSecretIn(seenByPeople(run.run));
});

it('stops at a refused MPIN with its sentence, without a second attempt', async () => {
  answer = ({ url }) =>
    url === '/verifypin' ? { status: 401, body: '{"error":"wrong pin","attempts_left":2}' } : undefined;
  const run = await getUser();
  expect(run.error?.message).toContain('The MPIN was refused');
  await getUser();
  expect(server.seen.filter(({ url }) => url === '/verifypin')).toHaveLength(1);
  expectNoSecretIn(seenByPeople(run.run));
});

it('follows no redirect, which would carry the token elsewhere', async () => {
  await getUser();
  const elsewhere = await scripted(() => ({ status: 200, body: '{}' }));
  answer = ({ url }) =>
    url === '/userinfo' ? { status: 302, headers: { location: `${elsewhere.url}/userinfo` } } : undefined;
  const run = await getUser();
  expect(run.error?.message).toContain('sent the request elsewhere');
  expect(elsewhere.seen).toHaveLength(0);
  await elsewhere.close();
});

it('says in words that nothing answers at the address', async () => {
  await getUser();
  await server.close();
  const run = await getUser();
  expect(run.error?.message).toContain(`The sandbox does not run at ${server.url}.`);
  expect(run.error?.description).toMatch(/npx brokerage-sandbox.*Sandbox Base Address/);
  expectNoSecretIn(seenByPeople(run.run));
});

it('calls no page a session that is alive', async () => {
  await getUser();
  answer = ({ url }) => (url === '/userinfo' ? { status: 200, body: '<html>Welcome</html>' } : undefined);
  const run = await engine.run({ resource: 'session', operation: 'check' });
  expect(run.error?.message).toContain('Something between n8n and the service answered');
  expect(run.items).toEqual([]);
});

it.each(['cut', 'truncate'] as const)('does not take a reply that was %s for an empty one', async (how) => {
  await getUser();
  answer = ({ url }) => (url === '/userinfo' ? how : undefined);
  const run = await getUser();
  expect(run.error?.message).toContain('broke before its answer was complete');
  expectNoSecretIn(seenByPeople(run.run));
});

it('goes on where the node is set to, with the item by the error output', async () => {
  answer = ({ url }) => (url === '/userinfo' ? { status: 403, body: '{"error":"OMS v2 is not enabled"}' } : undefined);
  const regular = await getUser(false, 'continueRegularOutput');
  expect(regular.items[0]?.json.error).toContain('may not use this order system');
  expect(regular.items[0]?.json.details).toMatchObject({ itemIndex: 0, httpCode: '403' });
  // What to do, by itself: without the lines of the description that name the parameter and the item.
  const { hint, description } = regular.items[0]?.json.details as Record<string, string>;
  expect(hint).toMatch(/^[A-Z].*\.$/);
  expect(description).toContain(`${hint}\n`);
  const split = await getUser(false, 'continueErrorOutput');
  expect(split.items).toHaveLength(0);
  expect(split.errorItems[0]?.json.error).toContain('may not use this order system');
});
