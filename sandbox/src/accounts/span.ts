/**
 * Margin of positions and orders. Options and futures of one underlying are looked at together: the underlying
 * moves over its scan range, and what the group would then owe is its SPAN, so that a bought option hedges a sold one.
 * Expiries hedge each other too, less a charge for the spread between them. Exposure margin comes on top of every sold option and every
 * future. The scan starts from the prices that it
 * is handed: those of the moment for positions, those of its check for an order.
 */
import { contractValue } from '../market/reference/contract-value';
import { MARGINS, type MarginTable } from './data/margins';
import type { Product } from '../shared/orders';
import type { Instrument } from '../market/reference/types';
import { effectiveOn } from '../shared/effective-date';
import { mulDiv } from '../shared/money';

/** A signed quantity of a derivative; `price` (paise) is what a future is valued at. */
export interface SpanExposure {
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

type PriceOf = (option: Instrument) => number;

/** `base` (paise) is what the scan of an option starts from, and 0 for a future. */
interface Scanned extends SpanExposure {
  base: number;
}

/** SPAN and exposure of derivatives, paise. `underlying` gives the price the scan of an option starts from. */
export function derivativeMargin(
  exposures: readonly SpanExposure[],
  underlying: PriceOf,
  date: string,
): DerivativeMargin {
  const table = effectiveOn(MARGINS, date);
  const today = Number(date.replaceAll('-', ''));
  const open: Scanned[] = [];
  for (const item of exposures) {
    if (item.quantity === 0) continue;
    open.push({ ...item, base: item.instrument.derivativeType === 'OPT' ? underlying(item.instrument) : 0 });
  }
  const total: DerivativeMargin = { span: 0, exposure: 0 };
  for (const group of groupsBy(open, ({ instrument }) => spreadKey(instrument, table, today))) {
    total.span += groupSpan(group, table);
    total.exposure += groupExposure(group, table);
  }
  return total;
}

/** Returns the key of the contracts that are margined together: everything on an underlying, but for index contracts on their last day. */
function spreadKey({ exchange, asset, expiry, assetType }: Instrument, table: MarginTable, today: number): string {
  const apart = !table.spreadOnExpiry && assetType.startsWith('INDEX') && expiry === today;
  return `${exchange} ${asset} ${apart}`;
}

function groupsBy<T, K>(items: readonly T[], keyOf: (item: T) => K): T[][] {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}

/**
 * SPAN of an underlying. Of what its expiries save by hedging each other a part is charged: so much that a spread of two
 * futures, which saves both their scan ranges, pays the spread charge. No bought option ever makes it dearer so.
 */
function groupSpan(group: readonly Scanned[], table: MarginTable): number {
  const expiries = groupsBy(group, ({ instrument }) => instrument.expiry);
  const least = expiries.reduce((sum, expiry) => sum + minForShortOptions(expiry, table), 0);
  const apart = expiries.reduce(
    (sum, expiry) => sum + Math.max(worstCase(expiry, table), minForShortOptions(expiry, table)),
    0,
  );
  if (expiries.length === 1) return apart;
  const together = worstCase(group, table);
  const charge = table.spreadCharge[kindOf(group[0]!.instrument)];
  return Math.max(least, together + mulDiv(apart - together, charge, 2 * scanOf(group, table)));
}

/** The most that a group would owe after any move within the scan range; never less than nothing. */
function worstCase(group: readonly Scanned[], table: MarginTable): number {
  const scan = scanOf(group, table);
  const moves = new Set([-scan, 0, scan]);
  for (const { instrument, base } of group) {
    if (base === 0) continue;
    const move = mulDiv(instrument.strikePrice - base, 10_000, base);
    if (Math.abs(move) < scan) moves.add(move);
  }
  return Math.max(0, ...[...moves].map((move) => owedBy(group, move)));
}

function scanOf(group: readonly SpanExposure[], table: MarginTable): number {
  return table.scan[kindOf(group[0]!.instrument)];
}

function owedBy(group: readonly Scanned[], move: number): number {
  return group.reduce((sum, item) => sum + owed(item, move), 0);
}

/** Returns the debt of a position (negative: be worth) after the underlying has moved by so many basis points. */
function owed({ instrument, quantity, price, base }: Scanned, move: number): number {
  if (instrument.derivativeType === 'FUT') return -mulDiv(contractValue(instrument, price, quantity), move, 10_000);
  const spot = base + mulDiv(base, move, 10_000);
  const intrinsic = instrument.optionType === 'CE' ? spot - instrument.strikePrice : instrument.strikePrice - spot;
  return -contractValue(instrument, Math.max(0, intrinsic), quantity);
}

function minForShortOptions(expiry: readonly Scanned[], table: MarginTable): number {
  const option = expiry.find(({ instrument }) => instrument.derivativeType === 'OPT');
  if (option === undefined) return 0;
  const short = (type: 'CE' | 'PE') =>
    Math.max(0, -expiry.reduce((sum, item) => sum + (item.instrument.optionType === type ? item.quantity : 0), 0));
  return mulDiv(
    contractValue(option.instrument, option.base, short('CE') + short('PE')),
    table.shortOptionMinimum,
    10_000,
  );
}

/** Exposure margin of an underlying: of sold options and futures; of a calendar spread a third of its later leg. */
function groupExposure(group: readonly Scanned[], table: MarginTable): number {
  const rate = table.exposure[kindOf(group[0]!.instrument)];
  const value = ({ instrument, quantity, price, base }: Scanned): number => {
    if (instrument.derivativeType === 'FUT') return contractValue(instrument, price, Math.abs(quantity));
    return quantity < 0 ? contractValue(instrument, base, -quantity) : 0;
  };
  const all = group.reduce((sum, item) => sum + mulDiv(value(item), rate, 10_000), 0);
  return all - mulDiv(spreadRelief(group), rate, 30_000);
}

/** Returns the value that calendar spreads of futures need not be counted for, three times that value in paise. */
function spreadRelief(group: readonly SpanExposure[]): number {
  const futures = group
    .filter(({ instrument }) => instrument.derivativeType === 'FUT')
    .sort((a, b) => a.instrument.expiry - b.instrument.expiry);
  const left = futures.map(({ quantity }) => quantity);
  let relief = 0;
  for (const [later, { instrument, price }] of futures.entries()) {
    for (let earlierIndex = 0; earlierIndex < later; earlierIndex += 1) {
      if (Math.sign(left[earlierIndex]!) * Math.sign(left[later]!) >= 0) continue;
      const size = Math.min(Math.abs(left[earlierIndex]!), Math.abs(left[later]!));
      relief += contractValue(instrument, 3 * futures[earlierIndex]!.price + 2 * price, size);
      left[earlierIndex]! -= size * Math.sign(left[earlierIndex]!);
      left[later]! -= size * Math.sign(left[later]!);
    }
  }
  return relief;
}

/** Returns the kind of a derivative's underlying. */
export function kindOf(instrument: Instrument): 'INDEX' | 'STOCK' | 'COMMODITY' {
  if (instrument.exchange === 'MCX') return 'COMMODITY';
  return instrument.assetType.startsWith('INDEX') ? 'INDEX' : 'STOCK';
}
