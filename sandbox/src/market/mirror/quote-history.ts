import type { Bar, Greeks } from '../prices/types';
import { istDayStart } from '../../shared/time';
import type { MirrorQuote } from './types';

const MINUTE = 60_000;
/** Time for which books are kept, milliseconds; of what is older there are minutes. */
const KEPT_MS = 60_000;

/** A quote and the instant from which it was seen; undefined from when on nothing was known any more. */
interface Entry {
  at: number;
  seen: MirrorQuote | undefined;
}

/** All that was seen of one instrument, oldest first. */
export class QuoteHistory {
  previousClose: number;
  greeks: Greeks | undefined;
  openInterest = 0;
  private readonly entries: Entry[] = [];
  private readonly minutes: Bar[] = [];
  /** Quantity of the day at the end of each minute that was seen. */
  private readonly volumes: number[] = [];

  constructor(previousClose: number) {
    this.previousClose = previousClose;
  }

  get hasSeen(): boolean {
    return this.minutes.length > 0;
  }

  /** Notes what was seen. Instants do not go back: a late sighting gets the latest one. @returns the instant from which it holds */
  note(quote: MirrorQuote, at: number): number {
    this.noteMinute(quote, at);
    return this.put(quote, at);
  }

  /** From an instant on nothing is known until the next sighting. @returns from when on; undefined where it was so before */
  interrupt(at: number): number | undefined {
    return this.entries.at(-1)?.seen === undefined ? undefined : this.put(undefined, at);
  }

  /** True if nothing is known at the end of a span, or was not for some time within it. */
  unknown(from: number, to: number): boolean {
    const last = this.indexAt(to);
    if (last < 0) return true;
    for (let index = Math.max(this.indexAt(from), 0); index <= last; index++)
      if (this.entries[index]!.seen === undefined) return true;
    return false;
  }

  /** Returns the last quote that was seen by an instant; undefined where that is longer ago than books are kept, or never was. */
  seenAt(at: number): MirrorQuote | undefined {
    for (let index = this.indexAt(at); index >= 0; index--) {
      const { seen: lastQuote } = this.entries[index]!;
      if (lastQuote !== undefined) return lastQuote;
    }
    return undefined;
  }

  /** The last traded price at an instant; before anything was seen the close of the day before. */
  priceAt(at: number): number {
    return this.seenAt(at)?.last ?? this.minuteBefore(at)?.close ?? this.previousClose;
  }

  /** Quantity traded on the day of an instant until then. */
  volumeAt(at: number): number {
    const entry = this.entries[this.indexAt(at)];
    const quote = this.seenAt(at);
    const day = istDayStart(at);
    if (entry !== undefined && quote !== undefined) return istDayStart(entry.at) === day ? quote.volume : 0;
    const index = this.minutes.findLastIndex((bar) => bar.at + MINUTE <= at && bar.at >= day);
    return this.volumes[index] ?? 0;
  }

  /** The minutes that begin in [from, to). */
  bars(from: number, to: number): Bar[] {
    return this.minutes.filter(({ at }) => from <= at && at < to);
  }

  private put(quote: MirrorQuote | undefined, at: number): number {
    const { entries } = this;
    const last = entries.at(-1);
    const then = Math.max(at, last?.at ?? at);
    // Of one instant the latest holds; but a gap is not covered up.
    if (last?.at === then && last.seen !== undefined && quote !== undefined) last.seen = quote;
    else entries.push({ at: then, seen: quote });
    const old = entries.findLastIndex((entry) => entry.at <= then - KEPT_MS);
    if (old > 0) entries.splice(0, old);
    return then;
  }

  private noteMinute({ last, volume }: MirrorQuote, at: number): void {
    const { minutes, volumes, openInterest } = this;
    const begin = Math.floor(at / MINUTE) * MINUTE;
    const running = minutes.at(-1);
    const before = volumes.at(-1);
    // What was traded before the first look is in no minute that was seen.
    const traded =
      before === undefined ? 0 : Math.max(volume - (istDayStart(running!.at) === istDayStart(at) ? before : 0), 0);
    if (running !== undefined && running.at >= begin) {
      running.high = Math.max(running.high, last);
      running.low = Math.min(running.low, last);
      running.close = last;
      running.volume += traded;
      running.openInterest = openInterest;
      volumes[volumes.length - 1] = volume;
      return;
    }
    minutes.push({ at: begin, open: last, high: last, low: last, close: last, volume: traded, openInterest });
    volumes.push(volume);
  }

  private minuteBefore(at: number): Bar | undefined {
    return this.minutes.findLast((bar) => bar.at + MINUTE <= at);
  }

  private indexAt(at: number): number {
    return this.entries.findLastIndex((entry) => entry.at <= at);
  }
}
