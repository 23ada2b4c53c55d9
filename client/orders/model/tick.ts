/** Prices on the tick: how a price that lies between two ticks is rounded. Prices are paise. */
import { InputError } from '../../base/errors';
import { exactRupeesText } from '../../values/amounts';
import { NoPriceError, type KnownPrice } from '../../values/market-price';
import { showMoney, type MoneyUnit } from '../../values/money';

/** Direction: 1 if a higher price is better for the owner. */
export type RoundingDirection = 1 | -1;

/** Distance of a price: a price, points (paise), or a share of a price in hundredths of a percent. */
export type PriceDistance = { price: number } | { points: number } | { percent: number };

/**
 * Rounding of a price off the tick: `safe` moves it to the side on which its owner loses nothing, `nearest` to the nearer tick, `refuse`
 * refuses a given price; prices calculated from percent or points are rounded safely.
 */
export const PRICE_ROUNDINGS = ['nearest', 'refuse', 'safe'] as const;
export type PriceRounding = (typeof PRICE_ROUNDINGS)[number];

const HUNDREDTHS_OF_PERCENT = 10_000;
/** Maximum difference from a whole number of paise that counts as an error of arithmetic, such as in 0.1 + 0.2. */
const NOISE = 1e-6;

/** A price without the noise of arithmetic with fractions. */
export function withoutNoise(paise: number): number {
  const whole = Math.round(paise);
  return Math.abs(paise - whole) < Math.max(NOISE, Math.abs(paise) * Number.EPSILON * 4) ? whole : paise;
}

/** The tick at or below a price. */
export function floorTo(tick: number, price: number): number {
  return Math.floor(price / tick) * tick;
}

/** Rounds to the tick, upwards for 1 and downwards for -1. */
export function roundTo(tick: number, price: number, upwards: RoundingDirection): number {
  const exact = withoutNoise(price);
  const rounded = upwards === 1 ? -floorTo(tick, -exact) : floorTo(tick, exact);
  return rounded === 0 ? 0 : rounded;
}

/**
 * Returns the exact price at a distance from another, not yet on the tick.
 * @param from optional only for a distance that is a price itself.
 * @param upwards direction of points and percents.
 * @throws NoPriceError if the distance is measured from a missing price.
 */
export function priceAt(distance: PriceDistance, from: KnownPrice | undefined, upwards: RoundingDirection): number {
  if ('price' in distance) return distance.price;
  if (from === undefined)
    throw new NoPriceError('There is no price from which points or percent could be measured. Nothing was sent.', {
      hint: 'Give the price itself.',
    });
  if ('points' in distance) return withoutNoise(from + upwards * distance.points);
  // One division of whole numbers: what comes out on a tick is exactly on it.
  return withoutNoise(
    (from * HUNDREDTHS_OF_PERCENT + upwards * Math.abs(from) * distance.percent) / HUNDREDTHS_OF_PERCENT,
  );
}

/** Rounding of a price that lies between two ticks. */
export interface TickRounding {
  tickSize: number;
  rounding: PriceRounding;
  /** The safe side. */
  upwards: RoundingDirection;
  /** True if the user gave this very price, so that `refuse` applies to it. */
  isGiven: boolean;
  unit: MoneyUnit;
  parameter: string;
  label: string;
}

/**
 * A price on the tick, paise.
 * @param exact may have a fraction of a paisa.
 * @throws InputError for a given one off the tick where that is refused.
 */
export function roundToTick(exact: number, how: TickRounding): number {
  const { rounding, upwards, isGiven } = how;
  const tick = Number.isSafeInteger(how.tickSize) && how.tickSize > 0 ? how.tickSize : 1;
  const [below, above] = [roundTo(tick, exact, -1), roundTo(tick, exact, 1)];
  if (below === above) return below;
  if (rounding === 'refuse' && isGiven) throw offTick(exact, [below, above], tick, how);
  const safe = upwards === 1 ? above : below;
  if (rounding !== 'nearest' || exact - below === above - exact) return safe;
  return exact - below < above - exact ? below : above;
}

function offTick(
  exact: number,
  nearest: readonly number[],
  tick: number,
  { unit, parameter, label }: TickRounding,
): InputError {
  // Rounded, the price could look as if it were on the tick.
  const shown = unit === 'rupees' ? exactRupeesText(exact) : `${exact} paise`;
  const valid = nearest.filter((price) => price > 0).map((price) => showMoney(unit, price));
  return new InputError(`${label} ${shown} is not a multiple of the tick size ${showMoney(unit, tick)}.`, {
    parameter,
    hint: `The nearest price${valid.length > 1 ? 's are' : ' is'} ${valid.join(' and ')}. To have prices rounded, set Round to Tick to Safe Side.`,
  });
}
