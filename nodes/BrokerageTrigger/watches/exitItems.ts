/** Items of a trigger that keeps exits: the words that those of positions and of strategies share. */
import type { BrokerageError } from '../../../client/base/errors';
import { averageFillText, closingEarnings, earningsText } from '../../../client/closing/average-fill';
import type { ClosingResult } from '../../../client/closing/closing-request';
import { quantityText, rupeesText } from '../../../client/values/amounts';
import { filledPriceOf, statusOf } from '../../../client/orders/model/order-record';
import { paiseTo, type MoneyUnit } from '../../../client/values/money';
import type { TriggerContext } from '../context/triggerContext';
import { exitSummary, hasLabels } from './summaries';

/** Event of an item, by the reason for closing. */
export const EVENT_BY_REASON = {
  stop: 'stopReached',
  target: 'targetReached',
  trail: 'trailingStopReached',
  time: 'exitTimeReached',
} as const;

const GIVEN_UP =
  'The trigger tries again on the next trading day. Close it yourself, or with Portfolio: Exit Position.';

/**
 * Returns the sentence of an event; nothing in versions without it.
 * @param subject what has the exits
 * @param details further parts of the sentence, such as a price in rupees
 */
export function eventWords(
  context: TriggerContext,
  event: string,
  subject: string,
  more: object,
  details: readonly string[] = [],
): object {
  const failure = 'error_message' in more ? String(more.error_message) : '';
  return hasLabels(context.n8n) ? { summary: exitSummary(event, [subject, ...details].join(', '), failure) } : {};
}

/** Returns "stop loss at ₹1,470.00" for each level that is set. @param levels paise, by the words before them */
export function levelWords(levels: Readonly<Record<string, number | undefined>>): string[] {
  return Object.entries(levels).flatMap(([name, paise]) =>
    paise === undefined ? [] : [`${name} ${rupeesText(paise)}`],
  );
}

/**
 * Returns "sold 100 at ₹1,213.60" and "result +₹1,200.00 before charges": what the orders of a closing have filled and earned. Without the
 * price, or the result, where it is not known.
 */
export function closedWords({ closed, orders }: ClosingResult, direction: 1 | -1, earned?: number): string[] {
  if (closed === 0) return [];
  const result = earningsText(earned);
  const traded = `${direction === 1 ? 'sold' : 'bought'} ${quantityText(closed)}${averageFillText(orders)}`;
  return result === undefined ? [traded] : [traded, result];
}

/** Returns what a closing has earned, paise, before charges; undefined if it is not known. @param average of what was held, paise */
export function earnedBy(
  { closed, orders, request: { instrument } }: ClosingResult,
  average: number | undefined,
  direction: 1 | -1,
): number | undefined {
  return closingEarnings({ orders, closed, instrument }, average, direction);
}

/** Returns the fields of an item that reports a failure. @param isFinal true if nothing more is tried that day */
export function failureOutput(error: BrokerageError, isFinal: boolean): object {
  return { error_message: error.message, advice: isFinal ? GIVEN_UP : error.hint, given_up: isFinal };
}

/** Returns the result of one closing, for an item. */
export function closedOutput({ closed, orders }: ClosingResult, unit: MoneyUnit): object {
  return {
    closed_qty: closed,
    orders: orders.map(({ orderId, quantity, filled, record, tag }) => ({
      order_id: orderId,
      order_status: statusOf(record),
      order_qty: quantity,
      filled_qty: filled,
      avg_filled_price: paiseTo(unit, filledPriceOf(record) ?? null),
      tag,
    })),
  };
}

/** Reports an instrument that no exchange lists, or that cannot be looked up: it has no exits, and the user must know. */
export function reportUnknown(
  context: TriggerContext,
  { refId, symbol, exchange, environment }: { refId: number; symbol: string; exchange: string; environment: string },
  error: BrokerageError | undefined,
): void {
  const name = symbol || `ref_id ${refId}`;
  const why = error === undefined ? 'no exchange lists it today' : error.message;
  const failure = { error_message: `${name} has no exits: ${why}` };
  const words = eventWords(context, 'exitFailed', name, failure);
  const item = { event: 'exitFailed', ...words, symbol, exchange, ref_id: refId, ...failure };
  void context.emit([
    { ...item, advice: 'Close it yourself, or with Portfolio: Exit Position.', given_up: false, environment },
  ]);
}
