/** The rules since April 2026 in the node: from where orders come, and how many in a second (docs/rules-2026.md). */
import { Engine } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { FIRST_ACCOUNT, testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const market = (more = {}) => orderForm({ priceType: 'MARKET', product: 'IDAY', quantity: 1, ...more });

let sandbox: TestSandbox;
let engine: Engine;
let stored: Awaited<ReturnType<Engine['storedCredential']>>;
beforeAll(async () => {
  sandbox = await testSandbox({ rules: '2026', rateLimit: 'off' });
  engine = await Engine.start(sandbox.credential);
  await engine.run({ resource: 'session', operation: 'check' });
  stored = await engine.storedCredential();
});
beforeEach(async () => {
  await engine.setCredential(stored);
});
afterAll(async () => await sandbox.close());

const register = async (static_ip: object | null): Promise<void> =>
  void (await sandbox.control('POST', `accounts/${FIRST_ACCOUNT.phone}`, { static_ip }));
const received = async (): Promise<number> =>
  (await sandbox.journal()).filter(({ kind, event }) => kind === 'order' && event === 'received').length;

describe('an order from an address that is not registered', () => {
  it('is refused with the address and those that are registered', async () => {
    await register({ primary: '203.0.113.7', secondary: '203.0.113.8' });
    const before = await received();
    const { error } = await engine.run(market());
    expect(error?.message).toContain('The IP address of this machine is not registered for this account');
    expect(error?.message).toContain('The request came from 127.0.0.1. Registered: 203.0.113.7 and 203.0.113.8.');
    expect(error?.description).toMatch(/proxy .*n8n Cloud.*Check Static IP/);
    expect(await received()).toBe(before);
  });

  it('says that none is registered', async () => {
    await register(null);
    const { error } = await engine.run(market());
    expect(error?.message).toContain('No IP address is registered for this account');
  });

  it('is not sent on Live by Set Target Position either; a target of 0 is an exit, which the broker judges', async () => {
    const target = (to: number) =>
      engine.run({
        resource: 'order',
        operation: 'setTargetPosition',
        ...bySymbol('INFY'),
        target: to,
        quantityUnit: 'units',
        product: 'IDAY',
        openOrders: 'count',
        closeAt: 'market',
      });
    const live = { environment: 'live', liveBaseUrl: sandbox.url, allowLiveOrders: true, orderInterface: 'v2' };
    await register({ primary: '127.0.0.1' });
    await engine.run(market());
    await register({ primary: '203.0.113.7' });
    await engine.setCredential({ ...stored, ...live });
    expect((await target(5)).error?.message).toContain('n8n reaches the broker from 127.0.0.1');
    expect((await target(0)).error?.message).toContain('The request came from 127.0.0.1.');
    await register({ primary: '127.0.0.1' });
    expect((await target(0)).items[0]?.json).toMatchObject({ result: 'reached' });
  });

  it('is not sent on Live, where the check is on, and is looked at again the next time', async () => {
    const live = {
      ...stored,
      environment: 'live',
      liveBaseUrl: sandbox.url,
      allowLiveOrders: true,
      orderInterface: 'v2',
    };
    await register({ primary: '203.0.113.7' });
    await engine.setCredential(live);
    const before = await received();
    const refused = await engine.run(market());
    expect(refused.error?.message).toBe(
      'The order was not sent: n8n reaches the broker from 127.0.0.1, which is not registered for this account. Registered: 203.0.113.7.',
    );
    const dry = await engine.run(market({ safety: { dryRun: true } }));
    expect(dry.items[0]?.json).toMatchObject({ dry_run: true });
    await engine.setCredential({ ...live, checkStaticIp: false });
    expect((await engine.run(market())).error?.message).toContain('The request came from 127.0.0.1.');
    expect(await received()).toBe(before);
    await register({ primary: '127.0.0.1' });
    await engine.setCredential(live);
    expect((await engine.run(market())).items[0]?.json).toMatchObject({ already_placed: false });
    expect(await received()).toBe(before + 1);
  });
});

it('places more orders than the service takes in a second, each once', async () => {
  await register({ primary: '127.0.0.1' });
  await engine.setCredential({ ...stored, ordersPerSecond: 8 });
  const before = await received();
  const items = Array.from({ length: 25 }, (_, index) => ({ json: { index } }));
  const { items: placed, error } = await engine.run(market({ operation: 'placeMany' }), { items });
  expect(error).toBeUndefined();
  expect(new Set(placed.map(({ json }) => json.order_id)).size).toBe(25);
  expect(await received()).toBe(before + 25);
});

it('says of a market order how far from the last price it may trade, and of no other', async () => {
  await register({ primary: '127.0.0.1' });
  const { items } = await engine.run(market(), { typeVersion: 1.1 });
  expect(items[0]?.json.market_protection_percent).toBe(0.5);
  const limit = await engine.run(orderForm({ product: 'IDAY', quantity: 1 }), { typeVersion: 1.1 });
  expect(limit.items[0]?.json).not.toHaveProperty('market_protection_percent');
});
