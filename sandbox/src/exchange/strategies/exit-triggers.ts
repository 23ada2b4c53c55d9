import { priceSum } from '../../shared/money';
import type { StrategyExit, ExitSlot, ExitTerms } from './exit-types';

/** 1 where a higher price is better for the owner (what was bought, and every strategy), -1 where a lower one is. */
export type GainDirection = 1 | -1;

/** Fills of the entry: the sum of price × quantity (paise), and the quantity. */
export interface EntryFills {
  value: number;
  quantity: number;
}

/** The exits that terms ask for, all waiting. */
export function exitsOf(terms: ExitTerms): StrategyExit[] {
  const { stop, target, time } = terms;
  return [
    ...(stop === null ? [] : [newExit('stop', stop.trigger, stop.limit, stop.jump ?? 0, 0)]),
    ...(target === null ? [] : [newExit('target', target.trigger, target.limit, 0, 0)]),
    ...(time === null ? [] : [newExit('time', 0, 0, 0, time)]),
  ];
}

export function newExit(slot: ExitSlot, trigger: number, limit: number, jump: number, at: number): StrategyExit {
  return {
    slot,
    status: 'OPEN',
    trigger,
    limit,
    jump,
    asked: { trigger, limit },
    jumpsBefore: 0,
    at,
    filledQuantity: 0,
    ending: null,
    reason: '',
  };
}

/** True if something may still happen to an exit. */
export function isAlive({ status }: StrategyExit): boolean {
  return status === 'OPEN' || status === 'TRIGGERED';
}

/** The exit that was triggered and is not over; there is never more than one. */
export function triggeredExit(exits: readonly StrategyExit[]): StrategyExit | undefined {
  return exits.find(({ status }) => status === 'TRIGGERED');
}

/** The waiting exit that is due at a price and an instant: the exit time before the stop, the stop before the target. */
export function dueExit(
  exits: readonly StrategyExit[],
  direction: GainDirection,
  price: number,
  at: number,
): StrategyExit | undefined {
  const open = (slot: ExitSlot): StrategyExit | undefined =>
    exits.find((exit) => exit.slot === slot && exit.status === 'OPEN');
  const time = open('time');
  if (time !== undefined && at >= time.at) return time;
  const stop = open('stop');
  if (stop !== undefined && direction * (price - stop.trigger) <= 0) return stop;
  const target = open('target');
  return target !== undefined && direction * (price - target.trigger) >= 0 ? target : undefined;
}

/** Whole jumps by which the best price since the entry is beyond the average entry fill. */
export function jumpCount(
  jump: number,
  direction: GainDirection,
  best: number,
  { value, quantity }: EntryFills,
): number {
  if (jump === 0 || quantity === 0) return 0;
  return Math.max(0, Math.floor((direction * (priceSum(best, quantity) - value)) / (jump * quantity)));
}

/**
 * Moves a trailing stop, and its limit with it, in favour of the owner only, and by whole ticks: a jump need not be a multiple of the tick.
 * @param tick paise. @returns true if it moved
 */
export function trailStop(
  stop: StrategyExit,
  direction: GainDirection,
  best: number,
  filled: EntryFills,
  tick: number,
): boolean {
  const far = (jumpCount(stop.jump, direction, best, filled) - stop.jumpsBefore) * stop.jump;
  const by = direction * Math.floor(far / tick) * tick;
  const trigger = stop.asked.trigger + by;
  if (direction * (trigger - stop.trigger) <= 0) return false;
  stop.trigger = trigger;
  stop.limit = stop.asked.limit + by;
  return true;
}
