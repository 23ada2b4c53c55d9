import { InputError } from '../../../client/base/errors';
import { findCrossings } from '../../../client/indicators/crossings';
import { barPrices } from '../../../client/market/bar-prices';
import type { BarHistory, PricedBar } from '../../../client/indicators/history';
import { defaultName, minBars, linesOf, warmUpBars, type Indicator } from '../../../client/indicators/indicators';
import { analyse, requireNames, type IndicatorAnalysis } from '../../../client/indicators/output';

const START = Date.parse('2026-11-20T09:15:00+05:30');
const bars = (closes: readonly number[]): PricedBar[] =>
  closes.map((close, index) => ({
    at: START + index * 300_000,
    ...barPrices({ open: close, high: close + 100, low: close - 100, close })!,
    volume: 10,
  }));
const history = (closes: readonly number[], closed = closes.length): BarHistory => ({
  symbol: 'INFY',
  bars: bars(closes),
  closed,
  unpriced: [],
  lastClosedAt: closed === 0 ? undefined : START + (closed - 1) * 300_000,
});
const sma = (period: number): Indicator => ({ kind: 'sma', period });
const analysis = (more: Partial<IndicatorAnalysis> = {}): IndicatorAnalysis => ({
  exchange: 'NSE',
  length: '5m',
  environment: 'live',
  indicators: [{ name: 'sma_2', indicator: sma(2) }],
  crossings: [],
  unit: 'rupees',
  count: 1,
  withOpenBar: false,
  ...more,
});

const ALL: Indicator[] = [
  { kind: 'adx', period: 5 },
  { kind: 'atr', period: 5 },
  { kind: 'bollinger', period: 5, deviations: 2 },
  { kind: 'ema', period: 5 },
  { kind: 'macd', fast: 3, slow: 6, signal: 4 },
  { kind: 'rsi', period: 5 },
  { kind: 'sma', period: 5 },
  { kind: 'supertrend', period: 5, multiplier: 3 },
  { kind: 'vwap' },
];
const zigzag = (count: number) => Array.from({ length: count }, (_, at) => 100_000 + (at % 7) * 300 - (at % 3) * 500);

describe.each(ALL.map((indicator) => [defaultName(indicator), indicator] as const))('%s', (name, indicator) => {
  it('has each of its lines from its fewest bars on, and not before', () => {
    const fewest = minBars(indicator);
    const known = (count: number) =>
      Object.values(linesOf(indicator, bars(zigzag(count)), name)).map(({ values }) => values.at(-1) ?? null);
    expect(known(fewest)).not.toContain(null);
    expect(known(fewest - 1).every((value) => value === null || value === undefined) || fewest > 1).toBe(true);
    if (fewest > 1) expect(known(fewest - 1)).toContain(null);
  });

  it('is settled when older bars make no difference', () => {
    const many = bars(zigzag(warmUpBars(indicator) + 200));
    const last = (list: PricedBar[]) =>
      Object.values(linesOf(indicator, list, name)).map(({ values }) => values.at(-1) as number);
    const [all, few] = [last(many), last(many.slice(-warmUpBars(indicator)))];
    if (indicator.kind === 'vwap') return;
    all.forEach((value, at) => expect(Math.abs(value - few[at]!)).toBeLessThan(1e-4 * Math.max(1, Math.abs(value))));
  });
});

it('gives the last closed bar, never the open one, and says when it began and ended', () => {
  const [row, ...others] = analyse(history([100_000, 100_200, 900_000], 2), analysis());
  expect(others).toEqual([]);
  expect(row).toEqual({
    symbol: 'INFY',
    exchange: 'NSE',
    interval: '5m',
    time: '2026-11-20T09:20:00.000+05:30',
    ends_at: '2026-11-20T09:25:00.000+05:30',
    closed: true,
    open: 1002,
    high: 1003,
    low: 1001,
    close: 1002,
    volume: 10,
    sma_2: 1001,
    bars_used: 2,
    settled: true,
  });
});

it('takes the open bar where it is asked to, and says that it is not closed', () => {
  const [row] = analyse(history([100_000, 100_200, 900_000], 2), analysis({ withOpenBar: true, unit: 'paise' }));
  expect(row).toMatchObject({ closed: false, close: 900_000, sma_2: 500_100, bars_used: 3 });
});

it('gives several bars or all, with null where an indicator is not known yet', () => {
  const closes = [100_000, 100_200, 100_400];
  expect(analyse(history(closes), analysis({ count: 2 })).map((row) => row.sma_2)).toEqual([1001, 1003]);
  expect(analyse(history(closes), analysis({ count: Infinity })).map((row) => row.sma_2)).toEqual([null, 1001, 1003]);
});

it.each([0, 1])('%i bars are too few for an average of two, and the error says so', (count) => {
  expect(() => analyse(history(Array<number>(count).fill(100)), analysis())).toThrow(
    new InputError(`INFY has too few closed bars of 5m for sma_2: ${count}, and it needs 2.`),
  );
});

it('tells a crossing at the bar at which it happens, in the unit that is chosen', () => {
  const rows = analyse(
    history([100_000, 99_000, 98_000, 99_000, 101_000, 102_000]),
    analysis({
      count: Infinity,
      crossings: [
        { line: 'close', other: 'sma_2' },
        { line: 'close', other: '1000' },
      ],
    }),
  );
  expect(rows.map((row) => row.close_crossed_above_sma_2)).toEqual([null, null, false, true, false, false]);
  expect(rows.map((row) => row.close_crossed_above_1000)).toEqual([null, false, false, false, true, false]);
  expect(rows.map((row) => row.close_crossed_below_1000)).toEqual([null, true, false, false, false, false]);
});

describe('a crossing', () => {
  const lines = new Map([
    ['a', [1, 2, 2, 3, 2, 1, null, 5]],
    ['b', [2, 2, 2, 2, 2, 2, 2, 2]],
  ]);
  it('counts when it goes beyond after it was not, also after it touched; not where a value is missing', () => {
    expect(findCrossings({ line: 'a', other: 'b' }, lines)).toEqual({
      above: [null, false, false, true, false, false, null, null],
      below: [null, false, false, false, false, true, null, null],
    });
    expect(findCrossings({ line: 'a', other: '2' }, lines)).toEqual(findCrossings({ line: 'a', other: 'b' }, lines));
    expect(findCrossings({ line: 'a', other: '-2.5' }, lines).above).toContain(false);
  });

  it.each([
    [{ line: 'c', other: '1' }, 'There is no line "c"', 'line'],
    [{ line: 'a', other: 'x' }, 'There is no line "x"', 'other'],
    [{ line: 'a', other: '1e3' }, 'There is no line "1e3"', 'other'],
    [{ line: 'a', other: 'a' }, 'a cannot cross itself', 'other'],
  ])('%j is refused', (crossing, message, parameter) => {
    expect(() => findCrossings(crossing, lines)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(message), parameter }),
    );
  });
});

it.each(['', '1rsi', 'my rsi', 'rsi-14', 'a'.repeat(61)])('the name %j is refused', (name) => {
  expect(() => requireNames([{ name, indicator: sma(2) }])).toThrow('cannot be the name');
});

it('two values of one name are refused, also further lines and fields of the bar', () => {
  const macd: Indicator = { kind: 'macd', fast: 3, slow: 6, signal: 4 };
  const taken =
    (...names: [string, Indicator][]) =>
    () =>
      requireNames(names.map(([name, indicator]) => ({ name, indicator })));
  expect(taken(['x', sma(2)], ['x', sma(3)])).toThrow('Two values would be called x.');
  expect(taken(['m', macd], ['m_signal', sma(3)])).toThrow('Two values would be called m_signal.');
  expect(taken(['close', sma(2)])).toThrow('Two values would be called close.');
  expect(taken(['m', macd], ['s', sma(3)])).not.toThrow();
});

it('bars without a price are left out, and each bar after them says how many', () => {
  const rows = analyse(
    { ...history([10_000, 10_100, 10_200, 10_300]), unpriced: [START + 450_000] },
    analysis({ count: Infinity }),
  );
  expect(rows.map(({ bars_left_out: count }) => count)).toEqual([undefined, undefined, 1, 1]);
  expect(rows.at(-1)).toMatchObject({ sma_2: 102.5, no_price_reason: '1 of the bars before it has no price.' });
});

it('the last closed bar is never replaced by an earlier one that has a price', () => {
  const end = START + 4 * 300_000;
  const known = { ...history([10_000, 10_100, 10_200, 10_300]), unpriced: [end], lastClosedAt: end };
  expect(() => analyse(known, analysis())).toThrow('The last closed bar of INFY (5m, 2026-11-20T09:35');
  expect(analyse(known, analysis({ count: 2 }))).toHaveLength(2);
});
