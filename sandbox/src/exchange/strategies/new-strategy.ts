import { exitsOf } from './exit-triggers';
import type { NewIntent, WorkingIntent } from './types';

/** First state of an order, right after it was taken: OPEN, with nothing at the exchange. `createdAt` is nanoseconds. */
export function receivedStrategy(
  { legs, exits, ...terms }: NewIntent,
  { id, createdAt, visibleAt }: { id: bigint; createdAt: bigint; visibleAt: number },
): WorkingIntent {
  return {
    intent: {
      ...terms,
      id,
      status: 'OPEN',
      legs: legs.map(({ refId, unit }) => ({
        refId,
        unit,
        quantity: terms.quantity * Math.abs(unit),
        filledQuantity: 0,
        filledValue: 0,
        exitQuantity: 0,
        exitValue: 0,
        exchangeOrderIds: [],
        ...(terms.basket && { orderIds: [] }),
      })),
      exits: exitsOf(exits),
      entryTriggered: false,
      sent: false,
      filledQuantity: 0,
      filledPrice: 0,
      reason: '',
      createdAt,
      acceptedAt: 0n,
      sentAt: 0n,
      filledAt: 0n,
      cancelledAt: 0n,
      rejectedAt: 0n,
      exitTriggeredAt: 0n,
      closedAt: 0n,
      modifiedAt: 0n,
      updatedAt: 0n,
    },
    stage: 'RECEIVED',
    children: [],
    closesAt: null,
    visibleAt,
    cancelling: null,
    lastEnd: null,
    best: null,
    busyUntil: 0,
    changing: false,
    retryAt: 0,
    fruitless: 0,
  };
}
