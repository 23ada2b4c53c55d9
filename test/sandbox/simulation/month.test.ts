/**
 * A month of trading in large sizes: orders that push prices, losses that lead to margin calls, positions that expire into
 * shares, sales that cannot be delivered, splits, bonus issues and dividends of what is held. Whatever happened, every statement of the
 * month agrees with the ledger to the paisa.
 */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { reportOf } from '../../../sandbox/src/control/performance';
import { dematStatement } from '../../../sandbox/src/reports/tables/holdings';
import { financialLedger } from '../../../sandbox/src/reports/tables/ledger';
import { profitAndLoss } from '../../../sandbox/src/reports/tables/profit';
import type { ReportBuilder, LongBuilder } from '../../../sandbox/src/reports/tables/source';
import { contractNote } from '../../../sandbox/src/reports/tables/contract-note';
import { tradebook } from '../../../sandbox/src/reports/tables/trades';
import { DEFAULT_OPTIONS } from '../../../sandbox/src/simulation/options';
import { Sandbox } from '../../../sandbox/src/simulation/sandbox';
import { marketOrder } from '../../support/in-process';
import { ScenarioRefusal } from '../../../sandbox/src/simulation/scenarios/types';
import type { NewOrder, Side } from '../../../sandbox/src/shared/orders';
import type { CorporateActionTerms } from '../../../sandbox/src/shared/corporate-actions';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import { IS_WHOLE } from '../../support/sample';
import { reportSourceOf } from '../../support/report-source';

const RUNS = Number(process.env['MONTH_RUNS'] ?? (IS_WHOLE ? 6 : 1));
const ACCOUNT = 'SBX001';
const [FROM, TO] = ['2026-11-09', '2026-11-27'];
const PERIOD = { from: FROM, to: TO };
const at = (date: string, time: string) => Date.parse(`${date}T${time}:00+05:30`);
const DAY = 86_400_000;
/** Charges that a contract note does not hold: they are of no trade. */
const BESIDE_THE_NOTE = new Set(['DEPOSITORY', 'AUCTION_PENALTY', 'INTEREST']);

const deal = fc.record({
  what: fc.nat({ max: 4 }),
  strike: fc.integer({ min: -3, max: 3 }),
  side: fc.constantFrom<Side>('BUY', 'SELL'),
  size: fc.integer({ min: 1, max: 6 }),
  product: fc.constantFrom('CNC' as const, 'CNC' as const, 'IDAY' as const),
});
type Deal = typeof deal extends fc.Arbitrary<infer T> ? T : never;

/** Corporate actions of RELIANCE on three days of the month. */
const ACTIONS: CorporateActionTerms[] = [
  { kind: 'bonus', issued: 1, held: 1 },
  { kind: 'split', from: 10, to: 2 },
  { kind: 'dividend', perShare: 300 },
  { kind: 'dividend', perShare: 1_150 },
];
const EX_DATES = ['2026-11-13', '2026-11-18', '2026-11-25'];

/** Results of a month. */
interface Lived {
  sandbox: Sandbox;
  texts: string[];
  calls: string[];
}

function live(deals: readonly Deal[], seed: number, actions: readonly CorporateActionTerms[] = []): Lived {
  let now = at(FROM, '09:00');
  const start = `${FROM}T09:00:00+05:30`;
  const sandbox = new Sandbox({ ...DEFAULT_OPTIONS, seed, hours: 'exchange', clock: 'manual', start }, () => now);
  const { world } = sandbox;
  const go = (to: number) => {
    now = to;
    sandbox.clock.set(now);
    sandbox.now();
  };
  const { refId } = world.universe().bySymbol('NSE', 'RELIANCE')!;
  actions.forEach((terms, index) => world.announceCorporateAction({ ...terms, refId, exDate: EX_DATES[index]! }));
  const days = Array.from({ length: (at(TO, '09:00') - now) / DAY + 1 }, (_, day) => now + day * DAY);
  const trading = days.filter((day) => world.market.calendar.isTradingDay('NSE', dateOf(day)));
  deals.forEach((deal, index) => {
    const day = trading[Math.floor((index * trading.length) / deals.length)]!;
    go(Math.max(now + 60_000, day + (1 + (index % 5)) * 3_600_000));
    world.placeOrder(orderOf(world, deal));
    if (index % 7 === 3) {
      // Hardly anything is left beside the margin until it is over.
      go(now + 60_000);
      const paidOut = Math.max(0, world.accounts.funds(ACCOUNT).available - 1_000_000);
      world.trade.addFunds(ACCOUNT, -paidOut);
      tryScenario(sandbox);
      go(now + 45 * 60_000);
      world.trade.addFunds(ACCOUNT, paidOut);
    }
  });
  go(at(TO, '23:59') + DAY);
  return {
    sandbox,
    texts: world.accounts.ledger(ACCOUNT).map(({ text }) => text),
    calls: sandbox.journal.after(0, 'margin_call', 10_000).map(({ data }) => String(data['event'])),
  };
}

const dateOf = (instant: number) => new Date(instant + 19_800_000).toISOString().slice(0, 10);

/** A share in thousands, its future, its options, a future and an option of the index. */
function orderOf(world: Sandbox['world'], { what, strike, side, size, product }: Deal): NewOrder {
  const universe = world.universe();
  const share = universe.bySymbol('NSE', 'RELIANCE')!;
  const option = (of: Instrument): Instrument => {
    const { ce, pe } = universe.options('NSE', of.symbol, universe.expiries('NSE', of.symbol)[0]!);
    const chain = strike % 2 === 0 ? ce : pe;
    const spot = world.lastPrice(of);
    const near = chain.findIndex(({ strikePrice }) => strikePrice >= spot);
    return chain[Math.min(Math.max(near + strike, 0), chain.length - 1)]!;
  };
  const nifty = universe.bySymbol('NSE', 'NIFTY')!;
  const chosen = [
    () => share,
    () => universe.futures('NSE', 'RELIANCE')[0]!,
    () => option(share),
    () => universe.futures('NSE', 'NIFTY')[0]!,
    () => option(nifty),
  ][what]!();
  const units = chosen === share ? 2_000 * size : chosen.lotSize * size;
  const quantity = Math.min(units, Math.floor(chosen.freezeQty / chosen.lotSize) * chosen.lotSize);
  return marketOrder({ account: ACCOUNT, refId: chosen.refId, side, quantity, product });
}

/** The market moves against the account, where it has something to lose by that. */
function tryScenario({ world, instant }: Sandbox): void {
  try {
    world.planScenario('margin_call', {}, instant);
  } catch (error) {
    if (error instanceof ScenarioRefusal) return;
    throw new Error('a margin call cannot be planned', { cause: error });
  }
  world.startScenario('margin_call', {});
}

async function statementsAgree({ sandbox }: Lived): Promise<void> {
  const { world } = sandbox;
  const { accounts } = world;
  const source = reportSourceOf(sandbox, ACCOUNT, TO);
  const figures = async (build: ReportBuilder | LongBuilder) =>
    Object.fromEntries((await build(source, PERIOD))?.figures.map(({ key, value }) => [key, Number(value)]) ?? []);
  const within = <T extends { date: string }>(all: readonly T[]) =>
    all.filter(({ date }) => date >= FROM && date <= TO);
  const total = <T>(all: readonly T[], value: (item: T) => number) => all.reduce((sum, item) => sum + value(item), 0);

  const closes = within(accounts.closes(ACCOUNT));
  const trades = within(accounts.trades(ACCOUNT));
  for (const { date, funds } of closes) {
    expect(funds.cash).toBe(funds.opening + funds.added + funds.realised - funds.charges - funds.invested);
    expect(accounts.ledger(ACCOUNT).findLast((entry) => entry.date <= date)!.balance).toBe(funds.cash);
  }
  const last = closes.at(-1)!;
  const statement = await figures(financialLedger);
  expect(statement['closing_balance']).toBe(last.funds.cash);
  expect(statement['opening_balance']! + statement['total_credit']! - statement['total_debit']!).toBe(last.funds.cash);
  // There is no statement of profits where nothing was closed.
  const charges = total(closes, ({ funds }) => funds.charges);
  expect({ gross: 0, charges, ...(await figures(profitAndLoss)) }).toMatchObject({
    gross: total(closes, ({ funds }) => funds.realised),
    charges,
  });
  const note = await figures(contractNote);
  const ledger = within(accounts.ledger(ACCOUNT));
  const beside = total(ledger, ({ kind, amount }) => (BESIDE_THE_NOTE.has(kind) ? -amount : 0));
  expect((note['charges'] ?? 0) + beside).toBe(charges);
  expect(((await figures(tradebook))['charges'] ?? 0) + beside).toBe(charges);
  expect(note['bought'] ?? 0).toBe(
    total(
      trades.filter(({ trade }) => trade.side === 'BUY'),
      ({ trade }) => trade.price * trade.quantity,
    ),
  );

  // Each day's note says what the ledger took that day for trading, in all and by segment.
  for (const { date } of closes) {
    const beside = new Set(['OPENING', 'FUNDS_ADDED', 'FUNDS_WITHDRAWN', 'DIVIDEND', 'TDS', 'CORPORATE_ACTION']);
    const taken = ledger.filter(({ kind, date: on }) => on === date && !beside.has(kind) && !BESIDE_THE_NOTE.has(kind));
    const document = await contractNote(source, { from: date, to: date });
    const receivable = Number(document?.figures.find(({ key }) => key === 'receivable')?.value ?? 0);
    expect([date, receivable]).toEqual([date, total(taken, ({ amount }) => amount)]);
    if (document === undefined) continue;
    const tables = document.sections.filter(({ title }) => !title.startsWith('Obligation'));
    const charged = document.sections.at(-1)!.rows.slice(2);
    expect(
      total(tables, ({ totals }) => Number(totals!['value'])) + total(charged, ({ amount }) => Number(amount)),
    ).toBe(receivable);
  }

  // Shares: what was there, and every purchase and sale for delivery, are what is there.
  const shares = (holdings: typeof last.holdings) =>
    total(holdings, ({ quantity, t1Quantity }) => quantity + t1Quantity);
  const before = accounts.closes(ACCOUNT).findLast(({ date }) => date < FROM)!;
  const delivered = trades.filter(
    ({ trade }) => trade.product === 'CNC' && accounts.instrument(trade.refId)!.derivativeType === 'STOCK',
  );
  const given = within(accounts.adjustments(ACCOUNT)).filter(
    ({ refId }) => accounts.instrument(refId)!.derivativeType === 'STOCK',
  );
  expect(shares(last.holdings) - shares(before.holdings)).toBe(
    total(delivered, ({ trade }) => (trade.side === 'BUY' ? trade.quantity : -trade.quantity)) +
      total(given, ({ quantity }) => quantity),
  );
  const moved = dematStatement(source, PERIOD)!.sections[0]!.rows;
  expect(total(moved, (row) => Number(row['credit'] ?? 0) - Number(row['debit'] ?? 0))).toBe(
    total(last.holdings, ({ quantity }) => quantity) - total(before.holdings, ({ quantity }) => quantity),
  );

  const person = sandbox.users.all().find(({ clientCode }) => clientCode === ACCOUNT)!;
  const { equity } = reportOf(sandbox, person, PERIOD);
  expect(equity.end - equity.start).toBe(equity.result + equity.held_before + equity.external + equity.set_by_hand);
  expect(equity.set_by_hand).toBe(0);
}

describe('a month with impact, margin calls, physical settlement, short deliveries and corporate actions', () => {
  test('sees all of that happen, and the statements agree', async () => {
    const of = (what: number, side: Side, size: number): Deal => ({ what, strike: 0, side, size, product: 'CNC' });
    const [share, future, index] = [of(0, 'BUY', 1), of(1, 'SELL', 6), of(3, 'SELL', 6)];
    // The call comes with the fourth; the futures that are sold after it are of more shares than were bought.
    const lived = live([share, index, index, index, future, future, index, index], 7);
    expect(lived.texts.some((text) => text.includes('settled by delivery'))).toBe(true);
    expect(lived.texts.some((text) => text.includes('that was short'))).toBe(true);
    expect(lived.calls).toContain('square_off');
    await statementsAgree(lived);
  });

  test('keeps shares, futures and options through a bonus, a split and dividends', async () => {
    const of = (what: number, side: Side, size: number): Deal => ({ what, strike: 0, side, size, product: 'CNC' });
    const deals = [
      of(0, 'BUY', 1),
      of(1, 'BUY', 2),
      of(2, 'BUY', 2),
      of(2, 'SELL', 1),
      of(0, 'SELL', 1),
      of(1, 'SELL', 1),
    ];
    const lived = live([...deals, ...deals], 11, [ACTIONS[0]!, ACTIONS[1]!, ACTIONS[2]!]);
    const { accounts } = lived.sandbox.world;
    const kinds = new Set(accounts.adjustments(ACCOUNT).map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['bonus', 'split']);
    expect(accounts.ledger(ACCOUNT).some(({ kind, date }) => kind === 'DIVIDEND' && date === EX_DATES[2])).toBe(true);
    await statementsAgree(lived);
  });

  test('has an extraordinary dividend, by which futures are carried on lower', async () => {
    const of = (what: number, side: Side, size: number): Deal => ({ what, strike: 0, side, size, product: 'CNC' });
    const lived = live([of(1, 'SELL', 2), of(2, 'BUY', 1), of(0, 'BUY', 1)], 12, [
      { kind: 'dividend', perShare: 4_000 },
    ]);
    const { adjustments } = lived.sandbox.world.accounts;
    expect(adjustments(ACCOUNT)).toMatchObject([{ kind: 'dividend', quantity: 0 }]);
    await statementsAgree(lived);
  });

  test('keeps the statements in agreement, whatever was traded', () => {
    return fc.assert(
      fc.asyncProperty(
        fc.array(deal, { minLength: 10, maxLength: 40 }),
        fc.integer({ min: 1, max: 50 }),
        fc.shuffledSubarray(ACTIONS, { maxLength: EX_DATES.length }),
        (deals, seed, actions) => statementsAgree(live(deals, seed, actions)),
      ),
      { numRuns: RUNS },
    );
  });
});
