/** Plain words for orders and baskets that are not placed: what each would be, and what it needs. */
import { instrumentName } from '../../../client/instruments/contract-name';
import type { MarginReply } from '../../../client/endpoints/orders';
import type { BasketChange, BasketTerms } from '../../../client/orders/model/basket-terms';
import type { OrderChange, OrderKind, OrderTerms } from '../../../client/orders/model/order-terms';
import { whereClosing } from '../../../client/orders/model/order-summary';
import { quantityText, rupeesText } from '../../../client/values/amounts';
import type { JsonObject } from '../../../client/values/json';
import { productLabel } from '../../../client/values/labels';
import type { WireRecord } from '../../../client/values/record';
import { istDate, istTimeOfDay, showDate } from '../../../client/values/time';
import { choiceName } from '../../shared/itemLabels';
import { orderTypeField } from './orderFields';

/** Begins the sentence of a dry run. */
const DRY_RUN = 'Dry run, nothing was sent';

/** Returns an amount that the service has told: `, margin ₹12,274.00`. */
function amountText(name: string, paise: unknown): string {
  return typeof paise === 'number' ? `, ${name} ${rupeesText(paise)}` : '';
}

/** Returns a time with its day: `, exit on 24 Dec 2026 at 15:10`. @param ms since the epoch */
function timeText(name: string, ms: number | undefined): string {
  return ms === undefined ? '' : `, ${name} on ${instantText(ms)}`;
}

const instantText = (ms: number): string => `${showDate(istDate(ms))} at ${istTimeOfDay(ms)}`;

const dayText = (day: string | undefined): string => (day === undefined ? '' : `, until ${showDate(day)}`);

function labelOf({ product, instrument }: Pick<OrderTerms, 'product' | 'instrument'>): string {
  return productLabel({ product, derivative_type: instrument.derivative ? 'FUT' : '' });
}

/** Returns stop loss, target and exit time of an order: `, stop loss at ₹1,470.00`. */
function exitsText({ exits, kept }: Pick<OrderTerms, 'exits' | 'kept'>): string {
  const stop = exits?.stop?.trigger ?? kept?.stop;
  const target = exits?.target?.trigger ?? kept?.target;
  const name = exits?.stop?.jump === undefined ? 'stop loss' : 'trailing stop';
  const stopText = stop === undefined ? '' : `, ${name} at ${rupeesText(stop)}`;
  const targetText = target === undefined ? '' : `, target at ${rupeesText(target)}`;
  return `${stopText}${targetText}${timeText('exit', exits?.time)}`;
}

/** Returns what an order would be: `buy 10 INFY (Delivery) at ₹1,500.00, stop loss at ₹1,470.00`. */
function orderText(terms: OrderTerms): string {
  const { instrument, side, quantity, priceType, price, condition, triggerPrice = condition?.price } = terms;
  const at = priceType === 'MARKET' || price === undefined ? 'the market' : rupeesText(price);
  const when = triggerPrice === undefined ? '' : ` once the price reaches ${rupeesText(triggerPrice)}`;
  const order = `${side === 'BUY' ? 'buy' : 'sell'} ${quantityText(quantity)} ${instrumentName(instrument, '')} (${labelOf(terms)})`;
  return `${order} at ${at}${when}${timeText('entry', terms.entryTime)}${exitsText(terms)}${dayText(terms.goodTill)}`;
}

/**
 * Returns product and sentence of a preview: `Preview: buy 10 INFY (Delivery) at the market, margin ₹12,274.00, charges ₹29.05.`
 * @param wait the sentence of an order that would wait for its market, after a blank
 */
export function previewWords(
  terms: OrderTerms,
  { total_margin: margin, total_charges: charges }: WireRecord<MarginReply>,
  wait = '',
): JsonObject {
  return {
    product_label: labelOf(terms),
    summary: `Preview: ${orderText(terms)}${amountText('margin', margin)}${amountText('charges', charges)}.${wait}`,
  };
}

/** Returns product and sentence of an order that a dry run keeps back: what is sent has codes, and paise. */
export function dryRunWords(terms: OrderTerms): JsonObject {
  return { product_label: labelOf(terms), summary: `${DRY_RUN}: ${orderText(terms)}.` };
}

/** Returns a net price of one unit as what it costs or brings: `₹266.65 received for each unit`. */
function netText(paise: number): string {
  return `${rupeesText(Math.abs(paise))} ${paise < 0 ? 'received' : 'paid'} for each unit`;
}

/** Returns what closing a basket costs or brings at one of its exits. */
function closingText(name: string, paise: number | undefined): string {
  return paise === undefined ? '' : `, ${name} ${whereClosing(paise)}`;
}

/** Returns product and sentence of a basket that a dry run keeps back. */
export function basketDryRunWords(terms: BasketTerms): JsonObject {
  const { name, product, multiplier, price, priceType, stopLossPrice, targetPrice } = terms;
  const legs = terms.legs.map(
    ({ side, quantity, instrument }) =>
      `${side === 'BUY' ? 'buy' : 'sell'} ${quantityText(quantity * multiplier)} ${instrumentName(instrument, '')}`,
  );
  const label = productLabel({ product });
  const at = priceType === 'MARKET' || price === undefined ? 'at the market' : `at ${netText(price)}`;
  const times = `${timeText('entry', terms.entryTime)}${timeText('exit', terms.exitTime)}${dayText(terms.goodTill)}`;
  const exits = `${closingText('stop loss', stopLossPrice)}${closingText('target', targetPrice)}`;
  return {
    product_label: label,
    summary: `${DRY_RUN}: ${name} (${label}), ${legs.join(', ')} ${at}${exits}${times}.`,
  };
}

/** Returns the order type in the words of the panel. */
const kindText = (kind: OrderKind): string => choiceName([orderTypeField])('orderType', kind) ?? kind;

/** Returns what a change makes of one term: `no target` where it takes it off, '' where it leaves it. */
function changedText<T>(name: string, value: T | null | undefined, textOf: (value: T) => string): string {
  if (value === undefined) return '';
  return value === null ? `no ${name}` : `${name} ${textOf(value)}`;
}

/** Returns the sentence of a change that a dry run keeps back. @param terms what it changes; '' for a term that it leaves */
function keptBack(name: string, terms: readonly string[]): JsonObject {
  const changed = terms.filter((text) => text !== '').join(', ');
  return { summary: `${DRY_RUN}: change ${name} to ${changed === '' ? 'the same' : changed}.` };
}

/** Returns the sentence of a changed order that a dry run keeps back: what is sent has codes, and paise. */
export function changeDryRunWords(symbol: string, change: OrderChange): JsonObject {
  const { price, triggerPrice, condition } = change;
  const when = condition && rupeesText(condition.price);
  return keptBack(symbol, [
    changedText('type', change.kind, kindText),
    changedText('quantity', change.quantity, quantityText),
    changedText('leg size', change.legSize, quantityText),
    changedText('price', price, rupeesText),
    changedText('trigger price', triggerPrice, rupeesText),
    changedText('entry condition', when, String),
    changedText('entry time', change.entryTime, instantText),
    changedText('stop loss', change.stop, ({ trigger }) => rupeesText(trigger)),
    changedText('target', change.target, ({ trigger }) => rupeesText(trigger)),
    changedText('exit time', change.exitTime, instantText),
    changedText('good till', change.goodTill, showDate),
  ]);
}

/** Returns the sentence of a changed basket that a dry run keeps back. */
export function basketChangeDryRunWords(name: string, change: BasketChange): JsonObject {
  return keptBack(name, [
    changedText('quantity', change.quantity, quantityText),
    changedText('price', change.price, netText),
    changedText('stop loss', change.stop, ({ trigger }) => whereClosing(trigger)),
    changedText('target', change.target, ({ trigger }) => whereClosing(trigger)),
    changedText('exit time', change.exitTime, instantText),
    changedText('good till', change.goodTill, showDate),
  ]);
}
