/**
 * The exits of an order: their calculation from prices, points or percents, and their rules (docs/service/intent-orders.md#exits). Prices
 * are paise.
 */
import { InputError } from '../../base/errors';
import { givenPrice, MAX_PRICE_PAISE, type GivenPrice, type KnownPrice } from '../../values/market-price';
import { showMoney, type MoneyUnit } from '../../values/money';
import type { ExitTerms, OrderTerms, Side, TargetTerms } from './order-terms';
import {
  floorTo,
  roundToTick,
  priceAt,
  roundTo,
  withoutNoise,
  type RoundingDirection,
  type PriceDistance,
  type PriceRounding,
} from './tick';

/** The exits that the user requests. */
export interface ExitInput {
  stop?: PriceDistance;
  /** Limit of the stop loss; left out: one percent beyond it. */
  stopLimit?: PriceDistance;
  /** Trailing jump of the stop loss; only points or percent. */
  jump?: Exclude<PriceDistance, { price: number }>;
  target?: PriceDistance;
  /** Limit of the target; left out: the target itself. */
  targetLimit?: PriceDistance;
  /** Milliseconds since the epoch. */
  time?: number;
}

/** 1 for a purchase, whose gain lies above its entry; -1 for a sale. */
export function directionOf(side: Side): RoundingDirection {
  return side === 'BUY' ? 1 : -1;
}

const HUNDREDTHS_OF_PERCENT = 10_000;
/** Default distance of a stop loss's limit beyond its trigger, hundredths of a percent. */
const STOP_SLACK = 100;

/**
 * Returns the default limit of a stop loss with only a trigger: one percent beyond it, at least one tick, so that it still trades when the
 * price runs on.
 * @param direction of the order that it protects.
 */
export function limitBeyond(trigger: number, direction: RoundingDirection, tick: number): number {
  const slack = Math.max(tick, (Math.abs(trigger) * STOP_SLACK) / HUNDREDTHS_OF_PERCENT);
  return roundTo(tick, trigger - direction * slack, direction === 1 ? -1 : 1);
}

/** Inputs for the prices of exits. */
export interface EntryPrice {
  /**
   * The expected price of the entry: the limit, the condition, or the last price; for a strategy its net price. Undefined if there is none:
   * then only prices can be exits.
   */
  entry: KnownPrice | undefined;
  direction: RoundingDirection;
  tickSize: number;
  /** Rounding of a price off the tick; left out: to the safe side. */
  rounding?: PriceRounding;
  /** The unit in which errors show prices. */
  unit?: MoneyUnit;
}

/**
 * Returns the exits to send, on the tick: the trigger of a stop loss towards the entry and its limit away from it, a target towards the
 * entry.
 * @throws NoPriceError for a distance from an entry without a price; InputError for a given price off the tick if that is refused
 * (parameters `stopLoss`, `stopLossLimit`, `target`, `targetLimit`).
 */
export function exitTerms(request: ExitInput, from: EntryPrice): ExitTerms {
  const { entry, direction, tickSize, rounding = 'safe', unit = 'rupees' } = from;
  const [up, down] = [direction, direction === 1 ? -1 : 1] as const;
  /** @param away 1 for a gain, -1 for a loss of the owner. */
  const place = (
    distance: PriceDistance,
    away: RoundingDirection,
    upwards: RoundingDirection,
    parameter: string,
    label: string,
  ): number => {
    const exact = priceAt(distance, entry, away === direction ? 1 : -1);
    return roundToTick(exact, { tickSize, rounding, upwards, isGiven: 'price' in distance, unit, parameter, label });
  };
  const terms: ExitTerms = {};
  if (request.stop !== undefined) {
    const trigger = place(request.stop, -1, up, 'stopLoss', 'Stop Loss');
    const limit =
      request.stopLimit === undefined
        ? limitBeyond(trigger, direction, tickSize)
        : place(request.stopLimit, -1, down, 'stopLossLimit', 'Stop Loss Limit');
    terms.stop = { trigger, limit, ...(request.jump === undefined ? {} : { jump: jumpOf(request.jump, from) }) };
  }
  if (request.target !== undefined) {
    const trigger = place(request.target, 1, down, 'target', 'Target');
    terms.target = {
      trigger,
      limit:
        request.targetLimit === undefined
          ? trigger
          : place(request.targetLimit, 1, down, 'targetLimit', 'Target Limit'),
    };
  }
  if (request.time !== undefined) terms.time = request.time;
  return terms;
}

/** Whole ticks, at least one: a smaller step trails more closely. */
function jumpOf(jump: NonNullable<ExitInput['jump']>, { entry, tickSize }: EntryPrice): number {
  const points = 'points' in jump ? jump.points : priceAt(jump, entry, 1) - priceAt({ points: 0 }, entry, 1);
  return Math.max(tickSize, floorTo(tickSize, withoutNoise(points)));
}

/** Inputs of the rules on exits. */
interface Rules {
  direction: RoundingDirection;
  /** Expected price of the entry, paise; undefined if a stop loss may be on either side of it, because there are fills. */
  entry?: number;
  allowNegative?: boolean;
  unit: MoneyUnit;
}

/**
 * The rules of exits: each on its side of the entry, trigger and limit in order. Parameters that errors name: stopLoss,
 * stopLossLimit, trailingJump, target, targetLimit.
 * @throws InputError
 */
export function checkExits({ stop, target }: { stop?: TargetTerms; target?: TargetTerms }, rules: Rules): void {
  const { direction, entry, unit } = rules;
  const below = (a: number, b: number): boolean => direction * (b - a) > 0;
  const [under, over] = direction === 1 ? ['below', 'above'] : ['above', 'below'];
  const refuse = (text: string, parameter: string): InputError =>
    new InputError(`${text} Nothing was sent.`, { parameter });
  const show = (paise: number): string => showMoney(unit, paise);
  checkPositive(stop, ['stopLoss', 'stopLossLimit'], 'Stop Loss', rules);
  checkPositive(target, ['target', 'targetLimit'], 'Target', rules);
  if (stop !== undefined) {
    if (below(stop.trigger, stop.limit))
      throw refuse(
        `The limit ${show(stop.limit)} of the stop loss must not be ${over} its trigger ${show(stop.trigger)}.`,
        'stopLossLimit',
      );
    if (entry !== undefined && !below(stop.trigger, entry))
      throw refuse(`The stop loss ${show(stop.trigger)} must be ${under} the entry ${show(entry)}.`, 'stopLoss');
  }
  if (target !== undefined) {
    if (below(target.trigger, target.limit))
      throw refuse(
        `The limit ${show(target.limit)} of the target must not be ${over} its trigger ${show(target.trigger)}.`,
        'targetLimit',
      );
    if (entry !== undefined && !below(entry, target.limit))
      throw refuse(`The target ${show(target.limit)} must be ${over} the entry ${show(entry)}.`, 'target');
  }
  if (stop !== undefined && target !== undefined && !below(stop.trigger, target.trigger))
    throw refuse(
      `The stop loss ${show(stop.trigger)} must be ${under} the target ${show(target.trigger)}.`,
      'stopLoss',
    );
}

function checkPositive(
  prices: TargetTerms | undefined,
  [trigger, limit]: readonly [string, string],
  label: string,
  { allowNegative = false }: Rules,
): void {
  if (prices === undefined) return;
  const wrong = [
    { value: prices.trigger, parameter: trigger },
    { value: prices.limit, parameter: limit },
  ].find(
    ({ value }) => !Number.isSafeInteger(value) || Math.abs(value) > MAX_PRICE_PAISE || (!allowNegative && value <= 0),
  );
  if (wrong === undefined) return;
  const what = Math.abs(wrong.value) > MAX_PRICE_PAISE ? 'higher than any' : 'not above 0';
  throw new InputError(`${label} comes to a price that is ${what}. Nothing was sent.`, {
    parameter: wrong.parameter,
    hint: 'It is too far from the entry.',
  });
}

/** Returns the expected price of an entry, paise; undefined for an order at the market without a condition: its last price. */
export function expectedEntry({
  priceType,
  price,
  condition,
}: Pick<OrderTerms, 'priceType' | 'price' | 'condition'>): GivenPrice | undefined {
  return givenPrice(priceType === 'LIMIT' ? price : condition?.price);
}
