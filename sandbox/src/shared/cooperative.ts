import { setImmediate as others } from 'node:timers/promises';

/** The event loop is given back after so much work, milliseconds. */
const TURN_MS = 5;

/** A long work in many turns of the event loop, so that nothing else waits for all of it. */
export class CooperativeWork {
  private timer: NodeJS.Immediate | undefined;

  get isRunning(): boolean {
    return this.timer !== undefined;
  }

  /** @param work does a small part of itself whenever it is asked for its next value; nothing may run already. */
  run(work: Iterator<void>): void {
    this.timer = setImmediate(() => {
      this.timer = undefined;
      const began = performance.now();
      do if (work.next().done === true) return;
      while (performance.now() - began < TURN_MS);
      this.run(work);
    });
  }

  stop(): void {
    clearImmediate(this.timer);
    this.timer = undefined;
  }
}

/** A long work in one async function, which lets others have their turn where it asks for that. */
export class EventLoopTurns {
  private began = performance.now();

  /** True once so much has been done since the last pause that others are to have their turn. */
  get isDue(): boolean {
    return performance.now() - this.began >= TURN_MS;
  }

  /** Resolves at once while no pause is due. */
  async next(): Promise<void> {
    if (!this.isDue) return;
    await others();
    this.began = performance.now();
  }
}
