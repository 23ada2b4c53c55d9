import type { DateOrder } from './parse-time';
import type { RecordingColumn } from './replay-config';

/** Names of the columns of files of candles, and what is found out of them. */

/** Names of columns as data vendors write them, without blanks, signs and case. */
export const NAMES: Record<RecordingColumn, readonly string[]> = {
  time: [
    'timestamp',
    'datetime',
    'date',
    'time',
    'date1',
    'ts',
    'ist',
    'epoch',
    'epochtime',
    'unix',
    'unixtime',
    'unixtimestamp',
    'dt',
    'opentime',
    'candletime',
    'bartime',
    'barstart',
    'starttime',
    'traddt',
    'tradedate',
    'tradingdate',
    'day',
    'dtyyyymmdd',
    'dateymd',
    'datedmy',
    'datemdy',
    'dateist',
    'timeist',
    'timestampist',
    'datetimeist',
    'timestampms',
    'timestampns',
    'indexlevel0',
    'gmttime',
    'utctime',
    'timeutc',
    'timegmt',
    'timestamputc',
    'datetimeutc',
    'dateutc',
    'localtime',
    'historicaldate',
    'chtimestamp',
    'eodtimestamp',
    'mtimestamp',
    'fhtimestamp',
    'datum',
    'lasttradetime',
    't',
  ],
  clock: ['time', 'clock', 'timeofday', 'hhmmss', 'timehhmmss', 'zeit', 'uhrzeit'],
  symbol: [
    'symbol',
    'ticker',
    'tradingsymbol',
    'instrument',
    'scrip',
    'name',
    'tckrsymb',
    'stock',
    'stockcode',
    'indexname',
    'chsymbol',
    'eodindexname',
    'fhsymbol',
    'instrumentkey',
    'stocksymbol',
    'stockname',
    'tickersymbol',
    'tickername',
    'tic',
    'scripname',
    'scripsymbol',
    'scname',
    'security',
    'securityname',
    'securitysymbol',
    'symbolname',
    'instrumentname',
    'nsesymbol',
    'shortname',
    'company',
    'companyname',
    'underlying',
    'underlyingsymbol',
  ],
  exchange: ['exchange', 'exch', 'exchangecode'],
  series: ['series', 'sctysrs', 'chseries'],
  isin: ['isin', 'isincode', 'chisin'],
  open: [
    'open',
    'into',
    'o',
    'openprice',
    'openingprice',
    'opnpric',
    'openpaise',
    'openindexvalue',
    'openindexval',
    'chopeningprice',
    'eodopenindexval',
    'fhopeningprice',
    'eröffnung',
    'eröffn',
    'erster',
  ],
  high: [
    'high',
    'inth',
    'h',
    'highprice',
    'hghpric',
    'highpaise',
    'highindexvalue',
    'highindexval',
    'chtradehighprice',
    'eodhighindexval',
    'fhtradehighprice',
    'hoch',
  ],
  low: [
    'low',
    'intl',
    'l',
    'lowprice',
    'lwpric',
    'lowpaise',
    'lowindexvalue',
    'lowindexval',
    'chtradelowprice',
    'eodlowindexval',
    'fhtradelowprice',
    'tief',
  ],
  close: [
    'close',
    'intc',
    'c',
    'closeprice',
    'closingprice',
    'clspric',
    'closepaise',
    'closingindexvalue',
    'closeindexval',
    'closingindexval',
    'chclosingprice',
    'eodcloseindexval',
    'eodclosingindexval',
    'fhclosingprice',
    'price',
    'schluss',
    'schlusskurs',
    'zuletzt',
    'last',
    'latest',
  ],
  volume: [
    'volume',
    'intv',
    'vol',
    'qty',
    'quantity',
    'sharestraded',
    'ttltrdqnty',
    'ttltradgvol',
    'tradedqty',
    'tottrdqty',
    'totaltradedquantity',
    'totaltradequantity',
    'noofshares',
    'noofshrs',
    'tickvol',
    'totalvolume',
    'tradedvolume',
    'volumetraded',
    'volumeshares',
    'totalqty',
    'totalquantity',
    'tradedquantity',
    'chtottradedqty',
    'fhtottradedqty',
    'hittradedqty',
    'v',
    'stücke',
    'stuecke',
    'volumen',
  ],
  previousClose: ['previousclose', 'prevclose', 'prevcloseprice', 'chpreviousclsprice', 'fhprevcls'],
  bars: ['per', 'interval', 'timeframe', 'resolution', 'barsize'],
  expiry: ['expiry', 'expirydate', 'expirydt', 'expdate', 'xprydt', 'contractexpiry', 'fhexpirydt'],
  strike: ['strike', 'strikeprice', 'strikepr', 'strkpric', 'fhstrikeprice'],
  right: [
    'right',
    'optiontype',
    'optiontyp',
    'opttype',
    'optype',
    'optntp',
    'callput',
    'putcall',
    'cepe',
    'fhoptiontype',
  ],
  kind: [
    'instrumenttype',
    'fhinstrument',
    'producttype',
    'fininstrmtp',
    'instrument',
    'segment',
    'exchangesegment',
    'sgmt',
    'type',
  ],
  currency: ['currency', 'währung'],
  openInterest: ['oi', 'openinterest', 'openint', 'intoi', 'opnintrst', 'fhopenint'],
};

/** Columns without which a row is no candle. */
export const NEEDED: readonly RecordingColumn[] = ['time', 'open', 'high', 'low', 'close'];

/** The unit behind a heading: Open (Rs.), Close (INR). */
const UNIT = / ?\((?:in )?(?:rs\.?|inr|₹|rupees)\)$/;

/** A heading without blanks, signs, case, its unit, and the number by which an interface orders its fields: `1. open`. */
export const plainHeading = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^\d{1,2}\. /, '')
    .replace(UNIT, '')
    .replace(/[^\p{L}\p{N}]/gu, '');

/** True if cells name at least two of open, high, low and close. */
export const namesPrices = (cells: readonly string[]): boolean =>
  cells.map(plainHeading).filter((name) => NEEDED.slice(1).some((column) => NAMES[column].includes(name))).length >= 2;

/** Index of each column, from 0. */
export type ColumnPlaces = Partial<Record<RecordingColumn, number>>;

export interface ColumnPlan {
  places: ColumnPlaces;
  /** Number of lines at the beginning that name the columns. */
  headings: number;
  /** Indices of the columns of several instruments side by side: the places of each, by its name. */
  wide?: ReadonlyMap<string, ColumnPlaces>;
  /** Names of those among them that have not all columns of a candle, and are not read. */
  lacking?: readonly string[];
  /** Of forms of vendors that are known: which end of its bar a row names. */
  time?: 'begin' | 'end';
  /** The same: the order of a date of three numbers. */
  dates?: DateOrder;
  /** The zone that the heading of the times names. */
  zone?: 'UTC';
  /** True if counts of seconds begin in 1980 and not in 1970. */
  isSince1980?: boolean;
  /** True if the heading itself says that prices are paise. */
  paise: boolean;
}
