/**
 * Counts the requests for placing orders, as the sandbox sees them: within the hours of the market and after them, over both order
 * interfaces. Time passes only during sleeps, so that a count is the same on every machine.
 */
import { Engine } from '../test/support/engine';
import { orderForm } from '../test/support/parameters';
import { testSandbox, type TestSandbox } from '../test/support/sandbox';
import { clock as virtual } from '../test/support/virtual-clock';
import { clock } from '../nodes/host/clock';
import type { Figure, MakeRow } from './row';

/** The market trades around the clock: after hours its orders may wait for the next session, and are asked about. */
const TIMES = { 'within hours': '2026-11-20T10:30:00+05:30', 'after hours': '2026-11-20T18:00:00+05:30' };
const INTERFACES = { intent: 'intent orders', v2: 'older interface' } as const;
/** The sandbox takes so many orders in one request. */
const MAX_IN_ONE = 100;
/**
 * Requests of an execution beside its orders, in the order of the measurements below: session, account, instrument, the time of the
 * sandbox, lists and waiting. A higher count fails the run: whoever adds a request raises it here, and says why.
 */
const ASIDE: Readonly<Record<string, readonly [number, number, number, number]>> = {
  'intent, within hours': [7, 15, 9, 15],
  'intent, after hours': [8, 16, 10, 16],
  'v2, within hours': [7, 15, 9, 15],
  'v2, after hours': [15, 15, 15, 15],
};

const OPERATIONS = [
  { name: 'Place Many', operation: 'placeMany', options: {} },
  { name: 'Place Many, until filled', operation: 'placeMany', options: { waitFor: 'filled' } },
  { name: 'Place', operation: 'place', options: {} },
  { name: 'Place, until filled', operation: 'place', options: { waitFor: 'filled' } },
] as const;

async function requestsOf({ control }: TestSandbox): Promise<number> {
  const { requests } = await control<{ requests: number }>('GET', 'stats');
  return requests;
}

/** Returns the number of requests for a number of orders with an operation, in executions of a hundred orders. */
async function counted(
  sandbox: TestSandbox,
  count: number,
  { operation, options }: (typeof OPERATIONS)[number],
): Promise<number> {
  const engine = await Engine.start({ ...sandbox.credential, ordersPerSecond: MAX_IN_ONE });
  const parameters = orderForm({ operation, options, product: 'IDAY', priceType: 'MARKET' });
  await engine.run({ resource: 'session', operation: 'check' });
  const before = await requestsOf(sandbox);
  for (let placed = 0; placed < count; placed += MAX_IN_ONE) {
    const items = Array.from({ length: Math.min(MAX_IN_ONE, count - placed) }, () => ({ json: {} }));
    const made = await engine.run(parameters, { items });
    if (made.error !== undefined || made.items.length !== items.length)
      throw made.error ?? new Error(`${made.items.length} orders`);
  }
  return (await requestsOf(sandbox)) - before - 1;
}

const make: MakeRow = ({ short }) => {
  const count = short ? MAX_IN_ONE : 1_000;
  Object.assign(clock, virtual);
  return {
    title: 'Requests of placing',
    work: `${count} orders in executions of ${MAX_IN_ONE}`,
    sides: [],
    goals: [],
    figures: async () => {
      const figures: Figure[] = [];
      for (const [by, interfaceName] of Object.entries(INTERFACES))
        for (const [when, start] of Object.entries(TIMES))
          for (const [at, way] of OPERATIONS.entries()) {
            const options = { orderInterface: by as keyof typeof INTERFACES, start, rateLimit: 'off' as const };
            const sandbox = await testSandbox(options);
            const value = await counted(sandbox, count, way);
            await sandbox.close();
            const executions = Math.ceil(count / MAX_IN_ONE);
            const orders = way.operation === 'place' ? count : executions;
            figures.push({
              name: `${way.name}, ${interfaceName}, ${when}`,
              value,
              unit: 'requests',
              atMost: orders + executions * ASIDE[`${by}, ${when}`]![at]!,
            });
          }
      return figures;
    },
  };
};
export default make;
