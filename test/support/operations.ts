/** Every operation of the node with parameters that fit the sandbox: what tests of all operations share. */
import { accountCases } from './account-operations';
import { Engine } from './engine';
import { lastPrice } from './last-price';
import { marketCases } from './market-operations';
import type { PreparedValues } from './operation-case';
import { orderForm } from './parameters';
import { testSandbox, type TestSandbox } from './sandbox';

/** Operations on orders and baskets that need none. */
const NEED_NOTHING = ['place', 'placeMany', 'preview', 'setTargetPosition'];

export interface OperationWorld {
  sandbox: TestSandbox;
  engine: Engine;
  /** Makes what an operation on an order or a basket needs: a new one, that rests in the book or has entered. */
  prepare(resource: string, operation: string): Promise<void>;
}

const prepared: PreparedValues = { orderId: '', basketId: '', calls: [], price: 0 };
const cases = { ...marketCases(), ...accountCases(prepared) };

/** Every operation that has a case: resource, operation, case. Their parameters are there once the world is open. */
export const operationCases = Object.entries(cases).flatMap(([resource, operations]) =>
  Object.entries(operations).map(([operation, item]) => [resource, operation, item] as const),
);

/**
 * A sandbox and an engine with a position, and two calls of NIFTY for a basket.
 * @param orderInterface that the account has.
 * @param through gives the address by which the engine reaches the sandbox; its own where it is left out.
 */
export async function openOperationWorld(
  through?: (url: string) => Promise<string>,
  orderInterface: 'intent' | 'v2' = 'v2',
): Promise<OperationWorld> {
  const sandbox = await testSandbox({ rateLimit: 'off', orderInterface });
  const sandboxBaseUrl = through === undefined ? sandbox.url : await through(sandbox.url);
  const engine = await Engine.start({ ...sandbox.credential, sandboxBaseUrl });
  const options = { kinds: ['OPT'] };
  const calls = await engine.run({ resource: 'instrument', operation: 'search', query: 'NIFTY', limit: 40, options });
  const legs = calls.items.filter(
    ({ json }) => json.option_type === 'CE' && json.expiry === calls.items[0]?.json.expiry && json.asset === 'NIFTY',
  );
  prepared.price = Math.floor((await lastPrice(engine)) * 0.97);
  await engine.run(orderForm({ priceType: 'MARKET', options: { waitFor: 'filled' } }));
  prepared.calls = legs.slice(0, 2).map(({ json }) => String(json.symbol));
  return {
    sandbox,
    engine,
    prepare: async (resource, operation) => {
      if ((resource !== 'order' && resource !== 'basket') || NEED_NOTHING.includes(operation)) return;
      const placed = await engine.run(
        resource === 'order'
          ? orderForm({ price: prepared.price })
          : { resource, operation: 'place', ...cases.basket?.place?.parameters() },
      );
      prepared.orderId = String(placed.items[0]?.json.order_id);
      prepared.basketId = String(placed.items[0]?.json.basket_id);
      await sandbox.control('POST', 'clock', { advance: 'PT3S' });
    },
  };
}
