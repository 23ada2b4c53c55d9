/** Market depth, Greeks and option chains: the newest one of each, passed on to those who want it. */
import type {
  BatchWebSocketGreeksMessage,
  BatchWebSocketOrderbookMessage,
  OptionGreeks,
  WebSocketMsgOptionChainUpdate,
} from '../../../proto/generated/messages';
import { knownMarketPrice, type MarketPrice } from '../../values/market-price';
import { nanosToMs, numberToDate } from '../../values/time';
import type { MarketEvent, MarketInstrument, MarketListener, MarketOption } from './market-data';

interface LatestValue {
  readonly instrument: MarketInstrument | undefined;
  /** Number of levels for each listener of depth; 0 for channels without levels. */
  readonly listeners: Map<MarketListener, number>;
  last: MarketEvent | undefined;
}

export class LatestValues {
  private readonly byKey = new Map<string, LatestValue>();

  /** @param latest gives the latest time that can be now, milliseconds on the service's clock. */
  constructor(private readonly latest: () => number) {}

  /** @returns ends it. */
  join(key: string, instrument: MarketInstrument | undefined, listener: MarketListener, levels = 0): () => void {
    const picture = this.byKey.get(key) ?? { instrument, listeners: new Map(), last: undefined };
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
        bids,
        asks,
        lastPrice: this.priceAt(ltp, timestamp),
        lastQuantity: ltq,
        volume,
      };
      notify(picture, { kind: 'depth', instrument: picture.instrument, depth });
    }
  }

  takeGreeks({ instruments }: BatchWebSocketGreeksMessage): void {
    for (const instrument of instruments) {
      const picture = this.byKey.get(greeksKey(instrument.refId));
      if (picture?.instrument !== undefined)
        notify(picture, { kind: 'greeks', instrument: picture.instrument, option: this.optionOf(instrument) });
    }
  }

  takeChain({ exchange, asset, expiry, atm, currentprice, ce, pe }: WebSocketMsgOptionChainUpdate): void {
    const picture = this.byKey.get(chainKey(exchange, asset, expiry));
    const date = numberToDate(Number(expiry));
    if (picture === undefined || date === null) return;
    const byStrike = (legs: readonly OptionGreeks[]): MarketOption[] =>
      legs.map((leg) => this.optionOf(leg)).sort((a, b) => a.strike - b.strike);
    const spot = knownMarketPrice(currentprice) ?? null;
    // Of an underlying without a price no strike is at the money.
    const chain = { exchange, asset, expiry: date, atTheMoney: spot === null ? null : atm, spot };
    notify(picture, { kind: 'chain', chain: { ...chain, calls: byStrike(ce), puts: byStrike(pe) } });
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
      iv: optionGreeks.iv,
      delta: optionGreeks.delta,
      gamma: optionGreeks.gamma,
      theta: optionGreeks.theta,
      vega: optionGreeks.vega,
      openInterest: optionGreeks.oi,
      previousOpenInterest: optionGreeks.prevOi,
      volume: optionGreeks.volume,
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

function notify(picture: LatestValue, event: MarketEvent): void {
  picture.last = event;
  for (const [listener, levels] of picture.listeners) listener(cutTo(event, levels));
}

/** Depth in so many levels; the stream sends as many as the one who wants most. */
function cutTo(event: MarketEvent, levels: number): MarketEvent {
  if (event.kind !== 'depth') return event;
  const { depth } = event;
  return { ...event, depth: { ...depth, bids: depth.bids.slice(0, levels), asks: depth.asks.slice(0, levels) } };
}
