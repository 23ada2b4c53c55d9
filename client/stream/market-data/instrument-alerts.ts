/**
 * Alerts of one instrument: what each of its prices makes of what is remembered. Pure: what is remembered is plain data, and
 * outlives a restart. A price that is older than the newest one, or comes twice, changes nothing. After a restart the prices
 * between come from the history and are judged like all others, so that a crossing meanwhile alerts, once.
 */
import { istDate } from '../../values/time';
import type { MarketTick } from './market-data';
import {
  firstState,
  isBeforeLevel,
  isDailyExtreme,
  isExtreme,
  levelsOf,
  takePrice,
  type PriceAlert,
  type AlertRule,
  type AlertState,
  type MoveRule,
} from './alert-rules';

/** Repetition: each time that the condition begins to hold; once in each of the exchange's days; once in all. */
export const ALERT_REPEATS = ['always', 'onceADay', 'once'] as const;
export type AlertRepeat = (typeof ALERT_REPEATS)[number];

export interface AlertSettings {
  rule: AlertRule | MoveRule;
  repeat: AlertRepeat;
  /** True if the value starts again each day, as a profit of the day does: a condition that holds at its first value has begun to hold. */
  isDaily?: boolean;
}

/** The judged value: a price, or an amount, which may be negative. */
export type JudgedValue = Pick<MarketTick, 'at' | 'source'> & { lastPrice: number; previousClose: number | null };

/**
 * Returns an amount with the current time, since it has none by itself. The time is not before that of the last amount, since our clock may
 * have been set back meanwhile.
 * @param now milliseconds since the epoch.
 */
export function judgedAmount(amount: number, state: InstrumentState | undefined, now: number): JudgedValue {
  return { lastPrice: amount, at: Math.max(now, state?.requestedAt ?? 0), source: 'rest', previousClose: null };
}

/** State of an instrument. */
export interface InstrumentState extends AlertState {
  /** Exchange time of the newest price of stream or history, milliseconds; 0 for none. */
  at: number;
  /** Time of the request for the newest price over REST, milliseconds on the service's clock; 0 for none. */
  requestedAt: number;
  /** IST date of that price: the exchange's day. */
  day: string;
  /** IST date of the last alert; '' when there was none. */
  alertDay: string;
  /** Paise; what a move was measured from on that day; null if it is of no day. */
  base: number | null;
}

/** Reads the time of a request under the name that stored prices had until 2026-11-30, in place. Without one, no REST price would be news. */
export function readStoredTime(stored: { requestedAt?: number; askedAt?: number }): void {
  stored.requestedAt ??= stored.askedAt ?? 0;
  delete stored.askedAt;
}

/** A date before every day of trading. */
const BEFORE_ALL_DAYS = '0000-00-00';

/** One alert, and what it was measured from. */
export interface InstrumentAlert extends PriceAlert {
  /** Paise; null if the rule is no move from a price. */
  base: number | null;
}

/** Returns true if a rule is measured from a price of each day: `state.base` is then that of `state.day`. */
function isOfDay({ rule }: AlertSettings): boolean {
  return rule.kind === 'movesFrom' && rule.from !== 'price';
}

/**
 * Returns true if a price can be judged only with its base: that of its day, or, at the first price, the highest or lowest before it. Of the
 * day's highest or lowest the first price of another day is the beginning, unless it comes over REST, which may still tell that of yesterday.
 */
export function needsBase(settings: AlertSettings, state: InstrumentState | undefined, tick: JudgedValue): boolean {
  const { rule } = settings;
  if (isOfDay(settings)) return true;
  if (!isExtreme(rule) || rule.since === 'publication') return false;
  return state === undefined || (rule.since === 'day' && tick.source === 'rest' && state.day !== dayOf(state, tick));
}

/** Returns true if no price can alert any more. */
export function isAlertDone({ repeat }: AlertSettings, state: InstrumentState | undefined): boolean {
  return repeat === 'once' && (state?.count ?? 0) > 0;
}

/** Until when all prices are known, milliseconds; undefined if none is. From then on the history fills a gap. */
export function knownUntil(state: InstrumentState | undefined): number | undefined {
  const until = Math.max(state?.at ?? 0, state?.requestedAt ?? 0);
  return until === 0 ? undefined : until;
}

/**
 * Returns true if a price is news, that is not older than the known one. REST shows no time: its price has the time of its request, on the
 * service's clock. The history shows nothing new of a time before a REST request.
 */
export function isNews(state: InstrumentState | undefined, tick: JudgedValue): boolean {
  if (state === undefined) return true;
  return tick.at >= state.at && (tick.source === 'stream' || tick.at >= state.requestedAt);
}

/**
 * The exchange's day that a price belongs to. Before a day's first trade REST still tells the price of the day before, and
 * no time: it belongs to a new day when it, or the previous close, is another one.
 */
export function dayOf(state: InstrumentState | undefined, tick: JudgedValue): string {
  const day = istDate(tick.at);
  if (tick.source !== 'rest' || state === undefined) return day;
  const isUnchanged =
    tick.lastPrice === state.reference && (tick.previousClose === null || tick.previousClose === state.base);
  return isUnchanged ? state.day : day;
}

/**
 * Returns the state after the first price, which is never an alert.
 * @param base as with `takeTick`.
 */
export function firstTick(settings: AlertSettings, tick: JudgedValue, base: number | null): InstrumentState {
  const measuredFrom = baseOf(settings, base);
  const isRequested = tick.source === 'rest';
  return {
    ...firstState(ruleOf(settings, measuredFrom), tick.lastPrice, base ?? tick.lastPrice),
    at: isRequested ? 0 : tick.at,
    requestedAt: isRequested ? tick.at : 0,
    day: istDate(tick.at),
    alertDay: '',
    base: isOfDay(settings) ? measuredFrom : null,
  };
}

/**
 * Returns the state before the first price of a day, of an instrument that was watched before the day began: that price may be an alert.
 */
export function stateBefore({ lastPrice }: JudgedValue): InstrumentState {
  const day = BEFORE_ALL_DAYS;
  return { armed: true, reference: lastPrice, count: 0, at: 0, requestedAt: 0, day, alertDay: '', base: null };
}

/**
 * Returns true if the first price of a day may be an alert. A price of the day is another condition on another day, so what holds at its
 * first price has begun to hold; but a moving average goes on, and must be crossed.
 * @param before the last price before that day.
 */
function beginsArmed({ rule }: AlertSettings, tick: JudgedValue, base: number | null, before: number): boolean {
  if (rule.kind !== 'movesFrom' || rule.from !== 'movingAverage' || base === null) return true;
  return isBeforeLevel(rule, base, tick.previousClose ?? before);
}

/**
 * Updates a state with the next price. Changes it in place, because this runs for every price.
 * @param tick is news, as `isNews` says.
 * @param base paise; the base of a move on the day of the price; null if `needsBase` says that it is not needed.
 * @returns the alert of the price, if any.
 */
export function takeTick(
  settings: AlertSettings,
  state: InstrumentState,
  tick: JudgedValue,
  base: number | null,
): InstrumentAlert | undefined {
  const { repeat } = settings;
  const hasDays = isOfDay(settings);
  const day = dayOf(state, tick);
  const measuredFrom = baseOf(settings, base);
  const rule = ruleOf(settings, measuredFrom);
  if (state.day !== day) {
    if ((hasDays || settings.isDaily === true) && state.day !== '')
      state.armed = beginsArmed(settings, tick, base, state.reference);
    if (isDailyExtreme(rule)) Object.assign(state, { armed: true, reference: base ?? tick.lastPrice });
    state.day = day;
  }
  const alert = takePrice(rule, state, tick.lastPrice);
  if (tick.source === 'rest') state.requestedAt = tick.at;
  else state.at = tick.at;
  state.base = hasDays ? measuredFrom : null;
  if (alert === undefined) return undefined;
  const isAgain = repeat === 'once' ? alert.count > 1 : repeat === 'onceADay' && state.alertDay === day;
  if (isAgain) {
    // An alert that is not wanted is as if it had come, but is not counted; a move goes on from the last one that came.
    state.count -= 1;
    if (rule.kind === 'moves') state.reference = alert.from;
    return undefined;
  }
  state.alertDay = day;
  return { ...alert, base: settings.rule.kind === 'movesFrom' ? measuredFrom : null };
}

function baseOf({ rule }: AlertSettings, base: number | null): number | null {
  return rule.kind === 'movesFrom' && rule.from === 'price' ? rule.price : base;
}

function ruleOf({ rule }: AlertSettings, base: number | null): AlertRule {
  return rule.kind === 'movesFrom' ? levelsOf(rule, base ?? 0) : rule;
}
