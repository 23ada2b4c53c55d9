/** The event loop is given back after so much work, milliseconds. */
const TURN_MS = 5;

/** A long work in many turns of the event loop, so that nothing else waits for all of it. */
export class Cooperative {
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
