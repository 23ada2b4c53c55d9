/** An order above the freeze quantity, in virtual time: placed in parts, each once, under replies that never come. */
import { placeInParts, type PartsRequest } from '../../../client/orders/place-parts';
import type { Guards } from '../../../client/orders/guard-settings';
import { accountInterface, KnownInterfaces } from '../../../client/orders/interfaces/account';
import type { OrderTerms } from '../../../client/orders/order';
import type { Outcome } from '../../../client/orders/outcome';
import type { PlacementContext } from '../../../client/orders/placement';
import { Placements } from '../../../client/orders/placements';
import { tagFrom } from '../../../client/orders/tags';
import type { OrderModelOptions } from '../../support/order-service';
import { LIMIT_BUY, market, NIFTY_FUT, wanted } from './support';

const OPEN: OrderModelOptions = { life: () => [{ after: 50, status: 'OPEN' }] };

function setUp(options: OrderModelOptions = {}) {
  const { time, model, context } = market({ ...OPEN, ...options });
  const told: Outcome[] = [];
  const place = async (
    quantity: number,
    { on = context, most, guards = [] }: { on?: PlacementContext; most?: number; guards?: Guards[] } = {},
  ): Promise<Outcome[]> => {
    const terms: OrderTerms = { ...LIMIT_BUY, instrument: NIFTY_FUT, quantity, price: 2_500_000 };
    const request: PartsRequest['request'] = (part, name) =>
      wanted(
        tagFrom('', { kind: 'execution', executionId: '1', nodeId: 'n', runIndex: 0, itemIndex: 0, part: name }, ''),
        {
          terms: part,
          guards,
        },
      );
    return await time.run(placeInParts({ terms, most, request, placed: (outcome) => void told.push(outcome) }, on));
  };
  /** Another process, which knows nothing of what this one placed. */
  const another = (): PlacementContext => ({ ...context, placements: new Placements(time.clock) });
  const sent = (): number[] => model.journal.map(({ body, intent }) => Number(intent?.qty ?? body.order_qty));
  return { time, model, context, place, another, sent, told };
}

const idsOf = (outcomes: readonly Outcome[]): string[] =>
  outcomes.flatMap((one) => (one.outcome === 'confirmed' ? [one.id] : []));

it('places parts one after the other, each under its own tag', async () => {
  const { place, sent, model, told } = setUp();
  const outcomes = await place(3_900);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed', 'confirmed']);
  expect(sent()).toEqual([1_755, 1_755, 390]);
  expect(new Set(model.journal.map(({ tag }) => tag)).size).toBe(3);
  expect(told).toEqual(outcomes);
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
  expect(again.every((one) => one.outcome === 'confirmed' && one.alreadyPlaced)).toBe(true);
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

it('a part of which nobody knows holds back the next, and says so', async () => {
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

it('a dry run shows each', async () => {
  const { place, sent } = setUp();
  const guards = [{ allowLiveOrders: false, marketHoursOnly: false, dryRun: true }];
  expect((await place(3_900, { guards })).map(({ outcome }) => outcome)).toEqual(Array(3).fill('rehearsed'));
  expect(sent()).toEqual([]);
});

it('refuses more parts than are meant', async () => {
  const { place, sent } = setUp();
  await expect(place(65 * 27 * 21)).rejects.toMatchObject({ parameter: 'quantity' });
  expect(sent()).toEqual([]);
});

it('leaves an order whole where the service splits it', async () => {
  const { time, model, context, place, sent } = setUp({ has: () => 'intent' });
  const account = { choice: 'automatic' as const, known: new KnownInterfaces(), scope: context.scope };
  const on = { ...context, ...accountInterface(context.transport, account) };
  await time.run(time.sleep(1));
  expect(await place(3_900, { on })).toHaveLength(1);
  expect(sent()).toEqual([3_900]);
  expect(model.journal).toHaveLength(1);
});
