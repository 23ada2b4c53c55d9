import { FUTURE, SHARE } from '../../support/still-market';
import { trading } from '../../support/trading';

const at = (time: string): number => Date.parse(`2026-11-23T${time}+05:30`);
const day = (time: string): ReturnType<typeof trading> => {
  const t = trading({ hours: 'exchange', startAt: at(time) });
  t.market.shown = 0;
  return t;
};
const until = (t: ReturnType<typeof trading>, time: string): void => t.pass(at(time) - t.now());

describe('Sessions, pre-open call auction', () => {
  test('collects without trading, trades at the price of the greatest volume after a random close in the last minute', () => {
    const t = day('09:00:00');
    const buyer = t.place({ account: 'A', quantity: 60, price: 150_500 });
    const cheap = t.place({ account: 'B', quantity: 50, price: 150_100 });
    const seller = t.place({ account: 'C', quantity: 80, price: 150_050, side: 'SELL' });
    const dear = t.place({ account: 'D', quantity: 40, price: 150_400, side: 'SELL' });
    until(t, '09:06:59');
    expect(t.events.filter(({ type }) => type === 'trade')).toEqual([]);
    until(t, '09:08:00');
    expect(t.fills(buyer)).toEqual([[150_050, 60]]);
    expect(t.fills(cheap)).toEqual([[150_050, 20]]);
    expect(t.fills(seller)).toEqual([[150_050, 80]]);
    expect(t.fills(dear)).toEqual([]);
    const first = t.events.find(({ type }) => type === 'trade')!;
    expect(first.at).toBeGreaterThanOrEqual(BigInt(at('09:07:00')) * 1_000_000n);
    expect(first.at).toBeLessThan(BigInt(at('09:08:01')) * 1_000_000n);
  });

  test('the rest keeps its place in continuous trading', () => {
    const t = day('09:01:00');
    const early = t.place({ account: 'A', quantity: 20 });
    until(t, '09:15:01');
    const late = t.place({ account: 'B', quantity: 20 });
    t.place({ account: 'C', quantity: 20, side: 'SELL' });
    expect(t.order(early).status).toBe('FILLED');
    expect(t.fills(late)).toEqual([]);
  });

  test('takes no IOC and no stop-loss; takes nothing between its close and 09:15', () => {
    const t = day('09:01:00');
    expect(t.order(t.place({ validity: 'IOC' })).reason).toContain('no IOC orders');
    expect(t.order(t.place({ kind: 'STOPLOSS', triggerPrice: 149_990 })).reason).toContain('regular orders only');
    until(t, '09:10:00');
    expect(t.order(t.place()).reason).toContain('MARKET_CLOSED');
  });

  test('the future result of the auction is not the last price before it has found it', () => {
    const t = day('09:01:00');
    t.market.price = (_instrument, instant) => (instant < at('09:08:00') ? 150_000 : 151_000);
    t.place({ account: 'A', price: 152_000 });
    t.place({ account: 'B', side: 'SELL', price: 151_500 });
    until(t, '09:05:00');
    expect(t.exchange.lastPrice(SHARE, t.now())).toBe(150_000);
    until(t, '09:15:00');
    expect(t.exchange.lastPrice(SHARE, t.now())).toBe(151_000);
  });

  test('a market order that waits has no price, whatever a change says', () => {
    const t = day('09:01:00');
    const id = t.place({ priceType: 'MARKET', price: 0, quantity: 20 });
    expect(t.exchange.modify(id, { price: -5, quantity: 30 }, t.now())).toEqual({ ok: true });
    t.pass(1_000);
    expect(t.order(id)).toMatchObject({ quantity: 30, price: 0 });
  });

  test('a rest of a market order goes on as a limit order at the price found', () => {
    const t = day('09:01:00');
    const buyer = t.place({ account: 'A', quantity: 50, priceType: 'MARKET', price: 0 });
    t.place({ account: 'B', quantity: 20, price: 150_200, side: 'SELL' });
    until(t, '09:09:00');
    expect(t.fills(buyer)).toEqual([[150_200, 20]]);
    until(t, '09:16:00');
    expect(t.exchange.bookSnapshot(SHARE, t.now(), 1).bids).toEqual([{ price: 150_200, quantity: 30, orders: 1 }]);
  });
});

describe('Sessions, the day', () => {
  test('derivatives have no pre-open; DAY orders expire at the close', () => {
    const t = day('09:05:00');
    expect(t.order(t.place({ refId: FUTURE.refId, quantity: 65 })).reason).toContain('MARKET_CLOSED');
    until(t, '09:15:00');
    const id = t.place({ refId: FUTURE.refId, quantity: 65 });
    until(t, '15:29:59.999');
    expect(t.order(id).status).toBe('OPEN');
    until(t, '15:30:00');
    expect(t.order(id).status).toBe('EXPIRED');
    until(t, '15:32:00');
    expect(t.order(t.place({ refId: FUTURE.refId, quantity: 65 })).reason).toContain('MARKET_CLOSED');
  });

  test('trading after the close is at the closing price only, and ends with the session', () => {
    const t = day('15:40:00');
    t.market.shown = 100;
    const buyer = t.place({ quantity: 130, price: 151_000 });
    expect(t.fills(buyer)).toEqual([[150_000, 100]]);
    expect(t.order(t.place({ quantity: 10, price: 149_990 })).reason).toContain('closing price of 150000');
    until(t, '16:00:00');
    expect(t.order(buyer).status).toBe('EXPIRED');
  });

  test('nothing is due while nobody has an order', () => {
    const t = day('10:00:00');
    t.place({ validity: 'IOC' });
    t.pass(12_000);
    expect(t.exchange.nextDue()).toBe(at('23:59:59') + 1000);
  });
});

test('the exchange takes no price that is none, and no instrument that is none', () => {
  const t = day('10:00:00');
  for (const price of [0, -10, 0.5])
    expect(() => t.exchange.movePrice(SHARE.refId, price, t.now())).toThrow(`above 0, not ${price}`);
  expect(() => t.exchange.movePrice(1, 100, t.now())).toThrow('ref_id 1 is not an instrument');
});

test('others show one price after the close, that of the close', () => {
  const t = day('15:40:00');
  t.market.shown = 100;
  t.place({ quantity: 10, price: 150_000, side: 'SELL' });
  const { bids, asks } = t.exchange.bookSnapshot(SHARE, t.now(), 5);
  expect([bids, asks]).toEqual([
    [{ price: 150_000, quantity: 90, orders: 3 }],
    [{ price: 150_000, quantity: 100, orders: 3 }],
  ]);
});

test('the closing price, and the last price, stand still after the close while a push decays', () => {
  const t = day('15:20:00');
  t.market.shown = 10_000;
  t.market.liquidity = () => ({ volume: 100_000, lot: 1, volatility: 0.02, everywhere: 100_000 });
  t.place({ quantity: 20_000, price: 160_000, validity: 'IOC' });
  const seen = ['15:41:00', '15:50:00', '15:59:00'].map((time) => {
    until(t, time);
    const last = t.exchange.lastPrice(SHARE, t.now());
    const fills = t.fills(t.place({ account: time, quantity: 1, price: 170_000, validity: 'IOC' }));
    t.pass(20_000);
    return { last, price: fills[0]![0] };
  });
  expect(new Set(seen.map(({ price }) => price)).size).toBe(1);
  const [{ last, price }] = seen as [(typeof seen)[0]];
  expect(seen.map((one) => one.last)).toEqual([last, last, last]);
  // What was bought for the last ten minutes counts for a third of the half hour.
  expect(last).toBeGreaterThan(150_100);
  expect((price - 150_000) / (last - 150_000)).toBeGreaterThan(0.25);
  expect((price - 150_000) / (last - 150_000)).toBeLessThan(0.45);
});
