import fc from 'fast-check';
import { InputError } from '../../../client/base/errors';
import { CANDLE_INTERVALS, getCandles, windowsOf, type CandleRequest } from '../../../client/market/candles';
import { IstFormatter, istDate, toIst } from '../../../client/values/time';
import { VirtualClock } from '../../support/clock';
import { at, base, candleService, ns, points, reply } from './candle-service';

it('makes one row a bar, in rupees, with exact times and the volume of the bar', async () => {
  const times = ['2026-11-19T15:28:00', '2026-11-19T15:29:00', '2026-11-20T09:15:00', '2026-11-20T09:16:00'].map(ns);
  const { transport, queries } = candleService(() =>
    reply(
      `{"INFY":{"open":${points(times.map((ts, i) => [ts, 150005 + i]))},"close":${points(times.map((ts) => [ts, 150010.5]))},"cumulative_volume":${points(
        [
          [times[0]!, 1000],
          [times[1]!, 1250],
          [times[2]!, 90],
          [times[3]!, 100],
        ],
      )}}}`,
    ),
  );
  const { rows, missing } = await getCandles(transport, base);
  expect(missing).toEqual([]);
  expect(queries).toEqual([
    {
      exchange: 'NSE',
      type: 'STOCK',
      values: ['INFY'],
      fields: ['open', 'close', 'cumulative_volume'],
      startDate: '2026-11-18T18:30:00.000Z',
      endDate: '2026-11-20T10:00:00.000Z',
      interval: '1m',
      intraDay: false,
      realTime: false,
    },
  ]);
  expect(rows.map(({ volume }) => volume)).toEqual([1000, 250, 90, 10]);
  expect(rows[0]).toEqual({
    symbol: 'INFY',
    exchange: 'NSE',
    interval: '1m',
    time: '2026-11-19T15:28:00.000+05:30',
    ts: times[0],
    open: 1500.05,
    close: 1500.105,
    cumulative_volume: 1000,
    volume: 1000,
  });
});

it('knows the volume of the first bar that is wanted, since it asks from the morning on', async () => {
  const { transport } = candleService(() =>
    reply(
      `{"INFY":{"cumulative_volume":${points([
        [ns('2026-11-20T09:15:00'), 500],
        [ns('2026-11-20T12:00:00'), 800],
      ])}}}`,
    ),
  );
  const { rows } = await getCandles(transport, {
    ...base,
    fields: ['cumulative_volume'],
    from: at('2026-11-20T12:00'),
    to: at('2026-11-20T13:00'),
  });
  expect(rows.map(({ cumulative_volume, volume }) => ({ cumulative_volume, volume }))).toEqual([
    { cumulative_volume: 800, volume: 300 },
  ]);
});

it('joins fields that do not have the same times, and times out of order', async () => {
  const [a, b, c] = ['2026-11-20T09:15:00', '2026-11-20T09:16:00', '2026-11-20T09:17:00'].map(ns) as [
    string,
    string,
    string,
  ];
  const { transport } = candleService(() =>
    reply(
      `{"INFY":{"open":${points([
        [b, 2],
        [a, 1],
      ])},"close":${points([
        [b, null],
        [c, 30],
      ])}}}`,
    ),
  );
  const { rows } = await getCandles(transport, { ...base, fields: ['open', 'close'], unit: 'paise' });
  expect(rows.map(({ ts, open, close }) => [ts, open, close])).toEqual([
    [a, 1, null],
    [b, 2, null],
    [c, null, 30],
  ]);
});

it('joins what comes in several pieces, and fields of different lengths', async () => {
  const [a, b, c] = ['2026-11-20T09:15:00', '2026-11-20T09:16:00', '2026-11-20T09:17:00'].map(ns) as [
    string,
    string,
    string,
  ];
  const { transport } = candleService(() =>
    reply(
      `{"INFY":{"open":${points([
        [a, 1],
        [b, 2],
      ])},"close":${points([[a, 10]])}}},{"INFY":{"open":${points([[c, 3]])},"close":${points([
        [b, 20],
        [c, 30],
      ])}}}`,
    ),
  );
  const { rows } = await getCandles(transport, { ...base, fields: ['open', 'close'], unit: 'paise' });
  expect(rows.map(({ open, close }) => [open, close])).toEqual([
    [1, 10],
    [2, 20],
    [3, 30],
  ]);
});

it('splits symbols by ten and windows by the limits, and joins them without a bar twice', async () => {
  const symbols = Array.from({ length: 23 }, (_, number) => `S${number}`);
  const { transport, queries } = candleService(({ values, startDate, endDate }) =>
    reply(
      values
        .filter((symbol) => symbol !== 'S7')
        .map(
          (symbol) =>
            `{"${symbol}":{"close":${points([
              [`${Date.parse(startDate)}000000`, 1],
              [`${Date.parse(endDate)}000000`, 2],
            ])}}}`,
        )
        .join(','),
    ),
  );
  const request = {
    ...base,
    symbols,
    fields: ['close' as const],
    from: at('2026-01-01T00:00'),
    to: at('2026-11-01T00:00'),
  };
  const { rows, missing } = await getCandles(transport, request);
  expect(queries.every(({ values }) => values.length <= 10)).toBe(true);
  expect(queries).toHaveLength(3 * 4);
  for (const { startDate, endDate } of queries)
    expect(Date.parse(endDate) - Date.parse(startDate)).toBeLessThanOrEqual(90 * 86_400_000);
  expect(missing).toEqual(['S7']);
  expect([...new Set(rows.map(({ symbol }) => symbol))]).toEqual(symbols.filter((symbol) => symbol !== 'S7'));
  const ofOne = rows.filter(({ symbol }) => symbol === 'S3').map(({ ts }) => ts);
  expect(ofOne).toHaveLength(4);
  expect(ofOne).toEqual([...ofOne].sort());
});

it('covers every range with windows that meet', () => {
  const instants = fc.integer({ min: Date.parse('2015-01-01T00:00Z'), max: Date.parse('2026-12-31T00:00Z') });
  fc.assert(
    fc.property(instants, instants, fc.constantFrom(...CANDLE_INTERVALS), (value, other, interval) => {
      fc.pre(value !== other);
      const [from, to] = [Math.min(value, other), Math.max(value, other)];
      fc.pre(interval !== '1s' || to - from < 400 * 86_400_000);
      const windows = windowsOf({ interval, fields: ['cumulative_volume'], from, to });
      expect(windows[0]!.from).toBeLessThanOrEqual(from);
      expect(from - windows[0]!.from).toBeLessThan(86_400_000);
      expect(windows.at(-1)!.to).toBe(to);
      windows.forEach((window, index) => {
        expect(window.to).toBeGreaterThan(window.from);
        if (index > 0) expect(window.from).toBe(windows[index - 1]!.to);
      });
    }),
  );
});

it('spells the month as the environment does', async () => {
  const { transport, queries } = candleService(({ interval }) =>
    interval === '1mt' ? reply('{"INFY":{"close":[]}}') : { status: 400, text: '{"error":"invalid interval"}' },
  );
  const request: CandleRequest = { ...base, interval: '1mth', fields: ['close'] };
  await getCandles(transport, request);
  await getCandles(transport, request);
  expect(queries.map(({ interval }) => interval)).toEqual(['1mth', '1mt', '1mt']);
  const other = candleService(() => ({ status: 400, text: '{"error":"unknown symbol"}' }));
  await expect(getCandles(other.transport, request)).rejects.toThrow('unknown symbol');
  expect(other.queries).toHaveLength(1);
});

it.each<[Partial<CandleRequest>, string]>([
  [{ symbols: [] }, 'symbols'],
  [{ symbols: ['A\r\nB'] }, 'symbols'],
  [{ fields: [] }, 'fields'],
  [{ fields: ['volume' as 'open'] }, 'fields'],
  [{ interval: '4m' as '1m' }, 'interval'],
  [{ from: base.to, to: base.from }, 'to'],
  [{ from: NaN }, 'to'],
])('refuses %j before asking', async (more, parameter) => {
  const { transport, queries } = candleService(() => reply(''));
  await expect(getCandles(transport, { ...base, ...more })).rejects.toMatchObject({
    constructor: InputError,
    parameter,
  });
  expect(queries).toHaveLength(0);
});

it('formats many instants as it formats one', () => {
  const formatter = new IstFormatter();
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (ms) => {
      expect(formatter.textOf(ms)).toBe(toIst(ms));
      expect(formatter.dateOf(ms)).toBe(istDate(ms));
    }),
  );
});

describe('bars below a minute', () => {
  const NOW = new VirtualClock().now();
  const DAY = 86_400_000;
  const answered = () => candleService(() => reply('{"INFY":{"close":[],"cumulative_volume":[]}}'));

  it('are asked for within the last 7 × 24 hours to the second, whatever the range and the fields', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 * DAY }),
        fc.constantFrom('1s' as const, '10s' as const),
        fc.constantFrom(['close'] as const, ['close', 'cumulative_volume'] as const),
        async (before, interval, fields) => {
          const { transport, queries } = answered();
          const from = NOW - before;
          const [got] = await Promise.allSettled([getCandles(transport, { ...base, interval, fields, from, to: NOW })]);
          const oldest = NOW - 7 * DAY;
          for (const { startDate } of queries)
            expect(Date.parse(startDate)).toBeGreaterThanOrEqual(fields.length === 1 ? Math.max(from, oldest) : oldest);
          if (got.status === 'rejected') {
            expect(before).toBeGreaterThan(7 * DAY - 10_000);
            expect(got.reason).toMatchObject({ parameter: 'from' });
            expect(queries).toEqual([]);
          } else {
            expect(got.value.rangeCut !== undefined).toBe(from < oldest + 5_000);
            if (got.value.rangeCut !== undefined) expect(Date.parse(queries[0]!.startDate) % 1_000).toBe(0);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('tell no volume of the first bar of a range that was cut, as it counts from the morning on', async () => {
    const first = NOW - 7 * DAY + 60_000;
    const list = (values: number[]) => points(values.map((value, index) => [`${first + index * 10_000}000000`, value]));
    const { transport } = candleService(() => reply(`{"INFY":{"cumulative_volume":${list([5_000, 5_010])}}}`));
    const request = { ...base, interval: '10s' as const, fields: ['cumulative_volume'] as const };
    const { rows } = await getCandles(transport, { ...request, from: NOW - 7 * DAY - 1, to: NOW });
    expect(rows.map(({ volume }) => volume)).toEqual([null, 10]);
  });
});

describe('a "no" to the form of a question', () => {
  it.each([
    [400, 'invalid interval'],
    [422, 'unsupported interval 1mth'],
    [500, 'invalid query interval'],
  ])('the month is asked for in its other spelling after %i %s, at once', async (status, error) => {
    const { transport, queries } = candleService(({ interval }) =>
      interval === '1mt' ? reply('{"INFY":{"close":[]}}') : { status, text: JSON.stringify({ error }) },
    );
    await getCandles(transport, { ...base, interval: '1mth', fields: ['close'] });
    expect(queries.map(({ interval }) => interval)).toEqual(['1mth', '1mt']);
  });

  it.each([
    [500, 'invalid query interval'],
    [500, 'invalid field tick_volume'],
    [500, 'query window too long'],
    [501, 'unsupported type'],
  ])('%i %s is told at once and is no outage', async (status, error) => {
    const { transport, queries } = candleService(() => ({ status, text: JSON.stringify({ error }) }));
    await expect(getCandles(transport, base)).rejects.toMatchObject({
      message: expect.stringContaining('does not accept the request in this form'),
      hint: expect.stringContaining('not an outage'),
    });
    expect(queries).toHaveLength(1);
  });

  it.each([
    [500, 'internal error'],
    [500, 'Try again after an interval'],
    [502, 'invalid field in upstream header'],
    [503, 'only a maintenance window'],
  ])('%i %s is an outage, and is asked again', async (status, error) => {
    const { transport, queries } = candleService(() => ({ status, text: JSON.stringify({ error }) }));
    await expect(getCandles(transport, base)).rejects.toThrow();
    expect(queries.length).toBeGreaterThan(1);
  });
});

describe('bars that contradict themselves', () => {
  const times = ['2026-11-20T09:15', '2026-11-20T09:16'];
  type Bar = Record<'open' | 'high' | 'low' | 'close', number>;
  const USUAL: Bar = { open: 1_000_00, high: 1_010_00, low: 990_00, close: 1_005_00 };
  const rowsOf = async (first: Partial<Bar>, type: 'STOCK' | 'INDEX' = 'STOCK') => {
    const bars = [{ ...USUAL, ...first }, USUAL];
    const series = (Object.keys(USUAL) as (keyof Bar)[]).map(
      (field) => `"${field}":${points(bars.map((bar, at) => [ns(times[at]!), bar[field]]))}`,
    );
    const { transport } = candleService(() => reply(`{"INFY":{${series.join()}}}`).replace('"STOCK"', `"${type}"`));
    const { rows } = await getCandles(transport, { ...base, type, fields: ['open', 'high', 'low', 'close'] });
    return rows.map(({ open, high, low, close }) => [open, high, low, close]);
  };
  const usual = [1_000, 1_010, 990, 1_005];

  it.each<[string, Partial<Bar>]>([
    ['the low above the high', { high: 900_00, low: 1_100_00 }],
    ['the open above the high', { open: 1_020_00 }],
    ['the open below the low', { open: 980_00 }],
    ['the close above the high', { close: 1_100_00 }],
    ['the close below the low', { close: 1_00 }],
  ])('have no price: %s', async (_, bar) => {
    expect(await rowsOf(bar)).toEqual([[null, null, null, null], usual]);
  });

  it('keep a close of an index that is a little beyond', async () => {
    expect(await rowsOf({ close: 1_010_50 }, 'INDEX')).toEqual([[1_000, 1_010, 990, 1_010.5], usual]);
  });

  it('have no value where two are given for one time, and one where they agree', async () => {
    const [first, second] = times.map(ns) as [string, string];
    const close = points([
      [first, 100],
      [first, 100],
      [second, 200],
      [second, 300],
    ]);
    const { transport } = candleService(() => reply(`{"INFY":{"close":${close}}}`));
    const { rows } = await getCandles(transport, { ...base, fields: ['close'] });
    expect(rows.map((row) => row.close)).toEqual([1, null]);
  });

  it('have no volume below 0', async () => {
    const counted = points(times.map((time, at) => [ns(time), at === 0 ? -5 : 7]));
    const { transport } = candleService(() => reply(`{"INFY":{"cumulative_volume":${counted}}}`));
    const { rows } = await getCandles(transport, {
      ...base,
      fields: ['cumulative_volume'],
      from: at('2026-11-20T00:00'),
    });
    expect(rows.map(({ cumulative_volume, volume }) => [cumulative_volume, volume])).toEqual([
      [null, null],
      [7, null],
    ]);
  });

  it.each([
    ['falls to 0 once', [100, 250, 0, 300, 340], [100, 150, null, null, 40]],
    ['falls by a little', [100, 250, 240, 300, 340], [100, 150, null, null, 40]],
    ['begins again', [100, 250, 30, 60, 90], [100, 150, null, null, 30]],
    ['is missing once', [100, -1, 300, 340], [100, null, null, 40]],
    ['stands still', [100, 100, 130], [100, 0, 30]],
  ])(
    'have no volume of a bar where the counter of the day %s, and not that of the whole day',
    async (_, counters, volumes) => {
      const counted = points(
        counters.map((counter, minute) => [ns(`2026-11-20T09:${String(15 + minute)}:00`), counter] as [string, number]),
      );
      const { transport } = candleService(() => reply(`{"INFY":{"cumulative_volume":${counted}}}`));
      const request = { ...base, fields: ['cumulative_volume'] as const, from: at('2026-11-20T09:15') };
      const { rows } = await getCandles(transport, { ...request, to: at('2026-11-20T09:30') });
      expect(rows.map(({ volume }) => volume)).toEqual(volumes);
    },
  );
});
