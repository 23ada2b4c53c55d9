import { formatDayNumber } from '../../shared/dates';
import type { AssetCatalog } from '../reference/catalog';
import { plainHeading, type ColumnPlan } from './column-names';
import {
  resolveInstrument,
  shareByIsin,
  shareOfBseCode,
  type NamedInstrument,
  type NameResolution,
} from './instrument-names';
import { FormerNames } from './former-names';
import { LeftOutRows, NOT_HERE } from './left-out';
import { PackedRows } from './packed-rows';
import { RowReader } from './rows';
import { StraddleReader, type OptionCells } from './straddles';
import type { FileConfig } from './replay-config';
import { SHARE_SERIES, type FileRows } from './types';

/** End-of-day files of NSE and BSE in the forms in which the exchanges have served them. */

/** Instrument of a row of such a file. */
export type RowInstrument =
  /** A share or an index: of rows of the same one that of the lowest rank counts. */
  | { named: NamedInstrument; rank: number; hasVolume: boolean }
  /** An option, whose close tells a volatility. */
  | OptionCells
  /** Names that are left out, with the reason in words. */
  | { left: string; why: string };

/** A known bhavcopy. */
export interface Bhavcopy {
  /** Date, open, high, low, close and volume of a row, unchanged. */
  values(cells: readonly string[]): string[];
  rowInstrument(cells: readonly string[]): RowInstrument;
}

const NO_SHARE = 'of other securities than shares';
const NO_SUCH = `of shares and indices ${NOT_HERE}`;
const FUTURE = 'of futures, which follow their underlying';
const OTHER_SERIES = 'of other series of the same shares';
const NOTHING = 'in which nothing was traded';
const CLOSE_ALONE = 'of indices with a close alone';

const PLAN: ColumnPlan = {
  places: { time: 0, open: 1, high: 2, low: 3, close: 4, volume: 5 },
  headings: 1,
  paise: false,
};

const NO_ROWS = { ticks: [], interval: undefined, time: undefined, rounded: 0 };

interface Form {
  /** Headings, without blanks and signs, by which the form is known. */
  marks: readonly string[];
  columns: Record<'open' | 'high' | 'low' | 'close' | 'volume', string>;
  /** The day's column; where it is not there, the file's name tells the day. */
  date: string | undefined;
  /** Instrument of a row. @param cell returns the text of a column; empty where the file has no such column */
  rowInstrument(cell: (name: string) => string, catalog: AssetCatalog): RowInstrument;
}

function share(resolution: NameResolution, symbol: string, series: string): RowInstrument {
  const rank = SHARE_SERIES.indexOf(series);
  if (rank < 0) return { left: `${symbol} ${series}`.trim(), why: NO_SHARE };
  if (resolution === undefined) return { left: symbol, why: NO_SUCH };
  if ('isNot' in resolution) return { left: symbol, why: `of which each is ${resolution.isNot}` };
  return { named: resolution, rank, hasVolume: true };
}

/** A row of NSE: its symbol, its series, and its ISIN where the file has one. */
const onNse = (catalog: AssetCatalog, symbol: string, series: string, isin = ''): RowInstrument =>
  share(shareByIsin(catalog, symbol, isin, 'NSE'), symbol, series);

const onBse = (named: NameResolution, name: string): RowInstrument => share(named, name, 'EQ');

function index(catalog: AssetCatalog, name: string, hasVolume: boolean): RowInstrument {
  const named = resolveInstrument(catalog, name);
  if (named === undefined || 'isNot' in named || !catalog.indexRowOf.has(`${named.exchange} ${named.symbol}`))
    return { left: name, why: NO_SUCH };
  return { named, rank: 0, hasVolume };
}

/** Reads the fields of an option beside the name of its underlying. @param kind CE, PE, or that of a future */
function optionOf(
  catalog: AssetCatalog,
  { exchange, symbol }: NamedInstrument,
  kind: string,
  rest: Pick<OptionCells, 'date' | 'expiry' | 'strike' | 'close'>,
): RowInstrument {
  if (kind !== 'CE' && kind !== 'PE') return { left: symbol, why: FUTURE };
  const resolution = resolveInstrument(catalog, symbol, exchange);
  const named = resolution === undefined || 'isNot' in resolution ? undefined : resolution;
  if (named === undefined || catalog.underlying(named.exchange, named.symbol) === undefined)
    return { left: symbol, why: NO_SUCH };
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
      const symbol = cell('tckrsymb');
      if (cell('sgmt') === 'FO') {
        const named: NamedInstrument = { exchange: cell('src') === 'BSE' ? 'BSE' : 'NSE', symbol };
        return optionOf(catalog, named, cell('optntp'), {
          date: cell('traddt'),
          expiry: cell('fininstrmactlxprydt'),
          strike: cell('strkpric'),
          close: cell('clspric'),
        });
      }
      if (cell('fininstrmtp') !== 'STK') return { left: `${symbol} ${cell('fininstrmtp')}`, why: NO_SHARE };
      return cell('src') === 'BSE'
        ? onBse(shareByIsin(catalog, symbol, cell('isin'), 'BSE'), symbol)
        : onNse(catalog, symbol, cell('sctysrs'), cell('isin'));
    },
  },
  {
    // sec_bhavdata_full_21082026.csv
    marks: ['symbol', 'series', 'date1', 'avgprice', 'ttltrdqnty'],
    columns: { ...LONG_PRICES, volume: 'ttltrdqnty' },
    date: 'date1',
    rowInstrument: (cell, catalog) => onNse(catalog, cell('symbol'), cell('series')),
  },
  {
    // cm01APR2021bhav.csv; until 2011 without ISIN.
    marks: ['symbol', 'series', 'prevclose', 'tottrdqty', 'timestamp'],
    columns: { ...OLD_PRICES, volume: 'tottrdqty' },
    date: 'timestamp',
    rowInstrument: (cell, catalog) => onNse(catalog, cell('symbol'), cell('series'), cell('isin')),
  },
  {
    // Pd250517.csv. The market tells indices (Y); IND_SEC is also Y for the shares that NIFTY holds.
    marks: ['mkt', 'series', 'symbol', 'security', 'nettrdqty', 'indsec'],
    columns: { ...LONG_PRICES, volume: 'nettrdqty' },
    date: undefined,
    rowInstrument(cell, catalog) {
      const [market, series, symbol, security] = [cell('mkt'), cell('series'), cell('symbol'), cell('security')];
      if (market === 'Y' && series === '') return index(catalog, security, false);
      if (security === '' || series === '') return { left: security || symbol, why: NO_SHARE };
      return onNse(catalog, symbol, series);
    },
  },
  {
    // ind_close_all_26032025.csv
    marks: ['indexname', 'indexdate', 'openindexvalue', 'highindexvalue', 'lowindexvalue', 'closingindexvalue'],
    columns: {
      open: 'openindexvalue',
      high: 'highindexvalue',
      low: 'lowindexvalue',
      close: 'closingindexvalue',
      volume: 'volume',
    },
    date: 'indexdate',
    rowInstrument(cell, catalog) {
      const rowInstrument = index(catalog, cell('indexname'), false);
      const isClosed = ['openindexvalue', 'highindexvalue', 'lowindexvalue'].every((name) => /^-?$/.test(cell(name)));
      return isClosed && 'named' in rowInstrument ? { left: cell('indexname'), why: CLOSE_ALONE } : rowInstrument;
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
    // EQ_ISINCODE_010421.CSV of BSE, and EQ010124.CSV, which has no column of the day.
    marks: ['sccode', 'scname', 'scgroup', 'noofshrs'],
    columns: { ...OLD_PRICES, volume: 'noofshrs' },
    date: 'tradingdate',
    rowInstrument: (cell) => onBse(shareOfBseCode(cell('sccode')), cell('scname')),
  },
];

/** Files that NSE serves beside PD in its daily set, and that hold no prices of a day: PR290825.csv, bc290825.csv, etf290825.csv. */
const COMPANION = /^(pr|bc|bh|gl|hl|tt|an|etf|sme|mcap|corpbond|bm|fo|op|fut)\d{6}(\d\d)?\.(csv|txt|doc)$/i;
const README = /^readme\b/i;
const COMPANION_HEADINGS = ['mkt', 'series', 'symbol', 'instrument', 'scriptype', 'sr'];

/**
 * True if a file is one of those by its name and the first column; in the set itself, as NSE zips it, by its name.
 * @param text its content
 */
export const isCompanion = (file: string, text: string, isInSet = false): boolean =>
  isInSet
    ? COMPANION.test(file) || README.test(file)
    : COMPANION.test(file) && COMPANION_HEADINGS.includes(plainHeading(/^[^,\r\n]*/.exec(text)![0]));

/** The day of Pd250517.csv, EQ010124.CSV and EQ_ISINCODE_01012024.CSV. */
function dayInName(file: string): string | undefined {
  const match = /(?:^|\D)(\d\d)(\d\d)(\d\d(?:\d\d)?)(?=\D|$)/.exec(file);
  return match === null ? undefined : `${match[3]!.length === 2 ? '20' : ''}${match[3]}-${match[2]}-${match[1]}`;
}

/**
 * Returns the reader of a file if its heading is that of a bhavcopy; undefined for any other. A text says why it cannot be read.
 * @param heading unchanged from the file
 */
export function bhavcopyOf(
  file: string,
  heading: readonly string[],
  catalog: AssetCatalog,
): Bhavcopy | string | undefined {
  const names = heading.map(plainHeading);
  const form = FORMS.find(({ marks }) => marks.every((mark) => names.includes(mark)));
  if (form === undefined) return undefined;
  const { open, high, low, close, volume } = form.columns;
  const dated = form.date !== undefined && names.includes(form.date) ? form.date : undefined;
  const requested = [...(dated === undefined ? [] : [dated]), open, high, low, close, volume];
  const missing = requested.filter((name) => !names.includes(name));
  if (missing.length > 0) return `this bhavcopy has no column ${missing.join(', ')}; download it again`;
  const date = dated === undefined ? dayInName(file) : undefined;
  if (dated === undefined && date === undefined)
    return 'nothing says of which day it is; keep the name that the exchange gave it, such as Pd250517.csv';
  const places = requested.map((name) => names.indexOf(name));
  const cell = (cells: readonly string[], name: string): string => cells[names.indexOf(name)] ?? '';
  return {
    values: (cells) => [...(date === undefined ? [] : [date]), ...places.map((place) => cells[place]!)],
    rowInstrument(cells) {
      const rowInstrument = form.rowInstrument((name) => cell(cells, name), catalog);
      const needsVolume = !('why' in rowInstrument) && (!('rank' in rowInstrument) || rowInstrument.hasVolume);
      const { symbol } = 'named' in rowInstrument ? rowInstrument.named : { symbol: '' };
      return needsVolume && Number(cell(cells, volume)) === 0 ? { left: symbol, why: NOTHING } : rowInstrument;
    },
  };
}

/** Reads the rows of a bhavcopy: of each share its usual series, and what it does not trade is counted. */
export class BhavcopyReader {
  private readonly best = new Map<string, { rank: number; values: string[]; line: number; named: NamedInstrument }>();
  private readonly leftOut = new LeftOutRows();
  private readonly formerNames = new FormerNames();
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
    if ('why' in selection) return this.leftOut.add(selection.left, selection.why);
    if ('strike' in selection) return this.straddles.add(selection, line);
    const { named, rank, hasVolume } = selection;
    for (const cell of cells) this.formerNames.add(cell, named);
    const values = this.bhavcopy.values(cells);
    // Several days of it may have been put together.
    const key = `${named.exchange} ${named.symbol} ${values[0]}`;
    const before = this.best.get(key);
    if (before !== undefined) this.leftOut.add(named.symbol, OTHER_SERIES);
    if (before !== undefined && before.rank <= rank) return;
    this.best.set(key, { rank, values: hasVolume ? values : values.with(5, ''), line, named });
  }

  /** @throws OptionError with file, line and what to do, of the first wrong row of what is traded */
  result(): FileRows {
    const reader = new RowReader(this.file, { ...this.terms, interval: '1d' }, PLAN, this.catalog);
    for (const { values, line, named } of this.best.values()) reader.add(values, line, named);
    const rows = this.best.size === 0 ? { ...NO_ROWS, rows: new PackedRows(this.file) } : reader.result();
    const straddles = this.straddles.result();
    const last = straddles.reduce((latest, { day }) => Math.max(latest, day), 0);
    const reported =
      last === 0
        ? []
        : [`${this.file}: volatilities of options after ${formatDayNumber(last)} go on from those that it shows.`];
    return {
      ...rows,
      file: this.file,
      kind: 'bhavcopy',
      isUnitKnown: this.terms.prices !== undefined,
      straddles,
      notes: [...reported, ...this.formerNames.notes(this.file)],
      leftOut: this.leftOut.all(),
    };
  }
}
