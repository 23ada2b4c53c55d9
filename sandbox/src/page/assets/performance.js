/** Performance of the account since the sandbox began: result with drawdown, figures, trades, by workflow and tag. */
import { BaselineSeries, createChart } from './vendor/lightweight-charts.mjs';
import { ask } from './api.js';
import { count, decimal, figure, money, roundMoney, shortTimeOf } from './format.js';
import { chartLook, chartTime, onColours, readColours } from './colours.js';
import { byId, fill, make, profit, setText, show } from './dom.js';
import { placedBy } from './placed-by.js';

/** Interval of the questions, milliseconds. Each answer is calculated from the start, so this is often enough. */
const ASK_EVERY_MS = 5_000;
const EXPORTS = [
  ['PDF', 'format=pdf'],
  ['Trades as CSV', 'format=csv&table=trades'],
  ['Days as CSV', 'format=csv&table=days'],
];
let chart;
let result;
let drawdown;
let requestedAt = 0;
let shownFor;

function paint() {
  const colours = readColours();
  const { up, down } = colours;
  const sides = {
    topLineColor: up,
    bottomLineColor: down,
    topFillColor2: 'transparent',
    bottomFillColor1: 'transparent',
  };
  chart.applyOptions(chartLook(colours));
  result.applyOptions({ ...sides, topFillColor1: 'transparent', bottomFillColor2: 'transparent' });
  drawdown.applyOptions({
    ...sides,
    topLineColor: down,
    topFillColor1: 'transparent',
    bottomFillColor2: 'transparent',
  });
}

function startPerformanceChart() {
  chart = createChart(byId('performance-chart'), {
    autoSize: true,
    timeScale: { timeVisible: true, secondsVisible: false },
    localization: { locale: 'en-IN', priceFormatter: (rupees) => roundMoney(rupees * 100) },
  });
  const options = { baseValue: { type: 'price', price: 0 }, lineWidth: 2, priceLineVisible: false };
  result = chart.addSeries(BaselineSeries, { ...options, title: 'Result' });
  drawdown = chart.addSeries(BaselineSeries, { ...options, title: 'Drawdown' }, 1);
  chart.panes()[0].setStretchFactor(2);
  paint();
  onColours(paint);
}

/** Points of a curve in rupees; of several in one second the last. */
function points(curve, valueOf) {
  const bySecond = new Map(curve.map((point) => [chartTime(Date.parse(point.at)), valueOf(point) / 100]));
  return [...bySecond].map(([time, value]) => ({ time, value }));
}

const entry = (name, value) => make('div', {}, make('dt', { text: name }), value);
const fact = (name, text) => entry(name, make('dd', { text }));

function figuresOf({ result: total, gross, costs, slippage, drawdown: largest, trades, sharpe }) {
  return [
    entry('Result after costs', profit('dd', total, money)),
    entry('Before costs', profit('dd', gross, money)),
    fact('Costs', money(costs)),
    fact('Slippage', money(slippage)),
    fact('Largest drawdown', largest === null ? '–' : `${money(largest.amount)} (${largest.percent} %)`),
    fact('Closed, won', `${count(trades.closed)}, ${count(trades.won)}`),
    fact('Win rate', trades.win_rate === null ? '–' : `${trades.win_rate} %`),
    fact('Profit factor', trades.profit_factor === null ? '–' : decimal(trades.profit_factor)),
    fact('Sharpe', typeof sharpe?.value === 'number' ? decimal(sharpe.value) : '–'),
  ];
}

const numberCell = (label, text) => make('td', { className: 'number', 'data-label': label, text });

function tradeRow(trip, at) {
  const side = trip.side === 'LONG' ? 'Long' : 'Short';
  return make(
    'tr',
    { 'data-key': `${at}` },
    make('td', { text: shortTimeOf(trip.entry_at) }),
    make(
      'td',
      {},
      make('strong', { text: `${side} ${count(trip.quantity)} ${trip.symbol}` }),
      trip.open ? ' open' : '',
    ),
    numberCell('Entry', figure(trip.entry_price)),
    numberCell('Exit', figure(trip.exit_price)),
    numberCell('Costs', figure(trip.costs)),
    numberCell('Slippage', trip.slippage === null ? '–' : figure(trip.slippage)),
    profit('td', trip.net, money),
    make('td', { className: 'tag' }, ...placedBy({ placed_by: trip.placed_by ?? undefined, tag: trip.tag })),
  );
}

function groupRow(kind, group) {
  return make(
    'tr',
    { 'data-key': `${kind} ${group.name}` },
    make(
      'td',
      {},
      make('span', { className: 'quiet', text: `${kind} ` }),
      make('strong', { text: group.name || 'none' }),
    ),
    numberCell('Closed', count(group.trades)),
    numberCell('Won', count(group.won)),
    numberCell('Costs', figure(group.costs)),
    numberCell('Slippage', figure(group.slippage)),
    profit('td', group.net, money),
  );
}

function exportsOf(phone) {
  return EXPORTS.flatMap(([text, query]) => [
    make('a', { href: `performance?phone=${encodeURIComponent(phone)}&${query}`, text }),
    ' ',
  ]);
}

/** Asks how the account has done and shows it; only while its tab is open. */
export async function showPerformance(phone) {
  if (shownFor === phone && Date.now() - requestedAt < ASK_EVERY_MS) return;
  const report = await ask(`performance?phone=${encodeURIComponent(phone)}`);
  [shownFor, requestedAt] = [phone, Date.now()];
  if (chart === undefined) startPerformanceChart();
  result.setData(points(report.curve, (point) => point.result));
  drawdown.setData(points(report.curve, (point) => -point.drawdown));
  chart.timeScale().fitContent();
  setText(byId('performance-verdict'), `${report.verdict} Since ${report.from}. `);
  show(byId('performance-exports'), exportsOf(phone));
  show(byId('performance-figures'), figuresOf(report));
  const trips = [...report.round_trips].reverse();
  fill(byId('trades'), trips.map(tradeRow), 'No trade since the sandbox began. Press B for a buy ticket.');
  fill(
    byId('groups'),
    [
      ...report.by_workflow.map((group) => groupRow('Workflow', group)),
      ...report.by_tag.map((group) => groupRow('Tag', group)),
    ],
    'Workflows and tags appear here with their trades.',
  );
}
