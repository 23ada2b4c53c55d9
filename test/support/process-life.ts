/** The life of a simulated process: it is stopped for some time, as on a machine that sleeps, or for good. */
import type { VirtualTime } from './virtual-time';

/** Milliseconds of virtual time; `until` is Infinity for a process that died. */
export interface Stop {
  from: number;
  until: number;
}

/** Whatever the process waits for ends only while it runs. */
export class ProcessLife {
  constructor(
    private readonly time: VirtualTime,
    private readonly stops: readonly Stop[] = [],
  ) {}

  /** Waits for the work, and until the process runs. @returns what the work returns. @throws what it throws. */
  async after<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      await this.running();
    }
  }

  private async running(): Promise<void> {
    for (;;) {
      const stop = this.stops.find(({ from, until }) => from <= this.time.now() && this.time.now() < until);
      if (stop === undefined) return;
      if (stop.until === Infinity) await new Promise(() => undefined);
      await this.time.sleep(stop.until - this.time.now());
    }
  }
}
