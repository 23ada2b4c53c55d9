/** Our indicators against those of another library (trading-signals), and by hand where the library is of another opinion. */
import * as theirs from 'trading-signals';
import { ema, warmUpTime, sma, wilder, type IndicatorValues } from '../../../client/indicators/averages';
import { adx, atr, bollinger, macd, rsi, supertrend, vwap, type Bar } from '../../../client/indicators/formulas';

/** A small local generator (mulberry32), so that each run has the same prices. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const FIRST = Date.parse('2026-11-16T09:15:00+05:30');

/** A walk of 5-minute bars, 75 a day, with fractions so that no two moves are equal. */
function walk(count: number, seed: number): Bar[] {
  const random = generator(seed);
  let price = 150_000;
  return Array.from({ length: count }, (_, index) => {
    const open = price;
    const close = open * (1 + (random() - 0.5) / 50);
    const high = Math.max(open, close) + random() * 900;
    const low = Math.min(open, close) - random() * 900;
    price = close;
    const day = Math.floor(index / 75);
    const at = FIRST + day * 86_400_000 + (index % 75) * 300_000;
    return { at, open, high, low, close, volume: 1 + Math.floor(random() * 10_000) };
  });
}

const flat = (count: number): Bar[] =>
  walk(count, 1).map(({ at }) => ({ at, open: 100, high: 100, low: 100, close: 100, volume: 0 }));
const closes = (bars: readonly Bar[]): number[] => bars.map(({ close }) => close);

/** Runs an indicator of the library over the bars; null while it is not stable. */
function run<Input, Result>(
  indicator: { update(input: Input, replace: boolean): unknown; isStable: boolean; getResult(): Result | null },
  inputs: readonly Input[],
): (Result | null)[] {
  return inputs.map((input) => {
    indicator.update(input, false);
    return indicator.isStable ? indicator.getResult() : null;
  });
}

function expectSame(ours: IndicatorValues, expected: readonly (number | null | undefined)[]): void {
  expect(ours).toHaveLength(expected.length);
  expect(ours.filter((value) => value !== null).length).toBeGreaterThan(50);
  const wrong = ours.flatMap((value, at) => {
    const other = expected[at] ?? null;
    if (value === null || other === null) return value === other ? [] : [{ at, value, other }];
    return Math.abs(value - other) <= 1e-9 * Math.max(1, Math.abs(other)) ? [] : [{ at, value, other }];
  });
  expect(wrong).toEqual([]);
}

const worlds = [1, 2, 3].map((seed) => [seed, walk(400, seed)] as const);

describe.each(worlds)('walk %i', (_, bars) => {
  it.each([1, 5, 20, 50])('SMA, EMA and Wilder of %i agree', (period) => {
    expectSame(sma(closes(bars), period), run(new theirs.SMA(period), closes(bars)));
    expectSame(ema(closes(bars), period), run(new theirs.EMA(period), closes(bars)));
    expectSame(wilder(closes(bars), period), run(new theirs.WSMA(period), closes(bars)));
  });

  it.each([2, 14, 30])('RSI, ATR and ADX of %i agree', (period) => {
    expectSame(rsi(bars, period), run(new theirs.RSI(period), closes(bars)));
    expectSame(atr(bars, period), run(new theirs.ATR(period), bars));
    const library = new theirs.ADX(period);
    const lines = adx(bars, period);
    const directions = bars.map((bar) => {
      library.update(bar, false);
      return [library.pdi, library.mdi] as const;
    });
    expectSame(
      lines.plus,
      directions.map(([plus]) => (plus === undefined ? null : 100 * Number(plus))),
    );
    expectSame(
      lines.minus,
      directions.map(([, minus]) => (minus === undefined ? null : 100 * Number(minus))),
    );
    expectSame(lines.adx, run(new theirs.ADX(period), bars));
  });

  it('MACD agrees, and tells its signal when that has enough bars', () => {
    const library = new theirs.MACD(new theirs.EMA(12), new theirs.EMA(26), new theirs.EMA(9));
    const expected = closes(bars).map((close) => library.update(close, false));
    const ours = macd(bars, 12, 26, 9);
    expectSame(
      ours.macd,
      expected.map((item) => item?.macd),
    );
    expect(ours.signal.findIndex((value) => value !== null)).toBe(26 + 9 - 2);
    const reported = expected.map((item, at) => (at < 26 + 9 - 2 ? null : item));
    expectSame(
      ours.signal,
      reported.map((item) => item?.signal),
    );
    expectSame(
      ours.histogram,
      reported.map((item) => item?.histogram),
    );
  });

  it('Bollinger bands and Supertrend agree', () => {
    const bands = run(new theirs.BollingerBands(20, 2.5), closes(bars));
    const ours = bollinger(bars, 20, 2.5);
    for (const line of ['upper', 'middle', 'lower'] as const)
      expectSame(
        ours[line],
        bands.map((band) => band?.[line]),
      );
    const trends = run(new theirs.SuperTrend({ interval: 10, multiplier: 3 }), bars);
    const trend = supertrend(bars, 10, 3);
    expectSame(
      trend.line,
      trends.map((trend) => trend?.supertrend),
    );
    expect(trend.direction).toEqual(
      trends.map((trend) => (trend === null ? null : trend.trend === theirs.TradingSignal.BULLISH ? 1 : -1)),
    );
    expect(new Set(trend.direction).size).toBe(3);
  });

  it('VWAP agrees on each day by itself', () => {
    const days = [0, 1, 2, 3].map((day) => bars.slice(75 * day, 75 * day + 75));
    const expected = days.flatMap((day) =>
      run(
        new theirs.VWAP(),
        day.map(({ volume, ...bar }) => ({ ...bar, volume: volume! })),
      ),
    );
    expectSame(vwap(bars.slice(0, 300)), expected);
  });
});

it('flat bars give no value that would look like a signal', () => {
  const bars = flat(60);
  expect(rsi(bars, 14).at(-1)).toBe(50);
  expect(atr(bars, 14).at(-1)).toBe(0);
  expect(adx(bars, 14)).toMatchObject({ plus: expect.arrayContaining([0]), minus: expect.arrayContaining([0]) });
  expect(adx(bars, 14).adx.at(-1)).toBe(0);
  expect(bollinger(bars, 20, 2).upper.at(-1)).toBe(100);
  expect(vwap(bars).every((value) => value === null)).toBe(true);
});

it('ADX: a bar that reaches as far up as down moves neither way (Wilder)', () => {
  const bar = (high: number, low: number): Bar => ({ at: FIRST, open: 100, high, low, close: 100, volume: 1 });
  const bars = [bar(101, 99), bar(102, 98), bar(103, 97), bar(104, 96)];
  expect(adx(bars, 2).plus.at(-1)).toBe(0);
  expect(adx(bars, 2).minus.at(-1)).toBe(0);
});

it('RSI is 100 where all closes rose and 0 where all fell', () => {
  const rising = walk(30, 1).map((bar, at) => ({ ...bar, close: 100 + at }));
  expect(rsi(rising, 14).at(-1)).toBe(100);
  expect(
    rsi(
      rising.map((bar) => ({ ...bar, close: 200 - bar.close })),
      14,
    ).at(-1),
  ).toBe(0);
});

it('VWAP waits for the first trade of a day, and is not what yesterday was', () => {
  const bars = walk(76, 7);
  bars[75]!.volume = 0;
  const values = vwap(bars);
  expect(values[74]).not.toBeNull();
  expect(values[75]).toBeNull();
});

it('VWAP is unknown from a bar on whose volume is unknown, until the next day', () => {
  const bars = walk(150, 7);
  bars[10]!.volume = null;
  const values = vwap(bars);
  expect(values[9]).not.toBeNull();
  expect(values.slice(10, 75).every((value) => value === null)).toBe(true);
  expect(values[149]).not.toBeNull();
});

it('an average is settled when its first value weighs less than a millionth', () => {
  const bars = closes(walk(600, 3));
  const other = [bars[0]! * 2, ...bars.slice(1)];
  for (const period of [5, 20, 50]) {
    const at = warmUpTime(2 / (period + 1));
    const [a, b] = [ema(bars, period)[at]!, ema(other, period)[at]!];
    expect(Math.abs(a - b) / a).toBeLessThan(1.5e-6);
    expect(Math.abs(a - b)).toBeGreaterThan(0);
  }
  expect(warmUpTime(1)).toBe(1);
});
