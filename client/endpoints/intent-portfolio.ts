/**
 * Portfolio on its newer paths (docs/service/portfolio.md#newer-names), in two spellings: camelCase, and the names of the older paths. Amounts are
 * paise.
 */
import { type NoParts, readEndpoint } from './endpoint';
import type { PositionsReply } from './portfolio';

/** Owner of the portfolio, in one of two spellings. */
interface OwnerFields {
  clientCode?: string;
  client_code?: string;
}

/**
 * Holdings: their totals, and a list, null if nothing is held. Totals and elements have the fields of portfolio.ts in one of two spellings,
 * some by other words: client/portfolio/field-names.ts gives all of them the older names.
 */
export interface IntentHoldingsReply {
  message?: string;
  portfolio: (OwnerFields & { holdingStats?: object; holding_stats?: object; holdings?: object[] | null }) | null;
}

/** Positions, in the form of holdings; the lists of the older path are accepted here too. */
export interface IntentPositionsReply {
  message?: string;
  portfolio:
    | (OwnerFields & { positionStats?: object; positions?: object[] | null } & NonNullable<PositionsReply['portfolio']>)
    | null;
}

/** Funds, in one of two spellings as their fields are. */
export interface IntentFundsReply {
  message?: string;
  portFundsAndMargin?: object;
  port_funds_and_margin?: object;
}

export const intentPortfolioEndpoints = {
  intentHoldings: readEndpoint<NoParts, IntentHoldingsReply>('GET', '/sentinel/portfolio/holdings'),
  /** One flat list; a closed position has the net 0. */
  intentPositions: readEndpoint<NoParts, IntentPositionsReply>('GET', '/sentinel/portfolio/positions'),
  intentFunds: readEndpoint<NoParts, IntentFundsReply>('GET', '/sentinel/portfolio/user_funds_and_margin'),
};
