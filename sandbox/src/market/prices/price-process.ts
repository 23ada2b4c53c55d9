import type { DayGrid, TradingDays } from '../reference/calendar';
import type { DayPath } from './paths';
import { under } from '../../shared/random';
import { BASE_DATE } from '../reference/tables';
import {
  fastExp,
  MARKET_VOLATILITY,
  dayReturn,
  OVERNIGHT,
  profile,
  walk,
  type MarketFactor,
  type DayReturn,
} from './random-walk';

const { exp, floor, log, max, min, round, sqrt } = Math;

/** Price processes of stocks, indices and commodities. */

const DRIFT_PER_DAY = 0.0003;
/** Daily returns are counted in units of this size of their logarithm. */
const UNIT = 1e-9;

/** Keeps the paths of all roots that were made last. */
export class PathCache {
  private readonly paths = new Map<number, DayPath>();
  private roots = 0;

  constructor(private readonly capacity: number) {}

  /** A number that tells one root's paths from another's. */
  register(): number {
    return this.roots++;
  }

  get(root: number, index: number, make: () => DayPath): DayPath {
    const name = root * 16384 + index;
    const kept = this.paths.get(name);
    if (kept) return kept;
    const path = make();
    if (this.paths.size >= this.capacity) this.paths.delete(this.paths.keys().next().value as number);
    this.paths.set(name, path);
    return path;
  }
}

/** Returns are summed up in pieces of this many days. */
const PIECE = 64;

/** The close of a day: that of the base date and the sum of all daily returns between. */
abstract class Closes {
  private readonly base: number;
  /** Running sums of the returns within each piece. */
  private readonly pieces = new Map<number, Float64Array>();
  private readonly offsets = new Map<number, number>();

  constructor(
    readonly days: TradingDays,
    private readonly baseClose: number,
  ) {
    this.base = days.notAfter(BASE_DATE);
  }

  /** Return of the index-th day in units of 1e-9 of its logarithm. */
  protected abstract returnOf(index: number): number;

  private sums(piece: number): Float64Array {
    let sums = this.pieces.get(piece);
    if (!sums) {
      sums = new Float64Array(PIECE);
      let sum = 0;
      for (let i = 0; i < PIECE; i++) {
        const index = piece * PIECE + i;
        if (index < this.days.count) sum += this.returnOf(index);
        sums[i] = sum;
      }
      this.pieces.set(piece, sums);
    }
    return sums;
  }

  /** Sum of the returns from the beginning of the base date's piece to the beginning of another. */
  private offset(piece: number): number {
    const base = floor(this.base / PIECE);
    if (piece === base) return 0;
    let offset = this.offsets.get(piece);
    if (offset === undefined) {
      const whole = (of: number) => this.sums(of)[PIECE - 1] as number;
      offset = piece > base ? this.offset(piece - 1) + whole(piece - 1) : this.offset(piece + 1) - whole(piece);
      this.offsets.set(piece, offset);
    }
    return offset;
  }

  /** Sum of the returns from the beginning of the base date's piece to the end of a day. */
  private sumTo(index: number): number {
    const piece = floor(index / PIECE);
    return this.offset(piece) + (this.sums(piece)[index % PIECE] as number);
  }

  /** Unrounded close of the index-th trading day, paise. */
  close(index: number): number {
    if (index < 0) throw new RangeError('The market is simulated from 2010 on');
    return this.baseClose * exp((this.sumTo(index) - this.sumTo(this.base)) * UNIT);
  }
}

/** A price process that others hang on. */
export abstract class PriceProcess extends Closes {
  private readonly name: number;

  constructor(
    days: TradingDays,
    close: number,
    private readonly cache: PathCache,
  ) {
    super(days, close);
    this.name = cache.register();
  }

  /** The prices of the index-th trading day. */
  path(index: number): DayPath {
    return this.cache.get(this.name, index, () => this.makePath(index));
  }

  /** Minute (count of minutes since the start) at whose end the official close stands. */
  abstract closingMinute(grid: DayGrid): number;

  /** Usual daily volatility, a fraction. */
  abstract readonly volatility: number;

  /** What multiplies the volatility on a day. */
  abstract volatilityFactor(day: number): number;

  protected abstract makePath(index: number): DayPath;
}

export interface ProcessTerms {
  key: number;
  close: number;
  /** Daily volatility, a fraction. */
  volatility: number;
  /** How strongly it follows the market factor. */
  beta: number;
  /** Largest daily return either way, a fraction. */
  limit: number;
  /** Whether its close is found by the closing auction, on days that have one. */
  auction: boolean;
}

/** A stock or a commodity: its own chance and, for stocks, the market's. */
export class AssetPriceProcess extends PriceProcess {
  private readonly own: number;

  constructor(
    days: TradingDays,
    cache: PathCache,
    private readonly nature: ProcessTerms,
    private readonly factor: MarketFactor,
  ) {
    super(days, nature.close, cache);
    const shared = nature.beta * MARKET_VOLATILITY;
    this.own = sqrt(max(nature.volatility ** 2 - shared ** 2, (nature.volatility / 3) ** 2));
  }

  get volatility(): number {
    return this.nature.volatility;
  }

  override volatilityFactor(day: number): number {
    return this.factor.volatilityFactor(day);
  }

  /** Parts of the volatility: what follows the market, and its own. */
  get shares(): { shared: number; own: number } {
    return { shared: this.nature.beta * MARKET_VOLATILITY, own: this.own };
  }

  override closingMinute(grid: DayGrid): number {
    const print = grid.auctionPrint;
    if (this.nature.auction && print !== null) return print;
    return this.days.family === 'equity' ? grid.lastMinute.cash : grid.lastMinute.commodity;
  }

  private returns(index: number): { overnight: number; intraday: number; shared: DayReturn; total: number } {
    const day = this.days.at(index);
    const shared = this.factor.dayReturn(day);
    const own = dayReturn(this.nature.key, day, this.own * this.factor.volatilityFactor(day));
    const { beta, limit } = this.nature;
    const overnight = min(max(beta * shared.overnight + own.overnight, -limit), limit);
    const free = overnight + beta * shared.intraday + own.intraday + DRIFT_PER_DAY;
    const total = round(min(max(free, -limit), limit) / UNIT);
    return { overnight, intraday: total * UNIT - overnight, shared, total };
  }

  protected override returnOf(index: number): number {
    return this.returns(index).total;
  }

  /** Logarithm of the day's close over the close before. */
  dailyReturn(index: number): number {
    return this.returns(index).total * UNIT;
  }

  /** Fills `knots` with the prices of a day at its minutes. */
  fill(knots: Float64Array, index: number): void {
    const grid = this.days.grid(index);
    const { key, beta, auction } = this.nature;
    const { overnight, intraday, shared } = this.returns(index);
    const close = this.closingMinute(grid);
    const common = beta === 0 ? undefined : this.factor.walk(grid, this.factorClose(grid));
    walk(
      knots,
      under(under(key, grid.day), 3),
      this.own * this.within(grid.day),
      intraday - beta * shared.intraday,
      close,
    );
    const previous = this.close(index - 1);
    const exact = this.close(index);
    for (let k = 0; k < knots.length; k++) {
      const log = overnight + (knots[k] as number) + (common ? beta * (common[k] as number) : 0);
      knots[k] = previous * fastExp(log);
    }
    knots.fill(exact, close, auction ? close + 1 : undefined);
  }

  /** What of the day's volatility falls within its trading. */
  private within(day: number): number {
    return sqrt(1 - OVERNIGHT) * this.volatilityFactor(day);
  }

  protected override makePath(index: number): DayPath {
    const grid = this.days.grid(index);
    const knots = new Float64Array(grid.minutes + 1);
    this.fill(knots, index);
    const volatility = this.volatility * this.within(grid.day);
    const key = under(this.nature.key, grid.day);
    return {
      index,
      grid,
      key,
      previous: this.close(index - 1),
      knots,
      volatility,
      profile: profile(grid.minutes),
      stretches: new Map(),
    };
  }

  /** The factor's own day ends where the auction does. */
  private factorClose(grid: DayGrid): number {
    return grid.auctionPrint ?? grid.minutes;
  }
}

/** An index: at every knot exactly the weighted sum of its members' returns since the close before. */
export class IndexPriceProcess extends PriceProcess {
  /** Their weights sum to 1. */
  readonly members: readonly { root: AssetPriceProcess; weight: number }[];
  readonly volatility: number;

  constructor(
    days: TradingDays,
    cache: PathCache,
    private readonly key: number,
    close: number,
    members: { root: AssetPriceProcess; weight: number }[],
  ) {
    super(days, close, cache);
    const sum = members.reduce((total, member) => total + member.weight, 0);
    this.members = members.map(({ root, weight }) => ({ root, weight: weight / sum }));
    let shared = 0;
    let own = 0;
    for (const { root, weight } of this.members) {
      shared += weight * root.shares.shared;
      own += (weight * root.shares.own) ** 2;
    }
    this.volatility = sqrt(shared ** 2 + own);
  }

  override volatilityFactor(day: number): number {
    const [first] = this.members;
    if (!first) throw new Error('An index needs members');
    return first.root.volatilityFactor(day);
  }

  override closingMinute(grid: DayGrid): number {
    return grid.auctionPrint ?? grid.lastMinute.cash;
  }

  protected override returnOf(index: number): number {
    let sum = 0;
    for (const { root, weight } of this.members) sum += weight * exp(root.dailyReturn(index));
    return round(log(sum) / UNIT);
  }

  protected override makePath(index: number): DayPath {
    const grid = this.days.grid(index);
    const previous = this.close(index - 1);
    const knots = new Float64Array(grid.minutes + 1);
    const member = new Float64Array(grid.minutes + 1);
    for (const { root, weight } of this.members) {
      root.fill(member, index);
      const scale = (previous * weight) / root.close(index - 1);
      for (let k = 0; k <= grid.minutes; k++) knots[k] = (knots[k] as number) + scale * (member[k] as number);
    }
    knots[this.closingMinute(grid)] = this.close(index);
    const volatility = this.volatility * sqrt(1 - OVERNIGHT) * this.volatilityFactor(grid.day);
    const key = under(this.key, grid.day);
    return { index, grid, key, previous, knots, volatility, profile: profile(grid.minutes), stretches: new Map() };
  }
}
