/** Reading of records of orders and baskets with a missing field, a null, or a word that is in no list. */
import type { BasketRecord } from '../../../client/endpoints/baskets';
import type { OrderRecord } from '../../../client/endpoints/orders';
import * as baskets from '../../../client/orders/model/basket-record';
import * as read from '../../../client/orders/model/order-record';
import { waitForBasket, type BasketWaitFor } from '../../../client/orders/placing/wait-for-basket';
import { waitForStatus, type WaitFor } from '../../../client/orders/placing/wait-for-status';
import { ServiceError, type BrokerageError, NetworkError } from '../../../client/base/errors';
import type { JsonObject } from '../../../client/values/json';
import { market } from './support';

const order = (fields: JsonObject): OrderRecord => fields as OrderRecord;
const basket = (fields: JsonObject): BasketRecord => fields as BasketRecord;

it.each([
  [10, 10],
  ['10', 10],
  ['-5', 5],
  ['123456789012345', 123_456_789_012_345],
  ['1234567890123456', 0],
  ['1.5', 0],
  ['x', 0],
  ['1x', 0],
  [null, 0],
  [undefined, 0],
  [true, 0],
])('a quantity of %p is %i', (value, quantity) => {
  expect(read.quantityOf({ order_qty: value } as OrderRecord)).toBe(quantity);
});

it.each([
  ['5', '5'],
  [5, '5'],
  ['0', ''],
  [0, ''],
  [1e20, ''],
  ['12345678901234567890', ''],
  ['5\n2026-11-25 order 6 was cancelled', ''],
  [' 5', ''],
  ['-5', ''],
  ['5.0', ''],
  ['x', ''],
  [null, ''],
  [undefined, ''],
])('an identifier of %p is %p', (value, id) => {
  expect(read.orderIdOf({ order_id: value } as OrderRecord)).toBe(id);
  expect(read.basketIdOfLeg({ basket_id: value } as OrderRecord)).toBe(id);
  expect(baskets.basketIdOf({ basket_id: value } as BasketRecord)).toBe(id);
});

it('a reason is the first text that says something', () => {
  for (const name of ['rejection_msg', 'rejection_reason', 'reason', 'error', 'message']) {
    const record = { rejection_msg: ' ', [name]: ' why ', zzz: 'else' };
    expect(read.reasonOf(record)).toBe('why');
  }
  expect(read.reasonOf({ rejection_msg: 'first', message: 'last' })).toBe('first');
  expect(read.reasonOf({ reason: 5, message: null })).toBe('');
});

it.each<[string, JsonObject[] | string, { live: boolean; exited: boolean; ended: boolean }]>([
  ['FILLED', [], { live: false, exited: false, ended: true }],
  ['OPEN', [], { live: false, exited: false, ended: false }],
  ['FILLED', [{ status: 'OPEN' }], { live: true, exited: false, ended: false }],
  ['FILLED', [{ status: 'TRIGGERED' }], { live: true, exited: false, ended: false }],
  ['FILLED', [{ status: 'CANCELLED' }], { live: false, exited: false, ended: true }],
  ['FILLED', [{ status: 'CANCELLED' }, { status: 'FILLED' }], { live: false, exited: true, ended: true }],
  ['FILLED', [{ status: 'OPEN' }, { status: 'FILLED' }], { live: true, exited: false, ended: false }],
  ['OPEN', [{ status: 'OPEN' }], { live: true, exited: false, ended: false }],
  ['FILLED', 'none', { live: false, exited: false, ended: true }],
])('an order that is %s with exits %j is live, exited or ended', (status, exits, { live, exited, ended }) => {
  const orderRecord = order({ order_status: `ORDER_STATUS_${status}`, filled_qty: 10, exits });
  expect([read.hasLiveExits(orderRecord), read.hasExited(orderRecord), read.hasEnded(orderRecord)]).toEqual([
    live,
    exited,
    ended,
  ]);
});

it('exits of an entry that ended without a fill guard nothing', () => {
  const none = order({ order_status: 'CANCELLED', filled_qty: 0, exits: [{ status: 'OPEN' }] });
  expect([read.hasLiveExits(none), read.hasEnded(none)]).toEqual([false, true]);
  const some = order({ order_status: 'CANCELLED', filled_qty: 1, exits: [{ status: 'OPEN' }] });
  expect([read.hasLiveExits(some), read.hasEnded(some)]).toEqual([true, false]);
  expect(read.exitsOf(order({ exits: [null, 'x', { status: 'OPEN' }] }))).toEqual([{ status: 'OPEN' }]);
});

it('tells the instrument, its exchange and its symbol, or nothing', () => {
  const ref = { stock_name: 'INFY', exchange: 'BSE' };
  expect(read.symbolOf(order({ ref_data: ref }))).toBe('INFY');
  expect([read.symbolOf(order({})), read.symbolOf(order({ ref_data: { stock_name: 5, plat_name: 5 } }))]).toEqual([
    '',
    '',
  ]);
  expect(read.exchangeOf(order({ ref_data: ref, exchange: 'NSE' }))).toBe('NSE');
  expect(read.exchangeOf(order({ ref_data: ref, exchange: '' }))).toBe('BSE');
  expect([read.exchangeOf(order({ exchange: 'NSE' })), read.exchangeOf(order({}))]).toEqual(['NSE', '']);
});

it('a trigger price and a leg size are in their own object, or beside it', () => {
  const inside = order({ algo_params: { trigger_price: 7, leg_size: 2 }, trigger_price: 9, leg_size: 3 });
  const beside = order({ algo_params: null, trigger_price: 9, leg_size: 3 });
  expect([read.triggerPriceOf(inside), read.legSizeOf(inside)]).toEqual([7, 2]);
  expect([read.triggerPriceOf(beside), read.legSizeOf(beside)]).toEqual([9, 3]);
  for (const value of [7, 9]) expect(read.showsTriggerPrice(inside, value)).toBe(true);
  for (const value of [2, 3]) expect(read.showsLegSize(inside, value)).toBe(true);
  expect([read.showsTriggerPrice(inside, 8), read.showsLegSize(inside, 4)]).toEqual([false, false]);
  expect([read.showsTriggerPrice(beside, 9), read.showsLegSize(beside, 3)]).toEqual([true, true]);
});

it.each<[JsonObject, boolean]>([
  [{ basket_status: 'BASKET_STATUS_OPEN' }, true],
  [{ basket_status: 'CLOSED' }, false],
  [{ basket_status: 'CANCELLED' }, false],
  [{ basket_status: 'REJECTED' }, false],
  [{ basket_status: 'FILLED' }, true],
  [{ basket_status: 'FILLED', intent_status: 'EXECUTED' }, false],
  [{ basket_status: 'FILLED', intent_status: 'EXECUTED', exits: [{ status: 'OPEN' }] }, true],
  [{ basket_status: 'FILLED', intent_status: 'EXECUTED', exits: [{ status: 'TRIGGERED' }] }, true],
  [{ basket_status: 'FILLED', intent_status: 'EXECUTED', exits: [{ status: 'FILLED' }] }, false],
])('a basket %j may still trade: %s', (fields, live) => {
  expect(baskets.isBasketLive(basket(fields))).toBe(live);
});

describe('what is waited for', () => {
  const NOTHING = { filled_qty: 0 };
  const exits = (status: string): JsonObject => ({ filled_qty: 10, exits: [{ status }] });
  const reading = async (until: WaitFor, ...records: (JsonObject | BrokerageError)[]) => {
    const { time, context } = market();
    let reads = 0;
    const get = async () => {
      const record = records[Math.min(reads++, records.length - 1)]!;
      if (record instanceof Error) throw record;
      return order({ order_id: '5', ...record });
    };
    const result = await time.run(waitForStatus('5', until, 5_000, { ...context, orders: { ...context.orders, get } }));
    return { ...result, reads };
  };

  it.each<[WaitFor, string, JsonObject, boolean | undefined]>([
    ['accepted', 'PENDING', NOTHING, undefined],
    ['accepted', 'OPEN', NOTHING, true],
    ['accepted', 'TRIGGERED', NOTHING, true],
    ['accepted', 'CANCELLED', NOTHING, true],
    ['accepted', 'REJECTED', NOTHING, false],
    ['entered', 'OPEN', { filled_qty: 4 }, undefined],
    ['entered', 'CANCELLED', { filled_qty: 4 }, true],
    ['entered', 'CANCELLED', NOTHING, false],
    ['entered', 'FILLED', exits('OPEN'), true],
    ['filled', 'FILLED', exits('OPEN'), true],
    ['filled', 'CANCELLED', { filled_qty: 4 }, false],
    ['exited', 'FILLED', exits('OPEN'), undefined],
    ['exited', 'FILLED', exits('FILLED'), true],
    ['exited', 'FILLED', exits('CANCELLED'), false],
    ['ended', 'FILLED', exits('OPEN'), undefined],
    ['ended', 'FILLED', exits('CANCELLED'), true],
    ['entered', 'CANCELLED', { filled_qty: 4, avg_filled_price: 0 }, undefined],
    ['filled', 'FILLED', { filled_qty: 10, avg_filled_price: 0 }, undefined],
    ['exited', 'FILLED', { ...exits('FILLED'), avg_filled_price: null }, undefined],
    ['ended', 'FILLED', { filled_qty: 10, avg_filled_price: -1 }, undefined],
    ['accepted', 'FILLED', { filled_qty: 10, avg_filled_price: 0 }, true],
    ['ended', 'REJECTED', NOTHING, true],
  ])('reads as reached until %s, for an order that is %s with %j: %s', async (until, status, more, reached) => {
    const result = await reading(until, { order_status: `ORDER_STATUS_${status}`, avg_filled_price: 150_000, ...more });
    expect(result).toMatchObject({ reached: reached === true, timedOut: reached === undefined });
  });

  it.each<BasketWaitFor>(['entered', 'exited', 'ended'])(
    'waits until %s for a basket whose leg has filled at a price that is told later',
    async (until) => {
      const { time, context } = market();
      const leg = (avg_filled_price: number): JsonObject => ({ filled_qty: 65, avg_filled_price });
      for (const later of [1_500, 0]) {
        let reads = 0;
        const list = async () => {
          const legs = [leg(1_200), leg(reads++ < 3 ? 0 : later)];
          return [basket({ basket_id: '5', basket_status: 'CLOSED', orders: legs })];
        };
        const on = { ...context, baskets: { ...context.baskets, list } };
        const result = await time.run(waitForBasket('5', until, 5_000, on));
        expect(result).toMatchObject({ reached: later !== 0, timedOut: later === 0 });
        expect(reads).toBeGreaterThan(3);
      }
    },
  );

  it.each<[BasketWaitFor, string, boolean | undefined]>([
    ['entered', 'OPEN', undefined],
    ['entered', 'FILLED', true],
    ['entered', 'CLOSED', true],
    ['entered', 'CANCELLED', false],
    ['exited', 'FILLED', undefined],
    ['exited', 'CLOSED', true],
    ['exited', 'REJECTED', false],
    ['ended', 'FILLED', undefined],
    ['ended', 'CANCELLED', true],
  ])('reads as reached until %s, for a basket that is %s: %s', async (until, status, reached) => {
    const { time, context } = market();
    const list = async () => [basket({ basket_id: '4' }), basket({ basket_id: '5', basket_status: status })];
    const on = { ...context, baskets: { ...context.baskets, list } };
    const result = await time.run(waitForBasket('5', until, 5_000, on));
    expect(result).toMatchObject({
      order: { basket_id: '5' },
      reached: reached === true,
      timedOut: reached === undefined,
    });
  });

  it('is not waited for where the service refuses to tell, unless it may tell later', async () => {
    const refusal = (status: number): ServiceError => new ServiceError('no', { status, serviceText: '' });
    const open = { order_status: 'OPEN' };
    const filled = { order_status: 'FILLED' };
    for (const status of [400, 403, 422, 499]) {
      const error = refusal(status);
      expect(await reading('filled', open, error)).toEqual({
        order: { order_id: '5', ...open },
        reached: false,
        timedOut: false,
        error,
        reads: 2,
      });
    }
    const late = [refusal(404), refusal(429), refusal(500), refusal(302), new NetworkError('x', { maySent: true })];
    for (const error of late) expect(await reading('filled', error, filled)).toMatchObject({ reached: true, reads: 2 });
    expect(await reading('filled', refusal(404))).toMatchObject({
      reached: false,
      timedOut: true,
      error: { status: 404 },
    });
  });
});

it.each([
  ['1762746300', '1762746300000000000'],
  ['1762746300123', '1762746300123000000'],
  ['1762746300123456', '1762746300123456000'],
  ['1762746300123456789', '1762746300123456789'],
  [1_762_746_300, '1762746300000000000'],
  ['2025-11-10T09:15:00+05:30', '1762746300000000000'],
  ['2025-11-10T09:15:00', '0'],
  [-62_135_596_800, '0'],
  [null, '0'],
])('a time of %j is %s nanoseconds', (written, nanos) => {
  expect(read.timesOf(order({ order_time: written })).created).toBe(nanos);
});
