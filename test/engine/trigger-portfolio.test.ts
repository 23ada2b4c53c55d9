/** Portfolio updates in n8n's engine: the sandbox's own frames over a real socket, beside what the portfolio has over REST. */
import { TriggerBench, is, json } from '../support/trigger-bench';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/hurried-clock'));

let bench: TriggerBench;

beforeAll(async () => (bench = await TriggerBench.start()));
afterAll(async () => await bench.close());
afterEach(async () => await bench.endTest());

interface RestPositions {
  portfolio: { client_code: string; stock_positions: { ref_id: number; qty: number; avg_price: number }[] | null };
}
interface RestHoldings {
  portfolio: { holdings: { symbol: string; qty: number; avg_price: number; invested_value: number }[] };
}
type Row = Record<string, unknown>;

const rowsOf = (update: Row, list: string): Row[] => (update[list] ?? []) as Row[];

it('tells of a new position in rupees and words, as the portfolio has it', async () => {
  const trigger = await bench.activate(
    { watch: 'portfolio', parts: ['positions'], portfolioEvery: 1 },
    { typeVersion: 1.2 },
  );
  const refId = await bench.infyRefId();
  await bench.buy(7);
  await bench.filled(7);
  const update = json(
    await trigger.waitFor((emitted) =>
      rowsOf(json(emitted), 'stock_positions').some(({ ref_id: id, qty }) => id === refId && qty === 7),
    ),
  );
  const { portfolio } = await bench.ask<RestPositions>('GET', '/portfolio/positions');
  const rest = portfolio.stock_positions?.find(({ ref_id: id }) => id === refId);
  expect(update).toMatchObject({
    event: 'positionsUpdated',
    event_label: 'Positions Changed',
    client_code: portfolio.client_code,
    environment: 'sandbox',
    event_time_ist: expect.stringMatching(/\+05:30$/),
  });
  const [row] = rowsOf(update, 'stock_positions');
  expect(row).toMatchObject({
    symbol: 'INFY',
    exchange: 'NSE',
    plat_name: 'STOCK_INFY.NSECM',
    order_delivery_type: 'CNC',
    product_label: 'Delivery',
    order_side: 'BUY',
    side_label: 'Bought',
    qty: 7,
  });
  expect(row?.avg_price).toBe((rest?.avg_price ?? NaN) / 100);
  expect(Math.abs(Number((update.position_stats as Row).total_pnl))).toBeLessThan(Number(row?.avg_price));
  expect(trigger.emitted.every(is('positionsUpdated'))).toBe(true);
  // The same state is not returned twice.
  const states = trigger.emitted.map((emitted) => JSON.stringify({ ...json(emitted), event_time_ist: '' }));
  expect(new Set(states).size).toBe(states.length);
});

it('tells of holdings when their prices change, in paise where wanted', async () => {
  const trigger = await bench.activate({
    watch: 'portfolio',
    parts: ['holdings'],
    portfolioEvery: 1,
    options: { priceUnit: 'paise' },
  });
  const update = json(await trigger.waitFor(is('holdingsUpdated')));
  const { portfolio } = await bench.ask<RestHoldings>('GET', '/portfolio/holdings');
  expect(portfolio.holdings.length).toBeGreaterThan(1);
  expect(
    rowsOf(update, 'holdings').map(({ symbol, qty, avg_price, invested_value }) => ({
      symbol,
      qty,
      avg_price,
      invested_value,
    })),
  ).toEqual(
    portfolio.holdings.map(({ symbol, qty, avg_price, invested_value }) => ({
      symbol,
      qty,
      avg_price,
      invested_value,
    })),
  );
});

it('tells only of the instruments that are wanted, and nothing while they are not there', async () => {
  const first = await bench.activate({ watch: 'portfolio', parts: ['holdings'], portfolioEvery: 1 });
  const all = json(await first.waitFor(is('holdingsUpdated')));
  const [requested] = rowsOf(all, 'holdings');
  const filters = { instruments: `${String(requested?.symbol).toLowerCase()}, NOSUCHNAME` };
  const some = await bench.activate({ watch: 'portfolio', parts: ['holdings'], portfolioEvery: 1, filters });
  const none = await bench.activate({
    watch: 'portfolio',
    parts: ['holdings'],
    portfolioEvery: 1,
    filters: { instruments: 'NOSUCHNAME' },
  });
  expect(await bench.streamsOpen()).toBe(1);
  const update = json(await some.waitFor(is('holdingsUpdated')));
  expect(rowsOf(update, 'holdings').map(({ symbol }) => symbol)).toEqual([requested?.symbol]);
  expect(update).not.toHaveProperty('holding_stats');
  expect(none.emitted).toEqual([]);
});

it('leaves nothing behind', async () => {
  const trigger = await bench.activate({ watch: 'portfolio', parts: ['positions', 'holdings'], portfolioEvery: 1 });
  expect(await bench.streamsOpen()).toBe(1);
  await trigger.close();
  const given = trigger.emitted.length;
  await bench.noStreamsLeft();
  await bench.control('POST', '/market', { ref_id: await bench.infyRefId(), price: 100_000 });
  expect(trigger.emitted).toHaveLength(given);
});
