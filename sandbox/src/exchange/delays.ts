/** Shortest and longest of a delay, milliseconds, both included. */
export type Delay = readonly [shortest: number, longest: number];

/** How long the steps of an order take; drawn from the seeded randomness. */
export interface Delays {
  /** From the acknowledgement to SENT. */
  send: Delay;
  /** From SENT to the exchange's answer. */
  exchange: Delay;
  /** From the exchange's answer to being shown in the list. */
  list: Delay;
}

export const USUAL_DELAYS: Delays = { send: [2, 20], exchange: [20, 400], list: [300, 1500] };
export const NO_DELAYS: Delays = { send: [0, 0], exchange: [0, 0], list: [0, 0] };
