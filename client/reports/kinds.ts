/** The fifteen reports: where each is, what dates it takes, and what can be done with it (docs/service/reports.md#report-requests). */
import { endpoints } from '../endpoints';
import type { ReportEndpoint } from '../endpoints/reports';

/** The ways to get a report. */
const REPORT_ACTIONS = ['download', 'email', 'view'] as const;
export type ReportAction = (typeof REPORT_ACTIONS)[number];

/** Files that a report can come as. */
export const REPORT_FORMATS = ['EXCEL', 'PDF'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** One of the reports. */
export interface ReportKind {
  /** The display name. */
  title: string;
  endpoint: ReportEndpoint;
  /** The dates that its request needs. */
  dates: 'range' | 'single' | 'none';
  actions: readonly ReportAction[];
  /** Formats to choose from for a download; empty when it is XLSX always and takes no `export_format` (rule 1). */
  formats: readonly ReportFormat[];
}

const backOffice = (title: string, endpoint: ReportEndpoint, dates: 'range' | 'single'): ReportKind => ({
  title,
  endpoint,
  dates,
  actions: REPORT_ACTIONS,
  formats: REPORT_FORMATS,
});
const sheet = (
  title: string,
  endpoint: ReportEndpoint,
  dates: ReportKind['dates'],
  actions: readonly ReportAction[] = ['download', 'view'],
): ReportKind => ({
  title,
  endpoint,
  dates,
  actions,
  formats: [],
});

/** The reports by the names that the node knows them by. */
export const reportKinds = {
  capitalGains: sheet('Mutual Fund Capital Gains', endpoints.reportCapitalGains, 'range'),
  contractNote: backOffice('Contract Note', endpoints.reportContractNote, 'range'),
  dailyMargin: backOffice('Daily Margin', endpoints.reportDailyMargin, 'single'),
  demat: backOffice('Demat Statement', endpoints.reportDemat, 'range'),
  dividend: sheet('Dividend', endpoints.reportDividend, 'range'),
  holding: backOffice('Holding Statement', endpoints.reportHolding, 'single'),
  ledger: backOffice('Financial Ledger', endpoints.reportSummary, 'range'),
  mutualFundHoldings: sheet('Mutual Fund Holdings', endpoints.reportHoldings, 'single'),
  mutualFundOrders: sheet('Mutual Fund Order Book', endpoints.reportOrderbook, 'range'),
  mutualFundTransactions: sheet('Mutual Fund Transactions', endpoints.reportTransaction, 'range'),
  openPositions: backOffice('Open Positions', endpoints.reportOpenPositions, 'single'),
  portfolioSnapshot: sheet('Portfolio Snapshot', endpoints.reportPortfolio, 'none', ['download']),
  profitAndLoss: backOffice('Profit and Loss', endpoints.reportProfitLoss, 'range'),
  tradebook: sheet('Tradebook', endpoints.reportTradebook, 'range'),
  traderDiary: sheet('Trader Diary', endpoints.reportTraderDiary, 'range', ['download']),
} satisfies Record<string, ReportKind>;

export type ReportName = keyof typeof reportKinds;
export const REPORT_NAMES = Object.keys(reportKinds) as ReportName[];

/** The names of the reports that an action exists for. */
export function reportsWith(action: ReportAction): ReportName[] {
  return REPORT_NAMES.filter((name) => (reportKinds[name].actions as readonly ReportAction[]).includes(action));
}
