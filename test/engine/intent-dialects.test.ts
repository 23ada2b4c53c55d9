/** Everything that was seen of intent orders (docs/service/intent-orders.md) gives the same output as what is told of them. */
import type { INodeParameters } from 'n8n-workflow';
import { SERVICE_DIALECTS, type ServiceDialect } from '../../sandbox/src/simulation/dialect';
import { Engine, allTextOf } from '../support/engine';
import { orderForm } from '../support/parameters';
import { share } from '../support/sample';
import { testSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

type Seen = [name: keyof ServiceDialect, value: string];
const seen: Seen[] = Object.entries(SERVICE_DIALECTS)
  .filter(([name]) => name.startsWith('intent_'))
  .flatMap(([name, values]) => values.slice(1).map((value): Seen => [name as keyof ServiceDialect, value]));

/** Fields that differ from run to run, whatever the service speaks. */
const OF_A_RUN = ['order_id', 'order_time', 'order_time_ist', 'tag', 'last_modified'];
/** Numbers that are the same in every run; others follow the market, and only whether they are 0 is compared. */
const FIXED = ['order_qty', 'filled_qty', 'order_price', 'trigger_price', 'limit_price', 'qty', 'ref_id'];
const OF_THE_MARKET = /pnl|mtm/;

function comparable(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => comparable(item));
  if (typeof value === 'number' && !FIXED.includes(name))
    return value === 0 && !OF_THE_MARKET.test(name) ? 0 : 'a number';
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !OF_A_RUN.includes(key))
      .map(([key, inner]) => [key, comparable(inner, key)]),
  );
}

interface TradingResult {
  ids: string[];
  items: Record<string, unknown>[];
}

/** Buys with exits, waits, changes and cancels, and reads orders and portfolio. */
async function trade(dialect: Partial<ServiceDialect>): Promise<TradingResult> {
  const sandbox = await testSandbox({ orderInterface: 'intent', rateLimit: 'off', dialect });
  try {
    const engine = await Engine.start(sandbox.credential);
    const all: Record<string, unknown>[] = [];
    const run = async (resource: string, operation: string, parameters: INodeParameters) => {
      const { items, error } = await engine.run({ resource, operation, simplify: true, ...parameters });
      if (error !== undefined) throw new Error(`${operation}: ${allTextOf(error)}`);
      all.push(...items.map(({ json }) => ({ operation, ...json })));
      return items[0]?.json as Record<string, never>;
    };
    const market = { priceType: 'MARKET', price: undefined, exits: { exitsIn: 'price', stopLoss: 1100, target: 1300 } };
    const filled = await run('order', 'place', orderForm(market as unknown as INodeParameters));
    await run('order', 'waitForStatus', { orderId: filled.order_id, waitFor: 'filled', deadlineSeconds: 30 });
    await run('order', 'cancelExit', {
      orderId: filled.order_id,
      exitKind: 'STOPLOSS',
      options: { waitSeconds: 20 },
    });
    const waiting = await run('order', 'place', orderForm({ price: 1150, options: { waitFor: 'accepted' } }));
    const price = { updateFields: { price: 1140 }, options: { waitSeconds: 20 } };
    await run('order', 'modify', { orderId: waiting.order_id, ...price });
    await sandbox.control('POST', 'clock', { advance: 'PT6S' });
    await run('order', 'cancel', { orderId: waiting.order_id, options: { waitSeconds: 20 } });
    await run('order', 'get', { orderId: filled.order_id });
    await run('order', 'getMany', { returnAll: true });
    for (const operation of ['getPositions', 'getHoldings', 'getFunds'])
      await run('portfolio', operation, { returnAll: true });
    const ids = all.flatMap(({ order_id: id }) => (id === undefined ? [] : [id as string]));
    const items = all.map((item) => comparable(item) as Record<string, unknown>);
    return { ids, items };
  } finally {
    await sandbox.close();
  }
}

let specified: TradingResult;
beforeAll(async () => {
  specified = await trade(Object.fromEntries(seen.map(([name]) => [name, SERVICE_DIALECTS[name][0]])));
});

it('the service gives identifiers of 19 digits, exact', () => {
  expect(specified.items.length).toBeGreaterThan(12);
  for (const id of specified.ids) expect(id).toMatch(/^\d{19}$/);
});

// All of them at once are tried below.
it.each(share(seen, 12, 0))('an order is placed, changed and read with %s %s', async (name, value) => {
  const { ids, items } = await trade({ [name]: value });
  for (const id of ids) expect(id).toMatch(name === 'intent_ids' ? /^\d{4,6}$/ : /^\d{19}$/);
  // A limit price that is missing is 0 in the output; that it was modified is seen all the same.
  const priceless = (list: TradingResult['items']) => list.map(({ order_price: _, ...rest }) => rest);
  if (name === 'intent_order_price') expect(priceless(items)).toEqual(priceless(specified.items));
  else if (name === 'intent_portfolio') expectSameOfBoth(items);
  else expect(items).toEqual(specified.items);
});

it('an order is placed, changed and read with all of them at once', async () => {
  const { items } = await trade({ ...Object.fromEntries(seen), intent_order_price: 'shown' });
  expectSameOfBoth(items);
});

/** The other spelling of the portfolio has some fields more and others less; what both have is the same. */
function expectSameOfBoth(items: TradingResult['items']): void {
  const common = (item: Record<string, unknown>, other: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => name in other));
  const reported = specified.items.map((item, index) => common(item, items[index]!));
  expect(items.map((item, index) => common(item, specified.items[index]!))).toEqual(reported);
  const of = (operation: string) => reported.find((item) => item.operation === operation);
  expect(of('getPositions')).toMatchObject({ symbol: 'INFY', qty: 1, avg_price: 'a number', ltp: 'a number' });
  expect(of('getHoldings')).toMatchObject({ symbol: expect.any(String), avg_price: 'a number', ltp: 'a number' });
  expect(of('getFunds')).toMatchObject({ net_margin_available: 'a number', start_of_day_funds: 'a number' });
}
