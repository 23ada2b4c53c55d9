/** From how much on a dividend adjusts contracts and the previous close, by date of its announcement. */
export interface ExtraordinaryDividendRow {
  effectiveFrom: string;
  source: string;
  /** Percent of the share's market value, at and above which a dividend is extraordinary. */
  percent: number;
}

export const EXTRAORDINARY_DIVIDENDS: readonly ExtraordinaryDividendRow[] = [
  { effectiveFrom: '2010-01-01', source: 'SEBI circular SMDRP/DC/CIR-8/01 of 2001-06-21', percent: 10 },
  { effectiveFrom: '2018-07-10', source: 'BSE notice 20180710-26, after a circular of SEBI', percent: 5 },
  {
    effectiveFrom: '2022-07-01',
    source:
      'Notices of NSE on single dividends and help pages of brokers name 2 %; the day of the change is approximate',
    percent: 2,
  },
];
