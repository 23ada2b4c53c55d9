import { type ContractUnit, moneyOf } from '../../market/reference/contract-value';
import { priceSum } from '../../shared/money';
import type { Instrument } from '../../market/reference/types';
import { triggeredExit } from './exit-triggers';
import type { StrategyExit } from './exit-types';
import { copyOf, endedAt } from './strategy-store';
import type { ChildOrder, ExitCause, IntentEvent, IntentLeg, IntentOrder } from './types';
import type { Basket, BasketEvent, BasketStatus } from './v2-basket-types';

const CAUSES: Record<StrategyExit['slot'], ExitCause> = {
  stop: 'STOPLOSS',
  target: 'TARGET',
  time: 'EXIT_TIME',
  request: 'REQUEST',
};

/**
 * A strategy in the words of the older interface: a basket that was placed there, or a strategy of the intent interface with the
 * same id and tag.
 * @param instrument that of a leg of a strategy, whose exchange it is on. @param children the orders of a basket at the exchange
 */
export function asBasket(
  intent: IntentOrder,
  instrument: Instrument | undefined,
  children: readonly Pick<ChildOrder, 'orderId' | 'leg'>[] = [],
): Basket {
  const { entry, exits, basket: own } = intent;
  const stop = exits.find(({ slot }) => slot === 'stop');
  const done = exits.find(({ status }) => status === 'FILLED') ?? triggeredExit(exits);
  const cause = done === undefined ? null : CAUSES[done.slot];
  return {
    account: intent.account,
    exchange: own?.exchange ?? instrument?.exchange ?? 'NSE',
    name: own?.name ?? intent.tag,
    tag: intent.tag,
    legs: intent.legs.map((leg, index) => ({
      refId: leg.refId,
      side: leg.unit > 0 ? 'BUY' : 'SELL',
      ratio: leg.unit,
      quantity: leg.quantity,
      filledQuantity: leg.filledQuantity,
      filledValue: leg.filledValue,
      exitQuantity: leg.exitQuantity,
      exitValue: leg.exitValue,
      orderIds: [...(leg.orderIds ?? [])],
      workingId: children.find((child) => child.leg === index)?.orderId ?? 0n,
    })),
    side: intent.side,
    product: intent.product,
    priceType: intent.priceType,
    entryPrice: intent.price,
    multiplier: own?.multiplier ?? intent.quantity,
    targetPrice: exits.find(({ slot }) => slot === 'target')?.trigger ?? null,
    stoplossPrice: stop?.asked.trigger ?? null,
    momentumTriggerPrice: entry.condition?.price ?? null,
    trailJump: stop !== undefined && stop.jump > 0 ? stop.jump : null,
    entryTime: entry.time,
    exitTime: exits.find(({ slot }) => slot === 'time')?.at ?? null,
    ...(intent.placedBy && { placedBy: intent.placedBy }),
    id: intent.id,
    status: basketStatus(intent),
    reason: intent.reason,
    stoplossNow: stop?.trigger ?? null,
    exitCause: own === undefined ? cause : own.exitCause,
    createdAt: intent.createdAt,
    acknowledgedAt: intent.acceptedAt,
    entryTriggeredAt: intent.sentAt,
    filledAt: intent.filledAt,
    exitTriggeredAt: own !== undefined || done === undefined ? intent.exitTriggeredAt : intent.updatedAt,
    endedAt: endedAt(intent),
  };
}

/** An event of a basket in the words of the older interface; undefined for one that it does not know. */
export function asBasketEvent(event: IntentEvent, children: readonly ChildOrder[]): BasketEvent | undefined {
  const { seq, at } = event;
  const basket = asBasket(event.intent, undefined, children);
  const { reason } = basket;
  switch (event.type) {
    case 'received':
    case 'accepted':
    case 'entry_triggered':
      return { type: event.type, seq, at, basket };
    case 'rejected':
    case 'cancel_rejected':
      return { type: event.type, seq, at, basket, reason: event.reason };
    case 'trade':
      return { type: 'leg_filled', seq, at, basket, trade: event.trade };
    case 'executed':
      return { type: 'entered', seq, at, basket };
    case 'trail_updated':
      return { type: 'trail_updated', seq, at, basket, stoplossPrice: basket.stoplossNow! };
    case 'exit_triggered':
      return { type: 'exit_triggered', seq, at, basket, cause: basket.exitCause! };
    case 'exit_filled':
      return { type: 'closed', seq, at, basket };
    case 'cancelled':
      return { type: 'cancelled', seq, at, basket, reason };
    default:
      return undefined;
  }
}

/** PENDING until acknowledged; a strategy of the intent interface is closed when an exit has closed all of it. */
export function basketStatus({ status, acceptedAt, closedAt, exits, legs, basket }: IntentOrder): BasketStatus {
  if (status === 'OPEN') return acceptedAt === 0n ? 'PENDING' : 'OPEN';
  if (status === 'EXPIRED') return 'CANCELLED';
  if (status !== 'EXECUTED') return status;
  if (basket !== undefined) return closedAt > 0n ? 'CLOSED' : 'FILLED';
  const isFlat = legs.every(({ filledQuantity, exitQuantity }) => filledQuantity === exitQuantity);
  return isFlat && exits.some((exit) => exit.status === 'FILLED') ? 'CLOSED' : 'FILLED';
}

/** Profit of a strategy or basket so far, realised and unrealised, paise. */
export function strategyProfit(
  { legs }: { legs: readonly Omit<IntentLeg, 'quantity' | 'exchangeOrderIds'>[] },
  unit: (refId: number) => ContractUnit,
  price: (refId: number) => number,
): number {
  return legs.reduce((sum, leg) => {
    const open = leg.filledQuantity - leg.exitQuantity;
    const worth = open === 0 ? 0 : priceSum(price(leg.refId), open);
    return sum + Math.sign(leg.unit) * moneyOf(unit(leg.refId), leg.exitValue + worth - leg.filledValue);
  }, 0);
}

/** A basket of the older interface as the intent interface shows it. */
export function asStrategy(basket: IntentOrder): IntentOrder {
  const { createdAt, acceptedAt, filledAt, rejectedAt } = basket;
  const net = basket.legs.reduce((sum, leg) => sum + (leg.unit * leg.filledValue) / Math.max(1, leg.filledQuantity), 0);
  return {
    ...copyOf(basket),
    side: 'BUY',
    sent: true,
    entryTriggered: basket.sentAt > 0n,
    exits: basket.exits.map((exit) => ({
      ...exit,
      asked: { trigger: exit.trigger, limit: exit.limit },
      status: endedAt(basket) > 0n ? 'CANCELLED' : 'OPEN',
    })),
    filledPrice: Math.round(net),
    rejectedAt: rejectedAt > 0n ? createdAt : 0n,
    updatedAt: [createdAt, acceptedAt, filledAt, endedAt(basket)].reduce((last, time) => (time > last ? time : last)),
  };
}
