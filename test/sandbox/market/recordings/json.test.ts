/** Answers of brokers' interfaces that a program has kept, as JSON: the same two minutes in the shapes of seven of them. */
import { AssetCatalog } from '../../../../sandbox/src/market/reference/catalog';
import { readJson } from '../../../../sandbox/src/market/recordings/json';
import { unpacked } from '../../../support/recorded-rows';

const catalog = new AssetCatalog();
const read = (answer: unknown, file = 'INFY.json') =>
  unpacked(readJson(file, typeof answer === 'string' ? answer : JSON.stringify(answer), {}, catalog));
const TIMES = ['2025-11-10T09:15:00+0530', '2025-11-10T09:16:00+0530'] as const;
const SECONDS = [1_762_746_300, 1_762_746_360] as const;
const PRICES = [
  [1500, 1501, 1499, 1500.5, 10],
  [1500.5, 1502, 1500, 1501, 20],
] as const;
const candles = (times: readonly unknown[]): unknown[][] => times.map((time, at) => [time, ...PRICES[at]!]);
const named = (names: readonly string[], times: readonly unknown[], form: (value: unknown) => unknown = String) =>
  times.map((time, at) => Object.fromEntries([time, ...PRICES[at]!].map((value, i) => [names[i], form(value)])));

describe('An answer that was kept', () => {
  it.each([
    ['lists in data.candles', { status: 'success', data: { candles: candles(TIMES) } }],
    ['lists in data, newest first', { status: true, data: candles(TIMES).reverse() }],
    ['lists with seconds since 1970', { s: 'ok', candles: candles(SECONDS) }],
    ['lists with an open interest', candles(TIMES).map((candle) => [...candle, 0])],
    [
      'objects in Success',
      { Success: named(['datetime', 'open', 'high', 'low', 'close', 'volume'], TIMES), Error: null },
    ],
    [
      'objects with names of an interface',
      named(['time', 'into', 'inth', 'intl', 'intc', 'intv'], ['10-11-2025 09:15:00', '10-11-2025 09:16:00']),
    ],
    [
      'a table whose columns are named in an order of its own',
      {
        columns: ['volume', 'time', 'close', 'high', 'low', 'open'],
        index: [0, 1],
        data: candles(TIMES).map(([time, open, high, low, close, volume]) => [volume, time, close, high, low, open]),
      },
    ],
    [
      'an object of lists whose times count from 1980',
      {
        data: {
          ...Object.fromEntries(
            ['open', 'high', 'low', 'close', 'volume'].map((name, at) => [name, PRICES.map((candle) => candle[at])]),
          ),
          start_Time: SECONDS.map((at) => at - Date.UTC(1980, 0, 1) / 1000),
        },
      },
    ],
    [
      'a table whose times are apart',
      {
        columns: ['Close', 'High', 'Low', 'Open', 'Volume'],
        index: SECONDS.map((at) => at * 1000),
        data: PRICES.map(([open, high, low, close, volume]) => [close, high, low, open, volume]),
      },
    ],
    [
      'a list that is a text within an answer',
      { d: JSON.stringify(named(['HistoricalDate', 'OPEN', 'HIGH', 'LOW', 'CLOSE', 'volume'], TIMES)) },
    ],
    [
      'an object of lists',
      {
        ...Object.fromEntries(
          ['open', 'high', 'low', 'close', 'volume'].map((name, at) => [name, PRICES.map((candle) => candle[at])]),
        ),
        timestamp: SECONDS.map((at) => at + 0.0),
        open_interest: [],
      },
    ],
  ])('is read from %s', (_what, answer) => {
    const { rows } = read(answer);
    const found = [...rows].sort((a, b) => a.at - b.at);
    expect(
      found.map(({ at, symbol, open, high, low, close, volume }) => ({ at, symbol, open, high, low, close, volume })),
    ).toEqual(
      PRICES.map(([open, high, low, close, volume], at) => ({
        at: SECONDS[at]! * 1000,
        symbol: 'INFY',
        open: open * 100,
        high: high * 100,
        low: low * 100,
        close: close * 100,
        volume,
      })),
    );
  });

  it.each([
    ['an error', { status: 'error', message: 'x' }, /^INFY.json, row 1: it has no candles in a form that is known/],
    ['nothing', [], /^INFY.json, row 1: it has no candles/],
    ['half an answer', '{"data":{"candles":[[1', /^INFY.json, row 1: it is no whole JSON/],
    ['a candle that is cut', { candles: [...candles(SECONDS), [1, 2]] }, /^INFY.json, row 3: it has less than/],
    ['a price that is none', { candles: [[SECONDS[0], 1, 2, null, 1, 0]] }, /^INFY.json, row 1: low must be a price/],
    ['a price of an object', { candles: [[SECONDS[0], 1, 2, {}, 1, 0]] }, /^INFY.json, row 1: low must be a price/],
    ['lists in a deep nest', '{"data":'.repeat(9) + '[]' + '}'.repeat(9), /^INFY.json, row 1: it has no candles/],
  ])('is refused from %s', (_what, answer, says) => {
    expect(() => read(answer)).toThrow(says);
  });
});
