/** Charges of trades (docs/service/exchange-rules.md#settlement), from the dated tables. */
import {
  COMMODITIES_TAXES,
  EXCHANGE_CHARGES,
  SEBI_FEES,
  SECURITIES_TAXES,
  SERVICE_TAXES,
  STAMP_DUTIES,
} from './data/charges';
import { type Tariff, type TariffSegment, USUAL_TARIFF } from './tariff';
import { instrumentClassOf, isFarmProduct } from '../market/reference/instrument-class';
import type { Product, Side } from '../shared/orders';
import type { Instrument } from '../market/reference/types';
import { effectiveOn } from '../shared/effective-date';
import { mulDiv } from '../shared/money';
import type { PositionState } from './state';
import type { ChargeParts, TradeTaxes } from './records';

const CRORE = 10_000_000;

export const NO_CHARGES: ChargeParts = { brokerage: 0, exchange: 0, sebi: 0, gst: 0, stt: 0, stamp: 0 };

function segmentOf({ derivativeType }: Instrument, product: Product): TariffSegment {
  if (derivativeType === 'FUT') return 'futures';
  if (derivativeType === 'OPT') return 'options';
  return product === 'CNC' ? 'delivery' : 'intraday';
}

/** Securities or commodities transaction tax of a side, rupees per crore. */
function taxRate(instrument: Instrument, segment: TariffSegment, side: Side, date: string): number {
  if (instrument.exchange === 'MCX') {
    const exempt = side === 'BUY' || isFarmProduct(instrument);
    return exempt ? 0 : effectiveOn(COMMODITIES_TAXES, date)[segment === 'options' ? 'options' : 'futures'];
  }
  const table = effectiveOn(SECURITIES_TAXES, date);
  const kind = instrumentClassOf(instrument);
  if (kind === 'OTHER_FUND') return 0;
  if (segment === 'delivery')
    return table.delivery[kind === 'EQUITY_FUND' ? 'fund' : 'share'][side === 'BUY' ? 'buy' : 'sell'];
  return side === 'BUY' ? 0 : table[segment];
}

function stampRate(segment: TariffSegment, side: Side, date: string): number {
  return effectiveOn(STAMP_DUTIES, date)[segment][side === 'BUY' ? 'buy' : 'sell'];
}

/** Turnover fee of SEBI, rupees per crore. */
function sebiRate(instrument: Instrument, segment: TariffSegment, date: string): number {
  const { perCrore, farmFutures } = effectiveOn(SEBI_FEES, date);
  return segment === 'futures' && isFarmProduct(instrument) ? farmFutures : perCrore;
}

/** Charges of one order on its whole traded value (paise), each part rounded once to the paisa; `roundedTax` makes whole rupees of its tax. */
export function chargesOf(
  instrument: Instrument,
  product: Product,
  side: Side,
  value: number,
  date: string,
  tariff: Tariff = USUAL_TARIFF,
): ChargeParts {
  if (value === 0) return NO_CHARGES;
  const segment = segmentOf(instrument, product);
  const rates = tariff.brokerage[segment];
  const brokerage = 'perOrder' in rates ? rates.perOrder : Math.min(mulDiv(value, rates.perCrore, CRORE), rates.cap);
  if (!tariff.statutory) return { ...NO_CHARGES, brokerage };
  const place = segment === 'delivery' || segment === 'intraday' ? 'cash' : segment;
  const exchange = mulDiv(value, effectiveOn(EXCHANGE_CHARGES, date)[instrument.exchange][place], CRORE);
  const sebi = mulDiv(value, sebiRate(instrument, segment, date), CRORE);
  return {
    brokerage,
    exchange,
    sebi,
    gst: serviceTax(brokerage + exchange + sebi, date),
    stt: mulDiv(value, taxRate(instrument, segment, side, date), CRORE),
    stamp: mulDiv(value, stampRate(segment, side, date), CRORE),
  };
}

export const NO_TAXES: TradeTaxes = { stt: 0, stamp: 0 };

/**
 * Returns the excess of the taxes on a day's delivery trades in a share on an exchange, paise: as many shares as were both bought and sold
 * on the day, at their average prices, are not delivered, and STT and stamp duty on them are those of intraday trades. Brokerage goes by
 * the product of the order. At most the taxes that the orders were charged, each rounded by itself; it is below 0 for units of a fund,
 * which pay less when they are delivered.
 */
export function nettingRelief(
  instrument: Instrument,
  { buyQuantity, buyValue, sellQuantity, sellValue, taxes }: Omit<PositionState, 'relief' | 'lots'>,
  date: string,
): TradeTaxes {
  const quantity = Math.min(buyQuantity, sellQuantity);
  if (quantity === 0) return NO_TAXES;
  const bought = mulDiv(buyValue, quantity, buyQuantity);
  const sold = mulDiv(sellValue, quantity, sellQuantity);
  const less = (rateOf: (segment: TariffSegment, side: Side) => number): number =>
    mulDiv(bought, rateOf('delivery', 'BUY'), CRORE) -
    mulDiv(bought, rateOf('intraday', 'BUY'), CRORE) +
    mulDiv(sold, rateOf('delivery', 'SELL'), CRORE) -
    mulDiv(sold, rateOf('intraday', 'SELL'), CRORE);
  return {
    stt: Math.min(
      less((segment, side) => taxRate(instrument, segment, side, date)),
      taxes.stt,
    ),
    stamp: Math.min(
      less((segment, side) => stampRate(segment, side, date)),
      taxes.stamp,
    ),
  };
}

/**
 * Tax on an option that is exercised at expiry, paise; paid by the buyer.
 * @param intrinsic what it is in the money, in all
 * @param settlement what is settled, in all: the price of the underlying times the quantity
 */
export function exerciseTax(instrument: Instrument, intrinsic: number, settlement: number, date: string): number {
  if (intrinsic === 0 || instrument.exchange === 'MCX') return 0;
  const { exercise, exerciseOn } = effectiveOn(SECURITIES_TAXES, date);
  return mulDiv(exerciseOn === 'SETTLEMENT' ? settlement : intrinsic, exercise, CRORE);
}

/** Service tax on a charge (paise). */
export function serviceTax(amount: number, date: string): number {
  return mulDiv(amount, effectiveOn(SERVICE_TAXES, date).basisPoints, 10_000);
}

export function totalCharges(parts: ChargeParts): number {
  return parts.brokerage + parts.exchange + parts.sebi + parts.gst + parts.stt + parts.stamp;
}

/** Returns the further charges of an order after another fill. */
export function chargesAdded(after: ChargeParts, before: ChargeParts): ChargeParts {
  return {
    brokerage: after.brokerage - before.brokerage,
    exchange: after.exchange - before.exchange,
    sebi: after.sebi - before.sebi,
    gst: after.gst - before.gst,
    stt: after.stt - before.stt,
    stamp: after.stamp - before.stamp,
  };
}
