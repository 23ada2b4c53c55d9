/** Memory of one process for the orders that it has placed, in virtual time. */
import { momentAt } from '../../../support/clock';
import { dayValueOf } from '../../../../client/orders/guards/day-value';
import { machineTime, type MarketTime } from '../../../../client/market-clock';
import { causeMarkOf, tagFrom } from '../../../../client/orders/model/tags';
import { LIST_DELAY_MS, PlacementRegistry } from '../../../../client/orders/account/placement-registry';
import { VirtualTime } from '../../../support/virtual-time';

const SCOPE = 'sandbox/me';
const HOUR_MS = 3_600_000;

function setUp(at = '2026-11-20T11:00:00+05:30') {
  const time = new VirtualTime(Date.parse(at));
  const placements = new PlacementRegistry(time.clock);
  const later = async (ms: number): Promise<void> => await time.run(time.sleep(ms));
  const value = (scope = SCOPE): [string, number][] => [...placements.values(scope)];
  return { time, placements, later, value };
}

describe('what was sent', () => {
  it('is unknown until it is placed, and keeps its value and its instant', async () => {
    const { time, placements, later } = setUp();
    const sent = { moment: momentAt(time.now()), marketAt: time.now(), run: undefined };
    placements.sending(SCOPE, 'a', 500);
    expect(placements.get(SCOPE, 'a')).toEqual({ state: 'unknown', tag: 'a', value: 500, orders: 1, ...sent });
    await later(1_000);
    placements.placed(SCOPE, 'a', { order_id: '5' });
    expect(placements.get(SCOPE, 'a')).toEqual({
      state: 'placed',
      tag: 'a',
      record: { order_id: '5' },
      value: 500,
      orders: 1,
      ...sent,
    });
    placements.placed(SCOPE, 'b', { order_id: '6' });
    expect(placements.get(SCOPE, 'b')).toEqual({
      state: 'placed',
      tag: 'b',
      record: { order_id: '6' },
      value: 0,
      orders: 0,
      moment: momentAt(time.now()),
      marketAt: time.now(),
      run: undefined,
    });
    placements.notPlaced(SCOPE, 'a');
    expect(placements.get(SCOPE, 'a')).toBeUndefined();
  });

  it('is lost once lists have lacked it for two minutes, however long ago it was sent', async () => {
    const { placements, later } = setUp();
    const isLost = (isWhole = true): boolean => placements.isLost(placements.get(SCOPE, 'a')!, isWhole);
    placements.sending(SCOPE, 'a', 500);
    // No list could be read in this time.
    await later(600_000);
    expect(isLost()).toBe(false);
    await later(119_000);
    expect(isLost()).toBe(false);
    await later(1_000);
    expect(isLost()).toBe(true);
    // A list that lacks other orders, too, proves nothing, nor does the time before it.
    expect([isLost(false), isLost()]).toEqual([false, false]);
    await later(120_000);
    expect(isLost()).toBe(true);
    placements.placed(SCOPE, 'a', { order_id: '5' });
    expect(isLost()).toBe(false);
    await later(600_000);
    expect(isLost()).toBe(false);
  });

  it('belongs to one account', () => {
    const { placements, value } = setUp();
    placements.sending(SCOPE, 'a', 500);
    placements.reserve(SCOPE, 'b', 300);
    expect(placements.get('live/me', 'a')).toBeUndefined();
    expect(value('live/me')).toEqual([]);
    // The one name begins with the other.
    expect(value('sandbox/m')).toEqual([]);
    expect(value()).toEqual([
      ['a', 500],
      ['b', 300],
    ]);
  });

  it('is known for the day, and in the first hours after it', async () => {
    const morning = setUp('2026-11-20T09:15:00+05:30');
    morning.placements.sending(SCOPE, 'a', 1);
    await morning.later(14 * HOUR_MS);
    expect(morning.placements.get(SCOPE, 'a')).toBeDefined();
    await morning.later(HOUR_MS);
    expect(morning.placements.get(SCOPE, 'a')).toBeUndefined();
    const night = setUp('2026-11-20T23:30:00+05:30');
    night.placements.sending(SCOPE, 'a', 1);
    await night.later(6 * HOUR_MS - 1);
    expect(night.placements.get(SCOPE, 'a')).toBeDefined();
    expect(night.value()).toEqual([]);
    await night.later(1);
    expect(night.placements.get(SCOPE, 'a')).toBeUndefined();
  });

  it('belongs to the day at whose first moment it was sent', async () => {
    const { placements, later, value } = setUp('2026-11-20T00:00:00+05:30');
    placements.sending(SCOPE, 'a', 5);
    await later(23 * HOUR_MS);
    expect(placements.get(SCOPE, 'a')).toBeDefined();
    expect(value()).toEqual([['a', 5]]);
  });

  it('is forgotten after a day, and the oldest of fifty thousand', async () => {
    const { placements, later, value } = setUp('2026-11-20T00:00:00+05:30');
    for (let count = 0; count < 50_000; count++) placements.sending(SCOPE, `t${count}`, 1);
    expect(value()).toHaveLength(50_000);
    placements.sending(SCOPE, 'next', 1);
    expect(placements.get(SCOPE, 't0')).toBeUndefined();
    expect(placements.get(SCOPE, 't1')).toBeDefined();
    expect(value()).toHaveLength(50_000);
    await later(24 * HOUR_MS + 1);
    placements.sending(SCOPE, 'tomorrow', 1);
    expect(placements.get(SCOPE, 't2')).toBeUndefined();
  });
});

describe('the value of the day', () => {
  it('holds what is about to be sent for a minute, unless it is given back', async () => {
    const { placements, later } = setUp();
    placements.reserve(SCOPE, 'a', 500);
    placements.reserve(SCOPE, 'b', 300);
    placements.release(SCOPE, 'b');
    await later(59_999);
    expect(dayValueOf([], placements, SCOPE)).toBe(500);
    await later(1);
    expect(dayValueOf([], placements, SCOPE)).toBe(0);
  });

  it('counts what is sent once, not beside what was held for it', () => {
    const { placements, value } = setUp();
    placements.reserve(SCOPE, 'a', 500);
    placements.sending(SCOPE, 'a', 500);
    expect(value()).toEqual([['a', 500]]);
    placements.sending(SCOPE, 'a', 700);
    expect(value()).toEqual([['a', 700]]);
  });
});

it('a list shows what a process before this one placed after four seconds', async () => {
  const { placements, later } = setUp();
  expect(placements.untilListed()).toBe(LIST_DELAY_MS);
  await later(1_500);
  expect(placements.untilListed()).toBe(LIST_DELAY_MS - 1_500);
  await later(HOUR_MS);
  expect(placements.untilListed()).toBe(0);
});

describe('the list of the day', () => {
  /** Lists that take 100 ms to read, and say how many were read before. */
  function reading() {
    const { time, placements, later } = setUp();
    let count = 0;
    let fails = false;
    const read = async (): Promise<{ filled_qty: number }[]> => {
      const mine = ++count;
      const isBad = fails;
      await time.sleep(100);
      if (isBad) throw new Error('busy');
      return [{ filled_qty: mine }];
    };
    const list = async (servesMs: number, name = 'orders'): Promise<number> =>
      (await placements.dayList(name, read, servesMs))[0]!.filled_qty;
    return { time, later, list, placements, failFrom: (is: boolean) => (fails = is), reads: () => count };
  }

  it('serves for as long as it may, from the moment when it was asked for', async () => {
    const { time, later, list } = reading();
    expect(await time.run(Promise.all([list(1_000), list(1_000)]))).toEqual([1, 1]);
    await later(900);
    expect(await time.run(list(1_000))).toBe(1);
    await later(1);
    expect(await time.run(list(1_000))).toBe(2);
    expect(await time.run(list(1_000, 'baskets'))).toBe(3);
  });

  it.each([-86_400_000, -3_600_000, 3_600_000])('serves as long over a clock that was set by %d ms', async (jump) => {
    const time = new VirtualTime();
    let ahead = 0;
    const placements = new PlacementRegistry(time.clockSetBy(() => ahead));
    let count = 0;
    const read = async (): Promise<{ filled_qty: number }[]> => [{ filled_qty: ++count }];
    await placements.dayList('orders', read, 1_000);
    ahead = jump;
    expect(await placements.dayList('orders', read, 1_000)).toEqual([{ filled_qty: 1 }]);
    await time.run(time.sleep(1_001));
    expect(await placements.dayList('orders', read, 1_000)).toEqual([{ filled_qty: 2 }]);
  });

  it('is read after the one in progress where it must be new, once for all who wait', async () => {
    const { time, list, reads } = reading();
    const under = list(1_000);
    const waiting = [list(0), list(0), list(0)];
    expect(await time.run(under)).toBe(1);
    expect(await time.run(Promise.all(waiting))).toEqual([2, 2, 2]);
    expect(reads()).toBe(2);
    expect(await time.run(list(0))).toBe(3);
    // A list that was just read again serves callers who accept one of a moment ago.
    expect(await time.run(list(1_000))).toBe(3);
  });

  it('serves nobody, and holds nobody back, where it could not be read', async () => {
    const { time, list, failFrom } = reading();
    failFrom(true);
    const broken = list(1_000);
    const waiting = list(0);
    failFrom(false);
    await expect(time.run(broken)).rejects.toThrow('busy');
    expect(await time.run(waiting)).toBe(2);
    failFrom(true);
    await expect(time.run(list(0))).rejects.toThrow('busy');
    failFrom(false);
    expect(await time.run(list(1_000))).toBe(4);
  });
});

describe('work for one tag', () => {
  it('is done after all other work for it, and beside work for others', async () => {
    const { time, placements } = setUp();
    const order: string[] = [];
    const work = (name: string, ms: number) => async () => {
      order.push(`${name} begins`);
      await time.sleep(ms);
      order.push(`${name} ends`);
      return name;
    };
    const results = await time.run(
      Promise.all([
        placements.alone(SCOPE, ['a', 'a'], work('first', 100)),
        placements.alone(SCOPE, ['b', 'a'], work('second', 10)),
        placements.alone('live/me', ['a'], work('other', 10)),
        placements.alone(SCOPE, ['b'], work('third', 10)),
      ]),
    );
    expect(results).toEqual(['first', 'second', 'other', 'third']);
    expect(order).toEqual([
      'first begins',
      'other begins',
      'other ends',
      'first ends',
      'second begins',
      'second ends',
      'third begins',
      'third ends',
    ]);
  });

  it('goes on after work that failed', async () => {
    const { time, placements } = setUp();
    const failing = placements.alone(SCOPE, ['a'], async () => await Promise.reject(new Error('no')));
    const next = placements.alone(SCOPE, ['a'], async () => 'done');
    await expect(time.run(failing)).rejects.toThrow('no');
    expect(await time.run(next)).toBe('done');
  });
});

it('does work beside other such work, and not beside work that is alone', async () => {
  const { placements } = setUp();
  const log: string[] = [];
  const work = (name: string) => async (): Promise<string> => {
    log.push(`${name} begins`);
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    log.push(`${name} ends`);
    return name;
  };
  const failing = placements.beside(SCOPE, ['p'], async () => await Promise.reject(new Error('no')));
  const all = [
    placements.beside(SCOPE, ['p'], work('a')),
    placements.beside(SCOPE, ['p', 'q'], work('b')),
    placements.alone(SCOPE, ['p'], work('C')),
    placements.beside(SCOPE, ['p'], work('d')),
    placements.beside(SCOPE, ['r'], work('e')),
  ];
  await expect(failing).rejects.toThrow('no');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'C', 'd', 'e']);
  const at = (step: string): number => log.indexOf(step);
  expect(at('b begins')).toBeLessThan(at('a ends'));
  expect(at('C begins')).toBeGreaterThan(Math.max(at('a ends'), at('b ends')));
  expect(at('d begins')).toBeGreaterThan(at('C ends'));
  expect(at('e begins')).toBeLessThan(at('a ends'));
  expect(placements['besides'].size).toBe(0);
});

describe('what is known of the orders of today', () => {
  const caller = { kind: 'execution', caller: 'parent', nodeId: 'n', runIndex: 0, itemIndex: 0 } as const;
  const called = (executionId: string): string => tagFrom('', { ...caller, executionId }, SCOPE);
  const known = (id: string) => ({ noun: 'order', id }) as const;

  it('finds by the step of a called workflow what any execution of it placed, in this account and today', async () => {
    const { placements, later } = setUp('2026-11-20T11:00:00+05:30');
    placements.sending(SCOPE, called('1'), 1);
    placements.sending(SCOPE, called('2'), 1);
    placements.sending(SCOPE, tagFrom('', { ...caller, executionId: '3', nodeId: 'm' }, SCOPE), 1);
    placements.sending(SCOPE, 'by-hand', 1);
    placements.sending('live/me', called('4'), 1);
    const mark = causeMarkOf(called('9'))!;
    expect(placements.underMark(SCOPE, mark).map(({ tag }) => tag)).toEqual([called('1'), called('2')]);
    await later(24 * HOUR_MS);
    expect(placements.underMark(SCOPE, mark)).toEqual([]);
  });

  it('lists what a list must show by now, twelve seconds after it was sent', async () => {
    const { placements, later } = setUp();
    placements.sending(SCOPE, 'a', 1);
    placements.sending(SCOPE, 'lost', 1);
    await later(5_000);
    // Its answer came later: what counts is when it was sent.
    placements.placed(SCOPE, 'a', { order_id: '5' }, known('5'));
    expect(placements.listable(SCOPE)).toEqual([]);
    await later(6_999);
    expect(placements.listable(SCOPE)).toEqual([]);
    await later(1);
    expect(placements.listable(SCOPE)).toEqual([{ noun: 'order', id: '5', identity: 'a' }]);
    expect(placements.listable('live/me')).toEqual([]);
  });

  it('tells an order that this process placed today from any other, in whichever account', async () => {
    const { placements, later } = setUp('2026-11-20T00:00:00+05:30');
    placements.sending(SCOPE, 'unknown', 1);
    placements.placed(SCOPE, 'a', { order_id: '5' }, known('5'));
    expect([placements.hasPlaced('5'), placements.hasPlaced('6')]).toEqual([true, false]);
    await later(24 * HOUR_MS);
    expect(placements.hasPlaced('5')).toBe(false);
  });

  it('goes by the day of the market of its account', () => {
    const time = new VirtualTime(Date.parse('2026-11-20T11:00:00+05:30'));
    let ahead = 0;
    const market = (scope: string): MarketTime => ({
      ...machineTime(time.clock),
      now: () => time.now() + (scope === SCOPE ? ahead : 0),
    });
    const placements = new PlacementRegistry(time.clock, market);
    placements.placed(SCOPE, 'a', { order_id: '5' }, known('5'));
    placements.placed('live/me', 'b', { order_id: '6' }, known('6'));
    ahead = 24 * HOUR_MS;
    expect([placements.hasPlaced('5'), placements.hasPlaced('6')]).toEqual([false, true]);
  });

  it('does not reach beyond a sandbox that was reset, and lists only what its present run has', async () => {
    const time = new VirtualTime(Date.parse('2026-11-20T11:00:00+05:30'));
    let run = 'one 1';
    const placements = new PlacementRegistry(time.clock, () => ({ ...machineTime(time.clock), run }));
    placements.sending(SCOPE, called('1'), 7);
    placements.placed(SCOPE, called('1'), { order_id: '5' }, known('5'));
    await time.run(time.sleep(12_000));
    const seen = (): unknown[] => [
      placements.get(SCOPE, called('1')) !== undefined,
      placements.underMark(SCOPE, causeMarkOf(called('1'))!).length,
      [...placements.values(SCOPE)].length,
      placements.listable(SCOPE).length,
    ];
    expect(seen()).toEqual([true, 1, 1, 1]);
    // The same instance at another run: it has its books, but its list may lack what an earlier run had.
    run = 'one 2';
    expect(seen()).toEqual([true, 1, 1, 0]);
    run = 'two 1';
    expect(seen()).toEqual([false, 0, 0, 0]);
  });
});

it('a changed tag is told once, for each account, and is known by what is shown', () => {
  const { placements } = setUp();
  const changed = { sent: 'abcdefghijkl', shown: 'abc', id: '5' };
  placements.noteChangedTag(SCOPE, changed);
  expect([placements.changedTag(SCOPE), placements.changedTag('live/me')]).toEqual([changed, undefined]);
  expect([placements.isChangedTag('abc'), placements.isChangedTag('abcdefghijkl')]).toEqual([true, false]);
  expect(placements.takeChangedTags()).toEqual([changed]);
  expect(placements.takeChangedTags()).toEqual([]);
  // The user has seen this one: orders with a key go on.
  placements.noteChangedTag(SCOPE, changed);
  expect(placements.changedTag(SCOPE)).toBeUndefined();
  placements.noteChangedTag(SCOPE, { ...changed, id: '6' });
  expect(placements.changedTag(SCOPE)).toMatchObject({ id: '6' });
});
