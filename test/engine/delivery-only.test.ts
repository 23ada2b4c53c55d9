/** Series of shares that only allow delivery: the node refuses an intraday order before it is sent, and the sandbox refuses it too. */
import type { INodeParameters } from 'n8n-workflow';
import { Engine, describe as told } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;
beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off', universe: 'full' });
  engine = await Engine.start(sandbox.credential);
});
afterAll(async () => await sandbox.close());

const received = async (): Promise<number> =>
  (await sandbox.control<{ orders_received: number }>('GET', 'stats')).orders_received;
const market = (symbol: string, more: INodeParameters = {}): INodeParameters =>
  orderForm({ ...bySymbol(symbol), quantity: 1, product: 'IDAY', priceType: 'MARKET', ...more });

it.each([
  ['3IINFOLTD', 'BE'],
  ['AGSTRA', 'BZ'],
  ['AAKAAR', 'SM'],
  ['ABSMARINE', 'ST'],
  ['ATLPP', 'E1'],
  ['SECL', 'SZ'],
  ['BSE:3IINFOLTD', 'T'],
])('%s, series %s, takes no intraday order', async (name, series) => {
  const before = await received();
  const { error } = await engine.run(market(name));
  expect(told(error)).toContain(
    `is in the series ${series} of ${name.startsWith('BSE') ? 'BSE' : 'NSE'}, which only allows delivery`,
  );
  expect(error?.context?.parameter).toBe('product');
  expect(await received()).toBe(before);
});

it('a target position and a preview refuse it too; delivery, and a target of nothing, are taken', async () => {
  const target = (units: number): INodeParameters => ({
    resource: 'order',
    operation: 'setTargetPosition',
    ...bySymbol('3IINFOLTD'),
    target: units,
    product: 'IDAY',
  });
  expect(told((await engine.run(target(5))).error)).toContain('only allows delivery');
  expect((await engine.run(target(0))).error).toBeUndefined();
  expect(told((await engine.run({ ...market('3IINFOLTD'), operation: 'preview' })).error)).toContain(
    'only allows delivery',
  );
  const bought = await engine.run(market('3IINFOLTD', { product: 'CNC' }), { typeVersion: 1.1 });
  expect(bought.error).toBeUndefined();
  const chosen = await engine.run(market('3IINFOLTD', { product: 'AUTO' }), { typeVersion: 1.1 });
  expect(chosen.error).toBeUndefined();
});
