import type { Sandbox } from '../simulation/sandbox';
import type { Bar } from '../market/prices/types';
import { instrumentNamed } from '../market/reference/instrument-named';
import type { ExchangeCode, Instrument } from '../market/reference/types';
import { DAY, dayOf, startOfDay } from '../shared/dates';
import { istDate } from '../shared/time';
import { optionChain, optionLeg } from '../web/option-chain';
import { nanoseconds } from '../web/records';
import { protobufLong, type Messages } from './messages';
import { nanosOf } from './update-frame';

/** Intervals that the market has no bars of: so many bars of another one. */
const MADE_OF: Record<string, readonly [interval: string, count: number]> = {
  '5s': ['1s', 5],
  '10m': ['5m', 2],
  '2h': ['1h', 2],
  '4h': ['1h', 4],
};
/** Time before which the running candle of a long interval may have begun, days. */
const DAYS_BACK: Record<string, number> = { '1w': 7, '1mt': 31 };

/** Current messages of the market-data stream (docs/service/streams.md#market-data-messages). Prices are paise. */
export class MarketMessages {
  constructor(
    private readonly messages: Messages,
    private readonly sandbox: Sandbox,
  ) {}

  /** An instrument by its symbol, the name of an index ("Nifty 50"), its full name (FUT_CRUDEOIL_20261019) or its ref_id. */
  instrument(exchange: ExchangeCode, name: string): Instrument | undefined {
    const universe = this.sandbox.world.universe();
    const instrument =
      instrumentNamed(universe, exchange, name) ??
      [...universe.all(exchange, ['INDEX'])].find(({ displayName }) => displayName === name);
    if (instrument !== undefined || !/^\d+$/.test(name)) return instrument;
    const byRefId = universe.byRefId(Number(name));
    return byRefId?.exchange === exchange ? byRefId : undefined;
  }

  byRefId(refId: number): Instrument | undefined {
    return this.sandbox.world.universe().byRefId(refId);
  }

  /** True if its price has been seen; where it never was, it is watched from now on. */
  isKnown({ refId }: Instrument): boolean {
    const { mirror } = this.sandbox;
    mirror?.watch([refId]);
    return mirror?.hasSeen(refId) ?? true;
  }

  /** True if an instrument is in a session now, call auctions and the session after the close included. */
  inSession({ exchange, derivativeType, closingAuction }: Instrument): boolean {
    const { options, world, instant } = this.sandbox;
    if (options.hours === 'always') return true;
    const derivative = derivativeType === 'FUT' || derivativeType === 'OPT';
    return world.market.calendar
      .sessions(exchange, derivative, istDate(instant), closingAuction)
      .some(({ from, to }) => from <= instant && instant < to);
  }

  tick(instrument: Instrument, name: string) {
    const { world, instant } = this.sandbox;
    const price = world.lastPrice(instrument);
    const close = world.market.previousClose(instrument, instant);
    const { high, low } = this.range(instrument, price);
    const indicative = world.indicativeClose(instrument);
    return {
      indexname: name,
      indexValue: price,
      highIndexValue: high,
      lowIndexValue: low,
      volume: world.market.volume(instrument, startOfDay(dayOf(instant)), instant),
      changepercent: close === 0 ? 0 : ((price - close) / close) * 100,
      tickVolume: this.tickVolume(instrument),
      prevClose: close,
      exchange: instrument.exchange,
      volumeOi: isDerivative(instrument) ? world.market.openInterest(instrument, instant) : 0,
      ...(indicative === undefined ? {} : { indicativeClosePrice: indicative }),
    };
  }

  /** Highest and lowest price of today, paise. Trading around the clock, a day without a session has no candle: its hours do. */
  private range(instrument: Instrument, price: number): { high: number; low: number } {
    const { world, instant, options } = this.sandbox;
    const today = startOfDay(dayOf(instant));
    const bars = (interval: string) => world.market.bars(instrument, interval, today, instant + 1, instant + 1);
    const day = bars('1d');
    const dayBars = day.length === 0 && options.hours === 'always' ? bars('1h') : day;
    return {
      high: Math.max(price, ...dayBars.map((bar) => bar.high)),
      low: Math.min(price, ...dayBars.map((bar) => bar.low)),
    };
  }

  /** Candles from the one that began at `since` (milliseconds) on, or the running one alone; oldest first. */
  buckets(instrument: Instrument, name: string, interval: string, since: number | undefined) {
    const { world, instant } = this.sandbox;
    const all = this.bars(instrument, interval, since);
    const shown = since === undefined ? all.slice(-1) : all.filter(({ at }) => at >= since);
    const { market } = world;
    return shown.map(({ at, open, high, low, close, volume }) => ({
      at,
      message: {
        indexname: name,
        exchange: instrument.exchange,
        interval: this.messages.number('CandleInterval', `CANDLE_INTERVAL_${interval.toUpperCase()}`),
        open,
        high,
        low,
        close,
        bucketVolume: volume,
        tickVolume: this.tickVolume(instrument),
        cumulativeVolume: market.volume(instrument, startOfDay(dayOf(instant)), instant),
        bucketTimestamp: nanosOf(at),
      },
    }));
  }

  book(instrument: Instrument, levels: number) {
    const { world, instant } = this.sandbox;
    const { bids, asks, lastPrice, lastQuantity, volume } = world.exchange.bookSnapshot(instrument, instant, levels);
    return { instId: instrument.token, bids, asks, ltp: lastPrice, ltq: lastQuantity, volume, refId: instrument.refId };
  }

  /** An option; its time (`ts`) is apart, as it alone is no change. */
  greeks(option: Instrument) {
    const { ts: _time, inst_id, ref_id, prev_oi, ...leg } = optionLeg(this.sandbox, option);
    const pricePcp = this.sandbox.world.market.previousClose(option, this.sandbox.instant);
    return { ...leg, instId: inst_id, refId: ref_id, prevOi: prev_oi, pricePcp };
  }

  /** An option chain; undefined when there is none of that expiry (YYYYMMDD). */
  chain(exchange: ExchangeCode, asset: string, expiry: string) {
    // Of a live market only what is watched is known, which is not a whole chain.
    if (this.sandbox.mirror !== undefined) return undefined;
    const { ce, pe, price, atm } = optionChain(this.sandbox, exchange, asset, Number(expiry));
    if (ce.length + pe.length === 0) return undefined;
    const first = ce[0] ?? pe[0]!;
    const legs = (options: Instrument[]) => options.map((option) => this.greeks(option));
    return { first, message: { asset, expiry, ce: legs(ce), pe: legs(pe), atm, currentprice: price, exchange } };
  }

  /** Nanoseconds of an instrument's own now. */
  time(refId: number) {
    return protobufLong(nanoseconds(this.sandbox.instant, refId));
  }

  private tickVolume(instrument: Instrument): number {
    const { world, instant } = this.sandbox;
    return world.market.volume(instrument, instant - 1_000, instant);
  }

  /**
   * The candles of the day (of a long interval, those that the day is in), the running one last.
   * @param since those that begin before it may be left out.
   */
  private bars(instrument: Instrument, interval: string, since: number | undefined): Bar[] {
    const { world, instant } = this.sandbox;
    const [of, count] = MADE_OF[interval] ?? [interval === '1mt' ? '1mth' : interval, 1];
    const midnight = startOfDay(dayOf(instant));
    // Of seconds there are many: the last minute is enough, and begins with a whole candle.
    const from =
      of === '1s'
        ? Math.floor(instant / 60_000) * 60_000 - 60_000
        : midnight - (DAYS_BACK[of === '1mth' ? '1mt' : of] ?? 0) * DAY;
    // What is made of several is counted from the first of the day.
    const begin = count === 1 ? Math.max(from, since ?? from) : from;
    const bars = world.market.bars(instrument, of, begin, instant + 1, instant + 1);
    return count === 1
      ? bars
      : grouped(bars, of === '1s' ? ({ at }) => Math.floor(at / 5_000) : (_bar, index) => Math.floor(index / count));
  }
}

/** One bar of each group of neighbours. */
function grouped(bars: readonly Bar[], groupOf: (bar: Bar, index: number) => number): Bar[] {
  const groups = new Map<number, Bar>();
  bars.forEach((bar, index) => {
    const group = groupOf(bar, index);
    const before = groups.get(group);
    groups.set(
      group,
      before === undefined
        ? bar
        : {
            ...bar,
            at: before.at,
            open: before.open,
            high: Math.max(before.high, bar.high),
            low: Math.min(before.low, bar.low),
            volume: before.volume + bar.volume,
          },
    );
  });
  return [...groups.values()];
}

function isDerivative({ derivativeType }: Instrument): boolean {
  return derivativeType === 'FUT' || derivativeType === 'OPT';
}
