import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { DEFAULT_OPTIONS } from '../../../sandbox/src/simulation/options';
import { Sandbox } from '../../../sandbox/src/simulation/sandbox';
import type { NewOrder } from '../../../sandbox/src/shared/orders';
import { describeWith, SHARED_DATA } from '../../support/needs';
import { IS_WHOLE, share } from '../../support/sample';

/**
 * The same files are the same market, and the same orders come to the same in it. Some days of each month are replayed, and
 * all of them with TEST_ALL=1: `TEST_ALL=1 npx jest test/sandbox/simulation/replay-twice`.
 */

const PARQUET = path.join(__dirname, '..', 'market', 'recordings', 'parquet');
let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'twice-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const ist = (date: string, time: string): number => Date.parse(`${date}T${time}+05:30`);

/**
 * Sells on each day at 09:20 a call and a put at the money and buys a share, which the broker closes in the afternoon.
 * @param limit so many days. @param symbols whose candles count, too
 * @returns what came of it: orders, money and candles, in one text that two runs share only where all of it is the same
 */
async function played(
  from: string,
  limit: number,
  symbols: readonly string[],
): Promise<{ fills: number; digest: string }> {
  const sandbox = await Sandbox.open({ ...DEFAULT_OPTIONS, clock: 'manual', replay: folder, from });
  const { world } = sandbox;
  const account = sandbox.users.all()[0]!.clientCode;
  const hash = createHash('sha256');
  const to = (instant: number): void => {
    sandbox.clock.set(instant);
    sandbox.now();
  };
  let fills = 0;
  for (const date of sandbox.recordings!.dates.filter((date) => date >= from).slice(0, limit)) {
    to(ist(date, '09:20:00'));
    const universe = world.universe();
    const nifty = universe.bySymbol('NSE', 'NIFTY')!;
    const { ce, pe } = universe.options('NSE', 'NIFTY', universe.expiries('NSE', 'NIFTY')[0]!);
    const away = (strike: number): number => Math.abs(strike - world.lastPrice(nifty));
    const near = (all: typeof ce) => all.toSorted((a, b) => away(a.strikePrice) - away(b.strikePrice))[0]!;
    for (const [instrument, side] of [
      [near(ce), 'SELL'],
      [near(pe), 'SELL'],
      [universe.bySymbol('NSE', 'INFY')!, 'BUY'],
    ] as const) {
      const terms = { kind: 'REGULAR', product: 'IDAY', validity: 'DAY', priceType: 'MARKET' } as const;
      const nothing = { price: 0, triggerPrice: 0, legSize: 0, tag: '', basketId: 0n, source: 'API' };
      const order: NewOrder = {
        ...terms,
        ...nothing,
        account,
        refId: instrument.refId,
        side,
        quantity: instrument.lotSize,
      };
      expect(world.trade.placeOrder(order)).toMatchObject({ ok: true });
    }
    to(ist(date, '16:00:00'));
    const orders = world.exchange.orders(account, sandbox.instant);
    const ofDay = orders.map(({ refId, side, status, filledQuantity, filledValue, filledAt }) =>
      [universe.byRefId(refId)?.symbol, side, status, filledQuantity, filledValue, filledAt].join(' '),
    );
    fills += orders.filter(({ status }) => status === 'FILLED').length;
    const candles = symbols.map((symbol) =>
      world.market.bars(
        universe.bySymbol('NSE', symbol)!,
        '1m',
        ist(date, '09:00:00'),
        sandbox.instant,
        sandbox.instant,
      ),
    );
    hash.update(JSON.stringify([date, ofDay, world.accounts.funds(account), candles]));
  }
  sandbox.close();
  return { fills, digest: hash.digest('hex') };
}

describeWith(SHARED_DATA, 'A month that is replayed twice', (data) => {
  const months: readonly [month: string, from: string, days: number][] = [
    ['2020-03', '2020-03-13', 1],
    ['2021-01', '2021-01-28', 1],
  ];
  it.each(share(months, 2, 0))('%s gives the same twice', async (month, from, days) => {
    for (const symbol of ['NIFTY', 'BANKNIFTY']) {
      const file = `minute_${symbol}_${month}.txt.gz`;
      copyFileSync(path.join(data, 'history', file), path.join(folder, file));
    }
    const play = () =>
      IS_WHOLE ? played(`${month}-01`, Infinity, ['NIFTY', 'INFY']) : played(from, days, ['NIFTY', 'INFY']);
    const first = await play();
    expect(first.fills).toBeGreaterThan(days);
    expect(await play()).toEqual(first);
  });
});

describe('The same candles in files of each format', () => {
  const CSV = [
    'time,open,high,low,close,volume',
    '2020-03-13 09:15,600,601,599.5,600.5,10',
    '2020-03-13 09:16,600.5,602,600,601,20',
    '',
  ].join('\n');
  const put = (name: string, content: string | Buffer) => writeFileSync(path.join(folder, name), content);

  it('give the same', async () => {
    put('INFY.csv', CSV);
    const plain = await played('2020-03-13', 1, ['INFY']);
    expect(plain.fills).toBeGreaterThan(0);
    const others: [name: string, content: string | Buffer][] = [
      ['INFY.csv.gz', gzipSync(CSV)],
      ['INFY.txt', CSV.replaceAll(',', ';')],
      ['INFY.parquet', readFileSync(path.join(PARQUET, 'INFY_none.parquet'))],
      ['INFY 1m.parquet', readFileSync(path.join(PARQUET, 'INFY_zstd.parquet'))],
    ];
    let before = 'INFY.csv';
    for (const [name, content] of share(others, 4, 3)) {
      rmSync(path.join(folder, before));
      put(name, content);
      before = name;
      expect([name, await played('2020-03-13', 1, ['INFY'])]).toEqual([name, plain]);
    }
    rmSync(path.join(folder, before));
    put('INFY.csv', CSV.replace('600.5,10', '600.45,10'));
    expect((await played('2020-03-13', 1, ['INFY'])).digest).not.toBe(plain.digest);
  });
});
