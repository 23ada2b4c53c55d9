import type { AssetCatalog } from '../reference/catalog';
import { FIRST_DATE, LAST_DATE } from '../reference/calendar';
import { istMidnight } from '../../shared/time';
import type { Plan } from './columns';
import { offsetOf, parseTime } from './parse-time';
import { resolveInstrument, namesInFileName, type Named } from './resolve-instrument';
import { lineWord, refuseRow, shown } from './read-error';
import { secondsOf, type Column, type FileConfig } from './replay-config';
import type { FileRows, Row } from './types';

/** Reads rows whose cells are known, of whatever kind of file. */

const PRICE = /^(\d+(\.\d+)?|\.\d+)$/;
/** Quantities, also as programs write whole numbers that they hold as fractions: 1200.0. */
const QUANTITY = /^\d+(\.0+)?$/;
/** How programs write a price that they do not know. */
const NOT_TOLD = /^(-|0+(\.0+)?)?$/;
/** Prices that change by more than this factor from one row of a day to the next are in another unit. */
const MAX_STEP = 3;
const DAY_SECONDS = 86_400;
const FIRST = istMidnight(FIRST_DATE);
const LAST = istMidnight(LAST_DATE) + DAY_SECONDS * 1000;

/** One file that is being read. */
export class RowReader {
  private readonly found = new Map<string, Named>();
  private readonly last = new Map<string, Row>();
  private readonly rows: Row[] = [];
  private rounded = 0;
  private datesOnly = true;
  private readonly scale: number;
  private readonly offset: number;

  constructor(
    private readonly file: string,
    private readonly terms: FileConfig,
    private readonly plan: Plan,
    private readonly catalog: AssetCatalog,
  ) {
    this.scale = (terms.prices ?? (plan.paise ? 'paise' : 'rupees')) === 'rupees' ? 100 : 1;
    this.offset = offsetOf(terms.timezone ?? 'IST')!;
  }

  refuse(line: number, what: string): never {
    refuseRow(this.file, line, what);
  }

  private price(cells: readonly string[], column: Column, line: number): number {
    const text = cells[this.plan.places[column]!]!;
    if (!PRICE.test(text))
      this.refuse(line, `${column} must be a price such as 1234.50, not "${shown(text)}"; correct or delete the line`);
    const exact = Number(text) * this.scale;
    const paise = Math.round(exact);
    if (paise <= 0)
      this.refuse(line, `${column} must be above 0, not ${shown(text)}; delete a line in which nothing was traded`);
    if (!Number.isSafeInteger(paise * 1000))
      this.refuse(line, `${column} ${shown(text)} is no price; correct the line`);
    if (Math.abs(exact - paise) > 1e-4) this.rounded += 1;
    return paise;
  }

  private instrument(cells: readonly string[], line: number): Named {
    const { symbol: place, exchange: where } = this.plan.places;
    const reported = where === undefined ? this.terms.exchange : cells[where]!.toUpperCase();
    if (reported !== undefined && reported !== 'NSE' && reported !== 'BSE')
      this.refuse(
        line,
        `exchange must be NSE or BSE, not "${shown(reported)}"; shares and indices of these two can be replayed`,
      );
    const name = this.terms.symbol ?? (place === undefined ? undefined : cells[place]!);
    const key = `${reported ?? ''} ${name ?? ''}`;
    let found = this.found.get(key);
    if (found === undefined) {
      const names = name === undefined ? namesInFileName(this.file) : [name];
      found = names.map((name) => resolveInstrument(this.catalog, name, reported)).find((item) => item !== undefined);
      if (found === undefined)
        this.refuse(
          line,
          name === undefined
            ? 'nothing says which instrument it is: name it in replay.json, such as {"files": {"' +
                `${this.file}": {"symbol": "NIFTY"}}}`
            : `this market has no share or index "${shown(name)}"; delete the line, or name the instrument in replay.json`,
        );
      this.found.set(key, found);
    }
    return found;
  }

  /**
   * Takes one row. @param cells its texts, as many as the file has columns. @param line from 1
   * @param meant the instrument where it is known; else the row, replay.json or the file's name says it
   * @throws OptionError that says what is wrong
   */
  add(cells: readonly string[], line: number, meant?: Named): void {
    const { places } = this.plan;
    const clock = places.clock === undefined ? undefined : cells[places.clock]!;
    const stamp = cells[places.time!]!;
    const time = parseTime(stamp, clock, this.offset);
    const written = shown([stamp, ...(clock === undefined ? [] : [clock])].join(' '));
    if (time === undefined)
      this.refuse(
        line,
        `"${written}" is not a time such as 2020-03-13 09:15 or 13-03-2020; correct or delete the line`,
      );
    if (time.at < FIRST || time.at >= LAST)
      this.refuse(line, `${written} is not between ${FIRST_DATE} and ${LAST_DATE}; delete the line`);
    if (!time.dateOnly) this.datesOnly = false;
    const named = meant ?? this.instrument(cells, line);
    const [open, high, low, close] = (['open', 'high', 'low', 'close'] as const).map((column) =>
      this.price(cells, column, line),
    ) as [number, number, number, number];
    if (high < low) this.refuse(line, 'high is below low; correct or delete the line');
    for (const [column, value] of [
      ['open', open],
      ['close', close],
    ] as const)
      if (value > high || value < low)
        this.refuse(line, `${column} is not between low and high; correct or delete the line`);
    const row: Row = {
      file: this.file,
      line,
      ...named,
      at: time.at,
      open,
      high,
      low,
      close,
      volume: this.volume(cells, line),
      previousClose: this.previousClose(cells, line),
    };
    this.compare(row);
    this.rows.push(row);
  }

  private previousClose(cells: readonly string[], line: number): number | undefined {
    const place = this.plan.places.previousClose;
    return place === undefined || NOT_TOLD.test(cells[place]!) ? undefined : this.price(cells, 'previousClose', line);
  }

  private volume(cells: readonly string[], line: number): number | undefined {
    const place = this.plan.places.volume;
    const text = place === undefined ? '' : cells[place]!;
    if (text === '') return undefined;
    if (!QUANTITY.test(text) || !Number.isSafeInteger(Number(text)))
      this.refuse(line, `volume must be a whole number, not "${shown(text)}"; correct or delete the line`);
    return Number(text);
  }

  /** A row in another unit than the one before it stands far from it. */
  private compare(row: Row): void {
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
    const { file, rows, rounded, terms } = this;
    if (rows.length === 0) this.refuse(this.plan.heading ? 2 : 1, 'there is no row; delete the file, or fill it');
    const reported = terms.interval === undefined ? undefined : secondsOf(terms.interval);
    return {
      file,
      rows,
      rounded,
      kind: 'candles',
      tellsUnit: terms.prices !== undefined || this.plan.paise,
      ticks: [],
      straddles: [],
      notes: [],
      interval: reported ?? (this.datesOnly ? DAY_SECONDS : undefined),
      time: terms.time ?? this.plan.time,
    };
  }
}
