/** One instrument whose prices are wanted, and those who listen to it. */
import type { SessionError } from '../../base/errors';
import type { Clock, Moment } from '../../base/ports';
import type { MarketPrice } from '../../values/market-price';
import type { CandleReader, RequestedPrice } from './price-history';
import type { MarketInstrument, MarketListener, MarketTick } from './market-data';
import type { ServiceClock } from './service-clock';

/** One listener of one instrument. */
export interface PriceListener {
  readonly listener: MarketListener;
  /** Milliseconds between two requests where the stream brings nothing. */
  readonly everyMs: number;
  /** It has heard all prices before this instant (the service's clock); undefined while it has heard none. */
  seenUntil: number | undefined;
  /** The last price it heard, where REST told it; undefined where stream or history did. */
  requested: RequestedPrice | undefined;
  /** As `seenUntil`, on our own clock, until the service's is known. */
  sinceOurs: number | undefined;
  /** Prices that wait until it has heard what it missed. */
  held: MarketTick[] | undefined;
  heldSince: Moment;
  /** It hears nothing more. */
  hasLeft: boolean;
}

/** One instrument. */
export interface WatchedInstrument {
  readonly instrument: MarketInstrument;
  /** Its symbol and exchange, as the stream wrote them last: comparing one and the same text takes no time. */
  name: string;
  exchange: string;
  /** Replaced, never changed, when one comes or goes: a listener may leave, or another join, while they are told. */
  members: readonly PriceListener[];
  last: MarketTick | undefined;
  /** The service's time of the last price that the stream brought; 0 if it has brought none. */
  lastStreamAt: number;
  /** Time of the last news about it, from the stream or from a request in its place; milliseconds on our clock. */
  receivedAt: Moment;
  /** The stream brings nothing of it, though it trades. */
  isSilent: boolean;
  /** Changes when what was asked for no longer fits to what was heard. */
  version: number;
  isFilling: boolean;
}

/** Dependencies for reading prices. */
export interface PricesDeps {
  clock: Clock;
  candles: CandleReader;
  time: ServiceClock;
  /** Fires when all ends. */
  signal: AbortSignal;
  /** No session is possible without the person. */
  fatal(error: SessionError): void;
}

/** Returns a tick that has only a price. */
export function tickOfPrice(
  instrument: MarketInstrument,
  lastPrice: MarketPrice,
  at: number,
  source: MarketTick['source'],
): MarketTick {
  const none = { previousClose: null, dayHigh: null, dayLow: null, volume: null, openInterest: null };
  return { instrument, lastPrice, at, source, ...none };
}
