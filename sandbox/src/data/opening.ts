/** What every account begins with. Invented. */
export const OPENING = {
  /** Paise: ₹1,00,00,000. */
  funds: 1_000_000_000,
  /** Cost of the holdings in percent of the close before the first day. */
  costPercent: 92,
  holdings: [
    { symbol: 'INFY', quantity: 100 },
    { symbol: 'RELIANCE', quantity: 60 },
    { symbol: 'SBIN', quantity: 250 },
    { symbol: 'ITC', quantity: 400 },
  ],
};
