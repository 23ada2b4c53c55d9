export type ClockMode = 'real' | 'manual' | 'fastest' | 'accelerated';
/** `real`, `manual`, `fastest` (from one thing that is due to the next), or a speed such as `60x`. */
export type SpeedOrMode = 'real' | 'manual' | 'fastest' | `${number}x`;

/** The sandbox's time, milliseconds since the epoch. It never goes back, and stops at its end. */
export class VirtualClock {
  private modeNow: ClockMode = 'real';
  private speedNow = 1;
  private base: number;
  private realBase: number;
  private holds = 0;

  /** @param start virtual instant to begin at. @param realNow the machine's clock, milliseconds. @param end the last virtual instant. */
  constructor(
    mode: SpeedOrMode,
    start: number,
    private readonly realNow: () => number,
    readonly end = Infinity,
  ) {
    this.base = start;
    this.realBase = realNow();
    this.run(mode);
  }

  get mode(): ClockMode {
    return this.modeNow;
  }

  /** True if somebody holds it. */
  get isHeld(): boolean {
    return this.holds > 0;
  }

  /** Virtual milliseconds that pass in one real one; 0 when the clock goes on only where it is put. */
  get speed(): number {
    return this.speedNow;
  }

  /** Milliseconds of the machine since it was put to an instant, or held or released, whichever was last. */
  get sinceMoved(): number {
    return Math.max(0, Math.floor(this.realNow() - this.realBase));
  }

  now(): number {
    if (this.speedNow === 0 || this.isHeld) return this.base;
    return Math.min(this.end, this.base + Math.max(0, Math.floor((this.realNow() - this.realBase) * this.speedNow)));
  }

  setMode(mode: SpeedOrMode): void {
    this.rebase(this.now());
    this.run(mode);
  }

  /** Puts the clock to a later instant. */
  set(at: number): void {
    if (at < this.now()) throw new RangeError('the clock cannot go back; reset the sandbox to start again');
    if (at > this.end) throw new RangeError('the clock cannot go beyond its end');
    this.rebase(at);
  }

  /** Stops at an instant whose work is done, until each hold has been released. */
  hold(at: number): void {
    if (!this.isHeld) this.rebase(at);
    this.holds += 1;
  }

  release(): void {
    this.holds -= 1;
    this.rebase(this.base);
  }

  /** Starts again at any instant, even an earlier one; for a reset. */
  restart(mode: SpeedOrMode, at: number): void {
    this.rebase(at);
    this.run(mode);
  }

  /** Real milliseconds until a virtual instant; undefined when time does not pass by itself. */
  realDelay(at: number): number | undefined {
    if (this.isHeld || this.modeNow === 'manual' || at > this.end) return undefined;
    return this.modeNow === 'fastest' ? 0 : Math.max(0, (at - this.now()) / this.speedNow);
  }

  private run(mode: SpeedOrMode): void {
    this.modeNow = mode === 'real' || mode === 'manual' || mode === 'fastest' ? mode : 'accelerated';
    this.speedNow = mode === 'real' ? 1 : this.modeNow === 'accelerated' ? parseFloat(mode) : 0;
  }

  private rebase(at: number): void {
    this.base = at;
    this.realBase = this.realNow();
  }
}
