/** Model of the instant at which a resting order trades, and of the part of the trades that users may have: `--fill`. */
export interface FillModel {
  /** Description for a report. */
  readonly words: string;
  /** Returns the quantity that others bring to the orders at the price at which they traded this volume in a step. */
  brought(volume: number): number;
  /** True if they bring it only to orders whose price they have passed. */
  readonly beyond: boolean;
  /** Part of what others trade in a minute that users may trade with them in it; Infinity for no limit. */
  readonly participation: number;
}

const QUEUE: FillModel = {
  words: 'an order book around the price, by price and then time; market orders walk it',
  brought: (volume) => volume,
  beyond: false,
  participation: Infinity,
};
const TOUCH: FillModel = {
  ...QUEUE,
  words:
    'touch: an order that waits trades as a whole once the price comes to it, whoever is before it; others walk the book',
  brought: (volume) => (volume > 0 ? Infinity : 0),
};
const THROUGH: FillModel = {
  ...TOUCH,
  words: 'through: an order that waits trades as a whole once the price has passed it; others walk the book',
  beyond: true,
};

/** The models of orders that wait, the sandbox's own first. */
export const FILL_MODELS = { queue: QUEUE, touch: TOUCH, through: THROUGH } as const;

/** A model by which users get at most so much of a minute's volume. @param percent above 0, up to 100 */
export function withParticipation(model: FillModel, percent: number): FillModel {
  return {
    ...model,
    words: `${model.words}; users trade at most ${percent} % of what others trade in a minute, the rest waits`,
    participation: percent / 100,
  };
}
