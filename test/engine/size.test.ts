/** Orders by amount, share of funds and risk, in n8n's engine against the sandbox over real HTTP, on both interfaces. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Engine } from '../support/engine';
import type { NodeRun } from '../support/engine-types';
import { bySymbol, orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';
import { inTurn } from '../support/turns';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

describe.each(['v2', 'intent'] as const)('on %s', (orderInterface) => {
  const itInTurn = inTurn(2, orderInterface === 'v2' ? 0 : 1);
  let sandbox: TestSandbox;
  let engine: Engine;
  beforeAll(async () => {
    sandbox = await testSandbox({ orderInterface });
    engine = await Engine.start(sandbox.credential);
  });
  afterAll(async () => await sandbox.close());

  const run = async (given: INodeParameters, options: Parameters<Engine['run']>[1] = {}): Promise<NodeRun> =>
    await engine.run(orderForm({ price: 1100, product: 'IDAY', ...given }), { typeVersion: 1.1, ...options });
  const placed = async (given: INodeParameters): Promise<IDataObject> => {
    const { items, error } = await run(given);
    expect(error?.message).toBeUndefined();
    return items[0]!.json;
  };

  itInTurn('buys for the given rupees, rounded down', async () => {
    expect(await placed({ sizeBy: 'amount', sizeAmount: 12_000 })).toMatchObject({ order_qty: 10 });
    expect(await placed({ sizeBy: 'amount', sizeAmount: '13199.99' })).toMatchObject({ order_qty: 11 });
    const paise = { sizeBy: 'amount', sizeAmount: 1_100_00, price: 1_100_00, options: { priceUnit: 'paise' } };
    expect(await placed(paise)).toMatchObject({ order_qty: 1 });
    const market = await placed({ sizeBy: 'amount', sizeAmount: 10_000, priceType: 'MARKET' });
    expect(Number(market.order_qty)).toBeGreaterThan(5);
    expect(Number(market.order_qty) * Number(market.avg_filled_price)).toBeLessThan(10_100);
  });

  itInTurn('takes a share of the available funds', async () => {
    const funds = await engine.run({ resource: 'portfolio', operation: 'getFunds' });
    const available = Number(funds.items[0]?.json.net_margin_available);
    const order = await placed({ sizeBy: 'funds', sizePercent: 2.5, safety: { dryRun: true } });
    const requested = Math.floor((available * 0.025) / 1100);
    expect(JSON.stringify(order.would_send)).toMatch(new RegExp(`"(order_qty|quantity|qty)":\\s*"?${requested}\\b`));
  });

  itInTurn('risks no more than the given rupees to the stop', async () => {
    expect(await placed({ sizeBy: 'risk', sizeRisk: 500, stopPrice: 1078.5 })).toMatchObject({ order_qty: 23 });
    const none = await run({ sizeBy: 'risk', sizeRisk: 500, stopPrice: 0 });
    expect(none.error?.context?.parameter).toBe('stopPrice');
    const wrong = await run({ sizeBy: 'risk', sizeRisk: 500, stopPrice: 1200 });
    expect(wrong.error?.message).toContain('must be below the entry');
    if (orderInterface === 'intent') {
      const exits = await placed({ sizeBy: 'risk', sizeRisk: 500, exits: { stopLoss: 2 } });
      expect(exits).toMatchObject({ order_qty: 22 });
    }
  });

  itInTurn(
    'rounds half of an order down to whole lots where that is chosen, and says which option does it',
    async () => {
      const half = (given: INodeParameters) => ({
        ...{ ...bySymbol('NIFTY NOV FUT'), price: 25_000, quantity: '={{ $json.quantity / 2 }}' },
        ...{ safety: { dryRun: true }, options: { roundQuantityDown: true }, ...given },
      });
      const of = async (quantity: number, given: INodeParameters = {}): Promise<NodeRun> =>
        await run(half(given), { items: [{ json: { quantity } }] });
      const sent = async (quantity: number, given: INodeParameters = {}): Promise<string> =>
        JSON.stringify((await of(quantity, given)).items[0]?.json.would_send);
      const quantityOf = (units: number) => new RegExp(`"(order_qty|quantity|qty)":\\s*"?${units}\\b`);
      expect(await sent(195)).toMatch(quantityOf(65));
      expect(await sent(261)).toMatch(quantityOf(130));
      expect(await sent(2 * 64.99999999999999)).toMatch(quantityOf(65));
      expect(await sent(3, { quantityUnit: 'lots' })).toMatch(quantityOf(65));
      expect(await sent(7, { ...bySymbol('INFY'), price: 1100 })).toMatch(quantityOf(3));
      const small = await of(65);
      expect(small.error).toMatchObject({
        message: expect.stringContaining('Quantity 32.5 is less than one lot of 65. Nothing was sent.'),
        context: { parameter: 'quantity' },
      });
      const refused = await of(7, { ...bySymbol('INFY'), options: {} });
      expect(refused.error).toMatchObject({
        message: expect.stringContaining('Quantity must be a whole number, but is 3.5. Nothing was sent.'),
        description: expect.stringContaining('Add "Round Quantity Down" under Options'),
      });
    },
  );

  itInTurn('counts lots, and says or skips what is too small', async () => {
    const future = { ...bySymbol('NIFTY NOV FUT'), price: 25_000 };
    const before = await sandbox.ordersReceived();
    const small = await run({ ...future, sizeBy: 'amount', sizeAmount: 100_000 });
    expect(small.error?.message).toContain('one lot of 65 costs ₹16,25,000.00');
    expect(small.error?.context?.parameter).toBe('sizeAmount');
    const skipped = await placed({ ...future, sizeBy: 'amount', sizeAmount: 100_000, whenTooSmall: 'skip' });
    expect(skipped).toMatchObject({
      skipped: true,
      reason: expect.stringContaining('comes to 0'),
      environment: 'sandbox',
    });
    const many = await run({ operation: 'placeMany', sizeBy: 'amount', sizeAmount: 5, whenTooSmall: 'skip' });
    expect(many.items[0]?.json).toMatchObject({ skipped: true });
    expect(await sandbox.ordersReceived()).toBe(before);
    const lots = await placed({ ...future, sizeBy: 'amount', sizeAmount: 3_300_000, safety: { dryRun: true } });
    expect(JSON.stringify(lots.would_send)).toContain('130');
  });

  itInTurn('a retry finds the order, though its size would come to nothing now', async () => {
    const form = { sizeBy: 'amount', sizeAmount: '={{ $json.rupees }}', options: { idempotencyKey: `size` } };
    const first = await run(form, { items: [{ json: { rupees: 2_200 } }] });
    const before = await sandbox.ordersReceived();
    expect((await run(form, { items: [{ json: { rupees: 2_200 } }] })).items[0]?.json).toMatchObject({
      order_id: first.items[0]?.json.order_id,
      already_placed: true,
    });
    await sandbox.control('POST', 'faults', { match: { path: '/*', method: 'POST' }, action: 'drop_after', times: 1 });
    const byMarket = { sizeBy: 'amount', sizeAmount: 1_300, priceType: 'MARKET', whenTooSmall: 'skip' };
    const retried = await run(byMarket, { retryOnFail: true });
    expect(retried.error?.message).toBeUndefined();
    expect(await sandbox.ordersReceived()).toBe(before + 1);
  });

  itInTurn('keeps the limits, on the resulting quantity', async () => {
    const { error } = await run({ sizeBy: 'amount', sizeAmount: 11_000, safety: { maxQuantity: 9 } });
    expect(`${error?.message}`).toContain('guard');
  });

  it.each<[string, INodeParameters, string]>([
    ['an amount of 0', { sizeBy: 'amount', sizeAmount: 0 }, 'sizeAmount'],
    ['an amount that is none', { sizeBy: 'amount', sizeAmount: 'much' }, 'sizeAmount'],
    ['a negative risk', { sizeBy: 'risk', sizeRisk: -5, stopPrice: 1000 }, 'sizeRisk'],
    ['more than all funds', { sizeBy: 'funds', sizePercent: 101 }, 'sizePercent'],
  ])('refuses %s before anything is sent', async (_, given, parameter) => {
    const before = await sandbox.ordersReceived();
    const { error } = await run(given);
    expect(error?.context?.parameter).toBe(parameter);
    expect(await sandbox.ordersReceived()).toBe(before);
  });

  it.each<[string, INodeParameters, string, string]>([
    ['Risk (Rupees)', { sizeBy: 'risk', sizeRisk: '1%' }, 'takes rupees, but is "1%".', 'net_margin_available * 0.01'],
    ['Amount (Rupees)', { sizeBy: 'amount', sizeAmount: '5 %' }, 'takes rupees, but is "5 %".', 'Percent of Funds'],
    ['Stop Price', { sizeBy: 'risk', sizeRisk: 10, stopPrice: '2%' }, 'takes rupees, but is "2%".', 'add Stop Loss'],
  ])('a percentage in %s is refused with the way to it', async (label, given, message, way) => {
    const { error } = await run(given);
    expect(error?.message).toContain(`${label} ${message}`);
    expect(error?.description).toContain(way);
  });
});
