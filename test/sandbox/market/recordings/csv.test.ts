import { AssetCatalog } from '../../../../sandbox/src/market/reference/catalog';
import { readCandles } from '../../../../sandbox/src/market/recordings/csv';
import type { FileConfig } from '../../../../sandbox/src/market/recordings/replay-config';
import { OptionError } from '../../../../sandbox/src/shared/option-error';
import { unpacked } from '../../../support/recorded-rows';

const catalog = new AssetCatalog();
const read = (text: string, terms: FileConfig = {}, file = 'INFY.csv') =>
  unpacked(readCandles(file, text, terms, catalog));
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
    ['UTC told', `Datetime,Open,High,Low,Close,Volume\n2020-03-13 03:45:00,${PRICES},10`, { zone: 'UTC' }, {}],
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
  ] as [string, string, FileConfig, { time?: string; interval?: number; volume?: number }][])(
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

  it('expects days of dates alone', () => {
    expect(read(`date,open,high,low,close\n2020-03-13,${PRICES}`)).toMatchObject({
      datesOnly: true,
      namedInterval: 86_400,
    });
  });

  it('tells the lines above a heading, which it does not read', () => {
    const { rows, notes } = read(`Prices of INFY\nFrom,13-Mar-2020\n\ndate,open,high,low,close\n2020-03-13,${PRICES}`);
    expect(rows).toHaveLength(1);
    expect(notes).toEqual(['INFY.csv: what is above its heading is not read: "Prices of INFY", "From,13-Mar-2020".']);
    expect(read(`sep=;\ndate;open;high;low;close\n2020-03-13;${PRICES.replaceAll(',', ';')}`).notes).toEqual([]);
  });

  it('takes a line for no heading that is as wide as rows above it, or that comes late', () => {
    const heading = 'date,open,high,low,close';
    const rows = (count: number) => `2020-03-13,${PRICES}\n`.repeat(count);
    expect(() => read(`${rows(1)}${heading}\n2020-03-16,${PRICES}`)).toThrow('INFY.csv, line 2: "date" is not a time');
    expect(() => read(`${'a title\n'.repeat(11)}${heading}\n2020-03-16,${PRICES}`)).toThrow(
      'INFY.csv, line 1: no heading',
    );
  });

  it('counts prices that are no whole paise', () => {
    const { rows, rounded } = read(`date,open,high,low,close\n2020-03-13,600.123,601,599.5,600.5`);
    expect([rows[0]!.open, rounded]).toEqual([60012, 1]);
  });
});

describe('Bad files', () => {
  const HEADING = ['exchange', 'symbol', 'time', 'open', 'high', 'low', 'close', 'volume'];
  const good = Array.from({ length: 24 }, (_, i) => {
    const time = `2020-03-13 ${String(9 + Math.floor((15 + i) / 60)).padStart(2, '0')}:${String((15 + i) % 60).padStart(2, '0')}`;
    return ['NSE', 'INFY', time, '600.00', '601.50', '599.50', '600.50', '1000'];
  });
  const put = (at: number, text: string) => (cells: string[]) => cells.with(at, text);
  const CORRECT = 'correct or delete the line';
  const KINDS: [string, (cells: string[]) => string[], RegExp, string][] = [
    ['a cell too few', (cells) => cells.slice(1), /7 cells where the first line has 8/, CORRECT],
    ['a cell too many', (cells) => [...cells, 'x'], /9 cells/, CORRECT],
    ['a word for a price', put(3, 'n/a'), /open must be a price such as 1234.50, not "n\/a"/, CORRECT],
    ['no price', put(6, ''), /close must be a price such as 1234.50, not ""/, CORRECT],
    ['a price below 0', put(5, '-599.50'), /low must be a price/, CORRECT],
    ['a price of 0', put(5, '0'), /low must be above 0/, 'delete a line in which nothing was traded'],
    ['a price with a power that is cut off', put(4, '6.01e'), /high must be a price/, CORRECT],
    ['a price in another base', put(4, '0x259'), /high must be a price/, CORRECT],
    ['a price in digits of Hindi', put(6, '६००.५०'), /close must be a price/, CORRECT],
    ['a price that ends in its point', put(3, '600.'), /open must be a price/, CORRECT],
    ['a price with two points', put(3, '1.600.00'), /open must be a price/, CORRECT],
    ['a price with a blank in it', put(4, '1 600'), /high must be a price/, CORRECT],
    ['a price in another currency', put(6, '$600.50'), /close must be a price/, CORRECT],
    ['an endless price', put(4, '9'.repeat(40)), /high 9+ is no price/, 'correct the line'],
    ['high below low', (cells) => cells.toSpliced(3, 4, '599', '599', '599.50', '599'), /high is below low/, CORRECT],
    ['open above high', put(3, '602'), /open is not between low and high/, CORRECT],
    ['close below low', put(6, '599'), /close is not between low and high/, CORRECT],
    ['part of a share', put(7, '10.5'), /volume must be a whole number/, CORRECT],
    ['a volume below 0', put(7, '-1'), /volume must be a whole number/, CORRECT],
    ['a volume in words', put(7, '1 thousand'), /volume must be a whole number/, CORRECT],
    ['a volume that no number holds', put(7, '9'.repeat(30)), /volume must be a whole number/, CORRECT],
    ['a day that is none', put(2, '2020-02-30 09:15'), /is not a time/, CORRECT],
    ['a day of no leap year', put(2, '2019-02-29 09:15'), /is not a time/, CORRECT],
    ['a month that is none', put(2, '2020-13-03 09:15'), /is not a time/, CORRECT],
    ['a time that is none', put(2, '2020-03-13 25:15'), /is not a time/, CORRECT],
    ['a minute that is none', put(2, '2020-03-13 09:60'), /is not a time/, CORRECT],
    ['a time alone', put(2, '09:15'), /is not a time/, CORRECT],
    ['no time', put(2, ''), /is not a time/, CORRECT],
    ['a year of the past', put(2, '1999-03-12 09:15'), /is not between 2010-06-01 and 2033-12-31/, 'delete the line'],
    ['a year to come', put(2, '2034-03-13 09:15'), /is not between 2010-06-01 and 2033-12-31/, 'delete the line'],
    ['a quotation mark that is open', put(1, '"INFY'), /a quotation mark is not closed/, 'correct the line'],
    ['an exchange that is not known', put(0, 'NYSE'), /exchange must be NSE or BSE/, 'shares and indices of these two'],
    [
      'paise among rupees',
      (cells) => cells.toSpliced(3, 4, '60000', '60150', '59950', '60050'),
      /close is 60050 rupees where line \d+ has 600.5/,
      'give rupees and paise in files of their own',
    ],
  ];
  const joined = (separator: string, end: string) => (rows: string[][]) =>
    rows.map((cells) => cells.join(separator)).join(end);
  /**
   * Ways to write the same rows, each with the line of the first row after the heading and the number of lines from one
   * row to the next.
   */
  const FORMS: [string, (rows: string[][]) => string, first: number, step: number][] = [
    ['commas', joined(',', '\n'), 2, 1],
    ['lines of Windows', joined(',', '\r\n'), 2, 1],
    ['lines of old Macs', joined(',', '\r'), 2, 1],
    ['a mark at its beginning', (rows) => `\uFEFF${joined(',', '\n')(rows)}`, 2, 1],
    ['semicolons', joined(';', '\n'), 2, 1],
    ['tabs', joined('\t', '\n'), 2, 1],
    ['bars', joined('|', '\n'), 2, 1],
    [
      'blanks around each cell',
      (rows) => joined(',', '\n')(rows.map((cells) => cells.map((cell) => `  ${cell} `))),
      2,
      1,
    ],
    [
      'quotation marks around each cell',
      (rows) => joined(',', '\n')(rows.map((cells) => cells.map((cell) => `"${cell}"`))),
      2,
      1,
    ],
    ['blank lines', (rows) => `\n\n${joined(',', '\n\n')(rows)}\n\n`, 5, 2],
    ['columns from last to first', (rows) => joined(',', '\n')(rows.map((cells) => cells.toReversed())), 2, 1],
  ];
  const FILES = FORMS.flatMap(([form, write, first, step], nth) =>
    KINDS.map(([kind, spoil, says, advice], at) => {
      // Each at another line.
      const row = 1 + ((at * 7 + nth * 5) % (good.length - 1));
      const rows = good.map((cells, i) => (i === row ? spoil(cells) : cells));
      return { name: `${kind}, ${form}`, text: write([HEADING, ...rows]), line: first + row * step, says, advice };
    }),
  );

  it(`are refused with file, line and what to do: ${FILES.length} of them`, () => {
    expect(new Set(FILES.map(({ text }) => text)).size).toBe(KINDS.length * FORMS.length);
    const said = FILES.map(({ name, text, line, says, advice }) => {
      try {
        read(text, {}, 'march.csv');
        return `${name}: it is read`;
      } catch (error) {
        const { message } = error as Error;
        const isRequested =
          error instanceof OptionError &&
          message.startsWith(`march.csv, line ${line}: `) &&
          says.test(message) &&
          message.includes(advice);
        return isRequested ? '' : `${name}, line ${line}: ${message}`;
      }
    });
    expect(said.filter((name) => name !== '')).toEqual([]);
  });

  it.each([
    ['', 1, 'the file is empty'],
    ['\n\ntime,open,high,low,close', 2, 'there is no row'],
    ['a,b,c\n1,2,3', 1, 'no heading'],
    [
      'timestamp,ltp,ltq\n2020-03-13 09:15:01,600.5,10',
      1,
      'it holds trades or quotes, not candles (timestamp, ltp, ltq)',
    ],
    ['time,open,high,low\n2020-03-13 09:15,1,1,1', 1, 'no column for close'],
    ['\u0000\u0001PAR1', 1, 'this is no text'],
  ])('refuses %j', (text, line, says) => {
    expect(() => read(text)).toThrow(`INFY.csv, line ${line}: ${says}`);
  });

  it('leaves rows of instruments that are not known out by name, and is refused where it holds no other', () => {
    const rows = (...names: string[]) =>
      ['symbol,time,open,high,low,close', ...names.map((name) => `${name},2020-03-13 09:15,${PRICES}`)].join('\n');
    const { rows: taken, leftOut } = read(rows('INFY', 'NOSUCH', 'NSE:NIFTY-FUT'));
    expect(taken).toMatchObject([{ symbol: 'INFY' }]);
    expect(leftOut).toEqual([
      { why: 'that this market does not have', names: ['NOSUCH'], count: 1 },
      {
        why: 'that stand for a future or option, which can be replayed only under its whole name, such as NIFTY25N2526200CE or NIFTY25NOVFUT',
        names: ['NSE:NIFTY-FUT'],
        count: 1,
      },
    ]);
    expect(() => read(rows('NOSUCH'))).toThrow(
      'INFY.csv, line 2: it holds only rows that this market does not have: NOSUCH: write {"files": {"INFY.csv": {"skip": true}}}',
    );
  });

  it('asks for the instrument where nothing names it', () => {
    expect(() => read(`time,open,high,low,close\n2020-03-13 09:15,${PRICES}`, {}, 'data.csv')).toThrow(
      'data.csv, line 2: nothing says which instrument it is: name it in replay.json',
    );
  });
});
