/** Charges of trades (exchange rules, Settlement), from the dated table. */
import { CHARGES, type ChargeSegment } from './data/charges';
import type { Product, Side } from '../shared/orders';
import type { Instrument } from '../market/reference/types';
import { effectiveOn } from '../shared/effective-date';
import { mulDiv } from '../shared/money';
import type { PositionState } from './state';
import type { ChargeParts, Taxes } from './records';

const CRORE = 10_000_000;

export const NO_CHARGES: ChargeParts = { brokerage: 0, exchange: 0, sebi: 0, gst: 0, stt: 0, stamp: 0 };

function chargeSegment(instrument: Instrument, product: Product): ChargeSegment {
  if (instrument.derivativeType === 'FUT') return instrument.exchange === 'MCX' ? 'COMMODITY_FUTURES' : 'FUTURES';
  if (instrument.derivativeType === 'OPT') return instrument.exchange === 'MCX' ? 'COMMODITY_OPTIONS' : 'OPTIONS';
  return product === 'CNC' ? 'DELIVERY' : 'INTRADAY';
}

/** Charges of one order on its whole traded value (paise), each part rounded once to the paisa. */
export function chargesOf(
  instrument: Instrument,
  product: Product,
  side: Side,
  value: number,
  date: string,
): ChargeParts {
  if (value === 0) return NO_CHARGES;
  const table = effectiveOn(CHARGES, date);
  const rates = table.segments[chargeSegment(instrument, product)];
  const brokerage = Math.min(mulDiv(value, rates.brokerage.perCrore, CRORE), rates.brokerage.cap);
  const exchange = mulDiv(value, rates.exchange[instrument.exchange] ?? 0, CRORE);
  const sebi = mulDiv(value, table.sebi, CRORE);
  return {
    brokerage,
    exchange,
    sebi,
    gst: mulDiv(brokerage + exchange + sebi, table.gst, 100),
    stt: mulDiv(value, side === 'BUY' ? rates.sttBuy : rates.sttSell, CRORE),
    stamp: side === 'BUY' ? mulDiv(value, rates.stamp, CRORE) : 0,
  };
}

export const NO_TAXES: Taxes = { stt: 0, stamp: 0 };

/**
 * What the taxes of a day's delivery trades in a share on an exchange are too high, paise: as many shares as were both bought and
 * sold on the day, at their average prices, are not delivered, and STT and stamp duty on them are those of intraday trades.
 * Brokerage goes by the product of the order. At most the taxes that the orders were charged, each rounded by itself.
 */
export function nettingRelief(
  { buyQuantity, buyValue, sellQuantity, sellValue, taxes }: Omit<PositionState, 'relief' | 'lots'>,
  date: string,
): Taxes {
  const quantity = Math.min(buyQuantity, sellQuantity);
  if (quantity === 0) return NO_TAXES;
  const { DELIVERY, INTRADAY } = effectiveOn(CHARGES, date).segments;
  const bought = mulDiv(buyValue, quantity, buyQuantity);
  const sold = mulDiv(sellValue, quantity, sellQuantity);
  const less = (value: number, tax: 'sttBuy' | 'sttSell' | 'stamp'): number =>
    mulDiv(value, DELIVERY[tax], CRORE) - mulDiv(value, INTRADAY[tax], CRORE);
  return {
    stt: Math.min(less(bought, 'sttBuy') + less(sold, 'sttSell'), taxes.stt),
    stamp: Math.min(less(bought, 'stamp'), taxes.stamp),
  };
}

/** Tax on an option that is exercised at expiry, on its intrinsic value (paise); paid by the buyer. */
export function exerciseTax(instrument: Instrument, value: number, date: string): number {
  return mulDiv(value, effectiveOn(CHARGES, date).segments[chargeSegment(instrument, 'CNC')].sttExercise, CRORE);
}

export function totalCharges(parts: ChargeParts): number {
  return parts.brokerage + parts.exchange + parts.sebi + parts.gst + parts.stt + parts.stamp;
}

/** What the order costs more after another fill than before it. */
export function difference(after: ChargeParts, before: ChargeParts): ChargeParts {
  return {
    brokerage: after.brokerage - before.brokerage,
    exchange: after.exchange - before.exchange,
    sebi: after.sebi - before.sebi,
    gst: after.gst - before.gst,
    stt: after.stt - before.stt,
    stamp: after.stamp - before.stamp,
  };
}
