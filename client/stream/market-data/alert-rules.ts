/**
 * Rules of alerts: a value crosses a level, enters or leaves a band, or moves by a percentage. Values are integers in
 * paise: prices, or amounts such as a profit, which may be negative. After an alert the value must first go back by the
 * re-arm distance, so that a value hovering at a level alerts only once.
 */

export type AlertRule =
  | { kind: 'crossesAbove' | 'crossesBelow'; level: number; rearm: number }
  | { kind: 'entersBand' | 'leavesBand'; low: number; high: number; rearm: number }
  /** From the last alert, or the first price. In hundredths of a percent; up, down or both. */
  | { kind: 'moves'; hundredths: number; direction: AlertDirection };

export type AlertDirection = 'up' | 'down' | 'both';
export type AlertKind = AlertRule['kind'];

/** A move from a price that does not change with alerts; the rule follows from that price. */
export interface MoveRule {
  kind: 'movesFrom';
  /** What the move is measured from: a price of the exchange's day, or one that the person gives. */
  from: 'previousClose' | 'open' | 'price';
  /** Paise; only where it is measured from `price`. */
  price: number;
  /** Hundredths of a percent. */
  hundredths: number;
  direction: AlertDirection;
  /** Paise. */
  rearm: number;
}

/** Hundredths of a percent in the whole. */
export const HUNDREDTHS = 10_000;

/** A move from a price, as levels: the nearest whole paise that are at least so far away. @param base paise, above 0 */
export function levelsOf({ hundredths, direction, rearm }: MoveRule, base: number): AlertRule {
  const up = Math.ceil((base * (HUNDREDTHS + hundredths)) / HUNDREDTHS);
  const down = Math.floor((base * (HUNDREDTHS - hundredths)) / HUNDREDTHS);
  if (direction === 'up') return { kind: 'crossesAbove', level: up, rearm };
  if (direction === 'down') return { kind: 'crossesBelow', level: down, rearm };
  return { kind: 'leavesBand', low: down + 1, high: up - 1, rearm };
}

/** What an alert remembers between two prices; plain data, so that it outlives a restart. */
export interface AlertState {
  /** Whether the next time that the condition holds is an alert. */
  armed: boolean;
  /** Paise; the price that a move is measured from. */
  reference: number;
  /** How many alerts there were. */
  count: number;
}

export interface Alert {
  price: number;
  /** Paise; what a move was measured from, or the price before. */
  from: number;
  count: number;
}

/** The state at the first price: an alert needs a change, so a condition that already holds is no alert. */
export function firstState(rule: AlertRule, price: number): AlertState {
  return { armed: rule.kind === 'moves' || isBack(rule, price, 0), reference: price, count: 0 };
}

/** What the next price makes of a state, which is changed. @returns the alert that it is, if any */
export function takePrice(rule: AlertRule, state: AlertState, price: number): Alert | undefined {
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

function holds(rule: AlertRule, reference: number, price: number): boolean {
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
      return Math.abs(change) * HUNDREDTHS >= rule.hundredths * reference;
    }
  }
}

/** Whether the price is on the other side again, by at least the distance. */
function isBack(rule: Exclude<AlertRule, { kind: 'moves' }>, price: number, distance: number): boolean {
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
