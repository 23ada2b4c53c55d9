/** Times at which an exit emulator has seen prices and positions, and what follows from their age. Of this process alone. */
import { isListOfDay } from '../closing/shown-positions';
import type { EmulationClock, EmulationMoment } from './emulation-clock';

/** Time for which the service may still show a closed position, milliseconds. */
const LIST_LAG_MS = 30_000;
/** Time for which a held quantity must be missing before it counts as closed elsewhere: a list may lack it for a moment. */
const MISSING_MS = 30_000;
/** Maximum age of the last price for an exit at a time: the market must be trading. */
const PRICE_WITHIN_MS = 60_000;

/** Prices are known by refId, positions by a key of the emulator. */
export class ObservedTimes {
  private readonly priceAt = new Map<number, EmulationMoment>();
  private readonly closedAt = new Map<string, EmulationMoment>();
  private readonly missingSince = new Map<string, EmulationMoment>();

  constructor(private readonly clock: EmulationClock) {}

  /** Notes a price. */
  onPrice(refId: number): void {
    this.priceAt.set(refId, this.clock.moment());
  }

  /** Returns true if there was a price. */
  hasPrice(refId: number): boolean {
    return this.priceAt.has(refId);
  }

  /** Returns true if an instrument is trading now, by the age of its last price. */
  isTrading(refId: number): boolean {
    return this.isWithin(this.priceAt.get(refId), PRICE_WITHIN_MS);
  }

  /**
   * Notes that a list lacks a position.
   * @returns true if lists have lacked it for so long that it counts as closed; never before the day's list is there
   */
  isMissing(key: string): boolean {
    if (!isListOfDay(this.clock.now)) {
      this.missingSince.delete(key);
      return false;
    }
    const since = this.missingSince.get(key) ?? this.clock.moment();
    this.missingSince.set(key, since);
    return !this.isWithin(since, MISSING_MS);
  }

  /** Notes that a list shows a position. */
  onListed(key: string): void {
    this.missingSince.delete(key);
  }

  /** Forgets which positions lists have lacked. */
  forgetMissing(): void {
    this.missingSince.clear();
  }

  /** Notes that a position was closed here. */
  onClosed(key: string): void {
    this.closedAt.set(key, this.clock.moment());
  }

  /** Returns true if a position was closed here a moment ago: a list may still show it. */
  wasJustClosed(key: string): boolean {
    return this.isWithin(this.closedAt.get(key), LIST_LAG_MS);
  }

  private isWithin(moment: EmulationMoment | undefined, ms: number): boolean {
    return moment !== undefined && this.clock.since(moment) < ms;
  }
}
