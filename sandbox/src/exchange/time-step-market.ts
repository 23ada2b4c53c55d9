import { dailyLimit, type DailyLimit } from '../market/prices/daily-limits';
import type { ImpactLiquidity } from '../market/prices/price-impact';
import type { DepthLevel, Market } from '../market/prices/types';
import type { Instrument } from '../market/reference/types';
import {
  bookChangeOf,
  circumstancesOf,
  withPriceOverrides,
  type OverriddenMarket,
} from '../market/prices/overridden-market';
import type { PriceOverrides, TakenLiquidity } from '../market/prices/price-overrides';

/** Number of levels of others' liquidity a book that is kept with. */
export const DEPTH_LEVELS = 20;
/** Number of equal parts in which a quantity is priced that is taken without a book. */
const PARTS = 64;
const MINUTE = 60_000;

/** The market in steps of time, as the control plane has moved it. */
export class TimeStepMarket {
  private readonly moved: OverriddenMarket;

  constructor(
    private readonly market: Market,
    private readonly overrides: PriceOverrides,
    /** Length of a time step, milliseconds. */
    readonly stepMs: number,
  ) {
    this.moved = withPriceOverrides(market, overrides);
  }

  /** The start of the time step that holds an instant. */
  step(at: number): number {
    return Math.floor(at / this.stepMs) * this.stepMs;
  }

  /** Others' last traded price at the step of an instant, on tick, paise. */
  price(instrument: Instrument, at: number): number {
    return this.moved.price(instrument, this.step(at));
  }

  /** Returns the price that others' orders would make in the auction of an instant; null when none is held. */
  auctionPrice(instrument: Instrument, at: number): number | null {
    return this.moved.auctionPrice(instrument, this.step(at));
  }

  /** True if its books are those of a live market, which has matched others' orders with each other. */
  get isSeen(): boolean {
    return this.market.unknown !== undefined;
  }

  /** True if prices are not known at the step of an instant. */
  unknown(instrument: Instrument, at: number): boolean {
    const step = this.step(at);
    return this.market.unknown?.(instrument, step, step) ?? false;
  }

  depth(instrument: Instrument, at: number, around: number): { bids: DepthLevel[]; asks: DepthLevel[] } {
    return this.moved.depth(instrument, this.step(at), around, DEPTH_LEVELS);
  }

  /** The closing price of an instant's day, paise; it is known, and stays, once trading has ended. */
  closingPrice(instrument: Instrument, at: number): number {
    return this.moved.closingPrice(instrument, at);
  }

  previousClose(instrument: Instrument, at: number): number {
    return this.moved.previousClose(instrument, at);
  }

  /** Returns the daily price limit of an instrument at an instant; undefined where it has none. */
  dailyLimit(instrument: Instrument, at: number): DailyLimit | undefined {
    return dailyLimit(this.moved, instrument, at);
  }

  volume(instrument: Instrument, from: number, to: number): number {
    return this.market.volume(instrument, from, to);
  }

  /** Quantity that others trade between two instants with what waits in the book. */
  volumeInBook(instrument: Instrument, from: number, to: number): number {
    const isTrading = bookChangeOf(this.market, this.overrides, instrument, this.step(from))?.trading;
    if (isTrading === false || this.market.unknown?.(instrument, from, to)) return 0;
    return this.market.volume(instrument, from, to);
  }

  /** Returns the quantity that users traded in an instrument since the beginning of a day, the running second included. */
  userVolume({ refId }: Instrument, dayStart: number, at: number): number {
    return this.overrides.tape.volume(refId, dayStart, at + 1);
  }

  /** Users traded `quantity` at a price (paise): it belongs into candles and volumes. */
  traded(instrument: Instrument, price: number, quantity: number, at: number): void {
    this.overrides.tape.add(instrument.refId, price, quantity, at);
  }

  /**
   * Users took `quantity` from others (negative: gave it to them), which pushes the price from the next step on.
   * @param waited true if their order had waited in the book, or traded after the close (see `PriceOverrides.push`)
   */
  taken(instrument: Instrument, quantity: number, waited: boolean, at: number): void {
    this.overrides.push({ ...this.takenIn(instrument, at), waited }, quantity, this.next(at));
  }

  /** The same of a call auction: its price is that from its end on, so that a close that it finds is the close. */
  takenInAuction(instrument: Instrument, quantity: number, at: number): void {
    this.overrides.push({ ...this.takenIn(instrument, at), waited: false }, quantity, this.step(at));
  }

  /**
   * Tells the distance (paise) of a price from that of the running step if users take so much more (negative: give). What they have
   * taken in the step counts: the book shifts while it is walked.
   */
  shiftsAfter(instrument: Instrument, at: number): (quantity: number) => number {
    const [step, next] = [this.step(at), this.next(at)];
    let taken: Omit<TakenLiquidity, 'waited'> | undefined;
    return (quantity) => {
      taken ??= this.takenIn(instrument, at);
      const further = this.overrides.furtherShift(taken, quantity, step, next);
      if (further === 0) return 0;
      return this.moved.pricePushed(instrument, step, further) - this.moved.price(instrument, step);
    };
  }

  /**
   * Returns the distance (paise) of the average price from that of the running step if users take so much at once (negative: give): the area
   * under the curve along which they push.
   */
  averageShift(instrument: Instrument, quantity: number, at: number): number {
    const shiftAfter = this.shiftsAfter(instrument, at);
    let sum = 0;
    for (let part = 0; part < PARTS; part += 1) sum += shiftAfter((quantity * (part + 0.5)) / PARTS);
    return sum / PARTS;
  }

  /**
   * Returns the quantity that users may still trade with others at an instant, in whole lots, by their part of a minute's trades; what they
   * have traded in it counts.
   */
  allowance(instrument: Instrument, part: number, at: number): number {
    if (part === Infinity) return Infinity;
    const { refId, lotSize } = instrument;
    const step = this.step(at);
    const all = part * this.market.volume(instrument, step - MINUTE, step);
    const left = all - this.overrides.tape.volume(refId, step - MINUTE, at + 1);
    return Math.max(0, Math.floor(left / lotSize) * lotSize);
  }

  private next(at: number): number {
    return this.step(at) + this.stepMs;
  }

  private takenIn(instrument: Instrument, at: number): { refId: number; asset: string; liquidity: ImpactLiquidity } {
    const { refId } = instrument;
    return { refId, asset: this.market.exposure(refId).asset, liquidity: this.moved.liquidity(instrument, at) };
  }

  /** Moves an instrument to a price (paise) from the step of an instant on; with an index the whole market moves. */
  move(instrument: Instrument, price: number, at: number): void {
    const { overrides, market } = this;
    const step = this.step(at);
    const exposure = market.exposure(instrument.refId);
    if (instrument.derivativeType === 'INDEX' && exposure.members.length > 0) {
      const requested = price / market.price(instrument, step);
      overrides.setMarket(
        step,
        rootOf((log) => overrides.wereMarket(exposure, log, step) - requested),
      );
    }
    const carried = market.price(instrument, step, circumstancesOf(market, overrides, instrument, step));
    const pushed = overrides.factors(exposure, step).pushed + overrides.listingShift(instrument.refId, step);
    overrides.set(exposure, step, price / carried / pushed);
  }
}

/** Returns the root of a rising function between -3 and 3. */
function rootOf(rising: (x: number) => number): number {
  let [low, high] = [-3, 3];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (rising(middle) < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
