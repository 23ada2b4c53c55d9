/** Answers and exports of brokers and spreadsheets, as people keep them. */
import { recordingsOf, taken, type Kept } from '../../../support/kept-files';

const MINUTES = ['NSE INFY 2025-11-10 60s 0 1500.5 10', 'NSE INFY 2025-11-10 60s 60 1501 20'];
const DAYS = ['NSE INFY 2025-11-26 86400s  1555.5 12000000', 'NSE INFY 2025-11-27 86400s  1560 9500000'];

/** Headings of times that count since 1970. */
const HEADINGS_OF_TIMES = ['epoch', 'Epoch Time', 'unix', 'unix_timestamp', 'dt', 'open_time', 'candle time'].map(
  (heading): Kept => [
    `minutes whose times are called ${heading}`,
    'history.csv',
    `symbol,${heading},open,high,low,close,volume\nNSE:INFY-EQ,1762746300,1500,1501,1499,1500.5,10\nNSE:INFY-EQ,1762746360,1500.5,1502,1500,1501,20`,
    MINUTES,
  ],
);

/** The same two days, with numbers as spreadsheets and portals write them. */
const NUMBERS = [
  ['1.56E+03', '1.562e3', '1.55E+03', '1.5555E+03', '1.2E+07', '1560', '1562', '1550', '1.56e+03', '9.5e+06'],
  ['1,560.00', '1,562.00', '1,550.00', '1,555.50', '1.2Cr', '1,560.00', '1,562.00', '1,550.00', '1,560.00', '95L'],
  ['1560', '1562', '1550', '1555.5', '120 Lakh', '1560', '1562', '1550', '1560', '95 lacs'],
  ['1560', '1562', '1550', '1555.5', '12m', '1560', '1562', '1550', '1560', '9500k'],
  ['₹1,560.00', '₹1,562.00', '₹1,550.00', '₹1,555.50', '12000000', '₹1,560', '₹1,562', '₹1,550', '₹1,560', '9500000'],
  ['Rs. 1560', 'Rs 1562', 'INR 1550', 'rs.1555.50', '12000000', '₹ 1560', '1562', '1550', '1560', '9500000'],
].map((cells): Kept => [
  `days with numbers as ${cells[3]} and ${cells[4]}`,
  'INFY.csv',
  `Date;Open;High;Low;Close;Volume\n2025-11-26;${cells.slice(0, 5).join(';')}\n2025-11-27;${cells.slice(5).join(';')}`,
  DAYS,
]);

const KEPT: Kept[] = [
  ...HEADINGS_OF_TIMES,
  ...NUMBERS,
  [
    'days with decimal commas and powers of ten',
    'INFY.csv',
    'Date;Open;High;Low;Close;Volume\n2025-11-26;1560,5;1562,5;1550;1555,5;1,2E+07\n2025-11-27;1560;1562;1550;1560;9,5E+06',
    DAYS,
  ],
  [
    'days of a spreadsheet with years of two digits',
    'INFY.csv',
    'Date,Open,High,Low,Close,Volume\n26-11-25,1560,1562,1550,1555.5,12000000\n27-11-25,1560,1562,1550,1560,9500000',
    DAYS,
  ],
  [
    'days that a broker writes as texts in a list',
    'INFY-EQ.json',
    JSON.stringify([
      '{"time":"27-NOV-2025","into":"1560.00","inth":"1562.00","intl":"1550.00","intc":"1560.00","ssboe":"1764181800","intv":"9500000.00"}',
      '{"time":"26-NOV-2025","into":"1560.00","inth":"1562.00","intl":"1550.00","intc":"1555.50","ssboe":"1764095400","intv":"12000000.00"}',
    ]),
    DAYS,
  ],
  [
    'days for a chart program, without a heading',
    'NSE-EOD.txt',
    '20MICRONS,20251127,210,214,208,212.5,150000,0\nINFY,20251127,1560,1562,1550,1560,9500000,6100000',
    ['NSE 20MICRONS 2025-11-27 86400s  212.5 150000', 'NSE INFY 2025-11-27 86400s  1560 9500000'],
  ],
  [
    'days for a chart program with a column of intervals, without a heading',
    'EOD.txt',
    'INFY,D,20251126,000000,1560,1562,1550,1555.5,12000000,0\nINFY,D,20251127,000000,1560,1562,1550,1560,9500000,0',
    DAYS,
  ],
  [
    'days for a chart program with intervals and no times, without a heading',
    'EOD.txt',
    'INFY,D,20251126,1560,1562,1550,1555.5,12000000\nINFY,D,20251127,1560,1562,1550,1560,9500000',
    DAYS,
  ],
  [
    'minutes for a chart program, without a heading',
    'IEOD.txt',
    'INFY,1,20251110,0915,1500,1501,1499,1500.5,10,0\nINFY,1,20251110,0916,1500.5,1502,1500,1501,20,0',
    MINUTES,
  ],
  ...[
    ['20251110 09:15:00 Asia/Kolkata', '20251110 09:16:00 Asia/Kolkata'],
    ['20251110T091500+0530', '20251110T091600+0530'],
    ['20251110T034500Z', '20251110T034600Z'],
  ].map(([first, second]): Kept => [
    `minutes whose times are written as ${first}`,
    'INFY.csv',
    `date,open,high,low,close,volume\n${first},1500,1501,1499,1500.5,10\n${second},1500.5,1502,1500,1501,20`,
    MINUTES,
  ]),
  [
    'minutes of two files that were put together',
    'INFY.csv',
    'date,open,high,low,close,volume\n2025-11-10 09:15,1500,1501,1499,1500.5,10\nDate, Open, High, Low, Close, Volume\n2025-11-10 09:16,1500.5,1502,1500,1501,20',
    MINUTES,
  ],
  [
    'days of which one has 0 in all prices',
    'INFY.csv',
    'Date,Open,High,Low,Close,Volume\n2025-11-25,0,0.00,0,0.0,0\n2025-11-26,1560,1562,1550,1555.5,12000000\n2025-11-27,1560,1562,1550,1560,9500000',
    DAYS,
  ],
  [
    'days of an index from a library',
    'index.csv',
    'TIMESTAMP,INDEX_NAME,OPEN_INDEX_VAL,HIGH_INDEX_VAL,CLOSE_INDEX_VAL,LOW_INDEX_VAL,TRADED_QTY,TURN_OVER\n27-11-2025,NIFTY 50,26261,26310,26215,26141,0,0',
    ['NSE NIFTY 2025-11-27 86400s  26215 '],
  ],
];

describe('Files of brokers and spreadsheets', () => {
  it.each(KEPT)('are read where they are %s: %s', (_what, file, text, rows) => {
    expect(taken(file, text)).toEqual(rows);
  });

  it('are refused with both remedies where one code of a broker is all that they name', () => {
    const text =
      'close,datetime,exchange_code,high,low,open,stock_code,volume\n1500.5,2025-11-10 09:15:00,NSE,1501,1499,1500,INFTEC,10\n1501,2025-11-10 09:16:00,NSE,1502,1500,1500.5,INFTEC,20';
    expect(() => recordingsOf({ 'breeze.csv': text })).toThrow(
      'breeze.csv, line 2: it holds only rows that this market does not have: INFTEC: write {"files": {"breeze.csv": {"skip": true}}} in replay.json to leave it out, or {"files": {"breeze.csv": {"symbol": "INFY"}}} if they are of INFY',
    );
    expect(taken('breeze.csv', text, { symbol: 'INFY' })).toEqual(MINUTES);
  });

  it.each(['readme.txt', 'symbols.csv'])('are refused with a way to leave them out where they are %s', (file) => {
    const text = 'SYMBOL,NAME OF COMPANY\nINFY,Infosys Limited';
    expect(() => recordingsOf({ [file]: text })).toThrow(
      `under "columns"; if it holds no candles, write {"files": {"${file}": {"skip": true}}} there`,
    );
  });

  it('tell of rows with 0 in all prices', () => {
    const text = 'Date,Open,High,Low,Close\n2025-11-26,0,0,0,0\n2025-11-27,1560,1562,1550,1560';
    expect(recordingsOf({ 'INFY.csv': text }).notes.join()).toContain('INFY.csv: left out 1 row without prices: INFY');
  });

  it.each([
    ['dates of years of which one follows the other in either order', '26-11-25,1560,1562,1550,1560', '26-11-25'],
    ['a price that is too small to be one', '2025-11-27,1560,1562,1E-05,1560', '1E-05'],
    ['a price in another currency', '2025-11-27,$1560,1562,1550,1560', '$1560'],
    ['a price in lakhs', '2025-11-27,1560,1562,1550,0.0156L', '0.0156L'],
  ])('are refused where they hold %s', (_what, row, shown) => {
    expect(() => recordingsOf({ 'INFY.csv': `Date,Open,High,Low,Close\n${row}` })).toThrow(shown);
  });

  it('are refused where a power of ten leaves a part of a share', () => {
    const text = 'Date,Open,High,Low,Close,Volume\n2025-11-27,1560,1562,1550,1560,1.2345678E+03';
    expect(() => recordingsOf({ 'INFY.csv': text })).toThrow('volume must be a whole number, not "1.2345678E+03"');
  });
});
