/** The error for a record of the day's list whose id cannot be read. */
import { withoutId } from '../../../../client/orders/model/missing-id';
import { requireOrderIds } from '../../../../client/orders/model/order-record';

it.each([
  [undefined, 'it is missing'],
  [null, 'it is missing'],
  ['', 'it is missing'],
  ['x1', 'it is "x1"'],
  [{ a: 1 }, 'it is {"a":1}'],
  ['y'.repeat(100), `it is "${'y'.repeat(59)}`],
])('names the record, and the content %j', (written, content) => {
  expect(withoutId('An order', 'INFY', 'order_id', written).message).toBe(
    `An order (INFY) in the service's list of the day has no number (order_id): ${content}. The list was not used.`,
  );
});

it('names no record without a symbol or a tag, and the beginning of a long tag', () => {
  expect(withoutId('A basket', '', 'basket_id', null).message).toMatch(
    /^A basket in the service's list of the day has/,
  );
  expect(withoutId('A basket', 'z'.repeat(100), 'basket_id', null).message).toContain(
    `A basket (${'z'.repeat(60)}) in`,
  );
});

it.each([
  [{ order_id: '5' }, undefined],
  [{ order_id: '5', basket_id: '0' }, undefined],
  [{ order_id: '5', basket_id: '7' }, undefined],
  [{}, 'order_id'],
  [{ order_id: 'x' }, 'order_id'],
  [{ order_id: '5', basket_id: 'x' }, 'basket_id'],
])('an order %j of a list lacks %s', (order, field) => {
  const check = () => requireOrderIds(order);
  if (field === undefined) expect(check).not.toThrow();
  else expect(check).toThrow(`has no number (${field})`);
});
