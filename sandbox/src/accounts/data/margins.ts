/**
 * Margin percentages of the sandbox, by date. SPAN itself is computed by the clearing corporations from sixteen
 * scenarios; these are its customary sizes, so that requirements come out as large as a trader expects.
 */
export interface MarginTable {
  effectiveFrom: string;
  source: string;
  /** VaR + extreme loss of an intraday cash position, percent of its value (SEBI peak margin: at least 20). */
  intradayCash: number;
  /** Price scan range (SPAN), basis points of the underlying, by kind of underlying. */
  scan: Readonly<Record<'INDEX' | 'STOCK' | 'COMMODITY', number>>;
  /** Exposure margin, basis points of the contract value. */
  exposure: Readonly<Record<'INDEX' | 'STOCK' | 'COMMODITY', number>>;
  /** Least SPAN of a short option that nothing hedges, basis points of the contract value. */
  shortOptionMinimum: number;
  /** Charge for a calendar spread of two futures, basis points of the value of one; other hedges in proportion. */
  spreadCharge: Readonly<Record<'INDEX' | 'STOCK' | 'COMMODITY', number>>;
  /** True if index contracts are hedged by later expiries on their own last day too. */
  spreadOnExpiry: boolean;
}

export const MARGINS: readonly MarginTable[] = [
  {
    effectiveFrom: '2010-01-01',
    source:
      'SEBI peak margin rules of 2021-09-01; customary SPAN scan ranges and exposure margins of NSE Clearing and MCX Clearing',
    intradayCash: 20,
    scan: { INDEX: 930, STOCK: 1_420, COMMODITY: 800 },
    exposure: { INDEX: 200, STOCK: 350, COMMODITY: 100 },
    shortOptionMinimum: 300,
    spreadCharge: { INDEX: 175, STOCK: 220, COMMODITY: 200 },
    spreadOnExpiry: true,
  },
  {
    effectiveFrom: '2024-11-20',
    source: 'SEBI circular of 2024-10-01 on index derivatives: larger contracts, additional margin on short options',
    intradayCash: 20,
    scan: { INDEX: 930, STOCK: 1_420, COMMODITY: 800 },
    exposure: { INDEX: 200, STOCK: 350, COMMODITY: 100 },
    shortOptionMinimum: 500,
    spreadCharge: { INDEX: 175, STOCK: 220, COMMODITY: 200 },
    spreadOnExpiry: true,
  },
  {
    effectiveFrom: '2025-02-01',
    source: 'SEBI circular of 2024-10-01 on index derivatives: no calendar spread benefit on the day of expiry',
    intradayCash: 20,
    scan: { INDEX: 930, STOCK: 1_420, COMMODITY: 800 },
    exposure: { INDEX: 200, STOCK: 350, COMMODITY: 100 },
    shortOptionMinimum: 500,
    spreadCharge: { INDEX: 175, STOCK: 220, COMMODITY: 200 },
    spreadOnExpiry: false,
  },
];

/** Haircut of a pledged holding, percent, by how much its price moves: shares with derivatives are the liquid ones. */
export const HAIRCUTS: readonly { effectiveFrom: string; source: string; liquid: number; other: number }[] = [
  { effectiveFrom: '2010-01-01', source: 'Customary VaR haircuts of approved collateral', liquid: 12.5, other: 25 },
];

/** Terms on which the broker closes positions whose margin is no longer covered. */
export interface MarginCallTable {
  effectiveFrom: string;
  source: string;
  /** Time after the call in which the account may pay in or close something itself, milliseconds. */
  time: number;
  /** Shortfall, percent of the positions' margin, from which positions are closed at once. */
  atOnce: number;
  /** Balance below zero, percent of the value of bought options, from which these are called for like positions on margin. */
  debit: number;
  /** Evenings of trading days in a row with a balance below zero, from which on shares are sold for it on the next day. */
  unpaidDays: number;
}

export const MARGIN_CALLS: readonly MarginCallTable[] = [
  {
    effectiveFrom: '2010-01-01',
    source:
      'The sandbox’s own risk policy; SEBI circulars of 2019-06-20 and 2022-11-11: who does not pay for shares has them sold within five trading days after their pay-out, which is a day after the trade',
    time: 15 * 60_000,
    atOnce: 50,
    debit: 10,
    unpaidDays: 6,
  },
];

/** Times at which the broker squares off intraday positions: minutes before the end of continuous trading, by market. */
export interface SquareOffTable {
  effectiveFrom: string;
  source: string;
  cash: number;
  /** Cash instruments whose close is found by an auction: continuous trading ends earlier there. */
  auction: number;
  derivative: number;
  commodity: number;
}

export const SQUARE_OFF: readonly SquareOffTable[] = [
  {
    effectiveFrom: '2010-01-01',
    source: 'The sandbox’s own risk policy',
    cash: 15,
    auction: 15,
    derivative: 10,
    commodity: 25,
  },
  {
    effectiveFrom: '2026-08-03',
    source: 'The sandbox’s own risk policy, ahead of the closing auction of stocks with derivatives',
    cash: 20,
    auction: 5,
    derivative: 10,
    commodity: 25,
  },
];
