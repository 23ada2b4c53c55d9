/** Margins of options that become futures at their expiry, by date. */
export interface DevolvementTable {
  effectiveFrom: string;
  source: string;
  /**
   * Margin of a bought option in the money, percent of the margin of the future that it would become, by trading days until its expiry:
   * the first number is that of the last day.
   */
  margins: readonly number[];
}

export const DEVOLVEMENTS: readonly DevolvementTable[] = [
  {
    effectiveFrom: '2010-01-01',
    source:
      'SEBI circular of 2017-06-13 on options on commodity futures; margins as brokers publish them for MCX (25, 50, 100 % of the futures margin)',
    margins: [100, 50, 25],
  },
];
