/**
 * Series of shares for delivery only: each trade is settled by itself, so that today's purchase cannot be sold today. An intraday order in
 * them is refused. Sources, 2026-11-25: NSE's legend of series (BE, BZ, ST, SZ: trade for trade; BT: physical shares; BL: block deals; IL:
 * among foreign institutions; E1, E2, P1, P2: partly paid shares) and BSE's groups of scrips (T, TS, XT, MT: trade to trade; Z, ZP: not in
 * line with the listing rules). Companies on the SME platforms (SM, M, MS) trade by lots, for delivery.
 */
import type { Exchange } from './names/exchanges';

const DELIVERY_ONLY: Readonly<Record<Exchange, ReadonlySet<string>>> = {
  NSE: new Set(['BE', 'BZ', 'BT', 'BL', 'IL', 'SM', 'ST', 'SZ', 'E1', 'E2', 'P1', 'P2']),
  BSE: new Set(['T', 'TS', 'XT', 'M', 'MT', 'MS', 'Z', 'ZP']),
  MCX: new Set(),
};

/** Returns true if a share's series allows no intraday order. @param series as the list of the day has it; '' for none */
export function isDeliveryOnly(exchange: string, series: string): boolean {
  const own = (DELIVERY_ONLY as Readonly<Record<string, ReadonlySet<string> | undefined>>)[exchange];
  return own?.has(series.toUpperCase()) === true;
}
