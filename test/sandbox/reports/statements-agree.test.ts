/**
 * Eight days with what seldom happens: shares of both exchanges, sold before they settle, intraday sales, a split, a bonus with a fraction, a
 * dividend, futures and options that are settled in shares, short ones and without the money, commodities in other units, interest.
 * Each day's statements are compared with one another, and their sums with those of all days.
 */
import { expect, test } from '@jest/globals';
import { contractNote } from '../../../sandbox/src/reports/tables/contract-note';
import { holdingStatement, openPositions } from '../../../sandbox/src/reports/tables/holdings';
import { dailyMargin, financialLedger } from '../../../sandbox/src/reports/tables/ledger';
import { profitAndLoss } from '../../../sandbox/src/reports/tables/profit';
import type { ReportSource } from '../../../sandbox/src/reports/tables/source';
import { tradebook, traderDiary } from '../../../sandbox/src/reports/tables/trades';
import type { ReportDocument } from '../../../sandbox/src/reports/document/types';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import type { Product, Side } from '../../../sandbox/src/shared/orders';
import { DEFAULT_OPTIONS } from '../../../sandbox/src/simulation/options';
import { Sandbox } from '../../../sandbox/src/simulation/sandbox';
import { marketOrder } from '../../support/in-process';
import { reportSourceOf } from '../../support/report-source';

const ACCOUNT = 'SBX001';
const SEED = 7;
const DAY_MS = 86_400_000;
const [FROM, TO] = ['2026-11-19', '2026-11-26'];
const at = (date: string, time: string): number => Date.parse(`${date}T${time}+05:30`);
const DAYS = Array.from({ length: (at(TO, '00:00') - at(FROM, '00:00')) / DAY_MS + 1 }, (_, day) =>
  new Date(at(FROM, '12:00') + day * DAY_MS).toISOString().slice(0, 10),
);

/** Lives the days. */
function lived(): { sandbox: Sandbox; source: ReportSource } {
  let now = at(FROM, '10:00');
  const start = new Date(now).toISOString();
  const options = { ...DEFAULT_OPTIONS, seed: SEED, hours: 'exchange', clock: 'manual', latency: '0', start } as const;
  const sandbox = new Sandbox(options, () => now);
  const { world } = sandbox;
  const go = (to: number): void => {
    now = to;
    sandbox.clock.set(now);
    sandbox.now();
  };
  const trade = ({ refId }: Instrument, side: Side, quantity: number, product: Product = 'CNC'): void => {
    const placed = world.placeOrder(marketOrder({ account: ACCOUNT, refId, side, quantity, product }));
    if (!placed.ok) throw new Error(placed.text);
    go(now + 5_000);
    expect(world.ordersOf(ACCOUNT).find(({ id }) => id === placed.order.id)!.filledQuantity).toBeGreaterThan(0);
  };
  const share = (symbol: string, exchange: 'NSE' | 'BSE' = 'NSE') => world.universe().bySymbol(exchange, symbol)!;
  /** Returns the option whose strike is a number of strikes above the share's price. */
  const option = (symbol: string, type: 'ce' | 'pe', above: number): Instrument => {
    const chain = world.universe().options('NSE', symbol, world.universe().expiries('NSE', symbol)[0]!)[type];
    const next = chain.findIndex(({ strikePrice }) => strikePrice >= world.lastPrice(share(symbol)));
    return chain[Math.min(chain.length - 1, Math.max(0, next + above))]!;
  };
  const future = (symbol: string) => world.universe().futures('NSE', symbol)[0]!;

  world.trade.addFunds(ACCOUNT, 1_000_000_000);
  world.trade.setHolding(ACCOUNT, share('RELIANCE').refId, 300, 120_000);
  world.trade.pledge(ACCOUNT, share('RELIANCE').refId, 50);
  world.announceCorporateAction({
    kind: 'dividend',
    perShare: 2_500,
    refId: share('TCS').refId,
    exDate: '2026-11-20',
  });
  world.announceCorporateAction({
    kind: 'bonus',
    issued: 1,
    held: 2,
    refId: share('INFY').refId,
    exDate: '2026-11-20',
  });
  world.announceCorporateAction({
    kind: 'split',
    from: 10,
    to: 2,
    refId: share('RELIANCE').refId,
    exDate: '2026-11-20',
  });
  for (const [symbol, quantity] of [
    ['TCS', 40],
    ['RELIANCE', 33],
    ['SBIN', 3],
  ] as const)
    trade(share(symbol), 'BUY', quantity);
  trade(share('INFY', 'BSE'), 'BUY', 15);
  const gold = world.universe().futures('MCX', 'GOLDM')[0]!;
  trade(gold, 'BUY', 2 * gold.lotSize);
  trade(future('RELIANCE'), 'BUY', future('RELIANCE').lotSize);
  trade(future('TCS'), 'SELL', future('TCS').lotSize);
  for (const [symbol, type, above, side] of [
    ['RELIANCE', 'ce', -3, 'BUY'],
    ['TCS', 'pe', 2, 'BUY'],
    ['INFY', 'ce', -4, 'BUY'],
    ['SBIN', 'ce', -2, 'SELL'],
    ['NIFTY', 'ce', -4, 'BUY'],
  ] as const) {
    const contract = option(symbol, type, above);
    trade(contract, side, contract.lotSize);
  }
  trade(share('ITC'), 'SELL', 7, 'IDAY');
  trade(share('ITC'), 'BUY', 5, 'IDAY');
  go(at('2026-11-20', '09:30'));
  trade(share('TCS'), 'SELL', 10);
  trade(share('RELIANCE', 'BSE'), 'SELL', 40);
  trade(share('RELIANCE'), 'BUY', 40);
  trade(share('HDFCBANK'), 'SELL', 20, 'IDAY');
  trade(gold, 'SELL', gold.lotSize);
  go(at('2026-11-23', '15:30'));
  const put = option('SBIN', 'pe', 3);
  trade(put, 'SELL', 4 * put.lotSize);
  // What comes for contracts cannot be paid with what is left, and there is no time for a margin call.
  world.trade.addFunds(ACCOUNT, 1_000_000 - world.accounts.funds(ACCOUNT).available);
  go(at('2026-11-25', '11:00'));
  trade(share('SBIN'), 'SELL', 1);
  go(at(TO, '12:00') + DAY_MS);
  const source = reportSourceOf(sandbox, ACCOUNT, TO);
  return { sandbox, source };
}

const figure = (document: ReportDocument | undefined, key: string): number =>
  Number(document?.figures.find((candidate) => candidate.key === key)?.value ?? 0);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const valueIn = (document: ReportDocument | undefined, section: string): number =>
  sum((document?.sections.find(({ title }) => title === section)?.rows ?? []).map(({ value }) => Number(value)));

test('all statements of each day, and of all days, say the same', async () => {
  const { source } = lived();
  const { accounts } = source;
  const kinds = new Set(accounts.ledger(ACCOUNT).map(({ kind }) => kind));
  for (const kind of [
    'INTEREST',
    'AUCTION_PENALTY',
    'EXERCISE_TAX',
    'DEPOSITORY',
    'DIVIDEND',
    'CORPORATE_ACTION',
  ] as const)
    expect(kinds).toContain(kind);
  const of = async (from: string, to: string) => {
    const period = { from, to };
    const [note, trades] = [await contractNote(source, period), await tradebook(source, period)];
    const [profit, diary] = [profitAndLoss(source, period), traderDiary(source, period)];
    const booked = financialLedger(source, period)?.sections[0]!.rows ?? [];
    const lines = (pattern: RegExp): number =>
      sum(
        booked
          .filter(({ particulars }) => pattern.test(String(particulars)))
          .map(({ credit, debit }) => Number(credit ?? 0) - Number(debit ?? 0)),
      );
    const ofTrades = 0 - lines(/^Brokerage/);
    const charges = ofTrades - lines(/^(Depository|Interest|Auction)/);
    expect([from, figure(note, 'receivable')]).toEqual([
      from,
      lines(/^(Obligation|Intraday and futures|Futures marked|Brokerage)/),
    ]);
    expect([from, figure(note, 'charges'), figure(trades, 'charges')]).toEqual([from, ofTrades, ofTrades]);
    expect([from, figure(profit, 'charges')]).toEqual([from, charges]);
    expect([from, figure(profit, 'gross') - charges, figure(diary, 'net')]).toEqual([
      from,
      figure(profit, 'net'),
      figure(profit, 'net'),
    ]);
    const listed = Number(profit?.sections.find(({ title }) => title === 'Charges')?.totals?.['amount'] ?? 0);
    expect([from, listed]).toEqual([from, charges]);
    return { profit, charges, external: lines(/^(Funds|Dividend|Tax deducted|Fraction)/) };
  };
  const sums = { net: 0, charges: 0 };
  for (const date of DAYS) {
    const { profit, charges, external } = await of(date, date);
    sums.net += figure(profit, 'net');
    sums.charges += charges;
    const period = { from: date, to: date };
    const open = openPositions(source, period);
    expect([date, valueIn(dailyMargin(source, period), 'Positions that carry margin')]).toEqual([
      date,
      valueIn(open, 'Open positions'),
    ]);
    // Cash changes by what was earned, what came from outside, and what went into shares and options.
    if (date === FROM) continue;
    const before = accounts.closes(ACCOUNT).findLast((close) => close.date < date)!;
    const invested = (day: string): number => {
      const carried = accounts.closes(ACCOUNT).find((close) => close.date === day)!.carried;
      const options = carried.filter(({ refId }) => accounts.instrument(refId)!.derivativeType === 'OPT');
      const shares = figure(holdingStatement(source, { from: day, to: day }), 'invested');
      return shares + sum(options.map(({ openValue }) => openValue));
    };
    const cash = accounts.closes(ACCOUNT).find((close) => close.date === date)!.funds.cash;
    expect([date, cash - before.funds.cash]).toEqual([
      date,
      figure(profit, 'net') + external - (invested(date) - invested(before.date)),
    ]);
  }
  const { profit, charges } = await of(FROM, TO);
  expect(sums).toEqual({ net: figure(profit, 'net'), charges });
});
