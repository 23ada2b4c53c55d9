/** Counts requests in windows of virtual time (docs/service/limits.md#rate-limits): over the limit a request fails, without a cool-down. */
export class RateLimit {
  private readonly windows = new Map<string, { start: number; count: number }>();

  /** @param max in one window; Infinity for no limit. @param windowMs length of a window, milliseconds. */
  constructor(
    readonly max: number,
    private readonly windowMs: number,
  ) {}

  /**
   * Counts a request of someone at an instant (milliseconds) and says whether it may pass.
   * @param count how many it counts as; it passes as a whole or not at all.
   */
  allows(who: string, at: number, count = 1): boolean {
    const window = this.windows.get(who);
    if (window === undefined || at >= window.start + this.windowMs || at < window.start) {
      this.windows.set(who, { start: at, count });
      return count <= this.max;
    }
    window.count += count;
    return window.count <= this.max;
  }
}
