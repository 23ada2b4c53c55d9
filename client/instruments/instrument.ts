/** One instrument, as the rest of the client and the nodes see it. */
import { paiseTo, type MoneyUnit } from '../values/money';
import { numberToDate, showDate } from '../values/time';
import type { InstrumentKind } from './names/exchanges';

export { EXCHANGES, INSTRUMENT_KINDS, type Exchange, type InstrumentKind } from './names/exchanges';

/** One instrument of the master. Prices are paise. */
export interface Instrument {
  /** Differs from environment to environment. */
  refId: number;
  exchange: string;
  /** Trading symbol. */
  symbol: string;
  /** The service's name of the instrument; the symbol if it has no other. */
  name: string;
  /** Platform name (plat_name). */
  platName: string;
  /** The plat_id; 0 if the service gives none. */
  platId: number;
  token: number;
  kind: InstrumentKind;
  /** The service's derivative_type. */
  derivativeType: string;
  assetType: string;
  /** The underlying of a derivative; the instrument's own symbol otherwise. */
  asset: string;
  series: string;
  isin: string | null;
  optionType: 'CE' | 'PE' | null;
  /** Paise; null when not an option. */
  strikePrice: number | null;
  /** YYYY-MM-DD; null if it does not expire. */
  expiry: string | null;
  lotSize: number;
  /** Rupees per rupee of price on one lot; null if unknown (see `contractOf`). */
  lotMultiplier: number | null;
  /** Units of the largest order in it, as the service's list has them; 0 if it tells none. */
  freezeQuantity: number;
  /** Paise. */
  tickSize: number;
  /** Paise; 0 if the service gives none. */
  underlyingPrevClose: number;
}

/** The contract of a derivative in words: NIFTY 26 Nov 2026 24500 CE; the symbol of anything else. */
function contractText(instrument: Instrument): string {
  if (instrument.expiry === null) return instrument.symbol;
  const contract =
    instrument.kind === 'OPT' && instrument.strikePrice !== null
      ? `${instrument.strikePrice / 100} ${instrument.optionType ?? ''}`.trim()
      : 'FUT';
  return `${instrument.asset} ${showDate(instrument.expiry)} ${contract}`;
}

/** One line that tells twins apart: symbol or contract, name, exchange, series or lot. */
export function labelOf(instrument: Instrument): string {
  const parts = [contractText(instrument)];
  if (instrument.expiry === null && instrument.name !== instrument.symbol) parts.push(instrument.name);
  parts.push(
    [
      instrument.exchange,
      instrument.kind === 'STOCK'
        ? instrument.series || 'share'
        : instrument.kind === 'INDEX'
          ? 'index'
          : instrument.kind,
    ].join(' '),
  );
  if (instrument.expiry !== null || instrument.lotSize > 1) parts.push(`lot ${instrument.lotSize}`);
  if (instrument.symbol !== contractText(instrument)) parts.push(instrument.symbol);
  return parts.join(' · ');
}

/** An instrument as an output item, under the field names of the specification; money in the chosen unit. */
export function instrumentItem(instrument: Instrument, unit: MoneyUnit) {
  return {
    ref_id: instrument.refId,
    exchange: instrument.exchange,
    symbol: instrument.symbol,
    label: labelOf(instrument),
    stock_name: instrument.name,
    type: instrument.kind,
    asset: instrument.asset,
    expiry: instrument.expiry,
    strike_price: paiseTo(unit, instrument.strikePrice),
    option_type: instrument.optionType,
    lot_size: instrument.lotSize,
    lot_multiplier: instrument.lotMultiplier,
    tick_size: paiseTo(unit, instrument.tickSize),
    series: instrument.series,
    isin: instrument.isin,
    token: instrument.token,
    plat_name: instrument.platName,
    plat_id: instrument.platId,
    derivative_type: instrument.derivativeType,
    asset_type: instrument.assetType,
    underlying_prev_close: paiseTo(unit, instrument.underlyingPrevClose),
  };
}

/** YYYY-MM-DD of an expiry column's YYYYMMDD; null for 0. */
export function expiryDate(expiry: number): string | null {
  return expiry === 0 ? null : numberToDate(expiry);
}
