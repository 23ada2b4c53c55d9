/**
 * A service that writes quantities, ids and lists in another way than it should: what is read of it is right, or refused in words. In n8n's
 * engine on both order interfaces, with a proxy that rewrites the lists.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Engine } from '../support/engine';
import type { NodeRun } from '../support/engine-types';
import { bySymbol, orderForm } from '../support/parameters';
import { startProxy, type Proxy } from '../support/proxy';
import { share } from '../support/sample';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const ORDERS = /^GET \/(orders\/v2(\/all)?|orders|sentinel\/orders)$/;
const POSITIONS = /^GET \/.*positions$/;
const UNITS = 'order_qty|filled_qty|orderQty|filledQty|qty|netQty|netQuantity|net_qty';

type Rewrite = (text: string) => string;
/** Rewrites the values of fields. */
const values =
  (names: string, rewrite: Rewrite): Rewrite =>
  (text) =>
    text.replace(
      new RegExp(`"(${names})":\\s*"?(-?[\\d.]+)"?`, 'g'),
      (_, name: string, value: string) => `"${name}":${rewrite(value)}`,
    );
const isNone = (value: string): boolean => Number(value) === 0;

const CASES: readonly (readonly [what: string, at: RegExp, rewrite: Rewrite])[] = [
  ['quantities of orders as text', ORDERS, values(UNITS, (value) => `"${value}.0"`)],
  ['quantities of orders in words', ORDERS, values(UNITS, () => '"ten"')],
  ['ids of orders as fractions', ORDERS, values('order_id|intentOrderId', (value) => `${value}.0`)],
  ['an empty list of orders', ORDERS, (text) => (text.startsWith('[') ? '[]' : '{"orders":{}}')],
  ['quantities of positions as text', POSITIONS, values(UNITS, (value) => `"${value}.00"`)],
  ['quantities of positions with a fraction', POSITIONS, values(UNITS, (v) => (isNone(v) ? v : `${v}.5`))],
  ['quantities of positions below 0', POSITIONS, values(UNITS, (value) => (isNone(value) ? value : `-${value}`))],
  ['each position twice', POSITIONS, (text) => text.replace(/\[(\{[^[\]]*\})\]/g, '[$1,$1]')],
];

describe.each(['v2', 'intent'] as const)('on %s', (orderInterface) => {
  let sandbox: TestSandbox;
  let proxy: Proxy;
  let engine: Engine;
  beforeAll(async () => {
    sandbox = await testSandbox({ orderInterface, rateLimit: 'off' });
    proxy = await startProxy(sandbox.url);
    engine = await Engine.start({ ...sandbox.credential, sandboxBaseUrl: proxy.url });
  });
  afterAll(async () => {
    await proxy.close();
    await sandbox.close();
  });

  const infy = bySymbol('INFY');
  const bought = orderForm({ priceType: 'MARKET', product: 'IDAY', quantity: 10, options: { waitFor: 'filled' } });
  const list = (resource: string, operation: string): INodeParameters => ({
    ...{ resource, operation, returnAll: true, simplify: true },
  });
  const jsonOf = ({ items }: NodeRun): IDataObject[] => items.map(({ json }) => json);
  const held = async (): Promise<number> => {
    const positions = jsonOf(await engine.run(list('portfolio', 'getPositions')));
    return Number(positions.find(({ symbol, qty }) => symbol === 'INFY' && qty !== 0)?.qty ?? 0);
  };
  const orders = async (): Promise<Map<string, IDataObject>> =>
    new Map(jsonOf(await engine.run(list('order', 'getMany'))).map((order) => [String(order.order_id), order]));

  it.each(share(CASES, 4, orderInterface === 'v2' ? 0 : 2))('%s are read right, or refused', async (_, at, rewrite) => {
    if ((await held()) < 10) await engine.run(bought);
    await sandbox.control('POST', 'clock', { advance: 'PT5S' });
    const [before, known] = [await held(), await orders()];
    const otherwise = async (parameters: INodeParameters): Promise<NodeRun> => {
      proxy.change = ({ method, path }, { status, headers, text }) =>
        at.test(`${method} ${path}`)
          ? { status, headers: { ...headers, 'content-type': 'application/json' }, text: rewrite(text) }
          : undefined;
      const run = await engine.run(parameters);
      proxy.change = undefined;
      return run;
    };
    // Each order that is shown is one of the service's, and has its quantities, or none and the reason.
    for (const { order_id: id, order_qty: ordered, filled_qty: filled, unreadable_reason: reason } of jsonOf(
      await otherwise(list('order', 'getMany')),
    )) {
      const order = known.get(String(id));
      expect(order).toBeDefined();
      expect([ordered, filled]).toEqual(reason === undefined ? [order?.order_qty, order?.filled_qty] : [null, null]);
    }

    const exit = { resource: 'portfolio', operation: 'exitPosition', closeAt: 'market', product: 'IDAY', ...infy };
    const { error, items } = await otherwise(exit);
    const after = await held();
    // Never past flat, and "closed" is said of what is closed.
    expect([0, before]).toContain(after);
    if (error === undefined) expect([items[0]?.json.result, items[0]?.json.left_qty, after]).toEqual(['closed', 0, 0]);
    else expect(`${error.message} ${error.description}`).not.toMatch(/cannot read|undefined|is not a function/i);
  });
});
