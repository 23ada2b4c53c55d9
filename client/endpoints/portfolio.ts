/** Portfolio (docs/service/portfolio.md, docs/service/portfolio.md#funds). Amounts are paise. */
import { type NoParts, readEndpoint } from './endpoint';

/** One instrument that is held. */
export interface HoldingFields {
  ref_id: number;
  /** Full platform name of the instrument. */
  svc_name?: string;
  displayName?: string;
  derivative_type?: string;
  /** Paise. */
  strike_price?: number;
  lot_size?: number;
  exchange?: string;
  asset?: string;
  /** Trading symbol. */
  symbol?: string;
  /** Units. */
  qty?: number;
  pledged_qty?: number;
  /** Bought, not settled yet. */
  t1_qty?: number;
  /** Paise. */
  avg_price?: number;
  /** Paise. */
  prev_close?: number;
  /** Last traded price, paise, under one of two names. */
  ltp?: number;
  last_traded_price?: number;
  /** Percent from the previous close. */
  ltp_chg?: number;
  /** Paise. */
  invested_value?: number;
  /** Paise. */
  current_value?: number;
  /** Paise. */
  net_pnl?: number;
  /** Percent. */
  net_pnl_chg?: number;
  /** Paise. */
  day_pnl?: number;
  /** Percent. */
  haircut?: number;
  /** Paise. */
  margin_benefit?: number;
  /** Units. */
  available_to_pledge?: number;
  is_pledgeable?: boolean;
  /** The ref_id on each exchange. */
  supported_exchanges?: Record<string, number> | null;
}

/** The totals of the holdings. */
export interface HoldingStats {
  /** Paise. */
  invested_amount?: number;
  /** Paise. */
  current_value?: number;
  /** Paise. */
  total_pnl?: number;
  /** Percent. */
  total_pnl_chg?: number;
  /** Paise. */
  day_pnl?: number;
  /** Percent. */
  day_pnl_chg?: number;
}

/** See docs/service/portfolio.md#holdings. */
export interface HoldingsReply {
  message?: string;
  portfolio: {
    client_code?: string;
    holding_stats?: HoldingStats | null;
    /** The value null means that nothing is held (docs/service/portfolio.md#holdings). */
    holdings?: HoldingFields[] | null;
  } | null;
}

/** Unsettled trades in one instrument. */
export interface PositionFields {
  ref_id: number;
  plat_name?: string;
  display_name?: string;
  derivative_type?: string;
  /** Paise. */
  strike_price?: number;
  lot_size?: number;
  /** As in the instrument master. */
  qty_multiplier?: number;
  exchange?: string;
  asset?: string;
  /** Trading symbol. */
  symbol?: string;
  /** For example `ORDER_DELIVERY_TYPE_IDAY`. */
  product?: string;
  /** Seen: `BUY`, and `C` for a closed position. */
  order_side?: string;
  /** Units. */
  qty?: number;
  /** Signed units; this and what was bought and sold only by the newer path (docs/service/portfolio.md#newer-names). */
  net_qty?: number;
  buy_qty?: number;
  sell_qty?: number;
  /** Last traded price, paise. */
  ltp?: number;
  /** Paise. */
  avg_price?: number;
  /** Paise. */
  avg_buy_price?: number;
  /** Paise. */
  avg_sell_price?: number;
  /** Paise. */
  pnl?: number;
  /** Percent. */
  pnl_chg?: number;
}

/** The totals of the positions. */
export interface PositionStats {
  /** Paise. */
  realised_pnl?: number;
  /** Paise. */
  unrealised_pnl?: number;
  /** Paise. */
  total_pnl?: number;
  /** Percent. */
  total_pnl_chg?: number;
}

/** Each list is null if there is nothing of its kind (docs/service/portfolio.md#holdings). */
export interface PositionsReply {
  message?: string;
  portfolio: {
    client_code?: string;
    position_stats?: PositionStats | null;
    stock_positions?: PositionFields[] | null;
    fut_positions?: PositionFields[] | null;
    opt_positions?: PositionFields[] | null;
    close_positions?: PositionFields[] | null;
  } | null;
}

/** See docs/service/portfolio.md#funds; the service has more fields than these, all of them paise. */
export interface FundsFields {
  start_of_day_funds?: number;
  net_margin_available?: number;
  total_margin_blocked?: number;
  brokerage?: number;
  /** Brokerage, taxes and fees of the day; of the older interface alone. */
  total_charges?: number;
}

/** See docs/service/portfolio.md#portfolio-requests, docs/service/portfolio.md#funds. */
export const portfolioEndpoints = {
  holdings: readEndpoint<NoParts, HoldingsReply>('GET', '/portfolio/holdings', { nameKey: 'svc_name' }),
  positions: readEndpoint<NoParts, PositionsReply>('GET', '/portfolio/positions'),
  funds: readEndpoint<NoParts, { message?: string; port_funds_and_margin: FundsFields }>(
    'GET',
    '/portfolio/user_funds_and_margin',
  ),
};
