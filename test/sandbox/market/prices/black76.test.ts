import fc from 'fast-check';
import {
  blackGreeks,
  blackPrice,
  normalDistribution,
  type OptionTerms,
} from '../../../../sandbox/src/market/prices/black76';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';
import { createMarket } from '../../../../sandbox/src/market/prices/market';

const market = createMarket({ seed: 11, universe: 'demo' });
const at = Date.parse('2026-11-18T11:02:30+05:30');
const universe = market.universe(at);
const RATE = 0.065;

/** Calls and puts of an expiry with their prices, and the strike nearest to the price of the underlying. */
function chainOf(exchange: 'NSE' | 'BSE', asset: string, expiry: number) {
  const { ce, pe } = universe.options(exchange, asset, expiry);
  const spot = market.price(universe.bySymbol(exchange, asset) ?? fail(`no ${asset}`), at);
  const leg = (instrument: Instrument) => ({
    instrument,
    price: market.price(instrument, at),
    ...market.greeks(instrument, at),
  });
  const atm = ce.reduce(
    (best, { strikePrice }) => (Math.abs(strikePrice - spot) < Math.abs(best - spot) ? strikePrice : best),
    0,
  );
  return { ce: ce.map(leg), pe: pe.map(leg), atm };
}
function fail(text: string): never {
  throw new Error(text);
}

const terms = fc.record<OptionTerms>({
  strike: fc.double({ min: 50, max: 200, noNaN: true }),
  put: fc.boolean(),
  years: fc.double({ min: 0.01, max: 2, noNaN: true }),
  volatility: fc.double({ min: 0.05, max: 0.9, noNaN: true }),
  rate: fc.double({ min: 0, max: 0.1, noNaN: true }),
});
const forward = fc.double({ min: 60, max: 180, noNaN: true });

describe('Black 1976', () => {
  it('has known values of the normal distribution', () => {
    expect(normalDistribution(0)).toBeCloseTo(0.5, 15);
    expect(normalDistribution(1.959963984540054)).toBeCloseTo(0.975, 12);
    expect(normalDistribution(-8)).toBeCloseTo(6.2209605742718e-16, 22);
  });

  it('keeps put-call parity', () => {
    fc.assert(
      fc.property(forward, terms, (price, given) => {
        const call = blackPrice(price, { ...given, put: false });
        const put = blackPrice(price, { ...given, put: true });
        expect(call - put).toBeCloseTo(Math.exp(-given.rate * given.years) * (price - given.strike), 8);
      }),
    );
  });

  it('has the greeks of its differences', () => {
    fc.assert(
      fc.property(forward, terms, (price, given) => {
        const greeks = blackGreeks(price, given);
        const h = 1e-3;
        const value = (f: number, change: Partial<OptionTerms> = {}) => blackPrice(f, { ...given, ...change });
        expect(greeks.delta).toBeCloseTo((value(price + h) - value(price - h)) / (2 * h), 5);
        expect(greeks.gamma).toBeCloseTo((value(price + 0.05) - 2 * value(price) + value(price - 0.05)) / 0.05 ** 2, 2);
        const { volatility, years } = given;
        expect(greeks.vega).toBeCloseTo(
          (value(price, { volatility: volatility + 1e-5 }) - value(price, { volatility: volatility - 1e-5 })) / 2e-5,
          3,
        );
        expect(greeks.theta).toBeCloseTo(
          (value(price, { years: years - 1e-6 }) - value(price, { years: years + 1e-6 })) / 2e-6,
          2,
        );
      }),
    );
  });
});

describe.each([
  ['NSE', 'NIFTY'],
  ['NSE', 'RELIANCE'],
  ['BSE', 'SENSEX'],
] as const)('Option chain of %s %s', (exchange, asset) => {
  const chain = chainOf(exchange, asset, universe.expiries(exchange, asset)[0] ?? 0);
  const future = universe.futures(exchange, asset)[0] ?? fail(`no future of ${asset}`);

  it('keeps parity with the future of the same expiry, within the ticks of the three prices', () => {
    const monthly = chainOf(exchange, asset, future.expiry);
    expect(monthly.ce.length).toBeGreaterThan(10);
    const expiry = Date.parse(`${String(future.expiry).replace(/(....)(..)(..)/, '$1-$2-$3')}T15:40:00+05:30`);
    const discount = Math.exp((-RATE * (expiry - at)) / (365 * 86_400_000));
    const price = market.price(future, at);
    monthly.ce.forEach((call, i) => {
      const put = monthly.pe[i];
      const strike = call.instrument.strikePrice;
      expect(put?.instrument.strikePrice).toBe(strike);
      const slack = 5 + future.tickSize + Math.abs(price - strike) * 1e-4;
      expect(Math.abs(call.price - (put?.price ?? NaN) - discount * (price - strike))).toBeLessThanOrEqual(slack);
    });
  });

  it('has calls that cost less and puts that cost more at every higher strike, and no price under a tick', () => {
    for (let i = 1; i < chain.ce.length; i++) {
      expect(chain.ce[i]?.price).toBeLessThanOrEqual(chain.ce[i - 1]?.price ?? 0);
      expect(chain.pe[i]?.price).toBeGreaterThanOrEqual(chain.pe[i - 1]?.price ?? 0);
    }
    for (const leg of [...chain.ce, ...chain.pe]) {
      expect(leg.price).toBeGreaterThanOrEqual(leg.instrument.tickSize);
      expect(leg.price % leg.instrument.tickSize).toBe(0);
    }
  });

  it('has a delta of about a half at the money', () => {
    const middle = chain.ce.find((leg) => leg.instrument.strikePrice === chain.atm);
    expect(middle?.delta).toBeGreaterThan(0.2);
    expect(middle?.delta).toBeLessThan(0.8);
  });

  it('moves by its delta, its gamma and, as the smile goes with the underlying, its vega when the underlying moves', () => {
    const leg = chain.ce.find((item) => item.instrument.strikePrice === chain.atm) ?? fail('no call at the money');
    for (let second = 0; second < 30; second += 5) {
      const [from, to] = [at - 30_000 + second * 1000, at - 30_000 + (second + 5) * 1000];
      const moved = market.price(future, to) - market.price(future, from);
      const greeks = market.greeks(leg.instrument, from);
      const points = (market.greeks(leg.instrument, to).iv - greeks.iv) * 100;
      const expected = greeks.delta * moved + (greeks.gamma * moved ** 2) / 200 + greeks.vega * 100 * points;
      expect(
        Math.abs(market.price(leg.instrument, to) - market.price(leg.instrument, from) - expected),
      ).toBeLessThanOrEqual(6 + future.tickSize);
    }
  });
});

it('refuses greeks of anything but an option', () => {
  const share = universe.bySymbol('NSE', 'INFY');
  expect(() => share && market.greeks(share, at)).toThrow('INFY is not an option');
});
