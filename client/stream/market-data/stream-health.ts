/** Since when the market-data stream brings nothing, and whether that is long enough to act upon. Milliseconds on our clock. */
import type { Clock } from '../../base/ports';
import type { Environment } from '../../session/settings';
import { isMarketTime } from '../../market/calendar/any-market-open';
import { OutageReporter } from '../connection/outage-reporter';

/** For so long the stream may be away before REST is asked in its place. */
const GRACE_MS = 3_000;

export class StreamHealth {
  /** Undefined while the stream brings something. */
  private lostAt: number | undefined;
  private openedAt = 0;
  /** Counts from when anything was last had, from the stream or from REST. */
  private readonly outage: OutageReporter;

  constructor(
    private readonly clock: Clock,
    private readonly environment: Environment,
  ) {
    this.outage = new OutageReporter(clock);
    this.outage.away();
    this.lostAt = clock.now();
  }

  get isLost(): boolean {
    return this.lostAt !== undefined;
  }

  opened(): void {
    this.openedAt = this.clock.now();
  }

  lost(): void {
    this.lostAt ??= this.clock.now();
  }

  restored(): void {
    this.lostAt = undefined;
  }

  /** Something was had: an outage that comes now is another one. */
  good(): void {
    this.outage.back(this.clock.now());
  }

  /** Our clock was set: no time is as far away as it seems. */
  clockSet(): void {
    const now = this.clock.now();
    if (this.lostAt !== undefined) this.lostAt = Math.min(this.lostAt, now);
    this.openedAt = Math.min(this.openedAt, now);
    this.outage.countFrom(Math.min(this.outage.awaySince ?? now, now));
  }

  /** Whether a stream that was lost has been open for a while: it counts as back, though it has brought nothing yet. */
  hasStayedOpen(): boolean {
    return this.lostAt !== undefined && this.clock.now() - this.openedAt >= GRACE_MS;
  }

  /** Whether the stream is away for so long that REST is asked in its place. */
  isMissed(): boolean {
    return this.lostAt !== undefined && this.clock.now() - this.lostAt >= GRACE_MS;
  }

  /** Whether the stream has brought nothing for `ms` though a market is open. @param heardAt when it brought its last frame. */
  isQuiet(ms: number, heardAt: number): boolean {
    const now = this.clock.now();
    return (this.lostAt !== undefined || now - heardAt >= ms) && isMarketTime(this.environment, now);
  }

  /** For how long nothing at all was had, where that is an outage that was not told yet; each is given once. */
  newOutage(): number | undefined {
    const now = this.clock.now();
    // Time in which nothing trades does not count.
    if (!isMarketTime(this.environment, now)) this.outage.countFrom(now);
    return this.lostAt === undefined ? undefined : this.outage.due();
  }
}
