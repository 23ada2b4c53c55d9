import { dayOf, formatDayNumber, MINUTE } from '../../shared/dates';
import type { Bar, Market } from './types';
import type { Instrument } from '../reference/types';
import type { CandleType, CandleField } from './candle-fields';

/** Running totals of candles: volumes, premium and open interest of an instrument or of all derivatives of an asset. */

/** A total at the end of a candle, counted from `opening`; undefined for a field that is no total. */
export type BarAggregate = (field: CandleField, bar: Bar, end: number, opening: number) => number | undefined;

interface Contracts {
  calls: Instrument[];
  puts: Instrument[];
  futures: Instrument[];
}

/** Price that a bar's volume is taken to have been traded at, paise. */
const typical = (bar: Bar): number => Math.round((bar.high + bar.low + bar.close) / 3);

/** Bought less sold quantity of a bar: all of it where the price went from one end of the bar to the other. */
const imbalance = (bar: Bar): number =>
  bar.high === bar.low ? 0 : Math.round((bar.volume * (bar.close - bar.open)) / (bar.high - bar.low));

/** A sum over the minutes since an opening that is carried on from candle to candle. */
class Running {
  private opening = NaN;
  private upTo = NaN;
  private sum = 0;
  /** The seconds of the minute that is not over: up to when, and what they come to. */
  private seconds = { upTo: NaN, sum: 0 };

  constructor(
    private readonly market: Market,
    private readonly part: (bar: Bar) => number,
  ) {}

  at(instruments: Instrument[], opening: number, end: number, whole: boolean): number {
    if (opening !== this.opening || end < this.upTo) {
      this.opening = opening;
      this.upTo = opening;
      this.sum = 0;
      this.seconds = { upTo: opening, sum: 0 };
    }
    const add = (interval: string, from: number, to: number): number =>
      instruments.reduce(
        (sum, instrument) =>
          sum + this.market.bars(instrument, interval, from, to, to).reduce((total, bar) => total + this.part(bar), 0),
        0,
      );
    if (whole) return add('1d', opening, end);
    const full = Math.floor(end / MINUTE) * MINUTE;
    if (full > this.upTo) {
      this.sum += add('1m', this.upTo, full);
      this.upTo = full;
      this.seconds = { upTo: full, sum: 0 };
    }
    if (end < this.seconds.upTo) this.seconds = { upTo: this.upTo, sum: 0 };
    this.seconds.sum += add('1s', this.seconds.upTo, end);
    this.seconds.upTo = Math.max(end, this.upTo);
    return this.sum + this.seconds.sum;
  }
}

/** The totals of an instrument; of all options and futures of the asset for a chain. `whole`: candles of a day or more. */
export function aggregateOf(market: Market, instrument: Instrument, type: CandleType, whole: boolean): BarAggregate {
  const { exchange, asset } = instrument;
  let listed: { date: string; contracts: Contracts } | undefined;

  /** Contracts whose open interest counts. */
  function contracts(at: number): Contracts {
    if (type === 'OPT') {
      const call = instrument.optionType === 'CE';
      return { calls: call ? [instrument] : [], puts: call ? [] : [instrument], futures: [] };
    }
    if (type === 'FUT') return { calls: [], puts: [], futures: [instrument] };
    const universe = market.universe(at);
    if (listed?.date !== universe.date) {
      const chains = universe.expiries(exchange, asset).map((expiry) => universe.options(exchange, asset, expiry));
      listed = {
        date: universe.date,
        contracts: {
          calls: chains.flatMap((chain) => chain.ce),
          puts: chains.flatMap((chain) => chain.pe),
          futures: universe.futures(exchange, asset),
        },
      };
    }
    return listed.contracts;
  }

  let day = { date: '', end: Infinity };
  /** Returns the instant when derivatives stop trading on the day of an instant. */
  function closing(at: number): number {
    const date = formatDayNumber(dayOf(at));
    if (day.date !== date) day = { date, end: market.calendar.sessions(exchange, true, date).at(-1)?.to ?? Infinity };
    return day.end;
  }

  /** Returns the instruments with trades: the options of a chain, else the instrument itself. */
  const traded = (at: number): Instrument[] =>
    type === 'CHAIN' ? [...contracts(at).calls, ...contracts(at).puts] : [instrument];
  const premium = new Running(market, (bar) => bar.volume * typical(bar));
  const delta = new Running(market, imbalance);
  const quantity = new Running(market, (bar) => bar.volume);
  // Many contracts are asked for their volume at once, which is quicker; one instrument adds up its bars.
  const volume = (at: number, from: number, to: number) =>
    type === 'CHAIN' && !whole
      ? traded(at).reduce((sum, instrument) => sum + market.volume(instrument, from, to), 0)
      : quantity.at(traded(at), from, to, whole);
  const open = (list: Instrument[], end: number) => {
    const last = Math.min(end, closing(end)) - 1;
    return list.reduce((sum, instrument) => sum + market.openInterest(instrument, last), 0);
  };

  return (field, bar, end, opening) => {
    switch (field) {
      case 'tick_volume':
        return volume(bar.at, bar.at, end);
      case 'cumulative_volume':
        return volume(bar.at, opening, end);
      case 'cumulative_volume_premium':
        return premium.at(traded(bar.at), opening, end, whole);
      case 'cumulative_volume_delta':
        return delta.at(traded(bar.at), opening, end, whole);
      case 'cumulative_call_oi':
        return open(contracts(bar.at).calls, end);
      case 'cumulative_put_oi':
        return open(contracts(bar.at).puts, end);
      case 'cumulative_fut_oi':
        return open(contracts(bar.at).futures, end);
      case 'cumulative_oi': {
        const { calls, puts, futures } = contracts(bar.at);
        return open([...calls, ...puts, ...futures], end);
      }
      default:
        return undefined;
    }
  };
}
