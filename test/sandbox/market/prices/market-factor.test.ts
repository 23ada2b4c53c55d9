import { MarketFactor } from '../../../../sandbox/src/market/prices/market-factor';
import { TradingDays } from '../../../../sandbox/src/market/reference/calendar';

const days = TradingDays.of('equity');
const FROM = 250;
const SEEDS = Array.from({ length: 6 }, (_, i) => new MarketFactor(i + 1, days));

/** What a day of the factor returned. */
const whole = (factor: MarketFactor, index: number): number => {
  const { overnight, stretches } = factor.day(index);
  return stretches.reduce((sum, one) => sum + one, overnight);
};

/** Means, after days that a condition takes, of the variance that came in so many days and of that which was expected; 1 is usual. */
function after(
  horizon: number,
  minute: 'open' | 'close',
  taken: (made: number) => boolean,
): [came: number, expected: number] {
  let [came, expected, count] = [0, 0, 0];
  for (const factor of SEEDS)
    for (let index = FROM; index < 4_000; index++) {
      const made = minute === 'open' ? factor.day(index).overnight : whole(factor, index);
      if (!taken(made / factor.volatility)) continue;
      const at = minute === 'open' ? 0 : days.grid(index).minutes;
      expected += factor.expectedAfter(index, at, horizon) ** 2;
      for (let i = 1; i <= horizon; i++) {
        const { expected: of, surprise } = factor.day(index + i);
        came += (of * surprise) ** 2 / horizon;
      }
      count++;
    }
  return [came / count, expected / count];
}

describe('The variance to expect of the days to come, by which options are priced', () => {
  it.each([
    ['after falls', (made: number) => made < -1],
    ['after rises', (made: number) => made > 1],
    ['after quiet days', (made: number) => Math.abs(made) < 0.1],
  ])('is what comes: %s', (_what, taken) => {
    for (const horizon of [1, 5, 21]) {
      const [came, expected] = after(horizon, 'close', taken);
      expect(Math.abs(came / expected - 1)).toBeLessThan(0.06);
    }
  });

  // Whether the day as a whole will be a fall is reckoned as even then, which is a little too much after a night of losses.
  it('is nearly what comes as it looks at the open', () => {
    const [came, expected] = after(1, 'open', (made) => made < -0.5);
    expect(Math.abs(came / expected - 1)).toBeLessThan(0.1);
  });

  it('is more after a fall than after a rise of the same size, mostly for the next day', () => {
    const ratio = (horizon: number): number =>
      after(horizon, 'close', (made) => made < -1 && made > -2)[0] /
      after(horizon, 'close', (made) => made > 1 && made < 2)[0];
    expect(ratio(1)).toBeGreaterThan(1.3);
    expect(ratio(1)).toBeGreaterThan(ratio(21) * 1.1);
  });
});
