import type { TradingDays } from '../reference/calendar';
import { BASE_DATE } from '../reference/dated-tables';
import { PriceProcess, type PathCache } from './price-process';

const { exp, floor } = Math;

/** Daily returns are counted in units of this size of their logarithm. */
export const LOG_RETURN_UNIT = 1e-9;
/** Returns are summed up in pieces of this many days. */
const PIECE = 64;

/** The closes of some days, as sums of returns from the first of them on. */
interface Piece {
  /** Sums of the returns to the end of each day, in units of 1e-9. */
  sums: Float64Array;
  /** Difference between each day's last price and its official close; the next day begins with it. */
  left: Float64Array;
}

/** A price that is drawn: the official close of a day is that of the base date and the sum of all daily returns between. */
export abstract class SimulatedPriceProcess extends PriceProcess {
  private readonly base: number;
  private readonly pieces = new Map<number, Piece>();
  private readonly offsets = new Map<number, number>();

  constructor(
    days: TradingDays,
    private readonly baseClose: number,
    cache: PathCache,
    /** Index of the day of that close: of the tables' base date when left out. */
    base: number | undefined,
  ) {
    super(days, cache);
    this.base = base ?? days.notAfter(BASE_DATE);
  }

  /**
   * The index-th day after one that left `left` out of its close: its return in units of 1e-9 of the logarithm, and what
   * it leaves out. `cut` says that nothing may be left out but what is known from the day alone.
   */
  protected abstract dayAfter(index: number, left: number, cut: boolean): { units: number; left: number };

  private piece(number: number): Piece {
    let piece = this.pieces.get(number);
    if (!piece) {
      piece = { sums: new Float64Array(PIECE), left: new Float64Array(PIECE) };
      let sum = 0;
      const first = number * PIECE;
      let left = first === 0 ? 0 : this.dayAfter(first - 1, 0, true).left;
      for (let i = 0; i < PIECE && first + i < this.days.count; i++) {
        const day = this.dayAfter(first + i, left, i === PIECE - 1);
        sum += day.units;
        left = day.left;
        piece.sums[i] = sum;
        piece.left[i] = left;
      }
      for (let i = this.days.count - first; i < PIECE; i++) piece.sums[i] = sum;
      this.pieces.set(number, piece);
    }
    return piece;
  }

  /** Sum of the returns from the beginning of the base date's piece to the beginning of another. */
  private offset(piece: number): number {
    const base = floor(this.base / PIECE);
    if (piece === base) return 0;
    let offset = this.offsets.get(piece);
    if (offset === undefined) {
      const whole = (of: number) => this.piece(of).sums[PIECE - 1] as number;
      offset = piece > base ? this.offset(piece - 1) + whole(piece - 1) : this.offset(piece + 1) - whole(piece);
      this.offsets.set(piece, offset);
    }
    return offset;
  }

  /** Sum of the returns from the beginning of the base date's piece to the end of a day. */
  private sumTo(index: number): number {
    return this.offset(floor(index / PIECE)) + (this.piece(floor(index / PIECE)).sums[index % PIECE] as number);
  }

  /** Return of the index-th day in units of 1e-9 of its logarithm. */
  protected unitsOf(index: number): number {
    const { sums } = this.piece(floor(index / PIECE));
    const at = index % PIECE;
    return (sums[at] as number) - (at === 0 ? 0 : (sums[at - 1] as number));
  }

  /** Logarithm of the last price of the index-th day over its official close. */
  protected leftBy(index: number): number {
    return index < 0 ? 0 : (this.piece(floor(index / PIECE)).left[index % PIECE] as number);
  }

  override close(index: number): number {
    if (index < 0) throw new RangeError('The market is simulated from 2010 on');
    return this.baseClose * exp((this.sumTo(index) - this.sumTo(this.base)) * LOG_RETURN_UNIT);
  }
}
