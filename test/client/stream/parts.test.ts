/** The parts of the stream one by one. */
import { describe, expect, test } from '@jest/globals';
import { pauseBeforeAttempt } from '../../../client/stream/connection/backoff';
import { Cursor, type CursorData } from '../../../client/stream/delivery/checkpoint';
import { isWanted, type EventFilter } from '../../../client/stream/delivery/filter';
import { readFrame } from '../../../client/stream/connection/frames';
import { nothingKnown, packKnown, unpackKnown } from '../../../client/stream/reconciliation/delivered-state';
import { isMarketTime } from '../../../client/stream/connection/outage';
import {
  PortfolioWatch,
  portfolioOutput,
  type PortfolioUpdate,
} from '../../../client/stream/delivery/portfolio-updates';
import { readDayOrders } from '../../../client/stream/reconciliation/order-record';
import type { LegFill, OrderEvent, OrderSnapshot } from '../../../client/stream/reconciliation/types';
import { OrderTracker } from '../../../client/stream/reconciliation/order-reconciler';
import { readUpdate, type ReadUpdate } from '../../../client/stream/reconciliation/order-message';
import type { Json } from '../../../client/values/json';
import type { SvcToClientIntentUpdate } from '../../../proto/generated/messages';
import { typeOf } from '../../proto/support';
import { VirtualClock } from '../../support/clock';
import { EVERYTHING } from './instance';
import { wrap } from './wire';

const ist = (text: string): number => Date.parse(`${text}+05:30`);

describe('reconnection', () => {
  test('waits anywhere between nothing and a ceiling that doubles up to a minute', () => {
    expect([1, 2, 3, 8, 50].map((attempt) => pauseBeforeAttempt(attempt, () => 0.999_999_9))).toEqual([
      500, 1_000, 2_000, 60_000, 60_000,
    ]);
    expect(pauseBeforeAttempt(5, () => 0)).toBe(0);
  });
  test('is no alarm while no market is open', () => {
    expect(isMarketTime('live', ist('2026-11-23T09:00'))).toBe(true);
    expect(isMarketTime('live', ist('2026-11-23T23:54'))).toBe(true);
    expect(isMarketTime('live', ist('2026-11-23T08:59'))).toBe(false);
    expect(isMarketTime('live', ist('2026-11-22T12:00'))).toBe(false);
    expect(isMarketTime('sandbox', ist('2026-11-22T12:00'))).toBe(true);
  });
});

describe('frames', () => {
  test('are recognised by the end of their type, whatever the brand', () => {
    expect(readFrame(wrap('WhateverToClientIntentUpdate', new Uint8Array())).kind).toBe('order');
    expect(readFrame(wrap('PortfolioResponse', new Uint8Array())).kind).toBe('portfolio');
  });
  test('of a kind that is not known pass by', () => {
    expect(readFrame(wrap('SomethingNew', Uint8Array.of(1, 2, 3))).kind).toBe('unknown');
  });
});

describe('the cursor', () => {
  const known = {
    ...nothingKnown(),
    accepted: true,
    end: 'executed' as const,
    modified: '17',
    streamTerms: '1@2@',
    legs: [{ refId: 7, filled: 3, value: 9 }],
    recent: ['a:b'],
  };

  test('keeps what is known of an order as text', () => {
    expect(unpackKnown(packKnown(known))).toEqual(known);
    expect(unpackKnown('nonsense')).toBeUndefined();
    expect(unpackKnown(5)).toBeUndefined();
  });
  test('starts from what was stored, unless this process remembers something newer', () => {
    const stored: CursorData = {};
    Cursor.fresh(stored, [], undefined, 'a').commit('1', packKnown(known));
    const newer = Cursor.resume({ ...stored }, undefined, 'a') as Cursor;
    newer.commit('2', packKnown(known));
    const ids = (cursor: Cursor | undefined): string[] => [...(cursor as Cursor).known()].map(([id]) => id);
    expect(ids(Cursor.resume(stored, undefined, 'a'))).toEqual(['1']);
    expect(ids(Cursor.resume(stored, newer.data(), 'a'))).toEqual(['1', '2']);
    expect(Cursor.resume({}, undefined, 'a')).toBeUndefined();
  });
  test('stays bounded, and drops the orders of an earlier day that are gone', () => {
    const stored: CursorData = {};
    const cursor = Cursor.fresh(stored, [], undefined, 'a');
    for (let id = 1; id <= 5_100; id++) cursor.commit(`x${id}`, packKnown(known));
    expect(Object.keys(stored.orders ?? {})).toHaveLength(5_000);
    cursor.startDay('2026-11-23', (id) => id === 'x5000');
    expect(Object.keys(stored.orders ?? {})).toEqual(['x5000']);
  });
  test('says at its top that it has changed, which is what n8n looks at', () => {
    const stored: CursorData = {};
    const cursor = Cursor.fresh(stored, [], undefined, 'a');
    const before = stored.revision;
    cursor.commit('1', packKnown(known));
    expect(stored.revision).not.toBe(before);
  });
});

describe('filters', () => {
  const order = readDayOrders([
    {
      order_id: '1',
      ref_id: 7,
      order_side: 'ORDER_SIDE_BUY',
      order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
      order_type: 'ORDER_TYPE_REGULAR',
      order_status: 'ORDER_STATUS_CANCELLED',
      order_qty: 10,
      order_price: 5_000,
      tag: 'my tag',
      ref_data: { stock_name: 'INFY', plat_name: 'STOCK_INFY.NSECM', exchange: 'NSE' },
    },
  ])[0] as OrderSnapshot;
  const event: OrderEvent = {
    type: 'cancelled',
    maybe: ['unsolicitedCancel'],
    key: '',
    recovered: true,
    order,
    fill: undefined,
    at: '0',
    after: '',
    raw: undefined,
  };
  const wanted = (filter: Partial<EventFilter>): boolean => isWanted({ ...EVERYTHING, ...filter }, event);

  test.each<[Partial<EventFilter>, boolean]>([
    [{}, true],
    [{ types: ['cancelled'] }, true],
    [{ types: ['unsolicitedCancel'] }, true],
    [{ types: ['fill'] }, false],
    [{ instruments: ['INFY'] }, true],
    [{ instruments: ['7'] }, true],
    [{ instruments: ['INF'] }, false],
    [{ sides: ['SELL'] }, false],
    [{ products: ['CNC'] }, true],
    [{ products: ['IDAY'] }, false],
    [{ tags: ['my-tag'] }, true],
    [{ tags: ['my'] }, false],
    [{ onlyEnds: true }, true],
    [{ minQuantity: 10 }, true],
    [{ minQuantity: 11 }, false],
    [{ minValue: 50_000 }, true],
    [{ minValue: 50_001 }, false],
    [{ recovered: false }, false],
    [{ types: [] }, false],
    [{ instruments: ['NSE:INFY'] }, true],
    [{ instruments: ['BSE:INFY'] }, false],
  ])('%j', (filter, expected) => expect(wanted(filter)).toBe(expected));

  const given = (more: Record<string, Json>, filter: Partial<EventFilter>): boolean =>
    isWanted(
      { ...EVERYTHING, ...filter },
      { ...event, order: readDayOrders([{ order_id: '1', ref_id: 7, order_qty: 10, ...more }])[0] as OrderSnapshot },
    );

  test("fit the person's part of a tag that an order node made, and no other beginning", () => {
    expect(given({ tag: 'breakout-k3v7qhz2m4xa' }, { tags: ['breakout'] })).toBe(true);
    expect(given({ tag: 'breakout-k3v7qhz2m4xa' }, { tags: ['breakout-k3v7qhz2m4xa'] })).toBe(true);
    expect(given({ tag: 'breakout-two-k3v7qhz2m4xa' }, { tags: ['breakout'] })).toBe(false);
    expect(given({ tag: 'k3v7qhz2m4xa' }, { tags: ['breakout'] })).toBe(false);
  });
  test('know a symbol by the platform name where the service gives the name of a company, and a contract by its underlying', () => {
    expect(
      given({ ref_data: { stock_name: 'Infosys Limited', plat_name: 'STOCK_INFY.NSECM' } }, { instruments: ['INFY'] }),
    ).toBe(true);
    const option = {
      ref_data: {
        stock_name: 'NIFTY 26 Nov 24500 CE',
        plat_name: 'OPT_NIFTY_20261126_CE_2450000',
        asset: 'NIFTY',
        exchange: 'NSE',
      },
    };
    expect(given(option, { instruments: ['NIFTY'] })).toBe(true);
    expect(given(option, { instruments: ['NSE:NIFTY'] })).toBe(true);
    expect(given(option, { instruments: ['BANKNIFTY'] })).toBe(false);
  });
  test('let a value pass that nobody can know, and take that of a basket that sells more than it buys without its sign', () => {
    expect(given({ price_type: 'MARKET', order_price: 0 }, { minValue: 1_000_000 })).toBe(true);
    expect(given({ order_price: -5_000 }, { minValue: 50_000 })).toBe(true);
    expect(given({ order_price: -5_000 }, { minValue: 50_001 })).toBe(false);
  });
  test('take what happens to a whole basket for each of its instruments, and a fill for its own only', () => {
    const leg = (refId: number, symbol: string): LegFill => ({
      refId,
      filled: 0,
      averagePrice: 0,
      instrument: { refId, exchange: 'NSE', symbol, asset: '', platName: '', displayName: '' },
    });
    const basket: OrderEvent = {
      ...event,
      order: { ...order, kind: 'strategy', legs: [leg(7, 'INFY'), leg(8, 'TCS')] },
    };
    const fits = (one: OrderEvent, name: string): boolean => isWanted({ ...EVERYTHING, instruments: [name] }, one);
    expect([fits(basket, 'TCS'), fits(basket, '8'), fits(basket, 'WIPRO')]).toEqual([true, true, false]);
    const fill: OrderEvent = {
      ...basket,
      type: 'fill',
      fill: { refId: 8, quantity: 1, price: 1, from: 0, to: 1, exact: true },
    };
    expect([fits(fill, 'TCS'), fits(fill, 'INFY')]).toEqual([true, false]);
  });
});

describe("the day's orders", () => {
  test('may be null or wrapped, but nothing else is an empty day', () => {
    expect(readDayOrders(null)).toEqual([]);
    expect(readDayOrders({ orders: null })).toEqual([]);
    expect(readDayOrders({ orders: [] })).toEqual([]);
    expect(() => readDayOrders({ error: 'session expired' })).toThrow('could not be read');
    expect(() => readDayOrders([{}])).toThrow('order_id');
  });
  test('with the garbage time of a pending order', () => {
    const [order] = readDayOrders([
      { order_id: '5', order_time: '-6795364578871345152', order_status: 'ORDER_STATUS_PENDING' },
    ]);
    expect(order?.times.created).toBe('0');
    expect(order?.accepted).toBe(false);
  });
});

const update = typeOf('SvcToClientIntentUpdate');

/** An acceptance (request 1: of the order, 2: of a modification) as the stream tells it. */
function readOf(request: number, price: number, modified: string, missing = '0'): ReadUpdate {
  const stamps = {
    intentCreatedAt: '1795165545000000000',
    sentToColoAt: missing,
    filledAt: missing,
    cancelledAt: missing,
    lastModifiedAt: modified,
    lastUpdatedAt: missing,
  };
  const order = {
    intentOrderId: '5',
    orderStatus: 1,
    orderQty: 10,
    orderPrice: price,
    priceType: 1,
    refId: 7,
    intentOrderType: 1,
    filledAt: missing,
    svcTimestamps: stamps,
  };
  const bytes = update
    .encode(
      update.fromObject({ intentOrderResponse: order, intentOrderResponseType: 1, intentOrderRequstType: request }),
    )
    .finish();
  const frame = readFrame(wrap('AcmeToClientIntentUpdate', bytes));
  return readUpdate((frame as Extract<typeof frame, { kind: 'order' }>).update) as ReadUpdate;
}

describe('a message whose times are the garbage of those that are not there yet', () => {
  const GARBAGE = '-6795364578871345152';
  const read = (request: number, price: number, modified: string): ReadUpdate =>
    readOf(request, price, modified, GARBAGE);

  test('shows none of them', () => {
    expect(Object.values(read(1, 100, GARBAGE).order.times).filter((time) => time !== '0')).toEqual([
      '1795165545000000000',
    ]);
  });
  test('does not make the modification that follows look old', () => {
    const tracker = new OrderTracker();
    const message = {} as SvcToClientIntentUpdate;
    const types = [read(1, 100, GARBAGE), read(2, 110, '1795165546000000000'), read(2, 120, '1795165547000000000')].map(
      (one) => tracker.update(one, message).map(({ type }) => type),
    );
    expect(types).toEqual([['accepted'], ['modified'], ['modified']]);
  });
});

describe('a modification that the list and the stream stamp a moment apart', () => {
  const at = (ms: number): string => `${1_795_165_546_000 + ms}000000`;
  const listed = (price: number, modified: string | null): OrderSnapshot[] =>
    readDayOrders([
      {
        order_id: '5',
        ref_id: 7,
        order_qty: 10,
        order_price: price,
        price_type: 'LIMIT',
        order_status: 'ORDER_STATUS_OPEN',
        order_time: at(-1_000),
        ack_time: at(-900),
        last_modified: modified,
      },
    ]);
  const told = (price: number, modified: string): ReadUpdate => readOf(2, price, modified);
  const begun = (): OrderTracker => {
    const tracker = new OrderTracker();
    tracker.recover(listed(100, null));
    tracker.update(readOf(1, 100, '0'), {} as SvcToClientIntentUpdate);
    return tracker;
  };
  const types = (events: readonly OrderEvent[]): string[] => events.map(({ type }) => type);

  test.each([300, -300])('comes once, whichever brings it first (%i ms)', (apart) => {
    const first = begun();
    expect(types(first.update(told(110, at(0)), {} as SvcToClientIntentUpdate))).toEqual(['modified']);
    expect(first.ahead(listed(110, at(apart)))).toEqual([]);
    expect(types(first.recover(listed(110, at(apart))))).toEqual([]);
    const second = begun();
    expect(types(second.recover(listed(110, at(0))))).toEqual(['modified']);
    expect(types(second.update(told(110, at(apart)), {} as SvcToClientIntentUpdate))).toEqual([]);
  });
  test('is another one with other terms, or with the same ones much later', () => {
    const tracker = begun();
    tracker.update(told(110, at(0)), {} as SvcToClientIntentUpdate);
    expect(types(tracker.recover(listed(120, at(300))))).toEqual(['modified']);
    expect(types(tracker.update(told(130, at(600)), {} as SvcToClientIntentUpdate))).toEqual(['modified']);
    expect(types(tracker.update(told(120, at(5_000)), {} as SvcToClientIntentUpdate))).toEqual(['modified']);
  });
});

describe('portfolio updates', () => {
  const type = typeOf('PortfolioResponse');
  const read = (pnl: number) => {
    const message = {
      positionResponse: {
        clientCode: 'C1',
        stockPositions: [{ refId: 7, exchange: 1, orderSide: 1, qty: 5, avgPrice: 150_005, pnl }],
      },
      holdingResponse: { holdings: [{ supportedExchanges: { NSE: 7 } }] },
    };
    const frame = readFrame(wrap('PortfolioResponse', type.encode(type.fromObject(message)).finish()));
    return (frame as Extract<typeof frame, { kind: 'portfolio' }>).portfolio;
  };

  test('come out at most as often as wanted, the newest of each part, and only when something changed', async () => {
    const clock = new VirtualClock();
    const given: PortfolioUpdate[] = [];
    const watch = new PortfolioWatch({
      clock,
      parts: ['positions'],
      instruments: [],
      everyMs: 10_000,
      deliver: (update) => given.push(update),
    });
    watch.take(read(1));
    watch.take(read(2));
    await clock.sleep(11_000);
    expect(given).toHaveLength(1);
    watch.take(read(2));
    await clock.sleep(11_000);
    expect(given).toHaveLength(1);
    watch.take(read(3));
    watch.close();
    expect(given).toHaveLength(2);
    expect(
      portfolioOutput(given[1] as PortfolioUpdate, { environment: 'uat', unit: 'rupees', at: ist('2026-11-23T10:00') }),
    ).toMatchObject({
      event: 'positionsUpdated',
      client_code: 'C1',
      stock_positions: [{ ref_id: 7, exchange: 'NSE', order_side: 'BUY', qty: 5, avg_price: 1500.05, pnl: 0.03 }],
      event_time_ist: '2026-11-23T10:00:00.000+05:30',
      environment: 'uat',
    });
  });
  test('keep the names of exchanges', () => {
    const content = read(1).holdingResponse;
    expect(
      portfolioOutput({ part: 'holdings', content: content as never }, { environment: 'uat', unit: 'paise', at: 0 }),
    ).toMatchObject({ holdings: [{ supported_exchanges: { NSE: 7 } }] });
  });
});
