/** Levels of a day: from the candles before it, and from its first minutes. */
import { getDayLevel, levelCountsFrom, levelOfDays, type DayLevelName } from '../../../client/market/day-levels';
import type { CandleRow } from '../../../client/market/candle-rows';
import { at, candleService, ns, points, reply } from './candle-service';

const DAY = '2026-11-20';
const NOON = at(`${DAY}T12:00`);
const INFY = { exchange: 'NSE', symbol: 'INFY', platName: '', kind: 'STOCK' } as const;
const row = (high: number, low: number, close: number): CandleRow => ({ high, low, close }) as unknown as CandleRow;
const ROWS = [row(1_200, 900, 1_000), row(1_100, 1_050, 1_060), row(1_090, 1_010, 1_021)];

describe('a level of the days before', () => {
  const of = (name: DayLevelName, span = 0, rows = ROWS, more: object = {}) =>
    levelOfDays({ name, span }, rows, { day: DAY, now: NOON, previousClose: 1_020, isShare: true, ...more });

  it.each<[DayLevelName, number, number]>([
    ['previousHigh', 0, 1_090],
    ['previousLow', 0, 1_010],
    ['yearHigh', 0, 1_200],
    ['yearLow', 0, 900],
    ['movingAverage', 3, 1_027],
    ['movingAverage', 2, 1_041],
  ])('%s (%i) is %i', (name, span, level) => {
    expect(of(name, span)).toBe(level);
  });

  it.each([
    ['no candle', 'previousHigh', 0, [], 'no candle of a day before'],
    ['too few closes', 'movingAverage', 4, ROWS, 'needs 4 closes, and the service has 3'],
    ['a close that is none', 'movingAverage', 2, [row(5, 4, 5), row(5, 4, 0)], 'a candle has no close'],
    ['no price', 'previousLow', 0, [row(0, 0, 1_020)], 'has no price'],
  ] as const)('is none where there is %s, and says so', (_, name, span, rows, why) => {
    expect(of(name, span, [...rows])).toEqual({ none: expect.stringContaining(why) as string });
  });

  it('is none on the day of a split whose candles are not adjusted', () => {
    expect(of('previousHigh', 0, ROWS, { previousClose: 510 })).toEqual({
      none: expect.stringContaining('end at ₹10.21, and the exchange counts from ₹5.10 today') as string,
    });
    // The close is an average; of another day, and of what is no share, the previous close is not compared.
    expect(of('previousHigh', 0, ROWS, { previousClose: 985 })).toBe(1_090);
    expect(of('previousHigh', 0, ROWS, { previousClose: 510, isShare: false })).toBe(1_090);
    expect(of('previousHigh', 0, ROWS, { previousClose: 510, now: NOON + 86_400_000 })).toBe(1_090);
    expect(of('previousHigh', 0, ROWS, { previousClose: null })).toBe(1_090);
  });
});

describe('what is read for a level', () => {
  const minutes = (bars: [string, number][]) => ['open', 'high', 'low', 'close'].map((field) => [field, bars] as const);
  const service = (bars: [string, number][]) =>
    candleService(() => {
      const series = minutes(bars).map(
        ([field, list]) => `"${field}":${points(list.map(([time, price]) => [ns(time), price]))}`,
      );
      return reply(`{"INFY":{${series.join(',')}}}`);
    });
  const level = async (
    { transport }: ReturnType<typeof service>,
    name: DayLevelName,
    { now = NOON, hasTraded = true, span = 0 } = {},
  ) => await getDayLevel(transport, INFY, { name, span }, { day: DAY, now, hasTraded, previousClose: null });

  it('takes of the first minutes those from the opening on, once they are over', async () => {
    const asked = service([
      [`${DAY}T09:15`, 1_000],
      [`${DAY}T09:20`, 1_010],
    ]);
    expect(await level(asked, 'openingRangeHigh', { span: 15, now: at(`${DAY}T09:29`) })).toBeNull();
    expect(asked.queries).toEqual([]);
    expect(await level(asked, 'openingRangeHigh', { span: 15 })).toBe(1_010);
    expect(await level(asked, 'openingRangeLow', { span: 15 })).toBe(1_000);
    expect(asked.queries[0]).toMatchObject({ interval: '1m', startDate: `${DAY}T03:45:00.000Z` });
    expect(asked.queries[0]!.endDate).toMatch(/^2026-11-20T(03:59:59|04:00:00)/);
    expect(await level(service([]), 'openingRangeHigh', { span: 15 })).toEqual({
      none: 'it did not trade in the first 15 minutes of the day',
    });
    const from = (exchange: string) =>
      levelCountsFrom({ name: 'openingRangeLow', span: 30 }, { exchange, kind: 'FUT' }, DAY);
    expect([from('NSE'), from('MCX')]).toEqual([at(`${DAY}T09:45`), at(`${DAY}T09:30`)]);
    expect(levelCountsFrom({ name: 'yearLow', span: 0 }, INFY, DAY)).toBeUndefined();
  });

  it('takes the days before the day alone', async () => {
    const asked = service([['2026-11-19T00:00', 990]]);
    expect(await level(asked, 'yearHigh')).toBe(990);
    expect(asked.queries).toMatchObject([
      { interval: '1d', endDate: expect.stringMatching(/^2026-11-19T18:/) as string },
    ]);
  });

  it('is not known before a trade of the day, where the price does not show that there is one', async () => {
    expect(await level(service([]), 'previousHigh', { hasTraded: false })).toBeNull();
  });
});
