/** View of a workflow on each scenario of the sandbox: our nodes in n8n's engine, over HTTP. */
import type { INodeParameters } from 'n8n-workflow';
import { Engine } from '../support/engine';
import type { NodeRun } from '../support/engine-types';
import { bySymbol, orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

/** A Monday; its Tuesday is a holiday, so that options of NIFTY expire. */
const MONDAY = '2026-11-23T10:00:00+05:30';

let sandbox: TestSandbox;
let engine: Engine;
afterEach(async () => await sandbox.close());

async function open(start = MONDAY): Promise<void> {
  sandbox = await testSandbox({ start, hours: 'exchange', rateLimit: 'off', orderInterface: 'both' });
  engine = await Engine.start(sandbox.credential);
}
const begin = async (body: object) => await sandbox.control<{ story: string }>('POST', 'scenarios', body);
const after = async (duration: string) => await sandbox.control('POST', 'clock', { advance: duration });
const until = async (instant: string) => await sandbox.control('POST', 'clock', { set: instant });

async function run(parameters: INodeParameters): Promise<NodeRun> {
  return await engine.run(parameters, { typeVersion: 1.1 });
}
/** The first item of a run without an error. */
async function item(parameters: INodeParameters): Promise<Record<string, unknown>> {
  const { items, error } = await run(parameters);
  expect(error).toBeUndefined();
  return items[0]!.json;
}
const quote = async (operation: string, parameters: INodeParameters) =>
  await item({ resource: 'quote', operation, ...parameters });
const price = async (symbol: string) => Number((await quote('getCurrentPrice', bySymbol(symbol)))['price']);
const market = (more: INodeParameters = {}) => orderForm({ priceType: 'MARKET', price: undefined, ...more } as never);
const listed = async () => (await run({ resource: 'order', operation: 'getMany' })).items.map(({ json }) => json);
const orderOf = async (id: unknown) => (await listed()).find(({ order_id }) => order_id === id);
const wordsOf = ({ error }: NodeRun) => [error?.message, error?.description].join(' ');

it('flash_crash makes prices fall and the book thin, and most comes back', async () => {
  await open();
  const before = await price('NIFTY');
  const shown = async () =>
    ((await quote('getOrderBook', bySymbol('INFY')))['bids'] as { quantity: number }[]).reduce(
      (sum, { quantity }) => sum + quantity,
      0,
    );
  const calm = await shown();
  await begin({ name: 'flash_crash', percent: 6, minutes: 10 });
  await after('PT3M');
  expect((await price('NIFTY')) / before).toBeLessThan(0.945);
  expect(await shown()).toBeLessThan(calm / 2);
  await after('PT8M');
  expect((await price('NIFTY')) / before).toBeGreaterThan(0.97);
});

it.each([
  ['gap_up', 1],
  ['gap_down', -1],
])('%s makes the next day open elsewhere', async (name, sign) => {
  await open('2026-11-23T15:00:00+05:30');
  await begin({ name, percent: 4 });
  await until('2026-11-25T09:16:00+05:30');
  const { change_percent } = await quote('getCurrentPrice', bySymbol('NIFTY'));
  expect(Number(change_percent) * sign).toBeGreaterThan(2.5);
});

it('limit_up leaves a market order without a seller, which says that nothing was filled; a limit order at the band waits', async () => {
  await open();
  const { story } = await begin({ name: 'limit_up', minutes: 1 });
  const share = bySymbol(story.split(' ')[0]!);
  await after('PT5M');
  expect(await quote('getOrderBook', share)).toMatchObject({ asks: [] });
  const high = Number((await quote('getCurrentPrice', share))['price']);
  const { order_id } = await item(orderForm({ ...share, price: high }));
  expect(await item(market(share))).toMatchObject({
    order_status: 'CANCELLED',
    filled_qty: 0,
    avg_filled_price: null,
    rejection_reason: 'IOC: the rest did not cross and was cancelled',
  });
  await after('PT30M');
  expect(await orderOf(order_id)).toMatchObject({ order_status: 'OPEN', filled_qty: 0 });
});

it('volatility_crush makes the premium fall, and not the underlying', async () => {
  await open();
  const atTheMoney = async () => {
    const rows = (
      await run({
        resource: 'quote',
        operation: 'getOptionChain',
        underlying: 'NIFTY',
        expiry: 'next',
        options: { strikesAround: 0 },
      })
    ).items;
    return rows[0]!.json as { ce: { iv: number; ltp: number }; strike_price: number };
  };
  const [before, level] = [await atTheMoney(), await price('NIFTY')];
  await begin({ name: 'volatility_crush', percent: 40, minutes: 5 });
  await after('PT6M');
  expect((await atTheMoney()).ce.iv / before.ce.iv).toBeLessThan(0.75);
  expect(Math.abs((await price('NIFTY')) / level - 1)).toBeLessThan(0.01);
});

it('expiry_pinning draws NIFTY to the strike', async () => {
  await open();
  const { story } = await begin({ name: 'expiry_pinning' });
  const strike = Number(/drawn to ([\d.]+)/.exec(story)![1]);
  await after('PT3H');
  expect(Math.abs((await price('NIFTY')) / strike - 1)).toBeLessThan(0.001);
});

it('trading_halt makes an order wait, which says that it has not filled; it fills when the market is open again', async () => {
  await open();
  await begin({ name: 'trading_halt' });
  await after('PT6M');
  const placed = await item(market());
  expect(placed).toMatchObject({ order_status: 'PENDING', filled_qty: 0, wait_reached: false });
  await after('PT62M');
  expect(await orderOf(placed['order_id'])).toMatchObject({ order_status: 'FILLED', filled_qty: 1 });
});

it('broker_outage is told by the error, nothing is placed, and the next run goes on', async () => {
  await open();
  await price('INFY');
  await begin({ name: 'broker_outage', percent: 4, minutes: 10 });
  expect(wordsOf(await run({ resource: 'quote', operation: 'getCurrentPrice', ...bySymbol('INFY') }))).toMatch(/503/);
  expect(wordsOf(await run(market()))).toMatch(/not available now/);
  await after('PT11M');
  expect((await listed()).filter(({ order_id }) => order_id !== undefined)).toEqual([]);
  expect(await item(market())).toMatchObject({ order_status: 'FILLED' });
});

it('margin_call makes the broker close the position by an order that no workflow has placed', async () => {
  await open();
  const [{ json: future }] = (
    await run({
      resource: 'instrument',
      operation: 'getMany',
      filters: { underlying: 'NIFTY', kinds: ['FUT'] },
    })
  ).items as [{ json: { symbol: string } }];
  const bought = await item(market({ ...bySymbol(future.symbol), quantity: 20, quantityUnit: 'lots', product: 'CNC' }));
  await sandbox.control('POST', 'accounts/9000000001', { funds: 2_000_000 });
  await begin({ name: 'margin_call' });
  await after('PT30M');
  const sold = (await listed()).filter(({ order_side }) => order_side === 'SELL');
  expect(sold).toMatchObject([{ symbol: future.symbol, order_status: 'FILLED', order_qty: bought['order_qty'] }]);
  expect(await item({ resource: 'portfolio', operation: 'getPositions' })).toMatchObject({ segment: 'closed', qty: 0 });
});
