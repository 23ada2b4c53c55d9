/** The tables of a report, and what their cells say. Amounts are paise. */
import { percentText, quantityText, rupeesText, signedRupees } from '../../values/amounts';

/** One cell of a table. */
export interface ReportCell {
  text: string;
  /** Colour of a gain or a loss; left out for neither. */
  tone?: 'gain' | 'loss';
}

/** One table of a report. */
export interface ReportSection {
  title: string;
  /** The first column is text, the others are numbers unless `isText` says otherwise. A phone has no room for those with `isWide`. */
  columns: readonly { label: string; isText?: boolean; isWide?: boolean }[];
  rows: readonly (readonly ReportCell[])[];
  totals?: readonly ReportCell[];
  /** Text in place of the table, or below it. */
  note?: string;
}

export const NOT_KNOWN = '–';
export const textCell = (value: string): ReportCell => ({ text: value });
export const moneyCell = (paise: number | null): ReportCell => textCell(paise === null ? NOT_KNOWN : rupeesText(paise));
export const quantityCell = (units: number | null): ReportCell =>
  textCell(units === null ? NOT_KNOWN : quantityText(units));

/** A cell in the colour of the sign that is shown: what is rounded to 0 has neither. */
function signed(shown: string): ReportCell {
  return { text: shown, ...(shown.startsWith('+') ? { tone: 'gain' } : shown.startsWith('−') ? { tone: 'loss' } : {}) };
}

/** An amount that was gained or lost. */
export const resultCell = (paise: number | null): ReportCell =>
  paise === null ? textCell(NOT_KNOWN) : signed(signedRupees(paise));

/** A share of something, with its sign, percent. */
export const signedPercentCell = (percent: number | null): ReportCell =>
  percent === null ? textCell(NOT_KNOWN) : signed(percentText(percent));
