import fc from 'fast-check';
import { OrderBookSide } from '../../../sandbox/src/exchange/order-book-side';
import { sweepBook } from '../../../sandbox/src/exchange/sweep';
import type { WorkingOrder, QueueEntry } from '../../../sandbox/src/exchange/working-order';

const PRICE = 150_000;
/** All that the book's side looks at is whether there is an order, and whose. */
const user = (account: string): WorkingOrder => ({ order: { account } }) as WorkingOrder;

/** Quantity in front of an entry: of others, and of all. */
function ahead(entry: QueueEntry): { others: number; all: number } {
  let [others, all] = [0, 0];
  for (let item = entry.before; item !== undefined; item = item.before) {
    all += item.quantity;
    if (item.working === undefined) others += item.quantity;
  }
  return { others, all };
}

/** Others show so much at the price from now on, trade so much of what rests, or a user joins. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('shown' as const), quantity: fc.nat(200) }),
  fc.record({ kind: fc.constant('traded' as const), quantity: fc.integer({ min: 1, max: 80 }) }),
  fc.record({ kind: fc.constant('joined' as const), quantity: fc.integer({ min: 1, max: 50 }) }),
);

describe('A place in the queue', () => {
  it('gets nearer to the front by trades, and by cancels only of others who must have been in front; it never falls back', () => {
    let cancelsInFront = 0;
    fc.assert(
      fc.property(fc.nat(200), fc.array(step, { minLength: 1, maxLength: 25 }), (first, steps) => {
        const side = new OrderBookSide('BUY');
        const show = (quantity: number): void =>
          side.reconcile(quantity === 0 ? [] : [{ price: PRICE, quantity, orders: Math.ceil(quantity / 10) }]);
        show(first);
        const own = side.add(PRICE, 30, 1, user('A'));
        for (const { kind, quantity } of steps) {
          const before = ahead(own);
          const left = own.quantity;
          if (kind === 'joined') side.add(PRICE, quantity, 1, user('B'));
          else if (kind === 'shown') show(quantity);
          else sweepBook(side, PRICE, quantity, undefined, { traded: () => undefined });
          if (kind === 'traded') {
            const hit = Math.min(quantity, before.all);
            expect(before.all - hit).toBe(own.quantity === 0 ? 0 : ahead(own).all);
            expect(left - own.quantity).toBe(Math.min(left, quantity - hit));
            if (own.quantity === 0) return;
            continue;
          }
          expect(own.quantity).toBe(left);
          const now = ahead(own);
          // Users in front stay; of others, those that are still shown are the ones in front.
          expect(now.all - now.others).toBe(before.all - before.others);
          expect(now.others).toBe(kind === 'shown' ? Math.min(before.others, quantity) : before.others);
          if (now.others < before.others) cancelsInFront += 1;
        }
      }),
      { numRuns: 250, seed: 7 },
    );
    expect(cancelsInFront).toBeGreaterThan(50);
  });
});
