/**
 * Origin of an order: the execution and the workflow that placed it. A sandbox is told and keeps it; no other
 * environment is told anything.
 */
import { Engine } from '../support/engine';
import { orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';
import { inFrontOf, type ScriptedServer } from '../support/scripted';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let wire: ScriptedServer;
let engine: Engine;

beforeAll(async () => {
  sandbox = await testSandbox({ orderInterface: 'both', rateLimit: 'off' });
  wire = await inFrontOf(sandbox.url, () => undefined);
  engine = await Engine.start({ ...sandbox.credential, sandboxBaseUrl: wire.url });
});
afterAll(async () => {
  await wire.close();
  await sandbox.close();
});
beforeEach(() => void (wire.seen.length = 0));

const market = () => orderForm({ priceType: 'MARKET', price: undefined, product: 'IDAY' } as never);
const originHeaders = () =>
  wire.seen.flatMap(({ headers }) => Object.keys(headers).filter((name) => name.includes('n8n')));

/** Runs the node under another name. */
async function runAs(name: string): Promise<void> {
  const node = { ...engine.node('brokerage', market()), name };
  const { data } = await engine.runWorkflow({ nodes: [node], connections: {} }, { [name]: [{ json: {} }] });
  expect(data.resultData.error).toBeUndefined();
}

it('an order and its fill are linked to the execution that caused them, in the journal and on the page', async () => {
  await runAs('Kaufe 10 – ₹');
  await sandbox.control('POST', 'clock', { advance: 'PT5S' });
  const entries = (await sandbox.journal()).filter(({ placed_by }) => placed_by !== undefined);
  const { execution } = entries[0]!['placed_by'] as { execution: string };
  expect(execution).toMatch(/^\d+$/);
  const placedBy = { workflow: '', workflow_name: 'Test', execution, node: 'Kaufe 10 – ₹' };
  expect(new Set(entries.map(({ kind }) => kind))).toEqual(new Set(['intent', 'order', 'trade']));
  for (const { placed_by } of entries) expect(placed_by).toEqual(placedBy);
  const page = await sandbox.control<{ orders: object[] }>('GET', 'page/account?phone=9000000001');
  expect(page.orders[0]).toMatchObject({ placed_by: placedBy });
});

it('nothing of n8n goes to Live or UAT', async () => {
  for (const environment of ['live', 'uat']) {
    await engine.setCredential({
      ...(await engine.storedCredential()),
      environment,
      [`${environment}BaseUrl`]: wire.url,
      allowLiveOrders: true,
    });
    wire.seen.length = 0;
    const { error } = await engine.run(market());
    expect(error).toBeUndefined();
    expect(wire.seen.some(({ method }) => method === 'POST')).toBe(true);
    expect(originHeaders()).toEqual([]);
  }
});
