/** Orders that are placed while the market is closed: what each interface does with them, and what the node says of it. */
import type { INodeParameters } from 'n8n-workflow';
import { Engine } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const open: TestSandbox[] = [];
afterAll(async () => await Promise.all(open.map(async (testSandbox) => await testSandbox.close())));

interface OpenedSandbox {
  sandbox: TestSandbox;
  engine: Engine;
}
const worlds = new Map<string, Promise<OpenedSandbox>>();
/** A world at eighteen hours of a Monday before a holiday, one for all tests that want the same. */
async function evening(
  orderInterface: 'intent' | 'v2',
  hours: 'exchange' | 'always' = 'exchange',
): Promise<OpenedSandbox> {
  const name = `${orderInterface} ${hours}`;
  const world = worlds.get(name) ?? startEvening(orderInterface, hours);
  worlds.set(name, world);
  return await world;
}
async function startEvening(orderInterface: 'intent' | 'v2', hours: 'exchange' | 'always'): Promise<OpenedSandbox> {
  const sandbox = await testSandbox({ orderInterface, hours, start: '2026-11-23T18:00:00+05:30', rateLimit: 'off' });
  open.push(sandbox);
  return { sandbox, engine: await Engine.start(sandbox.credential) };
}
const MARKET: INodeParameters = { priceType: 'MARKET' };
const OPENS = '2026-11-25T09:15:00.000+05:30';

it.each([
  ['limit', {}],
  ['market', MARKET],
])('an intent order, %s, waits for the next session, and says so at once', async (_, given) => {
  const { engine } = await evening('intent');
  const { items, error } = await engine.run(orderForm(given), { typeVersion: 1.1 });
  expect(error).toBeUndefined();
  expect(items[0]?.json).toMatchObject({
    order_status: 'PENDING',
    filled_qty: 0,
    waits_for_next_session: true,
    next_session: OPENS,
  });
});

it('the sentence of an order that waits says until when, in version 1.2', async () => {
  const { engine } = await evening('intent');
  const { items } = await engine.run(orderForm(MARKET), { typeVersion: 1.2 });
  expect(items[0]?.json.summary).toMatch(/ at the market\. It waits for the market to open: 25 Nov 2026, 09:15\.$/);
});

it.each([
  ['limit', {}],
  ['market', MARKET],
])('the older interface refuses an order, %s, and the error names the next session', async (_, given) => {
  const { engine } = await evening('v2');
  const { error } = await engine.run(orderForm(given));
  expect(error?.message).toContain('The order was rejected');
  expect(error?.description).toContain('NSE opens next on 25 Nov 2026 at 09:15 IST.');
});

it('a basket of intent orders waits too, and its sentence says until when', async () => {
  const { engine } = await evening('intent');
  const basket: INodeParameters = {
    ...{ resource: 'basket', operation: 'place', name: 'Straddle', strategy: 'straddle', underlying: 'NIFTY' },
    ...{ exchange: 'NSE', expiry: 'nearest', quantity: 1, quantityUnit: 'lots', side: 'SELL', product: 'IDAY' },
    ...{ priceType: 'MARKET', simplify: true, options: { stopLossPrice: 30, exitsIn: 'percent' } },
  };
  const [item] = (await engine.run(basket, { typeVersion: 1.2 })).items;
  expect(item?.json).toMatchObject({ waits_for_next_session: true, next_session: OPENS });
  expect(item?.json.summary).toMatch(/^Straddle: .*\. It waits for the market to open: 25 Nov 2026, 09:15\.$/);
  const parts = JSON.stringify([item?.json.basket_params, ...(item?.json.exits as object[])]);
  expect(parts).not.toContain('"exits":[]');
});

it('a stop loss for a holding that waits guards the day of that session, and its sentence says until when', async () => {
  const { engine } = await evening('intent');
  const protect = { resource: 'portfolio', operation: 'protectPosition', ...bySymbol('RELIANCE'), simplify: true };
  const { items, error } = await engine.run({ ...protect, exits: { stopLoss: 20 } }, { typeVersion: 1.2 });
  expect(error).toBeUndefined();
  expect(items[0]?.json).toMatchObject({ waits_for_next_session: true, protected_until: '2026-11-25' });
  expect(items[0]?.json.summary).toMatch(/ It ends at the close of 25 Nov 2026: place it again on the next day\.$/);
});

it('many orders wait too, each for itself', async () => {
  const { engine } = await evening('intent');
  const { items } = await engine.run(
    { ...orderForm(), operation: 'placeMany', ...bySymbol('={{ $json.symbol }}') },
    { items: [{ symbol: 'INFY' }, { symbol: 'ITC' }].map((json) => ({ json })) },
  );
  expect(items.map(({ json }) => json.next_session)).toEqual([OPENS, OPENS]);
});

it.each(['intent', 'v2'] as const)(
  'Preview tells before the order that it would wait, by %s',
  async (orderInterface) => {
    const { engine } = await evening(orderInterface);
    const { items } = await engine.run({ ...orderForm(), operation: 'preview' }, { typeVersion: 1.2 });
    expect(items[0]?.json).toMatchObject({ in_market_hours: false, next_session: OPENS });
    const waits = / It waits for the market to open: 25 Nov 2026, 09:15\.$/;
    expect(waits.test(items[0]?.json.summary as string)).toBe(orderInterface === 'intent');
    expect(items[0]?.json.waits_for_next_session).toBe(orderInterface === 'intent' ? true : undefined);
  },
);

it.each(['intent', 'v2'] as const)('no order waits by %s where the sandbox trades around the clock', async (by) => {
  const { engine } = await evening(by, 'always');
  const { items, error } = await engine.run(orderForm(MARKET), { typeVersion: 1.1 });
  expect(error).toBeUndefined();
  expect(items[0]?.json).toMatchObject({ order_status: 'FILLED', wait_reached: true });
  expect(items[0]?.json).not.toHaveProperty('waits_for_next_session');
});
