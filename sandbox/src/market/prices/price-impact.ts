/**
 * Effect of users' trades on a price. Buying pushes it up and selling down, by the square root of the quantity over a usual day's, times
 * the daily volatility (the square-root law; Tóth et al., Physical Review X 1, 2011; Bouchaud et al., "Trades, Quotes and Prices", 2018);
 * the first second's worth of a day's quantity in proportion. Each push is a function of a quantity that only fades, and whoever takes from
 * the book pays the price along that curve: so a round trip costs the area between its ways, and nobody earns by pushing a price to and fro
 * (Alfonsi and Schied, SIAM Journal on Financial Mathematics 1, 2010).
 */

const { abs, exp, log10, max, min, sign, sqrt } = Math;

/** Part of the daily volatility by which a whole day's quantity moves a price; between a half and one in the literature. */
const STRENGTH = 0.8;
/** Part of the impact on a share that is slow to fade. */
const SLOW = 0.5;
/** Part of the impact that a listing on which less than half of a share is traded shows by itself, on top. */
const OWN = 0.5;
/** Recovery of a listing without any trade, milliseconds; the more lots are traded in a minute the sooner it comes. */
const SLOWEST_RECOVERY = 30 * 60_000;
/** In how many milliseconds what is slow to fade does so to a third; after a day about half of the peak is left in the literature. */
const SLOW_RECOVERY = 24 * 60 * 60_000;
/** No push goes further, a fraction of the price. */
const FURTHEST = 0.2;
/** Less than this is no push. */
const MIN_PUSH = 1e-5;
/** Minutes in which a usual day's quantity is traded. */
const USUAL_DAY = 375;
/** Part of a usual day's quantity up to which a push is in proportion: what is traded in a second. */
const PROPORTIONAL = 1 / (USUAL_DAY * 60);

/** Number of equal parts of a span over which a push is averaged. */
const PARTS = 30;

/** Instants (milliseconds) over which a push is averaged; one where both are the same. */
export interface Instants {
  from: number;
  to: number;
}

/** Liquidity of an instrument. */
export interface ImpactLiquidity {
  /** Quantity of a usual day. */
  volume: number;
  lot: number;
  /** Daily volatility of its price, a fraction. */
  volatility: number;
  /** Quantity of a usual day on all exchanges together, of a share; null for what follows another price. */
  everywhere: number | null;
}

/**
 * Growth of a push with its quantity: by the root; by the square; or all of it with the first unit, as one who asks for a fixed slippage
 * does.
 */
export type ImpactShape = 'root' | 'square' | 'step';

/** Size and duration of the push of a quantity. */
export interface ImpactCurve {
  shape: ImpactShape;
  /** Quantity of a usual day. */
  volume: number;
  /** By how much that pushes, a fraction of the price. */
  strength: number;
  /** In how many milliseconds all but a third is forgotten; 0 where nothing stays in the price once an order has traded. */
  recovery: number;
  /** Less of a quantity is none. */
  least: number;
  /** No push goes further. */
  furthest: number;
}

/** Net purchases of users from others, at the last change. */
export interface PricePush {
  /** From this instant (milliseconds) on it shows. */
  at: number;
  quantity: number;
  curve: ImpactCurve;
}

/** The pushes of one listing or of one share everywhere, oldest first. */
export class PriceImpact {
  private readonly pushes = new Map<string, PricePush[]>();

  /** Users bought so much of others (negative: sold to them); it shows from `at` (milliseconds) on. */
  add(name: string, quantity: number, at: number, curve: ImpactCurve): void {
    if (curve.recovery === 0) return;
    const pushes = this.pushes.get(name) ?? [];
    const last = pushes.at(-1);
    const from = max(at, last?.at ?? at);
    const before = last === undefined ? 0 : quantityAt(last, from);
    const push = { at: from, quantity: before + quantity, curve: deeper(before, last?.curve, curve) };
    if (last?.at === from) pushes[pushes.length - 1] = push;
    else pushes.push(push);
    this.pushes.set(name, pushes);
  }

  /** Returns the push at an instant, a fraction of the price. */
  shift(name: string, at: number): number {
    const pushes = this.pushes.get(name);
    const push = pushes && latest(pushes, at);
    if (push === undefined) return 0;
    const shift = shiftOf(quantityAt(push, at), push.curve);
    return abs(shift) < MIN_PUSH ? 0 : shift;
  }

  /** Returns the mean push over instants, a fraction of the price. */
  meanShift(name: string, { from, to }: Instants): number {
    const first = this.since(name);
    if (first === undefined || first > to) return 0;
    if (from === to) return this.shift(name, to);
    let sum = 0;
    for (let part = 0; part < PARTS; part += 1) sum += this.shift(name, from + ((to - from) * (part + 0.5)) / PARTS);
    return sum / PARTS;
  }

  /** Returns the push from `at` on if users take this much more; what is on its way included. */
  shiftAfter(name: string, quantity: number, at: number, curve: ImpactCurve): number {
    const last = this.pushes.get(name)?.at(-1);
    const before = last === undefined ? 0 : quantityAt(last, at);
    // Where each lot pushes further than the one before it, a lot pays for half of its push: else the way back would earn it.
    const ahead = curve.shape === 'square' ? sign(quantity) * curve.least : 0;
    const shift = shiftOf(before + quantity + ahead, deeper(before, last?.curve, curve));
    return abs(shift) < MIN_PUSH ? 0 : shift;
  }

  /** Returns the quantity that users have taken and the market has not forgotten at an instant; what is on its way included. */
  quantity(name: string, at: number): number {
    const last = this.pushes.get(name)?.at(-1);
    return last === undefined ? 0 : quantityAt(last, at);
  }

  /** The first instant (milliseconds) at which users pushed it; undefined where none did. */
  since(name: string): number | undefined {
    return this.pushes.get(name)?.[0]?.at;
  }

  get empty(): boolean {
    return this.pushes.size === 0;
  }

  state(): [name: string, pushes: PricePush[]][] {
    return [...this.pushes].map(([name, pushes]) => [name, [...pushes]]);
  }

  restore(pushes: [name: string, pushes: PricePush[]][]): void {
    for (const [name, of] of pushes) this.pushes.set(name, [...of]);
  }
}

/** Part that a trade pushes: the price of the listing itself, or that of its share on all exchanges, soon or slow to fade. */
export type ImpactPart = 'listing' | 'soon' | 'slow';

/** A curve, and what it pushes. */
export interface PartCurve {
  part: ImpactPart;
  curve: ImpactCurve;
}

/** Curves by which a trade in an instrument pushes each part. */
export type CurvesOf = (liquidity: ImpactLiquidity) => PartCurve[];

/** The curves of the square-root law. */
export function squareRootCurves({ volume, lot, volatility, everywhere }: ImpactLiquidity): PartCurve[] {
  const curve = (of: number, share: number, recovery: number): ImpactCurve => ({
    shape: 'root',
    volume: of,
    strength: STRENGTH * share * volatility,
    recovery,
    least: lot / 2,
    furthest: FURTHEST * share,
  });
  const soon = (of: number): number => SLOWEST_RECOVERY / (1 + log10(1 + of / lot / USUAL_DAY));
  if (everywhere === null) return [{ part: 'listing', curve: curve(volume, 1, soon(volume)) }];
  const shared: { part: ImpactPart; curve: ImpactCurve }[] = [
    { part: 'soon', curve: curve(everywhere, 1 - SLOW, soon(everywhere)) },
    { part: 'slow', curve: curve(everywhere, SLOW, SLOW_RECOVERY) },
  ];
  return volume * 2 >= everywhere ? shared : [...shared, { part: 'listing', curve: curve(volume, OWN, soon(volume)) }];
}

/** Returns the fraction by which one lot pushes a price: others ask for no less. */
export const lotShift = (liquidity: ImpactLiquidity): number =>
  squareRootCurves(liquidity).reduce((sum, { curve }) => sum + shiftOf(liquidity.lot, curve), 0);

/** The quantity that pushes a price by a fraction. */
export function quantityFor(liquidity: ImpactLiquidity, fraction: number): number {
  const curves = squareRootCurves(liquidity).map(({ curve }) => curve);
  const strength = curves.reduce((sum, curve) => sum + curve.strength, 0);
  const root = fraction / strength + sqrt(PROPORTIONAL);
  return min(...curves.map(({ volume }) => volume)) * (root * root - PROPORTIONAL);
}

/** Each shape rises with the quantity and is the same both ways: what is sold again gets no more than it cost. */
function shiftOf(quantity: number, { shape, volume, strength, furthest }: ImpactCurve): number {
  const share = abs(quantity) / volume;
  return sign(quantity) * min(strength * SHAPES[shape](share), furthest);
}

const SHAPES: Readonly<Record<ImpactShape, (share: number) => number>> = {
  root: (share) => sqrt(share + PROPORTIONAL) - sqrt(PROPORTIONAL),
  square: (share) => share * share,
  step: () => 1,
};

/**
 * Returns the curve by which a quantity goes on: while any of it is left, never by a steeper one than before, or what was bought where a
 * little moves nothing could be sold where it moves a lot.
 */
function deeper(before: number, known: ImpactCurve | undefined, curve: ImpactCurve): ImpactCurve {
  if (known === undefined || abs(before) < curve.least) return curve;
  return {
    ...curve,
    volume: max(known.volume, curve.volume),
    strength: min(known.strength, curve.strength),
    furthest: min(known.furthest, curve.furthest),
  };
}

const quantityAt = ({ at, quantity, curve }: PricePush, then: number): number =>
  then <= at ? quantity : quantity * exp((at - then) / curve.recovery);

/** The last of some pushes that shows at an instant. */
function latest(pushes: readonly PricePush[], at: number): PricePush | undefined {
  let low = 0;
  let high = pushes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pushes[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  return pushes[low - 1];
}
