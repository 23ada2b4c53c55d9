/** Files of charts, terminals, brokers and vendors, as people keep them. */
import { formatCheck } from '../../../../sandbox/src/market/recordings/format-check';
import { recordingsOf, taken, type Kept } from '../../../support/kept-files';

const MINUTES_OF_BANKS =
  'date,open,high,low,close,volume\n2025-11-27 09:15:00,59762.60,59765.60,59747.85,59750.85,0\n2025-11-27 09:16:00,59750.85,59753.85,59740.80,59743.80,0';
const NAMES_OF_BANKS = [
  'NIFTY BANK_minute.csv',
  'NIFTY_BANK.csv',
  'NSEBANK_1min.csv',
  '^NSEBANK.csv',
  'NSE-BANKNIFTY-1m.csv',
];
const BANKS = NAMES_OF_BANKS.map((file): Kept => {
  const rows = ['NSE BANKNIFTY 2025-11-27 60s 0 59750.85 ', 'NSE BANKNIFTY 2025-11-27 60s 60 59743.8 '];
  return ['minutes of the banks', file, MINUTES_OF_BANKS, rows];
});

const MINUTES = ['NSE INFY 2025-11-10 60s 0 1500.5 10', 'NSE INFY 2025-11-10 60s 60 1501 20'];
/** The same two minutes, as ten programs write their times. */
const TIMES = [
  ['1762746300.0', '1762746360.0', 'timestamp'],
  ['20251110091500', '20251110091600', 'datetime'],
  ['202511100915', '202511100916', 'datetime'],
  ['20251110 091500', '20251110 091600', 'datetime'],
  ['Mon Nov 10 09:15:00 IST 2025', 'Mon Nov 10 09:16:00 IST 2025', 'Date'],
  [
    'Mon Nov 10 2025 09:15:00 GMT+0530 (India Standard Time)',
    'Mon Nov 10 2025 09:16:00 GMT+0530 (India Standard Time)',
    'time',
  ],
  ['10.11.2025 03:45:00.000', '10.11.2025 03:46:00.000', 'Gmt time'],
  ['2025-11-10 03:45:00', '2025-11-10 03:46:00', 'timestamp_utc'],
  ['10.11.2025 09:15:00.000 GMT+0530', '10.11.2025 09:16:00.000 GMT+0530', 'Local time'],
].map(([first, second, heading]): Kept => [
  `minutes whose times are written as ${first}`,
  'INFY.csv',
  `${heading},open,high,low,close,volume\n${first},1500,1501,1499,1500.5,10\n${second},1500.5,1502,1500,1501,20`,
  MINUTES,
]);

const KEPT: Kept[] = [
  ...TIMES,
  [
    'minutes of a terminal, whose name has its interval',
    'INFY_M1.csv',
    '<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>\n2025.11.10\t09:15:00\t1500\t1501\t1499\t1500.5\t3\t10\t1\n2025.11.10\t09:16:00\t1500.5\t1502\t1500\t1501\t3\t20\t1',
    MINUTES,
  ],
  [
    'minutes with the names of an interface',
    'INFY.csv',
    'time,into,inth,intl,intc,intv,v\n10-11-2025 09:15:00,1500,1501,1499,1500.5,10,7\n10-11-2025 09:16:00,1500.5,1502,1500,1501,20,27',
    MINUTES,
  ],
  [
    'days of a chart, with an indicator',
    'NSE_NIFTY, 1D.csv',
    'time,open,high,low,close,EMA,Volume\n2010-06-01,5086.25,5086.9501953125,4961.0498046875,4970.2001953125,0,0\n2010-06-02,4970.75,5031.2001953125,4967.0498046875,5019.85009765625,0,0',
    ['NSE NIFTY 2010-06-01 86400s  4970.2 ', 'NSE NIFTY 2010-06-02 86400s  5019.85 '],
  ],
  [
    'quarters of an hour of a chart, in seconds since 1970',
    'NSE_RELIANCE, 15.csv',
    'time,open,high,low,close,Volume,Volume MA\n1763610300,1520.0,1521.20,1517.40,1518.2,15000,NaN\n1763611200,1518.2,1519.40,1517.40,1518.2,15010,NaN',
    ['NSE RELIANCE 2025-11-20 900s 0 1518.2 15000', 'NSE RELIANCE 2025-11-20 900s 900 1518.2 15010'],
  ],
  ...BANKS,
  [
    'minutes of several shares, named by their last seconds',
    'GFDLCM_STOCK_28112025.csv',
    'Ticker,Date,Time,Open,High,Low,Close,Volume,Open Interest\nRELIANCE.NSE,28/11/2025,09:15:59,1563.00,1563.35,1561.25,1561.60,1500,0\nRELIANCE.NSE,28/11/2025,09:16:59,1561.60,1561.95,1560.55,1560.90,1503,0\nINFY.NSE,28/11/2025,09:15:59,1560.00,1560.30,1558.50,1558.80,900,0',
    [
      'NSE RELIANCE 2025-11-28 60s 0 1561.6 1500',
      'NSE RELIANCE 2025-11-28 60s 60 1560.9 1503',
      'NSE INFY 2025-11-28 60s 0 1558.8 900',
    ],
  ],
  [
    'headings in angle brackets',
    'RELIANCE.txt',
    '<TICKER>,<DTYYYYMMDD>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>\nRELIANCE,20251128,091500,1563.00,1564.10,1561.20,1563.55,15021,0\nRELIANCE,20251128,091600,1563.55,1565.00,1563.10,1564.80,13211,0',
    ['NSE RELIANCE 2025-11-28 60s 0 1563.55 15021', 'NSE RELIANCE 2025-11-28 60s 60 1564.8 13211'],
  ],
  [
    'a broker, with shares and indices in one file',
    'history.csv',
    'symbol,timestamp,open,high,low,close,volume\nNSE:NIFTY50-INDEX,1764301500,26215.00,26224.10,26201.20,26213.55,0\nNSE:NIFTY50-INDEX,1764301560,26213.55,26230.00,26210.10,26228.80,0\nNSE:RELIANCE-EQ,1764301500,1563.00,1564.10,1561.20,1563.55,15021\nNSE:NIFTYBANK-INDEX,1764301500,59737.00,59744.10,59701.20,59713.55,0',
    [
      'NSE NIFTY 2025-11-28 60s 0 26213.55 ',
      'NSE NIFTY 2025-11-28 60s 60 26228.8 ',
      'NSE RELIANCE 2025-11-28 60s 0 1563.55 15021',
      'NSE BANKNIFTY 2025-11-28 60s 0 59713.55 ',
    ],
  ],
  [
    'numbered columns of a broker, newest first',
    'INFY.csv',
    ',0,1,2,3,4,5\n0,2025-11-28T09:16:00+05:30,1560,1561,1559,1560.5,5\n1,2025-11-28T09:15:00+05:30,1560,1562,1559,1560,7',
    ['NSE INFY 2025-11-28 60s 0 1560 7', 'NSE INFY 2025-11-28 60s 60 1560.5 5'],
  ],
  [
    'a clock of twelve hours',
    'RELIANCE.csv',
    'Date,Time,Open,High,Low,Close,Volume\n28-11-2025,9:15:00 AM,1563.00,1564.10,1561.20,1563.55,15021\n28-11-2025,9:16:00 AM,1563.55,1565.00,1563.10,1564.80,13211\n28-11-2025,3:29:00 PM,1566.55,1567.00,1565.10,1566.80,23211',
    [
      'NSE RELIANCE 2025-11-28 60s 0 1563.55 15021',
      'NSE RELIANCE 2025-11-28 60s 60 1564.8 13211',
      'NSE RELIANCE 2025-11-28 60s 22440 1566.8 23211',
    ],
  ],
  [
    'months before days, as its dates tell',
    'INFY.csv',
    'Date,Open,High,Low,Close,Volume\n11/27/2025 15:30:00,1560,1562,1559,1560,7\n11/28/2025 15:30:00,1560,1562,1559,1561,7',
    ['NSE INFY 2025-11-27 86400s  1560 7', 'NSE INFY 2025-11-28 86400s  1561 7'],
  ],
  [
    'decimal commas, semicolons and a line for the spreadsheet',
    'TCS.csv',
    'sep=;\nDatum;Date;Open;High;Low;Close\nx;28.11.2025;3.100,00;3.120,5;3.090;3.110,25\n------;;;;;\nx;27.11.2025;3.100;3.120;3.090;3.111',
    ['NSE TCS 2025-11-27 86400s  3111 ', 'NSE TCS 2025-11-28 86400s  3110.25 '],
  ],
  [
    'five minutes of a chart, whose name ends in signs that tell downloads apart',
    'NSE_RELIANCE, 5_1a2b3.csv',
    'time,open,high,low,close,Volume\n2025-11-27T09:15:00+05:30,1569,1570,1568,1569.5,5000\n2025-11-27T09:20:00+05:30,1569.5,1571,1568,1570,4000',
    ['NSE RELIANCE 2025-11-27 300s 0 1569.5 5000', 'NSE RELIANCE 2025-11-27 300s 300 1570 4000'],
  ],
  [
    'delayed days of a chart',
    'NSE_DLY_RELIANCE, 1D.csv',
    'time,open,high,low,close,Volume\n2025-11-27,1569,1570,1568,1569.5,5000\n2025-11-28,1569.5,1571,1568,1570,4000',
    ['NSE RELIANCE 2025-11-27 86400s  1569.5 5000', 'NSE RELIANCE 2025-11-28 86400s  1570 4000'],
  ],
  [
    'minutes with a column of intervals',
    'x.csv',
    'symbol,interval,time,open,high,low,close\nTCS,1m,2025-11-27 09:15,3000,3010,2990,3001\nTCS,1m,2025-11-27 09:20,3000,3010,2990,3002',
    ['NSE TCS 2025-11-27 60s 0 3001 ', 'NSE TCS 2025-11-27 60s 300 3002 '],
  ],
  [
    'minutes of a chart whose closes are called Last',
    'INFY.txt',
    'Date, Time, Open, High, Low, Last, Volume, NumberOfTrades, BidVolume, AskVolume\n2025/11/10, 09:15:00, 1500, 1501, 1499, 1500.5, 10, 5, 5, 5\n2025/11/10, 09:16:00, 1500.5, 1502, 1500, 1501, 20, 5, 5, 5',
    MINUTES,
  ],
  [
    'minutes with the exchange of the segment',
    'history.csv',
    'symbol,exchange,interval,timestamp,open,high,low,close,volume,oi\nNIFTY,NSE_INDEX,1m,2025-11-10 09:15:00,25560,25570,25550,25555,0,0\nINFY,NSE_EQ,1m,2025-11-10 09:15:00,1500,1501,1499,1500.5,10,0\nINFY,NSE_EQ,1m,2025-11-10 09:16:00,1500.5,1502,1500,1501,20,0',
    ['NSE NIFTY 2025-11-10 60s 0 25555 ', ...MINUTES],
  ],
  [
    'minutes with the keys of instruments',
    'history.csv',
    'instrument_key,timestamp,open,high,low,close,volume,oi\nNSE_EQ|INE009A01021,2025-11-10T09:15:00+05:30,1500,1501,1499,1500.5,10,0\nNSE_EQ|INE009A01021,2025-11-10T09:16:00+05:30,1500.5,1502,1500,1501,20,0',
    MINUTES,
  ],
  [
    'headings with their unit',
    'INFY.csv',
    'Date,Open (Rs.),High (Rs.),Low (Rs.),Close (Rs.),Volume\n2025-11-10 09:15,1500,1501,1499,1500.5,10\n2025-11-10 09:16,1500.5,1502,1500,1501,20',
    MINUTES,
  ],
  [
    'days of a vendor that counts the total quantity',
    'NSE-INFY.csv',
    'Date,Open,High,Low,Last,Close,Total Trade Quantity,Turnover (Lacs)\n2018-12-31,660.0,663.0,655.25,658.7,658.95,3546789.0,23354.32',
    ['NSE INFY 2018-12-31 86400s  658.95 3546789'],
  ],
];

describe('Files of charts, brokers and vendors', () => {
  it.each(KEPT)('are read where they are %s: %s', (_what, file, text, rows) => {
    expect(taken(file, text)).toEqual(rows);
  });

  it('are listed by the times at which their bars begin, where the rows name the ends', () => {
    const [, file, text] = KEPT.find(([what]) => what === 'minutes of several shares, named by their last seconds')!;
    expect(formatCheck(recordingsOf({ [file]: text })).split('\n')[1]).toBe(
      'GFDLCM_STOCK_28112025.csv  NSE RELIANCE  1m    2     2025-11-28 09:15 1563.00  2025-11-28 09:16 1560.90',
    );
  });

  it('take the bars of a long day until its end at 17:00', () => {
    const rows = [
      '09:15:00+05:30,35205.4,35350.55,35106.9,35317.35',
      '09:30:00+05:30,35316.95,35452.05,35313.35,35342',
      '16:45:00+05:30,36521.4,36563.9,36348.7,36538.55',
    ];
    expect(
      taken('banknifty.csv', ['date,open,high,low,close', ...rows.map((row) => `2021-02-24 ${row}`)].join('\n')),
    ).toEqual([
      'NSE BANKNIFTY 2021-02-24 900s 0 35317.35 ',
      'NSE BANKNIFTY 2021-02-24 900s 900 35342 ',
      'NSE BANKNIFTY 2021-02-24 900s 27000 36538.55 ',
    ]);
  });

  it('take a share that trades seldom in bars as long as those of the others', () => {
    const rows = [15, 16, 17].map((minute) => `INFY,2020-03-13 09:${minute},600,601,599,600,1`);
    const { instruments } = recordingsOf({
      'all.csv': ['symbol,date,open,high,low,close,volume', ...rows, 'TCS,2020-03-13 09:20,1800,1801,1799,1800,1'].join(
        '\n',
      ),
    });
    expect(instruments.get('NSE TCS')!.days.values().next().value!.bars()).toMatchObject([{ from: 300, to: 360 }]);
  });

  it('are told where their volumes only grow over a day', () => {
    const rows = Array.from(
      { length: 30 },
      (_, at) => `2025-11-27 09:${15 + at},1560,1562,1558,1560,${1000 * (at + 1)}`,
    );
    const heading = 'date,open,high,low,close,volume';
    expect(recordingsOf({ 'INFY.csv': [heading, ...rows].join('\n') }).notes).toContain(
      'NSE INFY: on 2025-11-27 its volume only grows, as one that counts from the beginning of the day does; it is taken for that of each bar.',
    );
    const level = rows.map((row, at) => row.replace(/\d+$/, String(15_000 + 10 * at)));
    expect(recordingsOf({ 'INFY.csv': [heading, ...level].join('\n') }).notes.join()).not.toContain('only grows');
  });

  it('are taken where a few trades at one price have one open', () => {
    const rows = [100, 100, 100, 100.05, 100.05].map((high, at) => `2025-11-27 09:${15 + at},100,${high},100,${high}`);
    expect(taken('TATASTEEL.csv', ['date,open,high,low,close', ...rows].join('\n'))).toHaveLength(5);
  });
});
