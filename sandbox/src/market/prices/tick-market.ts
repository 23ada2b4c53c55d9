import { nameOf, type Recordings } from '../recordings/types';
import type { Tick, TickDay, TickLevel } from '../recordings/tick-day';
import type { Instrument } from '../reference/types';
import { dayOf, parseDayNumber, SECOND, startOfDay } from '../../shared/dates';
import { istDate } from '../../shared/time';
import { endOf, joinedBar } from './candles';
import type { Bar, DepthLevel, Market } from './types';

/** Bars that are made of the bars of their days. */
const OF_DAYS = ['1w', '1mth'];

/**
 * A market in which the ticks of recordings are what others did: prices, volumes, books and auctions are those of the latest tick.
 * Orders push no price there, because the ticks already show what orders pushed. On days with candles alone, books are the made-up
 * market's, and orders push. Shares and indices have the recording's candles; those of all else are made of the ticks here. Ticks do
 * not change open interest and greeks.
 */
export function withRecordedTicks(market: Market, { ticks, instruments, stepMs }: Recordings): Market {
  if (ticks.size === 0) return market;
  const daysByRefId = new Map<number, ReadonlyMap<number, TickDay> | undefined>();

  function daysOf(instrument: Instrument): ReadonlyMap<number, TickDay> | undefined {
    const { refId } = instrument;
    if (!daysByRefId.has(refId)) daysByRefId.set(refId, ticks.get(nameOf(instrument)));
    return daysByRefId.get(refId);
  }

  /** True if its candles and closes are made of ticks here. */
  const isOwn = (instrument: Instrument): boolean =>
    daysOf(instrument) !== undefined && !instruments.has(nameOf(instrument));

  /** The day of an instrument, if its books were seen. */
  function booksOf(instrument: Instrument, at: number): TickDay | undefined {
    const day = daysOf(instrument)?.get(dayOf(at));
    return day?.isOfBars === true ? undefined : day;
  }

  const tickAt = (instrument: Instrument, at: number): Tick | undefined => booksOf(instrument, at)?.at(at);

  /** The trading day that holds an instant, or comes next; its number. */
  function tradingDay({ exchange }: Instrument, at: number): string {
    const date = istDate(at);
    return market.calendar.isTradingDay(exchange, date) ? date : market.calendar.nextTradingDay(exchange, date);
  }

  function close(instrument: Instrument, at: number): number {
    const own = isOwn(instrument) ? daysOf(instrument)!.get(dayOf(at))?.close : undefined;
    return own ?? market.close(instrument, at);
  }

  function previousClose(instrument: Instrument, at: number): number {
    const before = market.calendar.previousTradingDay(instrument.exchange, tradingDay(instrument, at));
    const close = isOwn(instrument) ? daysOf(instrument)!.get(parseDayNumber(before))?.close : undefined;
    return close ?? market.previousClose(instrument, at);
  }

  /** True if trading of the day that holds an instant, or comes next, is still to begin. */
  function isBeforeTrading(instrument: Instrument, at: number): boolean {
    const { derivativeType, exchange } = instrument;
    const isDerivative = derivativeType === 'FUT' || derivativeType === 'OPT';
    const [first] = market.calendar.sessions(exchange, isDerivative, tradingDay(instrument, at));
    return first !== undefined && at < first.from;
  }

  const price: Market['price'] = (instrument, at, otherwise) => {
    const seen = daysOf(instrument)?.get(dayOf(at))?.priceAt(at);
    const plain =
      seen ?? (isOwn(instrument) && isBeforeTrading(instrument, at) ? previousClose(instrument, at) : undefined);
    if (plain === undefined) return market.price(instrument, at, otherwise);
    if (otherwise === undefined) return plain;
    return (plain * market.price(instrument, at, otherwise)) / market.price(instrument, at);
  };

  function volume(instrument: Instrument, from: number, to: number): number {
    const days = daysOf(instrument);
    if (days === undefined) return market.volume(instrument, from, to);
    let sum = 0;
    for (let day = dayOf(from); day <= dayOf(to); day++) {
      const [begin, end] = [Math.max(from, startOfDay(day)), Math.min(to, startOfDay(day + 1))];
      const seen = days.get(day);
      sum += seen === undefined ? market.volume(instrument, begin, end) : seen.volumeAt(end) - seen.volumeAt(begin);
    }
    return sum;
  }

  /** A bar as its ticks show it, where there are any. */
  function seenBar(instrument: Instrument, bar: Bar, end: number): Bar {
    const seen = daysOf(instrument)!.get(dayOf(bar.at))?.bar(bar.at, end);
    return seen === undefined ? bar : { ...bar, ...seen, volume: volume(instrument, bar.at, end) };
  }

  function bars(instrument: Instrument, interval: string, from: number, to: number, asOf = Infinity): Bar[] {
    const marketBars = market.bars(instrument, interval, from, to, asOf);
    if (!isOwn(instrument)) return marketBars;
    return marketBars.map((bar) => {
      const end = Math.min(asOf, endOf(market, instrument, interval, bar));
      if (!OF_DAYS.includes(interval)) return seenBar(instrument, bar, end);
      return bars(instrument, '1d', bar.at, end, asOf).reduce(
        (whole, day, index) => (index === 0 ? { ...day, at: bar.at } : joinedBar(whole, day)),
        bar,
      );
    });
  }

  return {
    ...market,
    // What was seen within seconds was seen in a mirror, where nothing trades at a price that is not known.
    ...(stepMs < SECOND && {
      unknown: (instrument: Instrument, from: number, to: number) =>
        daysOf(instrument)?.get(dayOf(to))?.isUnknown(from, to) ?? false,
    }),
    price,
    close,
    previousClose,
    volume,
    bars,
    depth(instrument, at, around, levels, otherwise) {
      const tick = tickAt(instrument, at);
      if (tick === undefined) return market.depth(instrument, at, around, levels, otherwise);
      const away = around - (tick.auction ?? tick.last ?? around);
      return { bids: moved(tick.bids, away).slice(0, levels), asks: moved(tick.asks, away).slice(0, levels) };
    },
    liquidity(instrument, at, otherwise) {
      const usual = market.liquidity(instrument, at, otherwise);
      return booksOf(instrument, at) === undefined ? usual : { ...usual, volatility: 0, everywhere: null };
    },
    auctionPrice(instrument, at) {
      const tick = tickAt(instrument, at);
      return tick === undefined ? market.auctionPrice(instrument, at) : (tick.auction ?? null);
    },
    indicativeClose(instrument, at) {
      const close = market.indicativeClose(instrument, at);
      return close === null ? null : (tickAt(instrument, at)?.auction ?? close);
    },
  };
}

/** Levels at a price that is `away` paise from the seen one. */
const moved = (levels: readonly TickLevel[], away: number): DepthLevel[] =>
  levels.map((level) => ({ ...level, price: level.price + away })).filter(({ price }) => price > 0);
