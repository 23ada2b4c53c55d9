/** Random round trips and the traders that earned before, in short; `TRIPS=200 TRIPS_SEEDS=10` for a longer run. */
import { IS_WHOLE } from '../../../support/sample';
import { givesAway, tripsOf } from './trip-search';

const TRIPS = Number(process.env.TRIPS ?? (IS_WHOLE ? 60 : 20));
const SEEDS = Number(process.env.TRIPS_SEEDS ?? 1);
/** Number of trips of a class that is enough to tell whether it loses. */
const ENOUGH = 150;

it('no class of round trips gives anything away, and no trader that earned before earns', async () => {
  const rows = await tripsOf({ firstSeed: 1, seeds: SEEDS, trips: TRIPS });
  const isTrader = ({ spreads }: (typeof rows)[0]): boolean => Number.isNaN(spreads);
  expect(rows.filter(isTrader).map(({ name }) => name)).toContain('machine: a call piece by piece, sold at once');
  // A class that is small may have been lucky; it must not have been so beyond all chance.
  const told = givesAway(rows.filter((row) => isTrader(row) || row.trips >= ENOUGH));
  expect(told.map(({ name }) => name)).toEqual([]);
  const lucky = rows.filter((row) => !isTrader(row) && row.spreads > 4 * row.spreadsError);
  expect(lucky.map(({ name }) => name)).toEqual([]);
});
