/** Penalty of the exchange for shares that were sold and not delivered, by date. */
export const AUCTION_PENALTIES: readonly { effectiveFrom: string; source: string; basisPoints: number }[] = [
  {
    effectiveFrom: '2010-01-01',
    source:
      'Help pages of brokers on short delivery: 0.05 % of the shares at the close of the day of the sale, and GST',
    basisPoints: 5,
  },
];
