/** Union of a basket's record with its orders, and the parts of the record that the orders confirm. */
import { describe, expect, test } from '@jest/globals';
import {
  basketViews,
  confirmedByOrders,
  enteredAt,
  asAccepted,
} from '../../../../client/stream/reconciliation/basket-views';
import { readDayBaskets } from '../../../../client/orders/model/basket-record';
import { readDayOrders } from '../../../../client/orders/model/order-record';
import type { OrderSnapshot } from '../../../../client/orders/model/order-snapshot';
import type { JsonObject } from '../../../../client/values/json';

/** Nanoseconds. */
const at = (seconds: number): string => `${1_795_400_000 + seconds}000000000`;

interface Order {
  id: string;
  basket?: string;
  refId?: number;
  side?: string;
  filled?: number;
  price?: number;
  /** Seconds; null when not told. */
  created?: number | null;
  filledAt?: number;
  status?: string;
}

const order = ({ id, basket = '9', refId = 1, side = 'BUY', filled = 0, price = 0, ...more }: Order): JsonObject => ({
  order_id: id,
  basket_id: basket,
  ref_id: refId,
  order_side: `ORDER_SIDE_${side}`,
  order_status: `ORDER_STATUS_${more.status ?? 'OPEN'}`,
  order_qty: 10,
  filled_qty: filled,
  avg_filled_price: price,
  order_time: more.created === null ? null : at(more.created ?? 1),
  filled_time: more.filledAt === undefined ? null : at(more.filledAt),
});
const orders = (...all: Order[]): OrderSnapshot[] => readDayOrders(all.map(order));
const record = (status: string, legs: Order[], more: JsonObject = {}): OrderSnapshot =>
  readDayBaskets([
    {
      basket_id: '9',
      basket_status: `BASKET_STATUS_${status}`,
      orders: Object.fromEntries(legs.map((leg) => [String(leg.refId ?? 1), order(leg)])),
      ...more,
    },
  ])[0]!;
const view = (listed: OrderSnapshot[], ...records: OrderSnapshot[]): OrderSnapshot => basketViews(listed, records)[0]!;

describe('the orders of the day', () => {
  test('keep those that belong to no basket unchanged, before the baskets, which are one order each', () => {
    const listed = orders(
      { id: '11' },
      { id: '5', basket: '0' },
      { id: '12', refId: 2 },
      { id: '13', basket: '8' },
      { id: '6', basket: '0' },
    );
    const views = basketViews(listed, [record('OPEN', [{ id: '11' }])]);
    expect(views.map(({ kind, orderId }) => `${kind} ${orderId}`)).toEqual([
      ...['order 5', 'order 6', 'strategy 9', 'strategy 8'],
    ]);
    expect(views[0]).toBe(listed[1]);
    expect(basketViews([])).toEqual([]);
  });

  test('show a basket that is in no list as accepted, with what they filled, and nothing more', () => {
    const [first] = orders({ id: '11', filled: 4, price: 100, created: 1, filledAt: 3, status: 'OPEN' });
    expect(view([first!])).toEqual({
      ...first,
      kind: 'strategy',
      orderId: '9',
      orderType: 'FLEXI',
      accepted: true,
      triggered: false,
      end: '',
      legs: [
        {
          ...{ refId: 1, filled: 4, averagePrice: 100, instrument: first!.instrument, side: 'BUY' },
          entry: { side: 'BUY', filled: 4, averagePrice: 100, at: at(3) },
        },
      ],
      times: { ...first!.times, filled: at(3), modified: '0' },
    });
  });

  test.each<[string[], boolean]>([
    [['PENDING', 'PENDING'], false],
    [['PENDING', 'OPEN'], true],
    [['OPEN', 'PENDING'], true],
  ])('accept the basket where their statuses are %j: %s, also where its record is late', (statuses, accepted) => {
    const listed = orders(...statuses.map((status, n) => ({ id: `1${n}`, refId: n + 1, status })));
    expect(view(listed).accepted).toBe(accepted);
    expect(view(listed, record('PENDING', [{ id: '0', status: 'PENDING' }])).accepted).toBe(accepted);
  });

  test('count for the entry on the side of the first of them, and for the exit on the other', () => {
    const listed = orders(
      { id: '13', side: 'SELL', filled: 5, price: 300, created: 20, filledAt: 21 },
      { id: '12', side: 'BUY', filled: 6, price: 200, created: 10, filledAt: 15 },
      { id: '11', side: 'BUY', filled: 4, price: 100, created: 5, filledAt: 16 },
      { id: '14', side: 'BUY', created: 30 },
    );
    expect(view(listed).legs).toMatchObject([
      { filled: 15, averagePrice: (400 + 1_200 + 1_500) / 15, entry: { side: 'BUY', filled: 10, at: at(16) } },
    ]);
    expect(view(listed).legs[0]?.entry?.averagePrice).toBe(160);
    expect(view(listed).times.filled).toBe(at(21));
  });

  test.each<[string, number | null, number | null, string]>([
    ['of which the first is older', 1, 2, 'SELL'],
    ['of which the second is older', 2, 1, 'BUY'],
    ['of one instant stay in their order', 2, 2, 'SELL'],
    ['of which the first tells no time: it is new', null, 1, 'BUY'],
    ['of which the second tells no time: it is new', 1, null, 'SELL'],
    ['of which none tells a time stay in their order', null, null, 'SELL'],
  ])('are one leg, two of them, %s', (_name, first, second, side) => {
    const listed = orders(
      { id: '11', side: 'SELL', created: first, filled: 1 },
      { id: '12', side: 'BUY', created: second, filled: 2 },
    );
    expect(view(listed).legs[0]?.entry).toMatchObject({ side, filled: side === 'SELL' ? 1 : 2 });
  });

  test('count each for itself where there are several legs', () => {
    const listed = orders(
      { id: '11', refId: 1, filled: 3, price: 100 },
      { id: '12', refId: 2, side: 'SELL', filled: 4, price: 50 },
      { id: '13', refId: 2, side: 'BUY', filled: 1, price: 40, created: 2 },
    );
    expect(view(listed).legs.map(({ refId, filled, side, entry }) => [refId, filled, side, entry?.filled])).toEqual([
      [1, 3, 'BUY', 3],
      [2, 5, 'SELL', 4],
    ]);
    expect(view(orders({ id: '11' })).legs[0]).toMatchObject({
      filled: 0,
      averagePrice: 0,
      entry: { averagePrice: 0 },
    });
  });

  test('tell their side for the exit of a basket that was entered on an earlier day, and the record that of the leg', () => {
    const listed = orders({ id: '12', side: 'SELL', filled: 10 });
    const legs = view(listed, record('CLOSED', [{ id: '11', side: 'BUY', filled: 10 }])).legs;
    expect(legs).toMatchObject([{ side: 'BUY', filled: 10, entry: { side: 'SELL', filled: 10 } }]);
  });
});

describe('a record', () => {
  test('keeps what it tells, with the legs of the orders and the later of the fills', () => {
    const orderSnapshot = record('FILLED', [{ id: '11', filled: 10, filledAt: 30 }]);
    const shown = view(orders({ id: '11', filled: 7, price: 100, filledAt: 20 }), orderSnapshot);
    expect(shown).toMatchObject({ entered: true, accepted: true, status: 'FILLED', legs: [{ filled: 7 }] });
    expect(shown.times.filled).toBe(at(30));
    expect(view(orders({ id: '11', filled: 7, filledAt: 40 }), orderSnapshot).times.filled).toBe(at(40));
    expect(view([], orderSnapshot)).toEqual({ ...orderSnapshot, legs: [] });
  });

  const strategy = (status: string, exits: JsonObject[]): OrderSnapshot =>
    record(status, [{ id: '11', side: 'SELL', filled: 6, price: 90 }], {
      ...{ intent_status: 'EXECUTED', order_qty: 6, filled_qty: 6, filled_time: at(12), order_time: at(1), exits },
    });
  const exit = (status: string): JsonObject => ({ kind: 'STOPLOSS', status, trigger_price: 9, filled_qty: 0 });

  test('tells what the entry of a strategy filled, as no orders of it are listed', () => {
    expect(view([], strategy('FILLED', [exit('OPEN')])).legs).toEqual([
      {
        ...{ refId: 1, filled: 6, averagePrice: 90, side: 'SELL' },
        entry: { side: 'SELL', filled: 6, averagePrice: 90, at: at(12) },
      },
    ]);
  });

  test('has closed all of a strategy where one of its exits is filled, at a price that is not told', () => {
    const [leg] = view([], strategy('CLOSED', [exit('CANCELLED'), { ...exit('FILLED'), kind: 'TARGET_PROFIT' }])).legs;
    expect(leg).toEqual({
      ...{ refId: 1, filled: 12, averagePrice: 45, side: 'SELL' },
      entry: { side: 'SELL', filled: 6, averagePrice: 90, at: at(12) },
    });
    expect(view([], strategy('CLOSED', [exit('CANCELLED')])).legs[0]?.filled).toBe(6);
  });

  test('counts a strategy by its orders where these are listed all the same', () => {
    const shown = view(orders({ id: '12', side: 'SELL', filled: 2 }), strategy('FILLED', [exit('FILLED')]));
    expect(shown.legs).toMatchObject([{ filled: 2, entry: { filled: 2 } }]);
  });

  test('tells no more than the acceptance where it is held back', () => {
    const orderSnapshot = record('CLOSED', [{ id: '11', filled: 10 }]);
    expect([orderSnapshot.entered, orderSnapshot.end]).toEqual([true, 'executed']);
    expect(asAccepted(orderSnapshot)).toEqual({ ...orderSnapshot, entered: false, end: '' });
  });
});

describe('the entry of a basket', () => {
  test('is when the last of its entries filled', () => {
    const listed = orders(
      { id: '11', refId: 1, filled: 1, filledAt: 8 },
      { id: '12', refId: 2, filled: 1, filledAt: 9 },
      { id: '13', refId: 3, filled: 1, filledAt: 7 },
      { id: '14', refId: 3, side: 'SELL', filled: 1, created: 20, filledAt: 21 },
    );
    expect(enteredAt(view(listed))).toBe(at(9));
  });
  test('is when its record says, where no entry tells a time', () => {
    expect(enteredAt(record('FILLED', [{ id: '11', filled: 1, filledAt: 30 }]))).toBe(at(30));
  });
});

describe('a record that the orders do not bear out', () => {
  const BOTH = [{ id: '11', filled: 10 }, { ...{ id: '12', refId: 2, side: 'SELL', filled: 5 } }];
  const [FILLED, CLOSED, OPEN] = ['FILLED', 'CLOSED', 'OPEN'].map((status) => record(status, BOTH)) as [
    ...[OrderSnapshot, OrderSnapshot, OrderSnapshot],
  ];
  const entry = (first: number, second: number): Order[] => [
    { id: '11', filled: first },
    { id: '12', refId: 2, side: 'SELL', filled: second },
  ];
  const exits = (first: number, second: number): Order[] => [
    { id: '13', side: 'SELL', filled: first, created: 20 },
    { id: '14', refId: 2, filled: second, created: 20 },
  ];
  const isHeld = (orderSnapshot: OrderSnapshot, listed: Order[]): boolean =>
    confirmedByOrders(orders(...listed), [orderSnapshot], new Map()).unconfirmed.has('9');

  test.each<[string, OrderSnapshot, Order[], boolean]>([
    ['that is open needs no orders', OPEN, [], false],
    ['that is filled, with none', FILLED, [], true],
    ['that is filled, with all', FILLED, entry(10, 5), false],
    ['that is filled, with more than all', FILLED, entry(11, 6), false],
    ['that is filled, with too little of the first', FILLED, entry(9, 5), true],
    ['that is filled, with too little of the last', FILLED, entry(10, 4), true],
    ['that is filled, with one leg', FILLED, entry(10, 5).slice(0, 1), true],
    [
      'that is filled, with the orders of another',
      FILLED,
      entry(10, 5).map((order) => ({ ...order, basket: '8' })),
      true,
    ],
    ['that is filled, with orders of none', FILLED, entry(10, 5).map((order) => ({ ...order, basket: '0' })), true],
    ['that is closed, with its entry', CLOSED, entry(10, 5), true],
    ['that is closed, with all', CLOSED, [...entry(10, 5), ...exits(10, 5)], false],
    ['that is closed, with too little of an exit', CLOSED, [...entry(10, 5), ...exits(10, 4)], true],
    ['that is closed, with one exit', CLOSED, [...entry(10, 5), ...exits(10, 5).slice(0, 1)], true],
    ['that was refused, with nothing', record('REJECTED', [{ id: '0' }]), [], false],
    ['that was refused, with nothing of what it filled', record('REJECTED', [{ id: '11', filled: 1 }]), [], true],
  ])('is held back or not: %s', (_name, orderSnapshot, listed, held) => {
    expect(isHeld(orderSnapshot, listed)).toBe(held);
  });

  test('is not held back where it tells all by itself', () => {
    expect(isHeld({ ...CLOSED, isWhole: true }, [])).toBe(false);
  });

  describe('of an earlier day, of which the exit only is listed', () => {
    const closed = (status = 'CLOSED', filledAt: number | undefined = 10): OrderSnapshot =>
      record(status, [{ id: '11', filled: 10, ...(filledAt ? { filledAt } : {}) }]);
    const exit = (filled: number, filledAt: number): Order[] => [{ id: '13', side: 'SELL', filled, filledAt }];
    test.each<[string, OrderSnapshot, Order[], boolean]>([
      ['long after', closed(), exit(10, 21), false],
      ['just after', closed(), exit(10, 20), true],
      ['before', closed(), exit(10, 1), true],
      ['too little', closed(), exit(9, 100), true],
      ['not closed', closed('FILLED'), exit(10, 100), true],
      ['nobody knows when', closed('CLOSED', 0), exit(10, 100), true],
    ])('is held back or not: %s', (_name, orderSnapshot, listed, held) => {
      expect(isHeld(orderSnapshot, listed)).toBe(held);
    });
  });

  test('is held back by itself, and the former one takes its place', () => {
    const other = { ...OPEN, orderId: '8', basketId: '8' };
    const { records, unconfirmed } = confirmedByOrders(
      orders(...entry(10, 5)),
      [CLOSED, other],
      new Map([['9', FILLED]]),
    );
    expect([...unconfirmed]).toEqual(['9']);
    expect(records).toEqual([FILLED, other]);
    expect(records[1]).toBe(other);
    expect(confirmedByOrders([], [CLOSED], new Map([['8', OPEN]])).records).toEqual([asAccepted(CLOSED)]);
  });
});
