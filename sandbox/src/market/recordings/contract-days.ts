import type { TradingDays } from '../reference/calendar';
import { SECOND } from '../../shared/dates';
import { TickDay } from './tick-day';
import type { RecordedDay } from './recorded-day';
import type { Recording } from './types';

/** Candles of futures and options as what was seen of them: four prices of each bar, in the order in which bars are usually walked. */

/** Shorter bars have one price. */
const MIN_SECONDS = 4;

/** The days of a contract by day number. */
export function contractDays(recording: Recording, days: TradingDays): Map<number, TickDay> {
  return new Map(
    [...recording.days].map(([day, recorded]) => [
      day,
      seenOf(
        new TickDay(recording.exchange, recording.symbol, day, true),
        recorded,
        days.grid(days.indexOf(day)).start,
      ),
    ]),
  );
}

/** @param start of the day's trading, milliseconds */
function seenOf(seen: TickDay, recorded: RecordedDay, start: number): TickDay {
  let volume = 0;
  for (const { from, to, open, high, low, close, volume: traded } of recorded.bars()) {
    const length = to - from;
    const way = close < open ? [open, high, low, close] : [open, low, high, close];
    const prices = length < MIN_SECONDS ? [close] : way;
    for (const [index, last] of prices.entries()) {
      const part = index / Math.max(1, prices.length - 1);
      const at = start + (from + Math.floor(part * (length - 1))) * SECOND;
      seen.add({ at, last, volume: volume + Math.round(part * traded), auction: undefined, bids: '', asks: '' });
    }
    volume += traded;
  }
  return seen;
}
