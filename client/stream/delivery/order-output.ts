/** Events in the user's form: money in the requested unit, times in IST beside the raw nanoseconds. */
import { paiseTo, type MoneyUnit } from '../../values/money';
import { fillPriceIn } from '../../values/market-price';
import { nanosToIst, toIst } from '../../values/time';
import type { Environment } from '../../session/settings';
import { orderLabels } from '../../orders/model/order-labels';
import { EVENT_LABELS, eventSummary, type ReportedTrade } from '../../orders/model/order-summary';
import { UNPRICED_FILL } from '../../orders/model/unpriced-fill';
import { tradedInstrument } from '../reconciliation/order-event';
import type { ConnectionEvent } from '../connection/outage';
import type { Fill, OrderEvent } from '../reconciliation/types';
import type { OrderSnapshot, StrategyPart } from '../../orders/model/order-snapshot';

export interface OutputOptions {
  environment: Environment;
  unit: MoneyUnit;
  /** True if the unchanged message is added. */
  raw: boolean;
  /** True if an unknown price is null; a trigger saved by an earlier version gets 0. */
  unknownIsNull?: boolean;
  /** True if words of the service have plain ones beside them. */
  hasLabels?: boolean;
}

/**
 * Returns the part that a trade belongs to, and the trade's own side: an exit trades on the other side of its order, or of its leg. Null if
 * unknown.
 */
function tradeOf(
  { kind, side, legs }: OrderSnapshot,
  { of, part = null, refId }: Pick<Fill, 'of' | 'part' | 'refId'>,
): { fill_of: StrategyPart; trade_side: string | null } {
  const traded = kind === 'order' ? (of ?? 'entry') : part;
  const entrySide = kind === 'order' ? side : legs.find((leg) => leg.refId === refId)?.side;
  const exitSide = entrySide === 'BUY' ? 'SELL' : 'BUY';
  return { fill_of: traded, trade_side: entrySide === undefined ? null : traded === 'entry' ? entrySide : exitSide };
}

/** An event of an order, under the names of the order record (docs/service/orders-v2.md#order-record). */
export function orderOutput(
  event: OrderEvent,
  { environment, unit, raw, unknownIsNull = false, hasLabels = false }: OutputOptions,
): Record<string, unknown> {
  const known = (paise: number): number | null => (paise === 0 && unknownIsNull ? null : paiseTo(unit, paise));
  const { order, exit, closed } = event;
  // Where an exit has filled, all that it has traded is told as its fill is.
  const fill = event.fill ?? closed;
  const instrument = tradedInstrument(event);
  const traded = fill && fillPriceIn(fill.price);
  const trade = fill && tradeOf(order, { refId: order.instrument.refId, ...fill });
  const reported: ReportedTrade | undefined = fill &&
    trade && { side: trade.trade_side, quantity: fill.quantity, price: fill.price, instrument };
  // The net price of a strategy may be anything.
  const isUnpriced = order.kind === 'order' && order.filled > 0 && fillPriceIn(order.averagePrice) === undefined;
  return {
    event: event.type,
    ...(hasLabels ? { event_label: EVENT_LABELS[event.type], summary: eventSummary(event, reported, event.step) } : {}),
    ...(hasLabels && event.step !== undefined ? { basket_step: event.step } : {}),
    recovered: event.recovered,
    ...(event.maybe.length > 0 ? { reason_known: false } : {}),
    order_id: order.orderId,
    order_status: order.status,
    symbol: instrument.symbol,
    display_name: instrument.displayName,
    exchange: instrument.exchange,
    order_side: order.side,
    order_qty: order.quantity,
    filled_qty: order.filled,
    order_price: known(order.price),
    ...(isUnpriced
      ? { avg_filled_price: unknownIsNull ? null : 0, no_price_reason: order.unreadablePrice ?? UNPRICED_FILL }
      : { avg_filled_price: known(order.averagePrice) }),
    ...(fill
      ? {
          trade_qty: fill.quantity,
          trade_price: paiseTo(unit, traded ?? null),
          trade_value: traded === undefined ? null : paiseTo(unit, traded * fill.quantity),
          ...(traded === undefined && !isUnpriced ? { no_price_reason: order.unreadablePrice ?? UNPRICED_FILL } : {}),
          trade_exact: event.fill?.exact ?? traded !== undefined,
          ...trade,
        }
      : {}),
    ...(exit
      ? { exit_kind: exit.kind, exit_trigger_price: exit.kind === 'time' ? null : paiseTo(unit, exit.trigger) }
      : {}),
    ...(order.triggerPrice === undefined ? {} : { trigger_price: known(order.triggerPrice) }),
    order_type: order.orderType,
    order_delivery_type: order.product,
    price_type: order.priceType,
    validity_type: order.validity,
    ...(order.reason === '' ? {} : { rejection_reason: order.reason }),
    ...(hasLabels ? orderLabels({ ...order, derivativeType: instrument.derivativeType }) : {}),
    tag: order.tags[0] ?? '',
    event_time: event.at,
    event_time_ist: nanosToIst(event.at),
    ref_id: instrument.refId,
    plat_name: instrument.platName,
    ...(order.basketId === '0' ? {} : { basket_id: order.basketId }),
    ...(raw && event.raw ? { raw: event.raw } : {}),
    environment,
  };
}

/** A lost or restored connection; `down_seconds` and `recovered_events` only when it is restored. */
export function connectionOutput(event: ConnectionEvent, { environment }: OutputOptions): Record<string, unknown> {
  return {
    event: event.type,
    reason: event.reason,
    ...(event.type === 'connectionRestored'
      ? { down_seconds: event.downMs / 1000, recovered_events: event.recovered }
      : {}),
    event_time_ist: toIst(event.at),
    environment,
  };
}
