/** The auction in which the exchange buys shares that were sold and not delivered. */
export interface AuctionTable {
  effectiveFrom: string;
  source: string;
  /** Time of the auction on the trading day after the sale, HH:MM. */
  time: string;
  /** Most that a seller may ask above the close before, percent. */
  band: number;
  /** Premium that sellers ask above the last price, basis points: drawn between the two. */
  premium: readonly [min: number, max: number];
  /** Minimum premium where nobody offers, percent above the close of the auction's day. */
  closeOut: number;
}

export const DELIVERY_AUCTIONS: readonly AuctionTable[] = [
  {
    effectiveFrom: '2010-01-01',
    source:
      'Customary auction and close-out of NSE Clearing: the highest price since the sale, or 20 % above the close. What sellers ask is the sandbox’s own',
    time: '14:30',
    band: 20,
    premium: [50, 300],
    closeOut: 20,
  },
];
