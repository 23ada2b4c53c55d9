/**
 * Compares the sandbox's market with figures of real ones: `npm run market-report -- --seed 5 --plots ./plots`. Prints a table,
 * writes plots (SVG) where asked, and fails where a figure is outside of its bounds.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions } from './options.mjs';
import { plot } from './plot.mjs';
import './typescript.mjs';

const HELP = `Compares the sandbox's market with figures of real ones, and fails where one is outside of its bounds.

  --seed S       seed of the market (1)
  --from, --to   first and last day, YYYY-MM-DD (2012-01-02, 2026-08-21)
  --minutes N    number of days of which the minutes count (40)
  --plots DIR    writes plots (SVG) there
  --data DIR     the real exchange data (../shared/data)`;
const values = readOptions(HELP, {
  seed: { type: 'string', default: '1' },
  from: { type: 'string', default: '2012-01-02' },
  to: { type: 'string', default: '2026-08-21' },
  minutes: { type: 'string', default: '40' },
  plots: { type: 'string' },
  data: { type: 'string', default: '../shared/data' },
});

const { createMarket } = (await import('../sandbox/src/market/prices/market.ts')).default;
const { reportOf } = (await import('../test/sandbox/market/report/report.ts')).default;
const { mastersOf, REAL_MASTER } = (await import('../test/sandbox/market/report/masters.ts')).default;

const market = createMarket({ seed: Number(values.seed), universe: 'full' });
const report = reportOf(market, values.from, values.to, Number(values.minutes));
const master = join(values.data, REAL_MASTER);
if (existsSync(master)) report.figures.push(...mastersOf(market, master));
const outside = report.figures.filter(({ value, least, most }) => !(value >= least && value <= most));
console.table(
  report.figures.map(({ name, value, least, most, source }) => ({
    figure: name,
    here: Number(value.toFixed(3)),
    'real, from': least,
    to: most,
    inside: value >= least && value <= most,
    source,
  })),
);
console.log(
  'Not known here, as there is no real data to compare with: trades within a second. What is marked as stated has bounds of our own or of the literature, as books and smiles over time.',
);
if (!existsSync(master))
  console.log(`Left out, as ${master} is not here: tick sizes and expiries of MCX beside a real master.`);

if (values.plots !== undefined) {
  mkdirSync(values.plots, { recursive: true });
  const normal = (x) => Math.exp(-(x * x) / 2) / Math.sqrt(2 * Math.PI);
  const tail = (value) => (value < 1e-4 ? 0 : value);
  const width = 0.25;
  const bins = Array.from({ length: 49 }, (_, i) => -6 + i * width);
  const density = bins.map(
    (from) => report.returns.filter((one) => one >= from && one < from + width).length / report.returns.length / width,
  );
  const years = report.dates.flatMap((date, i) =>
    i > 0 && date.slice(0, 4) !== report.dates[i - 1].slice(0, 4) ? [[i, date.slice(0, 4)]] : [],
  );
  // The last is the minute of the closing auction, which has one price; the others are shown in means of five.
  const fives = Array.from({ length: Math.floor((report.minutes.length - 1) / 5) }, (_, i) =>
    report.minutes.slice(i * 5, i * 5 + 5).reduce((sum, one) => sum + one / 5, 0),
  );
  const opening = 9 * 60 + 15;
  const times = fives.map((_, i) => opening + i * 5);
  const plots = {
    closes: {
      title: 'NIFTY, close of each day',
      across: 'year',
      up: 'points, logarithmic',
      x: report.closes.map((_, i) => i),
      lines: [{ label: `seed ${values.seed}`, y: report.closes }],
      marks: years.filter((_, i) => i % 2 === 0),
      log: true,
    },
    returns: {
      title: 'NIFTY, how often returns of a size are met: real tails are above those of the normal distribution',
      across: 'daily return, in standard deviations',
      up: 'density, logarithmic',
      x: bins.map((from) => from + width / 2),
      lines: [
        { label: 'here', y: density },
        { label: 'normal distribution, down to 1 in 10,000', y: bins.map((from) => tail(normal(from + width / 2))) },
      ],
      marks: [-4, -2, 0, 2, 4].map((one) => [one, String(one)]),
      log: true,
    },
    clustering: {
      title: 'NIFTY, autocorrelation of the size of daily returns: calm and busy times last',
      across: 'days between both returns',
      up: 'correlation',
      x: report.clustering.map((_, i) => i + 1),
      lines: [{ label: 'here; NIFTY since 2021 has 0.24 at one day', y: report.clustering }],
      marks: [1, 5, 10, 20, 30, 40].map((one) => [one, String(one)]),
    },
    minutes: {
      title: 'NIFTY, size of returns by the time of the day',
      across: 'time, five minutes each',
      up: 'size of a minute, 1 on average',
      x: times,
      lines: [{ label: `mean of ${values.minutes} days`, y: fives }],
      marks: times.filter((one) => one % 60 === 0).map((one) => [one, `${one / 60}:00`]),
    },
  };
  for (const [name, parts] of Object.entries(plots)) writeFileSync(join(values.plots, `${name}.svg`), plot(parts));
  console.log(`Plots are in ${values.plots}.`);
}
console.log(
  outside.length === 0
    ? 'All figures are inside their bounds.'
    : `${outside.length} outside: ${outside.map(({ name }) => name).join('; ')}.`,
);
process.exitCode = outside.length === 0 ? 0 : 1;
