/** Reading the day: orders and baskets together, what is missing when one of them fails, and who hears of it. */
import { describe, expect, test } from '@jest/globals';
import { NetworkError, SessionError } from '../../../../client/base/errors';
import type { CallOptions } from '../../../../client/transport';
import { v2Api } from '../../../../client/orders/api/v2/v2';
import {
  DayListReader,
  withoutUnconfirmed,
  type DayDeps,
  type DayLists,
} from '../../../../client/stream/account-feed/day-list-reader';
import { requestDayBaskets, requestDayOrders } from '../../../../client/stream/account-feed/day-requests';
import type { OrderSnapshot } from '../../../../client/orders/model/order-snapshot';
import { momentAt, VirtualClock } from '../../../support/clock';
import { scriptedTransport, type Scripted } from '../../../support/scripted-transport';
import { MONDAY_TEN } from '../../../support/still-market';
import { ID, orders, record } from '../basket-fixture';
import { FOREVER } from '../listening';

const NO_LINE = new NetworkError('The line is down.', { maySent: false });
const FILLED = record('FILLED', { filled: 10 });
const nanos = (ms: number): string => `${MONDAY_TEN + ms}000000`;
const unanswered = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(NO_LINE)));

/** A reader whose service can be changed while it runs; a day without orders and baskets where nothing is said. */
function reading(given: Partial<DayDeps> = {}) {
  const clock = new VirtualClock(MONDAY_TEN);
  const deps: DayDeps = {
    clock,
    orders: async () => ({ orders: [], odd: [], ahead: undefined }),
    baskets: async () => [],
    ...given,
  };
  const unread: string[] = [];
  const odd: string[] = [];
  const reader = new DayListReader(
    deps,
    (reason) => unread.push(reason),
    (reason) => odd.push(reason),
    () => undefined,
    false,
  );
  const read = async (withBaskets = true): Promise<DayLists | undefined> => await reader.read(withBaskets, FOREVER);
  return { clock, deps, reader, read, unread, odd };
}
const listing = (listed: OrderSnapshot[], ahead?: { min: number; max: number }): DayDeps['orders'] => {
  return async () => ({ orders: listed, odd: [], ahead });
};

describe('an order that contradicts itself', () => {
  const withOdd =
    (odd: string[]): DayDeps['orders'] =>
    async () => ({ orders: orders(4), odd, ahead: undefined });

  test('is refused at the first look: what it did before would look new later', async () => {
    const { reader, odd } = reading({ orders: withOdd(['Order 5 is odd.']) });
    await expect(reader.look(false, FOREVER)).rejects.toThrow('Order 5 is odd.');
    expect([reader.lookedAt, odd]).toEqual([undefined, []]);
  });

  test('is told once until the list shows it otherwise, and the others are compared', async () => {
    const { reader, read, deps, odd } = reading();
    await reader.look(false, FOREVER);
    for (const listed of [['5', '6'], ['5', '6'], ['6'], ['5', '6']]) {
      deps.orders = withOdd(listed);
      expect((await read(false))?.orders).toHaveLength(orders(4).length);
    }
    expect([odd, reader.problem]).toEqual([['5', '6', '5'], '']);
  });
});

describe('the first look', () => {
  test('shows the orders and the baskets like the lists', async () => {
    const { reader, clock } = reading({ orders: listing(orders(4)), baskets: async () => FILLED });
    expect(reader.lookedAt).toBeUndefined();
    expect(await reader.look(true, FOREVER)).toEqual({ orders: orders(4), baskets: FILLED });
    expect(reader.lookedAt).toBe(momentAt(clock.now()));
  });

  test('asks for baskets only where they matter', async () => {
    const { reader, unread } = reading({ baskets: async () => Promise.reject(NO_LINE) });
    expect(await reader.look(false, FOREVER)).toEqual({ orders: [], baskets: undefined });
    expect([unread, reader.hasNoBaskets]).toEqual([[], false]);
  });

  test('fails with the orders, and waits no longer for the baskets', async () => {
    let isOver = false;
    const { reader, unread } = reading({
      orders: async () => Promise.reject(NO_LINE),
      baskets: async (signal) => {
        signal.addEventListener('abort', () => (isOver = true));
        return await unanswered(signal);
      },
    });
    await expect(reader.look(true, FOREVER)).rejects.toBe(NO_LINE);
    expect([isOver, reader.lookedAt]).toEqual([true, undefined]);
    await Promise.resolve();
    expect(unread).toEqual([]);
  });

  test('goes without the baskets where they fail', async () => {
    const { reader, unread } = reading({ orders: listing(orders(4)), baskets: async () => Promise.reject(NO_LINE) });
    expect(await reader.look(true, FOREVER)).toEqual({ orders: orders(4), baskets: undefined });
    expect(unread).toEqual(['The line is down.']);
  });
});

describe('a comparison', () => {
  test('reads the baskets as far as the orders bear them out', async () => {
    const { read, unread } = reading({ orders: listing(orders(10)), baskets: async () => FILLED });
    expect(await read()).toEqual({ orders: orders(10), baskets: FILLED, unconfirmed: new Set(), isWhole: true });
    expect(unread).toEqual([]);
  });

  test.each<[number, boolean]>([
    [2_999, false],
    [3_000, true],
  ])('reads those of %d ms ago in place of what is not borne out: %s', async (later, isEntered) => {
    const { clock, deps, read } = reading({ orders: listing(orders(10)), baskets: async () => FILLED });
    await read();
    clock.set(clock.now() + later);
    deps.baskets = async () => record('CLOSED', { filled: 10 });
    const day = await read();
    expect([...day!.unconfirmed]).toEqual([ID]);
    expect(day!.baskets?.map(({ entered, end }) => [entered, end])).toEqual([[isEntered, '']]);
  });

  test('reads no baskets where they are not asked for, and then not the whole day', async () => {
    const { read, unread } = reading({ orders: listing(orders(4)), baskets: async () => Promise.reject(NO_LINE) });
    expect(await read(false)).toEqual({
      ...{ orders: orders(4), baskets: undefined, unconfirmed: new Set(), isWhole: false },
    });
    expect(unread).toEqual([]);
  });

  test('reads nothing where the orders fail; why is told until they can be read', async () => {
    const { deps, reader, read } = reading({ orders: async () => Promise.reject(NO_LINE) });
    expect(reader.problem).toBe('');
    expect([await read(), reader.problem]).toEqual([undefined, 'The line is down.']);
    deps.orders = async () => Promise.reject(new TypeError('a secret may be in here'));
    expect([await read(), reader.problem]).toEqual([undefined, 'The request failed']);
    deps.orders = listing([]);
    expect([(await read())?.isWhole, reader.problem]).toEqual([true, '']);
  });

  test('reads nothing without a session, which is an error unless nobody waits any more', async () => {
    const dead = new SessionError('Log in again.');
    const { reader, read } = reading({ orders: async () => Promise.reject(dead) });
    await expect(read()).rejects.toBe(dead);
    const over = AbortSignal.abort();
    expect(await reader.read(false, over)).toBeUndefined();
  });
});

describe('baskets that cannot be read', () => {
  test('are told of once, until they can be', async () => {
    const { deps, reader, read, unread } = reading({ baskets: async () => Promise.reject(NO_LINE) });
    for (const _ of [1, 2]) expect(await read()).toMatchObject({ baskets: undefined, isWhole: false });
    expect([unread, reader.hasNoBaskets]).toEqual([['The line is down.'], false]);
    deps.baskets = async () => FILLED;
    await read();
    deps.baskets = async () => Promise.reject(new TypeError('a secret may be in here'));
    await read();
    expect(unread).toEqual(['The line is down.', 'The request failed']);
  });

  test('are not asked for again where the service has no such list', async () => {
    const { deps, reader, read, unread } = reading({ baskets: async () => undefined });
    expect(await read()).toMatchObject({ baskets: undefined, isWhole: true });
    expect([reader.hasNoBaskets, unread]).toEqual([true, ['There is no list of baskets']]);
    expect(await read(false)).toMatchObject({ isWhole: false });
    deps.baskets = async () => [];
    expect([(await read())?.baskets, reader.hasNoBaskets]).toEqual([[], false]);
  });

  test('are waited for four seconds', async () => {
    const { clock, read, unread } = reading({ orders: listing(orders(4)), baskets: unanswered });
    expect(await read()).toMatchObject({ orders: orders(4), baskets: undefined, isWhole: false });
    expect(clock.now()).toBe(MONDAY_TEN + 4_000);
    expect(unread).toEqual(['The service did not answer in time']);
  });

  test('concern nobody where the reader stops', async () => {
    const over = new AbortController();
    const { reader, unread } = reading({
      baskets: async (signal) => {
        over.abort();
        return await unanswered(signal);
      },
    });
    expect(await reader.read(true, over.signal)).toMatchObject({ baskets: undefined, isWhole: false });
    expect(unread).toEqual([]);
  });
});

test('a basket that the orders do not bear out is left for the next comparison: its orders, and all but its acceptance', () => {
  const other = { ...FILLED[0]!, orderId: '8' };
  const day: DayLists = {
    orders: [...orders(4), { ...orders(4)[0]!, orderId: '15', basketId: '8' }],
    baskets: [...record('CLOSED', { filled: 10 }), other],
    unconfirmed: new Set([ID]),
    isWhole: true,
  };
  const { orders: left, baskets } = withoutUnconfirmed(day);
  expect(left.map(({ orderId }) => orderId)).toEqual(['15']);
  expect(baskets?.map(({ entered, end }) => [entered, end])).toEqual([
    [false, ''],
    [true, ''],
  ]);
  expect(withoutUnconfirmed({ ...day, baskets: undefined }).baskets).toBeUndefined();
});

describe("the service's clock", () => {
  test('is not known before it was told, and before the first look', async () => {
    const { reader, read } = reading({ orders: listing([], { min: -900, max: 99 }) });
    expect([reader.instant(momentAt(MONDAY_TEN)), reader.serviceNow]).toEqual([undefined, MONDAY_TEN]);
    await read();
    expect([reader.instant(momentAt(MONDAY_TEN)), reader.serviceNow]).toEqual([undefined, MONDAY_TEN - 900]);
    await reader.look(false, FOREVER);
    expect(reader.instant(momentAt(MONDAY_TEN))).toBe(nanos(-900));
    const silent = reading();
    await silent.reader.look(false, FOREVER);
    expect(silent.reader.instant(momentAt(MONDAY_TEN))).toBeUndefined();
  });

  test.each<[number, number, number, boolean]>([
    [0, 999, 1, true],
    [-999, 0, 1, true],
    [1, 1_000, 1, false],
    [1, 1_000, 0, true],
    [-1_000, -1, 1, false],
    [-1_000, -1, -1, true],
  ])(
    'tells an instant where it is %d to %d ms ahead, %d ms after the first look: %s',
    async (min, max, after, reports) => {
      const { reader } = reading({ orders: listing([], { min, max }) });
      await reader.look(false, FOREVER);
      expect(reader.instant(momentAt(MONDAY_TEN + after))).toBe(reports ? nanos(after + min) : undefined);
    },
  );

  type Ahead = { min: number; max: number } | undefined;
  test.each<[string, Ahead, Ahead, number]>([
    ['the closer of two', { min: 10, max: 20 }, { min: 15, max: 18 }, 15],
    ['the closer of two, the other way round', { min: 15, max: 18 }, { min: 10, max: 20 }, 15],
    ['what both leave open', { min: 20, max: 30 }, { min: 10, max: 20 }, 20],
    ['the newer where they do not agree', { min: 15, max: 18 }, { min: 1, max: 2 }, 1],
    ['the older where the newer tells no time', { min: 15, max: 18 }, undefined, 15],
  ])('is as two replies tell it: %s', async (_name, before, now, ahead) => {
    const { deps, reader, read } = reading({ orders: listing([], before) });
    await read();
    deps.orders = listing([], now);
    await read();
    expect(reader.serviceNow).toBe(MONDAY_TEN + ahead);
  });

  test('is narrowed on both sides by what several replies tell', async () => {
    const { deps, reader, read } = reading();
    for (const [min, max] of [
      [10, 20],
      [12, 30],
      [21, 25],
    ] as const) {
      deps.orders = listing([], { min, max });
      await read();
    }
    expect(reader.serviceNow).toBe(MONDAY_TEN + 21);
  });
});

describe('the requests', () => {
  const asking = (replies: (Scripted | NetworkError)[]) => {
    const { transport, requests } = scriptedTransport(replies);
    const paths = (): string[] => requests.map(({ url }) => new URL(url).pathname);
    return { paths, baskets: async () => await requestDayBaskets(transport, v2Api, FOREVER), transport };
  };

  test('bring the baskets, or that the service has no such list', async () => {
    const found = asking([{ text: `[{"basket_id":${ID},"basket_status":"BASKET_STATUS_OPEN","orders":{}}]` }]);
    expect((await found.baskets())?.map(({ orderId, accepted }) => [orderId, accepted])).toEqual([[ID, true]]);
    expect(found.paths()).toEqual(['/orders/v2/basket']);
    expect(await asking([{ status: 404, text: '{}' }]).baskets()).toBeUndefined();
  });

  test('are sent once for baskets, as the next comparison asks again, and repeated for orders', async () => {
    for (const status of [500, 503, 403]) {
      const failing = asking([{ status, text: '{}' }]);
      await expect(failing.baskets()).rejects.toMatchObject({ status });
      expect(failing.paths()).toHaveLength(1);
    }
    await expect(asking([NO_LINE]).baskets()).rejects.toBe(NO_LINE);
    const { transport, paths } = asking([{ status: 503, text: '' }, { text: '[{"order_id":5}]' }]);
    const { orders: listed } = await requestDayOrders(transport, v2Api, FOREVER);
    expect([listed.map(({ orderId }) => orderId), paths().length]).toEqual([['5'], 2]);
  });

  test('end with the signal of who asks', async () => {
    const over = AbortSignal.abort(NO_LINE);
    const signals: (AbortSignal | undefined)[] = [];
    const { transport } = asking([]);
    const received = {
      ...transport,
      call: async (_endpoint: unknown, options?: CallOptions) => (signals.push(options?.signal), []),
    } as unknown as typeof transport;
    await requestDayBaskets(received, v2Api, over);
    expect(signals).toEqual([over]);
  });
});
