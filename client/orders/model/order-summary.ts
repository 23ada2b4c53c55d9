/** One sentence about an order or an event of it, for a message to the user: in rupees, with the words of the panel. */
import { instrumentName } from '../../instruments/contract-name';
import { quantityText, rupeesText } from '../../values/amounts';
import { enumWord } from '../../values/enums';
import { productLabel, statusLabel } from '../../values/labels';
import { fillPriceIn } from '../../values/market-price';
import { dayOfNanos, showDate, toIst } from '../../values/time';
import { translateRefusal } from '../../refusals';
import { refusalOf } from './order-labels';
import type { ExitView, OrderEventType, OrderInstrument, OrderSnapshot } from './order-snapshot';

/** Events as the panel of the trigger names them. */
export const EVENT_LABELS: Readonly<Record<OrderEventType, string>> = {
  accepted: 'Order Accepted',
  cancelled: 'Order Cancelled',
  cancelRejected: 'Cancel Rejected',
  entryTriggered: 'Trigger Price Reached',
  executed: 'Order Completed',
  exitArmed: 'Exit Armed',
  exitCancelled: 'Exit Cancelled',
  exitFilled: 'Exit Filled',
  exitTimeReached: 'Exit Time Reached',
  expired: 'Order Expired',
  fill: 'Fill',
  modified: 'Order Modified',
  modifyRejected: 'Modify Rejected',
  other: 'Other',
  rejected: 'Order Rejected',
  stopLossTriggered: 'Stop Loss Triggered',
  targetTriggered: 'Target Triggered',
  trailUpdated: 'Trailing Stop Moved',
  unsolicitedCancel: 'Order Cancelled by the Exchange',
};

/** One trade, or all trades of an exit. */
export interface ReportedTrade {
  /** BUY or SELL; null if it is not known. */
  side: string | null;
  quantity: number;
  /** Paise; 0 if the service has not told it. */
  price: number;
  instrument: OrderInstrument;
}

const VERBS: Readonly<Record<string, { now: string; done: string }>> = {
  BUY: { now: 'buy', done: 'bought' },
  SELL: { now: 'sell', done: 'sold' },
};
const verb = (side: string | null, when: 'now' | 'done'): string =>
  enumWord(VERBS, side ?? '')?.[when] ?? (when === 'done' ? 'traded' : 'trade');

/** Returns the instrument as the user reads it: `INFY (Delivery)`. */
function nameOf(instrument: OrderInstrument, { product, times }: OrderSnapshot): string {
  const label = productLabel({ product, derivative_type: instrument.derivativeType });
  return `${instrumentName(instrument, dayOfNanos(times.created))}${label === '' ? '' : ` (${label})`}`;
}

function filledAt(paise: number): string {
  const price = fillPriceIn(paise);
  return price === undefined ? ', the price is not told yet' : ` at ${rupeesText(price)}`;
}

function exitName({ kind, trails }: ExitView): string {
  return kind === 'time' ? 'exit time' : kind === 'target' ? 'target' : trails ? 'trailing stop' : 'stop loss';
}

/** Returns that an exit was reached and closes nothing yet: its limit order waits while the price is beyond its limit. */
export function waitingText({ status }: ExitView): string {
  return status === 'TRIGGERED' ? ', reached but not filled yet' : '';
}

function exitText(exit: ExitView): string {
  if (exit.status === 'FILLED') return `, closed by its ${exitName(exit)}`;
  return exit.kind === 'time' ? '' : `, ${exitName(exit)} at ${rupeesText(exit.trigger)}${waitingText(exit)}`;
}

/** Event of a basket that was executed: it entered, or was closed. */
export type BasketStep = 'entered' | 'closed';

/** Returns a net price of one unit as money that was paid or received: `, ₹27.00 received for each unit`. */
function netText(paise: number): string {
  return paise === 0 ? '' : `, ${rupeesText(Math.abs(paise))} ${paise < 0 ? 'received' : 'paid'} for each unit`;
}

/** Returns the level of a basket's exit, as what closing costs or brings. */
function basketExitText(exit: ExitView): string {
  const { kind, status, trigger } = exit;
  if (kind === 'time' || status === 'FILLED' || trigger === 0) return exitText(exit);
  return `, ${exitName(exit)} where closing ${trigger < 0 ? 'costs' : 'brings'} ${rupeesText(Math.abs(trigger))}${waitingText(exit)}`;
}

/** Returns what a basket is made of, and what it did. Its legs count entry and exit together once it is being closed. */
function basketText(order: OrderSnapshot, exits: readonly ExitView[], step: BasketStep | undefined): string {
  const day = dayOfNanos(order.times.created);
  const symbols = order.legs.flatMap(({ instrument }) => (instrument?.symbol ? [instrumentName(instrument, day)] : []));
  if (symbols.length < order.legs.length || symbols.length === 0)
    return `basket ${order.orderId}${step === undefined ? '' : ` ${step}`}${exits.map(basketExitText).join('')}`;
  if (step === 'entered') {
    const legs = order.legs.map(
      ({ side, filled }, index) => `${verb(side ?? null, 'done')} ${quantityText(filled)} ${symbols[index] ?? ''}`,
    );
    return `basket entered: ${legs.join(', ')}${netText(order.averagePrice)}`;
  }
  if (step === 'closed') {
    const by = order.exits?.find(({ status }) => status === 'FILLED');
    return `basket closed${by === undefined ? '' : ` by its ${exitName(by)}`}: ${symbols.join(', ')}`;
  }
  return `basket of ${symbols.join(', ')}${exits.map(basketExitText).join('')}`;
}

/** Returns what an order has traded, or is to trade. @param exits those that are told. */
function bodyOf(order: OrderSnapshot, exits: readonly ExitView[], step?: BasketStep): string {
  const { kind, side, quantity, filled, instrument, price, triggerPrice, priceType, averagePrice } = order;
  if (kind === 'strategy') return basketText(order, exits, step);
  const name = nameOf(instrument, order);
  const exitTexts = exits.filter(({ status }) => status !== 'CANCELLED').map(exitText);
  if (filled > 0) {
    const units = filled === quantity ? quantityText(filled) : `${quantityText(filled)} of ${quantityText(quantity)}`;
    return `${verb(side, 'done')} ${units} ${name}${filledAt(averagePrice)}${exitTexts.join('')}`;
  }
  const limit = priceType === 'MARKET' ? ' at the market' : price > 0 ? ` at ${rupeesText(price)}` : '';
  const when = triggerPrice === undefined ? '' : ` once the price reaches ${rupeesText(triggerPrice)}`;
  return `${verb(side, 'now')} ${quantityText(quantity)} ${name}${limit}${when}${exitTexts.join('')}`;
}

/** Returns the reason of a rejection, or why the rest was cancelled, after the sentence of its order. */
function reasonAfter(order: OrderSnapshot): string {
  const reason = refusalOf(order);
  if (reason === '') return restAfter(order);
  const text = translateRefusal(reason)?.message ?? reason;
  return ` ${/[.!?]$/.test(text) ? text : `${text}.`}`;
}

/** Returns why the rest of a market or an IOC order may have been cancelled without a reason; '' for any other order. */
function restAfter({ kind, status, filled, quantity, priceType, validity }: OrderSnapshot): string {
  const waits = priceType !== 'MARKET' && validity !== 'IOC';
  if (kind === 'strategy' || status !== 'CANCELLED' || waits || filled === 0 || filled >= quantity) return '';
  const noun = priceType === 'MARKET' ? 'A market' : 'An IOC';
  return ` ${noun} order does not wait where nobody trades the rest at an allowed price.`;
}

/** Returns that the exits of an order end with the day though what it bought or sold short is carried over; empty where no exit is open. */
function endOfExits({ kind, product, filled, end, exits = [] }: OrderSnapshot): string {
  if (kind === 'strategy' || product !== 'CNC' || (end !== '' && filled === 0)) return '';
  const isGuarded = exits.some(({ status }) => status === 'OPEN' || status === 'TRIGGERED');
  return isGuarded ? ', exits end at the close of the day' : '';
}

/** Returns the exit time, with its day where the order may wait for days: `, exit at 15:05`. */
function exitTimeText(exitAt: number | undefined, until: string | undefined): string {
  if (exitAt === undefined) return '';
  const ist = toIst(exitAt);
  return `, exit${until === undefined ? '' : ` on ${showDate(ist.slice(0, 10))}`} at ${ist.slice(11, 16)}`;
}

/**
 * Returns the sentence of an order: `Filled: bought 10 INFY (Delivery) at ₹1,481.00, stop loss at ₹1,450.00.`
 * @param until the last day of an order that waits for days, YYYY-MM-DD; told while it is open
 * @param exitAt its exit time that is still to come, milliseconds
 */
export function orderSummary(order: OrderSnapshot, until?: string, exitAt?: number): string {
  const status = statusLabel(order.status);
  const exit = exitTimeText(exitAt, until);
  const waits = until === undefined ? endOfExits(order) : order.end === '' ? `, until ${showDate(until)}` : '';
  return `${status === '' ? '' : `${status}: `}${bodyOf(order, order.exits ?? [])}${exit}${waits}.${reasonAfter(order)}`;
}

/** Returns an exit as its event tells it: that it has just been reached says the event's name. */
function atItsEvent(exit: ExitView): ExitView {
  return exit.status === 'TRIGGERED' ? { ...exit, status: 'OPEN' } : exit;
}

/** Returns the sentence of an event: `Fill: sold 4 INFY (Intraday) at ₹1,481.00.` @param trade only where it tells one. @param step of an executed basket. */
export function eventSummary(
  { type, order, exit }: { type: OrderEventType; order: OrderSnapshot; exit?: ExitView },
  trade?: ReportedTrade,
  step?: BasketStep,
): string {
  const body =
    trade === undefined
      ? bodyOf(order, exit === undefined ? [] : [atItsEvent(exit)], step)
      : `${verb(trade.side, 'done')} ${quantityText(trade.quantity)} ${nameOf(trade.instrument, order)}${filledAt(trade.price)}`;
  return `${EVENT_LABELS[type]}: ${body}.${type === 'rejected' ? reasonAfter({ ...order, status: 'REJECTED' }) : ''}`;
}

/** Returns what closing costs or brings at a net price. @param paise of one unit of all legs; negative where they are sold */
export function whereClosing(paise: number): string {
  return `where closing ${paise < 0 ? 'costs' : 'brings'} ${rupeesText(Math.abs(paise))}`;
}
