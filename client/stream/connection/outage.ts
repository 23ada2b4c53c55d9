/** How long the stream has been away, and when that is worth telling somebody about. */
import type { Clock } from '../../ports';
import type { Environment } from '../../session/settings';
import { istDate, istTimeOfDay } from '../../values/time';
import type { ConnectionEvent } from '../reconciliation/types';

/** Milliseconds without a connection after which somebody should know. */
export const OUTAGE_AFTER_MS = 5 * 60_000;

export class Outages {
  private lostAt: number | undefined;
  private reason = '';
  /** Since when there has been no connection that lived for long. */
  private since: number | undefined;
  private told = false;

  constructor(
    private readonly clock: Clock,
    private readonly environment: Environment,
  ) {}

  get isLost(): boolean {
    return this.lostAt !== undefined;
  }

  /** @returns undefined when it is lost already. */
  lost(reason: string): ConnectionEvent | undefined {
    if (this.lostAt !== undefined) return undefined;
    const at = this.clock.now();
    this.lostAt = at;
    this.reason = reason;
    this.since ??= at;
    return { type: 'connectionLost', key: `connectionLost:${at}`, at, reason, downMs: 0, recovered: 0 };
  }

  /** @returns undefined when it was not lost. */
  restored(recovered: number): ConnectionEvent | undefined {
    if (this.lostAt === undefined) return undefined;
    const at = this.clock.now();
    const downMs = at - this.lostAt;
    this.lostAt = undefined;
    return { type: 'connectionRestored', key: `connectionRestored:${at}`, at, reason: this.reason, downMs, recovered };
  }

  /** The last connection was a good one: outages are counted anew. */
  stable(): void {
    if (this.since === this.lostAt) return;
    this.since = this.lostAt;
    this.told = false;
  }

  /** An outage that somebody should know of; once for each. */
  worthTelling(): { reason: string; downMs: number } | undefined {
    const now = this.clock.now();
    if (
      this.since === undefined ||
      this.told ||
      now - this.since < OUTAGE_AFTER_MS ||
      !isMarketTime(this.environment, now)
    )
      return undefined;
    this.told = true;
    return { reason: this.reason, downMs: now - this.since };
  }
}

/** How long the day's orders could not be read while the stream seems to be there: it may be deaf, and nobody would know. */
export class Blindness {
  private since: number | undefined;
  private told = false;

  constructor(
    private readonly clock: Clock,
    private readonly environment: Environment,
  ) {}

  /** They could not be read. @returns milliseconds that somebody should know of; once until they can be. */
  grows(): number | undefined {
    const now = this.clock.now();
    this.since ??= now;
    if (this.told || now - this.since < OUTAGE_AFTER_MS || !isMarketTime(this.environment, now)) return undefined;
    this.told = true;
    return now - this.since;
  }

  ends(): void {
    this.since = undefined;
    this.told = false;
  }
}

/**
 * Whether any market may be open: the longest hours are those of MCX, 09:00 to 23:55 IST, Monday to Friday. Only the
 * live service is silent outside of them; the others may simulate a market at any time.
 */
export function isMarketTime(environment: Environment, at: number): boolean {
  const weekday = new Date(`${istDate(at)}T00:00:00Z`).getUTCDay();
  return isMarketHour(environment, at) && (environment !== 'live' || (weekday >= 1 && weekday <= 5));
}

/** As `isMarketTime`, on any day: there are special sessions at weekends. */
export function isMarketHour(environment: Environment, at: number): boolean {
  const time = istTimeOfDay(at);
  return environment !== 'live' || (time >= '09:00' && time < '23:55');
}
