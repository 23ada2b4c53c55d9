/** Tax that companies deduct of dividends paid to residents who have given their PAN, by date. */
export interface DividendTaxRate {
  effectiveFrom: string;
  source: string;
  /** Percent of all that a company has paid an owner in a financial year, once that is more than the threshold. */
  percent: number;
  /** Paise in a financial year, of one company. */
  threshold: number;
}

export const DIVIDEND_TAX: readonly DividendTaxRate[] = [
  { effectiveFrom: '2010-01-01', source: 'Dividend distribution tax: the company bears it', percent: 0, threshold: 0 },
  { effectiveFrom: '2020-04-01', source: 'Income-tax Act 1961, section 194', percent: 10, threshold: 500_000 },
  { effectiveFrom: '2025-04-01', source: 'Finance Act 2025', percent: 10, threshold: 1_000_000 },
];
