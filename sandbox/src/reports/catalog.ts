/** The fifteen reports (docs/service/reports.md#report-requests): where they are, what they can do, how they are found in GET /report. */
import type { ActionType, FileType, ReportType } from './document/types';

export interface ReportEntry {
  type: ReportType;
  title: string;
  category: ReportCategory;
  method: 'GET' | 'POST';
  dates: 'range' | 'date' | 'none';
  actions: readonly ActionType[];
  /** Formats of a download. Back-office reports take `export_format`; the others have one format only. */
  files: readonly FileType[];
  backOffice: boolean;
  /** The file opens with the client's PAN in upper case. */
  passwordProtected: boolean;
}

export const REPORT_CATEGORIES = ['Account Statement', 'Holding', 'Profit and Loss', 'Mutual Fund Report'] as const;
export type ReportCategory = (typeof REPORT_CATEGORIES)[number];

const ALL_ACTIONS = ['VIEW', 'DOWNLOAD', 'EMAIL'] as const;
const NO_EMAIL = ['VIEW', 'DOWNLOAD'] as const;
const BOTH = ['PDF', 'EXCEL'] as const;
const EXCEL = ['EXCEL'] as const;

function backOffice(
  type: ReportType,
  title: string,
  category: ReportCategory,
  dates: 'range' | 'date',
  passwordProtected: boolean,
): ReportEntry {
  return {
    type,
    title,
    category,
    method: 'POST',
    dates,
    actions: ALL_ACTIONS,
    files: BOTH,
    backOffice: true,
    passwordProtected,
  };
}

function workbook(
  type: ReportType,
  title: string,
  category: ReportCategory,
  dates: ReportEntry['dates'],
  actions: readonly ActionType[] = NO_EMAIL,
): ReportEntry {
  const method = dates === 'none' ? 'GET' : 'POST';
  return { type, title, category, method, dates, actions, files: EXCEL, backOffice: false, passwordProtected: false };
}

export const REPORTS: readonly ReportEntry[] = [
  backOffice('summary', 'Financial ledger', 'Account Statement', 'range', true),
  backOffice('profit_loss', 'Profit and loss', 'Profit and Loss', 'range', false),
  backOffice('demat', 'Demat statement', 'Account Statement', 'range', true),
  backOffice('contract_note', 'Contract note', 'Account Statement', 'range', true),
  backOffice('daily_margin', 'Daily margin', 'Account Statement', 'date', false),
  backOffice('holding', 'Holding statement', 'Holding', 'date', true),
  backOffice('open_positions', 'Open positions', 'Holding', 'date', false),
  workbook('dividend', 'Dividend', 'Profit and Loss', 'range'),
  workbook('tradebook-report', 'Tradebook', 'Profit and Loss', 'range'),
  workbook('trader-diary', 'Trader diary', 'Profit and Loss', 'range', ['DOWNLOAD']),
  workbook('portfolio', 'Portfolio snapshot', 'Holding', 'none', ['DOWNLOAD']),
  workbook('transaction', 'Mutual fund transactions', 'Mutual Fund Report', 'range'),
  workbook('orderbook', 'Mutual fund orderbook', 'Mutual Fund Report', 'range'),
  workbook('holdings', 'Mutual fund holdings', 'Mutual Fund Report', 'date'),
  workbook('capital_gains', 'Mutual fund capital gains', 'Mutual Fund Report', 'range'),
];

export function reportOf(type: string): ReportEntry | undefined {
  return REPORTS.find((entry) => entry.type === type);
}
