/** Behaviour of a keeper of exits while a portfolio briefly lacks a position that is still held. */
import type { Clock, Moment } from '../../../client/base/ports';
import { ShownPositions } from '../../../client/closing/shown-positions';
import {
  HeldExitEmulator,
  type HeldExitDeps,
  type HeldExitEvent,
} from '../../../client/exit-emulation/held-exit-emulator';
import type { TradedInstrument } from '../../../client/orders/model/order-terms';

const INFY = { refId: 7, symbol: 'INFY', exchange: 'NSE', tickSize: 10, lotSize: 1 } as unknown as TradedInstrument;
const READS_EVERY_MS = 10_000;
const positionOf = (units: number, more: object): object => ({
  ref_id: 7,
  symbol: 'INFY',
  exchange: 'NSE',
  product: 'ORDER_DELIVERY_TYPE_IDAY',
  order_side: units > 0 ? 'BUY' : 'SELL',
  qty: Math.abs(units),
  avg_price: 100_000,
  segment: 'stocks',
  ...more,
});

/** An account that holds ten of a share, and its keeper. @param more fields of the position @param orders of the day */
function emulatedAccount(
  more: object = {},
  orders: readonly object[] = [],
  from = '2026-11-23T10:00:00+05:30',
  exits: object = { trail: { points: 500 } },
) {
  let now = Date.parse(from);
  let quantity = 10;
  let changed = {};
  const reports: HeldExitEvent['what'][] = [];
  const errors: string[] = [];
  const clock = {
    now: () => now,
    moment: (inMs = 0) => (now + inMs) as unknown as Moment,
    since: (moment: Moment) => now - (moment as unknown as number),
  };
  const states: HeldExitDeps['states'] = {};
  const kept = new HeldExitEmulator({
    context: {
      transport: { clock, marketClock: clock },
      scope: 'sandbox/me',
      shown: new ShownPositions(clock as unknown as Clock),
      orders: { list: () => Promise.resolve(orders) },
      baskets: { list: () => Promise.resolve([]) },
    } as unknown as HeldExitDeps['context'],
    exits: exits as HeldExitDeps['exits'],
    instruments: () => Promise.resolve([INFY]),
    products: [],
    states,
    portfolio: () =>
      Promise.resolve({
        positions: { positions: quantity === 0 ? [] : [positionOf(quantity, { ...more, ...changed })] },
        holdings: { holdings: [] },
      } as unknown as Awaited<ReturnType<HeldExitDeps['portfolio']>>),
    requireSending: () => Promise.resolve(),
    bestSince: () => Promise.resolve(null),
    notify: (event) => {
      reports.push(event.what);
      if (event.what === 'failed') errors.push(`${event.error.message} ${event.error.hint}`);
    },
  });
  return {
    reports,
    errors,
    states,
    holds: (units: number) => (quantity = units),
    passes: (ms: number) => (now += ms),
    becomes: (fields: object) => (changed = fields),
    price: (lastPrice: number, previousClose: number, source: 'stream' | 'rest' = 'stream') =>
      kept.onPrice(7, { at: now, source, lastPrice, previousClose }),
    read: async () => {
      now += READS_EVERY_MS;
      await kept.cycle();
    },
  };
}

it('keeps its exits while a list lacks the position, and ends them once it was missing for half a minute', async () => {
  const { reports, states, holds, read } = emulatedAccount();
  await read();
  const [since] = Object.values(states).map((state) => state.since);
  holds(0);
  await read();
  await read();
  holds(10);
  await read();
  expect(reports).toEqual(['kept']);
  expect(Object.values(states).map((state) => state.since)).toEqual([since]);
  holds(0);
  for (let turn = 0; turn < 3; turn++) await read();
  expect(reports).toEqual(['kept']);
  await read();
  expect([reports, states]).toEqual([['kept', 'closedByHand'], {}]);
});

it('ends the exits of a position that has turned round at once, and keeps those of the other direction', async () => {
  const { reports, holds, read } = emulatedAccount();
  await read();
  holds(-10);
  await read();
  expect(reports).toEqual(['kept', 'closedByHand', 'kept']);
});

const CARRIED = { product: 'ORDER_DELIVERY_TYPE_CNC', segment: 'future' };
const SOLD = {
  ...{ ref_id: 7, order_id: '1', order_status: 'ORDER_STATUS_FILLED', order_side: 'ORDER_SIDE_SELL' },
  ...{ order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC', order_qty: 10, filled_qty: 10 },
};

it('keeps the exits of a position of an earlier day that the list lacks without an order, and says so once', async () => {
  const { reports, errors, states, holds, read } = emulatedAccount(CARRIED);
  await read();
  const [since] = Object.values(states).map((state) => state.since);
  holds(0);
  for (let turn = 0; turn < 20; turn++) await read();
  expect(reports).toEqual(['kept', 'failed']);
  expect(errors).toEqual([
    'INFY (Delivery) was not changed, because the list of positions lacks it, showed 10 of it at 10:00:10, and no order of the day explains that. Nothing was sent to change it. Its exits are kept until it is shown again.',
  ]);
  holds(10);
  await read();
  expect(Object.values(states).map((state) => state.since)).toEqual([since]);
});

it('keeps the exits of a position whose side the list does not tell, and says so once', async () => {
  const { reports, errors, becomes, read } = emulatedAccount();
  await read();
  becomes({ order_side: '?' });
  for (let turn = 0; turn < 20; turn++) await read();
  expect(reports).toEqual(['kept', 'failed']);
  expect(errors[0]).toMatch(/^INFY \(Intraday\) was not changed, because the service lists it with the side "\?"/);
  becomes({});
  await read();
  expect(reports).toEqual(['kept', 'failed']);
});

it('keeps the exits of a position that the list lacks while an order of it contradicts itself', async () => {
  const odd = {
    ...SOLD,
    order_qty: null,
    filled_qty: null,
    unreadable_reason: 'Order 1 is shown with 20 filled of 10.',
  };
  const { reports, errors, holds, read } = emulatedAccount(CARRIED, [odd]);
  await read();
  holds(0);
  for (let turn = 0; turn < 20; turn++) await read();
  expect(reports).toEqual(['kept', 'failed']);
  expect(errors).toEqual([
    'INFY (Delivery) was not changed, because order 1 is shown with 20 filled of 10. Nothing was sent to change it. Its exits are kept until it is shown again.',
  ]);
});

it('ends the exits of a position of an earlier day that an order of today has closed', async () => {
  const { reports, holds, read } = emulatedAccount(CARRIED, [SOLD]);
  await read();
  holds(0);
  for (let turn = 0; turn < 4; turn++) await read();
  expect(reports).toEqual(['kept', 'closedByHand']);
});

it('keeps the exits of a position of an earlier day while the list of the night is empty', async () => {
  const { reports, states, holds, passes, read } = emulatedAccount(CARRIED, [], '2026-11-23T23:50:00+05:30');
  await read();
  const [since] = Object.values(states).map((state) => state.since);
  passes(20 * 60_000);
  holds(0);
  for (let turn = 0; turn < 20; turn++) await read();
  passes(8.5 * 3_600_000);
  await read();
  expect(reports).toEqual(['kept']);
  // From 09:00 on it is the list of the day.
  passes(30 * 60_000);
  for (let turn = 0; turn < 3; turn++) await read();
  holds(10);
  await read();
  expect([reports, Object.values(states).map((state) => state.since)]).toEqual([['kept'], [since]]);
  holds(0);
  for (let turn = 0; turn < 5; turn++) await read();
  expect(reports).toEqual(['kept', 'failed']);
});

it('goes on by REST prices with what a former version stored', async () => {
  const { states, price, read } = emulatedAccount({}, [], undefined, { stop: { price: 95_000 } });
  await read();
  price(100_000, 100_000);
  const [state] = Object.values(states);
  const { best, at } = state!.prices!;
  Object.assign(state!, { prices: { best, at, askedAt: 0 } });
  await read();
  price(94_000, 100_000, 'rest');
  expect(state).toMatchObject({ reached: { reason: 'stop', price: 94_000 } });
  expect(Object.keys(state!.prices!)).toEqual(['best', 'at', 'requestedAt']);
});

const NIGHT_MS = 18 * 3_600_000;
const DELIVERED = { product: 'ORDER_DELIVERY_TYPE_CNC', segment: 'stock' };

/** A share that was held over the night before a bonus of 1 for 1, with the first price of the ex-date. */
async function overBonus(exits: object, adjusted: object) {
  const account = emulatedAccount(DELIVERED, [], '2026-11-25T15:28:00+05:30', exits);
  await account.read();
  account.price(112_000, 110_000);
  account.passes(NIGHT_MS);
  account.becomes(adjusted);
  await account.read();
  account.price(56_100, 56_000);
  return { ...account, state: () => Object.values(account.states)[0] };
}

it.each([
  ['a trailing stop', { trail: { points: 500 } }, {}],
  [
    'a stop loss in percent, with the average price that the broker has changed',
    { stop: { percent: 5 } },
    { qty: 20, avg_price: 50_000 },
  ],
])('sells nothing on the day of a bonus issue by %s, and goes on', async (_, exits, adjusted) => {
  const { errors, state, price } = await overBonus(exits, adjusted);
  expect([errors, state()?.reached, state()?.repriced]).toEqual([[], undefined, undefined]);
  price(40_000, 56_000);
  expect(state()?.reached).toMatchObject({ price: 40_000 });
});

it.each([
  ['as a price', { stop: { price: 95_000 } }, { qty: 20, avg_price: 50_000 }],
  ['in percent, while the average price is that of before', { stop: { percent: 5 } }, {}],
])(
  'sells nothing on the day of a bonus issue by a stop loss %s, and says that it waits',
  async (_, exits, adjusted) => {
    const { errors, state, price, becomes, read } = await overBonus(exits, adjusted);
    price(55_000, 56_000);
    expect(state()?.reached).toBeUndefined();
    expect(errors).toEqual([
      expect.stringMatching(
        /^INFY was last at ₹1,120.00 on the day before, and the exchange counts from ₹560.00 today, .* Its exits by price wait/,
      ),
    ]);
    becomes({ qty: 20, avg_price: 50_000 });
    await read();
    price(40_000, 56_000);
    expect(state()?.reached === undefined).toBe('price' in (exits.stop as object));
  },
);
