import { AssetCatalog } from '../../../../sandbox/src/market/reference/catalog';
import { readCandles } from '../../../../sandbox/src/market/recordings/csv';
import type { FileTerms } from '../../../../sandbox/src/market/recordings/terms';
import { OptionError } from '../../../../sandbox/src/shared/option-error';

const catalog = new AssetCatalog();
const read = (text: string, terms: FileTerms = {}, file = 'INFY.csv') => readCandles(file, text, terms, catalog);
const ist = (time: string) => Date.parse(`${time}+05:30`);
const FIRST = {
  exchange: 'NSE',
  symbol: 'INFY',
  at: ist('2020-03-13T09:15:00'),
  open: 60000,
  high: 60100,
  low: 59950,
  close: 60050,
};
const PRICES = '600,601,599.5,600.5';

describe('Forms of candle files', () => {
  it.each([
    [
      'a heading and a time with its offset',
      `timestamp,open,high,low,close,volume\n2020-03-13T09:15:00+05:30,${PRICES},10`,
      {},
      {},
    ],
    ['UTC in the time', `datetime,open,high,low,close,volume\n2020-03-13 03:45:00Z,${PRICES},10`, {}, {}],
    ['UTC told', `Datetime,Open,High,Low,Close,Volume\n2020-03-13 03:45:00,${PRICES},10`, { timezone: 'UTC' }, {}],
    ['seconds since 1970', `ts,o,h,l,c,v\n${FIRST.at / 1000},${PRICES},10`, {}, {}],
    ['milliseconds since 1970', `ts,o,h,l,c,v\n${FIRST.at},${PRICES},10`, {}, {}],
    ['date and time apart', `Date,Time,Open,High,Low,Close,Volume\n13/03/2020,09:15,${PRICES},10`, {}, {}],
    ['tabs', `time\topen\thigh\tlow\tclose\tvolume\n2020-03-13 09:15\t${PRICES.replaceAll(',', '\t')}\t10`, {}, {}],
    [
      'quotation marks and blanks',
      `"Date" , "Open","High","Low","Close","Volume"\n"13-Mar-2020 09:15" , "600",601, 599.5,600.5,10`,
      {},
      {},
    ],
    [
      'a mark at its beginning and lines of Windows',
      `\uFEFFtime,open,high,low,close,volume\r\n2020-03-13 09:15:00,${PRICES},10\r\n`,
      {},
      {},
    ],
    ['a symbol', `symbol,time,open,high,low,close,volume\nNSE:INFY-EQ,2020-03-13 09:15,${PRICES},10`, {}, {}],
    [
      'paise told',
      `time,open,high,low,close,volume\n2020-03-13 09:15,60000,60100,59950,60050,10`,
      { prices: 'paise' },
      {},
    ],
    [
      'columns named',
      `when,a,b,c,d,e\n2020-03-13 09:15,${PRICES},10`,
      { columns: { time: 'when', open: 'a', high: 'b', low: 'c', close: 'd', volume: 'e' } },
      {},
    ],
    [
      'columns numbered',
      `x,2020-03-13 09:15,${PRICES},10`,
      { columns: { time: 2, open: 3, high: 4, low: 5, close: 6, volume: 7 } },
      {},
    ],
    ['a vendor without a heading, whose times are the ends', `INFY,20200313,09:15,${PRICES},10,0`, {}, { time: 'end' }],
    [
      'an interval told',
      `time,open,high,low,close,volume\n2020-03-13 09:15,${PRICES},10`,
      { interval: '5m', time: 'end' },
      { interval: 300, time: 'end' },
    ],
    ['no volume', `time,open,high,low,close\n2020-03-13 09:15,${PRICES}`, {}, { volume: undefined }],
  ] as [string, string, FileTerms, { time?: string; interval?: number; volume?: number }][])(
    'reads %s',
    (_what, text, terms, { time, interval, ...row }) => {
      const found = read(text, terms);
      expect(found.rows).toHaveLength(1);
      expect(found.rows[0]).toMatchObject({ ...FIRST, volume: 10, ...row });
      expect(found.time).toBe(time);
      expect(found.interval).toBe(interval);
    },
  );

  it.each([
    ['NIFTY.csv', 'NIFTY'],
    ['minute_BANKNIFTY_2020-03.txt.gz', 'BANKNIFTY'],
    ['NIFTY 50.csv', 'NIFTY'],
    ['M&M.csv', 'M&M'],
    ['BAJAJ-AUTO.csv', 'BAJAJ-AUTO'],
  ])('knows from the name %s that it is %s', (file, symbol) => {
    expect(read(`time,open,high,low,close\n2020-03-13 09:15,${PRICES}`, {}, file).rows[0]).toMatchObject({ symbol });
  });

  it('takes dates alone for days', () => {
    expect(read(`date,open,high,low,close\n2020-03-13,${PRICES}`).interval).toBe(86_400);
  });

  it('counts prices that are no whole paise', () => {
    const { rows, rounded } = read(`date,open,high,low,close\n2020-03-13,600.123,601,599.5,600.5`);
    expect([rows[0]!.open, rounded]).toEqual([60012, 1]);
  });
});

describe('Bad files', () => {
  const good = Array.from({ length: 24 }, (_, i) => {
    const time = `2020-03-13 ${String(9 + Math.floor((15 + i) / 60)).padStart(2, '0')}:${String((15 + i) % 60).padStart(2, '0')}`;
    return ['NSE', 'INFY', time, '600.00', '601.50', '599.50', '600.50', '1000'];
  });
  const put = (at: number, text: string) => (cells: string[]) => cells.with(at, text).join(',');
  const KINDS: [string, (cells: string[]) => string, RegExp][] = [
    ['a cell too few', (cells) => cells.slice(1).join(','), /7 cells where the first line has 8/],
    ['a cell too many', (cells) => [...cells, 'x'].join(','), /9 cells/],
    ['a word for a price', put(3, 'n/a'), /open must be a price such as 1234.50, not "n\/a"/],
    ['no price', put(6, ''), /close must be a price such as 1234.50, not ""/],
    ['a price below 0', put(5, '-599.50'), /low must be a price/],
    ['a price of 0', put(5, '0'), /low must be above 0/],
    ['a price in the way of programs', put(4, '6.01e2'), /high must be a price/],
    ['an endless price', put(4, '9'.repeat(40)), /high 9+ is no price/],
    ['high below low', (cells) => cells.with(4, '599').with(3, '599').with(6, '599').join(','), /high is below low/],
    ['open above high', put(3, '602'), /open is not between low and high/],
    ['close below low', put(6, '599'), /close is not between low and high/],
    ['part of a share', put(7, '10.5'), /volume must be a whole number/],
    ['a volume below 0', put(7, '-1'), /volume must be a whole number/],
    ['a day that is none', put(2, '2020-02-30 09:15'), /is not a time/],
    ['a time that is none', put(2, '2020-03-13 25:15'), /is not a time/],
    ['no time', put(2, ''), /is not a time/],
    ['a year of the past', put(2, '1999-03-12 09:15'), /is not between 2010-06-01 and 2033-12-31/],
    ['an instrument that is not known', put(1, 'NOSUCH'), /this market has no share or index "NOSUCH"/],
    ['an exchange that is not known', put(0, 'NYSE'), /exchange must be NSE or BSE/],
    ['a quotation mark that is open', put(1, '"INFY'), /a quotation mark is not closed/],
    [
      'paise among rupees',
      (cells) => [...cells.slice(0, 3), '60000', '60150', '59950', '60050', '1'].join(','),
      /in files of their own/,
    ],
  ];
  const files = KINDS.flatMap(([what, spoil, says]) =>
    [1, 2, 3, 5, 8, 11, 13, 17, 19, 23].map((row) => ({ what, row, spoil, says })),
  );

  it('are refused with file, line and what to do: two hundred of them', () => {
    expect(files.length).toBeGreaterThanOrEqual(200);
    for (const { what, row, spoil, says } of files) {
      const lines = [
        'exchange,symbol,time,open,high,low,close,volume',
        ...good.map((cells, i) => (i === row ? spoil(cells) : cells.join(','))),
      ];
      const refused = (() => {
        try {
          read(lines.join('\n'), {}, 'march.csv');
        } catch (error) {
          return error;
        }
        return undefined;
      })();
      expect([what, refused]).toEqual([what, expect.any(OptionError)]);
      expect((refused as OptionError).message).toMatch(says);
      expect((refused as OptionError).message).toContain(`march.csv, line ${row + 2}: `);
      expect((refused as OptionError).message).toMatch(/correct|delete|give|name|can be replayed/);
    }
  });

  it.each([
    ['', 1, 'the file is empty'],
    ['\n\ntime,open,high,low,close', 2, 'there is no row'],
    ['a,b,c\n1,2,3', 1, 'no heading'],
    ['time,open,high,low\n2020-03-13 09:15,1,1,1', 1, 'no column for close'],
    ['\u0000\u0001PAR1', 1, 'this is no text'],
  ])('refuses %j', (text, line, says) => {
    expect(() => read(text)).toThrow(`INFY.csv, line ${line}: ${says}`);
  });

  it('asks for the instrument where nothing names it', () => {
    expect(() => read(`time,open,high,low,close\n2020-03-13 09:15,${PRICES}`, {}, 'data.csv')).toThrow(
      'data.csv, line 2: nothing says which instrument it is: name it in replay.json',
    );
  });
});
