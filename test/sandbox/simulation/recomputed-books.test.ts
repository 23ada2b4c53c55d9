/**
 * Weeks of random trades over all segments, computed a second time from the journal by the program of this file. It shares nothing with the
 * sandbox: it knows what it has placed, the terms of contracts, the prices at which the exchange settles, and the rates of November 2026.
 */
import { expect, test } from '@jest/globals';
import { contractNote } from '../../../sandbox/src/reports/tables/contract-note';
import { holdingStatement } from '../../../sandbox/src/reports/tables/holdings';
import { financialLedger } from '../../../sandbox/src/reports/tables/ledger';
import { profitAndLoss } from '../../../sandbox/src/reports/tables/profit';
import { tradebook } from '../../../sandbox/src/reports/tables/trades';
import type { ReportDocument } from '../../../sandbox/src/reports/document/types';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import type { Product, Side } from '../../../sandbox/src/shared/orders';
import { IS_WHOLE } from '../../support/sample';
import { ACCOUNT, BONUS, DIVIDEND, FROM, live, TO, type Lived, type Trade } from './random-weeks';

const SEEDS = IS_WHOLE ? [1, 2, 3] : [2];
const PERIOD = { from: FROM, to: TO };

const CRORE = 10_000_000n;
/** Divides and rounds half away from zero. */
function rounded(value: bigint, divisor: bigint): bigint {
  const twice = 2n * (value < 0n ? -value : value);
  const quotient = (twice + divisor) / (2n * divisor);
  return value < 0n ? -quotient : quotient;
}
const part = (value: bigint, perCrore: bigint): bigint => rounded(value * perCrore, CRORE);
const sum = <T>(items: Iterable<T>, of: (item: T) => bigint): bigint =>
  [...items].reduce((all, item) => all + of(item), 0n);

type Segment = 'delivery' | 'intraday' | 'futures' | 'options';
const isShare = ({ derivativeType }: Instrument): boolean => derivativeType === 'STOCK';
function segmentOf({ derivativeType }: Instrument, product: Product): Segment {
  if (derivativeType === 'FUT') return 'futures';
  if (derivativeType === 'OPT') return 'options';
  return product === 'CNC' ? 'delivery' : 'intraday';
}

/** Rupees per crore in November 2026. */
const BROKERAGE = { delivery: 10_000n, intraday: 3_000n, futures: 3_000n } as const;
const EXCHANGE = {
  NSE: { delivery: 307n, intraday: 307n, futures: 183n, options: 3_553n },
  BSE: { delivery: 375n, intraday: 375n, futures: 0n, options: 3_250n },
  MCX: { delivery: 0n, intraday: 0n, futures: 210n, options: 4_180n },
} as const;
const STAMP = { delivery: 1_500n, intraday: 300n, futures: 200n, options: 300n } as const;
const SALE_TAX = { delivery: 10_000n, intraday: 2_500n, futures: 5_000n, options: 15_000n } as const;

function taxRate(instrument: Instrument, segment: Segment, side: Side): bigint {
  if (instrument.exchange === 'MCX') return side === 'SELL' ? 1_000n : 0n;
  if (segment === 'delivery' && instrument.symbol === 'NIFTYBEES') return side === 'SELL' ? 100n : 0n;
  if (segment === 'delivery') return 10_000n;
  return side === 'SELL' ? SALE_TAX[segment] : 0n;
}

function valueOf({ exchange, lotMultiplier, lotSize }: Instrument, price: number, quantity: number): bigint {
  const all = BigInt(price) * BigInt(quantity);
  return exchange === 'MCX' ? (all * BigInt(lotMultiplier)) / BigInt(lotSize) : all;
}

/** Charges of a day by the rows of its contract note, paise. @param exercised intrinsic value of the bought options that expired */
function chargesOf(trades: readonly Trade[], of: Lived['of'], exercised: readonly bigint[]): Record<string, bigint> {
  const all = { Brokerage: 0n, Exchange: 0n, SEBI: 0n, Stamp: 0n };
  const taxes = new Map<string, bigint>();
  const tax = (instrument: Instrument, amount: bigint): void => {
    const place = `${instrument.exchange} ${isShare(instrument)}`;
    taxes.set(place, (taxes.get(place) ?? 0n) + amount);
  };
  for (const order of Map.groupBy(trades, (trade) => trade.order).values()) {
    const [{ refId, product, side }] = order as [Trade];
    const instrument = of(refId);
    const segment = segmentOf(instrument, product);
    const value = sum(order, ({ price, quantity }) => valueOf(instrument, price, quantity));
    const asked = segment === 'options' ? 2_000n : part(value, BROKERAGE[segment]);
    all.Brokerage += asked < 2_000n ? asked : 2_000n;
    all.Exchange += part(value, EXCHANGE[instrument.exchange][segment]);
    all.SEBI += part(value, 10n);
    if (side === 'BUY') all.Stamp += part(value, STAMP[segment]);
    tax(instrument, part(value, taxRate(instrument, segment, side)));
  }
  // As many shares as were both bought and sold for delivery are not delivered.
  const delivered = trades.filter(({ refId, product }) => product === 'CNC' && isShare(of(refId)));
  for (const [refId, both] of Map.groupBy(delivered, (trade) => trade.refId)) {
    const instrument = of(refId);
    const [bought, sold] = (['BUY', 'SELL'] as const).map((side) => {
      const some = both.filter((trade) => trade.side === side);
      return {
        quantity: sum(some, (t) => BigInt(t.quantity)),
        value: sum(some, (t) => valueOf(instrument, t.price, t.quantity)),
      };
    }) as [Record<'quantity' | 'value', bigint>, Record<'quantity' | 'value', bigint>];
    const netted = bought.quantity < sold.quantity ? bought.quantity : sold.quantity;
    if (netted === 0n) continue;
    const [cost, proceeds] = [
      rounded(bought.value * netted, bought.quantity),
      rounded(sold.value * netted, sold.quantity),
    ];
    all.Stamp -= part(cost, STAMP.delivery) - part(cost, STAMP.intraday);
    const taken =
      part(cost, taxRate(instrument, 'delivery', 'BUY')) + part(proceeds, taxRate(instrument, 'delivery', 'SELL'));
    tax(instrument, part(proceeds, SALE_TAX.intraday) - taken);
  }
  const traded = sum(taxes.values(), (amount) => 100n * rounded(amount, 100n));
  const derivatives = (taxes.get('NSE false') ?? 0n) + sum(exercised, (intrinsic) => part(intrinsic, 15_000n));
  const exercise = 100n * (rounded(derivatives, 100n) - rounded(taxes.get('NSE false') ?? 0n, 100n));
  const gst = rounded((all.Brokerage + all.Exchange + all.SEBI) * 18n, 100n);
  return { ...all, GST: gst, 'Securities / commodities': traded, 'Securities transaction tax on exercised': exercise };
}

/** Lots of a position, oldest first, and what has been earned with it. */
class Position {
  lots: { quantity: number; price: number; date: string }[] = [];
  /** Profit of the last trade with lots of the same day. */
  ofDay = 0n;

  constructor(readonly instrument: Instrument) {}

  get quantity(): number {
    return this.lots.reduce((all, { quantity }) => all + quantity, 0);
  }

  /** Trades a signed quantity; returns the profit. @param first date whose lots are closed first */
  trade(signed: number, price: number, date: string, first = ''): bigint {
    let [left, profit] = [signed, 0n];
    this.ofDay = 0n;
    const order = [...this.lots.filter((lot) => lot.date === first), ...this.lots.filter((lot) => lot.date !== first)];
    for (const lot of order) {
      if (left === 0 || Math.sign(lot.quantity) === Math.sign(left)) continue;
      const size = Math.min(Math.abs(left), Math.abs(lot.quantity));
      const value = (paise: number) => valueOf(this.instrument, paise, size);
      const earned = BigInt(Math.sign(lot.quantity)) * (value(price) - value(lot.price));
      profit += earned;
      if (lot.date === date) this.ofDay += earned;
      lot.quantity += Math.sign(left) * size;
      left -= Math.sign(left) * size;
    }
    this.lots = this.lots.filter(({ quantity }) => quantity !== 0);
    if (left !== 0) this.lots.push({ quantity: left, price, date });
    return profit;
  }
}

const figuresOf = (document: ReportDocument | undefined): Record<string, unknown> =>
  Object.fromEntries(document!.figures.map(({ key, value }) => [key, value]));

test.each(SEEDS)('every statement is what the journal makes of it, to the paisa (seed %i)', async (seed) => {
  const { source, trades, of, carriedAt, settledAt, opening, days, happened } = live(seed);
  expect([...happened].sort()).toEqual(['traded by an intent order', 'traded in the pre-open']);
  const kinds = new Set(source.accounts.ledger(ACCOUNT).map(({ kind }) => kind));
  expect([kinds.has('DIVIDEND'), source.accounts.adjustments(ACCOUNT).length]).toEqual([true, 1]);
  expect(
    new Set(trades.map(({ refId, product }) => `${of(refId).exchange} ${segmentOf(of(refId), product)}`)).size,
  ).toBeGreaterThan(5);
  const positions = new Map<string, Position>();
  let [cash, gross, charges, beside] = [BigInt(opening), 0n, 0n, 0n];
  const taxed = { intraday: 0n, short_term: 0n };
  for (const date of days) {
    const today = trades.filter((trade) => trade.date === date);
    let flow = 0n;
    // Who held the share at the close before.
    for (const { instrument, lots } of positions.values()) {
      if (instrument.derivativeType !== 'STOCK' || instrument.exchange !== 'NSE') continue;
      const quantity = lots.reduce((all, lot) => all + lot.quantity, 0);
      if (instrument.symbol === BONUS.symbol && date === BONUS.exDate && quantity > 0)
        lots.push({ quantity, price: 0, date: `${date} bonus` });
      if (instrument.symbol !== DIVIDEND.symbol || date !== DIVIDEND.exDate) continue;
      const paid = BigInt(quantity * DIVIDEND.perShare);
      cash += paid - (paid > 1_000_000n ? part(paid, 1_000_000n) : 0n);
    }
    const sold = new Map<number, number>();
    for (const { refId, product, side, quantity, price } of today) {
      const key = `${refId} ${product}`;
      const position = positions.get(key) ?? new Position(of(refId));
      positions.set(key, position);
      const signed = side === 'BUY' ? quantity : -quantity;
      const profit = position.trade(signed, price, date, date);
      gross += profit;
      if (isShare(of(refId))) {
        const ofDay = product === 'IDAY' ? profit : position.ofDay;
        taxed.intraday += ofDay;
        taxed.short_term += profit - ofDay;
      }
      const isPaid = segmentOf(of(refId), product) === 'options' || segmentOf(of(refId), product) === 'delivery';
      flow += isPaid ? -BigInt(Math.sign(signed)) * valueOf(of(refId), price, quantity) : profit;
      if (product === 'CNC' && isShare(of(refId))) sold.set(refId, (sold.get(refId) ?? 0) - signed);
    }
    const exercised: bigint[] = [];
    for (const [key, position] of positions) {
      const { instrument, quantity } = position;
      const expires = instrument.expiry === Number(date.replaceAll('-', ''));
      if (quantity === 0 || isShare(instrument)) continue;
      const close = settledAt.get(date)!;
      const intrinsic =
        instrument.optionType === 'CE' ? close - instrument.strikePrice : instrument.strikePrice - close;
      const isOption = instrument.derivativeType === 'OPT';
      if (isOption && !expires) continue;
      const price = isOption ? Math.max(0, intrinsic) : expires ? close : carriedAt.get(`${date} ${instrument.refId}`)!;
      const value = valueOf(instrument, price, Math.abs(quantity));
      if (isOption && quantity > 0) exercised.push(value);
      const profit = position.trade(-quantity, price, date);
      gross += profit;
      flow += isOption ? BigInt(Math.sign(quantity)) * value : profit;
      if (!expires) position.trade(quantity, price, date);
      else positions.delete(key);
    }
    const asked = chargesOf(today, of, exercised);
    const taken = sum(Object.values(asked), (amount) => amount);
    const deliveries = [...sold.values()].filter((net) => net > 0).length;
    const depository = BigInt(deliveries) * (1_300n + rounded(1_300n * 18n, 100n));
    cash += flow - taken - depository;
    charges += taken;
    beside += depository;
    const balance = source.accounts.ledger(ACCOUNT).findLast((entry) => entry.date <= date)!.balance;
    expect([date, BigInt(balance)]).toEqual([date, cash]);
    const note = await contractNote(source, { from: date, to: date });
    if (note === undefined) {
      expect([date, flow - taken]).toEqual([date, 0n]);
      continue;
    }
    expect([date, BigInt(Number(figuresOf(note)['receivable']))]).toEqual([date, flow - taken]);
    const rows = note.sections.at(-1)!.rows;
    for (const [name, amount] of Object.entries(asked)) {
      const row = rows.find(({ particulars }) => String(particulars).startsWith(name));
      expect([date, name, -BigInt(Number(row?.['amount'] ?? 0))]).toEqual([date, name, amount]);
    }
  }
  const profit = figuresOf(await profitAndLoss(source, PERIOD));
  expect([profit['gross'], profit['charges']].map((value) => BigInt(Number(value)))).toEqual([gross, charges + beside]);
  const { intraday, short_term, derivatives } = profit;
  expect([intraday, short_term, derivatives].map((value) => BigInt(Number(value)))).toEqual([
    ...[taxed.intraday, taxed.short_term],
    gross - taxed.intraday - taxed.short_term,
  ]);
  const book = figuresOf(await tradebook(source, PERIOD));
  expect([book['trades'], BigInt(Number(book['charges']))]).toEqual([trades.length, charges]);
  expect(BigInt(Number(figuresOf(await financialLedger(source, PERIOD))['closing_balance']))).toBe(cash);

  // Holdings: what is left of the lots, at their cost.
  const rows = holdingStatement(source, { from: TO, to: TO })!.sections[0]!.rows;
  for (const { instrument, lots } of positions.values()) {
    if (instrument.derivativeType !== 'STOCK' || lots.length === 0) continue;
    const { quantity, t1, invested } = rows.find(({ isin }) => isin === instrument.isin)! as Record<string, number>;
    const cost = lots.reduce((all, lot) => all + lot.quantity * lot.price, 0);
    const kept = lots.reduce((all, lot) => all + lot.quantity, 0);
    expect([instrument.symbol, quantity! + t1!, invested]).toEqual([instrument.symbol, kept, cost]);
  }
});
