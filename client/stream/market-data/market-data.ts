/**
 * Live market data: what can be wanted of it, and what comes. The contract between what brings it (the stream, REST where
 * the stream does not) and what uses it (alerts, triggers, snapshots). Money is integers in paise, times are milliseconds
 * since the epoch.
 */
import type { BrokerageError } from '../../base/errors';
import type { Instrument } from '../../instruments/instrument';
import type { OrderBook } from '../../market/quotes';
import type { MarketPrice } from '../../values/market-price';

/** Properties of an instrument for the service. `refId` identifies it. */
export type MarketInstrument = Pick<Instrument, 'refId' | 'exchange' | 'symbol' | 'kind'> &
  Partial<Pick<Instrument, 'expiry' | 'platName'>>;

/** Lengths of a candle that both the stream and the history have (docs/service/streams.md#market-data-commands), up to a day. */
export const STREAM_INTERVALS = ['1m', '2m', '3m', '5m', '15m', '30m', '1h', '1d'] as const;
export type StreamInterval = (typeof STREAM_INTERVALS)[number];

/**
 * One thing that somebody wants to hear. `paceMs`: it is enough to hear of it so often, milliseconds, so that the service may be asked
 * to tell it less often; each change where it is not there.
 */
export type MarketSubscription =
  /**
   * Prices. `since`: the listener has seen all prices up to then (it was stopped); the prices between are read from the
   * history and come first, with source `history`. `requested`: the last that it has seen, paise, where it came over REST.
   * `sinceOurs`: as `since`, on our own clock, where the listener has seen none
   * and began to listen then. `everyMs`: how often REST is asked where the stream brings nothing, 5,000
   * where it is not there; less often where many instruments would take too much of the account's rate of requests.
   */
  | {
      kind: 'tick';
      instrument: MarketInstrument;
      since?: number;
      requested?: number;
      sinceOurs?: number;
      everyMs?: number;
      paceMs?: number;
    }
  /**
   * Closed candles, with each change. `since`: start of the last candle that the listener has had; later ones are read from the history.
   */
  | { kind: 'candle'; instrument: MarketInstrument; interval: StreamInterval; since?: number; paceMs?: undefined }
  /** Market depth; `levels` from 1 to 20. */
  | { kind: 'depth'; instrument: MarketInstrument; levels: number; paceMs?: number }
  /** An option's price, Greeks and open interest. */
  | { kind: 'greeks'; instrument: MarketInstrument; paceMs?: number }
  /** All options of an underlying. `expiry` is YYYY-MM-DD. */
  | { kind: 'chain'; exchange: string; asset: string; expiry: string; paceMs?: number };

/** A price. */
export interface MarketTick {
  instrument: MarketInstrument;
  /** Last traded price. */
  lastPrice: MarketPrice;
  /** Time of the state on the exchange's clock; from REST, which shows no time, the time of the request. */
  at: number;
  /**
   * Length of the candle that the price is from, milliseconds: its moment within the candle is not known, and `at` only gives its place
   * among the others. Left out if the time is a moment.
   */
  withinMs?: number;
  /**
   * `stream`: a message of the stream. `rest`: requested while the stream brings nothing. `history`: a state from a silent period; the
   * open, low, high and close of a short candle, one after the other.
   */
  source: 'stream' | 'rest' | 'history';
  /** Close of the day before; null if the source tells none, as with all that follow. */
  previousClose: MarketPrice | null;
  /** Highest and lowest price of the day. */
  dayHigh: MarketPrice | null;
  dayLow: MarketPrice | null;
  /** Traded on the day so far. */
  volume: number | null;
  openInterest: number | null;
}

/** A candle that is over: it never changes any more, and comes once. */
export interface ClosedCandle {
  instrument: MarketInstrument;
  interval: StreamInterval;
  /** Start time. */
  at: number;
  open: MarketPrice;
  high: MarketPrice;
  low: MarketPrice;
  close: MarketPrice;
  /** Traded within it; null for an index. */
  volume: number | null;
  /** True if it was over before the listener could hear of it, and came from the history later. */
  recovered: boolean;
}

/** An option with its Greeks, as the stream has them. */
export interface MarketOption {
  refId: number;
  /** Strike price. */
  strike: number;
  lotSize: number;
  /** Null where it has not traded, or its time is yet to come. */
  lastPrice: MarketPrice | null;
  /** Percent from the previous close. */
  change: number;
  /** Implied volatility, a fraction: 0.2037; null for one below 0, as for the counts. */
  iv: number | null;
  delta: number;
  gamma: number;
  theta: number;
  vega: number;
  openInterest: number | null;
  previousOpenInterest: number | null;
  volume: number | null;
  at: number;
}

/** An option chain, its options by strike ascending. */
export interface MarketChain {
  exchange: string;
  asset: string;
  /** YYYY-MM-DD. */
  expiry: string;
  /** The strike at the money; null if the underlying has no price. */
  atTheMoney: number | null;
  /** Price of the underlying; null if it has none. */
  spot: MarketPrice | null;
  calls: MarketOption[];
  puts: MarketOption[];
}

/** All that market data tells, in the order in which it came. */
export type MarketEvent =
  | { kind: 'tick'; tick: MarketTick }
  | { kind: 'candle'; candle: ClosedCandle }
  | { kind: 'depth'; instrument: MarketInstrument; depth: OrderBook }
  | { kind: 'greeks'; instrument: MarketInstrument; option: MarketOption }
  | { kind: 'chain'; chain: MarketChain }
  /**
   * The stream brings nothing of an instrument though it trades; its price is asked for over REST. Comes once, until it brings something.
   */
  | { kind: 'silent'; instrument: MarketInstrument }
  /**
   * The service refuses subscriptions, as all that listens with the account would be too much; it does not tell which. What the stream
   * does not bring is asked for over REST: prices and closed candles. Comes once, until the service has taken all.
   */
  | { kind: 'refused'; said: string }
  /** Its last day of trading is over: nothing of it is asked for any more. Comes once to each listener. */
  | { kind: 'expired'; instrument: MarketInstrument }
  /** The prices between two instants (as far as the next price differs) could not be read: a crossing may be lost. */
  | { kind: 'gap'; instrument: MarketInstrument; from: number; to: number; reason: string }
  /** From now on prices come from the stream, or are asked for over REST. `reason` says why, in words. */
  | { kind: 'source'; now: 'stream' | 'rest'; reason: string }
  /** Neither the stream nor REST has brought anything for this many milliseconds, long enough to warn the user; once for each outage. */
  | { kind: 'outage'; reason: string; downMs: number }
  /** A frame could not be read; comes once for each cause. */
  | { kind: 'badFrame'; cause: string }
  /** Nothing is possible without the person: nothing more will come. */
  | { kind: 'fatal'; error: BrokerageError };

/** Is called for each event, at once and in order. It must not throw. */
export type MarketListener = (event: MarketEvent) => void;

/** The market data of one credential: all who listen share one socket. A trigger has it as `market` of its service. */
export interface MarketData {
  /**
   * Wants something from now on, and hears it and what the stream says of itself. Resolves when the stream is open, or
   * REST has answered in its place. Events may come before that.
   * @param signal gives up the waiting, and ends the wants too.
   * @returns ends the wants, and the socket with the last ones; never throws.
   * @throws InputError when all wants together are more than the service allows one account; BrokerageError when neither
   *   the stream nor REST answers; the signal's reason.
   */
  subscribe(
    subscriptions: readonly MarketSubscription[],
    listener: MarketListener,
    signal: AbortSignal,
  ): Promise<() => void>;
}
