/** A list that cannot be whole is no proof that something is not there, and a tag that comes back changed is told. */
import fc from 'fast-check';
import { ServiceError } from '../../../client/base/errors';
import type { OrderRecord } from '../../../client/endpoints/orders';
import { requireWholeList } from '../../../client/orders/api/whole-list';
import { byTags } from '../../../client/orders/api/find-by-tag';
import type { DayPlacement, DayPlacements, SentPlacement } from '../../../client/orders/account/placed-today';
import { PlacementRegistry } from '../../../client/orders/account/placement-registry';
import type { OrderRequest, PlacementContext } from '../../../client/orders/account/placement-context';
import { identityOf, isEchoOf, tagFrom, termsMarkOf, userTagOf } from '../../../client/orders/model/tags';
import { placeOrder } from '../../../client/orders/placing/place';
import type { OrderModelOptions } from '../../support/order-service';
import { GATEWAY_FAULTS } from '../../support/order-service-faults';
import { LIMIT_BUY, market, orderRequest } from './support';

const SCOPE = 'sandbox/me';
const keyed = (key: string, label = 'breakout'): OrderRequest =>
  orderRequest(tagFrom(label, { kind: 'key', key, terms: LIMIT_BUY }, SCOPE), { keyed: true });

/** Memory of n8n for the day's placements. */
function memory(): DayPlacements & { kept: DayPlacement[] } {
  const kept: DayPlacement[] = [];
  return {
    kept,
    all: () => kept,
    unlisted: () => [],
    add: (_, sent) =>
      void kept.push(...sent.flatMap(({ noun, id, identity }) => (id === undefined ? [] : [{ noun, id, identity }]))),
  };
}

type Lie = (records: OrderRecord[]) => OrderRecord[];

/** An account whose list lies, on Live, where nothing is set back. */
function account(lie: Lie = (records) => records, fault?: OrderModelOptions['fault']) {
  const { time, model, context } = market({ fault });
  const state = { lie };
  const orders = { ...context.orders, list: async () => state.lie(await context.orders.list()) };
  const lying: PlacementContext = { ...context, environment: 'live', orders, placedToday: memory() };
  const place = async (request: OrderRequest, of: PlacementContext = lying) => await time.run(placeOrder(request, of));
  return { time, model, context: lying, state, place };
}

const LIES: [string, Lie][] = [
  ['is empty', () => []],
  ['is cut', (records) => records.slice(1)],
  ['shows another day', (records) => records.map((record) => ({ ...record, order_id: '99', tag: 'x' }))],
];

describe('a list that lacks what was placed today', () => {
  it.each(LIES)('keeps anything from being sent with a key where it %s: the outcome is unknown', async (_, lie) => {
    const { time, model, state, place } = account();
    await place(keyed('first'));
    await time.run(time.sleep(20_000));
    state.lie = lie;
    const outcome = await place(keyed('second'));
    expect(outcome).toMatchObject({ outcome: 'unknown' });
    expect('error' in outcome && outcome.error.message).toMatch(
      /^Nothing was sent now.* lacks order \d+, which was placed/,
    );
    expect(model.journal).toHaveLength(1);
    state.lie = (records) => records;
    expect(await place(keyed('second'))).toMatchObject({ outcome: 'confirmed', alreadyPlaced: false });
  });

  it.each(LIES)(
    'lets nothing be sent again nor be called refused where it %s, whatever came in place of the reply',
    async (_, lie) => {
      const taken = GATEWAY_FAULTS.filter(({ processed }) => processed);
      for (const fault of taken) {
        const { time, model, state, place } = account(undefined, ({ method }) =>
          method === 'POST' && model.journal.length === 1 ? fault : undefined,
        );
        await place(orderRequest('first'));
        await time.run(time.sleep(20_000));
        state.lie = lie;
        const { outcome } = await place(orderRequest('second'));
        const isShown = lie(model.journal.map(({ tag }) => ({ tag }))).some(({ tag }) => tag === 'second');
        expect([fault.status, outcome, model.journal.length]).toEqual([
          fault.status,
          isShown ? 'confirmed' : 'unknown',
          2,
        ]);
      }
    },
  );

  it.each(LIES)('does not hide what n8n has stored where it %s after a restart', async (_, lie) => {
    const { time, model, context, state, place } = account();
    await place(keyed('first'));
    await time.run(time.sleep(20_000));
    state.lie = lie;
    const restarted = { ...context, placements: new PlacementRegistry(time.clock) };
    for (const key of ['first', 'second'])
      expect(await place(keyed(key), restarted)).toMatchObject({ outcome: 'unknown' });
    expect(model.journal).toHaveLength(1);
  });

  it('is read again where it lacks it for some seconds only', async () => {
    const { time, state, place } = account();
    await place(keyed('first'));
    await time.run(time.sleep(20_000));
    let reads = 0;
    state.lie = (records) => ((reads += 1) < 3 ? [] : records);
    expect(await place(keyed('second'))).toMatchObject({ outcome: 'confirmed' });
  });

  it('keeps no order back that nobody can have tried before', async () => {
    const { time, state, place } = account();
    await place(keyed('first'));
    await time.run(time.sleep(20_000));
    state.lie = () => [];
    expect(await place(orderRequest('of-a-new-run'))).toMatchObject({ outcome: 'confirmed' });
  });

  it.each(LIES)('is believed no more of a sandbox where it %s, as long as its run goes on', async (_, lie) => {
    const { time, model, context, state, place } = account();
    const marketTime = { now: () => time.clock.now(), aheadMs: 0, at: (ms: number) => ms, run: 'a run 2026-11-20' };
    const sandbox: PlacementContext = {
      ...context,
      environment: 'sandbox',
      placements: new PlacementRegistry(time.clock, () => marketTime),
    };
    await place(keyed('first'), sandbox);
    await time.run(time.sleep(20_000));
    state.lie = lie;
    expect(await place(keyed('second'), sandbox)).toMatchObject({ outcome: 'unknown' });
    expect(model.journal).toHaveLength(1);
  });

  it('lets it be forgotten in another run of a sandbox: one that was reset, and one of another day', async () => {
    for (const run of ['another 2026-11-20', 'a-run 2026-11-21']) {
      const { time, context, place } = account();
      const marketTime = { now: () => time.clock.now(), aheadMs: 0, at: (ms: number) => ms, run: 'a-run 2026-11-20' };
      const placements = new PlacementRegistry(time.clock, () => marketTime);
      const sandbox: PlacementContext = { ...context, environment: 'sandbox', placements, placedToday: undefined };
      await place(keyed('first'), sandbox);
      await time.run(time.sleep(20_000));
      expect(placements.listable(sandbox.scope)).toHaveLength(1);
      Object.assign(marketTime, { run });
      expect(placements.listable(sandbox.scope)).toEqual([]);
    }
  });

  it('knows no key of a sandbox that was reset', () => {
    const { time } = account();
    const marketTime = { now: () => time.clock.now(), aheadMs: 0, at: (ms: number) => ms, run: 'one 2026-11-20' };
    const placements = new PlacementRegistry(time.clock, () => marketTime);
    placements.sending(SCOPE, 'a-tag', 100);
    expect([placements.get(SCOPE, 'a-tag')?.value, [...placements.values(SCOPE)]]).toEqual([100, [['a-tag', 100]]]);
    marketTime.run = 'other 2026-11-20';
    expect([placements.get(SCOPE, 'a-tag'), [...placements.values(SCOPE)]]).toEqual([undefined, []]);
  });

  it.each([24 * 3_600_000, 0])(
    "counts days by the market's clock, %d ms ahead: a key serves the day of a sandbox, however short it is here",
    (aheadMs) => {
      const { time } = account();
      const marketTime = { aheadMs: 0, at: (ms: number) => ms, now: () => time.clock.now(), run: 'one 2026-11-20' };
      const placements = new PlacementRegistry(time.clock, () => marketTime);
      placements.sending(SCOPE, 'a-tag', 100);
      // In a backtest the clock of n8n is moved with the sandbox's.
      Object.assign(marketTime, { aheadMs, now: () => time.clock.now() + 24 * 3_600_000, run: 'one 2026-11-21' });
      expect([placements.get(SCOPE, 'a-tag'), [...placements.values(SCOPE)]]).toEqual([undefined, []]);
    },
  );
});

it.each([
  [{ orders: [], next: 'page 2' }, 0],
  [{ orders: [], has_more: true }, 0],
  [{ orders: [{}], total_count: 2 }, 1],
  [{ orders: {}, totalRecords: '7' }, 0],
])('a list that says that there is more is none: %j', (reply, count) => {
  expect(() => requireWholeList(reply, count)).toThrow(/says that there are more/);
});

it.each([
  [{ orders: [], next: null, has_more: false, total: 0 }, 0],
  [[], 0],
  [null, 0],
  [{ orders: [{}], total: 1 }, 1],
])('a list that says that it is all is one: %j', (reply, count) => {
  expect(() => requireWholeList(reply, count)).not.toThrow();
});

describe('a tag as the service writes it', () => {
  const sent = tagFrom('breakout', { kind: 'key', key: 'alert 1', terms: LIMIT_BUY }, SCOPE);

  it('is the same in capital letters and with blanks at its ends', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ \t]{0,3}$/), fc.boolean(), fc.stringMatching(/^[ \t]{0,3}$/), (a, upper, b) => {
        const shown = `${a}${upper ? sent.toUpperCase() : sent}${b}`;
        expect([identityOf(shown), termsMarkOf(shown)]).toEqual([identityOf(sent), termsMarkOf(sent)]);
        expect(userTagOf(shown).toLowerCase()).toBe('breakout');
        expect(isEchoOf(shown, sent)).toBe(false);
        expect(byTags([{ order_id: '1', tag: shown }], [sent]).get(sent)?.order_id).toBe('1');
      }),
    );
  });

  it.each([
    ['cut at its end', (tag: string) => tag.slice(0, 16)],
    ['cut at its beginning', (tag: string) => tag.slice(4)],
    ['with other signs', (tag: string) => tag.replace('-', '_')],
    ['with something added', (tag: string) => `api:${tag}:1`],
  ])('is found when it is changed: %s', (_, change) => {
    const shown = change(sent);
    expect(byTags([{ order_id: '1', tag: shown }], [sent]).get(sent)?.order_id).toBe('1');
    expect(byTags([{ order_id: '1', tag: shown }], [keyed('another').tag]).size).toBe(0);
  });

  it.each([
    ['cut at its end', (tag: string) => tag.slice(0, 16)],
    ['with other signs', (tag: string) => tag.replace('-', '_')],
  ])('stops orders with a key once it came back changed (%s), until somebody has seen it', async (_, change) => {
    const { time, model, context, state, place } = account();
    state.lie = (records) => records.map((record) => ({ ...record, tag: change(String(record.tag)) }));
    const lost: PlacementContext = {
      ...context,
      orders: { ...context.orders, matchReply: () => new Map<string, OrderRecord>() },
    };
    expect(await place(keyed('first'), lost)).toMatchObject({ outcome: 'confirmed', alreadyPlaced: false });
    await time.run(time.sleep(20_000));
    const outcome = await place(keyed('second'), lost);
    expect(outcome).toMatchObject({ outcome: 'refused' });
    expect('error' in outcome && outcome.error.message).toMatch(/^The service changed a tag: \d+ was sent with/);
    expect(await place(keyed('first'), lost)).toMatchObject({ outcome: 'confirmed', alreadyPlaced: true });
    expect(model.journal).toHaveLength(1);
    expect(context.placements.takeChangedTags()).toHaveLength(1);
    expect(await place(keyed('second'), lost)).toMatchObject({ outcome: 'confirmed', alreadyPlaced: false });
  });
});

describe('a tag that comes back cut to its label', () => {
  /** The first order is placed; from then on its list shows another tag, by which nothing is found. */
  async function cut(shown = 'breakout') {
    const made = account();
    const { time, context, state, place } = made;
    const first = await place(keyed('first'));
    await place(keyed('beside it'));
    await time.run(time.sleep(20_000));
    state.lie = (records) => records.map((record) => ({ ...record, tag: shown }));
    const restart = (): PlacementContext => ({ ...context, placements: new PlacementRegistry(time.clock) });
    return { ...made, first, restart };
  }

  it.each(['breakout', '', 'x'])('does not let its key place again after a restart of n8n (%j)', async (shown) => {
    const { model, first, place, restart } = await cut(shown);
    expect(await place(keyed('first'), restart())).toMatchObject({
      outcome: 'confirmed',
      alreadyPlaced: true,
      id: first.outcome === 'confirmed' && first.id,
    });
    expect(model.journal).toHaveLength(2);
  });

  it('stops orders with a key, also after a restart, until somebody has seen it', async () => {
    const { model, context, place, restart } = await cut();
    for (const process of [context, restart(), restart()]) {
      const outcome = await place(keyed('second'), process);
      expect('error' in outcome && outcome.error.message).toMatch(/^The service changed a tag: \d+ was sent with/);
      expect(model.journal).toHaveLength(2);
    }
    expect(context.placements.takeChangedTags()).toMatchObject([{ shown: 'breakout' }]);
    expect(await place(keyed('second'))).toMatchObject({ outcome: 'confirmed', alreadyPlaced: false });
  });

  it('keeps no order back that has no key', async () => {
    const { place } = await cut();
    expect(await place(orderRequest('of-a-new-run'))).toMatchObject({ outcome: 'confirmed' });
  });
});

describe('a key that came shortly before midnight and comes again after it and a restart of n8n', () => {
  /** The list of the new day is empty; the order itself may be read or not. */
  async function afterMidnight(isRead: boolean) {
    const { time, model, context, state, place } = account();
    const night: SentPlacement[] = [];
    const placed = await place(keyed('evening'), {
      ...context,
      placedToday: { ...memory(), add: (_, placed) => void night.push(...placed) },
    });
    await time.run(time.sleep(60_000));
    state.lie = () => [];
    const get = async (): Promise<never> => {
      throw new ServiceError('no such order', { status: 404, serviceText: '' });
    };
    const next: PlacementContext = {
      ...context,
      placements: new PlacementRegistry(time.clock),
      orders: isRead ? context.orders : { ...context.orders, get },
      placedToday: { ...memory(), unlisted: () => night },
    };
    return { placed, model, again: async (tag: string) => await place(keyed(tag), next) };
  }

  it('gets the first order, where the service tells of it', async () => {
    const { placed, model, again } = await afterMidnight(true);
    expect(await again('evening')).toMatchObject({
      ...{ outcome: 'confirmed', alreadyPlaced: true },
      id: placed.outcome === 'confirmed' && placed.id,
    });
    expect(model.journal).toHaveLength(1);
  });

  it('is unknown where it does not, and nothing is sent', async () => {
    const { model, again } = await afterMidnight(false);
    const outcome = await again('evening');
    expect(outcome.outcome).toBe('unknown');
    expect('error' in outcome && outcome.error.message).toMatch(/^Nothing was sent: .* before midnight as order \d+/);
    expect(model.journal).toHaveLength(1);
  });

  it('holds no other key back', async () => {
    const { again } = await afterMidnight(false);
    expect(await again('other')).toMatchObject({ outcome: 'confirmed', alreadyPlaced: false });
  });
});

describe('a key whose first order has an unknown outcome, and that comes again after a restart of n8n', () => {
  it.each<[string, boolean]>([
    ['is unknown while the list does not show it', false],
    ['gets that order where the list shows it', true],
  ])('%s, and nothing is sent', async (_, isShown) => {
    const { time, model, context, state, place } = account(
      () => [],
      ({ method }) => (method === 'POST' ? 'no_reply' : undefined),
    );
    const sent: SentPlacement[] = [];
    const placedToday = {
      all: () => [],
      unlisted: () => sent,
      add: (_: string, more: readonly SentPlacement[]) => void sent.push(...more),
    };
    expect(await place(keyed('evening'), { ...context, placedToday })).toMatchObject({ outcome: 'unknown' });
    if (isShown) state.lie = (records) => records;
    const next = { ...context, placedToday, placements: new PlacementRegistry(time.clock) };
    const again = await place(keyed('evening'), next);
    expect(again).toMatchObject(isShown ? { outcome: 'confirmed', alreadyPlaced: true } : { outcome: 'unknown' });
    expect(model.journal).toHaveLength(1);
    await place(keyed('other'), next);
    expect(model.journal).toHaveLength(2);
  });
});
