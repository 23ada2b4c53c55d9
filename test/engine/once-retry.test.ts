/**
 * All retries of one execution are one cause, in n8n's engine against the sandbox over real HTTP. Each test is a row of the table in
 * docs/order-safety.md: what was pressed, what happens.
 */
import type { INode, INodeParameters, IRun, ITaskData } from 'n8n-workflow';
import { LIST_DELAY_MS } from '../../client/orders/account/placement-registry';
import type { LockHold, SharedLock } from '../../client/orders/account/shared-lock';
import { clock } from '../../nodes/host/clock';
import { accountScopes, placements } from '../../nodes/shared/placements';
import { Engine } from '../support/engine';
import type { RunOptions } from '../support/engine-types';
import { orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));
/** The lock over several processes; undefined where there is one. */
let mockLock: SharedLock | undefined;
jest.mock('../../nodes/shared/keyLocks', () => ({ keyLockOf: () => mockLock }));

let sandbox: TestSandbox;
let engine: Engine;

beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off' });
  engine = await Engine.start(sandbox.credential);
  await engine.run({ resource: 'session', operation: 'getUser', simplify: true });
});
afterAll(async () => await sandbox.close());
afterEach(async () => await sandbox.control('DELETE', 'faults'));

const items = (count: number) => Array.from({ length: count }, (_, item) => ({ json: { item } }));

/** Data that n8n makes up for a run that it lost. */
const RECOVERED = {
  startTime: 1_700_000_000,
  executionIndex: 0,
  executionTime: -1,
  source: [null],
  executionStatus: 'success',
  data: { main: [[{ json: { isArtificialRecoveredEventItem: true } }]] },
} as unknown as ITaskData;

/**
 * Returns the data that n8n has of an execution when it was killed: the data it stored at the start, and made-up runs
 * of the steps that its log names. It was restarted: the process remembers nothing, and waits until the list shows
 * everything.
 */
async function killed({ run }: { run: IRun }, recovered: readonly string[] = []): Promise<IRun> {
  placements['placementsByKey'].clear();
  await clock.sleep(LIST_DELAY_MS);
  const runData = Object.fromEntries(recovered.map((name) => [name, [RECOVERED]]));
  return { ...run, data: { ...run.data, resultData: { runData } } };
}

const placedBefore = ({ items: output }: { items: { json: object }[] }): unknown[] =>
  output.map(({ json }) => 'already_placed' in json && json.already_placed);

describe('a retry in the list of executions', () => {
  it.each([
    ['with the stored workflow, three times', [{}, {}, {}]],
    ['with the workflow of now, in which the step has another name', [{ nodeName: 'Buy' }, {}]],
  ] as [string, RunOptions[]][])('returns the order of an execution that n8n lost after it, %s', async (_, retries) => {
    const before = await sandbox.ordersReceived();
    const first = await engine.run(orderForm(), { mode: 'webhook' });
    const lost = await killed(first, ['Brokerage']);
    for (const options of retries) {
      const again = await engine.run(orderForm(), { ...options, retryOf: lost });
      expect(again.error).toBeUndefined();
      expect(again.items[0]?.json).toMatchObject({
        already_placed: true,
        order_id: first.items[0]?.json.order_id,
      });
    }
    expect(await sandbox.ordersReceived()).toBe(before + 1);
  });

  it('places one order for an execution that n8n lost before it, over three tries and a retry of the retry', async () => {
    const before = await sandbox.ordersReceived();
    const failed = await engine.run({ resource: 'order', operation: 'get', orderId: '1' }, { mode: 'webhook' });
    const lost = await killed(failed);
    const first = await engine.run(orderForm(), { retryOf: lost });
    expect(placedBefore(first)).toEqual([false]);
    const ofIt = await killed(first);
    expect(placedBefore(await engine.run(orderForm(), { retryOf: lost }))).toEqual([true]);
    expect(placedBefore(await engine.run(orderForm(), { retryOf: ofIt }))).toEqual([true]);
    expect(await sandbox.ordersReceived()).toBe(before + 1);
  });

  it('places one order where it is pressed twice at one moment', async () => {
    const before = await sandbox.ordersReceived();
    const failed = await engine.run({ resource: 'order', operation: 'get', orderId: '1' }, { mode: 'webhook' });
    const lost = await killed(failed, ['Brokerage']);
    const both = await Promise.all([0, 1].map(async () => await engine.run(orderForm(), { retryOf: lost })));
    expect(both.flatMap(placedBefore).sort()).toEqual([false, true]);
    expect(await sandbox.ordersReceived()).toBe(before + 1);
  });

  it('returns what Place Many had placed when n8n lost it in the middle, and places the rest', async () => {
    const before = await sandbox.ordersReceived();
    const form = orderForm({ operation: 'placeMany' });
    const first = await engine.run(form, { items: items(3), mode: 'webhook' });
    expect(first.error).toBeUndefined();
    const lost = await killed(first, ['Brokerage']);
    expect(placedBefore(await engine.run(form, { items: items(4), retryOf: lost }))).toEqual([true, true, true, false]);
    expect(await sandbox.ordersReceived()).toBe(before + 4);
  });

  it('gives each of two order steps its order in a workflow that n8n lost', async () => {
    const before = await sandbox.ordersReceived();
    const step = (name: string): INode => engine.node('brokerage', orderForm() as INodeParameters, { id: name, name });
    const workflow = {
      nodes: [step('One'), step('Two')],
      connections: { One: { main: [[{ node: 'Two', type: 'main' as const, index: 0 }]] } },
    };
    const first = await engine.runWorkflow(workflow, { One: items(1) }, { mode: 'webhook' });
    const lost = await killed({ run: first }, ['One', 'Two']);
    for (let tries = 0; tries < 3; tries++) {
      const again = await engine.runWorkflow(workflow, { One: items(1) }, { retryOf: lost });
      expect(again.data.resultData.error).toBeUndefined();
    }
    expect(await sandbox.ordersReceived()).toBe(before + 2);
  });

  it.each([
    ['the list cannot be read', '/orders', 503],
    ['there is no session', '*', 401],
  ])('sends nothing while %s, and the outcome is unknown', async (_, path, status) => {
    const before = await sandbox.ordersReceived();
    const lost = await killed(await engine.run(orderForm(), { mode: 'webhook' }), ['Brokerage']);
    accountScopes['scopes'].clear();
    await sandbox.control('POST', 'faults', { match: { path }, action: 'status', args: { status } });
    const { error } = await engine.run(orderForm(), { retryOf: lost });
    expect(error?.message).toMatch(
      /^Nothing was sent now, and it is not known whether an earlier try placed (the order|it): /,
    );
    expect(await sandbox.ordersReceived()).toBe(before + 1);
  });

  it('sends nothing on another day than the first try: the list of today cannot tell', async () => {
    const before = await sandbox.ordersReceived();
    const failed = await engine.run({ resource: 'order', operation: 'get', orderId: '1' }, { mode: 'webhook' });
    const firstTryAt = clock.now() - 24 * 3_600_000;
    const { error } = await engine.run(orderForm(), { retryOf: failed.run, firstTryAt });
    expect(error?.message).toMatch(/^Nothing was sent now.* the first try began on \d{4}-\d{2}-\d{2}/);
    expect(await sandbox.ordersReceived()).toBe(before);
  });

  it('is another cause than a run by hand from the start, which places an order', async () => {
    const before = await sandbox.ordersReceived();
    await engine.run(orderForm());
    await engine.run(orderForm());
    expect(await sandbox.ordersReceived()).toBe(before + 2);
  });

  it('sends nothing without a key for an execution that an older n8n lost', async () => {
    const before = await sandbox.ordersReceived();
    const isOlderN8n = true;
    const first = await engine.run(orderForm(), { mode: 'webhook', isOlderN8n });
    const lost = await killed(first, ['Brokerage']);
    const { error } = await engine.run(orderForm(), { retryOf: lost, isOlderN8n });
    expect(error?.message).toMatch(/^Nothing was sent now.* this version of n8n keeps no record of such an execution/);
    const keyed = await engine.run(orderForm({ options: { idempotencyKey: 'lost' } }), { retryOf: lost, isOlderN8n });
    expect(placedBefore(keyed)).toEqual([false]);
    expect(await sandbox.ordersReceived()).toBe(before + 2);
  });
});

describe('the lock of retries', () => {
  it.each([
    ['is', 'half a minute', 30_000, 'webhook', 1],
    ['is not', 'some seconds', 5_000, 'webhook', 0],
    ['is not', 'half a minute by hand', 30_000, 'manual', 0],
  ] as const)('%s taken for an order of an execution that has run for %s', async (_, __, age, mode, times) => {
    const hold = jest.fn(
      async (work: (hold: LockHold) => Promise<unknown>) =>
        await work({ isSure: () => true, untilListed: () => undefined }),
    );
    mockLock = { hold } as unknown as SharedLock;
    const { items } = await engine.run(orderForm(), { mode, firstTryAt: clock.now() - age });
    mockLock = undefined;
    expect([placedBefore({ items }), hold.mock.calls.length]).toEqual([[false], times]);
  });
});

describe('while the list cannot be read', () => {
  const [unknown, refused] = [
    /^Nothing was sent now, and it is not known whether an earlier try/,
    /^The order was not/,
  ];

  it.each([
    ['may have been begun before by an older n8n', { isOlderN8n: true }, 0, unknown],
    ['has run for half a minute', {}, 30_000, unknown],
    ['has run for some seconds', {}, 5_000, refused],
  ] as [string, RunOptions, number, RegExp][])('an execution that %s sends nothing', async (_, options, age, said) => {
    const before = await sandbox.ordersReceived();
    await sandbox.control('POST', 'faults', { match: { path: '/orders' }, action: 'status', args: { status: 503 } });
    const run = { mode: 'webhook', firstTryAt: clock.now() - age, ...options } as const;
    expect((await engine.run(orderForm(), run)).error?.message).toMatch(said);
    expect(await sandbox.ordersReceived()).toBe(before);
  });
});

describe('an execution that an older n8n begins once more, as its worker was killed or hung', () => {
  const isOlderN8n = true;
  const alert = (id: string) => [{ json: { id } }];

  it('returns the order of its first beginning', async () => {
    const before = await sandbox.ordersReceived();
    const now = clock.now();
    const first = await engine.run(orderForm(), { items: alert('a'), mode: 'webhook', isOlderN8n, firstTryAt: now });
    await killed(first);
    const again = { mode: 'webhook', isOlderN8n, firstTryAt: now + 90_000, isBegunAgain: true } as const;
    const second = await engine.run(orderForm(), { items: alert('a'), ...again });
    expect(placedBefore(second)).toEqual([true]);
    expect(second.items[0]?.json.order_id).toBe(first.items[0]?.json.order_id);
    // A new database counts from 1 again: the alert is another one.
    expect(placedBefore(await engine.run(orderForm(), { items: alert('b'), ...again }))).toEqual([false]);
    expect(await sandbox.ordersReceived()).toBe(before + 2);
  });
});

describe('a retry whose items are others than those of the first try', () => {
  const FOR_EACH = {
    quantity: '={{ $json.quantity }}',
    instrument: { __rl: true, mode: 'symbol', value: '={{ $json.symbol }}' },
  };
  const order = (symbol: string, quantity: number) => ({ json: { symbol, quantity } });
  const [first, second, third, added] = [order('INFY', 1), order('TCS', 2), order('RELIANCE', 3), order('SBIN', 4)];

  it.each(['place', 'placeMany'])(
    '%s places nothing again where an item has come before the others',
    async (operation) => {
      const before = await sandbox.ordersReceived();
      const form = orderForm({ operation, ...FOR_EACH, price: 500 });
      const placed = await engine.run(form, {
        items: [first, second],
        mode: 'webhook',
        onError: 'continueRegularOutput',
      });
      const lost = await killed(placed, ['Brokerage']);
      const items = [added, first, second, third];
      const again = await engine.run(form, { items, retryOf: lost, onError: 'continueRegularOutput' });
      expect(await sandbox.ordersReceived()).toBe(before + 3);
      expect(JSON.stringify(again.items[2]?.json)).toMatch(/with other terms or for another item/);
      expect(placedBefore({ items: again.items.slice(3) })).toEqual([false]);
    },
  );

  it('places nothing again in a called workflow either', async () => {
    const before = await sandbox.ordersReceived();
    const form = orderForm({ ...FOR_EACH, price: 500 });
    const go = { onError: 'continueRegularOutput' as const };
    await engine.run(form, { ...go, items: [first, second], calledBy: engine.caller('webhook', { token: 'moved' }) });
    const calledBy = engine.caller('retry', { token: 'moved', firstMode: 'webhook' });
    const again = await engine.run(form, { ...go, items: [added, first, second, third], calledBy });
    expect(await sandbox.ordersReceived()).toBe(before + 3);
    expect(placedBefore({ items: again.items.slice(3) })).toEqual([false]);
  });

  it.each(['place', 'placeMany'])('%s places no step of a ladder in one share again', async (operation) => {
    const before = await sandbox.ordersReceived();
    const form = orderForm({ operation, ...FOR_EACH, price: '={{ 1000 + $json.quantity }}' });
    const [one, two, three] = [order('INFY', 1), order('INFY', 2), order('INFY', 3)];
    const placed = await engine.run(form, { items: [one, two], mode: 'webhook' });
    const lost = await killed(placed, ['Brokerage']);
    await engine.run(form, { items: [three, one, two], retryOf: lost, onError: 'continueRegularOutput' });
    expect(await sandbox.ordersReceived()).toBe(before + 2);
  });
});

describe('a retry of an execution that calls a workflow with an order in it', () => {
  const call = async (calledBy: ReturnType<Engine['caller']>, quantity = 1) =>
    await engine.run(orderForm({ quantity }), { calledBy });

  it('returns what the first try placed, item by item, and places what it did not', async () => {
    const before = await sandbox.ordersReceived();
    const first = engine.caller('webhook', { token: 'first call' });
    await call(first, 1);
    await call(first, 2);
    for (let tries = 0; tries < 2; tries++) {
      const again = engine.caller('retry', { token: 'first call', firstMode: 'webhook' });
      const placed = [await call(again, 1), await call(again, 2), await call(again, 3)];
      expect(placed.flatMap(placedBefore)).toEqual([true, true, tries === 1]);
    }
    expect(await sandbox.ordersReceived()).toBe(before + 3);
  });

  it('places what is missing of two that are alike', async () => {
    const before = await sandbox.ordersReceived();
    await call(engine.caller('webhook', { token: 'alike' }));
    const again = engine.caller('retry', { token: 'alike', firstMode: 'webhook' });
    expect([await call(again), await call(again)].flatMap(placedBefore)).toEqual([true, false]);
    expect(await sandbox.ordersReceived()).toBe(before + 2);
    engine.caller('webhook', { token: 'neither' });
    const both = engine.caller('retry', { token: 'neither', firstMode: 'webhook' });
    expect([await call(both), await call(both)].flatMap(placedBefore)).toEqual([false, false]);
    expect(await sandbox.ordersReceived()).toBe(before + 4);
  });

  it('sends nothing where the first try placed another order at the step', async () => {
    const before = await sandbox.ordersReceived();
    await call(engine.caller('webhook', { token: 'other terms' }), 5);
    const again = engine.caller('retry', { token: 'other terms', firstMode: 'webhook' });
    expect((await call(again, 6)).error?.message).toMatch(/^Nothing was sent now.* at this step it placed the order/);
    expect(await sandbox.ordersReceived()).toBe(before + 1);
  });

  it('places one order for each item where it is pressed twice at one moment', async () => {
    const before = await sandbox.ordersReceived();
    engine.caller('webhook', { token: 'at once' });
    const both = [0, 1].map(() => engine.caller('retry', { token: 'at once', firstMode: 'webhook' }));
    const placed = await Promise.all(both.map(async (caller) => await call(caller)));
    expect(placed.flatMap(placedBefore).sort()).toEqual([false, true]);
    expect(await sandbox.ordersReceived()).toBe(before + 1);
  });

  it('sends nothing where the caller was started by hand, or cannot be read', async () => {
    const before = await sandbox.ordersReceived();
    await call(engine.caller('manual', {}));
    const again = engine.caller('retry', { token: 'by hand', firstMode: 'manual' });
    expect((await call(again)).error?.message).toMatch(/^Nothing was sent now.* started by hand/);
    const unread = { executionId: 'gone', mode: 'retry' as const };
    expect((await call(unread)).error?.message).toMatch(/^Nothing was sent now.* could not be read/);
    expect(await sandbox.ordersReceived()).toBe(before + 1);
  });

  it('finds the order of the called execution by itself, and adds none where another try may have placed it', async () => {
    const before = await sandbox.ordersReceived();
    const first = engine.caller('webhook', { token: 'itself' });
    const own = await call(first);
    const lost = await killed(own, ['Brokerage']);
    expect(placedBefore(await engine.run(orderForm(), { retryOf: lost }))).toEqual([true]);
    const failed = await engine.run({ resource: 'order', operation: 'get', orderId: '1' }, { calledBy: first });
    const { error } = await engine.run(orderForm(), { retryOf: failed.run });
    expect(error?.message).toMatch(/^Nothing was sent now.* at this step it placed the order/);
    expect(await sandbox.ordersReceived()).toBe(before + 1);
  });
});
