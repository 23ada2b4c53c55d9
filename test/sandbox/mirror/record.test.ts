import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Sandbox } from '../../../sandbox/src';
import type { NewOrder } from '../../../sandbox/src/shared/orders';
import { DEFAULT_OPTIONS } from '../../../sandbox/src/simulation/options';
import { start, START } from '../support';
import { FakeLive, OTHER_SHARE, SHARE } from './fake-live';
import { credentialFile, startMirror, untilChange } from './support';

const BEGIN = Date.parse(START);
/** Seconds after the beginning, and what is ordered then; a limit is so many ticks away from the last price. */
const ORDERS: readonly [second: number, symbol: string, order: Partial<NewOrder>, ticks?: number][] = [
  [3, 'INFY', { quantity: 2_000 }],
  [5, 'TCS', { quantity: 50 }],
  [8, 'INFY', { side: 'SELL', quantity: 300, priceType: 'LIMIT' }, 1],
  [12, 'INFY', { side: 'BUY', quantity: 300, priceType: 'LIMIT' }, -3],
  [21, 'TCS', { side: 'SELL', quantity: 50 }],
  // The live side is unplugged meanwhile.
  [33, 'TCS', { quantity: 10 }],
  [50, 'INFY', { side: 'SELL', quantity: 1_000 }],
];
const UNPLUGGED = [30, 40] as const;
const SECONDS = 60;

/** Places an order at the present of a sandbox. */
function place({ world, users: people }: Sandbox, symbol: string, order: Partial<NewOrder>, ticks = 0): void {
  const instrument = world.universe().bySymbol('NSE', symbol)!;
  const price = order.priceType === 'LIMIT' ? world.lastPrice(instrument) + ticks * instrument.tickSize : 0;
  const placed = world.trade.placeOrder({
    account: people.all()[0]!.clientCode,
    refId: instrument.refId,
    kind: 'REGULAR',
    side: 'BUY',
    quantity: 1,
    product: 'IDAY',
    validity: 'DAY',
    priceType: 'MARKET',
    price,
    triggerPrice: 0,
    legSize: 0,
    tag: '',
    basketId: 0n,
    source: 'API',
    ...order,
  });
  if (!placed.ok) throw new Error(placed.text);
}

/** Fills of a sandbox's orders. */
function fills({ world, users: people, instant }: Sandbox): unknown[][] {
  return world.exchange
    .orders(people.all()[0]!.clientCode, instant)
    .map((order) => [
      world.universe().byRefId(order.refId)!.symbol,
      order.status,
      order.filledQuantity,
      order.filledValue,
      order.filledAt,
    ]);
}

describe('A mirror that records', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mirror-record-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('gives the same fills to the same orders when what it saw is replayed, a gap included', async () => {
    const bench = await startMirror({ record: folder, seed: 5 });
    const { sandbox } = bench.mirror.running;
    const mirror = sandbox.mirror!;
    await bench.until(() => mirror.status().state === 'live');
    const universe = sandbox.world.universe();
    await mirror.ready(['INFY', 'TCS'].map((symbol) => universe.bySymbol('NSE', symbol)!.refId));
    for (let second = 1; second <= SECONDS; second++) {
      const { frames, state } = mirror.status();
      await bench.live.advance('PT1S');
      if (second === UNPLUGGED[0]) {
        bench.wire.unplug();
        await bench.until(() => mirror.status().state === 'behind');
      } else if (second === UNPLUGGED[1]) {
        bench.wire.plugIn();
        await bench.until(() => mirror.status().state === 'live');
      } else if (state === 'live') await bench.until(() => mirror.status().frames > frames);
      await bench.mirror.advance('PT1S');
      for (const [at, symbol, order, ticks] of ORDERS) if (at === second) place(sandbox, symbol, order, ticks);
    }
    const first = fills(sandbox);
    await bench.close();
    expect(readdirSync(folder).sort()).toEqual([
      '2026-11-23.NSE.INFY.ticks.csv.gz',
      '2026-11-23.NSE.TCS.ticks.csv.gz',
      '2026-11-23.csv',
    ]);

    const again = await Sandbox.open({ ...DEFAULT_OPTIONS, clock: 'manual', replay: folder, seed: 5 });
    for (let second = 1; second <= SECONDS; second++) {
      again.clock.set(BEGIN + second * 1_000);
      again.now();
      for (const [at, symbol, order, ticks] of ORDERS) if (at === second) place(again, symbol, order, ticks);
    }
    const replayed = fills(again);
    again.close();
    expect(first.map(([symbol, status]) => `${String(symbol)} ${String(status)}`)).toEqual(
      expect.arrayContaining(['INFY FILLED', 'TCS FILLED', 'TCS REJECTED']),
    );
    expect(replayed).toEqual(first);
  });

  it('leaves out what a replay would not know', async () => {
    const row = {
      exchange: 'NSE',
      derivative_type: 'STOCK',
      lot_size: 1,
      tick_size: 5,
      underlying_prev_close: 100_000,
    };
    const master = [
      { ...row, ref_id: SHARE, stock_name: 'INFY' },
      { ...row, ref_id: OTHER_SHARE, stock_name: 'NOSUCHSHARE' },
    ];
    const live = new FakeLive(master);
    const file = credentialFile({ address: await live.listen(), token: 'a.b.c', device_id: 'd' });
    const own = mkdtempSync(path.join(tmpdir(), 'mirror-record-'));
    const bench = await start({ hours: 'exchange', mirror: file, record: own });
    const mirror = bench.running.sandbox.mirror!;
    const until = untilChange(bench);
    await until(() => mirror.status().state === 'live');
    mirror.watch([SHARE, OTHER_SHARE]);
    live.sendBooks([
      { refId: SHARE, ltp: 100_000 },
      { refId: OTHER_SHARE, ltp: 100_000 },
    ]);
    await until(() => mirror.hasSeen(OTHER_SHARE));
    await bench.advance('PT1M');
    await bench.close();
    await live.close();
    expect(readdirSync(own).sort()).toEqual(['2026-11-23.NSE.INFY.ticks.csv.gz', '2026-11-23.csv']);
    const replay = await Sandbox.open({ ...DEFAULT_OPTIONS, clock: 'manual', replay: own });
    expect(replay.recordings!.dates).toEqual(['2026-11-23']);
    replay.close();
    for (const folder of [own, path.dirname(file)]) rmSync(folder, { recursive: true });
  });
});
