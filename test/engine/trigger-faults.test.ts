/** The trigger while the stream suffers each of the sandbox's faults: nothing that it says holds a secret. */
import { STREAM_ACTIONS } from '../../sandbox/src/simulation/faults';
import { FIRST } from '../sandbox/support';
import { allTextOf } from '../support/engine';
import { TriggerBench, is } from '../support/trigger-bench';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/hurried-clock'));

let bench: TriggerBench;

beforeAll(async () => (bench = await TriggerBench.start()));
afterAll(async () => await bench.close());
afterEach(async () => await bench.endTest());

it.each(STREAM_ACTIONS)('shows no secret while the stream suffers %s', async (action) => {
  const quantity = 20 + STREAM_ACTIONS.indexOf(action);
  const trigger = await bench.activate({
    events: ['accepted', 'executed', 'connectionLost', 'connectionRestored'],
    options: { raw: true },
  });
  const token = String((await bench.engine.storedCredential()).sessionToken);
  await bench.control('POST', '/faults', { match: { stream: true }, action, args: { ms: 50 }, times: 1 });
  await bench.buy(quantity);
  await bench.filled(quantity);
  await bench.control('DELETE', '/faults');
  await bench.buy(quantity + 50);
  await trigger.waitFor(is('executed', quantity + 50));
  const { authToken, sessionToken } = await bench.engine.storedCredential();
  const seen = `${allTextOf([trigger.emitted, trigger.errors, trigger.failedExecutions, trigger.staticData])}\n${bench.engine.logger.lines.join('\n')}`;
  expect(seen).toContain('order_id');
  for (const secret of [token, String(sessionToken), String(authToken), FIRST.secret]) {
    expect(secret.length).toBeGreaterThan(20);
    expect(seen).not.toContain(secret);
  }
});
