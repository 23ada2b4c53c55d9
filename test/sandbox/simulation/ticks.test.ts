import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DEFAULT_OPTIONS, type SandboxOptions } from '../../../sandbox/src/simulation/options';
import { Sandbox } from '../../../sandbox/src/simulation/sandbox';
import type { NewOrder } from '../../../sandbox/src/shared/orders';
import { IS_WHOLE } from '../../support/sample';

/** A day of orders that is recorded, and traded again in the replay of what was recorded. */

const DATE = '2026-11-20';
const INFY_TICKS = `${DATE}.NSE.INFY.ticks.csv.gz`;
const at = (time: string): number => Date.parse(`${DATE}T${time}+05:30`);

/** Time at which the day begins: `npm test` records its last two hours, TEST_ALL=1 all of it, with the auction before the open. */
const FROM = IS_WHOLE ? '09:00:00' : '13:30:00';
/** By time of day. `CE` is the call on NIFTY at the money of that moment. */
const ORDERS_OF_DAY: readonly [time: string, what: string, order: Partial<NewOrder>][] = [
  ['09:05:00', 'INFY', { quantity: 40 }],
  ['09:20:00', 'INFY', { quantity: 25_000 }],
  ['10:00:00', 'INFY', { side: 'SELL', quantity: 25_000 }],
  ['13:40:00', 'INFY', { quantity: 25_000 }],
  ['14:30:00', 'CE', { side: 'SELL', quantity: 650 }],
  ['14:45:00', 'INFY', { priceType: 'LIMIT', side: 'SELL', quantity: 2_000 }],
];
const ORDERS = ORDERS_OF_DAY.filter(([time]) => time >= FROM);

interface Traded {
  fills: unknown[][];
  /** Last price of INFY and of the call in each minute. */
  prices: number[][];
  /** Of INFY, by minute. */
  volumes: number[];
  previousCloses: number[];
}

/** Trades the orders on the day, and tells what came of it. */
async function traded(options: Partial<SandboxOptions>): Promise<Traded> {
  const sandbox = await Sandbox.open({ ...DEFAULT_OPTIONS, clock: 'manual', ...options });
  const { world } = sandbox;
  const account = sandbox.users.all()[0]!.clientCode;
  const universe = world.universe();
  const nifty = universe.bySymbol('NSE', 'NIFTY')!;
  const infy = universe.bySymbol('NSE', 'INFY')!;
  const options0 = universe.options('NSE', 'NIFTY', universe.expiries('NSE', 'NIFTY')[0]!);
  const atTheMoney = () => {
    const away = (strike: number): number => Math.abs(strike - world.lastPrice(nifty));
    return options0.ce.toSorted((a, b) => away(a.strikePrice) - away(b.strikePrice))[0]!;
  };
  const to = (time: string): void => {
    sandbox.clock.set(at(time));
    sandbox.now();
  };
  const bought = new Set([infy]);
  for (const [time, what, order] of ORDERS) {
    to(time);
    const instrument = what === 'INFY' ? infy : atTheMoney();
    bought.add(instrument);
    const placed = world.trade.placeOrder({
      account,
      refId: instrument.refId,
      kind: 'REGULAR',
      side: 'BUY',
      quantity: 1,
      product: 'IDAY',
      validity: 'DAY',
      priceType: 'MARKET',
      price: order.priceType === 'LIMIT' ? world.lastPrice(instrument) + 2 * instrument.tickSize : 0,
      triggerPrice: 0,
      legSize: 0,
      tag: '',
      basketId: 0n,
      source: 'API',
      ...order,
    });
    if (!placed.ok) throw new Error(placed.text);
  }
  to('16:00:00');
  const minutes = Array.from({ length: 375 }, (_, minute) => at('09:15:00') + minute * 60_000);
  const result: Traded = {
    fills: world.exchange
      .orders(account, sandbox.instant)
      .map((order) => [
        universe.byRefId(order.refId)!.symbol,
        order.status,
        order.filledQuantity,
        order.filledValue,
        order.filledAt,
      ]),
    prices: minutes.map((instant) => [...bought].map((instrument) => world.market.price(instrument, instant))),
    volumes: minutes.map((instant) => world.market.volume(infy, instant, instant + 60_000)),
    previousCloses: [nifty, infy].map((instrument) => world.market.previousClose(instrument, at('10:00:00'))),
  };
  sandbox.close();
  return result;
}

/**
 * Leaves the minutes of these alone in the recording: to read those of 500 other shares takes longer than all else here.
 * TEST_ALL=1 reads them, and day-recorder.test.ts those of a short day.
 */
function keepCandlesOf(symbols: readonly string[]): void {
  const file = path.join(folder, `${DATE}.csv`);
  const [heading, ...rows] = readFileSync(file, 'utf8').split('\n');
  const kept = rows.filter((row) => symbols.includes(row.split(',', 3)[2]!));
  expect(kept.length).toBeLessThan(rows.length / 100);
  writeFileSync(file, [heading, ...kept, ''].join('\n'));
}

let folder: string;
let first: Traded;
let again: Traded;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'ticks-'));
  first = await traded({ hours: 'exchange', start: `${DATE}T${FROM}+05:30`, record: folder });
  if (!IS_WHOLE) keepCandlesOf(['INFY', 'NIFTY']);
  again = await traded({ replay: folder });
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

it('are recorded of what was ordered', () => {
  const files = readdirSync(folder).filter((name) => name.includes('ticks'));
  expect(files).toHaveLength(2);
  expect(files[0]).toBe(INFY_TICKS);
});

it('give the same fills to the same orders, auctions and the square-off included', () => {
  const filled = first.fills.filter(([, status]) => status === 'FILLED');
  // What was ordered, and what the broker bought and sold at the end of the day.
  expect(filled.length).toBeGreaterThan(ORDERS.length + 1);
  // A recording holds what orders have pushed from one second to the next, and not how others withdrew while one was walked through.
  expect(again.fills.map((fill) => fill.slice(0, 3))).toEqual(first.fills.map((fill) => fill.slice(0, 3)));
  again.fills.forEach(([, , , value], n) => {
    const before = Number(first.fills[n]![3]);
    expect(Math.abs(Number(value) - before)).toBeLessThanOrEqual(before * 0.002);
  });
});

it('give the same prices, volumes and previous closes', () => {
  expect(again.prices).toEqual(first.prices);
  expect(again.volumes).toEqual(first.volumes);
  expect(again.previousCloses).toEqual(first.previousCloses);
});

it('are read again line by line', async () => {
  const [heading, ...lines] = gunzipSync(readFileSync(path.join(folder, INFY_TICKS)))
    .toString()
    .split('\n');
  const own = mkdtempSync(path.join(tmpdir(), 'ticks-'));
  const good = lines.slice(1200, 1203);
  const wrong: [cells: (cells: string[]) => string[], says: string][] = [
    [(cells) => cells.with(0, '09:15'), '"09:15" is not a time'],
    [(cells) => cells.with(0, `${DATE} 09:00:00`), 'it is not later than the line before it'],
    [(cells) => cells.with(1, 'NASDAQ'), 'exchange must be NSE, BSE or MCX, not "NASDAQ"'],
    [(cells) => cells.with(2, 'INFI'), 'this market has no share, index, future or option "INFI"'],
    [(cells) => cells.with(3, '-1'), 'ltp must be a price above 0 in rupees, or empty, not "-1"'],
    [(cells) => cells.with(3, '1.005'), 'ltp must be a price'],
    [(cells) => cells.with(4, '1'), 'volume counts from the beginning of the day'],
    [(cells) => cells.with(4, 'many'), 'volume must be a whole number, not "many"'],
    [(cells) => cells.with(5, '0'), 'auction must be a price'],
    [(cells) => cells.with(6, '1500.00x10'), 'bids must be levels such as'],
    [(cells) => cells.with(6, '1500.00x10x1 1500.05x10x1'), 'bids must be levels such as'],
    [(cells) => cells.with(7, '1500.00x0x1'), 'asks must be levels such as'],
    [(cells) => cells.with(7, '1500.00x10x1 1500.00x10x1'), 'asks must be levels such as'],
    [(cells) => cells.with(7, '1500.005x10x1'), 'asks must be levels such as'],
    [(cells) => cells.slice(0, 7), '7 cells where the first line has 8'],
  ];
  try {
    for (const [change, says] of wrong) {
      const rows = good.with(1, change(good[1]!.split(',')).join(','));
      writeFileSync(path.join(own, 'x.csv'), [heading, ...rows].join('\n'));
      await expect(Sandbox.open({ ...DEFAULT_OPTIONS, replay: own })).rejects.toThrow(`x.csv, line 3: ${says}`);
    }
    const option = good.map((line) => line.replace('INFY', 'NIFTY26NOV25900CE'));
    writeFileSync(path.join(own, 'x.csv'), [heading, ...option].join('\n'));
    writeFileSync(path.join(own, 'y.csv'), [heading, ...option].join('\n'));
    await expect(Sandbox.open({ ...DEFAULT_OPTIONS, replay: own })).rejects.toThrow(
      `y.csv, line 2: another file has ticks of NSE NIFTY26NOV25900CE on ${DATE}, too; keep one of them`,
    );
  } finally {
    rmSync(own, { recursive: true });
  }
});
