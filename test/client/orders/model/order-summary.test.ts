/** The sentence of an order or an event: for a message to the user. */
import {
  EVENT_LABELS,
  eventSummary,
  orderSummary,
  type ReportedTrade,
} from '../../../../client/orders/model/order-summary';
import { readOrder } from '../../../../client/orders/model/order-record';
import { orderEventsFields } from '../../../../nodes/BrokerageTrigger/watches/orderEvents.fields';

const record = (more = {}) =>
  readOrder({
    ...{ order_id: '5', basket_id: '0', ref_id: 7, order_side: 'ORDER_SIDE_BUY', order_status: 'ORDER_STATUS_OPEN' },
    ...{ order_type: 'ORDER_TYPE_REGULAR', order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC', price_type: 'LIMIT' },
    ...{ order_qty: 1_000, order_price: 12_34_567, exchange: 'NSE', ref_data: { stock_name: 'INFY' } },
    ...more,
  });
const exit = (kind: string, trigger: number, status = 'OPEN', more = {}) => ({
  ...{ kind, trigger_price: trigger, limit_price: null, status, filled_qty: 0 },
  ...more,
});

it.each([
  ['Open: buy 1,000 INFY (Delivery) at ₹12,345.67.', {}],
  ['Open: buy 1,000 INFY (Delivery) at the market.', { price_type: 'MARKET', order_price: 0 }],
  [
    'Open: sell 1,000 INFY (Intraday) at ₹12,345.67 once the price reaches ₹12,400.00.',
    {
      ...{ order_side: 'ORDER_SIDE_SELL', order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY' },
      ...{ order_type: 'ORDER_TYPE_STOPLOSS', algo_params: { trigger_price: 12_40_000 } },
    },
  ],
  [
    'Filled: bought 1,000 INFY (Delivery) at ₹12,340.00.',
    { order_status: 'ORDER_STATUS_FILLED', filled_qty: 1_000, avg_filled_price: 12_34_000 },
  ],
  [
    'Partly filled: bought 400 of 1,000 INFY (Delivery) at ₹12,340.00.',
    { order_status: 'ORDER_STATUS_PARTIAL_FILLED', filled_qty: 400, avg_filled_price: 12_34_000 },
  ],
  ['Filled: bought 1,000 INFY (Delivery), the price is not told yet.', { order_status: 'ORDER_STATUS_FILLED' }],
  [
    'Filled: bought 1,000 INFY (Delivery) at ₹12,340.00, trailing stop at ₹12,000.00, target at ₹13,000.00, exits end at the close of the day.',
    {
      ...{ order_status: 'ORDER_STATUS_FILLED', filled_qty: 1_000, avg_filled_price: 12_34_000 },
      exits: [
        exit('TRAILING_STOP', 12_00_000, 'OPEN', { trail_jump: 100 }),
        exit('TARGET_PROFIT', 13_00_000),
        exit('STOPLOSS', 11_00_000, 'CANCELLED'),
      ],
    },
  ],
  [
    'Filled: bought 1,000 INFY (Intraday) at ₹12,340.00, stop loss at ₹12,000.00.',
    {
      ...{ order_status: 'ORDER_STATUS_FILLED', filled_qty: 1_000, avg_filled_price: 12_34_000 },
      order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
      exits: [exit('STOPLOSS', 12_00_000)],
    },
  ],
  [
    'Rejected: buy 1,000 INFY (Delivery) at ₹12,345.67, stop loss at ₹12,000.00. why.',
    { order_status: 'ORDER_STATUS_REJECTED', rejection_msg: 'why', exits: [exit('STOPLOSS', 12_00_000)] },
  ],
  [
    'Cancelled: bought 400 of 1,000 INFY (Delivery) at ₹12,340.00. There is not enough margin for this order.',
    {
      ...{ order_status: 'ORDER_STATUS_CANCELLED', filled_qty: 400, avg_filled_price: 12_34_000 },
      rejection_msg: 'INSUFFICIENT_MARGIN',
    },
  ],
  [
    'Cancelled: bought 400 of 1,000 INFY (Delivery) at ₹12,340.00. A market order does not wait where nobody trades the rest at an allowed price.',
    {
      ...{ order_status: 'ORDER_STATUS_CANCELLED', filled_qty: 400, avg_filled_price: 12_34_000 },
      ...{ price_type: 'MARKET', validity_type: 'DAY' },
    },
  ],
  [
    'Cancelled: bought 400 of 1,000 INFY (Delivery) at ₹12,340.00. An IOC order does not wait where nobody trades the rest at an allowed price.',
    {
      ...{ order_status: 'ORDER_STATUS_CANCELLED', filled_qty: 400, avg_filled_price: 12_34_000 },
      validity_type: 'IOC',
    },
  ],
  [
    'Cancelled: buy 1,000 INFY (Delivery) at ₹12,345.67.',
    { order_status: 'ORDER_STATUS_CANCELLED', rejection_msg: 'by the user' },
  ],
  [
    'Filled: bought 1,000 INFY (Delivery) at ₹12,340.00, closed by its stop loss.',
    {
      ...{ order_status: 'ORDER_STATUS_FILLED', filled_qty: 1_000, avg_filled_price: 12_34_000 },
      exits: [exit('STOPLOSS', 11_00_000, 'FILLED')],
    },
  ],
  [
    'Filled: bought 1,000 INFY (Intraday) at ₹12,340.00, stop loss at ₹12,000.00, reached but not filled yet.',
    {
      ...{ order_status: 'ORDER_STATUS_FILLED', filled_qty: 1_000, avg_filled_price: 12_34_000 },
      order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
      exits: [exit('STOPLOSS', 12_00_000, 'TRIGGERED')],
    },
  ],
  [
    'Rejected: buy 1,000 INFY (Delivery) at ₹12,345.67. no reason that anybody knows.',
    { order_status: 'ORDER_STATUS_REJECTED', rejection_msg: 'no reason that anybody knows' },
  ],
  [
    'trade 0 ref_id 7.',
    {
      order_id: '5',
      order_side: '',
      order_status: '',
      order_delivery_type: '',
      order_qty: 0,
      order_price: 0,
      ref_data: null,
    },
  ],
])('%s', (sentence, more) => {
  expect(orderSummary(record(more))).toBe(sentence);
});

it('tells the exit time of an order while it is open', () => {
  const order = record({ order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY', exits: [exit('STOPLOSS', 12_00_000)] });
  const exitAt = Date.parse('2026-11-20T09:35:00Z');
  const placed = 'Open: buy 1,000 INFY (Intraday) at ₹12,345.67, stop loss at ₹12,000.00';
  expect(orderSummary(order, undefined, exitAt)).toBe(`${placed}, exit at 15:05.`);
  expect(orderSummary(order, '2026-11-24', exitAt)).toBe(`${placed}, exit on 20 Nov 2026 at 15:05, until 24 Nov 2026.`);
});

it('an order that waits for days is told with its last day, until it has ended', () => {
  expect(orderSummary(record(), '2026-12-24')).toBe(
    'Open: buy 1,000 INFY (Delivery) at ₹12,345.67, until 24 Dec 2026.',
  );
  const filled = record({ order_status: 'ORDER_STATUS_FILLED', filled_qty: 1_000, avg_filled_price: 12_34_000 });
  expect(orderSummary(filled, '2026-12-24')).toBe('Filled: bought 1,000 INFY (Delivery) at ₹12,340.00.');
  const guarded = record({ exits: [exit('STOPLOSS', 12_00_000)] });
  expect(orderSummary(guarded, '2026-12-24')).toBe(
    'Open: buy 1,000 INFY (Delivery) at ₹12,345.67, stop loss at ₹12,000.00, until 24 Dec 2026.',
  );
});

it('an event begins with its name in the panel, and tells of its trade or its exit', () => {
  const order = record({ order_status: 'ORDER_STATUS_PARTIAL_FILLED', filled_qty: 400, avg_filled_price: 12_34_000 });
  const trade: ReportedTrade = { side: 'SELL', quantity: 400, price: 12_00_000, instrument: order.instrument };
  expect(eventSummary({ type: 'fill', order }, trade)).toBe('Fill: sold 400 INFY (Delivery) at ₹12,000.00.');
  expect(eventSummary({ type: 'fill', order }, { ...trade, side: null, price: 0 })).toBe(
    'Fill: traded 400 INFY (Delivery), the price is not told yet.',
  );
  const stop = { kind: 'stop', status: 'TRIGGERED', trigger: 12_00_000, trails: false } as const;
  expect(eventSummary({ type: 'stopLossTriggered', order, exit: stop })).toBe(
    'Stop Loss Triggered: bought 400 of 1,000 INFY (Delivery) at ₹12,340.00, stop loss at ₹12,000.00.',
  );
  expect(eventSummary({ type: 'exitTimeReached', order: { ...order, kind: 'strategy' } })).toBe(
    'Exit Time Reached: basket 5.',
  );
  expect(eventSummary({ type: 'rejected', order: { ...record(), reason: 'why' } })).toBe(
    'Order Rejected: buy 1,000 INFY (Delivery) at ₹12,345.67. why.',
  );
});

it('a basket is told by its legs, and whether it entered or was closed', () => {
  const order = record();
  const leg = (refId: number, symbol: string, side: string) => ({
    ...{ refId, side, filled: 65, averagePrice: 100 },
    instrument: { ...order.instrument, refId, symbol },
  });
  const legs = [leg(1, 'NIFTY26D0822800CE', 'SELL'), leg(2, 'NIFTY26D0823000CE', 'BUY')];
  const stop = { kind: 'stop', status: 'OPEN', trigger: -42_50, trails: false } as const;
  const basket = { ...order, kind: 'strategy', legs, averagePrice: -27_00, exits: [stop] } as const;
  expect(eventSummary({ type: 'executed', order: basket }, undefined, 'entered')).toBe(
    'Order Completed: basket entered: sold 65 NIFTY 8 Dec 2026 22,800 CE, bought 65 NIFTY 8 Dec 2026 23,000 CE, ₹27.00 received for each unit.',
  );
  expect(eventSummary({ type: 'executed', order: { ...basket, averagePrice: 0 } }, undefined, 'entered')).toBe(
    'Order Completed: basket entered: sold 65 NIFTY 8 Dec 2026 22,800 CE, bought 65 NIFTY 8 Dec 2026 23,000 CE.',
  );
  expect(eventSummary({ type: 'stopLossTriggered', order: basket, exit: stop })).toBe(
    'Stop Loss Triggered: basket of NIFTY 8 Dec 2026 22,800 CE, NIFTY 8 Dec 2026 23,000 CE, stop loss where closing costs ₹42.50.',
  );
  const closed = { ...basket, exits: [{ ...stop, status: 'FILLED' }] } as const;
  expect(eventSummary({ type: 'executed', order: closed }, undefined, 'closed')).toBe(
    'Order Completed: basket closed by its stop loss: NIFTY 8 Dec 2026 22,800 CE, NIFTY 8 Dec 2026 23,000 CE.',
  );
  expect(eventSummary({ type: 'executed', order: basket }, undefined, 'closed')).toBe(
    'Order Completed: basket closed: NIFTY 8 Dec 2026 22,800 CE, NIFTY 8 Dec 2026 23,000 CE.',
  );
  expect(eventSummary({ type: 'executed', order: { ...basket, legs: [] } }, undefined, 'closed')).toBe(
    'Order Completed: basket 5 closed.',
  );
});

it('events have the names of the panel', () => {
  const options = orderEventsFields.find(({ name }) => name === 'events')!.options as { name: string; value: string }[];
  for (const [event, label] of Object.entries(EVENT_LABELS))
    expect(options.find(({ value }) => value === event)?.name).toBe(label);
});
