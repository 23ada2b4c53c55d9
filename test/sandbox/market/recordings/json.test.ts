/** Answers of brokers' interfaces that a program has kept, as JSON: the same two minutes in the shapes of seven of them. */
import { AssetCatalog } from '../../../../sandbox/src/market/reference/catalog';
import { jsonRows, readJson } from '../../../../sandbox/src/market/recordings/json';
import { unpacked } from '../../../support/recorded-rows';

const catalog = new AssetCatalog();
const read = (answer: unknown, file = 'INFY.json') =>
  unpacked(readJson(file, jsonRows(file, typeof answer === 'string' ? answer : JSON.stringify(answer)), {}, catalog));
const TIMES = ['2025-11-10T09:15:00+0530', '2025-11-10T09:16:00+0530'] as const;
const SECONDS = [1_762_746_300, 1_762_746_360] as const;
const PRICES = [
  [1500, 1501, 1499, 1500.5, 10],
  [1500.5, 1502, 1500, 1501, 20],
] as const;
const candles = (times: readonly unknown[]): unknown[][] => times.map((time, at) => [time, ...PRICES[at]!]);
/** Objects with these names. @param times empty where they have no times */
const named = (names: readonly string[], times: readonly unknown[], form: (value: unknown) => unknown = String) =>
  PRICES.map((prices, at) =>
    Object.fromEntries([...times.slice(at, at + 1), ...prices].map((value, i) => [names[i], form(value)])),
  );

const COLUMNS = ['open', 'high', 'low', 'close', 'volume'];
const lines = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join('\n');
/** A table by its columns. @param keys names of its rows. @param head the name of a column */
const byColumn = (keys: readonly (string | number)[], head = (name: string) => name) =>
  Object.fromEntries(
    COLUMNS.map((name, at) => [head(name), Object.fromEntries(keys.map((key, row) => [key, PRICES[row]![at]]))]),
  );
/** The chart of a portal. @param said what its meta says otherwise */
const chart = (timestamp: readonly number[], said = {}, prices: readonly (readonly (number | null)[])[] = PRICES) => {
  const quote = Object.fromEntries(COLUMNS.map((name, at) => [name, prices.map((candle) => candle[at])]));
  const meta = { currency: 'INR', symbol: 'INFY.NS', dataGranularity: '1m', gmtoffset: 19_800, ...said };
  return { chart: { result: [{ meta, timestamp, indicators: { quote: [quote] } }], error: null } };
};

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
    ['a line for each candle', lines(named(['time', ...COLUMNS], TIMES))],
    ['a line for each candle, with empty lines', `\uFEFF${lines(candles(SECONDS)).replace('\n', '\r\n\r\n')}\r\n`],
    ['lists under a list of names', [['time', ...COLUMNS], ...candles(SECONDS)]],
    ['a table by its columns', byColumn(SECONDS.map((at) => at * 1000))],
    ['a table by its columns, whose times are texts', byColumn(TIMES)],
    ['a table by its columns, with one of the times', { date: { 0: TIMES[0], 1: TIMES[1] }, ...byColumn([0, 1]) }],
    [
      'a table by its rows',
      Object.fromEntries(named(COLUMNS, [], Number).map((row, at) => [SECONDS[at]! * 1000, row])),
    ],
    [
      'a table by its rows, which are numbered and have their times',
      Object.fromEntries(named(['time', ...COLUMNS], TIMES).map((row, at) => [at, row])),
    ],
    ['a table with its schema', { schema: { fields: [] }, data: named(['index', ...COLUMNS], TIMES) }],
    [
      'a table by columns and tickers',
      byColumn(
        SECONDS.map((at) => at * 1000),
        (name) => `('${name}', 'INFY.NS')`,
      ),
    ],
    [
      'a table whose columns are pairs',
      { columns: COLUMNS.map((name) => [name, 'INFY.NS']), index: SECONDS.map((at) => at * 1000), data: PRICES },
    ],
    ['lists by their symbols', { 'NSE:INFY': candles(SECONDS) }],
    ['the chart of a portal', chart(SECONDS)],
    [
      'an interface that names its series',
      {
        'Meta Data': { '1. Information': 'Intraday (1min)', '2. Symbol': 'INFY.NSE', '6. Time Zone': 'Asia/Kolkata' },
        'Time Series (1min)': Object.fromEntries(
          named(
            COLUMNS.map((name, at) => `${at + 1}. ${name}`),
            [],
          ).map((row, at) => [TIMES[at]!.slice(0, 19), row]),
        ),
      },
    ],
    [
      'an interface that says beside its values what they are',
      {
        meta: { symbol: 'INFY', interval: '1min', currency: 'INR', exchange_timezone: 'Asia/Kolkata' },
        values: named(['datetime', ...COLUMNS], ['2025-11-10 09:15:00', '2025-11-10 09:16:00']),
        status: 'ok',
      },
    ],
    [
      'one-letter lists',
      {
        s: 'ok',
        t: SECONDS,
        ...Object.fromEntries(['o', 'h', 'l', 'c', 'v'].map((name, at) => [name, PRICES.map((candle) => candle[at])])),
      },
    ],
    [
      'objects in intradayCandleData',
      {
        serverTime: '10/11/25 15:40:00',
        status: 'Success',
        intradayCandleData: named(['dateTime', ...COLUMNS], ['2025-11-10 09:15:00.0', '2025-11-10 09:16:00.0']),
      },
    ],
    [
      'objects in Result, with the quantity beside them',
      {
        Request: { Exchange: 'NSE', InstrumentIdentifier: 'INFY', Period: 'MINUTE' },
        Result: named(['LastTradeTime', 'Open', 'High', 'Low', 'Close', 'TradedQty'], SECONDS, Number),
      },
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
    [
      'half a line',
      `${lines(candles(SECONDS))}\n[17627`,
      /^INFY.json, row 3: this line is no whole JSON; correct or delete/,
    ],
    ['lines of two kinds', lines([...candles(SECONDS), {}]), /^INFY.json, row 1: it has no candles/],
    ['prices alone', SECONDS.map((at) => [at, 1500]), /^INFY.json, row 1: it has single prices .* download candles/],
    [
      'trades, one on a line',
      lines(SECONDS.map((at) => ({ instrument_token: 408065, last_price: 1500, exchange_timestamp: at }))),
      /^INFY.json, row 1: it holds trades or quotes, not candles \(instrument_token, last_price/,
    ],
    [
      'quotes by the codes of instruments',
      {
        1594: { timestamp: TIMES[0], ...named(COLUMNS, [])[0] },
        11536: { timestamp: TIMES[0], ...named(COLUMNS, [])[1] },
      },
      /^INFY.json, row 1: it has no candles in a form that is known/,
    ],
    ['a chart in dollars', chart(SECONDS, { currency: 'USD' }), /^INFY.json, row 1: its prices are in USD; download/],
    ['a chart of weeks', chart(SECONDS, { dataGranularity: '1wk' }), /^INFY.json, row 1: its bars are weeks or months/],
    [
      'times in a zone that changes its clocks',
      {
        'Meta Data': { '2. Symbol': 'INFY.NSE', '6. Time Zone': 'US/Eastern' },
        'Time Series (5min)': { '2025-11-10 09:15:00': named(COLUMNS, [])[0] },
      },
      /^INFY.json, row 1: its times are those of US\/Eastern; download them in the time of India or in UTC/,
    ],
    [
      'weeks of an interface',
      { 'Meta Data': { '2. Symbol': 'INFY.NSE' }, 'Weekly Time Series': { '2025-11-14': named(COLUMNS, [])[0] } },
      /^INFY.json, row 1: its bars are weeks or months/,
    ],
    ['lists in a deep nest', '{"data":'.repeat(9) + '[]' + '}'.repeat(9), /^INFY.json, row 1: it has no candles/],
  ])('is refused from %s', (_what, answer, says) => {
    expect(() => read(answer)).toThrow(says);
  });

  it('is read of the instrument and the bars that it names, whatever the file is called', () => {
    const days = chart([Date.parse('2025-11-27T09:15:00+05:30') / 1000], { symbol: 'TCS.NS', dataGranularity: '1d' }, [
      [3000, 3010, 2990, 3005, 7],
    ]);
    expect(read(days)).toMatchObject({ interval: 86_400, rows: [{ symbol: 'TCS', close: 300_500, volume: 7 }] });
  });

  it.each([
    ['its symbol', { symbol: 'NSE:TCS-EQ', candles: candles(SECONDS) }, 'TCS'],
    ['its symbol, within it', { status: 'success', data: { ticker: 'TCS', candles: candles(SECONDS) } }, 'TCS'],
    ['a code that no instrument is called by', { symbol: '11536', candles: candles(SECONDS) }, 'INFY'],
  ])('is of the instrument that an answer names beside its candles: %s', (_what, answer, symbol) => {
    expect(new Set(read(answer).rows.map((row) => row.symbol))).toEqual(new Set([symbol]));
  });

  it('leaves out a bar of a chart that lacks a price', () => {
    const { rows, leftOut } = read(chart(SECONDS, {}, [PRICES[0], [1500.5, 1502, 1499, null, 20]]));
    expect(rows.map(({ close }) => close)).toEqual([150_050]);
    expect(leftOut).toEqual([{ why: 'without prices', names: ['INFY'], count: 1 }]);
  });

  it('is read with all columns of objects that leave out what they do not know', () => {
    const [first, second] = named(['time', ...COLUMNS], TIMES);
    const { volume: _, ...without } = first as Record<string, unknown>;
    expect(read([without, second]).rows.map(({ volume }) => volume)).toEqual([undefined, 20]);
  });

  it('is read as ticks where its names are those of the ticks of --record', () => {
    const tick = { time: '2026-11-20 09:15:00', exchange: 'NSE', symbol: 'INFY', ltp: '1500.00', volume: '5' };
    const { kind, ticks } = read(lines([{ ...tick, auction: '', bids: '', asks: '' }]), 'INFY.jsonl');
    expect([kind, ticks.length]).toEqual(['ticks', 1]);
  });
});
