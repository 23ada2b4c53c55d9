/** A long work in many turns of the event loop, so that nothing else waits for all of it. */
export class Turns {
  private timer: NodeJS.Immediate | undefined;

  get isRunning(): boolean {
    return this.timer !== undefined;
  }

  /** @param work does a part of itself whenever it is asked for its next value; nothing may run already. */
  run(work: Iterator<void>): void {
    this.timer = setImmediate(() => {
      this.timer = undefined;
      if (work.next().done !== true) this.run(work);
    });
  }

  stop(): void {
    clearImmediate(this.timer);
    this.timer = undefined;
  }
}
