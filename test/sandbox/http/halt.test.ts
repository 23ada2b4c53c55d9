/** Nothing of the market is told of the time since a halt began: whoever knew it could trade on it in the auction after the halt. */
import { expect, test } from '@jest/globals';
import { DEFAULT_OPTIONS } from '../../../sandbox/src/simulation/options';
import { Sandbox } from '../../../sandbox/src/simulation/sandbox';
import { logIn, start } from '../support';

interface Listed {
  ref_id: number;
  plat_name: string;
}

test('candles, option chain and chart stand still in a halt, and go on after it', async () => {
  const bench = await start({ hours: 'exchange', start: '2026-11-20T11:00:00+05:30' });
  const headers = await logIn(bench);
  const candles = async (type: string, symbol: string, exchange = 'NSE') => {
    const query = {
      ...{ exchange, type, values: [symbol], fields: ['close', 'cumulative_volume'], interval: '1m', intraDay: false },
      ...{ startDate: '2026-11-20T05:00:00.000Z', endDate: '2026-11-20T10:00:00.000Z', realTime: false },
    };
    return (await bench.http.post('/charts/timeseries', { query: [query] }, { headers })).data.result as unknown;
  };
  const chain = async () => {
    const { data } = await bench.http.get('/optionchains/NIFTY?exchange=NSE', { headers });
    return JSON.stringify(data, (name, value: unknown) => (/^(ts|inst_id)$/.test(name) ? undefined : value));
  };
  const listed = (await bench.http.get('/refdata/refdata/2026-11-20?exchange=NSE', { headers })).data
    .refdata as Listed[];
  const { ref_id: refId } = listed.find(({ plat_name: name }) => name === 'STOCK_INFY.NSECM')!;
  const bars = async () => (await bench.http.get(`/_sandbox/page/bars?ref_id=${refId}&interval=1m`)).data as unknown;
  const shown = async () => [
    await candles('STOCK', 'INFY'),
    await candles('INDEX', 'NIFTY'),
    await chain(),
    await bars(),
  ];
  await bench.http.post('/_sandbox/market', { halt: true });
  const before = await shown();
  for (const seen of before) expect(JSON.stringify(seen).length).toBeGreaterThan(200);
  await bench.advance('PT20M');
  expect(await shown()).toEqual(before);
  await bench.http.post('/_sandbox/market', { halt: false });
  await bench.advance('PT1M');
  const after = await shown();
  after.forEach((seen, at) => expect(seen).not.toEqual(before[at]));
  await bench.close();
});

const at = (time: string, date = '2026-11-20') => Date.parse(`${date}T${time}+05:30`);

/** A sandbox at a time of 20 November, the index, a share and its future. */
function begun(time: string) {
  let now = at(time);
  const options = { ...DEFAULT_OPTIONS, hours: 'exchange', clock: 'manual', seed: 3 } as const;
  const sandbox = new Sandbox({ ...options, start: new Date(now).toISOString() }, () => now);
  const universe = sandbox.world.universe();
  const [nifty, share] = [universe.bySymbol('NSE', 'NIFTY')!, universe.bySymbol('NSE', 'INFY')!];
  return {
    world: sandbox.world,
    listed: [nifty, share, universe.futures('NSE', 'INFY')[0]!] as const,
    go(to: string, date?: string): number {
      now = at(to, date);
      sandbox.clock.set(now);
      sandbox.now();
      return now;
    },
    close: () => sandbox.close(),
  };
}

test('a halt that is over has no candle, and what is told of its day knows nothing of the prices between', async () => {
  const { world, go, listed, close } = begun('10:59:59');
  const [nifty] = listed;
  let now = go('11:00:10');
  const seen = listed.map((instrument) => world.lastPrice(instrument));
  world.trade.movePrice(nifty.refId, Math.round(world.market.previousClose(nifty, now) * 0.899));
  const fallen = listed.map((instrument) => world.lastPrice(instrument));
  go('12:00:09');
  expect(listed.map((instrument) => world.lastPrice(instrument))).toEqual(fallen);
  now = go('12:10:00');
  const begin = at('00:00:00');
  for (const [index, instrument] of listed.entries()) {
    const bars = (interval: string) =>
      world.market.bars(instrument, interval, interval === '1w' ? begin - 6 * 86_400_000 : begin, now, now);
    const minutes = bars('1m');
    const halted = minutes.filter((bar) => bar.at >= at('11:01:00') && bar.at < at('12:00:00'));
    expect(halted).toEqual([]);
    expect(minutes.find((bar) => bar.at === at('11:00:00'))!.close).toBe(fallen[index]);
    const reopened = minutes.find((bar) => bar.at === at('12:00:00'))!;
    expect(reopened.open).toBe(world.market.price(instrument, at('12:00:10')));
    expect(reopened.open).not.toBe(fallen[index]);
    expect(reopened.volume).toBe(world.market.volume(instrument, at('12:00:10'), at('12:01:00')));
    for (const interval of ['5m', '30m', '1h', '1d', '1w']) {
      const last = bars(interval).at(-1)!;
      const inside = minutes.filter((bar) => bar.at >= last.at);
      const extremes = [Math.max(...inside.map(({ high }) => high)), Math.min(...inside.map(({ low }) => low))];
      if (interval !== '1w') expect([interval, last.high, last.low]).toEqual([interval, ...extremes]);
      expect(last.close).toBe(minutes.at(-1)!.close);
    }
    const day = bars('1d')[0]!;
    expect(day.volume).toBe(minutes.reduce((all, { volume }) => all + volume, 0));
    expect(day.volume).toBe(world.market.volume(instrument, begin, now));
    expect(world.market.price(instrument, at('11:30:00'))).toBe(fallen[index]);
    expect(seen[index]).not.toBe(fallen[index]);
  }
  close();
});

test('the close of a day that ends in a halt is made of what traded, also on the day after', () => {
  const { world, go, listed, close } = begun('14:44:00');
  const [nifty, share, future] = listed;
  const now = go('14:45:00');
  world.trade.movePrice(nifty.refId, Math.round(world.market.previousClose(nifty, now) * 0.79));
  const fallen = listed.map((instrument) => world.lastPrice(instrument));
  go('23:59:00');
  expect([share, future].map((instrument) => world.market.close(instrument, at('23:00:00')))).toEqual(fallen.slice(1));
  const next = go('09:20:00', '2026-11-23');
  expect(listed.map((instrument) => world.market.previousClose(instrument, next))).toEqual(fallen);
  expect(world.market.closeRange(share, at('00:00:00'), at('00:00:00', '2026-11-23'))!.low).toBe(fallen[1]);
  close();
});
