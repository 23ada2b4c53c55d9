/**
 * Recordings of a real market, as users have them in files. Prices are whole paise, instants milliseconds since the epoch,
 * day numbers those of shared/dates.
 */

import type { HaltsByDay } from '../reference/calendar';
import type { LeftOut } from './left-out';
import type { RecordedDay } from './recorded-day';
import type { TickDay } from './tick-day';

/** Series of shares, the usual first: the same share may have rows in several. */
export const SHARE_SERIES = ['EQ', 'BE', 'BZ', 'SM', 'ST', 'SZ'];

/** One read row of a file. */
export interface RecordedRow {
  file: string;
  /** From 1, the heading included. */
  line: number;
  exchange: 'NSE' | 'BSE';
  /** As the market writes it. */
  symbol: string;
  /** Time in the file: the beginning of its bar or the end; milliseconds. */
  at: number;
  open: number;
  high: number;
  low: number;
  close: number;
  /** Units traded; undefined where the file does not say. */
  volume: number | undefined;
  /** Close of the trading day before, where the file says it. */
  previousClose?: number | undefined;
}

/** Returns the name of an instrument: `NSE NIFTY`. */
export const nameOf = ({ exchange, symbol }: { exchange: string; symbol: string }): string => `${exchange} ${symbol}`;

/**
 * Of one day ticks go before candles. A bhavcopy, which an exchange made at the end of the day, comes last, and its closes are the
 * official ones.
 */
export type RowKind = 'ticks' | 'candles' | 'bhavcopy';

/** The rows of one file. */
export interface RecordedRows {
  readonly length: number;
  /** Instruments that they are of, in the order of the first rows. */
  instruments(): Pick<RecordedRow, 'exchange' | 'symbol'>[];
  /** Those of one instrument in the order of the file; they are made each time. */
  of(instrument: Pick<RecordedRow, 'exchange' | 'symbol'>): RecordedRow[];
}

/** The rows of one file, and what was found out about it. */
export interface FileRows {
  file: string;
  rows: RecordedRows;
  /** Length of its bars where the user or a column tells it, seconds; 86400 for days. */
  interval: number | undefined;
  /** The same where only the file's name or the kind of its times lets expect it. */
  namedInterval?: number | 'week' | 'month' | undefined;
  /** True if its rows have dates without a time of day. */
  datesOnly?: boolean;
  /** End of its bar that a row names; undefined where nothing says. Of last seconds the rows have the second after. */
  time: 'begin' | 'end' | 'last-second' | undefined;
  /** True if that is certain: the user says it, or all rows show it. */
  isTimeCertain?: boolean;
  /** Rows whose prices were no whole paise and were rounded. */
  rounded: number;
  kind: RowKind;
  /** True if it is told, or of its kind of file known, that prices are rupees or paise. */
  isUnitKnown: boolean;
  /** Ticks of instruments, a day each. */
  ticks: readonly TickDay[];
  /** Closes of its options. */
  straddles: readonly NamedStraddle[];
  /** Other findings, each a sentence. */
  notes: readonly string[];
  /** Rows that are not traded, with the reason. */
  leftOut: readonly LeftOut[];
}

/** Closes of a call and a put of one strike: of all strikes of an expiry those nearest the money. */
export interface RecordedStraddle {
  /** Day numbers. */
  day: number;
  expiry: number;
  /** Paise. */
  strike: number;
  call: number;
  put: number;
}

export interface NamedStraddle extends RecordedStraddle {
  /** Of the underlying. */
  exchange: 'NSE' | 'BSE';
  symbol: string;
}

/** One instrument over all days that were recorded. */
export interface Recording {
  exchange: 'NSE' | 'BSE';
  symbol: string;
  /** Exchange of these prices: of a share that trades on both exchanges perhaps those of BSE, which NSE then follows. */
  seenOn: 'NSE' | 'BSE';
  /** By day number, ascending; never empty. */
  days: ReadonlyMap<number, RecordedDay>;
  /** Close of the trading day before the first; undefined where no file says it. */
  previousClose: number | undefined;
  /** True if its volumes are recorded; an index has none. */
  hasVolumes: boolean;
  /** Length of its bars, seconds; the shortest where files differ. */
  interval: number;
}

/** Corporate action of a company on a day. */
export interface RecordedAction {
  exchange: 'NSE';
  symbol: string;
  /** Day number of the ex-date. */
  day: number;
  kind: 'split' | 'bonus' | 'dividend';
  /** Numbers of shares before and after: 1 and 1 for a dividend. */
  before: number;
  after: number;
  /** Paise a share; 0 where it is no dividend. */
  dividend: number;
}

/** Rows of one file that were taken for one instrument. */
export interface TakenRows {
  file: string;
  /** `NSE NIFTY` */
  instrument: string;
  /** Length of its bars, seconds. */
  interval: number;
  count: number;
  /** Times are those at which the bars begin. */
  first: Pick<RecordedRow, 'at' | 'open'>;
  last: Pick<RecordedRow, 'at' | 'close'>;
}

/** All that was recorded. */
export interface Recordings {
  /** Reading of each file, in the order of the files. */
  taken: readonly TakenRows[];
  /** Rows of each file that are left out, with its name. */
  leftOut: readonly (LeftOut & { file: string })[];
  /** By exchange and symbol: `NSE NIFTY`. */
  instruments: ReadonlyMap<string, Recording>;
  /** Closes of options, by exchange and symbol of their underlying; ascending by day. */
  straddles: ReadonlyMap<string, readonly RecordedStraddle[]>;
  /** Ticks of an instrument, by exchange and symbol, and by day number. */
  ticks: ReadonlyMap<string, ReadonlyMap<number, TickDay>>;
  /** Corporate actions of recorded shares, by day. */
  actions: readonly RecordedAction[];
  /** Length of the steps in which orders meet the market, milliseconds: shorter where ticks were seen within seconds. */
  stepMs: number;
  /** Spans in which an index did not move, and with it the exchanges. */
  halts: HaltsByDay;
  /** Days on which something was recorded, ascending; YYYY-MM-DD. */
  dates: readonly string[];
  /** Readings of files, and the data that a file lacks, each a sentence. */
  notes: readonly string[];
}
