import { longDate, formatValue } from '../reports/document/format';
import type { PerformanceRecord } from '../reports/performance/record';
import { signedRupees, worstDayInWords } from '../reports/performance/worst-day';
import type { TradeBar } from './basis';
import { partialInWords, type BacktestReport } from './report';
import { equityChart } from './report-chart';
import { basisSection, luckSection, monthsTable } from './report-sections';
import { formatAmount, escapeHtml, formatMinute, REPORT_STYLE, htmlTable, withMinus } from './report-parts';
import { tradePictures } from './trade-pictures';
import { runsInWords, errorTime, type Runs } from './runs';

/** Largest number of errors of runs on the page; the JSON has all of them. */
const MAX_ERRORS = 20;

/** A session report as one page that needs nothing else: the result beside the index, runs that failed, each day, each trade. */
export function reportPage(report: BacktestReport, name: string): string {
  const { trades, sharpe, drawdown, worst_day: worst, market, basis, luck } = report;
  const rows: [string, string][] = [
    ['Result after costs', signedRupees(report.result)],
    ['Costs', signedRupees(report.costs)],
    ['Slippage', signedRupees(report.slippage)],
    ['Own impact', signedRupees(basis.own_impact)],
    [
      'Largest drawdown',
      drawdown === null
        ? '–'
        : `${signedRupees(drawdown.amount)}, ${longDate(drawdown.from.slice(0, 10))} to ${longDate(drawdown.to.slice(0, 10))}`,
    ],
    ['Capital', signedRupees(basis.capital)],
    ['Return on capital', `${withMinus(basis.return_percent)} %`],
    ['Largest amount invested', signedRupees(basis.largest_invested)],
    ...returnOf('Return on what was invested', basis.return_on_invested_percent),
    ['Most that was blocked', signedRupees(basis.largest_blocked)],
    ...returnOf('Return on what was blocked', basis.return_on_blocked_percent),
    ['Worst day', worst === null ? '–' : `${signedRupees(worst.result)}, ${longDate(worst.date)}`],
    ['Closed trades', `${trades.closed}${trades.win_rate === null ? '' : `, ${trades.win_rate} % won`}`],
    ['Profit factor', String(trades.profit_factor ?? '–')],
    ['Sharpe ratio, annualised', sharpe === null ? '–' : `${withMinus(sharpe.value)} ± ${sharpe.error}`],
    ...(market === null ? [] : [[market.symbol, `${withMinus(market.change)} %`] as [string, string]]),
  ];
  return `<!doctype html>
<html lang="en-IN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(name)}: backtest</title><style>${REPORT_STYLE}</style></head><body>
<h1>${escapeHtml(name)}</h1><p>Backtest, ${longDate(report.from)} to ${longDate(report.to)}. Simulated: no order left the machine.</p>
${partial(report)}${worstDay(report)}
<p class="verdict">${escapeHtml(report.verdict)}</p>
<p${report.runs.errors.length > 0 || report.runs.total === 0 ? ' class="verdict bad"' : ''}>${escapeHtml(runsInWords(report.runs))}</p>
<dl>${rows.map(([title, value]) => `<div><dt>${escapeHtml(title)}</dt><dd>${escapeHtml(value)}</dd></div>`).join('')}</dl>
${equityChart(report, luck)}
${luckSection(report)}
${errorsTable(report.runs)}
<h2>Months</h2>${monthsTable(basis)}
<h2>Days</h2>${daysTable(report)}
<h2>Trades</h2>${tradesTable(report)}
${tradePictures(report.round_trips, report.pictures)}
${basisSection(basis)}
</body></html>
`;
}

const returnOf = (title: string, percent: number | null): [string, string][] =>
  percent === null ? [] : [[title, `${withMinus(percent)} %`]];

function worstDay(report: PerformanceRecord): string {
  const said = worstDayInWords(report);
  return said === undefined ? '' : `<p class="lead">${escapeHtml(said)}</p>`;
}

function partial(report: BacktestReport): string {
  const said = partialInWords(report);
  return said === undefined ? '' : `<p class="verdict bad">${escapeHtml(said)}</p>\n`;
}

function errorsTable({ errors }: Runs): string {
  if (errors.length === 0) return '';
  const rows = errors
    .slice(0, MAX_ERRORS)
    .map(
      (error) =>
        `<tr><td>${errorTime(error)}</td><td class="text">${escapeHtml(error.node)}</td><td class="text">${escapeHtml(error.message)}</td><td class="text">${error.handled ? 'went on' : 'failed'}</td><td>${error.count}</td></tr>`,
    );
  const more = errors.length > MAX_ERRORS ? `<p>${errors.length - MAX_ERRORS} more stand in report.json.</p>` : '';
  return `<h2>Errors of the workflow</h2>${htmlTable(['First', '*Node', '*Error', '*The run', 'Times'], rows)}${more}`;
}

function daysTable({ days }: PerformanceRecord): string {
  const rows = days.flatMap((day) => {
    if (day === null) return [];
    const { index } = day;
    const prices = [index?.low, index?.high, index?.close].map((price) =>
      price === undefined ? '<td></td>' : `<td>${formatValue(price, 'price')}</td>`,
    );
    const change = day.market === null ? '' : `${withMinus(day.market)} %`;
    return [
      `<tr><td>${longDate(day.date)}</td>${formatAmount(day.result)}<td>${day.trades}</td><td>${change}</td>${prices.join('')}</tr>`,
    ];
  });
  return htmlTable(['Day', 'Result', 'Closed trades', 'Index', 'Low', 'High', 'Close'], rows);
}

function tradesTable({ round_trips: trips, basis }: BacktestReport): string {
  const rows = trips.map((trip, index) => {
    const bars = basis.bars[index];
    const entry = `<td>${formatMinute(trip.entry_at)}</td><td>${signedRupees(trip.entry_price)}</td><td>${barOf(bars?.entry)}</td>`;
    const exit = `<td>${trip.exit_at === null ? 'open' : formatMinute(trip.exit_at, trip.entry_at)}</td><td>${signedRupees(trip.exit_price)}</td><td>${barOf(bars?.exit)}</td>`;
    return `<tr><td>${escapeHtml(trip.symbol)}</td><td>${trip.side === 'LONG' ? 'Long' : 'Short'}</td><td>${trip.quantity}</td>${entry}${exit}${formatAmount(-trip.costs)}${formatAmount(trip.net)}</tr>`;
  });
  const heads = [
    'Instrument',
    'Side',
    'Quantity',
    'Entry',
    'at',
    'its minute',
    'Exit',
    'at',
    'its minute',
    'Costs',
    'Result',
  ];
  return htmlTable(heads, rows);
}

/** Lowest and highest price of the minute of a trade. */
function barOf(bar: TradeBar | null | undefined): string {
  return bar === null || bar === undefined ? '' : `${formatValue(bar.low, 'price')}–${formatValue(bar.high, 'price')}`;
}
