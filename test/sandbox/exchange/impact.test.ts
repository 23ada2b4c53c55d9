/** Users' trades are trades: they push the price, and stand in last price, candles and volumes. */
import { NO_LATENCY } from '../../../sandbox/src/exchange/latency-model';
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

function open() {
  const priceOverrides = new PriceOverrides();
  const exchange = createExchange({
    market: pure,
    priceOverrides,
    random: createRandomSource(1),
    options: { hours: 'exchange', latency: NO_LATENCY },
    startAt: at('09:59:00'),
  });
  const trades: { price: number; quantity: number }[] = [];
  exchange.onEvent((event) => {
    if (event.type === 'trade') trades.push(event.trade);
  });
  return { exchange, market: withPriceOverrides(pure, priceOverrides), trades };
}

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

test('who buys and sells the same again has paid for it', () => {
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

test('an index has no order book', () => {
  const { exchange } = open();
  const book = exchange.bookSnapshot(index, at('10:00:00'), 5);
  expect(book).toMatchObject({ bids: [], asks: [], lastQuantity: 0, volume: 0 });
  expect(book.lastPrice).toBe(pure.price(index, at('10:00:00')));
});
