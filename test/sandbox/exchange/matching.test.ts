import { SHARE } from '../../support/still-market';
import { trading } from '../../support/trading';

describe('Matching', () => {
  test('a trade is at the resting price: price improvement over several levels, at most the limit', () => {
    const t = trading();
    const id = t.place({ quantity: 250, price: 150_020 });
    expect(t.fills(id)).toEqual([
      [150_010, 100],
      [150_020, 100],
    ]);
    expect(t.order(id)).toMatchObject({
      status: 'PARTIAL_FILLED',
      filledQuantity: 200,
      filledValue: 150_010 * 100 + 150_020 * 100,
    });
    expect(t.story(id)).toEqual(['received', 'sent', 'accepted', 'trade', 'trade']);
  });

  test('quantity that was taken is gone as long as others show the same, and comes with their next orders', () => {
    const t = trading();
    const take = (): [number, number][] => t.fills(t.place({ quantity: 60, price: 150_010, validity: 'IOC' }));
    expect(take()).toEqual([[150_010, 60]]);
    expect(take()).toEqual([[150_010, 40]]);
    t.pass(3000);
    expect(take()).toEqual([]);
    t.market.shown = 90;
    t.pass(1000);
    expect(take()).toEqual([[150_010, 60]]);
  });

  test('IOC fills what crosses and cancels the rest at once', () => {
    const t = trading();
    const id = t.place({ quantity: 150, price: 150_010, validity: 'IOC' });
    expect(t.fills(id)).toEqual([[150_010, 100]]);
    expect(t.order(id)).toMatchObject({ status: 'CANCELLED', filledQuantity: 100 });
    expect(t.story(id).at(-1)).toBe('cancelled');
  });

  test('a market order stops at its protection and the rest is cancelled', () => {
    const t = trading();
    t.market.shown = 1;
    const id = t.place({ quantity: 50, priceType: 'MARKET', price: 0, refId: 7001 });
    expect(t.order(id).status).toBe('CANCELLED');
    expect(t.order(id).reason).toMatch(/protection/);
    expect(t.fills(id).length).toBe(20);
  });

  test('a user joins the back of the queue shown at the price: what others trade there goes to those ahead first', () => {
    const t = trading();
    t.market.traded = 60;
    const id = t.place({ quantity: 50, price: 149_990 });
    t.market.prices.set(7001, 149_990);
    t.pass(1000);
    expect(t.fills(id)).toEqual([]);
    const u = trading();
    const behind = u.place({ quantity: 50, price: 149_990 });
    u.market.traded = 120;
    u.market.prices.set(7001, 149_990);
    u.pass(1000);
    expect(u.fills(behind)).toEqual([[149_990, 20]]);
  });

  test('cancels of others go from the back of the queue: nobody moves up', () => {
    const t = trading();
    const id = t.place({ quantity: 10, price: 149_990 });
    for (const shown of [150, 100]) {
      t.market.shown = shown;
      t.pass(1000);
    }
    t.place({ quantity: 100, price: 149_990, side: 'SELL', account: 'C' });
    expect(t.fills(id)).toEqual([]);
    t.place({ quantity: 10, price: 149_990, side: 'SELL', account: 'C' });
    expect(t.fills(id)).toEqual([[149_990, 10]]);
  });

  test('the first of two users at a price is served first, and each at its own price', () => {
    const t = trading();
    const first = t.place({ quantity: 30, price: 150_000, account: 'A' });
    const second = t.place({ quantity: 30, price: 150_000, account: 'B' });
    const seller = t.place({ quantity: 40, price: 149_900, side: 'SELL', account: 'C' });
    expect(t.fills(first)).toEqual([[150_000, 30]]);
    expect(t.fills(second)).toEqual([[150_000, 10]]);
    expect(t.fills(seller)).toEqual([
      [150_000, 30],
      [150_000, 10],
    ]);
  });

  test("others' orders that cross a resting user's order trade with it at its price", () => {
    const t = trading();
    const id = t.place({ quantity: 150, price: 149_800 });
    t.market.prices.set(7001, 149_780);
    t.pass(1000);
    expect(t.fills(id)).toEqual([[149_800, 100]]);
    t.pass(3000);
    expect(t.fills(id)).toEqual([[149_800, 100]]);
    const book = t.exchange.bookSnapshot(t.market.universe(0).byRefId(7001)!, t.now(), 5);
    expect(book.bids[0]!.price).toBeLessThan(book.asks[0]!.price);
  });

  test('quantity and orders of a shown level shrink when they are taken, and a trade between users counts once', () => {
    const t = trading();
    t.market.shown = 90;
    t.place({ quantity: 30, price: 150_010 });
    expect(t.exchange.bookSnapshot(SHARE, t.now(), 1)).toMatchObject({
      asks: [{ price: 150_010, quantity: 60, orders: 2 }],
      lastPrice: 150_010,
      lastQuantity: 30,
      volume: 30,
    });
    t.place({ quantity: 10, price: 150_000, account: 'B' });
    t.place({ quantity: 10, price: 150_000, side: 'SELL', account: 'C' });
    expect(t.exchange.bookSnapshot(SHARE, t.now(), 1)).toMatchObject({
      lastPrice: 150_000,
      lastQuantity: 10,
      volume: 40,
    });
  });

  test('an account never trades with itself', () => {
    const t = trading();
    t.place({ quantity: 30, price: 150_000 });
    const own = t.place({ quantity: 40, price: 150_000, side: 'SELL' });
    expect(t.fills(own)).toEqual([]);
    expect(t.story(own).at(-1)).toBe('unsolicited_cancel');
  });
});
