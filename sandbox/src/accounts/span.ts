/**
 * Margin of positions and orders. Options and futures of one underlying and expiry are looked at together: the
 * underlying moves over its scan range, and what the group would then owe is its SPAN, so that a bought option hedges a
 * sold one. Exposure margin comes on top of every sold option and every future. The scan starts from the prices that it
 * is handed: those of the moment for positions, those of its check for an order.
 */
import { MARGINS, type MarginTable } from './data/margins';
import type { Product } from '../shared/orders';
import type { Instrument } from '../market/reference/types';
import { effectiveOn } from '../shared/effective-date';
import { mulDiv } from '../shared/money';

/** A signed quantity of a derivative; `price` (paise) is what a future is valued at. */
export interface Exposure {
  instrument: Instrument;
  quantity: number;
  price: number;
}

export interface DerivativeMargin {
  span: number;
  exposure: number;
}

/** Paid in full with cash when bought and received when sold: delivery shares and every option. */
export function paidInFull(instrument: Instrument, product: Product): boolean {
  return instrument.derivativeType === 'OPT' || (instrument.derivativeType !== 'FUT' && product === 'CNC');
}

export function isDerivative(instrument: Instrument): boolean {
  return instrument.derivativeType === 'FUT' || instrument.derivativeType === 'OPT';
}

/** Margin of an intraday cash position worth so many paise. */
export function intradayMargin(value: number, date: string): number {
  return mulDiv(value, effectiveOn(MARGINS, date).intradayCash, 100);
}

/** SPAN and exposure of derivatives, paise. `underlying` gives the price the scan of an option starts from. */
export function derivativeMargin(
  exposures: readonly Exposure[],
  underlying: (option: Instrument) => number,
  date: string,
): DerivativeMargin {
  const table = effectiveOn(MARGINS, date);
  const groups = new Map<string, Exposure[]>();
  for (const item of exposures) {
    if (item.quantity === 0) continue;
    const key = `${item.instrument.exchange} ${item.instrument.asset} ${item.instrument.expiry}`;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  const total: DerivativeMargin = { span: 0, exposure: 0 };
  for (const group of groups.values()) {
    total.span += groupSpan(group, underlying, table);
    total.exposure += group.reduce((sum, item) => sum + exposureMargin(item, underlying, table), 0);
  }
  return total;
}

function groupSpan(group: readonly Exposure[], underlying: (option: Instrument) => number, table: MarginTable): number {
  const scan = table.scan[kindOf(group[0]!.instrument)];
  const option = group.find((item) => item.instrument.derivativeType === 'OPT')?.instrument;
  const base = option ? underlying(option) : 0;
  const moves = new Set([-scan, 0, scan]);
  for (const { instrument } of group) {
    if (instrument.derivativeType !== 'OPT' || base === 0) continue;
    const move = mulDiv(instrument.strikePrice - base, 10_000, base);
    if (Math.abs(move) < scan) moves.add(move);
  }
  const worst = Math.max(...[...moves].map((move) => group.reduce((sum, item) => sum + owed(item, base, move), 0)));
  return Math.max(0, worst, leastForShortOptions(group, base, table));
}

/** What a position would owe (negative: be worth) after the underlying has moved by so many basis points. */
function owed({ instrument, quantity, price }: Exposure, base: number, move: number): number {
  if (instrument.derivativeType === 'FUT') return -mulDiv(quantity * price, move, 10_000);
  const spot = base + mulDiv(base, move, 10_000);
  const intrinsic = instrument.optionType === 'CE' ? spot - instrument.strikePrice : instrument.strikePrice - spot;
  return -quantity * Math.max(0, intrinsic);
}

function leastForShortOptions(group: readonly Exposure[], base: number, table: MarginTable): number {
  const short = (type: 'CE' | 'PE') =>
    Math.max(0, -group.reduce((sum, item) => sum + (item.instrument.optionType === type ? item.quantity : 0), 0));
  return mulDiv((short('CE') + short('PE')) * base, table.shortOptionMinimum, 10_000);
}

function exposureMargin(
  { instrument, quantity, price }: Exposure,
  underlying: (option: Instrument) => number,
  table: MarginTable,
): number {
  const rate = table.exposure[kindOf(instrument)];
  if (instrument.derivativeType === 'FUT') return mulDiv(Math.abs(quantity) * price, rate, 10_000);
  return quantity < 0 ? mulDiv(-quantity * underlying(instrument), rate, 10_000) : 0;
}

function kindOf(instrument: Instrument): 'INDEX' | 'STOCK' | 'COMMODITY' {
  if (instrument.exchange === 'MCX') return 'COMMODITY';
  return instrument.assetType.startsWith('INDEX') ? 'INDEX' : 'STOCK';
}
