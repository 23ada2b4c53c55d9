/** Random round trips and the traders that earned before, over several markets: one table. */
import { cachedMarket } from '../../../../sandbox/src/market/prices/market-cache';
import { readRecordings } from '../../../../sandbox/src/simulation/recordings';
import { formatDayNumber } from '../../../../sandbox/src/shared/dates';
import { tradingDays } from './bots';
import { Bets } from './statistics';
import { TRIP_BOTS } from './trip-bots';
import { sessionTrips } from './session-trips';
import { randomTrips, TripTable, type TripRow } from './trips';

const { floor } = Math;

export interface TripSearch {
  firstSeed: number;
  /** Markets that are tried. */
  seeds: number;
  /** Random trips on each of them; through sessions, which take days, one of each class for fifty of them. */
  trips: number;
  /** Part of their days on which the traders try; all where it is left out. */
  botDays?: number | undefined;
  /** A folder of recordings whose days are traded instead of made-up ones. */
  replay?: string | undefined;
}

/** The table of a search. */
export async function tripsOf({ firstSeed, seeds, trips, botDays = 1, replay }: TripSearch): Promise<TripRow[]> {
  const recordings = replay === undefined ? undefined : await readRecordings(replay);
  const recorded = recordings && [...recordings.instruments.values()][0]!.days.keys();
  const days = recorded && [...recorded].map(formatDayNumber);
  const table = new TripTable();
  const bots = new Map(Object.keys(TRIP_BOTS).map((name) => [name, new Bets()]));
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    const market = cachedMarket({ seed, universe: 'demo', hours: 'exchange', ...(recordings && { recordings }) });
    const traded = days ?? tradingDays(market, '2026-09-15', 10);
    randomTrips(market, traded, trips, 1_000 * seed, table);
    sessionTrips(market, days ?? tradingDays(market, '2026-08-15', 40), floor(trips / 50), 2_000 * seed, table);
    for (const [name, { bot, from, days: all }] of Object.entries(TRIP_BOTS)) {
      const count = Math.ceil(all * botDays);
      for (const gain of bot(market, days?.slice(0, count) ?? tradingDays(market, from, count), seed).gains)
        bots.get(name)!.add(gain);
    }
  }
  return [...table.found, ...[...bots].filter(([, { count }]) => count > 0).map(botRow)];
}

/** Sums up the bets of a trader as a row of the table: all of it after charges. */
export function botRow([name, bets]: [string, Bets]): TripRow {
  const { count, mean, error } = bets;
  return {
    name,
    trips: count,
    rupees: mean,
    rupeesError: error,
    spreads: NaN,
    spreadsError: NaN,
    net: mean,
    netError: error,
  };
}

/** Classes of trips whose mean is not beyond two standard errors below nothing, and traders who earn beyond two. */
export const givesAway = (rows: readonly TripRow[]): TripRow[] =>
  rows.filter(({ spreads, spreadsError, net, netError }) =>
    Number.isNaN(spreads) ? net > 2 * netError : !(spreads + 2 * spreadsError < 0),
  );
