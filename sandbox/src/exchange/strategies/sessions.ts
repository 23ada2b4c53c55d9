import type { Instrument } from '../../market/reference/types';
import { istDate, istMidnight } from '../../shared/time';
import type { StrategyConditions } from './rules';
import type { IntentOrder, NewIntent } from './types';
import type { Exchange } from '../contract';

/** The next session is looked for so many changes of session ahead: holidays are not longer. */
const MAX_PHASES = 200;

type Legs = Pick<NewIntent, 'legs'>;

/** Things that the sessions of an order need. */
export interface SessionDeps {
  exchange: Exchange;
  /** Instrument that can be traded at an instant. */
  listed(refId: number, at: number): Instrument | undefined;
  /** The same, also of what has expired since it was first seen. @throws RangeError for one that never was */
  instrument(refId: number, at: number): Instrument;
  /** The instant of the day of `at` from which no intraday position may be opened; undefined when there is none. */
  intradayStop: ((instrument: Instrument, at: number) => number | undefined) | undefined;
}

/** Tells when the legs of an order trade, and at which price. Instants are milliseconds, prices paise. */
export class LegSessions {
  constructor(private readonly deps: SessionDeps) {}

  /** Last price of a single order's instrument, net price of a strategy. */
  netPrice({ legs }: Legs, at: number): number {
    const isSingle = legs.length === 1 && Math.abs(legs[0]!.unit) === 1;
    return isSingle ? this.lastPrice(legs[0]!.refId, at) : this.netOf(legs, at);
  }

  /** The sum of leg price × signed units, also of a single leg. */
  netOf(legs: Legs['legs'], at: number): number {
    return legs.reduce((sum, { refId, unit }) => sum + unit * this.lastPrice(refId, at), 0);
  }

  /** The last price of a leg's instrument. */
  lastPrice(refId: number, at: number): number {
    return this.deps.exchange.lastPrice(this.deps.instrument(refId, at), at);
  }

  /** Facts that the rules of an order need of an instant. */
  moment(order: Pick<NewIntent, 'legs' | 'product'>, at: number): StrategyConditions {
    const session = this.next(order, at);
    return {
      at,
      instrument: (refId) => this.inSession(refId, at, session.from),
      session,
      price: () => this.netPrice(order, at),
      trades: (then) =>
        order.legs.every(({ refId }) => this.deps.exchange.session(this.deps.instrument(refId, at), then).open),
    };
  }

  /** Returns a tradable instrument with the lot that it has in the session in which the order works (docs/service/exchange-rules.md#quantities). */
  private inSession(refId: number, at: number, from: number): Instrument | undefined {
    const now = this.deps.listed(refId, at);
    const then = istDate(from) === istDate(at) ? now : this.deps.listed(refId, from);
    if (now === undefined || then === undefined) return now;
    const { lotSize, lotMultiplier, freezeQty } = then;
    return { ...now, lotSize, lotMultiplier, freezeQty };
  }

  /** Phase of an order: `open` if all legs are in their session, and the instant at which that may change. */
  phase({ legs }: Legs, at: number): { open: boolean; until: number } {
    const all = legs.map(({ refId }) => this.deps.exchange.session(this.deps.instrument(refId, at), at));
    return { open: all.every(({ open }) => open), until: Math.min(...all.map(({ until }) => until)) };
  }

  /** True if all legs trade: their sessions are open and nothing is halted. */
  isOpen({ legs }: Legs, at: number): boolean {
    return legs.every(({ refId }) => this.deps.exchange.isOpen(this.deps.instrument(refId, at), at));
  }

  /** True if the contract of a leg has expired. */
  hasExpired({ legs }: Legs, at: number): boolean {
    return legs.some(({ refId }) => this.deps.listed(refId, at) === undefined);
  }

  /** End of an instant's session for an order. An intraday order's session ends when the broker squares off. */
  closeOf({ legs, product }: Pick<NewIntent, 'legs' | 'product'>, at: number): number {
    const { exchange, intradayStop } = this.deps;
    return Math.min(
      ...legs.flatMap(({ refId }) => {
        const instrument = this.deps.instrument(refId, at);
        const stop = product === 'IDAY' ? intradayStop?.(instrument, at) : undefined;
        return [exchange.closeOf(instrument, at), ...(stop === undefined || stop <= at ? [] : [stop])];
      }),
    );
  }

  /** End of a GTE order; Infinity for the others. */
  lastClose({ goodTill, legs }: IntentOrder): number {
    if (goodTill === null) return Number.POSITIVE_INFINITY;
    const day = istMidnight(istDate(goodTill));
    return Math.min(...legs.map(({ refId }) => this.deps.exchange.closeOf(this.deps.instrument(refId, day), day)));
  }

  /** The session that runs, or the next one; of an order with an unknown instrument none. */
  private next(order: Pick<NewIntent, 'legs' | 'product'>, at: number): { from: number; to: number } {
    if (this.hasExpired(order, at)) return { from: at, to: at };
    let from = at;
    for (let phase = 0; phase < MAX_PHASES; phase += 1) {
      const { open, until } = this.phase(order, from);
      if (open) return { from, to: this.closeOf(order, from) };
      from = until;
    }
    return { from: at, to: at };
  }
}
