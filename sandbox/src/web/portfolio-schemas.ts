import { Type } from '@sinclair/typebox';
import { int, nullable, number, paise, record, repliesWith, text, type BrandWords } from './reply-parts';

/** Replies of holdings, positions and funds (docs/service/portfolio.md). */
export function portfolioSchemas(words: BrandWords) {
  const { platformWord, serviceWord } = words;
  const of = repliesWith(words);
  const holding = record({
    ref_id: int,
    [`${serviceWord}_name`]: text,
    displayName: text,
    derivative_type: text,
    strike_price: paise,
    lot_size: int,
    exchange: text,
    asset: text,
    symbol: text,
    qty: int,
    pledged_qty: int,
    t1_qty: int,
    avg_price: paise,
    prev_close: paise,
    ltp: paise,
    ltp_chg: number,
    invested_value: paise,
    current_value: paise,
    net_pnl: paise,
    net_pnl_chg: number,
    day_pnl: paise,
    haircut: number,
    margin_benefit: paise,
    available_to_pledge: int,
    is_pledgeable: Type.Boolean(),
    supported_exchanges: Type.Record(text, int),
  });
  const position = record({
    ref_id: int,
    [`${platformWord}_name`]: text,
    display_name: text,
    derivative_type: text,
    strike_price: paise,
    lot_size: int,
    qty_multiplier: Type.Optional(int),
    exchange: text,
    asset: text,
    symbol: text,
    product: text,
    order_side: text,
    qty: int,
    ltp: paise,
    avg_price: paise,
    avg_buy_price: paise,
    avg_sell_price: paise,
    pnl: paise,
    pnl_chg: number,
  });
  const positions = nullable(Type.Array(position));
  return {
    flatPositions: of(
      record({
        message: text,
        positions: Type.Array(
          record({
            ref_id: int,
            symbol: text,
            exchange: text,
            derivative_type: text,
            delivery_type: text,
            buy_qty: int,
            sell_qty: int,
            net_qty: int,
            avg_buy_price: paise,
            avg_sell_price: paise,
            ltp: paise,
            pnl: paise,
            status: text,
          }),
        ),
      }),
    ),
    holdings: of(
      record({
        message: text,
        portfolio: record({
          client_code: text,
          holding_stats: record({
            invested_amount: paise,
            current_value: paise,
            total_pnl: paise,
            total_pnl_chg: number,
            day_pnl: paise,
            day_pnl_chg: number,
          }),
          holdings: nullable(Type.Array(holding)),
        }),
      }),
    ),
    positions: of(
      record({
        message: text,
        portfolio: record({
          client_code: text,
          position_stats: record({
            realised_pnl: paise,
            unrealised_pnl: paise,
            total_pnl: paise,
            total_pnl_chg: number,
          }),
          stock_positions: positions,
          fut_positions: positions,
          opt_positions: positions,
          close_positions: positions,
        }),
      }),
    ),
    funds: of(
      record({
        message: text,
        port_funds_and_margin: record({
          client_code: text,
          start_of_day_funds: paise,
          pay_in_credit: paise,
          pay_out_debit: paise,
          cash_balance: paise,
          net_margin_available: paise,
          total_margin_blocked: paise,
          margin_blocked_orders: paise,
          margin_blocked_positions: paise,
          total_collateral: paise,
          collateral_used: paise,
          realised_pnl: paise,
          brokerage: paise,
          total_charges: paise,
        }),
      }),
    ),
  };
}
