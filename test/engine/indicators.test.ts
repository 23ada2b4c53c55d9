/** Candle: Add Indicators: what comes out of the bars of a service, and what is refused. */
import type { INodeParameters } from 'n8n-workflow';
import { rsi, vwap, type Bar } from '../../client/indicators/formulas';
import { Engine } from '../support/engine';
import type { NodeRun } from '../support/engine-types';
import { bySymbol } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;
beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off', hours: 'exchange' });
  engine = await Engine.start(sandbox.credential);
});
afterAll(async () => await sandbox.close());

const json = ({ items, error }: NodeRun) => {
  expect(error).toBeUndefined();
  return items.map((item) => item.json);
};
const run = async (entries: INodeParameters[], more: INodeParameters = {}) =>
  await engine.run({
    resource: 'candle',
    operation: 'addIndicators',
    ...bySymbol('INFY'),
    interval: '5m',
    indicators: { entries },
    ...more,
  });

/** The bars as *Candle: Get* gives them. */
async function barsOf(more: INodeParameters = {}): Promise<Bar[]> {
  const parameters = { ...bySymbol('INFY'), interval: '5m', range: 'custom', from: '2026-08-21', ...more };
  const rows = json(await engine.run({ resource: 'candle', operation: 'get', ...parameters }));
  return rows.map((row) => ({ ...(row as unknown as Bar), at: Date.parse(String(row.time)) }));
}

it('the last closed bar has what the bars that Get gives have; the open one is left out', async () => {
  const bars = (await barsOf()).filter(({ at }) => at + 300_000 <= Date.parse('2026-11-20T10:30:00+05:30'));
  const [row, ...others] = json(await run([{ indicator: 'rsi' }, { indicator: 'vwap' }]));
  expect(others).toEqual([]);
  expect(row).toMatchObject({ time: '2026-11-20T10:25:00.000+05:30', closed: true, settled: true });
  expect(row?.close).toBe(bars.at(-1)!.close);
  expect(row?.rsi_14).toBeCloseTo(rsi(bars, 14).at(-1)!, 3);
  expect(row?.vwap).toBeCloseTo(vwap(bars).at(-1)!, 3);
});

it('a period of 0 is the usual one of the indicator: the editor gives every new row the same', async () => {
  const kinds = ['adx', 'atr', 'bollinger', 'ema', 'rsi', 'sma', 'supertrend'];
  const [row] = json(await run(kinds.map((indicator) => ({ indicator, period: 0 }))));
  expect(Object.keys(row ?? {})).toEqual(
    expect.arrayContaining([
      'adx_14',
      'atr_14',
      'bollinger_20_2_upper',
      'ema_20',
      'rsi_14',
      'sma_20',
      'supertrend_10_3',
    ]),
  );
});

it('the volume of a bar is told as a multiple of its average, which an If step takes unchanged', async () => {
  const bars = (await barsOf()).filter(({ at }) => at + 300_000 <= Date.parse('2026-11-20T10:30:00+05:30'));
  const volumes = bars.slice(-20).map(({ volume }) => volume!);
  const mean = volumes.reduce((sum, volume) => sum + volume, 0) / 20;
  const [row] = json(
    await run([{ indicator: 'volume', period: 0 }], {
      crossings: { entries: [{ line: 'volume', other: 'volume_sma_20' }] },
    }),
  );
  expect(row?.volume_sma_20).toBeCloseTo(mean, 3);
  expect(row?.volume_sma_20_ratio).toBeCloseTo(volumes.at(-1)! / mean, 3);
  expect(typeof row?.volume_crossed_above_volume_sma_20).toBe('boolean');
  const ofIndex = await run([{ indicator: 'volume' }], bySymbol('NIFTY'));
  expect(ofIndex.error).toMatchObject({
    message: expect.stringContaining('NIFTY is an index, of which nothing is traded: it has no volume.'),
    description: expect.stringContaining('leave Volume out'),
  });
});

describe('Candle: Get', () => {
  const get = async (interval: string, typeVersion: number, more: INodeParameters = {}) =>
    await engine.run(
      { resource: 'candle', operation: 'get', ...bySymbol('INFY'), interval, range: 'today', ...more },
      { typeVersion },
    );
  // It is 10:30 in the sandbox: a bar begins.
  it.each([
    ['15m', '10:15', '10:30'],
    ['1m', '10:29', '10:30'],
    ['10s', '10:29', '10:30'],
  ])('leaves out the bar of %s that is still forming, unless it is wanted', async (interval, closed, open) => {
    const rows = json(await get(interval, 1.2));
    expect(rows.at(-1)).toMatchObject({ time: expect.stringContaining(`T${closed}:`), closed: true });
    const all = json(await get(interval, 1.2, { options: { openBar: true } }));
    expect(all).toHaveLength(rows.length + 1);
    expect(all.at(-1)).toMatchObject({ time: expect.stringContaining(`T${open}:00`), closed: false });
    const saved = json(await get(interval, 1.1));
    expect([saved.length, saved.at(-1)?.closed]).toEqual([all.length, undefined]);
    const [file] = json(await get(interval, 1.2, { output: 'csv' }));
    expect(file?.rows).toBe(rows.length);
  });

  it('says where to find it if all bars are left out', async () => {
    const { items, error } = await get('1d', 1.2);
    expect([items, error]).toEqual([[], undefined]);
  });
});

it('the open bar comes, too, where it is wanted, and is marked', async () => {
  const rows = json(
    await run([{ indicator: 'sma', period: 2 }], { bars: 'several', count: 2, options: { openBar: true } }),
  );
  expect(rows.map(({ closed, time }) => [closed, time])).toEqual([
    [true, '2026-11-20T10:25:00.000+05:30'],
    [false, '2026-11-20T10:30:00.000+05:30'],
  ]);
  expect(rows[1]?.sma_2).toBeCloseTo((Number(rows[0]?.close) + Number(rows[1]?.close)) / 2, 4);
});

it('several instruments come in one go, one item each; prices in paise where that is chosen', async () => {
  const rows = json(
    await run(
      [
        { indicator: 'ema', period: 9, name: 'fast' },
        { indicator: 'ema', period: 21, name: 'slow' },
      ],
      {
        crossings: { entries: [{ line: 'fast', other: 'slow' }] },
        options: { moreInstruments: 'NIFTY, BSE:TCS', priceUnit: 'paise' },
      },
    ),
  );
  expect(rows.map(({ symbol, exchange }) => [symbol, exchange])).toEqual([
    ['INFY', 'NSE'],
    ['NIFTY', 'NSE'],
    ['TCS', 'BSE'],
  ]);
  for (const row of rows) {
    expect(Number(row.fast)).toBeGreaterThan(10_000);
    expect([true, false]).toContain(row.fast_crossed_above_slow);
  }
});

it('each indicator has its values on daily bars, and all of them come where all bars are wanted', async () => {
  const entries = ['adx', 'atr', 'bollinger', 'ema', 'macd', 'rsi', 'sma', 'supertrend'].map((indicator) => ({
    indicator,
  }));
  const rows = json(await run(entries, { interval: '1d', bars: 'all' }));
  expect(rows.length).toBeGreaterThan(200);
  expect(rows[0]).toMatchObject({ adx_14: null, sma_20: null, bars_used: 1, settled: false });
  const last = rows.at(-1)!;
  expect(Object.values(last)).not.toContain(null);
  expect(['up', 'down']).toContain(last.supertrend_10_3_direction);
  expect(last.bollinger_20_2_upper).toBeGreaterThan(Number(last.bollinger_20_2_lower));
});

it.each<[string, INodeParameters[], INodeParameters, string, string]>([
  ['no indicator', [], {}, 'No indicator is chosen', 'indicators'],
  ['a period below 0', [{ indicator: 'ema', period: -1 }], {}, 'Period must be from 0 to 500', 'period'],
  ['RSI of 1', [{ indicator: 'rsi', period: 1 }], {}, 'Period must be from 2 to 500', 'period'],
  ['a period that is text', [{ indicator: 'ema', period: 'x' }], {}, 'Period must be a whole number', 'period'],
  ['a factor of 0', [{ indicator: 'supertrend', multiplier: 0 }], {}, 'must be a number from 0.1 to 20', 'multiplier'],
  ['a slow fast period', [{ indicator: 'macd', fastPeriod: 26 }], {}, 'must be below the slow one', 'fastPeriod'],
  ['an indicator twice', [{ indicator: 'rsi' }, { indicator: 'rsi' }], {}, 'Two values would be called rsi_14', 'name'],
  [
    'a crossing of nothing',
    [{ indicator: 'rsi' }],
    { crossings: { entries: [{ line: 'rsi', other: '30' }] } },
    'There is no line "rsi"',
    'line',
  ],
  ['VWAP of days', [{ indicator: 'vwap' }], { interval: '1d' }, 'VWAP starts again each day', 'interval'],
  ['VWAP of an index', [{ indicator: 'vwap' }], bySymbol('NIFTY'), 'is an index', 'instrument'],
  ['too few bars', [{ indicator: 'sma', period: 500 }], { interval: '1mth' }, 'and it needs 500', 'indicators'],
])('%s is refused', async (_, entries, more, message, parameter) => {
  const { error } = await run(entries, more);
  expect(error?.message).toContain(message);
  expect(error?.context?.parameter).toBe(parameter);
});
