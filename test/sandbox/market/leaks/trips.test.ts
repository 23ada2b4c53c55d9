/** Random round trips and the traders that earned before, in short; `TRIPS=200 TRIPS_SEEDS=10` for a longer run. */
import { IS_WHOLE } from '../../../support/sample';
import { botRow, givesAway, tripsOf } from './trip-search';
import { Bets } from './statistics';
import { TripTable } from './trips';

const TRIPS = Number(process.env.TRIPS ?? (IS_WHOLE ? 60 : 4));
const SEEDS = Number(process.env.TRIPS_SEEDS ?? 1);
/** Number of trips of a class that is enough to tell whether it loses. */
const ENOUGH = 150;

it('no class of round trips gives anything away, and no trader that earned before earns', async () => {
  const rows = await tripsOf({ firstSeed: 1, seeds: SEEDS, trips: TRIPS, botDays: IS_WHOLE ? 1 : 0.25 });
  const isTrader = ({ spreads }: (typeof rows)[0]): boolean => Number.isNaN(spreads);
  expect(rows.filter(isTrader).map(({ name }) => name)).toContain('machine: a call piece by piece, sold at once');
  // A class that is small may have been lucky; it must not have been so beyond all chance.
  const generous = givesAway(rows.filter((row) => isTrader(row) || row.trips >= ENOUGH));
  expect(generous.map(({ name }) => name)).toEqual([]);
  const lucky = rows.filter((row) => !isTrader(row) && row.spreads > 4 * row.spreadsError);
  expect(lucky.map(({ name }) => name)).toEqual([]);
});

describe('what is told of few bets', () => {
  const bets = (...gains: number[]): Bets => {
    const made = new Bets();
    for (const gain of gains) made.add(gain);
    return made;
  };

  test('a trader who won a single bet has not been seen to earn; one who wins always has', () => {
    expect(givesAway([botRow(['lucky once', bets(374_873)])])).toEqual([]);
    expect(givesAway([botRow(['earns', bets(10, 12, 14)])])).toHaveLength(1);
  });

  test('a class of a single trip has not been seen to lose', () => {
    const table = new TripTable();
    table.add('rare', { rupees: -10, spreads: -1, net: -12 });
    expect(givesAway(table.found)).toHaveLength(1);
  });

  test('the error of a mean is that of the sample: of 2, 4 and 9 it is √13 / √3', () => {
    expect(bets(2, 4, 9).error).toBeCloseTo(Math.sqrt(13 / 3), 12);
  });
});
