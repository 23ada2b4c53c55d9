/** How long the stream has been away, or the day's orders unreadable, and when a person should know. */
import type { Clock } from '../../base/ports';
import type { Environment } from '../../session/settings';
import { isMarketTime } from '../../market/calendar/any-market-open';

/** Milliseconds without a connection after which a person should know. */
export const OUTAGE_AFTER_MS = 5 * 60_000;

/** The stream of an account was lost or came back. */
export interface ConnectionEvent {
  type: 'connectionLost' | 'connectionRestored';
  /** Unique for the event within the account. */
  key: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** Why it was lost, in words. */
  reason: string;
  /** Milliseconds that it was away; 0 when it has only just been lost. */
  downMs: number;
  /** How many events were found by comparing; 0 when it has only just been lost. */
  recovered: number;
}

/** Whether the stream is lost, and for how long. */
export class Outages {
  private lostAt: number | undefined;
  private reason = '';
  /** Since when there has been no connection that lasted. */
  private since: number | undefined;
  private reported = false;

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

  /**
   * @param recovered how many events were found by comparing.
   * @returns undefined when it was not lost.
   */
  restored(recovered: number): ConnectionEvent | undefined {
    if (this.lostAt === undefined) return undefined;
    const at = this.clock.now();
    const downMs = at - this.lostAt;
    this.lostAt = undefined;
    return { type: 'connectionRestored', key: `connectionRestored:${at}`, at, reason: this.reason, downMs, recovered };
  }

  /** The last connection was a good one: outages are counted from zero. */
  stable(): void {
    if (this.since === this.lostAt) return;
    this.since = this.lostAt;
    this.reported = false;
  }

  /** An outage that a person should know of, with its milliseconds; once for each. */
  worthTelling(): { reason: string; downMs: number } | undefined {
    const now = this.clock.now();
    if (
      this.since === undefined ||
      this.reported ||
      now - this.since < OUTAGE_AFTER_MS ||
      !isMarketTime(this.environment, now)
    )
      return undefined;
    this.reported = true;
    return { reason: this.reason, downMs: now - this.since };
  }
}

/**
 * How long the day's orders could not be read while the stream seems to be there. The stream may then bring nothing, and no
 * comparison would show it.
 */
export class UnreadOrdersReport {
  private since: number | undefined;
  private reported = false;

  constructor(
    private readonly clock: Clock,
    private readonly environment: Environment,
  ) {}

  /** They could not be read. @returns milliseconds that a person should know of; once until they can be read. */
  failed(): number | undefined {
    const now = this.clock.now();
    this.since ??= now;
    if (this.reported || now - this.since < OUTAGE_AFTER_MS || !isMarketTime(this.environment, now)) return undefined;
    this.reported = true;
    return now - this.since;
  }

  /** They were read. */
  read(): void {
    this.since = undefined;
    this.reported = false;
  }
}
