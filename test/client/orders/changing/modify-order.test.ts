/** Check of a modification before it is sent: the order is checked with its new terms. */
import type { OrderRecord } from '../../../../client/endpoints/orders';
import type { Guards } from '../../../../client/orders/model/guard-settings';
import { intentApi } from '../../../../client/orders/api/intent/intent';
import { modifyOrder, showsChange } from '../../../../client/orders/changing/modify-order';
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

/** Makes a dry run. @returns the body of the request, or the parameter of the refusal, or what it says where it has none */
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
    (error: unknown) => (error as { parameter?: string }).parameter ?? (error as Error).message,
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
  ['an order that does not tell its validity', { validity_type: null }, { quantity: 5 }, 'sent'],
  ['a price of an order that does not tell its quantity', { order_qty: null }, { price: 150_000 }, 'updateFields'],
  [
    'a trigger of an order that does not tell its quantity',
    { ...STOPLOSS, order_qty: 0 },
    { triggerPrice: 149_500 },
    'updateFields',
  ],
  ['a price and the quantity that is not told', { order_qty: null }, { price: 150_000, quantity: 5 }, 'sent'],
  [
    'an exit of an order that does not tell its quantity',
    { ...INTENT, order_qty: null },
    { stop: { trigger: 140_000, limit: 139_000 } },
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
  ['a trigger of a market order', { order_type: 'ORDER_TYPE_MARKET' }, { triggerPrice: 149_500 }, 'sent'],
  [
    'a trigger with a kind, in place of one that nobody knows',
    { order_type: 'ORDER_TYPE_NEW' },
    { triggerPrice: 149_500, kind: 'STOPLOSS' },
    'sent',
  ],
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

it.each<[what: string, record: object, says: RegExp]>([
  [
    'a side',
    { order_side: 'ORDER_SIDE_SHORT' },
    /^Order \d+ has the side "SHORT", which is not known here: it was not/,
  ],
  ['a product', { order_delivery_type: 'ORDER_DELIVERY_TYPE_MTF' }, /the product "MTF"/],
  ['a kind', { order_type: 'ORDER_TYPE_NEW' }, /the order type "NEW"/],
  ['a price type', { price_type: 'PEGGED' }, /the price type "PEGGED"/],
  ['a validity', { validity_type: 'GTC' }, /the validity "GTC"/],
  ['no side, or one', { order_side: null }, /^Order 5 does not tell its side: it was not changed/],
  ['no product, or one', { order_delivery_type: '' }, /^Order 5 does not tell its product/],
])('an order with %s that nobody knows is not changed', async (_, record, says) => {
  expect(await dryRun(record, { quantity: 5 })).toMatch(says);
});

it('guards see the order as it becomes', async () => {
  expect(await dryRun({}, { quantity: 20 }, { maxQuantity: 19 })).toBe('maxQuantity');
  expect(await dryRun({}, { quantity: 20 }, { maxQuantity: 20 })).toBe('sent');
  expect(await dryRun({}, { price: 150_000 }, { allowedProducts: ['CNC'] })).toBe('allowedProducts');
  expect(await dryRun({ order_delivery_type: null }, { price: 150_000 }, { allowedProducts: ['CNC'] })).toMatch(
    /does not tell its product/,
  );
  expect(await dryRun({ order_qty: null }, { price: 150_000 }, { maxQuantity: 1 })).toBe('updateFields');
  expect(await dryRun({}, { price: 160_000 }, { maxOrderValue: 1_599_999 })).toBe('maxOrderValue');
});

describe('an order shows a change', () => {
  const stop = { kind: 'STOPLOSS', status: 'OPEN', trigger_price: 140_000, limit_price: 139_000 };
  const target = { kind: 'TARGET_PROFIT', status: 'OPEN', trigger_price: 160_000, limit_price: 159_000 };
  const exitTime = '2026-11-27T15:10:00+05:30';
  const timed = { kind: 'EXIT_TIME', status: 'OPEN', exit_time: exitTime };
  const entry = { entry_condition: { when: 'AT_OR_ABOVE', trigger_price: 149_000 }, entry_time: exitTime };
  const full = { ...ORDER, ...INTENT, ...entry, last_modified: '1', exits: [stop, target, timed] };
  const shows = (change: OrderChange, record: object = {}, before: object = full): boolean =>
    showsChange({ ...full, ...record } as OrderRecord, change, before as OrderRecord);

  it.each<[string, OrderChange, OrderChange]>([
    ['the quantity', { quantity: 10 }, { quantity: 11 }],
    ['the limit price', { price: 150_000 }, { price: 150_005 }],
    ['the kind', { kind: 'REGULAR' }, { kind: 'STOPLOSS' }],
    ['the stop loss', { stop: { trigger: 140_000, limit: 139_000 } }, { stop: { trigger: 140_005, limit: 139_000 } }],
    [
      'the limit of the stop loss',
      { stop: { trigger: 140_000, limit: 139_000 } },
      { stop: { trigger: 140_000, limit: 139_005 } },
    ],
    ['the target', { target: { trigger: 160_000, limit: 159_000 } }, { target: { trigger: 160_005, limit: 159_000 } }],
    [
      'the limit of the target',
      { target: { trigger: 160_000, limit: 159_000 } },
      { target: { trigger: 160_000, limit: 159_005 } },
    ],
    ['the exit time', { exitTime: Date.parse(exitTime) }, { exitTime: Date.parse(exitTime) + 1 }],
    [
      'the price of the condition',
      { condition: { when: 'AT_OR_ABOVE', price: 149_000 } },
      { condition: { when: 'AT_OR_ABOVE', price: 149_005 } },
    ],
    [
      'the side of the condition',
      { condition: { when: 'AT_OR_ABOVE', price: 149_000 } },
      { condition: { when: 'AT_OR_BELOW', price: 149_000 } },
    ],
    ['the entry time', { entryTime: Date.parse(exitTime) }, { entryTime: Date.parse(exitTime) + 1 }],
  ])('shows %s by the same value, and by no other', (_, same, other) => {
    expect([shows(same), shows(other)]).toEqual([true, false]);
    // One that is shown beside it makes up for nothing.
    expect(shows({ quantity: 10, ...other })).toBe(false);
  });

  it('shows a change that takes something off once it is gone', () => {
    const none = { exits: [], entry_condition: null, entry_time: null };
    const off = [{ stop: null }, { target: null }, { exitTime: null }, { condition: null }, { entryTime: null }];
    for (const change of off) expect([shows(change), shows(change, none)]).toEqual([false, true]);
    const cancelled = { exits: [stop, target, timed].map((exit) => ({ ...exit, status: 'CANCELLED' })) };
    for (const change of off.slice(0, 3)) expect(shows(change, cancelled)).toBe(true);
  });

  it('shows a last day, or a price that the record lacks, by having been modified since', () => {
    expect([
      shows({ goodTill: '2026-12-01' } as OrderChange),
      shows({ goodTill: '2026-12-01' } as OrderChange, { last_modified: '2' }),
    ]).toEqual([false, true]);
    const priceless = { order_price: 0 };
    expect(shows({ price: 150_005 }, priceless)).toBe(false);
    expect(shows({ price: 150_005 }, { ...priceless, last_modified: '2' })).toBe(true);
    // A limit that is shown proves that it is another one.
    expect(shows({ price: 150_005 }, { last_modified: '2' })).toBe(false);
    expect(shows({ price: 150_005 }, { ...priceless, last_modified: '2', intent_status: undefined })).toBe(false);
  });

  it.each<[string, object, number, boolean]>([
    ['at its new level', {}, 140_000, true],
    ['where it was before the change', {}, 139_000, false],
    ['above its new level, after a modification', { last_modified: '2', trigger: 141_000 }, 140_500, true],
    ['above its new level, as it was before', { last_modified: '1', trigger: 141_000 }, 140_500, false],
    ['below its new level', { last_modified: '2', trigger: 139_500 }, 140_500, false],
  ])('a trailing stop of a purchase %s shows the change or not', (_, now, trigger, isShown) => {
    const { trigger: at = 140_000, ...record } = now as { trigger?: number };
    const trailing = (level: number) => ({
      exits: [{ ...stop, kind: 'TRAILING_STOP', trail_jump: 100, trigger_price: level }],
    });
    const before = { ...full, ...trailing(140_000) };
    expect(shows({ stop: { trigger, limit: trigger } }, { ...record, ...trailing(at) }, before)).toBe(isShown);
    expect(shows({ stop: { trigger: 140_000, limit: 5, jump: 100 } }, trailing(140_000), before)).toBe(true);
    expect(shows({ stop: { trigger: 140_000, limit: 5, jump: 200 } }, trailing(140_000), before)).toBe(false);
  });

  it('a trailing stop of a sale moves down in its owner’s favour', () => {
    const trailing = (level: number) => ({
      order_side: 'ORDER_SIDE_SELL',
      exits: [{ ...stop, kind: 'TRAILING_STOP', trail_jump: 100, trigger_price: level }],
    });
    const before = { ...full, ...trailing(150_000) };
    const change = { stop: { trigger: 149_000, limit: 149_000 } };
    expect(shows(change, { ...trailing(148_000), last_modified: '2' }, before)).toBe(true);
    expect(shows(change, { ...trailing(149_500), last_modified: '2' }, before)).toBe(false);
  });
});

describe('a filled order', () => {
  const GUARDS: Guards = { ...DRY, dryRun: false };
  const change = async (record: object, changed: OrderChange): Promise<unknown> => {
    const { time, model, context } = market({ has: () => 'intent' });
    const on = { ...context, ...intentApi(context.transport) };
    const order = { ...ORDER, ...INTENT, ...record } as unknown as OrderRecord;
    const input = { order, instrument: INFY, change: changed, guards: [GUARDS], unit: 'rupees', waitMs: 0 } as const;
    const result = await time.run(modifyOrder(input, on).catch((error: unknown) => error));
    return [(result as { result?: string }).result, model.requests.length > 0];
  };
  const filled = { order_status: 'ORDER_STATUS_FILLED', filled_qty: 10 };
  const exits = [{ kind: 'STOPLOSS', status: 'OPEN', trigger_price: 140_000, limit_price: 139_000 }];
  const stop = { trigger: 141_000, limit: 140_000 };

  it('takes, while its exits are open, a change of them, and none of its entry', async () => {
    expect(await change({ ...filled, exits }, { stop })).toEqual([expect.not.stringMatching('too_late'), true]);
    expect(await change({ ...filled, exits }, { stop, quantity: 5 })).toEqual(['too_late', false]);
    expect(await change({ ...filled, exits }, { price: 150_010 })).toEqual(['too_late', false]);
  });

  it('takes no change without open exits', async () => {
    expect(await change(filled, { stop })).toEqual(['too_late', false]);
  });
});

it('guards see the limits of the exits that a change sets', async () => {
  const guards = { maxPriceDistance: 500 };
  const short = { ...INTENT, order_side: 'ORDER_SIDE_SELL' };
  const far = { trigger: 152_000, limit: 225_000 };
  const { time, context } = market();
  const transport = { ...context.transport, call: async () => ({ price: 150_000 }) };
  const on = {
    ...context,
    ...intentApi(context.transport),
    transport: transport as unknown as typeof context.transport,
  };
  const change = async (changed: OrderChange, record: object = short): Promise<unknown> => {
    const order = { ...ORDER, ...record } as unknown as OrderRecord;
    const input = {
      order,
      instrument: INFY,
      change: changed,
      guards: [{ ...DRY, ...guards }],
      unit: 'rupees',
      waitMs: 0,
    } as const;
    return await time.run(modifyOrder(input, on).catch((error: { parameter?: string }) => error.parameter));
  };
  expect(await change({ stop: far })).toBe('maxPriceDistance');
  expect(await change({ stop: { trigger: 152_000, limit: 153_000 } })).toMatchObject({ body: {} });
  expect(await change({ target: { trigger: 140_000, limit: 140_000 } })).toMatchObject({ body: {} });
});
