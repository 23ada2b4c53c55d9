/** Reports (docs/service/reports.md#report-requests, docs/service/reports.md#report-option). */
import { MAX_REPLY_BYTES } from '../values/bytes';
import type { Json } from '../values/json';
import { asRecord, recordIn, type WireRecord } from '../values/record';
import { type Endpoint, type NoParts, readEndpoint, TIMEOUT_MS } from './endpoint';

/** One report that the account can ask for (docs/service/reports.md#report-option). */
export interface ReportOption {
  category?: string;
  title?: string;
  type?: string;
  /** `PDF`, `EXCEL`. */
  downloadFileTypes?: string[] | null;
  /** For example `DOWNLOAD`. */
  actionTypes?: string[] | null;
  /** For example `DATE_RANGE`. */
  dateRangeOptions?: string[] | null;
  passwordProtected?: boolean;
  /** `PAN`: the file opens with the client's PAN in capitals. */
  password?: string;
  /** The first date that it can be asked for. */
  minDate?: string;
  /** The last date that it can be asked for. */
  maxDate?: string;
}

/** See docs/service/reports.md#report-option. */
export interface ReportOptionsReply {
  message?: string;
  res: { categories?: string[] | null; reports: ReportOption[] | null };
}

/** See docs/service/reports.md#report-request-body. */
export type ReportBody = {
  action_type?: 'VIEW' | 'DOWNLOAD' | 'EMAIL';
  /** Export format; only for the back office's reports; `JSON` with `VIEW` (rule 1). */
  export_format?: 'PDF' | 'EXCEL' | 'JSON';
  /** RFC 3339 with +05:30; for reports of a range. */
  from_date?: string;
  to_date?: string;
  /** RFC 3339 with +05:30; for reports of one day. */
  date?: string;
};

/**
 * One report: data for `VIEW` (its shape is not told), a file for `DOWNLOAD`, an acknowledgement for `EMAIL`. A 500 is an
 * answer: there is nothing for the dates (docs/service/errors.md#situations).
 */
export type ReportEndpoint = Endpoint<{ body?: ReportBody }, Json>;

/** Subject of a view: seen beside the rows, or below `res`; the specification shows no body. */
interface ReportSubject {
  type?: string;
  from_date?: string;
  to_date?: string;
  date?: string;
}

const subjectOf = (reply: Json): WireRecord<ReportSubject> | undefined => {
  const record = asRecord<{ res: ReportSubject } & ReportSubject>(reply);
  return recordIn(record, 'res') ?? record;
};

/** A day at the beginning of a text; anything else says nothing of a day. */
const dayIn = (value: Json | undefined): string | undefined =>
  typeof value === 'string' ? /^\d{4}-\d\d-\d\d/.exec(value)?.[0] : undefined;

/**
 * Returns the first and the last day, YYYY-MM-DD, that a view or a request states; undefined if it states none. client/reports/reports.ts
 * checks that they are the requested ones, since the service may cut them to its own range (rule 3).
 */
export function reportDays(of: Json): { first: string | undefined; last: string | undefined } {
  const subject = subjectOf(of);
  return { first: dayIn(subject?.from_date ?? subject?.date), last: dayIn(subject?.to_date ?? subject?.date) };
}

/** The reports by the last part of their paths: the `type` of a view names one of them, and any other word says nothing. */
const TYPES: ReadonlySet<string> = new Set([
  ...['summary', 'profit_loss', 'demat', 'contract_note', 'daily_margin', 'holding', 'open_positions', 'dividend'],
  ...['tradebook-report', 'trader-diary', 'portfolio', 'transaction', 'orderbook', 'holdings', 'capital_gains'],
]);
const typeIn = (value: Json | undefined): Json | undefined =>
  typeof value === 'string' && TYPES.has(value.toLowerCase()) ? value : undefined;

const report = (path: string, method: 'GET' | 'POST' = 'POST'): ReportEndpoint =>
  readEndpoint<{ body?: ReportBody }, Json>(method, `/report/${path}`, {
    repeat: 'busy',
    timeoutMs: TIMEOUT_MS.long,
    maxBytes: MAX_REPLY_BYTES.file,
    proves: [
      {
        reply: 'report',
        what: 'report',
        asked: () => path,
        answered: (reply) => [typeIn(subjectOf(reply)?.type)],
        parameter: 'report',
      },
    ],
  });

/** See docs/service/reports.md#report-requests. */
export const reportEndpoints = {
  reportOptions: readEndpoint<NoParts, ReportOptionsReply>('GET', '/report'),
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
