/** Signs that an order shows a change: a change called done too early leaves a stop loss where nobody expects it. */
import { showsChange } from '../../../client/orders/changing/modify-order';
import type { OrderChange } from '../../../client/orders/model/order-terms';
import type { OrderRecord } from '../../../client/endpoints/orders';
import type { JsonObject } from '../../../client/values/json';

const EXIT_TIME = '2026-11-20T15:00:00+05:30';
const ENTRY_TIME = '2026-11-20T11:00:00+05:30';

/** An order of the older interface: a stop loss to buy 10 at ₹1,500, in legs of 5. */
const V2 = {
  order_id: '1',
  order_type: 'ORDER_TYPE_STOPLOSS',
  order_side: 'ORDER_SIDE_BUY',
  order_qty: 10,
  order_price: 150_000,
  algo_params: { trigger_price: 149_500, leg_size: 5 },
  last_modified: '1',
} as unknown as OrderRecord;

/** The same order as intent orders tell it, with these exits. */
const intent = (exits: readonly JsonObject[], more: JsonObject = {}): OrderRecord =>
  ({ ...V2, intent_status: 'OPEN', exits, ...more }) as unknown as OrderRecord;

const STOP = { kind: 'STOPLOSS', status: 'OPEN', trigger_price: 140_000, limit_price: 139_000 };
const TARGET = { kind: 'TARGET_PROFIT', status: 'OPEN', trigger_price: 160_000, limit_price: 159_000 };
const TIME = { kind: 'EXIT_TIME', status: 'OPEN', exit_time: EXIT_TIME };
const TRAILING = {
  kind: 'TRAILING_STOP',
  status: 'OPEN',
  trigger_price: 140_000,
  limit_price: 139_000,
  trail_jump: 500,
};
const stop = { trigger: 140_000, limit: 139_000 };
const target = { trigger: 160_000, limit: 159_000 };

it.each<[string, OrderChange, OrderChange]>([
  ['quantity', { quantity: 10 }, { quantity: 9 }],
  ['price', { price: 150_000 }, { price: 150_005 }],
  ['trigger price', { triggerPrice: 149_500 }, { triggerPrice: 149_505 }],
  ['leg size', { legSize: 5 }, { legSize: 4 }],
  ['kind', { kind: 'STOPLOSS' }, { kind: 'REGULAR' }],
])('shows its %s, and no other', (_, shown, other) => {
  expect(showsChange(V2, shown, V2)).toBe(true);
  expect(showsChange(V2, other, V2)).toBe(false);
  // One that is there does not make up for one that is missing.
  expect(showsChange(V2, { quantity: 10, price: 150_000, ...other }, V2)).toBe(false);
});

it.each<[string, OrderRecord, OrderChange, OrderChange[]]>([
  [
    'a stop loss',
    intent([STOP]),
    { stop },
    [{ stop: { ...stop, trigger: 140_005 } }, { stop: { ...stop, limit: 139_005 } }, { stop: null }],
  ],
  [
    'a target',
    intent([TARGET]),
    { target },
    [{ target: { ...target, trigger: 160_005 } }, { target: { ...target, limit: 159_005 } }, { target: null }],
  ],
  [
    'an exit time',
    intent([TIME]),
    { exitTime: Date.parse(EXIT_TIME) },
    [{ exitTime: Date.parse(EXIT_TIME) + 60_000 }, { exitTime: null }],
  ],
  [
    'an entry time',
    intent([], { entry_time: ENTRY_TIME }),
    { entryTime: Date.parse(ENTRY_TIME) },
    [{ entryTime: Date.parse(ENTRY_TIME) + 60_000 }, { entryTime: null }],
  ],
  ['no stop loss', intent([TARGET]), { stop: null }, [{ stop }]],
  ['no target', intent([STOP]), { target: null }, [{ target }]],
  ['no exit time', intent([STOP]), { exitTime: null }, [{ exitTime: Date.parse(EXIT_TIME) }]],
  ['no entry time', intent([]), { entryTime: null }, [{ entryTime: Date.parse(ENTRY_TIME) }]],
  [
    'none of the exits that were taken off',
    intent([STOP, TARGET].map((exit) => ({ ...exit, status: 'CANCELLED' }))),
    { stop: null, target: null },
    [{ stop }, { target }],
  ],
])('shows %s, and nothing else', (_, order, shown, others) => {
  expect(showsChange(order, shown, order)).toBe(true);
  for (const other of others) expect([other, showsChange(order, other, order)]).toEqual([other, false]);
});

describe('a stop loss that trails', () => {
  const trailing = { trigger: 140_000, limit: 139_000, jump: 500 };
  const movedTo = (trigger: number, last_modified = '2') =>
    intent([{ ...TRAILING, trigger_price: trigger }], { last_modified });
  const before = intent([{ ...TRAILING, trigger_price: 138_000 }]);

  it('shows its step, and goes on trailing where nothing is said of it', () => {
    const order = intent([TRAILING]);
    expect(showsChange(order, { stop: trailing }, before)).toBe(true);
    expect(showsChange(order, { stop: { trigger: 140_000, limit: 139_000 } }, before)).toBe(true);
    expect(showsChange(order, { stop: { ...trailing, jump: 600 } }, before)).toBe(false);
    expect(showsChange(order, { stop: { ...trailing, jump: null } }, before)).toBe(false);
  });

  it('may have moved on in favour since, and never against it', () => {
    expect(showsChange(movedTo(140_500), { stop: trailing }, before)).toBe(true);
    expect(showsChange(movedTo(139_500), { stop: trailing }, before)).toBe(false);
    const short = { order_side: 'ORDER_SIDE_SELL', last_modified: '2' };
    const shortAt = (trigger: number) => intent([{ ...TRAILING, trigger_price: trigger }], short);
    expect(showsChange(shortAt(139_500), { stop: trailing }, before)).toBe(true);
    expect(showsChange(shortAt(140_500), { stop: trailing }, before)).toBe(false);
  });

  it('is not changed where it equals the former one, or nothing has modified the order', () => {
    const higher = intent([{ ...TRAILING, trigger_price: 141_000 }]);
    expect(showsChange(movedTo(141_000), { stop: trailing }, higher)).toBe(false);
    expect(showsChange(movedTo(140_500, '1'), { stop: trailing }, before)).toBe(false);
  });
});

describe('what intent orders leave out', () => {
  it('is believed of a price only when the order was modified since', () => {
    const without = (last_modified: string) => intent([], { order_price: 0, last_modified });
    expect(showsChange(without('2'), { price: 150_005 }, V2)).toBe(true);
    expect(showsChange(without('1'), { price: 150_005 }, V2)).toBe(false);
    // Another price is another price, and the older interface leaves out none.
    expect(showsChange(intent([], { order_price: 150_010, last_modified: '2' }), { price: 150_005 }, V2)).toBe(false);
    expect(showsChange({ ...V2, order_price: 0, last_modified: '2' } as OrderRecord, { price: 150_005 }, V2)).toBe(
      false,
    );
  });

  it('is believed of a last day only when the order was modified since', () => {
    expect(showsChange(intent([], { last_modified: '2' }), { goodTill: '2026-12-01' }, V2)).toBe(true);
    expect(showsChange(intent([]), { goodTill: '2026-12-01' }, V2)).toBe(false);
  });
});
