/**
 * A rule over two recorded months, computed a second time by the short program of this file, which shares nothing with the sandbox: it
 * reads the file, prices the future by the carry that docs/sandbox.md documents, and counts charges by the laws of the time.
 */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { reportOf } from '../../../sandbox/src/control/performance';
import type { Side } from '../../../sandbox/src/shared/orders';
import { parseOptions } from '../../../sandbox/src/simulation/command-line';
import { Sandbox } from '../../../sandbox/src/simulation/sandbox';
import { goTo, marketOrder } from '../../support/in-process';
import { describeWith, SHARED_DATA } from '../../support/needs';
import { share } from '../../support/sample';

const ENTER = '11:00';
const LEAVE = '15:00';
const LOT = 75;

/** Day that the program expects. Prices and amounts are rupees. */
interface Expected {
  date: string;
  side: 'LONG' | 'SHORT';
  entry: number;
  exit: number;
  /** Greatest error of a price, a fraction. */
  error: number;
  costs: number;
  net: number;
}

/** Charges of the month on a lot of the future of NIFTY, as fractions of the turnover. */
interface Law {
  exchange: number;
  sebi: number;
  stampBuy: number;
  stampSell: number;
}
const LAWS: Record<string, Law> = {
  '2020-03': { exchange: 0.000019, sebi: 0.000001, stampBuy: 0.00002, stampSell: 0.00002 },
  '2021-01': { exchange: 0.00002, sebi: 0.0000005, stampBuy: 0.00002, stampSell: 0 },
};
/** The last Thursdays. */
const EXPIRIES = ['2020-03-26', '2020-04-30', '2021-01-28', '2021-02-25'];
/** A year's cost of carrying. */
const CARRY = 0.053;
/**
 * Freedom that docs/sandbox.md leaves a price: 0.4 % a year of carry until the expiry, and the cost of a lot to get in
 * or out.
 */
const CARRY_ERROR = 0.004;
const WAY_IN = 0.0001;

/** By day and minute the open of each bar, `2020-03-13 11:00`: a row of these files names the end of its minute. */
function opensOf(file: string): Map<string, number> {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [, date, end, open] = line.split(',') as [string, string, string, string];
      const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
      const begins = new Date(Date.parse(`${day}T${end.slice(0, 5)}:00Z`) - 60_000).toISOString();
      return [begins.slice(0, 16).replace('T', ' '), Number(open)];
    }),
  );
}

/** The rule: with the morning's move from 09:15 to 11:00, one lot of the nearest future, until 15:00. */
function computed(opens: ReadonlyMap<string, number>, law: Law): Expected[] {
  const dates = [...new Set([...opens.keys()].map((key) => key.slice(0, 10)))].sort();
  return dates.flatMap((date) => {
    const [first, entered, left] = ['09:15', ENTER, LEAVE].map((time) => opens.get(`${date} ${time}`));
    if (first === undefined || entered === undefined || left === undefined) return [];
    const side = entered > first ? 'LONG' : 'SHORT';
    const expiry = EXPIRIES.find((day) => day >= date)!;
    const years = (Date.parse(expiry) - Date.parse(date)) / 86_400_000 / 365;
    const [entry, exit] = [entered, left].map((price) => price * Math.exp(CARRY * years)) as [number, number];
    const [buy, sell] = (side === 'LONG' ? [entry, exit] : [exit, entry]) as [number, number];
    const turnover = LOT * (buy + sell);
    // The less of 0.03 % and Rs 20 an order.
    const brokerage = [buy, sell].reduce((sum, price) => sum + Math.min(20, 0.0003 * LOT * price), 0);
    const taxed = brokerage + turnover * (law.exchange + law.sebi);
    const tax = Math.round(0.0001 * LOT * sell);
    const stamp = LOT * (buy * law.stampBuy + sell * law.stampSell);
    const costs = taxed * 1.18 + tax + stamp;
    return [{ date, side, entry, exit, error: CARRY_ERROR * years + WAY_IN, costs, net: LOT * (sell - buy) - costs }];
  });
}

describeWith(SHARED_DATA, 'a rule that is computed twice', (data) => {
  test.each(share(['2020-03', '2021-01'], 2, 1))(
    '%s has the same trades, prices and charges within the stated error',
    async (month) => {
      const file = path.join(data, 'history', `minute_NIFTY_${month}.txt.gz`);
      const opens = opensOf(file);
      const expected = computed(opens, LAWS[month]!);
      expect(expected.length).toBeGreaterThan(18);
      const folder = mkdtempSync(path.join(tmpdir(), 'independent-'));
      try {
        copyFileSync(file, path.join(folder, 'NIFTY.txt.gz'));
        const trips = await traded(folder, expected);
        expect(trips.map(({ entry_at: at, side, quantity }) => [at.slice(0, 16), side, quantity])).toEqual(
          expected.map(({ date, side }) => [`${date}T${ENTER}`, side, LOT]),
        );
        for (const [index, trip] of trips.entries()) {
          const { entry, exit, error, costs, net } = expected[index]!;
          expect(trip.exit_at!.slice(11, 16)).toBe(LEAVE);
          expect(Math.abs(trip.entry_price / 100 / entry - 1)).toBeLessThan(error);
          expect(Math.abs(trip.exit_price / 100 / exit - 1)).toBeLessThan(error);
          // The tax goes by whole rupees.
          expect(Math.abs(trip.costs / 100 - costs)).toBeLessThan(1.1);
          // Both prices are carried by the same rate: what is left is paid to get in and out, and is never received.
          expect(net - trip.net / 100).toBeGreaterThan(-1.1);
          expect(net - trip.net / 100).toBeLessThan(2 * WAY_IN * LOT * entry);
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
});

/** Trades the rule in the sandbox, by market orders at its times. */
async function traded(folder: string, expected: readonly Expected[]) {
  const given = parseOptions(['--replay', folder, '--clock', 'manual', '--port', '0', '--rate-limit', 'off']);
  if (typeof given === 'string') throw new Error(given);
  const sandbox = await Sandbox.open(given);
  const { world } = sandbox;
  const [person] = sandbox.users.all();
  const go = (date: string, time: string): void => goTo(sandbox, date, time);
  const place = (side: Side): void => {
    const { refId, lotSize } = world.universe().futures('NSE', 'NIFTY')[0]!;
    const placed = world.placeOrder(
      marketOrder({ account: person!.clientCode, refId, side, quantity: lotSize, product: 'IDAY' }),
    );
    if (!placed.ok) throw new Error(placed.text);
  };
  for (const { date } of expected) {
    go(date, ENTER);
    // The rule by what the sandbox's own interface shows.
    const index = world.universe().bySymbol('NSE', 'NIFTY')!;
    const [begin, now] = ['09:15', ENTER].map((time) => Date.parse(`${date}T${time}:00+05:30`)) as [number, number];
    const [bar] = world.market.bars(index, '1m', begin, begin + 60_000);
    const isUp = world.market.price(index, now) > bar!.open;
    place(isUp ? 'BUY' : 'SELL');
    go(date, LEAVE);
    place(isUp ? 'SELL' : 'BUY');
    go(date, '15:45');
  }
  const [first, last] = [expected[0]!.date, expected.at(-1)!.date];
  go(new Date(Date.parse(last) + 86_400_000).toISOString().slice(0, 10), '08:00');
  return reportOf(sandbox, person!, { from: first, to: last }).round_trips;
}
