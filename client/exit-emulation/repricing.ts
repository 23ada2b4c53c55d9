/**
 * A share whose price is another one overnight without a trade: a split, a bonus issue, a rights issue, an extraordinary dividend, a
 * demerger. The exchange then counts the day from a previous close that is not the close. A stop loss of the day before would sell at
 * once. Pure; what is remembered is plain data that outlives a restart. Prices are paise.
 */
import { InputError } from '../base/errors';
import { isExpectedTradingDay } from '../market/calendar/holidays';
import type { TradedInstrument } from '../orders/model/order-terms';
import type { JudgedValue } from '../stream/market-data/instrument-alerts';
import { rupeesText } from '../values/amounts';
import { addDays, istDate, istInstant } from '../values/time';
import type { HeldExitInput } from './held-exits';

/** The last price of a day, and what was known with it. */
export interface LastOfDay {
  /** Milliseconds since the epoch. */
  at: number;
  price: number;
  previousClose: number;
  /** Average price of the held quantity; undefined if unknown. */
  average?: number;
}

/** A change of the price overnight. */
export interface Repricing {
  /** The last price of the day before. */
  from: number;
  /** The previous close of the day. */
  to: number;
  /** Average price of the held quantity before it; undefined if unknown. */
  average?: number;
}

/** From this time of a day on a price is near its close. */
const NEAR_CLOSE = '15:15';
/** A previous close that is further from the last price than this is not its close: the close is an average of the last half hour. */
const CLOSE_WITHIN = 0.04;
/** Stream and REST may round the same previous close so differently. */
const SAME_WITHIN = 0.0002;

const differs = (one: number, other: number, within: number): boolean => Math.abs(one / other - 1) > within;

/** Returns true for what a corporate action changes: a share, or a future on one. The close of an option is often no price of the last minutes. */
export const canBeRepriced = ({ exchange, symbol }: Pick<TradedInstrument, 'exchange' | 'symbol'>): boolean =>
  exchange !== 'MCX' && !/\d(?:CE|PE)$/.test(symbol);

/** Returns the change of the price since the last one; undefined if there is none, or nothing tells it. */
export function repricingOf(last: LastOfDay | undefined, tick: JudgedValue): Repricing | undefined {
  const { previousClose: to, at } = tick;
  if (last === undefined || to === null || tick.source === 'history') return undefined;
  const [before, day] = [istDate(last.at), istDate(at)];
  if (day <= before || last.at < istInstant(before, NEAR_CLOSE) || !isNextTradingDay(before, day)) return undefined;
  // Before the first trade of a day the previous close may still be that of the day before.
  if (!differs(to, last.previousClose, SAME_WITHIN) || !differs(to, last.price, CLOSE_WITHIN)) return undefined;
  return { from: last.price, to, ...(last.average === undefined ? {} : { average: last.average }) };
}

/**
 * Returns the last price of a day after a price. Before the first trade of a day REST may tell the price and the previous close of the day before:
 * then it is still the last of that one.
 * @param average the average price of the held quantity now
 */
export function lastOfDay(
  last: LastOfDay | undefined,
  tick: JudgedValue,
  average: number | undefined,
): LastOfDay | undefined {
  const { at, lastPrice: price, previousClose, source } = tick;
  if (previousClose === null || source === 'history') return last;
  const isOfOther = last !== undefined && istDate(at) > istDate(last.at);
  if (isOfOther && !differs(previousClose, last.previousClose, SAME_WITHIN)) return last;
  return { at, price, previousClose, ...(average === undefined ? {} : { average }) };
}

function isNextTradingDay(before: string, day: string): boolean {
  let next = addDays(before, 1);
  while (next < day && !isExpectedTradingDay(next)) next = addDays(next, 1);
  return next === day;
}

/**
 * Returns true if exits can go on after a change: they are measured from the best price alone, or from an average price that has changed
 * alike. Exits that are given as prices never can.
 */
export function goesOn(
  { stop, target, trailAfter }: HeldExitInput,
  { from, to, average: before }: Repricing,
  average: number | undefined,
): boolean {
  const measured = [stop, target, trailAfter].filter((distance) => distance !== undefined);
  if (measured.length === 0) return true;
  if (measured.some((distance) => 'price' in distance) || before === undefined || average === undefined) return false;
  return !differs(average / before, to / from, CLOSE_WITHIN);
}

/** Says that exits wait. */
export function repricedError(symbol: string, { from, to }: Repricing): InputError {
  return new InputError(
    `${symbol} was last at ${rupeesText(from)} on the day before, and the exchange counts from ${rupeesText(to)} today, as after a split, a bonus issue or a demerger. Its exits by price wait, and only the exit time counts.`,
    {
      parameter: 'stopLoss',
      hint: 'Stop losses, targets and trailing stops in percent or points go on once your broker has changed the average price. If they are prices, or if it stays, set new ones and publish the workflow.',
    },
  );
}
