import { longDate, written } from '../reports/document/format';
import type { PerformanceRecord } from '../reports/performance/record';

const WIDTH = 1_000;
/** The room of a day's label, with some space beside it. */
const LABEL = 80;
const HEIGHT = 300;
const FALL = 70;

/** A session report as one page that needs nothing else: the result beside the index, each day, each trade. */
export function reportPage(report: PerformanceRecord, name: string): string {
  const { trades, sharpe, drawdown, worst_day: worst, market } = report;
  const rows: [string, string][] = [
    ['Result after costs', money(report.result)],
    ['Costs', money(report.costs)],
    ['Slippage', money(report.slippage)],
    ['Largest drawdown', drawdown === null ? '–' : money(drawdown.amount)],
    ['Worst day', worst === null ? '–' : `${money(worst.result)}, ${longDate(worst.date)}`],
    ['Closed trades', `${trades.closed}${trades.win_rate === null ? '' : `, ${trades.win_rate} % won`}`],
    ['Profit factor', String(trades.profit_factor ?? '–')],
    ['Sharpe ratio of a year', sharpe === null ? '–' : `${sharpe.value} ± ${sharpe.error}`],
    ...(market === null ? [] : [[market.symbol, `${market.change} %`] as [string, string]]),
  ];
  return `<!doctype html>
<html lang="en-IN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(name)}: backtest</title><style>${STYLE}</style></head><body>
<h1>${escaped(name)}</h1><p>Backtest, ${longDate(report.from)} to ${longDate(report.to)}. Simulated: no order left the machine.</p>
<p class="verdict">${escaped(report.verdict)}</p>
<dl>${rows.map(([title, value]) => `<div><dt>${escaped(title)}</dt><dd>${escaped(value)}</dd></div>`).join('')}</dl>
${curve(report)}
<h2>Days</h2>${daysTable(report)}
<h2>Trades</h2>${tradesTable(report)}
</body></html>
`;
}

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:1040px;margin:2rem auto;padding:0 1rem;color:#1b2a41}
h1{margin:0}dl{display:flex;flex-wrap:wrap;gap:.6rem}dl div{background:#eef2f7;border-radius:6px;padding:.5rem .9rem}
dt{font-size:12px;color:#5a6b82}dd{margin:0;font-weight:600}.verdict{border-left:4px solid #b7791f;padding-left:.8rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}td,th{text-align:right;padding:.2rem .6rem;border-bottom:1px solid #d4dce6}
td:first-child,th:first-child{text-align:left}.loss{color:#b42318}.gain{color:#1f6f5c}svg{width:100%;height:auto}`;

/** The result with its drawdown below, and the index as a thin line on a scale of its own. */
function curve({ curve: points, market }: PerformanceRecord): string {
  if (points.length < 2) return '';
  const x = (index: number): string => ((index / (points.length - 1)) * WIDTH).toFixed(1);
  const line = (values: readonly number[], height: number): string => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const y = (value: number): string => ((1 - (value - low) / (high - low || 1)) * height).toFixed(1);
    return values.map((value, index) => `${x(index)},${y(value)}`).join(' ');
  };
  const results = points.map(({ result }) => result);
  const [low, high] = [Math.min(...results), Math.max(...results)];
  const zero = ((1 - (0 - low) / (high - low || 1)) * HEIGHT).toFixed(1);
  const falls = points.map(({ drawdown }) => -drawdown);
  const index = points.map(({ market: price }) => price ?? 0);
  const days = labelled(points.map(({ at }) => at.slice(0, 10)));
  return `<h2>Result (green)${market === null ? '' : `, ${market.symbol} (grey)`}, drawdown below</h2>
<svg viewBox="0 -14 ${WIDTH} ${HEIGHT + FALL + 54}" role="img" aria-label="Result over time">
<line x1="0" x2="${WIDTH}" y1="${zero}" y2="${zero}" stroke="#94a3b8" stroke-dasharray="4"/>
${market === null ? '' : `<polyline points="${line(index, HEIGHT)}" fill="none" stroke="#94a3b8"/>`}
<polyline points="${line(results, HEIGHT)}" fill="none" stroke="#1f6f5c" stroke-width="2.5"/>
<text x="2" y="-2" font-size="12">${escaped(money(high))}</text><text x="2" y="${HEIGHT + 12}" font-size="12">${escaped(money(low))}</text>
<g transform="translate(0 ${HEIGHT + 16})"><polygon points="0,0 ${line(falls, FALL)} ${WIDTH},0" fill="#b42318" opacity=".35"/></g>
${days.map(([at, date]) => `<text x="${x(at)}" y="${HEIGHT + FALL + 34}" font-size="11">${longDate(date).slice(0, -' 2026'.length)}</text>`).join('')}
</svg>`;
}

/** The days that get a label, each with the index of its first point: so far from each other and from the end that no two touch. */
function labelled(dates: readonly string[]): [number, string][] {
  const apart = (LABEL / WIDTH) * (dates.length - 1);
  const days: [number, string][] = [];
  for (const [index, date] of dates.entries()) {
    const next = days.length === 0 ? 0 : days.at(-1)![0] + apart;
    if (date !== dates[index - 1] && index >= next && index + apart / 2 <= dates.length - 1) days.push([index, date]);
  }
  return days;
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
      `<tr><td>${escaped(trip.symbol)}</td><td>${trip.side === 'LONG' ? 'Long' : 'Short'}</td><td>${trip.quantity}</td><td>${minute(trip.entry_at)}</td><td>${money(trip.entry_price)}</td><td>${trip.exit_at === null ? 'open' : minute(trip.exit_at)}</td><td>${money(trip.exit_price)}</td>${amount(-trip.costs)}${amount(trip.net)}</tr>`,
  );
  return `<table><tr><th>Instrument</th><th>Side</th><th>Quantity</th><th>Entry</th><th>at</th><th>Exit</th><th>at</th><th>Costs</th><th>Result</th></tr>${rows.join('')}</table>`;
}

function amount(paise: number): string {
  return `<td class="${paise < 0 ? 'loss' : 'gain'}">${paise < 0 ? '▼' : '▲'} ${money(paise)}</td>`;
}

function money(paise: number): string {
  return `${paise < 0 ? '−' : ''}₹${written(Math.abs(paise), 'money')}`;
}

function minute(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)}`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
