import { InterpolatedCurves, type CurveKnot } from './curves';
import type { FactorExposure } from './exposures';
import {
  PriceImpact,
  squareRootCurves,
  type CurvesOf,
  type ImpactLiquidity,
  type Instants,
  type ImpactPart,
  type PricePush,
} from './price-impact';
import { TradeTape, type TapeEntry } from './trade-tape';

const { abs, exp, log, max, min, sign } = Math;

/** The name of what moves all shares, each by its beta. */
export const WHOLE_MARKET = 'market';

/** Something that runs over time: of one asset (`Exposure.asset`), or of the whole market. */
export interface PriceCourse {
  asset: string;
  /** Milliseconds. */
  from: number;
  /** Of the logarithm of a price or of volatilities, from what it is at `from` on. */
  knots: readonly CurveKnot[];
}

/** For some time others show so many times what they usually do, at so many ticks from where they stood. */
export interface BookChange {
  asset: string;
  /** Milliseconds, end exclusive. */
  from: number;
  to: number;
  /** Above 0. */
  part: number;
  ticks: number;
  /** True if they trade with each other, and so with orders that wait in the book. */
  trading: boolean;
}

/** Moves of prices, as plain data. */
export interface PriceOverridesState {
  moves: [asset: string, knots: CurveKnot[]][];
  courses: [asset: string, knots: CurveKnot[]][];
  volatility: [asset: string, knots: CurveKnot[]][];
  books: BookChange[];
  impact: [asset: string, pushes: PricePush[]][];
  tape: [refId: number, entries: TapeEntry[]][];
}

/** Factors of the market's price: the one set by hand, and the push from there. */
export interface MarketFactors {
  set: number;
  pushed: number;
}

/** Trade in which users took something of others. */
export interface TakenLiquidity {
  refId: number;
  /** `Exposure.asset` of the listing. */
  asset: string;
  liquidity: ImpactLiquidity;
  /** True if the user's order had waited in the book, or traded after the close. */
  waited: boolean;
}

const EVEN: MarketFactors = { set: 1, pushed: 1 };

/**
 * All changes of the market's prices: prices set by hand, the courses of scenarios, the push of users' trades, and
 * these trades. What happens to a share happens to it on both exchanges and, by its weight, to the indices and funds that hold
 * it; a push stays with the share. What happens to the market happens to every share by its beta.
 */
export class PriceOverrides {
  readonly impact = new PriceImpact();
  readonly tape = new TradeTape();
  /** Logarithms of the factors by which prices are multiplied since they were set by hand. */
  private readonly moves = new InterpolatedCurves();
  /** The same of scenarios. */
  private readonly courses = new InterpolatedCurves();
  private readonly volatilities = new InterpolatedCurves();
  private books: BookChange[] = [];
  private readonly ofIndices = new Map<string, { at: number; version: number; factor: number }>();
  private changes = 0;
  /** Beginnings (`instants`) for assets with members, by asset: they are asked for at every price. Forgotten where one may begin. */
  private readonly beginnings = new Map<string, readonly number[]>();

  /** Curves of the listings that were traded last, by ref_id: they are asked for at every order. */
  private readonly pushedBy = new Map<
    number,
    { asset: string; liquidity: ImpactLiquidity; curves: readonly NamedCurve[] }
  >();

  /** @param curvesOf the law by which users' trades push */
  constructor(private readonly curvesOf: CurvesOf = squareRootCurves) {}

  /** Identifies the moves and pushes so far: another one with each further. */
  get version(): number {
    return this.changes;
  }

  /** From an instant on a price is the market's and what pushes it, times `factor`. */
  set({ asset, beta }: FactorExposure, at: number, factor: number): void {
    const common = beta === 0 ? 0 : beta * this.moves.value(WHOLE_MARKET, at);
    this.moves.set(asset, at, [{ at, value: log(factor) - common, ramp: false }]);
    this.begun();
  }

  /** Sets the whole market from an instant on: `value` is the logarithm of a factor, on top of its courses. */
  setMarket(at: number, value: number): void {
    this.moves.set(WHOLE_MARKET, at, [{ at, value, ramp: false }]);
    this.begun();
  }

  /** Lets a price, or the whole market's, take a course. Its course in progress ends. */
  run(course: PriceCourse): void {
    start(this.courses, course);
    this.begun();
  }

  /** The same of the volatility that options on an asset, or all options, show. */
  runVolatility(course: PriceCourse): void {
    start(this.volatilities, course);
    this.begun();
  }

  changeBook(bookChange: BookChange): void {
    this.books = [...this.books, bookChange];
  }

  /**
   * Users have taken so much of others in a listing (negative: given to them); it shows from `at` (milliseconds) on. What
   * waited in the book takes what others bring: that pushes nothing, and only takes back what users had pushed before.
   */
  push(taken: TakenLiquidity, quantity: number, at: number): void {
    const { impact } = this;
    for (const { name, curve } of this.pushed(taken)) {
      const before = impact.quantity(name, at);
      const back = before * quantity < 0 ? min(abs(before), abs(quantity)) * sign(quantity) : 0;
      const counted = taken.waited ? back : quantity;
      if (counted === 0) continue;
      impact.add(name, counted, at, curve);
      this.changes += 1;
    }
  }

  /** Returns the push of an asset's price on all exchanges at an instant, a fraction. */
  private assetShift(asset: string, shown: Instants): number {
    const { impact } = this;
    return impact.empty ? 0 : impact.meanShift(asset, shown) + impact.meanShift(soonName(asset), shown);
  }

  /** Returns the push of a listing's price at an instant, a fraction; that of its asset comes on top (`factors`). */
  listingShift(refId: number, at: number, shown: Instants = momentOf(at)): number {
    return this.impact.empty ? 0 : this.impact.meanShift(listingName(refId), shown);
  }

  /** By how much further a price will be pushed from `at` on than it is at `now`, if users take so much more. */
  furtherShift(taken: Omit<TakenLiquidity, 'waited'>, quantity: number, now: number, at: number): number {
    const { impact } = this;
    let sum = 0;
    for (const { name, curve } of this.pushed(taken))
      sum += impact.shiftAfter(name, quantity, at, curve) - impact.shift(name, now);
    return sum;
  }

  /** Instant when users first pushed a listing by itself, milliseconds; undefined where they never did. */
  pushedSince(refId: number): number | undefined {
    return this.impact.since(listingName(refId));
  }

  /** True if prices and volatilities are the market's at all times. */
  get empty(): boolean {
    const { moves, courses, volatilities, impact } = this;
    return moves.empty && courses.empty && volatilities.empty && impact.empty;
  }

  /** Returns the factor of the market's price at an instant. */
  factor(exposure: FactorExposure, at: number, shown?: Instants): number {
    const { set, pushed } = this.factors(exposure, at, shown);
    return set * pushed;
  }

  /**
   * The factor without what users' trades push: that of contracts on something, of indices and funds that hold it, and of settlements. If these
   * followed, who holds many contracts that push each other by nothing could sell them all for the push of their one underlying.
   */
  factorAlone(exposure: FactorExposure, at: number): number {
    const { moves, courses } = this;
    if (moves.empty && courses.empty) return 1;
    const { asset, beta, members } = exposure;
    const of = (curves: InterpolatedCurves): number =>
      curves.value(asset, at) + (beta === 0 ? 0 : beta * curves.value(WHOLE_MARKET, at));
    return exp(of(moves) + of(courses)) * (members.length === 0 ? 1 : this.ofMembers(exposure, at));
  }

  /** @param shown instants over which the push of users' trades is averaged; `at` when left out */
  factors(exposure: FactorExposure, at: number, shown: Instants = momentOf(at)): MarketFactors {
    const { moves, courses, impact } = this;
    if (moves.empty && courses.empty && impact.empty) return EVEN;
    const { asset, beta, members } = exposure;
    const common = (curves: InterpolatedCurves): number => (beta === 0 ? 0 : beta * curves.value(WHOLE_MARKET, at));
    return {
      set: exp(moves.value(asset, at) + common(moves)),
      pushed:
        exp(courses.value(asset, at) + common(courses)) *
        (1 + this.assetShift(asset, shown)) *
        (members.length === 0 ? 1 : this.ofMembers(exposure, at)),
    };
  }

  /** Returns the factor of an index's price if the whole market had been set to a value, as in `setMarket`. */
  wereMarket(exposure: FactorExposure, value: number, at: number): number {
    const { asset, beta, members } = exposure;
    const sum = members.reduce((total, { of, weight }) => total + weight * this.wereMarket(of, value, at), 0);
    const own = this.moves.value(asset, at) + this.courses.value(asset, at);
    const market = beta * (value + this.courses.value(WHOLE_MARKET, at));
    return exp(own + market) * (members.length === 0 ? 1 : sum);
  }

  /** Returns the multiple of their usual volatility that options on something show at an instant. */
  volatility({ asset }: FactorExposure, at: number): number {
    const { volatilities } = this;
    return volatilities.empty ? 1 : exp(volatilities.value(asset, at) + volatilities.value(WHOLE_MARKET, at));
  }

  /** Returns the change of others' orders in something with these exposures at an instant; undefined when as usual. */
  bookChange(exposures: () => readonly FactorExposure[], at: number): BookChange | undefined {
    return this.books.findLast(
      ({ asset, from, to }) =>
        from <= at && at < to && (asset === WHOLE_MARKET || exposures().some((exposure) => exposure.asset === asset)),
    );
  }

  /** From when on (milliseconds) a price is another than the market's; undefined where it never is. */
  since(exposure: FactorExposure): number | undefined {
    return earliest([this.instants(exposure)[0], this.impact.since(exposure.asset)]);
  }

  /** The instants at which moves by hand and by scenarios begin, ascending. */
  instants({ asset, beta, members }: FactorExposure): readonly number[] {
    const known = this.beginnings.get(asset);
    if (known !== undefined) return known;
    const { moves, courses } = this;
    const names = beta === 0 ? [asset] : [asset, WHOLE_MARKET];
    const own = names.flatMap((name) => [...moves.instants(name), ...courses.instants(name)]);
    const all = new Set([...own, ...members.flatMap(({ of }) => this.instants(of))]);
    const found = [...all].sort((a, b) => a - b);
    if (members.length > 0) this.beginnings.set(asset, found);
    return found;
  }

  /** The same of the volatility that its options show. */
  volatilityInstants({ asset }: FactorExposure): number[] {
    return [...this.volatilities.instants(asset), ...this.volatilities.instants(WHOLE_MARKET)].sort((a, b) => a - b);
  }

  state(): PriceOverridesState {
    const { moves, courses, volatilities, books, impact, tape } = this;
    return {
      moves: moves.state(),
      courses: courses.state(),
      volatility: volatilities.state(),
      books: [...books],
      impact: impact.state(),
      tape: tape.state(),
    };
  }

  restore({ moves, courses, volatility, books, impact, tape }: PriceOverridesState): void {
    this.moves.restore(moves);
    this.courses.restore(courses);
    this.volatilities.restore(volatility);
    this.books = [...books];
    this.impact.restore(impact);
    this.tape.restore(tape);
    this.begun();
  }

  /** All that trades in a listing push. */
  private pushed({ refId, asset, liquidity }: Omit<TakenLiquidity, 'waited'>): readonly NamedCurve[] {
    const cachedLiquidity = this.pushedBy.get(refId);
    if (cachedLiquidity?.asset === asset && isSame(cachedLiquidity.liquidity, liquidity)) return cachedLiquidity.curves;
    const curves = this.curvesOf(liquidity).map(({ part, curve }) => ({ name: nameOf(part, refId, asset), curve }));
    this.pushedBy.set(refId, { asset, liquidity, curves });
    return curves;
  }

  /** Something begins to go otherwise. */
  private begun(): void {
    this.changes += 1;
    this.beginnings.clear();
  }

  /** The weighted sum of what an index or a fund consists of, without what users' trades push. */
  private ofMembers({ asset, members }: FactorExposure, at: number): number {
    const cachedFactor = this.ofIndices.get(asset);
    if (cachedFactor?.at === at && cachedFactor.version === this.version) return cachedFactor.factor;
    const factor = members.reduce((sum, { of, weight }) => sum + weight * this.factorAlone(of, at), 0);
    this.ofIndices.set(asset, { at, version: this.version, factor });
    return factor;
  }
}

/** A curve, and the name of what it pushes. */
interface NamedCurve {
  name: string;
  curve: PricePush['curve'];
}

const momentOf = (at: number): Instants => ({ from: at, to: at });

const isSame = (one: ImpactLiquidity, other: ImpactLiquidity): boolean =>
  one.volume === other.volume &&
  one.lot === other.lot &&
  one.volatility === other.volatility &&
  one.everywhere === other.everywhere;

/** The names under which pushes are kept: of a listing by itself, and of an asset. */
const listingName = (refId: number): string => `listing ${refId}`;
const nameOf = (part: ImpactPart, refId: number, asset: string): string =>
  part === 'listing' ? listingName(refId) : part === 'soon' ? soonName(asset) : asset;
const soonName = (asset: string): string => `${asset}, soon forgotten`;

function earliest(instants: readonly (number | undefined)[]): number | undefined {
  const knownInstants = instants.filter((at) => at !== undefined);
  return knownInstants.length === 0 ? undefined : min(...knownInstants);
}

function start(curves: InterpolatedCurves, { asset, from, knots }: PriceCourse): void {
  const begin = curves.value(asset, from);
  curves.set(
    asset,
    from,
    knots.map((knot) => ({ ...knot, at: max(knot.at, from), value: begin + knot.value })),
  );
}
