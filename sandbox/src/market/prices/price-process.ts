import { nightBefore, type DayGrid, type TradingDays } from '../reference/calendar';
import { nightClock, shapeOf, type DayClock } from './day-clock';
import { drawDayReturn, OVERNIGHT, surpriseOf, type MarketFactor } from './market-factor';
import { DayPath } from './paths';
import { normal, uniform, under } from '../../shared/random';
import { BASE_DATE } from '../reference/tables';
import { addSteps, bridge, drawSteps, NEVER, fastExp, SECONDS, walk, type DayReturn } from './random-walk';

const { exp, floor, log, max, min, round, sqrt } = Math;

/** Price processes of stocks, indices and commodities. */

/** What a share is expected to earn in a year of trading days, a fraction. */
const EARNED = 0.1 / 250;
/** Daily returns are counted in units of this size of their logarithm. */
const UNIT = 1e-9;

/** How a single price's own volatility changes: of the market's it takes this power, and times of its own last this many days. */
const OWN = { ofMarket: 0.6, days: 21, times: 0.5, surprise: 0.8 };
/** News that come when nobody trades (results, orders, courts): once in this many days, so many times the usual deviation. */
const NEWS = { every: 60, size: 2.5 };

/** Paths of nights are kept under the number of the day after them and this: there are fewer days. */
const NIGHTS = 8192;

const NONE: ReadonlySet<number> = new Set();

/** A price that changes at once: news. */
interface Jump {
  minute: number;
  second: number;
  /** Paise. */
  size: number;
}

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

/** A price process that others hang on. */
export abstract class PriceProcess {
  private readonly name: number;

  constructor(
    readonly days: TradingDays,
    private readonly cache: PathCache,
  ) {
    this.name = cache.register();
  }

  /** Unrounded official close of the index-th trading day, paise. */
  abstract close(index: number): number;

  /** The prices of the index-th trading day, or of the night before it. */
  path(index: number, night = false): DayPath {
    return night
      ? this.cache.get(this.name, NIGHTS + index, () => this.makeNight(index))
      : this.cache.get(this.name, index, () => this.makePath(index));
  }

  /** Minute (count of minutes since the start) at whose end trading that makes the official close ends. */
  abstract closingMinute(grid: DayGrid): number;

  /** Usual daily volatility, a fraction. */
  abstract readonly volatility: number;

  /** What its volatility on a day turned out to be of the usual one. */
  abstract volatilityFactor(index: number): number;

  /** What its mean volatility over so many trading days after a day is expected to be of the usual one, in a minute of that day. */
  abstract expected(index: number, minute: number, days: number): number;

  /** Whether its official close is the mean of the last half hour (shares without a closing auction). */
  get averages(): boolean {
    return false;
  }

  /** Whether its prices of a day are those of a recording: they stand as they are, on no tick and in no band. */
  recorded(_index: number): boolean {
    return false;
  }

  /** How a day's variance and volume are spread over its minutes. */
  abstract clock(index: number): DayClock;

  protected abstract makePath(index: number): DayPath;

  protected abstract makeNight(index: number): DayPath;
}

/** Returns are summed up in pieces of this many days. */
const PIECE = 64;

/** The closes of some days, as sums of returns from the first of them on. */
interface Piece {
  /** Sums of the returns to the end of each day, in units of 1e-9. */
  sums: Float64Array;
  /** What of each day's last price its official close leaves out; the next day begins with it. */
  left: Float64Array;
}

/** A price that is drawn: the official close of a day is that of the base date and the sum of all daily returns between. */
abstract class DrawnPriceProcess extends PriceProcess {
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
    return this.baseClose * exp((this.sumTo(index) - this.sumTo(this.base)) * UNIT);
  }
}

export interface ProcessTerms {
  key: number;
  close: number;
  /** Index of the day of that close: of the tables' base date when left out. */
  base?: number | undefined;
  /** Daily volatility, a fraction. */
  volatility: number;
  /** How strongly it follows the market factor. */
  beta: number;
  /** Largest daily return either way, a fraction. */
  limit: number;
  /** Whether its close is found by the closing auction, on days that have one; else it is the mean of the last half hour. */
  auction: boolean;
}

/** What one price does on a day by its own chance. */
interface OwnReturn extends DayReturn {
  index: number;
  /** Part of the overnight return that comes at once. */
  news: number;
}

/** A stock or a commodity: its own chance and, for stocks, the market's. */
export class AssetPriceProcess extends DrawnPriceProcess {
  private readonly own: number;
  /** The day that was asked for last: several parts of it are asked for in turn. */
  private drawn: OwnReturn | undefined;

  constructor(
    days: TradingDays,
    cache: PathCache,
    private readonly nature: ProcessTerms,
    private readonly factor: MarketFactor,
  ) {
    super(days, nature.close, cache, nature.base);
    const shared = nature.beta * factor.volatility;
    this.own = sqrt(max(nature.volatility ** 2 - shared ** 2, (nature.volatility / 3) ** 2));
  }

  get volatility(): number {
    return this.nature.volatility;
  }

  /** Parts of the volatility: what follows the market, and its own. */
  get shares(): { shared: number; own: number } {
    return { shared: this.nature.beta * this.factor.volatility, own: this.own };
  }

  /** Correlation with the market. */
  get together(): number {
    const { shared, own } = this.shares;
    return shared / sqrt(shared ** 2 + own ** 2);
  }

  override volatilityFactor(index: number): number {
    const { expected, surprise } = this.factor.day(index);
    return this.mixed(expected * surprise, this.times(index) * this.surprise(index));
  }

  override expected(index: number, minute: number, days: number): number {
    const own = 1 + (this.times(index) - 1) * min(OWN.days / 2 / days, 1);
    return this.mixed(this.factor.expectedAfter(index, minute, days), own);
  }

  override clock(index: number): DayClock {
    return this.factor.clock(index);
  }

  private mixed(market: number, own: number): number {
    const { shared, own: alone } = this.shares;
    return sqrt(((shared * market) ** 2 + (alone * own) ** 2) / (shared ** 2 + alone ** 2));
  }

  /** How lively the times are for its own part of the volatility. */
  private times(index: number): number {
    const { key } = this.nature;
    const own = normal(under(under(key, 21), floor((index + (key % OWN.days)) / OWN.days)));
    return this.factor.day(index).expected ** OWN.ofMarket * exp(OWN.times * own - OWN.times ** 2);
  }

  private surprise(index: number): number {
    return surpriseOf(under(under(this.nature.key, 22), index), OWN.surprise);
  }

  override closingMinute(grid: DayGrid): number {
    const print = grid.auctionPrint;
    if (this.nature.auction && print !== null) return print;
    return this.days.family === 'equity' ? grid.lastMinute.cash : grid.lastMinute.commodity;
  }

  /** What its own chance does on a day. */
  private ownReturn(index: number): OwnReturn {
    if (this.drawn?.index !== index) this.drawn = { index, ...this.drawReturn(index) };
    return this.drawn;
  }

  private drawReturn(index: number): Omit<OwnReturn, 'index'> {
    const grid = this.days.grid(index);
    const key = under(this.nature.key, grid.day);
    const quiet = sqrt(1 / (1 + (OVERNIGHT * NEWS.size ** 2) / NEWS.every));
    const move = drawDayReturn(key, this.own * quiet * this.times(index) * this.surprise(index), shapeOf(grid));
    const news =
      uniform(under(key, 5)) * NEWS.every < 1
        ? NEWS.size * this.own * quiet * sqrt(OVERNIGHT) * normal(under(key, 6))
        : 0;
    const earned = this.days.family === 'equity' ? EARNED : 0;
    const { volatility } = this.nature;
    return { ...move, news, overnight: move.overnight + news + earned - (volatility * volatility) / 2 };
  }

  override get averages(): boolean {
    return !this.nature.auction && this.days.family === 'equity';
  }

  /** The mean of the last half hour less the last price, of its own part. */
  private ownAverage(index: number, own: DayReturn): number {
    const average = this.factor.average(index);
    if (!average) return 0;
    const chance = normal(under(under(this.nature.key, this.days.at(index)), 7));
    return average.slope * (own.stretches[0] as number) + average.deviation * own.volatility * chance;
  }

  protected override dayAfter(index: number, left: number, cut: boolean): { units: number; left: number } {
    const { beta, limit } = this.nature;
    const grid = this.days.grid(index);
    const shared = this.factor.day(index);
    const own = this.ownReturn(index);
    const { anchors } = shapeOf(grid);
    const closing = this.closingMinute(grid);
    let last = left + beta * shared.overnight + own.overnight;
    let tail = 0;
    for (let i = 0; i < anchors.length; i++) {
      const stretch = beta * (shared.stretches[i] as number) + (own.stretches[i] as number);
      if ((anchors[i] as number) <= closing) last += stretch;
      else tail += stretch;
    }
    const average = this.averages ? beta * (this.factor.average(index)?.market ?? 0) + this.ownAverage(index, own) : 0;
    const units = round(min(max(last + average, -limit), limit) / UNIT);
    const end = (cut ? min(max(last, -limit), limit) : last) + tail;
    return { units, left: end - units * UNIT };
  }

  /** Logarithm of the day's official close over the one before. */
  dailyReturn(index: number): number {
    return this.unitsOf(index) * UNIT;
  }

  /** Fills `knots` with the prices of a day at its minutes. */
  fill(knots: Float64Array, index: number): void {
    const grid = this.days.grid(index);
    const { key, beta, auction, limit } = this.nature;
    const clock = this.factor.clock(index);
    const own = this.ownReturn(index);
    const average = this.averages && clock.lastHalfHour ? this.ownAverage(index, own) : undefined;
    walk(knots, clock, under(under(key, grid.day), 3), own, average);
    const shared = this.factor.day(index);
    const common = beta === 0 ? undefined : this.factor.walk(index);
    const begin = this.leftBy(index - 1) + own.overnight + beta * shared.overnight;
    const previous = this.close(index - 1);
    for (let k = 0; k < knots.length; k++) {
      const price = begin + (knots[k] as number) + (common ? beta * (common[k] as number) : 0);
      knots[k] = previous * fastExp(min(max(price, -limit), limit));
    }
    if (auction) knots[this.closingMinute(grid)] = this.close(index);
  }

  /** Deviations of the parts of a minute's return where that of the day's clock is 1. */
  deviations(index: number): { shared: number; own: number } {
    return { shared: this.nature.beta * this.factor.day(index).volatility, own: this.ownReturn(index).volatility };
  }

  protected override makePath(index: number): DayPath {
    const grid = this.days.grid(index);
    const clock = this.factor.clock(index);
    const knots = new Float64Array(grid.minutes + 1);
    this.fill(knots, index);
    const { shared, own } = this.deviations(index);
    const { factor } = this;
    const { limit } = this.nature;
    const key = this.secondsKey(index);
    const previous = this.close(index - 1);
    const apart = sqrt(shared * shared + own * own);
    const [least, most] = [previous * fastExp(-limit), previous * fastExp(limit)];
    return new DayPath({
      index,
      night: false,
      grid,
      clock,
      knots,
      spread: previous * apart,
      jumps: NONE,
      fill(seconds, minute) {
        const deviation = previous * (clock.deviation[minute] as number);
        drawSteps(seconds, under(key, minute), deviation * own);
        if (shared !== 0) addAll(seconds, factor.seconds(index, minute, false), deviation * shared);
        const before = knots[minute] as number;
        const after = knots[minute + 1] as number;
        bridge(seconds, before, after, minute === 0);
        const room = NEVER * deviation * apart;
        if (max(before, after) + room < most && min(before, after) - room > least) return;
        for (let s = 0; s < SECONDS; s++) seconds[s] = min(max(seconds[s] as number, least), most);
      },
    });
  }

  /** Fills `knots` with the prices at the minutes of the night before a day, and tells the news of that night. */
  fillNight(knots: Float64Array, index: number, clock: DayClock): Jump | undefined {
    const { key: root, beta, limit } = this.nature;
    const own = this.ownReturn(index);
    const key = under(under(root, this.days.at(index)), 9);
    walk(knots, clock, key, { volatility: own.night, stretches: [own.overnight - own.news] });
    const common = beta === 0 ? undefined : this.factor.nightWalk(index, clock);
    const minute = key % clock.variance.length;
    const previous = this.close(index - 1);
    const begin = this.leftBy(index - 1);
    for (let k = 0; k < knots.length; k++) {
      const price = begin + (knots[k] as number) + (common ? beta * (common[k] as number) : 0);
      knots[k] = previous * fastExp(min(max(price + (k > minute ? own.news : 0), -limit), limit));
    }
    const size = previous * own.news;
    return own.news === 0 ? undefined : { minute, second: under(key, 1) % SECONDS, size };
  }

  /** Deviations of the parts of a night's return. */
  nightDeviations(index: number): { shared: number; own: number } {
    return { shared: this.nature.beta * this.factor.day(index).night, own: this.ownReturn(index).night };
  }

  protected override makeNight(index: number): DayPath {
    const grid = nightBefore(this.days, index);
    const clock = nightClock(grid.minutes);
    const knots = new Float64Array(grid.minutes + 1);
    const news = this.fillNight(knots, index, clock);
    const { shared, own } = this.nightDeviations(index);
    const previous = this.close(index - 1);
    const source = { key: this.nightKey(index), deviation: previous * own };
    return nightPath({
      index,
      grid,
      knots,
      own: [source],
      together: previous * shared,
      factor: this.factor,
      news: news ? [news] : [],
    });
  }

  /** Where the steps of its own through the seconds of a night come from. */
  nightKey(index: number): number {
    return under(under(this.nature.key, this.days.at(index)), 10);
  }

  /** Where the steps of its own through the seconds of a day come from. */
  secondsKey(index: number): number {
    return under(under(this.nature.key, this.days.at(index)), 8);
  }
}

function addAll(sum: Float64Array, values: Float64Array, times: number): void {
  for (let s = 0; s < SECONDS; s++) sum[s] = (sum[s] as number) + times * (values[s] as number);
}

/** The path of a night: of one source of chance, or of the sum of many. */
function nightPath(parts: {
  index: number;
  grid: DayGrid;
  knots: Float64Array;
  own: { key: number; deviation: number }[];
  together: number;
  factor: MarketFactor;
  news: Jump[];
}): DayPath {
  const { index, grid, knots, own, together, factor, news } = parts;
  const clock = nightClock(grid.minutes);
  const apart = own.reduce((sum, { deviation }) => sum + deviation * deviation, 0);
  return new DayPath({
    index,
    night: true,
    grid,
    clock,
    knots,
    spread: sqrt(together * together + apart),
    jumps: new Set(news.map(({ minute }) => minute)),
    fill(seconds, minute) {
      const width = clock.deviation[minute] as number;
      seconds.fill(0);
      for (const { key, deviation } of own) addSteps(seconds, under(key, minute), deviation * width);
      if (together !== 0) addAll(seconds, factor.seconds(index, minute, true), together * width);
      const jumps = news.filter((one) => one.minute === minute);
      const size = jumps.reduce((sum, one) => sum + one.size, 0);
      const after = knots[minute + 1] as number;
      bridge(seconds, knots[minute] as number, after - size, false);
      for (const { second, size: step } of jumps)
        for (let s = second; s < SECONDS; s++) seconds[s] = (seconds[s] as number) + step;
      seconds[SECONDS - 1] = after;
    },
  });
}

/** An index: at every second the weighted sum of its members' returns since the close before. */
export class IndexPriceProcess extends DrawnPriceProcess {
  /** Their weights sum to 1. */
  readonly members: readonly { root: AssetPriceProcess; weight: number }[];
  readonly volatility: number;

  constructor(
    days: TradingDays,
    cache: PathCache,
    private readonly factor: MarketFactor,
    close: number,
    members: { root: AssetPriceProcess; weight: number }[],
    base?: number,
  ) {
    super(days, close, cache, base);
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

  /** Correlation with the market. */
  get together(): number {
    return this.members.reduce((sum, { root, weight }) => sum + weight * root.shares.shared, 0) / this.volatility;
  }

  override volatilityFactor(index: number): number {
    return this.factor.day(index).expected * this.factor.day(index).surprise;
  }

  override expected(index: number, minute: number, days: number): number {
    return this.factor.expectedAfter(index, minute, days);
  }

  override clock(index: number): DayClock {
    return this.factor.clock(index);
  }

  override closingMinute(grid: DayGrid): number {
    return grid.auctionPrint ?? grid.lastMinute.cash;
  }

  protected override dayAfter(index: number): { units: number; left: number } {
    let sum = 0;
    for (const { root, weight } of this.members) sum += weight * exp(root.dailyReturn(index));
    return { units: round(log(sum) / UNIT), left: 0 };
  }

  protected override makePath(index: number): DayPath {
    const grid = this.days.grid(index);
    const previous = this.close(index - 1);
    const knots = new Float64Array(grid.minutes + 1);
    const member = new Float64Array(grid.minutes + 1);
    let together = 0;
    let apart = 0;
    const own: { key: number; deviation: number }[] = [];
    for (const { root, weight } of this.members) {
      root.fill(member, index);
      const scale = (previous * weight) / root.close(index - 1);
      for (let k = 0; k <= grid.minutes; k++) knots[k] = (knots[k] as number) + scale * (member[k] as number);
      const parts = root.deviations(index);
      together += previous * weight * parts.shared;
      apart += (previous * weight * parts.own) ** 2;
      own.push({ key: root.secondsKey(index), deviation: previous * weight * parts.own });
    }
    knots[this.closingMinute(grid)] = this.close(index);
    const clock = this.clock(index);
    const { factor } = this;
    return new DayPath({
      index,
      night: false,
      grid,
      clock,
      knots,
      spread: sqrt(together * together + apart),
      jumps: NONE,
      // Steps add up as prices do: the sum of the members' ways is the way of the sums of their steps.
      fill(seconds, minute) {
        const width = clock.deviation[minute] as number;
        seconds.fill(0);
        for (const { key, deviation } of own) addSteps(seconds, under(key, minute), deviation * width);
        addAll(seconds, factor.seconds(index, minute, false), together * width);
        bridge(seconds, knots[minute] as number, knots[minute + 1] as number, minute === 0);
      },
    });
  }

  protected override makeNight(index: number): DayPath {
    const grid = nightBefore(this.days, index);
    const clock = nightClock(grid.minutes);
    const previous = this.close(index - 1);
    const knots = new Float64Array(grid.minutes + 1);
    const member = new Float64Array(grid.minutes + 1);
    const own: { key: number; deviation: number }[] = [];
    const news: Jump[] = [];
    let together = 0;
    for (const { root, weight } of this.members) {
      const told = root.fillNight(member, index, clock);
      const scale = (previous * weight) / root.close(index - 1);
      for (let k = 0; k <= grid.minutes; k++) knots[k] = (knots[k] as number) + scale * (member[k] as number);
      const parts = root.nightDeviations(index);
      together += previous * weight * parts.shared;
      own.push({ key: root.nightKey(index), deviation: previous * weight * parts.own });
      if (told) news.push({ ...told, size: told.size * scale });
    }
    return nightPath({ index, grid, knots, own, together, factor: this.factor, news });
  }
}
