/**
 * A bar of the history that went on when it was read. The service's clock is known only roughly, so a price that the stream brings late may be
 * older than the bar's close, or newer. The stream keeps the order of its prices: as long as the close may still come, a price that the bar
 * holds waits.
 */
import type { MissedBar } from './price-history';
import type { MarketTick } from './market-data';

/** Milliseconds that the service's clock may be ahead of what is known of it: its replies tell whole seconds. */
export const CLOCK_BEHIND_MS = 1_000;

export class UnfinishedBar {
  private readonly end: number;
  private waiting: MarketTick[] = [];
  /** The stream has come to a price that is newer than the bar. */
  private isPassed = false;

  constructor(private readonly bar: MissedBar) {
    this.end = bar.at + bar.lengthMs;
  }

  /** Takes the next price of the stream. @returns the prices to tell now, the oldest first */
  take(tick: MarketTick): MarketTick[] {
    const { low, high, close } = this.bar;
    const { lastPrice } = tick;
    this.isPassed ||= tick.at >= this.end || lastPrice < low || lastPrice > high;
    if (this.isPassed) return [...this.rest(), tick];
    if (lastPrice !== close) {
      this.waiting.push(tick);
      return [];
    }
    // What came before the close is told with the bar.
    this.waiting = [];
    return [tick];
  }

  /** Returns true once no price of the stream can be older than the bar. @param now the service's clock, milliseconds */
  isOver(now: number): boolean {
    return now >= this.end + CLOCK_BEHIND_MS;
  }

  /** Returns the prices that still wait, once: the close did not come after them, so they are newer than the bar. */
  rest(): MarketTick[] {
    return this.waiting.splice(0);
  }
}
