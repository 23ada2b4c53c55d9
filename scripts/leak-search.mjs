/**
 * Looks for what tells the sandbox's prices in advance: `npm run leak-search -- --days 250 --seed 5`. Prints the findings
 * that are beyond chance and earn more than half a tick, and fails where there are any.
 */
import { parseArgs } from 'node:util';
import './typescript.mjs';

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '100' },
    seed: { type: 'string', default: '5' },
    from: { type: 'string', default: '2026-01-01' },
    hours: { type: 'string', default: 'exchange' },
  },
});
const SYMBOLS = ['NIFTY', 'BANKNIFTY', 'RELIANCE', 'INFY', 'TATASTEEL', 'MARUTI', 'NIFTYBEES', 'GOLDBEES'];

const { createMarket } = (await import('../sandbox/src/market/prices/market.ts')).default;
const { leaks, search } = (await import('../test/sandbox/market/leaks/search.ts')).default;

const market = createMarket({ seed: Number(values.seed), universe: 'demo', hours: values.hours });
const findings = search(market, SYMBOLS, values.from, Number(values.days));
const shown = (list) =>
  list.map(({ instrument, signal, horizon, coefficient, error, score, ticks, count }) => ({
    instrument,
    signal,
    horizon,
    'information coefficient': coefficient.toFixed(4),
    error: error.toFixed(4),
    score: score.toFixed(1),
    'ticks a bet': ticks.toFixed(2),
    count,
  }));
const found = leaks(findings);
const plainest = [...findings].sort((a, b) => Math.abs(b.score) - Math.abs(a.score)).slice(0, 10);
console.log(`${findings.length} signals tried; the ten plainest:`);
console.table(shown(plainest));
console.log(
  found.length === 0
    ? 'Nothing is beyond chance and earns more than half a tick, the least that a bet costs.'
    : `${found.length} are beyond chance, and earn more than half a tick.`,
);
process.exitCode = found.length === 0 ? 0 : 1;
