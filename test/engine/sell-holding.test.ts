/** What is held is offered for sale on any exchange that its record names, in n8n's engine against the sandbox. */
import { Engine } from '../support/engine';
import { orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const open: TestSandbox[] = [];
afterAll(async () => await Promise.all(open.map(async (one) => await one.close())));

it.each(['v2', 'intent'] as const)('on each of its exchanges: %s', async (orderInterface) => {
  const sandbox = await testSandbox({ orderInterface });
  open.push(sandbox);
  const engine = await Engine.start(sandbox.credential);
  const { items } = await engine.run({
    resource: 'portfolio',
    operation: 'getHoldings',
    returnAll: true,
    simplify: true,
  });
  const held = items
    .map(({ json }) => json as { symbol: string; qty: number; supported_exchanges: Record<string, number> })
    .find(({ supported_exchanges: on }) => Object.keys(on).length > 1)!;
  expect(Object.keys(held.supported_exchanges).sort()).toEqual(['BSE', 'NSE']);
  for (const [exchange, refId] of Object.entries(held.supported_exchanges)) {
    const sale = await engine.run({
      ...orderForm({ side: 'SELL', priceType: 'MARKET', quantity: 1, safety: { dryRun: true } }),
      instrument: { __rl: true, mode: 'id', value: String(refId) },
    });
    expect(sale.error).toBeUndefined();
    expect(sale.items[0]?.json).toMatchObject({ exchange, symbol: held.symbol });
    expect(JSON.stringify(sale.items[0]?.json.would_send)).toContain(`:${refId},`);
  }
});
