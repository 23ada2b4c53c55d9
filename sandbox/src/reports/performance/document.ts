/** A session report as a document of tables, which becomes a PDF, and its tables as CSV. */
import { longDate, formatValue } from '../document/format';
import type {
  ReportChart,
  ReportColumn,
  ReportFigure,
  ReportDocument,
  ReportRow,
  ReportSection,
  ValueKind,
} from '../document/types';
import type { PerformanceRecord } from './record';
import { worstDayInWords } from './worst-day';

const column = (
  key: string,
  title: string,
  kind: ValueKind = 'text',
  width = kind === 'text' ? 2 : 1,
): ReportColumn => ({
  key,
  title,
  kind,
  width,
});

const GROUP = [
  column('trades', 'Closed', 'quantity'),
  column('open', 'Open', 'quantity'),
  column('won', 'Won', 'quantity'),
  column('gross', 'Before costs', 'money'),
  column('costs', 'Costs', 'money'),
  column('net', 'Result', 'money'),
  column('slippage', 'Slippage', 'money'),
];
const DAYS = [
  column('date', 'Date', 'date'),
  column('trades', 'Closed', 'quantity'),
  column('result', 'Result', 'money'),
  column('so_far', 'So far', 'money'),
  column('market', 'Index', 'percent'),
  column('index_low', 'Index, low', 'price'),
  column('index_high', 'Index, high', 'price'),
  column('index_close', 'Index, close', 'price'),
];
const TRADES = [
  column('symbol', 'Instrument', 'text', 2.4),
  column('side', 'Side', 'text', 1),
  column('quantity', 'Quantity', 'quantity'),
  column('entry', 'Entry', 'text', 1.9),
  column('entry_price', 'at', 'price'),
  column('exit', 'Exit', 'text', 1.9),
  column('exit_price', 'at', 'price'),
  column('gross', 'Before costs', 'money'),
  column('costs', 'Costs', 'money'),
  column('net', 'Result', 'money'),
  column('slippage', 'Slippage', 'money'),
  column('workflow', 'Workflow', 'text', 2),
  column('tag', 'Tag', 'text', 1.5),
];
const CURVE = [
  column('at', 'Time'),
  column('result', 'Result', 'money'),
  column('drawdown', 'Below its highest', 'money'),
  column('net_exposure', 'Exposure, net', 'money'),
  column('gross_exposure', 'Exposure, gross', 'money'),
  column('market', 'Index', 'price'),
];

type Day = NonNullable<PerformanceRecord['worst_day']>;

/** The tables that a CSV can hold. */
export const PERFORMANCE_TABLES = ['trades', 'days', 'curve', 'workflows', 'tags'] as const;
export type PerformanceTable = (typeof PERFORMANCE_TABLES)[number];

/** The report for people. */
export function performanceDocument(report: PerformanceRecord): ReportDocument {
  const { trades, sharpe, drawdown, worst_day: worst, market } = report;
  const figures: (ReportFigure | undefined)[] = [
    { key: 'result', title: 'Result after costs', kind: 'money', value: report.result },
    { key: 'costs', title: 'Costs', kind: 'money', value: report.costs },
    { key: 'slippage', title: 'Slippage', kind: 'money', value: report.slippage },
    { key: 'drawdown', title: 'Largest drawdown', kind: 'money', value: drawdown?.amount ?? 0 },
    { key: 'closed', title: 'Closed trades', kind: 'quantity', value: trades.closed },
    { key: 'win_rate', title: 'Won', kind: 'percent', value: trades.win_rate },
    { key: 'profit_factor', title: 'Profit factor', kind: 'text', value: shown(trades.profit_factor) },
    {
      key: 'sharpe',
      title: 'Sharpe ratio, annualised',
      kind: 'text',
      value: sharpe === null ? '–' : `${sharpe.value} ± ${sharpe.error}`,
    },
    worst === null
      ? undefined
      : { key: 'worst_day', title: `Worst day, ${longDate(worst.date)}`, kind: 'money', value: worst.result },
    market === null ? undefined : { key: 'market', title: market.symbol, kind: 'percent', value: market.change },
  ];
  const groups = (title: string, rows: PerformanceRecord['by_tag'], none: string): ReportSection => ({
    title,
    columns: [
      column(
        'name',
        title.replace('By ', '').replace(/^./, (first) => first.toUpperCase()),
      ),
      ...GROUP,
    ],
    rows: rows.map((row) => ({ ...row, name: row.name || none })),
  });
  return {
    title: 'Performance',
    period: report.from === report.to ? longDate(report.from) : `${longDate(report.from)} to ${longDate(report.to)}`,
    figures: figures.filter((figure) => figure !== undefined),
    lead: [worstDayInWords(report), report.verdict].filter((sentence) => sentence !== undefined),
    ...(report.curve.length > 1 && { chart: chartOf(report) }),
    sections: [
      { title: 'Days', columns: DAYS, rows: dayRows(report) },
      groups('By workflow', report.by_workflow, 'by no workflow'),
      groups('By tag', report.by_tag, 'without a tag'),
      { title: 'Trades', columns: TRADES, rows: tradeRows(report) },
    ],
    notes: NOTES,
  };
}

function chartOf({ curve, market, worst_day: worst }: PerformanceRecord): ReportChart {
  return {
    title: `Result${market === null ? '' : `, ${market.symbol} in grey`}, and below it how far the result fell`,
    points: curve.map(({ at, result, drawdown, market: index }) => ({ at, amount: result, fall: drawdown, index })),
    marked: worst === null || worst.result >= 0 ? undefined : worst.date,
  };
}

const NOTES = [
  'Result: what the trades of the period made after costs; what is open counts at its last price. Slippage: what the prices of the trades cost against the middle of the order book when each order was placed.',
];

/** A table as CSV: amounts in rupees with a point, nothing quoted that need not be. */
export function performanceCsv(report: PerformanceRecord, table: PerformanceTable): string {
  const [columns, rows] = tableOf(report, table);
  const lines = rows.map((row) => columns.map(({ key, kind }) => cell(row[key] ?? null, kind)));
  return [columns.map(({ key }) => key), ...lines].map((line) => `${line.map(csvField).join(',')}\r\n`).join('');
}

function tableOf(report: PerformanceRecord, table: PerformanceTable): [ReportColumn[], ReportRow[]] {
  switch (table) {
    case 'trades':
      return [[...TRADES, column('holding_seconds', 'Held', 'quantity')], tradeRows(report)];
    case 'days':
      return [DAYS, dayRows(report)];
    case 'curve':
      return [CURVE, report.curve];
    case 'workflows':
      return [[column('name', 'Workflow'), ...GROUP], report.by_workflow.map((row) => ({ ...row }))];
    case 'tags':
      return [[column('name', 'Tag'), ...GROUP], report.by_tag.map((row) => ({ ...row }))];
  }
}

function dayRows({ days }: PerformanceRecord): ReportRow[] {
  let sofar = 0;
  return days.flatMap((day) => (day === null ? [] : [dayRow(day, (sofar += day.result))]));
}

function dayRow({ date, trades, result, market, index }: Day, sofar: number): ReportRow {
  return {
    date,
    trades,
    result,
    so_far: sofar,
    market,
    index_low: index?.low ?? null,
    index_high: index?.high ?? null,
    index_close: index?.close ?? null,
  };
}

function tradeRows({ round_trips: trips }: PerformanceRecord): ReportRow[] {
  return trips.map((trip) => ({
    symbol: trip.symbol,
    side: trip.side === 'LONG' ? 'Long' : 'Short',
    quantity: trip.quantity,
    entry: minute(trip.entry_at),
    entry_price: trip.entry_price,
    exit: trip.exit_at === null ? 'open' : `${minute(trip.exit_at)}${trip.settled ? ', settled' : ''}`,
    exit_price: trip.exit_price,
    gross: trip.gross,
    costs: trip.costs,
    net: trip.net,
    slippage: trip.slippage,
    workflow: trip.placed_by?.workflow_name || (trip.placed_by?.workflow ?? ''),
    tag: trip.tag,
    holding_seconds: trip.holding_seconds,
  }));
}

/** "2020-03-13 09:45" of an ISO instant. */
function minute(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)}`;
}

function shown(value: number | null): string {
  return value === null ? '–' : String(value);
}

function cell(value: ReportRow[string], kind: ValueKind): string {
  if (typeof value !== 'number') return value ?? '';
  return kind === 'money' || kind === 'price' ? formatValue(value, kind).replaceAll(',', '') : String(value);
}

/** A field that a spreadsheet would take for a formula is told to be text. */
export function csvField(text: string): string {
  const safe = /^[=+@\t\r]|^-(?![\d.]+$)/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
