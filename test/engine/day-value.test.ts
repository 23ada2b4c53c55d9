/** "Largest Day Value" and "Most Orders a Day" count baskets that another process placed, on both interfaces. */
import type { INodeParameters } from 'n8n-workflow';
import { placements } from '../../nodes/shared/placements';
import { Engine } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';
import { share } from '../support/sample';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const open: TestSandbox[] = [];
afterAll(async () => await Promise.all(open.map(async (testSandbox) => await testSandbox.close())));
afterEach(() => jest.restoreAllMocks());

/** Two calls of NIFTY, one bought and one sold, and what a lot of each is worth at the last price, rupees. */
async function spread(engine: Engine): Promise<{ leg: INodeParameters[]; worth: number }> {
  const options = { kinds: ['OPT'] };
  const found = await engine.run({ resource: 'instrument', operation: 'search', query: 'NIFTY', limit: 40, options });
  const calls = found.items.filter(({ json }) => json.asset === 'NIFTY' && json.option_type === 'CE').slice(0, 2);
  let worth = 0;
  for (const { json } of calls) {
    const by = bySymbol(String(json.symbol));
    const quote = await engine.run({ resource: 'quote', operation: 'getCurrentPrice', ...by });
    worth += Number(quote.items[0]?.json.price) * Number(json.lot_size);
  }
  const leg = calls.map(({ json }, at) => ({
    ...bySymbol(String(json.symbol)),
    quantity: 1,
    quantityUnit: 'lots',
    side: at === 0 ? 'BUY' : 'SELL',
  }));
  return { leg, worth };
}

it.each(share(['v2', 'intent'] as const, 2, 1))(
  'a basket that waits counts after a restart: %s',
  async (orderInterface) => {
    const sandbox = await testSandbox({ orderInterface });
    open.push(sandbox);
    const engine = await Engine.start(sandbox.credential);
    const { leg, worth } = await spread(engine);
    const placed = await engine.run({
      resource: 'basket',
      operation: 'place',
      name: 'Spread',
      legs: { leg },
      side: 'BUY',
      product: 'IDAY',
      priceType: 'LIMIT',
      price: -5000,
      simplify: true,
      options: {},
      safety: {},
    });
    expect(placed.error).toBeUndefined();
    await sandbox.control('POST', 'clock', { advance: 'PT5S' });
    // A process that has just begun knows nothing of what was sent.
    jest.spyOn(placements, 'values').mockImplementation(function* () {});
    jest.spyOn(placements, 'sentOrders').mockImplementation(function* () {});
    const third = async (maxDayOrders: number) =>
      (await engine.run(orderForm({ quantity: 1, safety: { maxDayOrders, dryRun: true } }))).error?.message;
    expect(await third(2)).toContain('"Most Orders a Day": 2 orders were placed today, this is one more, and 2 are');
    expect(await third(3)).toBeUndefined();
    const order = async (maxDayValue: number) =>
      await engine.run(orderForm({ price: 1000, quantity: 1, safety: { maxDayValue } }));
    const refused = await order(Math.floor(1000 + worth * 0.99));
    expect(refused.error?.message).toContain('"Largest Day Value": with this order the day comes to');
    expect(refused.error?.description).toContain('All orders of the account count today');
    expect((await order(Math.ceil(1000 + worth * 1.01))).error).toBeUndefined();
    const { basket_id: basketId } = placed.items[0]!.json;
    const cancelled = await engine.run({
      resource: 'basket',
      operation: 'cancel',
      basketId: String(basketId),
      exchange: 'NSE',
    });
    expect(cancelled.error).toBeUndefined();
    await sandbox.control('POST', 'clock', { advance: 'PT5S' });
    expect((await order(2100)).error).toBeUndefined();
  },
);
