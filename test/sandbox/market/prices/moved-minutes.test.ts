/** The day's candle of what was moved: minutes that were moved before are not moved again, and the candle is the same as for the first time. */
import fc from 'fast-check';
import { createMarket } from '../../../../sandbox/src/market/prices/market';
import { MovedMinutes } from '../../../../sandbox/src/market/prices/moved-minutes';
import { withPriceOverrides } from '../../../../sandbox/src/market/prices/overridden-market';
import { WHOLE_MARKET, PriceOverrides } from '../../../../sandbox/src/market/prices/price-overrides';

const at = (time: string): number => Date.parse(`2026-11-23T${time}+05:30`);
const [DAY, OPEN] = [at('00:00:00'), at('09:15:00')];
const MINUTE = 60_000;
const pure = createMarket({ seed: 11, universe: 'demo' });
const universe = pure.universe(at('10:00:00'));
const infy = universe.bySymbol('NSE', 'INFY')!;
const nifty = universe.bySymbol('NSE', 'NIFTY')!;
const { ce } = universe.options('NSE', 'NIFTY', universe.expiries('NSE', 'NIFTY')[1]!);
const call = ce.reduce((best, option) => {
  const away = ({ strikePrice }: { strikePrice: number }) => Math.abs(strikePrice - pure.price(nifty, OPEN));
  return away(option) < away(best) ? option : best;
});
const exposure = (refId: number) => pure.exposure(refId);

/** Moves of prices, each at an instant. */
const MOVES: ((overrides: PriceOverrides, instant: number) => void)[] = [
  (overrides, instant) => overrides.set(exposure(infy.refId), instant, 1.02),
  (overrides, instant) => overrides.set(exposure(nifty.refId), instant, 0.99),
  // Of before: minutes that were asked for already.
  (overrides, instant) => overrides.set(exposure(infy.refId), instant - 2 * MINUTE, 1.01),
  (overrides, instant) => overrides.setMarket(instant, -0.01),
  (overrides, instant) =>
    overrides.run({
      asset: WHOLE_MARKET,
      from: instant,
      knots: [{ at: instant + 5 * MINUTE, value: 0.02, ramp: true }],
    }),
  (overrides, instant) =>
    overrides.runVolatility({
      asset: exposure(nifty.refId).asset,
      from: instant,
      knots: [{ at: instant, value: 0.3, ramp: false }],
    }),
  (overrides, instant) => {
    const { asset } = exposure(infy.refId);
    const liquidity = { volume: 1e6, lot: 1, volatility: 0.02, everywhere: 1e6 };
    overrides.push({ refId: infy.refId, asset, liquidity, waited: false }, 50_000, instant);
  },
];

const step = fc.record({ minutes: fc.double({ min: 0.1, max: 8, noNaN: true }), move: fc.nat(MOVES.length) });

test('the candle of a day is that of a market which nobody asked before', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 6 }), (steps) => {
      const overrides = new PriceOverrides();
      const asked = withPriceOverrides(pure, overrides);
      let instant = OPEN;
      for (const { minutes, move } of steps) {
        instant += Math.round(minutes * MINUTE);
        MOVES[move]?.(overrides, instant);
        const fresh = withPriceOverrides(pure, overrides);
        for (const instrument of [infy, nifty, call])
          expect(asked.bars(instrument, '1d', DAY, instant + MINUTE, instant + MINUTE)).toEqual(
            fresh.bars(instrument, '1d', DAY, instant + MINUTE, instant + MINUTE),
          );
      }
    }),
    { numRuns: 15 },
  );
});

describe('a minute', () => {
  const bar = { at: OPEN, open: 100, high: 110, low: 90, close: 105, volume: 1, openInterest: 0 };
  const made = () => {
    const minutes = new MovedMinutes();
    const make = jest.fn(() => ({ ...bar, open: 101 }));
    const get = (refId: number, usual: typeof bar, version: number) => minutes.get(refId, usual, version, make);
    return { get, make };
  };

  it('is moved once while nothing more moves it', () => {
    const { get, make } = made();
    expect(get(1, bar, 3)).toEqual({ ...bar, open: 101 });
    expect(get(1, { ...bar, volume: 2 }, 3)).toEqual({ ...bar, open: 101 });
    expect(make).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['another instrument', 2, bar, 3],
    ['a further move', 1, bar, 4],
    ['another minute', 1, { ...bar, at: OPEN + MINUTE }, 3],
    ...(['open', 'high', 'low', 'close'] as const).map(
      (field) => [`another ${field} of the market`, 1, { ...bar, [field]: bar[field] + 1 }, 3] as const,
    ),
  ] as const)('is moved again for %s', (_what, refId, usual, version) => {
    const { get, make } = made();
    get(1, bar, 3);
    get(refId, usual, version);
    expect(make).toHaveBeenCalledTimes(2);
  });

  it('is kept for so many instruments and minutes only', () => {
    const { get, make } = made();
    for (let refId = 1; refId <= 501; refId++) get(refId, bar, 3);
    get(1, bar, 3);
    expect(make).toHaveBeenCalledTimes(502);
    for (let minute = 1; minute <= 1_500; minute++) get(1, { ...bar, at: OPEN + minute * MINUTE }, 3);
    get(1, bar, 3);
    expect(make).toHaveBeenCalledTimes(502 + 1_501);
  });
});
