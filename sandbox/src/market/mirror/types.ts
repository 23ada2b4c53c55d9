/** A live market that is looked at. Prices are paise, instants milliseconds since the epoch. */
import type { MarketDepth, Market } from '../prices/types';
import type { Instrument } from '../reference/types';

/** Interval at which books follow a live market, milliseconds: prices are asked for at whole steps. */
export const LIVE_STEP_MS = 100;

/** A quote of an instrument at an instant. */
export interface MirrorQuote extends MarketDepth {
  /** Last traded price. */
  last: number;
  /** Quantity traded on the day so far. */
  volume: number;
}

/** True if the live side is heard. */
export interface MirrorStatus {
  /** Host of the live side. */
  of: string;
  state: 'live' | 'behind' | 'displaced';
  /** Since when it has been in this state. */
  since: number;
  /** Number of seconds that it is behind: how late its last message was, or since when there is none. */
  behind: number;
  /** Meaning and remedy, in a sentence. */
  text: string;
  /** Instruments that are watched, and those of them that were never seen. */
  watched: number;
  unseen: number;
  /** Frames that were read, and those that could not be or told nonsense. */
  frames: number;
  unreadable: number;
}

/** A question that only the live side can answer; `query` is that of the address, `body` JSON. */
export type LiveQuestion =
  | { kind: 'candles'; body: string }
  | { kind: 'chain'; asset: string; query: string }
  | { kind: 'bhavcopy'; date: string; query: string };

/** An unchanged answer of the live side. */
export interface LiveAnswer {
  status: number;
  type: string;
  text: string;
}

/** Parts of a sandbox that a mirror needs. */
export interface MirrorOwner {
  now(): number;
  /** Something was seen. */
  changed(): void;
  /** Takes a quote of an instrument, and the instant from which it holds; undefined where nothing is known from then on. */
  onQuote(instrument: Instrument, at: number, quote: MirrorQuote | undefined): void;
}

/** The live side of a sandbox: it is read, and never traded on. */
export interface MirroredMarket {
  readonly market: Market;
  /** Gives each sighting the owner's time from now on. */
  attach(owner: MirrorOwner): void;
  /** Begins to watch instruments. Those that are not known are left out. */
  watch(refIds: readonly number[]): void;
  /** Watches instruments, and waits until each has been seen or the live side has had its time to answer. */
  ready(refIds: readonly number[]): Promise<void>;
  /** Asks the live side within its limits, or gives what it answered a moment ago; `trouble` says why there is no answer. */
  answer(question: LiveQuestion): Promise<LiveAnswer | { trouble: string }>;
  /** True if an instrument has ever been seen. */
  hasSeen(refId: number): boolean;
  status(): MirrorStatus;
  close(): void;
}
