/** Tables as people make them: other headings, companies by name, offsets of databases, and words below the last row. */
import { recordingsOf, taken, type Kept } from '../../../support/kept-files';

const DAYS = ['NSE RELIANCE 2025-11-27 86400s  1563.5 6811204', 'NSE RELIANCE 2025-11-28 86400s  1567.5 7154321'];
const MINUTES = ['NSE RELIANCE 2025-11-27 60s 0 1563.5 1000', 'NSE RELIANCE 2025-11-27 60s 60 1567.5 2000'];
const ROWS = [
  ['2025-11-27', '1569,1572,1558.2,1563.5,6811204'],
  ['2025-11-28', '1563,1571.6,1560.1,1567.5,7154321'],
] as const;
const HEADING = 'Date,Open,High,Low,Close,Volume';
const TABLE = [HEADING, ...ROWS.map((row) => row.join(','))].join('\n');
const minutesAt = (first: string, second: string): string =>
  `Date,Open,High,Low,Close,Volume\n${first},1569,1572,1558.2,1563.5,1000\n${second},1563,1571.6,1560.1,1567.5,2000`;

/** Headings of a column that says which share a row is of, and how it says it. */
const SHARES = [
  ['Stock Symbol', 'RELIANCE'],
  ['Stock Name', 'RELIANCE'],
  ['Ticker Name', 'RELIANCE.NS'],
  ['tic', 'RELIANCE.NS'],
  ['Scrip Name', 'RELIANCE'],
  ['SC_NAME', 'RELIANCE'],
  ['Company', 'Reliance Industries'],
  ['Security Name', 'Reliance Industries Ltd.'],
  ['Underlying', 'RELIANCE'],
].map(([heading, name]): Kept => [
  `days with a column ${heading}`,
  'data.csv',
  [`Date,${heading},Open,High,Low,Close,Volume`, ...ROWS.map(([date, rest]) => `${date},${name},${rest}`)].join('\n'),
  DAYS,
]);

const KEPT: Kept[] = [
  ...SHARES,
  [
    'two shares in a file that is called like the index that they are in',
    'NIFTY50.csv',
    'Date,Company,Open,High,Low,Close,Volume\n2025-11-27,SHREECEM,26500,26700,26400,26600,1000\n2025-11-27,Infosys,1559,1562,1548.2,1553.5,1000',
    ['NSE SHREECEM 2025-11-27 86400s  26600 1000', 'NSE INFY 2025-11-27 86400s  1553.5 1000'],
  ],
  ['days of a company by its name', 'Reliance Industries Historical Data.csv', TABLE, DAYS],
  [
    'days of a company by one word',
    'Infosys.csv',
    `${HEADING}\n2025-11-27,1559,1562,1548.2,1553.5,1000`,
    ['NSE INFY 2025-11-27 86400s  1553.5 1000'],
  ],
  [
    'minutes of a chart program, whose heading tells the order of the date',
    'data.csv',
    'Ticker,Date_YMD,Time,Open,High,Low,Close,Volume\nRELIANCE,20251127,09:15:00,1569,1572,1558.2,1563.5,1000\nRELIANCE,20251127,09:16:00,1563,1571.6,1560.1,1567.5,2000',
    MINUTES,
  ],
  [
    'days of that program with the month first',
    'RELIANCE.csv',
    'Date_MDY,Open,High,Low,Close,Volume\n11/03/2025,1569,1572,1558.2,1563.5,1000',
    ['NSE RELIANCE 2025-11-03 86400s  1563.5 1000'],
  ],
  [
    'minutes of a database in UTC',
    'RELIANCE.csv',
    minutesAt('2025-11-27 03:45:00+00', '2025-11-27 03:46:00+00'),
    MINUTES,
  ],
  [
    'minutes with a short offset',
    'RELIANCE.csv',
    minutesAt('2025-11-27 09:15:00 +5:30', '2025-11-27 09:16:00 +5:30'),
    MINUTES,
  ],
  [
    'minutes with a zone behind the offset',
    'RELIANCE.csv',
    minutesAt('2025-11-27T09:15:00+05:30[Asia/Kolkata]', '2025-11-27T09:16:00+05:30[Asia/Kolkata]'),
    MINUTES,
  ],
  [
    'minutes whose heading names India',
    'RELIANCE.csv',
    minutesAt('2025-11-27 09:15', '2025-11-27 09:16').replace('Date', 'Date (IST)'),
    MINUTES,
  ],
  [
    'minutes whose heading names UTC',
    'RELIANCE.csv',
    minutesAt('2025-11-27 03:45', '2025-11-27 03:46').replace('Date', 'Date (UTC)'),
    MINUTES,
  ],
  ...['Total Volume', 'Volume (Shares)', 'Volume Traded', 'Traded Quantity'].map((heading): Kept => [
    `days with a column ${heading}`,
    'RELIANCE.csv',
    TABLE.replace('Volume', heading),
    DAYS,
  ]),
];

describe('Tables of people and programs', () => {
  it.each(KEPT)('are read where they are %s: %s', (_what, file, text, rows) => {
    expect(taken(file, text)).toEqual(rows);
  });

  it.each([
    ['Total,,,,,13965525', 'Total 13965525'],
    ['\nSource: www.example.com', 'Source: www.example.com'],
    ['Note: adjusted for splits, bonuses', 'Note: adjusted for splits bonuses'],
    ['*Close price adjusted for splits.', '*Close price adjusted for splits.'],
  ])('are read without the words below their last row: %s', (footer, footerWords) => {
    const files = { 'RELIANCE.csv': `${TABLE}\n${footer}\n` };
    expect(taken('RELIANCE.csv', files['RELIANCE.csv'])).toEqual(DAYS);
    expect(recordingsOf(files).notes).toContain(
      `RELIANCE.csv: what is below its last row is not read: ${JSON.stringify(footerWords)}.`,
    );
  });

  it.each([
    [
      'words between two rows',
      TABLE.replace('\n2025-11-28', '\nTotal,,,,,1\n2025-11-28'),
      /line 3: "Total" is not a time/,
    ],
    ['a last row that is cut off', `${TABLE}\n2025-11-29,1563`, /line 4: 2 cells where the first line has 6/],
    [
      'a last row whose date is words',
      `${TABLE}\nMonday,1563,1571.6,1560.1,1567.5,1`,
      /line 4: "Monday" is not a time/,
    ],
    ['minutes from then until then', minutesAt('2025-11-27 09:15-09:16', '2025-11-27 09:16-09:17'), /is not a time/],
  ])('are refused for %s', (_what, text, why) => {
    expect(() => taken('RELIANCE.csv', text)).toThrow(why);
  });

  it('are of no company whose name was the symbol of another', () => {
    expect(() => taken('Tata Motors.csv', `${HEADING}\n2024-11-27,780,790,770,785,1000`)).toThrow(
      'no share or index "Tata Motors"',
    );
  });
});
