import type { Instrument } from '../market/reference/types';

/** What is halted since when, as plain data; milliseconds. */
export interface HaltState {
  everything: number | undefined;
  equity: number | undefined;
  equityUntil: number;
}

/**
 * Trading halts. A person halts everything; a circuit breaker of an index halts the exchanges of equity and their derivatives,
 * while commodities (MCX) trade on (exchange-rules: Prices).
 */
export class Halt {
  private everything: number | undefined;
  private equity: number | undefined;
  private equityUntil = 0;

  /** A person halts everything, or lets everything go on. */
  set(halted: boolean, at: number): void {
    this.everything = halted ? (this.everything ?? at) : undefined;
    if (!halted) this.equity = undefined;
  }

  /** A circuit breaker halts equity until an instant, or longer where another has said so. */
  breakCircuit(at: number, until: number): void {
    this.equityUntil = this.equity === undefined ? until : Math.max(this.equityUntil, until);
    this.equity ??= at;
  }

  /** Ends the halt of a circuit breaker once its time has come. */
  resume(at: number): void {
    if (at >= this.equityUntil) this.equity = undefined;
  }

  /** Since when an instrument is halted, milliseconds; undefined while it is not. */
  since({ exchange }: Instrument): number | undefined {
    if (exchange === 'MCX' || this.equity === undefined) return this.everything;
    return Math.min(this.equity, this.everything ?? Infinity);
  }

  state(): HaltState {
    const { everything, equity, equityUntil } = this;
    return { everything, equity, equityUntil };
  }

  restore(state: HaltState): void {
    Object.assign(this, state);
  }
}
