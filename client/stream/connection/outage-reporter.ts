/** Something that a person relies on is away, and when they should know of it. Milliseconds. */
import type { Clock, Moment } from '../../base/ports';
import { isMarketTime } from '../../market/calendar/any-market-open';
import type { Environment } from '../../session/settings';

/** Milliseconds after which a person should know. */
export const OUTAGE_AFTER_MS = 5 * 60_000;

/** When a person should know of an outage. */
export interface OutageOptions {
  /** Left out: after `OUTAGE_AFTER_MS`. */
  afterMs?: number;
  /** Where it matters only while a market of this environment is open; left out where it matters at any time. */
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

  /** It counts as away since another time; whether a person knows of it stays. */
  countFrom(awaySince: Moment): void {
    this.since = awaySince;
  }

  /** For how long it has been away, where a person should know of that now; undefined where not, or they were told. */
  due(): number | undefined {
    const { afterMs = OUTAGE_AFTER_MS, environment } = this.options;
    if (this.since === undefined || this.isReported || this.clock.since(this.since) < afterMs) return undefined;
    if (environment !== undefined && !isMarketTime(environment, this.clock.now())) return undefined;
    this.isReported = true;
    return this.clock.since(this.since);
  }
}
