import type { TradingDays } from '../reference/calendar';
import { SECOND } from '../../shared/dates';
import { TickDay, type WrittenTick } from './tick-day';
import type { RecordedDay } from './recorded-day';
import type { Recording } from './types';

/** Candles of futures and options as what was seen of them: four prices of each bar, in the order in which bars are usually walked. */

/** Shorter bars have one price. */
const MIN_SECONDS = 4;
/** Days of contracts whose ticks are kept: those of all contracts of a year would fill gigabytes. */
const MAX_KEPT = 200;

/** Makes the ticks of days of contracts, and keeps those that were asked for last. */
export class ContractDays {
  private readonly ticksByDay = new Map<RecordedDay, readonly WrittenTick[]>();

  constructor(private readonly days: TradingDays) {}

  /** The days of a contract by day number. */
  of({ exchange, symbol, days }: Recording): Map<number, TickDay> {
    return new Map(
      [...days].map(([day, recorded]) => {
        const { start } = this.days.grid(this.days.indexOf(day));
        return [day, new TickDay(exchange, symbol, day, () => this.ticksOf(recorded, start))];
      }),
    );
  }

  private ticksOf(recorded: RecordedDay, start: number): readonly WrittenTick[] {
    const ticks = this.ticksByDay.get(recorded) ?? ticksOf(recorded, start);
    // The last one of the map was asked for last.
    this.ticksByDay.delete(recorded);
    this.ticksByDay.set(recorded, ticks);
    if (this.ticksByDay.size > MAX_KEPT) this.ticksByDay.delete(this.ticksByDay.keys().next().value!);
    return ticks;
  }
}

/** @param start of the day's trading, milliseconds */
function ticksOf(recorded: RecordedDay, start: number): WrittenTick[] {
  const ticks: WrittenTick[] = [];
  let volume = 0;
  for (const { from, to, open, high, low, close, volume: traded } of recorded.bars()) {
    const length = to - from;
    const way = close < open ? [open, high, low, close] : [open, low, high, close];
    const prices = length < MIN_SECONDS ? [close] : way;
    for (const [index, last] of prices.entries()) {
      const part = index / Math.max(1, prices.length - 1);
      const at = start + (from + Math.floor(part * (length - 1))) * SECOND;
      ticks.push({ at, last, volume: volume + Math.round(part * traded), auction: undefined, bids: '', asks: '' });
    }
    volume += traded;
  }
  return ticks;
}
