/** A quantity in lots is counted with the lot of the session that the order is for: the exchange changes lots overnight. */
import type { INodeParameters } from 'n8n-workflow';
import { forgetInstruments } from '../../client/instruments/catalogue';
import { forgetSessionLots } from '../../client/instruments/session-lots';
import { Engine } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const open: TestSandbox[] = [];
afterAll(async () => await Promise.all(open.map(async (sandbox) => await sandbox.close())));
beforeEach(() => {
  forgetInstruments();
  forgetSessionLots();
});

/** NIFTY has lots of 75 until the end of 2025, and of 65 then. */
async function world(time: string, hours: 'exchange' | 'always', orderInterface: 'intent' | 'v2' = 'intent') {
  const sandbox = await testSandbox({ orderInterface, hours, start: `${time}:00+05:30` });
  open.push(sandbox);
  return { sandbox, engine: await Engine.start(sandbox.credential) };
}

async function future(engine: Engine): Promise<INodeParameters> {
  const options = { kinds: ['FUT'] };
  const { items } = await engine.run({
    resource: 'instrument',
    operation: 'search',
    query: 'NIFTY',
    limit: 20,
    options,
  });
  const found = items.find(({ json }) => json.asset === 'NIFTY' && String(json.expiry) > '2026-01-05');
  return bySymbol(String(found?.json.symbol));
}

const market = { priceType: 'MARKET', price: undefined, product: 'CNC', waitFor: 'accepted' };
const lots = (instrument: INodeParameters, count: number): INodeParameters =>
  orderForm({ ...market, ...instrument, quantity: count, quantityUnit: 'lots' } as never);

const EVENING = '2025-12-31T18:00';

it('an order that waits for the next session has its lots, and trades in it', async () => {
  const { sandbox, engine } = await world(EVENING, 'exchange');
  const { items, error } = await engine.run(lots(await future(engine), 2), { typeVersion: 1.1 });
  expect(error).toBeUndefined();
  expect(items[0]?.json).toMatchObject({ order_qty: 130, waits_for_next_session: true });
  await sandbox.control('POST', 'clock', { set: '2026-01-01T09:20:00+05:30' });
  const { items: later } = await engine.run({
    resource: 'order',
    operation: 'get',
    orderId: items[0]!.json.order_id as string,
  });
  expect(later[0]?.json).toMatchObject({ order_status: 'FILLED', filled_qty: 130 });
});

it.each([
  ['in the session', '2025-12-31T14:00', 'exchange', 150],
  ['around the clock', EVENING, 'always', 150],
  ['before the opening of its first day', '2026-01-01T08:40', 'exchange', 130],
] as const)('an order %s has the lots of that day', async (_, time, hours, quantity) => {
  const { engine } = await world(time, hours);
  const { items, error } = await engine.run(lots(await future(engine), 2));
  expect(error).toBeUndefined();
  expect(items[0]?.json.order_qty).toBe(quantity);
});

it('units are checked with the lot of the next session too', async () => {
  const { engine } = await world(EVENING, 'exchange');
  const instrument = await future(engine);
  const place = async (quantity: number) =>
    await engine.run(orderForm({ ...market, ...instrument, quantity } as never));
  expect((await place(65)).error).toBeUndefined();
  expect((await place(75)).error?.message).toContain('multiple of the lot size 65');
});
