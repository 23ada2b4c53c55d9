/** Parts of a report: a document of tables that each format writes in its own way. */

/** Kind of a value: `money` and `price` are paise, `nav` ten-thousandths of a rupee, `units` thousandths, dates YYYY-MM-DD. */
export type ValueKind = 'text' | 'date' | 'time' | 'money' | 'price' | 'quantity' | 'units' | 'nav' | 'percent';

export type Value = string | number | null;

export interface ReportColumn {
  /** Name in JSON. */
  key: string;
  title: string;
  kind: ValueKind;
  /** Relative width. */
  width: number;
}

export type ReportRow = Record<string, Value>;

export interface ReportSection {
  title: string;
  columns: ReportColumn[];
  rows: ReportRow[];
  /** Sums under the columns; the first column holds its label. */
  totals?: ReportRow;
  /** Begins on a new page of a PDF. */
  newPage?: boolean;
}

export interface ReportFigure {
  key: string;
  title: string;
  kind: ValueKind;
  value: Value;
}

/** An amount over time: its picture in a PDF. */
export interface ReportChart {
  title: string;
  points: readonly {
    /** ISO date-time in Indian time. */
    at: string;
    /** Paise. */
    amount: number;
    /** Distance of the amount below its highest, paise. */
    fall: number;
    /** The index beside it, paise; null where it is not known. */
    index: number | null;
  }[];
  /** The day that is marked, YYYY-MM-DD. */
  marked: string | undefined;
}

export interface ReportDocument {
  title: string;
  /** "1 Oct 2026 to 31 Oct 2026", "as on 20 Nov 2026". */
  period: string;
  figures: ReportFigure[];
  /** Sentences below the figures, the first in bold. */
  lead?: string[];
  chart?: ReportChart;
  sections: ReportSection[];
  notes: string[];
}

/** Client of a report. The PAN goes into the document's password and, in part, onto its first page; nowhere else. */
export interface ReportClient {
  clientCode: string;
  name: string;
  email: string;
  phone: string;
  pan: string;
}

export type ReportType =
  | 'summary'
  | 'profit_loss'
  | 'demat'
  | 'contract_note'
  | 'daily_margin'
  | 'holding'
  | 'open_positions'
  | 'dividend'
  | 'tradebook-report'
  | 'trader-diary'
  | 'portfolio'
  | 'transaction'
  | 'orderbook'
  | 'holdings'
  | 'capital_gains';

export type ActionType = 'VIEW' | 'DOWNLOAD' | 'EMAIL';
export type FileType = 'PDF' | 'EXCEL';

/** Dates a document is made for, YYYY-MM-DD, both ends included; a single date has both ends equal. */
export interface ReportPeriod {
  from: string;
  to: string;
}
