/** Sale of holdings on any exchange that their record names, in n8n's engine against the sandbox. */
import { Engine } from '../support/engine';
import { orderForm } from '../support/parameters';
import { share } from '../support/sample';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const open: TestSandbox[] = [];
afterAll(async () => await Promise.all(open.map(async (testSandbox) => await testSandbox.close())));

const INTERFACES = ['v2', 'intent'] as const;

it.each(share(INTERFACES, 2, 0))('a holding is sold on each of its exchanges: %s', async (orderInterface) => {
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

/** A share that the first account does not hold. */
const SHARE = 'WIPRO';

it.each(share(INTERFACES, 2, 1))(
  'a share bought on NSE is sold on BSE from the next day: %s',
  async (orderInterface) => {
    const sandbox = await testSandbox({ orderInterface });
    open.push(sandbox);
    const engine = await Engine.start(sandbox.credential);
    const universe = sandbox.running.sandbox.world.universe();
    const trade = async (side: 'BUY' | 'SELL', exchange: 'NSE' | 'BSE', quantity: number): Promise<string> => {
      const placed = await engine.run({
        ...orderForm({ side, priceType: 'MARKET', quantity, product: 'CNC' }),
        instrument: { __rl: true, mode: 'id', value: String(universe.bySymbol(exchange, SHARE)!.refId) },
      });
      // Intent orders tell before anything is sent how many may be sold on an exchange.
      if (placed.error?.context?.parameter === 'refuseUnauthorisedSales' && orderInterface === 'intent')
        return 'REJECTED';
      expect(placed.error).toBeUndefined();
      await sandbox.control('POST', 'clock', { advance: 'PT5S' });
      const { items } = await engine.run({
        resource: 'order',
        operation: 'get',
        orderId: String(placed.items[0]?.json.order_id),
      });
      return String(items[0]?.json.order_status);
    };
    const read = async (operation: 'getHoldings' | 'getPositions') => {
      const { items } = await engine.run({ resource: 'portfolio', operation, returnAll: true, simplify: true });
      return items.map(({ json }) => json).filter(({ symbol }) => symbol === SHARE);
    };
    const morningOf = async (date: string) => await sandbox.control('POST', 'clock', { set: `${date}T10:30:00+05:30` });

    expect(await read('getHoldings')).toEqual([]);
    expect(await trade('BUY', 'NSE', 3)).toBe('FILLED');
    expect(await trade('SELL', 'BSE', 1)).toBe('REJECTED');
    await morningOf('2026-11-23');
    expect(await read('getHoldings')).toMatchObject([{ exchange: 'NSE', qty: 0, t1_qty: 3 }]);
    expect(await trade('SELL', 'BSE', 2)).toBe('FILLED');
    expect(await read('getHoldings')).toMatchObject([{ exchange: 'NSE', qty: 0, t1_qty: 1 }]);
    expect(await read('getPositions')).toMatchObject([{ exchange: 'BSE', order_side: 'SELL', qty: 2 }]);

    await morningOf('2026-11-24');
    expect(await read('getHoldings')).toMatchObject([{ exchange: 'NSE', qty: 1, t1_qty: 0 }]);
    expect(await read('getPositions')).toEqual([]);
    const { accounts } = sandbox.running.sandbox.world;
    const [account] = accounts.ids();
    const { funds } = accounts.closes(account!).find(({ date }) => date === '2026-11-23')!;
    expect(funds.charges).toBeGreaterThan(0);
    expect(funds.cash).toBe(funds.opening + funds.added + funds.realised - funds.charges - funds.invested);
    const profit = accounts.closures(account!).filter(({ sellDate }) => sellDate === '2026-11-23');
    expect(profit).toMatchObject([{ quantity: 2, buyDate: '2026-11-20' }]);
    expect(profit[0]!.sellValue - profit[0]!.buyValue).toBe(funds.realised);
  },
);

it('the list tells what may be sold; a sale that the holder has not authorised is refused, and sent once it is', async () => {
  const sandbox = await testSandbox({ orderInterface: 'intent' });
  open.push(sandbox);
  const engine = await Engine.start(sandbox.credential);
  const sales = async (how: string) => await sandbox.control('POST', 'accounts/9000000001', { sales: how });
  const holdings = async (sellableQuantity: boolean) => {
    const { items, error } = await engine.run({
      resource: 'portfolio',
      operation: 'getHoldings',
      returnAll: true,
      simplify: true,
      options: { sellableQuantity },
    });
    expect(error).toBeUndefined();
    return items.map(({ json }) => json as Record<'symbol' | 'exchange', string> & Record<string, number | null>);
  };
  const sell = async ({ symbol, exchange }: { symbol: string; exchange: string }) =>
    await engine.run({
      ...orderForm({ side: 'SELL', priceType: 'MARKET', quantity: 1, product: 'CNC' }),
      instrument: { __rl: true, mode: 'symbol', value: `${exchange}:${symbol}` },
    });
  expect(Object.keys((await holdings(false))[0]!)).not.toContain('sellable_quantity');
  await sales('unauthorised');
  const before = await holdings(true);
  expect(before.length).toBeGreaterThan(2);
  for (const { sellable_quantity, unauthorised_quantity, qty } of before)
    expect([sellable_quantity, unauthorised_quantity]).toEqual([0, qty]);
  const [first] = before as [(typeof before)[number]];
  const refused = await sell(first);
  expect(refused.error?.message).toContain(`Of 1 ${first.symbol} none may be sold now`);
  expect(refused.error?.context?.parameter).toBe('refuseUnauthorisedSales');
  expect((await sandbox.journal()).filter(({ kind, event }) => kind === 'order' && event === 'received')).toEqual([]);
  await sales('authorised_today');
  const after = await holdings(true);
  for (const { sellable_quantity, unauthorised_quantity, qty } of after)
    expect([sellable_quantity, unauthorised_quantity]).toEqual([qty, 0]);
  expect((await sell(first)).error).toBeUndefined();
});

it('the list tells null where the order interface does not know what may be sold', async () => {
  const sandbox = await testSandbox({ orderInterface: 'v2' });
  open.push(sandbox);
  const engine = await Engine.start(sandbox.credential);
  const { items } = await engine.run({
    resource: 'portfolio',
    operation: 'getHoldings',
    returnAll: true,
    options: { sellableQuantity: true },
  });
  expect(items[0]?.json).toMatchObject({ sellable_quantity: null, unauthorised_quantity: null });
});
