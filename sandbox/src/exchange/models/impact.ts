import { squareRootCurves, type CurvesOf } from '../../market/prices/price-impact';

/** Model of the effect of users' orders on the price at which they trade: `--impact`. */
export interface ImpactModel {
  /** Description for a report. */
  readonly words: string;
  /** Curves by which a trade pushes the price; the book shifts along them while an order walks it. */
  readonly curvesOf: CurvesOf;
}

const MINUTE = 60_000;
/** Minutes in which a usual day's quantity is traded. */
const USUAL_DAY = 375;
/** Minimum volume of a minute, lots. One lot alone must push less than the spread, because its buyer pays before it has pushed. */
const MIN_LOTS = 40;

/** The law of real markets, and the sandbox's own (see `market/prices/price-impact`). */
export const SQUARE_ROOT: ImpactModel = {
  words: 'what is bought and sold pushes the price by the square root of its share of the volume; a part of it stays',
  curvesOf: squareRootCurves,
};

/** The price is pushed by nothing: an order walks what others show, and they come back. */
export const NO_IMPACT: ImpactModel = {
  words: 'none: an order takes what others show, and pushes nothing',
  curvesOf: () => [],
};

/** Whoever takes pays so much more, whatever the size; nothing stays in the price. @param points hundredths of a percent */
export function fixedSlippage(points: number): ImpactModel {
  const strength = points / 10_000;
  return {
    words: `fixed: who takes pays ${points} hundredths of a percent more than others ask for, rounded to the tick; nothing stays in the price`,
    curvesOf: ({ volume, lot }) => [
      { part: 'listing', curve: { shape: 'step', volume, strength, recovery: 0, least: lot / 2, furthest: strength } },
    ],
  };
}

/**
 * The price is pushed by the square of the quantity's share of a minute's volume; it comes back in a minute.
 * @param limit the share (percent) above which it is pushed no further. @param impact by how much a whole minute would push it, a fraction
 */
export function volumeShare(limit: number, impact: number): ImpactModel {
  return {
    words: `volume share: the price is pushed by ${impact} times the square of the quantity's share of a usual minute's volume, a share of at most ${limit} %; it comes back within minutes`,
    curvesOf: ({ volume, lot }) => [
      {
        part: 'listing',
        curve: {
          shape: 'square',
          volume: Math.max(volume / USUAL_DAY, MIN_LOTS * lot),
          strength: impact,
          recovery: MINUTE,
          least: lot / 2,
          furthest: impact * (limit / 100) ** 2,
        },
      },
    ],
  };
}
