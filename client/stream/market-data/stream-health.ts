/** Since when the market-data stream brings nothing, and whether that is long enough to act upon. */
import type { Clock, Moment } from '../../base/ports';
import type { Environment } from '../../session/settings';
import { isMarketTime } from '../../market/calendar/any-market-open';
import { OutageReporter } from '../connection/outage-reporter';

/** For so long the stream may be away before REST is asked in its place. */
const GRACE_MS = 3_000;

export class StreamHealth {
  /** Undefined while the stream brings something. */
  private lostAt: Moment | undefined;
  private openedAt: Moment;
  /** Counts from when anything was last had, from the stream or from REST. */
  private readonly outage: OutageReporter;

  constructor(
    private readonly clock: Clock,
    private readonly environment: Environment,
  ) {
    this.outage = new OutageReporter(clock);
    this.outage.away();
    this.lostAt = clock.moment();
    this.openedAt = clock.moment();
  }

  get isLost(): boolean {
    return this.lostAt !== undefined;
  }

  opened(): void {
    this.openedAt = this.clock.moment();
  }

  lost(): void {
    this.lostAt ??= this.clock.moment();
  }

  restored(): void {
    this.lostAt = undefined;
  }

  /** Something was had: an outage that comes now is another one. */
  good(): void {
    this.outage.back(this.clock.moment());
  }

  /** Returns true if a stream that was lost has been open for a while: it counts as back, though it has brought nothing yet. */
  hasStayedOpen(): boolean {
    return this.lostAt !== undefined && this.clock.since(this.openedAt) >= GRACE_MS;
  }

  /** Returns true if the stream has been away for so long that REST replaces it. */
  isMissed(): boolean {
    return this.lostAt !== undefined && this.clock.since(this.lostAt) >= GRACE_MS;
  }

  /** Returns true if the stream has brought nothing for `ms` although a market is open. @param lastMessageAt time of its last frame. */
  isQuiet(ms: number, lastMessageAt: Moment): boolean {
    const isLong = this.lostAt !== undefined || this.clock.since(lastMessageAt) >= ms;
    return isLong && isMarketTime(this.environment, this.clock.now());
  }

  /** For how long nothing at all was had, where that is an outage that was not told yet; each is given once. */
  newOutage(): number | undefined {
    // Time in which nothing trades does not count.
    if (!isMarketTime(this.environment, this.clock.now())) this.outage.countFrom(this.clock.moment());
    return this.lostAt === undefined ? undefined : this.outage.due();
  }
}
