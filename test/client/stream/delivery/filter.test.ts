/** Events that pass the filter of a trigger. */
import { ONE_SHARE } from '../../../../client/values/contract-value';
import { describe, expect, test } from '@jest/globals';
import { passesFilter, type EventFilter } from '../../../../client/stream/delivery/filter';
import { readDayOrders } from '../../../../client/orders/model/order-record';
import type { LegFill, OrderSnapshot } from '../../../../client/orders/model/order-snapshot';
import type { OrderEvent } from '../../../../client/stream/reconciliation/types';
import type { Json } from '../../../../client/values/json';
import { EVERYTHING } from '../instance';

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
      display_name: 'Infosys',
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
    happenedAt: '0',
    after: '',
    raw: undefined,
  };
  const requested = (filter: Partial<EventFilter>): boolean => passesFilter({ ...EVERYTHING, ...filter }, event);

  test.each<[Partial<EventFilter>, boolean]>([
    [{}, true],
    [{ types: ['cancelled'] }, true],
    [{ types: ['unsolicitedCancel'] }, true],
    [{ types: ['fill'] }, false],
    [{ instruments: ['INFY'] }, true],
    [{ instruments: ['7'] }, true],
    [{ instruments: ['INF'] }, false],
    [{ instruments: ['STOCK_INFY.NSECM'] }, true],
    [{ instruments: ['INFOSYS'] }, true],
    [{ instruments: ['NSE:'] }, false],
    [{ sides: ['SELL'] }, false],
    [{ sides: ['BUY', 'SELL'] }, true],
    [{ products: ['CNC'] }, true],
    [{ products: ['IDAY'] }, false],
    [{ tags: ['my-tag'] }, true],
    [{ tags: ['my - tag'] }, true],
    [{ tags: ['my'] }, false],
    [{ tags: ['mytag'] }, false],
    [{ tagsLeftOut: ['my - tag', 'other'] }, false],
    [{ tagsLeftOut: ['my'] }, true],
    [{ onlyEnds: true }, true],
    [{ minQuantity: 10 }, true],
    [{ minQuantity: 11 }, false],
    [{ minValue: 50_000 }, true],
    [{ minValue: 50_001 }, false],
    [{ recovered: false }, false],
    [{ types: [] }, false],
    [{ instruments: ['NSE:INFY'] }, true],
    [{ instruments: ['BSE:INFY'] }, false],
  ])('pass what is wanted: %j', (filter, expected) => expect(requested(filter)).toBe(expected));

  test('take for an end what may be one, and nothing else', () => {
    const ends = (type: OrderEvent['type'], maybe: OrderEvent['maybe']): boolean =>
      passesFilter({ ...EVERYTHING, onlyEnds: true }, { ...event, type, maybe });
    expect([ends('accepted', []), ends('modified', ['cancelled']), ends('executed', [])]).toEqual([false, true, true]);
  });

  const given = (more: Record<string, Json>, filter: Partial<EventFilter>): boolean =>
    passesFilter(
      { ...EVERYTHING, ...filter },
      { ...event, order: readDayOrders([{ order_id: '1', ref_id: 7, order_qty: 10, ...more }])[0] as OrderSnapshot },
    );

  test("match the user's part of a tag that an order node made, and no other beginning", () => {
    expect(given({ tag: 'breakout-k3v7qhz2m4xa' }, { tags: ['breakout'] })).toBe(true);
    expect(given({ tag: 'breakout-k3v7qhz2m4xa' }, { tags: ['breakout-k3v7qhz2m4xa'] })).toBe(true);
    expect(given({ tag: 'breakout-two-k3v7qhz2m4xa' }, { tags: ['breakout'] })).toBe(false);
    expect(given({ tag: 'k3v7qhz2m4xa' }, { tags: ['breakout'] })).toBe(false);
    expect(given({ tag: 'breakout-k3v7qhz2m4xa' }, { tagsLeftOut: ['breakout'] })).toBe(false);
    expect(given({ tag: 'k3v7qhz2m4xa' }, { tagsLeftOut: ['breakout'] })).toBe(true);
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
    const credit = (minValue: number): boolean =>
      passesFilter({ ...EVERYTHING, minValue }, { ...event, order: { ...order, kind: 'strategy', price: -5_000 } });
    expect([credit(50_000), credit(50_001)]).toEqual([true, false]);
    expect(given({ order_price: 1, avg_filled_price: 5_000 }, { minValue: 50_000 })).toBe(true);
    const fill = { refId: 7, quantity: 2, price: 100, from: 0, to: 2, exact: true };
    const filled = (minValue: number): boolean =>
      passesFilter({ ...EVERYTHING, minValue }, { ...event, order: { ...order, averagePrice: 5_000 }, fill });
    expect([filled(200), filled(201)]).toEqual([true, false]);
  });
  test('take a change of a whole basket for each of its instruments, and a fill for its instrument only', () => {
    const leg = (refId: number, symbol: string): LegFill => ({
      refId,
      filled: 0,
      averagePrice: 0,
      instrument: {
        refId,
        exchange: 'NSE',
        symbol,
        asset: '',
        derivativeType: '',
        platName: '',
        displayName: '',
        contract: ONE_SHARE,
      },
    });
    const basket: OrderEvent = {
      ...event,
      order: { ...order, kind: 'strategy', legs: [leg(7, 'INFY'), leg(8, 'TCS')] },
    };
    const fits = (orderEvent: OrderEvent, name: string): boolean =>
      passesFilter({ ...EVERYTHING, instruments: [name] }, orderEvent);
    expect([fits(basket, 'TCS'), fits(basket, '8'), fits(basket, 'WIPRO')]).toEqual([true, true, false]);
    const fill: OrderEvent = {
      ...basket,
      type: 'fill',
      fill: { refId: 8, quantity: 1, price: 1, from: 0, to: 1, exact: true },
    };
    expect([fits(fill, 'TCS'), fits(fill, 'INFY')]).toEqual([true, false]);
  });
});
