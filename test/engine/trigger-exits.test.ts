/** Exits that a trigger keeps on the older interface, in n8n's engine against the sandbox: real orders, prices that move. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { allTextOf } from '../support/engine';
import type { Emitted } from '../support/engine-types';
import { bySymbol, orderForm } from '../support/parameters';
import { TriggerBench, is, json } from '../support/trigger-bench';
import { share } from '../support/sample';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/hurried-clock'));

let bench: TriggerBench;
let refId: number;
let price: number;

beforeAll(async () => {
  bench = await TriggerBench.start({ hours: 'always', orderInterface: 'v2' });
  refId = await bench.infyRefId();
  price = await priceNow();
});
beforeEach(async () => await move(1));
afterEach(async () => {
  await bench.control('DELETE', '/faults');
  await bench.endTest();
  await bench.engine.run({ resource: 'portfolio', operation: 'exitAll', closeAt: 'market' });
  await bench.passSeconds();
});
afterAll(async () => await bench.close());

const priceNow = async (): Promise<number> =>
  (await bench.ask<{ price: number }>('GET', '/optionchains/INFY/price?exchange=NSE')).price;
/** Moves the price to a share of the first one; resolves when it is there. */
const move = async (share: number): Promise<void> => {
  const requested = Math.round((price * share) / 10) * 10;
  await bench.control('POST', '/market', { ref_id: refId, price: requested });
  while (Math.abs((await priceNow()) / requested - 1) > 0.005) await bench.passSeconds();
};
const entry = (more: INodeParameters = {}): INodeParameters =>
  orderForm({
    priceType: 'MARKET',
    product: 'IDAY',
    quantity: 10,
    exits: { keptBy: 'trigger', stopLoss: 3, target: 3 },
    options: { waitFor: 'filled' },
    ...more,
  });
const run = async (parameters: INodeParameters): Promise<IDataObject> => {
  const { items, error } = await bench.engine.run(parameters, { typeVersion: 1.1 });
  if (error !== undefined) throw new Error(allTextOf(error));
  return items[0]!.json;
};
/** An event of this order: a trigger that starts tells again how earlier ones ended, and n8n drops the repeat. */
const of = (order: IDataObject, event: string) => (emitted: Emitted) =>
  is(event)(emitted) && json(emitted).order_id === order.order_id;
const keep = async () => await bench.activate({ watch: 'orderExits' }, { typeVersion: 1.1 });
/** The day's orders that close an entry; the list shows a new one a moment late. */
const exits = async (): Promise<unknown[][]> => {
  await bench.passSeconds();
  const { items } = await bench.engine.run({
    resource: 'order',
    operation: 'getMany',
    returnAll: true,
    filters: { tag: 'exit' },
  });
  return items.map(({ json: iDataObject }) => [
    iDataObject.order_type,
    iDataObject.order_qty,
    iDataObject.filled_qty,
    iDataObject.order_status,
  ]);
};
const newExits = async (before: number): Promise<unknown[][]> => {
  const all = await exits();
  return all.slice(0, all.length - before);
};
/**
 * The list tells of an order and of its end a moment late, and time does not pass while a trigger works: it is read for
 * some time.
 */
const expectNewExits = async (before: number, requested: unknown[][]): Promise<void> => {
  const states = (rows: unknown[][]): string => rows.map((row) => row.at(-1)).join();
  let listed = await newExits(before);
  for (let reads = 1; reads < 20 && states(listed) !== states(requested); reads++) listed = await newExits(before);
  expect(listed).toEqual(requested);
};

it('places the stop loss, and at the target cancels it and sells', async () => {
  const before = (await exits()).length;
  const trigger = await keep();
  const order = await run(entry());
  expect(order).toMatchObject({ exits_kept_by: 'trigger', order_status: 'FILLED', tag: expect.stringMatching(/^xs/) });
  const placed = json(await trigger.waitFor(is('stopPlaced')));
  expect(placed).toMatchObject({
    order_id: order.order_id,
    symbol: 'INFY',
    order_side: 'BUY',
    order_qty: 10,
    stop_loss: order.stop_loss,
    target: order.target,
    environment: 'sandbox',
  });
  await expectNewExits(before, [['STOPLOSS', 10, 0, 'OPEN']]);
  await move(1.04);
  await trigger.waitFor(is('targetReached'));
  expect(json(await trigger.waitFor(is('positionClosed')))).toMatchObject({ order_id: order.order_id, held_qty: 0 });
  await expectNewExits(before, [
    [expect.stringMatching(/REGULAR|MARKET/), 10, 10, 'FILLED'],
    ['STOPLOSS', 10, 0, 'CANCELLED'],
  ]);
});

/** Scenarios after the stop loss is placed. `npm test` tries every second one; there held-exits goes through a restart, and kept-exits-clock says who placed an order. */
const AFTERWARDS: readonly [what: string, test: () => Promise<void>][] = [
  [
    'takes the stop loss away where the position is closed by hand',
    async () => {
      const before = (await exits()).length;
      const trigger = await keep();
      const order = await run(entry());
      await trigger.waitFor(of(order, 'stopPlaced'));
      await run(entry({ side: 'SELL', exits: {} }));
      await trigger.waitFor(of(order, 'closedByHand'));
      await expectNewExits(before, [['STOPLOSS', 10, 0, 'CANCELLED']]);
    },
  ],
  [
    'lets Portfolio: Exit Position close the position, once',
    async () => {
      const before = (await exits()).length;
      const trigger = await keep();
      const order = await run(entry());
      await trigger.waitFor(of(order, 'stopPlaced'));
      const { items, error } = await bench.engine.run({
        resource: 'portfolio',
        operation: 'exitPosition',
        ...bySymbol('INFY'),
        closeAt: 'market',
      });
      expect(error).toBeUndefined();
      expect(items.map(({ json: { result, closed_qty } }) => [result, closed_qty])).toEqual([['closed', 10]]);
      await trigger.waitFor(of(order, 'closedByHand'));
      for (const row of await newExits(before)) expect(row).toEqual(['STOPLOSS', 10, 0, 'CANCELLED']);
    },
  ],
  [
    'places a stop loss again that was cancelled by hand, where the position stays',
    async () => {
      const before = (await exits()).length;
      const trigger = await keep();
      const order = await run(entry());
      const first = json(await trigger.waitFor(of(order, 'stopPlaced'))).stop_order_id as string;
      await run({ resource: 'order', operation: 'cancel', orderId: first });
      const again = (emitted: Emitted) => of(order, 'stopPlaced')(emitted) && json(emitted).stop_order_id !== first;
      expect(json(await trigger.waitFor(again))).toMatchObject({ order_qty: 10 });
      await expectNewExits(before, [
        ['STOPLOSS', 10, 0, 'OPEN'],
        ['STOPLOSS', 10, 0, 'CANCELLED'],
      ]);
    },
  ],
  [
    'goes on where it was after a restart: what the price has reached meanwhile is sold, once',
    async () => {
      const before = (await exits()).length;
      const first = await keep();
      const order = await run(entry());
      await first.waitFor(of(order, 'stopPlaced'));
      await bench.closeTriggers();
      await move(1.04);
      const again = await keep();
      await again.waitFor(of(order, 'positionClosed'));
      await expectNewExits(before, [
        [expect.stringMatching(/REGULAR|MARKET/), 10, 10, 'FILLED'],
        ['STOPLOSS', 10, 0, 'CANCELLED'],
      ]);
    },
  ],
  [
    'sends nothing while Dry Run is on in the credential, says so, and goes on where it is off again',
    async () => {
      const before = (await exits()).length;
      const trigger = await keep();
      const order = await run(entry());
      await trigger.waitFor(of(order, 'stopPlaced'));
      const stored = await bench.engine.storedCredential();
      await bench.engine.setCredential({ ...stored, dryRun: true });
      await move(1.04);
      expect(json(await trigger.waitFor(of(order, 'exitFailed')))).toMatchObject({
        error_message: '"Dry Run" is on in the credential.',
        given_up: false,
      });
      await expectNewExits(before, [['STOPLOSS', 10, 0, 'OPEN']]);
      await bench.engine.setCredential({ ...(await bench.engine.storedCredential()), dryRun: false });
      await trigger.waitFor(of(order, 'positionClosed'));
    },
  ],
  [
    'tells the sandbox which workflow and trigger placed an order; a trigger has no execution',
    async () => {
      const trigger = await keep();
      const order = await run(entry());
      const { stop_order_id: stopId } = json(await trigger.waitFor(of(order, 'stopPlaced')));
      const listed = async () =>
        (await bench.control<{ orders: { id: string; placed_by?: object }[] }>('GET', '/page/account?phone=9000000001'))
          .orders;
      let orders = await listed();
      while (!orders.some(({ id }) => id === stopId)) {
        await bench.passSeconds();
        orders = await listed();
      }
      const origin = (orderId: unknown) => orders.find(({ id }) => id === orderId)?.placed_by;
      expect(origin(stopId)).toEqual({
        workflow: expect.any(String),
        workflow_name: 'Test',
        execution: '',
        node: 'Brokerage Trigger',
      });
      expect(origin(order.order_id)).toMatchObject({ execution: expect.stringMatching(/^\d+$/) });
    },
  ],
];

it.each(share(AFTERWARDS, 2, 0))('%s', async (_, test) => await test());

it('says what cannot be kept before anything is sent, and names the way', async () => {
  const service = await bench.engine.run(entry({ exits: { stopLoss: 3 } }));
  expect(service.error?.description).toContain('Set Exits Managed By to Trigger');
  for (const [parameter, more] of [
    ['stopLoss', { exits: { keptBy: 'trigger', target: 3 } }],
    ['trailingJump', { exits: { keptBy: 'trigger', stopLoss: 3, trailingJump: 1 } }],
    ['tag', { options: { tag: 'mine' } }],
  ] as const) {
    const { error } = await bench.engine.run(entry(more as unknown as INodeParameters));
    expect([parameter, error?.context?.parameter]).toEqual([parameter, parameter]);
    expect(error?.message).toContain('Nothing was sent');
  }
});

it('nothing is sent in the editor', async () => {
  const before = (await exits()).length;
  const order = await run(entry());
  await bench.passSeconds();
  const shown = await bench.activate({ watch: 'orderExits' }, { typeVersion: 1.1, mode: 'manual' });
  await (shown.response as { manualTriggerFunction?: () => Promise<void> }).manualTriggerFunction?.();
  expect(json(await shown.waitFor(is('exitsKept')))).toMatchObject({
    order_id: order.order_id,
    symbol: 'INFY',
    held_qty: 10,
  });
  expect((await exits()).length).toBe(before);
});
