/**
 * Series of shares that only allow delivery, and shares of the SME platforms, which are traded in lots: the node refuses what breaks a
 * rule before it is sent, and the sandbox refuses it too.
 */
import type { INodeParameters } from 'n8n-workflow';
import { Engine, allTextOf } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { share } from '../support/sample';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;
beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off', universe: 'full' });
  engine = await Engine.start(sandbox.credential);
});
afterAll(async () => await sandbox.close());

const market = (symbol: string, more: INodeParameters = {}): INodeParameters =>
  orderForm({ ...bySymbol(symbol), quantity: 1, product: 'IDAY', priceType: 'MARKET', ...more });

const SERIES = [
  ['3IINFOLTD', 'BE'],
  ['AGSTRA', 'BZ'],
  ['AAKAAR', 'SM'],
  ['ABSMARINE', 'ST'],
  ['ATLPP', 'E1'],
  ['SECL', 'SZ'],
  ['BSE:3IINFOLTD', 'T'],
] as const;

it.each(share(SERIES, 2, 1))('%s, series %s, takes no intraday order', async (name, series) => {
  const before = await sandbox.ordersReceived();
  const { error } = await engine.run(market(name));
  expect(allTextOf(error)).toContain(
    `is in the series ${series} of ${name.startsWith('BSE') ? 'BSE' : 'NSE'}, which only allows delivery`,
  );
  expect(error?.context?.parameter).toBe('product');
  expect(await sandbox.ordersReceived()).toBe(before);
});

it('a target position and a preview refuse it too; delivery, and a target of nothing, are taken', async () => {
  const target = (units: number): INodeParameters => ({
    resource: 'order',
    operation: 'setTargetPosition',
    ...bySymbol('3IINFOLTD'),
    target: units,
    product: 'IDAY',
  });
  expect(allTextOf((await engine.run(target(5))).error)).toContain('only allows delivery');
  expect((await engine.run(target(0))).error).toBeUndefined();
  expect(allTextOf((await engine.run({ ...market('3IINFOLTD'), operation: 'preview' })).error)).toContain(
    'only allows delivery',
  );
  const bought = await engine.run(market('3IINFOLTD', { product: 'CNC' }), { typeVersion: 1.1 });
  expect(bought.error).toBeUndefined();
  const chosen = await engine.run(market('3IINFOLTD', { product: 'AUTO' }), { typeVersion: 1.1 });
  expect(chosen.error).toBeUndefined();
});

describe('a company of the SME platform, whose lot is 1,600 shares', () => {
  const sme = (more: INodeParameters): INodeParameters => market('AAKAAR', { product: 'CNC', ...more });
  const bought = async (more: INodeParameters) => (await engine.run(sme(more), { typeVersion: 1.1 })).items[0]?.json;

  it.each([
    ['one share', { quantity: 1 }, 'Quantity 1 is not a multiple of the lot size 1600 of AAKAAR'],
    ['a lot and a half', { quantity: 2400 }, 'Quantity 2400 is not a multiple of the lot size 1600 of AAKAAR'],
    ['less money than a lot costs', { sizeBy: 'amount', sizeAmount: 1000 }, 'one lot of 1600 costs'],
  ])('%s is refused, and nothing is sent', async (_what, more, expected) => {
    const before = await sandbox.ordersReceived();
    const { error } = await engine.run(sme(more));
    expect(allTextOf(error)).toContain(expected);
    expect(await sandbox.ordersReceived()).toBe(before);
  });

  it('lots are taken, by their number, by their shares and by money', async () => {
    expect(await bought({ quantity: 2, quantityUnit: 'lots' })).toMatchObject({ order_qty: 3200 });
    expect(await bought({ quantity: 1600 })).toMatchObject({ order_qty: 1600 });
    const { order_qty: sized } = (await bought({ sizeBy: 'amount', sizeAmount: 300_000 })) as { order_qty: number };
    expect(sized).toBeGreaterThan(0);
    expect(sized % 1600).toBe(0);
  });

  it('the list tells its lot, by which the picker names it', async () => {
    const { items } = await engine.run({ resource: 'instrument', operation: 'get', ...bySymbol('AAKAAR') });
    expect(items[0]?.json).toMatchObject({
      lot_size: 1600,
      lot_multiplier: 1600,
      series: 'SM',
      tick_size: 0.05,
      label: expect.stringMatching(/^AAKAAR · (.* · )?NSE SM · lot 1600$/),
    });
    const { error } = await engine.run(
      sme({ instrument: { __rl: true, mode: 'symbol', value: String(items[0]?.json['label']) }, quantity: 1600 }),
      { typeVersion: 1.1 },
    );
    expect(error).toBeUndefined();
  });
});
