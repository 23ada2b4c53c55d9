/** Plain words for a basket, and one sentence about it for a message to the user. */
import type { BasketRecord } from '../../../client/endpoints/baskets';
import { instrumentName } from '../../../client/instruments/contract-name';
import {
  basketIdOf,
  basketProductOf,
  basketStatusOf,
  legsOf,
  paramsOf,
} from '../../../client/orders/model/basket-record';
import { exitViewsOf, readOrder, timesOf } from '../../../client/orders/model/order-record';
import type { ExitKind, ExitView } from '../../../client/orders/model/order-snapshot';
import { waitingText, whereClosing } from '../../../client/orders/model/order-summary';
import { quantityText } from '../../../client/values/amounts';
import type { JsonObject } from '../../../client/values/json';
import { productLabel, statusLabel } from '../../../client/values/labels';
import { numberFrom, textFrom } from '../../../client/values/record';
import { dayOfNanos, showDate, toIst } from '../../../client/values/time';
import { instantOf } from './orderOutput';

/** Returns the level of an exit of a basket; of one that is over, only which exit has closed it. */
function closingText(name: string, paise: number, exit: ExitView | undefined, isOver: boolean): string {
  if (isOver) return exit?.status === 'FILLED' ? `, closed by its ${name}` : '';
  if (paise === 0) return '';
  return `, ${name} ${whereClosing(paise)}${exit === undefined ? '' : waitingText(exit)}`;
}

const OVER = ['CLOSED', 'CANCELLED', 'REJECTED'];

/** Returns the exit time of a basket that is not closed: `, exit at 15:15`. */
function exitTimeText(basket: BasketRecord): string {
  const at = instantOf(paramsOf(basket)?.exit_time);
  return at === undefined || OVER.includes(basketStatusOf(basket)) ? '' : `, exit at ${toIst(at).slice(11, 16)}`;
}

/** Returns until when the exits of a basket are kept whose legs are carried over: without a last day until the close, and then none guards the legs. */
function lastDayText(basket: BasketRecord): string {
  if (OVER.includes(basketStatusOf(basket)) || basketProductOf(basket) !== 'CNC') return '';
  const until = instantOf(basket.good_till_date);
  return until === undefined
    ? ", exits only until today's close"
    : `, exits until ${showDate(toIst(until).slice(0, 10))}`;
}

/** Returns the name of a basket, or its id. @param own the user's name for it, where the record has none */
export function basketName(basket: BasketRecord, own = ''): string {
  return textFrom(basket.basket_name) || own || `Basket ${basketIdOf(basket)}`;
}

/**
 * Returns labels of a basket: product, status, and `Straddle: Filled, sold 75 NIFTY Dec 24,500 CE, sold 75 NIFTY Dec 24,500 PE, stop loss where closing costs ₹390.00, exit at 15:15.`
 * @param own the user's name for it, where the record has none
 */
export function basketWords(basket: BasketRecord, own = ''): JsonObject {
  const product = productLabel({ product: basketProductOf(basket) ?? '' });
  const status = statusLabel(basketStatusOf(basket));
  const day = dayOfNanos(timesOf(basket).created);
  const legs = legsOf(basket)
    .map(readOrder)
    .map(({ side, quantity, filled, instrument, times }) => {
      const units = filled > 0 ? filled : quantity;
      const [now, done] = side === 'SELL' ? ['sell', 'sold'] : ['buy', 'bought'];
      return `, ${filled > 0 ? done : now} ${quantityText(units)} ${instrumentName(instrument, dayOfNanos(times.created) || day)}`;
    });
  const params = paramsOf(basket);
  const shown = exitViewsOf(basket);
  const isOver = OVER.includes(basketStatusOf(basket));
  const exit = (kind: ExitKind): ExitView | undefined => shown.find((view) => view.kind === kind);
  const levels =
    closingText('stop loss', numberFrom(params?.stoploss_price), exit('stop'), isOver) +
    closingText('target', numberFrom(params?.exit_price), exit('target'), isOver);
  const exits = `${levels}${exitTimeText(basket)}${levels === '' ? '' : lastDayText(basket)}`;
  return {
    product_label: product || null,
    status_label: status || null,
    summary: `${basketName(basket, own)}: ${status || 'status not known'}${legs.join('')}${exits}.`,
  };
}
