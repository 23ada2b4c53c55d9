import { CIRCUIT_BREAKERS } from './data/circuit-breakers';
import type { Instrument } from '../market/reference/types';
import { effectiveOn } from '../shared/effective-date';
import { istDate, istDayEnd, istTime } from '../shared/time';

/** A market-wide halt. */
export interface CircuitBreak {
  /** By how much the index has moved at least, percent: each stage halts once a day. */
  stage: number;
  /** Instant when the halt ends, milliseconds. */
  until: number;
  /** Instant when the call auction after it ends, milliseconds; the same instant where there is none. */
  reopened: number;
}

const MINUTE = 60_000;

/** True if an index can cause a market-wide halt. */
export function breaksCircuit({ derivativeType, symbol }: Instrument, at: number): boolean {
  return derivativeType === 'INDEX' && effectiveOn(CIRCUIT_BREAKERS, istDate(at)).indices.includes(symbol);
}

/**
 * The market-wide halt that an index causes by moving from its previous close to a price (docs/service/exchange-rules.md#prices);
 * undefined when it causes none. Around the clock (`always`) halts are
 * those of the morning where the exchanges would be closed.
 */
export function circuitBreak(
  index: Instrument,
  previousClose: number,
  price: number,
  at: number,
  always: boolean,
): CircuitBreak | undefined {
  if (!breaksCircuit(index, at)) return undefined;
  const { stages, reopening } = effectiveOn(CIRCUIT_BREAKERS, istDate(at));
  const moved = (Math.abs(price - previousClose) / previousClose) * 100;
  const stage = stages.findLast(({ percent }) => moved >= percent);
  if (stage === undefined) return undefined;
  const outside = always && (at < istTime(at, '09:15') || at >= istTime(at, '15:30'));
  const { minutes } = stage.halts.find(({ before }) => outside || at < istTime(at, before))!;
  const end = istDayEnd(at);
  if (minutes === null) return { stage: stage.percent, until: end, reopened: end };
  if (minutes === 0) return undefined;
  const until = at + minutes * MINUTE;
  return { stage: stage.percent, until, reopened: until + reopening * MINUTE };
}

/** Reason that orders are given which the exchange cancels as a market-wide halt begins. */
export function haltReason({ symbol }: Instrument, { stage }: CircuitBreak): string {
  return `MARKET_HALTED: ${symbol} has moved by ${stage} %: trading is halted, and the exchange has cancelled all orders that waited. Place it again when the market is open`;
}
