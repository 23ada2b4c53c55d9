/** State of a lost stream of an account: its start, and the report to the user. */
import type { Clock, Moment } from '../../base/ports';
import type { Environment } from '../../session/settings';
import { OutageReporter } from './outage-reporter';

/** The stream of an account was lost or came back. */
export interface ConnectionEvent {
  type: 'connectionLost' | 'connectionRestored';
  /** Unique for the event within the account. */
  key: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** The reason for the loss, in words. */
  reason: string;
  /** Milliseconds that it was away; 0 when it has only just been lost. */
  downMs: number;
  /** Number of events found by comparing; 0 if it has only just been lost. */
  recovered: number;
}

/** State of a lost stream, and its duration. */
export class StreamOutages {
  private lostAt: Moment | undefined;
  private reason = '';
  /** Counts from when there has been no connection that lasted. */
  private readonly reporter: OutageReporter;

  constructor(
    private readonly clock: Clock,
    environment: Environment,
  ) {
    this.reporter = new OutageReporter(clock, { environment });
  }

  get isLost(): boolean {
    return this.lostAt !== undefined;
  }

  /** @returns undefined if it is lost already. */
  lost(reason: string): ConnectionEvent | undefined {
    if (this.lostAt !== undefined) return undefined;
    const at = this.clock.now();
    this.lostAt = this.clock.moment();
    this.reason = reason;
    this.reporter.away();
    return { type: 'connectionLost', key: `connectionLost:${at}`, at, reason, downMs: 0, recovered: 0 };
  }

  /**
   * @param recovered how many events were found by comparing.
   * @returns undefined if it was not lost.
   */
  restored(recovered: number): ConnectionEvent | undefined {
    if (this.lostAt === undefined) return undefined;
    const at = this.clock.now();
    const downMs = Math.round(this.clock.since(this.lostAt));
    this.lostAt = undefined;
    return { type: 'connectionRestored', key: `connectionRestored:${at}`, at, reason: this.reason, downMs, recovered };
  }

  /** The last connection was a good one: outages are counted from zero. */
  stable(): void {
    if (this.reporter.awaySince !== this.lostAt) this.reporter.back(this.lostAt);
  }

  /** Returns an outage to report to the user, with its milliseconds; once for each. */
  newOutage(): { reason: string; downMs: number } | undefined {
    const downMs = this.reporter.due();
    return downMs === undefined ? undefined : { reason: this.reason, downMs };
  }
}
