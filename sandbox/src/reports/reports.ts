/** The reports of an account (docs/service/reports.md#report-requests): options, and each report as JSON, file or e-mail. */
import { istDate, MAX_INSTANT_LENGTH } from '../shared/time';
import type { Accounts } from '../accounts/types';
import type { Instrument } from '../market/reference/types';
import { REPORT_CATEGORIES, type ReportEntry, REPORTS, reportOf } from './catalog';
import { maskedEmail } from './document/format';
import { MutualFundBook } from './tables/mutual-fund-book';
import { toPdf } from './formats/pdf';
import type { ReportBuilder, LongBuilder, ReportSource } from './tables/source';
import { fundGains, fundHoldings, fundOrders, fundTransactions } from './tables/mutual-funds';
import { dematStatement, holdingStatement, openPositions, portfolioSnapshot } from './tables/holdings';
import { dailyMargin, dividends, financialLedger } from './tables/ledger';
import { profitAndLoss } from './tables/profit';
import { contractNote } from './tables/contract-note';
import { tradebook, traderDiary } from './tables/trades';
import type { ActionType, FileType, ReportPeriod, ReportClient, ReportDocument, ReportType } from './document/types';
import { toView } from './formats/view';
import { toXlsx } from './formats/xlsx';

const BUILDERS: Record<ReportType, ReportBuilder | LongBuilder> = {
  summary: financialLedger,
  profit_loss: profitAndLoss,
  demat: dematStatement,
  contract_note: contractNote,
  daily_margin: dailyMargin,
  holding: holdingStatement,
  open_positions: openPositions,
  dividend: dividends,
  'tradebook-report': tradebook,
  'trader-diary': traderDiary,
  portfolio: portfolioSnapshot,
  transaction: fundTransactions,
  orderbook: fundOrders,
  holdings: fundHoldings,
  capital_gains: fundGains,
};

const CONTENT_TYPES: Record<FileType, string> = {
  PDF: 'application/pdf',
  EXCEL: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};
const ENDINGS: Record<FileType, string> = { PDF: 'pdf', EXCEL: 'xlsx' };

/** Body of a report request as it comes; `null` counts as not given. */
export interface ReportRequest {
  action_type?: unknown;
  export_format?: unknown;
  from_date?: unknown;
  to_date?: unknown;
  date?: unknown;
}

export interface ReportFile {
  fileName: string;
  contentType: string;
  data: Buffer;
}

/** An e-mail with a report. */
export interface ReportMail {
  to: string;
  phone: string;
  subject: string;
  text: string;
  attachment: ReportFile;
}

export type ReportAnswer =
  | { kind: 'json'; texts: Iterable<string> }
  | { kind: 'file'; file: ReportFile }
  | { kind: 'mail'; mail: ReportMail; body: { message: string } }
  | { kind: 'error'; status: 400 | 404 | 500; text: string };

export interface ReportsDeps {
  accounts: Accounts;
  lastPrice(instrument: Instrument, at: number): number;
  previousClose(instrument: Instrument, at: number): number;
  /** Makes the mutual funds' history. */
  seed: number;
}

export interface Reports {
  /** Body of GET /report. */
  options(client: ReportClient, at: number): object;
  /** `type` is the last part of the path; `at` is now, milliseconds. A mail is handed back to be sent. */
  run(type: string, request: ReportRequest, client: ReportClient, at: number): Promise<ReportAnswer>;
}

export const NO_DATA = 'Report generation failed, please retry later';

class BadRequest extends Error {}

export function createReports(deps: ReportsDeps): Reports {
  const books = new Map<string, { date: string; book: MutualFundBook }>();
  const fundsOf = (clientCode: string, date: string): MutualFundBook => {
    const cachedBook = books.get(clientCode);
    if (cachedBook?.date === date) return cachedBook.book;
    const book = new MutualFundBook(deps.seed, clientCode, date);
    books.set(clientCode, { date, book });
    return book;
  };
  const sourceOf = (client: ReportClient, at: number): ReportSource => ({
    client,
    accounts: deps.accounts,
    lastPrice: (instrument, when) => deps.lastPrice(instrument, when),
    previousClose: (instrument, when) => deps.previousClose(instrument, when),
    at,
    get funds() {
      return fundsOf(client.clientCode, istDate(at));
    },
  });

  return {
    options(client, at) {
      const source = sourceOf(client, at);
      return {
        message: 'report-options',
        res: {
          categories: [...REPORT_CATEGORIES],
          reports: REPORTS.map((entry) => optionOf(entry, limitsOf(entry, source))),
        },
      };
    },
    async run(type, request, client, at) {
      const entry = reportOf(type);
      if (!entry) return { kind: 'error', status: 404, text: `there is no report "${type}"` };
      const source = sourceOf(client, at);
      try {
        const action = actionOf(entry, request.action_type);
        const format = formatOf(entry, action, request.export_format);
        const period = periodOf(entry, request, limitsOf(entry, source));
        const document = await BUILDERS[entry.type](source, period);
        if (!document) return { kind: 'error', status: 500, text: NO_DATA };
        if (action === 'VIEW') return { kind: 'json', texts: toView(document, client, entry.type, period) };
        const file = await fileOf(entry, document, format, period, client, at);
        return action === 'DOWNLOAD' ? { kind: 'file', file } : mailOf(entry, document, file, client);
      } catch (error) {
        if (error instanceof BadRequest) return { kind: 'error', status: 400, text: error.message };
        throw error;
      }
    },
  };
}

/** Earliest and latest date of a report. */
function limitsOf(entry: ReportEntry, source: ReportSource): ReportPeriod {
  const today = istDate(source.at);
  const from =
    entry.category === 'Mutual Fund Report'
      ? source.funds.firstDate
      : (source.accounts.ledger(source.client.clientCode)[0]?.date ?? today);
  return { from, to: today };
}

function optionOf(entry: ReportEntry, limits: ReportPeriod) {
  return {
    category: entry.category,
    title: entry.title,
    type: entry.type,
    downloadFileTypes: [...entry.files],
    actionTypes: [...entry.actions],
    dateRangeOptions: entry.dates === 'range' ? ['DATE_RANGE'] : entry.dates === 'date' ? ['DATE'] : [],
    passwordProtected: entry.passwordProtected,
    password: entry.passwordProtected ? 'PAN' : '',
    minDate: limits.from,
    maxDate: limits.to,
  };
}

function actionOf(entry: ReportEntry, requested: unknown): ActionType {
  if (entry.dates === 'none') return 'DOWNLOAD';
  const action = entry.actions.find((action) => action === requested);
  if (action) return action;
  throw new BadRequest(`action_type of ${entry.type} must be one of ${entry.actions.join(', ')}`);
}

function formatOf(entry: ReportEntry, action: ActionType, requested: unknown): FileType {
  if (requested === undefined || requested === null) return entry.files[0]!;
  if (action === 'VIEW' && requested === 'JSON') return entry.files[0]!;
  const format = entry.files.find((file) => file === requested);
  if (format) return format;
  if (requested === 'JSON')
    throw new BadRequest(
      `export_format JSON goes with action_type VIEW; ${action} of ${entry.type} makes ${entry.files.join(' or ')}`,
    );
  throw new BadRequest(`export_format of ${entry.type} must be one of ${[...entry.files, 'JSON'].join(', ')}`);
}

function periodOf(entry: ReportEntry, request: ReportRequest, limits: ReportPeriod): ReportPeriod {
  if (entry.dates === 'none') return { from: limits.to, to: limits.to };
  if (entry.dates === 'date') {
    const date = clamp(dateOf('date', request.date), limits);
    return { from: date, to: date };
  }
  const from = dateOf('from_date', request.from_date);
  const to = dateOf('to_date', request.to_date);
  if (from > to) throw new BadRequest('from_date must not be after to_date');
  return { from: clamp(from, limits), to: clamp(to, limits) };
}

/** @throws BadRequest for anything but an RFC 3339 date-time with the offset of India. */
function dateOf(name: string, requested: unknown): string {
  if (
    typeof requested === 'string' &&
    requested.length <= MAX_INSTANT_LENGTH &&
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?\+05:30$/.test(requested)
  ) {
    const date = requested.slice(0, 10);
    const at = Date.parse(requested);
    if (!Number.isNaN(at) && istDate(at) === date) return date;
  }
  throw new BadRequest(
    `${name} must be an RFC 3339 date-time with the offset of India, such as 2026-11-20T00:00:00+05:30`,
  );
}

function clamp(date: string, { from, to }: ReportPeriod): string {
  return date < from ? from : date > to ? to : date;
}

async function fileOf(
  entry: ReportEntry,
  document: ReportDocument,
  format: FileType,
  period: ReportPeriod,
  client: ReportClient,
  at: number,
): Promise<ReportFile> {
  const password = entry.passwordProtected ? client.pan.toUpperCase() : undefined;
  const dates = period.from === period.to ? period.to : `${period.from}_${period.to}`;
  return {
    fileName: `${entry.type}_${client.clientCode}_${dates}.${ENDINGS[format]}`,
    contentType: CONTENT_TYPES[format],
    data: format === 'PDF' ? await toPdf(document, client, at, password) : await toXlsx(document, client, password),
  };
}

function mailOf(entry: ReportEntry, document: ReportDocument, file: ReportFile, client: ReportClient): ReportAnswer {
  const opens = entry.passwordProtected ? ' It opens with your PAN in capital letters.' : '';
  const lines = [
    `Dear ${client.name},`,
    `attached is your ${document.title.toLowerCase()} (${document.period}) for client code ${client.clientCode}.${opens}`,
    'This message comes from brokerage-sandbox, a simulation.',
  ];
  return {
    kind: 'mail',
    mail: {
      to: client.email,
      phone: client.phone,
      subject: `${document.title}: ${document.period}`,
      text: lines.join('\n\n'),
      attachment: file,
    },
    body: { message: `${document.title} has been sent to ${maskedEmail(client.email)}` },
  };
}
