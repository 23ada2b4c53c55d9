/** Check of a modification before it is sent: the order is checked with its new terms. */
import type { OrderRecord } from '../../../../client/endpoints/orders';
import type { Guards } from '../../../../client/orders/model/guard-settings';
import { intentApi } from '../../../../client/orders/api/intent/intent';
import { modifyOrder } from '../../../../client/orders/changing/modify-order';
import type { OrderChange } from '../../../../client/orders/model/order-terms';
import { INFY, market } from '../support';

const DRY: Guards = { allowLiveOrders: true, dryRun: true, marketHoursOnly: false };
const ORDER = {
  order_id: '5',
  order_type: 'ORDER_TYPE_REGULAR',
  order_side: 'ORDER_SIDE_BUY',
  order_status: 'ORDER_STATUS_OPEN',
  order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
  validity_type: 'DAY',
  price_type: 'LIMIT',
  order_qty: 10,
  order_price: 150_000,
  filled_qty: 0,
};
const STOPLOSS = { order_type: 'ORDER_TYPE_STOPLOSS', trigger_price: 149_000 };
const ICEBERG = { order_type: 'ORDER_TYPE_ICEBERG', leg_size: 5 };
const INTENT = { intent_status: 'OPEN' };

/** Makes a dry run. @returns the body of the request, or the parameter of the refusal */
async function dryRun(record: object, change: OrderChange, guards: Partial<Guards> = {}): Promise<unknown> {
  const { time, context } = market();
  const on = 'intent_status' in record ? { ...context, ...intentApi(context.transport) } : context;
  const order = { ...ORDER, ...record } as unknown as OrderRecord;
  const input = {
    order,
    instrument: INFY,
    change,
    guards: [{ ...DRY, ...guards }],
    unit: 'rupees',
    waitMs: 0,
  } as const;
  return await time.run(modifyOrder(input, on)).then(
    (request) => ('body' in request ? 'sent' : request),
    (error: unknown) => (error as { parameter?: string }).parameter,
  );
}

it.each<[string, object, OrderChange, string]>([
  ['a price', {}, { price: 150_010 }, 'sent'],
  ['a price off the tick', {}, { price: 150_003 }, 'price'],
  ['a quantity of nothing', {}, { quantity: 0 }, 'quantity'],
  ['the limit of a market order', { price_type: 'MARKET', order_price: 0 }, { price: 150_000 }, 'sent'],
  ['the quantity of a market order', { price_type: 'MARKET', order_price: 0 }, { quantity: 5 }, 'sent'],
  [
    'an order that does not tell its price type, and has no price',
    { price_type: null, order_price: 0 },
    { quantity: 5 },
    'price',
  ],
  [
    'an order that tells little',
    { order_side: null, order_delivery_type: null, validity_type: null },
    { quantity: 5 },
    'sent',
  ],
  ['a trigger', STOPLOSS, { triggerPrice: 149_500 }, 'sent'],
  ['a trigger beyond the limit', STOPLOSS, { triggerPrice: 150_010 }, 'triggerPrice'],
  [
    'the trigger of a sale beyond its limit',
    { ...STOPLOSS, order_side: 'ORDER_SIDE_SELL' },
    { quantity: 5 },
    'triggerPrice',
  ],
  ['a trigger of what is no stop loss', {}, { triggerPrice: 149_500 }, 'triggerPrice'],
  ['a trigger, with the kind', {}, { triggerPrice: 149_500, kind: 'STOPLOSS' }, 'sent'],
  ['a trigger of a kind that nobody knows', { order_type: 'ORDER_TYPE_NEW' }, { triggerPrice: 149_500 }, 'sent'],
  ['a leg size', ICEBERG, { legSize: 6 }, 'sent'],
  ['a leg size that is all of it', ICEBERG, { legSize: 10 }, 'legSize'],
  ['a leg size of what is no iceberg', {}, { legSize: 5 }, 'legSize'],
  ['a leg size of a stop loss', STOPLOSS, { legSize: 5 }, 'legSize'],
  [
    'a stop loss without its condition is a regular order',
    { ...INTENT, ...STOPLOSS, trigger_price: 0 },
    { condition: null },
    'sent',
  ],
  ['a condition', INTENT, { condition: { when: 'AT_OR_ABOVE', price: 149_000 } }, 'sent'],
  ['a condition off the tick', INTENT, { condition: { when: 'AT_OR_ABOVE', price: 149_003 } }, 'conditionPrice'],
  [
    'a condition of a stop loss',
    { ...INTENT, ...STOPLOSS },
    { condition: { when: 'AT_OR_ABOVE', price: 5 } },
    'condition',
  ],
  ['a stop loss below the entry', INTENT, { stop: { trigger: 140_000, limit: 139_000 } }, 'sent'],
  ['a stop loss above the entry', INTENT, { stop: { trigger: 160_000, limit: 159_000 } }, 'stopLoss'],
  [
    'a stop loss above the new entry',
    INTENT,
    { price: 139_000, stop: { trigger: 140_000, limit: 139_000 } },
    'stopLoss',
  ],
  [
    'a stop loss above what has filled',
    { ...INTENT, filled_qty: 4 },
    { stop: { trigger: 160_000, limit: 159_000 } },
    'sent',
  ],
  [
    'a stop loss above an entry that nobody knows',
    { ...INTENT, price_type: 'MARKET', order_price: 0 },
    { stop: { trigger: 160_000, limit: 159_000 } },
    'sent',
  ],
  [
    'a target below a sale',
    { ...INTENT, order_side: 'ORDER_SIDE_SELL' },
    { target: { trigger: 140_000, limit: 140_000 } },
    'sent',
  ],
  ['exits, taken off', INTENT, { stop: null, target: null, exitTime: null }, 'sent'],
])('%s is sent or refused', async (_, record, change, said) => {
  expect(await dryRun(record, change)).toBe(said);
});

it('guards see the order as it becomes', async () => {
  expect(await dryRun({}, { quantity: 20 }, { maxQuantity: 19 })).toBe('maxQuantity');
  expect(await dryRun({}, { quantity: 20 }, { maxQuantity: 20 })).toBe('sent');
  expect(await dryRun({}, { price: 150_000 }, { allowedProducts: ['CNC'] })).toBe('allowedProducts');
  expect(await dryRun({ order_delivery_type: null }, { price: 150_000 }, { allowedProducts: ['CNC'] })).toBe('sent');
  expect(await dryRun({}, { price: 160_000 }, { maxOrderValue: 1_599_999 })).toBe('maxOrderValue');
});
