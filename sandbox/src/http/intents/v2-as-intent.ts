import type { IntentOrder } from '../../exchange/strategies/types';
import type { Order } from '../../shared/orders';
import { INTENT_STATUSES } from '../../web/intent-records';
import { averagePrice } from '../../web/records';

/** An order of the older interface as an intent order: a stop-loss is an entry condition. */
export function orderAsIntent(order: Order): IntentOrder {
  const stop = order.kind === 'STOPLOSS';
  const condition = { kind: order.side === 'BUY' ? 'AT_OR_ABOVE' : 'AT_OR_BELOW', price: order.triggerPrice } as const;
  const { account, product, priceType, tag, reason, createdAt } = order;
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
    id: order.id,
    multi: false,
    status: INTENT_STATUSES[order.status],
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
    exitTriggeredAt: 0n,
    closedAt: 0n,
    rejectedAt: order.status === 'REJECTED' ? createdAt : 0n,
    cancelledAt: order.status === 'REJECTED' ? 0n : order.cancelledAt,
    modifiedAt: order.modifiedAt,
    updatedAt: latest(createdAt, order.acknowledgedAt, order.filledAt, order.cancelledAt, order.modifiedAt),
  };
}

function latest(...times: bigint[]): bigint {
  return times.reduce((last, time) => (time > last ? time : last));
}
