import { DAY, MONTH_WORDS, parseDayNumber, dateParts, startOfDay } from '../../shared/dates';
import type { Bar, Market } from './types';
import type { DerivativeType, Instrument } from '../reference/types';

/** The end-of-day files of NSE (docs/service/market-data.md#end-of-day-files), in the columns of the real ones, made of the day's bars. */

export const bhavcopyTypes = ['BhavcopyFO', 'BhavcopyCM', 'BhavcopySec', 'FO', 'OP', 'PD', 'PR'] as const;

export type BhavcopyType = (typeof bhavcopyTypes)[number];

export interface BhavcopyFile {
  /** Names as the file writes them, without the blanks around them. */
  columns: readonly string[];
  /** Cells of each row, as text; made while they are read, once. */
  rows: Iterable<string[]>;
  /** Sign between cells. */
  separator: ',' | ', ';
}

const UDIFF =
  'TradDt,BizDt,Sgmt,Src,FinInstrmTp,FinInstrmId,ISIN,TckrSymb,SctySrs,XpryDt,FininstrmActlXpryDt,StrkPric,OptnTp,FinInstrmNm,OpnPric,HghPric,LwPric,ClsPric,LastPric,PrvsClsgPric,UndrlygPric,SttlmPric,OpnIntrst,ChngInOpnIntrst,TtlTradgVol,TtlTrfVal,TtlNbOfTxsExctd,SsnId,NewBrdLotQty,Rmks,Rsvd1,Rsvd2,Rsvd3,Rsvd4'.split(
    ',',
  );
const SECURITIES =
  'SYMBOL,SERIES,DATE1,PREV_CLOSE,OPEN_PRICE,HIGH_PRICE,LOW_PRICE,LAST_PRICE,CLOSE_PRICE,AVG_PRICE,TTL_TRD_QNTY,TURNOVER_LACS,NO_OF_TRADES,DELIV_QTY,DELIV_PER'.split(
    ',',
  );
const FUTURES =
  'INSTRUMENT,SYMBOL,EXP_DATE,OPEN_PRICE,HI_PRICE,LO_PRICE,CLOSE_PRICE,OPEN_INT*,TRD_VAL,TRD_QTY,NO_OF_CONT,NO_OF_TRADE'.split(
    ',',
  );
const OPTIONS =
  'INSTRUMENT,SYMBOL,EXP_DATE,STR_PRICE,OPT_TYPE,OPEN_PRICE,HI_PRICE,LO_PRICE,CLOSE_PRICE,OPEN_INT*,TRD_QTY,NO_OF_CONT,NO_OF_TRADE,NOTION_VAL,PR_VAL'.split(
    ',',
  );
const PRICES =
  'MKT,SERIES,SYMBOL,SECURITY,PREV_CL_PR,OPEN_PRICE,HIGH_PRICE,LOW_PRICE,CLOSE_PRICE,NET_TRDVAL,NET_TRDQTY,IND_SEC,CORP_IND,TRADES,HI_52_WK,LO_52_WK'.split(
    ',',
  );

/** One instrument's day. */
interface Row {
  instrument: Instrument;
  /** Its close is the price of the last trade. */
  bar: Bar;
  /** Official close, paise. */
  close: number;
  previousClose: number;
  /** Mean price, paise. */
  average: number;
  trades: number;
}

/** Quantity of a usual trade. */
const TRADE = 60;
const rupees = (paise: number): string => (paise / 100).toFixed(2);
/** Value in rupees of a quantity at a price in paise. */
const worth = (row: Row): string => rupees(row.bar.volume * row.average);
const name = (text: string): string => text.replaceAll(',', ' ');

function dated(date: number, separator: '-' | '/'): string {
  const text = String(date);
  return separator === '/'
    ? `${text.slice(6)}/${text.slice(4, 6)}/${text.slice(0, 4)}`
    : `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
}

function* rowsOf(market: Market, at: number, types: readonly DerivativeType[]): Generator<Row> {
  for (const instrument of market.universe(at).all('NSE', types)) {
    const [bar] = market.bars(instrument, '1d', at, at + DAY, at + DAY);
    if (!bar) continue;
    const { open, high, low, volume } = bar;
    const average = Math.round((open + high + low + bar.close) / 4);
    const lots = volume / instrument.lotSize;
    const trades = Math.max(Math.ceil(instrument.lotSize === 1 ? volume / TRADE : lots / 2), 1);
    const close = market.close(instrument, at);
    yield { instrument, bar, close, previousClose: market.previousClose(instrument, at), average, trades };
  }
}

const isDerivative = (instrument: Instrument): boolean =>
  instrument.derivativeType === 'FUT' || instrument.derivativeType === 'OPT';
const onIndex = (instrument: Instrument): boolean => instrument.assetType === 'INDEX_FO';

function* udiff(market: Market, at: number, date: number, types: readonly DerivativeType[]): Generator<string[]> {
  const day = dated(date, '-');
  const universe = market.universe(at);
  const closes = new Map<number, string>();
  const underlying = (refId: number | null): string => {
    if (refId === null) return '';
    let close = closes.get(refId);
    if (close === undefined) {
      const instrument = universe.byRefId(refId);
      close = instrument ? rupees(market.close(instrument, at)) : '';
      closes.set(refId, close);
    }
    return close;
  };
  for (const row of rowsOf(market, at, types)) {
    const { instrument, bar, close, previousClose } = row;
    const derivative = isDerivative(instrument);
    const option = instrument.derivativeType === 'OPT';
    const kind = derivative ? (onIndex(instrument) ? 'ID' : 'ST') + (option ? 'O' : 'F') : 'STK';
    const expiry = derivative ? dated(instrument.expiry, '-') : '';
    const change = derivative ? bar.openInterest - market.openInterest(instrument, at) : 0;
    yield [
      day,
      day,
      derivative ? 'FO' : 'CM',
      'NSE',
      kind,
      String(instrument.token),
      instrument.isin,
      instrument.asset,
      derivative ? '' : instrument.series,
      expiry,
      expiry,
      option ? rupees(instrument.strikePrice) : '',
      option ? instrument.optionType : '',
      derivative ? instrument.symbol : name(instrument.displayName),
      rupees(bar.open),
      rupees(bar.high),
      rupees(bar.low),
      rupees(close),
      rupees(bar.close),
      rupees(previousClose),
      underlying(instrument.underlyingRefId),
      rupees(close),
      derivative ? String(bar.openInterest) : '',
      derivative ? String(change) : '',
      String(bar.volume),
      option ? rupees(bar.volume * (row.average + instrument.strikePrice)) : worth(row),
      String(row.trades),
      'F1',
      String(instrument.lotSize),
      '',
      '',
      '',
      '',
      '',
    ];
  }
}

function* securities(market: Market, at: number, date: number): Generator<string[]> {
  const { year, month, date: dayOfMonth } = dateParts(parseDayNumber(dated(date, '-')));
  const day = `${String(dayOfMonth).padStart(2, '0')}-${MONTH_WORDS[month - 1]}-${year}`;
  for (const row of rowsOf(market, at, ['STOCK'])) {
    const { instrument, bar, close, previousClose } = row;
    const delivered = Math.round((bar.volume * (35 + (instrument.token % 40))) / 100);
    yield [
      instrument.symbol,
      instrument.series,
      day,
      rupees(previousClose),
      rupees(bar.open),
      rupees(bar.high),
      rupees(bar.low),
      rupees(bar.close),
      rupees(close),
      rupees(row.average),
      String(bar.volume),
      ((bar.volume * row.average) / 1e7).toFixed(2),
      String(row.trades),
      String(delivered),
      ((delivered / bar.volume) * 100).toFixed(2),
    ];
  }
}

function* contracts(market: Market, at: number, options: boolean): Generator<string[]> {
  for (const row of rowsOf(market, at, [options ? 'OPT' : 'FUT'])) {
    const { instrument, bar, close } = row;
    const kind = (options ? 'OPT' : 'FUT') + (onIndex(instrument) ? 'IDX' : 'STK');
    const count = String(bar.volume / instrument.lotSize);
    const prices = [rupees(bar.open), rupees(bar.high), rupees(bar.low), rupees(close), String(bar.openInterest)];
    const head = [kind, instrument.asset, dated(instrument.expiry, '/')];
    if (!options) {
      yield [...head, ...prices, worth(row), String(bar.volume), count, String(row.trades)];
      continue;
    }
    const notional = rupees(bar.volume * (row.average + instrument.strikePrice));
    yield [
      ...head,
      rupees(instrument.strikePrice),
      instrument.optionType,
      ...prices,
      String(bar.volume),
      count,
      String(row.trades),
      notional,
      worth(row),
    ];
  }
}

/** Indices first, then the members of the main one (their flag is Y), then all others. */
function* prices(market: Market, at: number): Generator<string[]> {
  const universe = market.universe(at);
  const year = 365 * DAY;
  for (const row of rowsOf(market, at, ['INDEX', 'STOCK'])) {
    const { instrument, bar, close, previousClose } = row;
    const index = instrument.derivativeType === 'INDEX';
    const range = market.closeRange(instrument, at - year, at) ?? bar;
    yield [
      index ? 'Y' : 'N',
      index ? ' ' : instrument.series,
      index ? ' ' : instrument.symbol,
      name(instrument.displayName),
      rupees(previousClose),
      rupees(bar.open),
      rupees(bar.high),
      rupees(bar.low),
      rupees(close),
      worth(row),
      String(bar.volume),
      index || universe.futures('NSE', instrument.symbol).length > 0 ? 'Y' : 'N',
      ' ',
      String(row.trades),
      rupees(Math.max(range.high, bar.high)),
      rupees(Math.min(range.low, bar.low)),
    ];
  }
}

const NAMELESS: readonly string[] = ['SERIES', 'SYMBOL'];

/** The rows of the price data without what the price range report leaves out. */
function* withoutNames(rows: Iterable<string[]>): Generator<string[]> {
  for (const row of rows) yield row.filter((_, i) => !NAMELESS.includes(PRICES[i] as string));
}

/**
 * A file of one trading day.
 * @param date YYYYMMDD as an integer.
 * @returns undefined when NSE does not trade on that date.
 */
export function bhavcopy(market: Market, type: BhavcopyType, date: number): BhavcopyFile | undefined {
  const day = dated(date, '-');
  if (!market.calendar.isTradingDay('NSE', day)) return undefined;
  const at = startOfDay(parseDayNumber(day));
  switch (type) {
    case 'BhavcopyCM':
      return { columns: UDIFF, rows: udiff(market, at, date, ['STOCK']), separator: ',' };
    case 'BhavcopyFO':
      return { columns: UDIFF, rows: udiff(market, at, date, ['FUT', 'OPT']), separator: ',' };
    case 'BhavcopySec':
      return { columns: SECURITIES, rows: securities(market, at, date), separator: ', ' };
    case 'FO':
      return { columns: FUTURES, rows: contracts(market, at, false), separator: ',' };
    case 'OP':
      return { columns: OPTIONS, rows: contracts(market, at, true), separator: ',' };
    case 'PD':
      return { columns: PRICES, rows: prices(market, at), separator: ',' };
    case 'PR': {
      return {
        columns: PRICES.filter((column) => !NAMELESS.includes(column)),
        rows: withoutNames(prices(market, at)),
        separator: ',',
      };
    }
  }
}

/** The file as its exchange would write it, line by line. */
export function* bhavcopyCsv({ columns, rows, separator }: BhavcopyFile): Generator<string> {
  yield `${columns.join(separator)}\n`;
  for (const row of rows) yield `${row.join(separator)}\n`;
}

/** The rows of the file, each an object by column as JSON text. */
export function* bhavcopyJson({ columns, rows }: BhavcopyFile): Generator<string> {
  for (const row of rows)
    yield JSON.stringify(Object.fromEntries(columns.map((column, index) => [column, row[index]])));
}
