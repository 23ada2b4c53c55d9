import type { RandomSource } from '../../shared/random';

/** Shortest and longest of a delay, milliseconds, both included. */
export type LatencyRange = readonly [shortest: number, longest: number];

/** Length of a step: any time of a range, or one of those that were measured, milliseconds. */
export type LatencyStep = LatencyRange | { readonly samples: readonly number[] };

/** Lengths of the steps of an order; drawn from the seeded randomness. */
export interface OrderLatency {
  /** From the acknowledgement to SENT. */
  send: LatencyStep;
  /** From SENT to the exchange's answer. */
  exchange: LatencyStep;
  /** From the exchange's answer to being shown in the list. */
  list: LatencyStep;
}

export const USUAL_LATENCY: OrderLatency = { send: [2, 20], exchange: [20, 400], list: [300, 1500] };
/** A machine beside the exchange's, by whose figures nobody at home should judge a strategy. */
export const COLOCATED_LATENCY: OrderLatency = { send: [0, 1], exchange: [0, 2], list: [20, 100] };
export const NO_LATENCY: OrderLatency = { send: [0, 0], exchange: [0, 0], list: [0, 0] };

/** Instant when the last message left and when it reaches the exchange, milliseconds. */
export interface LatencyModelState {
  lastSend: number;
  lastArrival: number;
}

/** The one line to the exchange: messages take their time on it, and none overtakes another. */
export class LatencyModel {
  private last: LatencyModelState;

  constructor(
    private readonly random: RandomSource,
    private readonly ranges: OrderLatency,
    from: LatencyModelState = { lastSend: 0, lastArrival: 0 },
  ) {
    this.last = { ...from };
  }

  /** Returns the times at which a message of the instant `at` is sent and reaches the exchange. */
  route(at: number): { send: number; arrive: number } {
    const send = Math.max(this.last.lastSend, at + this.draw(this.ranges.send));
    const arrive = Math.max(this.last.lastArrival, send + this.draw(this.ranges.exchange));
    this.last = { lastSend: send, lastArrival: arrive };
    return { send, arrive };
  }

  /** Returns the instant from which the list shows an order that reaches the exchange at an instant. */
  listed(arrive: number): number {
    return arrive + this.draw(this.ranges.list);
  }

  state(): LatencyModelState {
    return { ...this.last };
  }

  private draw(step: LatencyStep): number {
    return drawLatency(this.random, step);
  }
}

/** Draws the length of a step this time, milliseconds. */
export function drawLatency(random: RandomSource, step: LatencyStep): number {
  if ('samples' in step) return step.samples[random.between(0, step.samples.length - 1)]!;
  return random.between(...step);
}
