/** Bonus issues, splits and dividends in a replay, by the exchange's list: what is held goes on as it did, at prices as they were recorded. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Side } from '../../../sandbox/src/shared/orders';
import { parseOptions } from '../../../sandbox/src/simulation/command-line';
import { checkRecordings } from '../../../sandbox/src/simulation/recordings';
import { Sandbox } from '../../../sandbox/src/simulation/sandbox';
import { marketOrder } from '../../support/in-process';

const HEADING =
  '"SYMBOL","COMPANY NAME","SERIES","PURPOSE","FACE VALUE","EX-DATE","RECORD DATE","BOOK CLOSURE START DATE","BOOK CLOSURE END DATE"';
const row = (purpose: string, exDate: string, symbol = 'RELIANCE', series = 'EQ'): string =>
  `"${symbol}","A Company Limited","${series}","${purpose}","10","${exDate}","${exDate}","-","-"`;
/** Open of each day; the price rises by a rupee from its beginning to its end. */
type Day = [date: string, open: number];
const RAW: Day[] = [
  ['2024-10-24', 2_700],
  ['2024-10-25', 2_700],
  ['2024-10-28', 1_350],
  ['2024-10-29', 1_350],
];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'actions-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(days: readonly Day[], ...rows: string[]): void {
  const bars = days.flatMap(([date, open]) =>
    Array.from({ length: 375 }, (_, minute) => {
      const price = (open + (minute === 374 ? 1 : 0)).toFixed(2);
      const time = new Date(Date.parse(`${date}T09:15:00Z`) + minute * 60_000).toISOString().slice(11, 16);
      return `${date} ${time},${open.toFixed(2)},${price},${open.toFixed(2)},${price},100000`;
    }),
  );
  writeFileSync(path.join(folder, 'RELIANCE.csv'), `time,open,high,low,close,volume\n${bars.join('\n')}\n`);
  writeFileSync(path.join(folder, 'CF-CA-equities-24-10-2024-to-29-10-2024.csv'), [HEADING, ...rows].join('\n'));
}

async function opened() {
  const given = parseOptions(['--replay', folder, '--clock', 'manual', '--port', '0', '--rate-limit', 'off']);
  if (typeof given === 'string') throw new Error(given);
  const sandbox = await Sandbox.open(given);
  const { world } = sandbox;
  const [person] = sandbox.users.all();
  const account = person!.clientCode;
  const share = () => world.universe().bySymbol('NSE', 'RELIANCE')!;
  return {
    world,
    account,
    share,
    go(date: string, time: string): void {
      const at = Date.parse(`${date}T${time}:00+05:30`);
      do sandbox.clock.set(at);
      while (sandbox.now() < at);
      sandbox.changed();
    },
    trade(side: Side, quantity: number): void {
      const placed = world.placeOrder(marketOrder({ account, refId: share().refId, side, quantity, product: 'CNC' }));
      if (!placed.ok) throw new Error(placed.text);
    },
    held: () => world.accounts.holdings(account).filter(({ refId }) => refId === share().refId),
    price: () => world.exchange.lastPrice(share(), sandbox.instant),
    at: () => sandbox.instant,
  };
}

describe('a list of corporate actions beside the candles', () => {
  test('a bonus issue doubles what is held, at prices as they were recorded', async () => {
    put(RAW, row('Bonus 1:1', '28-Oct-2024'));
    const { world, go, trade, held, share, at } = await opened();
    go('2024-10-24', '10:00');
    const before = held().reduce((sum, { quantity }) => sum + quantity, 0);
    trade('BUY', 10);
    go('2024-10-28', '09:30');
    expect(held().reduce((sum, { quantity }) => sum + quantity, 0)).toBe(2 * (before + 10));
    expect(world.market.price(share(), at())).toBe(135_000);
    // The close of Friday, 2,701, as the exchange shows it on Monday.
    expect(world.market.previousClose(share(), at())).toBe(135_050);
    const midnight = Date.parse('2024-10-28T09:15:00+05:30');
    const [bar] = world.market.bars(share(), '1m', midnight, midnight + 60_000);
    expect(bar).toMatchObject({ open: 135_000, close: 135_000, volume: 100_000 });
    // Candles of before, as brokers show them since.
    const friday = Date.parse('2024-10-25T09:15:00+05:30');
    expect(world.market.bars(share(), '1m', friday, friday + 60_000)[0]).toMatchObject({
      open: 135_000,
      volume: 200_000,
    });
    go('2024-10-29', '09:30');
    expect(world.market.price(share(), at())).toBe(135_000);
    expect(world.market.previousClose(share(), at())).toBe(135_100);
  });

  test('a dividend is paid on what is held, and moves no recorded price', async () => {
    put(
      RAW.map(([date]) => [date, 2_700]),
      row('Interim Dividend - Rs 8 Per Share Special Dividend - Rs 2 Per Share', '28-Oct-2024'),
    );
    const { world, account, go, trade, held, price } = await opened();
    go('2024-10-24', '10:00');
    trade('BUY', 10);
    go('2024-10-25', '23:00');
    go('2024-10-29', '10:00');
    expect(price()).toBe(270_000);
    const shares = held().reduce((sum, { quantity, t1Quantity }) => sum + quantity + t1Quantity, 0);
    const paid = world.accounts
      .ledger(account)
      .filter(({ kind, at }) => kind === 'DIVIDEND' && at > Date.parse('2024-10-24'));
    expect(paid.map(({ amount, at }) => [amount, new Date(at).toISOString()])).toEqual([
      [1_000 * shares, '2024-10-27T18:30:00.000Z'],
    ]);
  });

  test('candles that are adjusted already leave holdings unchanged', async () => {
    put(
      RAW.map(([date]) => [date, 1_350]),
      row('Bonus 1:1', '28-Oct-2024'),
    );
    const { go, trade, held } = await opened();
    go('2024-10-24', '10:00');
    const before = held().reduce((sum, { quantity }) => sum + quantity, 0);
    trade('BUY', 10);
    go('2024-10-29', '09:30');
    expect(held().reduce((sum, { quantity }) => sum + quantity, 0)).toBe(before + 10);
    expect(await checkRecordings(folder)).toContain(
      'its prices are adjusted for the bonus of 1 for 1 held of 2024-10-28 already',
    );
  });

  test('the check names what is taken, and what is left out and why', async () => {
    put(
      RAW,
      row('Bonus 1:1', '28-Oct-2024'),
      row('Rights 3:14 @ Premium Rs 1247/-', '25-Oct-2024'),
      row('Annual General Meeting', '25-Oct-2024'),
      row('Interest Payment', '25-Oct-2024', 'RELIANCE', 'N1'),
      row('Dividend - Rs 8 Per Share', '25-Oct-2024', 'INFY'),
      row('Dividend - Rs 8 Per Share', '25-Oct-2024', 'NOSUCHSHARE'),
    );
    const said = await checkRecordings(folder);
    for (const words of [
      'NSE RELIANCE: bonus of 1 for 1 held on 2024-10-28, by its list of corporate actions.',
      'left out 1 row that move the price and cannot be replayed, such as rights issues and demergers: RELIANCE.',
      'left out 1 row that are no dividend, split or bonus issue.',
      'by their series: RELIANCE N1.',
      'that this market does not have: NOSUCHSHARE.',
      '1 corporate actions are of shares that are not recorded',
    ])
      expect(said).toContain(words);
    expect(said).not.toContain('as after a split');
  });

  test.each([
    [
      row('Dividend', '28-Oct-2024'),
      /^CF-CA-.*csv, line 2: "DIVIDEND" does not say how many rupees a share; write it as/,
    ],
    [row('Bonus 1:1', 'soon'), /line 2: "soon" is not an ex-date such as 28-Oct-2024/],
    [`${row('Bonus 1:1', '28-Oct-2024')},x`, /line 2: 10 cells where the first line has 9/],
  ])('a row that is not understood is refused with its place: %s', async (line, words) => {
    put(RAW, line);
    await expect(checkRecordings(folder)).rejects.toThrow(words);
  });

  test.each([
    [
      'as the interface of NSE answers',
      'CF.json',
      JSON.stringify([
        { symbol: 'RELIANCE', series: 'EQ', faceVal: '10', subject: 'Bonus 1:1', exDate: '28-Oct-2024', isin: 'x' },
      ]),
    ],
    [
      'as BSE lists them, by its code',
      'Corporate_Actions.csv',
      'Security Code,Security Name,Company Name,Ex Date,Purpose,Record Date\n500325,RELIANCE,Reliance,28 Oct 2024,Bonus issue 1:1,28 Oct 2024',
    ],
  ])('a list is read %s', async (_how, file, text) => {
    put(RAW);
    writeFileSync(path.join(folder, file), text);
    expect(await checkRecordings(folder)).toContain('NSE RELIANCE: bonus of 1 for 1 held on 2024-10-28');
  });

  test('the fall of a bonus issue is told as a fall without the list', async () => {
    put(RAW);
    expect(await checkRecordings(folder)).toContain("unless NSE's list of corporate actions lies in the folder");
  });
});
