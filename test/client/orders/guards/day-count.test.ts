/** "Most Orders a Day": which orders count, and that nothing is sent where they cannot be counted. */
import { UnreadableReplyError } from '../../../../client/base/errors';
import type { BasketRecord } from '../../../../client/endpoints/baskets';
import type { OrderRecord } from '../../../../client/endpoints/orders';
import { asClosingRequest, type CloseRequest } from '../../../../client/closing/closing-request';
import type { PlacementContext } from '../../../../client/orders/account/placement-context';
import { dayCountOf, type DayLists } from '../../../../client/orders/guards/day-count';
import { passGuards } from '../../../../client/orders/guards/guards';
import { closingGuards, readLimits, withNodeGuards } from '../../../../client/orders/model/guard-settings';
import { placeSliced } from '../../../../client/orders/placing/place-sliced';
import { placeBasket, placeOrder, placeOrders } from '../../../../client/orders/placing/place';
import { LIMIT_BUY, SPREAD, market, posts, orderRequest, basketRequest } from '../support';
import { OPEN } from './support';

const DAY = '2026-11-20';
const at = (time: string): string => `${Date.parse(`${time}+05:30`)}000000`;
const order = (order_id: string, changes: Partial<OrderRecord> = {}): OrderRecord => ({ order_id, ...changes });
const lists = (orders: OrderRecord[], baskets: BasketRecord[] = []): DayLists => ({ orders, baskets });
const most = (maxDayOrders: number) => ({ guards: [{ ...OPEN, maxDayOrders }] });

describe('the number of the orders of a day', () => {
  it.each<[string, DayLists, number]>([
    ['nothing', lists([]), 0],
    [
      'all that the list shows, whatever has become of them',
      lists([
        order('1', { order_status: 'ORDER_STATUS_REJECTED' }),
        order('2', { order_status: 'ORDER_STATUS_CANCELLED' }),
        order('3', { order_time: at(`${DAY}T09:16:00`) }),
      ]),
      3,
    ],
    ['none that was placed on an earlier day', lists([order('1', { order_time: at('2026-11-19T23:59:59') })]), 0],
    ['one at midnight', lists([order('1', { order_time: at(`${DAY}T00:00:00`) })]), 1],
    ['one whose time cannot be read', lists([order('1', { order_time: '0' }), order('2', { order_time: 'x' })]), 2],
    ['each leg of a basket', lists([], [{ basket_id: '7', orders: [{ ref_id: 9 }, { ref_id: 10 }] }]), 2],
    [
      'a leg once where both lists show it',
      lists([order('1', { basket_id: '7', ref_id: 9 })], [{ basket_id: '7', orders: [{ ref_id: 9 }, { ref_id: 10 }] }]),
      2,
    ],
    [
      'no leg of a basket of an earlier day',
      lists([], [{ basket_id: '7', order_time: at('2026-11-19T10:00:00'), orders: [{ ref_id: 9 }] }] as never),
      0,
    ],
  ])('counts %s', (_, given, count) => {
    expect(dayCountOf(given, [], DAY)).toBe(count);
  });

  it('adds what this process has sent and the lists do not show, by tag or id', () => {
    const shown = lists([order('1', { tag: 'mine-abcdefghijkl' }), order('2', { tag: 'cut' })]);
    const sent = (identity: string, id: string | undefined, orders = 1) => ({ identity, id, orders });
    expect(dayCountOf(shown, [sent('abcdefghijkl', undefined)], DAY)).toBe(2);
    expect(dayCountOf(shown, [sent('mnopqrstuvwx', '2')], DAY)).toBe(2);
    expect(dayCountOf(shown, [sent('mnopqrstuvwx', '3'), sent('other', undefined, 4)], DAY)).toBe(7);
    // The list shows one of two legs of a basket.
    const basket = lists([], [{ basket_id: '7', tag: 'abcdefghijkl', orders: [{ ref_id: 9 }] }]);
    expect(dayCountOf(basket, [sent('abcdefghijkl', '7', 2)], DAY)).toBe(2);
  });
});

describe('the limit on the orders of a day', () => {
  it('is read as a whole number, 0 is no limit, and only the node has it', () => {
    expect(readLimits({ maxDayOrders: 3 })).toMatchObject({ maxDayOrders: 3 });
    expect(readLimits({ maxDayOrders: 0 })).not.toHaveProperty('maxDayOrders');
    for (const wrong of [-1, 2.5, 'three'])
      expect(() => readLimits({ maxDayOrders: wrong as never })).toThrow(/^Most Orders a Day must be/);
    expect(withNodeGuards({ ...OPEN, maxDayOrders: 1 }, {})[0]?.maxDayOrders).toBeUndefined();
    expect(withNodeGuards(OPEN, { maxDayOrders: 2 })).toMatchObject([{ maxDayOrders: 2 }]);
  });

  it('lets the last one through and refuses the next, before anything is sent', async () => {
    const { time, context, model } = market();
    for (const tag of ['a', 'b'])
      expect(await time.run(placeOrder(orderRequest(tag, most(2)), context))).toMatchObject({ outcome: 'confirmed' });
    const before = posts(model);
    expect(await time.run(placeOrder(orderRequest('c', most(2)), context))).toMatchObject({
      outcome: 'refused',
      error: {
        parameter: 'maxDayOrders',
        message:
          'Refused by the guard "Most Orders a Day": 2 orders were placed today, this is one more, and 2 are allowed.',
        hint: 'Nothing was sent. All orders of the account count. Exit Position, Exit All and cancelling still work. The limit is under "Safety Limits" in the node.',
      },
    });
    expect(posts(model)).toBe(before);
    // What was placed before is still found, and another limit counts its own.
    expect(await time.run(placeOrder(orderRequest('a', { ...most(2), keyed: true }), context))).toMatchObject({
      outcome: 'confirmed',
      alreadyPlaced: true,
    });
    expect(await time.run(placeOrder(orderRequest('c', most(3)), context))).toMatchObject({ outcome: 'confirmed' });
  });

  it('lets two of three through at one moment, and of one batch', async () => {
    const { time, context } = market();
    const three = ['a', 'b', 'c'].map((tag) => orderRequest(tag, most(2)));
    const apart = await time.run(Promise.all(three.map(async (one) => await placeOrder(one, context))));
    expect(apart.map(({ outcome }) => outcome).sort()).toEqual(['confirmed', 'confirmed', 'refused']);
    const other = market();
    const batch = await other.time.run(placeOrders(three, other.context));
    expect(batch.map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed', 'refused']);
  });

  it('takes a basket as one for each leg, and all of it or nothing', async () => {
    const { time, context } = market();
    expect(await time.run(placeBasket(basketRequest('a', most(SPREAD.legs.length - 1)), context))).toMatchObject({
      outcome: 'refused',
      error: { message: expect.stringContaining('0 orders were placed today, these are 2 more, and 1 is allowed.') },
    });
    expect(await time.run(placeBasket(basketRequest('a', most(2)), context))).toMatchObject({ outcome: 'confirmed' });
    // At once, and when the list shows it.
    expect(await time.run(placeOrder(orderRequest('b', most(2)), context))).toMatchObject({ outcome: 'refused' });
    await time.run(time.sleep(5_000));
    expect(await time.run(placeOrder(orderRequest('b', most(2)), context))).toMatchObject({ outcome: 'refused' });
    expect(await time.run(placeOrder(orderRequest('b', most(3)), context))).toMatchObject({ outcome: 'confirmed' });
  });

  it('counts an order that is placed in parts as all of them', async () => {
    const { time, context } = market();
    const checked = { tag: 'x', unit: 'rupees' as const, parts: 3 };
    await expect(time.run(passGuards([LIMIT_BUY], { ...checked, ...most(2) }, context))).rejects.toThrow('3 more');
    expect(await time.run(passGuards([LIMIT_BUY], { ...checked, ...most(3) }, context))).toBe(0);
  });

  it('refuses all of an order in parts that do not fit together, and sends none of them', async () => {
    const { time, context, model } = market();
    const sliced = async (maxDayOrders: number) =>
      await time.run(
        placeSliced(
          {
            terms: LIMIT_BUY,
            maxUnits: 4,
            request: (terms, part) => orderRequest(`a${maxDayOrders}-${part ?? '1'}`, { terms, ...most(maxDayOrders) }),
            placed: () => undefined,
          },
          context,
        ),
      );
    expect((await sliced(2)).map(({ outcome }) => outcome)).toEqual(['refused']);
    expect(posts(model)).toBe(0);
    expect((await sliced(3)).map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed', 'confirmed']);
  });

  it('does not count a change', async () => {
    const { time, context } = market();
    await time.run(placeOrder(orderRequest('a'), context));
    const checked = { tag: 'x', unit: 'rupees' as const, replaces: () => false, ...most(1) };
    expect(await time.run(passGuards([LIMIT_BUY], checked, context))).toBe(0);
  });

  it('refuses where the list lacks what was placed today, or cannot be read', async () => {
    const { time, context, model } = market();
    const known = { noun: 'order', id: '4711', identity: 'abcdefghijkl' } as const;
    const placedToday = { all: () => [known], unlisted: () => [], add: () => undefined };
    const ask = async (changed: Partial<PlacementContext>) =>
      await time.run(placeOrder(orderRequest('a', most(9)), { ...context, ...changed }));
    expect(await ask({ placedToday })).toMatchObject({
      outcome: 'refused',
      error: {
        parameter: 'maxDayOrders',
        message:
          'Refused by the guard "Most Orders a Day": the orders of today could not be counted. The list lacks order 4711, which was placed today: it does not show the whole day.',
      },
    });
    const cut = new UnreadableReplyError("The service gave only a part of the day's list.");
    const baskets = { ...context.baskets, list: async () => await Promise.reject(cut) };
    expect(await ask({ baskets })).toMatchObject({
      outcome: 'refused',
      error: { parameter: 'maxDayOrders', message: expect.stringContaining('only a part of the day') },
    });
    expect(posts(model)).toBe(0);
  });
});

it('an order that only takes from what is held closes, and the limit does not count', () => {
  const input = { request: () => orderRequest('a', most(1)) } as unknown as CloseRequest;
  const limitOf = (net: number, held: number): number | undefined =>
    asClosingRequest(input, net, held).request(LIMIT_BUY, '').guards[0]?.maxDayOrders;
  expect([limitOf(10, 10), limitOf(4, 10), limitOf(-4, -10)]).toEqual([undefined, undefined, undefined]);
  expect([limitOf(15, 10), limitOf(-5, 10), limitOf(5, 0), limitOf(-5, 0)]).toEqual([1, 1, 1, 1]);
  expect(closingGuards([{ ...OPEN, maxDayOrders: 1, maxQuantity: 5 }])).toMatchObject([{ maxQuantity: 5 }]);
});
