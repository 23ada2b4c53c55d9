/**
 * No code without plain words beside it, in n8n's engine against the sandbox: the items of every operation, on both order interfaces, simplified
 * and not. The events of the trigger are checked in every engine test of version 1.2, when its trigger closes (test/support/engine.ts).
 */
import type { INodeParameters } from 'n8n-workflow';
import { Engine, allTextOf } from '../support/engine';
import { codesWithoutLabel } from '../support/item-codes';
import { openOperationWorld, operationCases, type OperationWorld } from '../support/operations';
import { bySymbol, orderForm } from '../support/parameters';
import { share } from '../support/sample';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

/** Operations whose codes have no label, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'bhavcopy: getRows': "rows have the columns of the exchange's file, as it writes them",
};

const LABELLED = operationCases.filter(([resource, operation]) => !(`${resource}: ${operation}` in EXCEPTIONS));

const codesIn = (items: readonly { json: object }[]): string[] => [
  ...new Set(items.flatMap(({ json }) => codesWithoutLabel(json))),
];

describe.each(['v2', 'intent'] as const)('with the interface %s', (orderInterface) => {
  let world: OperationWorld;
  beforeAll(async () => (world = await openOperationWorld(undefined, orderInterface)));
  afterAll(async () => await world.sandbox.close());

  it.each(share(LABELLED, 16, orderInterface === 'v2' ? 0 : 8))(
    '%s: %s returns no code without a label',
    async (resource, operation, { parameters }) => {
      for (const simplify of [true, false]) {
        await world.prepare(resource, operation);
        const form = { resource, operation, simplify, ...parameters() };
        const { items } = await world.engine.run(form, { typeVersion: 1.2 });
        expect({ simplify, codes: codesIn(items) }).toEqual({ simplify, codes: [] });
      }
    },
  );
});

describe('of what a form does not show', () => {
  let sandbox: TestSandbox;
  let engine: Engine;
  beforeAll(async () => {
    sandbox = await testSandbox({ orderInterface: 'intent', rateLimit: 'off' });
    engine = await Engine.start(sandbox.credential);
  });
  afterAll(async () => await sandbox.close());

  const run = async (parameters: INodeParameters, typeVersion = 1.2) => {
    const { items, error } = await engine.run(parameters, { typeVersion });
    if (error !== undefined) throw new Error(allTextOf(error));
    return items;
  };

  it('exits of an order, what became of them, closings and changes have labels', async () => {
    const order = { ...orderForm({ priceType: 'MARKET', product: 'IDAY' }), ...bySymbol('NSE:INFY') };
    const [placed] = await run({
      ...order,
      exits: { stopLoss: 2, target: 4 },
      options: { waitFor: 'filled', waitSeconds: 30 },
    });
    const orderId = String(placed?.json.order_id);
    expect(codesIn([placed!])).toEqual([]);
    expect(placed?.json.exits).toContainEqual(expect.objectContaining({ kind: 'STOPLOSS', kind_label: 'Stop loss' }));
    const off = await run({ resource: 'order', operation: 'cancelExit', orderId, exitKind: 'TARGET_PROFIT' });
    expect(codesIn(off)).toEqual([]);
    const positions = await run({ resource: 'portfolio', operation: 'getPositions', filters: {} });
    expect(codesIn(positions)).toEqual([]);
    const exit = { resource: 'portfolio', operation: 'exitPosition', ...bySymbol('NSE:INFY'), closeAt: 'market' };
    const closed = await run(exit);
    expect(codesIn(closed)).toEqual([]);
    expect(closed[0]?.json).toMatchObject({ result: 'closed', result_label: 'Closed' });
  });

  it('a node of an earlier version keeps its item', async () => {
    const [item] = await run({ resource: 'instrument', operation: 'get', ...bySymbol('NSE:INFY') }, 1.1);
    expect(Object.keys(item!.json).filter((name) => name.endsWith('_label'))).toEqual([]);
  });
});

describe('codesWithoutLabel', () => {
  it.each([
    [{ order_side: 'ORDER_SIDE_BUY' }, ['order_side = ORDER_SIDE_BUY']],
    [{ order_side: 'BUY', side_label: 'Buy' }, []],
    [{ legs: [{ product: 'CNC' }] }, ['legs[].product = CNC']],
    [{ result: 'too_late', result_label: 'too_late' }, ['result = too_late']],
    [{ event: 'fill' }, ['event = fill']],
    [{ symbol: 'INFY', exchange: 'NSE', tag: 'a_b', summary: 'Bought 1 INFY.' }, []],
    [{ types: ['VIEW'], types_label: ['View'] }, []],
    [{ types: ['VIEW'] }, ['types[] = VIEW']],
  ])('finds in %j: %j', (item, found) => {
    expect(codesWithoutLabel(item)).toEqual(found);
  });
});
