import type { AssetCatalog } from '../reference/catalog';
import type { Instrument } from '../reference/types';
import { dayOf, SECOND } from '../../shared/dates';
import { istText } from '../../shared/time';
import { isFollower, resolveInstrument, type NamedInstrument } from './instrument-names';
import { PackedRows } from './packed-rows';
import { refuseRow } from './read-error';
import { levelsOf, levelsText, TickDay, type Tick, type TickLevel, type WrittenTick } from './tick-day';
import { nameOf, type FileRows, type RecordedRow } from './types';

/** Files of ticks, as the sandbox writes them. */

const COLUMNS = ['time', 'exchange', 'symbol', 'ltp', 'volume', 'auction', 'bids', 'asks'];
/** First line of a file of ticks. */
export const TICK_HEADING = COLUMNS.join(',');
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{3})?$/;
const PRICE = /^\d+(\.\d{1,2})?$/;
const QUANTITY = /^\d+$/;
/** Futures and options, which are known by their names alone: NIFTY26NOVFUT, NIFTY26NOV24500CE. */
const DERIVATIVE = /(FUT|CE|PE)$/;

/** True if a heading is that of ticks. */
export const areTicks = (heading: readonly string[]): boolean => heading.join(',').toLowerCase() === TICK_HEADING;

/** Name of the file of an instrument's ticks on a date (YYYY-MM-DD). */
export const tickFile = (date: string, { exchange, symbol }: { exchange: string; symbol: string }): string =>
  `${date}.${exchange}.${symbol}.ticks.csv`;

/** A line of such a file. */
export function tickRow({ exchange, symbol }: { exchange: string; symbol: string }, tick: Tick): string {
  const rupees = (paise: number | undefined): string => (paise === undefined ? '' : (paise / 100).toFixed(2));
  const time = istText(tick.at)
    .slice(0, tick.at % SECOND === 0 ? 19 : 23)
    .replace('T', ' ');
  const { last, volume, auction, bids, asks } = tick;
  return [time, exchange, symbol, rupees(last), volume, rupees(auction), levelsText(bids), levelsText(asks)].join(',');
}

/** The share or index that a line names. */
function tradedBy(catalog: AssetCatalog, exchange: 'NSE' | 'BSE', symbol: string): NamedInstrument | undefined {
  const resolution = resolveInstrument(catalog, symbol, exchange);
  return resolution === undefined || 'isNot' in resolution ? undefined : resolution;
}

/** True if ticks of an instrument can be replayed: shares and indices that this market has, futures and options by their names. */
export function hasTicks(catalog: AssetCatalog, exchange: Instrument['exchange'], symbol: string): boolean {
  const named = exchange === 'MCX' ? undefined : tradedBy(catalog, exchange, symbol);
  return named?.symbol === symbol || (DERIVATIVE.test(symbol) && /\d/.test(symbol));
}

/** Reads the lines of a file of ticks. */
export class TickReader {
  private readonly days = new Map<string, { day: TickDay; firstLine: number; named: NamedInstrument | undefined }>();

  constructor(
    private readonly file: string,
    private readonly catalog: AssetCatalog,
  ) {}

  /** Takes one line. @param line from 1. @throws OptionError with file, line and what to do */
  add(cells: readonly string[], line: number): void {
    const [time = '', exchange = '', symbol = '', ltp = '', volume = '', auction = '', bids = '', asks = ''] = cells;
    const at = TIME.test(time) ? Date.parse(`${time.replace(' ', 'T')}+05:30`) : NaN;
    if (Number.isNaN(at)) this.refuse(line, `"${time}" is not a time such as 2026-11-20 09:15:00 or 09:15:00.250`);
    const { day } = this.dayOf(exchange, symbol, at, line);
    const before = day.last;
    if (before !== undefined && at <= before.at) this.refuse(line, 'it is not later than the line before it');
    const tick: WrittenTick = {
      at,
      last: this.price('ltp', ltp, line),
      volume: this.quantity(volume, line),
      auction: this.price('auction', auction, line),
      bids,
      asks,
    };
    if (before !== undefined && tick.volume < before.volume)
      this.refuse(
        line,
        `volume counts from the beginning of the day: ${volume} is less than ${before.volume} before it`,
      );
    this.checkLevels('bids', bids, -1, line);
    this.checkLevels('asks', asks, 1, line);
    day.add(tick);
  }

  /** @throws OptionError where there was no line */
  result(): FileRows {
    if (this.days.size === 0) this.refuse(2, 'there is no tick; delete the file', false);
    const all = [...this.days.values()];
    const rows = new PackedRows(this.file);
    for (const { day, firstLine, named } of all)
      if (named !== undefined) for (const row of this.secondsOf(day, named, firstLine)) rows.add(row);
    return {
      file: this.file,
      rows,
      kind: 'ticks',
      isUnitKnown: true,
      ticks: all.map(({ day }) => day),
      interval: 1,
      time: 'begin',
      isTimeCertain: true,
      rounded: 0,
      straddles: [],
      notes: [],
      leftOut: [],
    };
  }

  /** The candles of a second each, of a share or index. */
  private secondsOf(day: TickDay, named: NamedInstrument, line: number): RecordedRow[] {
    const seconds = new Set(day.traded(-Infinity, Infinity).map(({ at }) => Math.floor(at / SECOND) * SECOND));
    const hasVolume = !this.catalog.indexRowOf.has(nameOf(named));
    return [...seconds].map((at): RecordedRow => {
      const volume = hasVolume ? day.volumeAt(at + SECOND) - day.volumeAt(at) : undefined;
      return { file: this.file, line, ...named, at, ...day.bar(at, at + SECOND)!, volume };
    });
  }

  private dayOf(exchange: string, symbol: string, at: number, line: number) {
    const key = `${exchange} ${symbol} ${dayOf(at)}`;
    let found = this.days.get(key);
    if (found === undefined) {
      if (exchange !== 'NSE' && exchange !== 'BSE' && exchange !== 'MCX')
        this.refuse(line, `exchange must be NSE, BSE or MCX, not "${exchange}"`);
      const named = exchange === 'MCX' ? undefined : tradedBy(this.catalog, exchange, symbol);
      if (!hasTicks(this.catalog, exchange, symbol))
        this.refuse(line, `this market has no share, index, future or option "${symbol}"`);
      // BSE's shares follow those of NSE, except where BSE has ticks.
      const isRecording = named !== undefined && !isFollower(this.catalog, named);
      const day = new TickDay(exchange, symbol, dayOf(at));
      this.days.set(key, (found = { day, firstLine: line, named: isRecording ? named : undefined }));
    }
    return found;
  }

  private price(column: string, text: string, line: number): number | undefined {
    if (text === '') return undefined;
    const paise = Math.round(Number(text) * 100);
    if (!PRICE.test(text) || paise <= 0 || !Number.isSafeInteger(paise * 1000))
      this.refuse(line, `${column} must be a price above 0 in rupees, or empty, not "${text}"`);
    return paise;
  }

  private quantity(text: string, line: number): number {
    const volume = Number(text);
    if (!QUANTITY.test(text) || !Number.isSafeInteger(volume))
      this.refuse(line, `volume must be a whole number, not "${text}"`);
    return volume;
  }

  private checkLevels(column: string, text: string, direction: 1 | -1, line: number): void {
    const levels = levelsOf(text);
    const isWrong = ({ price, quantity }: TickLevel, index: number): boolean =>
      price <= 0 || quantity <= 0 || (index > 0 && (price - levels![index - 1]!.price) * direction <= 0);
    if (levels === undefined || levels.some(isWrong))
      this.refuse(line, `${column} must be levels such as "1500.05x120x3" (price, quantity, orders), the best first`);
  }

  private refuse(line: number, what: string, isLine = true): never {
    refuseRow(this.file, line, isLine ? `${what}; correct or delete the line` : what);
  }
}
