/** Rows of futures and options that programs keep under the symbol of their underlying: never taken for its price. */
import { createCalendar } from '../../../../sandbox/src/market/reference/calendar';
import { AssetCatalog } from '../../../../sandbox/src/market/reference/catalog';
import { buildRecordings } from '../../../../sandbox/src/market/recordings/build-recordings';
import { contractNamed } from '../../../../sandbox/src/market/recordings/contract-names';
import { readCandles } from '../../../../sandbox/src/market/recordings/csv';
import { jsonRows, readJson } from '../../../../sandbox/src/market/recordings/json';

const catalog = new AssetCatalog();
const read = (file: string, text: string) => readCandles(file, text, {}, catalog);
const taken = (file: string, text: string) => {
  const { taken } = buildRecordings([read(file, text)], catalog, createCalendar().days.equity);
  return taken.map(({ instrument, last }) => `${instrument} ${last.close / 100}`);
};

const OPTION = 'Date,Symbol,Expiry,Option Type,Strike Price,Open,High,Low,Close,Last,Settle Price,Open Interest\n';
const FUTURE = 'Date,Symbol,Expiry,Open,High,Low,Close,Last,Settle Price,Open Interest,Underlying\n';
const BREEZE =
  'datetime,stock_code,exchange_code,product_type,expiry_date,right,strike_price,open,high,low,close,volume\n';

describe('Rows of contracts under the symbol of their underlying', () => {
  it.each([
    [
      'a future of a share by its expiry',
      'RELIANCE.csv',
      `${FUTURE}2020-01-01,RELIANCE,2020-01-30,1523,1536,1513,1520.1,1519,1520.1,20778000,1509.6\n`,
      ['NSE RELIANCE20JANFUT 1520.1'],
    ],
    [
      'an option of a share by its expiry, type and strike',
      'TCS.csv',
      `${OPTION}2020-01-01,TCS,2020-01-30,CE,1800.0,423,436,413,420.1,419,420.1,2077\n`,
      ['NSE TCS20JAN1800CE 420.1'],
    ],
    [
      'a future of an index beside the index itself',
      'all.csv',
      `${FUTURE}2020-01-01,NIFTY 50,30-Jan-2020,12250,12260,12200,12233,12233,12233,100,12182\n2020-01-01,NIFTY 50,,12202,12222,12165,12182,12182,12182,0,\n`,
      ['NSE NIFTY20JANFUT 12233', 'NSE NIFTY 12182'],
    ],
    [
      'contracts of another market, whose words are Call and Futures',
      'x.csv',
      `${BREEZE}2025-11-27 09:15:00,NIFTY,NFO,Options,02-DEC-2025,Call,26200,152.1,158,149.5,155.2,1500\n2025-11-27 09:16:00,NIFTY,NFO,Options,02-DEC-2025,Call,26200,155.2,158,149.5,150,1500\n`,
      ['NSE NIFTY25D0226200CE 150'],
    ],
    [
      'a future of a share whose name only the file has',
      'RELIANCE.csv',
      'DATE,EXPIRY,OPEN,HIGH,LOW,CLOSE,LTP\n2020-01-01,2020-01-30,1523,1536,1513,1520.1,1519\n',
      ['NSE RELIANCE20JANFUT 1520.1'],
    ],
  ])('are taken for what they are: %s', (_what, file, text, rows) => {
    expect(taken(file, text)).toEqual(rows);
  });

  it.each([
    ['a kind without an expiry', 'Symbol,Instrument,Date,Open,High,Low,Close\nRELIANCE,FUTSTK,2025-11-27,9,9,9,9\n'],
    ['an expiry of two readings', 'Symbol,Expiry,Date,Open,High,Low,Close\nRELIANCE,02/12/2025,2025-11-27,9,9,9,9\n'],
    [
      'an option without a strike',
      'Symbol,Expiry,Right,Date,Open,High,Low,Close\nTCS,2025-12-30,PE,2025-11-27,9,9,9,9\n',
    ],
    [
      'a strike without a type',
      'Symbol,Expiry,Strike,Date,Open,High,Low,Close\nTCS,2025-12-30,3000,2025-11-27,9,9,9,9\n',
    ],
  ])('are refused with the file and the line to write: %s', (_what, text) => {
    expect(() => read('data.csv', text).rows).toThrow(
      /^data\.csv, line 2: it holds only rows of futures and options that they do not name .*\{"skip": true\}/,
    );
  });

  it('are left out by name beside rows of shares', () => {
    const text =
      'Symbol,Segment,Date,Open,High,Low,Close\nTCS,FO,2025-11-27,9,9,9,9\nTCS,CM,2025-11-27,3000,3010,2990,3001\n';
    expect(read('data.csv', text).leftOut).toEqual([
      {
        why: 'of futures and options that they do not name by expiry, and strike and type of options, as this market lists them',
        names: ['TCS'],
        count: 1,
      },
    ]);
    expect(taken('data.csv', text)).toEqual(['NSE TCS 3001']);
  });

  it.each([
    ['an index', 'NIFTY.csv', 'date,open,high,low,close,volume,oi\n2025-11-27,26415,26470,26368,26469.5,5,120\n'],
    [
      'minutes of a share',
      'TCS.csv',
      'date,open,high,low,close,volume,oi\n2025-11-27 09:15,3000,3010,2990,3001,5,1.0\n',
    ],
    [
      'days of a share, of which more is open than was traded',
      'TCS.csv',
      'date,open,high,low,close,volume,oi\n2025-11-27,3000,3010,2990,3001,5,6\n',
    ],
    ['lines without a heading', 'NIFTY.txt', 'NIFTY,20160101,09:16,7938,7942,7937,7940,67050,19588000\n'],
  ])('are refused by their open interest: %s', (_what, file, text) => {
    expect(() => read(file, text)).toThrow(/it has an open interest of \d+, as futures have and (NIFTY|TCS) does not/);
  });

  it('are refused by the open interest of candles without names', () => {
    const candle = ['2025-11-27T09:15:00+0530', 26415, 26470, 26368, 26469.5, 5000, 12000000];
    const text = JSON.stringify({ data: { candles: [candle] } });
    expect(() => readJson('NIFTY.json', jsonRows('NIFTY.json', text), {}, catalog)).toThrow(
      'NIFTY.json, row 1: it has an open interest of',
    );
    expect(readJson('NIFTY.json', jsonRows('NIFTY.json', text), { symbol: 'NIFTY' }, catalog).rows.length).toBe(1);
  });

  it('are days of a share where that column has its deliveries', () => {
    expect(taken('TCS.csv', 'date,open,high,low,close,volume,oi\n2025-11-27,3000,3010,2990,3001,5,3\n')).toEqual([
      'NSE TCS 3001',
    ]);
  });
});

it.each([
  ['TCS30JAN201800CE', 'TCS20JAN1800CE'],
  ['SBIN30JAN20300CE', 'SBIN20JAN300CE'],
  ['NIFTY25NOV20300CE', 'NIFTY25NOV20300CE'],
  ['TCS25NOV3000CE', 'TCS25NOV3000CE'],
])('%s is of the day or the month by which its strike is near the price', (name, symbol) => {
  expect(contractNamed(catalog, name)?.symbol).toBe(symbol);
});
