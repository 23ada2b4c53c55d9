import { closedAdvice } from '../../../client/orders/closed-market';
import { isInHours, nextOpening } from '../../../client/orders/hours';
import { rejectedOrder } from '../../../client/orders/outcome';
import { msToNanos, toIst } from '../../../client/values/time';

const at = (time: string): number => Date.parse(`${time}:00+05:30`);
const opening = (exchange: string, time: string): string | undefined => {
  const opens = nextOpening(exchange, at(time));
  return opens === undefined ? undefined : toIst(opens).slice(0, 16);
};

it.each([
  ['NSE', 'before the opening', '2026-11-20T08:00', '2026-11-20T09:15'],
  ['NSE', 'at the opening', '2026-11-20T09:15', '2026-11-23T09:15'],
  ['NSE', 'on a Friday evening', '2026-11-20T16:00', '2026-11-23T09:15'],
  ['BSE', 'on a Sunday', '2026-11-22T11:00', '2026-11-23T09:15'],
  ['NSE', 'the evening before a holiday', '2026-11-23T16:00', '2026-11-25T09:15'],
  ['NSE', 'on a holiday', '2026-11-24T11:00', '2026-11-25T09:15'],
  ['MCX', 'at night', '2026-11-19T23:58', '2026-11-20T09:00'],
  ['MCX', 'before a holiday, of whose evening nothing is known', '2026-11-23T23:58', undefined],
  ['NSE', 'after the last year whose holidays are known', '2027-12-31T16:00', undefined],
])('%s %s opens next when it is known to', (exchange, _, time, expected) => {
  expect(opening(exchange, time)).toBe(expected);
});

it.each([
  ['NSE', false, '2026-11-20T15:29', true],
  ['NSE', false, '2026-11-20T15:30', false],
  ['NSE', true, '2026-11-20T15:30', true],
  ['NSE', false, '2026-11-24T11:00', false],
  ['MCX', true, '2026-11-24T18:00', undefined],
  ['MCX', true, '2026-11-24T08:00', false],
  ['NSE', false, '2028-01-03T11:00', undefined],
])('%s, derivative %s, at %s: in its hours %s', (exchange, derivative, time, expected) => {
  expect(isInHours(exchange, derivative, at(time))).toBe(expected);
});

const record = (more: object = {}) => ({
  order_id: '7',
  exchange: 'NSE',
  order_status: 'ORDER_STATUS_REJECTED',
  order_time: msToNanos(at('2026-11-20T11:00')),
  ...more,
});

it.each([
  ['MARKET_CLOSED: NSE takes no orders for INFY now', true],
  ['Market is closed', true],
  ['The exchange is not open', true],
  ['Order placed outside market hours', true],
  ['After market orders are not allowed', true],
  ['INSUFFICIENT_MARGIN', false],
  ['the position is closed', false],
  ['MARKET_HALTED: trading is halted, the exchange takes no orders', false],
  ['', false],
])('%s, in the hours: closed %s', (reason, closed) => {
  expect(closedAdvice(record(), reason) !== undefined).toBe(closed);
});

const evening = { order_time: msToNanos(at('2026-11-20T16:00')) };

it('an order that the closed market refused says when it opens next, by the time of the order', () => {
  const order = record({ ...evening, rejection_msg: 'MARKET_CLOSED: NSE takes no orders for INFY now' });
  expect(rejectedOrder(order, 'tag').hint).toContain(
    'is closed, and the order does not wait. NSE opens next on 23 Nov',
  );
});

it('without a reason the hours tell that the market is probably closed', () => {
  expect(rejectedOrder(record(evening), 'tag').hint).toContain('is probably closed');
  expect(rejectedOrder(record(), 'tag').hint).toContain("Your broker's app");
});

it('another reason counts, whatever the hour', () => {
  expect(closedAdvice(record(evening), 'INSUFFICIENT_MARGIN')).toBeUndefined();
});

it('a contract trades longer than a share', () => {
  const late = record({ order_time: msToNanos(at('2026-11-20T15:35')), ref_data: { stock_name: 'NIFTY26NOVFUT' } });
  expect(closedAdvice(late, '')).toBeUndefined();
});

it('where the time of the order is not known, no opening is named', () => {
  expect(closedAdvice(record({ order_time: '-5' }), 'Market is closed')).not.toContain('opens next');
  expect(closedAdvice(record({ order_time: '-5' }), '')).toBeUndefined();
});

it('a basket is of the exchange of its legs', () => {
  const { order_time, exchange } = record(evening);
  expect(closedAdvice({ order_time, orders: [{ exchange }] }, '')).toContain('NSE opens next');
});
