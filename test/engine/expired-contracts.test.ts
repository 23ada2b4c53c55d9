/** Portfolio: Get Performance counts contracts that expired while they were held, as the sandbox's books do. */
import { Engine, allTextOf } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

/** The Monday on which the contracts of November 2026 expire: the last Tuesday is a holiday. */
const EXPIRY = 20261123;

let sandbox: TestSandbox;
let engine: Engine;

beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off', orderInterface: 'v2', hours: 'exchange' });
  engine = await Engine.start(sandbox.credential);
});
afterAll(async () => await sandbox.close());

const trade = async (symbol: string, side: string, quantity: number) => {
  const terms = { side, quantity, product: 'CNC', priceType: 'MARKET', price: undefined };
  const { error } = await engine.run(orderForm({ ...bySymbol(symbol), ...terms } as never));
  if (error !== undefined) throw new Error(allTextOf(error));
  await sandbox.control('POST', 'clock', { advance: 'PT2M' });
};
const performance = async (from: string) => {
  const period = { dates: 'custom', from, to: '2026-11-25', options: { priceUnit: 'paise' } };
  const { items, error } = await engine.run({ resource: 'portfolio', operation: 'getPerformance', ...period } as never);
  if (error !== undefined) throw new Error(allTextOf(error));
  return items[0]!.json as { trades: object[]; not_counted: object[]; costs_complete: boolean; complete: boolean };
};

interface OwnTrip {
  symbol: string;
  gross: number;
  costs: number;
}

it('settles options and futures of an index at its close, and worthless options of shares, as the books have it', async () => {
  const { world, instant } = sandbox.running.sandbox;
  const universe = world.universe();
  /** Returns the option a number of strikes above the price, or below it. */
  const call = (asset: string, strikes: number) => {
    const { ce } = universe.options('NSE', asset, EXPIRY);
    const last = world.market.price(universe.bySymbol('NSE', asset)!, instant);
    return ce[ce.findIndex(({ strikePrice }) => strikePrice >= last) + strikes]!;
  };
  const [carried, worthless, exercised, stock, delivered] = [
    call('NIFTY', 0),
    call('NIFTY', 8),
    call('NIFTY', -8),
    call('INFY', 2),
    call('TCS', -4),
  ];
  const future = universe.futures('NSE', 'NIFTY').find(({ expiry }) => expiry === EXPIRY)!;
  await trade(future.symbol, 'BUY', future.lotSize);
  await trade(worthless.symbol, 'SELL', worthless.lotSize);
  await trade(stock.symbol, 'SELL', stock.lotSize);
  await trade(exercised.symbol, 'BUY', exercised.lotSize);
  await trade(delivered.symbol, 'BUY', delivered.lotSize);
  await trade(carried.symbol, 'BUY', carried.lotSize);
  await sandbox.control('POST', 'clock', { set: '2026-11-23T10:00:00+05:30' });
  await trade(carried.symbol, 'SELL', carried.lotSize);
  await sandbox.control('POST', 'clock', { set: '2026-11-25T10:00:00+05:30' });

  const found = await performance('2026-11-20');
  const { round_trips: ownTrips } = await sandbox.control<{ round_trips: OwnTrip[] }>('GET', 'performance');
  const own = new Map(ownTrips.map((trip) => [trip.symbol, trip]));
  expect(found.trades).toEqual([
    ...[future, worthless, stock, exercised].map(({ symbol }) =>
      expect.objectContaining({
        symbol,
        open: false,
        exit_at: '2026-11-23T15:30:00.000+05:30',
        exit_order_id: '',
        gross: own.get(symbol)!.gross,
        costs: own.get(symbol)!.costs,
      }),
    ),
    expect.objectContaining({ symbol: carried.symbol, open: false, exit_at: '2026-11-23T10:00:00.000+05:30' }),
    // The shares that came for the last option.
    expect.objectContaining({ symbol: 'TCS', open: true }),
  ]);
  expect(found.not_counted).toEqual([{ symbol: delivered.symbol, quantity: delivered.lotSize, why: 'no price' }]);
  expect(found).toMatchObject({ complete: false, costs_complete: true });
});

it('does not take the sale of what was bought before the first day for a short position', async () => {
  const { trades, not_counted: left } = await performance('2026-11-23');
  expect([trades, left]).toEqual([
    [expect.objectContaining({ symbol: 'TCS' })],
    [expect.objectContaining({ symbol: expect.stringMatching(/^NIFTY.*CE$/), why: 'held before' })],
  ]);
});

it('does not compare a strike, or the price of a purchase, with a price that a later split has adjusted', async () => {
  await trade('INFY', 'BUY', 5);
  await sandbox.control('POST', 'corporate-actions', { kind: 'split', symbol: 'INFY', from: 5, to: 1 });
  await sandbox.control('POST', 'clock', { set: '2026-11-26T10:00:00+05:30' });
  const { trades, not_counted: left } = await performance('2026-11-20');
  expect(left).toContainEqual(
    expect.objectContaining({ symbol: expect.stringMatching(/^INFY.*CE$/), why: 'no price' }),
  );
  expect(left).toContainEqual({ symbol: 'INFY', quantity: 5, why: 'split or bonus' });
  expect(trades).not.toContainEqual(expect.objectContaining({ symbol: 'INFY' }));
});
