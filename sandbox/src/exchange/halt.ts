import type { Instrument } from '../market/reference/types';
import { istDate } from '../shared/time';
import type { CircuitBreak } from './circuit-breaker';

/** Halts with their beginnings, as plain data; milliseconds. */
export interface HaltState {
  everything: number | undefined;
  equity: number | undefined;
  /** The call auction after the halt of equity that began last. */
  reopening: { from: number; to: number } | undefined;
  /** The stages (percent) that halted on a date. */
  stages: { date: string; reached: number } | undefined;
}

/**
 * Trading halts. A halt by hand stops everything. A circuit breaker of an index halts the exchanges of equity and their derivatives,
 * while commodities (MCX) trade on (docs/service/exchange-rules.md#prices). Shares open again by a call auction, and all else when it is over.
 */
export class TradingHalt {
  private halted: HaltState = { everything: undefined, equity: undefined, reopening: undefined, stages: undefined };

  /** Halts everything by hand, or lets everything go on. */
  set(halted: boolean, at: number): void {
    const { everything } = this.halted;
    if (halted) this.halted = { ...this.halted, everything: everything ?? at };
    else this.halted = { ...this.halted, everything: undefined, equity: undefined, reopening: undefined };
  }

  /**
   * Halts equity by a circuit breaker, or longer where another has halted it. A stage does so once a day.
   * @returns true if it does
   */
  breakCircuit(at: number, { stage, until, reopened }: CircuitBreak): boolean {
    const { equity, reopening, stages } = this.halted;
    const date = istDate(at);
    if (stages?.date === date && stages.reached >= stage) return false;
    const later = equity === undefined || reopening === undefined || reopening.to < reopened;
    this.halted = {
      ...this.halted,
      equity: equity ?? at,
      reopening: later ? { from: until, to: reopened } : reopening,
      stages: { date, reached: stage },
    };
    return true;
  }

  /** Ends the halt of a circuit breaker once its time has come. */
  resume(at: number): void {
    if (at >= (this.halted.reopening?.to ?? 0)) this.halted = { ...this.halted, equity: undefined };
  }

  /** Instant from which the price of an instrument is halted, milliseconds; undefined while it is not. */
  since({ exchange }: Instrument): number | undefined {
    const { everything, equity } = this.halted;
    if (exchange === 'MCX' || equity === undefined) return everything;
    return Math.min(equity, everything ?? Infinity);
  }

  /** True if no orders are taken for an instrument at an instant: not even those of the call auction after a halt. */
  stopped(instrument: Instrument, at: number): boolean {
    if (this.since(instrument) === undefined) return false;
    return this.halted.everything !== undefined || this.auction(instrument, at) === undefined;
  }

  /** The call auction after a halt that is held in a share at an instant. */
  auction({ exchange, derivativeType }: Instrument, at: number): { from: number; to: number } | undefined {
    const { reopening } = this.halted;
    const held = reopening !== undefined && reopening.from <= at && at < reopening.to;
    return held && exchange !== 'MCX' && derivativeType === 'STOCK' ? reopening : undefined;
  }

  state(): HaltState {
    return this.halted;
  }

  restore(state: HaltState): void {
    this.halted = state;
  }
}
