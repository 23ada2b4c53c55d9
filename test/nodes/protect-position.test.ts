/** *Protect Position* guards a holding only if the list that is read right before shows that nobody has closed any of it. */
import type { HeldQuantity } from '../../client/closing/held';
import type { OrderRecord } from '../../client/endpoints/orders';
import { noTradeSince } from '../../nodes/Brokerage/trading/protectPosition';

const HELD = { units: 10, position: { refId: 7, product: 'CNC' } } as HeldQuantity;

const order = (id: string, side: string, filled: number): OrderRecord => ({
  order_id: id,
  ref_id: 7,
  order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
  order_side: `ORDER_SIDE_${side}`,
  order_status: 'FILLED',
  order_qty: filled,
  filled_qty: filled,
});

it('nobody has traded where the list shows what it showed before', () => {
  const before = [order('1', 'BUY', 10)];
  const isUnchanged = noTradeSince(before, HELD);
  expect(isUnchanged(before)).toBe(true);
  expect(isUnchanged([...before, order('2', 'SELL', 4)])).toBe(false);
  // Lists that lack what was there: others may be missing, too.
  expect(isUnchanged([])).toBe(false);
  expect(isUnchanged([order('3', 'BUY', 1)])).toBe(false);
});
