/**
 * Looks for what tells the sandbox's prices in advance: `npm run leak-search -- --days 250 --seed 5`. Prints the findings
 * that are beyond chance and earn more than half a tick, and fails where there are any. With `--bots` it lets the five bots
 * trade instead, and fails where what one earns is not within two standard errors of minus its costs. With `--trips N` it makes N
 * random round trips on each of `--seeds` markets, lets the traders that earned by name try again, and fails where a class of
 * trips does not lose or a trader earns.
 */
import { readOptions } from './options.mjs';
import './typescript.mjs';

const HELP = `Looks for what tells the sandbox's prices in advance, and fails where it finds something.

  --days N       number of days (100; with --bots 50)
  --seed S       seed of the market (5)
  --from DATE    first day, YYYY-MM-DD (2026-01-01; with --bots 2026-08-31)
  --hours H      exchange, or always (exchange)
  --bots         lets the five bots trade instead
  --trips N      makes N random round trips on each market instead, and names each class that does not lose
  --seeds N      number of markets for --trips (10)
  --replay DIR   makes the trips on the recordings of a folder`;
const values = readOptions(HELP, {
  bots: { type: 'boolean', default: false },
  days: { type: 'string' },
  seed: { type: 'string', default: '5' },
  from: { type: 'string' },
  hours: { type: 'string', default: 'exchange' },
  trips: { type: 'string' },
  seeds: { type: 'string', default: '10' },
  replay: { type: 'string' },
});
const SYMBOLS = ['NIFTY', 'BANKNIFTY', 'RELIANCE', 'INFY', 'TATASTEEL', 'MARUTI', 'NIFTYBEES', 'GOLDBEES'];
const seed = Number(values.seed);

process.exitCode = (values.trips ? await roundTrips() : values.bots ? await trade() : await look()) ? 0 : 1;

/**
 * Returns true if every class of random round trips loses beyond two standard errors, and no trader that earned before earns beyond two.
 */
async function roundTrips() {
  const { tripsOf, givesAway } = (await import('../test/sandbox/market/leaks/trip-search.ts')).default;
  const rows = await tripsOf({
    firstSeed: seed,
    seeds: Number(values.seeds),
    trips: Number(values.trips),
    replay: values.replay,
  });
  const rounded = (value, error, digits) => `${value.toFixed(digits)} ± ${error.toFixed(digits)}`;
  console.table(
    rows.map(({ name, trips, rupees, rupeesError, spreads, spreadsError, net }) => ({
      name,
      trips,
      'before charges, ₹ a trip': rounded(rupees, rupeesError, 0),
      'in spreads': rounded(spreads, spreadsError, 2),
      'after charges, ₹ a trip': Math.round(net),
    })),
  );
  const found = givesAway(rows);
  console.log(
    found.length === 0
      ? 'Every class of trips loses beyond two standard errors, and no trader earns.'
      : `Trips that do not lose beyond two standard errors, or traders who earn beyond them: ${found.map(({ name }) => name).join('; ')}.`,
  );
  return found.length === 0;
}

/** Returns true if each bot's earnings are within two errors of minus its costs; rupees a day. */
async function trade() {
  const { earningsOf } = (await import('../test/sandbox/market/leaks/earnings.ts')).default;
  // There is a closing auction since August 2026.
  const found = await earningsOf(seed, values.from ?? '2026-08-31', Number(values.days ?? 50));
  console.table(
    found.map(({ bot, days, bets, earned, costs, error, score }) => ({
      bot,
      days,
      bets,
      'earned a day, ₹': Math.round(earned),
      'costs a day, ₹': Math.round(costs),
      'error, ₹': Math.round(error),
      'errors from minus the costs': score.toFixed(2),
    })),
  );
  const apart = found.filter(({ score }) => !(Math.abs(score) <= 2));
  console.log(
    apart.length === 0
      ? 'Each earned minus its costs, within two standard errors.'
      : `Not within two standard errors of minus the costs: ${apart.map(({ bot }) => bot).join('; ')}. By chance one bot in twenty is.`,
  );
  return apart.length === 0;
}

/** Returns true if no signal predicts more than chance would, and earns more than a bet costs. */
async function look() {
  const { createMarket } = (await import('../sandbox/src/market/prices/market.ts')).default;
  const { leaks, search } = (await import('../test/sandbox/market/leaks/search.ts')).default;
  const market = createMarket({ seed, universe: 'demo', hours: values.hours });
  const findings = search(market, SYMBOLS, values.from ?? '2026-01-01', Number(values.days ?? 100));
  const found = leaks(findings);
  const plainest = [...findings].sort((a, b) => Math.abs(b.score) - Math.abs(a.score)).slice(0, 10);
  console.log(`${findings.length} signals tried; the ten plainest:`);
  console.table(
    plainest.map(({ instrument, signal, hours, horizon, coefficient, error, score, ticks, count }) => ({
      instrument,
      signal,
      hours,
      horizon,
      'information coefficient': coefficient.toFixed(4),
      error: error.toFixed(4),
      score: score.toFixed(1),
      'ticks a bet': ticks.toFixed(2),
      count,
    })),
  );
  console.log(
    found.length === 0
      ? 'Nothing is beyond chance and earns more than half a tick, the least that a bet costs.'
      : `${found.length} are beyond chance, and earn more than half a tick.`,
  );
  return found.length === 0;
}
