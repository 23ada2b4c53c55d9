import type { Chance } from '../shared/random';

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

/** When the last message left and when it reaches the exchange, milliseconds. */
export interface GatewayState {
  lastSend: number;
  lastArrival: number;
}

/** The one line to the exchange: messages take their time on it, and none overtakes another. */
export class Gateway {
  private last: GatewayState;

  constructor(
    private readonly chance: Chance,
    private readonly delays: Delays,
    from: GatewayState = { lastSend: 0, lastArrival: 0 },
  ) {
    this.last = { ...from };
  }

  /** When a message of the instant `at` is sent and when it reaches the exchange. */
  route(at: number): { send: number; arrive: number } {
    const send = Math.max(this.last.lastSend, at + this.draw(this.delays.send));
    const arrive = Math.max(this.last.lastArrival, send + this.draw(this.delays.exchange));
    this.last = { lastSend: send, lastArrival: arrive };
    return { send, arrive };
  }

  /** When the list begins to show an order that reaches the exchange at an instant. */
  listed(arrive: number): number {
    return arrive + this.draw(this.delays.list);
  }

  state(): GatewayState {
    return { ...this.last };
  }

  private draw([shortest, longest]: Delay): number {
    return this.chance.between(shortest, longest);
  }
}
