/** Runs at times of the day, IST, one after another, by the given clock. */
import { attempt } from '../../attempt';
import type { Clock } from '../../base/ports';
import { addDays, istDate } from '../../values/time';
import { pauseUnlessAborted } from '../../abortable';

/** A time that passed no longer ago than this still counts, milliseconds. */
const LATE_MS = 5 * 60_000;
/** The longest wait at a stretch: the machine may sleep, or its clock be set. */
const LOOKS_AGAIN_MS = 30_000;
/** Number of attempts to check whether the day is a trading day, and the milliseconds between them. */
const ASKS = { times: 4, everyMs: 5_000 };

/** Handlers of a time; instants are milliseconds since the epoch. Only `isTradingDay` may throw. */
export interface DailyTimesDeps {
  clock: Clock;
  /** Returns true if the exchanges trade on the day of an instant. @throws if it cannot be determined now */
  isTradingDay(at: number): Promise<boolean>;
  /** Handles one of the times, now or `lateMs` milliseconds ago. */
  due(at: number, lateMs: number): void;
  /** Handles one of the times on a day without trading. */
  closed(at: number): void;
  /** Handles one of the times that was too long ago to count. */
  passed(at: number): void;
  /** Handles an unknown day: it counts as a trading day, since a missed sale is worse than a refused one. */
  unknown(error: unknown): void;
}

/**
 * Waits for one time after another until the signal fires.
 * @param times such as `09:20:00`
 * @param last the time that came last, or when the first was waited for, milliseconds
 */
export async function followDailyTimes(
  deps: DailyTimesDeps,
  times: readonly string[],
  last: number,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = deps;
  let after = Math.max(last, clock.now() - LATE_MS);
  for (;;) {
    const at = nextTime(times, after);
    while (clock.now() < at)
      if (!(await pauseUnlessAborted(clock, Math.min(at - clock.now(), LOOKS_AGAIN_MS), signal))) return;
    after = at;
    const lateMs = clock.now() - at;
    if (lateMs > LATE_MS) deps.passed(at);
    else if (await isOfTrading(deps, at, signal)) {
      if (signal.aborted) return;
      deps.due(at, lateMs);
    } else if (!signal.aborted) deps.closed(at);
  }
}

async function isOfTrading(deps: DailyTimesDeps, at: number, signal: AbortSignal): Promise<boolean> {
  for (let asked = 1; ; asked++) {
    const requested = await attempt(deps.isTradingDay(at));
    if (requested.ok) return requested.value;
    if (signal.aborted) return false;
    if (asked === ASKS.times) {
      deps.unknown(requested.error);
      return true;
    }
    if (!(await pauseUnlessAborted(deps.clock, ASKS.everyMs, signal))) return false;
  }
}

/** The first of the times after an instant, milliseconds. */
export function nextTime(times: readonly string[], after: number): number {
  const date = istDate(after);
  const later = [date, addDays(date, 1)]
    .flatMap((day) => times.map((time) => Date.parse(`${day}T${time}+05:30`)))
    .filter((at) => at > after);
  return Math.min(...later);
}
