/** Reports (specification: Reports, Report option). */
import { MAX_REPLY_BYTES } from '../values/bytes';
import type { Json } from '../values/json';
import { type Endpoint, type NoParts, read, TIMEOUT_MS } from './endpoint';

/** One report that the account can ask for (specification: Report option). */
export interface ReportOption {
  category?: string;
  title?: string;
  type?: string;
  /** `PDF`, `EXCEL`. */
  downloadFileTypes?: string[] | null;
  /** Such as `DOWNLOAD`. */
  actionTypes?: string[] | null;
  /** Such as `DATE_RANGE`. */
  dateRangeOptions?: string[] | null;
  passwordProtected?: boolean;
  /** `PAN`: the file opens with the client's PAN in capitals. */
  password?: string;
  /** The first date that it can be asked for. */
  minDate?: string;
  /** The last date that it can be asked for. */
  maxDate?: string;
}

/** Specification: Report option, envelope. */
export interface ReportOptionsReply {
  message?: string;
  res: { categories?: string[] | null; reports: ReportOption[] | null };
}

/** Specification: Report request body. */
export type ReportBody = {
  action_type?: 'VIEW' | 'DOWNLOAD' | 'EMAIL';
  /** Only for the back office's reports; `JSON` with `VIEW` (rule 1). */
  export_format?: 'PDF' | 'EXCEL' | 'JSON';
  /** RFC 3339 with +05:30; for reports of a range. */
  from_date?: string;
  to_date?: string;
  /** RFC 3339 with +05:30; for reports of one day. */
  date?: string;
};

/**
 * One report: data for `VIEW` (its shape is not told), a file for `DOWNLOAD`, an acknowledgement for `EMAIL`. A 500 is an
 * answer: there is nothing for the dates (specification: Errors).
 */
export type ReportEndpoint = Endpoint<{ body?: ReportBody }, Json>;

const report = (path: string, method: 'GET' | 'POST' = 'POST'): ReportEndpoint =>
  read(method, `/report/${path}`, { repeat: 'busy', timeoutMs: TIMEOUT_MS.long, mostBytes: MAX_REPLY_BYTES.file });

/** Specification: Reports. */
export const reportEndpoints = {
  reportOptions: read<NoParts, ReportOptionsReply>('GET', '/report'),
  reportSummary: report('summary'),
  reportProfitLoss: report('profit_loss'),
  reportDemat: report('demat'),
  reportContractNote: report('contract_note'),
  reportDailyMargin: report('daily_margin'),
  reportHolding: report('holding'),
  reportOpenPositions: report('open_positions'),
  reportDividend: report('dividend'),
  reportTradebook: report('tradebook-report'),
  reportTraderDiary: report('trader-diary'),
  reportPortfolio: report('portfolio', 'GET'),
  reportTransaction: report('transaction'),
  reportOrderbook: report('orderbook'),
  reportHoldings: report('holdings'),
  reportCapitalGains: report('capital_gains'),
};
