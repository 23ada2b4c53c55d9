/** One run, one account: a credential that is changed during a run ends that run's orders. */
import type { INodeParameters } from 'n8n-workflow';
import { Engine } from '../support/engine';
import { orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;
beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off' });
  engine = await Engine.start(sandbox.credential);
  await engine.run({ resource: 'session', operation: 'getUser', simplify: true });
});
afterAll(async () => await sandbox.close());
afterEach(async () => await engine.setCredential(stored));

let stored: Awaited<ReturnType<Engine['storedCredential']>>;
beforeEach(async () => (stored = await engine.storedCredential()));

const placedFor = async (): Promise<string[]> =>
  (await sandbox.control<{ event: string; phone: string }[]>('GET', 'journal?type=order'))
    .filter(({ event }) => event === 'received')
    .map(({ phone }) => phone);

/** Enters another account while the node runs, after so many of its items. */
function changeAfter(item: number, entries: object): () => void {
  const read = engine.credentials.getDecrypted.bind(engine.credentials);
  const before = sandbox.ordersReceived();
  const spy = jest.spyOn(engine.credentials, 'getDecrypted').mockImplementation(async (...of) => {
    const received = await sandbox.ordersReceived();
    const fields = await read(...of);
    return received - (await before) < item ? fields : { ...fields, ...entries };
  });
  return () => spy.mockRestore();
}

const items = (count: number) => Array.from({ length: count }, (_, item) => ({ json: { item } }));

it.each([
  ['another phone', { phone: '9000000002' }],
  ['a pasted token', { loginMethod: 'sessionToken', pastedToken: 'somebody.else' }],
])(
  'an account that is changed to %s after three of six orders keeps these three, and the error says why',
  async (_, entries) => {
    const before = (await placedFor()).length;
    const restore = changeAfter(3, entries);
    const { error } = await engine.run(orderForm(), { items: items(6) });
    restore();
    expect(error?.message).toMatch(/^The credential was changed while this execution ran/);
    expect(`${error?.message} ${error?.description}`).toMatch(/Placed before this error, and still there/);
    expect((await placedFor()).length).toBe(before + 3);
  },
);

it('an account that is changed between two steps of one execution places nothing in the second', async () => {
  const before = (await placedFor()).length;
  const step = (name: string) => engine.node('brokerage', orderForm() as INodeParameters, { id: name, name });
  const workflow = {
    nodes: [step('One'), step('Two')],
    connections: { One: { main: [[{ node: 'Two', type: 'main' as const, index: 0 }]] } },
  };
  const restore = changeAfter(1, { phone: '9000000002' });
  const run = await engine.runWorkflow(workflow, { One: items(1) });
  restore();
  expect(run.data.resultData.error?.message).toMatch(/^The credential was changed while this execution ran/);
  expect((await placedFor()).length).toBe(before + 1);
});

it('a change that does not name the account lets the run go on', async () => {
  const before = (await placedFor()).length;
  const restore = changeAfter(1, { maxQuantity: 50 });
  const { error } = await engine.run(orderForm(), { items: items(3) });
  restore();
  expect(error).toBeUndefined();
  expect((await placedFor()).length).toBe(before + 3);
});
