/** Decides when to report an outage to the user. Milliseconds. */
import type { Clock, Moment } from '../../base/ports';
import { isMarketTime } from '../../market/calendar/any-market-open';
import type { Environment } from '../../session/settings';

/** Milliseconds after which the user is told. */
export const OUTAGE_AFTER_MS = 5 * 60_000;

/** Conditions for reporting an outage. */
export interface OutageOptions {
  /** Left out: after `OUTAGE_AFTER_MS`. */
  afterMs?: number;
  /** The environment if an outage matters only while one of its markets is open; left out if it always matters. */
  environment?: Environment;
}

/** Counts since when something is away, and tells of it once for each time. */
export class OutageReporter {
  private since: Moment | undefined;
  private isReported = false;

  constructor(
    private readonly clock: Clock,
    private readonly options: OutageOptions = {},
  ) {}

  /** Since when it is away; undefined while it is there. */
  get awaySince(): Moment | undefined {
    return this.since;
  }

  /** It is away, unless it was before. */
  away(): void {
    this.since ??= this.clock.moment();
  }

  /** It was there. @param awaySince when it has gone again, where it has. */
  back(awaySince?: Moment): void {
    this.since = awaySince;
    this.isReported = false;
  }

  /** Counts the outage from another time; a report that was made stays. */
  countFrom(awaySince: Moment): void {
    this.since = awaySince;
  }

  /** Returns the duration of an outage that must be reported now; undefined if there is none, or it was reported. */
  due(): number | undefined {
    const { afterMs = OUTAGE_AFTER_MS, environment } = this.options;
    if (this.since === undefined || this.isReported || this.clock.since(this.since) < afterMs) return undefined;
    if (environment !== undefined && !isMarketTime(environment, this.clock.now())) return undefined;
    this.isReported = true;
    return this.clock.since(this.since);
  }
}
