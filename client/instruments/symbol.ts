/** The trading symbol in an order or a message of the stream, and the names in requests to the service. */
import { addDays, monthNumber, monthWord, numberToDate } from '../values/time';
import type { Instrument } from './instrument';

/** Names of an instrument; an order may lack the full name. */
export type NamedInstrument = Pick<Instrument, 'exchange' | 'symbol'> & Partial<Pick<Instrument, 'platName'>>;

/**
 * Returns its name for prices and for messages of the market-data stream: for contracts of MCX the full name
 * (docs/service/instruments.md#names-for-prices).
 */
export function priceName({ exchange, symbol, platName }: NamedInstrument): string {
  return exchange === 'MCX' && platName !== undefined && contractSymbol(platName) !== undefined ? platName : symbol;
}

const SYMBOL = /^[A-Z0-9&._$-]+$/;

const FULL_NAME = /^(FUT|OPT)_([A-Z0-9&-]{1,40})_(\d{8})(?:_(CE|PE)_(\d{1,12}))?$/;

/**
 * Returns the trading symbol of a contract by its full name, such as CRUDEOIL17AUG268750CE for OPT_CRUDEOIL_20260817_CE_875000: contracts
 * of MCX may have no other name. undefined for any other text.
 */
export function contractSymbol(fullName: string): string | undefined {
  const [, kind, asset, expiry = '', type, strike] = FULL_NAME.exec(fullName) ?? [];
  if (asset === undefined || (kind === 'OPT') !== (type !== undefined)) return undefined;
  const day = `${expiry.slice(6)}${monthWord(Number(expiry))}${expiry.slice(2, 4)}`;
  return `${asset}${day}${type === undefined ? 'FUT' : `${Number(strike) / 100}${type}`}`;
}

/** Returns the day on which a contract expires, YYYY-MM-DD, by its full name; undefined for any other text. */
export function expiryOfName(fullName: string): string | undefined {
  const expiry = FULL_NAME.exec(fullName)?.[3];
  return expiry === undefined ? undefined : (numberToDate(Number(expiry)) ?? undefined);
}

/** Days of a month within which its monthly contracts expire: the last ones. */
const LAST_DAYS_OF_MONTH = 10;

/**
 * Returns the earliest day, YYYY-MM-DD, on which a contract can expire by its symbol: of a monthly one (NIFTY26NOVFUT) one of the last of its
 * month, of a weekly one (NIFTY2612024500CE) its day. undefined if it names none.
 */
export function earliestExpiryOf(symbol: string): string | undefined {
  const monthly = /(\d\d)([A-Z]{3})(?:FUT|[\d.]+(?:CE|PE))$/.exec(symbol);
  const month = monthly === null ? 0 : monthNumber(monthly[2]!);
  if (monthly !== null && month > 0) {
    const last = new Date(Date.UTC(2000 + Number(monthly[1]), month, 0));
    return addDays(last.toISOString().slice(0, 10), -LAST_DAYS_OF_MONTH);
  }
  const [, year, ofMonth = '', day] = /^[A-Z&-]+(\d\d)([1-9OND])(\d\d)[\d.]+(?:CE|PE)$/.exec(symbol) ?? [];
  if (year === undefined) return undefined;
  const number = 'OND'.includes(ofMonth) ? 10 + 'OND'.indexOf(ofMonth) : Number(ofMonth);
  return numberToDate(Number(`20${year}${String(number).padStart(2, '0')}${day}`)) ?? undefined;
}

/**
 * Returns the trading symbol. @param stockName the instrument's name (docs/service/instruments.md#instrument-record), which need not be a
 * symbol.
 * @returns the name if it is a symbol, else the symbol within the platform name, else the name; '' if there is none.
 */
export function tradingSymbol(stockName: string, platName: string): string {
  if (SYMBOL.test(stockName)) return contractSymbol(stockName) ?? stockName;
  return /^(?:STOCK|INDEX|ETF)_(.+?)(?:\.[A-Z]+)?$/.exec(platName)?.[1] ?? stockName;
}

/** Returns true if the trading symbol is that of a future. */
export function isFuture(symbol: string): boolean {
  return symbol.endsWith('FUT') && /\d/.test(symbol);
}

/** Returns true if the trading symbol is that of a future or an option. */
export function isDerivative(symbol: string): boolean {
  return isFuture(symbol) || /\d(?:CE|PE)$/.test(symbol);
}
