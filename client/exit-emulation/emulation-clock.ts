/** Durations of the exit emulators, and the market's time as they have seen it. */
import type { Moment } from '../base/ports';
import type { Transport } from '../transport';

/** An instant of the machine's clock and of the market's. */
export interface EmulationMoment {
  machine: Moment;
  /** Milliseconds since the epoch. */
  market: number;
}

/**
 * Durations go by the machine's clock, which nobody can set. In a sandbox, whose days may pass in seconds, they are over once they have
 * passed on the market's clock.
 */
export class EmulationClock {
  /** Time of the newest price of the stream, milliseconds since the epoch: a clock that only goes where it is put tells no speed. */
  private latestAt = 0;

  constructor(private readonly transport: Pick<Transport, 'clock' | 'marketClock'>) {}

  /** Takes the time of a price of the stream, milliseconds since the epoch. */
  onPrice(at: number): void {
    this.latestAt = Math.max(this.latestAt, at);
  }

  /** The market's time, milliseconds since the epoch. */
  get now(): number {
    const { marketClock } = this.transport;
    return this.isSandbox ? Math.max(marketClock.now(), this.latestAt) : marketClock.now();
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

  private get isSandbox(): boolean {
    return this.transport.marketClock.run !== undefined;
  }
}
