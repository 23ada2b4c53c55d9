import type { AssetCatalog } from '../reference/catalog';
import { FIRST_DATE, LAST_DATE } from '../reference/calendar';
import { dayOf, formatDayNumber, MINUTE, SECOND } from '../../shared/dates';
import { istMidnight } from '../../shared/time';
import type { ColumnPlaces, ColumnPlan } from './column-names';
import { contractIn } from './contract-columns';
import { contractNamed } from './contract-names';
import { readFileName, type FileNameReading } from './file-names';
import {
  EXCHANGES_OF_SEGMENTS,
  resolveInstrument,
  shareByIsin,
  type NamedInstrument,
  type NameResolution,
} from './instrument-names';
import { FormerNames } from './former-names';
import { barsInColumn } from './interval-column';
import { LeftOutRows, NOT_HERE } from './left-out';
import { isInRupees, NO_PRICE, MISSING_PRICE, plainNumber, quantityOf, ZERO } from './number-forms';
import { PackedRows } from './packed-rows';
import { offsetOf, parseTime } from './parse-time';
import { lineWord, refuseRow, shortenText } from './read-error';
import { lineFor, secondsOf, type RecordingColumn, type FileConfig } from './replay-config';
import type { NumberFormat } from './survey';
import { lackingNotes } from './ticker-headings';
import { nameOf, SHARE_SERIES, type FileRows, type RecordedRow } from './types';

/** Reads rows whose cells are known, of whatever kind of file. */

const WITHOUT_PRICES = 'without prices';
const OTHER_SERIES = 'of other securities than shares, by their series';
const CONTRACTS =
  'of futures and options that they do not name by expiry, and strike and type of options, as this market lists them';
/** Prices that change by more than this factor from one row of a day to the next are in another unit. */
const MAX_STEP = 3;
const DAY_SECONDS = 86_400;
const FIRST = istMidnight(FIRST_DATE);
const LAST = istMidnight(LAST_DATE) + DAY_SECONDS * 1000;
const BEFORE_FIRST_DATE = `from before ${FIRST_DATE}, where this market begins`;
/** The first row that is not too early follows the last that is within so many milliseconds. */
const MAX_GAP_MS = 15 * DAY_SECONDS * 1000;
/** A day as spreadsheets count, from 1982 to 2064, and its time as a fraction. */
const SHEET_DAY = /^[345]\d{4}(\.\d+)?$/;
/** The first of January 1970 in that count. */
const SHEET_EPOCH = 25_569;
/** A count of seconds. */
const SECONDS = /^\d{10}(\.0+)?$/;
const AT_1980 = Date.UTC(1980, 0, 1);
const PLAIN_WRITING: NumberFormat = { sign: 'point', order: 'day-month-year' };

/** One file that is being read. */
export class RowReader {
  private readonly resolutions = new Map<string, NameResolution>();
  private readonly contracts = new Map<string, NamedInstrument | 'unnamed' | undefined>();
  private readonly last = new Map<string, RecordedRow>();
  private readonly rows: PackedRows;
  private readonly leftOut = new LeftOutRows();
  private readonly formerNames = new FormerNames();
  private rounded = 0;
  private datesOnly = true;
  private lastSeconds = true;
  private readonly scale: number;
  private readonly offset: number;
  private readonly fileName: FileNameReading;
  /** Instrument that replay.json says the file holds. */
  private readonly stated: NamedInstrument | undefined;
  private statedOf: string | undefined;
  private before: { at: number; isEarly: boolean; line: number } | undefined;
  private firstLine = 0;
  private bars: number | undefined;

  constructor(
    private readonly file: string,
    private readonly terms: FileConfig,
    private readonly plan: ColumnPlan,
    private readonly catalog: AssetCatalog,
    private readonly writing = PLAIN_WRITING,
  ) {
    this.rows = new PackedRows(file);
    this.scale = (terms.prices ?? (plan.paise ? 'paise' : 'rupees')) === 'rupees' ? 100 : 1;
    this.offset = offsetOf(terms.zone ?? plan.zone ?? 'IST')!;
    this.fileName = readFileName(catalog, file);
    this.stated = terms.symbol === undefined ? undefined : this.named(terms.symbol);
  }

  refuse(line: number, what: string): never {
    refuseRow(this.file, line, what);
  }

  private line(terms: FileConfig): string {
    return `${lineFor(this.file, terms)} in replay.json`;
  }

  /** The instrument that replay.json names. */
  private named(symbol: string): NamedInstrument {
    const resolution = resolveInstrument(this.catalog, symbol, this.terms.exchange);
    if (resolution !== undefined && !('isNot' in resolution)) return resolution;
    return this.refuse(
      1,
      resolution === undefined
        ? `this market has no share or index "${shortenText(symbol)}", as replay.json names it; write its symbol, such as NIFTY or INFY`
        : `"${shortenText(symbol)}", as replay.json names it, is ${resolution.isNot}; write the symbol of a share or index`,
    );
  }

  private price(text: string, column: RecordingColumn, line: number): number {
    const number = plainNumber(text, this.writing.sign);
    if (number === undefined)
      this.refuse(
        line,
        `${column} must be a price such as 1234.50, not "${shortenText(text)}"; correct or delete the line`,
      );
    const exact = Number(number) * this.scale;
    const paise = Math.round(exact);
    if (paise <= 0)
      this.refuse(
        line,
        `${column} must be above 0, not ${shortenText(text)}; delete a line in which nothing was traded`,
      );
    if (!Number.isSafeInteger(paise * 1000))
      this.refuse(line, `${column} ${shortenText(text)} is no price; correct the line`);
    if (Math.abs(exact - paise) > 1e-4) this.rounded += 1;
    return paise;
  }

  /** The instrument of a row; undefined where it is left out. @param name as the row writes it */
  private instrument(
    cells: readonly string[],
    line: number,
    name: string | undefined,
    day: number,
  ): NamedInstrument | undefined {
    const { exchange: where, isin: isinAt } = this.plan.places;
    const written = where === undefined ? this.terms.exchange : cells[where]!.toUpperCase();
    const reported = EXCHANGES_OF_SEGMENTS[written ?? ''] ?? written;
    if (reported !== undefined && reported !== 'NSE' && reported !== 'BSE')
      this.refuse(
        line,
        `exchange must be NSE or BSE, not "${shortenText(reported)}"; shares and indices of these two can be replayed`,
      );
    const isin = isinAt === undefined ? '' : cells[isinAt]!;
    const key = `${reported ?? ''} ${name ?? ''} ${isin}`;
    let resolution = this.resolutions.get(key);
    if (resolution === undefined && !this.resolutions.has(key)) {
      resolution =
        name === undefined
          ? (this.fileName.contract ??
            (this.fileName.named && { ...this.fileName.named, ...(reported && this.onExchange(reported)) }))
          : isin === ''
            ? this.instrumentOrContract(name, reported, day)
            : shareByIsin(this.catalog, name, isin, reported ?? 'NSE', day);
      this.resolutions.set(key, resolution);
      if (name !== undefined && resolution !== undefined && !('isNot' in resolution))
        this.formerNames.add(shortenText(name), resolution);
    }
    if (this.stated !== undefined) return this.statedInstrument(name, resolution, line);
    if (resolution !== undefined && !('isNot' in resolution)) return resolution;
    if (name === undefined) this.askInstrument(line);
    this.leftOut.add(shortenText(name), resolution === undefined ? NOT_HERE : `that stand for ${resolution.isNot}`);
    return undefined;
  }

  private instrumentOrContract(name: string, reported: 'NSE' | 'BSE' | undefined, day: number): NameResolution {
    const resolution = resolveInstrument(this.catalog, name, reported, day);
    return resolution !== undefined && 'isNot' in resolution
      ? (contractNamed(this.catalog, name) ?? resolution)
      : resolution;
  }

  /** The file's instrument on the exchange that the row names. */
  private onExchange(exchange: 'NSE' | 'BSE'): NamedInstrument {
    const { symbol } = this.fileName.named!;
    const resolution = resolveInstrument(this.catalog, symbol, exchange);
    return resolution === undefined || 'isNot' in resolution ? this.fileName.named! : resolution;
  }

  /** Returns the instrument of replay.json, unless the row names another. */
  private statedInstrument(name: string | undefined, resolution: NameResolution, line: number): NamedInstrument {
    const stated = this.stated!;
    if (name === undefined) return stated;
    const isOther = resolution !== undefined && !('isNot' in resolution) && resolution.symbol !== stated.symbol;
    if (isOther || (this.statedOf !== undefined && this.statedOf !== name))
      this.refuse(
        line,
        `the row is of "${shortenText(name)}" where replay.json says that the file holds ${stated.symbol}${
          isOther || this.statedOf === undefined ? '' : `, as in rows of "${shortenText(this.statedOf)}"`
        }; take "symbol" out of replay.json, or give the rows in files of their own`,
      );
    this.statedOf = name;
    return stated;
  }

  private askInstrument(line: number): never {
    const { why } = this.fileName;
    return this.refuse(
      line,
      why === ''
        ? `nothing says which instrument it is: name it in replay.json: ${lineFor(this.file, { symbol: 'NIFTY' })}`
        : `${why}: write ${this.line({ skip: true })} to leave the file out, or "symbol" with the share or index that it holds`,
    );
  }

  /**
   * Takes one row. @param cells its texts, as many as the file has columns. @param line from 1
   * @param instrument the instrument where it is known; else the row, replay.json or the file's name says it
   * @throws OptionError that says what is wrong
   */
  add(cells: readonly string[], line: number, instrument?: NamedInstrument): void {
    if (this.firstLine === 0) this.firstLine = line;
    const at = this.time(cells, line);
    if (at === undefined) return;
    const { currency, bars } = this.plan.places;
    if (currency !== undefined && !isInRupees(cells[currency]!))
      this.refuse(line, `its prices are in ${shortenText(cells[currency]!)}; download those of NSE or BSE, in rupees`);
    if (bars !== undefined) this.readBars(cells[bars]!, line);
    if (this.plan.wide === undefined) {
      const { symbol } = this.plan.places;
      this.addBar(cells, line, at, this.plan.places, symbol === undefined ? undefined : cells[symbol]!, instrument);
    } else for (const [name, places] of this.plan.wide) this.addBar(cells, line, at, places, name, instrument);
  }

  /** Reads the time of a row; undefined where that is before this market begins. */
  private time(cells: readonly string[], line: number): number | undefined {
    const { places } = this.plan;
    const clock = places.clock === undefined ? undefined : cells[places.clock]!;
    const stamp = cells[places.time!]!;
    const read = parseTime(stamp, clock, this.offset, this.writing.order);
    const isCount = this.plan.isSince1980 === true && SECONDS.test(stamp);
    const time = read !== undefined && isCount ? { ...read, at: read.at + AT_1980 } : read;
    const written = shortenText([stamp, ...(clock === undefined ? [] : [clock])].join(' '));
    if (time === undefined && SHEET_DAY.test(stamp))
      this.refuse(
        line,
        `"${written}" counts days as a spreadsheet does, as of ${formatDayNumber(Math.floor(Number(stamp)) - SHEET_EPOCH)}; format the column as dates and save the file again`,
      );
    if (time === undefined)
      this.refuse(
        line,
        `"${written}" is not a time such as 2020-03-13 09:15 or 13-03-2020; correct or delete the line`,
      );
    const isEarly = time.at < FIRST;
    const { before } = this;
    const isNear = before === undefined || Math.abs(time.at - before.at) <= MAX_GAP_MS;
    if (time.at >= LAST || (isEarly && !isNear && before?.isEarly !== true))
      this.refuse(line, `${written} is not between ${FIRST_DATE} and ${LAST_DATE}; delete the line`);
    if (!isEarly && before?.isEarly === true && !isNear)
      this.refuse(before.line, `its day is not between ${FIRST_DATE} and ${LAST_DATE}; delete the line`);
    this.before = { at: time.at, isEarly, line };
    if (isEarly) {
      this.leftOut.add('', BEFORE_FIRST_DATE);
      return undefined;
    }
    if (!time.dateOnly) {
      this.datesOnly = false;
      if ((time.at / SECOND) % 60 !== 59) this.lastSeconds = false;
    }
    return time.at;
  }

  /** Reads the length of bars in a column of intervals: D, or minutes. */
  private readBars(text: string, line: number): void {
    const seconds = barsInColumn(text, this.bars);
    if (typeof seconds === 'string') this.refuse(line, seconds);
    this.bars = seconds;
  }

  private addBar(
    cells: readonly string[],
    line: number,
    at: number,
    places: ColumnPlaces,
    name: string | undefined,
    rowInstrument: NamedInstrument | undefined,
  ): void {
    const texts = [places.open!, places.high!, places.low!, places.close!].map((place) => cells[place]!);
    const isWithout = texts.every((text) => NO_PRICE.test(text)) || texts.every((text) => ZERO.test(text));
    // Of a share that is not traded yet the columns beside those of others are empty.
    if (isWithout && this.plan.wide !== undefined) return;
    const series = places.series === undefined ? '' : cells[places.series]!.toUpperCase();
    if (series !== '' && !SHARE_SERIES.includes(series))
      return this.leftOut.add(`${name ?? this.fileName.named?.symbol ?? ''} ${series}`.trim(), OTHER_SERIES);
    const named = rowInstrument ?? this.contract(cells, name) ?? this.instrument(cells, line, name, dayOf(at));
    if (named === 'unnamed')
      return this.leftOut.add(name ?? this.stated?.symbol ?? this.fileName.named?.symbol ?? '', CONTRACTS);
    if (named === undefined) return;
    if (isWithout) return this.leftOut.add(named.symbol, WITHOUT_PRICES);
    const [open, high, low, close] = (['open', 'high', 'low', 'close'] as const).map((column, i) =>
      this.price(texts[i]!, column, line),
    ) as [number, number, number, number];
    if (high < low) this.refuse(line, 'high is below low; correct or delete the line');
    for (const [column, value] of [
      ['open', open],
      ['close', close],
    ] as const)
      if (value > high || value < low)
        this.refuse(line, `${column} is not between low and high; correct or delete the line`);
    const volume = this.volume(places.volume === undefined ? '' : cells[places.volume]!, line);
    this.refuseOpenInterest(cells, line, at, named, volume);
    const previous = places.previousClose === undefined ? '' : cells[places.previousClose]!;
    const previousClose = MISSING_PRICE.test(previous) ? undefined : this.price(previous, 'previousClose', line);
    const row: RecordedRow = { file: this.file, line, ...named, at, open, high, low, close, volume, previousClose };
    this.compare(row);
    this.rows.add(row);
  }

  /** The contract of a row whose columns say that it is of one. @param name as the row writes it */
  private contract(cells: readonly string[], name: string | undefined): NamedInstrument | 'unnamed' | undefined {
    const { expiry, strike, right, kind, exchange } = this.plan.places;
    const contractColumns = [expiry, strike, right, kind, exchange].filter((place) => place !== undefined);
    if (contractColumns.length === 0) return undefined;
    const key = [name ?? '', ...contractColumns.map((place) => cells[place])].join(' ');
    if (!this.contracts.has(key)) this.contracts.set(key, this.contractOf(cells, name));
    return this.contracts.get(key);
  }

  private contractOf(cells: readonly string[], name: string | undefined): NamedInstrument | 'unnamed' | undefined {
    const named = name === undefined ? this.fileName.contract : contractNamed(this.catalog, name);
    if (named !== undefined) return undefined;
    const resolution =
      name === undefined ? (this.stated ?? this.fileName.named) : resolveInstrument(this.catalog, name);
    const symbol = resolution === undefined || 'isNot' in resolution ? (name ?? '') : resolution.symbol;
    return contractIn(this.catalog, cells, this.plan.places, symbol);
  }

  /** Refuses a row of a future under the name of its underlying: shares and indices have no open interest. */
  private refuseOpenInterest(
    cells: readonly string[],
    line: number,
    at: number,
    named: NamedInstrument,
    volume: number | undefined,
  ): void {
    const { openInterest } = this.plan.places;
    if (openInterest === undefined || this.stated !== undefined) return;
    const quantity = quantityOf(cells[openInterest]!.replace(/\.0+$/, ''), this.writing.sign) ?? 0;
    if (quantity === 0 || contractNamed(this.catalog, named.symbol) !== undefined) return;
    // Programs write the day's deliveries of a share in that column: no more than were traded.
    const isDay = (at + 330 * MINUTE) % (DAY_SECONDS * SECOND) === 0;
    if (isDay && quantity <= (volume ?? 0) && !this.catalog.indexRowOf.has(nameOf(named))) return;
    this.refuse(
      line,
      `it has an open interest of ${quantity}, as futures have and ${named.symbol} does not: name the contract in the file's name, such as NIFTY25NOVFUT, or write ${this.line({ skip: true })}; if it is ${named.symbol} all the same: ${lineFor(this.file, { symbol: named.symbol })}`,
    );
  }

  private volume(text: string, line: number): number | undefined {
    if (NO_PRICE.test(text)) return undefined;
    const quantity = quantityOf(text, this.writing.sign);
    if (quantity === undefined)
      this.refuse(line, `volume must be a whole number, not "${shortenText(text)}"; correct or delete the line`);
    return quantity;
  }

  /** Refuses a row whose price is far from that of the row before it: it is in another unit. */
  private compare(row: RecordedRow): void {
    const key = `${row.exchange} ${row.symbol}`;
    const before = this.last.get(key);
    this.last.set(key, row);
    if (before === undefined || Math.abs(row.at - before.at) >= DAY_SECONDS * 500) return;
    const step = row.close / before.close;
    if (step > MAX_STEP || step < 1 / MAX_STEP || row.high > row.low * MAX_STEP)
      this.refuse(
        row.line,
        `close is ${row.close / 100} rupees where ${lineWord(this.file)} ${before.line} has ${before.close / 100}; correct the line, or give rupees and paise in files of their own`,
      );
  }

  /** @throws OptionError where there was no row */
  result(): FileRows {
    const { file, rows, rounded, terms, leftOut } = this;
    if (rows.length === 0) {
      // A broker's own code, perhaps.
      const orNameIt = leftOut.isOneUnknownName ? `, or ${lineFor(file, { symbol: 'INFY' })} if they are of INFY` : '';
      this.refuse(
        this.firstLine || this.plan.headings + 1,
        leftOut.count === 0
          ? 'there is no row; delete the file, or fill it'
          : `it holds only rows ${leftOut.text()}: write ${this.line({ skip: true })} to leave it out${orNameIt}`,
      );
    }
    const isEnd = !this.datesOnly && this.lastSeconds && terms.time === undefined;
    if (isEnd || terms.time === 'last-second') rows.shift(SECOND);
    const { bars } = this.fileName;
    const interval = terms.interval === undefined ? this.bars : secondsOf(terms.interval);
    return {
      file,
      rows,
      rounded,
      kind: 'candles',
      isUnitKnown: terms.prices !== undefined || this.plan.paise,
      ticks: [],
      straddles: [],
      notes: [...this.formerNames.notes(file), ...lackingNotes(file, this.plan.lacking)],
      leftOut: leftOut.all(),
      interval,
      namedInterval: bars ?? (this.datesOnly ? DAY_SECONDS : undefined),
      datesOnly: this.datesOnly,
      time: isEnd || terms.time === 'last-second' ? 'last-second' : (terms.time ?? this.plan.time),
      isTimeCertain: isEnd || terms.time !== undefined,
    };
  }
}
