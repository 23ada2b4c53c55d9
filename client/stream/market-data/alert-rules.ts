/**
 * Rules of alerts: a value crosses a level, enters or leaves a band, moves by a percentage or an amount, or turns by one from the
 * highest or lowest that there was. Values are integers in
 * paise: prices, or amounts such as a profit, which may be negative. After an alert the value must first go back by the
 * re-arm distance, so that a value hovering at a level alerts only once.
 */
import type { DayLevelName } from '../../market/day-levels';

export type AlertRule =
  | { kind: 'crossesAbove' | 'crossesBelow'; level: number; rearm: number }
  | { kind: 'entersBand' | 'leavesBand'; low: number; high: number; rearm: number }
  /** From the last alert, or the first price; up, down or both. */
  | ({ kind: 'moves'; direction: AlertDirection } & MoveDistance)
  | ExtremeRule;

/** Distance of a move: hundredths of a percent of its base, or paise. */
export type MoveDistance = { hundredths: number } | { points: number };

/** Down from the highest value since a moment, or up from the lowest. */
export type ExtremeRule = {
  kind: 'fallsFromHighest' | 'risesFromLowest';
  /** Since the watch began, since the exchange's day began, since the position was opened, or since an instant, milliseconds. */
  since: ExtremeSince;
  /** Paise. */
  rearm: number;
} & MoveDistance;

export type ExtremeSince = 'publication' | 'day' | 'entry' | number;
export type AlertDirection = 'up' | 'down' | 'both';
export type AlertKind = AlertRule['kind'];

/** A move from a price that does not change with alerts; the rule follows from that price. */
export type MoveRule = {
  kind: 'movesFrom';
  /** Base of the move: a price of the exchange's day, a level that is worked out for each day, or one from the user. */
  from: 'previousClose' | 'open' | 'price' | DayLevelName;
  /** Days of a moving average, minutes of an opening range. */
  span?: number;
  /** Paise; only where it is measured from `price`. */
  price: number;
  direction: AlertDirection;
  /** Paise. */
  rearm: number;
} & MoveDistance;

/** Hundredths of a percent in the whole. */
export const HUNDREDTHS = 10_000;

/** So far above a value; whole paise, at least as far away. */
const above = (base: number, by: MoveDistance): number =>
  'points' in by ? base + by.points : Math.ceil((base * (HUNDREDTHS + by.hundredths)) / HUNDREDTHS);
/** So far below a value; whole paise, at least as far away. */
const below = (base: number, by: MoveDistance): number =>
  'points' in by ? base - by.points : Math.floor((base * (HUNDREDTHS - by.hundredths)) / HUNDREDTHS);

/** A move from a price, as levels: the nearest whole paise that are at least so far away. @param base paise, above 0 */
export function levelsOf(rule: MoveRule, base: number): AlertRule {
  const { direction, rearm } = rule;
  const [up, down] = [above(base, rule), below(base, rule)];
  if (direction === 'up') return { kind: 'crossesAbove', level: up, rearm };
  if (direction === 'down') return { kind: 'crossesBelow', level: down, rearm };
  return { kind: 'leavesBand', low: down + 1, high: up - 1, rearm };
}

/** Returns true if a rule is measured from a price of the exchange's day that only its own trades, or candles, show. */
export function needsTrades(rule: AlertRule | MoveRule): boolean {
  return rule.kind === 'movesFrom' && rule.from !== 'price' && rule.from !== 'previousClose';
}

/** State of an alert between two prices; plain data, so that it outlives a restart. */
export interface AlertState {
  /** True if the next time that the condition holds is an alert. */
  armed: boolean;
  /** Paise; the price that a move is measured from: of an extreme the highest or lowest. */
  reference: number;
  /** Number of alerts so far. */
  count: number;
}

export interface PriceAlert {
  price: number;
  /** Paise; what a move was measured from, or the price before. */
  from: number;
  count: number;
}

/** Returns true if a rule is measured from the highest or the lowest. */
export function isExtreme(rule: AlertRule | MoveRule): rule is ExtremeRule {
  return rule.kind === 'fallsFromHighest' || rule.kind === 'risesFromLowest';
}

/** Returns true if a rule is measured from the highest or the lowest of the exchange's day. */
export function isDailyExtreme(rule: AlertRule | MoveRule): boolean {
  return isExtreme(rule) && rule.since === 'day';
}

/** Returns true if the state's `reference` is the last price: otherwise it is a price to measure from. */
export function remembersPrice(rule: AlertRule | MoveRule): boolean {
  return rule.kind !== 'moves' && !isExtreme(rule);
}

/** The price at which a turn from the highest or lowest is an alert, paise. */
export function turnLevel(rule: ExtremeRule, extreme: number): number {
  return rule.kind === 'fallsFromHighest' ? below(extreme, rule) : above(extreme, rule);
}

/** The farther of two values in the direction in which an extreme grows. */
function farther({ kind }: ExtremeRule, one: number, other: number): number {
  return kind === 'fallsFromHighest' ? Math.max(one, other) : Math.min(one, other);
}

/** The turn as a level that is crossed, seen from an extreme. */
function turnFrom(rule: ExtremeRule, extreme: number): Extract<AlertRule, { level: number }> {
  const kind = rule.kind === 'fallsFromHighest' ? 'crossesBelow' : 'crossesAbove';
  return { kind, level: turnLevel(rule, extreme), rearm: rule.rearm };
}

/**
 * The state at the first price: an alert needs a change, so a condition that already holds is no alert.
 * @param extreme of a turn: the highest or lowest before that price; left out if there was none.
 */
export function firstState(rule: AlertRule, price: number, extreme = price): AlertState {
  if (isExtreme(rule)) {
    const reference = farther(rule, extreme, price);
    return { armed: isBack(turnFrom(rule, reference), price, 0), reference, count: 0 };
  }
  return { armed: rule.kind === 'moves' || isBack(rule, price, 0), reference: price, count: 0 };
}

/**
 * Returns true if a price before the day's first one is on the other side of a rule's level, so that the first one may be an alert.
 * @param base paise, of the rule.
 */
export function isBeforeLevel(rule: MoveRule, base: number, price: number): boolean {
  const levels = levelsOf(rule, base);
  return levels.kind === 'moves' || isExtreme(levels) || isBack(levels, price, 0);
}

/** Updates a state with the next price. @returns the resulting alert, if any */
export function takePrice(rule: AlertRule, state: AlertState, price: number): PriceAlert | undefined {
  if (isExtreme(rule)) return takeTurn(rule, state, price);
  const { armed, reference } = state;
  if (rule.kind !== 'moves') {
    state.reference = price;
    if (!armed) {
      state.armed = isBack(rule, price, rule.rearm);
      return undefined;
    }
  }
  if (!holds(rule, reference, price)) return undefined;
  state.armed = rule.kind === 'moves';
  state.reference = price;
  state.count += 1;
  return { price, from: reference, count: state.count };
}

/** A turn: a new extreme moves the level along, and what it reached before is behind it then. */
function takeTurn(rule: ExtremeRule, state: AlertState, price: number): PriceAlert | undefined {
  state.reference = farther(rule, state.reference, price);
  const level = turnFrom(rule, state.reference);
  if (!state.armed) {
    state.armed = isBack(level, price, rule.rearm);
    return undefined;
  }
  if (!holds(level, state.reference, price)) return undefined;
  state.armed = false;
  state.count += 1;
  return { price, from: state.reference, count: state.count };
}

type ValueRule = Exclude<AlertRule, ExtremeRule>;

function holds(rule: ValueRule, reference: number, price: number): boolean {
  switch (rule.kind) {
    case 'crossesAbove':
      return price >= rule.level;
    case 'crossesBelow':
      return price <= rule.level;
    case 'entersBand':
      return price >= rule.low && price <= rule.high;
    case 'leavesBand':
      return price < rule.low || price > rule.high;
    case 'moves': {
      const change = price - reference;
      if ((rule.direction === 'up' && change <= 0) || (rule.direction === 'down' && change >= 0)) return false;
      return 'points' in rule
        ? Math.abs(change) >= rule.points
        : Math.abs(change) * HUNDREDTHS >= rule.hundredths * reference;
    }
  }
}

/** Returns true if the price is on the other side again, by at least the distance. */
function isBack(rule: Exclude<ValueRule, { kind: 'moves' }>, price: number, distance: number): boolean {
  switch (rule.kind) {
    case 'crossesAbove':
      return price < rule.level && price <= rule.level - distance;
    case 'crossesBelow':
      return price > rule.level && price >= rule.level + distance;
    case 'entersBand':
      return (price < rule.low && price <= rule.low - distance) || (price > rule.high && price >= rule.high + distance);
    case 'leavesBand':
      return price >= rule.low + distance && price <= rule.high - distance;
  }
}
