/** The trading symbol in what an order, or a message of the stream, tells of its instrument, and what the service is asked by. */
import type { Instrument } from './instrument';

/** What names an instrument; an order may tell of no full name. */
export type NamedInstrument = Pick<Instrument, 'exchange' | 'symbol'> & Partial<Pick<Instrument, 'platName'>>;

/** What prices, and messages of the market-data stream, call it: futures of MCX by the full name (docs/service/instruments.md#names-for-prices). */
export function priceName({ exchange, symbol, platName }: NamedInstrument): string {
  return exchange === 'MCX' && platName?.startsWith('FUT_') ? platName : symbol;
}

const SYMBOL = /^[A-Z0-9&._$-]+$/;

/**
 * @param stockName the instrument's name (docs/service/instruments.md#instrument-record), which need not be a symbol.
 * @returns the name where it is a symbol, else the symbol within the platform name, else the name; '' where there is none.
 */
export function tradingSymbol(stockName: string, platName: string): string {
  if (SYMBOL.test(stockName)) return stockName;
  return /^(?:STOCK|INDEX|ETF)_(.+?)(?:\.[A-Z]+)?$/.exec(platName)?.[1] ?? stockName;
}

/** Whether it is a future or an option, by the trading symbol. */
export function isDerivative(symbol: string): boolean {
  return symbol.endsWith('FUT') ? /\d/.test(symbol) : /\d(?:CE|PE)$/.test(symbol);
}
