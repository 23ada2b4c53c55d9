/** Candles of futures and options in a replay: their prices are those of the bars, books around them are the market's. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Side } from '../../../sandbox/src/shared/orders';
import { parseOptions } from '../../../sandbox/src/simulation/command-line';
import { originOf } from '../../../sandbox/src/simulation/price-origins';
import { checkRecordings } from '../../../sandbox/src/simulation/recordings';
import { Sandbox } from '../../../sandbox/src/simulation/sandbox';
import { marketOrder } from '../../support/in-process';

const DATE = '2020-03-11';
const CALL = 'NIFTY2031210450CE';
const at = (time: string): number => Date.parse(`${DATE}T${time}+05:30`);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'option-candles-'));
  const minutes = Array.from({ length: 375 }, (_, minute) => {
    const time = new Date(Date.parse(`${DATE}T09:15:00Z`) + minute * 60_000).toISOString().slice(11, 16);
    return `${DATE} ${time},10450,10455,10445,10451,0`;
  });
  writeFileSync(path.join(folder, 'NIFTY.csv'), `time,open,high,low,close,volume\n${minutes.join('\n')}\n`);
});
afterEach(() => rmSync(folder, { recursive: true }));

const BARS = `time,open,high,low,close,volume
${DATE} 09:15,150.00,160.00,140.00,155.00,7500
${DATE} 09:16,155.00,158.00,120.00,125.00,15000
${DATE} 09:20,126.00,130.00,125.00,128.00,750
`;
const put = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);

async function opened(): Promise<Sandbox> {
  const given = parseOptions([
    '--replay',
    folder,
    '--clock',
    'manual',
    '--port',
    '0',
    '--rate-limit',
    'off',
    '--latency',
    '0',
  ]);
  if (typeof given === 'string') throw new Error(given);
  return await Sandbox.open(given);
}

test('its bars are shown to the paisa and the unit, and its price is the open, low, high and close of each', async () => {
  put(`${CALL}.csv`, BARS);
  const sandbox = await opened();
  const { market } = sandbox.world;
  const call = market.universe(at('09:15:00')).bySymbol('NSE', CALL)!;
  expect(
    market
      .bars(call, '1m', at('09:15:00'), at('09:21:00'))
      .map(({ open, high, low, close, volume }) => [open, high, low, close, volume])
      .filter((_, i) => [0, 1, 5].includes(i)),
  ).toEqual([
    [15_000, 16_000, 14_000, 15_500, 7_500],
    [15_500, 15_800, 12_000, 12_500, 15_000],
    [12_600, 13_000, 12_500, 12_800, 750],
  ]);
  const prices = [
    '09:15:00',
    '09:15:19',
    '09:15:39',
    '09:15:59',
    '09:16:00',
    '09:16:20',
    '09:16:40',
    '09:16:59',
    '09:18:30',
  ];
  expect(prices.map((time) => market.price(call, at(time)))).toEqual([
    15_000, 14_000, 16_000, 15_500, 15_500, 15_800, 12_000, 12_500, 12_500,
  ]);
  expect(originOf(sandbox, call)).toMatchObject({ prices: 'recorded' });
  const other = market.universe(at('09:15:00')).bySymbol('NSE', 'NIFTY2031210500CE')!;
  expect(originOf(sandbox, other)).toMatchObject({ prices: 'worked out' });
});

test('an order is filled beside the recorded price, by a book around it', async () => {
  put(`${CALL}.csv`, BARS);
  const sandbox = await opened();
  const { world } = sandbox;
  const go = (time: string): void => {
    do sandbox.clock.set(at(time));
    while (sandbox.now() < at(time));
    sandbox.changed();
  };
  go('09:18:00');
  const call = world.universe().bySymbol('NSE', CALL)!;
  const depth = world.market.depth(call, at('09:18:00'), 12_500, 5);
  // The last trade was at one side of the book, or between them.
  expect(depth.bids[0]!.price).toBeLessThanOrEqual(12_500);
  expect(depth.asks[0]!.price).toBeGreaterThanOrEqual(12_500);
  expect(depth.bids[0]!.price).toBeLessThan(depth.asks[0]!.price);
  const place = (side: Side): void => {
    const account = sandbox.users.all()[0]!.clientCode;
    const placed = world.placeOrder(marketOrder({ account, refId: call.refId, side, quantity: 75, product: 'IDAY' }));
    if (!placed.ok) throw new Error(placed.text);
  };
  place('BUY');
  go('09:19:00');
  place('SELL');
  go('09:19:30');
  const trades = world.accounts
    .trades(sandbox.users.all()[0]!.clientCode)
    .filter(({ trade }) => trade.refId === call.refId)
    .map(({ trade }) => trade.price);
  expect(trades).toHaveLength(2);
  expect(trades[0]).toBeGreaterThanOrEqual(12_500);
  expect(trades[0]).toBeLessThan(13_000);
  expect(trades[1]).toBeLessThan(trades[0]!);
  expect(trades[1]).toBeGreaterThan(12_000);
});

test('the check names it with its bars; several in one file, by names of several kinds', async () => {
  const rows = BARS.trim().split('\n').slice(1);
  const of = (name: string): string[] => rows.map((row) => `${name},${row}`);
  put(
    'options.csv',
    [
      'symbol,time,open,high,low,close,volume',
      ...of('NFO:NIFTY2031210450CE'),
      ...of('NIFTY26MAR20FUT.NFO'),
      ...of('NIFTY CE'),
    ]
      .join('\n')
      .replaceAll(
        'NIFTY26MAR20FUT.NFO,2020-03-11 09:15,150.00,160.00,140.00,155.00',
        'NIFTY26MAR20FUT.NFO,2020-03-11 09:15,150.00,160.00,140.00,155.00',
      ),
  );
  const said = await checkRecordings(folder);
  expect(said).toMatch(
    /options\.csv +NSE NIFTY2031210450CE +1m +3 +2020-03-11 09:15 150\.00 +2020-03-11 09:20 128\.00/,
  );
  expect(said).toContain('NSE NIFTY20MARFUT');
  expect(said).toContain('of each bar its open, low, high and close are traded at');
});

test('a contract that is not listed on its days is told', async () => {
  put('NIFTY20APR99950CE.csv', BARS);
  expect(await checkRecordings(folder)).toContain(
    'NSE NIFTY20APR99950CE: this market lists no such contract on its recorded days',
  );
});

test('a name without its expiry is refused with what to write, and never taken for the index', async () => {
  put('NIFTY_26200_CE.csv', BARS);
  await expect(checkRecordings(folder)).rejects.toThrow(
    /NIFTY_26200_CE\.csv, line 2: its name is that of a future or option.*whole name, such as NIFTY25N2526200CE/,
  );
});

test('a contract alone, without its underlying, cannot be replayed', async () => {
  rmSync(path.join(folder, 'NIFTY.csv'));
  put(`${CALL}.csv`, BARS);
  await expect(checkRecordings(folder)).rejects.toThrow(
    `holds contracts alone: NSE ${CALL}. Put candles of their underlying of the same days there, too.`,
  );
});
