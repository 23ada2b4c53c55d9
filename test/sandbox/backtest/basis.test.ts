/** Statements of a backtest's report about its footing, on trades in a replay of days that this test makes up. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { basisOf, BlockedMoney } from '../../../sandbox/src/backtest/basis';
import { luckOf } from '../../../sandbox/src/backtest/luck';
import type { BacktestReport } from '../../../sandbox/src/backtest/report';
import { picturesOf } from '../../../sandbox/src/backtest/trade-pictures';
import { reportPage } from '../../../sandbox/src/backtest/report-page';
import { reportOf } from '../../../sandbox/src/control/performance';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import type { Side } from '../../../sandbox/src/shared/orders';
import { parseOptions } from '../../../sandbox/src/simulation/command-line';
import { OwnImpact } from '../../../sandbox/src/simulation/own-impact';
import { Sandbox } from '../../../sandbox/src/simulation/sandbox';
import { goTo, marketOrder } from '../../support/in-process';

const DAYS = ['2020-03-30', '2020-03-31', '2020-04-01'];
const MINUTES = 375;
let folder: string;
let report: BacktestReport;
let sandbox: Sandbox;

/** Minutes that rise by a rupee each, day after day. */
function minutes(): string {
  const lines = DAYS.flatMap((date, day) =>
    Array.from({ length: MINUTES }, (_, minute) => {
      const open = 8_000 + 100 * day + minute;
      const time = new Date(Date.parse(`${date}T09:15:00Z`) + minute * 60_000).toISOString().slice(11, 16);
      return `${date} ${time},${open},${open + 2},${open - 1},${open + 1},0`;
    }),
  );
  return `time,open,high,low,close,volume\n${lines.join('\n')}\n`;
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'basis-'));
  writeFileSync(path.join(folder, 'NIFTY.csv'), minutes());
  const given = parseOptions(['--replay', folder, '--clock', 'manual', '--port', '0', '--rate-limit', 'off']);
  if (typeof given === 'string') throw new Error(given);
  sandbox = await Sandbox.open(given);
  const { world } = sandbox;
  const [person] = sandbox.users.all();
  const blocked = new BlockedMoney(sandbox, person!.clientCode);
  const ownImpact = new OwnImpact(sandbox, person!.clientCode);
  const go = (date: string, time: string): void => goTo(sandbox, date, time);
  const place = ({ refId, lotSize }: Instrument, side: Side): void => {
    const placed = world.placeOrder(
      marketOrder({ account: person!.clientCode, refId, side, quantity: lotSize, product: 'IDAY' }),
    );
    if (!placed.ok) throw new Error(placed.text);
  };
  for (const date of DAYS) {
    go(date, '09:30');
    const universe = world.universe();
    const future = universe.futures('NSE', 'NIFTY')[0]!;
    const share = universe.bySymbol('NSE', 'RELIANCE')!;
    for (const instrument of [future, share]) place(instrument, 'BUY');
    go(date, '11:00');
    for (const instrument of [future, share]) place(instrument, 'SELL');
    go(date, '15:45');
  }
  go('2020-04-02', '08:00');
  const earned = reportOf(sandbox, person!, { from: DAYS[0]!, to: DAYS.at(-1)! });
  report = {
    ...earned,
    runs: { total: 3, failed: 0, handled: 0, unfinished: 0, errors: [] },
    basis: basisOf(sandbox, earned, blocked.largest, ownImpact.paid),
    luck: luckOf(earned, 1) ?? null,
    partial: null,
    pictures: picturesOf(sandbox, earned),
  };
  const kept = process.env['KEEP_REPORT'];
  if (kept !== undefined) writeFileSync(kept, reportPage(report, 'Long at 09:30'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('each instrument is recorded, derived, or made up', () => {
  expect(report.basis.instruments.map(({ symbol, prices }) => [symbol.slice(0, 5), prices]).sort()).toEqual([
    ['NIFTY', 'worked out'],
    ['RELIA', 'made up'],
  ]);
  expect(report.basis.instruments.find(({ prices }) => prices === 'worked out')!.how).toBe(
    'from NIFTY as recorded, with the cost of carrying it',
  );
});

test('the basis holds capital, what was invested and blocked at most, and the returns on them', () => {
  const { basis, result, equity } = report;
  expect(basis.capital).toBe(equity.start);
  expect(basis.return_percent).toBeCloseTo((100 * result) / equity.start, 2);
  // A future of 8,000 to 8,600 and a share.
  const worth = Math.max(...report.curve.map(({ gross_exposure: gross }) => gross));
  expect(basis.largest_invested).toBe(worth);
  expect(basis.return_on_invested_percent).toBeCloseTo((100 * result) / worth, 2);
  expect(worth).toBeGreaterThan(50_000_000);
  expect(basis.largest_blocked).toBeGreaterThan(worth / 20);
  expect(basis.largest_blocked).toBeLessThan(worth);
  expect(basis.return_on_blocked_percent).toBeCloseTo((100 * result) / basis.largest_blocked, 2);
});

test('the days and months of the index are those of its bars, and holding it is counted from close to close', () => {
  expect(report.days.map((day) => [day!.date, day!.index!.low, day!.index!.high, day!.index!.close])).toEqual(
    DAYS.map((date, day) => [date, 799_900 + 10_000 * day, 837_600 + 10_000 * day, 837_500 + 10_000 * day]),
  );
  expect(report.days[1]!.market).toBe(1.19);
  expect(report.basis.months.map(({ month, trades }) => [month, trades])).toEqual([
    ['2020-03', 4],
    ['2020-04', 2],
  ]);
  expect(report.basis.months.reduce((sum, { result }) => sum + result, 0)).toBe(report.result);
  const { market, basis } = report;
  expect(basis.holding_index).toBe(Math.round((basis.capital * (market!.end - market!.start)) / market!.start));
});

test('each trade lies within the minute beside it, give or take the spread', () => {
  expect(report.basis.bars).toHaveLength(report.round_trips.length);
  for (const [index, trip] of report.round_trips.entries()) {
    const { entry, exit } = report.basis.bars[index]!;
    for (const [bar, price] of [
      [entry!, trip.entry_price],
      [exit!, trip.exit_price],
    ] as const) {
      expect(price).toBeGreaterThan(bar.low * 0.995);
      expect(price).toBeLessThan(bar.high * 1.005);
    }
  }
});

test('each trade has a picture: the bars of its minutes, with entry and exit in place', () => {
  expect(report.pictures).toHaveLength(report.round_trips.length);
  for (const [index, picture] of report.pictures.entries()) {
    const trip = report.round_trips[index]!;
    // From ten bars before 09:30 to ten bars after 11:00.
    expect(picture).toMatchObject({ interval: '5m' });
    const { from, bars, entry, exit } = picture!;
    const begins = (bar: number): string =>
      new Date(Date.parse(from) + bar * 300_000 + 19_800_000).toISOString().slice(11, 16);
    expect([begins(entry), begins(exit!)]).toEqual(['09:30', '11:00']);
    for (const [bar, price] of [
      [bars[entry]!, trip.entry_price],
      [bars[exit!]!, trip.exit_price],
    ] as const) {
      expect(price).toBeGreaterThan(bar[2] * 0.995);
      expect(price).toBeLessThan(bar[1] * 1.005);
    }
  }
  const page = reportPage(report, 'x');
  expect(page.match(/<figure>/g)).toHaveLength(report.round_trips.length);
  expect(page).toContain('▲ bought, ▼ sold');
});

test('a trade that is open, and one over weeks, have a picture of the bars that there are', () => {
  const trip = (more: object) => ({ ...report.round_trips[0]!, ...more });
  const { ref_id: refId } = report.round_trips[0]!;
  const of = (...trips: object[]) =>
    picturesOf(sandbox, { ...report, round_trips: trips.map((one) => ({ ...trip(one), ref_id: refId })) });
  const [open, long] = of({ exit_at: null }, { exit_at: '2020-04-01T15:00:00.000+05:30' });
  expect(open!.exit).toBeNull();
  for (const picture of [open, long]) expect(picture!.bars.length).toBeLessThanOrEqual(60);
  expect(long!.exit).toBeGreaterThan(long!.entry);
  expect(picturesOf(sandbox, { ...report, round_trips: [{ ...trip({}), ref_id: 1 }] })).toEqual([null]);
});

test('a coin loses the costs on average', () => {
  expect(report.luck!.low).toBeLessThan(report.luck!.high);
  expect(report.luck!.band.map(({ date }) => date)).toEqual(DAYS);
});

test('an index that was not recorded is made up, so a result is not compared with it', async () => {
  const files = mkdtempSync(path.join(tmpdir(), 'basis-'));
  writeFileSync(path.join(files, 'RELIANCE.csv'), minutes());
  const given = parseOptions(['--replay', files, '--clock', 'manual', '--port', '0', '--rate-limit', 'off']);
  if (typeof given === 'string') throw new Error(given);
  const alone = await Sandbox.open(given);
  const [person] = alone.users.all();
  const share = alone.world.universe().bySymbol('NSE', 'RELIANCE')!;
  goTo(alone, DAYS[0]!, '09:30');
  const { clientCode: account } = person!;
  alone.world.placeOrder(
    marketOrder({ account, refId: share.refId, side: 'BUY', quantity: share.lotSize, product: 'CNC' }),
  );
  goTo(alone, DAYS[1]!, '15:45');
  const earned = reportOf(alone, person!, { from: DAYS[0]!, to: DAYS[1]! });
  expect(earned.round_trips).toHaveLength(1);
  expect(earned.market).toBeNull();
  expect(earned.days.map((day) => day?.index)).toEqual([null, null]);
  const basis = basisOf(alone, earned, 0, 0);
  expect(basis.holding_index).toBeNull();
  const page = reportPage({ ...report, ...earned, basis, pictures: [] }, 'SIP');
  expect(page).toContain(
    'There is no recording of NIFTY for these days, so the result is not compared with it. To compare it, put candles of NIFTY into the folder.',
  );
  expect(page).not.toContain('Who had put the capital');
  rmSync(files, { recursive: true, force: true });
});
