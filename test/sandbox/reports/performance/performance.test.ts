/** The session report: exact to the paisa with the books, and what its figures mean. */
import fc from 'fast-check';
import { totalCharges } from '../../../../sandbox/src/accounts/charges';
import { toPdf } from '../../../../sandbox/src/reports/formats/pdf';
import { pdfText } from '../../../support/pdf';
import { IS_WHOLE } from '../../../support/sample';
import { performanceCsv, performanceDocument } from '../../../../sandbox/src/reports/performance/document';
import { performanceOf, userTag } from '../../../../sandbox/src/reports/performance/performance';
import { performanceRecord } from '../../../../sandbox/src/reports/performance/record';
import { sharpe, verdictOf } from '../../../../sandbox/src/reports/performance/statistics';
import type { PerformanceSource } from '../../../../sandbox/src/reports/performance/types';
import type { OrderFacts } from '../../../../sandbox/src/shared/orders';
import {
  A,
  accounts,
  ALL,
  CALL,
  fill,
  FUTURE,
  INFY,
  INFY_BSE,
  MORNING,
  order,
  prices,
  PUT,
  TCS,
} from '../../accounts/support';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? (IS_WHOLE ? 150 : 25));
const DAY = 86_400_000;
const OPENING = 500_000_000;
const isin = (refId: number): string => (refId === TCS.refId ? 'INE000000002' : 'INE000000001');
const dateOf = (at: number): string => new Date(at + 19_800_000).toISOString().slice(0, 10);

/** Books with a share held from the day before, and what a report reads of them. */
function bench() {
  const of = prices();
  const books = accounts(of);
  books.open(
    A,
    { funds: OPENING, holdings: [{ refId: INFY.refId, quantity: 500, averagePrice: 120_000 }] },
    MORNING - DAY,
  );
  books.endOfDay(dateOf(MORNING - DAY), MORNING - DAY + 3_600_000);
  let id = 0n;
  const trade = (refId: number, quantity: number, price: number, at: number, more: object = {}, facts?: OrderFacts) => {
    id += 1n;
    const side = quantity > 0 ? 'BUY' : 'SELL';
    const placed = order({ refId, side, quantity: Math.abs(quantity), price, ...more });
    if (!books.hold(id, placed, price, at).ok) return false;
    books.trade({ ...fill(id, placed, Math.abs(quantity), price, at), ...(facts && { order: facts }) }, at);
    return true;
  };
  const source = (now: number): PerformanceSource => ({
    account: A,
    accounts: books,
    instrument: (refId) => {
      const found = ALL.find((instrument) => instrument.refId === refId);
      return found && { ...found, isin: isin(refId) };
    },
    price: (refId) => of.last.get(refId)!,
    market: {
      symbol: 'NIFTY',
      price: () => of.last.get(10)!,
      day: () => ({ open: 870_000, high: 1_015_940, low: 855_515, close: 995_520, previousClose: 959_015 }),
    },
    instants: (from, to) => [MORNING, MORNING + 3_600_000].filter((at) => at >= from && at <= to),
    now,
  });
  return { of, books, trade, source };
}

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('trade' as const),
      instrument: fc.constantFrom(INFY, INFY_BSE, TCS, FUTURE, CALL, PUT),
      lots: fc.integer({ min: -9, max: 9 }).filter((lots) => lots !== 0),
      iday: fc.boolean(),
      off: fc.integer({ min: -900, max: 900 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('price' as const),
      instrument: fc.constantFrom(...ALL),
      percent: fc.integer({ min: 80, max: 125 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('funds' as const), amount: fc.integer({ min: 1, max: 9_999 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('night' as const) }) },
);

test("results of trades and earlier holdings, with payments, are the change of the account's worth", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), fc.nat({ max: 5 }), (steps, skipped) => {
      const { of, books, trade, source } = bench();
      let at = MORNING;
      for (const action of steps) {
        at += 1_000;
        if (action.kind === 'trade') {
          const { instrument, lots, iday, off } = action;
          const quantity = lots * instrument.lotSize;
          trade(instrument.refId, quantity, of.last.get(instrument.refId)! + off, at, {
            product: iday ? 'IDAY' : 'CNC',
          });
        } else if (action.kind === 'price') {
          const { refId } = action.instrument;
          of.last.set(refId, Math.max(1_000, Math.round((of.last.get(refId)! * action.percent) / 100)));
        } else if (action.kind === 'funds') books.addFunds(A, action.amount, at);
        else {
          books.endOfDay(dateOf(at), at);
          at += DAY;
        }
      }
      const today = dateOf(at);
      const from = dateOf(Math.min(at, MORNING + skipped * DAY));
      const { equity, roundTrips, costs, curve, days, byTag, held } = performanceOf(source(at), { from, to: today });
      expect(equity.end - equity.start).toBe(equity.result + equity.heldBefore + equity.external + equity.setByHand);
      expect(equity.setByHand).toBe(0);
      expect(curve.at(-1)?.result).toBe(equity.result);
      expect(days.reduce((sum, { result }) => sum + result, 0)).toBe(equity.result);
      expect(byTag.reduce((sum, { net }) => sum + net, 0)).toBe(equity.result);
      const charged = books.trades(A).filter(({ date }) => date >= from);
      const all = costs + held.reduce((sum, trip) => sum + trip.costs, 0);
      expect(all).toBeGreaterThanOrEqual(charged.reduce((sum, { charges }) => sum + totalCharges(charges), 0));
      for (const trip of roundTrips) {
        const [bought, sold] =
          trip.side === 'LONG' ? [trip.entryValue, trip.exitValue] : [trip.exitValue, trip.entryValue];
        expect(trip.gross).toBe(sold - bought);
        expect(trip.net).toBe(trip.gross - trip.costs);
      }
    }),
    { numRuns: RUNS },
  );
});

test('the worth of an account at the end is its cash and everything it owns at the last price', () => {
  const { of, books, trade, source } = bench();
  expect(trade(TCS.refId, 10, 300_000, MORNING)).toBe(true);
  expect(trade(FUTURE.refId, -65, 2_600_000, MORNING + 1)).toBe(true);
  of.last.set(TCS.refId, 310_000);
  of.last.set(FUTURE.refId, 2_590_000);
  const { equity } = performanceOf(source(MORNING + 2), { from: dateOf(MORNING), to: dateOf(MORNING) });
  expect(equity.end).toBe(books.funds(A).cash + 500 * 150_000 + 10 * 310_000 + 65 * 10_000);
  expect(equity.start).toBe(OPENING + 500 * 150_000);
  expect(equity.heldBefore).toBe(0);
});

test('a contract that expires is settled without a trade, with the tax of its exercise, to the paisa', () => {
  const { of, books, trade, source } = bench();
  expect(trade(CALL.refId, 65, 20_000, MORNING)).toBe(true);
  expect(trade(PUT.refId, -65, 7_000, MORNING + 1)).toBe(true);
  expect(trade(FUTURE.refId, 65, 2_610_000, MORNING + 2)).toBe(true);
  of.last.set(10, 2_640_000);
  let at = MORNING;
  for (; dateOf(at) <= '2026-11-24'; at += DAY) books.endOfDay(dateOf(at), at + 3_600_000);
  const { equity, roundTrips } = performanceOf(source(at), { from: dateOf(MORNING), to: dateOf(at) });
  expect(equity.end - equity.start).toBe(equity.result + equity.heldBefore);
  expect(roundTrips.map(({ side, gross, exit }) => ({ side, gross, kind: exit?.kind }))).toEqual([
    { side: 'LONG', gross: 65 * (40_000 - 20_000), kind: 'settled' },
    { side: 'SHORT', gross: 65 * 7_000, kind: 'settled' },
    { side: 'LONG', gross: 65 * (2_640_000 - 2_610_000), kind: 'settled' },
  ]);
});

describe('one trade', () => {
  const today = { from: dateOf(MORNING), to: dateOf(MORNING) };
  const placedBy = { workflow: 'w1', workflowName: 'Straddle', execution: '7', node: 'Buy' };
  const traded = () => {
    const { trade, source } = bench();
    const facts = (tag: string, decisionPrices: number): OrderFacts => ({
      placedAt: MORNING,
      tag,
      decisionPrices,
      placedBy,
    });
    trade(TCS.refId, 10, 300_010, MORNING, { product: 'IDAY' }, facts('breakout-abcdefghijkl', 600_000));
    trade(TCS.refId, -10, 301_000, MORNING + 60_000, { product: 'IDAY' }, facts('', 602_010));
    return performanceOf(source(MORNING + 120_000), today);
  };

  test('has entry, exit, costs, slippage against the middle at the decision, holding time, tag and workflow', () => {
    const report = performanceRecord(traded(), () => 'TCS');
    expect(report.round_trips).toHaveLength(1);
    const [trip] = report.round_trips;
    expect(trip).toMatchObject({
      symbol: 'TCS',
      side: 'LONG',
      quantity: 10,
      open: false,
      entry_price: 300_010,
      exit_price: 301_000,
      gross: 9_900,
      // 10 × 10 paise at the entry, 10 × 5 paise at the exit.
      slippage: 150,
      holding_seconds: 60,
      tag: 'breakout',
      placed_by: { workflow: 'w1', workflow_name: 'Straddle', execution: '7', node: 'Buy' },
    });
    expect(trip!.costs).toBeGreaterThan(0);
    expect(trip!.net).toBe(9_900 - trip!.costs);
    expect(report.by_tag).toMatchObject([{ name: 'breakout', trades: 1, net: trip!.net }]);
    expect(report.by_workflow).toMatchObject([{ name: 'Straddle', trades: 1, slippage: 150 }]);
    expect(report.verdict).toContain('1 closed trade: fewer than 30 prove nothing');
  });

  test('is written as CSV with rupees with a point, and no formula that a spreadsheet would run', () => {
    const performance = traded();
    const text = performanceCsv(
      performanceRecord(performance, () => '=HYPERLINK("x")'),
      'trades',
    );
    const [head, row] = text.split('\r\n');
    expect(head).toMatch(/^symbol,side,quantity,entry,entry_price,/);
    expect(row).toMatch(/^"'=HYPERLINK\(""x""\)",Long,10,2026-11-20 10:00,3000\.10,2026-11-20 10:01,3010\.00,99\.00,/);
    for (const table of ['days', 'curve', 'workflows', 'tags'] as const)
      expect(
        performanceCsv(
          performanceRecord(performance, () => 'TCS'),
          table,
        ).split('\r\n').length,
      ).toBeGreaterThan(2);
  });

  test('is written as a readable document, with the sentence on what it says', () => {
    const document = performanceDocument(performanceRecord(traded(), () => 'TCS'));
    expect(document.sections.map(({ title }) => title)).toEqual(['Days', 'By workflow', 'By tag', 'Trades']);
    expect(document.lead).toEqual([expect.stringContaining('pure luck')]);
  });

  test('is written as a PDF with the worst day in words and the curve with its days, before the tables', async () => {
    const report = performanceRecord(traded(), () => 'TCS');
    const client = {
      clientCode: 'SBX001',
      name: 'Asha',
      email: 'asha@example.com',
      phone: '9000000001',
      pan: 'ABCPS1234A',
    };
    const point = { net_exposure: 0, gross_exposure: 0 };
    const INDEX = { open: 910_760, high: 1_015_940, low: 855_515, close: 995_520, previous_close: 959_015 };
    const reported = {
      ...report,
      market: { symbol: 'NIFTY', start: 959_015, end: 995_520, change: 3.81 },
      worst_day: { date: '2020-03-13', result: -123_456, trades: 1, market: 3.81, index: INDEX },
      curve: [
        { ...point, at: '2020-03-12T15:29:00.000+05:30', result: 0, drawdown: 0, market: 959_015 },
        { ...point, at: '2020-03-13T15:29:00.000+05:30', result: -123_456, drawdown: 123_456, market: 862_405 },
      ],
    };
    const text = async (of: typeof report) =>
      await pdfText(await toPdf(performanceDocument(of), client, Date.parse('2020-03-13T16:00:00+05:30')));
    expect(await text(reported)).toMatch(
      /Worst day: 13 Mar 2020, –Rs 1,234\.56, when NIFTY was between 8,555\.15 and 10,159\.40 and closed at 9,955\.20, 3\.81 % above the day before\..*NIFTY in grey.*9,590\.15.*-1,234\.56.*12 Mar.*Days/s,
    );
    expect(await text({ ...reported, curve: [] })).not.toContain('in grey');
  });
});

test('the curve falls as what is open falls, and the drawdown counts from its highest', () => {
  const { of, trade, source } = bench();
  trade(TCS.refId, 100, 300_000, MORNING - 1_000, { product: 'IDAY' });
  const path = new Map([
    [MORNING, 305_000],
    [MORNING + 3_600_000, 290_000],
  ]);
  const facts = {
    ...source(MORNING + 7_200_000),
    price: (refId: number, at: number) => (refId === TCS.refId ? (path.get(at) ?? 295_000) : of.last.get(refId)!),
  };
  const { drawdown, curve, equity } = performanceOf(facts, { from: dateOf(MORNING), to: dateOf(MORNING) });
  expect(drawdown).toMatchObject({ amount: 1_500_000, from: MORNING, to: MORNING + 3_600_000 });
  expect(curve.at(-1)).toMatchObject({ result: equity.result, grossExposure: 29_500_000, drawdown: 1_000_000 });
});

test('the curve of a trade that is closed later shows its prices until then, and not what the exit brings', () => {
  const { of, trade, source } = bench();
  trade(TCS.refId, 100, 300_000, MORNING - 1_000, { product: 'IDAY' });
  const path = new Map([[MORNING, 290_000]]);
  trade(TCS.refId, -100, 310_000, MORNING + 7_200_000, { product: 'IDAY' });
  const facts = {
    ...source(MORNING + 7_300_000),
    price: (refId: number, at: number) => (refId === TCS.refId ? (path.get(at) ?? 295_000) : of.last.get(refId)!),
  };
  const { curve, equity } = performanceOf(facts, { from: dateOf(MORNING), to: dateOf(MORNING) });
  const resultAt = (at: number) => curve.find((point) => point.at === at)!.result;
  const [entered, later] = [resultAt(MORNING - 1_000), resultAt(MORNING)];
  expect(later - entered).toBe(100 * (290_000 - 295_000));
  expect(curve.at(-1)!.result).toBe(equity.result);
  expect(equity.result - entered).toBeGreaterThan(1_400_000);
});

test('a day without a trade reports nothing, and says so', () => {
  const { source } = bench();
  const report = performanceRecord(
    performanceOf(source(MORNING), { from: dateOf(MORNING), to: dateOf(MORNING) }),
    String,
  );
  expect(report).toMatchObject({
    result: 0,
    drawdown: null,
    sharpe: null,
    verdict: expect.stringContaining('nothing to judge'),
  });
  expect(report.trades).toMatchObject({ closed: 0, win_rate: null, profit_factor: null });
});

test('money and shares from the control plane are told apart from earnings', () => {
  const { books, source } = bench();
  books.setHolding(A, { refId: INFY.refId, quantity: 510, averagePrice: 1 }, MORNING);
  const { equity } = performanceOf(source(MORNING), { from: dateOf(MORNING), to: dateOf(MORNING) });
  expect(equity).toMatchObject({ result: 0, heldBefore: 0, setByHand: 10 * 150_000, end: equity.start + 1_500_000 });
});

describe('the certainty of a result', () => {
  test('is none for few trades, high for many alike ones, and luck for scattered ones', () => {
    expect(verdictOf(Array.from({ length: 29 }, () => 100))).toContain('fewer than 30');
    expect(verdictOf(Array.from({ length: 40 }, (_, index) => 1_000 + (index % 2)))).toContain('made ₹10.01 each');
    expect(verdictOf(Array.from({ length: 40 }, (_, index) => 1_000 + (index % 2)))).toContain('luck alone seldom');
    expect(verdictOf(Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? 10_000 : -9_990)))).toContain(
      'can well be luck',
    );
  });

  test('is told by the Sharpe ratio of a year with its standard error', () => {
    // Mean 0.01, standard deviation 0.01 (sample): 1 a day.
    const returns = [0, 0.01, 0.02];
    expect(sharpe(returns)).toEqual({ value: 15.875, error: 11.225, days: 3 });
    expect(sharpe([0.01])).toBeUndefined();
    expect(sharpe([0.01, 0.01])).toBeUndefined();
  });

  test('letters for one order group nothing', () => {
    expect(userTag('breakout-abcdefghijkl')).toBe('breakout');
    expect(userTag('abcdefghijklmnop')).toBe('');
    expect(userTag('breakout')).toBe('breakout');
  });
});
