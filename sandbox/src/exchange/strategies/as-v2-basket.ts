import { type ContractUnit, moneyOf } from '../../market/reference/contract-value';
import { priceSum } from '../../shared/money';
import type { Instrument } from '../../market/reference/types';
import { triggered } from './exit-triggers';
import type { Basket, BasketStatus, ExitCause } from './v2-basket-types';
import type { Exit } from './exit-types';
import type { IntentOrder } from './types';

const CAUSES: Record<Exit['slot'], ExitCause> = {
  stop: 'STOPLOSS',
  target: 'TARGET',
  time: 'EXIT_TIME',
  request: 'REQUEST',
};

/** A strategy as the older interface shows it: a basket with the same id and tag. */
export function asBasket(intent: IntentOrder, instrument: Instrument | undefined): Basket {
  const { entry, exits } = intent;
  const stop = exits.find(({ slot }) => slot === 'stop');
  const done = exits.find(({ status }) => status === 'FILLED') ?? triggered(exits);
  return {
    account: intent.account,
    exchange: instrument?.exchange ?? 'NSE',
    name: intent.tag,
    tag: intent.tag,
    legs: intent.legs.map((leg) => ({
      refId: leg.refId,
      side: leg.unit > 0 ? 'BUY' : 'SELL',
      ratio: leg.unit,
      quantity: leg.quantity,
      filledQuantity: leg.filledQuantity,
      filledValue: leg.filledValue,
      exitQuantity: leg.exitQuantity,
      exitValue: leg.exitValue,
      orderIds: [],
      workingId: 0n,
    })),
    side: intent.side,
    product: intent.product,
    priceType: intent.priceType,
    entryPrice: intent.price,
    multiplier: intent.quantity,
    targetPrice: exits.find(({ slot }) => slot === 'target')?.trigger ?? null,
    stoplossPrice: stop?.asked.trigger ?? null,
    momentumTriggerPrice: entry.condition?.price ?? null,
    trailJump: stop !== undefined && stop.jump > 0 ? stop.jump : null,
    entryTime: entry.time,
    exitTime: exits.find(({ slot }) => slot === 'time')?.at ?? null,
    id: intent.id,
    status: statusOf(intent),
    reason: intent.reason,
    stoplossNow: stop?.trigger ?? null,
    exitCause: done === undefined ? null : CAUSES[done.slot],
    createdAt: intent.createdAt,
    acknowledgedAt: intent.acceptedAt,
    entryTriggeredAt: intent.sentAt,
    filledAt: intent.filledAt,
    exitTriggeredAt: done === undefined ? 0n : intent.updatedAt,
    endedAt: intent.cancelledAt === 0n ? intent.rejectedAt : intent.cancelledAt,
  };
}

/** Profit of a strategy so far, realised and unrealised, paise. */
export function strategyProfit(
  { legs }: IntentOrder,
  unit: (refId: number) => ContractUnit,
  price: (refId: number) => number,
): number {
  return legs.reduce((sum, leg) => {
    const open = leg.filledQuantity - leg.exitQuantity;
    const worth = open === 0 ? 0 : priceSum(price(leg.refId), open);
    return sum + Math.sign(leg.unit) * moneyOf(unit(leg.refId), leg.exitValue + worth - leg.filledValue);
  }, 0);
}

function statusOf({ status, acceptedAt, exits, legs }: IntentOrder): BasketStatus {
  if (status === 'OPEN') return acceptedAt === 0n ? 'PENDING' : 'OPEN';
  if (status === 'EXPIRED') return 'CANCELLED';
  if (status !== 'EXECUTED') return status;
  const closed = legs.every(({ filledQuantity, exitQuantity }) => filledQuantity === exitQuantity);
  return closed && exits.some((exit) => exit.status === 'FILLED') ? 'CLOSED' : 'FILLED';
}
