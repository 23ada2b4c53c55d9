/** Plain words for an order: what its product and status mean, and what a rejection asks for. */
import { labelledOf, orderLabels } from '../../../../client/orders/model/order-labels';

const order = (fields: object = {}) =>
  labelledOf({
    order_status: 'ORDER_STATUS_OPEN',
    order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
    order_qty: 1,
    ...fields,
  });

it.each([
  ['shares that are delivered', {}, { product_label: 'Delivery', status_label: 'Open' }],
  [
    'a future that is carried over',
    { ref_data: { derivative_type: 'FUT' } },
    { product_label: 'Carried over', status_label: 'Open' },
  ],
  [
    'an intraday order that waits for its date',
    { order_delivery_type: 'IDAY', order_status: 'PENDING' },
    { product_label: 'Intraday', status_label: 'On its way' },
  ],
  [
    'an order that tells neither',
    { order_delivery_type: null, order_status: null },
    { product_label: null, status_label: null },
  ],
])('%s has its labels, and no advice', (_, fields, labels) => {
  expect(orderLabels(order(fields))).toEqual(labels);
});

it('a rejection is told in plain words, with what to do', () => {
  const rejected = orderLabels(order({ order_status: 'REJECTED', rejection_msg: 'RMS: insufficient margin' }));
  expect(rejected).toMatchObject({
    status_label: 'Rejected',
    rejection_message: expect.stringMatching(/money|margin|funds/i) as string,
    advice: expect.stringMatching(/\w+ \w+/) as string,
  });
});

it('a cancelled order, whose rest was refused, is told why; unknown words of it are not', () => {
  const cancelled = { order_status: 'ORDER_STATUS_CANCELLED', filled_qty: 4, order_qty: 10 };
  expect(orderLabels(order({ ...cancelled, rejection_msg: 'INSUFFICIENT_MARGIN' }))).toMatchObject({
    status_label: 'Cancelled',
    rejection_message: 'There is not enough margin for this order',
    advice: expect.stringContaining('add funds') as string,
  });
  expect(order({ ...cancelled, rejection_msg: 'by the user' }).reason).toBe('');
});

it('words that are known as no reason are not explained, and those of an order that is not rejected are none', () => {
  const silent = { product_label: 'Delivery', status_label: 'Rejected' };
  expect(orderLabels(order({ order_status: 'REJECTED' }))).toEqual(silent);
  expect(orderLabels(order({ order_status: 'REJECTED', rejection_msg: 'zzz' }))).toEqual(silent);
  expect(order({ rejection_msg: 'insufficient margin' }).reason).toBe('');
});
