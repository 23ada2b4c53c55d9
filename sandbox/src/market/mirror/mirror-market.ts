import { createCalendar } from '../reference/calendar';
import type { Calendar, ExchangeCode, Instrument } from '../reference/types';
import type { Bar, Greeks, Market } from '../prices/types';
import { istDate, istDayStart, istDayEnd } from '../../shared/time';
import type { LiveUniverse } from './live-universe';
import { QuoteHistory } from './quote-history';
import { LIVE_STEP_MS, type MirrorOwner, type MirrorQuote } from './types';

const MINUTE = 60_000;
/** Lengths of the bars that are made of minutes, in minutes. */
const LENGTHS: Readonly<Record<string, number>> = {
  '1m': 1,
  '2m': 2,
  '3m': 3,
  '5m': 5,
  '15m': 15,
  '30m': 30,
  '1h': 60,
};
/** Interval whose bars hold only what was seen today, and intervals without any bars. */
const DAY = '1d';
const UNSEEN = ['1s', '1w', '1mth'];
const NO_GREEKS: Greeks = { iv: 0, delta: 0, gamma: 0, theta: 0, vega: 0 };

/**
 * A market that was seen, and is never made up: what nobody has seen has no depth and no volume, and does not trade. Answers
 * about an instant stay the same once a later one has been seen.
 */
export class MirrorMarket {
  /** Hears what was seen. */
  listener: MirrorOwner['onQuote'] | undefined;
  private readonly lines = new Map<number, QuoteHistory>();
  private readonly calendar: Calendar = createCalendar().calendar;

  constructor(
    private universe: LiveUniverse,
    private readonly hours: 'always' | 'exchange',
  ) {}

  /** The instruments of the day. */
  get instruments(): LiveUniverse {
    return this.universe;
  }

  /** Another day has begun: its instruments, and the closes of the day before as far as the master tells them. */
  renew(universe: LiveUniverse): void {
    this.universe = universe;
    for (const [refId, line] of this.lines) line.previousClose = universe.previousClose(refId) || line.previousClose;
  }

  /** Something was seen of an instrument, at an instant. */
  note(refId: number, quote: MirrorQuote, at: number): void {
    const line = this.line(refId);
    const past = at % LIVE_STEP_MS;
    // The first sight holds for the step that has begun: an order may arrive within it. What comes later is of the next one, also in
    // the very instant of a step: books may have gone by what was known then.
    this.notify(refId, line.note(quote, line.unknown(at, at) ? at - past : Math.max(at, at - past + 1)), quote);
  }

  /** Returns a seen quote that has a price: that of the day before where nothing has traded yet. Undefined where there is none. */
  priced(refId: number, quote: MirrorQuote): MirrorQuote | undefined {
    const last = quote.last || this.previousClose(refId);
    return last > 0 ? { ...quote, last } : undefined;
  }

  /** An index was seen. */
  noteIndex(refId: number, last: number, at: number): void {
    this.note(refId, { last, volume: 0, bids: [], asks: [] }, at);
  }

  notePreviousClose(refId: number, close: number): void {
    this.line(refId).previousClose = close;
  }

  noteGreeks(refId: number, greeks: Greeks, openInterest: number): void {
    Object.assign(this.line(refId), { greeks, openInterest });
  }

  /** The live side is no longer heard: from an instant on nothing is known. */
  interrupt(at: number): void {
    for (const refId of this.lines.keys()) this.interruptOne(refId, at);
  }

  /** Close of the day before, paise; 0 where it is not known. */
  previousClose(refId: number): number {
    return this.lines.get(refId)?.previousClose ?? this.universe.previousClose(refId);
  }

  /** Of one instrument nothing is known from an instant on. */
  interruptOne(refId: number, at: number): void {
    this.notify(refId, this.lines.get(refId)?.interrupt(at), undefined);
  }

  /** True if an instrument has ever been seen. */
  hasSeen(refId: number): boolean {
    return this.lines.get(refId)?.hasSeen ?? false;
  }

  /** True if an instrument was seen, and is known at an instant. */
  knows(refId: number, at: number): boolean {
    return this.lines.get(refId)?.unknown(at, at) === false;
  }

  /** Returns the market of the sandbox. */
  market(): Market {
    const line = ({ refId }: Instrument): QuoteHistory | undefined => this.lines.get(refId);
    const previousClose = ({ refId }: Instrument): number => this.previousClose(refId);
    const price = (instrument: Instrument, at: number): number =>
      line(instrument)?.priceAt(at) ?? previousClose(instrument);
    return {
      hours: this.hours,
      calendar: this.calendar,
      universe: () => this.universe,
      price,
      // The live side's own files tell the official close.
      close: (instrument, at) => price(instrument, istDayEnd(at) - 1),
      // Nothing but what is seen moves a price, so nothing goes with another.
      exposure: (refId) => ({ asset: `live ${refId}`, beta: 0, members: [] }),
      previousClose,
      closeRange: () => null,
      depth(instrument, at, _around, levels) {
        const quote = line(instrument)?.seenAt(at);
        return { bids: quote?.bids.slice(0, levels) ?? [], asks: quote?.asks.slice(0, levels) ?? [] };
      },
      volume(instrument, from, to) {
        const history = line(instrument);
        if (history === undefined) return 0;
        const before = istDayStart(from) === istDayStart(to) ? history.volumeAt(from) : 0;
        return Math.max(history.volumeAt(to) - before, 0);
      },
      openInterest: (instrument) => line(instrument)?.openInterest ?? 0,
      // Users' trades take what is in the book; they do not move the price of a market that has not felt them.
      liquidity: (instrument, at) => ({
        volume: Math.max(line(instrument)?.volumeAt(at) ?? 0, instrument.lotSize),
        lot: instrument.lotSize,
        volatility: 0,
        everywhere: null,
      }),
      greeks: (option) => line(option)?.greeks ?? NO_GREEKS,
      auctionPrice: () => null,
      indicativeClose: () => null,
      bars: (instrument, interval, from, to, asOf = Infinity) =>
        this.bars(instrument, interval, from, Math.min(to, asOf)),
      unknown: (instrument, from, to) => line(instrument)?.unknown(from, to) ?? true,
    };
  }

  private notify(refId: number, at: number | undefined, quote: MirrorQuote | undefined): void {
    const instrument = this.universe.byRefId(refId);
    if (at !== undefined && instrument !== undefined) this.listener?.(instrument, at, quote);
  }

  private line(refId: number): QuoteHistory {
    let history = this.lines.get(refId);
    if (history === undefined) {
      history = new QuoteHistory(this.universe.previousClose(refId));
      this.lines.set(refId, history);
    }
    return history;
  }

  private bars(instrument: Instrument, interval: string, from: number, to: number): Bar[] {
    const line = this.lines.get(instrument.refId);
    if (UNSEEN.includes(interval) || line === undefined) return [];
    if (interval === DAY)
      return together(line.bars(istDayStart(from), istDayEnd(to)), ({ at }) => istDayStart(at))
        .map((bar) => ({ ...bar, at: this.opening(instrument.exchange, bar.at) }))
        .filter(({ at }) => from <= at && at < to);
    const minutes = LENGTHS[interval];
    if (minutes === undefined) throw new RangeError(`${interval} is no interval of candles`);
    const length = minutes * MINUTE;
    const begin = ({ at }: Bar): number => {
      const opening = this.opening(instrument.exchange, at);
      return opening + Math.floor((at - opening) / length) * length;
    };
    const made = together(line.bars(from - length, to), begin);
    return made.map((bar) => ({ ...bar, at: begin(bar) })).filter(({ at }) => from <= at && at < to);
  }

  /** Returns the beginning of the continuous session of a day; on a day without one the day. */
  private opening(exchange: ExchangeCode, at: number): number {
    const sessions = this.calendar.sessions(exchange, true, istDate(at));
    return sessions.find(({ phase }) => phase === 'OPEN')?.from ?? istDayStart(at);
  }
}

/** One bar of each group of neighbours. */
function together(bars: readonly Bar[], groupOf: (bar: Bar) => number): Bar[] {
  const groups = new Map<number, Bar>();
  for (const bar of bars) {
    const group = groupOf(bar);
    const { high, low, volume } = groups.get(group) ?? { ...bar, volume: 0 };
    groups.set(group, {
      ...(groups.get(group) ?? bar),
      high: Math.max(high, bar.high),
      low: Math.min(low, bar.low),
      close: bar.close,
      volume: volume + bar.volume,
      openInterest: bar.openInterest,
    });
  }
  return [...groups.values()];
}
