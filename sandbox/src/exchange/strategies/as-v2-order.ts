import type { Order, OrderStatus, Refusal } from '../../shared/orders';
import { refuse } from '../rules';
import type { OrderChange } from '../types';
import type { IntentChange, IntentOrder } from './types';

/** The entry of a single intent order as the older interface shows it: same id, same tag, never an exit. */
export function asOrder(intent: IntentOrder): Order {
  const { entry, iceberg } = intent;
  const leg = intent.legs[0]!;
  const kind = iceberg !== null ? 'ICEBERG' : isStop(intent) ? 'STOPLOSS' : 'REGULAR';
  return {
    account: intent.account,
    refId: leg.refId,
    kind,
    side: intent.side,
    quantity: intent.quantity,
    product: intent.product,
    validity: intent.validity === 'IOC' ? 'IOC' : 'DAY',
    priceType: intent.priceType,
    price: intent.price,
    triggerPrice: kind === 'STOPLOSS' ? (entry.condition?.price ?? 0) : 0,
    legSize: iceberg === null ? 0 : (iceberg.maxQuantity ?? Math.ceil(intent.quantity / (iceberg.legs ?? 1))),
    tag: intent.tag,
    basketId: 0n,
    source: 'ORDER_SOURCE_NORMAL',
    ...(intent.placedBy && { placedBy: intent.placedBy }),
    id: intent.id,
    exchangeOrderId: leg.exchangeOrderIds.at(-1) ?? 0n,
    status: statusOf(intent),
    filledQuantity: leg.filledQuantity,
    filledValue: leg.filledValue,
    reason: intent.reason,
    createdAt: intent.createdAt,
    sentAt: intent.sentAt,
    acknowledgedAt: intent.acceptedAt,
    filledAt: intent.filledAt,
    cancelledAt: intent.cancelledAt,
    modifiedAt: intent.modifiedAt,
  };
}

/** A change of the older interface as one of an intent order; what it cannot say there is refused. */
export function changeOf(intent: IntentOrder, change: OrderChange): IntentChange | Refusal {
  const { kind, legSize, triggerPrice, quantity, price } = change;
  const now = asOrder(intent);
  if ((kind !== undefined && kind !== now.kind) || (legSize !== undefined && legSize !== now.legSize))
    return refuse('KIND_CHANGE', `order_type and leg_size of order ${intent.id} can't be changed`);
  const { condition } = intent.entry;
  if (triggerPrice !== undefined && triggerPrice !== now.triggerPrice && condition === null)
    return refuse('TRIGGER_NOT_ALLOWED', `order ${intent.id} has no trigger`);
  return {
    ...(quantity === undefined ? {} : { quantity }),
    ...(price === undefined || intent.priceType === 'MARKET' ? {} : { price }),
    ...(triggerPrice === undefined || triggerPrice === now.triggerPrice || condition === null
      ? {}
      : { condition: { ...condition, price: triggerPrice } }),
  };
}

/** True if an entry condition is what the older interface calls a stop-loss order. */
function isStop({ entry, side }: IntentOrder): boolean {
  return entry.condition?.kind === (side === 'BUY' ? 'AT_OR_ABOVE' : 'AT_OR_BELOW');
}

function statusOf(intent: IntentOrder): OrderStatus {
  if (intent.status === 'EXECUTED') return 'FILLED';
  if (intent.status !== 'OPEN') return intent.status;
  if (intent.acceptedAt === 0n) return intent.sentAt === 0n ? 'PENDING' : 'SENT';
  if (intent.filledQuantity > 0) return intent.filledQuantity === intent.quantity ? 'FILLED' : 'PARTIAL_FILLED';
  return intent.entryTriggered && intent.entry.condition !== null ? 'TRIGGERED' : 'OPEN';
}
