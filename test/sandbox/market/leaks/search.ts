import type { Bar, Market } from '../../../../sandbox/src/market/prices/types';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';
import { ist, tradingDays } from './bots';
import { foresight, type Foresight } from './statistics';

/**
 * Looks through what the market shows at an instant for what tells the return of the rest of the minute, or of the next minute, hour or
 * day.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** India's clock over UTC. */
const IST = 19_800_000;
const HORIZONS = ['rest of the minute', 'minute', 'hour', 'day'] as const;
export type Horizon = (typeof HORIZONS)[number];
/** True if there is a session at the exchange; where not, only a market that is always open has prices that move. */
export type Hours = 'session' | 'night or weekend';

/** A signal, its instrument, and the return that it is compared with. */
export interface Finding extends Foresight {
  instrument: string;
  signal: string;
  hours: Hours;
  horizon: Horizon;
  /**
   * Average earnings of a bet on the signal's sign, in ticks of the instrument; half of its spread is one tick at
   * least.
   */
  ticks: number;
}

type Signal = (market: Market, instrument: Instrument, at: number) => number;

/** The running candle of an interval, as a chart shows it at an instant. */
function running(
  market: Market,
  instrument: Instrument,
  interval: string,
  length: number,
  at: number,
): Bar | undefined {
  return market.bars(instrument, interval, at - length, at + 1, at + 1).at(-1);
}

const past =
  (span: number): Signal =>
  (market, instrument, at) =>
    market.price(instrument, at) / market.price(instrument, at - span) - 1;

/** The move of the span that began at this time of the day so many days ago: no day may foretell another. */
const before =
  (span: number, days: number): Signal =>
  (market, instrument, at) =>
    market.price(instrument, at - days * DAY + span) / market.price(instrument, at - days * DAY) - 1;

const sum = (levels: readonly { quantity: number }[]): number =>
  levels.reduce((all, { quantity }) => all + quantity, 0);

const SIGNALS: Record<string, Signal> = {
  'last second': past(SECOND),
  'last ten seconds': past(10 * SECOND),
  'last minute': past(MINUTE),
  'last five minutes': past(5 * MINUTE),
  'last half hour': past(30 * MINUTE),
  'minute after this time yesterday': before(MINUTE, 1),
  'hour after this time yesterday': before(HOUR, 1),
  'hour after this time two days ago': before(HOUR, 2),
  'minute two and a half hours ago': (market, instrument, at) => before(MINUTE, 0)(market, instrument, at - 2.5 * HOUR),
  'since the close before': (market, instrument, at) =>
    market.price(instrument, at) / market.previousClose(instrument, at) - 1,
  'order book, imbalance': (market, instrument, at) => {
    const { bids, asks } = market.depth(instrument, at, market.price(instrument, at), 5);
    return (sum(bids) - sum(asks)) / (sum(bids) + sum(asks) || 1);
  },
  'order book, middle': (market, instrument, at) => {
    const price = market.price(instrument, at);
    const { bids, asks } = market.depth(instrument, at, price, 1);
    return ((bids[0]?.price ?? price) + (asks[0]?.price ?? price)) / 2 - price;
  },
  'running candle of a minute': (market, instrument, at) => {
    const bar = running(market, instrument, '1m', MINUTE, at);
    return bar ? bar.close - bar.open : 0;
  },
  'open of the running candle': (market, instrument, at) => {
    const bar = running(market, instrument, '1m', MINUTE, at);
    return bar ? bar.open - market.price(instrument, bar.at - 1) : 0;
  },
  'place in the candle of a quarter of an hour': (market, instrument, at) => {
    const bar = running(market, instrument, '15m', 15 * MINUTE, at);
    return bar ? (2 * bar.close - bar.high - bar.low) / (bar.high - bar.low || 1) : 0;
  },
  'volume of the last minute': (market, instrument, at) =>
    market.volume(instrument, at - MINUTE, at) - market.volume(instrument, at - 5 * MINUTE, at) / 5,
  'open interest': (market, instrument, at) =>
    market.openInterest(instrument, at) - market.openInterest(instrument, at - 30 * MINUTE),
  'nearest future': (market, { exchange, asset }, at) => {
    const [near] = market.universe(at).futures(exchange, asset);
    return near ? past(MINUTE)(market, near, at) : 0;
  },
  'volatility of an option': (market, { exchange, asset }, at) => {
    const universe = market.universe(at);
    const [, expiry = 0] = universe.expiries(exchange, asset);
    const { ce } = universe.options(exchange, asset, expiry);
    const middle = ce[ce.length >> 1];
    return middle ? market.greeks(middle, at).iv - market.greeks(middle, at - 30 * MINUTE).iv : 0;
  },
  index: (market, _one, at) => past(10 * SECOND)(market, market.universe(at).bySymbol('NSE', 'NIFTY')!, at),
  'other exchange': (market, instrument, at) => {
    const other = market.universe(at).bySymbol(instrument.exchange === 'NSE' ? 'BSE' : 'NSE', instrument.symbol);
    return other ? market.price(other, at) / market.price(instrument, at) - 1 : 0;
  },
  'last digit': (market, instrument, at) => (market.price(instrument, at) / instrument.tickSize) % 10,
};

/** The instants at which a horizon is tried in sessions, apart from one another, at clock times that are no round ones. */
function inSessions(horizon: Horizon, days: readonly string[]): number[] {
  return days.flatMap((day, i) => {
    if (horizon === 'day') return [ist(`${day}T14:31:17`)];
    const step = horizon === 'hour' ? HOUR : 7 * MINUTE;
    const first = ist(`${day}T09:47:00`) + ((i * 13) % 60) * SECOND;
    const found: number[] = [];
    for (let at = first; at + step <= ist(`${day}T15:14:59`); at += step)
      found.push(at + ((found.length * 7) % 60) * SECOND);
    return found;
  });
}

/** The same in the nights and on the days without a session between the first and the last of these days. */
function betweenSessions(horizon: Horizon, days: readonly string[]): number[] {
  const [begin, end] = [ist(`${days[0]!}T15:45:00`), ist(`${days.at(-1)!}T08:30:00`)];
  const sessions = new Set(days);
  const step = horizon === 'day' ? DAY : horizon === 'hour' ? HOUR : 21 * MINUTE;
  const found: number[] = [];
  for (let at = begin + 6 * HOUR + 17 * SECOND, i = 0; at < end; at += step, i++) {
    const then = at + ((i * 7) % 40) * SECOND;
    const date = new Date(then + IST).toISOString().slice(0, 10);
    const open = sessions.has(date) && then > ist(`${date}T08:30:00`) && then < ist(`${date}T15:45:00`);
    if (!open) found.push(then);
  }
  return found;
}

/** Finds the end of a return that begins at an instant; `next` tells the trading day after another. */
function endOf(horizon: Horizon, hours: Hours, at: number, next: ReadonlyMap<string, string | undefined>): number {
  switch (horizon) {
    case 'rest of the minute':
      return Math.floor(at / MINUTE) * MINUTE + MINUTE - 1;
    case 'minute':
      return at + MINUTE;
    case 'hour':
      return at + HOUR;
    case 'day':
      return hours === 'session'
        ? ist(`${next.get(new Date(at + IST).toISOString().slice(0, 10))!}T14:31:17`)
        : at + DAY;
  }
}

/**
 * Every signal against every horizon, for the named instruments of NSE on so many trading days after a date; on a market that is
 * always open in the nights and weekends between them, too.
 */
export function search(market: Market, symbols: readonly string[], from: string, count: number): Finding[] {
  const days = tradingDays(market, from, count + 1);
  const next = new Map(days.map((day, i) => [day, days[i + 1]]));
  const universe = market.universe(ist(`${days[0]!}T12:00:00`));
  const tried = (hours: Hours, horizon: Horizon): number[] =>
    hours === 'session' ? inSessions(horizon, days.slice(0, -1)) : betweenSessions(horizon, days);
  const hoursOf: readonly Hours[] = market.hours === 'always' ? ['session', 'night or weekend'] : ['session'];
  return symbols.flatMap((symbol) => {
    const instrument = universe.bySymbol('NSE', symbol);
    if (!instrument) throw new RangeError(`NSE has no ${symbol}`);
    return hoursOf.flatMap((hours) =>
      HORIZONS.flatMap((horizon) => {
        const instants = tried(hours, horizon);
        const came = instants.map(
          (at) => market.price(instrument, endOf(horizon, hours, at, next)) - market.price(instrument, at),
        );
        return Object.entries(SIGNALS).map(([signal, read]) => {
          const known = instants.map((at) => read(market, instrument, at));
          return { instrument: symbol, signal, hours, horizon, ...judged(known, came, instrument.tickSize || 1) };
        });
      }),
    );
  });
}

/** Quality of a signal as a forecast (paise), and the earnings of a bet on it in ticks. */
function judged(known: readonly number[], came: readonly number[], tick: number): Foresight & { ticks: number } {
  const said = foresight(known, came);
  const side = Math.sign(said.coefficient);
  const middle = known.reduce((all, value) => all + value, 0) / known.length;
  const gained = came.reduce((all, gain, i) => all + side * Math.sign(known[i]! - middle) * gain, 0);
  return { ticks: gained / came.length / tick, ...said };
}

/** Errors beyond which a finding is no luck, among a few hundred that were tried. */
export const LUCK = 4.5;

/** Ticks that a bet costs at least: half of a spread of one tick. What earns less is the rounding of prices to their ticks. */
const COST = 0.5;

/** Findings that tell more than chance would, and earn more than a bet costs; the plainest first. */
export const leaks = (findings: readonly Finding[]): Finding[] =>
  findings
    .filter(({ score, ticks }) => Math.abs(score) > LUCK && ticks > COST)
    .sort((a, b) => Math.abs(b.score) - Math.abs(a.score));
