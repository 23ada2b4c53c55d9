/** Durations of the exit emulators, and the market's time as they have seen it. */
import type { Moment } from '../base/ports';
import type { Transport } from '../transport';

/** An instant of the machine's clock and of the market's. */
export interface EmulationMoment {
  machine: Moment;
  /** Milliseconds since the epoch. */
  market: number;
}

/** A wall clock that is off by no more than this from the time that has passed has not been set, milliseconds. */
const AGREES_MS = 60_000;
/** Time for which a wall clock that was set stays unchanged before it counts as right, milliseconds. */
const BELIEVED_AFTER_MS = 600_000;

/**
 * Durations go by the machine's clock, which nobody can set. In a sandbox, whose days may pass in seconds, they are over once they have
 * passed on the market's clock. On Live the wall clock names days and times: where somebody sets it, time goes on without it, until the stream
 * tells a time like it, or it has stayed so for ten minutes.
 */
export class EmulationClock {
  /** Time of the newest price of the stream, milliseconds since the epoch: a clock that only goes where it is put tells no speed. */
  private latestAt = 0;
  /** On Live, the last time of the wall clock that counted as right. */
  private anchor: EmulationMoment | undefined;
  /** On Live, how far the wall clock was set ahead of the time that has passed, milliseconds, and when. */
  private setting: { ahead: number; since: Moment } | undefined;

  constructor(private readonly transport: Pick<Transport, 'clock' | 'marketClock'>) {}

  /** Takes the time of a price of the stream, milliseconds since the epoch. */
  onPrice(at: number): void {
    this.latestAt = Math.max(this.latestAt, at);
    const wall = this.transport.marketClock.now();
    if (!this.isSandbox && Math.abs(wall - at) <= AGREES_MS) this.trust(wall);
  }

  /** The market's time, milliseconds since the epoch. */
  get now(): number {
    const { marketClock } = this.transport;
    return this.isSandbox ? Math.max(marketClock.now(), this.latestAt) : this.steadyTime(marketClock.now());
  }

  /** @param inMs milliseconds from now */
  moment(inMs = 0): EmulationMoment {
    return { machine: this.transport.clock.moment(inMs), market: this.now + inMs };
  }

  /** Returns the milliseconds since a moment, below 0 before it. */
  since({ machine, market }: EmulationMoment): number {
    const passed = this.transport.clock.since(machine);
    return this.isSandbox ? Math.max(passed, this.now - market) : passed;
  }

  /** Returns the wall clock's time, or the time that has passed since it was right. */
  private steadyTime(wall: number): number {
    const { clock } = this.transport;
    if (this.anchor === undefined) return this.trust(wall);
    const steady = this.anchor.market + clock.since(this.anchor.machine);
    const ahead = wall - steady;
    if (Math.abs(ahead) <= AGREES_MS) return this.trust(wall);
    if (this.setting === undefined || Math.abs(this.setting.ahead - ahead) > AGREES_MS)
      this.setting = { ahead, since: clock.moment() };
    return clock.since(this.setting.since) >= BELIEVED_AFTER_MS ? this.trust(wall) : steady;
  }

  private trust(wall: number): number {
    this.anchor = { machine: this.transport.clock.moment(), market: wall };
    this.setting = undefined;
    return wall;
  }

  private get isSandbox(): boolean {
    return this.transport.marketClock.run !== undefined;
  }
}
