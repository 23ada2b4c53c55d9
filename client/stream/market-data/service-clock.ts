/** The service's clock, as far as its messages show it, and changes of our own. */
import type { Clock } from '../../base/ports';
import { nanosToMs } from '../../values/time';

/** Our clock may run faster than the service's: what a message told counts for so many milliseconds, up to twice of it. */
const COUNTS_MS = 5 * 60_000;
/** Milliseconds by which a wait seems too short, or too long, that the clock was set meanwhile. */
const SET_MS = 2_000;
/** Up to so many milliseconds too long it is more likely that the process was busy. */
const BUSY_MS = 5_000;
/** Milliseconds by which a message's time may be ahead of what the service's clock can show, as far as that is known. */
const AHEAD_MS = 2 * 60_000;

export class ServiceClock {
  /** Milliseconds that the service's clock is ahead of ours, at least. */
  private ahead: number | undefined;
  private isOld = false;
  /** The service clock's lead in the last reply: no message's time may be far beyond it. */
  private measuredAhead: number | undefined;
  /** The most that messages told since `since`, and in the time before that. */
  private maxAhead = -Infinity;
  private maxAheadBefore = -Infinity;
  private since = -Infinity;
  /** Time of the last call of `passed`, on our clock, and `ahead` at that time. */
  private lookedAt: number;
  private aheadThen: number | undefined;
  private lastText = '';
  private lastMs: number | null = null;

  /** @param leaps whether the service's clock may be set ahead, as that of a sandbox is; a live one goes on as time does. */
  constructor(
    private readonly clock: Clock,
    private readonly leaps = true,
  ) {
    this.lookedAt = clock.now();
  }

  /** True once anything has shown it: until then it is our clock's. */
  get isKnown(): boolean {
    return this.ahead !== undefined;
  }

  /** Milliseconds since the epoch; not later than it is there, once a message has come. */
  now(): number {
    return this.at(this.clock.now());
  }

  /** Returns the service's time at an instant of our clock. */
  at(ours: number): number {
    return ours + (this.ahead ?? 0);
  }

  /**
   * Takes the time of a message that has just come: among many, the one with the shortest delay counts. A time that a live service cannot
   * have shown is ignored.
   */
  onFrame(at: number): void {
    const now = this.clock.now();
    if (!this.leaps && this.measuredAhead !== undefined && at > now + this.measuredAhead + AHEAD_MS) return;
    const ahead = at - now;
    if (this.ahead === undefined || this.isOld) {
      this.maxAheadBefore = -Infinity;
      this.maxAhead = ahead;
      this.since = now;
    } else if (now - this.since < COUNTS_MS) this.maxAhead = Math.max(this.maxAhead, ahead);
    else {
      this.maxAheadBefore = this.maxAhead;
      this.maxAhead = ahead;
      this.since = now;
    }
    this.ahead = Math.max(this.maxAhead, this.maxAheadBefore);
    this.isOld = false;
  }

  /** A reply has told it, in whole seconds, or has told none, so that our clock must do: it counts until a message does. */
  onServiceTime(aheadMs: number | undefined): void {
    this.measuredAhead = aheadMs;
    if (this.ahead === undefined || this.isOld) this.ahead = aheadMs ?? this.ahead ?? 0;
  }

  /** Another connection: clocks may have been set meanwhile, so the next message counts alone. */
  renew(): void {
    this.isOld = true;
  }

  /**
   * Checks the clock: `ms` milliseconds must have passed since the last call, or since it was made.
   * @returns true if our clock was set meanwhile, or the process was suspended for long. Then `now` continues from where it was, since a
   * changed clock is no elapsed time, until a reply or a message shows more: that counts alone.
   */
  passed(ms: number): boolean {
    const now = this.clock.now();
    const step = now - this.lookedAt - ms;
    const isSet = step <= -SET_MS || step >= BUSY_MS;
    if (isSet) {
      // What was heard since then may be of either clock.
      const ahead = this.aheadThen ?? this.ahead;
      if (ahead !== undefined) this.ahead = ahead - step;
      if (this.measuredAhead !== undefined) this.measuredAhead -= step;
    }
    if (isSet || step >= SET_MS) this.isOld = true;
    this.lookedAt = now;
    this.aheadThen = this.ahead;
    return isSet;
  }

  /** Returns the latest plausible time: anything later is in the future of the service's clock, far beyond its possible lead. */
  latest(): number {
    return this.now() + AHEAD_MS;
  }

  /** Milliseconds of a time in nanoseconds; null if it is none. Those of one frame are mostly the same. */
  msOf(nanos: string): number | null {
    if (nanos === this.lastText) return this.lastMs;
    this.lastText = nanos;
    this.lastMs = nanosToMs(nanos);
    return this.lastMs;
  }
}
