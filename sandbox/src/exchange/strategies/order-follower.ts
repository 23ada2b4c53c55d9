import { priceSum } from '../../shared/money';
import { millisOf } from '../../shared/time';
import type { ExchangeEvent } from '../types';
import type { EntryChanges } from './changes';
import type { EntryRunner } from './entry-runner';
import { sumEntryFills, type ExitRunner } from './exit-runner';
import type { StrategyStore } from './strategy-store';
import type { Trade } from '../../shared/orders';
import type { ChildOrder, WorkingIntent } from './types';

interface FollowerDeps {
  store: StrategyStore;
  entries: EntryRunner;
  exits: ExitRunner;
  changes: EntryChanges;
}

/** Follows the orders that intent orders have at the exchange. */
export class OrderFollower {
  constructor(private readonly deps: FollowerDeps) {}

  /** Takes in what happened to an order. @returns the intent order that may have to be looked at now */
  follow(event: ExchangeEvent): WorkingIntent | undefined {
    const { order } = event;
    const { store, entries, exits } = this.deps;
    const working = order.intentId === undefined ? undefined : store.get(order.intentId);
    if (working === undefined || event.type === 'received') return undefined;
    const { intent } = working;
    if (event.type === 'sent') {
      if (intent.sentAt === 0n) intent.sentAt = event.at;
      return undefined;
    }
    const child = working.children.find(({ orderId }) => orderId === order.id);
    if (child === undefined) return undefined;
    const at = millisOf(event.at);
    if (event.type === 'accepted') {
      if (child.of === 'entry') intent.legs[child.leg]!.exchangeOrderIds.push(order.exchangeOrderId);
      if (intent.acceptedAt === 0n) store.emit(working, { type: 'accepted' }, at, { stamp: 'acceptedAt' });
      return undefined;
    }
    this.changed(working, child, event, at);
    entries.finish(working, at);
    exits.finish(working, at);
    return working;
  }

  private changed(working: WorkingIntent, child: ChildOrder, event: ExchangeEvent, at: number): void {
    switch (event.type) {
      case 'trade':
        return bookChildTrade(this.deps.store, working, child, event.trade, at);
      case 'cancel_rejected':
        child.cancelling = false;
        return;
      case 'modified':
      case 'modify_rejected':
        return this.deps.changes.answered(working, child, event, at);
      case 'rejected':
      case 'cancelled':
      case 'expired':
      case 'unsolicited_cancel':
        if (event.order.validity === 'IOC' && event.order.filledQuantity === 0) working.fruitless += 1;
        return this.ended(working, child, { type: event.type, reason: event.order.reason }, at);
    }
  }

  private ended(
    working: WorkingIntent,
    child: ChildOrder,
    end: NonNullable<WorkingIntent['lastEnd']>,
    at: number,
  ): void {
    working.children = working.children.filter((item) => item !== child);
    if (child.of !== 'entry') return this.deps.exits.orderEnded(working, end, at);
    const closed = working.closesAt !== null && at >= working.closesAt && end.type === 'cancelled';
    working.lastEnd = closed ? { type: 'expired', reason: 'not filled by the close' } : end;
  }
}

/** Books a trade of a child: on its leg, and on the entry or the exit whose order it is. */
export function bookChildTrade(
  store: StrategyStore,
  working: WorkingIntent,
  child: ChildOrder,
  trade: Trade,
  at: number,
): void {
  const { intent } = working;
  const leg = intent.legs[child.leg]!;
  const entry = child.of === 'entry';
  leg[entry ? 'filledQuantity' : 'exitQuantity'] += trade.quantity;
  leg[entry ? 'filledValue' : 'exitValue'] += priceSum(trade.price, trade.quantity);
  child.left -= trade.quantity;
  working.fruitless = 0;
  if (child.left === 0) working.children = working.children.filter((item) => item !== child);
  const units = (of: 'filledQuantity' | 'exitQuantity'): number =>
    Math.min(...intent.legs.map((leg) => Math.floor(leg[of] / Math.abs(leg.unit))));
  if (entry) {
    intent.filledQuantity = units('filledQuantity');
    const { value, quantity } = sumEntryFills(working);
    const complete = intent.filledQuantity > 0 && quantity > 0;
    intent.filledPrice = complete ? Math.round(value / quantity) : 0;
  } else {
    const running = intent.exits.find(({ slot, status }) => slot === child.of && status !== 'FILLED');
    if (running !== undefined) running.filledQuantity += intent.multi ? 0 : trade.quantity;
    if (running !== undefined && intent.multi) running.filledQuantity = units('exitQuantity');
  }
  store.emit(working, { type: 'trade', trade, of: child.of }, at);
}
