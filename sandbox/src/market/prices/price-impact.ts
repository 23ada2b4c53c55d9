/**
 * What users' trades do to a price. Buying pushes it up and selling down, by the square root of the quantity over a usual day's,
 * times the daily volatility (the square-root law; Tóth et al., Physical Review X 1, 2011; Bouchaud et al., "Trades, Quotes
 * and Prices", 2018). One part of the quantity is forgotten within minutes, the other stays for as long as users hold what they
 * took. Each part is a function of a quantity that only fades, so that nobody earns by pushing a price to and fro
 * (Alfonsi and Schied, SIAM Journal on Financial Mathematics 1, 2010).
 */

const { abs, exp, log10, max, min, sign, sqrt } = Math;

/** Part of the daily volatility by which a whole day's quantity moves a price; between a half and one in the literature. */
const STRENGTH = 0.8;
/** Part of the impact that stays; after a day about half of the peak is left in the literature. */
const LASTING = 0.5;
/** Recovery of an instrument without any trade, milliseconds; the more lots are traded in a minute the sooner it comes. */
const SLOWEST_RECOVERY = 30 * 60_000;
/** No push goes further, logarithm of the price. */
const FURTHEST = 0.2;
/** Less than this is no push, logarithm of the price. */
const MIN_PUSH = 1e-5;
/** Minutes in which a usual day's quantity is traded. */
const USUAL_DAY = 375;

/** How much an instrument takes. */
export interface Liquidity {
  /** Quantity of a usual day. */
  volume: number;
  lot: number;
  /** Daily volatility of its price, a fraction. */
  volatility: number;
  /** Whether a part of the impact stays: not with derivatives, whose prices follow their underlying's. */
  lasting: boolean;
}

/** What users had bought of others, less what they had sold them, when it last changed. */
export interface Push {
  /** From this instant (milliseconds) on it shows. */
  at: number;
  fading: number;
  held: number;
  liquidity: Liquidity;
}

/** The pushes of everything that is priced (`Exposure.asset`: a share on both exchanges is one), oldest first. */
export class PriceImpact {
  private readonly pushes = new Map<string, Push[]>();

  /** Users bought so much of others (negative: sold to them); it shows from `at` (milliseconds) on. */
  add(asset: string, quantity: number, at: number, liquidity: Liquidity): void {
    const known = this.pushes.get(asset) ?? [];
    const last = known.at(-1);
    const fading = (last === undefined ? 0 : fadingAt(last, at)) + quantity;
    const push = { at, fading, held: (last?.held ?? 0) + quantity, liquidity };
    if (last?.at === at) known[known.length - 1] = push;
    else known.push(push);
    this.pushes.set(asset, known);
  }

  /** What its price is multiplied with at an instant. */
  factor(asset: string, at: number): number {
    const known = this.pushes.get(asset);
    const push = known && latest(known, at);
    if (push === undefined) return 1;
    const { volume, volatility, lasting } = push.liquidity;
    const stays = lasting ? LASTING : 0;
    const root = (quantity: number): number => sign(quantity) * sqrt(abs(quantity) / volume);
    const moved = STRENGTH * volatility * ((1 - stays) * root(fadingAt(push, at)) + stays * root(push.held));
    return abs(moved) < MIN_PUSH ? 1 : exp(max(-FURTHEST, min(FURTHEST, moved)));
  }

  /** The first instant (milliseconds) at which users pushed it; undefined where none did. */
  since(asset: string): number | undefined {
    return this.pushes.get(asset)?.[0]?.at;
  }

  get empty(): boolean {
    return this.pushes.size === 0;
  }

  state(): [asset: string, pushes: Push[]][] {
    return [...this.pushes].map(([asset, known]) => [asset, [...known]]);
  }

  restore(pushes: [asset: string, pushes: Push[]][]): void {
    for (const [asset, of] of pushes) this.pushes.set(asset, [...of]);
  }
}

/** In how many milliseconds an instrument's price forgets all but a third of what fades. */
function recovery({ volume, lot }: Liquidity): number {
  return SLOWEST_RECOVERY / (1 + log10(1 + volume / lot / USUAL_DAY));
}

const fadingAt = ({ at, fading, liquidity }: Push, then: number): number =>
  fading * exp((at - then) / recovery(liquidity));

/** The last of some pushes that shows at an instant. */
function latest(pushes: readonly Push[], at: number): Push | undefined {
  let low = 0;
  let high = pushes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pushes[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  return pushes[low - 1];
}
