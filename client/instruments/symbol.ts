/** The trading symbol in an order or a message of the stream, and the names in requests to the service. */
import { monthWord } from '../values/time';
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

/**
 * Returns the trading symbol. @param stockName the instrument's name (docs/service/instruments.md#instrument-record), which need not be a
 * symbol.
 * @returns the name if it is a symbol, else the symbol within the platform name, else the name; '' if there is none.
 */
export function tradingSymbol(stockName: string, platName: string): string {
  if (SYMBOL.test(stockName)) return contractSymbol(stockName) ?? stockName;
  return /^(?:STOCK|INDEX|ETF)_(.+?)(?:\.[A-Z]+)?$/.exec(platName)?.[1] ?? stockName;
}

/** Returns true if the trading symbol is that of a future or an option. */
export function isDerivative(symbol: string): boolean {
  return symbol.endsWith('FUT') ? /\d/.test(symbol) : /\d(?:CE|PE)$/.test(symbol);
}
