/** Rules for the settlement of stock derivatives, by date. */
export interface PhysicalSettlementRule {
  effectiveFrom: string;
  source: string;
  /** True if what expires is settled in shares; in cash otherwise. */
  physical: boolean;
  /**
   * Margin of a bought option in the money, percent of the margin of the shares that it would bring or take, by trading days
   * until its expiry: the first number is that of the last day.
   */
  margins: readonly number[];
}

export const PHYSICAL_SETTLEMENT_RULES: readonly PhysicalSettlementRule[] = [
  { effectiveFrom: '2010-01-01', source: 'SEBI circular of 2010-07-15: settled in cash', physical: false, margins: [] },
  {
    effectiveFrom: '2019-10-01',
    source:
      'SEBI circulars of 2018-04-11 and 2018-12-31: all stock derivatives are settled in shares. Customary delivery margins of NSE Clearing; those of the last day are a broker’s',
    physical: true,
    margins: [100, 70, 45, 25, 10],
  },
];
