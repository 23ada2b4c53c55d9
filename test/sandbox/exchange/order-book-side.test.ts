import fc from 'fast-check';
import { allotAuctionTrades, auctionEquilibrium, pushedPrice, quantityAt } from '../../../sandbox/src/exchange/auction';
import { TimedQueue } from '../../../sandbox/src/exchange/schedule';
import { exchangeHours } from '../../../sandbox/src/exchange/trading-hours';
import { OrderBookSide } from '../../../sandbox/src/exchange/order-book-side';
import type { WorkingOrder } from '../../../sandbox/src/exchange/working-order';
import { jumpCount } from '../../../sandbox/src/exchange/strategies/exit-triggers';
import { CALL, FUTURE, SHARE, stillMarket } from '../../support/still-market';
import { trading } from '../../support/trading';

/** An order that works in a book. */
function order(): WorkingOrder {
  const t = trading();
  const id = t.place({ price: 149_000 });
  return { ...t.exchange.state().store.orders.find((order) => order.order.id === id)!, entry: undefined };
}

/** An entry of a queue, as plain lists keep it. */
interface Plain {
  price: number;
  quantity: number;
  orders: number;
  isUser: boolean;
}

/** One side of a book by lists that are sorted for each question. */
class PlainSide {
  entries: Plain[] = [];
  constructor(private readonly side: 'BUY' | 'SELL') {}

  /** Best first, each price in the order of its queue. */
  sorted(): Plain[] {
    return this.entries.toSorted((a, b) => (this.side === 'BUY' ? b.price - a.price : a.price - b.price));
  }
  reduce(entry: Plain, quantity: number): void {
    entry.orders = Math.ceil((entry.orders * (entry.quantity - quantity)) / entry.quantity);
    entry.quantity -= quantity;
    this.entries = this.entries.filter((one) => one.quantity > 0);
  }
  othersAt(price: number): Plain[] {
    return this.entries.filter((one) => one.price === price && !one.isUser);
  }
  shrink(price: number, to: number): void {
    let much = this.othersAt(price).reduce((sum, { quantity }) => sum + quantity, 0) - to;
    for (const entry of this.othersAt(price).reverse()) {
      if (much <= 0) break;
      const off = Math.min(much, entry.quantity);
      much -= off;
      this.reduce(entry, off);
    }
  }
  reconcile(target: readonly { price: number; quantity: number; orders: number }[]): void {
    for (const price of new Set(this.entries.map((entry) => entry.price)))
      this.shrink(price, target.find((level) => level.price === price)?.quantity ?? 0);
    for (const { price, quantity, orders } of target) {
      const missing = quantity - this.othersAt(price).reduce((sum, entry) => sum + entry.quantity, 0);
      if (missing > 0)
        this.entries.push({
          price,
          quantity: missing,
          orders: Math.ceil((orders * missing) / quantity),
          isUser: false,
        });
    }
  }
  withdrawBetter(price: number): void {
    const better = this.sorted().filter((entry) => (this.side === 'BUY' ? entry.price > price : entry.price < price));
    for (const entry of better) {
      // A user's order keeps its place, and what is behind it.
      if (entry.isUser) return;
      this.reduce(entry, entry.quantity);
    }
  }
}

describe('A side of a book', () => {
  const prices = fc.integer({ min: 95, max: 105 });
  const levels = fc.uniqueArray(
    fc.record({ price: prices, quantity: fc.integer({ min: 1, max: 40 }), orders: fc.integer({ min: 1, max: 9 }) }),
    {
      selector: ({ price }) => price,
      maxLength: 6,
    },
  );
  const deed = fc.oneof(
    fc.record({
      what: fc.constant('add' as const),
      price: prices,
      quantity: fc.integer({ min: 1, max: 30 }),
      isUser: fc.boolean(),
    }),
    fc.record({ what: fc.constant('reduce' as const), which: fc.nat(20), part: fc.integer({ min: 1, max: 10 }) }),
    fc.record({ what: fc.constant('reconcile' as const), levels }),
  );
  const own = order();

  test.each(['BUY', 'SELL'] as const)('is what plain lists of its orders would be, whatever happens: %s', (which) => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 12 }), (deeds) => {
        const side = new OrderBookSide(which);
        const plain = new PlainSide(which);
        for (const done of deeds) {
          if (done.what === 'add') {
            side.add(done.price, done.quantity, done.isUser ? 1 : 3, done.isUser ? own : undefined);
            plain.entries.push({ ...done, orders: done.isUser ? 1 : 3 });
          } else if (done.what === 'reconcile') {
            const better = (a: { price: number }, b: { price: number }) =>
              which === 'BUY' ? b.price - a.price : a.price - b.price;
            side.reconcile(done.levels.toSorted(better));
            plain.reconcile(done.levels);
          } else {
            const sorted = plain.sorted();
            const entry = sorted[done.which % Math.max(1, sorted.length)];
            if (entry === undefined) continue;
            const off = Math.min(entry.quantity, done.part);
            const at = sorted.filter(({ price }) => price === entry.price).indexOf(entry);
            let found = side.at(entry.price)!.first!;
            for (let step = 0; step < at; step++) found = found.after!;
            side.reduce(found, off);
            plain.reduce(entry, off);
          }
          const sorted = plain.sorted();
          expect(
            side
              .state()
              .levels.flatMap(({ price, entries }) =>
                entries.map(([id, quantity, orders]) => ({ price, quantity, orders, isUser: id !== 0n })),
              ),
          ).toEqual(sorted.map(({ price, quantity, orders, isUser }) => ({ price, quantity, orders, isUser })));
          const users = sorted.filter(({ isUser }) => isUser);
          expect([side.users, side.bestUserPrice(), side.best?.price]).toEqual([
            users.length,
            users[0]?.price,
            sorted[0]?.price,
          ]);
          for (const price of [95, 100, 105]) {
            const reached = sorted.filter((one) => (which === 'BUY' ? one.price >= price : one.price <= price));
            expect(quantityAt(side, price)).toBe(reached.reduce((sum, { quantity }) => sum + quantity, 0));
          }
          for (const { price, quantity, ambient, users: count } of side.levels) {
            const here = sorted.filter((one) => one.price === price);
            const sum = (some: Plain[]) => some.reduce((total, one) => total + one.quantity, 0);
            expect([quantity, ambient, count]).toEqual([
              sum(here),
              sum(here.filter(({ isUser }) => !isUser)),
              here.filter(({ isUser }) => isUser).length,
            ]);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ['SELL', [101, 102, 103], 2, [103]],
    ['SELL', [101, 102, 103], 1, [102, 103]],
    ['SELL', [101, 102, 103], 0, [101, 102, 103]],
    ['SELL', [101, 102, 103], -2, [101, 102, 103]],
    ['SELL', [], 5, []],
    ['BUY', [99, 98, 97], -2, [97]],
    ['BUY', [99, 98, 97], 0, [99, 98, 97]],
    ['BUY', [99, 98, 97], 2, [99, 98, 97]],
  ] as const)('withdraws of the %s orders at %j those nearer than %i: %j are left', (which, before, shift, after) => {
    const side = new OrderBookSide(which);
    const shown = before.map((price) => ({ price, quantity: 10, orders: 2 }));
    side.reconcile(side.remainingAmbient(shown));
    const [best] = before;
    if (best !== undefined) side.add(best, 1, 1, own);
    side.withdrawNearer(shift);
    expect(side.levels.filter(({ ambient }) => ambient > 0).map(({ price }) => price)).toEqual(after);
    expect(side.users).toBe(best === undefined ? 0 : 1);
  });

  test('withdraws what is better than a price, and nothing at it', () => {
    for (const [which, price, left] of [
      ['SELL', 102, [102, 103]],
      ['BUY', 102, [102, 101]],
      ['SELL', 100, [101, 102, 103]],
    ] as const) {
      const side = new OrderBookSide(which);
      for (const at of [101, 102, 103]) side.add(at, 5, 1, undefined);
      side.withdrawBetter(price);
      expect(side.levels.map((level) => level.price)).toEqual(left);
    }
  });

  test('keeps what was taken of a level as long as others show the same there, of each level by itself', () => {
    const side = new OrderBookSide('SELL');
    const shown = (...quantities: number[]) =>
      quantities
        .map((quantity, at) => ({ price: 101 + at, quantity, orders: 2 }))
        .filter(({ quantity }) => quantity > 0);
    const left = (...quantities: number[]) =>
      side.remainingAmbient(shown(...quantities)).map(({ quantity }) => quantity);
    side.reconcile(side.remainingAmbient(shown(10, 20, 30)));
    side.reduce(side.at(102)!.first!, 5);
    side.reduce(side.at(103)!.first!, 30);
    expect(left(10, 20, 30)).toEqual([10, 15]);
    expect(left(0, 20, 30)).toEqual([15]);
    expect(left(0, 20, 31)).toEqual([15, 31]);
    expect(left(7, 21, 31)).toEqual([7, 21]);
  });

  test('counts the orders of users that rest on it', () => {
    const side = new OrderBookSide('BUY');
    side.add(100, 5, 1, undefined);
    expect([side.users, side.bestUserPrice()]).toEqual([0, undefined]);
    const entry = side.add(99, 5, 1, order());
    expect([side.users, side.bestUserPrice()]).toEqual([1, 99]);
    side.reduce(entry, 4);
    expect(side.users).toBe(1);
    side.remove(entry);
    expect([side.users, side.bestUserPrice()]).toEqual([0, undefined]);
  });

  test('offers nothing at a level of others that is used up, as long as they show the same', () => {
    const side = new OrderBookSide('SELL');
    const shown = [{ price: 101, quantity: 7, orders: 2 }];
    side.reconcile(side.remainingAmbient(shown));
    side.remove(side.levels[0]!.first!);
    expect(side.remainingAmbient(shown)).toEqual([]);
    expect(side.remainingAmbient([{ price: 101, quantity: 8, orders: 2 }])).toHaveLength(1);
  });

  test('comes back from its state with everybody in the same place', () => {
    const side = new OrderBookSide('BUY');
    const own = order();
    side.add(100, 5, 2, undefined);
    own.entry = side.add(100, 3, 1, own);
    const again = new OrderBookSide('BUY');
    again.restore(side.state(), (id) => {
      expect(id).toBe(own.order.id);
      return own;
    });
    expect([again.users, again.shown(5)]).toEqual([1, [{ price: 100, quantity: 8, orders: 3 }]]);
    expect(again.state()).toEqual(side.state());
    expect(own.entry).toBe(again.levels[0]!.last);
  });
});

describe('A call auction', () => {
  const ladder = fc.array(fc.tuple(fc.integer({ min: 96, max: 104 }), fc.integer({ min: 1, max: 20 })), {
    maxLength: 5,
  });
  const sideOf = (which: 'BUY' | 'SELL', orders: readonly [number, number][]) => {
    const side = new OrderBookSide(which);
    for (const [price, quantity] of orders) side.add(price, quantity, 1, undefined);
    return side;
  };

  test('trades most, leaves least over, is nearest to the reference, and of two as near the higher', () => {
    fc.assert(
      fc.property(ladder, ladder, fc.integer({ min: 95, max: 105 }), (bought, sold, reference) => {
        const sum = (some: readonly [number, number][]) => some.reduce((total, [, quantity]) => total + quantity, 0);
        const ranked = [...new Set([...bought, ...sold].map(([price]) => price))]
          .map((price) => {
            const demand = sum(bought.filter(([limit]) => limit >= price));
            const supply = sum(sold.filter(([limit]) => limit <= price));
            const ranks = [-Math.min(demand, supply), Math.abs(demand - supply), Math.abs(price - reference), -price];
            return { price, quantity: Math.min(demand, supply), ranks };
          })
          .sort((a, b) => a.ranks.map((rank, at) => rank - b.ranks[at]!).find((difference) => difference !== 0) ?? 0);
        const best = ranked[0];
        const found = auctionEquilibrium(sideOf('BUY', bought), sideOf('SELL', sold), reference);
        if (best === undefined || best.quantity === 0) expect(found).toBeUndefined();
        else expect(found).toMatchObject({ price: best.price, quantity: best.quantity });
      }),
      { numRuns: 200, examples: [[[[102, 5]], [[98, 5]], 100]] },
    );
  });

  test('gives what it trades to the best prices, and of a price to the first', () => {
    const side = new OrderBookSide('BUY');
    for (const [price, quantity] of [
      [100, 5],
      [101, 3],
      [100, 4],
    ] as const)
      side.add(price, quantity, 1, undefined);
    const hits: [number, number][] = [];
    allotAuctionTrades(side, 9, ({ level }, quantity) => hits.push([level.price, quantity]));
    expect(hits).toEqual([
      [101, 3],
      [100, 5],
      [100, 1],
    ]);
    expect(side.shown(5)).toEqual([{ price: 100, quantity: 3, orders: 1 }]);
  });

  test('is pushed as far as those who push still trade there', () => {
    fc.assert(
      fc.property(fc.integer({ min: -40, max: 40 }), fc.nat(3), fc.constantFrom(1, 5), (push, slope, tick) => {
        const alone = 1_000;
        const way = Math.sign(push);
        /** The further the price is away, the less it is pushed. */
        const pushedBy = (price: number) =>
          alone + way * tick * Math.max(0, Math.abs(push) - (slope * Math.abs(price - alone)) / tick);
        const ticks = Array.from({ length: 50 }, (_, count) => alone + way * count * tick);
        const expected = push === 0 ? alone : ticks.findLast((price) => (pushedBy(price) - price) * way >= 0);
        expect(pushedPrice(alone, tick, pushedBy)).toBe(expected);
      }),
    );
  });
});

test('tasks are taken by their instant, those of one instant in the order in which they were added', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(8), { nil: undefined }), { maxLength: 40 }), (deeds) => {
      let queue = new TimedQueue<{ name: number }>();
      const plain: { due: number; name: number }[] = [];
      deeds.forEach((due, name) => {
        if (due === undefined) {
          plain.sort((a, b) => a.due - b.due || a.name - b.name);
          const task = queue.take();
          expect(task && { due: task.due, name: task.name }).toEqual(plain.shift());
        } else {
          queue.add(due, { name });
          plain.push({ due, name });
        }
        const again = new TimedQueue<{ name: number }>();
        again.restore(queue.state());
        queue = again;
        expect(queue.nextDue()).toBe(plain.length === 0 ? undefined : Math.min(...plain.map((task) => task.due)));
      });
    }),
  );
});

describe('The hours of a day', () => {
  const at = (time: string) => Date.parse(`2026-11-23T${time}+05:30`);
  const hours = exchangeHours(stillMarket().calendar);

  test.each([SHARE, FUTURE])('follow each other without a gap from midnight to midnight', (instrument) => {
    let next = at('00:00:00');
    while (next < at('00:00:00') + 86_400_000) {
      const { from, to } = hours.phase(instrument, next);
      expect([from, to > from, hours.phase(instrument, to - 1).from]).toEqual([next, true, from]);
      next = to;
    }
    expect(next).toBe(at('00:00:00') + 86_400_000);
  });

  test.each([
    [SHARE, '08:00:00', '15:30:00'],
    [SHARE, '10:00:00', '15:30:00'],
    [SHARE, '15:29:59', '15:30:00'],
    [SHARE, '15:30:00', '16:00:00'],
    [FUTURE, '15:29:59', '15:30:00'],
  ])('end an order of the day: row %#', (instrument, time, closes) => {
    expect(hours.close(instrument, at(time))).toBe(at(closes));
  });

  test('end an order of the day with the day where no session is left', () => {
    expect(hours.close(FUTURE, at('15:30:00'))).toBe(at('00:00:00') + 86_400_000);
  });
});

test('derivatives have no session before and after that of shares', () => {
  const hours = exchangeHours(stillMarket().calendar);
  const phases = (time: string) =>
    [SHARE, FUTURE, CALL].map((instrument) => hours.phase(instrument, Date.parse(`2026-11-23T${time}+05:30`)).phase);
  expect(phases('09:05:00')).toEqual(['PRE_OPEN', 'CLOSED', 'CLOSED']);
  expect(phases('09:15:00')).toEqual(['OPEN', 'OPEN', 'OPEN']);
  expect(phases('15:45:00')).toEqual(['POST_CLOSE', 'CLOSED', 'CLOSED']);
});

test('a stop does not trail without a fill', () => {
  expect(jumpCount(100, 1, 150_000, { value: 0, quantity: 0 })).toBe(0);
});
