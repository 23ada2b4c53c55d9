/** An order above the freeze quantity, in virtual time: placed in parts, each once, under replies that never come. */
import { NetworkError, ServiceError, UnknownOutcomeError } from '../../../../client/base/errors';
import { placeSliced, type PartsRequest } from '../../../../client/orders/placing/place-sliced';
import type { Guards } from '../../../../client/orders/model/guard-settings';
import { openAccountApi, KnownOrderApis } from '../../../../client/orders/account/account-api';
import type { OrderTerms } from '../../../../client/orders/model/order-terms';
import type { Outcome } from '../../../../client/orders/placing/outcome';
import type { PlacementContext } from '../../../../client/orders/account/placement-context';
import { PlacementRegistry } from '../../../../client/orders/account/placement-registry';
import { tagFrom } from '../../../../client/orders/model/tags';
import type { Fault } from '../../../support/order-service-faults';
import type { OrderModelOptions } from '../../../support/order-service';
import { INFY, LIMIT_BUY, market, NIFTY_FUT, orderRequest } from '../support';

const OPEN: OrderModelOptions = { life: () => [{ after: 50, status: 'OPEN' }] };

function setUp(options: OrderModelOptions = {}) {
  const { time, model, context } = market({ ...OPEN, ...options });
  const reported: Outcome[] = [];
  const named: (string | undefined)[] = [];
  const place = async (
    quantity: number,
    {
      on = context,
      most: max,
      guards = [],
      terms: changes = {},
      label = '',
    }: { on?: PlacementContext; most?: number; guards?: Guards[]; terms?: Partial<OrderTerms>; label?: string } = {},
  ): Promise<Outcome[]> => {
    const terms: OrderTerms = { ...LIMIT_BUY, instrument: NIFTY_FUT, quantity, price: 2_500_000, ...changes };
    const request: PartsRequest['request'] = (part, name) => {
      named.push(name);
      return orderRequest(
        tagFrom(label, { kind: 'execution', executionId: '1', nodeId: 'n', runIndex: 0, itemIndex: 0, part: name }, ''),
        { terms: part, guards },
      );
    };
    return await time.run(
      placeSliced({ terms, maxUnits: max, request, placed: (outcome) => void reported.push(outcome) }, on),
    );
  };
  /** Another process, which knows nothing of what this one placed. */
  const another = (): PlacementContext => ({ ...context, placements: new PlacementRegistry(time.clock) });
  const sent = (): number[] => model.journal.map(({ body, intent }) => Number(intent?.qty ?? body.order_qty));
  const reads = (): number => model.requests.filter(({ method }) => method === 'GET').length;
  return { time, model, context, place, another, sent, reports: reported, named, reads };
}

/** Faults of the second order that is sent. */
function onSecond(fault: Fault): OrderModelOptions {
  let posts = 0;
  return { fault: ({ method }) => (method === 'POST' && ++posts === 2 ? fault : undefined) };
}

const idsOf = (outcomes: readonly Outcome[]): string[] =>
  outcomes.flatMap((outcome) => (outcome.outcome === 'confirmed' ? [outcome.id] : []));

it('places parts one after the other, each under its own tag', async () => {
  const { place, sent, model, reports: reported } = setUp();
  const outcomes = await place(3_900);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed', 'confirmed']);
  expect(sent()).toEqual([1_755, 1_755, 390]);
  expect(new Set(model.journal.map(({ tag }) => tag)).size).toBe(3);
  expect(reported).toEqual(outcomes);
});

it('places what one order may hold as one', async () => {
  const { place, sent } = setUp();
  expect(await place(1_755)).toHaveLength(1);
  expect(sent()).toEqual([1_755]);
});

it('a retry in another process finds all parts, and sends nothing', async () => {
  const { time, place, another, sent } = setUp();
  const first = await place(3_900);
  await time.run(time.sleep(10_000));
  const again = await place(3_900, { on: another() });
  expect(idsOf(again)).toEqual(idsOf(first));
  expect(again.every((outcome) => outcome.outcome === 'confirmed' && outcome.alreadyPlaced)).toBe(true);
  expect(sent()).toHaveLength(3);
});

it('a retry goes on after the last part that was placed', async () => {
  let posts = 0;
  const { time, place, another, sent } = setUp({
    fault: ({ method }) => (method === 'POST' && ++posts === 2 ? 'refused' : undefined),
  });
  const first = await place(3_900);
  expect(first.map(({ outcome }) => outcome)).not.toContain('unknown');
  expect(first).toHaveLength(2);
  expect(sent()).toEqual([1_755]);
  await time.run(time.sleep(10_000));
  expect(idsOf(await place(3_900, { on: another() }))).toHaveLength(3);
  expect(sent()).toEqual([1_755, 1_755, 390]);
});

it('a part of unknown outcome holds back the next, and says so', async () => {
  let posts = 0;
  const { place, sent } = setUp({
    fault: ({ method }) => (method === 'POST' && ++posts === 2 ? 'lost' : undefined),
  });
  const outcomes = await place(3_900);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['confirmed', 'unknown']);
  const [, second] = outcomes;
  expect(second).toMatchObject({
    error: {
      message: expect.stringMatching(/^Order 2 of 3: It is not known/),
      hint: expect.stringMatching(/The last one was not sent\.$/),
    },
  });
  expect(sent()).toEqual([1_755]);
});

it('a size that comes out smaller at a retry adds nothing, and names all that was placed', async () => {
  const { time, place, another, sent } = setUp();
  const first = await place(3_900);
  await time.run(time.sleep(10_000));
  expect(idsOf(await place(1_755, { on: another() }))).toEqual(idsOf(first));
  expect(idsOf(await place(3_510, { on: another() }))).toEqual(idsOf(first));
  expect(sent()).toHaveLength(3);
});

it('adds nothing to an order that an earlier try cut otherwise', async () => {
  const { time, place, another, sent } = setUp();
  await place(3_900, { most: 1_300 });
  await time.run(time.sleep(10_000));
  const again = await place(5_200, { on: another() });
  expect(again.at(-1)).toMatchObject({
    outcome: 'refused',
    error: { message: expect.stringContaining('cut otherwise') },
  });
  expect(sent()).toEqual([1_300, 1_300, 1_300]);
});

it('the guards see the whole', async () => {
  const { place, sent } = setUp();
  const guards = [{ allowLiveOrders: false, marketHoursOnly: false, dryRun: false, maxQuantity: 3_000 }];
  expect(await place(3_900, { guards })).toMatchObject([
    { outcome: 'refused', error: { message: expect.stringContaining('the quantity 3900 is above 3000') } },
  ]);
  expect(sent()).toEqual([]);
  const upTo = [{ ...guards[0]!, maxQuantity: 3_900 }];
  expect(idsOf(await place(3_900, { guards: upTo }))).toHaveLength(3);
});

it('a dry run shows each part', async () => {
  const { place, sent } = setUp();
  const guards = [{ allowLiveOrders: false, marketHoursOnly: false, dryRun: true }];
  expect((await place(3_900, { guards })).map(({ outcome }) => outcome)).toEqual(Array(3).fill('dryRun'));
  expect(sent()).toEqual([]);
});

it('refuses more parts than are meant', async () => {
  const { place, sent } = setUp();
  await expect(place(65 * 27 * 21)).rejects.toMatchObject({ parameter: 'quantity' });
  expect(sent()).toEqual([]);
});

it('leaves an order whole where the service splits it', async () => {
  const { time, model, context, place, sent } = setUp({ has: () => 'intent' });
  const account = { choice: 'automatic' as const, known: new KnownOrderApis(), scope: context.scope };
  const on = { ...context, ...openAccountApi(context.transport, account) };
  await time.run(time.sleep(1));
  expect(await place(3_900, { on })).toHaveLength(1);
  expect(sent()).toEqual([3_900]);
  expect(model.journal).toHaveLength(1);
});

it('names the parts so that a later version finds them: the first by nothing, then 2 and 3', async () => {
  const { place, named } = setUp();
  await place(3_900);
  expect(named).toEqual([undefined, undefined, '2', '3']);
});

it.each([
  ['an iceberg, which the exchange shows leg by leg', { kind: 'ICEBERG', legSize: 390 } as const],
  ['a share, which has no freeze quantity', { instrument: INFY, price: 150_000 }],
])('leaves %s whole', async (_, terms) => {
  const { place, sent, reports: reported, reads } = setUp();
  const outcomes = await place(3_900, { terms });
  expect(outcomes).toMatchObject([{ outcome: 'confirmed', alreadyPlaced: false }]);
  expect(reported).toEqual(outcomes);
  expect(sent()).toEqual([3_900]);
  expect(reads()).toBe(1);
});

it('an order that one may hold is no part of anything: not in its error, and nothing more is looked for', async () => {
  const { place, reads } = setUp({ refuse: () => 'quantity entered is not a multiple of current lots size' });
  const [outcome] = await place(1_755);
  expect(outcome).toMatchObject({ outcome: 'rejected', error: { message: expect.not.stringContaining('1 of 1') } });
  const item = setUp();
  await item.place(1_755);
  expect([reads(), item.reads()]).toEqual([1, 1]);
});

it.each([
  [390, {}],
  [3_900, { instrument: INFY, price: 150_000 }],
])('a retry of %i that can have no more parts looks for none', async (quantity, terms) => {
  const { time, place, another, reads } = setUp();
  await place(quantity, { terms });
  await time.run(time.sleep(10_000));
  const before = reads();
  expect(await place(quantity, { terms, on: another() })).toMatchObject([{ alreadyPlaced: true }]);
  expect(reads() - before).toBe(1);
});

it('sends nothing where the service does not say whether it splits orders, and says so', async () => {
  const { context, place, sent, reports: reported } = setUp();
  const cause = new NetworkError('The connection broke.', { maySent: true });
  const on = { ...context, orders: { ...context.orders, splits: async () => await Promise.reject(cause) } };
  const outcomes = await place(3_900, { on });
  expect(outcomes).toMatchObject([
    {
      outcome: 'refused',
      error: {
        maySent: false,
        message: expect.stringMatching(/^The order was not sent: the order list .* The connection broke\.$/),
      },
    },
  ]);
  expect(reported).toEqual(outcomes);
  expect(sent()).toEqual([]);
});

it('throws on what is no error of the brokerage', async () => {
  const { context, place, sent } = setUp();
  const on = {
    ...context,
    orders: { ...context.orders, splits: async () => await Promise.reject(new TypeError('x')) },
  };
  await expect(place(3_900, { on })).rejects.toThrow(TypeError);
  expect(sent()).toEqual([]);
});

it('places twenty parts, and says what one more would be', async () => {
  const { place, sent } = setUp();
  expect(await place(1_755 * 20)).toHaveLength(20);
  expect(sent()).toEqual(Array(20).fill(1_755));
  await expect(place(1_755 * 20 + 65)).rejects.toMatchObject({
    message: expect.stringContaining('would be 21 orders of at most 1755'),
    hint: 'Place 35100 at most at once.',
  });
});

it('a retry goes on within the limit of the day that the first try was within', async () => {
  const { time, place, another, sent } = setUp(onSecond('refused'));
  const value = 3_900 * 2_500_000;
  const guards = [{ allowLiveOrders: false, marketHoursOnly: false, dryRun: false, maxDayValue: value }];
  expect((await place(3_900, { guards })).map(({ outcome }) => outcome)).toEqual(['confirmed', 'refused']);
  await time.run(time.sleep(10_000));
  expect(idsOf(await place(3_900, { guards, on: another() }))).toHaveLength(3);
  expect(sent()).toEqual([1_755, 1_755, 390]);
});

it('a retry that finds parts beyond its own returns the tags that they have, and tells of each', async () => {
  const { time, place, another, reports: reported, sent } = setUp();
  const first = await place(3_900, { label: 'morning' });
  await time.run(time.sleep(10_000));
  reported.length = 0;
  const again = await place(1_755, { label: 'noon', on: another() });
  expect(again).toHaveLength(3);
  expect(again).toEqual(reported);
  expect(again.map(({ tag }) => tag)).toEqual(first.map(({ tag }) => tag));
  expect(again.every(({ tag }) => tag.startsWith('morning-'))).toBe(true);
  expect(again.every((outcome) => outcome.outcome === 'confirmed' && outcome.alreadyPlaced)).toBe(true);
  expect(sent()).toHaveLength(3);
});

describe('what an earlier try cut otherwise', () => {
  it('is named with what is missing: one order, or all of them', async () => {
    for (const max of [3_900, 1_300]) {
      const { time, place, another, sent } = setUp();
      const first = idsOf(await place(3_900, { most: max }));
      await time.run(time.sleep(10_000));
      const again = await place(5_200, { on: another() });
      expect(idsOf(again)).toEqual(first);
      expect(again).toHaveLength(first.length + 1);
      expect(again.at(-1)).toMatchObject({
        outcome: 'refused',
        tag: again[0]!.tag,
        error: {
          parameter: 'quantity',
          message: `An earlier try placed ${first.length === 1 ? 'order' : 'orders'} ${first.join(', ')} for it, cut otherwise: 1300 of 5200 are missing. Nothing was sent.`,
          hint: expect.stringContaining('new run'),
        },
      });
      expect(sent()).toHaveLength(first.length);
    }
  });

  it('is enough, where nothing of it is missing', async () => {
    const { time, place, another, sent } = setUp();
    const first = idsOf(await place(3_900, { most: 1_300 }));
    await time.run(time.sleep(10_000));
    const again = await place(3_900, { on: another() });
    expect(again).toHaveLength(3);
    expect(idsOf(again)).toEqual(first);
    expect(sent()).toHaveLength(3);
  });
});

describe('the error of a part', () => {
  it.each([
    [400, ServiceError, { outcome: 'rejected', error: { status: 400, serviceText: 'fault' } }],
    ['refused', NetworkError, { outcome: 'refused', error: { maySent: false } }],
    ['lost', UnknownOutcomeError, { outcome: 'unknown' }],
  ] satisfies [Fault, unknown, object][])(
    'keeps its kind after a fault %s, and says which part it is and what was not sent',
    async (fault, kind, reported) => {
      const { place, sent } = setUp(onSecond(fault));
      const outcomes = await place(1_755 * 3 + 390);
      expect(outcomes).toHaveLength(2);
      expect(outcomes[1]).toMatchObject(reported);
      const error = 'error' in outcomes[1]! ? outcomes[1].error : undefined;
      expect(error?.constructor).toBe(kind);
      expect(error?.message).toMatch(/^Order 2 of 4: /);
      expect(error?.hint).toMatch(/(^|[.] )The 2 after it were not sent\.$/);
      expect(error?.cause).toBeInstanceOf(kind);
      if (error instanceof UnknownOutcomeError) expect(error.tag).toBe(outcomes[1]!.tag);
      expect(sent()).toEqual([1_755]);
    },
  );

  it('says that the exchange rejected the part at once', async () => {
    const { time, place, another } = setUp({
      life: ({ order_qty }) => [{ after: 0, status: order_qty === 390 ? 'REJECTED' : 'OPEN' }],
    });
    await place(2_145);
    await time.run(time.sleep(10_000));
    const again = await place(2_145, { on: another() });
    expect(again[1]).toMatchObject({
      outcome: 'rejected',
      error: {
        message: expect.stringMatching(/^Order 2 of 2: /),
        hint: expect.not.stringContaining('not sent'),
        serviceText: 'INSUFFICIENT_MARGIN',
        status: 200,
        tag: again[1]!.tag,
        id: { order_id: expect.stringMatching(/^\d+$/) },
      },
    });
  });

  it('keeps the parameter of the guard that refused', async () => {
    const { place } = setUp();
    const guards = [{ allowLiveOrders: false, marketHoursOnly: false, dryRun: false, maxQuantity: 3_000 }];
    const [refused] = await place(3_900, { guards });
    expect(refused).toMatchObject({
      error: { name: 'InputError', parameter: 'maxQuantity', message: expect.stringMatching(/^Order 1 of 3: /) },
    });
  });
});
