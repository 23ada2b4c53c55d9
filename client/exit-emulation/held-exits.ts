/**
 * Exits of held quantities: their prices, and the check of a price against them. Pure; the state is plain data, so that it outlives a
 * restart. Prices are paise.
 */
import { InputError } from '../base/errors';
import { checkExits, exitTerms, type ExitInput } from '../orders/model/exits';
import type { PriceDistance, RoundingDirection } from '../orders/model/tick';
import { givenPrice } from '../values/market-price';
import type { MoveDistance } from '../stream/market-data/alert-rules';
import { istDate, istInstant } from '../values/time';
import { isNews, type JudgedValue } from '../stream/market-data/instrument-alerts';

/** The user's exits for a held position. */
export interface HeldExitInput extends Pick<ExitInput, 'stop' | 'target'> {
  /** Maximum retreat of the price from its best since the exits began. */
  trail?: MoveDistance;
  /** Gain from the entry from which on the trailing stop works; undefined if it does from the beginning. */
  trailAfter?: PriceDistance;
  time?: ExitTime;
}

/** An instant in milliseconds, or a time of each day, HH:MM in IST. */
export type ExitTime = { at: number } | { daily: string };

/** The prices at which it is closed. */
export interface HeldExitLevels {
  /** Direction: 1 for a long position, -1 for a short one. */
  direction: RoundingDirection;
  stop?: number;
  target?: number;
  trail?: MoveDistance;
  /** Price that the best one must have reached before the trailing stop works. */
  trailFrom?: number;
}

/** The reason for closing. */
export type ExitReason = 'stop' | 'target' | 'trail' | 'time';

/** Prices to remember. */
export interface HeldPrices {
  /** The best price for the owner since the exits are kept. */
  best: number;
  /** Exchange time of the newest price of stream or history, milliseconds; 0 for none. */
  at: number;
  /** Time at which the newest price over REST was requested, milliseconds; 0 for none. */
  requestedAt: number;
}

/**
 * Returns the prices of the exits, on the tick.
 * @param entry the average price of the held quantity; undefined if unknown.
 * @throws NoPriceError for a distance from an entry without a price; InputError if stop loss and target are on the wrong sides of each
 * other, or a level is not above 0.
 */
export function heldExitLevels(
  { stop, target, trail, trailAfter }: HeldExitInput,
  { entry, direction, tickSize }: { entry: number | undefined; direction: RoundingDirection; tickSize: number },
): HeldExitLevels {
  const input = { ...(stop && { stop }), ...(target && { target }) };
  const from = { entry: givenPrice(entry), direction, tickSize };
  const terms = exitTerms(input, from);
  checkExits(terms, { direction, unit: 'rupees' });
  // The gain is a place on the side of a target.
  const trailFrom = trailAfter && exitTerms({ target: trailAfter }, from).target!.trigger;
  if (trailFrom !== undefined && trailFrom <= 0)
    throw new InputError('Start Trailing After comes to a price that is not above 0.', {
      parameter: 'trailAfter',
      hint: 'Choose a smaller distance.',
    });
  return {
    direction,
    ...(terms.stop && { stop: terms.stop.trigger }),
    ...(terms.target && { target: terms.target.trigger }),
    ...(trail && { trail }),
    ...(trailFrom !== undefined && { trailFrom }),
  };
}

/** The better of two prices for the owner. */
export function betterPrice({ direction }: Pick<HeldExitLevels, 'direction'>, one: number, other: number): number {
  return direction === 1 ? Math.max(one, other) : Math.min(one, other);
}

/** Returns the level of the trailing stop; undefined if there is none, or the best price has not gained enough for it to begin. */
export function trailLevel({ direction, trail, trailFrom }: HeldExitLevels, best: number): number | undefined {
  if (trail === undefined || (trailFrom !== undefined && direction * (best - trailFrom) < 0)) return undefined;
  const away = 'points' in trail ? trail.points : (best * trail.hundredths) / HUNDREDTHS;
  return direction === 1 ? Math.floor(best - away) : Math.ceil(best + away);
}

const HUNDREDTHS = 10_000;

/** Returns the exit that a price has reached; a stop loss before a trailing one, both before the target. */
export function reachedExit(levels: HeldExitLevels, best: number, price: number): ExitReason | undefined {
  const { direction, stop, target } = levels;
  const isBeyond = (level: number | undefined): boolean => level !== undefined && direction * (level - price) >= 0;
  if (isBeyond(stop)) return 'stop';
  if (isBeyond(trailLevel(levels, best))) return 'trail';
  return target !== undefined && direction * (price - target) >= 0 ? 'target' : undefined;
}

/**
 * Updates the remembered prices with a price. A past price moves the trailing stop but closes nothing: the current price decides about what
 * it reached while nobody listened.
 * @returns the exit that it has reached.
 */
export function takeHeldPrice(levels: HeldExitLevels, state: HeldPrices, tick: JudgedValue): ExitReason | undefined {
  if (!isNews({ ...UNUSED, ...state }, tick)) return undefined;
  if (tick.source === 'rest') state.requestedAt = tick.at;
  else state.at = tick.at;
  state.best = betterPrice(levels, state.best, tick.lastPrice);
  return tick.source === 'history' ? undefined : reachedExit(levels, state.best, tick.lastPrice);
}

const UNUSED = { armed: true, reference: 0, count: 0, day: '', alertDay: '', base: null };

/** A time of each day that passed longer ago than this waits for the next day, milliseconds. */
const LATE_MS = 10 * 60_000;

/**
 * Returns true if the time of an exit has come.
 * @param since when the exits began to be kept: a time before it does not count. @param now both milliseconds on the market's clock
 */
export function isTimeReached(time: ExitTime, since: number, now: number): boolean {
  if ('at' in time) return now >= time.at;
  const at = istInstant(istDate(now), time.daily);
  return now >= at && at > since && now - at < LATE_MS;
}
