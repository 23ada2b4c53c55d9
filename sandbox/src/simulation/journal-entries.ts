import type { MarginCallEvent } from '../accounts/margin-calls';
import type { BasketEvent } from '../exchange/strategies/v2-basket-types';
import type { ExchangeEvent } from '../exchange/types';
import type { IntentEvent } from '../exchange/strategies/types';
import type { PlacedBy } from '../shared/orders';
import { millisOf } from '../shared/time';
import type { SimulatedBrokerageDeps } from './types';

/** Returns the origin of an order for the journal and the page; nothing where no workflow did. */
export function placedByEntry(placedBy: PlacedBy | undefined) {
  if (placedBy === undefined) return {};
  const { workflow, workflowName, execution, node } = placedBy;
  return { placed_by: { workflow, workflow_name: workflowName, execution, node } };
}

/** Takes an event of an order down in the journal, and counts it. */
export function journalOrderEvent(
  { journal, stats }: Pick<SimulatedBrokerageDeps, 'journal' | 'stats'>,
  event: ExchangeEvent,
  at: number,
): void {
  const { order } = event;
  journal.write(at, 'order', {
    event: event.type,
    client_code: order.account,
    order_id: order.id.toString(),
    exchange_order_id: order.exchangeOrderId.toString(),
    ref_id: order.refId,
    side: order.side,
    status: order.status,
    quantity: order.quantity,
    price: order.price,
    filled_quantity: order.filledQuantity,
    filled_value: order.filledValue,
    tag: order.tag,
    ...(order.intentId === undefined ? {} : { intent_order_id: order.intentId.toString() }),
    ...placedByEntry(order.placedBy),
    ...('reason' in event ? { reason: event.reason } : {}),
  });
  if (event.type === 'received') stats.ordersReceived += 1;
  if (event.type === 'accepted') stats.ordersAccepted += 1;
  if (event.type === 'rejected') stats.ordersRejected += 1;
  if (event.type !== 'trade') return;
  stats.trades += 1;
  const { trade } = event;
  journal.write(at, 'trade', {
    trade_id: trade.id.toString(),
    order_id: trade.orderId.toString(),
    client_code: trade.account,
    ref_id: trade.refId,
    side: trade.side,
    price: trade.price,
    quantity: trade.quantity,
    ...placedByEntry(order.placedBy),
  });
}

/** Takes an event of a basket down in the journal; its orders and trades have separate entries. */
export function journalBasketEvent(
  { journal }: Pick<SimulatedBrokerageDeps, 'journal'>,
  { type, at, basket, ...rest }: BasketEvent,
): void {
  journal.write(millisOf(at), 'basket', {
    event: type,
    client_code: basket.account,
    basket_id: basket.id.toString(),
    status: basket.status,
    tag: basket.tag,
    ...placedByEntry(basket.placedBy),
    ...('reason' in rest ? { reason: rest.reason } : {}),
    ...('cause' in rest ? { cause: rest.cause } : {}),
    ...('stoplossPrice' in rest ? { stoploss_price: rest.stoplossPrice } : {}),
  });
}

/** Takes an event of an intent order down in the journal; the orders that carry it out have separate entries. */
export function journalIntentEvent(
  { journal }: Pick<SimulatedBrokerageDeps, 'journal'>,
  { type, at, intent, ...rest }: IntentEvent,
): void {
  journal.write(millisOf(at), 'intent', {
    event: type,
    client_code: intent.account,
    intent_order_id: intent.id.toString(),
    status: intent.status,
    quantity: intent.quantity,
    filled_quantity: intent.filledQuantity,
    tag: intent.tag,
    ...placedByEntry(intent.placedBy),
    ...('reason' in rest ? { reason: rest.reason } : {}),
    ...('slot' in rest ? { exit: rest.slot } : {}),
    ...('of' in rest ? { fill_of: rest.of, price: rest.trade.price, trade_quantity: rest.trade.quantity } : {}),
  });
}

/** Takes an event of a margin call down in the journal; the orders that close positions have separate entries. */
export function journalMarginCall(
  { journal }: Pick<SimulatedBrokerageDeps, 'journal'>,
  { type, account, at, shortfall, required, due }: MarginCallEvent,
): void {
  journal.write(at, 'margin_call', { event: type, client_code: account, shortfall, required, due });
}
