/** An execution that the user stops: nothing more is sent, and what waits ends at once. */
import { Engine } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';
import { clock } from '../support/virtual-clock';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;
beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off' });
  engine = await Engine.start(sandbox.credential);
  await engine.run({ resource: 'instrument', operation: 'get', ...bySymbol('INFY') });
});
afterAll(async () => await sandbox.close());

const received = async () =>
  (await sandbox.journal()).filter(({ kind, event }) => kind === 'order' && event === 'received').length;
/** Resolves when the service has so many orders. */
async function orders(count: number): Promise<void> {
  while ((await received()) < count) await new Promise((resolve) => setImmediate(resolve));
}

it('places no further order, also where the node goes on after errors', async () => {
  const items = Array.from({ length: 50 }, () => ({ json: {} }));
  await engine
    .run(orderForm({ price: 1150 }), { items, onError: 'continueRegularOutput', stopWhen: orders(2) })
    .catch(() => undefined);
  const then = await received();
  expect(then).toBeLessThan(10);
  await sandbox.control('POST', 'clock', { advance: 'PT5S' });
  for (let turns = 0; turns < 20; turns++) await sandbox.control('GET', 'stats');
  expect(await received()).toBe(then);
});

it('keeps what was placed in the custom data of the execution and in the log', async () => {
  const before = (await sandbox.journal()).filter(({ kind, event }) => kind === 'order' && event === 'received');
  const items = Array.from({ length: 50 }, () => ({ json: {} }));
  const { run } = await engine.run(orderForm({ price: 1052 }), { items, stopWhen: orders(before.length + 2) });
  const placed = (await sandbox.journal())
    .filter(({ kind, event }) => kind === 'order' && event === 'received')
    .slice(before.length)
    .map(({ order_id: id }) => String(id));
  expect(placed.length).toBeGreaterThanOrEqual(2);
  expect(placed.length).toBeLessThan(12);
  expect(run.data.resultData.metadata?.brokerage_orders).toBe(placed.join(', '));
  for (const id of placed)
    expect(engine.logger.lines.join('\n')).toMatch(new RegExp(`placed: ${id}, tag [a-z2-7]{12} `));
});

it('ends a wait for a status at once', async () => {
  const placed = await engine.run(orderForm({ price: 1151 }));
  const orderId = String(placed.items[0]?.json.order_id);
  const before = clock.now();
  await engine
    .run(
      { resource: 'order', operation: 'waitForStatus', orderId, waitFor: 'filled', deadlineSeconds: 86_400 },
      { stopWhen: sandbox.control('GET', 'stats') },
    )
    .catch(() => undefined);
  expect(clock.now() - before).toBeLessThan(3_600_000);
});
