/** The rules of dates and times of an order or a basket (docs/service/intent-orders.md#item-to-place). */
import { InputError } from '../../base/errors';
import { clockDifference, type MarketTime } from '../../market-clock';
import { addDays, istDate, istTimeOfDay, showDate } from '../../values/time';
import type { BasketTerms } from './basket-terms';
import type { OrderTerms } from './order-terms';

/** Minimum time between the entry time and an exit time, milliseconds. */
const EXIT_AFTER_ENTRY_MS = 30_000;
const YEAR_DAYS = 366;

const refusal = (text: string, parameter: string, hint = ''): InputError =>
  new InputError(`${text} Nothing was sent.`, { parameter, hint });

/** Inputs of the rules. */
type Timed = Pick<OrderTerms, 'validity' | 'goodTill' | 'entryTime' | 'exits' | 'product' | 'priceType'>;

/**
 * Checks dates and times of an order. Parameters that errors name: goodTillDate, product, priceType, entryTime, exitTime.
 * @param derivative its expiry is checked by the service.
 * @param market its time; an error says where that is not this machine's.
 * @throws InputError
 */
export function checkOrderTimes(terms: Timed, derivative: boolean, market: MarketTime): void {
  const now = market.now();
  const past = (text: string, parameter: string): InputError => refusal(text, parameter, pastHint(market));
  if (terms.validity === 'GTE') checkGoodTill(terms, derivative, { today: istDate(now), past });
  const { entryTime, exits } = terms;
  if (entryTime !== undefined && entryTime <= now) throw past(overText('Entry Time', entryTime, now), 'entryTime');
  const time = exits?.time;
  if (time === undefined) return;
  if (terms.validity === 'GTE')
    throw refusal('An order that is good till a date cannot have an exit time.', 'exitTime');
  if (time <= now) throw past(overText('Exit Time', time, now), 'exitTime');
  if (entryTime !== undefined && time < entryTime + EXIT_AFTER_ENTRY_MS)
    throw refusal('The exit time must be at least 30 seconds after the entry time.', 'exitTime');
}

/**
 * Checks dates and times of a basket: the older interface enters one whose entry time has passed at once. Parameters that errors name:
 * goodTillDate, entryTime, exitTime.
 * @param market its time; an error says where that is not this machine's.
 * @throws InputError
 */
export function checkBasketTimes(
  { goodTill, entryTime, exitTime }: Pick<BasketTerms, 'goodTill' | 'entryTime' | 'exitTime'>,
  market: MarketTime,
): void {
  const now = market.now();
  const past = (text: string, parameter: string): InputError => refusal(text, parameter, pastHint(market));
  if (goodTill !== undefined && goodTill < istDate(now))
    throw past(`Good Till Date ${showDate(goodTill)} is in the past.`, 'goodTillDate');
  if (entryTime !== undefined && entryTime <= now) throw past(overText('Entry Time', entryTime, now), 'entryTime');
  if (exitTime !== undefined && exitTime <= now) throw past(overText('Exit Time', exitTime, now), 'exitTime');
  if (entryTime !== undefined && exitTime !== undefined && exitTime <= entryTime)
    throw refusal('The exit time must be after the entry time.', 'exitTime');
}

/** Returns that a time is over, with both times: `Exit Time 15:05 has passed: it is 15:40 IST on 20 Nov 2026.` */
function overText(name: string, time: number, now: number): string {
  const [day, today] = [istDate(time), istDate(now)];
  const shown = `${day === today ? '' : `${showDate(day)} at `}${istTimeOfDay(time)}`;
  return `${name} ${shown} has passed: it is ${istTimeOfDay(now)} IST on ${showDate(today)}.`;
}

/** Returns advice about a time in the past: if the clocks differ, the user may have meant the other one. */
function pastHint(market: MarketTime): string {
  const difference = clockDifference(market);
  return difference === ''
    ? 'Give a time that is yet to come; for another day, with its date: 2026-12-24 15:05.'
    : `${difference} Give a time after that.`;
}

function checkGoodTill(
  { goodTill, product, priceType }: Timed,
  derivative: boolean,
  { today, past }: { today: string; past(text: string, parameter: string): InputError },
): void {
  if (goodTill === undefined)
    throw refusal('The validity Good Till Date needs a date.', 'goodTillDate', 'Add Good Till Date.');
  if (goodTill < today) throw past(`Good Till Date ${showDate(goodTill)} is in the past.`, 'goodTillDate');
  if (!derivative && goodTill > addDays(today, YEAR_DAYS))
    throw refusal('Good Till Date of a share is one year from now at most.', 'goodTillDate');
  if (priceType === 'MARKET')
    throw refusal(
      'An order that is good till a date needs a limit price.',
      'priceType',
      'Choose the price type Limit.',
    );
  if (product === 'IDAY' && goodTill > today)
    throw refusal('An intraday order cannot last beyond today.', 'product', 'Choose the product Delivery (CNC).');
}
