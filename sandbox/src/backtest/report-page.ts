import { longDate } from '../reports/document/format';
import type { PerformanceRecord } from '../reports/performance/record';
import { rupees, worstDayInWords } from '../reports/performance/worst-day';
import { curve } from './report-chart';
import { runsInWords, when, type Runs } from './runs';

/** A session report with the runs of the workflow that was backtested. */
export type BacktestReport = PerformanceRecord & { runs: Runs };

/** So many errors of runs stand on the page; the JSON has all of them. */
const MAX_ERRORS = 20;

/** A number with the minus sign that amounts have. */
const withMinus = (value: number): string => String(value).replace('-', '−');

/** A session report as one page that needs nothing else: the result beside the index, runs that failed, each day, each trade. */
export function reportPage(report: BacktestReport, name: string): string {
  const { trades, sharpe, drawdown, worst_day: worst, market } = report;
  const rows: [string, string][] = [
    ['Result after costs', rupees(report.result)],
    ['Costs', rupees(report.costs)],
    ['Slippage', rupees(report.slippage)],
    ['Largest drawdown', drawdown === null ? '–' : rupees(drawdown.amount)],
    ['Worst day', worst === null ? '–' : `${rupees(worst.result)}, ${longDate(worst.date)}`],
    ['Closed trades', `${trades.closed}${trades.win_rate === null ? '' : `, ${trades.win_rate} % won`}`],
    ['Profit factor', String(trades.profit_factor ?? '–')],
    ['Sharpe ratio of a year', sharpe === null ? '–' : `${withMinus(sharpe.value)} ± ${sharpe.error}`],
    ...(market === null ? [] : [[market.symbol, `${withMinus(market.change)} %`] as [string, string]]),
  ];
  return `<!doctype html>
<html lang="en-IN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(name)}: backtest</title><style>${STYLE}</style></head><body>
<h1>${escaped(name)}</h1><p>Backtest, ${longDate(report.from)} to ${longDate(report.to)}. Simulated: no order left the machine.</p>
${worstDay(report)}
<p class="verdict">${escaped(report.verdict)}</p>
<p${report.runs.errors.length > 0 || report.runs.total === 0 ? ' class="verdict bad"' : ''}>${escaped(runsInWords(report.runs))}</p>
<dl>${rows.map(([title, value]) => `<div><dt>${escaped(title)}</dt><dd>${escaped(value)}</dd></div>`).join('')}</dl>
${curve(report)}
${errorsTable(report.runs)}
<h2>Days</h2>${daysTable(report)}
<h2>Trades</h2>${tradesTable(report)}
</body></html>
`;
}

const STYLE = `.lead{font-size:18px;font-weight:600}.bad{border-color:#b42318}.index{color:#64748b}.end{text-anchor:end}
text.gain{fill:#1f6f5c}text.loss{fill:#b42318}text.index{fill:#64748b}
body{font:15px/1.5 system-ui,sans-serif;max-width:1040px;margin:2rem auto;padding:0 1rem;color:#1b2a41}
h1{margin:0}dl{display:flex;flex-wrap:wrap;gap:.6rem}dl div{background:#eef2f7;border-radius:6px;padding:.5rem .9rem}
dt{font-size:12px;color:#5a6b82}dd{margin:0;font-weight:600}.verdict{border-left:4px solid #b7791f;padding-left:.8rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}td,th{text-align:right;padding:.2rem .6rem;border-bottom:1px solid #d4dce6}
td:first-child,th:first-child,td.text,th.text{text-align:left}.loss{color:#b42318}.gain{color:#1f6f5c}svg{width:100%;height:auto}`;

function worstDay(report: PerformanceRecord): string {
  const said = worstDayInWords(report);
  return said === undefined ? '' : `<p class="lead">${escaped(said)}</p>`;
}

function errorsTable({ errors }: Runs): string {
  if (errors.length === 0) return '';
  const rows = errors
    .slice(0, MAX_ERRORS)
    .map(
      (error) =>
        `<tr><td>${when(error)}</td><td class="text">${escaped(error.node)}</td><td class="text">${escaped(error.message)}</td><td class="text">${error.handled ? 'went on' : 'failed'}</td><td>${error.count}</td></tr>`,
    );
  const more = errors.length > MAX_ERRORS ? `<p>${errors.length - MAX_ERRORS} more stand in report.json.</p>` : '';
  return `<h2>Errors of the workflow</h2><table><tr><th>First</th><th class="text">Node</th><th class="text">Error</th><th class="text">The run</th><th>Times</th></tr>${rows.join('')}</table>${more}`;
}

function daysTable({ days }: PerformanceRecord): string {
  const rows = days.map((day) =>
    day === null
      ? ''
      : `<tr><td>${longDate(day.date)}</td>${amount(day.result)}<td>${day.trades}</td><td>${day.market ?? ''} %</td></tr>`,
  );
  return `<table><tr><th>Day</th><th>Result</th><th>Closed trades</th><th>Index</th></tr>${rows.join('')}</table>`;
}

function tradesTable({ round_trips: trips }: PerformanceRecord): string {
  const rows = trips.map(
    (trip) =>
      `<tr><td>${escaped(trip.symbol)}</td><td>${trip.side === 'LONG' ? 'Long' : 'Short'}</td><td>${trip.quantity}</td><td>${minute(trip.entry_at)}</td><td>${rupees(trip.entry_price)}</td><td>${trip.exit_at === null ? 'open' : minute(trip.exit_at)}</td><td>${rupees(trip.exit_price)}</td>${amount(-trip.costs)}${amount(trip.net)}</tr>`,
  );
  return `<table><tr><th>Instrument</th><th>Side</th><th>Quantity</th><th>Entry</th><th>at</th><th>Exit</th><th>at</th><th>Costs</th><th>Result</th></tr>${rows.join('')}</table>`;
}

function amount(paise: number): string {
  return `<td class="${paise < 0 ? 'loss' : 'gain'}">${paise < 0 ? '▼' : '▲'} ${rupees(paise)}</td>`;
}

function minute(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)}`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
