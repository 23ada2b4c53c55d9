import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Market } from '../market/prices/types';
import type { Instrument } from '../market/reference/types';
import { OptionError } from '../shared/option-error';
import { istMidnight } from '../shared/time';
import { folderTrouble, makeFolder } from '../store/folder';

const DAY_MS = 86_400_000;
const IST_MS = 19_800_000;
/** Shares that are recorded, beside all indices: those of which most is traded. */
const SHARES = 500;
const HEADING = 'time,exchange,symbol,open,high,low,close,volume';

const rupees = (paise: number): string => (paise / 100).toFixed(2);

/** Writes what the market did as files that `--replay` takes: for each day the minute candles of indices and shares. */
export class Recorder {
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
   * Writes a day anew, up to an instant. A day that cannot be written is told once, and the market goes on.
   * @param date YYYY-MM-DD. @param at milliseconds
   */
  write(market: Market, date: string, at: number): void {
    const rows = candlesOf(market, date, at);
    if (rows.length === 0) return;
    const file = path.join(this.folder, `${date}.csv`);
    try {
      // Whoever reads the folder meanwhile finds a whole file.
      writeFileSync(`${file}.part`, [HEADING, ...rows, ''].join('\n'));
      renameSync(`${file}.part`, file);
    } catch (error) {
      if (!this.isWrong) process.stderr.write(`--record: ${file} could not be written: ${folderTrouble(error)}.\n`);
      this.isWrong = true;
    }
  }
}

/** The rows of a day, instrument by instrument; none on a day without trading. */
function candlesOf(market: Market, date: string, at: number): string[] {
  const from = istMidnight(date);
  if (!market.calendar.isTradingDay('NSE', date)) return [];
  return recordedOn(market, from).flatMap((instrument) =>
    market.bars(instrument, '1m', from, Math.min(from + DAY_MS, at), at).map((bar) => {
      const time = new Date(bar.at + IST_MS).toISOString().slice(0, 19).replace('T', ' ');
      const prices = [bar.open, bar.high, bar.low, bar.close].map(rupees);
      const volume = instrument.derivativeType === 'INDEX' ? '' : bar.volume;
      return [time, instrument.exchange, instrument.symbol, ...prices, volume].join(',');
    }),
  );
}

/** What is recorded on a day: BSE's shares follow those of NSE. */
function recordedOn(market: Market, at: number): Instrument[] {
  const universe = market.universe(at);
  const traded = (one: Instrument): number => market.liquidity(one, at).volume * market.previousClose(one, at);
  const shares = [...universe.all('NSE', ['STOCK'])].map((one) => ({ one, traded: traded(one) }));
  shares.sort((a, b) => b.traded - a.traded || a.one.refId - b.one.refId);
  return [...universe.all(undefined, ['INDEX']), ...shares.slice(0, SHARES).map(({ one }) => one)];
}
