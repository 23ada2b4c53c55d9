/** The trigger and its session: one that dies, and one that cannot be. */
import { allTextOf } from '../support/engine';
import { FIRST } from '../sandbox/support';
import { TriggerBench, is } from '../support/trigger-bench';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/hurried-clock'));

let bench: TriggerBench;

beforeAll(async () => (bench = await TriggerBench.start()));
afterAll(async () => await bench.close());
afterEach(async () => await bench.endTest());

it('renews a session that has expired, and misses nothing', async () => {
  const trigger = await bench.activate({ events: ['executed'] });
  const before = (await bench.engine.storedCredential()).sessionToken;
  await bench.passTotpStep();
  await bench.control('POST', `/accounts/${FIRST.phone}`, { expire_sessions: true });
  // Renewed by the trigger's own reconnection.
  while ((await bench.engine.storedCredential()).sessionToken === before)
    await new Promise((resolve) => setImmediate(resolve));
  await bench.buy(4);
  await trigger.waitFor(is('executed', 4));
  const log = bench.engine.logger.lines.join('\n');
  for (const line of [
    /warn .*the stream is lost/,
    /info .*claims the login/,
    /info .*session was renewed/,
    /info .*stream is back/,
  ])
    expect(log).toMatch(line);
  expect(log).not.toContain(String(before));
});

it.each([
  [
    'a pasted session token that is dead',
    () => bench.credential({ loginMethod: 'sessionToken', pastedToken: 'dead-token' }),
    /token/,
  ],
  [
    'an address that nobody answers at',
    () =>
      bench.credential({
        loginMethod: 'sessionToken',
        pastedToken: 'dead-token',
        sandboxBaseUrl: 'http://127.0.0.1:1',
      }),
    /refused the connection|could not be reached|sandbox does not run/,
  ],
])('refuses to be activated with %s, in words and without a secret', async (_what, data, words) => {
  const good = await bench.engine.storedCredential();
  await bench.engine.setCredential(data());
  const error = await bench.activate({ events: ['fill'] }).catch((reason: unknown) => reason as Error);
  await bench.engine.setCredential(good);
  expect(error).toBeInstanceOf(Error);
  expect((error as Error).message).toMatch(words);
  const seen = `${allTextOf(error)}\n${bench.engine.logger.lines.join('\n')}`;
  for (const secret of ['dead-token']) expect(seen).not.toContain(secret);
});

describe('a published trigger with which no login is possible', () => {
  const dead = () => bench.credential({ loginMethod: 'sessionToken', pastedToken: 'dead-token' });
  const logins = async () =>
    ((await bench.control('GET', '/journal')) as { kind: string }[]).filter(({ kind }) => kind.startsWith('login'))
      .length;
  const until = async (condition: () => boolean) => {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  it('waits without a login until the credential is corrected, and is back by itself', async () => {
    const trigger = await bench.activate({ events: ['executed'], options: { compareEvery: 5 } });
    const good = await bench.engine.storedCredential();
    const before = await logins();
    await bench.engine.setCredential(dead());
    await until(() => trigger.failedExecutions.length > 0);
    expect(trigger.failedExecutions[0]?.message).toMatch(/token/);
    await bench.engine.setCredential(good);
    await until(() => bench.engine.logger.lines.some((line) => line.includes('the trigger is back')));
    await bench.buy(14);
    await trigger.waitFor(is('executed', 14));
    expect(trigger.errors).toEqual([]);
    expect(trigger.failedExecutions).toHaveLength(1);
    expect(await logins()).toBe(before);
    const log = bench.engine.logger.lines.join('\n');
    expect(log).toMatch(/warn Brokerage Trigger: no login is possible/);
    expect(log).not.toContain('dead-token');
  });

  it('comes up waiting where n8n starts with such a credential', async () => {
    const good = await bench.engine.storedCredential();
    await bench.engine.setCredential(dead());
    const trigger = await bench.activate({ events: ['executed'] }, { activation: 'init' });
    await until(() => trigger.failedExecutions.length > 0);
    await bench.engine.setCredential(good);
    await until(() => bench.engine.logger.lines.filter((line) => line.includes('the trigger is back')).length === 2);
    await bench.buy(15);
    await trigger.waitFor(is('executed', 15));
  });
});
