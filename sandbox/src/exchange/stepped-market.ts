import type { Level, Market } from '../market/prices/types';
import type { Instrument } from '../market/reference/types';
import { withPriceOverrides, type PriceOverrides } from '../market/prices/price-overrides';

/** How many levels of others' liquidity a book is kept with. */
export const DEPTH_LEVELS = 20;

/** The market in steps of time, as the control plane has moved it. */
export class SteppedMarket {
  private readonly moved: Market;

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

  /** What others' orders in the auction of an instant would make the price; null when none is held. */
  auctionPrice(instrument: Instrument, at: number): number | null {
    return this.moved.auctionPrice(instrument, this.step(at));
  }

  depth(instrument: Instrument, at: number, around: number): { bids: Level[]; asks: Level[] } {
    return this.market.depth(instrument, this.step(at), around, DEPTH_LEVELS);
  }

  previousClose(instrument: Instrument, at: number): number {
    return this.moved.previousClose(instrument, at);
  }

  volume(instrument: Instrument, from: number, to: number): number {
    return this.market.volume(instrument, from, to);
  }

  /** What users traded in an instrument since the beginning of a day, the running second included. */
  userVolume({ refId }: Instrument, dayStart: number, at: number): number {
    return this.overrides.tape.volume(refId, dayStart, at + 1);
  }

  /**
   * Users traded `quantity` at a price (paise), and took `taken` of it from others (negative: gave it to them), which pushes
   * the price from the next step on.
   */
  traded(instrument: Instrument, price: number, quantity: number, taken: number, at: number): void {
    const { impact, tape } = this.overrides;
    tape.add(instrument.refId, price, quantity, at);
    if (taken !== 0)
      impact.add(instrument.refId, taken, this.step(at) + this.stepMs, this.market.liquidity(instrument, at));
  }

  /** Moves an instrument to a price (paise) from the step of an instant on. */
  move(instrument: Instrument, price: number, at: number): void {
    const step = this.step(at);
    const under = this.overrides.factor(instrument.underlyingRefId, step);
    const pushed = this.overrides.impact.factor(instrument.refId, step);
    const usual = this.market.price(instrument, step, under) * pushed;
    this.overrides.add(instrument.refId, { at: step, factor: price / usual });
  }
}
