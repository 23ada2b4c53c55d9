/**
 * Compares the sandbox's market with figures of real ones: `npm run market-report -- --seed 5 --plots ./plots`. Prints a table,
 * writes plots (SVG) where asked, and fails where a figure is outside of its bounds.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import './typescript.mjs';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '2012-01-02' },
    to: { type: 'string', default: '2026-08-21' },
    minutes: { type: 'string', default: '40' },
    plots: { type: 'string' },
  },
});

const { createMarket } = (await import('../sandbox/src/market/prices/market.ts')).default;
const { reportOf } = (await import('../test/sandbox/market/report/report.ts')).default;

const market = createMarket({ seed: Number(values.seed), universe: 'full' });
const report = reportOf(market, values.from, values.to, Number(values.minutes));
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
  'Not known here, as there is no real data to compare with: spreads and depth by liquidity, how smiles of options move, trades within a second.',
);

if (values.plots !== undefined) {
  mkdirSync(values.plots, { recursive: true });
  const normal = (x) => Math.exp(-(x * x) / 2) / Math.sqrt(2 * Math.PI);
  const width = 0.25;
  const bins = Array.from({ length: 49 }, (_, i) => -6 + i * width);
  const density = bins.map(
    (from) => report.returns.filter((one) => one >= from && one < from + width).length / report.returns.length / width,
  );
  const plots = {
    closes: [{ label: 'NIFTY, close of each day (logarithm)', y: report.closes.map(Math.log) }],
    returns: [
      { label: 'Daily returns over their deviation, density', y: density },
      { label: 'normal distribution', y: bins.map((from) => normal(from + width / 2)) },
    ],
    clustering: [{ label: 'Autocorrelation of the size of daily returns, 1 to 40 days', y: report.clustering }],
    minutes: [{ label: 'Size of returns by minute of the day, 1 on average', y: report.minutes }],
  };
  for (const [name, lines] of Object.entries(plots)) writeFileSync(join(values.plots, `${name}.svg`), plot(lines));
  console.log(`Plots are in ${values.plots}.`);
}
console.log(
  outside.length === 0
    ? 'All figures are inside their bounds.'
    : `${outside.length} outside: ${outside.map(({ name }) => name).join('; ')}.`,
);
process.exitCode = outside.length === 0 ? 0 : 1;

/** Lines over the same x, as an SVG. */
function plot(lines) {
  const [wide, high, edge] = [900, 360, 40];
  const all = lines.flatMap(({ y }) => y);
  const [low, top] = [
    Math.min(0, ...all) === 0 && Math.min(...all) > 5 ? Math.min(...all) : Math.min(0, ...all),
    Math.max(...all),
  ];
  const x = (i, count) => edge + (i / (count - 1)) * (wide - 2 * edge);
  const y = (value) => high - edge - ((value - low) / (top - low)) * (high - 2 * edge);
  const colours = ['#1f5fbf', '#b3541e'];
  const paths = lines.map(
    ({ y: points }, n) =>
      `<polyline fill="none" stroke="${colours[n]}" stroke-width="1.2" points="${points
        .map((value, i) => `${x(i, points.length).toFixed(1)},${y(value).toFixed(1)}`)
        .join(' ')}"/>`,
  );
  const labels = lines.map(
    ({ label }, n) => `<text x="${edge}" y="${18 + n * 16}" fill="${colours[n]}" font-size="13">${label}</text>`,
  );
  const axis = `<line x1="${edge}" x2="${wide - edge}" y1="${y(Math.max(low, 0))}" y2="${y(Math.max(low, 0))}" stroke="#999"/>`;
  const ends = [low, top].map(
    (value) => `<text x="4" y="${y(value) + 4}" font-size="11" fill="#555">${value.toPrecision(3)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" font-family="sans-serif"><rect width="${wide}" height="${high}" fill="#fff"/>${axis}${paths.join('')}${labels.join('')}${ends.join('')}</svg>\n`;
}
