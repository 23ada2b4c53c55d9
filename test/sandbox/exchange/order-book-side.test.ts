import { exchangeHours } from '../../../sandbox/src/exchange/trading-hours';
import { OrderBookSide } from '../../../sandbox/src/exchange/order-book-side';
import type { WorkingOrder } from '../../../sandbox/src/exchange/working-order';
import { jumpCount } from '../../../sandbox/src/exchange/strategies/exit-triggers';
import { CALL, FUTURE, SHARE, stillMarket } from '../../support/still-market';
import { trading } from '../../support/trading';

describe('A side of a book', () => {
  /** An order that works in a book. */
  function order(): WorkingOrder {
    const t = trading();
    const id = t.place({ price: 149_000 });
    return { ...t.exchange.state().store.orders.find((order) => order.order.id === id)!, entry: undefined };
  }

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
