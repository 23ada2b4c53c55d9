import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { DEPTH_LEVELS } from '../exchange/time-step-market';
import type { Market } from '../market/prices/types';
import type { Tick } from '../market/recordings/tick-day';
import { TICK_HEADING, tickFile, tickRow } from '../market/recordings/ticks';
import type { Instrument } from '../market/reference/types';
import { OptionError } from '../shared/option-error';
import { istDate, istMidnight, millisOf } from '../shared/time';
import { appendOwn, folderTrouble, makeFolder, writeWhole } from '../store/folder';
import { TickRecorder } from './tick-recorder';
import type { SimulatedBrokerage } from './brokerage';

const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;
const IST_MS = 19_800_000;
/** Number of recorded shares, beside all indices: the most traded ones. */
const SHARES = 500;
/** Of so many instruments ticks are recorded on a day: those that were ordered first. A day of one is some megabytes. */
const TICKED = 20;
const HEADING = 'time,exchange,symbol,open,high,low,close,volume,previous_close';

const rupees = (paise: number): string => (paise / 100).toFixed(2);

/**
 * Writes what the market did as files that `--replay` takes: for each day the minute candles of indices and shares, and the ticks,
 * with market depth, of what was ordered.
 */
export class DayRecorder {
  /** Recorder of a live market. */
  readonly seen = new TickRecorder((name, heading, content) => this.append(name, heading, content));
  private isWrong = false;

  /** @throws OptionError where the folder cannot be made */
  constructor(private readonly folder: string) {
    try {
      makeFolder(folder);
    } catch (error) {
      throw new OptionError(`--record ${folder} cannot be used: ${folderTrouble(error)}.`);
    }
  }

  /**
   * Writes a day again from its beginning, up to an instant. A day that cannot be written is told once, and the market goes on.
   * @param date YYYY-MM-DD. @param at milliseconds
   */
  write(world: SimulatedBrokerage, date: string, at: number): void {
    this.seen.flush();
    const { market } = world;
    const candles = candlesOf(market, date, at, (instrument) => this.seen.takes(instrument));
    if (candles.length === 0) return;
    this.put(`${date}.csv`, [HEADING, ...candles, ''].join('\n'));
    // A live market is written down while it is seen: what it was a while ago cannot be asked.
    if (world.options.mirror !== undefined) return;
    for (const instrument of orderedOn(world, date, at)) {
      const rows = ticksOf(world, instrument, date, at).map((tick) => tickRow(instrument, tick));
      this.put(`${tickFile(date, instrument)}.gz`, gzipSync([TICK_HEADING, ...rows, ''].join('\n'), { level: 1 }));
    }
  }

  private put(name: string, content: string | Buffer): void {
    this.carefully(name, (file) => writeWhole(file, content));
  }

  private append(name: string, heading: Buffer, content: Buffer): void {
    this.carefully(name, (file) => appendOwn(file, heading, content));
  }

  /** Writes a file; that it cannot is told once. */
  private carefully(name: string, write: (file: string) => void): void {
    const file = path.join(this.folder, name);
    try {
      write(file);
    } catch (error) {
      if (!this.isWrong) process.stderr.write(`--record: ${file} could not be written: ${folderTrouble(error)}.\n`);
      this.isWrong = true;
    }
  }
}

/** The instruments of a day in which orders were placed, in the order of the first of each. */
function orderedOn({ exchange, users, market }: SimulatedBrokerage, date: string, at: number): Instrument[] {
  const orders = users.all().flatMap(({ clientCode }) => exchange.orders(clientCode, at));
  const ofDay = orders.filter(({ createdAt }) => istDate(millisOf(createdAt)) === date);
  ofDay.sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0));
  const universe = market.universe(istMidnight(date));
  return [...new Set(ofDay.map(({ refId }) => refId))]
    .slice(0, TICKED)
    .flatMap((refId) => universe.byRefId(refId) ?? []);
}

/**
 * Returns the ticks of an instrument in each second of a day's sessions, up to an instant. Its volume is what others traded: replayed, the
 * same orders trade theirs again.
 */
function ticksOf(
  { market, priceOverrides }: SimulatedBrokerage,
  instrument: Instrument,
  date: string,
  at: number,
): Tick[] {
  const { exchange, derivativeType, closingAuction } = instrument;
  const isDerivative = derivativeType === 'FUT' || derivativeType === 'OPT';
  const sessions = market.calendar.sessions(exchange, isDerivative, date, closingAuction);
  const midnight = istMidnight(date);
  const ticks: Tick[] = [];
  for (let second = sessions[0]!.from; second <= Math.min(sessions.at(-1)!.to, at); second += SECOND_MS) {
    const last = market.price(instrument, second);
    const auction = market.auctionPrice(instrument, second) ?? undefined;
    const depth = market.depth(instrument, second, auction ?? last, DEPTH_LEVELS);
    const all = market.volume(instrument, midnight, second);
    const volume = all - priceOverrides.tape.volume(instrument.refId, midnight, second);
    ticks.push({ at: second, last, volume, auction, ...depth });
  }
  return ticks;
}

/** The rows of a day, instrument by instrument; none on a day without trading. */
function candlesOf(market: Market, date: string, at: number, isTaken: (instrument: Instrument) => boolean): string[] {
  const from = istMidnight(date);
  if (!market.calendar.isTradingDay('NSE', date)) return [];
  const recorded = recordedOn(market, from).filter(isTaken);
  return recorded.flatMap((instrument) =>
    market.bars(instrument, '1m', from, Math.min(from + DAY_MS, at), at).map((bar, index) => {
      const time = new Date(bar.at + IST_MS).toISOString().slice(0, 19).replace('T', ' ');
      const prices = [bar.open, bar.high, bar.low, bar.close].map(rupees);
      const previous = index === 0 ? rupees(market.previousClose(instrument, bar.at)) : '';
      const volume = instrument.derivativeType === 'INDEX' ? '' : bar.volume;
      return [time, instrument.exchange, instrument.symbol, ...prices, volume, previous].join(',');
    }),
  );
}

/** Returns the instruments that are recorded on a day: BSE's shares follow those of NSE. */
function recordedOn(market: Market, at: number): Instrument[] {
  const universe = market.universe(at);
  const traded = (instrument: Instrument): number =>
    market.liquidity(instrument, at).volume * market.previousClose(instrument, at);
  const shares = [...universe.all('NSE', ['STOCK'])].map((instrument) => ({
    one: instrument,
    traded: traded(instrument),
  }));
  shares.sort((a, b) => b.traded - a.traded || a.one.refId - b.one.refId);
  return [...universe.all(undefined, ['INDEX']), ...shares.slice(0, SHARES).map(({ one: instrument }) => instrument)];
}
