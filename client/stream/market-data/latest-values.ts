/** Market depth, Greeks and option chains: the newest one of each, passed on to those who want it. */
import type {
  BatchWebSocketGreeksMessage,
  BatchWebSocketOrderbookMessage,
  OptionGreeks,
  WebSocketMsgOptionChainUpdate,
} from '../../../proto/generated/messages';
import { bookSides } from '../../market/quotes';
import { countIn } from '../../values/counts';
import { knownMarketPrice, type MarketPrice } from '../../values/market-price';
import { nanosToMs, numberToDate } from '../../values/time';
import type { MarketEvent, MarketInstrument, MarketListener, MarketOption } from './market-data';

interface LatestValue {
  readonly instrument: MarketInstrument | undefined;
  /** Number of levels for each listener of depth; 0 for channels without levels. */
  readonly listeners: Map<MarketListener, number>;
  last: MarketEvent | undefined;
  /** Its time, milliseconds; 0 where none is told. */
  at: number;
}

export class LatestValues {
  private readonly byKey = new Map<string, LatestValue>();

  /** @param latest gives the latest time that can be now, milliseconds on the service's clock. */
  constructor(private readonly latest: () => number) {}

  /** @returns ends it. */
  join(key: string, instrument: MarketInstrument | undefined, listener: MarketListener, levels = 0): () => void {
    const picture = this.byKey.get(key) ?? { instrument, listeners: new Map(), last: undefined, at: 0 };
    this.byKey.set(key, picture);
    picture.listeners.set(listener, levels);
    if (picture.last !== undefined) listener(cutTo(picture.last, levels));
    return () => {
      picture.listeners.delete(listener);
      if (picture.listeners.size === 0) this.byKey.delete(key);
    };
  }

  takeDepth({ instruments }: BatchWebSocketOrderbookMessage): void {
    for (const { refId, timestamp, bids, asks, ltp, ltq, volume } of instruments) {
      const picture = this.byKey.get(depthKey(refId));
      if (picture?.instrument === undefined) continue;
      const depth = {
        refId,
        time: timestamp,
        ...bookSides(bids, asks),
        lastPrice: this.priceAt(ltp, timestamp),
        lastQuantity: countIn(ltq),
        volume: countIn(volume),
      };
      this.notify(picture, { kind: 'depth', instrument: picture.instrument, depth }, nanosToMs(timestamp));
    }
  }

  takeGreeks({ instruments }: BatchWebSocketGreeksMessage): void {
    for (const instrument of instruments) {
      const picture = this.byKey.get(greeksKey(instrument.refId));
      if (picture?.instrument !== undefined)
        this.notify(
          picture,
          { kind: 'greeks', instrument: picture.instrument, option: this.optionOf(instrument) },
          nanosToMs(instrument.ts),
        );
    }
  }

  takeChain({ exchange, asset, expiry, atm, currentprice, ce, pe }: WebSocketMsgOptionChainUpdate): void {
    const picture = this.byKey.get(chainKey(exchange, asset, expiry));
    const date = numberToDate(Number(expiry));
    if (picture === undefined || date === null) return;
    if (isUnclear([...ce, ...pe]) || hasTwoOfAStrike(ce) || hasTwoOfAStrike(pe)) return;
    const byStrike = (legs: readonly OptionGreeks[]): MarketOption[] =>
      // One that comes twice counts once.
      [...new Map(legs.map((leg) => [leg.refId, this.optionOf(leg)])).values()].sort((a, b) => a.strike - b.strike);
    const spot = knownMarketPrice(currentprice) ?? null;
    // Of an underlying without a price no strike is at the money.
    const chain = { exchange, asset, expiry: date, atTheMoney: spot === null ? null : atm, spot };
    const times = [...ce, ...pe].map(({ ts }) => nanosToMs(ts) ?? 0);
    const at = times.reduce((newest, time) => Math.max(newest, time), 0);
    this.notify(picture, { kind: 'chain', chain: { ...chain, calls: byStrike(ce), puts: byStrike(pe) } }, at);
  }

  /**
   * Passes a value on, unless a later one has been passed on before: frames may overtake each other, and come again after a new connection.
   * A time that is yet to come hides nothing.
   * @param at milliseconds; null or 0 where no time is told
   */
  private notify(picture: LatestValue, event: MarketEvent, at: number | null): void {
    const time = at ?? 0;
    if (time !== 0 && time < picture.at && picture.at <= this.latest()) return;
    picture.at = time;
    picture.last = event;
    for (const [listener, levels] of picture.listeners) listener(cutTo(event, levels));
  }

  /** A price of a time that is yet to come is none. @param nanos '0' where no time is told */
  private priceAt(paise: number, nanos: string): MarketPrice | null {
    const at = nanosToMs(nanos);
    return knownMarketPrice(paise, at === null ? undefined : { at, now: this.latest() }) ?? null;
  }

  private optionOf(optionGreeks: OptionGreeks): MarketOption {
    return {
      refId: optionGreeks.refId,
      strike: optionGreeks.sp,
      lotSize: optionGreeks.ls,
      lastPrice: this.priceAt(optionGreeks.ltp, optionGreeks.ts),
      change: optionGreeks.ltpchg,
      iv: countIn(optionGreeks.iv),
      delta: optionGreeks.delta,
      gamma: optionGreeks.gamma,
      theta: optionGreeks.theta,
      vega: optionGreeks.vega,
      openInterest: countIn(optionGreeks.oi),
      previousOpenInterest: countIn(optionGreeks.prevOi),
      volume: countIn(optionGreeks.volume),
      at: nanosToMs(optionGreeks.ts) ?? 0,
    };
  }
}

export function depthKey(refId: number): string {
  return `depth ${refId}`;
}

export function greeksKey(refId: number): string {
  return `greeks ${refId}`;
}

/** @param expiry YYYYMMDD */
export function chainKey(exchange: string, asset: string, expiry: string): string {
  return `chain ${exchange} ${asset.toUpperCase()} ${expiry}`;
}

/** Returns true if options of a chain contradict each other: one of them has two strikes. */
function isUnclear(legs: readonly OptionGreeks[]): boolean {
  const strikes = new Map(legs.map(({ refId, sp }) => [refId, sp]));
  return legs.some(({ refId, sp }) => strikes.get(refId) !== sp);
}

/** Returns true if two options of a side have one strike. */
function hasTwoOfAStrike(legs: readonly OptionGreeks[]): boolean {
  const options = new Map(legs.map(({ refId, sp }) => [sp, refId]));
  return legs.some(({ refId, sp }) => options.get(sp) !== refId);
}

/** Depth in so many levels; the stream sends as many as the one who wants most. */
function cutTo(event: MarketEvent, levels: number): MarketEvent {
  if (event.kind !== 'depth') return event;
  const { depth } = event;
  return { ...event, depth: { ...depth, bids: depth.bids.slice(0, levels), asks: depth.asks.slice(0, levels) } };
}
