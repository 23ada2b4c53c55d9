/**
 * The legs of a strategy as the service lists them from reading to reading, and their net profit by the prices of the stream. Amounts are
 * paise, below 0 for a loss.
 */
import { positionKey, recordKeyOf } from '../closing/positions';
import { LivePnl } from '../portfolio/live-pnl';
import type { Position } from '../portfolio/portfolio';
import type { MarketPrice } from '../values/market-price';
import { istDate } from '../values/time';
import type { ObservedTimes } from './observed-times';
import { earnedBefore, premiumOf, type StrategyLeg } from './strategy-exits';

/** State of one leg. */
interface KnownLeg {
  /** The most units that were held, without a sign. */
  units: number;
  /** Profit of that day from before it was seen, paise: it counts for nothing. */
  before: number;
  /** YYYY-MM-DD, IST. */
  day: string;
}

/** State of the legs to remember. Plain data. */
export interface KnownLegs {
  /** By refId and product, closed ones too. */
  legs: Record<string, KnownLeg>;
  /** Net premium of its options before a leg was closed, below 0 for a credit. */
  premium?: number;
}

/** Returns the key of a leg: its refId and product. */
export const legKey = ({ held: { position } }: StrategyLeg): string => positionKey(position);

/** Legs of one strategy. */
export class StrategyLegs {
  private readonly pnl = new LivePnl();
  /** True if the last reading had every part of the net profit. */
  private isWhole = false;
  private openLegs: readonly StrategyLeg[] = [];

  constructor(
    private readonly observed: ObservedTimes,
    private readonly now: () => number,
  ) {}

  /** Legs that are open, as they were read last. */
  get open(): readonly StrategyLeg[] {
    return this.openLegs;
  }

  /** As `LivePnl.missing`, of all legs. */
  get missing(): ReturnType<LivePnl['missing']> {
    return this.pnl.missing();
  }

  /** Forgets the open legs: the strategy has ended. */
  clear(): void {
    this.openLegs = [];
    this.observed.forgetMissing();
  }

  /** Takes a price of the stream. @returns true if an open leg has it */
  onPrice(refId: number, lastPrice: MarketPrice): boolean {
    this.pnl.price(refId, lastPrice);
    this.observed.onPrice(refId);
    return this.openLegs.some(({ instrument }) => instrument.refId === refId);
  }

  /** Returns true if an open leg is trading now. */
  isTrading(): boolean {
    return this.openLegs.some(({ instrument }) => this.observed.isTrading(instrument.refId));
  }

  /** Takes the open legs of a reading. */
  setOpen(legs: readonly StrategyLeg[]): void {
    this.openLegs = legs;
  }

  /**
   * Finds legs that are not open any more. The service lists those that were closed today: one that a list lacks is still open as far as is
   * known, and the net profit is not known without it. It counts no more on another day, or if the instrument is held by another product.
   * @param isKept false while the strategy is closed: its legs are remembered until it has ended.
   * @returns their keys.
   */
  findClosed(knownLegs: KnownLegs, records: readonly Position[], isKept: boolean): string[] {
    const listed = new Set(records.map(recordKeyOf));
    const open = new Set(this.openLegs.map(legKey));
    this.isWhole = true;
    const closed: string[] = [];
    for (const key of Object.keys(knownLegs.legs)) {
      if (open.has(key) || listed.has(key)) {
        this.observed.onListed(key);
        if (!open.has(key)) closed.push(key);
        continue;
      }
      const isMissing = this.observed.isMissing(key);
      const isConverted = this.openLegs.some(({ held: { position } }) => key.startsWith(`${position.refId} `));
      const mayBeOpen = knownLegs.legs[key]!.day === istDate(this.now()) && !isConverted;
      if (mayBeOpen || !isMissing) {
        this.isWhole = false;
        continue;
      }
      closed.push(key);
      // The last one stays until the strategy has ended.
      if (isKept && Object.keys(knownLegs.legs).length > 1) {
        delete knownLegs.legs[key];
        this.observed.onListed(key);
      }
    }
    return closed;
  }

  /** Remembers the open legs and what their records show. @returns true if there are more of them, or more in them */
  remember(knownLegs: KnownLegs, records: readonly Position[]): boolean {
    const today = istDate(this.now());
    let hasGrown = false;
    for (const leg of this.openLegs) {
      const key = legKey(leg);
      const past = knownLegs.legs[key];
      const units = Math.abs(leg.held.units);
      if (past?.day !== today) {
        const before = earnedBefore(records.filter((record) => recordKeyOf(record) === key));
        if (before === undefined) {
          this.isWhole = false;
          continue;
        }
        knownLegs.legs[key] = { units: past?.units ?? 0, before, day: today };
      }
      const current = knownLegs.legs[key]!;
      hasGrown ||= units > current.units;
      current.units = Math.max(current.units, units);
    }
    const own = records.filter((record) => recordKeyOf(record) in knownLegs.legs);
    if (own.some(({ pnl }) => typeof pnl !== 'number')) this.isWhole = false;
    this.pnl.read({ client_code: '', stats: {}, positions: own });
    const areAllThere = Object.entries(knownLegs.legs).every(([key, { units }]) =>
      this.openLegs.some((leg) => legKey(leg) === key && Math.abs(leg.held.units) >= units),
    );
    const premium = areAllThere && this.isWhole ? premiumOf(this.openLegs) : undefined;
    if (premium !== undefined) knownLegs.premium = premium;
    return hasGrown;
  }

  /**
   * Returns the net profit; undefined if it is not known. A list may show old prices: beside a new price of another leg they would sum up
   * to a profit that never was.
   */
  profit({ legs }: KnownLegs): number | undefined {
    const hasPrices = this.openLegs.every(({ instrument }) => this.observed.hasPrice(instrument.refId));
    const all = this.isWhole && hasPrices ? this.pnl.all : undefined;
    if (all === undefined) return undefined;
    const today = istDate(this.now());
    return Object.values(legs).reduce((sum, { before, day }) => (day === today ? sum - before : sum), all);
  }
}
