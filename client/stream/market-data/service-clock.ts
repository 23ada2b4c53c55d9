/** The service's clock, as far as its messages show it, and changes of our own. */
import type { Clock, Moment } from '../../base/ports';
import { nanosToMs } from '../../values/time';

/** Our clock may run faster than the service's: what a message told counts for so many milliseconds, up to twice of it. */
const COUNTS_MS = 5 * 60_000;
/** Milliseconds by which our clock went on more, or less, than time did, that it was set meanwhile. */
const SET_MS = 2_000;
/** Milliseconds by which a message's time may be ahead of what the service's clock can show, as far as that is known. */
const AHEAD_MS = 2 * 60_000;

export class ServiceClock {
  /** Milliseconds that the service's clock is ahead of the time that passes here (see `passing`), at least. */
  private ahead: number | undefined;
  private isOld = false;
  /** The service clock's lead in the last reply: no message's time may be far beyond it. */
  private measuredAhead: number | undefined;
  /** The most that messages told since `since`, and in the time before that. */
  private maxAhead = -Infinity;
  private maxAheadBefore = -Infinity;
  private since = -Infinity;
  /** Our clock when this was made, and that moment. */
  private readonly begunAt: number;
  private readonly begun: Moment;
  /** Milliseconds that our clock was set ahead at the last call of `wasSet`. */
  private setAhead = 0;
  private lastText = '';
  private lastMs: number | null = null;

  /** @param leaps whether the service's clock may be set ahead, as that of a sandbox is; a live one goes on as time does. */
  constructor(
    private readonly clock: Clock,
    private readonly leaps = true,
  ) {
    this.begunAt = clock.now();
    this.begun = clock.moment();
  }

  /** True once anything has shown it: until then it is our clock's. */
  get isKnown(): boolean {
    return this.ahead !== undefined;
  }

  /** Milliseconds since the epoch; not later than it is there, once a message has come. */
  now(): number {
    return this.passing() + (this.ahead ?? this.setBy());
  }

  /** Returns the service's time at an instant of our clock. */
  at(ours: number): number {
    const setBy = this.setBy();
    return ours - setBy + (this.ahead ?? setBy);
  }

  /**
   * Takes the time of a message that has just come: among many, the one with the shortest delay counts. A time that a live service cannot
   * have shown is ignored.
   */
  onFrame(at: number): void {
    const now = this.passing();
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
    const setAhead = this.setBy();
    this.measuredAhead = aheadMs === undefined ? undefined : aheadMs + setAhead;
    if (this.ahead === undefined || this.isOld) this.ahead = this.measuredAhead ?? this.ahead ?? setAhead;
  }

  /** Another connection: clocks may have been set meanwhile, so the next message counts alone. */
  renew(): void {
    this.isOld = true;
  }

  /**
   * Returns true if our clock was set since the last call, or the process was suspended. `now` goes on with the time that passes, until a
   * reply or a message shows more: that counts alone.
   */
  wasSet(): boolean {
    const setAhead = this.setBy();
    const isSet = Math.abs(setAhead - this.setAhead) >= SET_MS;
    this.setAhead = setAhead;
    this.isOld ||= isSet;
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

  /** Our clock as time passes, milliseconds: nobody can set it. */
  private passing(): number {
    return this.begunAt + this.clock.since(this.begun);
  }

  /** Milliseconds that our clock was set ahead since this was made. */
  private setBy(): number {
    const ours = this.clock.now();
    return ours - this.passing();
  }
}
