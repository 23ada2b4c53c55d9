/** Limits on the value of a day's orders, and of what is placed together. */
import { dayValueOf } from '../../../../client/orders/guards/day-value';
import type { Guards } from '../../../../client/orders/model/guard-settings';
import type { OrderRecord } from '../../../../client/endpoints/orders';
import type { BasketTerms } from '../../../../client/orders/model/basket-terms';
import { checkGuards, passGuards, requireSending } from '../../../../client/orders/guards/guards';
import { placeOrder } from '../../../../client/orders/placing/place';
import { BASKET } from '../../../../client/orders/placing/order-or-basket';
import { PlacementRegistry } from '../../../../client/orders/account/placement-registry';
import type { Transport } from '../../../../client/transport';
import { VirtualTime } from '../../../support/virtual-time';
import { LIMIT_BUY, SPREAD, market, orderRequest } from '../support';
import { facts, OPEN } from './support';

describe('the value of the day', () => {
  it('counts what is filled and what may still be, and what the list does not show yet', () => {
    const time = new VirtualTime();
    const placements = new PlacementRegistry(time.clock);
    placements.sending('s', 'listed', 999);
    placements.sending('s', 'hidden', 1_000);
    placements.sending('other', 'elsewhere', 5_000);
    placements.reserve('s', 'next', 70);
    const order = { order_qty: 10, order_price: 100, filled_qty: 4, avg_filled_price: 99, tag: 'x' };
    const listed = [
      { ...order, order_status: 'ORDER_STATUS_OPEN', tag: 'listed' },
      { ...order, order_status: 'ORDER_STATUS_CANCELLED' },
      { ...order, order_status: 'ORDER_STATUS_REJECTED' },
    ];
    expect(dayValueOf(listed, placements, 's')).toBe(4 * 99 + 6 * 100 + 4 * 99 + 1_000 + 70);
  });

  it('counts a sale at the last price where that is above its limit, and at the value that was sent where there is none', () => {
    const placements = new PlacementRegistry(new VirtualTime().clock);
    placements.sending('s', 'sale', 3_000);
    const sale = {
      order_qty: 10,
      order_price: 5,
      order_side: 'ORDER_SIDE_SELL',
      order_status: 'ORDER_STATUS_OPEN',
      tag: 'sale',
    };
    expect(dayValueOf([{ ...sale, LTP: 200 }], placements, 's')).toBe(2_000);
    expect(dayValueOf([{ ...sale, LTP: 4 }], placements, 's')).toBe(50);
    expect(dayValueOf([sale], placements, 's')).toBe(3_000);
  });

  it('is refused where an open order shows no quantity, unless what was sent for it is known', () => {
    const placements = new PlacementRegistry(new VirtualTime().clock);
    placements.sending('s', 'own', 3_000);
    const open = { order_id: '5', order_status: 'ORDER_STATUS_OPEN', order_price: 100, tag: 'x' };
    const value = (order: object): number => dayValueOf([{ ...open, ...order }], placements, 's');
    for (const order_qty of [0, null, undefined])
      expect(() => value({ order_qty })).toThrow('order 5 of the day is open and does not show its quantity');
    expect(() => value({ order_id: undefined, basket_id: '6' })).toThrow('order of basket 6 of the day is open');
    expect(value({ tag: 'own' })).toBe(3_000);
    expect(value({ order_status: 'ORDER_STATUS_CANCELLED' })).toBe(3_000);
  });

  it('counts no price below 0, and what filled at an untold price at the best that is known', () => {
    const placements = new PlacementRegistry(new VirtualTime().clock);
    placements.sending('s', 'market', 3_000);
    const value = (more: object): number =>
      dayValueOf(
        [{ order_qty: 10, order_status: 'ORDER_STATUS_FILLED', filled_qty: 10, tag: 'x', ...more }],
        placements,
        's',
      );
    const [sent, none] = [3_000, 2 ** 31 - 1];
    for (const price of [0, -100, none]) {
      const withoutFill = { avg_filled_price: price };
      expect(value({ ...withoutFill, order_price: 100 })).toBe(10 * 100 + sent);
      expect(value({ ...withoutFill, order_price: 0, LTP: 200 })).toBe(10 * 200 + sent);
      expect(value({ ...withoutFill, order_price: 0, tag: 'market' })).toBe(sent);
      const open = {
        order_status: 'ORDER_STATUS_OPEN',
        filled_qty: 0,
        order_price: price,
        order_side: 'ORDER_SIDE_BUY',
      };
      expect(value({ ...open, LTP: 200 })).toBe(10 * 200 + sent);
    }
  });

  it('holds a part of it for an order that is about to be sent, for a minute and not longer', async () => {
    const time = new VirtualTime();
    const placements = new PlacementRegistry(time.clock);
    placements.reserve('s', 'next', 70);
    await time.run(time.sleep(59_000));
    expect(dayValueOf([], placements, 's')).toBe(70);
    await time.run(time.sleep(1_000));
    expect(dayValueOf([], placements, 's')).toBe(0);
  });

  it('lets only one of two orders through that fit alone but not together', async () => {
    const time = new VirtualTime();
    const placements = new PlacementRegistry(time.clock);
    const guards = { ...OPEN, maxDayValue: 2_000_000 };
    const check = async (tag: string): Promise<string> =>
      await checkGuards(
        LIMIT_BUY,
        guards,
        facts({ day: { orders: async () => [], placements, scope: 's', tag } }),
      ).then(
        () => 'fits',
        () => 'refused',
      );
    expect((await Promise.all([check('a'), check('b')])).sort()).toEqual(['fits', 'refused']);
  });
});

describe('guards of what is placed together', () => {
  const priced = (price: number) => {
    const { time, context } = market();
    const transport = { ...context.transport, call: async () => ({ price }) } as unknown as Transport;
    return { time, context: { ...context, transport } };
  };
  const legs = BASKET.ordersOf({ ...SPREAD, multiplier: 3 });

  it('a basket is worth its legs together, each times its multiplier', async () => {
    const { time, context } = priced(1_000);
    const guards: Guards[] = [{ ...OPEN, maxDayValue: 2 * 65 * 3 * 1_000 }];
    const request = { tag: 'b', guards, unit: 'rupees' as const };
    expect(await time.run(passGuards(legs, request, context))).toBe(2 * 65 * 3 * 1_000);
    expect([...context.placements.values(context.scope)]).toEqual([['b', 2 * 65 * 3 * 1_000]]);
  });

  it('holds nothing of a basket when one of its legs is refused', async () => {
    const { time, context } = priced(1_000);
    const guards: Guards[] = [{ ...OPEN, maxDayValue: 2 * 65 * 3 * 1_000 - 1 }];
    const request = { tag: 'b', guards, unit: 'rupees' as const };
    await expect(time.run(passGuards(legs, request, context))).rejects.toThrow('Largest Day Value');
    expect([...context.placements.values(context.scope)]).toEqual([]);
  });

  it('an order that is changed counts as what it becomes', async () => {
    const { time, context } = priced(150_000);
    await time.run(placeOrder(orderRequest('a'), context));
    await time.run(time.sleep(2_000));
    const [order] = await time.run(context.orders.list());
    const checked = {
      tag: 'x',
      unit: 'rupees' as const,
      replaces: (item: { order_id?: unknown }) => item.order_id === order?.order_id,
    };
    const value = LIMIT_BUY.quantity * LIMIT_BUY.price!;
    const check = async (maxDayValue: number): Promise<number> =>
      await time.run(passGuards([LIMIT_BUY], { ...checked, guards: [{ ...OPEN, maxDayValue }] }, context));
    expect(await check(value)).toBe(value);
    context.placements.release(context.scope, 'x');
    await expect(check(value - 1)).rejects.toThrow('Largest Day Value');
  });

  it('a leg of a basket that no order shows counts at its last price, and has no worth that nobody knows', async () => {
    const basket = (stock_name: string) => ({
      basket_id: '5',
      basket_status: 'BASKET_STATUS_OPEN',
      orders: [
        {
          basket_id: '5',
          ref_id: 9,
          order_qty: 10,
          order_side: 'ORDER_SIDE_BUY',
          ref_data: { stock_name, exchange: 'BSE' },
        },
      ],
    });
    const requested: unknown[] = [];
    const day = (stock_name: string, price: number) => {
      const { time, context } = market();
      const call = async (_: unknown, options: unknown) => {
        requested.push(options);
        return { price };
      };
      const transport = { ...context.transport, call } as unknown as Transport;
      const orders = { ...context.orders, list: async () => [] };
      const baskets = { ...context.baskets, list: async () => [basket(stock_name)] };
      const guards: Guards[] = [{ ...OPEN, maxDayValue: 100_000_000 }];
      const checked = { tag: 'x', guards, unit: 'rupees' as const };
      return time
        .run(passGuards([LIMIT_BUY], checked, { ...context, transport, orders, baskets }))
        .catch((error: unknown) => error);
    };
    expect(await day('SBIN', 500)).toBe(LIMIT_BUY.quantity * LIMIT_BUY.price!);
    expect(JSON.stringify(requested)).toContain('SBIN');
    for (const unknown of [await day('SBIN', 0), await day('', 500)])
      expect(unknown).toMatchObject({
        parameter: 'maxDayValue',
        message: expect.stringContaining('a leg of basket 5 has no last price') as string,
        hint: expect.stringContaining('cancel that basket') as string,
      });
  });
});

describe('a basket as a whole', () => {
  /** A spread of two calls at 10 and 4 rupees, and the guards that check it by its net prices. */
  const check = async (net: Partial<BasketTerms>, guards: Partial<Guards>[], listed: OrderRecord[] = []) => {
    const { time, context } = market();
    const orders = { ...context.orders, list: async () => listed };
    const priceOf = (path: unknown): number => (JSON.stringify(path).includes('24500') ? 1_000 : 400);
    const call = async (_: unknown, options: unknown) => ({ price: priceOf(options) });
    const transport = { ...context.transport, call } as unknown as Transport;
    const basket = { ...SPREAD, ...net };
    const request = { tag: 'b', guards: guards.map((one) => ({ ...OPEN, ...one })), unit: 'rupees' as const };
    const checked = { ...request, net: BASKET.netOf(basket)! };
    const passed = passGuards(BASKET.ordersOf(basket), checked, { ...context, transport, orders });
    const value = await time.run(passed.catch((error: unknown) => (error as { parameter?: string }).parameter));
    return { value, held: [...context.placements.values(context.scope)] };
  };
  /** The legs are worth 65 × (10 + 4) rupees; a net price of 40 rupees is worth 65 × 40. */
  const OF_LEGS = 65 * 1_400;
  const OF_NET = 65 * 4_000;

  it('counts its net price where that is more than its legs are worth, and its legs otherwise', async () => {
    const limits = [{ maxDayValue: 100_000_000 }];
    expect(await check({ price: 4_000 }, limits)).toEqual({ value: OF_NET, held: [['b', OF_NET]] });
    expect(await check({ price: 600 }, limits)).toEqual({ value: OF_LEGS, held: [['b', OF_LEGS]] });
  });

  it('is refused where the day comes above the limit by its net price, beside what the day has', async () => {
    expect((await check({ price: 4_000 }, [{ maxDayValue: OF_NET }])).value).toBe(OF_NET);
    expect(await check({ price: 4_000 }, [{ maxDayValue: OF_NET - 1 }])).toEqual({ value: 'maxDayValue', held: [] });
    const other = { order_id: '9', order_qty: 1, order_price: 500, order_status: 'ORDER_STATUS_OPEN', tag: 'other' };
    expect((await check({ price: 4_000 }, [{ maxDayValue: OF_NET + 500 }], [other])).value).toBe(OF_NET);
    expect((await check({ price: 4_000 }, [{ maxDayValue: OF_NET + 499 }], [other])).value).toBe('maxDayValue');
  });

  it('may be as far from the net of the last prices as the guard allows, by the prices of its legs together', async () => {
    // The net of the last prices is 6 rupees, the legs together are 14: 10 % of them are 1.40 rupees.
    const within = [{ maxPriceDistance: 1_000 }];
    expect((await check({ price: 740 }, within)).value).toBe(65 * 740);
    expect((await check({ price: 745 }, within)).value).toBe('maxPriceDistance');
    // A price on the side that costs nothing may be any.
    expect((await check({ price: 5 }, within)).value).toBe(65 * 5);
    expect((await check({ side: 'SELL', price: 5 }, within)).value).toBe('maxPriceDistance');
  });

  it('may be worth what the guard of one order allows, by its net price', async () => {
    expect((await check({ price: 4_000 }, [{ maxOrderValue: OF_NET }])).value).toBe(OF_NET);
    expect((await check({ price: 4_000 }, [{ maxOrderValue: OF_NET - 1 }])).value).toBe('maxOrderValue');
    // A net price that is paid out counts by its amount.
    expect((await check({ price: -4_000 }, [{ maxOrderValue: OF_NET - 1 }])).value).toBe('maxOrderValue');
  });

  it('is checked by the strictest of several guards', async () => {
    const strict = { maxDayValue: OF_NET - 1 };
    for (const guards of [
      [strict, {}],
      [{}, strict],
      [{ maxDayValue: 100_000_000 }, strict],
    ])
      expect((await check({ price: 4_000 }, guards)).value).toBe('maxDayValue');
  });
});

it('nobody sends unattended while Dry Run is on in the credential, or live orders are off', () => {
  const on = { allowLiveOrders: true, dryRun: false };
  expect(() => requireSending('live', on)).not.toThrow();
  expect(() => requireSending('sandbox', { ...on, allowLiveOrders: false })).not.toThrow();
  expect(() => requireSending('live', { ...on, allowLiveOrders: false })).toThrow(/Allow Live Orders/);
  for (const environment of ['live', 'sandbox'] as const)
    expect(() => requireSending(environment, { ...on, dryRun: true })).toThrow(
      expect.objectContaining({ parameter: 'dryRun', hint: expect.stringContaining('Nothing was sent') as string }),
    );
});
