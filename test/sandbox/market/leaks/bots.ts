import type { Market } from '../../../../sandbox/src/market/prices/types';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';
import { Bets } from './statistics';

/** Bots that earned without risk on a market that could be read in advance. Each bets on what it could read. */

const MINUTE = 60_000;
export const ist = (text: string): number => Date.parse(`${text}+05:30`);

/** The trading days of NSE in a month, YYYY-MM-DD. */
export function tradingDays({ calendar }: Market, from: string, count: number): string[] {
  const days: string[] = [];
  for (let day = calendar.nextTradingDay('NSE', from); days.length < count; day = calendar.nextTradingDay('NSE', day))
    days.push(day);
  return days;
}

/**
 * Leak 2. Follows the first move of a stretch to its end: the first second of a minute, the first minute of an hour, the
 * first hour of a day. Gains are fractions of the price.
 */
export function firstMove(
  market: Market,
  instrument: Instrument,
  days: readonly string[],
  { first, whole }: { first: number; whole: number },
): Bets {
  const bets = new Bets();
  for (const day of days) {
    for (let at = ist(`${day}T09:15:00`) + whole; at + whole <= ist(`${day}T15:15:00`); at += whole) {
      const before = market.price(instrument, at - 1);
      const then = market.price(instrument, at + first - 1);
      const end = market.price(instrument, at + whole - 1);
      if (then !== before) bets.add((Math.sign(then - before) * (end - then)) / then);
    }
  }
  return bets;
}

/** The same within a day as a whole: the morning until a clock time is followed until the close. */
export function morning(market: Market, instrument: Instrument, days: readonly string[], until: string): Bets {
  const bets = new Bets();
  for (const day of days) {
    const open = market.price(instrument, ist(`${day}T09:15:00`));
    const then = market.price(instrument, ist(`${day}T${until}`));
    const end = market.price(instrument, ist(`${day}T15:14:59`));
    if (then !== open) bets.add((Math.sign(then - open) * (end - then)) / then);
  }
  return bets;
}

/** Follows the last five minutes of a derivative's day over night to the next open. */
export function overNight(market: Market, instrument: Instrument, days: readonly string[]): Bets {
  const bets = new Bets();
  days.slice(1).forEach((day, i) => {
    const evening = days[i]!;
    const before = market.price(instrument, ist(`${evening}T15:35:00`));
    const then = market.price(instrument, ist(`${evening}T15:39:59`));
    const next = market.price(instrument, ist(`${day}T09:15:00`));
    if (then !== before) bets.add((Math.sign(then - before) * (next - then)) / then);
  });
  return bets;
}

/** Leak 4. Buys and sells what expires between the moment its settlement is known and its last trade; half a tick is rounding. */
export function expiry(market: Market, days: readonly string[]): Bets {
  const bets = new Bets();
  for (const day of days) {
    const at = ist(`${day}T15:36:00`);
    const universe = market.universe(at);
    const date = Number(day.replaceAll('-', ''));
    for (const asset of ['NIFTY', 'BANKNIFTY', 'FINNIFTY', 'MIDCPNIFTY', 'RELIANCE', 'INFY']) {
      const underlying = universe.bySymbol('NSE', asset)!;
      const confirmed = market.previousClose(underlying, ist(`${market.calendar.nextTradingDay('NSE', day)}T12:00:00`));
      const worth = ({ derivativeType, optionType, strikePrice }: Instrument) =>
        derivativeType === 'FUT'
          ? confirmed
          : Math.max(0, optionType === 'CE' ? confirmed - strikePrice : strikePrice - confirmed);
      const { ce, pe } = universe.options('NSE', asset, date);
      for (const instrument of [...universe.futures('NSE', asset), ...ce, ...pe]) {
        if (instrument.expiry !== date) continue;
        for (let then = at; then < ist(`${day}T15:40:00`); then += MINUTE) {
          const { bids, asks } = market.depth(instrument, then, market.price(instrument, then), 1);
          const [bid, ask] = [bids[0]?.price ?? 0, asks[0]?.price ?? Infinity];
          bets.add(
            Math.max(
              bid - worth(instrument) - instrument.tickSize / 2,
              worth(instrument) - ask - instrument.tickSize / 2,
              0,
            ) / confirmed,
          );
        }
      }
    }
  }
  return bets;
}
