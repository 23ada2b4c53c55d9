import fc from 'fast-check';
import type { ExchangeEvent } from '../../../sandbox/src/exchange/types';
import type { Order, OrderStatus } from '../../../sandbox/src/shared/orders';
import { IS_WHOLE } from '../../support/sample';
import { SHARE, stillMarket } from '../../support/still-market';
import { limitOrder, trading, type Trading } from '../../support/trading';

const RUNS = Number(process.env.PROPERTY_RUNS ?? (IS_WHOLE ? 200 : 25));

/** Deterministic noise in place of a market: the price walks over ±30 ticks, some steps trade, depth varies. */
function walkingMarket(seed: number): ReturnType<typeof stillMarket> {
  const market = stillMarket();
  const noise = (n: number, salt: number): number =>
    Math.abs(Math.sin((n % 100_003) * 12.9898 + salt * 78.233 + seed) * 43_758.5453) % 1;
  market.price = (_instrument, at) => 150_000 + 10 * Math.round(60 * noise(Math.floor(at / 1000), 1) - 30);
  market.volume = (_instrument, from, to) => (from < to ? Math.floor(200 * noise(Math.floor(to / 1000), 2)) : 0);
  market.depth = ({ tickSize }, at, around, levels) => {
    const side = (direction: 1 | -1): { price: number; quantity: number; orders: number }[] =>
      Array.from({ length: levels }, (_, n) => ({
        price: around + direction * tickSize * (n + 1),
        quantity: 1 + Math.floor(80 * noise(Math.floor(at / 1000) + n, direction + 5)),
        orders: 2,
      }));
    return { bids: side(-1), asks: side(1) };
  };
  return market;
}

type Command =
  | { do: 'place'; order: Parameters<typeof limitOrder>[0] }
  | { do: 'cancel' | 'modify'; which: number; change: { quantity?: number; price?: number } }
  | { do: 'pass'; ms: number };

const price = fc.integer({ min: -25, max: 25 }).map((ticks) => 150_000 + 10 * ticks);
const quantity = fc.integer({ min: 1, max: 120 });
const order = fc
  .record({
    account: fc.constantFrom('A', 'B', 'C'),
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    quantity,
    price,
    validity: fc.constantFrom('DAY' as const, 'DAY' as const, 'IOC' as const),
    priceType: fc.constantFrom('LIMIT' as const, 'LIMIT' as const, 'MARKET' as const),
  })
  .chain((plain) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constant(plain) },
      {
        weight: 1,
        arbitrary: fc.constant({
          ...plain,
          validity: 'DAY' as const,
          priceType: 'LIMIT' as const,
          kind: 'ICEBERG' as const,
          quantity: plain.quantity + 10,
          legSize: 10,
        }),
      },
      {
        weight: 1,
        arbitrary: fc.integer({ min: 0, max: 20 }).map((ticks) => ({
          ...plain,
          validity: 'DAY' as const,
          priceType: 'LIMIT' as const,
          kind: 'STOPLOSS' as const,
          triggerPrice: plain.price + (plain.side === 'BUY' ? -10 : 10) * ticks,
        })),
      },
    ),
  );
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('place' as const), order }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('cancel' as const, 'modify' as const),
      which: fc.nat(1000),
      change: fc.record({ quantity, price }, { requiredKeys: [] }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 2500 }) }) },
);
const commands = fc.array(command, { minLength: 5, maxLength: 60 });

/** Runs commands; `look` is called after each. */
function run(t: Trading, list: Command[], look: () => void = () => undefined, settle = true, ids: bigint[] = []): void {
  for (const command of list) {
    if (command.do === 'pass') t.pass(command.ms);
    else if (command.do === 'place') {
      const placed = t.exchange.place(limitOrder(command.order), t.now());
      if (placed.ok) ids.push(placed.order.id);
    } else if (ids.length > 0) {
      const id = ids[command.which % ids.length]!;
      if (command.do === 'cancel') t.exchange.cancel(id, t.now());
      else t.exchange.modify(id, command.change, t.now());
    }
    look();
  }
  if (!settle) return;
  t.pass(5000);
  look();
}

const latency = { send: [1, 20], exchange: [1, 300], list: [1, 500] } as const;
const start = (seed: number): Trading => trading({ seed, market: walkingMarket(seed), latency });

const NEXT: Record<OrderStatus, OrderStatus[]> = {
  PENDING: ['SENT', 'REJECTED'],
  SENT: ['OPEN', 'REJECTED'],
  OPEN: ['PARTIAL_FILLED', 'FILLED', 'TRIGGERED', 'CANCELLED', 'EXPIRED'],
  TRIGGERED: ['PARTIAL_FILLED', 'FILLED', 'CANCELLED', 'EXPIRED'],
  PARTIAL_FILLED: ['FILLED', 'CANCELLED', 'EXPIRED'],
  FILLED: [],
  CANCELLED: [],
  REJECTED: [],
  EXPIRED: [],
};

/** Event types that leave the status unaltered; a trade may, when one part fill follows another. */
const KEEPS = new Set<ExchangeEvent['type']>(['modified', 'modify_rejected', 'cancel_rejected', 'trade']);

describe('invariants of the exchange', () => {
  test('the book is never crossed after matching', () => {
    fc.assert(
      fc.property(fc.nat(10_000), commands, (seed, list) => {
        const t = start(seed);
        run(t, list, () => {
          const { bids, asks } = t.exchange.bookSnapshot(SHARE, t.now(), 100);
          if (bids[0] && asks[0]) expect(bids[0].price).toBeLessThan(asks[0].price);
          expect([...bids, ...asks].filter((level) => !(level.quantity > 0))).toEqual([]);
        });
      }),
      { numRuns: RUNS },
    );
  });

  test('fills never exceed the order, keep within its limit, and add up to what the order says', () => {
    fc.assert(
      fc.property(fc.nat(10_000), commands, (seed, list) => {
        const t = start(seed);
        run(t, list);
        const sums = new Map<bigint, { quantity: number; value: number }>();
        for (const event of t.events) {
          if (event.type !== 'trade') continue;
          const { trade, order: after } = event;
          if (after.priceType === 'LIMIT') {
            if (after.side === 'BUY') expect(trade.price).toBeLessThanOrEqual(after.price);
            else expect(trade.price).toBeGreaterThanOrEqual(after.price);
          }
          const sum = sums.get(after.id) ?? { quantity: 0, value: 0 };
          sums.set(after.id, {
            quantity: sum.quantity + trade.quantity,
            value: sum.value + trade.price * trade.quantity,
          });
          expect(sums.get(after.id)).toEqual({ quantity: after.filledQuantity, value: after.filledValue });
          expect(after.filledQuantity).toBeLessThanOrEqual(after.quantity);
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('each change of an order is exactly one event, and every event is a change', () => {
    fc.assert(
      fc.property(fc.nat(10_000), commands, (seed, list) => {
        const t = start(seed);
        const known = new Map<bigint, Order>();
        t.exchange.onEvent((event) => {
          const before = known.get(event.order.id);
          if (before === undefined) expect(event).toMatchObject({ type: 'received', order: { status: 'PENDING' } });
          else if (before.status === event.order.status) expect(KEEPS).toContain(event.type);
          else expect(NEXT[before.status]).toContain(event.order.status);
          known.set(event.order.id, event.order);
        });
        run(t, list, () => {
          expect([...known.keys()].map((id) => t.exchange.order(id))).toEqual([...known.values()]);
        });
        expect(t.events.map(({ seq }) => seq)).toEqual(t.events.map((_, n) => n + 1));
      }),
      { numRuns: RUNS },
    );
  });

  test('the same seed and commands give the same events, however time is cut', () => {
    fc.assert(
      fc.property(fc.nat(10_000), commands, (seed, list) => {
        const trading = start(seed);
        const two = start(seed);
        run(trading, list);
        run(
          two,
          list.flatMap((step): Command[] =>
            step.do === 'pass'
              ? [
                  { do: 'pass', ms: Math.floor(step.ms / 3) },
                  { do: 'pass', ms: step.ms - Math.floor(step.ms / 3) },
                ]
              : [step],
          ),
          () => void two.exchange.bookSnapshot(SHARE, two.now(), 5),
        );
        expect(two.events).toEqual(trading.events);
      }),
      { numRuns: RUNS },
    );
  });

  test('an exchange made again from its state goes on as if nothing had been', () => {
    fc.assert(
      fc.property(fc.nat(10_000), commands, commands, (seed, before, after) => {
        const trading = start(seed);
        run(trading, before, undefined, false);
        const two = trading.revived();
        expect(two.exchange.state()).toEqual(trading.exchange.state());
        const ids = [...new Set(trading.events.map(({ order }) => order.id))];
        run(trading, after, undefined, true, [...ids]);
        run(two, after, undefined, true, [...ids]);
        expect(two.events).toEqual(trading.events);
        expect(two.exchange.state()).toEqual(trading.exchange.state());
      }),
      { numRuns: RUNS },
    );
  });

  test('quantity is conserved: what others show is traded once, level by level, whoever takes it and whenever', () => {
    const taker = fc.record({
      side: fc.constantFrom('BUY' as const, 'SELL' as const),
      quantity: fc.integer({ min: 1, max: 400 }),
      levels: fc.integer({ min: 1, max: 12 }),
      wait: fc.integer({ min: 0, max: 250 }),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.array(taker, { minLength: 1, maxLength: 30 }),
        (shown, takers) => {
          const t = trading();
          t.market.shown = shown;
          const middle = t.market.prices.get(SHARE.refId)!;
          const left = { BUY: Array.from({ length: 20 }, () => shown), SELL: Array.from({ length: 20 }, () => shown) };
          for (const [index, { side, quantity: size, levels, wait }] of takers.entries()) {
            const direction = side === 'BUY' ? 1 : -1;
            const id = t.place({
              side,
              quantity: size,
              price: middle + direction * levels * SHARE.tickSize,
              validity: 'IOC',
              account: `account ${index}`,
            });
            let requested = size;
            const expected: [number, number][] = [];
            for (let level = 0; level < levels && requested > 0; level += 1) {
              const hit = Math.min(requested, left[side][level]!);
              left[side][level]! -= hit;
              requested -= hit;
              if (hit > 0) expected.push([middle + direction * (level + 1) * SHARE.tickSize, hit]);
            }
            expect(t.fills(id)).toEqual(expected);
            t.pass(wait);
          }
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('users trade among themselves: a trade has two sides, and priority is that of a plain sorted list', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            { weight: 5, arbitrary: fc.tuple(fc.constantFrom('BUY' as const, 'SELL' as const), quantity, price) },
            { weight: 1, arbitrary: fc.nat(1000) },
          ),
          { minLength: 20, maxLength: 80 },
        ),
        (list) => {
          const t = trading();
          t.market.shown = 0;
          const ids: bigint[] = [];
          const plain = plainExchange();
          for (const step of list) {
            if (typeof step === 'number') {
              if (ids.length === 0) continue;
              t.exchange.cancel(ids[step % ids.length]!, t.now());
              t.pass(0);
              plain.cancel(step % ids.length);
            } else {
              const [side, size, limit] = step;
              ids.push(t.place({ side, quantity: size, price: limit, account: `account ${ids.length}` }));
              plain.place(side, size, limit);
            }
          }
          const fills = t.events.flatMap((event) =>
            event.type === 'trade' ? [[ids.indexOf(event.order.id), event.trade.price, event.trade.quantity]] : [],
          );
          expect(fills).toEqual(plain.fills);
        },
      ),
      { numRuns: RUNS },
    );
  });
});

/** The rule itself, in the plainest words: sort by price, then by number; trade at the price of the one that waited. */
function plainExchange(): {
  place(side: 'BUY' | 'SELL', quantity: number, price: number): void;
  cancel(number: number): void;
  fills: number[][];
} {
  const resting: { number: number; side: 'BUY' | 'SELL'; left: number; price: number }[] = [];
  const fills: number[][] = [];
  let count = 0;
  return {
    fills,
    place(side, left, limit) {
      const incoming = { number: count++, side, left, price: limit };
      const others = resting
        .filter(
          (other) =>
            other.side !== side && other.left > 0 && (side === 'BUY' ? other.price <= limit : other.price >= limit),
        )
        .sort((a, b) => (side === 'BUY' ? a.price - b.price : b.price - a.price) || a.number - b.number);
      for (const other of others) {
        const traded = Math.min(incoming.left, other.left);
        if (traded === 0) break;
        incoming.left -= traded;
        other.left -= traded;
        fills.push([incoming.number, other.price, traded], [other.number, other.price, traded]);
      }
      resting.push(incoming);
    },
    cancel(number) {
      const found = resting.find((item) => item.number === number);
      if (found !== undefined) found.left = 0;
    },
  };
}
