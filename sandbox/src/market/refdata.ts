import type { ExchangeCode, Instrument, Market } from './types';

/** Rows of the instrument master (specification: Instrument reference record), ready to be sent. */

export interface RefdataOptions {
  exchange: ExchangeCode;
  /** Any instant of the date, milliseconds. */
  at: number;
  /** The platform's word in `plat_name` and `plat_id`. */
  platformWord: string;
}

/** Rows are handed out in pieces of this many characters or a little more. */
const PIECE = 64 * 1024;

const text = (value: string): string => (/["\\\u0000-\u001f]/.test(value) ? JSON.stringify(value) : `"${value}"`);

/**
 * The rows of an exchange as JSON, comma-separated, in pieces fit for a stream: joined and put between brackets they
 * are the value of `refdata`. Prices are paise.
 */
export function* refdataRows(market: Market, { exchange, at, platformWord }: RefdataOptions): Generator<string> {
  const universe = market.universe(at);
  const closes = new Map<number, number>();
  const closeOf = (refId: number | null): number => {
    if (refId === null) return 0;
    let close = closes.get(refId);
    if (close === undefined) {
      const underlying = universe.byRefId(refId);
      close = underlying ? market.previousClose(underlying, at) : 0;
      closes.set(refId, close);
    }
    return close;
  };
  let piece = '';
  let first = true;
  for (const one of universe.all(exchange)) {
    piece += (first ? '' : ',') + row(one, platformWord, closeOf(one.underlyingRefId));
    first = false;
    if (piece.length >= PIECE) {
      yield piece;
      piece = '';
    }
  }
  if (piece !== '') yield piece;
}

function row(one: Instrument, word: string, underlyingClose: number): string {
  return `{"ref_id":${one.refId},"strike_price":${one.strikePrice},"option_type":"${one.optionType}","token":${one.token},"stock_name":${text(one.stockName)},"series":"${one.series}","${word}_name":${text(one.platName)},"${word}_id":${one.platId},"lot_size":${one.lotSize},"asset":${text(one.asset)},"expiry":${one.expiry},"exchange":"${one.exchange}","derivative_type":"${one.derivativeType}","isin":"${one.isin}","asset_type":"${one.assetType}","tick_size":${one.tickSize},"display_name":${text(one.displayName)},"underlying_prev_close":${underlyingClose}}`;
}
