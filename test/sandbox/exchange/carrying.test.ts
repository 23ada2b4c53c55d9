/**
 * Effects of a change of one price on all that go with it: members, indices, funds, the other exchange, derivatives.
 */
import { createExchange } from '../../../sandbox/src/exchange/exchange';
import { NO_LATENCY } from '../../../sandbox/src/exchange/models/latency';
import { createMarket } from '../../../sandbox/src/market/prices/market';
import { withPriceOverrides } from '../../../sandbox/src/market/prices/overridden-market';
import { WHOLE_MARKET, PriceOverrides } from '../../../sandbox/src/market/prices/price-overrides';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import { createRandomSource } from '../../../sandbox/src/shared/random';
import { limitOrder } from '../../support/trading';

const NOON = Date.parse('2026-11-23T12:00:30+05:30');
const LATER = NOON + 3_600_000;
const pure = createMarket({ seed: 3, universe: 'full' });
const universe = pure.universe(NOON);
const find = (exchange: 'NSE' | 'BSE' | 'MCX', symbol: string): Instrument => universe.bySymbol(exchange, symbol)!;
const nifty = find('NSE', 'NIFTY');
const sensex = find('BSE', 'SENSEX');
const infy = find('NSE', 'INFY');
const [future] = universe.futures('NSE', 'NIFTY') as [Instrument];
const fund = find('NSE', 'NIFTYBEES');
const gold = find('NSE', 'GOLDBEES');
const [metal] = universe.futures('MCX', 'GOLD') as [Instrument];

function open() {
  const priceOverrides = new PriceOverrides();
  const exchange = createExchange({
    market: pure,
    priceOverrides,
    random: createRandomSource(1),
    options: { hours: 'exchange', latency: NO_LATENCY },
    startAt: NOON - 60_000,
  });
  return { exchange, priceOverrides, market: withPriceOverrides(pure, priceOverrides) };
}

/** By how much a price is another than the market's, percent. */
const moved = (market: typeof pure, instrument: Instrument, at = NOON): number =>
  (market.price(instrument, at) / pure.price(instrument, at) - 1) * 100;

/** Weighted sum of the moves of an index's members, percent. */
function ofMembers(market: typeof pure, index: Instrument, at: number): number {
  const factors = new Map(
    [...universe.all('NSE', ['STOCK'])].map((instrument) => [
      pure.exposure(instrument.refId).asset,
      market.price(instrument, at) / pure.price(instrument, at),
    ]),
  );
  const { members } = pure.exposure(index.refId);
  return (members.reduce((sum, { of, weight }) => sum + weight * factors.get(of.asset)!, 0) - 1) * 100;
}

test('an index that is moved takes its members, other indices, futures and funds with it; metals stay', () => {
  const { exchange, market } = open();
  exchange.movePrice(nifty.refId, Math.round((pure.price(nifty, NOON) * 0.95) / 5) * 5, NOON);
  expect(moved(market, nifty)).toBeCloseTo(-5, 2);
  expect(ofMembers(market, nifty, NOON)).toBeCloseTo(-5, 1);
  expect(ofMembers(market, sensex, NOON)).toBeCloseTo(moved(market, sensex), 1);
  expect(moved(market, sensex)).toBeLessThan(-4);
  expect(moved(market, sensex)).toBeGreaterThan(-6);
  expect(moved(market, future)).toBeCloseTo(-5, 1);
  expect(moved(market, fund)).toBeCloseTo(-5, 1);
  expect(moved(market, infy)).toBeLessThan(-1);
  expect([moved(market, gold), moved(market, metal)]).toEqual([0, 0]);
});

test('a share that is moved is moved on both exchanges, and the indices that hold it by its weight', () => {
  const { exchange, market } = open();
  exchange.movePrice(infy.refId, Math.round((pure.price(infy, NOON) * 1.1) / 10) * 10, NOON);
  expect(moved(market, infy)).toBeCloseTo(10, 1);
  expect(moved(market, find('BSE', 'INFY'))).toBeCloseTo(10, 1);
  const { members } = pure.exposure(nifty.refId);
  const { weight } = members.find(({ of }) => of.asset === pure.exposure(infy.refId).asset)!;
  expect(moved(market, nifty) / (weight * 10)).toBeCloseTo(1, 1);
  expect(moved(market, future) / moved(market, nifty)).toBeCloseTo(1, 1);
  expect(moved(market, find('NSE', 'TCS'))).toBe(0);
});

test('purchases of users push the share on both exchanges, and nothing else', () => {
  const { exchange, market } = open();
  const { volume } = pure.liquidity(infy, NOON);
  for (let second = 0; second < 60; second++) {
    const quantity = Math.min(Math.ceil(volume / 200), infy.freezeQty);
    exchange.place(
      limitOrder({ refId: infy.refId, side: 'BUY', quantity, validity: 'IOC', priceType: 'MARKET', price: 0 }),
      NOON + second * 1_000,
    );
    exchange.advance(NOON + second * 1_000 + 999);
  }
  const end = NOON + 60_000;
  expect(moved(market, infy, end)).toBeGreaterThan(0.1);
  expect(moved(market, find('BSE', 'INFY'), end) / moved(market, infy, end)).toBeCloseTo(1, 1);
  expect(moved(market, nifty, end)).toBe(0);
});

test("purchases of users push a share's close, but no contract, index, fund or settlement", () => {
  const { market, priceOverrides } = open();
  const liquidity = pure.liquidity(infy, NOON);
  const { asset } = pure.exposure(infy.refId);
  priceOverrides.push({ refId: infy.refId, asset, liquidity, waited: false }, liquidity.volume, NOON);
  const options = ['NIFTY', 'INFY'].flatMap((of) => universe.options('NSE', of, universe.expiries('NSE', of)[0]!).ce);
  const held = [nifty, future, fund, ...universe.futures('NSE', 'INFY'), ...options];
  for (const at of [NOON, LATER]) expect(held.filter((instrument) => moved(market, instrument, at) !== 0)).toEqual([]);
  const evening = Date.parse('2026-11-23T23:59:00+05:30');
  expect(market.close(infy, evening)).toBeGreaterThan(pure.close(infy, evening));
  expect(market.close(nifty, evening)).toBe(pure.close(nifty, evening));
  for (const known of [infy, nifty]) expect(market.settlementPrice(known, evening)).toBe(pure.close(known, evening));
});

test('contracts are settled by a price that was moved by hand, with its index', () => {
  const { exchange, market } = open();
  exchange.movePrice(infy.refId, Math.round((pure.price(infy, NOON) * 1.1) / 10) * 10, NOON);
  const evening = Date.parse('2026-11-23T23:59:00+05:30');
  for (const known of [infy, nifty]) {
    expect(market.settlementPrice(known, evening)).toBe(market.close(known, evening));
    expect(market.settlementPrice(known, evening)).toBeGreaterThan(pure.close(known, evening));
  }
});

test('a price that is pushed stops at the day’s band and closes there; the next day goes on from there', () => {
  const banded = [...universe.all('NSE', ['STOCK'])].find(
    (instrument) => instrument.bandPercent === 5 && instrument.series === 'EQ',
  )!;
  const { market, priceOverrides } = open();
  const { asset } = pure.exposure(banded.refId);
  priceOverrides.run({ asset, from: NOON, knots: [{ at: NOON + 60_000, value: 0.3, ramp: true }] });
  const high = Math.floor((pure.previousClose(banded, NOON) * 1.05) / banded.tickSize) * banded.tickSize;
  expect(market.price(banded, LATER)).toBe(high);
  expect(market.depth(banded, LATER, high, 5).asks).toEqual([]);
  const tomorrow = Date.parse('2026-11-24T12:00:00+05:30');
  expect(market.previousClose(banded, tomorrow)).toBe(high);
  expect(market.price(banded, tomorrow)).toBeLessThanOrEqual(high * 1.05);
  const [bar] = market.bars(banded, '1d', Date.parse('2026-11-23T00:00:00+05:30'), LATER, LATER);
  expect(bar!.high).toBe(high);
});

test('volatilities take a separate course: options on both sides lose, and their underlying does not move', () => {
  const { market, priceOverrides } = open();
  const strike = universe.options('NSE', 'NIFTY', universe.expiries('NSE', 'NIFTY')[1]!);
  const near = (options: Instrument[]) =>
    options.reduce((best, option) =>
      Math.abs(option.strikePrice - pure.price(nifty, NOON)) < Math.abs(best.strikePrice - pure.price(nifty, NOON))
        ? option
        : best,
    );
  const [call, put] = [near(strike.ce), near(strike.pe)];
  priceOverrides.runVolatility({
    asset: WHOLE_MARKET,
    from: NOON,
    knots: [{ at: NOON + 600_000, value: Math.log(0.6), ramp: true }],
  });
  const [before, after] = [NOON, NOON + 600_000];
  for (const option of [call, put]) {
    expect(market.price(option, before)).toBe(pure.price(option, before));
    expect(market.greeks(option, after).iv / pure.greeks(option, after).iv).toBeCloseTo(0.6, 6);
    expect(moved(market, option, after)).toBeLessThan(-15);
    const bars = market.bars(option, '1m', before, after + 60_000, after + 1);
    expect(bars.at(-1)!.close).toBe(market.price(option, after));
  }
  expect(moved(market, nifty, after)).toBe(0);
});
