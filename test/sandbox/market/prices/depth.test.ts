import fc from 'fast-check';
import { lotShift } from '../../../../sandbox/src/market/prices/price-impact';
import { depthAround } from '../../../../sandbox/src/market/prices/depth';
import { createMarket } from '../../../../sandbox/src/market/prices/market';
import type { DepthLevel } from '../../../../sandbox/src/market/prices/types';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';

const market = createMarket({ seed: 9, universe: 'demo' });
const open = Date.parse('2026-11-20T09:15:00+05:30');
const universe = market.universe(open);
const instruments = [...universe.all()].filter((instrument) => instrument.derivativeType !== 'INDEX');
const anyone = fc.constantFrom(...instruments);
const moment = fc.integer({ min: 0, max: 350 * 60_000 }).map((after) => open + after);

describe('The depth that others show', () => {
  it('is on ticks and lots around the price, best first, uncrossed', () => {
    fc.assert(
      fc.property(anyone, moment, fc.integer({ min: 1, max: 20 }), (instrument: Instrument, at, levels) => {
        const price = market.price(instrument, at);
        const { bids, asks } = market.depth(instrument, at, price, levels);
        const prices = [...bids.toReversed(), ...asks].map((level) => level.price);
        expect(prices).toEqual([...new Set(prices)].sort((a, b) => a - b));
        const isOnTick = (level: DepthLevel) =>
          level.price % instrument.tickSize === 0 && level.price >= instrument.tickSize;
        const isInLots = (level: DepthLevel) => level.quantity % instrument.lotSize === 0 && level.quantity > 0;
        const isOfOrders = (level: DepthLevel) =>
          level.orders > 0 && level.orders <= level.quantity / instrument.lotSize;
        expect(
          [...bids, ...asks].filter((level) => !(isOnTick(level) && isInLots(level) && isOfOrders(level))),
        ).toEqual([]);
        expect(bids.length).toBeLessThanOrEqual(levels);
        expect(bids[0] === undefined || bids[0].price <= price).toBe(true);
        expect(asks[0] === undefined || asks[0].price >= price).toBe(true);
        // The nearer one is at the price, or as far away as one lot pushes it, and as an option's time takes off it.
        const shift = (lotShift(market.liquidity(instrument, at)) * price) / instrument.tickSize;
        if (bids[0] !== undefined && asks[0] !== undefined) {
          const nearer = Math.min(price - bids[0].price, asks[0].price - price) / instrument.tickSize;
          expect(nearer).toBeGreaterThanOrEqual(shift - 0.5);
          if (instrument.derivativeType !== 'OPT') expect(nearer).toBeLessThanOrEqual(shift + 0.5);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('has a spread by what is traded, of a share within its band', () => {
    const tick = 5;
    const around = 20_000;
    const share = universe.bySymbol('NSE', 'SBIN') as Instrument;
    const spreads = (perMinute: number): number[] =>
      Array.from({ length: 200 }, (_, second) => {
        const liquidity = {
          key: 1,
          perMinute,
          tick,
          lower: around - 100,
          upper: around + 100,
          atBest: Infinity,
          room: 0,
          worthless: false,
        };
        const { bids, asks } = depthAround(share, open + second * 1000, around, 1, liquidity);
        return (asks[0]?.price ?? NaN) - (bids[0]?.price ?? NaN);
      });
    const [much, little] = [spreads(1e6), spreads(1)];
    expect(Math.max(...much)).toBeLessThanOrEqual(4 * tick);
    expect(Math.min(...little)).toBeGreaterThanOrEqual(tick);
    expect(Math.max(...little)).toBe(100);
  });

  it('is further away on both sides where one lot pushes the price, so that nobody buys a lot and sells it above', () => {
    const option = [...universe.all('NSE', ['OPT'])][0]!;
    const liquidity = {
      key: 1,
      perMinute: 1,
      tick: 5,
      lower: 0,
      upper: Infinity,
      atBest: 1,
      room: 500,
      worthless: true,
    };
    for (let second = 0; second < 50; second++) {
      const { bids, asks } = depthAround(option, open + second * 1000, 10_000, 1, liquidity);
      expect(bids[0]!.price).toBeLessThanOrEqual(9_500);
      expect(asks[0]!.price).toBeGreaterThanOrEqual(10_500);
      expect(Math.min(10_000 - bids[0]!.price, asks[0]!.price - 10_000)).toBe(500);
    }
  });

  it('keeps the quantity at a price for some seconds, so that a queue can be joined', () => {
    const instrument = universe.bySymbol('NSE', 'SBIN') as Instrument;
    const at = Math.ceil(open / 5000) * 5000 + 600_000;
    const [before, after] = [at, at + 4_000].map(
      (time) => new Map(market.depth(instrument, time, 80_000, 10).bids.map((level) => [level.price, level.quantity])),
    );
    // Levels beyond the best, where the book holds no more than can be taken before the price moves.
    const shared = [...(before ?? [])].slice(2).filter(([price]) => after?.has(price));
    expect(shared.length).toBeGreaterThan(3);
    for (const [price, quantity] of shared) expect(after?.get(price)).toBe(quantity);
    const beyond = market.depth(instrument, at, 80_020, 10).bids.slice(1);
    const moved = new Map(beyond.map((level) => [level.price, level.quantity]));
    for (const [price, quantity] of shared) if (moved.has(price)) expect(moved.get(price)).toBe(quantity);
  });

  it('ends at the band of the day', () => {
    const instrument = [...universe.all('NSE')].find((share) => share.bandPercent === 5) as Instrument;
    const upper =
      Math.floor((market.previousClose(instrument, open) * 1.05) / instrument.tickSize) * instrument.tickSize;
    const { bids, asks } = market.depth(instrument, open, upper, 5);
    expect(bids.length).toBe(5);
    for (const level of asks) expect(level.price).toBeLessThanOrEqual(upper);
  });

  it('is there around a price that was moved far away', () => {
    const instrument = universe.bySymbol('NSE', 'SBIN') as Instrument;
    const { bids, asks } = market.depth(instrument, open, market.price(instrument, open) * 2, 5);
    expect([bids.length, asks.length]).toEqual([5, 5]);
  });
});
