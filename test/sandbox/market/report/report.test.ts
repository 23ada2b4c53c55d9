import path from 'node:path';
import { createMarket } from '../../../../sandbox/src/market/prices/market';
import { normalOf, subKey } from '../../../../sandbox/src/shared/random';
import { correlation, kurtosis } from './figures';
import { describeWith, SHARED_DATA } from '../../../support/needs';
import { IS_WHOLE, WHOLE_RUN } from '../../../support/sample';
import { mastersOf, REAL_MASTER } from './masters';
import { reportOf } from './report';

test('kurtosis and correlation are those of the textbook', () => {
  expect(kurtosis([-1, 1, -1, 1])).toBe(1);
  expect(kurtosis([0, 0, 0, 0, 0, 0, 0, 8])).toBeGreaterThan(5);
  expect(kurtosis(Array.from({ length: 20_000 }, (_, i) => normalOf(subKey(7, i))))).toBeCloseTo(3, 0);
  expect(correlation([1, 2, 3], [2, 4, 6])).toBeCloseTo(1, 12);
  expect(correlation([1, 2, 3], [6, 4, 2])).toBeCloseTo(-1, 12);
});

describeWith(WHOLE_RUN, 'Fourteen years of the market', () => {
  it('has the tails, the clustering and the leverage of a real one, and prices that belong together go together', () => {
    const { figures, closes, minutes } = reportOf(
      createMarket({ seed: 5, universe: 'full' }),
      '2012-01-02',
      '2026-08-21',
      3,
    );
    // Three days say nothing of single half hours.
    const outside = figures.filter(
      ({ name, value, least, most: max }) => !/half hour/.test(name) && !(value >= least && value <= max),
    );
    expect(outside.map(({ name }) => name)).toEqual([]);
    expect(closes.length).toBeGreaterThan(3_500);
    expect(minutes.length).toBeGreaterThan(360);
  });
});

/** The file has 50 MB of JSON: in `npm test`, contract-value.test.ts reads its rows of MCX. */
const WHOLE_DATA = {
  name: `${WHOLE_RUN.name} with ${SHARED_DATA.name}`,
  found: IS_WHOLE ? SHARED_DATA.found : undefined,
};

describeWith(WHOLE_DATA, 'Beside a real instrument master', (data) => {
  it('shares have its ticks, and futures of MCX its expiries', () => {
    const market = createMarket({ seed: 5, universe: 'full' });
    const [ticks, expiries] = mastersOf(market, path.join(data, REAL_MASTER));
    expect(ticks!.value).toBeGreaterThan(ticks!.least);
    expect(expiries!.value).toBe(1);
  });
});
