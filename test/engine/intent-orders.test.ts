/** Orders on an account with intent orders, in n8n's engine against the sandbox over real HTTP. */
import type { INodeParameters } from 'n8n-workflow';
import { Engine, describe as told } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { FIRST_ACCOUNT, testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;
/** Last price of INFY, rupees. */
let last: number;
let refId: number;

beforeAll(async () => {
  sandbox = await testSandbox({ orderInterface: 'intent' });
  engine = await Engine.start(sandbox.credential);
  const infy = await engine.run({ resource: 'instrument', operation: 'get', ...bySymbol('INFY') });
  refId = Number(infy.items[0]?.json.ref_id);
  const quote = await engine.run({ resource: 'quote', operation: 'getCurrentPrice', ...bySymbol('INFY') });
  last = Number(quote.items[0]?.json.price);
});
afterAll(async () => await sandbox.close());

const run = async (operation: string, parameters: INodeParameters) =>
  await engine.run({ resource: 'order', operation, ...parameters });
/** Runs what must succeed, and gives its first item. */
const first = async (operation: string, parameters: INodeParameters) => {
  const { items, error } = await run(operation, parameters);
  if (error !== undefined) throw new Error(told(error));
  return items[0]!.json as Record<string, never>;
};
const market = (given: INodeParameters = {}): INodeParameters =>
  orderForm({ priceType: 'MARKET', price: undefined, product: 'IDAY', ...given } as INodeParameters);
const move = async (rupees: number): Promise<void> => {
  await sandbox.control('POST', 'market', { ref_id: refId, price: Math.round(rupees * 20) * 5 });
  await sandbox.control('POST', 'clock', { advance: 'PT2S' });
};

it('places a purchase with a 2 % stop and a 4 % target in one order, on the tick on the safe side', async () => {
  const placed = await first(
    'place',
    market({ exits: { stopLoss: 2, target: 4 }, options: { waitFor: 'filled', waitSeconds: 30 } }),
  );
  expect(placed).toMatchObject({
    order_status: 'FILLED',
    intent_status: 'EXECUTED',
    validity_type: 'IOC',
    symbol: 'INFY',
    order_side: 'BUY',
    exits_until: '2026-11-20',
    wait_reached: true,
  });
  const [stop, target] = placed.exits as { kind: string; trigger_price: number; limit_price: number; status: string }[];
  expect(stop).toMatchObject({ kind: 'STOPLOSS', status: 'OPEN', filled_qty: 0 });
  expect(target).toMatchObject({ kind: 'TARGET_PROFIT', status: 'OPEN' });
  expect(stop!.trigger_price).toBeGreaterThan(stop!.limit_price);
  for (const price of [stop!.trigger_price, stop!.limit_price, target!.trigger_price])
    expect(Math.round(price * 100) % 5).toBe(0);
  expect(placed.intent).toBeUndefined();
});
