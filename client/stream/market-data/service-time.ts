/** What the service's clock shows, as far as its messages tell. */
import type { Clock } from '../../base/ports';
import { nanosToMs } from '../../values/time';

export class ServiceTime {
  /** Milliseconds that the service's clock is ahead of ours, at least. */
  private ahead: number | undefined;
  private isOld = false;
  private lastText = '';
  private lastMs: number | null = null;

  constructor(private readonly clock: Clock) {}

  /** Milliseconds since the epoch; not later than it is there, once a message has come. */
  now(): number {
    return this.clock.now() + (this.ahead ?? 0);
  }

  /** A message that was made at an instant has just come: of many the one that was under way the shortest time counts. */
  heard(at: number): void {
    const ahead = at - this.clock.now();
    if (this.ahead === undefined || this.isOld || ahead > this.ahead) this.ahead = ahead;
    this.isOld = false;
  }

  /** A reply has told it, in whole seconds: it counts until a message does. */
  told(aheadMs: number | undefined): void {
    if (this.ahead === undefined || this.isOld) this.ahead = aheadMs ?? this.ahead;
  }

  /** Another connection: clocks may have been set meanwhile, so the next message counts alone. */
  renew(): void {
    this.isOld = true;
  }

  /** Milliseconds of a time in nanoseconds; null where it is none. Those of one frame are mostly the same. */
  msOf(nanos: string): number | null {
    if (nanos === this.lastText) return this.lastMs;
    this.lastText = nanos;
    this.lastMs = nanosToMs(nanos);
    return this.lastMs;
  }
}
