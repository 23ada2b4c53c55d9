/** Opening balance of every account. Invented. */
export const OPENING_BALANCES = {
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
  /** The months before the first day, so that statements are not empty. */
  history: {
    days: 75,
    /** Other shares, that were bought and sold again. */
    shares: ['TCS', 'HDFCBANK', 'TATASTEEL', 'LT', 'AXISBANK', 'BHARTIARTL'],
    future: 'NIFTY',
    /** Identifiers of the history's orders and trades begin here, each account apart from the others. */
    firstId: 1_000_000_000_000_000_001n,
    idsPerAccount: 1_000_000n,
  },
};
