import type { Instrument } from '../market/reference/types';
import { istDate } from '../shared/time';
import type { CircuitBreak } from './circuit-breaker';

/** Halts with their beginnings, as plain data; milliseconds. */
export interface MarketHaltState {
  everything: number | undefined;
  equity: number | undefined;
  /** The call auction after the halt of equity that began last. */
  reopening: { from: number; to: number } | undefined;
  /** The stages (percent) that halted on a date. */
  stages: { date: string; reached: number } | undefined;
  /** Halts that are over: those of everything, and those of equity alone; ascending. */
  over: { everything: readonly HaltedSpan[]; equity: readonly HaltedSpan[] };
}

/** Time [from, to) in which nothing traded, milliseconds; `to` is Infinity while that goes on. */
export interface HaltedSpan {
  from: number;
  to: number;
}

const NEVER: MarketHaltState = {
  everything: undefined,
  equity: undefined,
  reopening: undefined,
  stages: undefined,
  over: { everything: [], equity: [] },
};

/**
 * Trading halts. A halt by hand stops everything. A circuit breaker of an index halts the exchanges of equity and their derivatives,
 * while commodities (MCX) trade on (docs/service/exchange-rules.md#prices). Shares open again by a call auction, and all else when it is over.
 */
export class MarketHalts {
  private halted: MarketHaltState = NEVER;
  /** The spans of equity and of commodities; made again when something changes. */
  private spans: { equity: readonly HaltedSpan[]; commodity: readonly HaltedSpan[] } = { equity: [], commodity: [] };

  /** Halts everything by hand, or lets everything go on. */
  set(halted: boolean, at: number): void {
    const { everything, equity, over } = this.halted;
    if (halted) return this.become({ ...this.halted, everything: everything ?? at });
    this.become({
      ...this.halted,
      everything: undefined,
      equity: undefined,
      reopening: undefined,
      over: { everything: joined(over.everything, everything, at), equity: joined(over.equity, equity, at) },
    });
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
    this.become({
      ...this.halted,
      equity: equity ?? at,
      reopening: later ? { from: until, to: reopened } : reopening,
      stages: { date, reached: stage },
    });
    return true;
  }

  /** Ends the halt of a circuit breaker once its time has come. */
  resume(at: number): void {
    const { equity, reopening, over } = this.halted;
    if (at < (reopening?.to ?? 0)) return;
    this.become({ ...this.halted, equity: undefined, over: { ...over, equity: joined(over.equity, equity, at) } });
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

  /** The times in which nothing of an instrument traded, and that in which nothing does now; ascending, apart. */
  of({ exchange }: Instrument): readonly HaltedSpan[] {
    return exchange === 'MCX' ? this.spans.commodity : this.spans.equity;
  }

  state(): MarketHaltState {
    return this.halted;
  }

  restore(state: MarketHaltState): void {
    this.become(state);
  }

  private become(state: MarketHaltState): void {
    const { everything, equity, over } = state;
    this.halted = state;
    const all = joined(over.everything, everything, Infinity);
    this.spans = { commodity: all, equity: united([...all, ...joined(over.equity, equity, Infinity)]) };
  }
}

/** Spans and a last one that has begun, if any. */
const joined = (spans: readonly HaltedSpan[], from: number | undefined, to: number): readonly HaltedSpan[] =>
  from === undefined || from >= to ? spans : united([...spans, { from, to }]);

/** Spans in order, those that meet as one. */
function united(spans: readonly HaltedSpan[]): readonly HaltedSpan[] {
  const haltedSpans: HaltedSpan[] = [];
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    const last = haltedSpans.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else haltedSpans.push({ from, to });
  }
  return haltedSpans;
}
