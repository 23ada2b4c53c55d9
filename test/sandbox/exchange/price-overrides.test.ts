import { createRandomSource } from '../../../sandbox/src/shared/random';
import { createExchange } from '../../../sandbox/src/exchange/exchange';
import { withPriceOverrides } from '../../../sandbox/src/market/prices/overridden-market';
import { PriceOverrides } from '../../../sandbox/src/market/prices/price-overrides';
import { createMarket } from '../../../sandbox/src/market/prices/market';
import type { Bar } from '../../../sandbox/src/market/prices/types';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import { share } from '../../support/sample';

const at = (text: string) => Date.parse(`${text}+05:30`);
const MONDAY = '2026-11-23';
const NOON = at(`${MONDAY}T12:00:30`);
const pure = createMarket({ seed: 3, universe: 'demo' });
const universe = pure.universe(NOON);
const nifty = universe.bySymbol('NSE', 'NIFTY')!;
const infy = universe.bySymbol('NSE', 'INFY')!;
const [future] = universe.futures('NSE', 'NIFTY') as [Instrument];
const { ce, pe } = universe.options('NSE', 'NIFTY', universe.expiries('NSE', 'NIFTY')[1]!);
const near = (options: Instrument[]) =>
  options.reduce((best, option) =>
    Math.abs(option.strikePrice - pure.price(nifty, NOON)) < Math.abs(best.strikePrice - pure.price(nifty, NOON))
      ? option
      : best,
  );
const [call, put] = [near(ce), near(pe)];

/** An exchange on which an instrument was moved by some percent at noon, and the market as it then is. */
function world(instrument: Instrument, percent: number) {
  const priceOverrides = new PriceOverrides();
  const exchange = createExchange({
    market: pure,
    priceOverrides,
    random: createRandomSource(1),
    options: { hours: 'exchange' },
    startAt: at(`${MONDAY}T09:00:00`),
  });
  const target =
    Math.round((pure.price(instrument, NOON) * (1 + percent / 100)) / instrument.tickSize) * instrument.tickSize;
  exchange.movePrice(instrument.refId, target, NOON);
  return { exchange, market: withPriceOverrides(pure, priceOverrides), target };
}

test('a moved price is the last price, from its second on, and the market’s moves go on from there', () => {
  const { exchange, market, target } = world(infy, -3);
  expect(exchange.lastPrice(infy, NOON)).toBe(target);
  expect(market.price(infy, NOON)).toBe(target);
  expect(market.price(infy, NOON - 1000)).toBe(pure.price(infy, NOON - 1000));
  const later = at(`${MONDAY}T14:00:00`);
  expect(market.price(infy, later) / target).toBeCloseTo(pure.price(infy, later) / pure.price(infy, NOON), 3);
});

test('a moved price carries to the derivatives: futures in step, calls up and puts down, parity kept', () => {
  const { exchange, market, target } = world(nifty, 2);
  const last = (instrument: Instrument) => exchange.lastPrice(instrument, NOON);
  expect(last(future) / pure.price(future, NOON)).toBeCloseTo(1.02, 3);
  expect(last(call)).toBeGreaterThan(pure.price(call, NOON));
  expect(last(put)).toBeLessThan(pure.price(put, NOON));
  const gap = (price: (instrument: Instrument) => number) => price(call) - price(put);
  const parity = (target - pure.price(nifty, NOON)) * 0.99;
  expect(Math.abs(gap(last) - gap((instrument) => pure.price(instrument, NOON)) - parity)).toBeLessThan(parity * 0.05);
  expect(market.greeks(call, NOON).delta).toBeGreaterThan(pure.greeks(call, NOON).delta);
  const { bids, asks } = exchange.bookSnapshot(call, NOON, 5);
  expect(bids[0]!.price).toBeLessThan(last(call) + 1);
  expect(asks[0]!.price).toBeGreaterThan(last(call) - 1);
});

test.each([0, 1, 2])('a future %i of a commodity is moved once', (index) => {
  const crude = universe.futures('MCX', 'CRUDEOIL')[index]!;
  const { exchange, market, target } = world(crude, 2);
  expect(exchange.lastPrice(crude, NOON)).toBe(target);
  expect(market.price(crude, NOON)).toBe(target);
});

test('a derivative can be moved separately, on top of its underlying', () => {
  const { exchange } = world(nifty, 2);
  const before = exchange.lastPrice(put, NOON);
  exchange.movePrice(call.refId, 10_000, NOON);
  expect(exchange.lastPrice(call, NOON)).toBe(10_000);
  exchange.movePrice(nifty.refId, exchange.lastPrice(nifty, NOON) + 20_000, NOON + 5_000);
  expect(exchange.lastPrice(call, NOON + 5_000)).toBeGreaterThan(10_000);
  expect(exchange.lastPrice(put, NOON + 5_000)).toBeLessThan(before);
});

const MOVED = [
  ['a share', infy, infy],
  ['a future by its index', nifty, future],
  ['an option by its index', nifty, call],
] as const;
test.each(share(MOVED, 2, 0))(
  'candles of %s from before are unchanged; all others have the moved prices and close at the current one',
  (_what, moved, shown) => {
    const { market } = world(moved, 3);
    const now = at(`${MONDAY}T13:10:20`);
    const day = at(`${MONDAY}T00:00:00`);
    const beginOf = (interval: string) =>
      at(/^1(d|w|mth)$/.test(interval) ? '2026-11-01T00:00:00' : '2026-11-20T00:00:00');
    for (const interval of ['1m', '5m', '15m', '1h', '1d', '1w', '1mth']) {
      const bars = market.bars(shown, interval, beginOf(interval), now, now + 1);
      const before = pure.bars(shown, interval, beginOf(interval), now, now + 1);
      expect(bars.map((bar) => bar.at)).toEqual(before.map((bar) => bar.at));
      expect([interval, bars.at(-1)!.close]).toEqual([interval, market.price(shown, now)]);
      if (interval.endsWith('m'))
        expect(bars.filter((bar) => bar.at < NOON - 3_600_000)).toEqual(
          before.filter((bar) => bar.at < NOON - 3_600_000),
        );
      const isWhole = ({ open, high, low, close }: Bar) =>
        high >= Math.max(open, close) && low <= Math.min(open, close) && low % shown.tickSize === 0;
      expect([interval, bars.filter((bar) => !isWhole(bar))]).toEqual([interval, []]);
    }
    const hour = market.bars(shown, '1h', day, now, now + 1);
    const minutes = market.bars(shown, '1m', day, now, now + 1);
    for (const bar of hour) {
      const inside = minutes.filter((minute) => minute.at >= bar.at && minute.at < bar.at + 3_600_000);
      expect(bar).toMatchObject({
        open: inside[0]!.open,
        high: Math.max(...inside.map(({ high }) => high)),
        low: Math.min(...inside.map(({ low }) => low)),
        close: inside.at(-1)!.close,
        volume: inside.reduce((sum, { volume }) => sum + volume, 0),
      });
    }
  },
);

test.each([
  ['a share', infy, infy],
  ['an option by its index', nifty, call],
])('the next day opens from the moved close of %s', (_what, moved, shown) => {
  const { market } = world(moved, 3);
  const tuesday = at('2026-11-24T08:00:00');
  const close = market.price(shown, at(`${MONDAY}T18:00:00`));
  expect(Math.abs(market.previousClose(shown, tuesday) - close)).toBeLessThanOrEqual(shown.tickSize);
  expect(market.previousClose(shown, at(`${MONDAY}T18:00:00`))).toBe(pure.previousClose(shown, NOON));
  expect(market.bars(shown, '1d', at(`${MONDAY}T00:00:00`), tuesday, tuesday)[0]!.close).toBe(close);
  const range = { from: at('2026-11-01T00:00:00'), to: tuesday };
  expect(market.closeRange(shown, range.from, range.to)!.high).toBeGreaterThanOrEqual(close);
});
