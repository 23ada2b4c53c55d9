import { formatDate } from '../../shared/dates';
import { equities } from '../reference/tables';
import type { AssetCatalog } from '../reference/catalog';
import { plain, type Plan } from './columns';
import { resolveInstrument, type Named } from './resolve-instrument';
import { RowReader } from './rows';
import { StraddleReader, type OptionCells } from './straddles';
import type { FileConfig } from './replay-config';
import type { FileRows } from './types';

/** End-of-day files of NSE and BSE in the forms in which the exchanges have served them. */

/** What a row of such a file is about. */
export type RowInstrument =
  /** A share or an index: of rows of the same one that of the lowest rank counts. */
  | { named: Named; rank: number; hasVolume: boolean }
  /** An option, whose close tells a volatility. */
  | OptionCells
  /** Why the row is left out, as a person is told. */
  | string;

/** A known bhavcopy. */
export interface Bhavcopy {
  /** Date, open, high, low, close and volume of a row, as they stand there. */
  values(cells: readonly string[]): string[];
  rowInstrument(cells: readonly string[]): RowInstrument;
}

/** Series of shares, the usual first: the same share may have rows in several. */
const SERIES = ['EQ', 'BE', 'BZ', 'SM', 'ST', 'SZ'];
const NO_SHARE = 'of other securities than shares';
const NOT_HERE = 'of shares and indices that this market does not have';
const BY_NSE = 'of BSE, of shares that trade on NSE too and go there as on NSE';
const FUTURE = 'of futures, which follow their underlying';
const OTHER_SERIES = 'of other series of the same shares';
const NOTHING = 'in which nothing was traded';

const PLAN: Plan = {
  places: { time: 0, open: 1, high: 2, low: 3, close: 4, volume: 5 },
  heading: true,
  paise: false,
};

const NO_ROWS = { rows: [], ticks: [], interval: undefined, time: undefined, rounded: 0 };

interface Form {
  /** Headings, without blanks and underscores, by which the form is known. */
  marks: readonly string[];
  columns: Record<'open' | 'high' | 'low' | 'close' | 'volume', string>;
  /** The day's column; undefined where the file's name tells it. */
  date: string | undefined;
  rowInstrument(cell: (name: string) => string, catalog: AssetCatalog): RowInstrument;
}

const share = (named: Named | undefined, series: string): RowInstrument => {
  if (named === undefined) return NOT_HERE;
  const rank = SERIES.indexOf(series);
  return rank < 0 ? NO_SHARE : { named, rank, hasVolume: true };
};

const onNse = (catalog: AssetCatalog, symbol: string): Named | undefined =>
  catalog.equityRowOf.has(symbol) ? { exchange: 'NSE', symbol } : undefined;

function onBse(row: number | undefined): RowInstrument {
  if (row === undefined) return NOT_HERE;
  const { symbol, bseSymbol } = equities()[row]!;
  return symbol === '' ? { named: { exchange: 'BSE', symbol: bseSymbol }, rank: 0, hasVolume: true } : BY_NSE;
}

/** What is written of an option beside the name of its underlying. @param kind CE, PE, or that of a future */
function optionOf(
  catalog: AssetCatalog,
  named: Named,
  kind: string,
  rest: Pick<OptionCells, 'date' | 'expiry' | 'strike' | 'close'>,
): RowInstrument {
  if (kind !== 'CE' && kind !== 'PE') return FUTURE;
  if (catalog.underlying(named.exchange, named.symbol) === undefined) return NOT_HERE;
  return { named, isPut: kind === 'PE', ...rest };
}

const OLD_PRICES = { open: 'open', high: 'high', low: 'low', close: 'close' };
const LONG_PRICES = { open: 'openprice', high: 'highprice', low: 'lowprice', close: 'closeprice' };

const FORMS: readonly Form[] = [
  {
    // Since July 2024, of both exchanges: BhavCopy_NSE_CM_0_0_0_20250829_F_0000.csv.
    marks: ['sgmt', 'src', 'fininstrmtp', 'tckrsymb', 'sctysrs', 'fininstrmactlxprydt', 'strkpric', 'optntp'],
    columns: { open: 'opnpric', high: 'hghpric', low: 'lwpric', close: 'clspric', volume: 'ttltradgvol' },
    date: 'traddt',
    rowInstrument(cell, catalog) {
      if (cell('sgmt') === 'FO') {
        const named: Named = { exchange: cell('src') === 'BSE' ? 'BSE' : 'NSE', symbol: cell('tckrsymb') };
        return optionOf(catalog, named, cell('optntp'), {
          date: cell('traddt'),
          expiry: cell('fininstrmactlxprydt'),
          strike: cell('strkpric'),
          close: cell('clspric'),
        });
      }
      if (cell('fininstrmtp') !== 'STK') return NO_SHARE;
      const symbol = cell('tckrsymb');
      return cell('src') === 'BSE'
        ? onBse(catalog.bseRowOf.get(symbol))
        : share(onNse(catalog, symbol), cell('sctysrs'));
    },
  },
  {
    // sec_bhavdata_full_21082026.csv
    marks: ['symbol', 'series', 'date1', 'avgprice', 'ttltrdqnty'],
    columns: { ...LONG_PRICES, volume: 'ttltrdqnty' },
    date: 'date1',
    rowInstrument: (cell, catalog) => share(onNse(catalog, cell('symbol')), cell('series')),
  },
  {
    // cm01APR2021bhav.csv
    marks: ['symbol', 'series', 'prevclose', 'tottrdqty', 'timestamp'],
    columns: { ...OLD_PRICES, volume: 'tottrdqty' },
    date: 'timestamp',
    rowInstrument: (cell, catalog) => share(onNse(catalog, cell('symbol')), cell('series')),
  },
  {
    // Pd250517.csv, with the indices.
    marks: ['mkt', 'series', 'symbol', 'security', 'nettrdqty', 'indsec'],
    columns: { ...LONG_PRICES, volume: 'nettrdqty' },
    date: undefined,
    rowInstrument(cell, catalog) {
      if (cell('indsec') !== 'Y') return share(onNse(catalog, cell('symbol')), cell('series'));
      const named = resolveInstrument(catalog, cell('security'), 'NSE');
      if (named === undefined || !catalog.indexRowOf.has(`NSE ${named.symbol}`)) return NOT_HERE;
      return { named, rank: 0, hasVolume: false };
    },
  },
  {
    // fo01APR2021bhav.csv
    marks: ['instrument', 'symbol', 'expirydt', 'strikepr', 'optiontyp', 'timestamp'],
    columns: { ...OLD_PRICES, volume: 'contracts' },
    date: 'timestamp',
    rowInstrument: (cell, catalog) =>
      optionOf(catalog, { exchange: 'NSE', symbol: cell('symbol') }, cell('optiontyp'), {
        date: cell('timestamp'),
        expiry: cell('expirydt'),
        strike: cell('strikepr'),
        close: cell('close'),
      }),
  },
  {
    // EQ_ISINCODE_010421.CSV of BSE.
    marks: ['sccode', 'scname', 'scgroup', 'noofshrs', 'tradingdate'],
    columns: { ...OLD_PRICES, volume: 'noofshrs' },
    date: 'tradingdate',
    rowInstrument: (cell) => onBse(rowOfCode().get(Number(cell('sccode')))),
  },
];

let codes: ReadonlyMap<number, number> | undefined;
/** Rows of the table of equities by their code on BSE. */
const rowOfCode = (): ReadonlyMap<number, number> =>
  (codes ??= new Map(equities().flatMap(({ bseCode }, row) => (bseCode > 0 ? [[bseCode, row]] : []))));

/** The day of Pd250517.csv. */
function dayInName(file: string): string | undefined {
  const found = /(?:^|\D)(\d\d)(\d\d)(\d\d)(?=\D|$)/.exec(file);
  return found === null ? undefined : `20${found[3]}-${found[2]}-${found[1]}`;
}

/**
 * How to read a file if its heading is that of a bhavcopy; undefined for any other. A text says why it cannot be read.
 * @param heading as it stands in the file
 */
export function bhavcopyOf(
  file: string,
  heading: readonly string[],
  catalog: AssetCatalog,
): Bhavcopy | string | undefined {
  const names = heading.map(plain);
  const form = FORMS.find(({ marks }) => marks.every((mark) => names.includes(mark)));
  if (form === undefined) return undefined;
  const { open, high, low, close, volume } = form.columns;
  const requested = [...(form.date === undefined ? [] : [form.date]), open, high, low, close, volume];
  const missing = requested.filter((name) => !names.includes(name));
  if (missing.length > 0) return `this bhavcopy has no column ${missing.join(', ')}; download it again`;
  const date = form.date === undefined ? dayInName(file) : undefined;
  if (form.date === undefined && date === undefined)
    return 'nothing says of which day it is; keep the name that the exchange gave it, such as Pd250517.csv';
  const places = requested.map((name) => names.indexOf(name));
  const cell = (cells: readonly string[], name: string): string => cells[names.indexOf(name)]!;
  return {
    values: (cells) => [...(date === undefined ? [] : [date]), ...places.map((place) => cells[place]!)],
    rowInstrument(cells) {
      const found = form.rowInstrument((name) => cell(cells, name), catalog);
      const wantsVolume = typeof found !== 'string' && (!('rank' in found) || found.hasVolume);
      return wantsVolume && Number(cell(cells, volume)) === 0 ? NOTHING : found;
    },
  };
}

/** Reads the rows of a bhavcopy: of each share its usual series, and what it does not trade is counted. */
export class BhavcopyReader {
  private readonly best = new Map<string, { rank: number; values: string[]; line: number; named: Named }>();
  private readonly leftOut = new Map<string, number>();
  private readonly straddles: StraddleReader;

  constructor(
    private readonly file: string,
    private readonly terms: FileConfig,
    private readonly bhavcopy: Bhavcopy,
    private readonly catalog: AssetCatalog,
  ) {
    this.straddles = new StraddleReader(file);
  }

  /** Takes one row. @param cells its texts, as many as the heading has. @param line from 1 */
  add(cells: readonly string[], line: number): void {
    const selection = this.bhavcopy.rowInstrument(cells);
    if (typeof selection === 'string') return this.leave(selection);
    if ('strike' in selection) return this.straddles.add(selection, line);
    const { named, rank, hasVolume } = selection;
    const key = `${named.exchange} ${named.symbol}`;
    const before = this.best.get(key);
    if (before !== undefined) this.leave(OTHER_SERIES);
    if (before !== undefined && before.rank <= rank) return;
    const values = this.bhavcopy.values(cells);
    this.best.set(key, { rank, values: hasVolume ? values : values.with(5, ''), line, named });
  }

  private leave(why: string): void {
    this.leftOut.set(why, (this.leftOut.get(why) ?? 0) + 1);
  }

  /** @throws OptionError with file, line and what to do, of the first wrong row of what is traded */
  result(): FileRows {
    const reader = new RowReader(this.file, { ...this.terms, interval: '1d' }, PLAN, this.catalog);
    for (const { values, line, named } of this.best.values()) reader.add(values, line, named);
    const rows = this.best.size === 0 ? NO_ROWS : reader.result();
    const straddles = this.straddles.result();
    const leftOut = [...this.leftOut].map(([why, count]) => `${this.file}: left out ${count} rows ${why}.`);
    const last = straddles.reduce((latest, { day }) => Math.max(latest, day), 0);
    const reported =
      last === 0
        ? []
        : [`${this.file}: volatilities of options after ${formatDate(last)} go on from those that it shows.`];
    return { ...rows, file: this.file, kind: 'bhavcopy', tellsUnit: true, straddles, notes: [...reported, ...leftOut] };
  }
}
