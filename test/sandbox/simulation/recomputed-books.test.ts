/**
 * Weeks of random trades over all segments, computed a second time from the journal by the program of this file. It shares nothing with the
 * sandbox: it knows what it has placed, the terms of contracts, the prices at which the exchange settles, and the rates of November 2026.
 */
import { expect, test } from '@jest/globals';
import { contractNote } from '../../../sandbox/src/reports/tables/contract-note';
import { financialLedger } from '../../../sandbox/src/reports/tables/ledger';
import { profitAndLoss } from '../../../sandbox/src/reports/tables/profit';
import type { ReportSource } from '../../../sandbox/src/reports/tables/source';
import { tradebook } from '../../../sandbox/src/reports/tables/trades';
import type { ReportDocument } from '../../../sandbox/src/reports/document/types';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import type { Product, Side } from '../../../sandbox/src/shared/orders';
import { createUniform } from '../../../sandbox/src/shared/random';
import { DEFAULT_OPTIONS } from '../../../sandbox/src/simulation/options';
import { Sandbox } from '../../../sandbox/src/simulation/sandbox';
import { marketOrder } from '../../support/in-process';
import { IS_WHOLE } from '../../support/sample';
import { reportSourceOf } from '../../support/report-source';

const SEEDS = IS_WHOLE ? [1, 2, 3] : [2];
const ACCOUNT = 'SBX001';
const [FROM, TO] = ['2026-11-09', '2026-11-24'];
const PERIOD = { from: FROM, to: TO };
const [MINUTE, DAY] = [60_000, 86_400_000];
const at = (date: string, time: string): number => Date.parse(`${date}T${time}+05:30`);
const dateOf = (instant: number): string => new Date(instant + 19_800_000).toISOString().slice(0, 10);

/** Trade as the journal tells it, with the product of its order. Prices are paise. */
interface Trade {
  order: string;
  refId: number;
  side: Side;
  price: number;
  quantity: number;
  date: string;
  product: Product;
}

/** Facts that the program is given. */
interface Lived {
  source: ReportSource;
  trades: Trade[];
  of(refId: number): Instrument;
  /** Price by which a future is carried into the next day. */
  carriedAt: Map<string, number>;
  /** Close of what an index contract expires on. */
  settledAt: Map<string, number>;
  opening: number;
  days: string[];
}

/** Trades at random, day by day. */
function live(seed: number): Lived {
  const chance = createUniform(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)]!;
  let now = at(FROM, '09:00:00');
  const start = new Date(now).toISOString();
  const options = { ...DEFAULT_OPTIONS, seed, hours: 'exchange', clock: 'manual', latency: '0', start } as const;
  const sandbox = new Sandbox(options, () => now);
  const { world } = sandbox;
  const go = (to: number): void => {
    now = to;
    sandbox.clock.set(now);
    sandbox.now();
  };
  world.trade.addFunds(ACCOUNT, 5_000_000_000);
  const opening = world.accounts.funds(ACCOUNT).cash;
  const known = new Map<number, Instrument>();
  const products = new Map<string, Product>();
  const held = new Map<number, number>();
  const [carriedAt, settledAt] = [new Map<string, number>(), new Map<string, number>()];
  const nifty = () => world.universe().bySymbol('NSE', 'NIFTY')!;
  const option = (): Instrument => {
    const { ce, pe } = world
      .universe()
      .options('NSE', 'NIFTY', pick(world.universe().expiries('NSE', 'NIFTY').slice(0, 2)));
    const chain = pick([ce, pe]);
    const above = chain.findIndex(({ strikePrice }) => strikePrice > world.lastPrice(nifty()));
    return chain[above + Math.floor(chance() * 7) - 3]!;
  };
  // None of these is held when it begins.
  const share = (exchange: 'NSE' | 'BSE', symbol: string) => () => world.universe().bySymbol(exchange, symbol)!;
  const kinds = [
    ...[share('NSE', 'SUNPHARMA'), share('NSE', 'WIPRO'), share('BSE', 'MARUTI'), share('NSE', 'NIFTYBEES')],
    ...[option, option, () => pick(world.universe().futures('NSE', 'NIFTY').slice(0, 2))],
    ...[() => world.universe().futures('MCX', 'CRUDEOIL')[1]!, () => world.universe().futures('MCX', 'GOLD')[0]!],
  ];
  const place = (instrument: Instrument): void => {
    const { refId, derivativeType, lotSize } = instrument;
    const delivery = derivativeType === 'STOCK' && chance() < 0.6;
    const product = delivery || chance() < 0.6 ? 'CNC' : 'IDAY';
    const isShare = derivativeType === 'STOCK';
    const free = held.get(refId) ?? 0;
    const side = isShare && product === 'CNC' && free === 0 ? 'BUY' : pick(['BUY', 'SELL'] as const);
    const asked = isShare ? 1 + Math.floor(chance() * 700) : lotSize * (1 + Math.floor(chance() * 4));
    const quantity = isShare && product === 'CNC' && side === 'SELL' ? Math.min(asked, free) : asked;
    const placed = world.placeOrder(marketOrder({ account: ACCOUNT, refId, side, quantity, product }));
    if (!placed.ok) throw new Error(placed.text);
    known.set(refId, instrument);
    products.set(String(placed.order.id), product);
    go(now + 1_500);
    const filled = world.ordersOf(ACCOUNT).find(({ id }) => id === placed.order.id)!.filledQuantity;
    if (isShare && product === 'CNC') held.set(refId, free + (side === 'BUY' ? filled : -filled));
  };
  // MCX trades on some holidays of NSE.
  const days = Array.from({ length: (at(TO, '09:00:00') - now) / DAY + 1 }, (_, day) =>
    dateOf(at(FROM, '09:00:00') + day * DAY),
  );
  for (const date of days) {
    go(at(date, '09:20:00'));
    const isTradingDay = world.market.calendar.isTradingDay('NSE', date);
    for (let n = isTradingDay ? 4 + Math.floor(chance() * 6) : 0; n > 0 && now < at(date, '15:00:00'); n--) {
      go(now + MINUTE + Math.floor(chance() * 40 * MINUTE));
      if (now < at(date, '15:00:00')) place(pick(kinds)());
    }
    go(at(date, '23:59:30'));
    for (const [refId, instrument] of known) {
      if (instrument.derivativeType === 'FUT') carriedAt.set(`${date} ${refId}`, world.lastPrice(instrument));
    }
    settledAt.set(date, world.market.close(nifty(), now));
  }
  go(at(TO, '23:59:59') + DAY / 2);
  const source = reportSourceOf(sandbox, ACCOUNT, TO);
  const trades = sandbox.journal.after(0, 'trade', 100_000).map((entry) => ({
    order: String(entry.data['order_id']),
    refId: Number(entry.data['ref_id']),
    side: entry.data['side'] as Side,
    price: Number(entry.data['price']),
    quantity: Number(entry.data['quantity']),
    date: dateOf(entry.at),
    // What it has not placed itself is the broker's square-off.
    product: products.get(String(entry.data['order_id'])) ?? ('IDAY' as const),
  }));
  return { source, trades, of: (refId) => known.get(refId)!, carriedAt, settledAt, opening, days };
}

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

  constructor(readonly instrument: Instrument) {}

  get quantity(): number {
    return this.lots.reduce((all, { quantity }) => all + quantity, 0);
  }

  /** Trades a signed quantity; returns the profit. @param first date whose lots are closed first */
  trade(signed: number, price: number, date: string, first = ''): bigint {
    let [left, profit] = [signed, 0n];
    const order = [...this.lots.filter((lot) => lot.date === first), ...this.lots.filter((lot) => lot.date !== first)];
    for (const lot of order) {
      if (left === 0 || Math.sign(lot.quantity) === Math.sign(left)) continue;
      const size = Math.min(Math.abs(left), Math.abs(lot.quantity));
      const value = (paise: number) => valueOf(this.instrument, paise, size);
      profit += BigInt(Math.sign(lot.quantity)) * (value(price) - value(lot.price));
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
  const { source, trades, of, carriedAt, settledAt, opening, days } = live(seed);
  expect(
    new Set(trades.map(({ refId, product }) => `${of(refId).exchange} ${segmentOf(of(refId), product)}`)).size,
  ).toBeGreaterThan(5);
  const positions = new Map<string, Position>();
  let [cash, gross, charges, beside] = [BigInt(opening), 0n, 0n, 0n];
  for (const date of days) {
    const today = trades.filter((trade) => trade.date === date);
    let flow = 0n;
    const sold = new Map<number, number>();
    for (const { refId, product, side, quantity, price } of today) {
      const key = `${refId} ${product}`;
      const position = positions.get(key) ?? new Position(of(refId));
      positions.set(key, position);
      const signed = side === 'BUY' ? quantity : -quantity;
      const profit = position.trade(signed, price, date, date);
      gross += profit;
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
  const book = figuresOf(await tradebook(source, PERIOD));
  expect([book['trades'], BigInt(Number(book['charges']))]).toEqual([trades.length, charges]);
  expect(BigInt(Number(figuresOf(await financialLedger(source, PERIOD))['closing_balance']))).toBe(cash);
});
