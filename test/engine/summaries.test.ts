/** The sentence that items carry for a message, in n8n's engine: from version 1.2 on, in rupees, with the words of the panel. */
import type { INodeParameters } from 'n8n-workflow';
import { Engine, allTextOf } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';
import { inTurn } from '../support/turns';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const RUPEES = '₹[\\d,]+\\.\\d\\d';
const text = (pattern: string): unknown => expect.stringMatching(new RegExp(`^${pattern}$`));

describe.each(['v2', 'intent'] as const)('with the interface %s', (orderInterface) => {
  const itInTurn = inTurn(2, orderInterface === 'v2' ? 0 : 1);
  let sandbox: TestSandbox;
  let engine: Engine;
  beforeAll(async () => {
    sandbox = await testSandbox({ orderInterface, rateLimit: 'off', hours: 'always' });
    engine = await Engine.start(sandbox.credential);
  });
  afterAll(async () => await sandbox.close());

  const first = async (parameters: INodeParameters, typeVersion = 1.2) => {
    const { items, error } = await engine.run(parameters, { typeVersion });
    if (error !== undefined) throw new Error(allTextOf(error));
    return items[0]!.json;
  };

  itInTurn('tells a changed order that a dry run keeps back', async () => {
    const waiting = orderForm({ priceType: 'LIMIT', price: 1_100, product: 'IDAY', quantity: 10 });
    const { order_id: orderId } = await first({ ...waiting, ...bySymbol('NSE:INFY') });
    const change = {
      ...{ resource: 'order', operation: 'modify', orderId: String(orderId) },
      ...{ updateFields: { quantity: 9, price: 1_110.5 }, safety: { dryRun: true } },
    };
    const summary = 'Dry run, nothing was sent: change INFY to quantity 9, price ₹1,110.50.';
    expect(await first(change)).toMatchObject({ dry_run: true, summary });
    expect(await first(change, 1.1)).not.toHaveProperty('summary');
    await first({ resource: 'order', operation: 'cancel', orderId: String(orderId) });
  });

  itInTurn('tells a price, an order, a position, the portfolio and a closed position', async () => {
    const price = { resource: 'quote', operation: 'getCurrentPrice', ...bySymbol('NSE:INFY'), options: {} };
    expect(await first(price)).toMatchObject({
      summary: text(`INFY is at ${RUPEES} \\([+−]?[\\d.]+% since the previous close\\)\\.`),
    });
    const order = orderForm({ priceType: 'MARKET', product: 'IDAY', quantity: 1_000, options: { waitFor: 'filled' } });
    const bought = `Filled: bought 1,000 INFY \\(Intraday\\) at ${RUPEES}\\.`;
    const placed = await first({ ...order, ...bySymbol('NSE:INFY') });
    expect(placed).toMatchObject({ summary: text(bought) });
    const get = { resource: 'order', operation: 'get', orderId: String(placed.order_id) };
    expect(await first(get)).toMatchObject({ summary: text(bought) });
    expect(await first(get, 1.1)).not.toHaveProperty('summary');
    const positions = { resource: 'portfolio', operation: 'getPositions', filters: { segments: ['stock'] } };
    expect(await first(positions)).toMatchObject({
      summary: text(`INFY \\(Intraday\\): bought 1,000 at ${RUPEES}, result [+−]?${RUPEES}\\.`),
    });
    expect(await first({ resource: 'portfolio', operation: 'getSummary' })).toMatchObject({
      summary: text(`Positions today: [+−]?${RUPEES}\\. Holdings today: [+−]?${RUPEES}\\.`),
    });
    expect(await first({ resource: 'portfolio', operation: 'getFunds' })).toMatchObject({
      summary: text(`Available ${RUPEES}, blocked as margin ${RUPEES}, at the start of the day ₹1,00,00,000\\.00\\.`),
    });
    expect(await first({ resource: 'portfolio', operation: 'getHoldings' })).toMatchObject({
      summary: text(`INFY: 100 held, bought at ${RUPEES}, last price ${RUPEES}, result [+−]?${RUPEES}\\.`),
    });
    const target = { resource: 'order', operation: 'setTargetPosition', ...bySymbol('NSE:INFY'), product: 'IDAY' };
    expect(await first({ ...target, target: 990, quantityUnit: 'units', tradeAt: 'market' })).toMatchObject({
      product_label: 'Intraday',
      summary: 'Target reached: INFY (Intraday), target 990, 0 missing.',
    });
    const exit = { resource: 'portfolio', operation: 'exitPosition', ...bySymbol('NSE:INFY'), closeAt: 'market' };
    expect(await first(exit, 1.1)).not.toHaveProperty('summary');
    await first({ ...target, target: 5, quantityUnit: 'units', tradeAt: 'market' });
    expect(await first(exit)).toMatchObject({
      product_label: 'Intraday',
      summary: text(
        `Closed: INFY \\(Intraday\\), sold 5 at ${RUPEES}, 0 left, result [+−]?${RUPEES} before charges\\.`,
      ),
    });
  });

  if (orderInterface === 'intent')
    it('tells until which day an order waits, and its last day in IST', async () => {
      const waits = orderForm({
        ...{ priceType: 'LIMIT', product: 'CNC', pricesAs: 'percent', price: -2 },
        options: { validity: 'gtd', goodTillDate: '2026-11-30' },
      });
      const placed = await first({ ...waits, ...bySymbol('NSE:INFY') });
      expect(placed).toMatchObject({
        summary: text(`Open: buy \\d+ INFY \\(Delivery\\) at ${RUPEES}, until 30 Nov 2026\\.`),
      });
      expect(placed.good_till_date_ist).toMatch(/^2026-11-30T/);
    });

  itInTurn('tells a basket, whose legs take its product', async () => {
    const placed = await first({
      ...{ resource: 'basket', operation: 'place', name: 'Evening', strategy: 'straddle', underlying: 'NIFTY' },
      ...{ exchange: 'NSE', expiryMode: 'nearest', quantity: 1, quantityUnit: 'lots', basketSide: 'SELL' },
      ...{ product: 'IDAY', priceType: 'MARKET', options: { exitTime: '23:55' } },
    });
    expect(placed).toMatchObject({
      product_label: 'Intraday',
      summary: text('Evening: .* 65 NIFTY Nov [\\d,]+ CE, .* 65 NIFTY Nov [\\d,]+ PE, exit at 23:55\\.'),
      basket_params: { exit_time_ist: expect.stringMatching(/T23:55:00\.000\+05:30$/) },
    });
    const legs = placed.legs as { product_label: string | null }[];
    expect(legs.map((leg) => leg.product_label)).toEqual(['Intraday', 'Intraday']);
  });
});
