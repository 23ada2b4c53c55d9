import { exit } from '../../exchange/strategies/exit-triggers';
import type { Basket } from '../../exchange/strategies/v2-basket-types';
import type { IntentOrder, IntentStatus } from '../../exchange/strategies/types';
import type { Order } from '../../shared/orders';
import { averagePrice } from '../../web/records';

const STATUSES: Record<Order['status'], IntentStatus> = {
  PENDING: 'OPEN',
  SENT: 'OPEN',
  OPEN: 'OPEN',
  PARTIAL_FILLED: 'OPEN',
  TRIGGERED: 'OPEN',
  FILLED: 'EXECUTED',
  CANCELLED: 'CANCELLED',
  REJECTED: 'REJECTED',
  EXPIRED: 'EXPIRED',
};

/** An order of the older interface as an intent order: a stop-loss is an entry condition. */
export function orderAsIntent(order: Order): IntentOrder {
  const stop = order.kind === 'STOPLOSS';
  const condition = { kind: order.side === 'BUY' ? 'AT_OR_ABOVE' : 'AT_OR_BELOW', price: order.triggerPrice } as const;
  return {
    ...nothing(order),
    id: order.id,
    multi: false,
    status: STATUSES[order.status],
    legs: [
      {
        refId: order.refId,
        unit: order.side === 'BUY' ? 1 : -1,
        quantity: order.quantity,
        filledQuantity: order.filledQuantity,
        filledValue: order.filledValue,
        exitQuantity: 0,
        exitValue: 0,
        exchangeOrderIds: order.exchangeOrderId === 0n ? [] : [order.exchangeOrderId],
      },
    ],
    quantity: order.quantity,
    side: order.side,
    validity: order.validity,
    price: order.price,
    entry: { condition: stop ? condition : null, time: null },
    entryTriggered: !stop || order.status === 'TRIGGERED' || order.filledQuantity > 0,
    exits: [],
    iceberg: order.kind === 'ICEBERG' ? { maxQuantity: order.legSize, legs: null } : null,
    filledQuantity: order.filledQuantity,
    filledPrice: averagePrice(order),
    sentAt: order.sentAt,
    acceptedAt: order.acknowledgedAt,
    filledAt: order.status === 'FILLED' ? order.filledAt : 0n,
    cancelledAt: order.status === 'REJECTED' ? 0n : order.cancelledAt,
    modifiedAt: order.modifiedAt,
    updatedAt: latest(order.createdAt, order.acknowledgedAt, order.filledAt, order.cancelledAt, order.modifiedAt),
  };
}

/** A basket of the older interface as a strategy. */
export function basketAsIntent(basket: Basket): IntentOrder {
  const { stoplossNow, targetPrice, exitTime, momentumTriggerPrice, trailJump, legs, status } = basket;
  const open = status === 'PENDING' || status === 'OPEN';
  const unit = Math.max(1, Math.round(legs[0]!.quantity / Math.abs(legs[0]!.ratio)));
  const filled = Math.min(...legs.map(({ filledQuantity, ratio }) => Math.floor(filledQuantity / Math.abs(ratio))));
  const net = legs.reduce((sum, leg) => sum + (leg.ratio * leg.filledValue) / Math.max(1, leg.filledQuantity), 0);
  const exits = [
    ...(stoplossNow === null ? [] : [exit('stop', stoplossNow, stoplossNow, trailJump ?? 0, 0)]),
    ...(targetPrice === null ? [] : [exit('target', targetPrice, targetPrice, 0, 0)]),
    ...(exitTime === null ? [] : [exit('time', 0, 0, 0, exitTime)]),
  ].map((exit) => (open || status === 'FILLED' ? exit : { ...exit, status: 'CANCELLED' as const }));
  return {
    ...nothing(basket),
    id: basket.id,
    multi: true,
    status: open ? 'OPEN' : status === 'FILLED' || status === 'CLOSED' ? 'EXECUTED' : status,
    legs: legs.map((leg) => ({ ...leg, unit: leg.ratio, exchangeOrderIds: [] })),
    quantity: unit,
    side: 'BUY',
    validity: 'DAY',
    price: basket.entryPrice,
    entry: {
      condition: momentumTriggerPrice === null ? null : { kind: 'AT_OR_ABOVE', price: momentumTriggerPrice },
      time: basket.entryTime,
    },
    entryTriggered: basket.entryTriggeredAt > 0n,
    exits,
    iceberg: null,
    filledQuantity: filled,
    filledPrice: Math.round(net),
    sentAt: basket.entryTriggeredAt,
    acceptedAt: basket.acknowledgedAt,
    filledAt: basket.filledAt,
    cancelledAt: status === 'CANCELLED' ? basket.endedAt : 0n,
    modifiedAt: 0n,
    updatedAt: latest(basket.createdAt, basket.acknowledgedAt, basket.filledAt, basket.endedAt),
  };
}

/** What both have under the same name. */
function nothing({
  account,
  product,
  priceType,
  tag,
  reason,
  createdAt,
  status,
}: Pick<Order | Basket, 'account' | 'product' | 'priceType' | 'tag' | 'reason' | 'createdAt' | 'status'>) {
  return {
    account,
    product,
    priceType,
    tag,
    reason,
    createdAt,
    goodTill: null,
    echo: 'null',
    sent: true,
    rejectedAt: status === 'REJECTED' ? createdAt : 0n,
  };
}

function latest(...times: bigint[]): bigint {
  return times.reduce((last, time) => (time > last ? time : last));
}
