import { expect, test } from '@jest/globals';
import { intradayStop, SQUARE_OFF_SOURCE, SquareOff } from '../../../sandbox/src/accounts/square-off';
import type { NewOrder, Order } from '../../../sandbox/src/shared/orders';
import { createCalendar } from '../../../sandbox/src/market/reference/calendar';
import { A, CALL, FUTURE, INFY, order, snapshot, TCS } from './support';

const { calendar } = createCalendar();
const at = (text: string) => Date.parse(`${text}+05:30`);
const time = (instant: number | undefined) =>
  instant === undefined ? undefined : new Date(instant + 19_800_000).toISOString().slice(11, 16);

test('stop times go by market and date', () => {
  const auction = { ...INFY, closingAuction: true };
  const cash = { ...TCS, closingAuction: false };
  const crude = { ...INFY, exchange: 'MCX' as const, derivativeType: 'FUT' as const };
  const stops = (date: string) =>
    [auction, cash, CALL, crude].map((instrument) => time(intradayStop(calendar, instrument, at(`${date}T10:00:00`))));
  expect(stops('2026-11-18')).toEqual(['15:10', '15:10', '15:30', '23:30']);
  expect(stops('2026-07-15')).toEqual(['15:15', '15:15', '15:20', '23:05']);
  expect(stops('2026-11-21')).toEqual([undefined, undefined, undefined, undefined]);
});

test('orders are cancelled first; a position is closed once they are gone, in pieces that the exchange takes, and never twice', () => {
  const infy = { ...INFY, closingAuction: false, freezeQty: 100 };
  const resting = snapshot(1n, order({ refId: infy.refId, product: 'IDAY', side: 'SELL', quantity: 5 }), 'OPEN');
  let working: Order[] = [resting];
  const cancelled: bigint[] = [];
  const placed: NewOrder[] = [];
  const desk = new SquareOff(
    {
      accounts: {
        ids: () => [A],
        squareOffs: () => [{ account: A, refId: infy.refId, side: 'SELL', quantity: 250 }],
        instrument: () => infy,
      },
      exchange: {
        orders: () => working,
        cancel: (id) => {
          cancelled.push(id);
          return { ok: true };
        },
        place: (newOrder) => {
          placed.push(newOrder);
          return { ok: true, order: snapshot(9n, newOrder, 'PENDING') };
        },
        expel: () => ({ ok: true }),
        isOpen: () => true,
      },
      calendar,
    },
    at('2026-11-18T09:00:00'),
  );
  expect(time(desk.nextDue())).toBe('15:10');
  desk.run(desk.nextDue()!);
  expect([cancelled, placed]).toEqual([[1n], []]);
  working = [];
  expect(desk.nextDue()).toBe(at('2026-11-18T15:10:05'));
  desk.run(desk.nextDue()!);
  expect(
    placed.map(({ side, quantity, priceType, validity, product, source }) => [
      side,
      quantity,
      priceType,
      validity,
      product,
      source,
    ]),
  ).toEqual([100, 100, 50].map((quantity) => ['SELL', quantity, 'MARKET', 'IOC', 'IDAY', SQUARE_OFF_SOURCE]));
  working = placed.map((newOrder, index) => snapshot(BigInt(index + 2), newOrder, 'SENT'));
  desk.run(desk.nextDue()!);
  expect([cancelled, placed.length]).toEqual([[1n], 3]);
});

test('an order that is placed again before each try is ended at once, and keeps nothing open', () => {
  const infy = { ...INFY, closingAuction: false };
  const waiting = (side: 'BUY' | 'SELL', quantity: number, filled = 0) =>
    snapshot(1n, order({ refId: infy.refId, product: 'IDAY', side, quantity }), 'OPEN', filled);
  const closed = (...working: Order[]) => {
    const placed: NewOrder[] = [];
    const accounts = {
      ids: () => [A],
      squareOffs: () => [{ account: A, refId: infy.refId, side: 'SELL' as const, quantity: 250 }],
      instrument: () => infy,
    };
    const expelled: bigint[] = [];
    const place = (newOrder: NewOrder) => placed.push(newOrder);
    const expel = (id: bigint) => expelled.push(id);
    const exchange = { orders: () => working, cancel: () => ({ ok: true }), expel, place, isOpen: () => true };
    const desk = new SquareOff({ accounts, exchange, calendar }, at('2026-11-18T09:00:00'));
    desk.run(at('2026-11-18T15:10:00'));
    expect([placed, expelled]).toEqual([[], []]);
    desk.run(at('2026-11-18T15:10:05'));
    expect(expelled).toEqual(working.map(({ id }) => id));
    return placed.reduce((sum, { quantity }) => sum + quantity, 0);
  };
  expect(closed(waiting('SELL', 1))).toBe(250);
  expect(closed(waiting('SELL', 100, 40), waiting('SELL', 90))).toBe(250);
  expect(closed(waiting('SELL', 250))).toBe(250);
  expect(closed(waiting('BUY', 250))).toBe(250);
});

test('the next stop after a Friday is Monday’s', () => {
  const none = {
    accounts: { ids: () => [], squareOffs: () => [], instrument: () => undefined },
    exchange: {
      orders: () => [],
      cancel: () => ({ ok: true as const }),
      expel: () => ({ ok: true as const }),
      place: () => ({ ok: false as const, code: '', text: '' }),
      isOpen: () => true,
    },
    calendar,
  };
  expect(new SquareOff(none, at('2026-11-20T23:50:00')).nextDue()).toBe(at('2026-11-23T15:10:00'));
});

test('an open intraday position that has come to its stop is touched, and nothing else; a closed market is left', () => {
  const infy = { ...INFY, closingAuction: false };
  const crude = { ...FUTURE, refId: 50, exchange: 'MCX' as const };
  const known = [infy, TCS, crude];
  const open = new Set([infy.refId, crude.refId]);
  const cancelled: bigint[] = [];
  const expelled: bigint[] = [];
  const placed: NewOrder[] = [];
  const intraday = { product: 'IDAY', quantity: 5 } as const;
  const desk = new SquareOff(
    {
      accounts: {
        ids: () => [A],
        squareOffs: () => known.map(({ refId }) => ({ account: A, refId, side: 'BUY' as const, quantity: 65 })),
        instrument: (refId) => known.find((instrument) => instrument.refId === refId),
      },
      exchange: {
        orders: () => [
          snapshot(1n, order({ ...intraday, refId: TCS.refId }), 'PARTIAL_FILLED'),
          snapshot(2n, order({ ...intraday, refId: infy.refId, product: 'CNC' }), 'OPEN'),
          snapshot(3n, order({ ...intraday, refId: infy.refId }), 'FILLED'),
          snapshot(4n, order({ ...intraday, refId: crude.refId }), 'OPEN'),
          snapshot(5n, order({ ...intraday, refId: 99 }), 'OPEN'),
        ],
        cancel: (id) => cancelled.push(id),
        expel: (id) => expelled.push(id),
        place: (newOrder) => placed.push(newOrder),
        isOpen: ({ refId }) => open.has(refId),
      },
      calendar,
    },
    at('2026-11-18T09:00:00'),
  );
  desk.run(at('2026-11-18T15:10:00'));
  expect(cancelled).toEqual([1n]);
  expect(placed.map(({ refId, side, quantity }) => [refId, side, quantity])).toEqual([[infy.refId, 'BUY', 65]]);
  open.delete(infy.refId);
  desk.run(at('2026-11-18T15:10:05'));
  expect(placed).toHaveLength(1);
  desk.run(at('2026-11-18T23:30:00'));
  expect([cancelled, expelled]).toEqual([
    [1n, 4n],
    [1n, 1n],
  ]);
  expect(placed).toHaveLength(1);
});

test('the tries are those of a day, one market after the other, then those of the next', () => {
  const nothing = { accounts: { ids: () => [], squareOffs: () => [], instrument: () => undefined }, calendar };
  const none = () => [];
  const exchange = { orders: none, cancel: none, expel: none, place: none, isOpen: () => true };
  const desk = new SquareOff({ ...nothing, exchange }, at('2026-11-18T15:12:59'));
  const seen: string[] = [];
  for (let due = desk.nextDue()!; seen.length < 17; desk.run(due), due = desk.nextDue()!)
    seen.push(new Date(due + 19_800_000).toISOString().slice(8, 19));
  expect(seen).toEqual([
    ...['18T15:13:00', '18T15:14:00'],
    ...['18T15:30:00', '18T15:30:05', '18T15:30:30', '18T15:31:00', '18T15:32:00', '18T15:33:00', '18T15:34:00'],
    ...['18T23:30:00', '18T23:30:05', '18T23:30:30', '18T23:31:00', '18T23:32:00', '18T23:33:00', '18T23:34:00'],
    '19T15:10:00',
  ]);
});
