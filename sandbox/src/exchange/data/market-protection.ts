/** Distance from the last price (percent) at which a market order may trade, for last prices (paise) below a limit; by date. */
export const MARKET_PROTECTION: readonly {
  effectiveFrom: string;
  source: string;
  option: readonly ProtectionStep[];
  other: readonly ProtectionStep[];
}[] = [
  {
    effectiveFrom: '2010-01-01',
    source: 'Notices of brokers on market price protection for orders through an interface',
    option: [
      { below: 1_000, percent: 5 },
      { below: 10_000, percent: 3 },
      { below: 50_000, percent: 2 },
      { below: Number.POSITIVE_INFINITY, percent: 1 },
    ],
    other: [
      { below: 10_000, percent: 2 },
      { below: 50_000, percent: 1 },
      { below: Number.POSITIVE_INFINITY, percent: 0.5 },
    ],
  },
];

export interface ProtectionStep {
  below: number;
  percent: number;
}
