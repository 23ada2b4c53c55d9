/**
 * Portfolio on its newer paths (intent orders, section 4), in two spellings: camelCase, and the names of the older paths. Amounts are
 * paise.
 */
import { type NoParts, read } from './endpoint';

/** A reply below `portfolio`: its totals, and a list. The fields are those of portfolio.ts in one of two spellings. */
export interface IntentPortfolioReply {
  message?: string;
  portfolio: object | null;
}

export const intentPortfolioEndpoints = {
  intentHoldings: read<NoParts, IntentPortfolioReply>('GET', '/sentinel/portfolio/holdings'),
  /** One flat list; a closed position has the net 0. */
  intentPositions: read<NoParts, IntentPortfolioReply>('GET', '/sentinel/portfolio/positions'),
  intentFunds: read<NoParts, { message?: string; portFundsAndMargin?: object; port_funds_and_margin?: object }>(
    'GET',
    '/sentinel/portfolio/user_funds_and_margin',
  ),
};
