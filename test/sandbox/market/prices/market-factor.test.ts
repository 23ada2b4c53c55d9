import { MarketFactor } from '../../../../sandbox/src/market/prices/market-factor';
import { TradingDays } from '../../../../sandbox/src/market/reference/calendar';
import { share } from '../../../support/sample';

const days = TradingDays.of('equity');
const FROM = 250;
const SEEDS = Array.from({ length: 6 }, (_, i) => new MarketFactor(i + 1, days));

/** Sums up the return of the factor on a day. */
const whole = (factor: MarketFactor, index: number): number => {
  const { overnight, stretches } = factor.day(index);
  return stretches.reduce((sum, stretch) => sum + stretch, overnight);
};

/** Days of a factor after whose return, of the night or of the whole, a condition takes them; 1 is the usual deviation. */
function daysAfter(factor: MarketFactor, of: 'night' | 'day', taken: (made: number) => boolean): number[] {
  const made = (index: number) => (of === 'night' ? factor.day(index).overnight : whole(factor, index));
  return Array.from({ length: 4_000 - FROM }, (_, i) => FROM + i).filter((index) =>
    taken(made(index) / factor.volatility),
  );
}

/** Mean variance that came in so many days after one; 1 is usual. */
function came(factor: MarketFactor, index: number, horizon: number): number {
  const following = Array.from({ length: horizon }, (_, i) => factor.day(index + 1 + i));
  return following.reduce((sum, { expected, surprise }) => sum + (expected * surprise) ** 2, 0) / horizon;
}

/** The variance that came within each of some horizons over that which was expected, as it looked at the open or the close. */
function comeOverExpected(
  horizons: readonly number[],
  minute: 'open' | 'close',
  taken: (made: number) => boolean,
): number[] {
  const sums = horizons.map(() => ({ came: 0, expected: 0 }));
  for (const factor of SEEDS)
    for (const index of daysAfter(factor, minute === 'open' ? 'night' : 'day', taken)) {
      const at = minute === 'open' ? 0 : days.grid(index).minutes;
      // One day after the other: what a day looks like is reckoned once for all horizons.
      horizons.forEach((horizon, i) => {
        sums[i]!.expected += factor.expectedAfter(index, at, horizon) ** 2;
        sums[i]!.came += came(factor, index, horizon);
      });
    }
  return sums.map((sum) => sum.came / sum.expected);
}

describe('The variance to expect of the days to come, by which options are priced', () => {
  const moments: readonly [what: string, taken: (made: number) => boolean][] = [
    ['after falls', (made) => made < -1],
    ['after rises', (made) => made > 1],
    ['after quiet days', (made) => Math.abs(made) < 0.1],
  ];
  it.each(share(moments, 3, 0))('is right on average: %s', (_what, taken) => {
    for (const ratio of comeOverExpected([1, 5, 21], 'close', taken)) expect(Math.abs(ratio - 1)).toBeLessThan(0.06);
  });

  // Whether the day as a whole will be a fall is reckoned as even then, which is a little too much after a night of losses.
  it('is nearly right as seen at the open', () => {
    const [ratio] = comeOverExpected([1], 'open', (made) => made < -0.5);
    expect(Math.abs(ratio! - 1)).toBeLessThan(0.1);
  });

  it('is more after a fall than after a rise of the same size, mostly for the next day', () => {
    const mean = (horizon: number, taken: (made: number) => boolean): number => {
      const all = SEEDS.flatMap((factor) =>
        daysAfter(factor, 'day', taken).map((index) => came(factor, index, horizon)),
      );
      return all.reduce((sum, value) => sum + value, 0) / all.length;
    };
    const ratio = (horizon: number): number =>
      mean(horizon, (made) => made < -1 && made > -2) / mean(horizon, (made) => made > 1 && made < 2);
    expect(ratio(1)).toBeGreaterThan(1.3);
    expect(ratio(1)).toBeGreaterThan(ratio(21) * 1.1);
  });
});
