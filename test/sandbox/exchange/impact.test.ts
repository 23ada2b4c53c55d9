/** Users' trades are trades: they push the price, and are in last price, candles and volumes. */
import { NO_LATENCY } from '../../../sandbox/src/exchange/models/latency';
import { createExchange } from '../../../sandbox/src/exchange/exchange';
import { withPriceOverrides } from '../../../sandbox/src/market/prices/overridden-market';
import { PriceOverrides } from '../../../sandbox/src/market/prices/price-overrides';
import { createMarket } from '../../../sandbox/src/market/prices/market';
import { createRandomSource } from '../../../sandbox/src/shared/random';
import { limitOrder } from '../../support/trading';

const at = (time: string): number => Date.parse(`2026-11-23T${time}+05:30`);
const DAY_START = at('00:00:00');
const pure = createMarket({ seed: 11, universe: 'demo' });
const universe = pure.universe(at('10:00:00'));
const infy = universe.bySymbol('NSE', 'INFY')!;
const index = universe.bySymbol('NSE', 'NIFTY')!;
const { volume, volatility } = pure.liquidity(infy, at('10:00:00'));

function open(startAt = at('09:59:00')) {
  const priceOverrides = new PriceOverrides();
  const exchange = createExchange({
    market: pure,
    priceOverrides,
    random: createRandomSource(1),
    options: { hours: 'exchange', latency: NO_LATENCY },
    startAt,
  });
  const trades: { price: number; quantity: number }[] = [];
  exchange.onEvent((event) => {
    if (event.type === 'trade') trades.push(event.trade);
  });
  return { exchange, market: withPriceOverrides(pure, priceOverrides), trades };
}

/** A limit (paise) that no purchase reaches. */
const FAR = Math.round((pure.price(infy, at('09:15:00')) * 1.09) / infy.tickSize) * infy.tickSize;

/** Buys a share of a usual day in orders of one each second, from ten o'clock on. */
function buy(share: number) {
  const { exchange, market, trades } = open();
  const piece = Math.min(infy.freezeQty, Math.ceil((share * volume) / 120));
  let now = at('10:00:00');
  let bought = 0;
  while (bought < share * volume) {
    exchange.place(
      limitOrder({ refId: infy.refId, side: 'BUY', quantity: piece, validity: 'IOC', priceType: 'MARKET', price: 0 }),
      now,
    );
    now += 1_000;
    exchange.advance(now);
    bought = trades.reduce((sum, { quantity }) => sum + quantity, 0);
    if (now > at('13:00:00')) throw new Error('the book never comes back');
  }
  return { exchange, market, trades, now, bought };
}

const shift = (price: number, instant: number): number => Math.log(price / pure.price(infy, instant));

test.each([0.02, 0.2])(
  'buying %s of a usual day costs what the square-root law says, and half of it stays',
  (share) => {
    const { market, now, bought, trades } = buy(share);
    const law = volatility * Math.sqrt(bought / volume);
    expect(shift(market.price(infy, now), now) / law).toBeGreaterThan(0.3);
    expect(shift(market.price(infy, now), now) / law).toBeLessThan(1.2);
    // Bought along the way, it has cost about two thirds of what the price has moved in the end.
    const paid = trades.reduce((sum, { price, quantity }) => sum + price * quantity, 0) / bought;
    expect(paid).toBeGreaterThan(pure.price(infy, at('10:00:00')) * (1 + 0.2 * law));
    const later = at('15:00:00');
    const left = shift(market.price(infy, later), later) / law;
    expect(left).toBeGreaterThan(0.3);
    expect(left).toBeLessThan(0.55);
  },
);

test('a large order is in last price, book, candles, volume and the next close', () => {
  const { exchange, market, trades, now, bought } = buy(0.1);
  expect(exchange.lastPrice(infy, now)).toBe(market.price(infy, now));
  const { bids, asks } = exchange.bookSnapshot(infy, now, 5);
  expect(bids[0]!.price).toBeGreaterThan(pure.price(infy, now));
  expect(asks[0]!.price).toBeGreaterThan(bids[0]!.price);
  const others = pure.volume(infy, DAY_START, now);
  expect(market.volume(infy, DAY_START, now) - others).toBe(bought);
  expect(exchange.bookSnapshot(infy, now, 5).volume).toBe(others + bought);
  const [day] = market.bars(infy, '1d', DAY_START, now, now);
  const [before] = pure.bars(infy, '1d', DAY_START, now, now);
  expect(day!.volume - before!.volume).toBe(bought);
  expect(day!.high).toBeGreaterThanOrEqual(Math.max(...trades.map(({ price }) => price)));
  const minutes = market.bars(infy, '1m', DAY_START, now, now);
  expect(minutes.at(-1)!.close).toBe(market.price(infy, now - 1));
  expect(minutes.reduce((sum, bar) => sum + bar.volume, 0)).toBe(day!.volume);
  expect(Math.max(...minutes.map(({ high }) => high))).toBe(day!.high);
  const tomorrow = at('10:00:00') + 86_400_000;
  expect(market.previousClose(infy, tomorrow)).toBeGreaterThan(pure.previousClose(infy, tomorrow));
});

test('a user who buys and sells the same again has paid for it', () => {
  const { exchange, trades, now, bought } = buy(0.05);
  const cost = trades.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  trades.length = 0;
  let then = now;
  const sold = (): number => trades.reduce((sum, { quantity }) => sum + quantity, 0);
  while (sold() < bought) {
    const quantity = Math.min(bought - sold(), Math.ceil(bought / 100));
    exchange.place(
      limitOrder({ refId: infy.refId, side: 'SELL', quantity, validity: 'IOC', priceType: 'MARKET', price: 0 }),
      then,
    );
    then += 1_000;
    exchange.advance(then);
  }
  const got = trades.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  const drift = Math.log(pure.price(infy, then) / pure.price(infy, at('10:00:00')));
  expect(Math.log(got / cost) - drift).toBeLessThan(0);
});

test('a user who buys piece by piece and sells all of it at once has paid for it, too', () => {
  const { exchange, trades, now, bought } = buy(0.05);
  const cost = trades.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  trades.length = 0;
  const sold = (): number => trades.reduce((sum, { quantity }) => sum + quantity, 0);
  for (let then = now; sold() < bought; then += 1_000) {
    for (let left = bought - sold(); left > 0; left -= infy.freezeQty)
      exchange.place(
        limitOrder({
          refId: infy.refId,
          side: 'SELL',
          quantity: Math.min(left, infy.freezeQty),
          validity: 'IOC',
          priceType: 'MARKET',
          price: 0,
        }),
        then,
      );
    exchange.advance(then);
  }
  const got = trades.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  const drift = Math.log(pure.price(infy, now) / pure.price(infy, at('10:00:00')));
  expect(Math.log(got / cost) - drift).toBeLessThan(0);
});

test('each part of a large order is paid where the part before has pushed to, and a larger one costs more', () => {
  const paid = [0.001, 0.005, 0.02].map((share) => {
    const { exchange, trades } = open();
    const whole = share * volume;
    for (let left = whole; left >= 1; left -= infy.freezeQty) {
      const quantity = Math.ceil(Math.min(left, infy.freezeQty));
      exchange.place(
        limitOrder({ refId: infy.refId, side: 'BUY', quantity, validity: 'IOC', priceType: 'LIMIT', price: FAR }),
        at('10:00:00'),
      );
    }
    exchange.advance(at('10:00:00'));
    const bought = trades.reduce((sum, { quantity }) => sum + quantity, 0);
    const mean = trades.reduce((sum, { price, quantity }) => sum + price * quantity, 0) / bought;
    return { bought, cost: Math.log(mean / pure.price(infy, at('10:00:00'))) };
  });
  for (const { bought, cost } of paid) {
    // Two thirds of what the whole of it pushes: the area under the root.
    const law = 0.8 * volatility * Math.sqrt(bought / volume);
    expect(cost).toBeGreaterThan((2 / 3) * law * 0.8);
  }
  expect(paid.map(({ cost }) => cost)).toEqual(paid.map(({ cost }) => cost).sort((a, b) => a - b));
});

test('users pay in an auction the price to which they push it', () => {
  const bought = [1, 200_000].map((quantity) => {
    const { exchange, market, trades } = open(at('09:01:00'));
    for (let left = quantity; left > 0; left -= infy.freezeQty)
      exchange.place(
        limitOrder({ refId: infy.refId, side: 'BUY', quantity: Math.min(left, infy.freezeQty), price: FAR }),
        at('09:02:00'),
      );
    exchange.advance(at('09:15:00'));
    const [{ price }] = trades as [(typeof trades)[0]];
    const sum = trades.filter((trade) => trade.price === price).reduce((total, { quantity }) => total + quantity, 0);
    return { sum, price, after: market.price(infy, at('09:15:01')) };
  });
  const [one, many] = bought as [(typeof bought)[0], (typeof bought)[0]];
  const law = 0.8 * volatility * Math.sqrt(many.sum / volume);
  expect(one.price).toBe(pure.price(infy, at('09:15:00')));
  expect(Math.log(many.price / one.price)).toBeGreaterThan(0.8 * law);
  expect(many.after).toBeLessThanOrEqual(many.price + infy.tickSize * 20);
});

test('a close that is found in an auction is what users pushed it to, and stays', () => {
  const { exchange, market, trades } = open(at('15:16:00'));
  for (let left = 200_000; left > 0; left -= infy.freezeQty)
    exchange.place(
      limitOrder({ refId: infy.refId, side: 'BUY', quantity: Math.min(left, infy.freezeQty), price: FAR }),
      at('15:20:00'),
    );
  exchange.advance(at('15:36:00'));
  const found = trades.at(-1)!.price;
  expect(found).toBeGreaterThan(pure.close(infy, at('15:36:00')));
  const closes = ['15:36:00', '15:59:00', '23:59:59'].flatMap((time) => [
    market.price(infy, at(time)),
    market.close(infy, at(time)),
  ]);
  expect(closes.every((close) => close === found)).toBe(true);
  expect(market.previousClose(infy, at('10:00:00') + 86_400_000)).toBe(found);
});

test('a push before midnight is in no close of a day on which trading goes on around the clock', () => {
  const always = createMarket({ seed: 11, universe: 'demo', hours: 'always' });
  const pushes = (time: string): number[] => {
    const overrides = new PriceOverrides();
    const moved = withPriceOverrides(always, overrides);
    const liquidity = always.liquidity(infy, at(time));
    const { asset } = always.exposure(infy.refId);
    overrides.push({ refId: infy.refId, asset, liquidity, waited: false }, liquidity.volume, at(time));
    const late = at('23:59:59');
    const tomorrow = at('10:00:00') + 86_400_000;
    return [
      moved.close(infy, late) - always.close(infy, late),
      moved.previousClose(infy, tomorrow) - always.previousClose(infy, tomorrow),
      moved.price(infy, late) - always.price(infy, late),
    ];
  };
  const [close, before, last] = pushes('23:58:00') as [number, number, number];
  expect([close, before]).toEqual([0, 0]);
  expect(last).toBeGreaterThan(0);
  expect(Math.min(...pushes('15:00:00'))).toBeGreaterThan(0);
});

test('an index has no order book', () => {
  const { exchange } = open();
  const book = exchange.bookSnapshot(index, at('10:00:00'), 5);
  expect(book).toMatchObject({ bids: [], asks: [], lastQuantity: 0, volume: 0 });
  expect(book.lastPrice).toBe(pure.price(index, at('10:00:00')));
});
